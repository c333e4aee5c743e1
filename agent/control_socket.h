/* SPDX-License-Identifier: Apache-2.0
 *
 * The Unix socket `<host>_<pid>.sock` in the recording's folder: one command line a connection, one
 * answer. Only the user who runs the process may connect. schema/wire.md has the commands.
 */
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace opcensus::agent {

class ControlSocket {
 public:
  using Answer = std::function<std::string(std::string_view command)>;

  ControlSocket() = default;
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  /* False if the socket cannot be made. A socket that is left over from an earlier process of that
   * name is replaced. */
  bool open(const std::string& directory, const std::string& name) noexcept;

  /* Answers until stop(). */
  void serve(const Answer& answer) noexcept;

  /* Ends serve() and removes the socket's file. Thread: any other. */
  void stop() noexcept;

  /* In a forked child: the parent's socket is left alone. */
  void abandon() noexcept;

 private:
  void answer_one(int connection, const Answer& answer) const noexcept;

  int listening_ = -1;
  int wake_ = -1; /* eventfd: stop() */
  std::string path_;
};

}  // namespace opcensus::agent
