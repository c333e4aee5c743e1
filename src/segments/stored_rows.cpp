// SPDX-License-Identifier: Apache-2.0
#include "src/segments/stored_rows.h"

#include <utility>

namespace opcensus {

Status StoredRows::take(Trace& trace, const ColumnLayout& layout) {
  if (!file) {
    OPCENSUS_TRY(file, SpillFile::create());
  }
  for (const ApiCall& call : trace.api_calls) {
    if (call.correlation != 0) {
      correlations.add(call.correlation);
    }
  }
  OPCENSUS_CHECK_OK(spans.append(*file, trace.host_spans, layout));
  OPCENSUS_CHECK_OK(calls.append(*file, trace.api_calls, layout));
  OPCENSUS_CHECK_OK(events.append(*file, trace.device_events, layout));
  OPCENSUS_CHECK_OK(auxiliary.append(*file, trace.auxiliary, layout));
  trace.host_spans.clear();
  trace.api_calls.clear();
  trace.device_events.clear();
  trace.auxiliary.clear();
  return Done{};
}

Status StoredRows::read_all(Nanoseconds base_time, Trace& trace) const {
  OPCENSUS_CHECK_OK(spans.read_all(*file, base_time, trace.host_spans));
  OPCENSUS_CHECK_OK(calls.read_all(*file, base_time, trace.api_calls));
  OPCENSUS_CHECK_OK(events.read_all(*file, base_time, trace.device_events));
  return auxiliary.read_all(*file, base_time, trace.auxiliary);
}

}  // namespace opcensus
