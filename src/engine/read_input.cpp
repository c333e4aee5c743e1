// SPDX-License-Identifier: Apache-2.0
#include "src/engine/read_input.h"

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "src/import/ascend/ascend_reader.h"
#include "src/import/execution_trace/execution_trace_reader.h"
#include "src/import/kineto/kineto_reader.h"
#include "src/import/nsys/nsys_reader.h"
#include "src/import/recording/recording_reader.h"
#include "src/io/byte_source.h"
#include "src/io/first_bytes.h"
#include "src/io/peeked_bytes.h"
#include "src/io/sqlite.h"

namespace opcensus {
namespace {

/// A reader of one path, with default options.
template <class Options, class Read>
Result<Input> read_whole(const std::string& path, ProgressObserver& progress, const Read& read) {
  Options options;
  options.progress = &progress;
  Model model;
  OPCENSUS_CHECK_OK(read(path, options, model));
  return Input(std::move(model));
}

Result<Input> read_ascend(const std::string& path, ProgressObserver& progress) {
  return read_whole<import::AscendOptions>(path, progress, import::read_ascend_profile);
}

Result<Input> read_database(const std::string& path, ProgressObserver& progress) {
  if (import::is_nsys_export(path)) {
    return read_whole<import::NsysOptions>(path, progress, import::read_nsys_export);
  }
  if (import::is_ascend_file(path)) {
    return read_ascend(path, progress);
  }
  // A damaged one shall say so.
  OPCENSUS_TRY(Database database, Database::open_read_only(path, ErrorCode::Damaged));
  OPCENSUS_CHECK_OK(database.tables());
  return Error{
      ErrorCode::NotATrace,
      "a SQLite database, but neither of Nsight Systems nor of an Ascend profile",
      path,
      {},
      "give what nsys export --type sqlite wrote, an Ascend profile's folder, or a .census"};
}

Result<Input> read_stream(const std::string& path,
                          const ReadOptions& read_options,
                          ProgressObserver& progress) {
  OPCENSUS_TRY(auto bytes, open_bytes(path));
  constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;
  PeekedBytes source(std::move(bytes), kSniffedBytes);
  if (import::looks_like_execution_trace(source.beginning())) {
    OPCENSUS_TRY(import::ExecutionTrace trace, import::read_execution_trace(source, path));
    return Input(std::move(trace));
  }
  Model model;
  if (source.beginning().starts_with(import::recording_magic())) {
    import::RecordingOptions options;
    options.progress = &progress;
    OPCENSUS_CHECK_OK(import::read_recording(source, path, options, model));
  } else {
    const std::unique_ptr<RowSink> sink = make_row_store(read_options.long_traces);
    import::KinetoOptions options;
    options.progress = &progress;
    options.sink = sink.get();
    options.threads = read_options.threads;
    OPCENSUS_CHECK_OK(import::read_kineto_trace(source, path, options, model));
  }
  return Input(std::move(model));
}

Result<Input> read_any(const std::string& path,
                       const ReadOptions& read_options,
                       ProgressObserver& progress) {
  if (path == "-") {
    return read_stream(path, read_options, progress);
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return read_ascend(path, progress);
  }
  const std::string beginning = first_bytes(path, kDatabaseHeaderBytes);
  if (looks_like_sqlite(beginning)) {
    return read_database(path, progress);
  }
  if (import::is_nsys_report(path)) {
    return import::nsys_report_error(path);
  }
  if (import::is_ascend_file(path)) {
    return read_ascend(path, progress);
  }
  return read_stream(path, read_options, progress);
}

}  // namespace

bool is_profile_folder(const std::string& path) {
  return import::is_ascend_folder(path);
}

Result<Input> read_input(const std::string& path,
                         const ReadOptions& read_options,
                         ProgressObserver& progress) {
  auto input = read_any(path, read_options, progress);
  if (!input) {
    return std::move(input).error().in_file(path);
  }
  return input;
}

}  // namespace opcensus
