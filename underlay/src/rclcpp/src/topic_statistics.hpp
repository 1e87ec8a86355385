// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/publisher.hpp"
#include "rclcpp/subscription_options.hpp"
#include "rclcpp/timer.hpp"
#include "statistics_msgs/msg/metrics_message.hpp"

namespace rclcpp {
namespace detail {

/// Mean, extremes and standard deviation of what was measured in one window.
class RunningStatistics {
 public:
  void add(double value);
  std::uint64_t count() const { return count_; }
  // NaN if there is nothing:
  double average() const;
  double minimum() const { return count_ > 0 ? minimum_ : nan; }
  double maximum() const { return count_ > 0 ? maximum_ : nan; }
  double standard_deviation() const;  // of the whole window, not an estimate from a sample

 private:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared differences from the mean
  double minimum_ = 0;
  double maximum_ = 0;
};

/// Age (from the publisher's stamp of the middleware) and period of received messages, in ms; published regularly by
/// the executor of the subscription.
class TopicStatistics : public std::enable_shared_from_this<TopicStatistics> {
 public:
  using Options = SubscriptionOptionsBase::TopicStatisticsOptions;
  /// Null if nobody wants them. Throws std::invalid_argument for a period that is not positive.
  static std::shared_ptr<TopicStatistics> make(node_interfaces::NodeBaseInterface& node, const Options& options,
                                               const QoS& qos);
  TopicStatistics(node_interfaces::NodeBaseInterface& node, const Options& options, const QoS& qos);

  void start(const std::shared_ptr<CallbackGroup>& group);
  void received(const MessageInfo& info);

 private:
  using Metrics = statistics_msgs::msg::MetricsMessage;
  void publish();

  const std::string node_;
  const std::chrono::milliseconds period_time_;
  const Context::SharedPtr context_;
  Publisher<Metrics>::SharedPtr publisher_;
  TimerBase::SharedPtr timer_;
  std::mutex mutex_;
  RunningStatistics age_;
  RunningStatistics period_;
  std::int64_t last_ = 0;          // ns since 1970, when the message before came
  std::int64_t window_start_ = 0;  // ns since 1970
};

}  // namespace detail
}  // namespace rclcpp
