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

bool starts_member(std::string_view bytes) {
  return gzip_start(bytes) == GzipStart::Yes;
}

constexpr FrameFormat kGzip{"gzip", kGzipStartBytes, &starts_member, &holds_gzip_header};

}  // namespace

struct GzipBytes::Inflater {
  inflate_state state{};
  std::array<std::uint8_t, kTrailerSize> trailer{};
  std::size_t trailer_size = 0;
};

GzipBytes::GzipBytes(std::unique_ptr<ByteSource> compressed, std::string path)
    : FramedBytes(std::move(compressed), std::move(path), kGzip),
      inflater_(std::make_unique<Inflater>()) {
  isal_inflate_init(&inflater_->state);
  enter_frame();
}

GzipBytes::~GzipBytes() = default;

void GzipBytes::begin_frame() {
  header_ = GzipHeaderParser();
  part_ = Part::Header;
}

std::size_t GzipBytes::decode_into(std::span<char> buffer) {
  switch (part_) {
    case Part::Header:
      read_header();
      return 0;
    case Part::Body:
      return inflate_into(buffer);
    case Part::Draining:
      return drain_into(buffer);
    case Part::Trailer:
      check_trailer();
      return 0;
  }
  return 0;
}

void GzipBytes::read_header() {
  while (input().has_bytes()) {
    const auto byte = static_cast<std::uint8_t>(input().bytes().front());
    input().take(1);
    input().mark();
    switch (header_.take(byte)) {
      case GzipHeaderParser::State::NeedsMore:
        break;
      case GzipHeaderParser::State::Complete:
        begin_body();
        return;
      case GzipHeaderParser::State::Invalid:
        fail_damaged("the gzip header is not valid");
        return;
    }
  }
  fail_cut_off();
}

void GzipBytes::begin_body() {
  isal_inflate_reset(&inflater_->state);
  inflater_->state.crc_flag = ISAL_GZIP_NO_HDR;  // raw deflate, and the CRC of the output
  inflater_->trailer_size = 0;
  member_produced_ = 0;
  part_ = Part::Body;
}

std::size_t GzipBytes::inflate_into(std::span<char> buffer) {
  inflate_state& inflater = inflater_->state;
  const std::size_t room =
      std::min<std::size_t>(buffer.size(), std::numeric_limits<std::int32_t>::max());
  const std::size_t available = input().bytes().size();
  const std::uint8_t* const first_in = as_bytes(input().data());
  const std::uint8_t* const first_out = as_bytes(buffer.data());
  inflater.next_out = as_bytes(buffer.data());
  inflater.avail_out = static_cast<std::uint32_t>(room);
  inflater.next_in = as_bytes(input().data());
  inflater.avail_in = static_cast<std::uint32_t>(available);

  const int outcome = isal_inflate(&inflater);
  // From the pointers: after an error, ISA-L 2.30 may leave avail_in below the truth, even wrapped.
  const auto taken = std::min(static_cast<std::size_t>(inflater.next_in - first_in), available);
  const auto made = std::min(static_cast<std::size_t>(inflater.next_out - first_out), room);
  input().take(taken);
  member_produced_ += made;
  if (outcome != ISAL_DECOMP_OK) {
    part_ = Part::Draining;
  } else if (inflater.block_state == ISAL_BLOCK_FINISH) {
    finish_body();
  } else if (taken == 0 && made == 0) {
    // Everything that the input so far yields is out.
    if (available > 0) {
      part_ = Part::Draining;
    } else if (!input().has_bytes()) {
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
  input().put_back(std::span(unused).first(count));
  part_ = Part::Trailer;
}

void GzipBytes::check_trailer() {
  auto& trailer = inflater_->trailer;
  while (inflater_->trailer_size < kTrailerSize) {
    if (!input().has_bytes()) {
      fail_cut_off();
      return;
    }
    trailer[inflater_->trailer_size++] = static_cast<std::uint8_t>(input().bytes().front());
    input().take(1);
  }
  if (little_endian(trailer.data()) != inflater_->state.crc) {
    fail_damaged("the checksum (CRC-32) of the decompressed data is wrong");
  } else if (little_endian(trailer.data() + 4) != static_cast<std::uint32_t>(member_produced_)) {
    fail_damaged("the length of the decompressed data is wrong");
  } else {
    end_frame();
  }
}

}  // namespace opcensus
