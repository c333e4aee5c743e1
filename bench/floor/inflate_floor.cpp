// SPDX-License-Identifier: Apache-2.0
//
// inflate_floor FILE: what decompressing a gzip file costs at least. ISA-L inflates every member in
// turn into one buffer that is thrown away.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include <isa-l/igzip_lib.h>

int main(int argc, char** argv) {
  constexpr std::size_t kBuffer = std::size_t{1} << 20;
  if (argc != 2) {
    std::fputs("usage: inflate_floor FILE\n", stderr);
    return 2;
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(argv[1], "rb"),
                                                             &std::fclose);
  if (!file) {
    std::perror(argv[1]);
    return 1;
  }
  std::vector<std::uint8_t> input(kBuffer);
  std::vector<std::uint8_t> output(kBuffer);
  inflate_state state;
  isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  std::uint64_t bytes = 0;
  while (true) {
    if (state.avail_in == 0) {
      state.next_in = input.data();
      state.avail_in =
          static_cast<std::uint32_t>(std::fread(input.data(), 1, input.size(), file.get()));
      if (state.avail_in == 0) {
        break;
      }
    }
    state.next_out = output.data();
    state.avail_out = static_cast<std::uint32_t>(output.size());
    if (isal_inflate(&state) != ISAL_DECOMP_OK) {
      std::fputs("inflate_floor: the data is damaged\n", stderr);
      return 1;
    }
    bytes += output.size() - state.avail_out;
    if (state.block_state == ISAL_BLOCK_FINISH) {
      isal_inflate_reset(&state);
      state.crc_flag = ISAL_GZIP;
    }
  }
  std::printf("%llu bytes\n", static_cast<unsigned long long>(bytes));
  return 0;
}
