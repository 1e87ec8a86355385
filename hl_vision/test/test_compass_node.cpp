// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <tf2_ros/static_transform_broadcaster.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/temporary_folder.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/visual_compass_rotation.hpp>
#include <humanoid_league_msgs/srv/record_compass.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <random>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>

#include "hl_vision/camera_view.hpp"

using namespace hl_vision;
using geometry_msgs::msg::PoseWithCovarianceStamped;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::VisualCompassRotation;
using humanoid_league_msgs::srv::RecordCompass;

namespace {

/// Turf, and above it a wall with coloured stripes.
sensor_msgs::msg::Image surroundings() {
  sensor_msgs::msg::Image image;
  image.header.frame_id = "camera_optical_frame";
  image.encoding = "rgb8";
  image.width = 640;
  image.height = 480;
  image.step = 3 * 640;
  image.data.resize(640 * 480 * 3);
  std::mt19937 random(7);
  std::array<std::array<unsigned long, 3>, 16> stripes{};
  for (auto& stripe : stripes) stripe = {random() % 255, random() % 160, random() % 255};
  const std::array<unsigned long, 3> turf{48, 115, 50}, wall{150, 150, 150};
  for (std::size_t y = 0; y < 480; ++y) {
    for (std::size_t x = 0; x < 640; ++x) {
      const bool stripe = y < 40 + 3 * (40 * (x / 40) % 37);
      const auto& colour = y >= 150 ? turf : stripe ? stripes[x / 40] : wall;
      for (std::size_t c = 0; c < 3; ++c)
        image.data[3 * (640 * y + x) + c] = static_cast<std::uint8_t>(colour[c] + (y >= 150 ? random() % 9 : 0));
    }
  }
  return image;
}

class CompassNode : public testing::Test {
 protected:
  CompassNode() : node_(std::make_shared<rclcpp::Node>("test")), broadcaster_(node_), frame_(surroundings()) {
    executor_.add_node(node_);
    const Eigen::Isometry3d pose = ground_from_up({0.0, -std::cos(0.05), -std::sin(0.05)}, 0.5);
    const Eigen::Quaterniond q(pose.linear());
    geometry_msgs::msg::TransformStamped level;
    level.header.frame_id = "base_footprint";
    level.child_frame_id = "camera_optical_frame";
    level.transform.translation.z = 0.5;
    level.transform.rotation.x = q.x();
    level.transform.rotation.y = q.y();
    level.transform.rotation.z = q.z();
    level.transform.rotation.w = q.w();
    broadcaster_.sendTransform(level);
    info_ = node_->create_publisher<sensor_msgs::msg::CameraInfo>("camera/camera_info", rclcpp::QoS(5));
    image_ = node_->create_publisher<sensor_msgs::msg::Image>("camera/image_raw", rclcpp::QoS(2));
    pose_ = node_->create_publisher<PoseWithCovarianceStamped>("pose", rclcpp::QoS(10));
    game_ = node_->create_publisher<GameState>("gamestate", rclcpp::QoS(1).transient_local());
    heading_sub_ = node_->create_subscription<VisualCompassRotation>(
        "visual_compass", rclcpp::QoS(10), [this](const VisualCompassRotation::ConstSharedPtr& m) { heading_ = m; });
    odometry_sub_ = node_->create_subscription<nav_msgs::msg::Odometry>(
        "visual_odometry", rclcpp::QoS(10), [this](const nav_msgs::msg::Odometry::ConstSharedPtr& m) { turn_ = m; });
    client_ = node_->create_client<RecordCompass>("record_compass");
  }

  /// One picture, with the pose that localisation believes if there is one.
  void show() {
    frame_.header.stamp = node_->now();
    sensor_msgs::msg::CameraInfo info;
    const Lens lens;
    info.header = frame_.header;
    info.width = 640;
    info.height = 480;
    info.distortion_model = "plumb_bob";
    info.k = {lens.fx, 0.0, lens.cx, 0.0, lens.fy, lens.cy, 0.0, 0.0, 1.0};
    info_->publish(info);
    if (believed_x_) {
      PoseWithCovarianceStamped believed;
      believed.header.stamp = frame_.header.stamp;
      believed.header.frame_id = "map";
      believed.pose.pose.position.x = *believed_x_;
      believed.pose.pose.orientation.w = 1.0;
      believed.pose.covariance[0] = believed.pose.covariance[7] = 0.01;
      believed.pose.covariance[35] = 0.001;
      pose_->publish(believed);
    }
    image_->publish(frame_);
  }

  template <class Condition>
  bool shown_until(const Condition& condition) {
    return hl_testing::wait_until(
        [&] {
          show();
          executor_.spin_some();
          return condition();
        },
        std::chrono::seconds(60));
  }

  RecordCompass::Response call(std::uint8_t command) {
    auto request = std::make_shared<RecordCompass::Request>();
    request->command = command;
    request->pose.x = -2.0;
    request->pose.theta = 1.0;
    request->pose_known = true;
    request->file = file_;
    auto answer = client_->async_send_request(request).future.share();
    EXPECT_TRUE(
        shown_until([&] { return answer.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready; }));
    return *answer.get();
  }
  bool answers() {
    return shown_until([this] { return heading_ && turn_ && client_->service_is_ready(); });
  }
  void referee_says(std::uint8_t state) {
    GameState game;
    game.game_state = state;
    game_->publish(game);
  }

  const hl_testing::TemporaryFolder folder_;
  const std::string file_ = (folder_.path() / "hall.compass").string();
  std::optional<double> believed_x_;
  VisualCompassRotation::ConstSharedPtr heading_;
  nav_msgs::msg::Odometry::ConstSharedPtr turn_;

 private:
  rclcpp::Node::SharedPtr node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  tf2_ros::StaticTransformBroadcaster broadcaster_;
  sensor_msgs::msg::Image frame_;
  rclcpp::Publisher<sensor_msgs::msg::CameraInfo>::SharedPtr info_;
  rclcpp::Publisher<sensor_msgs::msg::Image>::SharedPtr image_;
  rclcpp::Publisher<PoseWithCovarianceStamped>::SharedPtr pose_;
  rclcpp::Publisher<GameState>::SharedPtr game_;
  rclcpp::Subscription<VisualCompassRotation>::SharedPtr heading_sub_;
  rclcpp::Subscription<nav_msgs::msg::Odometry>::SharedPtr odometry_sub_;
  rclcpp::Client<RecordCompass>::SharedPtr client_;
};

constexpr std::uint8_t kOnlyAsks = 99;  // no command: the answer tells how many pictures are recorded

}  // namespace

TEST_F(CompassNode, RecordsAndSavesOnRequest) {
  {
    hl_testing::Process compass({VISUAL_COMPASS});
    ASSERT_TRUE(answers()) << compass.output();
    EXPECT_EQ(heading_->confidence, 0.0f) << "nothing is recorded";
    RecordCompass::Response recorded;
    ASSERT_TRUE(shown_until([&] {
      recorded = call(RecordCompass::Request::ADD);
      return recorded.success;
    })) << recorded.message;
    EXPECT_GE(recorded.views, 1);
    EXPECT_EQ(heading_->header.frame_id, "map");
    EXPECT_TRUE(call(RecordCompass::Request::SAVE).success);
    EXPECT_FALSE(call(kOnlyAsks).success);
  }
  EXPECT_TRUE(std::filesystem::exists(file_));
}

TEST_F(CompassNode, RecordsByItselfInReadyAndSavesWhenThatEnds) {
  {
    hl_testing::Process compass({VISUAL_COMPASS, "--ros-args", "-p", "file:=" + file_});
    ASSERT_TRUE(answers()) << compass.output();
    believed_x_ = -2.0;
    EXPECT_EQ(call(kOnlyAsks).views, 0) << "nobody has said which state of the game it is";
    referee_says(GameState::GAMESTATE_READY);
    ASSERT_TRUE(shown_until([&] { return call(kOnlyAsks).views > 0; })) << compass.output();
    EXPECT_EQ(call(kOnlyAsks).views, 1) << "the same look is recorded once";
    referee_says(GameState::GAMESTATE_PLAYING);
    ASSERT_TRUE(shown_until([&] { return std::filesystem::exists(file_); })) << compass.output();
    believed_x_ = -0.5;
    for (int n = 0; n < 5; ++n) EXPECT_EQ(call(kOnlyAsks).views, 1) << "not while playing";
  }
  hl_testing::Process again({VISUAL_COMPASS, "--ros-args", "-p", "file:=" + file_});
  heading_.reset();
  ASSERT_TRUE(answers()) << again.output();
  EXPECT_EQ(call(kOnlyAsks).views, 1) << "what the last run recorded is there";
}

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return hl_testing::run_ros_tests(argc, argv);
}
