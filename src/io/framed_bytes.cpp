// SPDX-License-Identifier: Apache-2.0
#include "src/io/framed_bytes.h"

#include <utility>

namespace opcensus {

FramedBytes::FramedBytes(std::unique_ptr<ByteSource> compressed,
                         std::string path,
                         const FrameFormat& format)
    : path_(std::move(path)), format_(format), input_(std::move(compressed)) {}

Result<std::size_t> FramedBytes::read(std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size() && state_ != State::End && state_ != State::Failed) {
    if (state_ == State::BetweenFrames) {
      find_next_frame();
    } else {
      const std::size_t made = decode_into(buffer.subspan(filled));
      filled += made;
      produced_ += made;
    }
  }
  if (filled == 0 && state_ == State::Failed) {
    return *error_;
  }
  return filled;
}

void FramedBytes::find_next_frame() {
  trailing_ += input_.skip_zeros();
  if (format_.starts_frame(input_.together(format_.start_bytes))) {
    begin_frame();
    enter_frame();
    return;
  }
  trailing_ += input_.skip_all();
  if (input_.error()) {
    fail(*input_.error());
  } else {
    state_ = State::End;
  }
}

void FramedBytes::fail_cut_off() {
  if (input_.error()) {
    fail(*input_.error());
    return;
  }
  truncated_ = true;
  fail(ErrorCode::Damaged,
       "the " + std::string(format_.name) + " data ends in the middle",
       "wait until the profiler has finished writing, or copy the file again");
}

void FramedBytes::fail_damaged(std::string message) {
  // Only in what was taken: what follows may be the next frame, as it should be.
  std::string hint =
      format_.holds_another(input_.taken())
          ? "two processes wrote into this one file (a second " + std::string(format_.name) +
                " header lies inside the data): give each process its own directory"
          : "copy the file again; if two processes wrote this one file, give each its own "
            "directory";
  fail(ErrorCode::Damaged, std::move(message), std::move(hint));
}

void FramedBytes::fail(ErrorCode code, std::string message, std::string hint) {
  fail({code, std::move(message), path_, {}, std::move(hint)});
}

void FramedBytes::fail(Error error) {
  error_ = std::move(error);
  error_->byte_offset = produced_;
  state_ = State::Failed;
}

}  // namespace opcensus
