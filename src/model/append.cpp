// SPDX-License-Identifier: Apache-2.0
#include "src/model/append.h"

#include <utility>

namespace opcensus {
namespace {

/// Old id -> new id, filled on first use.
class Rewriter {
 public:
  Rewriter(Model& into, const Model& from)
      : into_(into),
        from_(from),
        strings_(from.strings.size()),
        signatures_(from.signatures.size()),
        dims_(from.dims.size()) {}

  StringId operator()(StringId id) {
    if (id.is_none()) {
      return id;
    }
    StringId& known = strings_[id.index()];
    if (known.is_none()) {
      known = into_.strings.intern(from_.strings.view(id));
    }
    return known;
  }

  SignatureId operator()(SignatureId id) {
    if (id.is_none()) {
      return id;
    }
    SignatureId& known = signatures_[id.index()];
    if (known.is_none()) {
      const Signature old = from_.signatures[id];
      known = into_.signatures.intern(
          {(*this)(old.operator_name), (*this)(old.input_shapes), (*this)(old.input_dtypes)});
    }
    return known;
  }

  DimsId operator()(DimsId id) {
    if (id.is_none()) {
      return id;
    }
    DimsId& known = dims_[id.index()];
    if (known.is_none()) {
      known = into_.dims.intern(from_.dims[id]);
    }
    return known;
  }

  void rewrite(Trace& trace) {
    for (Thread& thread : trace.threads) {
      thread = {(*this)(thread.process), (*this)(thread.thread)};
    }
    for (Stream& stream : trace.streams) {
      stream.process_group = (*this)(stream.process_group);
    }
    for (HostSpan& span : trace.host_spans) {
      span.signature = (*this)(span.signature);
    }
    for (ApiCall& call : trace.api_calls) {
      call.name = (*this)(call.name);
      call.kernel = (*this)(call.kernel);
      call.dims = (*this)(call.dims);
    }
    for (DeviceEvent& event : trace.device_events) {
      event.name = (*this)(event.name);
      event.dims = (*this)(event.dims);
    }
    for (AuxiliarySpan& span : trace.auxiliary) {
      span.name = (*this)(span.name);
    }
    for (GraphNodeRow& node : trace.graph_nodes) {
      node.signature = (*this)(node.signature);
      node.top_signature = (*this)(node.top_signature);
    }
  }

 private:
  Model& into_;
  const Model& from_;
  std::vector<StringId> strings_;
  std::vector<SignatureId> signatures_;
  std::vector<DimsId> dims_;
};

}  // namespace

void append_traces(Model& into, Model&& from) {
  if (into.traces.empty() && into.strings.size() == 0) {
    into = std::move(from);
    return;
  }
  Rewriter rewriter(into, from);
  for (Trace& trace : from.traces) {
    rewriter.rewrite(trace);
    into.traces.push_back(std::move(trace));
  }
}

}  // namespace opcensus
