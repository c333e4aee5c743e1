// SPDX-License-Identifier: Apache-2.0
//
// A host process that names its work with NVTX. Run by nvtx_test with
//
//     OPCENSUS_DIR=… OPCENSUS_CUPTI=libfake_cupti.so nvtx_scenario AGENT.so NAME
//
// Graph nodes captured inside ranges are replayed once each, so that the census shows which range
// each one was in. Prints "host output" and returns 7; 4 if an answer of NVTX was wrong.
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/agent/fake_host.h"
#include "tests/agent/fake_nvtx.h"

namespace {

namespace cupti = opcensus::agent::cupti;
namespace nvtx = opcensus::agent::nvtx;
using opcensus::testing::FakeNvtx;
using opcensus::testing::Host;
using Nvtx = FakeNvtx<0>;

#define MUST(condition)                                            \
  do {                                                             \
    if (!(condition)) {                                            \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      std::exit(4);                                                \
    }                                                              \
  } while (false)

template <class Library>
int attach(const Host& host) {
  return Library::attach(opcensus::testing::find<int (*)(nvtx::GetExportTable)>(
      host.agent, "InitializeInjectionNvtx2"));
}

/// A graph, captured node by node; replay() runs it once.
class Capture {
 public:
  Capture(const Host& host, std::uint32_t graph) : host_(host), graph_(graph) {
    host_.api_call(cupti::kRuntimeApi, opcensus::testing::kBeginCapture, true, graph_ * 10, 0);
  }

  void node() { host_.resource(cupti::kGraphNodeCreated, graph_, 0, id(graph_, nodes_++), 0, 0); }

  void replay() const {
    const std::uint64_t exec = graph_ + 1;
    host_.api_call(cupti::kRuntimeApi, opcensus::testing::kEndCapture, false, graph_ * 10 + 1, 0);
    for (std::uint64_t node = 0; node < nodes_; ++node) {
      host_.resource(cupti::kGraphNodeCreated, exec, 0, id(exec, node), 0, 0);
      host_.resource(cupti::kGraphNodeCloned, exec, graph_, id(exec, node), id(graph_, node), 0);
    }
    host_.resource(cupti::kGraphExecCreated, graph_, 0, 0, 0, exec);
    host_.api_call(
        cupti::kRuntimeApi, opcensus::testing::kGraphLaunch, true, graph_ * 10 + 2, exec);
    for (std::uint64_t node = 0; node < nodes_; ++node) {
      host_.kernel(
          "in_no_range", 1'000'000 * graph_ + node * 2000, id(exec, node), graph_ * 10 + 2, 8);
    }
  }

 private:
  static std::uint64_t id(std::uint64_t graph, std::uint64_t node) { return (graph << 32U) | node; }

  const Host& host_;
  std::uint32_t graph_;
  std::uint64_t nodes_ = 0;
};

void plain(const Host& host) {
  MUST(Nvtx::push("opened before the capture") == 0);
  Capture graph(host, 2);
  graph.node();
  MUST(Nvtx::push("inner") == 1);
  graph.node();
  MUST(Nvtx::pop() == 1);
  graph.node();
  MUST(Nvtx::pop() == 0);
  graph.node();  // in none
  graph.replay();
}

void messages(const Host& host) {
  Capture graph(host, 2);
  const auto in = [&graph](const nvtx::EventAttributes& attributes) {
    Nvtx::push(&attributes);
    graph.node();
    Nvtx::pop();
  };
  auto attributes = Nvtx::named(nvtx::kMessageRegistered);
  attributes.message.registered = Nvtx::string(nullptr, "Thunk:#name=dot.3,hlo_op=dot.3#");
  in(attributes);
  attributes.message.registered = Nvtx::string(nullptr, L"breit \u00e4\u4e2d\U0001f600");
  in(attributes);
  attributes = Nvtx::named(nvtx::kMessageUnicode);
  attributes.message.unicode = L"wide";
  in(attributes);
  Nvtx::push(L"wider");
  graph.node();
  Nvtx::pop();
  graph.replay();
}

/// Ranges that have no name keep their place; the one around them is the operator.
void nameless(const Host& host) {
  Capture graph(host, 2);
  Nvtx::push("around");
  auto attributes = Nvtx::named(nvtx::kMessageRegistered);
  for (const std::uintptr_t handle :
       {std::uintptr_t{0}, std::uintptr_t{77'777}, ~std::uintptr_t{0}}) {
    attributes.message.registered = reinterpret_cast<void*>(handle);
    MUST(Nvtx::push(&attributes) == 1);
    graph.node();
    MUST(Nvtx::pop() == 1);
  }
  attributes = Nvtx::named(nvtx::kMessageAscii);
  attributes.message.ascii = "from a struct that is too small";
  attributes.size = 40;
  MUST(Nvtx::push(&attributes) == 1);
  MUST(Nvtx::push(static_cast<const char*>(nullptr)) == 2);
  MUST(Nvtx::push(static_cast<const wchar_t*>(nullptr)) == 3);
  MUST(Nvtx::push(static_cast<const nvtx::EventAttributes*>(nullptr)) == 4);
  MUST(Nvtx::push("") == 5);
  graph.node();
  graph.replay();
}

void domains(const Host& host) {
  nvtx::Domain first = Nvtx::domain("first");
  nvtx::Domain second = Nvtx::domain(L"second");
  MUST(first != nullptr && second != nullptr && first != second);
  MUST(Nvtx::domain("first") == first);
  Capture graph(host, 2);
  MUST(Nvtx::push(first, "a") == 0);
  MUST(Nvtx::push(second, "b") == 0);
  MUST(Nvtx::push("global") == 0);
  MUST(Nvtx::push(first, "c") == 1);
  graph.node();                  // c
  MUST(Nvtx::pop(second) == 0);  // out of order: c is still the innermost
  graph.node();                  // c
  MUST(Nvtx::pop(second) < 0);   // none open
  MUST(Nvtx::pop(first) == 1);
  graph.node();  // global
  MUST(Nvtx::pop() == 0);
  graph.node();  // a
  MUST(Nvtx::pop(first) == 0);
  graph.node();  // in none
  graph.replay();
}

/// Domains that overlap again and again, and one that never ends, must not fill the stack.
void overlapping(const Host& host) {
  nvtx::Domain first = Nvtx::domain("first");
  nvtx::Domain second = Nvtx::domain("second");
  Nvtx::push(second, "b");
  for (int i = 0; i < 1000; ++i) {
    Nvtx::push(first, "a");
    Nvtx::pop(second);
    Nvtx::push(second, "b");
    MUST(Nvtx::pop(first) == 0);
  }
  Capture graph(host, 2);
  graph.node();  // b
  MUST(Nvtx::pop(second) == 0);
  graph.node();  // in none
  graph.replay();
}

void unbalanced(const Host& host) {
  MUST(Nvtx::pop() < 0);
  Capture graph(host, 2);
  host.op("aten::mm", "[[1]]");
  MUST(Nvtx::pop() < 0);  // the operator is not a range's to end
  graph.node();           // aten::mm
  Nvtx::push("inside");
  host.end_op();  // and it ends under the range
  graph.node();   // inside
  MUST(Nvtx::pop() == 0);
  graph.node();  // in none
  for (int i = 0; i < 1000; ++i) {
    Nvtx::push("deep");
  }
  MUST(Nvtx::push("deeper") == nvtx::kNoPushPopTracking);
  for (int i = 0; i < 1001; ++i) {
    Nvtx::pop();
  }
  MUST(Nvtx::push("after") == 0);
  graph.node();
  graph.replay();
}

void threads(const Host& host) {
  const auto work = [&host](std::uint32_t number, const char* name) {
    Capture graph(host, number);
    for (int i = 0; i < 100; ++i) {
      Nvtx::push(name);
      Nvtx::push("shared");
      Nvtx::pop();
      graph.node();
      Nvtx::pop();
    }
    graph.replay();
  };
  std::thread first(work, 2, "one");
  std::thread second(work, 4, "two");
  first.join();
  second.join();
}

void emitted_by_torch(const Host& host) {
  Capture graph(host, 2);
  for (const char* text :
       {"aten::mm, seq = 3, op_id = 5, sizes = [[8, 64], [64, 8]], input_op_ids = [(4,0), (0,-1)]",
        "aten::mm, seq = 4, op_id = 6, sizes = [[8, 64], [64, 8]]",
        "aten::mm, op_id = 7, sizes = [[8, 64], [64, 8",
        "aten::detach, op_id = 8",
        "my scope, op_id = 9"}) {
    Nvtx::push(text);
    graph.node();
    Nvtx::pop();
  }
  graph.replay();
}

void counting(const Host& host) {
  Nvtx::push("early");
  for (int i = 0; i < 70'000; ++i) {
    Nvtx::push(("step " + std::to_string(i)).c_str());
    Nvtx::pop();
  }
  Capture graph(host, 2);
  graph.node();  // early
  for (const char* name : {"late", "later"}) {
    Nvtx::push(name);
    graph.node();
    Nvtx::pop();
  }
  graph.replay();
}

/// XLA registers the source of its kernels, too: what no range uses does not count.
void registering(const Host& host) {
  for (int i = 0; i < 70'000; ++i) {
    MUST(Nvtx::string(nullptr, ("source " + std::to_string(i)).c_str()) != nullptr);
  }
  plain(host);
}

void long_text(const Host& host) {
  Capture graph(host, 2);
  Nvtx::push((std::string(511, 'x') + "\xc3\xa4 and more").c_str());
  graph.node();
  graph.replay();
}

/// With the torch shim, ranges are only names around its operators.
void with_shim(const Host& host) {
  host.api->set_listener([](int) {});
  Capture graph(host, 2);
  Nvtx::push("layer");
  graph.node();  // in none
  host.op("aten::mm", "[[1]]");
  Nvtx::push("aten::mm, seq = 3, op_id = 5, sizes = [[8, 64], [64, 8]]");
  graph.node();  // aten::mm
  graph.replay();
}

void two_libraries(const Host& host) {
  using Other = FakeNvtx<1>;
  using Old = FakeNvtx<2>;
  Old::has_domains = false;
  MUST(attach<Other>(host) == 1 && attach<Old>(host) == 1);
  Capture graph(host, 2);
  MUST(Nvtx::push("outer") == 0);
  MUST(Other::push("middle") == 1);
  MUST(Old::push("inner") == 2);
  MUST(Old::domain("none") == nullptr);
  graph.node();
  graph.replay();
}

void annotated(const Host& host) {
  const auto begin = opcensus::testing::find<void (*)(const char*, const char*, const char*)>(
      host.agent, "opcensus_annotate_begin");
  Capture graph(host, 2);
  begin("my::op", "[[2]]", nullptr);
  graph.node();
  graph.replay();
}

/// Launched at once, not captured.
void eager(const Host& host) {
  Nvtx::push("outer");
  Nvtx::push("inner");
  host.api_call(cupti::kRuntimeApi, opcensus::testing::kLaunchKernel, true, 7, 0);
  Nvtx::pop();
  Nvtx::pop();
  host.kernel("in_no_range", 1'000'000, 0, 7, 8);
}

void bare(const Host& host) {
  Capture graph(host, 2);
  graph.node();
  graph.replay();
}

const std::map<std::string, void (*)(const Host&)> kScenarios{
    {"annotated", annotated},
    {"bare", bare},
    {"counting", counting},
    {"domains", domains},
    {"eager", eager},
    {"emitted_by_torch", emitted_by_torch},
    {"long_text", long_text},
    {"messages", messages},
    {"nameless", nameless},
    {"overlapping", overlapping},
    {"plain", plain},
    {"registering", registering},
    {"threads", threads},
    {"two_libraries", two_libraries},
    {"unbalanced", unbalanced},
    {"with_shim", with_shim}};

/// NVTX is used before CUDA: ranges are open on two threads when the agent starts.
void run_before_injection(Host& host) {
  nvtx::Domain domain = Nvtx::domain("TSL");
  MUST(Nvtx::push("ended before") == 0);
  MUST(Nvtx::push(domain, "outer") == 0);
  MUST(Nvtx::push("inner") == 1);
  MUST(Nvtx::pop() == 1);
  MUST(Nvtx::pop() == 0);
  MUST(Nvtx::pop() < 0);
  const pid_t child = fork();
  if (child == 0) {
    Nvtx::push("of a child");
    _exit(Nvtx::pop() == 0 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  MUST(status == 0);
  host.inject();
  Capture graph(host, 2);
  graph.node();  // outer
  MUST(Nvtx::push(domain, "within") == 1);
  graph.node();
  MUST(Nvtx::pop(domain) == 1);
  MUST(Nvtx::pop(domain) == 0);
  graph.node();  // in none
  graph.replay();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    return 2;
  }
  Host host(argv[1]);
  const std::string name = argv[2];
  if (name == "unknown") {
    Nvtx::is_known = false;
    MUST(attach<Nvtx>(host) == 0);
    MUST(Nvtx::push("nowhere") == 0);
    host.inject();
    bare(host);
  } else if (name == "before_injection") {
    MUST(attach<Nvtx>(host) == 1);
    run_before_injection(host);
  } else {
    host.inject();
    MUST(attach<Nvtx>(host) == 1);
    MUST(!Nvtx::takes_start_and_end());
    kScenarios.at(name)(host);
  }
  std::puts("host output");
  return 7;
}
