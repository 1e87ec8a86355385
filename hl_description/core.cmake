# SPDX-License-Identifier: Apache-2.0
# The library, which knows neither ROS nor ament. Builds without them include this file, too (hl_gazebo/plain).
find_package(Eigen3 REQUIRED)
find_package(console_bridge REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(TINYXML2 REQUIRED tinyxml2)
find_package(urdfdom REQUIRED)
find_package(yaml-cpp REQUIRED)
if(TARGET yaml-cpp::yaml-cpp)
  set(yaml_cpp yaml-cpp::yaml-cpp)
else()
  set(yaml_cpp yaml-cpp)
endif()
if(TARGET urdfdom::urdfdom_model)
  set(urdf_parser urdfdom::urdfdom_model)
else() # before 3.0
  find_library(urdf_parser urdfdom_model REQUIRED)
endif()
if(TARGET console_bridge::console_bridge)
  set(console_bridge console_bridge::console_bridge)
else()
  set(console_bridge ${console_bridge_LIBRARIES})
endif()

file(READ ${CMAKE_CURRENT_LIST_DIR}/config/servos.yaml SERVOS_YAML)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/config/servos.yaml)
configure_file(${CMAKE_CURRENT_LIST_DIR}/src/servos_yaml.hpp.in
  ${CMAKE_CURRENT_BINARY_DIR}/generated/servos_yaml.hpp @ONLY)

set(sources field leg_chain leg_kinematics mesh mesh_dae mesh_obj mesh_orientation robot_config robot_model self_collision servo_models support_polygon
  yaml_reader)
list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/src/)
list(TRANSFORM sources APPEND .cpp)
add_library(hl_description SHARED ${sources})
target_include_directories(hl_description
  PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}/include> $<INSTALL_INTERFACE:include/hl_description>
  PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated ${TINYXML2_INCLUDE_DIRS})
target_link_libraries(hl_description PUBLIC Eigen3::Eigen PRIVATE ${console_bridge} ${urdf_parser} ${yaml_cpp} ${TINYXML2_LIBRARIES})
target_compile_features(hl_description PUBLIC cxx_std_17)
