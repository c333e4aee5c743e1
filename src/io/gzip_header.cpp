// SPDX-License-Identifier: Apache-2.0
#include "src/io/gzip_header.h"

namespace opcensus {
namespace {

constexpr std::uint8_t kMethodDeflate = 8;
constexpr std::uint8_t kReservedFlags = 0xe0;
constexpr std::size_t kFixedSize = 10;

std::uint8_t byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<std::uint8_t>(bytes[index]);
}

bool is_valid_fixed(std::size_t index, std::uint8_t byte) {
  switch (index) {
    case 0:
    case 1:
      return byte == static_cast<std::uint8_t>(kGzipMagic[index]);
    case 2:
      return byte == kMethodDeflate;
    case 3:
      return (byte & kReservedFlags) == 0;
    default:
      return true;
  }
}

bool is_usual_header(std::string_view bytes) {
  constexpr std::size_t kExtraFlagsAt = 8;
  constexpr std::size_t kOperatingSystemAt = 9;
  constexpr std::uint8_t kLastKnownSystem = 13;
  constexpr std::uint8_t kUnknownSystem = 255;
  if (bytes.size() < kFixedSize || gzip_start(bytes) != GzipStart::Yes) {
    return false;
  }
  const std::uint8_t extra_flags = byte_at(bytes, kExtraFlagsAt);
  const std::uint8_t system = byte_at(bytes, kOperatingSystemAt);
  return (extra_flags == 0 || extra_flags == 2 || extra_flags == 4) &&
         (system <= kLastKnownSystem || system == kUnknownSystem);
}

}  // namespace

GzipStart gzip_start(std::string_view bytes) {
  for (std::size_t i = 0; i < kGzipStartBytes; ++i) {
    if (i == bytes.size()) {
      return GzipStart::TooShort;
    }
    if (!is_valid_fixed(i, byte_at(bytes, i))) {
      return GzipStart::No;
    }
  }
  return GzipStart::Yes;
}

bool holds_gzip_header(std::string_view bytes) {
  for (std::size_t at = bytes.find(kGzipMagic); at != std::string_view::npos;
       at = bytes.find(kGzipMagic, at + 1)) {
    if (is_usual_header(bytes.substr(at))) {
      return true;
    }
  }
  return false;
}

GzipHeaderParser::State GzipHeaderParser::take(std::uint8_t byte) {
  switch (part_) {
    case Part::Fixed:
      return take_fixed(byte);
    case Part::ExtraLength:
      extra_length_ |= static_cast<std::uint32_t>(byte) << (8U * position_);
      return ++position_ == 2 ? advance(extra_length_ == 0 ? Part::Extra : Part::ExtraLength)
                              : State::NeedsMore;
    case Part::Extra:
      return ++position_ == extra_length_ ? advance(Part::Extra) : State::NeedsMore;
    case Part::Name:
    case Part::Comment:
      return byte == 0 ? advance(part_) : State::NeedsMore;
    case Part::HeaderCrc:
      // Not checked: the CRC of the content covers what matters.
      return ++position_ == 2 ? advance(Part::HeaderCrc) : State::NeedsMore;
    case Part::Done:
      break;
  }
  return State::Invalid;
}

GzipHeaderParser::State GzipHeaderParser::take_fixed(std::uint8_t byte) {
  constexpr std::uint32_t kFlagsAt = 3;
  if (!is_valid_fixed(position_, byte)) {
    return State::Invalid;
  }
  if (position_ == kFlagsAt) {
    flags_ = byte;
  }
  return ++position_ == kFixedSize ? advance(Part::Fixed) : State::NeedsMore;
}

GzipHeaderParser::State GzipHeaderParser::advance(Part finished) {
  position_ = 0;
  auto next = static_cast<std::uint8_t>(finished);
  do {
    part_ = static_cast<Part>(++next);
  } while (part_ != Part::Done && !has(part_));
  return part_ == Part::Done ? State::Complete : State::NeedsMore;
}

bool GzipHeaderParser::has(Part part) const {
  constexpr std::uint8_t kHeaderCrcFlag = 0x02;
  constexpr std::uint8_t kExtraFlag = 0x04;
  constexpr std::uint8_t kNameFlag = 0x08;
  constexpr std::uint8_t kCommentFlag = 0x10;
  switch (part) {
    case Part::ExtraLength:
    case Part::Extra:
      return (flags_ & kExtraFlag) != 0;
    case Part::Name:
      return (flags_ & kNameFlag) != 0;
    case Part::Comment:
      return (flags_ & kCommentFlag) != 0;
    case Part::HeaderCrc:
      return (flags_ & kHeaderCrcFlag) != 0;
    case Part::Fixed:
    case Part::Done:
      break;
  }
  return false;
}

}  // namespace opcensus
