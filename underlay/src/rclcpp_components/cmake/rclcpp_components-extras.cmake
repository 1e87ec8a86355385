# SPDX-License-Identifier: Apache-2.0
include("${rclcpp_components_DIR}/rclcpp_components_register_nodes.cmake")
include("${rclcpp_components_DIR}/rclcpp_components_register_node.cmake")

# The list of a package's components goes to the ament index when the package is complete.
macro(_rclcpp_components_register_package_hook)
  if(NOT DEFINED _RCLCPP_COMPONENTS_PACKAGE_HOOK_REGISTERED)
    set(_RCLCPP_COMPONENTS_PACKAGE_HOOK_REGISTERED TRUE)
    find_package(ament_cmake_core QUIET REQUIRED)
    ament_register_extension("ament_package" "rclcpp_components" "rclcpp_components_package_hook.cmake")
  endif()
endmacro()

macro(_rclcpp_components_add_to_index target class resource_index)
  _rclcpp_components_register_package_hook()
  if(NOT "${resource_index}" IN_LIST _RCLCPP_COMPONENTS_RESOURCE_INDICES)
    list(APPEND _RCLCPP_COMPONENTS_RESOURCE_INDICES "${resource_index}")
  endif()
  set(_RCLCPP_COMPONENTS_${resource_index}__NODES
    "${_RCLCPP_COMPONENTS_${resource_index}__NODES}${class};lib/$<TARGET_FILE_NAME:${target}>\n")
endmacro()

macro(_rclcpp_components_check_library target caller)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${caller}() first argument '${target}' is not a target; "
      "create it with add_library(${target} SHARED ...) before")
  endif()
  get_target_property(_rclcpp_components_type ${target} TYPE)
  if(NOT _rclcpp_components_type STREQUAL "SHARED_LIBRARY" AND NOT _rclcpp_components_type STREQUAL "MODULE_LIBRARY")
    message(FATAL_ERROR "${caller}() first argument '${target}' is a ${_rclcpp_components_type}; "
      "components are loaded from shared libraries: add_library(${target} SHARED ...)")
  endif()
endmacro()
