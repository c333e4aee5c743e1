/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/control_socket.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace opcensus::agent {
namespace {

constexpr std::size_t kLongestCommand = 256;
constexpr timeval kPatience{2, 0}; /* with one that connects and says nothing */

/* A socket's path holds 107 bytes; a folder's may be longer. Through the open folder it is short.
 */
bool bind_in(int folder, int socket, const std::string& name) noexcept {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const int length = std::snprintf(
      address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", folder, name.c_str());
  if (length <= 0 || static_cast<std::size_t>(length) >= sizeof(address.sun_path)) {
    return false;
  }
  unlinkat(folder, name.c_str(), 0);
  /* Linux gives the file the mode of the socket; umask would be the whole host's. */
  return fchmod(socket, 0600) == 0 &&
         ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
         ::listen(socket, 8) == 0;
}

void close_file(int& file) noexcept {
  if (file >= 0) {
    ::close(file);
    file = -1;
  }
}

}  // namespace

bool ControlSocket::open(const std::string& directory, const std::string& name) noexcept {
  try {
    path_ = directory + "/" + name;
  } catch (...) {
    return false;
  }
  const int folder = ::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const bool is_open =
      folder >= 0 && listening_ >= 0 && wake_ >= 0 && bind_in(folder, listening_, name);
  if (folder >= 0) {
    ::close(folder);
  }
  if (!is_open) {
    abandon();
  }
  return is_open;
}

void ControlSocket::serve(const Answer& answer) noexcept {
  while (true) {
    pollfd ready[2] = {{listening_, POLLIN, 0}, {wake_, POLLIN, 0}};
    if (::poll(ready, 2, -1) < 0 && errno != EINTR) {
      return;
    }
    if (ready[1].revents != 0) {
      return;
    }
    const int connection =
        ready[0].revents == 0 ? -1 : ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection >= 0) {
      answer_one(connection, answer);
      ::close(connection);
    }
  }
}

void ControlSocket::answer_one(int connection, const Answer& answer) const noexcept {
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof(kPatience));
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof(kPatience));
  char text[kLongestCommand];
  std::size_t length = 0;
  while (length < sizeof(text) && std::memchr(text, '\n', length) == nullptr) {
    const ssize_t got = ::recv(connection, text + length, sizeof(text) - length, 0);
    if (got <= 0) {
      return;
    }
    length += static_cast<std::size_t>(got);
  }
  const void* end = std::memchr(text, '\n', length);
  if (end == nullptr) {
    return;
  }
  try {
    const auto command_length =
        static_cast<std::size_t>(static_cast<const char*>(end) - static_cast<const char*>(text));
    const std::string reply = answer({text, command_length}) + "\n";
    for (std::size_t sent = 0; sent < reply.size();) {
      const ssize_t part =
          ::send(connection, reply.data() + sent, reply.size() - sent, MSG_NOSIGNAL);
      if (part <= 0) {
        return;
      }
      sent += static_cast<std::size_t>(part);
    }
  } catch (...) {
    return; /* no memory for the answer: whoever asks sees the connection end */
  }
}

void ControlSocket::stop() noexcept {
  const std::uint64_t one = 1;
  if (wake_ >= 0 && ::write(wake_, &one, sizeof(one)) == sizeof(one) && !path_.empty()) {
    ::unlink(path_.c_str());
  }
}

void ControlSocket::abandon() noexcept {
  close_file(listening_);
  close_file(wake_);
  path_.clear();
}

}  // namespace opcensus::agent
