// SPDX-License-Identifier: Apache-2.0
//
// For tests: makes zstd frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <zstd.h>

namespace opcensus::testing {

struct ZstdOptions {
  int level = 3;
  int window_log = 0;  ///< 0: by the level and the size
  bool checksum = true;
  bool content_size = true;
};

/// One frame.
[[nodiscard]] inline std::string zstd(std::string_view content, const ZstdOptions& options = {}) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  const auto set = [&context](ZSTD_cParameter parameter, int value) {
    if (ZSTD_isError(ZSTD_CCtx_setParameter(context.get(), parameter, value)) != 0) {
      throw std::runtime_error("ZSTD_CCtx_setParameter failed");
    }
  };
  set(ZSTD_c_compressionLevel, options.level);
  set(ZSTD_c_windowLog, options.window_log);
  set(ZSTD_c_checksumFlag, options.checksum ? 1 : 0);
  set(ZSTD_c_contentSizeFlag, options.content_size ? 1 : 0);
  std::string output(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), output.data(), output.size(), content.data(), content.size());
  if (ZSTD_isError(size) != 0) {
    throw std::runtime_error(ZSTD_getErrorName(size));
  }
  output.resize(size);
  return output;
}

/// All frames by the library, with everything at hand; nullopt if it finds anything wrong, or more
/// content.
[[nodiscard]] inline std::optional<std::string> unzstd(std::string_view frames,
                                                       std::size_t most_content) {
  // In a stream, as the zstd program does: the call for a whole frame lets blocks pass that are
  // larger than the format allows.
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                        &ZSTD_freeDCtx);
  const auto content = std::make_unique_for_overwrite<char[]>(most_content);
  ZSTD_inBuffer in{frames.data(), frames.size(), 0};
  ZSTD_outBuffer out{content.get(), most_content, 0};
  std::size_t left = 0;  // of the frame; 0 at its end
  do {
    const std::size_t consumed = in.pos;
    const std::size_t written = out.pos;
    left = ZSTD_decompressStream(context.get(), &out, &in);
    const bool stands_still = in.pos == consumed && out.pos == written;
    if (ZSTD_isError(left) != 0 || (stands_still && (left != 0 || in.pos < in.size))) {
      return std::nullopt;
    }
  } while (left != 0 || in.pos < in.size);
  return std::string(content.get(), out.pos);
}

/// A frame that readers skip; `kind` is 0 to 15.
[[nodiscard]] inline std::string skippable_frame(std::string_view content, int kind = 0) {
  std::string frame(1, static_cast<char>(0x50 + kind));
  frame.append("\x2a\x4d\x18");
  for (unsigned i = 0; i < 4; ++i) {
    frame.push_back(static_cast<char>((content.size() >> (8U * i)) & 0xffU));
  }
  return frame.append(content);
}

}  // namespace opcensus::testing
