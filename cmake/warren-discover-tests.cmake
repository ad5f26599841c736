# warren_discover_tests(TARGET [PREFIX text] [STORE folder] [ARGUMENTS argument...]
#                       [PROPERTIES property value...] [WORKING_DIRECTORY folder])
#
# Each property of a test program becomes one test of CTest, with the property's name behind PREFIX.
# The program is asked when it is built, so a new property needs no change here. ARGUMENTS go to
# each test; STORE keeps the failures, in place of what the program would choose (docs/options.md).
# PROPERTIES are those of set_tests_properties().
#
# This file is also the script that runs after the program is built, and writes the tests down.
function(warren_write_tests_)
  if(NOT STORE STREQUAL "")
    set(ENV{WARREN_STORE} "${STORE}")
  endif()
  execute_process(COMMAND ${EMULATOR} "${PROGRAM}" --list WORKING_DIRECTORY "${FOLDER}"
                  OUTPUT_VARIABLE list ERROR_VARIABLE list RESULT_VARIABLE status TIMEOUT 60)
  if(NOT status EQUAL 0)
    file(REMOVE "${PROGRAM}") # or the next build would take it for finished
    string(STRIP "${list}" list)
    message(FATAL_ERROR "warren_discover_tests: ${PROGRAM} --list returned ${status}: ${list}")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${list}")
  set(command)
  foreach(word IN LISTS EMULATOR PROGRAM)
    string(APPEND command " [==[${word}]==]")
  endforeach()
  set(more)
  foreach(word IN LISTS ARGUMENTS)
    string(APPEND more " [==[${word}]==]")
  endforeach()
  set(properties "SKIP_RETURN_CODE 77 WORKING_DIRECTORY [==[${FOLDER}]==]")
  if(NOT STORE STREQUAL "")
    string(APPEND properties " ENVIRONMENT_MODIFICATION [==[WARREN_STORE=set:${STORE}]==]")
  endif()
  foreach(word IN LISTS PROPERTIES)
    string(APPEND properties " [==[${word}]==]")
  endforeach()
  set(text)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " .*" "" property "${line}")
    set(name "[==[${PREFIX}${property}]==]")
    string(APPEND text "add_test(${name}${command} ${property}${more})\n"
           "set_tests_properties(${name} PROPERTIES ${properties})\n")
  endforeach()
  file(WRITE "${TESTS}" "${text}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  cmake_minimum_required(VERSION 3.25)
  warren_write_tests_()
  return()
endif()

function(warren_discover_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 that "" "PREFIX;STORE;WORKING_DIRECTORY"
                        "ARGUMENTS;PROPERTIES")
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "warren_discover_tests: ${target} is no target")
  endif()
  if(that_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warren_discover_tests: ${that_UNPARSED_ARGUMENTS}: expected PREFIX, STORE, "
                        "ARGUMENTS, PROPERTIES or WORKING_DIRECTORY")
  endif()
  if(NOT that_WORKING_DIRECTORY)
    set(that_WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  set(tests "${CMAKE_CURRENT_BINARY_DIR}/${target}-tests.cmake")
  set(include "${CMAKE_CURRENT_BINARY_DIR}/${target}-include.cmake")
  get_target_property(emulator ${target} CROSSCOMPILING_EMULATOR)
  if(NOT emulator)
    set(emulator)
  endif()
  add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS "${tests}" VERBATIM
    COMMAND "${CMAKE_COMMAND}" -D "PROGRAM=$<TARGET_FILE:${target}>" -D "EMULATOR=${emulator}"
            -D "FOLDER=${that_WORKING_DIRECTORY}" -D "PREFIX=${that_PREFIX}"
            -D "STORE=${that_STORE}" -D "ARGUMENTS=${that_ARGUMENTS}"
            -D "PROPERTIES=${that_PROPERTIES}" -D "TESTS=${tests}"
            -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
  file(WRITE "${include}"
    "if(EXISTS [==[${tests}]==])\n  include([==[${tests}]==])\n"
    "else()\n  add_test(${target}_is_not_built ${target}_is_not_built)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include}")
endfunction()
