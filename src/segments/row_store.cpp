// SPDX-License-Identifier: Apache-2.0
#include "src/segments/row_store.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "src/segments/stored_rows.h"
#include "src/segments/stored_segments.h"

namespace opcensus {
namespace {

/// More bits for correlation ids than this mean that they are no counters.
constexpr std::size_t kMaxIdBytes = std::size_t{64} << 20;

template <class Row>
void put_in_front(std::vector<Row>&& rows, std::vector<Row>& column) {
  rows.insert(rows.end(), column.begin(), column.end());
  column = std::move(rows);
}

class RowStore final : public RowSink {
 public:
  explicit RowStore(const RowStoreOptions& options) : options_(options) {}

  [[nodiscard]] std::size_t batch_rows() const override { return options_.batch_rows; }

  [[nodiscard]] bool has_rows() const override { return rows_.count() > 0; }

  Status take(Trace& trace) override {
    for (const ApiCall& call : trace.api_calls) {
      has_captures_ = has_captures_ || call.kind == ApiCallKind::BeginCapture;
      const StringId process = trace.threads[call.thread.index()].process;
      has_processes_ = has_processes_ || (process_.has_value() && process != process_);
      process_ = process;
    }
    return rows_.take(trace, options_.layout);
  }

  Status put_back(Trace& trace) override {
    Trace stored;
    OPCENSUS_CHECK_OK(rows_.read_all(Nanoseconds(), stored));
    put_in_front(std::move(stored.host_spans), trace.host_spans);
    put_in_front(std::move(stored.api_calls), trace.api_calls);
    put_in_front(std::move(stored.device_events), trace.device_events);
    put_in_front(std::move(stored.auxiliary), trace.auxiliary);
    rows_ = StoredRows();
    return Done{};
  }

  Status finish(Trace& trace, Nanoseconds base_time) override {
    if (!can_be_cut(trace)) {
      OPCENSUS_CHECK_OK(rows_.read_all(base_time, trace));
      rows_ = StoredRows();
      return Done{};
    }
    trace.segments = std::make_shared<StoredSegments>(
        std::move(rows_), base_time, options_.segment_rows / options_.layout.sample_step);
    rows_ = StoredRows();
    return Done{};
  }

 private:
  [[nodiscard]] bool can_be_cut(const Trace& trace) const {
    const bool has_groups =
        std::any_of(trace.streams.begin(), trace.streams.end(), [](const Stream& stream) {
          return stream.process_group.has_value();
        });
    return !has_captures_ && !has_processes_ && !has_groups && trace.graph_nodes.empty() &&
           rows_.correlations.bytes() <= kMaxIdBytes;
  }

  RowStoreOptions options_;
  StoredRows rows_;
  StringId process_;
  bool has_captures_ = false;
  bool has_processes_ = false;
};

}  // namespace

std::unique_ptr<RowSink> make_row_store(const RowStoreOptions& options) {
  return std::make_unique<RowStore>(options);
}

}  // namespace opcensus
