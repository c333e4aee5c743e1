// SPDX-License-Identifier: Apache-2.0
#include "src/engine/load.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "src/census/census_file.h"
#include "src/engine/file_names.h"
#include "src/engine/find_files.h"
#include "src/engine/read_input.h"
#include "src/import/execution_trace/execution_trace_reader.h"
#include "src/io/first_bytes.h"
#include "src/io/sqlite.h"
#include "src/model/append.h"

namespace opcensus {
namespace {

/// One file's progress as part of all files'.
class FileProgress : public ProgressObserver {
 public:
  FileProgress(LoadObserver* observer,
               std::mutex& mutex,
               const std::string& path,
               std::size_t number,
               std::size_t count)
      : observer_(observer), mutex_(mutex), path_(path), number_(number), count_(count) {}

  void on_progress(std::uint64_t consumed, std::uint64_t total) override {
    if (observer_ != nullptr) {
      const std::lock_guard lock(mutex_);
      observer_->on_read(path_, number_, count_, consumed, total);
    }
  }

 private:
  LoadObserver* observer_;
  std::mutex& mutex_;
  const std::string& path_;
  std::size_t number_;
  std::size_t count_;
};

bool is_census_file(const std::string& path) {
  return path != "-" && looks_like_census(first_bytes(path, kDatabaseHeaderBytes));
}

/// A trace by a host process that uses no device: an API server, a tokenizer. Not one that lost
/// its device events.
bool is_frontend(const Trace& trace) {
  const bool is_whole = trace.complete && trace.diagnostics.times(Issue::BadEvent) == 0 &&
                        trace.diagnostics.times(Issue::InvalidJson) == 0 &&
                        trace.diagnostics.times(Issue::RecordsDropped) == 0;
  return is_whole && trace.segments == nullptr && trace.device_events.empty() &&
         std::none_of(trace.api_calls.begin(), trace.api_calls.end(), [](const ApiCall& call) {
           return call.kind != ApiCallKind::Other;
         });
}

/// Reads files and sorts them into ranks.
class Loader {
 public:
  Loader(const std::vector<FoundFile>& files, const LoadOptions& options)
      : files_(files), options_(options), inputs_(files.size()) {}

  Result<LoadedInputs> load() {
    read_all();
    for (std::size_t i = 0; i < files_.size(); ++i) {
      OPCENSUS_CHECK_OK(take(files_[i], i));
    }
    drop_frontends();
    for (const ExecutionInput& execution : execution_traces_) {
      OPCENSUS_CHECK_OK(add_execution_trace(execution));
    }
    // The order in which files were named must not show in the result.
    std::stable_sort(
        candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
          return a.model.traces.front().path < b.model.traces.front().path;
        });
    for (Candidate& candidate : candidates_) {
      add_to_rank(std::move(candidate));
    }
    if (result_.ranks.empty() && result_.censuses.empty()) {
      return nothing_left();
    }
    return std::move(result_);
  }

 private:
  struct Candidate {
    Model model;
    bool is_explicit = false;
  };

  struct ExecutionInput {
    std::string path;
    import::ExecutionTrace trace;
  };

  /// To the traces of its rank; a rank that is not written anywhere fits every other.
  Status add_execution_trace(const ExecutionInput& execution) {
    const auto rank = rank_from_path(execution.path);
    std::size_t joined = 0;
    for (Candidate& candidate : candidates_) {
      Trace& trace = candidate.model.traces.front();
      const auto other = trace.rank ? trace.rank : rank_from_path(trace.path);
      if (!rank || !other || *rank == *other) {
        if (trace.segments != nullptr) {  // it changes the rows: they have to be in memory
          OPCENSUS_CHECK_OK(trace.segments->load_all(trace));
          trace.segments = nullptr;
        }
        joined += import::add_execution_trace(execution.trace, candidate.model, trace);
      }
    }
    const std::string note =
        joined == 0 ? "an execution trace, and no trace with its operator calls is there"
                    : "an execution trace: it tells more about " + std::to_string(joined) +
                          " operator calls";
    result_.skipped.push_back({execution.path, note, joined > 0});
    result_.diagnostics.merge(execution.trace.diagnostics);
    return Done{};
  }

  /// Reads the files that are traces, several at a time; what they are is sorted out afterwards, in
  /// their order.
  void read_all() {
    std::vector<std::size_t> traces;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (!is_census_file(files_[i].path) && !has_parts(files_[i].path)) {
        traces.push_back(i);
      }
    }
    const std::size_t budget = static_cast<std::size_t>(std::max(1, options_.threads));
    const std::size_t at_once = std::max<std::size_t>(1, std::min(budget, traces.size()));
    ReadOptions options;
    options.long_traces = options_.long_traces;
    options.threads = static_cast<int>(budget / at_once);
    std::atomic<std::size_t> next{0};
    const auto work = [this, &traces, &options, &next] {
      for (std::size_t i = next++; i < traces.size(); i = next++) {
        const std::string& path = files_[traces[i]].path;
        FileProgress progress(
            options_.observer, observer_mutex_, path, traces[i] + 1, files_.size());
        inputs_[traces[i]].emplace(read_input(path, options, progress));
      }
    };
    std::vector<std::future<void>> others;
    for (std::size_t i = 1; i < at_once; ++i) {
      others.push_back(std::async(std::launch::async, work));
    }
    work();
    for (std::future<void>& other : others) {
      other.get();
    }
  }

  Status take(const FoundFile& file, std::size_t index) {
    if (!inputs_[index]) {
      if (is_census_file(file.path)) {
        return take_census(file);
      }
      skip(file.path, "a merged trace whose parts are there too", Issue::MergedTraceIgnored);
      return Done{};
    }
    Result<Input> input = std::move(*inputs_[index]);
    inputs_[index].reset();
    if (!input) {
      return take_failure(file, std::move(input).error());
    }
    if (auto* execution = std::get_if<import::ExecutionTrace>(&*input)) {
      execution_traces_.push_back({file.path, std::move(*execution)});
      return Done{};
    }
    auto* model = std::get_if<Model>(&*input);
    const Trace& trace = model->traces.front();
    if (!trace.trace_id.empty() &&
        !trace_ids_.insert({trace.trace_id, trace.rank.value_or(-1), trace.bytes}).second) {
      skip(file.path, "the same trace as another file", Issue::DuplicateInput);
      return Done{};
    }
    candidates_.push_back({std::move(*model), file.is_explicit});
    return Done{};
  }

  Status take_census(const FoundFile& file) {
    OPCENSUS_TRY(Census census, read_census(file.path));
    result_.censuses.push_back(std::move(census));
    return Done{};
  }

  Status take_failure(const FoundFile& file, Error error) {
    if (file.is_explicit) {
      return error;
    }
    const bool is_other_file =
        error.code == ErrorCode::NotATrace || error.code == ErrorCode::UnsupportedFormat;
    if (!first_failure_ || !is_other_file) {
      first_failure_ = error;
    }
    if (is_other_file) {
      result_.skipped.push_back({file.path, error.message, false});
    } else {
      skip(file.path, error.message, Issue::UnreadableInput);
    }
    return Done{};
  }

  [[nodiscard]] bool has_parts(const std::string& path) const {
    const auto id = merged_profile_id(path);
    return id && std::any_of(files_.begin(), files_.end(), [&id](const FoundFile& other) {
             return !merged_profile_id(other.path) &&
                    file_name_of(other.path).find(*id) != std::string_view::npos;
           });
  }

  void skip(const std::string& path, const std::string& note, Issue issue) {
    result_.skipped.push_back({path, note, false});
    result_.diagnostics.count(issue, {path, std::nullopt, note});
  }

  void drop_frontends() {
    const bool all_are =
        std::all_of(candidates_.begin(), candidates_.end(), [](const Candidate& candidate) {
          return is_frontend(candidate.model.traces.front());
        });
    if (all_are) {
      return;  // they are what the user has: the report says that device events are missing
    }
    std::erase_if(candidates_, [this](const Candidate& candidate) {
      const Trace& trace = candidate.model.traces.front();
      if (!is_frontend(trace)) {
        return false;
      }
      skip(trace.path, "no device events: a front end's trace", Issue::FrontendTraceIgnored);
      return true;
    });
  }

  void add_to_rank(Candidate candidate) {
    Trace& trace = candidate.model.traces.front();
    if (!trace.rank) {
      trace.rank = rank_from_path(trace.path);
    }
    if (!trace.rank && candidates_.size() > 1) {
      trace.diagnostics.count(Issue::RankUnknown, {trace.path, std::nullopt, ""});
    }
    append_traces(result_.ranks[trace.rank.value_or(0)], std::move(candidate.model));
  }

  [[nodiscard]] Error nothing_left() const {
    if (first_failure_ && files_.size() == 1) {
      return *first_failure_;
    }
    Error error{
        ErrorCode::NothingToReport, "none of the files is a trace that can be read", "", {}, ""};
    if (!result_.skipped.empty()) {
      error.message +=
          "; the first is " + result_.skipped.front().path + ": " + result_.skipped.front().note;
    }
    error.hint =
        "opcensus reads torch.profiler (Kineto) traces, *.pt.trace.json or *.json.gz; Nsight "
        "Systems "
        "exports, *.sqlite; Ascend profiles, *_ascend_pt; and its own recordings, *.ocrec";
    return error;
  }

  const std::vector<FoundFile>& files_;
  const LoadOptions& options_;
  std::vector<std::optional<Result<Input>>> inputs_;  // by file; none for what is no trace
  std::mutex observer_mutex_;
  std::vector<Candidate> candidates_;
  std::vector<ExecutionInput> execution_traces_;
  /// The profiler's own id, rank, and size: ranks of one run may share an id.
  std::set<std::tuple<std::string, std::int64_t, std::uint64_t>> trace_ids_;
  std::optional<Error> first_failure_;
  LoadedInputs result_;
};

}  // namespace

Result<LoadedInputs> load_traces(const std::vector<std::string>& paths,
                                 const LoadOptions& options) {
  OPCENSUS_TRY(const std::vector<FoundFile> files, find_files(paths));
  return Loader(files, options).load();
}

}  // namespace opcensus
