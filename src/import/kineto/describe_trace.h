// SPDX-License-Identifier: Apache-2.0
//
// What a whole trace says of itself: whose accelerator it is from, and what it leaves out. Found
// by what is there (categories, names of calls, header), never by a version.
#pragma once

#include <string_view>
#include <vector>

#include "src/model/model.h"

namespace opcensus::import {

/// What the rows of a trace have, collected while they are in its columns.
class TraceFacts {
 public:
  /// The rows that stand in the columns, whose ids are of `model`. One pass over them.
  void add_rows(const Model& model, const Trace& trace);

  /// Sets variant and device_type. The header and the categories of the trace are complete.
  void describe_vendor(Trace& trace) const;

  /// Sets cannot_tell.
  void describe_limits(Trace& trace) const;

 private:
  void add_spans(const Model& model, const Trace& trace);
  void add_events(const Model& model, const Trace& trace);
  void add_calls(const Model& model, const Trace& trace);
  /// True at the first time.
  bool is_new(StringId name);

  std::vector<bool> seen_names_;  ///< by StringId
  std::string_view call_variant_;
  std::string_view call_device_type_;
  bool has_ascend_names_ = false;
  bool has_operators_ = false;
  bool has_shapes_ = false;
  bool has_dtypes_ = false;
  bool has_events_ = false;
  bool has_kernels_ = false;
  bool has_links_ = false;
  bool has_dims_ = false;
  bool lacks_dims_ = false;
  bool has_graphs_ = false;
};

}  // namespace opcensus::import
