# cmake -P after_generate.cmake <spec> <not a product> <consolidated> <depfile> <stamp> <product>...
#
# Runs behind each rule that generates.
#
# Says so if the spec gives other files than the library is made of: that would show later, as a source that is not
# there or a function that is nowhere. Whether there is a header of handles, CMake need not have known. <not a product> is the source of a spec whose library is INTERFACE, else "-".
#
# For make, <consolidated> is not "-". Ninja needs none of this:
# 1. The products become prerequisites of the stamp, so that make runs the rule when one of them was deleted.
# 2. The file in which CMake collects the dependency files of a target is removed. CMake only ever adds to it, and so a
#    prerequisite that is no longer one, and perhaps no longer exists, would run the rule in every build from then on.
#    The next build collects them anew.

set(spec "${CMAKE_ARGV3}")
set(unwanted "${CMAKE_ARGV4}")
set(consolidated "${CMAKE_ARGV5}")
set(depfile "${CMAKE_ARGV6}")
set(stamp "${CMAKE_ARGV7}")
math(EXPR last "${CMAKE_ARGC} - 1")

function(fail text)
  file(REMOVE "${stamp}")
  message(FATAL_ERROR "${spec} ${text}")
endfunction()

# The header of the handles: is it given? One that was given before would still be found. CMake configures again where it has not known.
string(REGEX REPLACE "\\.h$" "_handles.h" handles "${CMAKE_ARGV8}")
string(REGEX REPLACE "\\.stamp$" ".handles" known_file "${stamp}")
cmake_path(GET handles FILENAME handles_name)
file(STRINGS "${CMAKE_ARGV8}" gives LIMIT_COUNT 1 REGEX "^#include \"[^\"]*_handles\\.h\" /\\*")
if(gives MATCHES "\"${handles_name}\"")
  set(gives 1)
else()
  set(gives 0)
  file(REMOVE "${handles}")
endif()
file(READ "${known_file}" known)
if(NOT known STREQUAL gives)
  file(WRITE "${known_file}" "${gives}")
endif()

foreach(i RANGE 8 ${last})
  if(NOT gives AND CMAKE_ARGV${i} STREQUAL handles)
    continue()
  endif()
  if(NOT EXISTS "${CMAKE_ARGV${i}}")
    set(hint "")
    if(CMAKE_ARGV${i} MATCHES "/([^/]*)\\.c$" AND NOT CMAKE_MATCH_1 MATCHES "_test$")
      set(hint " For a spec with `emit: {files: single}`, say LIBRARY INTERFACE in bespoke_add_containers.")
    endif()
    fail("has not given ${CMAKE_ARGV${i}}.${hint}")
  endif()
endforeach()
if(NOT unwanted STREQUAL "-" AND EXISTS "${unwanted}")
  string(CONCAT text "gives a source as well as a header, which LIBRARY INTERFACE leaves out. Say LIBRARY STATIC in "
         "bespoke_add_containers, or `emit: {files: single}` in the spec.")
  fail("${text}")
endif()

if(NOT consolidated STREQUAL "-")
  set(line "")
  foreach(i RANGE 7 ${last})
    if(NOT gives AND CMAKE_ARGV${i} STREQUAL handles)
      continue()
    endif()
    string(REPLACE "$" "$$" path "${CMAKE_ARGV${i}}")
    string(REPLACE "#" "\\#" path "${path}")
    string(REPLACE " " "\\ " path "${path}")
    if(i EQUAL 7)
      string(APPEND line "${path}:")
    else()
      string(APPEND line " ${path}")
    endif()
  endforeach()
  file(APPEND "${depfile}" "${line}\n")
  file(REMOVE "${consolidated}")
endif()
