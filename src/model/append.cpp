// SPDX-License-Identifier: Apache-2.0
#include "src/model/append.h"

#include <memory>
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
        arguments_(from.arguments.size()),
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
      known = into_.signatures.intern({(*this)(old.operator_name),
                                       (*this)(old.input_shapes),
                                       (*this)(old.input_dtypes),
                                       (*this)(old.input_formats)});
    }
    return known;
  }

  ArgumentsId operator()(ArgumentsId id) {
    if (id.is_none()) {
      return id;
    }
    ArgumentsId& known = arguments_[id.index()];
    if (known.is_none()) {
      const Arguments old = from_.arguments[id];
      known = into_.arguments.intern(
          {(*this)(old.input_strides), (*this)(old.concrete_inputs), (*this)(old.tensors)});
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

  /// So that it depends on its model no more.
  void fill() {
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      (*this)(StringId(i));
    }
    for (std::size_t i = 0; i < signatures_.size(); ++i) {
      (*this)(SignatureId(i));
    }
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      (*this)(ArgumentsId(i));
    }
    for (std::size_t i = 0; i < dims_.size(); ++i) {
      (*this)(DimsId(i));
    }
  }

  void rewrite(Trace& trace) {
    for (Thread& thread : trace.threads) {
      thread = {(*this)(thread.process), (*this)(thread.thread)};
    }
    for (Stream& stream : trace.streams) {
      stream.process_group = (*this)(stream.process_group);
    }
    rewrite_rows(trace);
    for (GraphNodeRow& node : trace.graph_nodes) {
      node.signature = (*this)(node.signature);
      node.top_signature = (*this)(node.top_signature);
    }
  }

  /// The columns that a segment replaces.
  void rewrite_rows(Trace& trace) {
    for (HostSpan& span : trace.host_spans) {
      span.signature = (*this)(span.signature);
      span.arguments = (*this)(span.arguments);
    }
    for (ApiCall& call : trace.api_calls) {
      call.name = (*this)(call.name);
      call.kernel = (*this)(call.kernel);
      call.dims = (*this)(call.dims);
    }
    for (DeviceEvent& event : trace.device_events) {
      event.name = (*this)(event.name);
      event.dims = (*this)(event.dims);
      event.recorded = (*this)(event.recorded);
    }
    for (AuxiliarySpan& span : trace.auxiliary) {
      span.name = (*this)(span.name);
    }
  }

 private:
  Model& into_;
  const Model& from_;
  std::vector<StringId> strings_;
  std::vector<SignatureId> signatures_;
  std::vector<ArgumentsId> arguments_;
  std::vector<DimsId> dims_;
};

/// Segments whose rows have the ids of a model that was appended to another one.
class RewrittenSegments final : public SegmentSource {
 public:
  RewrittenSegments(std::shared_ptr<SegmentSource> source, std::shared_ptr<Rewriter> rewriter)
      : source_(std::move(source)), rewriter_(std::move(rewriter)) {}

  [[nodiscard]] std::size_t count() const override { return source_->count(); }

  Status load_next(Trace& trace) override {
    OPCENSUS_CHECK_OK(source_->load_next(trace));
    rewriter_->rewrite_rows(trace);
    return Done{};
  }

  Status load_all(Trace& trace) override {
    OPCENSUS_CHECK_OK(source_->load_all(trace));
    rewriter_->rewrite_rows(trace);
    return Done{};
  }

 private:
  std::shared_ptr<SegmentSource> source_;
  std::shared_ptr<Rewriter> rewriter_;
};

}  // namespace

void append_traces(Model& into, Model&& from) {
  if (into.traces.empty() && into.strings.size() == 0) {
    into = std::move(from);
    return;
  }
  const auto rewriter = std::make_shared<Rewriter>(into, from);
  for (Trace& trace : from.traces) {
    rewriter->rewrite(trace);
    if (trace.segments != nullptr) {
      rewriter->fill();
      trace.segments = std::make_shared<RewrittenSegments>(std::move(trace.segments), rewriter);
    }
    into.traces.push_back(std::move(trace));
  }
}

}  // namespace opcensus
