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

#include "src/io/byte_source.h"
#include "src/io/compressed_input.h"
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

  [[nodiscard]] std::uint64_t consumed() const override { return input_.consumed(); }

  [[nodiscard]] std::uint64_t total() const override { return input_.source().total(); }

  [[nodiscard]] std::uint64_t trailing_bytes() const override {
    return trailing_ + input_.source().trailing_bytes();
  }

  [[nodiscard]] bool truncated() const override {
    return truncated_ || input_.source().truncated();
  }

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

  /// The input ends where it should not: it is cut off, or could not be read.
  void fail_cut_off();
  void fail_damaged(std::string message);
  void fail(Error error);

  std::string path_;
  std::unique_ptr<Inflater> inflater_;
  CompressedInput input_;  ///< marked where the current member's data starts
  State state_ = State::Header;
  GzipHeaderParser header_;
  std::uint64_t produced_ = 0;         ///< decompressed bytes, all members
  std::uint64_t member_produced_ = 0;  ///< of the current member
  std::uint64_t trailing_ = 0;
  bool truncated_ = false;
  std::optional<Error> error_;
};

}  // namespace opcensus
