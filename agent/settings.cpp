/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/settings.h"

#include <cstdlib>
#include <cstring>

namespace opcensus::agent {
namespace {

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/* The number after `prefix`, or 0. */
std::uint64_t number_after(const char* text, const char* prefix) {
  const std::size_t length = std::strlen(prefix);
  return std::strncmp(text, prefix, length) == 0 ? std::strtoull(text + length, nullptr, 10) : 0;
}

void read_window(const char* text, Settings& settings) {
  if (std::strcmp(text, "none") == 0) {
    settings.window = WindowMode::None;
  } else if (const std::uint64_t launches = number_after(text, "launches=")) {
    settings.window = WindowMode::Launches;
    settings.window_launches = launches;
  } else if (const std::uint64_t every = number_after(text, "every=")) {
    settings.window = WindowMode::Every;
    settings.window_launches = every;
  }
}

}  // namespace

Settings read_settings() {
  Settings settings;
  settings.directory = environment("OPCENSUS_DIR");
  settings.torch_shim = environment("OPCENSUS_TORCH_SHIM");
  settings.detail =
      std::strcmp(environment("OPCENSUS_DETAIL"), "graph") == 0 ? Detail::Graph : Detail::Node;
  read_window(environment("OPCENSUS_WINDOW"), settings);
  for (const char* name : {"RANK", "LOCAL_RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"}) {
    const char* value = environment(name);
    if (*value != 0) {
      settings.rank = std::strtoll(value, nullptr, 10);
      break;
    }
  }
  return settings;
}

}  // namespace opcensus::agent
