// SPDX-License-Identifier: Apache-2.0
//
// Reads the two kinds of small JSON that a census carries as text: a flat object (the properties
// of a rank) and an array of strings (input dtypes). Anything else in them is skipped, and a text
// that is not such JSON gives what was readable before the fault.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opcensus {

struct FlatMember {
  std::string name;
  std::string value;       ///< decoded text, or the number, true, false or null as written
  bool is_number = false;  ///< `value` is an integer or decimal number
};

/// Members with a scalar value; nested ones are skipped.
[[nodiscard]] std::vector<FlatMember> parse_flat_object(std::string_view json);

/// The elements; one that is no string is "".
[[nodiscard]] std::vector<std::string> parse_string_array(std::string_view json);

}  // namespace opcensus
