# SPDX-License-Identifier: Apache-2.0
# What a robot's body is made of in any physics: its description, servos, sensors, and the bus in front of them; without
# MuJoCo, ROS and ament. Builds without them include this file, too (hl_gazebo/plain); hl_description and
# hl_hardware_cm730 are targets there already.
find_package(Eigen3 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(URDFDOM REQUIRED urdfdom)
pkg_check_modules(TINYXML2 REQUIRED tinyxml2)
set(sources bus_servos reading robot_spec servo world_spec)
list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/src/)
list(TRANSFORM sources APPEND .cpp)
add_library(hl_simulation_body SHARED ${sources})
target_include_directories(hl_simulation_body
  PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}/include> $<INSTALL_INTERFACE:include/hl_simulation>
  PRIVATE ${URDFDOM_INCLUDE_DIRS} ${TINYXML2_INCLUDE_DIRS})
target_compile_features(hl_simulation_body PUBLIC cxx_std_17)
target_link_libraries(hl_simulation_body
  PUBLIC Eigen3::Eigen hl_description::hl_description hl_hardware_cm730::hl_hardware_cm730_emulator
  PRIVATE ${URDFDOM_LIBRARIES} ${TINYXML2_LIBRARIES})
