// SPDX-License-Identifier: Apache-2.0
//
// GzipBytes: the content of a gzip stream (RFC 1952), inflated straight into the caller's buffer.
// Its members are the frames of FramedBytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "src/io/framed_bytes.h"
#include "src/io/gzip_header.h"

namespace opcensus {

class GzipBytes final : public FramedBytes {
 public:
  /// The input starts with a member, right or wrong. `path` is for error messages only.
  GzipBytes(std::unique_ptr<ByteSource> compressed, std::string path);
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;
  ~GzipBytes() override;

 private:
  enum class Part : std::uint8_t { Header, Body, Draining, Trailer };

  struct Inflater;  // keeps the ISA-L types out of this header

  void begin_frame() override;
  std::size_t decode_into(std::span<char> buffer) override;

  // One step each; the next part is in part_. Draining: the data turned out to be invalid, and
  // what ISA-L had inflated before that into its own buffer is still to be handed out.
  void read_header();
  std::size_t inflate_into(std::span<char> buffer);
  std::size_t drain_into(std::span<char> buffer);
  void check_trailer();

  void begin_body();
  void finish_body();

  std::unique_ptr<Inflater> inflater_;
  Part part_ = Part::Header;
  GzipHeaderParser header_;
  std::uint64_t member_produced_ = 0;  ///< decompressed bytes of the current member
};

}  // namespace opcensus
