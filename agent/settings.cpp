/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/settings.h"

#include <cstdlib>
#include <cstring>

namespace opcensus::agent {
namespace {

const char* environment(const char* name) {
  const char* value = std::getenv(name); /* NOLINT(concurrency-mt-unsafe): in cuInit, once */
  return value == nullptr ? "" : value;
}

/* "B" or "A..B" after `prefix`; false if `text` is something else. */
bool read_range(const char* text, const char* prefix, Settings& settings) {
  const std::size_t length = std::strlen(prefix);
  if (std::strncmp(text, prefix, length) != 0) {
    return false;
  }
  char* rest = nullptr;
  settings.window_end = std::strtoull(text + length, &rest, 10);
  if (std::strncmp(rest, "..", 2) == 0) {
    settings.window_begin = settings.window_end;
    settings.window_end = std::strtoull(rest + 2, nullptr, 10);
  }
  return true;
}

void read_window(const char* text, Settings& settings) {
  if (std::strcmp(text, "none") == 0) {
    settings.window = WindowMode::None;
  } else if (read_range(text, "launches=", settings)) {
    settings.window = WindowMode::Launches;
  } else if (read_range(text, "seconds=", settings)) {
    settings.window = WindowMode::Seconds;
  } else if (read_range(text, "every=", settings)) {
    settings.window = WindowMode::Every;
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
  settings.control = std::strcmp(environment("OPCENSUS_CONTROL"), "1") == 0;
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
