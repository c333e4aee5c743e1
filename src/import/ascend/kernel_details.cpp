// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/kernel_details.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "src/base/decimal.h"
#include "src/base/whole_number.h"
#include "src/import/ascend/csv_rows.h"
#include "src/import/ascend/input_lists.h"
#include "src/io/byte_source.h"

namespace opcensus::import::ascend {
namespace {

StringId intern_or_none(std::string_view text, StringTable& strings) {
  return text.empty() ? StringId::none() : strings.intern(text);
}

/// Where the columns stand that are read; both tools' names, old and new.
struct Columns {
  using Place = std::optional<std::size_t>;

  explicit Columns(const std::vector<std::string>& cells) {
    const CsvHeader header(cells);
    const auto find = [&header](std::initializer_list<std::string_view> names) {
      for (const std::string_view candidate : names) {
        if (const auto place = header.find(candidate)) {
          return Place(place);
        }
      }
      return Place();
    };
    name = find({"Name", "Op Name"});
    type = find({"Type", "OP Type"});
    start = find({"Start Time(us)", "Task Start Time(us)"});
    duration = find({"Duration(us)", "Task Duration(us)"});
    blocks = find({"Block Dim", "Block Num"});
    device = find({"Device_id"});
    model = find({"Model ID"});
    task = find({"Task ID"});
    stream = find({"Stream ID"});
    context = find({"Context ID"});
    input_shapes = find({"Input Shapes"});
    input_dtypes = find({"Input Data Types"});
    input_formats = find({"Input Formats"});
    output_shapes = find({"Output Shapes"});
  }

  [[nodiscard]] bool are_enough() const { return name && start && duration; }

  Place name;
  Place type;
  Place start;
  Place duration;
  Place blocks;
  Place device;
  Place model;
  Place task;
  Place stream;
  Place context;
  Place input_shapes;
  Place input_dtypes;
  Place input_formats;
  Place output_shapes;
};

class KernelReading {
 public:
  KernelReading(const std::string& path,
                StringTable& strings,
                std::vector<KernelRow>& kernels,
                ProfileRows& rows)
      : path_(path), strings_(strings), kernels_(kernels), rows_(rows) {}

  Status run(CsvRows& csv) {
    OPCENSUS_TRY(const bool has_header, csv.next());
    if (!has_header) {
      return Error{ErrorCode::Empty, "the file is empty", path_, {}, "export the profile again"};
    }
    const Columns columns(csv.cells());
    if (!columns.are_enough()) {
      return Error{ErrorCode::NotATrace,
                   "the first row lacks the columns Name, Start Time(us) and Duration(us)",
                   path_,
                   0,
                   "give kernel_details.csv or op_summary_*.csv as the profiler wrote it"};
    }
    while (true) {
      OPCENSUS_TRY(const bool has_row, csv.next());
      if (!has_row) {
        break;
      }
      if (csv.cells().size() > 1 || !csv.cells().front().empty()) {
        take(columns, csv);
      }
    }
    if (csv.ends_in_quotes()) {
      rows_.complete = false;
      rows_.diagnostics.count(Issue::TruncatedInput, {path_, csv.row_offset(), "within a cell"});
    }
    rows_.bytes += csv.position();
    return Done{};
  }

 private:
  static std::string_view cell(const CsvRows& csv, Columns::Place column) {
    return column && *column < csv.cells().size() ? trimmed_cell(csv.cells()[*column])
                                                  : std::string_view();
  }

  void take(const Columns& columns, const CsvRows& csv) {
    const auto start = parse_microseconds(cell(csv, columns.start));
    auto duration = parse_microseconds(cell(csv, columns.duration));
    if (!start || !duration) {
      rows_.diagnostics.count(Issue::BadEvent, {path_, csv.row_offset(), "no start or duration"});
      return;
    }
    if (*duration < Nanoseconds()) {
      rows_.diagnostics.count(Issue::NegativeDuration, {path_, csv.row_offset(), ""});
      duration = Nanoseconds();
    }
    RawDeviceCount& raw = rows_.raw_device.at(static_cast<std::size_t>(DeviceEventKind::Kernel));
    ++raw.events;
    raw.time += *duration;
    ++rows_.categories["kernel"];
    KernelRow row;
    row.task.start = *start;
    row.task.duration = *duration;
    fill(columns, csv, row);
    kernels_.push_back(row);
  }

  void fill(const Columns& columns, const CsvRows& csv, KernelRow& row) {
    DeviceTask& task = row.task;
    const auto device = parse_whole<std::uint64_t>(cell(csv, columns.device));
    row.has_device = device.has_value();
    task.device = static_cast<std::int64_t>(device.value_or(0) & 0x7fffffffU);
    const auto stream = parse_whole<std::uint64_t>(cell(csv, columns.stream));
    task.stream = stream ? static_cast<std::int64_t>(*stream & 0xffffffffU) : kUnknownStream;
    task.task = parse_whole<std::uint64_t>(cell(csv, columns.task)).value_or(kNoId);
    task.context = parse_whole<std::uint64_t>(cell(csv, columns.context)).value_or(kNoId);
    task.model = parse_whole<std::uint64_t>(cell(csv, columns.model)).value_or(kNoId);
    task.name = strings_.intern(cell(csv, columns.name));
    task.blocks = static_cast<std::uint32_t>(
        parse_whole<std::uint64_t>(cell(csv, columns.blocks)).value_or(0));
    task.recorded = recorded_signature(cell(csv, columns.type),
                                       cell(csv, columns.input_shapes),
                                       cell(csv, columns.input_dtypes),
                                       cell(csv, columns.input_formats),
                                       cell(csv, columns.output_shapes),
                                       strings_);
  }

  const std::string& path_;
  StringTable& strings_;
  std::vector<KernelRow>& kernels_;
  ProfileRows& rows_;
};

}  // namespace

Signature recorded_signature(std::string_view type,
                             std::string_view input_shapes,
                             std::string_view input_dtypes,
                             std::string_view input_formats,
                             std::string_view output_shapes,
                             StringTable& strings) {
  Signature recorded;
  if (is_missing(type)) {
    return recorded;
  }
  recorded.operator_name = strings.intern(type);
  // A kernel with outputs and no inputs (a random number generator) has none: that is recorded.
  if (is_missing(input_shapes) && is_missing(input_dtypes) && !is_missing(output_shapes)) {
    recorded.input_shapes = strings.intern("[]");
    recorded.input_dtypes = strings.intern("[]");
    return recorded;
  }
  recorded.input_shapes = intern_or_none(device_shapes(input_shapes), strings);
  recorded.input_dtypes = intern_or_none(device_names(input_dtypes), strings);
  recorded.input_formats = intern_or_none(device_names(input_formats), strings);
  return recorded;
}

Status read_kernel_details(const std::string& path,
                           const AscendOptions& options,
                           StringTable& strings,
                           std::vector<KernelRow>& kernels,
                           ProfileRows& rows) {
  OPCENSUS_TRY(const auto source, open_bytes(path));
  CsvRows csv(*source, options.limits.max_row_bytes);
  KernelReading reading(path, strings, kernels, rows);
  auto status = reading.run(csv);
  if (!status) {
    return std::move(status).error().in_file(path);
  }
  return Done{};
}

}  // namespace opcensus::import::ascend
