// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/describe_trace.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "src/import/kineto/category_table.h"

namespace opcensus::import {
namespace {

struct Vendor {
  std::string_view mark;         ///< how the telling name begins
  std::string_view variant;      ///< Trace::variant
  std::string_view device_type;  ///< as PyTorch heads its columns
};

// Event categories of one backend only.
constexpr std::array kByCategory{
    Vendor{"xpu_", "Intel XPU", "XPU"},
    Vendor{"mtia_", "Meta MTIA", "MTIA"},
    Vendor{"hpu_", "Habana HPU", "HPU"},
    Vendor{"mlu_", "Cambricon MLU", "MLU"},
    Vendor{"musa_", "Moore Threads MUSA", "MUSA"},
    Vendor{"gcu_", "Enflame GCU", "GCU"},
};

// Runtime and driver calls, where the categories are CUDA's own. The driver's prefix is short: a
// capital letter has to follow it.
constexpr std::array kByCall{
    Vendor{"cuda", "NVIDIA CUDA", "CUDA"},
    Vendor{"hip", "AMD ROCm", "CUDA"},
    Vendor{"musa", "Moore Threads MUSA", "MUSA"},
    Vendor{"cnrt", "Cambricon MLU", "MLU"},
    Vendor{"cu", "NVIDIA CUDA", "CUDA"},
    Vendor{"mu", "Moore Threads MUSA", "MUSA"},
    Vendor{"mc", "MetaX MACA", "CUDA"},
    Vendor{"cn", "Cambricon MLU", "MLU"},
};

// Header keys, for traces without a call.
constexpr std::array kByProperty{
    Vendor{"hip_runtime_version", "AMD ROCm", "CUDA"},
    Vendor{"roctracer_version", "AMD ROCm", "CUDA"},
    Vendor{"cuda_runtime_version", "NVIDIA CUDA", "CUDA"},
    Vendor{"cupti_version", "NVIDIA CUDA", "CUDA"},
};

constexpr std::array kByDevice{
    Vendor{"NVIDIA ", "NVIDIA CUDA", "CUDA"},
    Vendor{"Tesla ", "NVIDIA CUDA", "CUDA"},
    Vendor{"AMD ", "AMD ROCm", "CUDA"},
};

constexpr Vendor kAscend{"", "Ascend NPU", "NPU"};
constexpr Vendor kPlugin{"", "PrivateUse1", "PRIVATEUSE1"};

// Names of CANN's operator and runtime libraries, and of torch_npu's own operators.
constexpr std::array<std::string_view, 5> kAscendNames{"aclnn", "aclrt", "aclop", "npu::", "Hccl"};

template <std::size_t kCount>
const Vendor* find_mark(const std::array<Vendor, kCount>& vendors, std::string_view name) {
  const auto* const found = std::ranges::find_if(
      vendors, [name](const Vendor& vendor) { return name.starts_with(vendor.mark); });
  return found == vendors.end() ? nullptr : found;
}

const Vendor* find_by_call(std::string_view name) {
  const auto* const found = std::ranges::find_if(kByCall, [name](const Vendor& vendor) {
    const std::size_t size = vendor.mark.size();
    return name.size() > size && name.starts_with(vendor.mark) && name[size] >= 'A' &&
           name[size] <= 'Z';
  });
  return found == kByCall.end() ? nullptr : found;
}

bool is_ascend_name(std::string_view name) {
  return std::ranges::any_of(kAscendNames,
                             [name](std::string_view begin) { return name.starts_with(begin); });
}

const Vendor* find_by_header(const Trace& trace) {
  for (const TraceProperty& property : trace.properties) {
    if (const Vendor* const vendor = find_mark(kByProperty, property.name)) {
      return vendor;
    }
  }
  for (const DeviceInfo& device : trace.devices) {
    if (const Vendor* const vendor = find_mark(kByDevice, device.name)) {
      return vendor;
    }
  }
  return nullptr;
}

const Vendor* find_by_category(const Trace& trace) {
  for (const CategoryCount& category : trace.categories) {
    if (const Vendor* const vendor = find_mark(kByCategory, category.category)) {
      return vendor;
    }
  }
  return nullptr;
}

bool is_of_plugin(const Trace& trace) {
  return std::ranges::any_of(trace.categories, [](const CategoryCount& category) {
    return category.category.starts_with(kPluginCategory);
  });
}

}  // namespace

bool TraceFacts::is_new(StringId name) {
  if (name.is_none()) {
    return false;
  }
  if (seen_names_.size() <= name.index()) {
    seen_names_.resize(name.index() + std::size_t{1});
  }
  const bool was_seen = seen_names_[name.index()];
  seen_names_[name.index()] = true;
  return !was_seen;
}

void TraceFacts::add_rows(const Model& model, const Trace& trace) {
  add_spans(model, trace);
  add_events(model, trace);
  add_calls(model, trace);
}

void TraceFacts::add_spans(const Model& model, const Trace& trace) {
  for (const HostSpan& span : trace.host_spans) {
    if (span.kind == HostSpanKind::Operator) {
      const Signature& signature = model.signatures[span.signature];
      has_operators_ = true;
      has_shapes_ = has_shapes_ || signature.input_shapes.has_value();
      has_dtypes_ = has_dtypes_ || signature.input_dtypes.has_value();
      has_ascend_names_ =
          has_ascend_names_ || (is_new(signature.operator_name) &&
                                is_ascend_name(model.strings.view(signature.operator_name)));
    }
  }
}

void TraceFacts::add_events(const Model& model, const Trace& trace) {
  for (const DeviceEvent& event : trace.device_events) {
    has_events_ = true;
    has_links_ = has_links_ || event.correlation != 0;
    has_ascend_names_ =
        has_ascend_names_ || (is_new(event.name) && is_ascend_name(model.strings.view(event.name)));
    if (event.kind == DeviceEventKind::Kernel) {
      const bool is_known = event.dims.has_value() && model.dims[event.dims] != Dims{};
      has_kernels_ = true;
      has_dims_ = has_dims_ || is_known;
      lacks_dims_ = lacks_dims_ || !is_known;
    }
  }
}

void TraceFacts::add_calls(const Model& model, const Trace& trace) {
  for (const ApiCall& call : trace.api_calls) {
    has_dims_ = has_dims_ || call.dims.has_value();
    has_graphs_ = has_graphs_ || call.kind == ApiCallKind::GraphLaunch;
    if (!is_new(call.name)) {
      continue;
    }
    const std::string_view name = model.strings.view(call.name);
    has_ascend_names_ = has_ascend_names_ || is_ascend_name(name);
    const Vendor* const vendor = call_variant_.empty() ? find_by_call(name) : nullptr;
    if (vendor != nullptr) {
      call_variant_ = vendor->variant;
      call_device_type_ = vendor->device_type;
    }
  }
}

void TraceFacts::describe_vendor(Trace& trace) const {
  const Vendor by_call{"", call_variant_, call_device_type_};
  const Vendor* vendor = find_by_category(trace);
  if (vendor == nullptr && is_of_plugin(trace)) {
    vendor = has_ascend_names_ ? &kAscend : &kPlugin;
  } else if (vendor == nullptr) {
    vendor = call_variant_.empty() ? find_by_header(trace) : &by_call;
  }
  if (vendor != nullptr) {
    trace.variant = vendor->variant;
    trace.device_type = vendor->device_type;
  }
}

void TraceFacts::describe_limits(Trace& trace) const {
  std::vector<std::string>& lacks = trace.cannot_tell;
  if (!has_operators_ && has_events_) {
    lacks.emplace_back("operators: record with ProfilerActivity.CPU");
  } else if (has_operators_ && !has_shapes_) {
    lacks.emplace_back("input shapes: record with record_shapes=True");
  } else if (has_operators_ && !has_dtypes_) {
    lacks.emplace_back("input dtypes");
  }
  if (has_kernels_ && !has_dims_) {
    lacks.emplace_back("grid and block of kernels");
  } else if (lacks_dims_ && has_graphs_) {
    lacks.emplace_back("grid and block of replayed kernels");
  }
  if (has_events_ && !has_links_) {
    lacks.emplace_back("which call launched a kernel");
  }
}

}  // namespace opcensus::import
