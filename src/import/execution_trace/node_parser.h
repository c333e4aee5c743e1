// SPDX-License-Identifier: Apache-2.0
//
// NodeParser: the JSON text of one node to what opcensus keeps of it. The only user of simdjson
// here, which proves that the text is JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "src/import/execution_trace/input_lists.h"

namespace opcensus::import {

struct ExecutionNode {
  std::uint64_t record_function_id = 0;  ///< 0 = none
  std::string name;
  InputLists inputs;
  bool has_unequal_lists = false;  ///< the inputs could not be told, and are left out
};

enum class NodeResult : std::uint8_t { Ok, InvalidJson, NotANode };

class NodeParser {
 public:
  NodeParser();
  NodeParser(const NodeParser&) = delete;
  NodeParser& operator=(const NodeParser&) = delete;
  ~NodeParser();

  /// `text` begins with the node's bracket and ends with it.
  [[nodiscard]] NodeResult parse(std::string_view text,
                                 std::size_t max_inputs,
                                 ExecutionNode& node);

  /// The text of a JSON string; empty for anything else.
  [[nodiscard]] std::string unescape(std::string_view json);

 private:
  class Simdjson;
  std::unique_ptr<Simdjson> simdjson_;
};

}  // namespace opcensus::import
