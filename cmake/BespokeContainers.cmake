# Bespoke in a CMake build: turns container specs into a library target.
#
#   bespoke_add_containers(<target>
#       SPECS <a.yaml>...                     each gives <stem>.h and <stem>.c, named after the spec file
#       [LIBRARY STATIC|OBJECT|INTERFACE]     default STATIC; INTERFACE is for specs with `emit: {files: single}`
#       [OUTPUT_DIR <dir>]                    default ${CMAKE_CURRENT_BINARY_DIR}/bespoke/<target>
#       [CHECKED_IN <dir>]                    the tracked copy of the generated files
#       [GENERATE AUTO|ALWAYS|NEVER]          default ${BESPOKE_GENERATE}, which is AUTO
#       [SUPPORT INLINE|SHARED]               SHARED: what headers share is in bespoke.h, beside them, where a spec does not give
#                                             `emit.support`; default SHARED for several specs, else INLINE
#       [TYPES_FROM <target>...]              linked PUBLIC, and searched for element headers (with CHECKED_IN, name
#                                             targets that are defined before the call); types that have a lock are read
#                                             from their headers again, as the library compiles them
#       [TESTS]                               build and add the generated test of each spec
#       [TEST_ARGUMENTS <argument>...]        what these tests are called with, such as --steps 1000000
#       [FUZZ]                                with TESTS, and clang or afl-clang-fast: also a fuzz target of each test, which
#                                             is not built with all: <target>_<stem>_fuzz
#       [DEBUGGERS]                           also <stem>.gdb.py and <stem>.natvis, which show the containers in gdb and in
#                                             Visual Studio, beside the headers; see docs/debuggers.md
#       [DRIFT_TEST])                         add a test that CHECKED_IN is what the specs say
#
# <target> carries its include directories (the generated headers, the folders of the specs), so that linking it is all
# a user does. Which files it compiles:
#
#   GENERATE   without CHECKED_IN      with CHECKED_IN
#   AUTO       generated ones          without a usable Python: the checked-in ones
#                                      up to date: the checked-in ones; stale: a warning, and generated ones
#   ALWAYS     generated ones          generated ones
#   NEVER      (an error)              the checked-in ones, with a warning if they are known to be stale
#
# Generated ones are written to OUTPUT_DIR while building. The source tree is only written to by the target
# bespoke-regen, which brings all CHECKED_IN folders and type locks up to date; bespoke-check tells whether they are.
# Headers of elements are looked for beside the specs, in the folders that include_directories() has named before the
# call, and in those of TYPES_FROM.
# Relative SPECS and CHECKED_IN are looked up in the current source directory, a relative OUTPUT_DIR in the current
# binary directory.
#
# Also made: <target>_gen (generates, compiles nothing), the tests <target>.<stem> and <target>.drift, and the target
# properties BESPOKE_SPECS, BESPOKE_HEADERS, BESPOKE_DEBUGGERS (the scripts for gdb) and BESPOKE_DIR (the folder whose files
# are compiled).
#
# Types: where a header of TYPES_FROM no longer agrees with the type lock beside the spec, the build warns, and generates
# by the header. bespoke-regen brings the locks up to date, too. Without libclang a build goes by the locks.
#
# Variables: BESPOKE_GENERATE (default of GENERATE), BESPOKE_TYPES (OFF: go by the type locks, and read no header),
# BESPOKE_REGEN_TESTS (OFF: bespoke-regen writes no tests, for projects that check in containers and generate their tests),
# BESPOKE_PYTHON (interpreter of the generator; found if not given, and remembered), Python3_EXECUTABLE (is taken at its word
# when given on the command line).

include_guard(GLOBAL)

if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "Bespoke needs CMake 3.21 or newer, for dependency files; this is ${CMAKE_VERSION}.")
endif()

cmake_policy(PUSH)
cmake_policy(VERSION 3.21...3.31)

set(BESPOKE_GENERATE "AUTO" CACHE STRING
    "Generate containers while building: AUTO (where checked-in files are missing or stale), ALWAYS or NEVER")
set_property(CACHE BESPOKE_GENERATE PROPERTY STRINGS AUTO ALWAYS NEVER)
option(BESPOKE_TYPES "Compare type locks with the headers of TYPES_FROM, where libclang is installed" ON)

# ---- Python ---------------------------------------------------------------------------------------------------------

# The start of a command line of the tool, for one interpreter. Byte code goes to the build folder, since a build does
# not write elsewhere.
function(_bespoke_command result python)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
  set(${result} "${python}" -X "pycache_prefix=${CMAKE_BINARY_DIR}/CMakeFiles/bespoke.pycache" "${root}/bespoke"
      PARENT_SCOPE)
endfunction()

# The interpreters of this machine worth trying, best first.
function(_bespoke_python_candidates result)
  if(CMAKE_DISABLE_FIND_PACKAGE_Python3)
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  set(found "")
  # Interpreter alone: with Development, a cross build would look for the target's Python.
  find_package(Python3 3.8 COMPONENTS Interpreter QUIET)
  if(Python3_Interpreter_FOUND)
    list(APPEND found "${Python3_EXECUTABLE}")
  endif()

  if(CMAKE_HOST_WIN32)
    set(names python3.exe python.exe)
  else()
    set(names python3 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9 python3.8)
  endif()
  file(TO_CMAKE_PATH "$ENV{PATH}" path)
  set(seen "")
  foreach(dir IN LISTS path ITEMS /usr/bin /usr/local/bin)
    foreach(name IN LISTS names)
      if(IS_ABSOLUTE "${dir}" AND EXISTS "${dir}/${name}" AND NOT IS_DIRECTORY "${dir}/${name}")
        # One try for all names of one interpreter. The folder counts: the python of a virtual environment is a link to
        # the system's, and yet sees other modules.
        file(REAL_PATH "${dir}" real_dir)
        file(REAL_PATH "${dir}/${name}" real_file)
        if(NOT "${real_dir}|${real_file}" IN_LIST seen)
          list(APPEND seen "${real_dir}|${real_file}")
          list(APPEND found "${dir}/${name}")
        endif()
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Asks one interpreter whether it can run the generator, in one process. Gives what is behind it (sys.executable, for it
# may be a slow shim in PATH) and an empty problem, or what Python itself says is wrong.
function(_bespoke_try_python executable problem python)
  _bespoke_command(bespoke "${python}")
  list(POP_BACK bespoke script)
  execute_process(
    COMMAND ${bespoke} -c "import runpy, sys; print(sys.executable, flush=True); sys.argv = sys.argv[1:]; \
runpy.run_path(sys.argv[0], run_name='__main__')" "${script}" doctor --need generate
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  string(REGEX MATCH "[^\r\n]+" behind "${output}")
  string(STRIP "${errors}" errors)
  if(code STREQUAL "0")
    set(errors "")
  elseif(errors STREQUAL "")
    set(errors "failed: ${code}")
  endif()
  set(${executable} "${behind}" PARENT_SCOPE)
  set(${problem} "${errors}" PARENT_SCOPE)
endfunction()

# Gives the first of some interpreters that can run the generator, or nothing and why not.
function(_bespoke_first_usable_python result problem)
  set(why "")
  foreach(python IN LISTS ARGN)
    _bespoke_try_python(behind errors "${python}")
    if(errors STREQUAL "")
      set(${result} "${python}" PARENT_SCOPE)
      set(${problem} "" PARENT_SCOPE)
      set(_bespoke_behind "${behind}" PARENT_SCOPE)
      return()
    endif()
    if(why STREQUAL "")
      string(REPLACE "\n" "\n    " errors "${errors}")
      set(why "  ${python}:\n    ${errors}")
    elseif(errors MATCHES "[^\n]*Error[^\n]*")  # else not Python at all, but a shim for another version
      string(APPEND why "\n  also tried ${python}: ${CMAKE_MATCH_0}")
    endif()
  endforeach()
  if(why STREQUAL "")
    set(why "  No Python 3.8 or newer was found.")
  endif()
  set(${result} "" PARENT_SCOPE)
  set(${problem} "${why}" PARENT_SCOPE)
endfunction()

# The interpreter for the generator, and if it is empty, why. Looked for once per configure run. What the user named is
# taken at their word: BESPOKE_PYTHON, then Python3_EXECUTABLE on the command line. What an earlier run found is tried
# first, and given up when it no longer works.
function(_bespoke_find_python result problem)
  get_property(known GLOBAL PROPERTY _BESPOKE_PYTHON SET)
  if(NOT known)
    set(remembered "$CACHE{_BESPOKE_PYTHON_FOUND}")
    if(BESPOKE_PYTHON AND NOT BESPOKE_PYTHON STREQUAL remembered)
      _bespoke_first_usable_python(python why "${BESPOKE_PYTHON}")
    else()
      set(python "")
      if(DEFINED CACHE{Python3_EXECUTABLE})
        _bespoke_first_usable_python(python why "$CACHE{Python3_EXECUTABLE}")
      else()
        if(remembered)
          _bespoke_first_usable_python(python why "${remembered}")
        endif()
        if(NOT python)
          _bespoke_python_candidates(candidates)
          _bespoke_first_usable_python(python why ${candidates})
          if(python AND _bespoke_behind AND NOT _bespoke_behind STREQUAL python)
            _bespoke_try_python(behind errors "${_bespoke_behind}")
            if(errors STREQUAL "")
              set(python "${_bespoke_behind}")
            endif()
          endif()
        endif()
      endif()
      if(python AND NOT python STREQUAL remembered)
        message(STATUS "Bespoke: the generator runs with ${python}")
      endif()
      set(_BESPOKE_PYTHON_FOUND "${python}" CACHE INTERNAL "BESPOKE_PYTHON as found; differs if the user set it")
      set(BESPOKE_PYTHON "${python}" CACHE FILEPATH "Python 3.8+ with Jinja2 and PyYAML, for Bespoke" FORCE)
    endif()
    set_property(GLOBAL PROPERTY _BESPOKE_PYTHON "${python}")
    set_property(GLOBAL PROPERTY _BESPOKE_PYTHON_PROBLEM "${why}")
  endif()
  get_property(python GLOBAL PROPERTY _BESPOKE_PYTHON)
  get_property(why GLOBAL PROPERTY _BESPOKE_PYTHON_PROBLEM)
  set(${result} "${python}" PARENT_SCOPE)
  set(${problem} "${why}" PARENT_SCOPE)
endfunction()

# Can an interpreter read types from headers? Asked once per configure run.
function(_bespoke_reads_types result problem python)
  get_property(known GLOBAL PROPERTY _BESPOKE_READS_TYPES SET)
  if(NOT known)
    _bespoke_command(bespoke "${python}")
    execute_process(COMMAND ${bespoke} doctor -q --need types
                    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE errors)
    set(reads TRUE)
    if(NOT code STREQUAL "0")
      set(reads FALSE)
      string(REGEX REPLACE "^[^\n]*headers: | \\[BSP.*$" "" errors "${errors}")
    endif()
    set_property(GLOBAL PROPERTY _BESPOKE_READS_TYPES ${reads})
    set_property(GLOBAL PROPERTY _BESPOKE_READS_TYPES_PROBLEM "${errors}")
  endif()
  get_property(reads GLOBAL PROPERTY _BESPOKE_READS_TYPES)
  get_property(errors GLOBAL PROPERTY _BESPOKE_READS_TYPES_PROBLEM)
  set(${result} ${reads} PARENT_SCOPE)
  set(${problem} "${errors}" PARENT_SCOPE)
endfunction()

# ---- comparing checked-in files while configuring -------------------------------------------------------------------

# The prerequisites in a dependency file in make syntax.
function(_bespoke_read_depfile result file)
  file(READ "${file}" text)
  string(ASCII 1 space)
  string(REPLACE "\\\r\n" " " text "${text}")
  string(REPLACE "\\\n" " " text "${text}")
  string(REPLACE "\\ " "${space}" text "${text}")
  string(REPLACE "\\#" "#" text "${text}")
  string(REPLACE "$$" "$" text "${text}")
  string(REGEX REPLACE "^[^\n]*:[ \t]+" "" text "${text}")  # the target; greedy, for there may be a drive letter
  string(REGEX MATCHALL "[^ \t\r\n]+" files "${text}")
  list(FILTER files EXCLUDE REGEX ":$")  # rules without prerequisites
  list(TRANSFORM files REPLACE "${space}" " ")
  set(${result} "${files}" PARENT_SCOPE)
endfunction()

# One hash over a command line and the contents of files.
function(_bespoke_hash result command)
  set(text "${command}")
  foreach(file IN LISTS ARGN)
    set(hash "missing")
    if(EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
      file(SHA256 "${file}" hash)
    endif()
    string(APPEND text "\n${hash} ${file}")
  endforeach()
  string(SHA256 text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Are the checked-in files what the specs say? Gives FRESH, STALE, SPEC_ERROR or UNKNOWN, and what the tool said.
# Arranges for CMake to configure again when anything changes that the answer depends on. An answer FRESH is kept in
# state_dir, with a hash over everything it depends on, so that configuring again for another reason costs nothing.
function(_bespoke_compare result said python state_dir checked_in checked_in_files specs options)
  _bespoke_command(bespoke "${python}")
  set(check ${bespoke} check ${specs} -o "${checked_in}" ${options})
  set(options_file "")
  if("${options}" MATCHES "--options-from;([^;]*)")
    set(options_file "${CMAKE_MATCH_1}")
  endif()
  set(depfile "${state_dir}/inputs.d")
  set(answer "${state_dir}/fresh.txt")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${specs})
  foreach(file IN LISTS checked_in_files)
    if(EXISTS "${file}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    elseif(IS_DIRECTORY "${checked_in}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${checked_in}")  # changes when a file appears
    endif()
  endforeach()

  set(fresh FALSE)
  set(text "")
  if(EXISTS "${depfile}" AND EXISTS "${answer}")
    _bespoke_read_depfile(inputs "${depfile}")
    _bespoke_hash(hash "${check}" ${inputs} ${checked_in_files} ${options_file})
    file(READ "${answer}" remembered)
    if(hash STREQUAL remembered)
      set(fresh TRUE)
    endif()
  endif()
  if(NOT fresh AND NOT IS_DIRECTORY "${checked_in}")
    set(fresh STALE)
    set(text "  there is no folder ${checked_in}")
  elseif(NOT fresh)
    file(REMOVE "${answer}" "${depfile}")
    execute_process(COMMAND ${check} RESULT_VARIABLE code OUTPUT_VARIABLE diff ERROR_VARIABLE text)
    string(STRIP "${text}" text)
    if(text STREQUAL "")
      string(STRIP "${diff}" text)
    endif()
    string(REPLACE "\n" "\n  " text "  ${text}")
    if(code STREQUAL "0")
      set(fresh TRUE)
      # Only generating tells which files the specs include and which templates they use.
      execute_process(COMMAND ${bespoke} generate ${specs} -o "${state_dir}/inputs" --no-format
                              --stamp "${state_dir}/inputs.stamp" --depfile "${depfile}" ${options}
                      RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
      file(REMOVE_RECURSE "${state_dir}/inputs")
      if(code STREQUAL "0" AND EXISTS "${depfile}")
        _bespoke_read_depfile(inputs "${depfile}")
        _bespoke_hash(hash "${check}" ${inputs} ${checked_in_files} ${options_file})
        file(WRITE "${answer}" "${hash}")
      else()
        set(inputs "")
      endif()
    elseif(code STREQUAL "1")
      set(fresh STALE)
    elseif(code STREQUAL "2")
      set(fresh SPEC_ERROR)
    else()
      set(fresh UNKNOWN)
    endif()
  endif()
  if(fresh STREQUAL "TRUE")
    set(fresh FRESH)
    foreach(file IN LISTS inputs)
      if(EXISTS "${file}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
      endif()
    endforeach()
  endif()
  set(${result} ${fresh} PARENT_SCOPE)
  set(${said} "${text}" PARENT_SCOPE)
endfunction()

# ---- helpers --------------------------------------------------------------------------------------------------------

# -I options for the folders of element headers, as known while configuring: the plain include directories of targets
# that exist already, and of what they link.
function(_bespoke_known_includes result)
  set(options "")
  set(seen "")
  set(queue ${ARGN})
  while(queue)
    list(POP_FRONT queue type_target)
    if(TARGET "${type_target}" AND NOT type_target IN_LIST seen)
      list(APPEND seen "${type_target}")
      get_target_property(dirs ${type_target} INTERFACE_INCLUDE_DIRECTORIES)
      get_target_property(libraries ${type_target} INTERFACE_LINK_LIBRARIES)
      foreach(dir IN LISTS dirs)
        string(REGEX REPLACE "^\\$<BUILD_INTERFACE:(.*)>$" "\\1" dir "${dir}")
        if(dir AND NOT dir MATCHES "\\$<")
          list(APPEND options "-I${dir}")
        endif()
      endforeach()
      if(libraries)
        list(APPEND queue ${libraries})
      endif()
    endif()
  endwhile()
  list(REMOVE_DUPLICATES options)
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# -D options for the definitions of targets, as known while configuring.
function(_bespoke_known_definitions result)
  set(options "")
  get_directory_property(definitions COMPILE_DEFINITIONS)
  set(seen "")
  set(queue ${ARGN})
  while(TRUE)
    foreach(definition IN LISTS definitions)
      if(definition AND NOT definition MATCHES "\\$<")
        string(REGEX REPLACE "^-D" "" definition "${definition}")
        list(APPEND options "-D${definition}")
      endif()
    endforeach()
    set(definitions "")
    if(NOT queue)
      break()
    endif()
    list(POP_FRONT queue type_target)
    if(TARGET "${type_target}" AND NOT type_target IN_LIST seen)
      list(APPEND seen "${type_target}")
      get_target_property(definitions ${type_target} INTERFACE_COMPILE_DEFINITIONS)
      get_target_property(libraries ${type_target} INTERFACE_LINK_LIBRARIES)
      if(libraries)
        list(APPEND queue ${libraries})
      endif()
    endif()
  endwhile()
  list(REMOVE_DUPLICATES options)
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# Writes the options with which a library compiles its headers into a file for each configuration and language (what targets
# say may depend on both), when CMake has read everything: with what is said of it, and of what it links, after this call.
function(_bespoke_write_options file target interface)
  set(text "")
  foreach(pair "-I INCLUDE_DIRECTORIES" "-D COMPILE_DEFINITIONS" "--flag= COMPILE_OPTIONS")
    string(REPLACE " " ";" pair "${pair}")
    list(GET pair 0 option)
    list(GET pair 1 property)
    set(values "$<TARGET_PROPERTY:${target},${interface}${property}>")
    string(APPEND text "$<$<BOOL:${values}>:${option}$<JOIN:${values},\n${option}>\n>")
  endforeach()
  if(NOT interface)
    set(standard "$<TARGET_PROPERTY:${target},C_STANDARD>")
    set(extensions "$<TARGET_PROPERTY:${target},C_EXTENSIONS>")
    string(APPEND text "$<$<BOOL:${standard}>:--std=$<IF:$<OR:$<STREQUAL:${extensions},>,$<BOOL:${extensions}>>,gnu,c>"
           "${standard}\n>")
  endif()
  string(APPEND text "--flags=${CMAKE_C_FLAGS}\n")
  if(CMAKE_C_COMPILER_TARGET)
    string(APPEND text "--target=${CMAKE_C_COMPILER_TARGET}\n")
  endif()
  if(CMAKE_SYSROOT)
    string(APPEND text "--flag=--sysroot=${CMAKE_SYSROOT}\n")
  endif()
  file(GENERATE OUTPUT "${file}" CONTENT "${text}" TARGET ${target})
endfunction()

# ---- the function ---------------------------------------------------------------------------------------------------

function(bespoke_add_containers target)
  set(me "bespoke_add_containers(${target})")

  # -- arguments
  cmake_parse_arguments(PARSE_ARGV 1 arg "TESTS;FUZZ;DEBUGGERS;DRIFT_TEST" "LIBRARY;OUTPUT_DIR;CHECKED_IN;GENERATE;SUPPORT" "SPECS;TYPES_FROM;TEST_ARGUMENTS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${me}: unknown argument: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${me}: no value for ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_SPECS)
    message(FATAL_ERROR "${me}: SPECS is missing: name at least one spec file.")
  endif()
  if(NOT DEFINED arg_LIBRARY)
    set(arg_LIBRARY STATIC)
  endif()
  if(NOT arg_LIBRARY MATCHES "^(STATIC|OBJECT|INTERFACE)$")
    message(FATAL_ERROR "${me}: LIBRARY is STATIC, OBJECT or INTERFACE, not '${arg_LIBRARY}'.")
  endif()
  list(LENGTH arg_SPECS count)
  set(regen_support "")  # checked-in files of one spec keep their form
  set(check_support "")  # and may have either, if nothing is said
  if(DEFINED arg_SUPPORT)
    if(NOT arg_SUPPORT MATCHES "^(INLINE|SHARED)$")
      message(FATAL_ERROR "${me}: SUPPORT is INLINE or SHARED, not '${arg_SUPPORT}'.")
    endif()
    string(TOLOWER "${arg_SUPPORT}" check_support)
    list(PREPEND check_support --support)
    set(regen_support ${check_support})
    set(support ${check_support})
  elseif(count GREATER 1)
    set(arg_SUPPORT SHARED)
    set(regen_support --support shared)
    set(support ${regen_support})
  else()
    set(arg_SUPPORT INLINE)
    set(support --support inline)
  endif()
  if(NOT DEFINED arg_GENERATE)
    set(arg_GENERATE "${BESPOKE_GENERATE}")
  endif()
  if(NOT arg_GENERATE MATCHES "^(AUTO|ALWAYS|NEVER)$")
    message(FATAL_ERROR "${me}: GENERATE (or BESPOKE_GENERATE) is AUTO, ALWAYS or NEVER, not '${arg_GENERATE}'.")
  endif()
  if(arg_GENERATE STREQUAL "NEVER" AND NOT DEFINED arg_CHECKED_IN)
    message(FATAL_ERROR "${me}: GENERATE NEVER leaves nothing to compile without CHECKED_IN <dir>.")
  endif()
  if(arg_TEST_ARGUMENTS AND NOT arg_TESTS)
    message(FATAL_ERROR "${me}: TEST_ARGUMENTS are for the generated tests, so they need TESTS.")
  endif()
  if(arg_FUZZ AND NOT arg_TESTS)
    message(FATAL_ERROR "${me}: FUZZ makes fuzz targets of the generated tests, so it needs TESTS.")
  endif()
  if(arg_DRIFT_TEST AND NOT DEFINED arg_CHECKED_IN)
    message(FATAL_ERROR "${me}: DRIFT_TEST compares checked-in files, so it needs CHECKED_IN <dir>.")
  endif()
  if(NOT arg_LIBRARY STREQUAL "INTERFACE" OR arg_TESTS)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT "C" IN_LIST languages)
      message(FATAL_ERROR "${me}: containers are C, and the project has not enabled it. "
                          "Add C to the LANGUAGES of project(), or call enable_language(C).")
    endif()
  endif()

  # -- places
  if(NOT DEFINED arg_OUTPUT_DIR)
    set(arg_OUTPUT_DIR "bespoke/${target}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT_DIR BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${arg_OUTPUT_DIR}" in_source)
  cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${arg_OUTPUT_DIR}" in_binary)
  if(in_source AND NOT in_binary)
    message(FATAL_ERROR "${me}: OUTPUT_DIR is in the source tree, which a build does not write to:\n"
                        "  ${arg_OUTPUT_DIR}\n"
                        "For files that are to be checked in, use CHECKED_IN <dir> and build the target bespoke-regen.")
  endif()
  if(DEFINED arg_CHECKED_IN)
    cmake_path(ABSOLUTE_PATH arg_CHECKED_IN BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(arg_CHECKED_IN STREQUAL arg_OUTPUT_DIR)
      message(FATAL_ERROR "${me}: OUTPUT_DIR and CHECKED_IN are the same folder:\n  ${arg_CHECKED_IN}")
    endif()
  endif()
  set(state_dir "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.bespoke")
  file(MAKE_DIRECTORY "${state_dir}")

  # -- what belongs to each spec
  set(specs "")
  set(stems "")
  set(spec_dirs "")
  set(names "")           # what is compiled or included, without the folder
  set(headers "")
  foreach(spec IN LISTS arg_SPECS)
    cmake_path(ABSOLUTE_PATH spec BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(NOT EXISTS "${spec}" OR IS_DIRECTORY "${spec}")
      message(FATAL_ERROR "${me}: no such spec file:\n  ${spec}")
    endif()
    cmake_path(GET spec STEM LAST_ONLY stem)
    cmake_path(GET spec PARENT_PATH spec_dir)
    if(stem IN_LIST stems)
      message(FATAL_ERROR "${me}: two specs would give ${stem}.h; output files are named after the spec file.")
    endif()
    get_property(owner GLOBAL PROPERTY "_BESPOKE_OWNER ${arg_OUTPUT_DIR}/${stem}")
    if(owner)
      message(FATAL_ERROR "${me}: ${owner} writes ${stem}.h to the same OUTPUT_DIR:\n  ${arg_OUTPUT_DIR}")
    endif()
    set_property(GLOBAL PROPERTY "_BESPOKE_OWNER ${arg_OUTPUT_DIR}/${stem}" "${target}")
    list(APPEND specs "${spec}")
    list(APPEND stems "${stem}")
    # A source beside the spec that says #include "<stem>.h" would take a copy there before the one that is kept in step.
    cmake_path(GET spec PARENT_PATH beside)
    cmake_path(ABSOLUTE_PATH beside BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    if(EXISTS "${beside}/${stem}.h" AND NOT beside STREQUAL arg_OUTPUT_DIR AND NOT beside STREQUAL arg_CHECKED_IN)
      file(STRINGS "${beside}/${stem}.h" banner LIMIT_COUNT 8 REGEX "@bespoke ")
      if(banner)
        message(WARNING "${me}: ${beside}/${stem}.h was generated once and is not kept in step. Sources beside it would "
                        "include it instead of the one of this build: delete it.")
      endif()
    endif()
    list(APPEND spec_dirs "${spec_dir}")
    list(APPEND headers "${stem}.h")
    list(APPEND names "${stem}.h")
    if(NOT arg_LIBRARY STREQUAL "INTERFACE")
      list(APPEND names "${stem}.c")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES spec_dirs)
  set(checked_in_names ${names})
  foreach(header IN LISTS headers)
    if(DEFINED arg_CHECKED_IN AND EXISTS "${arg_CHECKED_IN}/${header}")
      file(STRINGS "${arg_CHECKED_IN}/${header}" includes_support LIMIT_COUNT 1 REGEX "^#include \"bespoke\\.h\"")
      if(includes_support)
        list(APPEND checked_in_names "bespoke.h")
        break()
      endif()
    endif()
  endforeach()

  # Folders for the generator to look for element headers in: as known now, and as known when CMake has read everything.
  list(TRANSFORM spec_dirs PREPEND "-I" OUTPUT_VARIABLE includes)
  get_directory_property(directory_dirs INCLUDE_DIRECTORIES)  # which the library compiles with, too
  foreach(dir IN LISTS directory_dirs)
    if(dir AND NOT dir MATCHES "\\$<")
      list(APPEND includes "-I${dir}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES includes)
  _bespoke_known_includes(known_includes ${arg_TYPES_FROM})
  list(PREPEND known_includes ${includes})
  foreach(type_target IN LISTS arg_TYPES_FROM)
    set(type_dirs "$<TARGET_PROPERTY:${type_target},INTERFACE_INCLUDE_DIRECTORIES>")
    list(APPEND includes "$<$<BOOL:${type_dirs}>:-I$<JOIN:${type_dirs},$<SEMICOLON>-I>>")
  endforeach()

  # -- generate, or compile what is checked in?
  _bespoke_find_python(python python_problem)
  _bespoke_command(bespoke "${python}")
  set(pip_python python3)
  if(python_problem MATCHES "^  (/[^\n]*):\n")
    set(pip_python "${CMAKE_MATCH_1}")
  endif()
  set(install_lines "  apt-get install python3-jinja2 python3-yaml\n  ${pip_python} -m pip install jinja2 pyyaml")
  set(build_tests ${arg_TESTS})
  if(DEFINED BUILD_TESTING AND NOT BUILD_TESTING)
    set(build_tests FALSE)
  endif()
  set(generate TRUE)

  # -- are types read from headers?
  set(type_options "")     # of commands that are run while building
  set(known_types "")      # of those that are run while configuring
  set(types_file "")
  set(locks "")
  if(arg_TYPES_FROM AND python)
    foreach(spec_dir IN LISTS spec_dirs)
      file(GLOB found CONFIGURE_DEPENDS "${spec_dir}/types/*.yaml")
      list(APPEND locks ${found})
    endforeach()
    if(BESPOKE_TYPES)
      _bespoke_reads_types(reads why "${python}")
      if(reads)
        set(language C)
        get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
        if(NOT "C" IN_LIST languages)
          set(language CXX)
        endif()
        set(types_file "${state_dir}/types.$<CONFIG>.${language}")
        set(type_options --types --options-from "${types_file}")
        # What the last run has found out about all targets, if nothing that can be seen now has changed.
        _bespoke_known_definitions(definitions ${arg_TYPES_FROM})
        string(SHA256 seen "${definitions};${known_includes};${CMAKE_C_FLAGS};${CMAKE_C_STANDARD}")
        set(before "")
        if(EXISTS "${state_dir}/types.seen")
          file(READ "${state_dir}/types.seen" before)
        endif()
        set(config "${CMAKE_BUILD_TYPE}")
        if(CMAKE_CONFIGURATION_TYPES)
          list(GET CMAKE_CONFIGURATION_TYPES 0 config)
        endif()
        set(last_file "${state_dir}/types.${config}.${language}")
        if(seen STREQUAL before AND EXISTS "${last_file}")
          set(known_types --types --options-from "${last_file}")
        else()
          set(known_types --types ${definitions})
          file(WRITE "${state_dir}/types.seen" "${seen}")
        endif()
      elseif(locks)
        message(STATUS "Bespoke: ${target}: going by the type locks; no header can be compared with them (${why})")
      endif()
    endif()
  endif()

  if(arg_GENERATE STREQUAL "ALWAYS" OR NOT DEFINED arg_CHECKED_IN)
    if(NOT python)
      message(FATAL_ERROR "${me}: the generator cannot run.\n${python_problem}\n"
                          "Install what is missing, with one of\n${install_lines}\n"
                          "or name another interpreter with -DBESPOKE_PYTHON=<python>, "
                          "or compile checked-in files with CHECKED_IN <dir>.")
    endif()
  else()
    set(checked_in_files "")
    set(missing "")
    foreach(name IN LISTS checked_in_names)
      list(APPEND checked_in_files "${arg_CHECKED_IN}/${name}")
      if(NOT EXISTS "${arg_CHECKED_IN}/${name}")
        string(APPEND missing "  ${arg_CHECKED_IN}/${name}\n")
      endif()
    endforeach()
    if(missing AND (arg_GENERATE STREQUAL "NEVER" OR NOT python))
      cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
      list(JOIN specs " " spec_words)
      list(JOIN regen_support " " support_words)
      set(reason "GENERATE is NEVER")
      if(NOT arg_GENERATE STREQUAL "NEVER")
        set(reason "the generator cannot run:\n${python_problem}")
      endif()
      message(FATAL_ERROR "${me}: checked-in files are missing:\n${missing}and ${reason}\n"
                          "Where there is Python with Jinja2 and PyYAML, run\n"
                          "  python3 ${root}/bespoke generate ${spec_words} -o ${arg_CHECKED_IN} ${support_words}\n"
                          "and check the files in. To get the modules, one of\n${install_lines}")
    endif()

    set(generate FALSE)
    if(python)
      if(build_tests)
        foreach(stem IN LISTS stems)
          if(EXISTS "${arg_CHECKED_IN}/${stem}_test.c")
            list(APPEND checked_in_files "${arg_CHECKED_IN}/${stem}_test.c")
          endif()
        endforeach()
      endif()
      if(arg_DEBUGGERS)
        foreach(stem IN LISTS stems)
          foreach(name IN ITEMS "${stem}.gdb.py" "${stem}.natvis")
            if(EXISTS "${arg_CHECKED_IN}/${name}")
              list(APPEND checked_in_files "${arg_CHECKED_IN}/${name}")
            endif()
          endforeach()
        endforeach()
      endif()
      _bespoke_compare(state said "${python}" "${state_dir}" "${arg_CHECKED_IN}" "${checked_in_files}" "${specs}"
                       "${known_includes};${known_types};${check_support}")
      set(build "${CMAKE_BINARY_DIR}")
      if(build MATCHES "[^A-Za-z0-9_./:+@-]")
        set(build "\"${build}\"") # as a shell takes it
      endif()
      set(mend "Bring the checked-in files up to date with\n"
               "  cmake --build ${build} --target bespoke-regen")
      if(said MATCHES "BSP0403")
        list(APPEND mend "\nIt does not overwrite what was edited by hand: undo that first, or delete the file.")
      endif()
      if(state STREQUAL "FRESH" AND missing)
        message(FATAL_ERROR "${me}: the specs do not give\n${missing}"
                            "For specs with `emit: {files: single}`, say LIBRARY INTERFACE.")
      elseif(state STREQUAL "STALE" AND arg_GENERATE STREQUAL "AUTO")
        message(WARNING "${me}: checked-in files are stale. This build generates its own.\n${said}\n" ${mend})
        set(generate TRUE)
      elseif(state STREQUAL "STALE")
        message(WARNING "${me}: checked-in files are stale, and compiled as they are (GENERATE NEVER).\n${said}\n"
                        ${mend})
      elseif(NOT state STREQUAL "FRESH" AND arg_GENERATE STREQUAL "AUTO" AND (missing OR state STREQUAL "SPEC_ERROR"))
        # Generating, the build stops at the mistake, with the message where messages of compilers are.
        set(what "the specs cannot be read")
        if(said MATCHES "BSP0324")  # perhaps not all is known yet of how they are compiled
          set(what "the headers cannot be read as they would be compiled now")
        endif()
        message(STATUS "Bespoke: ${target}: ${what}, so nothing was compared; the build tells why")
        set(generate TRUE)
      elseif(NOT state STREQUAL "FRESH")
        message(WARNING "${me}: cannot tell whether the checked-in files are up to date; they are compiled as they "
                        "are.\n${said}")
      endif()
    elseif(arg_GENERATE STREQUAL "AUTO")
      set(brief "${python_problem}")
      if(python_problem MATCHES "[^\n]*Error[^\n]*")
        set(brief "${CMAKE_MATCH_0}")
      endif()
      string(STRIP "${brief}" brief)
      message(STATUS "Bespoke: ${target}: compiling the checked-in files; no usable Python (${brief})")
    endif()
  endif()
  if(generate)
    set(dir "${arg_OUTPUT_DIR}")
  else()
    set(dir "${arg_CHECKED_IN}")
  endif()

  # -- where the tests come from
  set(generated_stems "")
  if(generate)
    set(generated_stems ${stems})
  endif()
  set(tested_stems "")
  set(test_files "")
  if(build_tests)
    foreach(stem IN LISTS stems)
      if(generate)
        set(test_file "${arg_OUTPUT_DIR}/${stem}_test.c")
      elseif(EXISTS "${arg_CHECKED_IN}/${stem}_test.c")
        set(test_file "${arg_CHECKED_IN}/${stem}_test.c")
      elseif(python AND arg_GENERATE STREQUAL "AUTO")
        set(test_file "${arg_OUTPUT_DIR}/${stem}_test.c")
        list(APPEND generated_stems "${stem}")
      else()
        message(WARNING "${me}: no test for ${stem}: there is no\n  ${arg_CHECKED_IN}/${stem}_test.c\n"
                        "and this build may not or cannot generate it. bespoke-regen writes it where there is Python.")
        continue()
      endif()
      list(APPEND tested_stems "${stem}")
      list(APPEND test_files "${test_file}")
    endforeach()
  endif()
  set(also "")
  if(build_tests)
    list(APPEND also "--tests")
  endif()

  # -- where the files for debuggers come from
  set(gdb_scripts "")
  set(natvis_files "")
  if(arg_DEBUGGERS)
    list(APPEND also "--debuggers")
    foreach(stem IN LISTS stems)
      set(debuggers_dir "${arg_OUTPUT_DIR}")
      if(NOT generate AND EXISTS "${arg_CHECKED_IN}/${stem}.gdb.py" AND EXISTS "${arg_CHECKED_IN}/${stem}.natvis")
        set(debuggers_dir "${arg_CHECKED_IN}")
      elseif(NOT generate AND NOT (python AND arg_GENERATE STREQUAL "AUTO"))
        message(WARNING "${me}: nothing for debuggers of ${stem}: there is no\n  ${arg_CHECKED_IN}/${stem}.gdb.py\n"
                        "and this build may not or cannot generate it. bespoke-regen writes it where there is Python.")
        continue()
      elseif(NOT generate)
        list(APPEND generated_stems "${stem}")
      endif()
      list(APPEND gdb_scripts "${debuggers_dir}/${stem}.gdb.py")
      list(APPEND natvis_files "${debuggers_dir}/${stem}.natvis")
    endforeach()
    list(REMOVE_DUPLICATES generated_stems)
  endif()

  # -- the rules that generate
  # The stamp is always touched, the files only when their content changes: so a rule runs once per change, and what
  # follows it only where something is different. Included specs, templates, the generator itself and element headers
  # are in the dependency file; named here, each would be an error once it is renamed or gone.
  set(stamps "")
  foreach(spec stem IN ZIP_LISTS specs stems)
    if(NOT stem IN_LIST generated_stems)
      continue()
    endif()
    set(products "${arg_OUTPUT_DIR}/${stem}.h")
    if(NOT arg_LIBRARY STREQUAL "INTERFACE")
      list(APPEND products "${arg_OUTPUT_DIR}/${stem}.c")
    endif()
    if(build_tests)
      list(APPEND products "${arg_OUTPUT_DIR}/${stem}_test.c")
    endif()
    # All rules write what headers share, the same bytes; one of them makes it again where it was deleted.
    get_property(owner GLOBAL PROPERTY "_BESPOKE_OWNER ${arg_OUTPUT_DIR}/bespoke")
    if(arg_SUPPORT STREQUAL "SHARED" AND NOT owner)
      set_property(GLOBAL PROPERTY "_BESPOKE_OWNER ${arg_OUTPUT_DIR}/bespoke" "${target}")
      list(APPEND products "${arg_OUTPUT_DIR}/bespoke.h")
    endif()
    if(arg_DEBUGGERS)
      list(APPEND products "${arg_OUTPUT_DIR}/${stem}.gdb.py" "${arg_OUTPUT_DIR}/${stem}.natvis")
    endif()
    cmake_path(GET spec FILENAME spec_name)
    cmake_path(GET spec PARENT_PATH spec_dir)
    set(more_inputs ${types_file})
    foreach(lock IN LISTS locks)  # one that is new is in no dependency file yet
      cmake_path(GET lock PARENT_PATH lock_dir)
      if(lock_dir STREQUAL "${spec_dir}/types")
        list(APPEND more_inputs "${lock}")
      endif()
    endforeach()
    set(unwanted "-")
    set(before "")
    if(arg_LIBRARY STREQUAL "INTERFACE")
      set(unwanted "${arg_OUTPUT_DIR}/${stem}.c")
      set(before COMMAND "${CMAKE_COMMAND}" -E rm -f "${unwanted}")
    endif()
    set(consolidated "-")
    if(CMAKE_GENERATOR MATCHES "Makefiles")
      set(consolidated "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}_gen.dir/compiler_depend.internal")
    endif()
    add_custom_command(
      OUTPUT "${state_dir}/${stem}.stamp"
      BYPRODUCTS ${products}
      ${before}
      COMMAND ${bespoke} generate -q "${spec}" -o "${arg_OUTPUT_DIR}" ${also} ${support}
              --stamp "${state_dir}/${stem}.stamp" --depfile "${state_dir}/${stem}.d" ${includes} ${type_options}
      COMMAND "${CMAKE_COMMAND}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/after_generate.cmake" "${spec_name}"
              "${unwanted}" "${consolidated}" "${state_dir}/${stem}.d" "${state_dir}/${stem}.stamp" ${products}
      DEPENDS "${spec}" ${more_inputs}
      DEPFILE "${state_dir}/${stem}.d"
      COMMENT "Generating containers from ${spec_name}"
      COMMAND_EXPAND_LISTS
      VERBATIM)
    set_source_files_properties(${products} PROPERTIES GENERATED TRUE SKIP_AUTOGEN TRUE)
    list(APPEND stamps "${state_dir}/${stem}.stamp")
  endforeach()
  add_custom_target(${target}_gen DEPENDS ${stamps})
  get_property(owner GLOBAL PROPERTY "_BESPOKE_OWNER ${arg_OUTPUT_DIR}/bespoke")
  if(owner AND NOT owner STREQUAL target)
    add_dependencies(${target}_gen ${owner}_gen)  # it makes what headers share here
  endif()
  foreach(type_target IN LISTS arg_TYPES_FROM)
    if(TARGET ${type_target}_gen)
      add_dependencies(${target}_gen ${type_target}_gen)  # containers of containers
    endif()
  endforeach()

  # -- the library
  list(TRANSFORM names PREPEND "${dir}/" OUTPUT_VARIABLE sources)
  list(TRANSFORM headers PREPEND "${dir}/")
  add_library(${target} ${arg_LIBRARY})
  set(scope PUBLIC)
  if(arg_LIBRARY STREQUAL "INTERFACE")
    set(scope INTERFACE)
  else()
    target_compile_features(${target} PUBLIC c_std_99)
  endif()
  # Headers too: CMake cannot find generated ones by following #include before they exist.
  target_sources(${target} PRIVATE ${sources})
  foreach(include_dir IN LISTS dir spec_dirs)
    target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${include_dir}>")
  endforeach()
  if(arg_TYPES_FROM)
    target_link_libraries(${target} ${scope} ${arg_TYPES_FROM})
  endif()
  if(types_file)
    set(interface "")
    if(arg_LIBRARY STREQUAL "INTERFACE")
      set(interface INTERFACE_)
    endif()
    _bespoke_write_options("${state_dir}/types.$<CONFIG>.$<COMPILE_LANGUAGE>" ${target} "${interface}")
  endif()
  add_dependencies(${target} ${target}_gen)
  set_target_properties(${target} PROPERTIES
    BESPOKE_SPECS "${specs}" BESPOKE_HEADERS "${headers}" BESPOKE_DIR "${dir}" BESPOKE_DEBUGGERS "${gdb_scripts}")
  if(MSVC)
    foreach(natvis IN LISTS natvis_files)  # into the program's PDB
      target_link_options(${target} INTERFACE "/NATVIS:${natvis}")
    endforeach()
  endif()

  # -- its tests
  if(tested_stems AND NOT CMAKE_TESTING_ENABLED)
    message(STATUS "Bespoke: ${target}: ctest finds no TESTS unless enable_testing() is called first, at the top")
  endif()
  foreach(stem test_file IN ZIP_LISTS tested_stems test_files)
    set(test_target ${target}_${stem}_test)
    add_executable(${test_target} "${test_file}")
    target_link_libraries(${test_target} PRIVATE ${target})
    target_compile_features(${test_target} PRIVATE c_std_99)
    add_dependencies(${test_target} ${target}_gen)
    add_test(NAME ${target}.${stem} COMMAND ${test_target} ${arg_TEST_ARGUMENTS})
    if(arg_FUZZ AND CMAKE_C_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_C_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
      set(fuzz_target ${target}_${stem}_fuzz)
      add_executable(${fuzz_target} EXCLUDE_FROM_ALL "${test_file}")
      target_link_libraries(${fuzz_target} PRIVATE ${target})
      target_compile_features(${fuzz_target} PRIVATE c_std_99)
      target_compile_definitions(${fuzz_target} PRIVATE BESPOKE_FUZZ=1)
      target_compile_options(${fuzz_target} PRIVATE -g -O1 -fsanitize=fuzzer,address,undefined)
      target_link_options(${fuzz_target} PRIVATE -fsanitize=fuzzer,address,undefined)
      add_dependencies(${fuzz_target} ${target}_gen)
    elseif(arg_FUZZ)
      message(STATUS "Bespoke: ${target}: no fuzz target of ${stem}: ${CMAKE_C_COMPILER_ID} has no libFuzzer, clang and afl-clang-fast have")
    endif()
  endforeach()

  # -- the checked-in files: update, compare
  if(NOT TARGET bespoke-regen)
    add_custom_target(bespoke-regen)
    add_custom_target(bespoke-check)
  endif()
  set(import_types "")
  if(type_options)
    set(import_types COMMAND ${bespoke} type import -q --update ${specs} ${includes} ${type_options})
    list(REMOVE_ITEM import_types --types)
  endif()
  if(DEFINED arg_CHECKED_IN)
    if(python)
      # Touching the file makes the next build compare again, and so compile what is then checked in.
      if(NOT EXISTS "${state_dir}/regen")
        file(TOUCH "${state_dir}/regen")
      endif()
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${state_dir}/regen")
      set(after_regen COMMAND "${CMAKE_COMMAND}" -E touch "${state_dir}/regen")
      set(regen ${bespoke} generate ${specs} -o "${arg_CHECKED_IN}" ${regen_support} ${includes})
      set(check ${bespoke} check ${specs} -o "${arg_CHECKED_IN}" ${check_support} ${includes} ${type_options})
      set(drift ${bespoke} check ${specs} -o "${arg_CHECKED_IN}" ${check_support} ${known_includes} ${type_options})
      if(arg_TESTS AND (NOT DEFINED BESPOKE_REGEN_TESTS OR BESPOKE_REGEN_TESTS))
        list(APPEND regen --tests)
      endif()
      if(arg_DEBUGGERS)
        list(APPEND regen --debuggers)
      endif()
    else()
      # A check that could not run is a failure.
      file(WRITE "${state_dir}/refuse.cmake"
           "message(FATAL_ERROR [==[Bespoke: ${target}: the generator cannot run.\n${python_problem}]==])\n")
      set(regen "${CMAKE_COMMAND}" -P "${state_dir}/refuse.cmake")
      set(after_regen "")
      set(check ${regen})
      set(drift ${regen})
    endif()
    add_custom_target(${target}_regen ${import_types} COMMAND ${regen} ${after_regen} COMMAND_EXPAND_LISTS VERBATIM
                      COMMENT "Bringing the checked-in files of ${target} up to date")
    add_custom_target(${target}_check COMMAND ${check} COMMAND_EXPAND_LISTS VERBATIM
                      COMMENT "Comparing the checked-in files of ${target} with the specs")
    add_dependencies(bespoke-regen ${target}_regen)
    add_dependencies(bespoke-check ${target}_check)
    if(arg_DRIFT_TEST)
      add_test(NAME ${target}.drift COMMAND ${drift})
    endif()
  elseif(import_types)
    add_custom_target(${target}_regen ${import_types} COMMAND_EXPAND_LISTS VERBATIM
                      COMMENT "Bringing the type locks of ${target} up to date")
    add_dependencies(bespoke-regen ${target}_regen)
  endif()
endfunction()

cmake_policy(POP)
