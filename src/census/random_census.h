// SPDX-License-Identifier: Apache-2.0
//
// Test support: small random censuses that pass all checks, and what must not change one.
// The same seed gives the same census on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "src/census/census.h"

namespace opcensus::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// 0 … size - 1. Not std::uniform_int_distribution: its results differ between libraries.
  std::size_t below(std::size_t size) { return static_cast<std::size_t>(engine_() % size); }

  template <class Row>
  void shuffle(std::vector<Row>& rows) {
    for (std::size_t i = rows.size(); i > 1; --i) {
      std::swap(rows[i - 1], rows[below(i)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// Canonical. Inputs are named after `name`, ranks are 0 … 1; with_graphs = false leaves out all
/// replays.
[[nodiscard]] Census random_census(std::uint64_t seed,
                                   const std::string& name,
                                   bool with_graphs = true);

/// The same content in another form: tables in another order, rows split in two, texts and
/// signatures that nothing uses or that are there twice.
[[nodiscard]] Census scrambled(Census census, std::uint64_t seed);

}  // namespace opcensus::testing
