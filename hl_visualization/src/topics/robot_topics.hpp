// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <utility>
#include <vector>

#include "hl_node/interfaces.hpp"

namespace hl_visualization {

inline double seconds(const builtin_interfaces::msg::Time& stamp) {
  return static_cast<double>(stamp.sec) + 1e-9 * static_cast<double>(stamp.nanosec);
}

/// The subscriptions of one view to one robot, by absolute names (the node may be shared and has no namespace of the
/// robot's), and what is wrong with them. Callbacks run one at a time under `mutex()`, and never after this object
/// died.
class RobotTopics {
 public:
  RobotTopics(rclcpp::Node& node, std::string robot);
  ~RobotTopics();
  RobotTopics(const RobotTopics&) = delete;
  RobotTopics& operator=(const RobotTopics&) = delete;

  const std::string& robot() const { return robot_; }
  std::mutex& mutex() const { return shared_->mutex; }

  /// Name of a topic, service or action of this robot.
  std::string name_of(const std::string& name) const;

  /// Calls `callback(const Message&)`. `patience`: silence of this many seconds after something was heard is a notice;
  /// 0 = it speaks when it likes.
  template <class Message, class Callback>
  void subscribe(const hl_node::Topic& topic, double patience, Callback callback) {
    hl_node::expect_type<Message>(topic);
    Source* source = add(topic, patience);
    rclcpp::SubscriptionOptions options;
    options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;  // the node may be anybody's
    subscriptions_.push_back(node_.create_subscription<Message>(
        source->name, hl_node::asked(topic),
        [shared = shared_, source, callback](const std::shared_ptr<const Message> message) {
          const std::lock_guard<std::mutex> lock(shared->mutex);
          if (!shared->alive) return;
          source->heard = std::chrono::steady_clock::now();
          ++source->count;
          callback(*message);
        },
        options));
  }

  template <class Message>
  typename rclcpp::Publisher<Message>::SharedPtr publisher(const hl_node::Topic& topic) {
    hl_node::expect_type<Message>(topic);
    rclcpp::PublisherOptions options;
    options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    return node_.create_publisher<Message>(name_of(topic.name), hl_node::offered(topic), options);
  }

  /// From a callback: something was wrong with this message; shown for a few seconds.
  void complain(const std::string& text);
  /// From a callback: notes the robot's time; true if it went back, so that histories begin anew.
  bool went_back(double stamp);
  /// The robot's time now, as far as it is known: the newest stamp, and what has passed since it came. s
  double robot_time() const;

  /// What is silent, of a wrong type or complained about.
  std::vector<std::string> notices() const;

 private:
  struct Source {
    std::string name, type;
    double patience = 0.0;
    std::chrono::steady_clock::time_point heard;
    std::size_t count = 0;
  };
  struct Shared {
    std::mutex mutex;
    bool alive = true;
    std::vector<std::unique_ptr<Source>> sources;
  };

  Source* add(const hl_node::Topic& topic, double patience);

  rclcpp::Node& node_;
  std::string robot_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::map<std::string, std::chrono::steady_clock::time_point> complaints_;
  double stamp_ = 0.0;
  std::chrono::steady_clock::time_point stamped_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
};

/// Robots that are there: the namespaces in which somebody publishes `robot_state` or `joint_states`, sorted.
std::vector<std::string> robots_of(rclcpp::Node& node);

template <class... Values>
bool finite(Values... values) {
  return (std::isfinite(values) && ...);
}

}  // namespace hl_visualization
