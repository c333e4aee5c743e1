// SPDX-License-Identifier: Apache-2.0
//
// For tests: the `args` of an event, for the slow reader.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "tests/support/slow_json.h"

namespace opcensus::import::testing {

/// The arguments that opcensus knows. Of several spellings of one, the last counts.
class SlowArguments {
 public:
  explicit SlowArguments(const RawJson& event) {
    for (const auto& [key, value] : event.items()) {
      if (key_text(key) == "args" && value.is_object()) {
        read(value);
      }
    }
  }

  std::uint64_t correlation = 0;
  std::uint64_t external_id = 0;
  std::uint64_t node_id = 0;  ///< CUPTI's
  std::optional<std::int64_t> device;
  std::optional<std::int64_t> stream;
  std::string kernel;
  std::string input_dims;
  std::string input_type;
  std::string strides;
  std::string concrete;
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::string> graph_node;

  [[nodiscard]] std::string dims() const {
    std::string text;
    for (std::size_t i = 0; i < 3; ++i) {
      text += std::to_string(grid[i]) + "|" + std::to_string(block[i]) + "|";
    }
    return text;
  }

 private:
  void read(const RawJson& args) {
    for (const auto& [raw_key, value] : args.items()) {
      const std::string key = key_text(raw_key);
      const std::string text = trimmed(text_of(value));
      read_id(key, slow_id(text));
      read_device(key, slow_integer(text), value);
      read_inputs(key, value);
      if (key == "kernel") {
        kernel = text_of(value);
      } else if (key == "tasktopo_external_op" || key == "tasktopo external op") {
        std::get<3>(graph_node) = text_of(value);
      }
    }
  }

  void read_id(const std::string& key, std::uint64_t id) {
    if (key == "correlation") {
      correlation = id;
    } else if (key == "External id" || key == "external id") {
      external_id = id;
    } else if (key == "graph node id") {
      node_id = id;
    } else if (key == "tasktopo") {
      std::get<0>(graph_node) = id;
    } else if (key == "tasktopo_node" || key == "tasktopo node") {
      std::get<1>(graph_node) = id;
    } else if (key == "tasktopo_external_id" || key == "tasktopo external id") {
      std::get<2>(graph_node) = id;
    }
  }

  void read_device(const std::string& key,
                   std::optional<std::int64_t> number,
                   const RawJson& value) {
    if (key == "device") {
      device = number;
    } else if (key == "stream" || key == "streamId" || key == "sycl queue") {
      stream = number;
    } else if (key == "grid") {
      grid = three(value);
    } else if (key == "block") {
      block = three(value);
    } else if (key == "extra" && value.is_object()) {
      for (const auto& [raw_key, member] : value.items()) {
        read_grid_dim(key_text(raw_key), slow_integer(trimmed(text_of(member))));
      }
    } else {
      read_grid_dim(key, number);
    }
  }

  void read_grid_dim(const std::string& key, std::optional<std::int64_t> number) {
    if (key.size() == 4 && key.starts_with("dim") && key[3] >= 'x' && key[3] <= 'z') {
      const std::int64_t dim = number.value_or(0);
      const bool fits = dim >= 0 && dim <= std::numeric_limits<std::uint32_t>::max();
      grid.at(static_cast<std::size_t>(key[3] - 'x')) = static_cast<std::uint32_t>(fits ? dim : 0);
    }
  }

  void read_inputs(const std::string& key, const RawJson& value) {
    const std::string json = value.is_array() || is_text(value) ? raw_text(value) : "";
    if (key == "Input Dims" || key == "Input dims") {
      input_dims = json;
    } else if (key == "Input type") {
      input_type = json;
    } else if (key == "Input Strides") {
      strides = json;
    } else if (key == "Concrete Inputs") {
      concrete = json;
    }
  }

  /// The first three numbers of an array; zeros if they are not of 32 bits.
  static std::array<std::uint32_t, 3> three(const RawJson& value) {
    std::array<std::uint32_t, 3> dims{};
    std::string text = value.is_array() ? raw_text(value) : "";
    for (std::uint32_t& dim : dims) {
      text.erase(0, text.find_first_not_of("[,"));
      const std::string digits = text.substr(0, text.find_first_not_of("0123456789"));
      const std::uint64_t number = slow_id(digits);
      if (!is_digits(digits) || digits.size() > 10 ||
          number > std::numeric_limits<std::uint32_t>::max()) {
        return {};
      }
      dim = static_cast<std::uint32_t>(number);
      text.erase(0, digits.size());
    }
    return dims;
  }
};

}  // namespace opcensus::import::testing
