// SPDX-License-Identifier: Apache-2.0
#include "src/launch/shim_build.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "src/launch/environment.h"
#include "src/launch/process.h"
#include "src/launch/python_command.h"

namespace opcensus {
namespace {

constexpr std::chrono::seconds kCompilePatience{300};  // 6 s on a server, a minute on a loaded one

std::string read_all(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// The sources in the order of their names, so that the hash is the same everywhere.
std::vector<std::string> source_texts(const ShimSources& sources) {
  std::vector<std::filesystem::path> files{std::filesystem::path(sources.root) /
                                           "agent/agent_api.h"};
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(sources.root) / "torch", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name == "opcensus_torch.cpp" || entry.path().extension() == ".h") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) {
    texts.push_back(file.filename().string());
    texts.push_back(read_all(file));
  }
  return texts;
}

/// Held while one process compiles. The kernel lets go of it when the process ends, however it
/// ends.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : file_(open((folder + "/lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (file_ >= 0 && flock(file_, LOCK_EX) != 0) {
      close(file_);
      file_ = -1;
    }
  }

  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  ~FolderLock() {
    if (file_ >= 0) {
      close(file_);
    }
  }

  [[nodiscard]] bool is_held() const { return file_ >= 0; }

 private:
  int file_;
};

Error no_compiler() {
  return {ErrorCode::NotFound,
          "there is no C++ compiler to build the PyTorch shim with",
          "",
          {},
          "install g++ (or set CXX) and run it again"};
}

Error not_compiled(const ShimPlan& plan) {
  return {ErrorCode::Unreadable,
          "the PyTorch shim did not compile",
          "",
          {},
          "the compiler's output is in " + plan.log};
}

Error static_cxx_library(const std::string& compiler) {
  return {ErrorCode::Conflict,
          "the compiler links the C++ library statically, which does not work inside PyTorch",
          compiler,
          {},
          "set CXX to the system's g++ or clang++"};
}

Status try_compile(const std::vector<std::string>& command, const ShimPlan& plan) {
  OPCENSUS_TRY(const Finished finished,
               run_captured(command, kCompilePatience, StandardError::WithOutput));
  std::ofstream log(plan.log, std::ios::app);
  for (const std::string& word : command) {
    log << word << ' ';
  }
  log << '\n' << finished.out << '\n';
  if (finished.status != 0) {
    return not_compiled(plan);
  }
  return Done{};
}

/// C++20 first: newer torch headers need it. Old compilers only know 17.
Status compile(const std::string& compiler,
               const TorchInstall& torch,
               const ShimSources& sources,
               const ShimPlan& plan) {
  std::error_code failure;
  std::filesystem::remove(plan.log, failure);
  const std::string output = plan.library + "." + std::to_string(getpid());
  auto status = try_compile(shim_compile_command(compiler, torch, sources, 20, output), plan);
  if (!status) {
    status = try_compile(shim_compile_command(compiler, torch, sources, 17, output), plan);
  }
  if (status && !needs_shared_cxx_library(output)) {
    // Two copies of the C++ library in one process crash it (seen with a GCC that is configured to
    // link its own): this compiler's output must not go into torch.
    status = static_cxx_library(compiler);
  }
  if (status) {
    std::filesystem::rename(output, plan.library, failure);
    if (failure) {
      status = Error{ErrorCode::Unwritable, failure.message(), plan.library, {}, ""};
    }
  } else {
    std::filesystem::remove(output, failure);
  }
  return status;
}

/// Another compiler only where the first one works and cannot be used; its error, if none can.
Status compile_with_any(const std::vector<std::string>& compilers,
                        const TorchInstall& torch,
                        const ShimSources& sources,
                        const ShimPlan& plan) {
  auto first = compile(compilers.front(), torch, sources, plan);
  const bool is_unfit = !first && first.error().code == ErrorCode::Conflict;
  for (std::size_t i = 1; is_unfit && i < compilers.size(); ++i) {
    if (auto next = compile(compilers[i], torch, sources, plan)) {
      return next;
    }
  }
  return first;
}

}  // namespace

std::string cache_folder(const std::string& xdg_cache_home, const std::string& home) {
  if (xdg_cache_home.starts_with('/')) {  // the specification ignores relative ones
    return xdg_cache_home + "/opcensus";
  }
  return home.empty() ? "" : home + "/.cache/opcensus";
}

std::string content_hash(const std::vector<std::string>& texts) {
  constexpr std::uint64_t kBasis = 0xcbf29ce484222325ULL;  // FNV-1a, 64 bit
  constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  std::uint64_t hash = kBasis;
  for (const std::string& text : texts) {
    for (const char letter : text) {
      hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
    }
    hash = (hash ^ 0xffU) * kPrime;  // ends a text: no byte of UTF-8 is 0xff
  }
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) {
    digits += "0123456789abcdef"[(hash >> static_cast<unsigned>(shift)) & 0xfU];
  }
  return digits;
}

std::string shim_folder_name(const TorchInstall& torch, const std::string& hash) {
  std::string name = torch.version + "-abi" + std::to_string(torch.cxx11_abi) + "-" + hash;
  for (char& letter : name) {
    const bool is_harmless = std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                             letter == '.' || letter == '+' || letter == '-';
    letter = is_harmless ? letter : '_';
  }
  return name.starts_with('.') ? "_" + name : name;
}

std::vector<std::string> shim_compile_command(const std::string& compiler,
                                              const TorchInstall& torch,
                                              const ShimSources& sources,
                                              int standard,
                                              const std::string& output) {
  std::vector<std::string> command{compiler,
                                   "-std=c++" + std::to_string(standard),
                                   "-O2",
                                   "-fPIC",
                                   "-shared",
                                   "-w",
                                   "-DNDEBUG",  // as torch itself: the layout depends on it
                                   "-fvisibility=hidden",
                                   "-D_GLIBCXX_USE_CXX11_ABI=" + std::to_string(torch.cxx11_abi),
                                   "-DOPCENSUS_TORCH_VERSION=\"" + torch.version + "\"",
                                   "-I" + sources.root};
  for (const std::string& include : torch.includes) {
    command.insert(command.end(), {"-isystem", include});
  }
  // No rpath: the shim must bind to the torch that is in the process, by its soname.
  command.insert(command.end(),
                 {sources.root + "/torch/opcensus_torch.cpp",
                  "-o",
                  output,
                  "-L" + torch.libraries,
                  "-Wl,--allow-shlib-undefined",
                  "-ltorch_cpu",
                  "-lc10",
                  "-ldl",
                  "-lpthread"});
  return command;
}

std::vector<std::string> find_compilers(const std::string& cxx, const std::string& path) {
  std::vector<std::string> found;
  for (const std::string& name : {cxx,
                                  std::string("c++"),
                                  std::string("g++"),
                                  std::string("clang++"),
                                  std::string("/usr/bin/c++"),
                                  std::string("/usr/bin/g++")}) {
    const auto program = name.empty() ? std::nullopt : find_program(name, path);
    if (program && std::find(found.begin(), found.end(), *program) == found.end()) {
      found.push_back(*program);
    }
  }
  return found;
}

std::string find_compiler(const std::string& cxx, const std::string& path) {
  const std::vector<std::string> found = find_compilers(cxx, path);
  return found.empty() ? "" : found.front();
}

bool needs_shared_cxx_library(const std::string& library) {
  std::ifstream file(library, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return bytes.find("libstdc++.so") != std::string::npos ||
         bytes.find("libc++.so") != std::string::npos;
}

Result<ShimPlan> plan_shim(const TorchInstall& torch, const ShimSources& sources) {
  const std::string cache =
      cache_folder(environment_variable("XDG_CACHE_HOME"), environment_variable("HOME"));
  if (cache.empty()) {
    return Error{ErrorCode::Unwritable,
                 "there is no cache folder for the PyTorch shim",
                 "",
                 {},
                 "set HOME or XDG_CACHE_HOME"};
  }
  const std::string folder =
      cache + "/" + shim_folder_name(torch, content_hash(source_texts(sources)));
  return ShimPlan{folder, folder + "/libopcensus_torch.so", folder + "/build.log"};
}

bool is_built(const ShimPlan& plan) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(plan.library, ignored);
}

Result<Shim> build_shim(const TorchInstall& torch, const ShimSources& sources) {
  OPCENSUS_TRY(const ShimPlan plan, plan_shim(torch, sources));
  if (is_built(plan)) {
    return Shim{plan.library, 0};
  }
  const std::vector<std::string> compilers =
      find_compilers(environment_variable("CXX"), environment_variable("PATH"));
  if (compilers.empty()) {
    return no_compiler();
  }
  std::error_code failure;
  std::filesystem::create_directories(plan.folder, failure);
  const FolderLock lock(plan.folder);
  if (failure || !lock.is_held()) {
    return Error{ErrorCode::Unwritable,
                 "the cache folder of the PyTorch shim cannot be written",
                 plan.folder,
                 {},
                 "set XDG_CACHE_HOME to a folder that can"};
  }
  if (is_built(plan)) {  // by another process, while this one waited
    return Shim{plan.library, 0};
  }
  const auto start = std::chrono::steady_clock::now();
  OPCENSUS_CHECK_OK(compile_with_any(compilers, torch, sources, plan));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return Shim{plan.library, took.count()};
}

}  // namespace opcensus
