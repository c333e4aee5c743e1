// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/trace_info.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "src/base/whole_number.h"

namespace opcensus::import {
namespace {

struct KnownProperty {
  std::string_view name;  ///< in the table
  std::string_view property;
};

constexpr std::array kExportProperties{KnownProperty{"EXPORT_PRODUCT_VERSION", "nsys_version"},
                                       KnownProperty{"EXPORT_TIME_UTC", "export_time_utc"}};
constexpr std::array kCaptureProperties{
    KnownProperty{"CUDA_GRAPH_TRACE_OPTIONS:MODE", "cuda_graph_trace"}};
constexpr std::array kSystemProperties{KnownProperty{"CudaDriverVersion", "cuda_driver_version"},
                                       KnownProperty{"NvDriverVersion", "nvidia_driver_version"}};

constexpr std::size_t kMaxValueBytes = 256;

constexpr std::int64_t kWarning = 2;  // ENUM_DIAGNOSTIC_SEVERITY_LEVEL; 3 is an error
constexpr std::int64_t kError = 3;

template <std::size_t count>
void keep_known(const std::array<KnownProperty, count>& known,
                std::string_view name,
                const std::string& value,
                Trace& trace) {
  for (const KnownProperty& row : known) {
    if (row.name == name && !value.empty()) {
      trace.properties.push_back({std::string(row.property), value.substr(0, kMaxValueBytes)});
    }
  }
}

/// `RANK="3"` or `RANK=3`; nullopt for any other variable.
std::optional<std::int64_t> environment_number(std::string_view text, std::string_view variable) {
  if (!text.starts_with(variable) || text.substr(variable.size(), 1) != "=") {
    return std::nullopt;
  }
  text.remove_prefix(variable.size() + 1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  const auto number = parse_whole<std::int32_t>(text);
  return number && *number >= 0 ? std::optional<std::int64_t>(*number) : std::nullopt;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char byte) {
    return static_cast<char>(std::tolower(byte));
  });
  return text;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

void note_diagnostic(const std::string& text, RowIntake& intake, TraceInfo& info) {
  const std::string plain = lower(text);
  if (contains_any(plain,
                   {"dropped", "overflow", "lost events", "events were lost", "discarded"})) {
    intake.count(Issue::RecordsDropped, std::string_view(text).substr(0, 200));
  } else if (plain.find("not all") != std::string::npos &&
             plain.find("events might have been collected") != std::string::npos) {
    info.may_lack_events = true;
  }
}

Status read_export(RowIntake& intake) {
  return intake.for_each_row({"META_DATA_EXPORT", {"name", "value"}}, [&intake](Statement& row) {
    const std::string name = row.lenient_text();
    const std::string value = row.lenient_text();
    if (name == "EXPORT_SCHEMA_VERSION" && intake.trace().variant.empty()) {
      intake.trace().variant = "schema " + value.substr(0, 32);
    }
    keep_known(kExportProperties, name, value, intake.trace());
    return Status(Done{});
  });
}

Status read_capture(RowIntake& intake, TraceInfo& info) {
  return intake.for_each_row(
      {"META_DATA_CAPTURE", {"name", "value"}}, [&intake, &info](Statement& row) {
        const std::string name = row.lenient_text();
        const std::string value = row.lenient_text();
        keep_known(kCaptureProperties, name, value, intake.trace());
        if (name == "PROFILING_SESSION_UUID") {
          info.session = value.substr(0, 64);
        } else if (name == "PROCESS_0:ENVIRONMENT_VARIABLE") {
          info.rank = info.rank ? info.rank : environment_number(value, "RANK");
          info.world_size =
              info.world_size ? info.world_size : environment_number(value, "WORLD_SIZE");
        }
        return Status(Done{});
      });
}

Status read_system(RowIntake& intake) {
  return intake.for_each_row(
      {"TARGET_INFO_SYSTEM_ENV", {"name", "value"}}, [&intake](Statement& row) {
        const std::string name = row.lenient_text();
        keep_known(kSystemProperties, name, row.lenient_text(), intake.trace());
        return Status(Done{});
      });
}

Status read_processes(RowIntake& intake) {
  return intake.for_each_row({"PROCESSES", {"globalPid", "name"}}, [&intake](Statement& row) {
    const auto global = row.lenient_integer();
    if (global) {
      intake.processes().set_name(process_of_global_id(*global), row.lenient_text());
    }
    return Status(Done{});
  });
}

Status read_diagnostics(RowIntake& intake, TraceInfo& info) {
  return intake.for_each_row({"DIAGNOSTIC_EVENT", {"severity", "text"}},
                             [&intake, &info](Statement& row) {
                               const auto severity = row.lenient_integer();
                               if (severity == kWarning || severity == kError) {
                                 note_diagnostic(row.lenient_text(), intake, info);
                               }
                               return Status(Done{});
                             });
}

}  // namespace

Status read_trace_info(RowIntake& intake, TraceInfo& info) {
  OPCENSUS_CHECK_OK(read_export(intake));
  OPCENSUS_CHECK_OK(read_capture(intake, info));
  OPCENSUS_CHECK_OK(read_system(intake));
  OPCENSUS_CHECK_OK(read_processes(intake));
  return read_diagnostics(intake, info);
}

}  // namespace opcensus::import
