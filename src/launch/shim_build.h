// SPDX-License-Identifier: Apache-2.0
//
// The torch shim, compiled once for each torch on the user's machine and kept in the cache. Several
// `opcensus record` may ask for it at once: one compiles, the others wait.
#pragma once

#include <string>
#include <vector>

#include "opcensus/result.h"

#include "src/launch/torch_install.h"

namespace opcensus {

/// Folder with torch/opcensus_torch.cpp and agent/agent_api.h.
struct ShimSources {
  std::string root;
};

struct ShimPlan {
  std::string folder;   ///< in the cache, one for each torch and state of the sources
  std::string library;  ///< in it
  std::string log;      ///< of the compiler, in it
};

struct Shim {
  std::string library;
  double build_seconds = 0;  ///< 0: it was there
};

/// "${XDG_CACHE_HOME:-~/.cache}/opcensus"; empty if there is neither.
[[nodiscard]] std::string cache_folder(const std::string& xdg_cache_home, const std::string& home);

/// 16 hexadecimal digits that change with the content of `texts`.
[[nodiscard]] std::string content_hash(const std::vector<std::string>& texts);

/// The name of a torch's folder: "2.11.0+cu130-abi1-<hash>", harmless as a file name.
[[nodiscard]] std::string shim_folder_name(const TorchInstall& torch, const std::string& hash);

/// `standard`: 20 or 17.
[[nodiscard]] std::vector<std::string> shim_compile_command(const std::string& compiler,
                                                            const TorchInstall& torch,
                                                            const ShimSources& sources,
                                                            int standard,
                                                            const std::string& output);

/// $CXX, c++, g++, clang++ in `path`, then those of /usr/bin: in this order, without repeats.
[[nodiscard]] std::vector<std::string> find_compilers(const std::string& cxx,
                                                      const std::string& path);

/// The first of them. Empty if there is none.
[[nodiscard]] std::string find_compiler(const std::string& cxx, const std::string& path);

/// False for a library that brings its own copy of the C++ library.
[[nodiscard]] bool needs_shared_cxx_library(const std::string& library);

/// Where the shim for this torch is or would be.
[[nodiscard]] Result<ShimPlan> plan_shim(const TorchInstall& torch, const ShimSources& sources);

[[nodiscard]] bool is_built(const ShimPlan& plan);

/// Compiles it if it is not there.
[[nodiscard]] Result<Shim> build_shim(const TorchInstall& torch, const ShimSources& sources);

}  // namespace opcensus
