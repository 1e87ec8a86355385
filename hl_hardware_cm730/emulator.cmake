# SPDX-License-Identifier: Apache-2.0
# The emulated bus and what driver and emulator share, without ROS and ament. Builds without them include this file, too
# (hl_gazebo/plain); hl_description is a target there already.
find_package(Eigen3 REQUIRED)
set(sources bus_time emulator emulator_instructions emulator_tables faults protocol pty_server servo_models
  servo_physics servo_table)
list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/src/)
list(TRANSFORM sources APPEND .cpp)
add_library(hl_hardware_cm730_emulator SHARED ${sources})
target_include_directories(hl_hardware_cm730_emulator PUBLIC
  $<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}/include> $<INSTALL_INTERFACE:include/hl_hardware_cm730>)
target_link_libraries(hl_hardware_cm730_emulator PUBLIC Eigen3::Eigen hl_description::hl_description PRIVATE util)
target_compile_features(hl_hardware_cm730_emulator PUBLIC cxx_std_17)
