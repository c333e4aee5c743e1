// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/bracket_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace opcensus::import {
namespace {

constexpr std::size_t kBlock = 64;

/// One bit per byte of a block.
struct BlockMasks {
  std::uint64_t quotes = 0;
  std::uint64_t backslashes = 0;
  std::uint64_t opens = 0;
  std::uint64_t closes = 0;
};

// '[' | 0x20 == '{' and ']' | 0x20 == '}': one comparison finds both kinds.
constexpr char kLowerBit = 0x20;

#if defined(__SSE2__)

std::uint64_t mask_of(__m128i matches, int shift) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(matches)))
         << shift;
}

BlockMasks read_block(const char* bytes) {
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i lower = _mm_set1_epi8(kLowerBit);
  const __m128i open = _mm_set1_epi8('{');
  const __m128i close = _mm_set1_epi8('}');
  BlockMasks masks;
  for (int i = 0; i < 64; i += 16) {
    __m128i chunk;
    std::memcpy(&chunk, bytes + i, sizeof chunk);
    const __m128i lowered = _mm_or_si128(chunk, lower);
    masks.quotes |= mask_of(_mm_cmpeq_epi8(chunk, quote), i);
    masks.backslashes |= mask_of(_mm_cmpeq_epi8(chunk, backslash), i);
    masks.opens |= mask_of(_mm_cmpeq_epi8(lowered, open), i);
    masks.closes |= mask_of(_mm_cmpeq_epi8(lowered, close), i);
  }
  return masks;
}

#else

BlockMasks read_block(const char* bytes) {
  BlockMasks masks;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const char c = bytes[i];
    const char lowered = static_cast<char>(c | kLowerBit);
    masks.quotes |= static_cast<std::uint64_t>(c == '"') << i;
    masks.backslashes |= static_cast<std::uint64_t>(c == '\\') << i;
    masks.opens |= static_cast<std::uint64_t>(lowered == '{') << i;
    masks.closes |= static_cast<std::uint64_t>(lowered == '}') << i;
  }
  return masks;
}

#endif

/// Bit i = parity of the bits 0..i.
std::uint64_t prefix_xor(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) {
    bits ^= bits << shift;
  }
  return bits;
}

/// The bytes that a backslash escapes. `state.escaped` is the carry in and out; `count` bytes of
/// the block are real.
std::uint64_t find_escaped(std::uint64_t backslashes, std::size_t count, BracketScan& state) {
  std::uint64_t escaped = state.escaped;
  backslashes &= ~escaped;
  state.escaped = 0;
  while (backslashes != 0) {
    const auto at = static_cast<std::size_t>(std::countr_zero(backslashes));
    if (at + 1 == count) {
      state.escaped = 1;
      break;
    }
    const std::uint64_t next = std::uint64_t{2} << at;
    escaped |= next;
    backslashes &= ~(next | (next >> 1));
  }
  return escaped;
}

/// Index after the closing bracket, or kBlock; updates the depth.
struct DepthResult {
  ScanOutcome outcome;
  std::size_t stop;
};

DepthResult count_depth(std::uint64_t opens,
                        std::uint64_t closes,
                        std::uint32_t max_depth,
                        std::uint32_t& depth) {
  std::uint64_t brackets = opens | closes;
  while (brackets != 0) {
    const std::uint64_t lowest = brackets & (~brackets + 1);
    depth += (opens & lowest) != 0 ? 1U : ~0U;
    if (depth == 0 || depth > max_depth) {
      return {depth == 0 ? ScanOutcome::Closed : ScanOutcome::TooDeep,
              static_cast<std::size_t>(std::countr_zero(lowest)) + 1};
    }
    brackets ^= lowest;
  }
  return {ScanOutcome::NeedMore, kBlock};
}

}  // namespace

ScanResult scan_brackets(const char* begin,
                         const char* end,
                         std::uint32_t max_depth,
                         BracketScan& state) {
  const char* at = begin;
  while (at < end) {
    const std::size_t count = std::min(kBlock, static_cast<std::size_t>(end - at));
    BlockMasks masks = read_block(at);
    const std::uint64_t real =
        count == kBlock ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    if (((masks.backslashes & real) | state.escaped) != 0) {
      masks.quotes &= ~find_escaped(masks.backslashes & real, count, state);
    }
    const std::uint64_t strings = prefix_xor(masks.quotes & real) ^ state.in_string;
    const std::uint64_t outside = ~strings & real;
    const DepthResult depth =
        count_depth(masks.opens & outside, masks.closes & outside, max_depth, state.depth);
    if (depth.outcome != ScanOutcome::NeedMore) {
      return {depth.outcome, at + depth.stop};
    }
    state.in_string = ((strings >> (count - 1)) & 1) != 0 ? ~std::uint64_t{0} : 0;
    at += count;
  }
  return {ScanOutcome::NeedMore, end};
}

namespace {

bool is_phase_word(const char* at, const char* end) {
  return end - at >= 4 && std::memcmp(at, "\"ph\"", 4) == 0;
}

}  // namespace

#if defined(__SSE2__)

int count_phase_words(const char* begin, const char* end) {
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i letter = _mm_set1_epi8('h');
  int found = 0;
  for (const char* at = begin; at < end; at += 16) {
    __m128i first;
    __m128i third;
    std::memcpy(&first, at, sizeof first);
    std::memcpy(&third, at + 2, sizeof third);
    auto candidates = static_cast<std::uint32_t>(_mm_movemask_epi8(
        _mm_and_si128(_mm_cmpeq_epi8(first, quote), _mm_cmpeq_epi8(third, letter))));
    for (; candidates != 0; candidates &= candidates - 1) {
      found += is_phase_word(at + std::countr_zero(candidates), end) ? 1 : 0;
      if (found == 2) {
        return found;
      }
    }
  }
  return found;
}

#else

int count_phase_words(const char* begin, const char* end) {
  int found = 0;
  for (const char* at = begin; at < end && found < 2; ++at) {
    found += is_phase_word(at, end) ? 1 : 0;
  }
  return found;
}

#endif

}  // namespace opcensus::import
