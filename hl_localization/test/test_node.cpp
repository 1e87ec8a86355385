// SPDX-License-Identifier: Apache-2.0
// The node over the middleware, with a robot made of messages around it.
#include <gtest/gtest.h>

#include <cmath>
#include <geometry_msgs/msg/pose_array.hpp>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/srv/reset_localization.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "hl_localization/kinematic_world.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"

namespace {

using namespace std::chrono_literals;
using geometry_msgs::msg::PoseWithCovarianceStamped;
using humanoid_league_msgs::msg::LineInformationRelative;
using humanoid_league_msgs::srv::ResetLocalization;

geometry_msgs::msg::Point point(const Eigen::Vector2d& p) {
  geometry_msgs::msg::Point result;
  result.x = p.x();
  result.y = p.y();
  return result;
}

class LocalizationNode : public ::testing::Test {
 protected:
  LocalizationNode()
      : world_({}, {}, 1), node_(std::make_shared<rclcpp::Node>("robot_of_messages")), program_({PROGRAM}) {
    using namespace hl_node;
    world_.place({-2.0, 1.0, 0.5});
    world_.walking = false;
    odom_ = create_publisher<nav_msgs::msg::Odometry>(*node_, topics::kOdom);
    lines_ = create_publisher<LineInformationRelative>(*node_, topics::kLinesRelative);
    initial_ = create_publisher<PoseWithCovarianceStamped>(*node_, topics::kInitialpose);
    model_ = create_publisher<humanoid_league_msgs::msg::Model>(*node_, topics::kPersonalModel);
    subscriptions_.push_back(create_subscription<PoseWithCovarianceStamped>(
        *node_, topics::kPose, [this](const PoseWithCovarianceStamped& m) { pose_ = m; }));
    subscriptions_.push_back(create_subscription<humanoid_league_msgs::msg::Position2D>(
        *node_, topics::kPosition, [this](const humanoid_league_msgs::msg::Position2D& m) { position_ = m; }));
    subscriptions_.push_back(create_subscription<tf2_msgs::msg::TFMessage>(
        *node_, topics::kTf, [this](const tf2_msgs::msg::TFMessage& m) { tf_ = m; }));
  }

  /// Plays the robot until `condition` holds.
  template <class Condition>
  bool until(Condition condition) {
    return hl_testing::wait_until([this, &condition] {
      world_.advance(0.02);
      const auto stamp = node_->now();
      nav_msgs::msg::Odometry odom;
      odom.header.stamp = stamp;
      odom.header.frame_id = "odom";
      odom.child_frame_id = "base_footprint";
      const auto pose = world_.odometry().pose;
      odom.pose.pose.position.x = pose.x;
      odom.pose.pose.position.y = pose.y;
      odom.pose.pose.orientation.z = std::sin(0.5 * pose.yaw);
      odom.pose.pose.orientation.w = std::cos(0.5 * pose.yaw);
      odom_->publish(odom);
      LineInformationRelative lines;
      lines.header.stamp = stamp;
      lines.header.frame_id = "base_footprint";
      const auto percepts = world_.look();
      for (const auto& segment : percepts.segments) {
        lines.segments.emplace_back();
        lines.segments.back().start = point(segment.from);
        lines.segments.back().end = point(segment.to);
        lines.segments.back().confidence = 0.8F;
      }
      for (const auto& crossing : percepts.crossings) {
        lines.markings.emplace_back();
        auto& marking = lines.markings.back();
        marking.type = static_cast<std::uint8_t>(static_cast<int>(crossing.type) + 1);
        marking.confidence = 0.8F;
        for (const auto& arm : crossing.arms) {
          marking.segments.emplace_back();
          marking.segments.back().start = point(crossing.position);
          marking.segments.back().end = point(crossing.position + 0.3 * arm);
        }
      }
      if (see_) lines_->publish(lines);
      rclcpp::spin_some(node_);
      return condition();
    });
  }

  bool found() const {
    return pose_ && std::abs(pose_->pose.pose.position.x - world_.robot.x) < 0.3 &&
           std::abs(pose_->pose.pose.position.y - world_.robot.y) < 0.3 && pose_->pose.covariance[0] < 0.5;
  }

  ResetLocalization::Response::SharedPtr reset(std::uint8_t mode) {
    const auto client = node_->create_client<ResetLocalization>(hl_node::services::kResetLocalization);
    EXPECT_TRUE(client->wait_for_service(30s));
    auto request = std::make_shared<ResetLocalization::Request>();
    request->mode = mode;
    auto future = client->async_send_request(request);
    EXPECT_EQ(rclcpp::spin_until_future_complete(node_, future, 30s), rclcpp::FutureReturnCode::SUCCESS);
    return future.get();
  }

  hl_localization::KinematicWorld world_;
  rclcpp::Node::SharedPtr node_;
  hl_testing::Process program_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr odom_;
  rclcpp::Publisher<LineInformationRelative>::SharedPtr lines_;
  rclcpp::Publisher<PoseWithCovarianceStamped>::SharedPtr initial_;
  rclcpp::Publisher<humanoid_league_msgs::msg::Model>::SharedPtr model_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  std::optional<PoseWithCovarianceStamped> pose_;
  std::optional<humanoid_league_msgs::msg::Position2D> position_;
  std::optional<tf2_msgs::msg::TFMessage> tf_;
  bool see_ = true;
};

TEST_F(LocalizationNode, FindsItselfInTheOwnHalfAndTellsIt) {
  ASSERT_TRUE(until([this] { return pose_.has_value(); })) << program_.output();
  EXPECT_TRUE(reset(ResetLocalization::Request::OWN_HALF)->success);
  ASSERT_TRUE(until([this] { return found() && tf_.has_value(); })) << program_.output();
  EXPECT_EQ(pose_->header.frame_id, "map");
  EXPECT_GT(position_->confidence, 0.0F);
  ASSERT_FALSE(tf_->transforms.empty());
  EXPECT_EQ(tf_->transforms[0].header.frame_id, "map");
  EXPECT_EQ(tf_->transforms[0].child_frame_id, "odom");
  std::optional<geometry_msgs::msg::PoseArray> particles;
  const auto viewer = hl_node::create_subscription<geometry_msgs::msg::PoseArray>(
      *node_, hl_node::topics::kParticles, [&particles](const geometry_msgs::msg::PoseArray& m) { particles = m; });
  EXPECT_TRUE(until([&particles] { return particles && !particles->poses.empty(); }));
  const auto refused = reset(77);
  EXPECT_FALSE(refused->success);
  EXPECT_NE(refused->message.find("77"), std::string::npos);
}

TEST_F(LocalizationNode, APersonTellsWhereTheRobotStands) {
  see_ = false;
  ASSERT_TRUE(until([this] { return pose_.has_value() && initial_->get_subscription_count() > 0; }));
  PoseWithCovarianceStamped told;
  told.header.frame_id = "map";
  told.pose.pose.position.x = -1.5;
  told.pose.pose.orientation.w = 1.0;
  told.pose.covariance[0] = told.pose.covariance[7] = told.pose.covariance[35] = 0.05;
  initial_->publish(told);
  EXPECT_TRUE(until([this] { return std::abs(pose_->pose.pose.position.x + 1.5) < 0.01; }));
}

TEST_F(LocalizationNode, RestartedInPlayItGoesOnFromTheModel) {
  see_ = false;
  ASSERT_TRUE(until([this] { return pose_.has_value() && model_->get_subscription_count() > 0; }));
  humanoid_league_msgs::msg::Model model;
  model.position.header.stamp = node_->now();
  model.position.pose.pose.position.y = 2.0;
  model.position.pose.pose.orientation.w = 1.0;
  model.position.pose.covariance[0] = model.position.pose.covariance[7] = 0.05;
  model_->publish(model);
  EXPECT_TRUE(until([this] { return std::abs(pose_->pose.pose.position.y - 2.0) < 0.01; }));
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
