// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/model_tables.h"

#include "src/import/kineto/input_texts.h"

namespace opcensus::import {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0xC2B2AE3D27D4EB4FU + (hash >> 29);
}

std::uint64_t hash_of(const Signature& signature) {
  return mix(mix(signature.operator_name.index(), signature.input_shapes.index()),
             signature.input_dtypes.index());
}

std::uint64_t hash_of(const Arguments& arguments) {
  return mix(arguments.input_strides.index(), arguments.concrete_inputs.index());
}

std::uint64_t hash_of(const Dims& dims) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    hash = mix(mix(hash, dims.grid[i]), dims.block[i]);
  }
  return hash;
}

}  // namespace

ModelTables::ModelTables(Model& model, EventParser& parser, const ParseLimits& limits)
    : model_(model),
      parser_(parser),
      limits_(limits),
      texts_(model.strings),
      raw_input_texts_(raw_inputs_) {}

StringId ModelTables::text(std::string_view text) {
  if (text.size() > limits_.max_string_bytes) {
    limit_reached_ = "max_string_bytes";
    text = {};
  }
  const StringId id = texts_.intern(text);
  if (model_.strings.size() + raw_inputs_.size() > limits_.max_distinct_strings) {
    limit_reached_ = "max_distinct_strings";
  }
  return id;
}

DimsId ModelTables::dims(const Dims& dims) {
  auto& slot = dims_cache_.slot(hash_of(dims));
  if (slot.id.is_none() || slot.value != dims) {
    slot.value = dims;
    slot.id = model_.dims.intern(dims);
  }
  return slot.id;
}

StringId ModelTables::compact(std::string_view raw, bool& is_invalid) {
  if (raw.empty()) {
    return StringId::none();
  }
  if (raw.size() > limits_.max_string_bytes) {
    limit_reached_ = "max_string_bytes";
    return StringId::none();
  }
  const StringId id = raw_input_texts_.intern(raw);
  if (id.index() == compact_of_raw_.size()) {
    // The parser steps over what is in the brackets; here each distinct text is read in full.
    std::string json(raw);
    json.reserve(json.size() + EventParser::kPadding);
    compact_of_raw_.push_back(parser_.is_valid_json(json) ? text(compact_json(raw))
                                                          : StringId::none());
  }
  const StringId compact = compact_of_raw_[id.index()];
  is_invalid = is_invalid || compact.is_none();
  return compact;
}

ArgumentsId ModelTables::arguments(std::string_view strides,
                                   std::string_view concrete,
                                   bool& is_invalid) {
  if (model_.arguments.size() >= limits_.max_distinct_arguments) {
    return ArgumentsId::none();
  }
  const Arguments arguments{compact(strides, is_invalid), compact(concrete, is_invalid), {}};
  if (arguments == Arguments{}) {
    return ArgumentsId::none();
  }
  auto& slot = arguments_cache_.slot(hash_of(arguments));
  if (slot.id.is_none() || slot.value != arguments) {
    slot.value = arguments;
    slot.id = model_.arguments.intern(arguments);
  }
  return slot.id;
}

ModelTables::SignatureFacts ModelTables::signature(std::string_view name,
                                                   std::string_view input_dims,
                                                   std::string_view input_type) {
  SignatureFacts facts;
  Signature signature;
  signature.operator_name = text(name);
  signature.input_shapes = compact(input_dims, facts.has_invalid_inputs);
  signature.input_dtypes = compact(input_type, facts.has_invalid_inputs);
  auto& slot = signature_cache_.slot(hash_of(signature));
  if (slot.id.is_none() || slot.value != signature) {
    slot.value = signature;
    slot.id = model_.signatures.intern(signature);
  }
  facts.id = slot.id;
  // A model may hold signatures of other files, with ids that this file has not met yet.
  while (elided_.size() <= facts.id.index()) {
    const Signature& known = model_.signatures[SignatureId(elided_.size())];
    elided_.push_back(has_elided_tensor_list(model_.strings.view(known.input_shapes),
                                             model_.strings.view(known.input_dtypes)));
  }
  facts.has_elided_tensor_list = elided_[facts.id.index()];
  return facts;
}

}  // namespace opcensus::import
