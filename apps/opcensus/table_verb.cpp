// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "src/engine/engine.h"
#include "src/report/key_averages_text.h"
#include "src/report/text_safety.h"

#include "apps/opcensus/messages.h"
#include "apps/opcensus/options.h"
#include "apps/opcensus/verbs.h"

namespace opcensus::cli {
namespace {

struct TableArguments {
  TableRequest request;
  std::size_t row_limit = 100;
  std::string format;
};

/// PyTorch's names, with the word of each of its backends for the device.
Choices<KeyAverageSort> sort_names() {
  Choices<KeyAverageSort> names;
  for (const std::string device :
       {"cuda", "device", "npu", "xpu", "mlu", "musa", "mtia", "hpu", "privateuse1"}) {
    names.emplace_back(device + "_time_total", KeyAverageSort::DeviceTotal);
    names.emplace_back("self_" + device + "_time_total", KeyAverageSort::SelfDevice);
  }
  names.emplace_back("cpu_time_total", KeyAverageSort::CpuTotal);
  names.emplace_back("self_cpu_time_total", KeyAverageSort::SelfCpu);
  names.emplace_back("count", KeyAverageSort::Count);
  return names;
}

std::string render_text(const std::vector<TraceTable>& tables, const TableArguments& arguments) {
  std::string text;
  for (const TraceTable& table : tables) {
    if (tables.size() > 1) {
      text += (text.empty() ? "" : "\n") + safe_text(table.path) + "\n";
    }
    text += render_key_averages_text(
        table.averages, arguments.row_limit, arguments.request.group_by_input_shape);
  }
  return text;
}

int run_table(TableArguments arguments, Streams& streams) {
  ProgressBar progress(streams);
  arguments.request.load.observer = &progress;
  const auto tables = make_tables(arguments.request);
  progress.clear();
  if (!tables) {
    return report_error(tables.error(), streams);
  }
  if (arguments.format == "json" && tables->size() > 1) {
    return report_error(
        {ErrorCode::BadArgument,
         "json holds the table of one trace, and there are " + std::to_string(tables->size()),
         "",
         {},
         "give one file"},
        streams);
  }
  streams.out << (arguments.format == "json"
                      ? render_key_averages_json(tables->front().averages, arguments.row_limit)
                      : render_text(*tables, arguments));
  return kExitOk;
}

}  // namespace

void add_table_verb(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<TableArguments>();
  CLI::App* verb = app.add_subcommand("table", "torch.profiler's key_averages, from a file");
  add_paths(*verb, arguments->request.paths, "a trace, or several");
  verb->add_flag("--group-by-input-shape",
                 arguments->request.group_by_input_shape,
                 "one row per operator and input shapes");
  add_choice(*verb,
             "--sort-by",
             arguments->request.sort,
             sort_names(),
             "cuda_time_total (default), cpu_time_total,\nself_cuda_time_total, "
             "self_cpu_time_total,\ncount; device, npu … for cuda are the same")
      ->type_name("KEY");
  add_count(*verb, "--row-limit", arguments->row_limit, "rows to print, 0 = all (default: 100)");
  add_rank(*verb, arguments->request.rank);
  add_load(*verb, arguments->request.load);
  add_format(*verb, arguments->format, {"table", "json"});
  verb->footer(
      "Example:\n  opcensus table rank0.pt.trace.json.gz --group-by-input-shape --row-limit 10");
  verb->callback([arguments, &run] {
    run = [arguments](Streams& streams) { return run_table(*arguments, streams); };
  });
}

}  // namespace opcensus::cli
