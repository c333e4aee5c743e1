// SPDX-License-Identifier: Apache-2.0
//
// ZstdBytes: the content of a zstd stream (RFC 8878), decompressed into the caller's buffer.
//
// Skippable frames hold no content. Damage never loses a whole block before it (at most 128 KiB of
// content). Memory is the frame's window, which is limited, whatever a frame asks for.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "src/io/framed_bytes.h"

namespace opcensus {

class ZstdBytes final : public FramedBytes {
 public:
  /// The largest window, as a power of two: 128 MiB, which is what the zstd program takes without
  /// being told otherwise. Levels up to 19 need 8 MiB.
  static constexpr int kMostWindowLog = 27;

  /// `path` is for error messages only.
  ZstdBytes(std::unique_ptr<ByteSource> compressed, std::string path);
  ZstdBytes(const ZstdBytes&) = delete;
  ZstdBytes& operator=(const ZstdBytes&) = delete;
  ~ZstdBytes() override;

 private:
  struct Decoder;  // keeps the zstd types out of this header

  void begin_frame() override;
  std::size_t decode_into(std::span<char> buffer) override;

  /// By what the library returned.
  void fail_decoding(std::size_t outcome);

  std::unique_ptr<Decoder> decoder_;
  std::size_t step_ = 0;        ///< bytes that the decoder takes next
  bool may_hold_back_ = false;  ///< the last buffer was filled: there may be more without input
};

}  // namespace opcensus
