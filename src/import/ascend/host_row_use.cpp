// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/host_row_use.h"

#include <algorithm>
#include <array>

namespace opcensus::import::ascend {
namespace {

/// Regions that torch itself marks; they begin with a name and go on after '#' or a point.
constexpr std::array<std::string_view, 3> kRegions{
    "ProfilerStep#", "enumerate(DataLoader)", "Optimizer."};

constexpr std::array<std::string_view, 4> kBackendBeginnings{"aclnn", "acl_", "aclop", "Hccl"};

/// torch_npu's own work beside operators.
constexpr std::array<std::string_view, 6> kBackendNames{"empty_tensor",
                                                        "record_event",
                                                        "wait_event",
                                                        "destroy_event",
                                                        "lazy_destroy_event",
                                                        "reset_event"};

bool begins_with_any(std::string_view name, const auto& beginnings) {
  return std::ranges::any_of(
      beginnings, [name](std::string_view beginning) { return name.starts_with(beginning); });
}

/// `AddmmBackward0`: a node of autograd.
bool is_backward_node(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != std::string_view::npos && name.substr(0, last + 1).ends_with("Backward");
}

/// Starting with "aclnn" is a backend call even where its name ends like a node of autograd.
bool has_backend_name(std::string_view name) {
  return begins_with_any(name, kBackendBeginnings) ||
         std::ranges::find(kBackendNames, name) != kBackendNames.end();
}

}  // namespace

bool may_be_backend_call(std::string_view name, const HostInputs& inputs) {
  if (inputs.is_recorded()) {
    return false;
  }
  return has_backend_name(name) || (name.find("::") == std::string_view::npos &&
                                    !is_backward_node(name) && !begins_with_any(name, kRegions));
}

HostRowUse use_of_host_row(std::string_view name, const HostInputs& inputs, bool is_linked) {
  if (!may_be_backend_call(name, inputs)) {
    return begins_with_any(name, kRegions) ? HostRowUse::Annotation : HostRowUse::Operator;
  }
  return is_linked || has_backend_name(name) ? HostRowUse::Backend : HostRowUse::Annotation;
}

}  // namespace opcensus::import::ascend
