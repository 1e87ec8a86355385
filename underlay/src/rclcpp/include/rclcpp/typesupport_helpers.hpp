// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "rcpputils/shared_library.hpp"
#include "rosidl_runtime_c/message_type_support_struct.h"

namespace rclcpp {

/// The library that knows how to serialise the messages of a type's package, e.g. of "std_msgs/msg/String". Throws
/// std::runtime_error if the type's name is malformed or the package is not on AMENT_PREFIX_PATH.
std::shared_ptr<rcpputils::SharedLibrary> get_typesupport_library(const std::string& type,
                                                                  const std::string& typesupport_identifier);

/// Throws std::runtime_error if the package has no such message.
const rosidl_message_type_support_t* get_typesupport_handle(const std::string& type,
                                                            const std::string& typesupport_identifier,
                                                            rcpputils::SharedLibrary& library);

}  // namespace rclcpp
