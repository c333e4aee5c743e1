// SPDX-License-Identifier: Apache-2.0
//
// StoredRows: the four columns of a trace on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/io/spill_file.h"
#include "src/model/trace.h"
#include "src/segments/id_set.h"
#include "src/segments/stored_column.h"

namespace opcensus {

/// Of operators only: annotations are never looked up.
inline std::uint64_t lookup_id(const HostSpan& span) {
  return span.kind == HostSpanKind::Operator ? span.external_id : 0;
}

inline std::uint64_t lookup_id(const ApiCall& call) {
  return call.correlation;
}

inline std::uint64_t lookup_id(const DeviceEvent& event) {
  return event.correlation;
}

inline std::uint64_t lookup_id(const AuxiliarySpan& /*span*/) {
  return 0;
}

struct StoredRows {
  std::optional<SpillFile> file;
  StoredColumn<HostSpan, lookup_id> spans;
  StoredColumn<ApiCall, lookup_id> calls;
  StoredColumn<DeviceEvent, lookup_id> events;
  StoredColumn<AuxiliarySpan, lookup_id> auxiliary;
  IdSet correlations;  ///< of calls

  [[nodiscard]] std::size_t count() const {
    return spans.rows() + calls.rows() + events.rows() + auxiliary.rows();
  }

  /// Moves the rows of the trace's columns here.
  Status take(Trace& trace, const ColumnLayout& layout);

  /// Appends them to its columns.
  Status read_all(Nanoseconds base_time, Trace& trace) const;
};

}  // namespace opcensus
