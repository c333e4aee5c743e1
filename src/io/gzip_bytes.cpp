// SPDX-License-Identifier: Apache-2.0
#include "src/io/gzip_bytes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include <isa-l/igzip_lib.h>

namespace opcensus {
namespace {

constexpr std::size_t kTrailerSize = 8;

std::uint8_t* as_bytes(char* text) {
  return reinterpret_cast<std::uint8_t*>(text);
}

std::uint32_t little_endian(const std::uint8_t* bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value |= static_cast<std::uint32_t>(bytes[i]) << (8U * i);
  }
  return value;
}

}  // namespace

struct GzipBytes::Inflater {
  inflate_state state{};
  std::array<std::uint8_t, kTrailerSize> trailer{};
  std::size_t trailer_size = 0;
};

GzipBytes::GzipBytes(std::unique_ptr<ByteSource> compressed, std::string path)
    : path_(std::move(path)),
      inflater_(std::make_unique<Inflater>()),
      input_(std::move(compressed)) {
  isal_inflate_init(&inflater_->state);
}

GzipBytes::~GzipBytes() = default;

Result<std::size_t> GzipBytes::read(std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size() && state_ != State::End && state_ != State::Failed) {
    switch (state_) {
      case State::Header:
        read_header();
        break;
      case State::Body:
        filled += inflate_into(buffer.subspan(filled));
        break;
      case State::Draining:
        filled += drain_into(buffer.subspan(filled));
        break;
      case State::Trailer:
        check_trailer();
        break;
      case State::BetweenMembers:
        find_next_member();
        break;
      case State::End:
      case State::Failed:
        break;
    }
  }
  if (filled == 0 && state_ == State::Failed) {
    return *error_;
  }
  return filled;
}

void GzipBytes::read_header() {
  while (input_.has_bytes()) {
    const auto byte = static_cast<std::uint8_t>(input_.bytes().front());
    input_.take(1);
    input_.mark();
    switch (header_.take(byte)) {
      case GzipHeaderParser::State::NeedsMore:
        break;
      case GzipHeaderParser::State::Complete:
        begin_member();
        return;
      case GzipHeaderParser::State::Invalid:
        fail_damaged("the gzip header is not valid");
        return;
    }
  }
  fail_cut_off();
}

void GzipBytes::begin_member() {
  isal_inflate_reset(&inflater_->state);
  inflater_->state.crc_flag = ISAL_GZIP_NO_HDR;  // raw deflate, and the CRC of the output
  inflater_->trailer_size = 0;
  member_produced_ = 0;
  state_ = State::Body;
}

std::size_t GzipBytes::inflate_into(std::span<char> buffer) {
  inflate_state& inflater = inflater_->state;
  const std::size_t room =
      std::min<std::size_t>(buffer.size(), std::numeric_limits<std::int32_t>::max());
  const std::size_t available = input_.bytes().size();
  const std::uint8_t* const first_in = as_bytes(input_.data());
  const std::uint8_t* const first_out = as_bytes(buffer.data());
  inflater.next_out = as_bytes(buffer.data());
  inflater.avail_out = static_cast<std::uint32_t>(room);
  inflater.next_in = as_bytes(input_.data());
  inflater.avail_in = static_cast<std::uint32_t>(available);

  const int outcome = isal_inflate(&inflater);
  // From the pointers: after an error, ISA-L 2.30 may leave avail_in below the truth, even wrapped.
  const auto taken = std::min(static_cast<std::size_t>(inflater.next_in - first_in), available);
  const auto made = std::min(static_cast<std::size_t>(inflater.next_out - first_out), room);
  input_.take(taken);
  produced_ += made;
  member_produced_ += made;
  if (outcome != ISAL_DECOMP_OK) {
    state_ = State::Draining;
  } else if (inflater.block_state == ISAL_BLOCK_FINISH) {
    finish_body();
  } else if (taken == 0 && made == 0) {
    // Everything that the input so far yields is out.
    if (available > 0) {
      state_ = State::Draining;
    } else if (!input_.has_bytes()) {
      fail_cut_off();
    }
  }
  return made;
}

std::size_t GzipBytes::drain_into(std::span<char> buffer) {
  inflate_state& inflater = inflater_->state;
  const auto begin = std::max(inflater.tmp_out_processed, 0);
  const auto end = std::min<std::ptrdiff_t>(inflater.tmp_out_valid, sizeof inflater.tmp_out_buffer);
  if (begin >= end) {
    fail_damaged("the compressed data is not valid");
    return 0;
  }
  const std::size_t made = std::min(static_cast<std::size_t>(end - begin), buffer.size());
  std::memcpy(buffer.data(), inflater.tmp_out_buffer + begin, made);
  inflater.tmp_out_processed += static_cast<std::int32_t>(made);
  produced_ += made;
  return made;
}

void GzipBytes::finish_body() {
  inflate_state& inflater = inflater_->state;
  // ISA-L reads ahead by up to 8 bytes, which are not a part of the body.
  const auto unused_bits = static_cast<std::uint32_t>(std::max(inflater.read_in_length, 0));
  const std::uint64_t aligned = inflater.read_in >> (unused_bits % 8U);
  std::array<char, CompressedInput::kMostPutBack> unused{};
  const std::size_t count = std::min<std::size_t>(unused_bits / 8U, unused.size());
  for (std::size_t i = 0; i < count; ++i) {
    unused[i] = static_cast<char>((aligned >> (8U * i)) & 0xffU);
  }
  input_.put_back(std::span(unused).first(count));
  state_ = State::Trailer;
}

void GzipBytes::check_trailer() {
  auto& trailer = inflater_->trailer;
  while (inflater_->trailer_size < kTrailerSize) {
    if (!input_.has_bytes()) {
      fail_cut_off();
      return;
    }
    trailer[inflater_->trailer_size++] = static_cast<std::uint8_t>(input_.bytes().front());
    input_.take(1);
  }
  if (little_endian(trailer.data()) != inflater_->state.crc) {
    fail_damaged("the checksum (CRC-32) of the decompressed data is wrong");
  } else if (little_endian(trailer.data() + 4) != static_cast<std::uint32_t>(member_produced_)) {
    fail_damaged("the length of the decompressed data is wrong");
  } else {
    state_ = State::BetweenMembers;
  }
}

void GzipBytes::find_next_member() {
  trailing_ += input_.skip_zeros();
  if (gzip_start(input_.together(kGzipStartBytes)) == GzipStart::Yes) {
    header_ = GzipHeaderParser();
    state_ = State::Header;
    return;
  }
  trailing_ += input_.skip_all();
  if (input_.error()) {
    fail(*input_.error());
  } else {
    state_ = State::End;
  }
}

void GzipBytes::fail_cut_off() {
  if (input_.error()) {
    fail(*input_.error());
    return;
  }
  truncated_ = true;
  fail({ErrorCode::Damaged,
        "the gzip data ends in the middle",
        path_,
        {},
        "wait until the profiler has finished writing, or copy the file again"});
}

void GzipBytes::fail_damaged(std::string message) {
  // Only in what was taken: what follows may be the next member, as it should be.
  const char* const hint =
      holds_gzip_header(input_.taken())
          ? "two processes wrote into this one file (a second gzip header lies inside the data): "
            "give each process its own directory"
          : "copy the file again; if two processes wrote this one file, give each its own "
            "directory";
  fail({ErrorCode::Damaged, std::move(message), path_, {}, hint});
}

void GzipBytes::fail(Error error) {
  error_ = std::move(error);
  error_->byte_offset = produced_;
  state_ = State::Failed;
}

}  // namespace opcensus
