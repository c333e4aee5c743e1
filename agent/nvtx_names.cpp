/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/nvtx_names.h"

#include <functional>
#include <new>

#include <pthread.h>

#include "agent/agent.h"
#include "agent/wire.h"

namespace opcensus::agent {
namespace {

/* One thread's way around the lock: which id a text has, by the text's hash. */
struct CachedName {
  std::size_t hash = 0;
  NameId id = 0;
};

constexpr std::size_t kCachedNames = 512;

CachedName& cached(std::size_t hash) noexcept {
  thread_local std::array<CachedName, kCachedNames> names{};
  return names[hash % kCachedNames];
}

constexpr auto kOperator = static_cast<std::size_t>(wire::OperatorKind::Operator);
constexpr auto kAnnotation = static_cast<std::size_t>(wire::OperatorKind::Annotation);

}  // namespace

RangeNames* RangeNames::get() noexcept {
  /* NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables) */
  static RangeNames* const self = []() noexcept -> RangeNames* {
    try {
      return std::make_unique<RangeNames>().release(); /* leaked on purpose */
    } catch (...) {
      return nullptr;
    }
  }();
  return self;
}

RangeNames::RangeNames() {
  add_locked({"(more NVTX ranges)", {}, false});
  /* A child must not find the lock held by a thread that it does not have. */
  pthread_atfork(
      [] { get()->mutex_.lock(); }, [] { get()->mutex_.unlock(); }, [] { get()->mutex_.unlock(); });
}

std::size_t RangeNames::Hash::operator()(const RangeText& text) const noexcept {
  const std::hash<std::string_view> hash;
  return hash(text.name) ^ (hash(text.sizes) * 31);
}

NameId RangeNames::id_of(std::string_view text) {
  const RangeText range = split_range_text(text);
  if (range.name.empty()) {
    return 0;
  }
  const std::size_t hash = Hash()(range);
  CachedName& slot = cached(hash);
  if (slot.id == 0 || slot.hash != hash || name(slot.id).key() != range) {
    slot = {hash, find_or_add(range)};
  }
  return slot.id;
}

NameId RangeNames::find_or_add(const RangeText& text) {
  const std::lock_guard lock(mutex_);
  if (const auto found = ids_.find(text); found != ids_.end()) {
    return found->second;
  }
  return add_locked(text);
}

NameId RangeNames::add_locked(const RangeText& text) {
  const std::size_t bytes = text.name.size() + text.sizes.size();
  const NameId id = last_.load(std::memory_order_relaxed) + 1;
  if (id >= kMaxNames || bytes_ + bytes > kMaxBytes) {
    return kMore;
  }
  std::unique_ptr<Chunk>& chunk = chunks_[id / kChunkNames];
  if (chunk == nullptr) {
    chunk = std::make_unique<Chunk>();
  }
  Name& added = name(id);
  added.text = text.name;
  added.sizes = text.sizes;
  added.is_user_scope = text.is_user_scope;
  ids_.emplace(added.key(), id);
  bytes_ += bytes;
  last_.store(id, std::memory_order_release);
  return id;
}

NameId RangeNames::checked(std::uintptr_t id) const noexcept {
  return id <= last_.load(std::memory_order_acquire) ? static_cast<NameId>(id) : 0;
}

std::uint32_t RangeNames::operator_of(NameId id, Agent& agent) {
  if (id == 0 || !agent.is_on()) {
    return 0;
  }
  const Name& range = name(id);
  /* Where torch tells its operators itself, ranges are only names around them. */
  const std::size_t kind =
      range.is_user_scope || agent.has_torch_operators() ? kAnnotation : kOperator;
  return operator_as(kind, id, agent);
}

std::uint32_t RangeNames::operator_as(std::size_t kind, NameId id, Agent& agent) {
  std::atomic<std::uint32_t>& known = name(id).ids[kind];
  std::uint32_t op = known.load(std::memory_order_relaxed);
  if (op == 0) {
    const bool is_within_limit = id == kMore || may_add_operator(agent);
    op = is_within_limit ? intern(name(id), kind, agent) : operator_as(kind, kMore, agent);
    known.store(op, std::memory_order_relaxed);
  }
  return op;
}

std::uint32_t RangeNames::intern(const Name& range, std::size_t kind, Agent& agent) {
  const std::string shapes = shapes_json(range.sizes);
  return agent.intern(range.text.c_str(),
                      shapes.empty() ? nullptr : shapes.c_str(),
                      nullptr,
                      nullptr,
                      nullptr,
                      static_cast<std::uint32_t>(kind));
}

bool RangeNames::may_add_operator(Agent& agent) {
  const std::uint32_t before = operators_.fetch_add(1, std::memory_order_relaxed);
  if (before == kMaxOperators) {
    agent.set_property("nvtx_range_names", "too many; later ones are \"(more NVTX ranges)\"");
  }
  return before < kMaxOperators;
}

}  // namespace opcensus::agent
