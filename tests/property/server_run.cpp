// SPDX-License-Identifier: Apache-2.0
#include "tests/property/server_run.h"

#include <algorithm>
#include <map>
#include <random>
#include <utility>

namespace opcensus::testing {
namespace {

constexpr std::int64_t kHostProcess = 4000;
constexpr std::int64_t kMainStream = 7;
constexpr std::int64_t kSideStream = 20;
constexpr std::int64_t kReplayStream = 31;

/// One launch of an operator call.
struct Launch {
  std::string category;  // of the device event
  std::string kernel;
  std::string first_kernel;  // what the first warm-up pass runs; mostly the same
  int grid = 0;              // 0: a copy or memset
};

/// One operator call of the model at one batch size. Without a name: a launch by the engine.
struct Call {
  std::string outer;  // encloses the operator; may be empty
  std::string name;
  std::string shapes;
  std::string dtypes;
  std::vector<Launch> launches;
  int branch = 0;
};

using Pass = std::vector<Call>;

/// The model before its batch size is known.
struct Layer {
  int kind = 0;     // which operator
  int variant = 0;  // its other dimensions
  int launches = 1;
  bool nested = false;
  int branch = 0;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// From 0 up to count - 1. Not uniform_int_distribution: it differs between libraries.
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }

  int between(int least, int most) { return least + below(most - least + 1); }

  bool one_in(int count) { return below(count) == 0; }

 private:
  std::mt19937_64 engine_;
};

class Model {
 public:
  Model(Random& random, const RunOptions& options) : options_(options) {
    const int count = random.between(3, 14);
    for (int i = 0; i < count; ++i) {
      Layer layer;
      layer.kind = random.below(options.few_kernels ? 4 : 9);
      layer.variant = random.below(3);
      layer.launches = random.one_in(4) ? 2 : 1;
      layer.nested = random.one_in(3);
      layers_.push_back(layer);
    }
    const int first = random.below(count - 1);
    const int last = random.between(first + 1, count - 1);
    for (int i = first; i <= last && options.branches > 1; ++i) {
      layers_[static_cast<std::size_t>(i)].branch = random.below(options.branches);
    }
  }

  /// The same launches with other shapes: what a re-capture may do.
  void change_a_variant(Random& random) {
    Layer& layer =
        layers_[static_cast<std::size_t>(random.below(static_cast<int>(layers_.size())))];
    layer.variant += 3;
  }

  [[nodiscard]] Pass at(int batch, std::size_t first, std::size_t last) const {
    Pass pass;
    for (std::size_t i = first; i < last; ++i) {
      pass.push_back(call_of(layers_[i], batch));
    }
    return pass;
  }

  [[nodiscard]] std::size_t size() const { return layers_.size(); }

 private:
  [[nodiscard]] Call call_of(const Layer& layer, int batch) const {
    const std::string b = std::to_string(batch);
    const std::string width = std::to_string(64 * (layer.variant + 1));
    Call call;
    call.branch = layer.branch;
    if (layer.kind == 8 && options_.module_launches) {
      call.launches.push_back(launch_of(layer, batch, 0));
      call.launches.back().kernel = "_jit_kernel_" + std::to_string(layer.variant);
      call.launches.back().first_kernel = call.launches.back().kernel;
      return call;
    }
    call.outer = layer.nested ? "outer::op" + std::to_string(layer.kind) : "";
    call.name = "my::op" + std::to_string(layer.kind);
    call.shapes = "[[" + b + "," + width + "],[" + width + "],[]]";
    call.dtypes = R"(["c10::BFloat16","float","Scalar"])";
    for (int i = 0; i < layer.launches; ++i) {
      call.launches.push_back(launch_of(layer, batch, i));
    }
    return call;
  }

  [[nodiscard]] Launch launch_of(const Layer& layer, int batch, int ordinal) const {
    if (layer.kind == 5) {
      return {"gpu_memset", "Memset (Device)", "Memset (Device)", 0};
    }
    if (layer.kind == 6) {
      return {"gpu_memcpy", "Memcpy DtoD (Device -> Device)", "Memcpy DtoD (Device -> Device)", 0};
    }
    Launch launch;
    launch.category = "kernel";
    // Few kernels: operators and sizes share them; otherwise batch and variant show in the grid.
    const int family =
        options_.few_kernels ? (layer.kind + ordinal) % 2 : layer.kind * 10 + ordinal;
    launch.kernel = "void kernel_" + std::to_string(family) + "<float, 4>(float*, int)";
    launch.first_kernel =
        options_.autotune && layer.kind % 2 == 0 ? "autotune_candidate" : launch.kernel;
    launch.grid = options_.few_kernels ? 1 + layer.variant % 2 : batch * 10 + layer.variant;
    return launch;
  }

  const RunOptions& options_;
  std::vector<Layer> layers_;
};

/// Writes one trace: a host thread and the device's streams, each with its own clock.
class TraceWriter {
 public:
  TraceWriter(Random& random, std::string file_name, int rank, std::int64_t start)
      : random_(random), now_(start) {
    trace_.file_name = std::move(file_name);
    trace_.rank = rank;
  }

  [[nodiscard]] std::int64_t now() const { return now_; }

  void pause(std::int64_t time) { now_ += time; }

  void annotation(const std::string& name, std::int64_t start) {
    add("user_annotation", name, kHostProcess, kHostProcess, start, now_++ - start, {});
  }

  std::uint64_t api_call(const std::string& name) {
    ++correlation_;
    now_ += random_.between(50, 400);
    add("cuda_runtime",
        name,
        kHostProcess,
        kHostProcess,
        now_,
        40,
        {{"correlation", std::to_string(correlation_)}});
    now_ += 50;
    return correlation_;
  }

  enum class Mode { FirstWarmup, Warmup, Capture, Eager };

  void run(const Pass& pass, Mode mode) {
    join_streams();
    int branch = 0;
    for (const Call& call : pass) {
      if (call.branch != branch) {
        api_call("cudaStreamWaitEvent");  // fork, or join
        branch = call.branch;
      }
      this->call(call, mode);
    }
    join_streams();
  }

  /// One graph launch; `drop` is the launch that did not run, or -1.
  void replay(const Pass& pass, int graph, const RunOptions& options, int drop) {
    const std::uint64_t correlation = api_call("cudaGraphLaunch");
    join_streams();
    int number = 0;
    for (const auto& [call, launch] : in_execution_order(pass, options)) {
      const std::int64_t stream = kReplayStream + call->branch % options.replay_streams;
      if (number++ != drop) {
        device(*call, *launch, launch->kernel, stream, correlation, 0, "replay", graph);
      }
    }
    join_streams();
  }

  /// A launch outside every operator, and an event whose launch came before the profile.
  void stray_events() {
    const Call none;
    const Launch launch{"kernel", "void engine<1>()", "", 1};
    device(none, launch, launch.kernel, kMainStream, api_call("cudaLaunchKernel"), 0, "eager", -1);
    device(none, launch, "left_over_kernel", kMainStream, 900000 + correlation_, 0, "eager", -1);
  }

  GeneratedTrace finish(int world_size) && {
    trace_.text.header = {{"schemaVersion", "1"},
                          {"deviceProperties", R"([{"id": 0, "name": "NVIDIA H200"}])"},
                          {"distributedInfo",
                           R"({"rank": )" + std::to_string(trace_.rank) + R"(, "world_size": )" +
                               std::to_string(world_size) + "}"},
                          {"record_shapes", "1"},
                          {"trace_id", quote_json(trace_.file_name)},
                          {"baseTimeNanoseconds", "1700000000000000000"}};
    return std::move(trace_);
  }

 private:
  struct Step {
    const Call* call;
    const Launch* launch;
  };

  /// Branches keep their own order; how they interleave is the device's choice.
  std::vector<Step> in_execution_order(const Pass& pass, const RunOptions& options) {
    std::vector<std::vector<Step>> branches(static_cast<std::size_t>(options.branches));
    std::size_t left = 0;
    for (const Call& call : pass) {
      for (const Launch& launch : call.launches) {
        branches[static_cast<std::size_t>(call.branch)].push_back({&call, &launch});
        ++left;
      }
    }
    std::vector<std::size_t> next(branches.size());
    std::vector<Step> order;
    while (left > 0) {
      const auto branch = static_cast<std::size_t>(random_.below(options.branches));
      if (next[branch] < branches[branch].size()) {
        order.push_back(branches[branch][next[branch]++]);
        --left;
      }
    }
    return order;
  }

  void call(const Call& call, Mode mode) {
    const std::int64_t outer_start = now_++;
    const std::int64_t start = now_++;
    std::uint64_t id = 0;
    if (!call.name.empty()) {
      id = ++external_id_;
    }
    for (const Launch& launch : call.launches) {
      const std::uint64_t correlation = api_call(launch_name(call, launch));
      if (mode == Mode::Capture) {
        continue;
      }
      const bool is_first = mode == Mode::FirstWarmup;
      const std::string phase = mode == Mode::Eager ? "eager" : "warmup";
      const std::int64_t stream = call.branch == 0 ? kMainStream : kSideStream + call.branch;
      device(call,
             launch,
             is_first ? launch.first_kernel : launch.kernel,
             stream,
             correlation,
             id,
             phase,
             -1);
    }
    ++now_;
    if (!call.name.empty()) {
      op(call.name, start, id, call.shapes, call.dtypes);
      ++now_;
    }
    if (!call.outer.empty()) {
      op(call.outer, outer_start, ++external_id_, call.shapes, call.dtypes);
      ++now_;
    }
  }

  static std::string launch_name(const Call& call, const Launch& launch) {
    if (launch.category == "gpu_memset") {
      return "cudaMemsetAsync";
    }
    if (launch.category == "gpu_memcpy") {
      return "cudaMemcpyAsync";
    }
    return call.name.empty() ? "cuLaunchKernelEx" : "cudaLaunchKernel";
  }

  void op(const std::string& name,
          std::int64_t start,
          std::uint64_t id,
          const std::string& shapes,
          const std::string& dtypes) {
    add("cpu_op",
        name,
        kHostProcess,
        kHostProcess,
        start,
        now_ - start,
        {{"External id", std::to_string(id)}, {"Input Dims", shapes}, {"Input type", dtypes}});
  }

  void device(const Call& call,
              const Launch& launch,
              const std::string& kernel,
              std::int64_t stream,
              std::uint64_t correlation,
              std::uint64_t external_id,
              const std::string& phase,
              int graph) {
    LaunchedEvent event;
    std::int64_t& clock = stream_clock_[stream];
    // Starts ascend over all streams, so that they are unique and say the order of execution.
    event.start = last_start_ = std::max({clock, now_ + 500, last_start_ + 1});
    event.duration = random_.between(100, 3000);
    clock = event.start + event.duration + random_.below(50);
    event.stream = stream;
    event.category = launch.category;
    event.phase = phase;
    event.operator_name = call.name.empty() && kernel.front() == '_' ? kernel : call.name;
    event.input_shapes = call.shapes;
    event.input_dtypes = call.dtypes;
    event.graph = graph;
    std::vector<JsonField> args{{"device", "0"},
                                {"stream", std::to_string(stream)},
                                {"correlation", std::to_string(correlation)}};
    if (external_id != 0) {
      args.emplace_back("External id", std::to_string(external_id));
    }
    if (launch.grid != 0) {
      args.emplace_back("grid", "[" + std::to_string(launch.grid) + ", 1, 1]");
      args.emplace_back("block", "[128, 1, 1]");
    }
    add(launch.category, kernel, 0, stream, event.start, event.duration, std::move(args));
    trace_.launched.push_back(std::move(event));
  }

  void join_streams() {
    std::int64_t latest = now_;
    for (const auto& entry : stream_clock_) {
      latest = std::max(latest, entry.second);
    }
    for (auto& entry : stream_clock_) {
      entry.second = latest;
    }
  }

  void add(const std::string& category,
           const std::string& name,
           std::int64_t process,
           std::int64_t thread,
           std::int64_t start,
           std::int64_t duration,
           std::vector<JsonField> args) {
    trace_.text.rows.push_back({category, name, process, thread, start, duration, std::move(args)});
  }

  Random& random_;
  GeneratedTrace trace_;
  std::int64_t now_;
  std::int64_t last_start_ = 0;
  std::uint64_t correlation_ = 0;
  std::uint64_t external_id_ = 0;
  std::map<std::int64_t, std::int64_t> stream_clock_;
};

/// One captured graph: its number, and what it does.
struct Captured {
  int graph = 0;
  Pass pass;
};

/// A server of one rank: captures, then serves.
class Server {
 public:
  Server(std::uint64_t seed, const RunOptions& options, int rank)
      : random_(seed), options_(options), rank_(rank), model_(random_, options) {
    sizes_ = {8, 4, 2, 1};
    sizes_.resize(static_cast<std::size_t>(random_.between(1, 4)));
    cuts_ = {0, model_.size()};
    if (options.piecewise) {
      cuts_ = {0, model_.size() / 2, model_.size()};
    }
  }

  GeneratedTrace capture() {
    TraceWriter out(random_, name("capture"), rank_, 1000);
    for (const int size : sizes_) {
      capture_size(out, size, model_);
    }
    if (options_.recapture) {
      Model changed = model_;
      if (random_.one_in(2)) {
        changed.change_a_variant(random_);
      }
      capture_size(out, sizes_.front(), changed);
    }
    return std::move(out).finish(options_.ranks);
  }

  GeneratedTrace serve() {
    TraceWriter out(random_, name("runtime"), rank_, 50'000'000);
    const Pass prefill = model_.at(100, 0, model_.size());
    std::int64_t start = out.now();
    out.pause(10);
    out.run(prefill, TraceWriter::Mode::Eager);
    step(out, "execute_context_1(100)_generation_0(0)", start);
    const int steps = random_.between(1, 6) + options_.more_steps;
    for (int i = 0; i < steps; ++i) {
      decode(out);
    }
    out.stray_events();
    return std::move(out).finish(options_.ranks);
  }

 private:
  [[nodiscard]] std::string name(const std::string& role) const {
    return "rank" + std::to_string(rank_) + "." + role + ".pt.trace.json";
  }

  void capture_size(TraceWriter& out, int size, const Model& model) {
    const std::int64_t start = out.now();
    out.pause(10);
    std::vector<Captured>& graphs = graphs_[size];
    graphs.clear();
    for (int i = 0; i < options_.warmups; ++i) {
      const auto mode = i == 0 ? TraceWriter::Mode::FirstWarmup : TraceWriter::Mode::Warmup;
      out.run(model.at(size, 0, model.size()), mode);
    }
    for (std::size_t piece = 0; piece + 1 < cuts_.size(); ++piece) {
      Captured captured{graph_count_++, model.at(size, cuts_[piece], cuts_[piece + 1])};
      out.api_call("cudaStreamBeginCapture");
      out.run(captured.pass, TraceWriter::Mode::Capture);
      out.api_call("cudaStreamEndCapture");
      out.api_call("cudaGraphInstantiate");
      graphs.push_back(std::move(captured));
    }
    if (options_.capture_annotations) {
      out.annotation(
          "capture_" + std::to_string(size) + (options_.piecewise ? "_PIECEWISE" : "_FULL"), start);
    }
    out.pause(10);
  }

  void decode(TraceWriter& out) {
    const std::size_t chosen =
        static_cast<std::size_t>(random_.below(static_cast<int>(sizes_.size())));
    const int size = sizes_[chosen];
    const int below = chosen + 1 < sizes_.size() ? sizes_[chosen + 1] : 0;
    const std::string tokens =
        std::to_string(random_.between(below + 1, size));  // padded up to size
    const std::int64_t start = out.now();
    out.pause(10);
    for (const Captured& captured : graphs_[size]) {
      int launches = 0;
      for (const Call& call : captured.pass) {
        launches += static_cast<int>(call.launches.size());
      }
      const bool drops = options_.drop_nodes && launches > 1 && random_.one_in(2);
      out.replay(captured.pass, captured.graph, options_, drops ? random_.below(launches) : -1);
      if (options_.piecewise) {
        out.run(model_.at(100 + size, 0, 1), TraceWriter::Mode::Eager);
      }
    }
    step(out, "execute_context_0(0)_generation_" + tokens + "(" + tokens + ")", start);
  }

  void step(TraceWriter& out, const std::string& annotation, std::int64_t start) const {
    if (options_.step_annotations) {
      out.annotation(annotation, start);
    }
    out.pause(20);
  }

  Random random_;
  const RunOptions& options_;
  int rank_;
  Model model_;
  std::vector<int> sizes_;
  std::vector<std::size_t> cuts_;
  std::map<int, std::vector<Captured>> graphs_;
  int graph_count_ = 0;
};

}  // namespace

ServerRun generate_run(std::uint64_t seed, const RunOptions& options) {
  ServerRun run;
  for (int rank = 0; rank < options.ranks; ++rank) {
    Server server(seed * 100 + static_cast<std::uint64_t>(rank), options, rank);
    run.traces.push_back(server.capture());
    run.traces.push_back(server.serve());
  }
  return run;
}

}  // namespace opcensus::testing
