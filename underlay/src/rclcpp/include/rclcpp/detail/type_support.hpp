// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rcpputils/shared_library.hpp"
#include "rosidl_typesupport_cpp/message_type_support.hpp"
#include "underlay_cdr/ops.hpp"

namespace rclcpp {
namespace detail {

template <class MessageT>
const underlay_cdr::MessageOps& ops_of() {
  return *static_cast<const underlay_cdr::MessageOps*>(
      rosidl_typesupport_cpp::get_message_type_support_handle<MessageT>()->data);
}

/// Of a type known by its name only.
const underlay_cdr::MessageOps& ops_of(const std::string& type, rcpputils::SharedLibrary& library);

}  // namespace detail
}  // namespace rclcpp
