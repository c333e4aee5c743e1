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

// Large enough that a read(2) costs nothing against inflating it, small enough to stay in L2.
constexpr std::size_t kInputSize = std::size_t{256} << 10U;

// ISA-L reads ahead by up to 8 bytes. At the end of a member they are put back in front of the
// input, where a refill may have taken their place: this much room is kept free there.
constexpr std::size_t kMargin = 8;

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
    : compressed_(std::move(compressed)),
      path_(std::move(path)),
      inflater_(std::make_unique<Inflater>()),
      input_(kMargin + kInputSize),
      input_begin_(kMargin),
      input_end_(kMargin),
      body_begin_(kMargin) {
  isal_inflate_init(&inflater_->state);
}

GzipBytes::~GzipBytes() = default;

std::uint64_t GzipBytes::consumed() const {
  // The unread rest of the input is a part of what the layer below handed out. If that layer
  // decompresses too, its count is only as fine as its own buffer; good enough for progress.
  const std::uint64_t below = compressed_->consumed();
  const std::uint64_t unread = input_end_ - input_begin_;
  return below > unread ? below - unread : 0;
}

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
  while (has_input()) {
    const auto byte = static_cast<std::uint8_t>(input_[input_begin_++]);
    body_begin_ = input_begin_;
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
  const std::size_t available = input_end_ - input_begin_;
  const std::uint8_t* const first_in = as_bytes(input_.data() + input_begin_);
  const std::uint8_t* const first_out = as_bytes(buffer.data());
  inflater.next_out = as_bytes(buffer.data());
  inflater.avail_out = static_cast<std::uint32_t>(room);
  inflater.next_in = as_bytes(input_.data() + input_begin_);
  inflater.avail_in = static_cast<std::uint32_t>(available);

  const int outcome = isal_inflate(&inflater);
  // From the pointers: after an error, ISA-L 2.30 may leave avail_in below the truth, even wrapped.
  const auto taken = std::min(static_cast<std::size_t>(inflater.next_in - first_in), available);
  const auto made = std::min(static_cast<std::size_t>(inflater.next_out - first_out), room);
  input_begin_ += taken;
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
    } else if (!refill()) {
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
  const auto unused_bits = static_cast<std::uint32_t>(std::max(inflater.read_in_length, 0));
  const std::size_t unused = std::min<std::size_t>(unused_bits / 8U, kMargin);
  const std::uint64_t aligned = inflater.read_in >> (unused_bits % 8U);
  input_begin_ -= unused;
  for (std::size_t i = 0; i < unused; ++i) {
    input_[input_begin_ + i] = static_cast<char>((aligned >> (8U * i)) & 0xffU);
  }
  state_ = State::Trailer;
}

void GzipBytes::check_trailer() {
  auto& trailer = inflater_->trailer;
  while (inflater_->trailer_size < kTrailerSize) {
    if (!has_input()) {
      fail_cut_off();
      return;
    }
    trailer[inflater_->trailer_size++] = static_cast<std::uint8_t>(input_[input_begin_++]);
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
  skip_zero_padding();
  switch (next_start()) {
    case GzipStart::Yes:
      header_ = GzipHeaderParser();
      state_ = State::Header;
      return;
    case GzipStart::No:
    case GzipStart::TooShort:
      break;
  }
  while (state_ != State::Failed && has_input()) {
    trailing_ += input_end_ - input_begin_;
    input_begin_ = input_end_;
  }
  if (state_ != State::Failed) {
    state_ = State::End;
  }
}

void GzipBytes::skip_zero_padding() {
  while (has_input()) {
    if (input_[input_begin_] != '\0') {
      return;
    }
    ++input_begin_;
    ++trailing_;
  }
}

GzipStart GzipBytes::next_start() {
  GzipStart start = GzipStart::TooShort;
  while (has_input()) {
    const std::size_t left = input_end_ - input_begin_;
    start = gzip_start(std::string_view(input_.data() + input_begin_, left));
    if (start != GzipStart::TooShort) {
      return start;
    }
    // Three bytes at most: move them to the front, and read on behind them.
    std::memmove(input_.data() + kMargin, input_.data() + input_begin_, left);
    input_begin_ = kMargin;
    input_end_ = kMargin + left;
    auto more = compressed_->read(std::span(input_).subspan(input_end_));
    if (!more.has_value() || *more == 0) {
      return start;  // an Error comes again at the next read
    }
    input_end_ += *more;
  }
  return start;
}

bool GzipBytes::has_input() {
  return input_begin_ < input_end_ || refill();
}

bool GzipBytes::refill() {
  if (input_ended_ || state_ == State::Failed) {
    return false;
  }
  auto count = compressed_->read(std::span(input_).subspan(kMargin));
  if (!count.has_value()) {
    error_ = std::move(count).error();
    error_->byte_offset = produced_;
    state_ = State::Failed;
    return false;
  }
  input_begin_ = kMargin;
  input_end_ = kMargin + *count;
  body_begin_ = kMargin;
  input_ended_ = *count == 0;
  return !input_ended_;
}

void GzipBytes::fail_cut_off() {
  if (state_ == State::Failed) {
    return;  // the input failed by itself, which says more
  }
  truncated_ = true;
  error_ = Error{ErrorCode::Damaged,
                 "the gzip data ends in the middle",
                 path_,
                 produced_,
                 "wait until the profiler has finished writing, or copy the file again"};
  state_ = State::Failed;
}

void GzipBytes::fail_damaged(std::string message) {
  const char* const hint =
      holds_second_header()
          ? "two processes wrote into this one file (a second gzip header lies inside the data): "
            "give each process its own directory"
          : "copy the file again; if two processes wrote this one file, give each its own "
            "directory";
  error_ = Error{ErrorCode::Damaged, std::move(message), path_, produced_, hint};
  state_ = State::Failed;
}

bool GzipBytes::holds_second_header() const {
  return body_begin_ < input_begin_ &&
         holds_gzip_header(
             std::string_view(input_.data() + body_begin_, input_begin_ - body_begin_));
}

}  // namespace opcensus
