// SPDX-License-Identifier: Apache-2.0
//
// A host process for the agent, with a fake libcupti in the driver's place. Run by agent_test with
//
//     OPCENSUS_DIR=… OPCENSUS_CUPTI=libfake_cupti.so scenario AGENT.so NAME
//
// It prints "host output" and returns 7, so that the test sees both arrive untouched.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/agent/fake_host.h"

namespace {

namespace cupti = opcensus::agent::cupti;
using opcensus::testing::Host;
using opcensus::testing::kBeginCapture;
using opcensus::testing::kGraphLaunch;

void serve(const Host& host) {
  host.eager("aten::mm", "[[8,64]]", "gemm", 10);
  host.capture(1, 2, "[[8,64]]", 20);
  host.capture(3, 4, "[[4,64]]", 30);
  for (std::uint32_t step = 0; step < 3; ++step) {
    host.replay(2, 100 + step);
    host.replay(4, 200 + step);
  }
}

/// Replays until the file "quit" is in the run's folder.
void serve_until_told(const Host& host) {
  const std::string quit = std::string(std::getenv("OPCENSUS_DIR")) + "/quit";
  host.capture(1, 2, "[[8,64]]", 20);
  for (std::uint32_t step = 0; access(quit.c_str(), F_OK) != 0; ++step) {
    host.replay(2, 100 + step);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void run_operator(const Host& host) {
  host.op("aten::relu", "[[1]]");
  host.end_op();
}

void expect_success(pid_t child) {
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0) {
    std::fprintf(stderr, "a child ended with status %d\n", status);
    std::exit(4);
  }
}

/// Other threads hold the agent's locks now and then; a child that is born meanwhile has no thread
/// that gives them back.
void fork_while_busy(const Host& host) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 4; ++i) {
    busy.emplace_back([&] {
      while (!stop) {
        std::thread([&host] { run_operator(host); }).join();
      }
    });
  }
  for (int i = 0; i < 1000; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(10);
      run_operator(host);  // the first of this thread
      _exit(0);
    }
    expect_success(child);
  }
  stop = true;
  for (std::thread& thread : busy) {
    thread.join();
  }
}

void run(const Host& host, std::string_view name) {
  if (name == "serve" || name == "refused") {
    serve(host);
  } else if (name == "killed") {
    serve(host);
    std::this_thread::sleep_for(
        std::chrono::milliseconds(1500));  // more than the write period, twice
    std::raise(SIGKILL);
  } else if (name == "forked") {
    const pid_t child = fork();
    if (child == 0) {
      serve(host);  // must not reach the parent's recording
      _exit(0);
    }
    expect_success(child);
    serve(host);
  } else if (name == "forked_while_busy") {
    fork_while_busy(host);
    serve(host);
  } else if (name == "threads") {
    std::thread first([&host] { host.capture(1, 2, "[[8,64]]", 20); });
    std::thread second([&host] { host.capture(3, 4, "[[4,64]]", 30); });
    first.join();
    second.join();
    host.replay(2, 100);
    host.replay(4, 200);
  } else if (name == "many_threads") {
    for (int i = 0; i < 200; ++i) {
      std::thread([&host] { run_operator(host); }).join();
    }
    serve_until_told(host);
  } else if (name == "aborted") {
    host.api_call(cupti::kRuntimeApi, kBeginCapture, false, 5, 0);
    host.op("aten::mm", "[[1]]");  // and never ended
    host.resource(cupti::kGraphNodeCreated, 9, 0, std::uint64_t{9} << 32U, 0, 0);
    serve(host);
  } else if (name == "stale") {
    serve(host);
    host.api_call(cupti::kRuntimeApi, kGraphLaunch, true, 300, 2);
    host.kernel("another", 9000000, (std::uint64_t{2} << 32U) | 1U, 300, 8);
  } else if (name == "commanded") {
    serve_until_told(host);
  } else if (name == "device_buffers") {
    const std::uint64_t limit = host.attribute(cupti::kDeviceBufferPoolLimit);
    std::fprintf(stderr, "%llu device buffers\n", static_cast<unsigned long long>(limit));
    serve(host);
  } else if (name == "untimed") {
    serve(host);
    host.kernel("gemm", 0, std::uint64_t{2} << 32U, 100, 8);
  } else if (name == "dropped") {
    serve(host);
    host.drop(42);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    return 2;
  }
  Host host(argv[1]);
  if (std::string_view(argv[2]) == "refused") {
    host.refuse(39);
  }
  host.inject();
  run(host, argv[2]);
  std::puts("host output");
  return 7;
}
