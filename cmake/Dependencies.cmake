# SPDX-License-Identifier: Apache-2.0
# The only file with find_package. A missing package is a configure error that names the Debian
# package. Nothing is downloaded.
find_package(PkgConfig REQUIRED)

macro(opcensus_find package debian)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} is missing: apt-get install ${debian}")
  endif()
endmacro()

macro(opcensus_find_pkgconfig name module debian)
  pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${module} is missing: apt-get install ${debian}")
  endif()
endmacro()

opcensus_find(fmt libfmt-dev)
opcensus_find(simdjson libsimdjson-dev)
opcensus_find(CLI11 libcli11-dev)
opcensus_find(SQLite3 libsqlite3-dev)
opcensus_find(Threads libc6-dev)
opcensus_find_pkgconfig(ISAL libisal libisal-dev)
opcensus_find_pkgconfig(ZSTD libzstd libzstd-dev)
if(OPCENSUS_TESTS)
  opcensus_find(GTest libgtest-dev)
  opcensus_find(nlohmann_json nlohmann-json3-dev)
endif()

# Optional: the test of the PyTorch shim. Found by its files, Debian's or a wheel's (CMAKE_PREFIX_PATH):
# torch's own package file wants a CUDA toolkit and sets global flags.
function(opcensus_find_torch)
  find_path(OPCENSUS_TORCH_INCLUDE ATen/record_function.h)
  find_path(OPCENSUS_TORCH_API torch/version.h PATH_SUFFIXES include/torch/csrc/api/include)
  find_library(OPCENSUS_TORCH_CPU torch_cpu)
  find_library(OPCENSUS_C10 c10)
  if(NOT OPCENSUS_TORCH_INCLUDE OR NOT OPCENSUS_TORCH_API OR NOT OPCENSUS_TORCH_CPU OR NOT OPCENSUS_C10)
    return()
  endif()
  add_library(opcensus_torch_libraries INTERFACE)
  add_library(opcensus::torch ALIAS opcensus_torch_libraries)
  target_include_directories(opcensus_torch_libraries SYSTEM INTERFACE
    "${OPCENSUS_TORCH_INCLUDE}" "${OPCENSUS_TORCH_API}")
  target_link_libraries(opcensus_torch_libraries INTERFACE "${OPCENSUS_TORCH_CPU}" "${OPCENSUS_C10}")
  set(OPCENSUS_TORCH_FOUND TRUE PARENT_SCOPE)
endfunction()
if(OPCENSUS_TESTS)
  opcensus_find_torch()
endif()
