// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/processes.h"

#include <set>

#include <fmt/format.h>

namespace opcensus::import {
namespace {

constexpr std::size_t kMaxNameBytes = 256;

}  // namespace

void Processes::set_name(ProcessKey process, std::string_view name) {
  names_[process] = name.substr(0, kMaxNameBytes);
}

std::string Processes::number_text(ProcessKey process) {
  const std::uint64_t number = process_number(process);
  const auto [first, is_new] = first_with_number_.try_emplace(number, process);
  return is_new || first->second == process ? fmt::format("{}", number)
                                            : fmt::format("{}@{}", number, process >> 24U);
}

ThreadId Processes::thread(std::int64_t global_thread) {
  const auto [entry, is_new] = threads_.try_emplace(global_thread, ThreadId(trace_.threads.size()));
  if (is_new) {
    const ProcessKey process = process_of_global_id(global_thread);
    const auto name = names_.find(process);
    std::string text = number_text(process) + ":";
    if (name != names_.end() && !name->second.empty()) {
      text += " " + name->second;
    }
    const std::uint64_t number = static_cast<std::uint64_t>(global_thread) & 0xffffffU;
    trace_.threads.push_back({strings_.intern(text), strings_.intern(fmt::format("{}", number))});
    process_of_thread_.push_back(process);
  }
  return entry->second;
}

StreamId Processes::stream(std::int64_t device, std::int64_t stream, ProcessKey process) {
  const auto [entry, is_new] =
      streams_.try_emplace(std::tuple(device, stream, process), StreamId(trace_.streams.size()));
  if (is_new) {
    const StringId group =
        process == 0 ? StringId::none() : strings_.intern(number_text(process) + ":");
    trace_.streams.push_back({device, stream, group});
    process_of_stream_.push_back(process);
  }
  return entry->second;
}

ProcessKey Processes::process_of(ThreadId thread) const {
  return process_of_thread_[thread.index()];
}

ProcessKey Processes::process_of(StreamId stream) const {
  return process_of_stream_[stream.index()];
}

std::size_t Processes::device_processes() const {
  return std::set(process_of_stream_.begin(), process_of_stream_.end()).size();
}

void Processes::finish() {
  std::set<ProcessKey> all(process_of_thread_.begin(), process_of_thread_.end());
  all.insert(process_of_stream_.begin(), process_of_stream_.end());
  if (all.size() == 1) {
    for (Stream& stream : trace_.streams) {
      stream.process_group = StringId::none();
    }
  }
}

}  // namespace opcensus::import
