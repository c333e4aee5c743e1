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
if(OPCENSUS_TESTS)
  opcensus_find(GTest libgtest-dev)
  opcensus_find(nlohmann_json nlohmann-json3-dev)
endif()
