// SPDX-License-Identifier: Apache-2.0
#include "src/launch/window_control.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

TEST(WindowControl, AnAnswerIsRead) {
  const auto window = parse_window_answer(
      "process=12 window=open windows=3 graph_launches=400 device_events=5000 lost=7 "
      "threads=9");
  ASSERT_TRUE(window);
  EXPECT_EQ(window->process, 12);
  EXPECT_TRUE(window->is_open);
  EXPECT_EQ(window->windows, 3U);
  EXPECT_EQ(window->graph_launches, 400U);
  EXPECT_EQ(window->device_events, 5000U);
  EXPECT_EQ(window->lost, 7U);
  EXPECT_EQ(window->threads, 9U);
  EXPECT_EQ(window->error, "");
}

TEST(WindowControl, TheErrorIsTheRestOfTheLine) {
  const auto window = parse_window_answer("process=12 window=closed error=CUPTI = taken, by nsys");
  ASSERT_TRUE(window);
  EXPECT_EQ(window->error, "CUPTI = taken, by nsys");
  EXPECT_FALSE(window->is_open);
}

TEST(WindowControl, FieldsOfALaterVersionAreLeftOut) {
  const auto window = parse_window_answer("process=12 colour=blue window=open");
  ASSERT_TRUE(window);
  EXPECT_TRUE(window->is_open);
}

TEST(WindowControl, WhatIsNoAnswerIsRefused) {
  for (const char* line : {"",
                           "hello",
                           "window=open",
                           "process=0 window=open",
                           "process=-1",
                           "process=1 window=ajar",
                           "process=1 windows=x"}) {
    EXPECT_FALSE(parse_window_answer(line)) << line;
  }
}

/// A socket's file; the socket itself, if somebody is to listen.
int make_socket(const std::filesystem::path& path, bool listens) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  if (listens) {
    EXPECT_EQ(listen(made, 1), 0);
    return made;
  }
  close(made);
  return -1;
}

TEST(WindowControl, SocketsOfKilledProcessesGo) {
  const testing::TemporaryFolder folder;
  make_socket(folder.path() / "host_1.sock", false);
  const int alive = make_socket(folder.path() / "host_2.sock", true);
  std::ofstream(folder.path() / "host_1.ocrec") << "kept";
  EXPECT_EQ(remove_dead_sockets(folder.path().string()), 1U);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "host_1.sock"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "host_2.sock"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "host_1.ocrec"));
  close(alive);
}

TEST(WindowControl, WithoutAListenerThereIsAWayOut) {
  const testing::TemporaryFolder folder;
  const auto none = command_windows(folder.path().string(), "status", std::chrono::seconds(1));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  EXPECT_NE(none.error().hint.find("--control"), std::string::npos);
  const auto missing =
      command_windows((folder.path() / "none").string(), "status", std::chrono::seconds(1));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("folder"), std::string::npos);
}

}  // namespace
}  // namespace opcensus
