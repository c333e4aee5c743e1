/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs write into NVTX ranges, and what of it names the range.
 *
 * torch.autograd.profiler.emit_nvtx writes one range an operator: its name, then those of these
 * fields that it has. Numbers count up, so that they would make every range a different one: they
 * are left out.
 *   aten::mm, seq = 42, op_id = 12, sizes = [[8, 16], [16, 4]], input_op_ids = [(11,0), (0,-1)]
 * Every other text is kept as it is: XLA's "Thunk:#name=dot.3,hlo_op=dot.3#", "step 7".
 */
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace opcensus::agent {

constexpr std::size_t kMaxNameBytes = 512;                    /* of a range's name */
constexpr std::size_t kMaxTextBytes = std::size_t{16} << 10U; /* what is read of a text */

struct RangeText {
  std::string_view name;  /* at most kMaxNameBytes, cut between two characters */
  std::string_view sizes; /* as written, "[[8, 16], [16, 4]]"; empty = none */
  /* emit_nvtx wrote it, and it is no operator but a scope of the user's (record_function). */
  bool is_user_scope = false;

  bool operator==(const RangeText&) const = default;
};

/* Views into `text`. */
RangeText split_range_text(std::string_view text) noexcept;

/* `sizes` without spaces; "" if it is anything but a list of lists of numbers. */
std::string shapes_json(std::string_view sizes);

/* A null-terminated text of the host, which may be null; at most kMaxTextBytes of it. */
std::string_view host_text(const char* text) noexcept;

/* The same in UTF-8. */
std::string host_text(const wchar_t* text);

}  // namespace opcensus::agent
