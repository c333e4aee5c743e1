// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <iostream>
#include <new>

#include "apps/opcensus/verbs.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  opcensus::cli::Streams streams{std::cout, std::cerr};
  try {
    const int code = opcensus::cli::run_command_line(argc, argv, streams, false);
    std::cout.flush();
    return std::cout.good() ? code : opcensus::cli::kExitFailed;
  } catch (const std::bad_alloc&) {
    std::cerr << "opcensus: error: out of memory\nhint: give fewer traces at once, or --rank N\n";
  } catch (const std::exception&) {
    std::cerr << "opcensus: error: internal error\nhint: please report it with the command line "
                 "that you used\n";
  }
  return opcensus::cli::kExitFailed;
}
