// SPDX-License-Identifier: Apache-2.0
#include "src/launch/diagnosis.h"

#include <algorithm>

namespace opcensus {
namespace {

Finding driver_finding(const SetupFacts& facts) {
  if (!facts.driver_problem.empty()) {
    return {"driver",
            FindingState::Prevents,
            "no NVIDIA driver: " + facts.driver_problem,
            "record on the machine with the GPU; in a container, start it with the GPU"};
  }
  return {"driver",
          FindingState::Good,
          "NVIDIA driver for CUDA " + cuda_version_text(facts.driver_version),
          ""};
}

Finding gpu_finding(const SetupFacts& facts) {
  if (facts.gpu_problem.empty() && facts.gpu_count > 0) {
    return {"gpu",
            FindingState::Good,
            std::to_string(facts.gpu_count) + (facts.gpu_count == 1 ? " GPU" : " GPUs"),
            ""};
  }
  const std::string reason =
      facts.gpu_problem.empty() ? "the driver shows none" : facts.gpu_problem;
  return {"gpu",
          FindingState::Prevents,
          "no GPU: " + reason,
          facts.driver_problem.empty() ? "see whether nvidia-smi lists it, and CUDA_VISIBLE_DEVICES"
                                       : ""};
}

Finding cupti_finding(const SetupFacts& facts) {
  if (facts.cupti) {
    const std::string version =
        facts.cupti->api_version == 0 ? "" : " " + std::to_string(facts.cupti->api_version);
    return {"cupti", FindingState::Good, "CUPTI" + version + ": " + facts.cupti->path, ""};
  }
  return {
      "cupti",
      FindingState::Prevents,
      "no libcupti was found",
      "install the wheel nvidia-cuda-cupti (torch brings it) or the CUDA toolkit; a program that "
      "loads its own will do, too"};
}

Finding agent_finding(const SetupFacts& facts) {
  if (facts.agent_problem.empty()) {
    return {"agent", FindingState::Good, "agent: " + facts.agent, ""};
  }
  return {"agent",
          FindingState::Prevents,
          facts.agent_problem,
          "install libopcensus_agent.so beside opcensus, or name it in OPCENSUS_AGENT"};
}

Finding torch_finding(const SetupFacts& facts) {
  if (facts.torch) {
    return {
        "torch", FindingState::Good, "PyTorch " + facts.torch->version + " of " + facts.python, ""};
  }
  return {
      "torch",
      FindingState::Limits,
      "no PyTorch: " + facts.torch_problem + (facts.python.empty() ? "" : " in " + facts.python),
      "name the Python of your server with --python"};
}

Finding compiler_finding(const SetupFacts& facts) {
  if (!facts.compiler.empty()) {
    return {"compiler", FindingState::Good, "C++ compiler: " + facts.compiler, ""};
  }
  const bool is_needed = facts.shim.empty();
  return {"compiler",
          is_needed ? FindingState::Limits : FindingState::Good,
          is_needed ? "no C++ compiler" : "no C++ compiler, and none is needed: the shim is built",
          is_needed ? "install g++, or set CXX" : ""};
}

Finding shim_finding(const SetupFacts& facts) {
  if (!facts.shim.empty()) {
    return {"shim", FindingState::Good, "PyTorch shim: built, " + facts.shim, ""};
  }
  if (!facts.shim_problem.empty()) {
    return {"shim", FindingState::Limits, "no PyTorch shim: " + facts.shim_problem, ""};
  }
  if (!facts.torch || facts.compiler.empty()) {
    return {
        "shim",
        FindingState::Limits,
        std::string("no PyTorch shim: it needs ") + (facts.torch ? "a C++ compiler" : "PyTorch"),
        ""};
  }
  return {"shim",
          FindingState::Good,
          "PyTorch shim: opcensus record builds it at its first run, in about 10 s",
          ""};
}

void add_conflicts(const SetupFacts& facts, std::vector<Finding>& findings) {
  if (!facts.other_injection.empty()) {
    findings.push_back(
        {"conflict",
         FindingState::Limits,
         "CUDA_INJECTION64_PATH loads another tool: " + facts.other_injection,
         "opcensus record takes its place: CUDA has room for one; leave nsys and ncu "
         "out of the command"});
  }
  if (!facts.other_nvtx_tool.empty()) {
    findings.push_back({"conflict",
                        FindingState::Limits,
                        "NVTX_INJECTION64_PATH loads another tool: " + facts.other_nvtx_tool,
                        "opcensus record leaves it there, and records no NVTX ranges; unset it to "
                        "have them"});
  }
}

bool is_good(const std::vector<Finding>& findings, const std::string& name) {
  return std::any_of(findings.begin(), findings.end(), [&name](const Finding& finding) {
    return finding.name == name && finding.state == FindingState::Good;
  });
}

void conclude(Diagnosis& diagnosis) {
  diagnosis.can_record =
      std::none_of(diagnosis.findings.begin(), diagnosis.findings.end(), [](const Finding& f) {
        return f.state == FindingState::Prevents;
      });
  diagnosis.can_name_operators = diagnosis.can_record && is_good(diagnosis.findings, "shim");
  diagnosis.works.emplace_back("opcensus report of torch profiler traces and of recordings");
  if (!diagnosis.can_record) {
    diagnosis.does_not_work.emplace_back("opcensus record: see the lines above");
    return;
  }
  diagnosis.works.emplace_back("opcensus record: every graph replay attributed exactly");
  if (diagnosis.can_name_operators) {
    diagnosis.works.emplace_back("PyTorch operators with shapes and dtypes in recordings");
  } else {
    diagnosis.does_not_work.emplace_back(
        "PyTorch operators in recordings: they will hold NVTX ranges, annotations and kernel "
        "names");
  }
}

}  // namespace

std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Diagnosis diagnose(const SetupFacts& facts) {
  Diagnosis diagnosis;
  diagnosis.findings = {driver_finding(facts),
                        gpu_finding(facts),
                        cupti_finding(facts),
                        agent_finding(facts),
                        torch_finding(facts),
                        compiler_finding(facts),
                        shim_finding(facts)};
  add_conflicts(facts, diagnosis.findings);
  conclude(diagnosis);
  return diagnosis;
}

}  // namespace opcensus
