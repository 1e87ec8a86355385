# SPDX-License-Identifier: Apache-2.0
foreach(_resource_index ${_RCLCPP_COMPONENTS_RESOURCE_INDICES})
  ament_index_register_resource(${_resource_index} CONTENT "${_RCLCPP_COMPONENTS_${_resource_index}__NODES}")
endforeach()
