// SPDX-License-Identifier: Apache-2.0
#include "src/launch/torch_install.h"

#include <chrono>

#include "src/launch/process.h"

namespace opcensus {
namespace {

constexpr std::chrono::seconds kPatience{60};  // a cold network file system

// The ABI shows in the name of one symbol of libc10. Only if that is not there torch is imported.
constexpr const char* kQuery = R"py(
import glob, importlib.util, os, re
def say(key, value):
    print("opcensus:%s=%s" % (key, value))
spec = importlib.util.find_spec("torch")
root = os.path.dirname(spec.origin) if spec and spec.origin else None
if root:
    facts = {}
    with open(os.path.join(root, "version.py")) as file:
        match = re.search(r"^__version__ *(?::[^=]*)?= *['\"]([^'\"]+)", file.read(), re.M)
    if match:
        version = match.group(1)
    else:
        import torch
        version = torch.__version__
    say("version", version)
    for include in ("include", "include/torch/csrc/api/include"):
        if os.path.isdir(os.path.join(root, include)):
            say("include", os.path.join(root, include))
    lib = os.path.join(root, "lib")
    say("lib", lib)
    try:
        with open(os.path.join(lib, "libc10.so"), "rb") as file:
            found = re.search(rb"_ZN3c105ErrorC[12]ENS_14SourceLocationE(NSt7__cxx11|Ss)", file.read())
    except OSError:
        found = None
    if found:
        say("abi", 0 if found.group(1) == b"Ss" else 1)
    else:
        import torch
        say("abi", int(torch.compiled_with_cxx11_abi()))
    site = os.path.dirname(root)
    for folder in ("nvidia/cu13/lib", "nvidia/cuda_cupti/lib"):
        for file in sorted(glob.glob(os.path.join(site, folder, "libcupti.so*"))):
            say("cupti", file)
)py";

void take(TorchInstall& torch, std::string_view key, const std::string& value) {
  if (key == "version") {
    torch.version = value;
  } else if (key == "include") {
    torch.includes.push_back(value);
  } else if (key == "lib") {
    torch.libraries = value;
  } else if (key == "abi") {
    torch.cxx11_abi = value == "0" ? 0 : 1;
  } else if (key == "cupti") {
    torch.cupti.push_back(value);
  }
}

}  // namespace

Result<TorchInstall> parse_torch_answer(std::string_view answer) {
  constexpr std::string_view kMark = "opcensus:";
  TorchInstall torch;
  while (!answer.empty()) {
    const std::string_view line = answer.substr(0, answer.find('\n'));
    answer.remove_prefix(line.size() == answer.size() ? line.size() : line.size() + 1);
    const std::size_t equals = line.find('=');
    if (line.starts_with(kMark) && equals != std::string_view::npos) {
      take(torch,
           line.substr(kMark.size(), equals - kMark.size()),
           std::string(line.substr(equals + 1)));
    }
  }
  if (torch.version.empty() || torch.libraries.empty()) {
    return Error{ErrorCode::NotFound, "there is no torch", "", {}, ""};
  }
  return torch;
}

Result<TorchInstall> find_torch(const std::string& python) {
  OPCENSUS_TRY(const Finished finished,
               run_captured({python, "-c", kQuery}, kPatience, StandardError::Dropped));
  if (finished.is_timed_out || finished.status != 0) {
    return Error{ErrorCode::Unreadable,
                 finished.is_timed_out ? "it did not answer the question for its torch"
                                       : "it failed on the question for its torch",
                 python,
                 {},
                 ""};
  }
  auto torch = parse_torch_answer(finished.out);
  if (!torch) {
    return std::move(torch).error().in_file(python);
  }
  torch->python = python;
  return torch;
}

}  // namespace opcensus
