# SPDX-License-Identifier: Apache-2.0
# Flags live in one interface target, never in CMAKE_CXX_FLAGS. Warnings become errors in presets.
add_library(opcensus_build_flags INTERFACE)
add_library(opcensus::build_flags ALIAS opcensus_build_flags)
target_compile_features(opcensus_build_flags INTERFACE cxx_std_20)
target_compile_options(opcensus_build_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor)
# GCC 12 reports a false overlap in std::string operator+ when it optimises (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(opcensus_build_flags INTERFACE -Wno-restrict)
endif()
# Several sources in one look to GCC like a header with an anonymous namespace.
if(OPCENSUS_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(opcensus_build_flags INTERFACE -Wno-subobject-linkage)
endif()
target_include_directories(opcensus_build_flags INTERFACE
  "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")

# project(VERSION) is the only place with the version number. The generated header is a target of
# its own, so that all other commands are the same in every build folder (ccache).
configure_file("${PROJECT_SOURCE_DIR}/include/opcensus/version.h.in"
               "${PROJECT_BINARY_DIR}/include/opcensus/version.h" @ONLY)
add_library(opcensus_version INTERFACE)
add_library(opcensus::version ALIAS opcensus_version)
target_include_directories(opcensus_version INTERFACE "${PROJECT_BINARY_DIR}/include")

if(OPCENSUS_FUZZ)
  # Coverage of the modules, too: without it libFuzzer sees the fuzz target alone.
  target_compile_options(opcensus_build_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

set(OPCENSUS_SANITIZE "" CACHE STRING "Comma list for -fsanitize=, e.g. address,undefined")
if(OPCENSUS_SANITIZE)
  target_compile_options(opcensus_build_flags INTERFACE
    -fsanitize=${OPCENSUS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(opcensus_build_flags INTERFACE -fsanitize=${OPCENSUS_SANITIZE})
endif()
