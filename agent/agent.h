/* SPDX-License-Identifier: Apache-2.0
 *
 * The agent: one owned object, made when the driver loads the library, deliberately leaked at exit
 * (other threads may still be inside a callback).
 *
 * It never harms its host: whatever fails inside switches recording off and lets the process run.
 * Callbacks are noexcept; the launch path takes no contended lock; nothing goes to stdout, and at
 * most a few lines to stderr.
 */
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "agent/control_socket.h"
#include "agent/cupti.h"
#include "agent/definitions.h"
#include "agent/operator_source.h"
#include "agent/recording_file.h"
#include "agent/settings.h"
#include "agent/thread_clock.h"
#include "agent/thread_state.h"
#include "agent/window_plan.h"

namespace opcensus::agent {

class Agent {
 public:
  explicit Agent(Settings settings);

  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  /* Opens the recording and subscribes to CUPTI. False if there is nothing to do. */
  bool start() noexcept;

  /* Writes everything and stops. Thread: the one that exits. */
  void finish() noexcept;

  /* In a forked child: off, and the parent's file is left alone. */
  void abandon() noexcept;

  /* ---- from the torch shim and annotations; thread: any ---- */
  std::uint32_t intern(const char* name,
                       const char* shapes,
                       const char* dtypes,
                       const char* strides,
                       const char* concrete,
                       std::uint32_t kind) noexcept;
  /* The state of the thread that asks, for as long as it lives. Null without memory, and while off:
   * nobody writes or frees it then, and in a forked child its lock may be held for ever. */
  ThreadState* thread() noexcept;
  /* The end of the thread's innermost operator of the domain. Thread: its own. */
  void pop(ThreadState& thread, const void* domain = nullptr) noexcept;
  void set_property(const char* name, const char* value) noexcept;
  void set_listener(void (*wanted)(int)) noexcept;

  /* False before start(), and for good once something has failed. */
  bool is_on() const noexcept { return is_on_.load(std::memory_order_relaxed); }

  /* Only the torch shim listens. */
  bool has_torch_operators() const noexcept {
    return listener_.load(std::memory_order_relaxed) != nullptr;
  }

  /* An operator of this source was pushed. */
  void note_source(OperatorSource source) noexcept { sources_.note(source); }

  /* ---- from CUPTI; thread: any ---- */
  void on_callback(std::uint32_t domain, std::uint32_t id, const void* data) noexcept;
  void on_buffer(std::uint8_t* buffer, std::size_t valid) noexcept;

 private:
  enum class LaunchCallbacks : std::uint8_t { None, KernelNames, All };

  void handle_resource(std::uint32_t id, const cupti::ResourceData& data);
  void handle_api(std::uint32_t domain, std::uint32_t id, const cupti::CallbackData& data);
  void handle_launch(wire::CallKind kind, const cupti::CallbackData& data);
  void handle_capture(wire::CallKind kind, const cupti::CallbackData& data);
  void count_graph_launch();
  void add_node(wire::NodeEvent event,
                wire::NodeKind kind,
                std::uint64_t node,
                std::uint64_t origin);
  void add_device_record(int kind, const void* record, std::vector<wire::DeviceRecord>& out);

  bool subscribe();
  void limit_device_buffers();
  void enable_always_on_callbacks();
  void update_launch_callbacks();
  void enable_activities(bool on);
  void open_window();
  void close_window();
  void take(WindowTurn turn);
  void set_wanted(bool on);
  void load_torch_shim() noexcept;

  void start_threads();
  std::string answer(std::string_view command);
  std::string status();

  void write_periodically() noexcept;
  void write_out(bool flush_cupti) noexcept;
  void describe_devices();
  void tell_operator_source(bool is_last);
  void lose(wire::LossCause cause, std::uint64_t records);

  ThreadState& this_thread();

  bool takes_spans() const noexcept {
    return captures_open_.load(std::memory_order_relaxed) > 0 ||
           window_open_.load(std::memory_order_relaxed);
  }

  const Settings settings_;
  WindowPlan window_plan_;
  Cupti cupti_;
  void* subscriber_ = nullptr;
  bool has_cupti_ = false;

  std::atomic<bool> is_on_{false};
  std::atomic<bool> window_open_{false};
  std::atomic<int> captures_open_{0};
  std::atomic<std::uint64_t> graph_launches_{0};
  std::atomic<std::uint64_t> windows_opened_{0};
  std::atomic<std::uint64_t> device_events_{0};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<void (*)(int)> listener_{nullptr};
  std::atomic<bool> shim_loaded_{false};
  OperatorSources sources_;
  std::string told_source_; /* of write_out */

  Definitions definitions_;
  TickRate<> tick_rate_;
  std::mutex threads_mutex_;
  std::vector<std::unique_ptr<ThreadState>> threads_;

  std::mutex window_mutex_; /* opening and closing */
  std::mutex launch_mutex_; /* which callbacks are on */
  LaunchCallbacks launch_callbacks_ = LaunchCallbacks::None;
  std::mutex flush_mutex_; /* one write_out at a time: rows of a thread stay in order */
  std::mutex write_mutex_; /* the file, and the lists below */
  RecordingFile file_;
  std::vector<wire::WindowRecord> windows_;
  std::vector<wire::LossRecord> losses_;
  std::vector<wire::PropertyRecord> properties_;
  std::vector<wire::DeviceRecord> device_records_;
  std::set<std::uint16_t> devices_seen_;      /* in device_records_ */
  std::set<std::uint16_t> devices_described_; /* of the writer */

  std::mutex wake_mutex_;
  std::condition_variable wake_;
  bool is_finishing_ = false;
  std::thread writer_;
  ControlSocket control_;
  std::thread controller_;
};

/* The one object; null before InitializeInjection. */
Agent* the_agent() noexcept;

}  // namespace opcensus::agent
