# SPDX-License-Identifier: Apache-2.0
# World file and link to the plug-in, and the plug-in itself where Gazebo 11 is found; without ROS and ament. Builds
# without them include this file, too (plain/); hl_description, hl_hardware_cm730 and hl_simulation are targets there already.
set(sources link_lines link_sockets world_file)
list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/src/)
list(TRANSFORM sources APPEND .cpp)
add_library(hl_gazebo SHARED ${sources})
target_include_directories(hl_gazebo PUBLIC
  $<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}/include> $<INSTALL_INTERFACE:include/hl_gazebo>)
target_compile_features(hl_gazebo PUBLIC cxx_std_17)
target_link_libraries(hl_gazebo PUBLIC hl_simulation::hl_simulation_body)

find_package(gazebo 11 QUIET)
if(gazebo_FOUND)
  add_library(hl_gazebo_plugin SHARED
    ${CMAKE_CURRENT_LIST_DIR}/plugin/gazebo_ball.cpp
    ${CMAKE_CURRENT_LIST_DIR}/plugin/gazebo_body.cpp
    ${CMAKE_CURRENT_LIST_DIR}/plugin/robot_plugin.cpp)
  target_include_directories(hl_gazebo_plugin SYSTEM PRIVATE ${GAZEBO_INCLUDE_DIRS})
  target_link_libraries(hl_gazebo_plugin PRIVATE hl_gazebo ${GAZEBO_LIBRARIES})
endif()
