/* SPDX-License-Identifier: Apache-2.0
 *
 * What is open on one thread, oldest first. Every frame belongs to a domain: the frames of one
 * domain nest, those of different domains need not. The end of a frame takes the innermost one of
 * its own domain and leaves all others, so that a domain that ends late, or never, cannot end or
 * hide what others opened.
 *
 * A fixed size, nothing to destroy: it may live in thread-local storage until the very end.
 * Thread: its own.
 */
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace opcensus::agent {

template <class Value>
class FrameStack {
 public:
  struct Frame {
    Value value;
    const void* domain;
  };

  void push(const Value& value, const void* domain) noexcept {
    if (depth_ < kDepth) {
      frames_[depth_] = {value, domain};
    }
    ++depth_;
  }

  /* False if the domain has nothing open, or the frame was too deep to be kept. */
  bool pop(const void* domain, Value& ended) noexcept {
    if (depth_ > kDepth) {
      --depth_;
      return false;
    }
    for (std::size_t i = depth_; i-- > 0;) {
      if (frames_[i].domain == domain) {
        ended = frames_[i].value;
        std::copy(&frames_[i] + 1, frames_.data() + depth_, &frames_[i]);
        --depth_;
        return true;
      }
    }
    return false;
  }

  /* Frames that are kept, oldest first. */
  [[nodiscard]] std::span<const Frame> open() const noexcept {
    return std::span(frames_).first(std::min(depth_, kDepth));
  }

  [[nodiscard]] int count(const void* domain) const noexcept {
    int found = 0;
    for (const Frame& frame : open()) {
      found += frame.domain == domain ? 1 : 0;
    }
    return found;
  }

  [[nodiscard]] bool is_full() const noexcept { return depth_ >= kDepth; }

  void clear() noexcept { depth_ = 0; }

 private:
  static constexpr std::size_t kDepth = 128;

  std::size_t depth_ = 0; /* may exceed kDepth: deeper frames are counted, not kept */
  std::array<Frame, kDepth> frames_{};
};

}  // namespace opcensus::agent
