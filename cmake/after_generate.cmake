# cmake -P after_generate.cmake <spec> <not a product> <stamp> <what more was known> <product>...
#
# Runs behind each rule that generates.
#
# Says so if the spec gives other files than the library is made of: that would show later, as a source that is not there
# or a function that is nowhere. <not a product> is the source of a spec whose library is INTERFACE, else "-". Whether there
# is a header of handles, or of what headers or tests share, CMake need not have known: where it has not, it configures again.

cmake_policy(VERSION 3.21...3.31)

set(spec "${CMAKE_ARGV3}")
set(unwanted "${CMAKE_ARGV4}")
set(stamp "${CMAKE_ARGV5}")
set(known_file "${CMAKE_ARGV6}")
math(EXPR last "${CMAKE_ARGC} - 1")

function(fail text)
  file(REMOVE "${stamp}")
  message(FATAL_ERROR "${spec} ${text}")
endfunction()

file(STRINGS "${stamp}" given)  # the generator has written down what it wrote
cmake_path(GET stamp STEM LAST_ONLY stem)
cmake_path(GET CMAKE_ARGV7 PARENT_PATH folder)
set(more "")
foreach(name IN ITEMS "${stem}_handles.h" "bespoke.h" "bespoke_test.h")
  if("${folder}/${name}" IN_LIST given)
    list(APPEND more "${name}")
  endif()
endforeach()
list(SORT more)
if(NOT "${folder}/${stem}_handles.h" IN_LIST given)
  file(REMOVE "${folder}/${stem}_handles.h")  # one that was given before would still be found
endif()
file(READ "${known_file}" known)
if(NOT known STREQUAL more)
  file(WRITE "${known_file}" "${more}")
endif()

foreach(i RANGE 7 ${last})
  if(NOT "${CMAKE_ARGV${i}}" IN_LIST given)
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
