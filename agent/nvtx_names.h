/* SPDX-License-Identifier: Apache-2.0
 *
 * The distinct texts of NVTX ranges, each with the operator that it is in the recording. Works
 * before there is an agent, and grows to a limit only: a program may put a counter into its texts,
 * and XLA registers the source of each kernel.
 *
 * Never freed: NVTX may be used until the process ends. Thread: any; one lock, with a cache on each
 * thread in front of it.
 */
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "agent/nvtx_text.h"

namespace opcensus::agent {

class Agent;

using NameId = std::uint32_t; /* 0 = no name */

class RangeNames {
 public:
  /* Texts that are remembered, and how many of them may become operators. A name beyond the limits
   * is kMore, "(more NVTX ranges)", and the recording says so. */
  static constexpr std::size_t kMaxNames = std::size_t{1} << 18U;
  static constexpr std::size_t kMaxBytes = std::size_t{32} << 20U;
  static constexpr std::uint32_t kMaxOperators = 65'536;
  static constexpr NameId kMore = 1;

  /* The one object. Null when there was no memory for it. */
  static RangeNames* get() noexcept;

  RangeNames();

  NameId id_of(std::string_view text);

  /* 0 unless `id` was given out here: handles come back from the host. */
  [[nodiscard]] NameId checked(std::uintptr_t id) const noexcept;

  /* What to push for it, tagged with its kind. 0 when the agent is off. */
  std::uint32_t operator_of(NameId id, Agent& agent);

 private:
  struct Name {
    std::string text;
    std::string sizes;
    bool is_user_scope = false;
    /* As an operator, and as an annotation; 0 = not asked for yet. */
    std::array<std::atomic<std::uint32_t>, 2> ids{};

    [[nodiscard]] RangeText key() const noexcept { return {text, sizes, is_user_scope}; }
  };

  struct Hash {
    std::size_t operator()(const RangeText& text) const noexcept;
  };

  static constexpr std::size_t kChunkNames = 256;
  using Chunk = std::array<Name, kChunkNames>;

  NameId find_or_add(const RangeText& text);
  NameId add_locked(const RangeText& text);
  std::uint32_t operator_as(std::size_t kind, NameId id, Agent& agent);
  static std::uint32_t intern(const Name& range, std::size_t kind, Agent& agent);

  Name& name(NameId id) const noexcept { return (*chunks_[id / kChunkNames])[id % kChunkNames]; }

  bool may_add_operator(Agent& agent);

  std::mutex mutex_;
  std::unordered_map<RangeText, NameId, Hash> ids_; /* views into the names */
  std::size_t bytes_ = 0;
  std::array<std::unique_ptr<Chunk>, kMaxNames / kChunkNames>
      chunks_;                  /* names stay where they are */
  std::atomic<NameId> last_{0}; /* names 1 … last_ are there */
  std::atomic<std::uint32_t> operators_{0};
};

}  // namespace opcensus::agent
