# SPDX-License-Identifier: Apache-2.0
#
# rclcpp_components_register_node(<target> PLUGIN <class> EXECUTABLE <name>
#   [EXECUTOR SingleThreadedExecutor|MultiThreadedExecutor] [RESOURCE_INDEX <index>])
#
# Lists a node class of a shared library in the ament index, and makes and installs an executable that runs it alone.
#
set(_rclcpp_components_NODE_MAIN "${CMAKE_CURRENT_LIST_DIR}/node_main.cpp.in")

macro(rclcpp_components_register_node target)
  cmake_parse_arguments(_RCRN "" "PLUGIN;EXECUTABLE;EXECUTOR;RESOURCE_INDEX" "" ${ARGN})
  if(_RCRN_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rclcpp_components_register_node() does not know '${_RCRN_UNPARSED_ARGUMENTS}'")
  endif()
  foreach(_needed PLUGIN EXECUTABLE)
    if(NOT _RCRN_${_needed})
      message(FATAL_ERROR "rclcpp_components_register_node(${target}) needs ${_needed}")
    endif()
  endforeach()
  if(NOT _RCRN_RESOURCE_INDEX)
    set(_RCRN_RESOURCE_INDEX rclcpp_components)
  endif()
  if(NOT _RCRN_EXECUTOR)
    set(_RCRN_EXECUTOR SingleThreadedExecutor)
  endif()
  if(NOT _RCRN_EXECUTOR MATCHES "^(Single|Multi)ThreadedExecutor$")
    message(FATAL_ERROR "rclcpp_components_register_node(${target}) EXECUTOR '${_RCRN_EXECUTOR}' is not known; "
      "there are SingleThreadedExecutor and MultiThreadedExecutor")
  endif()
  _rclcpp_components_check_library(${target} rclcpp_components_register_node)
  _rclcpp_components_add_to_index(${target} ${_RCRN_PLUGIN} ${_RCRN_RESOURCE_INDEX})

  set(component ${_RCRN_PLUGIN})
  set(executor ${_RCRN_EXECUTOR})
  set(library_name "$<TARGET_FILE_NAME:${target}>")
  set(_main "${PROJECT_BINARY_DIR}/rclcpp_components/node_main_${_RCRN_EXECUTABLE}.cpp")
  configure_file("${_rclcpp_components_NODE_MAIN}" "${_main}.in" @ONLY)
  file(GENERATE OUTPUT "${_main}" INPUT "${_main}.in")
  add_executable(${_RCRN_EXECUTABLE} "${_main}")
  target_link_libraries(${_RCRN_EXECUTABLE} rclcpp_components::component)
  add_dependencies(${_RCRN_EXECUTABLE} ${target})
  install(TARGETS ${_RCRN_EXECUTABLE} DESTINATION lib/${PROJECT_NAME})
endmacro()
