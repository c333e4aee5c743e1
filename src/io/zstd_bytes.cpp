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
    : path_(std::move(path)),
      decoder_(std::make_unique<Decoder>()),
      input_(std::move(compressed)) {}

ZstdBytes::~ZstdBytes() = default;

Result<std::size_t> ZstdBytes::read(std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size() && state_ != State::End && state_ != State::Failed) {
    if (state_ == State::BetweenFrames) {
      find_next_frame();
    } else {
      filled += decode_into(buffer.subspan(filled));
    }
  }
  if (filled == 0 && state_ == State::Failed) {
    return *error_;
  }
  return filled;
}

void ZstdBytes::find_next_frame() {
  trailing_ += input_.skip_zeros();
  if (starts_zstd_frame(input_.together(kZstdStartBytes))) {
    step_ = ZSTD_initDStream(decoder_->context);
    may_hold_back_ = false;
    input_.mark();
    state_ = State::Frame;
    return;
  }
  trailing_ += input_.skip_all();
  if (input_.error()) {
    fail(*input_.error());
  } else {
    state_ = State::End;
  }
}

std::size_t ZstdBytes::decode_into(std::span<char> buffer) {
  if (!may_hold_back_ && !input_.has_bytes()) {
    fail_cut_off();
    return 0;
  }
  const std::size_t offered = may_hold_back_ ? 0 : std::min(step_, input_.bytes().size());
  ZSTD_inBuffer in{input_.bytes().data(), offered, 0};
  ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
  const std::size_t outcome = ZSTD_decompressStream(decoder_->context, &out, &in);
  if (ZSTD_isError(outcome) != 0) {
    input_.take(offered);  // fail_damaged() looks at it
    fail_decoding(outcome);
    return 0;
  }
  input_.take(in.pos);
  produced_ += out.pos;
  may_hold_back_ = out.pos == out.size;
  step_ = one_step(outcome);
  if (outcome == 0) {
    state_ = State::BetweenFrames;
  }
  return out.pos;
}

void ZstdBytes::fail_cut_off() {
  if (input_.error()) {
    fail(*input_.error());
    return;
  }
  truncated_ = true;
  fail({ErrorCode::Damaged,
        "the zstd data ends in the middle",
        path_,
        {},
        "wait until the profiler has finished writing, or copy the file again"});
}

void ZstdBytes::fail_decoding(std::size_t outcome) {
  switch (ZSTD_getErrorCode(outcome)) {
    case ZSTD_error_memory_allocation:
      throw std::bad_alloc();
    case ZSTD_error_frameParameter_windowTooLarge:
      fail({ErrorCode::LimitExceeded,
            "the zstd data needs a window of more than " + std::to_string(kMostWindowMiB) + " MiB",
            path_,
            {},
            "decompress it first (zstd -d --long=31), or compress it without --long"});
      break;
    case ZSTD_error_dictionary_wrong:
      fail({ErrorCode::UnsupportedFormat,
            "the zstd data needs a dictionary",
            path_,
            {},
            "decompress it first (zstd -d -D DICTIONARY), or compress it without one"});
      break;
    case ZSTD_error_checksum_wrong:
      fail_damaged("the checksum (XXH64) of the decompressed data is wrong");
      break;
    default:
      fail_damaged("the compressed data is not valid");
      break;
  }
}

void ZstdBytes::fail_damaged(std::string message) {
  // Behind the first bytes, which start this frame itself; and only in what was taken: what follows
  // may be the next frame, as it should be.
  const std::string_view taken = input_.taken();
  const char* const hint =
      holds_zstd_frame(taken.substr(std::min(taken.size(), kZstdStartBytes)))
          ? "two processes wrote into this one file (a second zstd header lies inside the data): "
            "give each process its own directory"
          : "copy the file again; if two processes wrote this one file, give each its own "
            "directory";
  fail({ErrorCode::Damaged, std::move(message), path_, {}, hint});
}

void ZstdBytes::fail(Error error) {
  error_ = std::move(error);
  error_->byte_offset = produced_;
  state_ = State::Failed;
}

}  // namespace opcensus
