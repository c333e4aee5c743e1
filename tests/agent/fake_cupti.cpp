// SPDX-License-Identifier: Apache-2.0
#include "tests/agent/fake_cupti.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "agent/cupti_abi.h"

namespace {

namespace cupti = opcensus::agent::cupti;

constexpr std::size_t kRecordBytes = 256;

struct FakeRecord {
  alignas(8) std::uint8_t bytes[kRecordBytes] = {};

  template <class Field>
  void set(std::size_t offset, Field value) {
    std::memcpy(bytes + offset, &value, sizeof(value));
  }
};

struct FakeCupti {
  std::mutex mutex;
  cupti::Callback callback = nullptr;
  void* user = nullptr;
  cupti::BufferRequested requested = nullptr;
  cupti::BufferCompleted completed = nullptr;
  std::set<std::pair<std::uint32_t, std::uint32_t>> enabled;
  std::set<int> kinds;
  std::map<int, std::size_t> attributes;
  std::vector<FakeRecord> queued;
  std::uint64_t dropped = 0;
  int subscribe_result = 0;
};

FakeCupti& fake() {
  static FakeCupti instance;
  return instance;
}

bool is_enabled(std::uint32_t domain, std::uint32_t id) {
  const std::lock_guard lock(fake().mutex);
  return fake().callback != nullptr && fake().enabled.count({domain, id}) > 0;
}

void* as_handle(std::uint64_t id) {
  void* handle = nullptr;
  std::memcpy(&handle, &id, sizeof(handle));
  return handle;
}

std::uint64_t as_id(void* handle) {
  std::uint64_t id = 0;
  std::memcpy(&id, &handle, sizeof(id));
  return id;
}

void queue(int kind, const FakeRecord& record) {
  const std::lock_guard lock(fake().mutex);
  if (fake().kinds.count(kind) > 0) {
    fake().queued.push_back(record);
  }
}

void call_back(std::uint32_t domain, std::uint32_t id, cupti::CallbackData& data) {
  if (is_enabled(domain, id)) {
    int result = 0;
    data.function_return_value = &result;
    fake().callback(fake().user, domain, id, &data);
  }
}

}  // namespace

extern "C" {

int cuptiGetVersion(std::uint32_t* version) {
  *version = 130001;
  return 0;
}

int cuptiSubscribe(void** subscriber, cupti::Callback callback, void* user) {
  if (fake().subscribe_result != 0) {
    return fake().subscribe_result;
  }
  const std::lock_guard lock(fake().mutex);
  *subscriber = &fake();
  fake().callback = callback;
  fake().user = user;
  return 0;
}

int cuptiEnableCallback(std::uint32_t enable,
                        void* /*subscriber*/,
                        std::uint32_t domain,
                        std::uint32_t id) {
  const std::lock_guard lock(fake().mutex);
  if (enable != 0) {
    fake().enabled.insert({domain, id});
  } else {
    fake().enabled.erase({domain, id});
  }
  return 0;
}

int cuptiActivitySetAttribute(int attribute, std::size_t* size, void* value) {
  if (*size != sizeof(std::size_t)) {
    return 1;
  }
  const std::lock_guard lock(fake().mutex);
  std::memcpy(&fake().attributes[attribute], value, sizeof(std::size_t));
  return 0;
}

int cuptiActivityEnable(int kind) {
  const std::lock_guard lock(fake().mutex);
  fake().kinds.insert(kind);
  return 0;
}

int cuptiActivityDisable(int kind) {
  const std::lock_guard lock(fake().mutex);
  fake().kinds.erase(kind);
  return 0;
}

int cuptiActivityRegisterCallbacks(cupti::BufferRequested requested,
                                   cupti::BufferCompleted completed) {
  const std::lock_guard lock(fake().mutex);
  fake().requested = requested;
  fake().completed = completed;
  return 0;
}

int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, void** record) {
  auto* next = *record == nullptr ? buffer : static_cast<std::uint8_t*>(*record) + kRecordBytes;
  if (next + kRecordBytes > buffer + valid) {
    return 12;  // CUPTI_ERROR_MAX_LIMIT_REACHED
  }
  *record = next;
  return 0;
}

int cuptiActivityFlushAll(std::uint32_t /*flag*/) {
  std::vector<FakeRecord> records;
  cupti::BufferRequested requested = nullptr;
  cupti::BufferCompleted completed = nullptr;
  {
    const std::lock_guard lock(fake().mutex);
    std::swap(records, fake().queued);
    requested = fake().requested;
    completed = fake().completed;
  }
  for (std::size_t done = 0; done < records.size();) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t max_records = 0;
    requested(&buffer, &size, &max_records);
    const std::size_t count = std::min(records.size() - done, size / kRecordBytes);
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(buffer + i * kRecordBytes, records[done + i].bytes, kRecordBytes);
    }
    done += count;
    completed(nullptr, 0, buffer, size, count * kRecordBytes);
  }
  return 0;
}

int cuptiActivityGetNumDroppedRecords(void* /*context*/,
                                      std::uint32_t /*stream*/,
                                      std::size_t* dropped) {
  const std::lock_guard lock(fake().mutex);
  *dropped = std::exchange(fake().dropped, 0);
  return 0;
}

int cuptiGetGraphId(void* graph, std::uint32_t* id) {
  *id = static_cast<std::uint32_t>(as_id(graph));
  return 0;
}

int cuptiGetGraphNodeId(void* node, std::uint64_t* id) {
  *id = as_id(node);
  return 0;
}

int cuptiGetGraphExecId(void* exec, std::uint32_t* id) {
  *id = static_cast<std::uint32_t>(as_id(exec));
  return 0;
}

int cuptiGetResultString(int /*result*/, const char** text) {
  *text = "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED";
  return 0;
}

void fake_cupti_resource(std::uint32_t id,
                         std::uint64_t graph,
                         std::uint64_t original_graph,
                         std::uint64_t node,
                         std::uint64_t original_node,
                         std::uint64_t exec) {
  if (!is_enabled(cupti::kResource, id)) {
    return;
  }
  cupti::GraphData graph_data{as_handle(graph),
                              as_handle(original_graph),
                              as_handle(node),
                              as_handle(original_node),
                              0,
                              nullptr,
                              as_handle(exec)};
  cupti::ResourceData data{nullptr, nullptr, &graph_data};
  fake().callback(fake().user, cupti::kResource, id, &data);
}

void fake_cupti_api(std::uint32_t domain,
                    std::uint32_t id,
                    bool enter,
                    std::uint32_t correlation,
                    std::uint64_t exec) {
  void* parameters[2] = {as_handle(exec), nullptr};
  cupti::CallbackData data{};
  data.site = enter ? 0 : 1;
  data.function_params = parameters;
  data.correlation_id = correlation;
  call_back(domain, id, data);
}

void fake_cupti_launch(bool enter, std::uint32_t correlation, const char* symbol) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kRuntimeCall{cupti::kRuntimeApi, 211};
  constexpr std::pair<std::uint32_t, std::uint32_t> kDriverCall{cupti::kDriverApi, 307};
  cupti::CallbackData data{};
  data.site = enter ? 0 : 1;
  data.symbol_name = symbol;
  data.correlation_id = correlation;
  for (const auto& [domain, id] :
       {enter ? kRuntimeCall : kDriverCall, enter ? kDriverCall : kRuntimeCall}) {
    call_back(domain, id, data);
  }
}

void fake_cupti_kernel(const char* name,
                       std::uint64_t start,
                       std::uint64_t node,
                       std::uint32_t correlation,
                       std::uint32_t grid) {
  namespace k = cupti::kernel;
  FakeRecord record;
  record.set(0, cupti::kActivityConcurrentKernel);
  record.set(k::kStart, start);
  record.set(k::kEnd, start == 0 ? 0 : start + 1000);
  record.set(k::kStream, std::uint32_t{7});
  record.set(k::kCorrelation, correlation);
  record.set(k::kName, name);
  record.set(k::kGraphNode, node);
  for (std::size_t i = 0; i < 3; ++i) {
    record.set(k::kGrid + 4 * i, i == 0 ? grid : std::uint32_t{1});
    record.set(k::kBlock + 4 * i, std::uint32_t{32});
  }
  queue(cupti::kActivityConcurrentKernel, record);
}

void fake_cupti_memset(std::uint64_t start, std::uint64_t node, std::uint32_t correlation) {
  namespace s = cupti::memset_record;
  FakeRecord record;
  record.set(0, cupti::kActivityMemset);
  record.set(s::kStart, start);
  record.set(s::kEnd, start + 500);
  record.set(s::kBytes, std::uint64_t{64});
  record.set(s::kStream, std::uint32_t{7});
  record.set(s::kCorrelation, correlation);
  record.set(s::kGraphNode, node);
  queue(cupti::kActivityMemset, record);
}

void fake_cupti_drop(std::uint64_t records) {
  const std::lock_guard lock(fake().mutex);
  fake().dropped = records;
}

std::uint64_t fake_cupti_attribute(int attribute) {
  const std::lock_guard lock(fake().mutex);
  return fake().attributes[attribute];
}

void fake_cupti_refuse(int result) {
  fake().subscribe_result = result;
}
}
