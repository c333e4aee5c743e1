// SPDX-License-Identifier: Apache-2.0
#include "src/launch/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace opcensus {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kCannotRun = 127;  // of the child, before it is another program

/// What a child does between fork and exec; prepared before the fork, since little is allowed
/// after.
struct Launch {
  std::vector<char*> words;
  std::vector<char*> environment;  // empty: this process's own

  Launch(const std::vector<std::string>& command, const std::vector<std::string>& variables)
      : words(pointers(command)) {
    if (!variables.empty()) {
      environment = pointers(variables);
    }
  }

 private:
  static std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (const std::string& text : texts) {
      result.push_back(const_cast<char*>(text.c_str()));  // exec does not write
    }
    result.push_back(nullptr);
    return result;
  }
};

struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  ~Pipe() {
    close_end(read);
    close_end(write);
  }

  [[nodiscard]] bool open() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      return false;
    }
    read = ends[0];
    write = ends[1];
    return true;
  }

  static void close_end(int& end) {
    if (end >= 0) {
      close(end);
      end = -1;
    }
  }
};

Error cannot_run(const std::string& program, int number) {
  return {number == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable,
          "cannot run it: " + std::string(std::strerror(number)),  // NOLINT(concurrency-mt-unsafe)
          program,
          {},
          ""};
}

int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/// In the child. Tells the parent why, if the program cannot be run.
[[noreturn]] void become(const Launch& launch, int failure) {
  if (launch.environment.empty()) {
    execvp(launch.words[0], launch.words.data());
  } else {
    execvpe(launch.words[0], launch.words.data(), launch.environment.data());
  }
  const int number = errno;
  const ssize_t written = write(failure, &number, sizeof(number));
  _exit(written < 0 ? kCannotRun + 1 : kCannotRun);
}

/// In the parent: waits until the child is another program, or says why it is not (its errno).
int failure_of(Pipe& failure) {
  Pipe::close_end(failure.write);
  int number = 0;
  ssize_t got = 0;
  do {
    got = read(failure.read, &number, sizeof(number));
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof(number)) ? number : 0;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status_of(status);
}

/// Appends what comes until the end or the deadline; false at the deadline.
bool read_until(int end, Clock::time_point deadline, std::string& out) {
  std::array<char, 4096> block{};
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd ready{end, POLLIN, 0};
    const int polled = poll(&ready, 1, left > 0 ? static_cast<int>(left) : 0);
    if (polled == 0) {
      return false;
    }
    const ssize_t got = polled < 0 ? -1 : read(end, block.data(), block.size());
    if (got == 0 || (got < 0 && errno != EINTR)) {
      return true;
    }
    out.append(block.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  }
}

void connect_captured(int output, StandardError standard_error) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(standard_error == StandardError::WithOutput ? output : nothing, STDERR_FILENO);
}

/// Blocks the signals that are passed on, and puts everything back as it was.
class PassedSignals {
 public:
  PassedSignals() {
    sigemptyset(&set_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD}) {
      sigaddset(&set_, signal);
    }

    // An ignored SIGCHLD would let the kernel forget the target's status.
    struct sigaction standard {};

    standard.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &standard, &old_child_action_);
    sigprocmask(SIG_BLOCK, &set_, &old_mask_);  // NOLINT(concurrency-mt-unsafe): one thread
  }

  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;

  ~PassedSignals() { restore(); }

  /// In the child, too: the target starts as if it had been started directly.
  void restore() const {
    sigaction(SIGCHLD, &old_child_action_, nullptr);
    sigprocmask(SIG_SETMASK, &old_mask_, nullptr);  // NOLINT(concurrency-mt-unsafe): one thread
  }

  /// Until the child ends. A signal from the terminal's keys went to the whole process group: the
  /// child has it already.
  [[nodiscard]] int pass_on_to(pid_t child) const {
    while (true) {
      siginfo_t info{};
      const int signal = sigwaitinfo(&set_, &info);
      if (signal == SIGCHLD) {
        if (const std::optional<int> status = poll_status(child)) {
          return *status;
        }
      } else if (signal > 0 && info.si_code != SI_KERNEL) {
        kill(child, signal);
      }
    }
  }

 private:
  static std::optional<int> poll_status(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) != child) {
      return std::nullopt;
    }
    return status_of(status);
  }

  sigset_t set_{};
  sigset_t old_mask_{};

  struct sigaction old_child_action_ {};
};

}  // namespace

Result<Finished> run_captured(const std::vector<std::string>& command,
                              std::chrono::seconds limit,
                              StandardError standard_error) {
  const Launch launch(command, {});
  Pipe output;
  Pipe failure;
  if (!output.open() || !failure.open()) {
    return cannot_run(command.front(), errno);
  }
  const pid_t child = fork();
  if (child < 0) {
    return cannot_run(command.front(), errno);
  }
  if (child == 0) {
    setpgid(0, 0);  // so that a compiler's own children end with it
    connect_captured(output.write, standard_error);
    become(launch, failure.write);
  }
  Pipe::close_end(output.write);
  if (const int number = failure_of(failure)) {
    wait_for(child);
    return cannot_run(command.front(), number);
  }
  Finished finished;
  finished.is_timed_out = !read_until(output.read, Clock::now() + limit, finished.out);
  if (finished.is_timed_out) {
    kill(-child, SIGKILL);
  }
  finished.status = wait_for(child);
  return finished;
}

Result<int> run_target(const std::vector<std::string>& command,
                       const std::vector<std::string>& environment) {
  const Launch launch(command, environment);
  Pipe failure;
  if (!failure.open()) {
    return cannot_run(command.front(), errno);
  }
  const PassedSignals signals;
  const pid_t child = fork();
  if (child < 0) {
    return cannot_run(command.front(), errno);
  }
  if (child == 0) {
    signals.restore();
    become(launch, failure.write);
  }
  if (const int number = failure_of(failure)) {
    wait_for(child);
    return cannot_run(command.front(), number);
  }
  return signals.pass_on_to(child);
}

}  // namespace opcensus
