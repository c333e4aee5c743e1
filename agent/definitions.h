/* SPDX-License-Identifier: Apache-2.0
 *
 * Definitions: distinct texts and operators, by id, and their records that are not written yet.
 * Thread: any; one lock. The hot path has a cache in front (the torch shim's, and by pointer here).
 */
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/wire.h"

namespace opcensus::agent {

class Definitions {
 public:
  /* 0 for null and "". */
  std::uint32_t text(const char* value);

  std::uint32_t op(const char* name,
                   const char* shapes,
                   const char* dtypes,
                   const char* strides,
                   const char* concrete,
                   wire::OperatorKind kind);

  struct Pending {
    std::vector<std::uint8_t> texts; /* TextRecords with their bytes */
    std::vector<wire::OperatorRecord> operators;
  };

  /* What was defined since the last call. Records that use a definition must be taken before. */
  Pending take();

 private:
  std::uint32_t text_locked(std::string_view value);

  std::mutex mutex_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::unordered_map<std::string, std::uint32_t> operators_; /* by the bytes of the record */
  Pending pending_;
};

}  // namespace opcensus::agent
