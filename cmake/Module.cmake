# SPDX-License-Identifier: Apache-2.0
# opcensus_module(NAME SOURCES … [DEPS module …] [LIBRARIES target …] [TESTS file …])
#
# One folder of src/ = one static library opcensus_<name> (alias opcensus::<name>) = one idea.
# DEPS are other modules; tools/check-layers compares the includes with the allowed ones.
# LIBRARIES are third-party targets, private: they never show in the module's headers.
# TESTS are unit tests, which link this module alone.
function(opcensus_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPS;LIBRARIES;TESTS" ${ARGN})
  set(target "opcensus_${name}")
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(opcensus::${name} ALIAS ${target})
  target_link_libraries(${target} PRIVATE opcensus::build_flags ${arg_LIBRARIES})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${OPCENSUS_UNITY})
  foreach(dep IN LISTS arg_DEPS)
    target_link_libraries(${target} PUBLIC opcensus::${dep})
  endforeach()
  if(OPCENSUS_TESTS AND arg_TESTS)
    add_executable(${target}_test ${arg_TESTS})
    target_link_libraries(${target}_test PRIVATE opcensus::build_flags opcensus::${name} GTest::gtest_main)
    add_test(NAME unit.${name} COMMAND ${target}_test)
    set_tests_properties(unit.${name} PROPERTIES LABELS unit)
  endif()
endfunction()
