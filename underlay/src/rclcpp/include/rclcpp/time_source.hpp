// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "rclcpp/clock.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

class Node;
namespace node_interfaces {
class NodeBaseInterface;
class NodeTopicsInterface;
class NodeGraphInterface;
class NodeServicesInterface;
class NodeLoggingInterface;
class NodeClockInterface;
class NodeParametersInterface;
}  // namespace node_interfaces
namespace detail {
struct NodeIdentity;
}

/// Moves ROS clocks by the messages on `/clock` while `use_sim_time` is true. The clocks move in the middleware's
/// thread, so that a callback that sleeps on the clock does not stop it.
class TimeSource {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(TimeSource)
  RCLCPP_DISABLE_COPY(TimeSource)

  /// Follows the parameter `use_sim_time` of the node, see attachNode. The clocks move in a thread of the middleware
  /// whatever `use_clock_thread` is: nobody has to spin for them.
  explicit TimeSource(std::shared_ptr<Node> node, const QoS& qos = ClockQoS(), bool use_clock_thread = true);
  explicit TimeSource(const QoS& qos = ClockQoS(), bool use_clock_thread = true);
  /// For the node's own clock, whose parameter the node itself watches.
  explicit TimeSource(std::shared_ptr<detail::NodeIdentity> node, const QoS& qos);
  ~TimeSource();

  /// Declares `use_sim_time` if need be and follows it; changes are noticed while the node is spun.
  void attachNode(std::shared_ptr<Node> node);
  void attachNode(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base_interface,
                  std::shared_ptr<node_interfaces::NodeTopicsInterface> node_topics_interface,
                  std::shared_ptr<node_interfaces::NodeGraphInterface> node_graph_interface,
                  std::shared_ptr<node_interfaces::NodeServicesInterface> node_services_interface,
                  std::shared_ptr<node_interfaces::NodeLoggingInterface> node_logging_interface,
                  std::shared_ptr<node_interfaces::NodeClockInterface> node_clock_interface,
                  std::shared_ptr<node_interfaces::NodeParametersInterface> node_parameters_interface);
  /// The clocks show the system's time again.
  void detachNode();

  /// Also makes the clock follow if the source is active. Throws std::invalid_argument for a clock that is not
  /// RCL_ROS_TIME.
  void attachClock(Clock::SharedPtr clock);
  void detachClock(Clock::SharedPtr clock);

  /// The parameter `use_sim_time`.
  void use_sim_time(bool active);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace rclcpp
