// SPDX-License-Identifier: Apache-2.0
// One message from this process to another of the same program, which is started with a role, prints what it measured
// when no message has come for a while, and ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "raw.hpp"
#include "rclcpp/rclcpp.hpp"
#include "sensor_msgs/msg/compressed_image.hpp"
#include "sensor_msgs/msg/image.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "waits.hpp"

namespace bench {

struct Result {
  double p50 = 0;           // us
  double p99 = 0;           // us
  double longest = 0;       // us
  double receiver_cpu = 0;  // us per message
  double sender_cpu = 0;    // us per message
  double preempted = 0;     // times per 1000 messages that the receiving process had to give way to another one
  double waiting = 0;       // % of the time of the slowest of a hundred in which a thread on their way had no processor
  std::size_t count = 0;
  double cpu() const { return receiver_cpu + sender_cpu; }
};

/// Latencies of the receiving side, and when to stop.
class Record {
 public:
  void add(std::int64_t sent);  // in the thread of the callback
  bool over() const;
  Result result() const;

 private:
  struct Message {
    std::int64_t sent;      // ns
    std::int64_t received;  // ns
    std::int64_t waited;    // ns, the threads of this process since the first message
    double latency() const { return 1e-3 * static_cast<double>(received - sent); }  // us
  };
  double waiting(double slow) const;  // %, of those that took so many us

  std::vector<Message> messages_;
  std::unique_ptr<ThreadWaits> threads_;
  std::int64_t waited_ = 0;  // ns
  std::int64_t last_ = 0;
  double cpu_ = 0;
  long preempted_ = 0;
};

builtin_interfaces::msg::Time stamp();
std::int64_t sent_of(const std_msgs::msg::Header& header);

sensor_msgs::msg::CompressedImage small_message();  // as large as the bare ones
sensor_msgs::msg::Image picture();
rclcpp::QoS image_qos();

/// The receiving process: prints the result. Returns the exit code.
int receive(const std::string& role);

/// Calls `send` at the given rate; CPU of this process per call, in us.
double pace(std::size_t count, std::chrono::nanoseconds period, const std::function<void()>& send,
            SenderWaits* waits = nullptr);

/// From now on hops also tell how long messages waited for a processor, which costs some microseconds of CPU each.
void measure_waits();

/// This process sends, one with the role receives.
Result between_processes(const std::string& role, std::size_t count, std::chrono::nanoseconds period,
                         const std::function<bool()>& ready, const std::function<void()>& send);

Result udp_hop(std::size_t count, std::chrono::nanoseconds period);
Result dds_hop(std::size_t count, std::chrono::nanoseconds period);

template <class MessageT>
Result ros_hop(const std::string& role, std::size_t count, std::chrono::nanoseconds period, const rclcpp::QoS& qos,
               MessageT message) {
  rclcpp::init(0, nullptr);
  Result result;
  {
    auto node = std::make_shared<rclcpp::Node>("sender");
    auto publisher = node->create_publisher<MessageT>("hop", qos);
    result = between_processes(
        role, count, period, [&] { return publisher->get_subscription_count() > 0; },
        [&] {
          message.header.stamp = stamp();
          publisher->publish(message);
        });
  }
  rclcpp::shutdown();
  return result;
}

void show(const char* what, const Result& result);  // on the error output

}  // namespace bench
