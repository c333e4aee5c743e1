// SPDX-License-Identifier: Apache-2.0
#include "src/launch/window_control.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "src/base/whole_number.h"

namespace opcensus {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".sock";

/// An open file or socket.
class Handle {
 public:
  explicit Handle(int number) : number_(number) {}

  Handle(Handle&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

  Handle& operator=(Handle&&) = delete;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  ~Handle() {
    if (number_ >= 0) {
      close(number_);
    }
  }

  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// A process that took the command and owes an answer.
struct Asked {
  std::string name;
  Handle connection;
};

std::vector<std::string> sockets_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->path().extension() == kExtension) {
      names.push_back(entry->path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Connects to a socket of the open folder: a path through it is short enough for an address.
Handle connect_in(const Handle& folder, const std::string& name, std::chrono::seconds limit) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path =
      "/proc/self/fd/" + std::to_string(folder.get()) + "/" + name + std::string(kExtension);
  if (path.size() >= sizeof(address.sun_path)) {
    return Handle(-1);
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  Handle connection(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{limit.count(), 0};
  const bool is_connected =
      connection.get() >= 0 &&
      setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0 &&
      connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  return is_connected ? std::move(connection) : Handle(-1);
}

/// The answer's line; "" if none came.
std::string read_line(const Handle& connection) {
  constexpr std::size_t kLongest = std::size_t{64} * 1024;
  std::string text;
  std::array<char, 1024> block{};
  while (text.size() < kLongest && text.find('\n') == std::string::npos) {
    const ssize_t got = recv(connection.get(), block.data(), block.size(), 0);
    if (got <= 0) {
      break;
    }
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? "" : text.substr(0, end);
}

Error not_an_answer(std::string_view line) {
  return {ErrorCode::Unreadable,
          "this is no answer of an agent: " + std::string(line.substr(0, 100)),
          "",
          {},
          "the process may run another version of opcensus"};
}

/// False if the field has no such value. Unknown fields are of a later version.
bool take_field(std::string_view name, std::string_view value, ProcessWindow& window) {
  if (name == "window") {
    window.is_open = value == "open";
    return window.is_open || value == "closed";
  }
  if (name == "process") {
    window.process = parse_whole<std::int64_t>(value).value_or(0);
    return window.process > 0;
  }
  constexpr std::array<std::pair<std::string_view, std::uint64_t ProcessWindow::*>, 5> kCounts{{
      {"windows", &ProcessWindow::windows},
      {"graph_launches", &ProcessWindow::graph_launches},
      {"device_events", &ProcessWindow::device_events},
      {"lost", &ProcessWindow::lost},
      {"threads", &ProcessWindow::threads},
  }};
  for (const auto& [field, member] : kCounts) {
    if (name == field) {
      const auto number = parse_whole<std::uint64_t>(value);
      window.*member = number.value_or(0);
      return number.has_value();
    }
  }
  return true;
}

}  // namespace

Result<ProcessWindow> parse_window_answer(std::string_view line) {
  ProcessWindow window;
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) {
      return not_an_answer(line);
    }
    const std::string_view name = rest.substr(0, equals);
    rest.remove_prefix(equals + 1);
    if (name == "error") {  // the last one: a sentence
      window.error = std::string(rest);
      return window;
    }
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (!take_field(name, rest.substr(0, end), window)) {
      return not_an_answer(line);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return window.process > 0 ? Result<ProcessWindow>(std::move(window))
                            : Result<ProcessWindow>(not_an_answer(line));
}

Result<std::vector<ProcessWindow>> command_windows(const std::string& folder,
                                                   const std::string& command,
                                                   std::chrono::seconds limit) {
  const Handle place(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (place.get() < 0) {
    return Error{ErrorCode::NotFound,
                 "there is no such folder",
                 folder,
                 {},
                 "give the folder that opcensus record --control -o writes to"};
  }
  std::vector<Asked> asked;
  for (const std::string& name : sockets_in(folder)) {
    Handle connection = connect_in(place, name, limit);
    const std::string line = command + "\n";
    // One that cannot be reached has ended, and left its socket behind.
    if (connection.get() >= 0 && send(connection.get(), line.data(), line.size(), MSG_NOSIGNAL) ==
                                     static_cast<ssize_t>(line.size())) {
      asked.push_back({name, std::move(connection)});
    }
  }
  if (asked.empty()) {
    return Error{ErrorCode::NotFound,
                 "no process of this run listens",
                 folder,
                 {},
                 "start it with opcensus record --control; it listens from its first use of CUDA "
                 "until it ends"};
  }
  std::vector<ProcessWindow> windows;
  for (const Asked& one : asked) {
    const std::string line = read_line(one.connection);
    Result<ProcessWindow> answer = parse_window_answer(line);
    ProcessWindow window;
    if (answer) {
      window = std::move(answer).value();
    } else {
      window.error = line.empty() ? "no answer: it ended, or hangs" : answer.error().message;
    }
    window.name = one.name;
    windows.push_back(std::move(window));
  }
  return windows;
}

std::size_t remove_dead_sockets(const std::string& folder) {
  const Handle place(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::size_t removed = 0;
  for (const std::string& name :
       place.get() < 0 ? std::vector<std::string>() : sockets_in(folder)) {
    const Handle connection = connect_in(place, name, std::chrono::seconds(1));
    // Refused: nobody listens. Anything else may be a process of another machine.
    if (connection.get() < 0 && errno == ECONNREFUSED &&
        unlinkat(place.get(), (name + std::string(kExtension)).c_str(), 0) == 0) {
      ++removed;
    }
  }
  return removed;
}

}  // namespace opcensus
