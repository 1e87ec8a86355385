# SPDX-License-Identifier: Apache-2.0
#
# rclcpp_components_register_nodes(<target> <class>... [RESOURCE_INDEX <index>])
#
# Lists the node classes of a shared library in the ament index, so that containers find them.
#
macro(rclcpp_components_register_nodes target)
  cmake_parse_arguments(_RCRNS "" "RESOURCE_INDEX" "" ${ARGN})
  _rclcpp_components_check_library(${target} rclcpp_components_register_nodes)
  if("${_RCRNS_UNPARSED_ARGUMENTS}" STREQUAL "")
    message(FATAL_ERROR "rclcpp_components_register_nodes(${target}) needs at least one class")
  endif()
  if(NOT _RCRNS_RESOURCE_INDEX)
    set(_RCRNS_RESOURCE_INDEX rclcpp_components)
  endif()
  foreach(_class ${_RCRNS_UNPARSED_ARGUMENTS})
    _rclcpp_components_add_to_index(${target} ${_class} ${_RCRNS_RESOURCE_INDEX})
  endforeach()
endmacro()
