// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of this folder: a database made from SQL, and what was read from it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <unistd.h>

#include "src/import/nsys/nsys_reader.h"
#include "src/io/sqlite.h"

namespace opcensus::import::testing {

struct Reading {
  Model model;
  std::optional<Error> error;

  [[nodiscard]] const Trace& trace() const { return model.traces.at(0); }

  [[nodiscard]] std::string text(StringId id) const { return std::string(model.strings.view(id)); }

  /// "operator shapes" of a signature; "-" for none().
  [[nodiscard]] std::string text(SignatureId id) const {
    if (id.is_none()) {
      return "-";
    }
    const Signature& signature = model.signatures[id];
    const std::string shapes = text(signature.input_shapes);
    return text(signature.operator_name) + (shapes.empty() ? "" : " " + shapes);
  }

  [[nodiscard]] std::string property(std::string_view name) const {
    for (const TraceProperty& row : trace().properties) {
      if (row.name == name) {
        return row.value;
      }
    }
    return "not there";
  }

  /// "start+duration operator" or "start+duration (annotation)" of each span, one a line.
  [[nodiscard]] std::string spans() const {
    std::string out;
    for (const HostSpan& span : trace().host_spans) {
      const bool is_operator = span.kind == HostSpanKind::Operator;
      out += std::to_string(span.start.count()) + "+" + std::to_string(span.duration.count()) +
             " " + (is_operator ? text(span.signature) : "(" + text(span.signature) + ")") + "\n";
    }
    return out;
  }
};

[[nodiscard]] inline Reading read_file(const std::string& path, const NsysOptions& options = {}) {
  Reading reading;
  auto status = read_nsys_export(path, options, reading.model);
  if (!status) {
    reading.error = std::move(status).error();
  }
  return reading;
}

/// A database made from SQL, or a file of any bytes; deleted at the end.
class NsysFile {
 public:
  explicit NsysFile(const std::string& sql) : NsysFile() {
    auto database = Database::open_for_writing(path_);
    if (!database || !database->execute(sql) || !database->close()) {
      std::fprintf(stderr, "the database of a test cannot be made\n");
      std::abort();
    }
  }

  NsysFile() {
    const auto folder = std::filesystem::temp_directory_path();
    path_ = (folder / ("opcensus_nsys_" + std::to_string(getpid()) + ".sqlite")).string();
    write("");
  }

  NsysFile(const NsysFile&) = delete;
  NsysFile& operator=(const NsysFile&) = delete;
  NsysFile(NsysFile&&) = delete;
  NsysFile& operator=(NsysFile&&) = delete;

  ~NsysFile() { std::remove(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

  void write(std::string_view content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }

 private:
  std::string path_;
};

[[nodiscard]] inline Reading read_sql(const std::string& sql, const NsysOptions& options = {}) {
  const NsysFile file(sql);
  return read_file(file.path(), options);
}

/// The tables that a run with CUDA and NVTX has, as far as they are read.
inline constexpr std::string_view kTables = R"sql(
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
  start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER,
  graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
  start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
CREATE TABLE NVTX_EVENTS (
  start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER,
  endGlobalTid INTEGER, textId INTEGER);
CREATE TABLE CUDA_GRAPH_NODE_EVENTS (
  start INTEGER, end INTEGER, globalTid INTEGER, graphNodeId INTEGER, originalGraphNodeId INTEGER);
INSERT INTO StringIds VALUES (1, 'void gemm<float>(float*)'), (2, 'cudaLaunchKernel_v7000'),
  (3, 'cudaGraphLaunch_v10000'), (4, 'gemm'), (5, 'aten::mm, op_id = 7, sizes = [[8, 16], [16, 4]]');
)sql";

[[nodiscard]] inline std::string with_tables(std::string_view rows) {
  return std::string(kTables) + std::string(rows);
}

/// As nsys composes them, on machine 1.
[[nodiscard]] constexpr std::int64_t global_id(std::int64_t process, std::int64_t thread = 0) {
  return (std::int64_t{1} << 48) | (process << 24) | thread;
}

}  // namespace opcensus::import::testing
