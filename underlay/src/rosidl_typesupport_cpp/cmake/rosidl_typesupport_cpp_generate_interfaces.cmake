# SPDX-License-Identifier: Apache-2.0
# Run by rosidl_generate_interfaces(). Generates one codec header per interface, which only type support sources
# include, and one source per package; builds them into the library <target>__rosidl_typesupport_cpp.
set(_suffix "__rosidl_typesupport_cpp")
set(_library ${rosidl_generate_interfaces_TARGET}${_suffix})
set(_output_dir "${CMAKE_CURRENT_BINARY_DIR}/rosidl_typesupport_cpp/${PROJECT_NAME}")
set(_source "${_output_dir}/type_support.cpp")
set(_descriptions "${_output_dir}/type_descriptions.json")

set(_headers "")
foreach(_idl ${rosidl_generate_interfaces_ABS_IDL_FILES})
  get_filename_component(_folder "${_idl}" DIRECTORY)
  get_filename_component(_folder "${_folder}" NAME)
  get_filename_component(_name "${_idl}" NAME_WE)
  string_camel_case_to_lower_case_underscore("${_name}" _name)
  list(APPEND _headers "${_output_dir}/${_folder}/detail/${_name}__cdr.hpp")
endforeach()

set(_dependencies "")
set(_dependency_files "")
foreach(_package ${rosidl_generate_interfaces_DEPENDENCY_PACKAGE_NAMES})
  foreach(_idl ${${_package}_IDL_FILES})
    set(_abs_idl "${${_package}_DIR}/../${_idl}")
    normalize_path(_abs_idl "${_abs_idl}")
    list(APPEND _dependency_files "${_abs_idl}")
    list(APPEND _dependencies "${_package}:${_abs_idl}")
  endforeach()
endforeach()

set(_generator "${rosidl_typesupport_cpp_GENERATOR_DIR}/rosidl_typesupport_cpp")
set(_generator_inputs
  "${_generator}"
  "${rosidl_typesupport_cpp_GENERATOR_DIR}/codec.py"
  "${rosidl_typesupport_cpp_GENERATOR_DIR}/type_description.py"
  ${rosidl_generate_interfaces_ABS_IDL_FILES}
  ${_dependency_files})
set(_arguments "${CMAKE_CURRENT_BINARY_DIR}/rosidl_typesupport_cpp__arguments__${rosidl_generate_interfaces_TARGET}.json")
rosidl_write_generator_arguments("${_arguments}"
  PACKAGE_NAME "${PROJECT_NAME}"
  IDL_TUPLES "${rosidl_generate_interfaces_IDL_TUPLES}"
  ROS_INTERFACE_DEPENDENCIES "${_dependencies}"
  OUTPUT_DIR "${_output_dir}"
  TEMPLATE_DIR "${rosidl_typesupport_cpp_GENERATOR_DIR}"
  TARGET_DEPENDENCIES ${_generator_inputs})

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_command(
  OUTPUT ${_headers} ${_source} ${_descriptions}
  COMMAND Python3::Interpreter ARGS "${_generator}" "${_arguments}"
  DEPENDS ${_generator_inputs}
  COMMENT "Generating CDR type support for ROS interfaces"
  VERBATIM)

add_library(${_library} SHARED ${_source} ${_headers})
add_library(${PROJECT_NAME}::${_library} ALIAS ${_library})
if(rosidl_generate_interfaces_LIBRARY_NAME)
  set_target_properties(${_library} PROPERTIES OUTPUT_NAME "${rosidl_generate_interfaces_LIBRARY_NAME}${_suffix}")
endif()
target_compile_features(${_library} PUBLIC cxx_std_17)
target_include_directories(${_library} PUBLIC
  "$<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/rosidl_typesupport_cpp>"
  "$<INSTALL_INTERFACE:include/${PROJECT_NAME}>")
target_link_libraries(${_library} PUBLIC
  ${rosidl_generate_interfaces_TARGET}__rosidl_generator_cpp
  rosidl_runtime_c::rosidl_runtime_c
  rosidl_typesupport_cpp::rosidl_typesupport_cpp)
foreach(_package ${rosidl_generate_interfaces_DEPENDENCY_PACKAGE_NAMES})
  target_link_libraries(${_library} PUBLIC ${${_package}_TARGETS${_suffix}})
endforeach()
add_dependencies(${_library} ${rosidl_generate_interfaces_TARGET}__cpp)
add_dependencies(${rosidl_generate_interfaces_TARGET} ${_library})

if(NOT rosidl_generate_interfaces_SKIP_INSTALL)
  install(DIRECTORY ${_output_dir}/ DESTINATION include/${PROJECT_NAME}/${PROJECT_NAME} FILES_MATCHING PATTERN "*.hpp")
  install(FILES ${_descriptions} DESTINATION share/${PROJECT_NAME})
  install(TARGETS ${_library} EXPORT export_${_library}
    ARCHIVE DESTINATION lib LIBRARY DESTINATION lib RUNTIME DESTINATION bin)
  rosidl_export_typesupport_targets(${_suffix} ${_library})
  rosidl_export_typesupport_libraries(${_suffix} ${_library})
  ament_export_targets(export_${_library})
  ament_export_dependencies(rosidl_typesupport_cpp)
endif()
