// SPDX-License-Identifier: Apache-2.0
#include "topic_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/time.hpp"
#include "statistics_msgs/msg/statistic_data_type.hpp"

namespace rclcpp {
namespace detail {
namespace {

using statistics_msgs::msg::MetricsMessage;
using statistics_msgs::msg::StatisticDataType;

std::int64_t system_now() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

double milliseconds(std::int64_t nanoseconds) {
  return 1e-6 * static_cast<double>(nanoseconds);
}

MetricsMessage message_of(const std::string& node, const char* what, const RunningStatistics& values,
                          std::int64_t start, std::int64_t stop) {
  MetricsMessage message;
  message.measurement_source_name = node;
  message.metrics_source = what;
  message.unit = "ms";
  message.window_start = Time(start);
  message.window_stop = Time(stop);
  const auto add = [&](std::uint8_t type, double value) {
    statistics_msgs::msg::StatisticDataPoint point;
    point.data_type = type;
    point.data = value;
    message.statistics.push_back(point);
  };
  add(StatisticDataType::STATISTICS_DATA_TYPE_AVERAGE, values.average());
  add(StatisticDataType::STATISTICS_DATA_TYPE_MAXIMUM, values.maximum());
  add(StatisticDataType::STATISTICS_DATA_TYPE_MINIMUM, values.minimum());
  add(StatisticDataType::STATISTICS_DATA_TYPE_SAMPLE_COUNT, static_cast<double>(values.count()));
  add(StatisticDataType::STATISTICS_DATA_TYPE_STDDEV, values.standard_deviation());
  return message;
}

}  // namespace

void RunningStatistics::add(double value) {
  ++count_;
  minimum_ = count_ == 1 ? value : std::min(minimum_, value);
  maximum_ = count_ == 1 ? value : std::max(maximum_, value);
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
}

double RunningStatistics::average() const {
  return count_ > 0 ? mean_ : nan;
}

double RunningStatistics::standard_deviation() const {
  return count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : nan;
}

std::shared_ptr<TopicStatistics> TopicStatistics::make(node_interfaces::NodeBaseInterface& node, const Options& options,
                                                       const QoS& qos) {
  const bool wanted =
      options.state == TopicStatisticsState::Enable ||
      (options.state == TopicStatisticsState::NodeDefault && node.get_enable_topic_statistics_default());
  if (!wanted) return nullptr;
  if (options.publish_period <= std::chrono::milliseconds::zero()) {
    throw std::invalid_argument("topic_stats_options.publish_period must be greater than 0, specified value of " +
                                std::to_string(options.publish_period.count()) + " ms");
  }
  return std::make_shared<TopicStatistics>(node, options, qos);
}

TopicStatistics::TopicStatistics(node_interfaces::NodeBaseInterface& node, const Options& options, const QoS& qos)
    : node_(node.get_name()),
      period_time_(options.publish_period),
      context_(node.get_context()),
      window_start_(system_now()) {
  PublisherOptionsBase publisher_options;
  publisher_options.use_intra_process_comm = IntraProcessSetting::Disable;
  publisher_ = std::make_shared<Publisher<Metrics>>(&node, options.publish_topic, qos, publisher_options);
}

void TopicStatistics::start(const std::shared_ptr<CallbackGroup>& group) {
  const auto tick = [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->publish();
  };
  timer_ = std::make_shared<WallTimer<decltype(tick)>>(period_time_, tick, context_);
  timer_->start(group);
}

void TopicStatistics::received(const MessageInfo& info) {
  const std::int64_t now = system_now();
  const std::int64_t sent = info.get_rmw_message_info().source_timestamp;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (sent != 0) age_.add(milliseconds(now - sent));
  if (last_ != 0) period_.add(milliseconds(now - last_));
  last_ = now;
}

void TopicStatistics::publish() {
  RunningStatistics age, period;
  const std::int64_t stop = system_now();
  std::int64_t start = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    age = std::exchange(age_, {});
    period = std::exchange(period_, {});
    start = std::exchange(window_start_, stop);
  }
  publisher_->publish(message_of(node_, "message_age", age, start, stop));
  publisher_->publish(message_of(node_, "message_period", period, start, stop));
}

}  // namespace detail
}  // namespace rclcpp
