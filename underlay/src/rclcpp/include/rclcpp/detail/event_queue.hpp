// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "rclcpp/detail/executable.hpp"
#include "underlay_dds/types.hpp"

namespace rclcpp {
namespace detail {

class ArrivalCallback;

/// Brings events of an endpoint from the middleware's thread to the executor.
class EventQueue : public Executable {
 public:
  using Handler = std::function<void(const underlay_dds::EventStatus&)>;

  /// A callback for the middleware that lets the executor call `handler`. Empty for an empty handler. `kind` is the
  /// endpoint's number for this event.
  static Handler forward(const std::shared_ptr<EventQueue>& queue, int kind, Handler handler);
  /// Who wants to be told of events of this kind; null if nobody handles them.
  ArrivalCallback* arrivals(int kind);
  bool execute() override;
  bool pending() override;

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::shared_ptr<const Handler>, underlay_dds::EventStatus>> pending_;
  std::map<int, std::shared_ptr<ArrivalCallback>> arrivals_;  // filled by `forward`, before the first event
};

}  // namespace detail
}  // namespace rclcpp
