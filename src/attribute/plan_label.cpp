// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/plan_label.h"

#include <string>
#include <string_view>

#include "src/attribute/annotation_names.h"

namespace opcensus {
namespace {

std::string file_stem(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.find('.'));
}

}  // namespace

void label_plan(
    const Model& model, const Trace& trace, const HostTree& tree, SpanId span, Plan& plan) {
  SpanId fallback;
  for (; span.has_value(); span = tree.parent[span.index()]) {
    const HostSpan& row = trace.host_spans[span.index()];
    if (row.kind != HostSpanKind::Annotation) {
      continue;
    }
    const std::string_view name = model.operator_name(row.signature);
    if (const auto capture = parse_capture_annotation(name)) {
      plan.label_span = span;
      plan.label = name;
      plan.batch_size = capture->batch_size;
      return;
    }
    fallback = fallback.is_none() ? span : fallback;
  }
  plan.batch_size = parse_capture_file_batch_size(trace.path);
  plan.label_span = fallback;
  plan.label = fallback.has_value()
                   ? std::string(model.operator_name(trace.host_spans[fallback.index()].signature))
               : plan.graph != 0 ? trace.graph_naming.word + " " +
                                       std::to_string(plan.graph - trace.graph_naming.first)
                                 : file_stem(trace.path);
}

}  // namespace opcensus
