// SPDX-License-Identifier: Apache-2.0
// From a picture's arrival until `ball_relative` is published, detection and transform composed in one process.
#include <tf2_ros/transform_broadcaster.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <opencv2/core/utility.hpp>

#include "drawn_picture.hpp"
#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"
#include "humanoid_league_msgs/msg/ball_relative.hpp"
#include "nodes.hpp"
#include "sensor_msgs/msg/camera_info.hpp"
#include "sensor_msgs/msg/image.hpp"

using humanoid_league_msgs::msg::BallRelative;
using Clock = std::chrono::steady_clock;

namespace {

/// Processor time of this thread, which does everything here, ms: what other programs take away does not count.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// Camera, neck and whoever wants the ball.
class Surroundings : public rclcpp::Node {
 public:
  Surroundings() : Node("surroundings", rclcpp::NodeOptions().use_intra_process_comms(true)), broadcaster_(*this) {
    image_ = create_publisher<sensor_msgs::msg::Image>("camera/image_raw", rclcpp::QoS(2).best_effort());
    info_ = create_publisher<sensor_msgs::msg::CameraInfo>("camera/camera_info", 5);
    ball_ = create_subscription<BallRelative>("ball_relative", 10, [this](const BallRelative& ball) {
      if (ball.header.stamp == stamp_) answered = true;
    });
  }

  void show(const hl_vision::View& view) {
    answered = false;
    stamp_ = now();
    const auto& lens = view.camera.lens();
    geometry_msgs::msg::TransformStamped t;
    t.header.stamp = stamp_;
    t.header.frame_id = "base_footprint";
    t.child_frame_id = "camera_optical_frame";
    const Eigen::Isometry3d& pose = view.camera.ground_from_camera();
    const Eigen::Quaterniond q(pose.linear());
    t.transform.translation.x = pose.translation().x();
    t.transform.translation.y = pose.translation().y();
    t.transform.translation.z = pose.translation().z();
    t.transform.rotation.x = q.x();
    t.transform.rotation.y = q.y();
    t.transform.rotation.z = q.z();
    t.transform.rotation.w = q.w();
    broadcaster_.sendTransform(t);
    sensor_msgs::msg::CameraInfo info;
    info.header.stamp = stamp_;
    info.header.frame_id = "camera_optical_frame";
    info.width = static_cast<std::uint32_t>(lens.width);
    info.height = static_cast<std::uint32_t>(lens.height);
    info.distortion_model = "plumb_bob";
    info.k = {lens.fx, 0.0, lens.cx, 0.0, lens.fy, lens.cy, 0.0, 0.0, 1.0};
    info_->publish(info);
    auto image = std::make_unique<sensor_msgs::msg::Image>();
    image->header = info.header;
    image->encoding = "bgr8";
    image->width = info.width;
    image->height = info.height;
    image->step = 3 * info.width;
    image->data.assign(view.bgr.datastart, view.bgr.dataend);
    image_->publish(std::move(image));
  }

  bool answered = false;

 private:
  rclcpp::Time stamp_{0, 0, RCL_ROS_TIME};
  tf2_ros::TransformBroadcaster broadcaster_;
  rclcpp::Publisher<sensor_msgs::msg::Image>::SharedPtr image_;
  rclcpp::Publisher<sensor_msgs::msg::CameraInfo>::SharedPtr info_;
  rclcpp::Subscription<BallRelative>::SharedPtr ball_;
};

double percentile(std::vector<double>& values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = hl_testing::quick(argc, argv) ? 5 : 25;
  cv::setNumThreads(1);
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  rclcpp::NodeOptions options;
  options.use_intra_process_comms(true);
  auto detecting = options;
  detecting.append_parameter_override("ball_weights", HL_VISION_WEIGHTS);
  const auto detection = hl_vision::make_detection_node(detecting), transform = hl_vision::make_transform_node(options);
  auto surroundings = std::make_shared<Surroundings>();
  rclcpp::executors::SingleThreadedExecutor executor;
  for (const rclcpp::Node::SharedPtr& node : {detection, transform, rclcpp::Node::SharedPtr(surroundings)})
    executor.add_node(node);
  std::vector<hl_vision::View> views;
  for (unsigned n = 0; n < 20; ++n) views.push_back(hl_vision::drawn(n));
  std::vector<double> times, waits;
  int unanswered = 0;
  for (int round = 0; round <= rounds; ++round) {
    for (const auto& view : views) {
      const auto sent = Clock::now();
      const double begin = processor_time();
      surroundings->show(view);
      while (!surroundings->answered && Clock::now() - sent < std::chrono::seconds(2)) executor.spin_some();
      if (round == 0) continue;  // the nodes still find each other
      if (!surroundings->answered) {
        ++unanswered;
        continue;
      }
      times.push_back(processor_time() - begin);
      waits.push_back(std::chrono::duration<double, std::milli>(Clock::now() - sent).count());
    }
  }
  for (const rclcpp::Node::SharedPtr& node : {detection, transform, rclcpp::Node::SharedPtr(surroundings)})
    executor.remove_node(node);
  rclcpp::shutdown();
  std::fprintf(stderr, "%zu pictures answered, %d not\n", times.size(), unanswered);
  if (times.empty()) return 1;
  using hl_testing::Better;
  hl_testing::report({"hl_vision", "picture's arrival -> ball_relative published, composed, median of one core's time",
                      percentile(times, 0.5), "ms", 20.0, Better::Lower});
  hl_testing::report({"hl_vision", "picture's arrival -> ball_relative published, composed, p99",
                      percentile(times, 0.99), "ms", 20.0, Better::Lower});
  hl_testing::report(
      {"hl_vision", "the same by the wall clock, median", percentile(waits, 0.5), "ms", {}, Better::Lower});
  return unanswered == 0 ? 0 : 1;
}
