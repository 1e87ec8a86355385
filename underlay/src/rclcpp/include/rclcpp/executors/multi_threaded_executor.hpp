// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "rclcpp/executor.hpp"

namespace rclcpp {
namespace executors {

class MultiThreadedExecutor : public Executor {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(MultiThreadedExecutor)
  /// 0 threads: one per core, at least two.
  explicit MultiThreadedExecutor(const ExecutorOptions& options = ExecutorOptions(), std::size_t number_of_threads = 0,
                                 bool yield_before_execute = false,
                                 std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  void spin() override;
  std::size_t get_number_of_threads() { return threads_; }

 private:
  std::size_t threads_;
};

}  // namespace executors
}  // namespace rclcpp
