/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/device_facts.h"

#include <cstddef>

#include <dlfcn.h>

namespace opcensus::agent {
namespace {

/* CUdevice_attribute, from cuda.h: the same numbers since CUDA 2. */
constexpr int kMultiprocessors = 16;
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;

/* The driver's functions; all null where it is not loaded. */
struct Driver {
  int (*get)(int* device, int ordinal) = nullptr;
  int (*name)(char* name, int length, int device) = nullptr;
  int (*attribute)(int* value, int attribute, int device) = nullptr;
  int (*memory)(std::size_t* bytes, int device) = nullptr;

  explicit Driver(void* library) {
    if (library != nullptr) {
      get = reinterpret_cast<decltype(get)>(dlsym(library, "cuDeviceGet"));
      name = reinterpret_cast<decltype(name)>(dlsym(library, "cuDeviceGetName"));
      attribute = reinterpret_cast<decltype(attribute)>(dlsym(library, "cuDeviceGetAttribute"));
      memory = reinterpret_cast<decltype(memory)>(dlsym(library, "cuDeviceTotalMem_v2"));
    }
  }

  [[nodiscard]] int attribute_of(int device, int wanted) const {
    int value = 0;
    return attribute != nullptr && attribute(&value, wanted, device) == 0 ? value : 0;
  }
};

}  // namespace

std::vector<std::pair<std::string, std::string>> device_facts(std::uint16_t device) {
  std::vector<std::pair<std::string, std::string>> facts;
  const Driver driver(dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY));
  int handle = 0;
  if (driver.get == nullptr || driver.get(&handle, device) != 0) {
    return facts;
  }
  const std::string prefix = "device." + std::to_string(device) + ".";
  char name[256] = "";
  if (driver.name != nullptr && driver.name(name, sizeof(name) - 1, handle) == 0) {
    facts.emplace_back(prefix + "name", name);
  }
  if (const int major = driver.attribute_of(handle, kCapabilityMajor)) {
    facts.emplace_back(prefix + "compute_capability",
                       std::to_string(major) + "." +
                           std::to_string(driver.attribute_of(handle, kCapabilityMinor)));
  }
  if (const int count = driver.attribute_of(handle, kMultiprocessors)) {
    facts.emplace_back(prefix + "multiprocessors", std::to_string(count));
  }
  std::size_t bytes = 0;
  if (driver.memory != nullptr && driver.memory(&bytes, handle) == 0) {
    facts.emplace_back(prefix + "memory_bytes", std::to_string(bytes));
  }
  return facts;
}

}  // namespace opcensus::agent
