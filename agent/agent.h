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
#include <thread>
#include <vector>

#include "agent/cupti.h"
#include "agent/definitions.h"
#include "agent/recording_file.h"
#include "agent/settings.h"
#include "agent/thread_state.h"

namespace opcensus::agent {

class Agent {
 public:
  explicit Agent(Settings settings) : settings_(std::move(settings)) {}

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
  void push(std::uint32_t tagged_op) noexcept;
  void pop() noexcept;
  void set_property(const char* name, const char* value) noexcept;
  void set_listener(void (*wanted)(int)) noexcept;

  /* ---- from CUPTI; thread: any ---- */
  void on_callback(std::uint32_t domain, std::uint32_t id, const void* data) noexcept;
  void on_buffer(std::uint8_t* buffer, std::size_t valid) noexcept;

 private:
  void handle_resource(std::uint32_t id, const cupti::ResourceData& data);
  void handle_api(std::uint32_t domain, std::uint32_t id, const cupti::CallbackData& data);
  void handle_launch(wire::CallKind kind, const cupti::CallbackData& data);
  void handle_capture(bool begins, const cupti::CallbackData& data);
  void count_graph_launch();
  void add_node(wire::NodeEvent event,
                wire::NodeKind kind,
                std::uint64_t node,
                std::uint64_t origin);
  void add_device_record(int kind, const void* record, std::vector<wire::DeviceRecord>& out);

  bool subscribe();
  void enable_always_on_callbacks();
  void enable_launch_callbacks(bool on);
  void open_window();
  void close_window();
  void set_wanted(bool on);
  void load_torch_shim() noexcept;

  void write_periodically() noexcept;
  void write_out(bool flush_cupti) noexcept;
  void lose(wire::LossCause cause, std::uint64_t records);

  ThreadState& this_thread();

  bool takes_spans() const noexcept {
    return captures_open_.load(std::memory_order_relaxed) > 0 ||
           window_open_.load(std::memory_order_relaxed);
  }

  const Settings settings_;
  Cupti cupti_;
  void* subscriber_ = nullptr;
  bool has_cupti_ = false;

  std::atomic<bool> is_on_{false};
  std::atomic<bool> window_open_{false};
  std::atomic<int> captures_open_{0};
  std::atomic<std::uint64_t> graph_launches_{0};
  std::atomic<void (*)(int)> listener_{nullptr};
  std::atomic<bool> shim_loaded_{false};

  Definitions definitions_;
  std::mutex threads_mutex_;
  std::vector<std::unique_ptr<ThreadState>> threads_;

  std::mutex window_mutex_; /* opening and closing */
  std::mutex write_mutex_;  /* the file, and the lists below */
  RecordingFile file_;
  std::vector<wire::WindowRecord> windows_;
  std::vector<wire::LossRecord> losses_;
  std::vector<wire::PropertyRecord> properties_;
  std::vector<wire::DeviceRecord> device_records_;

  std::mutex wake_mutex_;
  std::condition_variable wake_;
  bool is_finishing_ = false;
  std::thread writer_;
};

/* The one object; null before InitializeInjection. */
Agent* the_agent() noexcept;

}  // namespace opcensus::agent
