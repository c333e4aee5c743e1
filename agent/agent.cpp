/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/agent.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/agent_api.h"
#include "agent/clock.h"
#include "agent/device_facts.h"
#include "agent/nvtx.h"

namespace opcensus::agent {
namespace {

/* Often enough that kill -9 loses at most this, rarely enough to cost nothing. */
constexpr std::chrono::nanoseconds kWritePeriod = std::chrono::milliseconds(500);

void say(const char* what, const char* detail) noexcept {
  std::fprintf(stderr, "opcensus agent: %s%s\n", what, detail);
}

std::uint32_t thread_id() noexcept {
  return static_cast<std::uint32_t>(::syscall(SYS_gettid));
}

std::uint32_t driver_version() noexcept {
  void* driver = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY);
  if (driver == nullptr) {
    return 0;
  }
  const auto get = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDriverGetVersion"));
  int version = 0;
  const bool known = get != nullptr && get(&version) == 0;
  dlclose(driver);
  return known ? static_cast<std::uint32_t>(version) : 0;
}

/* While one is alive, threads start with every signal blocked: the host's handlers are to run on
 * its own threads. */
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }

  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

Agent::Agent(Settings settings)
    : settings_(std::move(settings)), window_plan_(settings_, now_ns()) {}

ThreadState& Agent::this_thread() {
  /* NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables) */
  thread_local ThreadState* state = nullptr;
  if (state == nullptr) {
    auto fresh = std::make_unique<ThreadState>(thread_id(), tick_rate_);
    ThreadState& made = *fresh;
    {
      const std::lock_guard lock(threads_mutex_);
      threads_.push_back(std::move(fresh));
    }

    /* What other destructors of the thread call after this one gets a state of its own, which
     * stays. */
    struct End {
      ~End() {
        state->end();
        state = nullptr;
      }
    };

    thread_local const End end;
    state = &made;
    hand_over_ranges(*this, made);
  }
  return *state;
}

bool Agent::start() noexcept {
  try {
    if (settings_.directory.empty()) {
      return false;
    }
    const char* reason = "";
    has_cupti_ = load_cupti(cupti_, &reason);
    if (!has_cupti_) {
      say("recording without device events: ", reason);
    }
    wire::FileHeader header{};
    header.magic = wire::kMagic;
    header.version = wire::kVersion;
    header.header_bytes = sizeof(header);
    header.process_id = static_cast<std::uint64_t>(::getpid());
    header.start_ns = now_ns();
    header.driver_version = driver_version();
    header.rank = settings_.rank;
    if (has_cupti_) {
      cupti_.get_version(&header.cupti_version);
    }
    if (!file_.open(settings_.directory, header)) {
      say("off: cannot write ", file_.path().c_str());
      return false;
    }
    is_on_ = true;
    has_cupti_ = has_cupti_ && subscribe();
    load_torch_shim();
    if (window_plan_.opens_at_start()) {
      open_window();
    }
    start_threads();
    return true;
  } catch (...) {
    is_on_ = false;
    return false;
  }
}

void Agent::start_threads() {
  const BlockedSignals blocked;
  writer_ = std::thread([this] { write_periodically(); });
  if (!settings_.control) {
    return;
  }
  const std::string& recording = file_.path();
  const std::string name = recording.substr(recording.rfind('/') + 1);
  if (!control_.open(settings_.directory, name.substr(0, name.rfind('.')) + ".sock")) {
    say("no window by command: cannot make a socket beside ", recording.c_str());
    return;
  }
  controller_ = std::thread(
      [this] { control_.serve([this](std::string_view command) { return answer(command); }); });
}

void Agent::load_torch_shim() noexcept {
  if (settings_.torch_shim.empty() || shim_loaded_.load()) {
    return;
  }
  void* torch = dlopen("libtorch_cpu.so", RTLD_NOLOAD | RTLD_LAZY);
  if (torch == nullptr || shim_loaded_.exchange(true)) {
    return; /* torch is not in this process, or not yet */
  }
  void* shim = dlopen(settings_.torch_shim.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (shim == nullptr) {
    say("no operators of torch: ",
        dlerror()); /* NOLINT(concurrency-mt-unsafe): glibc's is a thread's own */
    return;
  }
  const auto init = reinterpret_cast<int (*)()>(dlsym(shim, "opcensus_torch_init"));
  if (init == nullptr || init() != 0) {
    say("no operators of torch: ", "the shim does not fit this torch");
  }
}

std::uint32_t Agent::intern(const char* name,
                            const char* shapes,
                            const char* dtypes,
                            const char* strides,
                            const char* concrete,
                            std::uint32_t kind) noexcept {
  try {
    if (!is_on_) {
      return 0;
    }
    const bool is_annotation = kind == static_cast<std::uint32_t>(wire::OperatorKind::Annotation);
    const std::uint32_t id = definitions_.op(
        name, shapes, dtypes, strides, concrete, static_cast<wire::OperatorKind>(kind));
    return is_annotation ? id | kAnnotationBit : id;
  } catch (...) {
    return 0;
  }
}

ThreadState* Agent::thread() noexcept {
  try {
    return is_on_ ? &this_thread() : nullptr;
  } catch (...) {
    is_on_ = false;
    return nullptr;
  }
}

void Agent::pop(ThreadState& thread, const void* domain) noexcept {
  try {
    const ThreadState::Ended ended = thread.pop(domain);
    if (ended.op != 0 && is_on_ && takes_spans()) {
      thread.add(&ThreadRecords::spans,
                 wire::SpanRecord{ended.start_ns, thread.now(), ended.op, thread.thread()});
    }
  } catch (...) {
    is_on_ = false;
  }
}

void Agent::set_property(const char* name, const char* value) noexcept {
  try {
    const wire::PropertyRecord record{definitions_.text(name), definitions_.text(value)};
    const std::lock_guard lock(write_mutex_);
    properties_.push_back(record);
  } catch (...) {
    is_on_ = false;
  }
}

void Agent::set_listener(void (*wanted)(int)) noexcept {
  listener_ = wanted;
  if (wanted != nullptr) {
    wanted(takes_spans() ? 1 : 0);
  }
}

void Agent::set_wanted(bool on) {
  if (auto* wanted = listener_.load()) {
    wanted(on ? 1 : 0);
  }
}

void Agent::lose(wire::LossCause cause, std::uint64_t records) {
  lost_ += records;
  const std::lock_guard lock(write_mutex_);
  losses_.push_back({now_ns(), records, static_cast<std::uint32_t>(cause), 0});
}

void Agent::enable_activities(bool on) {
  const auto turn = on ? cupti_.activity_enable : cupti_.activity_disable;
  if (settings_.detail == Detail::Graph) {
    turn(cupti::kActivityGraphTrace);
  }
  for (const int kind :
       {cupti::kActivityConcurrentKernel, cupti::kActivityMemcpy, cupti::kActivityMemset}) {
    turn(kind);
  }
}

void Agent::open_window() {
  const std::lock_guard lock(window_mutex_);
  if (!has_cupti_ || window_open_) {
    return;
  }
  window_open_ = true;
  update_launch_callbacks();
  enable_activities(true);
  set_wanted(true);
  ++windows_opened_;
  const std::lock_guard write_lock(write_mutex_);
  windows_.push_back({now_ns(), 0, static_cast<std::uint32_t>(settings_.detail)});
}

void Agent::close_window() {
  const std::lock_guard lock(window_mutex_);
  if (!window_open_) {
    return;
  }
  window_open_ = false;
  update_launch_callbacks();
  enable_activities(false);
  set_wanted(captures_open_ > 0);
  const std::lock_guard write_lock(write_mutex_);
  windows_.push_back({now_ns(), 1, static_cast<std::uint32_t>(settings_.detail)});
}

void Agent::take(WindowTurn turn) {
  if (turn == WindowTurn::Open) {
    open_window();
  } else if (turn == WindowTurn::Close) {
    close_window();
  }
}

std::string Agent::answer(std::string_view command) {
  const auto number_after = [command](std::string_view word) {
    const std::size_t at = command.find(word);
    return at == std::string_view::npos
               ? std::uint64_t{0}
               : std::strtoull(std::string(command.substr(at + word.size())).c_str(), nullptr, 10);
  };
  constexpr std::uint64_t kNever = WindowPlan::kNever;
  if (command.substr(0, 5) == "start") {
    const std::uint64_t launches = number_after(" launches=");
    const std::uint64_t seconds = number_after(" seconds=");
    window_plan_.close_at(kNever, kNever); /* what was planned before */
    open_window();
    /* Counted from the open window: a launch on the way is in it beside the N, never one of them
     * that came too early to be in it. */
    window_plan_.close_at(launches == 0 ? kNever : graph_launches_ + launches,
                          seconds == 0 ? kNever : now_ns() + seconds * 1'000'000'000);
    wake_.notify_all(); /* there may be a time to wait for now */
  } else if (command == "stop") {
    window_plan_.close_at(kNever, kNever);
    close_window();
    write_out(true); /* what was in the window is in the file when the answer comes */
  } else if (command != "status") {
    return "error=the commands are: start [launches=N] [seconds=S], stop, status";
  }
  return status();
}

std::string Agent::status() {
  const auto threads = [this] {
    const std::lock_guard lock(threads_mutex_);
    return threads_.size();
  }();
  return "process=" + std::to_string(::getpid()) + " window=" + (window_open_ ? "open" : "closed") +
         " windows=" + std::to_string(windows_opened_) +
         " graph_launches=" + std::to_string(graph_launches_) +
         " device_events=" + std::to_string(device_events_) + " lost=" + std::to_string(lost_) +
         " threads=" + std::to_string(threads) +
         (has_cupti_ ? "" : " error=no device events: CUPTI is missing, or another tool holds it");
}

void Agent::write_periodically() noexcept {
  std::unique_lock lock(wake_mutex_);
  tick_rate_.measure();
  while (!is_finishing_) {
    wake_.wait_for(lock, window_plan_.wait_from(now_ns(), kWritePeriod));
    lock.unlock();
    try {
      take(window_plan_.at_time(now_ns()));
    } catch (...) {
      is_on_ = false;
    }
    tick_rate_.measure();
    load_torch_shim();
    write_out(true);
    lock.lock();
  }
}

void Agent::write_out(bool flush_cupti) noexcept {
  try {
    const std::lock_guard flush_lock(flush_mutex_);
    tell_operator_source(!flush_cupti);
    if (flush_cupti && has_cupti_ && windows_opened_ > 0) {
      cupti_.flush_all(0);
      describe_devices();
    }
    ThreadRecords records;
    std::uint64_t lost = 0;
    {
      const std::lock_guard lock(threads_mutex_);
      std::erase_if(threads_, [&](const std::unique_ptr<ThreadState>& thread) {
        const bool has_ended = thread->has_ended(); /* before its last records are taken */
        const ThreadRecords& taken = thread->take();
        records.spans.insert(records.spans.end(), taken.spans.begin(), taken.spans.end());
        records.calls.insert(records.calls.end(), taken.calls.begin(), taken.calls.end());
        records.nodes.insert(records.nodes.end(), taken.nodes.begin(), taken.nodes.end());
        records.node_names.insert(
            records.node_names.end(), taken.node_names.begin(), taken.node_names.end());
        lost += thread->take_lost();
        return has_ended;
      });
    }
    if (lost > 0) {
      lose(wire::LossCause::BufferLimit, lost);
    }
    const std::lock_guard lock(write_mutex_);
    const auto device_records = std::exchange(device_records_, {});
    const auto windows = std::exchange(windows_, {});
    const auto losses = std::exchange(losses_, {});
    const auto properties = std::exchange(properties_, {});
    /* Last, so that every definition that the records above use is in it; written first. */
    const Definitions::Pending defined = definitions_.take();
    const auto append = [this](wire::ChunkType type, const auto& rows) {
      if (!rows.empty()) {
        file_.append(type, rows.data(), rows.size() * sizeof(rows[0]), sizeof(rows[0]));
      }
    };
    if (!defined.texts.empty()) {
      file_.append(
          wire::ChunkType::Text, defined.texts.data(), defined.texts.size(), defined.texts.size());
    }
    append(wire::ChunkType::Operator, defined.operators);
    append(wire::ChunkType::Property, properties);
    append(wire::ChunkType::Window, windows);
    append(wire::ChunkType::Span, records.spans);
    append(wire::ChunkType::Node, records.nodes);
    append(wire::ChunkType::NodeName, records.node_names);
    append(wire::ChunkType::Call, records.calls);
    append(wire::ChunkType::Device, device_records);
    append(wire::ChunkType::Loss, losses);
  } catch (...) {
    is_on_ = false;
  }
}

/* Again when a better one comes; readers take the last. A process that is killed early and never
 * told an operator has no such property. */
void Agent::tell_operator_source(bool is_last) {
  const std::string source = sources_.best();
  if (source != told_source_ && (is_last || source != "none")) {
    told_source_ = source;
    set_property("operator_source", source.c_str());
  }
}

void Agent::describe_devices() {
  std::set<std::uint16_t> seen;
  {
    const std::lock_guard lock(write_mutex_);
    seen = devices_seen_;
  }
  for (const std::uint16_t device : seen) {
    if (devices_described_.insert(device).second) {
      for (const auto& [name, value] : device_facts(device)) {
        set_property(name.c_str(), value.c_str());
      }
    }
  }
}

void Agent::finish() noexcept {
  if (!is_on_.exchange(false)) {
    return;
  }
  {
    const std::lock_guard lock(wake_mutex_);
    is_finishing_ = true;
  }
  wake_.notify_all();
  control_.stop();
  for (std::thread* thread : {&writer_, &controller_}) {
    if (thread->joinable()) {
      thread->join();
    }
  }
  if (has_cupti_) {
    cupti_.flush_all(1); /* forced: kernels that have not ended are lost anyway */
  }
  write_out(false);
}

void Agent::abandon() noexcept {
  is_on_ = false;
  has_cupti_ = false;
  file_.abandon();
  control_.abandon(); /* the threads are left as they are: they exist in the parent only */
}

}  // namespace opcensus::agent
