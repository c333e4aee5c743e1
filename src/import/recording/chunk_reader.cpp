// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/chunk_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace opcensus::import {
namespace {

constexpr std::size_t kReadStep = std::size_t{1} << 20;
constexpr auto kFirstType = static_cast<std::uint32_t>(wire::ChunkType::Text);
constexpr auto kLastType = static_cast<std::uint32_t>(wire::ChunkType::NodeName);

Error make_error(ErrorCode code, std::string message, std::uint64_t offset, std::string hint) {
  return Error{code, std::move(message), "", offset, std::move(hint)};
}

Error cut_in_header(std::uint64_t offset) {
  return make_error(ErrorCode::Damaged,
                    "the recording ends in its header",
                    offset,
                    "the process ended as it began to record; record again");
}

std::optional<Error> check_header(const wire::FileHeader& header, const RecordingLimits& limits) {
  if (header.version > wire::kVersion) {
    return make_error(ErrorCode::UnsupportedFormat,
                      "the recording has version " + std::to_string(header.version) +
                          "; this opcensus reads up to version " + std::to_string(wire::kVersion),
                      offsetof(wire::FileHeader, version),
                      "use the opcensus that recorded it, or a newer one");
  }
  const bool is_sane = header.version > 0 && header.header_bytes >= sizeof(header) &&
                       header.header_bytes <= limits.max_header_bytes;
  if (!is_sane) {
    return make_error(
        ErrorCode::Damaged, "the recording's header is damaged", 0, "copy the file again");
  }
  return std::nullopt;
}

}  // namespace

std::size_t ChunkReader::fill(std::span<char> out) {
  std::size_t filled = 0;
  while (filled < out.size() && !source_error_) {
    auto count = source_.read(out.subspan(filled));
    if (!count) {
      source_error_ = std::move(count).error();
    } else if (*count == 0) {
      break;
    } else {
      filled += *count;
    }
  }
  position_ += filled;
  return filled;
}

Result<wire::FileHeader> ChunkReader::read_header() {
  std::array<char, sizeof(wire::FileHeader)> bytes{};
  const std::size_t count = fill(bytes);
  if (count == 0 && source_error_) {
    return Error(*source_error_);
  }
  if (count == 0) {
    return make_error(ErrorCode::Empty, "the file is empty", 0, "record again");
  }
  const std::string_view magic = recording_magic();
  const std::size_t compared = std::min(count, magic.size());
  if (std::string_view(bytes.data(), compared) != magic.substr(0, compared)) {
    return make_error(ErrorCode::NotATrace,
                      "the file is no recording of the opcensus agent",
                      0,
                      "give the *.ocrec file that `opcensus record` wrote");
  }
  if (count < bytes.size()) {
    return cut_in_header(count);
  }
  wire::FileHeader header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (auto error = check_header(header, options_.limits)) {
    return std::move(*error);
  }
  if (!read_payload(header.header_bytes - sizeof(header))) {  // fields of a later version
    return cut_in_header(position_);
  }
  return header;
}

std::nullopt_t ChunkReader::stop_at(std::uint64_t offset, std::string text, bool is_limit) {
  stop_ = RecordingStop{offset, std::move(text), is_limit};
  return std::nullopt;
}

bool ChunkReader::read_payload(std::size_t bytes) {
  payload_.clear();
  while (payload_.size() < bytes) {
    const std::size_t before = payload_.size();
    const std::size_t step = std::min(kReadStep, bytes - before);
    payload_.resize(before + step);
    if (fill(std::span(payload_).subspan(before)) < step) {
      return false;
    }
  }
  return true;
}

std::optional<Chunk> ChunkReader::next() {
  if (stop_) {
    return std::nullopt;
  }
  const std::uint64_t begin = position_;
  std::array<char, sizeof(wire::ChunkHeader)> bytes{};
  const std::size_t count = fill(bytes);
  if (count == 0 && !source_error_) {
    return std::nullopt;
  }
  if (count < bytes.size()) {
    return stop_at(begin, "it ends in a chunk's header");
  }
  wire::ChunkHeader header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.type < kFirstType || header.type > kLastType) {
    return stop_at(begin, "no chunk begins there");
  }
  if (header.bytes % 8 != 0) {
    return stop_at(begin, "a chunk's size is no multiple of 8");
  }
  if (header.bytes > options_.limits.max_chunk_bytes) {
    return stop_at(begin, "a chunk is larger than max_chunk_bytes", true);
  }
  if (!read_payload(header.bytes)) {
    return stop_at(begin, "it ends in a chunk");
  }
  if (options_.progress != nullptr) {
    options_.progress->on_progress(source_.consumed(), source_.total());
  }
  return Chunk{static_cast<wire::ChunkType>(header.type), begin + sizeof(header), payload_};
}

}  // namespace opcensus::import
