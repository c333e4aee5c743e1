// SPDX-License-Identifier: Apache-2.0
#include "src/io/byte_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "src/io/file_bytes.h"
#include "src/io/gzip_bytes.h"
#include "src/io/gzip_header.h"
#include "src/io/memory_bytes.h"
#include "src/io/peeked_bytes.h"
#include "src/io/zstd_bytes.h"
#include "src/io/zstd_frame.h"

namespace opcensus {
namespace {

/// A source that was opened and cannot be read.
class RefusedBytes final : public ByteSource {
 public:
  RefusedBytes(std::unique_ptr<ByteSource> source, Error error)
      : source_(std::move(source)), error_(std::move(error)) {}

  Result<std::size_t> read(std::span<char> /*buffer*/) override { return error_; }

  [[nodiscard]] std::uint64_t consumed() const override { return source_->consumed(); }

  [[nodiscard]] std::uint64_t total() const override { return source_->total(); }

 private:
  std::unique_ptr<ByteSource> source_;
  Error error_;
};

/// Containers that we know of and do not read.
struct ForeignCompression {
  std::string_view magic;
  std::string_view message;
  std::string_view hint;
};

constexpr std::array<ForeignCompression, 3> kForeignCompressions{{
    {std::string_view("\xfd\x37\x7a\x58\x5a\x00", 6),
     "the file is compressed with xz",
     "decompress it first (xz -d), or compress it with gzip"},
    {"BZh", "the file is compressed with bzip2", "decompress it first (bzip2 -d)"},
    {"PK\x03\x04", "the file is a zip archive", "unpack it first (unzip)"},
}};

std::unique_ptr<ByteSource> refuse(std::unique_ptr<ByteSource> source,
                                   const std::string& path,
                                   std::string_view message,
                                   std::string_view hint) {
  Error error;
  error.code = ErrorCode::UnsupportedFormat;
  error.message = message;
  error.file = path;
  error.hint = hint;
  return std::make_unique<RefusedBytes>(std::move(source), std::move(error));
}

std::unique_ptr<ByteSource> refuse_foreign(std::unique_ptr<PeekedBytes> source,
                                           const std::string& path) {
  const auto* const foreign = std::find_if(
      kForeignCompressions.begin(), kForeignCompressions.end(), [&](const auto& candidate) {
        return source->beginning().starts_with(candidate.magic);
      });
  if (foreign == kForeignCompressions.end()) {
    return source;
  }
  return refuse(std::move(source), path, foreign->message, foreign->hint);
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         const std::string& path) {
  // Some servers gzip a file that the profiler had gzipped already. More is a mistake, or a bomb.
  constexpr int kMostLayers = 2;
  for (int layers = 0; layers <= kMostLayers; ++layers) {
    auto peeked = std::make_unique<PeekedBytes>(std::move(source));
    const bool is_gzip = peeked->beginning().starts_with(kGzipMagic);
    if (!is_gzip && !starts_zstd_frame(peeked->beginning())) {
      return refuse_foreign(std::move(peeked), path);
    }
    if (layers == kMostLayers) {
      source = std::move(peeked);
    } else if (is_gzip) {
      source = std::make_unique<GzipBytes>(std::move(peeked), path);
    } else {
      source = std::make_unique<ZstdBytes>(std::move(peeked), path);
    }
  }
  return refuse(std::move(source),
                path,
                "the file is compressed more than twice",
                "decompress it first (gunzip, zstd -d)");
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) {
  if (path == "-") {
    return decompressed(FileBytes::standard_input(), path);
  }
  OPCENSUS_TRY(auto file, FileBytes::open(path));
  return decompressed(std::move(file), path);
}

std::unique_ptr<ByteSource> bytes_in_memory(std::string_view content) {
  return decompressed(std::make_unique<MemoryBytes>(content), "");
}

}  // namespace opcensus
