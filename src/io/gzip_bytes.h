// SPDX-License-Identifier: Apache-2.0
//
// GzipBytes: the content of a gzip stream (RFC 1952), inflated straight into the caller's buffer.
//
// Any number of members, one after the other. After a member: zero padding, then possibly another
// member; anything else to the end of the input is trailing bytes, which are counted and not
// content. Damage never loses what came before it: all that inflated is returned, then the Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/io/byte_source.h"
#include "src/io/gzip_header.h"

namespace opcensus {

class GzipBytes final : public ByteSource {
 public:
  /// `path` is for error messages only.
  GzipBytes(std::unique_ptr<ByteSource> compressed, std::string path);
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;
  ~GzipBytes() override;

  Result<std::size_t> read(std::span<char> buffer) override;

  [[nodiscard]] std::uint64_t consumed() const override;

  [[nodiscard]] std::uint64_t total() const override { return compressed_->total(); }

  [[nodiscard]] std::uint64_t trailing_bytes() const override {
    return trailing_ + compressed_->trailing_bytes();
  }

  [[nodiscard]] bool truncated() const override { return truncated_ || compressed_->truncated(); }

 private:
  enum class State : std::uint8_t { Header, Body, Draining, Trailer, BetweenMembers, End, Failed };

  struct Inflater;  // keeps the ISA-L types out of this header

  // One step each; the next state is in state_. Draining: the data turned out to be invalid, and
  // what ISA-L had inflated before that into its own buffer is still to be handed out.
  void read_header();
  std::size_t inflate_into(std::span<char> buffer);
  std::size_t drain_into(std::span<char> buffer);
  void check_trailer();
  void find_next_member();

  void begin_member();
  void finish_body();
  void skip_zero_padding();

  /// Makes sure that a byte can be taken; false at the end of the input or on failure.
  bool has_input();

  /// Replaces the input, which is used up; false as above.
  bool refill();

  /// Brings the start of a possible member into one piece.
  [[nodiscard]] GzipStart next_start();

  void fail_cut_off();
  void fail_damaged(std::string message);

  /// True if the part of the damaged member that is still in input_, and was taken, holds another
  /// header. Only the taken part: what follows may be the next member, as it should be.
  [[nodiscard]] bool holds_second_header() const;

  std::unique_ptr<ByteSource> compressed_;
  std::string path_;
  std::unique_ptr<Inflater> inflater_;

  std::vector<char> input_;
  std::size_t input_begin_;  ///< next byte to take
  std::size_t input_end_;
  std::size_t body_begin_;  ///< where in input_ the current member's data starts
  bool input_ended_ = false;

  State state_ = State::Header;
  GzipHeaderParser header_;
  std::uint64_t produced_ = 0;         ///< decompressed bytes, all members
  std::uint64_t member_produced_ = 0;  ///< of the current member
  std::uint64_t trailing_ = 0;
  bool truncated_ = false;
  std::optional<Error> error_;
};

}  // namespace opcensus
