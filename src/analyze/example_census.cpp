// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/example_census.h"

#include <array>
#include <string_view>
#include <utility>

namespace opcensus {
namespace {

struct ExampleOperator {
  std::string_view name;
  std::string_view shapes;  // BS stands for the batch size
  std::string_view dtypes;
  std::uint64_t per_graph;
  std::int64_t time_ns;  // of one call at batch size 8
  std::string_view kernel;
};

constexpr std::string_view kCopyKernel =
    "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<"
    "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
    "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&, "
    "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
    "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1} const&)::{lambda(int)#1}>("
    "int, at::native::gpu_kernel_impl_nocast<int>)";

constexpr std::array<ExampleOperator, 12> kOperators{{
    {"aten::copy_",
     "[[BS,8,2,512,128],[BS,8,2,512,128],[]]",
     R"(["c10::BFloat16","c10::BFloat16","Scalar"])",
     3,
     21033,
     kCopyKernel},
    {"aten::mm",
     "[[BS,1024],[1024,2048]]",
     R"(["c10::BFloat16","c10::BFloat16"])",
     4,
     7412,
     "nvjet_sm90_tst_64x8_64x16_4x1_v_bz_TNT"},
    {"aten::_cudnn_attention_forward",
     "[[BS,16,1,128],[BS,16,512,128],[BS,16,512,128],[BS,1,1,512],[],[],[],[],[]]",
     R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar","Scalar",)"
     R"("Scalar","Scalar","Scalar"])",
     4,
     11312,
     "cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_35_16x128x128_1x4x1_cga1x1x1_"
     "kernel0_0"},
    {"aten::mul",
     "[[BS,1,1024],[BS,1,1]]",
     R"(["float","float"])",
     9,
     2210,
     "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::"
     "BinaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> > >(at::"
     "TensorIteratorBase&, int const&)::{lambda(int)#1}>(int, int)"},
    {"aten::copy_",
     "[[BS,1,1024],[BS,1,1024],[]]",
     R"(["float","c10::BFloat16","Scalar"])",
     9,
     1905,
     "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::"
     "TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::"
     "{lambda(float)#1}, std::array<char*, 2ul>, 4, TrivialOffsetCalculator<1, unsigned int>, "
     "TrivialOffsetCalculator<1, unsigned int>, at::native::memory::LoadWithCast<1>, "
     "at::native::memory::StoreWithCast<1> >(int)"},
    {"aten::mean",
     "[[BS,1,1024],[],[],[]]",
     R"(["float","ScalarList","Scalar",""])",
     9,
     4110,
     "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
     "at::native::MeanOps<float, "
     "float, float, float>, unsigned int, float, 4, 4> >(at::native::ReduceOp<float, int>)"},
    {"aten::cat",
     "[[[BS,16,1,64],[BS,16,1,64]],[]]",
     R"(["TensorList","Scalar"])",
     8,
     2502,
     "void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::(anonymous "
     "namespace)::OpaqueType<2u>, unsigned int, 4, 64, 64>(int, unsigned int)"},
    {"aten::index_copy_",
     "[[BS,8,512,128],[],[1],[BS,8,1,128]]",
     R"(["c10::BFloat16","Scalar","long int","c10::BFloat16"])",
     8,
     2705,
     "void at::native::index_elementwise_kernel<128, 4, at::native::index_copy_kernel_impl<at::"
     "native::OpaqueType<2> >(at::TensorIterator&, long, long, long)::{lambda(int)#1}>(long)"},
    {"aten::pow",
     "[[BS,1,1024],[]]",
     R"(["float","Scalar"])",
     9,
     1804,
     "void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::"
     "pow_tensor_scalar_kernel_impl<float, float>(at::TensorIteratorBase&, "
     "float)::{lambda(float)#1}"
     ", std::array<char*, 2ul> >(int)"},
    {"aten::rsqrt",
     "[[BS,1,1]]",
     R"(["float"])",
     9,
     1771,
     "void at::native::vectorized_elementwise_kernel<4, at::native::rsqrt_kernel_cuda(at::"
     "TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambda(float)#1}, std::array<char*, "
     "2ul> >(int)"},
    {"aten::silu",
     "[[BS,1,3072]]",
     R"(["c10::BFloat16"])",
     4,
     1902,
     "void at::native::vectorized_elementwise_kernel<8, at::native::(anonymous namespace)::"
     "silu_kernel(at::TensorIteratorBase&)::{lambda()#1}, std::array<char*, 2ul> >(int)"},
    {"aten::argmax",
     "[[BS,151936],[],[]]",
     R"(["c10::BFloat16","Scalar","Scalar"])",
     1,
     12044,
     "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::BFloat16, at::native::"
     "ArgMaxOps<float>, unsigned int, long, 4, 4> >(int)"},
}};

constexpr std::array<std::int64_t, 4> kBatchSizes{8, 4, 2, 1};
constexpr std::uint64_t kReplaysPerGraph = 4;

std::string with_batch_size(std::string_view shapes, std::int64_t batch_size) {
  std::string text(shapes);
  for (std::size_t at = text.find("BS"); at != std::string::npos; at = text.find("BS")) {
    text.replace(at, 2, std::to_string(batch_size));
  }
  return text;
}

void add_nodes(ExampleCensus& example,
               const ExampleOperator& op,
               std::uint32_t signature,
               std::uint32_t graph,
               std::int64_t time_ns) {
  CensusGraph& owner = example.census.graphs[graph];
  for (std::uint64_t i = 0; i < op.per_graph; ++i) {
    CensusGraphNode node;
    node.graph = graph;
    node.node = static_cast<std::uint32_t>(owner.nodes);
    node.kind = example.text("kernel");
    node.signature = signature;
    node.top_operator = example.text(std::string(op.name));
    node.kernel = example.text(std::string(op.kernel));
    node.grid = example.text("[8,1,1]");
    node.block = example.text("[128,1,1]");
    node.tier = Tier::Aligned;
    node.executions = kReplaysPerGraph;
    node.device_time = Nanoseconds(time_ns * static_cast<std::int64_t>(kReplaysPerGraph));
    owner.device_time += node.device_time;
    ++owner.nodes;
    ++owner.attributed_nodes;
    example.census.graph_nodes.push_back(node);
  }
}

void add_operator(ExampleCensus& example,
                  const ExampleOperator& op,
                  std::uint32_t graph,
                  std::int64_t batch_size) {
  const std::uint32_t signature = example.signature(
      std::string(op.name), with_batch_size(op.shapes, batch_size), std::string(op.dtypes));
  const std::int64_t time_ns = op.time_ns * (24 + batch_size) / 32;
  const std::uint64_t replayed = op.per_graph * kReplaysPerGraph;
  const auto per_graph = static_cast<std::int64_t>(op.per_graph);
  example.add_calls(Phase::Warmup, signature, 2 * op.per_graph, 9000 * per_graph, graph);
  example.add_calls(Phase::Capture, signature, op.per_graph, 7000 * per_graph, graph);
  example.add_calls(Phase::Replay, signature, replayed, 0, graph);
  const std::string kernel(op.kernel);
  example.add_device_time(
      Phase::Warmup, Tier::Direct, signature, kernel, 2 * op.per_graph, 2 * per_graph * time_ns);
  example
      .add_device_time(Phase::Replay,
                       Tier::Aligned,
                       signature,
                       kernel,
                       replayed,
                       static_cast<std::int64_t>(replayed) * time_ns)
      .graph = graph;
  add_nodes(example, op, signature, graph, time_ns);
}

void add_prefill(ExampleCensus& example) {
  const std::uint32_t mm = example.signature(
      "aten::mm", "[[1024,1024],[1024,2048]]", R"(["c10::BFloat16","c10::BFloat16"])");
  example.add_calls(Phase::Eager, mm, 16, 412'000);
  example.add_device_time(
      Phase::Eager, Tier::Direct, mm, "nvjet_sm90_tst_128x64_64x8_1x2_h_bz_TNT", 12, 132'200);
  example.add_device_time(
      Phase::Eager, Tier::Direct, mm, "nvjet_sm90_tst_256x8_64x6_2x1_v_bz_TNT", 4, 40'100);
  const std::uint32_t copy =
      example.signature("aten::copy_", "[[8],[8],[]]", R"(["long int","long int","Scalar"])");
  example.add_calls(Phase::Eager, copy, 18, 230'000);
  example.add_device_time(
      Phase::Eager, Tier::Direct, copy, "Memcpy DtoD (Device -> Device)", 18, 27'011);
  const std::uint32_t view =
      example.signature("aten::view", "[[8,128,1024],[]]", R"(["c10::BFloat16","ScalarList"])");
  example.add_calls(Phase::Eager, view, 28, 61'000);
}

}  // namespace

ExampleCensus::ExampleCensus() {
  census.tool_version = "0.1.0";
  census.inputs = {
      {"traces/d4.capture.json.gz", "kineto", "capture", 0, 582'801, 0, true, ""},
      {"traces/d4.runtime.json.gz", "kineto", "runtime", 0, 218'199, 0, true, ""},
  };
}

TextIndex ExampleCensus::text(const std::string& text) {
  if (text.empty()) {
    return 0;
  }
  const auto [entry, is_new] =
      text_index_.try_emplace(text, static_cast<TextIndex>(census.texts.size()));
  if (is_new) {
    census.texts.push_back(text);
  }
  return entry->second;
}

std::uint32_t ExampleCensus::signature(const std::string& name,
                                       const std::string& shapes,
                                       const std::string& dtypes) {
  const auto index = static_cast<std::uint32_t>(census.signatures.size());
  const bool has_shapes = !shapes.empty();
  census.signatures.push_back(
      {name, shapes, dtypes, has_shapes ? "shape_and_dtype" : "no_input_metadata"});
  return index;
}

void ExampleCensus::add_calls(Phase phase,
                              std::uint32_t signature,
                              std::uint64_t calls,
                              std::int64_t self_cpu_ns,
                              std::uint32_t graph) {
  const Nanoseconds self(self_cpu_ns);
  census.operator_calls.push_back({rank_, phase, signature, graph, calls, self + self, self});
}

DeviceTime& ExampleCensus::add_device_time(Phase phase,
                                           Tier tier,
                                           std::uint32_t signature,
                                           const std::string& kernel,
                                           std::uint64_t events,
                                           std::int64_t time_ns) {
  DeviceTime row;
  row.rank = rank_;
  row.input = phase == Phase::Warmup || phase == Phase::Capture ? 0 : 1;
  row.phase = phase;
  row.tier = tier;
  row.signature = signature;
  row.kernel = text(kernel);
  row.kind = text("kernel");
  row.stream = 7;
  row.events = events;
  row.time = Nanoseconds(time_ns);
  census.device_times.push_back(row);
  census.raw_counts.push_back({rank_, row.input, row.kind, events, row.time});
  census.inputs[row.input].events += events;
  return census.device_times.back();
}

void ExampleCensus::use_rank(std::int64_t rank) {
  rank_ = rank;
}

Census example_census() {
  ExampleCensus example;
  example.census.ranks = {{0,
                           "NVIDIA H200",
                           R"({"cuda_driver_version":13000,"cuda_runtime_version":13000,)"
                           R"("record_shapes":1,"vllm_version":"0.11.2"})"}};
  for (std::uint32_t graph = 0; graph < kBatchSizes.size(); ++graph) {
    CensusGraph row;
    row.number = graph;
    row.label = "capture_" + std::to_string(kBatchSizes[graph]) + "_FULL";
    row.batch_size = kBatchSizes[graph];
    row.replays = kReplaysPerGraph;
    example.census.graphs.push_back(row);
    for (const ExampleOperator& op : kOperators) {
      add_operator(example, op, graph, kBatchSizes[graph]);
    }
    CensusGraph& done = example.census.graphs[graph];
    done.busy_time = Nanoseconds(done.device_time.count() / 100 * 97);
    example.census.steps.push_back(
        {0, StepKind::Decode, kBatchSizes[graph], kReplaysPerGraph, kReplaysPerGraph});
  }
  example.census.steps.push_back({0, StepKind::Prefill, 1024, 1, 0});
  add_prefill(example);
  example.census.diagnostics = {
      {"external_id_mismatch", "info", 1, "traces/d4.runtime.json.gz (byte 81234): aten::mm"}};
  example.census.checks = {{"device_events_match_raw_count", true},
                           {"device_time_matches_raw_count", true}};
  return std::move(example.census);
}

Census hostile_census() {
  ExampleCensus example;
  example.census.ranks = {{0, "Device \x1b[31mred", R"({"vllm_version":"1\n2"})"}, {1, "", "{"}};
  const std::uint32_t formula = example.signature("=cmd|' /C calc'!A0", "[[8]]", R"(["float"])");
  const std::uint32_t comma = example.signature("a,\"b\"\r\nc", "", "");
  const std::uint32_t bidi =
      example.signature("x\u202Egnp.exe", "[[1,2],[]]", R"(["x,y\"z","Scalar"])");
  const std::uint32_t broken = example.signature("bad\xff\xc3", "{oops", "[oops");
  example.add_calls(Phase::Eager, formula, 2, 100);
  example.add_calls(Phase::Eager, comma, 3, 50);
  example.use_rank(1);
  example.add_calls(Phase::Eager, bidi, 4, 25);
  example.add_calls(Phase::Capture, broken, 1, 10);
  example.use_rank(0);
  example.add_device_time(Phase::Eager, Tier::Direct, formula, "-kernel\n", 2, 1001);
  example.add_device_time(Phase::Eager, Tier::Exact, comma, "kern<a, \"b\">", 3, 500);
  example.use_rank(1);
  example.add_device_time(Phase::Replay, Tier::Aligned, bidi, "@sum", 4, 333).reason =
      Reason::ShapeAmbiguous;
  example.use_rank(0);
  example.add_device_time(Phase::Replay, Tier::Unattributed, kNoIndex, "lost", 5, 2000).reason =
      Reason::PlanMismatch;
  example.add_device_time(Phase::Eager, Tier::Unattributed, kNoIndex, "\tlost", 1, 7).reason =
      Reason::NoEnclosingOp;
  CensusGraph graph;
  graph.rank = 1;
  graph.label = "+capture,\u2067one";
  graph.nodes = 1;
  graph.replays = 4;
  graph.device_time = Nanoseconds(333);
  graph.busy_time = Nanoseconds(333);
  example.census.graphs = {graph};
  example.census.device_times[2].graph = 0;
  CensusGraphNode node;
  node.signature = bidi;
  node.kernel = example.text("@sum");
  node.executions = 4;
  node.tier = Tier::Aligned;
  node.device_time = Nanoseconds(333);
  example.census.graph_nodes = {node};
  example.census.diagnostics = {
      {"replay_mismatch", "data_loss", 2, "a\x1b]0;title.json (byte 5): x\nsecond"},
      {"of_a_later_version", "info", 1, ""}};
  example.census.checks = {{"device_events_match_raw_count", true},
                           {"graph_times_match_node_times", false}};
  return std::move(example.census);
}

}  // namespace opcensus
