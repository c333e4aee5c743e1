// SPDX-License-Identifier: Apache-2.0
//
// ZstdBytes: the content of a zstd stream (RFC 8878), decompressed into the caller's buffer.
//
// Any number of frames, one after the other; skippable ones hold no content. After a frame: zero
// padding, then possibly another frame; anything else to the end of the input is trailing bytes,
// which are counted and not content. Damage never loses what came before it: every whole block (at
// most 128 KiB of content) is returned, then the Error. Memory is the frame's window, which is
// limited, whatever a frame asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "src/io/byte_source.h"
#include "src/io/compressed_input.h"

namespace opcensus {

class ZstdBytes final : public ByteSource {
 public:
  /// The largest window, as a power of two: 128 MiB, which is what the zstd program takes without
  /// being told otherwise. Levels up to 19 need 8 MiB.
  static constexpr int kMostWindowLog = 27;

  /// `path` is for error messages only.
  ZstdBytes(std::unique_ptr<ByteSource> compressed, std::string path);
  ZstdBytes(const ZstdBytes&) = delete;
  ZstdBytes& operator=(const ZstdBytes&) = delete;
  ~ZstdBytes() override;

  Result<std::size_t> read(std::span<char> buffer) override;

  [[nodiscard]] std::uint64_t consumed() const override { return input_.consumed(); }

  [[nodiscard]] std::uint64_t total() const override { return input_.source().total(); }

  [[nodiscard]] std::uint64_t trailing_bytes() const override {
    return trailing_ + input_.source().trailing_bytes();
  }

  [[nodiscard]] bool truncated() const override {
    return truncated_ || input_.source().truncated();
  }

 private:
  enum class State : std::uint8_t { BetweenFrames, Frame, End, Failed };

  struct Decoder;  // keeps the zstd types out of this header

  // One step each; the next state is in state_.
  void find_next_frame();
  std::size_t decode_into(std::span<char> buffer);

  /// The input ends where it should not: it is cut off, or could not be read.
  void fail_cut_off();

  /// By what the library returned.
  void fail_decoding(std::size_t outcome);
  void fail_damaged(std::string message);
  void fail(Error error);

  std::string path_;
  std::unique_ptr<Decoder> decoder_;
  CompressedInput input_;  ///< marked where the current frame starts

  State state_ = State::BetweenFrames;
  std::size_t step_ = 0;        ///< bytes that the decoder takes next
  bool may_hold_back_ = false;  ///< the last buffer was filled: there may be more without input
  std::uint64_t produced_ = 0;  ///< decompressed bytes, all frames
  std::uint64_t trailing_ = 0;
  bool truncated_ = false;
  std::optional<Error> error_;
};

}  // namespace opcensus
