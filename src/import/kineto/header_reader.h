// SPDX-License-Identifier: Apache-2.0
//
// HeaderReader: the top-level values of a trace other than its events, which may stand before or
// after them: devices, rank, versions, settings. What is broken there is counted and left out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "src/base/nanoseconds.h"
#include "src/import/kineto/issue_log.h"
#include "src/model/trace.h"

namespace opcensus::import {

class HeaderReader {
 public:
  HeaderReader(Trace& trace, IssueLog& issues);
  HeaderReader(const HeaderReader&) = delete;
  HeaderReader& operator=(const HeaderReader&) = delete;
  ~HeaderReader();

  /// One key with the raw JSON of its value.
  void read(std::string_view key, std::string_view value, std::uint64_t byte_offset);

  /// A key that only a Kineto trace has was among them.
  [[nodiscard]] bool is_trace_header() const { return is_trace_header_; }

  /// baseTimeNanoseconds of the document that ends here; 0 if it has none.
  [[nodiscard]] Nanoseconds take_base_time();

 private:
  class Simdjson;

  void read_scalar(std::string_view key, std::string_view value, std::uint64_t byte_offset);
  void read_structure(std::string_view key, std::string_view value, std::uint64_t byte_offset);
  void set_property(std::string_view name, std::string value);
  void set_known_scalar(std::string_view key, std::string_view text, std::uint64_t byte_offset);

  Trace& trace_;
  IssueLog& issues_;
  std::unique_ptr<Simdjson> simdjson_;
  Nanoseconds base_time_;
  bool is_trace_header_ = false;
};

}  // namespace opcensus::import
