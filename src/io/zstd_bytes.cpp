// SPDX-License-Identifier: Apache-2.0
#include "src/io/zstd_bytes.h"

#include <algorithm>
#include <new>
#include <utility>

#include <zstd.h>
#include <zstd_errors.h>

#include "src/io/zstd_frame.h"

namespace opcensus {
namespace {

// The library asks for a block together with the header of the next one.
constexpr std::size_t kBlockHeaderSize = 3;

constexpr int kMostWindowMiB = 1 << (ZstdBytes::kMostWindowLog - 20);

/// What to feed when the library asks for `wanted` bytes: one block, without the header of the
/// next one. When a call fails, the library does not say what it had written before, so a call
/// that returns content must not reach anything that can fail.
std::size_t one_step(std::size_t wanted) {
  return wanted > kBlockHeaderSize ? wanted - kBlockHeaderSize : wanted;
}

/// Behind the first bytes, which start this frame itself.
bool holds_another(std::string_view taken) {
  return holds_zstd_frame(taken.substr(std::min(taken.size(), kZstdStartBytes)));
}

constexpr FrameFormat kZstd{"zstd", kZstdStartBytes, &starts_zstd_frame, &holds_another};

}  // namespace

struct ZstdBytes::Decoder {
  Decoder() : context(ZSTD_createDCtx()) {
    if (context == nullptr) {
      throw std::bad_alloc();
    }
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, kMostWindowLog);
  }

  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  ~Decoder() { ZSTD_freeDCtx(context); }

  ZSTD_DCtx* context;
};

ZstdBytes::ZstdBytes(std::unique_ptr<ByteSource> compressed, std::string path)
    : FramedBytes(std::move(compressed), std::move(path), kZstd),
      decoder_(std::make_unique<Decoder>()) {}

ZstdBytes::~ZstdBytes() = default;

void ZstdBytes::begin_frame() {
  step_ = ZSTD_initDStream(decoder_->context);
  may_hold_back_ = false;
  input().mark();
}

std::size_t ZstdBytes::decode_into(std::span<char> buffer) {
  if (!may_hold_back_ && !input().has_bytes()) {
    fail_cut_off();
    return 0;
  }
  const std::size_t offered = may_hold_back_ ? 0 : std::min(step_, input().bytes().size());
  ZSTD_inBuffer in{input().bytes().data(), offered, 0};
  ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
  const std::size_t outcome = ZSTD_decompressStream(decoder_->context, &out, &in);
  if (ZSTD_isError(outcome) != 0) {
    input().take(offered);  // fail_damaged() looks at it
    fail_decoding(outcome);
    return 0;
  }
  input().take(in.pos);
  may_hold_back_ = out.pos == out.size;
  step_ = one_step(outcome);
  if (outcome == 0) {
    end_frame();
  }
  return out.pos;
}

void ZstdBytes::fail_decoding(std::size_t outcome) {
  switch (ZSTD_getErrorCode(outcome)) {
    case ZSTD_error_memory_allocation:
      throw std::bad_alloc();
    case ZSTD_error_frameParameter_windowTooLarge:
      fail(ErrorCode::LimitExceeded,
           "the zstd data needs a window of more than " + std::to_string(kMostWindowMiB) + " MiB",
           "decompress it first (zstd -d --long=31), or compress it without --long");
      break;
    case ZSTD_error_dictionary_wrong:
      fail(ErrorCode::UnsupportedFormat,
           "the zstd data needs a dictionary",
           "decompress it first (zstd -d -D DICTIONARY), or compress it without one");
      break;
    case ZSTD_error_checksum_wrong:
      fail_damaged("the checksum (XXH64) of the decompressed data is wrong");
      break;
    default:
      fail_damaged("the compressed data is not valid");
      break;
  }
}

}  // namespace opcensus
