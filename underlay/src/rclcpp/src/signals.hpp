// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "rclcpp/context.hpp"

namespace rclcpp {
namespace detail {

/// Registers a context for the shutdown that follows SIGINT or SIGTERM.
void shut_down_on_signal(const std::weak_ptr<Context>& context);

}  // namespace detail
}  // namespace rclcpp
