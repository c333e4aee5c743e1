// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/event_filter.h"

#include "src/import/kineto/event_prefix.h"

namespace opcensus::import {

bool EventFilter::skip(std::string_view event) {
  const EventPrefix prefix = read_event_prefix(event);
  if (!prefix.category && event.find(kPluginCategory) != std::string_view::npos) {
    has_flow_links_ = true;  // whatever the order of keys: flows may follow at once
  }
  if (!prefix.phase || !prefix.category || prefix.category->empty() || *prefix.phase == 'B' ||
      *prefix.phase == 'E') {
    return false;
  }
  CategoryTable::Category& category = categories_.find(*prefix.category);
  has_flow_links_ = has_flow_links_ || category.is_linked_by_flow;
  const bool makes_row = *prefix.phase == 'X' && category.kind != CategoryKind::Other;
  const bool is_link = has_flow_links_ && *prefix.phase == 'f' && category.is_launch_flow;
  if (makes_row || is_link) {
    return false;
  }
  ++category.events;
  ++events_;
  return true;
}

}  // namespace opcensus::import
