// SPDX-License-Identifier: Apache-2.0
#include "src/base/string_table.h"

namespace opcensus {

StringId StringTable::intern(std::string_view text) {
  const auto found = index_.find(text);
  if (found != index_.end()) {
    return found->second;
  }
  const StringId id(texts_.size());
  texts_.emplace_back(text);
  index_.emplace(texts_.back(), id);
  return id;
}

StringId StringTable::find(std::string_view text) const {
  const auto found = index_.find(text);
  return found == index_.end() ? StringId::none() : found->second;
}

std::string_view StringTable::view(StringId id) const {
  return id.is_none() ? std::string_view() : std::string_view(texts_[id.index()]);
}

}  // namespace opcensus
