// SPDX-License-Identifier: Apache-2.0
#include "src/engine/load.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "src/census/census_file.h"
#include "src/engine/file_names.h"
#include "src/engine/find_files.h"
#include "src/import/kineto/kineto_reader.h"
#include "src/import/recording/recording_reader.h"
#include "src/io/byte_source.h"
#include "src/io/peeked_bytes.h"
#include "src/model/append.h"

namespace opcensus {
namespace {

/// One file's progress as part of all files'.
class FileProgress : public ProgressObserver {
 public:
  FileProgress(LoadObserver* observer,
               const std::string& path,
               std::size_t number,
               std::size_t count)
      : observer_(observer), path_(path), number_(number), count_(count) {}

  void on_progress(std::uint64_t consumed, std::uint64_t total) override {
    if (observer_ != nullptr) {
      observer_->on_read(path_, number_, count_, consumed, total);
    }
  }

 private:
  LoadObserver* observer_;
  const std::string& path_;
  std::size_t number_;
  std::size_t count_;
};

bool is_census_file(const std::string& path) {
  if (path == "-") {
    return false;
  }
  std::array<char, 100> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  return looks_like_census({head.data(), static_cast<std::size_t>(file.gcount())});
}

Status read_trace(PeekedBytes& source,
                  const std::string& path,
                  ProgressObserver& progress,
                  Model& model) {
  if (source.starts_with(import::recording_magic())) {
    import::RecordingOptions options;
    options.progress = &progress;
    return import::read_recording(source, path, options, model);
  }
  import::KinetoOptions options;
  options.progress = &progress;
  return import::read_kineto_trace(source, path, options, model);
}

Result<Model> read_file(const std::string& path, ProgressObserver& progress) {
  OPCENSUS_TRY(auto bytes, open_bytes(path));
  PeekedBytes source(std::move(bytes));
  Model model;
  auto status = read_trace(source, path, progress, model);
  if (!status) {
    return std::move(status).error().in_file(path);
  }
  return model;
}

/// A trace by a host process that uses no device: an API server, a tokenizer. Not one that lost
/// its device events.
bool is_frontend(const Trace& trace) {
  const bool is_whole = trace.complete && trace.diagnostics.times(Issue::BadEvent) == 0 &&
                        trace.diagnostics.times(Issue::InvalidJson) == 0 &&
                        trace.diagnostics.times(Issue::RecordsDropped) == 0;
  return is_whole && trace.device_events.empty() &&
         std::none_of(trace.api_calls.begin(), trace.api_calls.end(), [](const ApiCall& call) {
           return call.kind != ApiCallKind::Other;
         });
}

/// Reads files one after the other and sorts them into ranks.
class Loader {
 public:
  Loader(const std::vector<FoundFile>& files, LoadObserver* observer)
      : files_(files), observer_(observer) {}

  Result<LoadedInputs> load() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      OPCENSUS_CHECK_OK(take(files_[i], i + 1));
    }
    drop_frontends();
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

  Status take(const FoundFile& file, std::size_t number) {
    if (is_census_file(file.path)) {
      return take_census(file);
    }
    if (has_parts(file.path)) {
      skip(file.path, "a merged trace whose parts are there too", Issue::MergedTraceIgnored);
      return Done{};
    }
    FileProgress progress(observer_, file.path, number, files_.size());
    auto model = read_file(file.path, progress);
    if (!model) {
      return take_failure(file, std::move(model).error());
    }
    const Trace& trace = model->traces.front();
    if (!trace.trace_id.empty() &&
        !trace_ids_.insert(trace.trace_id + std::to_string(trace.bytes)).second) {
      skip(file.path, "the same trace as another file", Issue::DuplicateInput);
      return Done{};
    }
    candidates_.push_back({std::move(model).value(), file.is_explicit});
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
      result_.skipped.push_back({file.path, error.message});
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
    result_.skipped.push_back({path, note});
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
        "opcensus reads torch.profiler (Kineto) traces, *.pt.trace.json or *.json.gz, and its own "
        "recordings, *.ocrec";
    return error;
  }

  const std::vector<FoundFile>& files_;
  LoadObserver* observer_;
  std::vector<Candidate> candidates_;
  std::set<std::string> trace_ids_;
  std::optional<Error> first_failure_;
  LoadedInputs result_;
};

}  // namespace

Result<LoadedInputs> load_traces(const std::vector<std::string>& paths, LoadObserver* observer) {
  OPCENSUS_TRY(const std::vector<FoundFile> files, find_files(paths));
  return Loader(files, observer).load();
}

}  // namespace opcensus
