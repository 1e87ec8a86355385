// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rclcpp/context.hpp"

namespace rclcpp {
namespace contexts {

/// The context of `rclcpp::init`.
class DefaultContext : public Context {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(DefaultContext)
};

DefaultContext::SharedPtr get_global_default_context();

}  // namespace contexts
}  // namespace rclcpp
