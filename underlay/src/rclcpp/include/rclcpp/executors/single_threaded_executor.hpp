// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rclcpp/executor.hpp"

namespace rclcpp {
namespace executors {

class SingleThreadedExecutor : public Executor {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(SingleThreadedExecutor)
  using Executor::Executor;
  void spin() override;
};

}  // namespace executors
}  // namespace rclcpp
