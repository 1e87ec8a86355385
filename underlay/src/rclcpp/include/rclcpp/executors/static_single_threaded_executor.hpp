// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rclcpp/executors/single_threaded_executor.hpp"

namespace rclcpp {
namespace executors {

/// In ROS 2 it saves the search for entities in every cycle. No executor searches here, so it is the plain one.
class StaticSingleThreadedExecutor : public SingleThreadedExecutor {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(StaticSingleThreadedExecutor)
  using SingleThreadedExecutor::SingleThreadedExecutor;
};

}  // namespace executors
}  // namespace rclcpp
