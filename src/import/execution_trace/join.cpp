// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "src/import/execution_trace/execution_trace_reader.h"

namespace opcensus::import {
namespace {

/// The number that both files have of a call. Older traces do not write it apart: Kineto and the
/// observer counted from the same start, and it is the External id.
std::uint64_t record_function_id_of(const HostSpan& span) {
  return span.record_function_id != 0 ? span.record_function_id : span.external_id;
}

/// Ids of other runs meet by chance, names hardly ever: of the files that do not belong together,
/// one call in twenty has the same name, and of those that do, every call.
constexpr std::size_t kWantedOfTen = 9;

class Join {
 public:
  Join(const ExecutionTrace& execution, Model& model, Trace& trace)
      : execution_(execution), model_(model), trace_(trace) {}

  std::size_t run() {
    if (!are_of_the_same_run()) {
      return 0;
    }
    std::size_t joined = 0;
    for (HostSpan& span : trace_.host_spans) {
      const ExecutionOperator* const op = find(span);
      if (span.kind == HostSpanKind::Operator && op != nullptr && has_same_name(span, *op)) {
        complete(span, *op);
        ++joined;
      }
    }
    if (has_shapes_) {
      std::erase_if(trace_.cannot_tell, [](const std::string& lack) {
        return lack.starts_with("input shapes") || lack.starts_with("input dtypes");
      });
    }
    return joined;
  }

 private:
  [[nodiscard]] const ExecutionOperator* find(const HostSpan& span) const {
    const std::uint64_t id = record_function_id_of(span);
    const auto found = std::lower_bound(execution_.operators.begin(),
                                        execution_.operators.end(),
                                        id,
                                        [](const ExecutionOperator& op, std::uint64_t wanted) {
                                          return op.record_function_id < wanted;
                                        });
    const bool is_it =
        id != 0 && found != execution_.operators.end() && found->record_function_id == id;
    return is_it ? &*found : nullptr;
  }

  [[nodiscard]] bool has_same_name(const HostSpan& span, const ExecutionOperator& op) const {
    return model_.operator_name(span.signature) == execution_.strings.view(op.name);
  }

  [[nodiscard]] bool are_of_the_same_run() const {
    std::size_t met = 0;
    std::size_t same = 0;
    for (const HostSpan& span : trace_.host_spans) {
      if (const ExecutionOperator* const op = find(span)) {
        ++met;
        same += has_same_name(span, *op) ? 1 : 0;
      }
    }
    return same > 0 && same * 10 >= met * kWantedOfTen;
  }

  void complete(HostSpan& span, const ExecutionOperator& op) {
    Signature signature = model_.signatures[span.signature];
    set_if_none(signature.input_shapes, op.input_shapes);
    set_if_none(signature.input_dtypes, op.input_dtypes);
    has_shapes_ = has_shapes_ || signature.input_shapes.has_value();
    span.signature = model_.signatures.intern(signature);
    Arguments arguments =
        span.arguments.has_value() ? model_.arguments[span.arguments] : Arguments{};
    set_if_none(arguments.input_strides, op.input_strides);
    set_if_none(arguments.concrete_inputs, op.concrete_inputs);
    set_if_none(arguments.tensors, op.tensors);
    if (arguments != Arguments{}) {
      span.arguments = model_.arguments.intern(arguments);
    }
  }

  void set_if_none(StringId& own, StringId other) {
    if (own.has_value() || other.is_none()) {
      return;
    }
    StringId& known = strings_[other];
    if (known.is_none()) {
      known = model_.strings.intern(execution_.strings.view(other));
    }
    own = known;
  }

  const ExecutionTrace& execution_;
  Model& model_;
  Trace& trace_;
  bool has_shapes_ = false;
  std::map<StringId, StringId> strings_;  // execution trace -> model
};

}  // namespace

std::size_t add_execution_trace(const ExecutionTrace& execution, Model& model, Trace& trace) {
  return Join(execution, model, trace).run();
}

}  // namespace opcensus::import
