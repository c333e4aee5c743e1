// SPDX-License-Identifier: Apache-2.0
//
// FramedBytes: what decompressors have in common. The compressed data is any number of frames (a
// gzip member is one too), one after the other. After a frame: zero padding, then possibly another
// frame; anything else to the end of the input is trailing bytes, which are counted and not
// content. Damage never loses what came before it: all of that is returned, then the Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "src/io/byte_source.h"
#include "src/io/compressed_input.h"

namespace opcensus {

/// How frames of a format are told, and what it is called.
struct FrameFormat {
  std::string_view name;
  std::size_t start_bytes;                  ///< as many tell whether a frame starts
  bool (*starts_frame)(std::string_view);   ///< at the front of the bytes
  bool (*holds_another)(std::string_view);  ///< a further frame, in what was taken of this one
};

class FramedBytes : public ByteSource {
 public:
  Result<std::size_t> read(std::span<char> buffer) final;

  [[nodiscard]] std::uint64_t consumed() const final { return input_.consumed(); }

  [[nodiscard]] std::uint64_t total() const final { return input_.source().total(); }

  [[nodiscard]] std::uint64_t trailing_bytes() const final {
    return trailing_ + input_.source().trailing_bytes();
  }

  [[nodiscard]] bool truncated() const final { return truncated_ || input_.source().truncated(); }

 protected:
  /// `path` is for error messages only; the format must outlive this.
  FramedBytes(std::unique_ptr<ByteSource> compressed, std::string path, const FrameFormat& format);

  /// A frame starts at the front of the input.
  virtual void begin_frame() = 0;

  /// One step inside a frame; how much was written to the buffer. A step that calls end_frame() may
  /// write, one that fails does not.
  virtual std::size_t decode_into(std::span<char> buffer) = 0;

  /// The next steps are inside a frame: for a constructor that knows that one starts.
  void enter_frame() { state_ = State::Frame; }

  void end_frame() { state_ = State::BetweenFrames; }

  /// Damage is explained by what was taken since its mark, which the format sets.
  [[nodiscard]] CompressedInput& input() { return input_; }

  /// The input ends where it should not: it is cut off, or could not be read.
  void fail_cut_off();

  void fail_damaged(std::string message);
  void fail(ErrorCode code, std::string message, std::string hint);

 private:
  enum class State : std::uint8_t { BetweenFrames, Frame, End, Failed };

  void find_next_frame();
  void fail(Error error);

  std::string path_;
  const FrameFormat& format_;
  CompressedInput input_;
  State state_ = State::BetweenFrames;
  std::uint64_t produced_ = 0;  ///< decompressed bytes, all frames
  std::uint64_t trailing_ = 0;
  bool truncated_ = false;
  std::optional<Error> error_;
};

}  // namespace opcensus
