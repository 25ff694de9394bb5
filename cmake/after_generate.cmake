# cmake -P after_make.cmake <consolidated> <depfile> <stamp> <product>...
#
# Runs behind a rule that generates, in builds with make. Ninja needs none of this.
#
# 1. Names the products as prerequisites of the stamp, so that make runs the rule when one of them was deleted.
# 2. Removes the file in which CMake collects the dependency files of a target: it only ever adds to it, and so a
#    prerequisite that is no longer one, and perhaps no longer exists, would run the rule in every build from then on.
#    The next build collects them anew.

set(line "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 5 ${last})
  string(REPLACE "$" "$$" path "${CMAKE_ARGV${i}}")
  string(REPLACE "#" "\\#" path "${path}")
  string(REPLACE " " "\\ " path "${path}")
  if(i EQUAL 5)
    string(APPEND line "${path}:")
  else()
    string(APPEND line " ${path}")
  endif()
endforeach()
file(APPEND "${CMAKE_ARGV4}" "${line}\n")
file(REMOVE "${CMAKE_ARGV3}")
