// SPDX-License-Identifier: Apache-2.0
//
// Model: the traces of one rank and the tables they share. Built by importers, then read only.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "src/base/ids.h"
#include "src/base/string_table.h"
#include "src/model/trace.h"

namespace opcensus {

/// Distinct values by dense id. Ordered by first use.
template <class Value, class ValueId>
class ValueTable {
 public:
  ValueId intern(const Value& value) {
    const auto [entry, is_new] = ids_.try_emplace(value, ValueId(values_.size()));
    if (is_new) {
      values_.push_back(value);
    }
    return entry->second;
  }

  [[nodiscard]] const Value& operator[](ValueId id) const { return values_[id.index()]; }

  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  std::vector<Value> values_;
  std::map<Value, ValueId> ids_;
};

struct Model {
  StringTable strings;
  ValueTable<Signature, SignatureId> signatures;
  ValueTable<Arguments, ArgumentsId> arguments;
  ValueTable<Dims, DimsId> dims;
  std::vector<Trace> traces;

  [[nodiscard]] std::string_view operator_name(SignatureId id) const {
    return id.is_none() ? std::string_view() : strings.view(signatures[id].operator_name);
  }
};

}  // namespace opcensus
