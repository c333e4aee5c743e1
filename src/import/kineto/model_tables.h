// SPDX-License-Identifier: Apache-2.0
//
// ModelTables: what the importer adds to the Model's shared tables, with caches in front and the
// limits on distinct values watched.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/import/kineto/event_parser.h"
#include "src/import/kineto/parse_limits.h"
#include "src/import/kineto/text_interner.h"
#include "src/model/model.h"

namespace opcensus::import {

class ModelTables {
 public:
  ModelTables(Model& model, EventParser& parser, const ParseLimits& limits);

  StringId text(std::string_view text);

  [[nodiscard]] Model& model() { return model_; }

  [[nodiscard]] const ParseLimits& limits() const { return limits_; }

  DimsId dims(const Dims& dims);

  struct SignatureFacts {
    SignatureId id;
    bool has_elided_tensor_list = false;
    bool has_invalid_inputs = false;  ///< shapes or dtypes are no JSON: taken as not recorded
  };

  /// `input_dims` and `input_type` are raw JSON; empty = not recorded.
  SignatureFacts signature(std::string_view name,
                           std::string_view input_dims,
                           std::string_view input_type);

  /// Raw JSON; empty = not recorded. none() if nothing was, or if there are too many already: a
  /// scalar can be another one at every call.
  ArgumentsId arguments(std::string_view strides, std::string_view concrete, bool& is_invalid);

  /// Empty, or the name of the limit that was reached.
  [[nodiscard]] std::string_view limit_reached() const { return limit_reached_; }

 private:
  StringId compact(std::string_view raw, bool& is_invalid);

  Model& model_;
  EventParser& parser_;
  ParseLimits limits_;
  std::string_view limit_reached_;
  TextInterner texts_;
  StringTable raw_inputs_;
  TextInterner raw_input_texts_;
  std::vector<StringId> compact_of_raw_;
  std::vector<bool> elided_;  ///< by SignatureId
  ValueCache<Signature, SignatureId> signature_cache_;
  ValueCache<Arguments, ArgumentsId> arguments_cache_;
  ValueCache<Dims, DimsId> dims_cache_;
};

}  // namespace opcensus::import
