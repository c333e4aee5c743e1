// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

#include "apps/opcensus/verbs.h"

namespace {

void say_out_of_memory() {
  std::cerr << "opcensus: error: out of memory\nhint: give fewer traces at once, or a larger "
               "--memory-limit\n";
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  opcensus::cli::Streams streams{std::cout, std::cerr};
  try {
    const int code = opcensus::cli::run_command_line(argc, argv, streams, false);
    std::cout.flush();
    return std::cout.good() ? code : opcensus::cli::kExitFailed;
  } catch (const std::bad_alloc&) {
    say_out_of_memory();
  } catch (const std::system_error& error) {
    // A thread needs memory, too.
    if (error.code() == std::errc::resource_unavailable_try_again) {
      say_out_of_memory();
    } else {
      std::cerr << "opcensus: error: " << error.what() << "\n";
    }
  } catch (const std::exception&) {
    std::cerr << "opcensus: error: internal error\nhint: please report it with the command line "
                 "that you used\n";
  }
  return opcensus::cli::kExitFailed;
}
