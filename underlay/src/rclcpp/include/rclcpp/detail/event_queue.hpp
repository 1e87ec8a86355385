// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "rclcpp/detail/executable.hpp"
#include "underlay_dds/types.hpp"

namespace rclcpp {
namespace detail {

/// Brings events of an endpoint from the middleware's thread to the executor.
class EventQueue : public Executable {
 public:
  using Handler = std::function<void(const underlay_dds::EventStatus&)>;

  /// A callback for the middleware that lets the executor call `handler`. Empty for an empty handler.
  static Handler forward(const std::shared_ptr<EventQueue>& queue, Handler handler);
  bool execute() override;

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::shared_ptr<const Handler>, underlay_dds::EventStatus>> pending_;
};

}  // namespace detail
}  // namespace rclcpp
