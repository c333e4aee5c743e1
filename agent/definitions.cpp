/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/definitions.h"

#include <cstring>
#include <utility>

namespace opcensus::agent {

std::uint32_t Definitions::text_locked(std::string_view value) {
  if (value.empty()) {
    return 0;
  }
  const auto [entry, is_new] =
      texts_.try_emplace(std::string(value), static_cast<std::uint32_t>(texts_.size() + 1));
  if (is_new) {
    const wire::TextRecord record{entry->second, static_cast<std::uint32_t>(value.size())};
    std::vector<std::uint8_t>& out = pending_.texts;
    const auto* head = reinterpret_cast<const std::uint8_t*>(&record);
    out.insert(out.end(), head, head + sizeof(record));
    out.insert(out.end(), value.begin(), value.end());
    out.resize((out.size() + 7) / 8 * 8, 0);
  }
  return entry->second;
}

std::uint32_t Definitions::text(const char* value) {
  const std::lock_guard lock(mutex_);
  return value == nullptr ? 0 : text_locked(value);
}

std::uint32_t Definitions::op(const char* name,
                              const char* shapes,
                              const char* dtypes,
                              const char* strides,
                              const char* concrete,
                              wire::OperatorKind kind) {
  const std::lock_guard lock(mutex_);
  const auto id_of = [this](const char* value) {
    return value == nullptr ? 0 : text_locked(value);
  };
  wire::OperatorRecord record{0,
                              id_of(name),
                              id_of(shapes),
                              id_of(dtypes),
                              id_of(strides),
                              id_of(concrete),
                              static_cast<std::uint32_t>(kind),
                              0};
  const std::string key(reinterpret_cast<const char*>(&record), sizeof(record));
  const auto [entry, is_new] =
      operators_.try_emplace(key, static_cast<std::uint32_t>(operators_.size() + 1));
  if (is_new) {
    record.id = entry->second;
    pending_.operators.push_back(record);
  }
  return entry->second;
}

Definitions::Pending Definitions::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(pending_, Pending{});
}

}  // namespace opcensus::agent
