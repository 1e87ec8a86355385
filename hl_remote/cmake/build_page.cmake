# SPDX-License-Identifier: Apache-2.0
# Bundles the page where npm and its registry are to be had; elsewhere says so and lets the build go on: the bridge then
# serves a page that tells what to do. Variables: SOURCE, WORK, OUT, STAMP.
find_program(NPM npm)
find_program(NODE node)
if(NOT NPM OR NOT NODE)
  message(STATUS "hl_remote: the page is not built, because there is no npm (Debian: apt-get install npm)")
  return()
endif()
file(REMOVE "${STAMP}")
file(COPY "${SOURCE}/" DESTINATION "${WORK}" PATTERN node_modules EXCLUDE)
# From the lock file, without running what packages bring along.
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --fetch-timeout=20000 --fetch-retries=1
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET TIMEOUT 180)
if(failed)
  message(STATUS "hl_remote: the page is not built, because npm cannot fetch its packages (${failed})")
  return()
endif()
execute_process(COMMAND ${NODE} build.mjs "${OUT}" WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "hl_remote: the page cannot be bundled (${failed})")
endif()
file(WRITE "${STAMP}" "built\n")
