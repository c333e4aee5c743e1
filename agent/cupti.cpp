/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/cupti.h"

#include <cstdlib>
#include <string>

#include <dlfcn.h>

namespace opcensus::agent {
namespace {

constexpr const char* kSonames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8"};

/* Beside the CUDA runtime that torch's wheels bring: nvidia/cu13/lib, nvidia/cuda_cupti/lib. */
void* open_beside_runtime() {
  for (const char* runtime : {"libcudart.so.13", "libcudart.so.12"}) {
    void* handle = dlopen(runtime, RTLD_NOLOAD | RTLD_LAZY);
    if (handle == nullptr) {
      continue;
    }
    Dl_info info{};
    void* symbol = dlsym(handle, "cudaGetDevice");
    const bool known = symbol != nullptr && dladdr(symbol, &info) != 0 && info.dli_fname != nullptr;
    dlclose(handle);
    if (!known) {
      continue;
    }
    const std::string path(info.dli_fname);
    const std::string folder = path.substr(0, path.rfind('/'));
    for (const char* soname : kSonames) {
      for (const std::string& candidate :
           {folder + "/" + soname, folder + "/../../cuda_cupti/lib/" + soname}) {
        if (void* found = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
          return found;
        }
      }
    }
  }
  return nullptr;
}

void* open_library() {
  /* For tests and unusual installations. NOLINTNEXTLINE(concurrency-mt-unsafe): in cuInit, once */
  if (const char* path = std::getenv("OPCENSUS_CUPTI")) {
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  for (const char* soname : kSonames) {
    if (void* found = dlopen(soname, RTLD_NOLOAD | RTLD_NOW)) {
      return found;
    }
  }
  if (void* found = open_beside_runtime()) {
    return found;
  }
  for (const char* soname : kSonames) {
    if (void* found = dlopen(soname, RTLD_NOW | RTLD_LOCAL)) {
      return found;
    }
  }
  for (const char* folder : {"/usr/local/cuda/extras/CUPTI/lib64/", "/usr/local/cuda/lib64/"}) {
    for (const char* soname : kSonames) {
      if (void* found = dlopen((std::string(folder) + soname).c_str(), RTLD_NOW | RTLD_LOCAL)) {
        return found;
      }
    }
  }
  return nullptr;
}

template <class Function>
bool bind(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

bool load_cupti(Cupti& out, const char** reason) {
  void* library = open_library();
  if (library == nullptr) {
    *reason = "libcupti was not found: install the nvidia-cuda-cupti wheel or the CUDA toolkit";
    return false;
  }
  const bool complete = bind(library, "cuptiGetVersion", out.get_version) &&
                        bind(library, "cuptiSubscribe", out.subscribe) &&
                        bind(library, "cuptiEnableCallback", out.enable_callback) &&
                        bind(library, "cuptiActivityEnable", out.activity_enable) &&
                        bind(library, "cuptiActivityDisable", out.activity_disable) &&
                        bind(library, "cuptiActivityRegisterCallbacks", out.register_callbacks) &&
                        bind(library, "cuptiActivityGetNextRecord", out.next_record) &&
                        bind(library, "cuptiActivityFlushAll", out.flush_all) &&
                        bind(library, "cuptiActivityGetNumDroppedRecords", out.dropped_records) &&
                        bind(library, "cuptiGetGraphId", out.graph_id) &&
                        bind(library, "cuptiGetGraphNodeId", out.graph_node_id) &&
                        bind(library, "cuptiGetResultString", out.result_string);
  bind(library, "cuptiSubscribe_v2", out.subscribe_v2);
  bind(library, "cuptiGetGraphExecId", out.graph_exec_id);
  bind(library, "cuptiActivitySetAttribute", out.set_attribute);
  if (!complete) {
    *reason = "this libcupti is too old: opcensus needs CUPTI 12 or later";
  }
  return complete;
}

}  // namespace opcensus::agent
