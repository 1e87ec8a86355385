# SPDX-License-Identifier: Apache-2.0
find_package(ament_cmake_core QUIET REQUIRED)
find_package(rosidl_generator_cpp QUIET REQUIRED)  # generators run in the order in which they are found
ament_register_extension("rosidl_generate_idl_interfaces" "rosidl_typesupport_cpp"
  "rosidl_typesupport_cpp_generate_interfaces.cmake")
get_filename_component(rosidl_typesupport_cpp_GENERATOR_DIR
  "${rosidl_typesupport_cpp_DIR}/../../../lib/rosidl_typesupport_cpp" ABSOLUTE)
