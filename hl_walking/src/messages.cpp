// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hl_walking {
namespace {

using humanoid_league_msgs::msg::SupportState;
using humanoid_league_msgs::msg::WalkingDebug;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

geometry_msgs::msg::Point point(const Eigen::Vector2d& p, double z = 0.0) {
  geometry_msgs::msg::Point message;
  message.x = p.x();
  message.y = p.y();
  message.z = z;
  return message;
}

geometry_msgs::msg::Point point_or_unknown(const std::optional<Eigen::Vector2d>& p) {
  return p ? point(*p) : point({kUnknown, kUnknown}, kUnknown);
}

geometry_msgs::msg::Quaternion message_from(const Eigen::Quaterniond& q) {
  geometry_msgs::msg::Quaternion message;
  message.x = q.x();
  message.y = q.y();
  message.z = q.z();
  message.w = q.w();
  return message;
}

geometry_msgs::msg::Quaternion heading(double yaw) {
  return message_from(Eigen::Quaterniond(Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ())));
}

std::uint8_t support_of(const Output& out) {
  if (out.double_support) return SupportState::DOUBLE;
  return out.support == Side::Left ? SupportState::LEFT : SupportState::RIGHT;
}

}  // namespace

std::optional<Orientation> orientation_from(const sensor_msgs::msg::Imu& imu) {
  const auto& q = imu.orientation;
  const auto& w = imu.angular_velocity;
  return orientation_from(Eigen::Quaterniond(q.w, q.x, q.y, q.z), Eigen::Vector3d(w.x, w.y, w.z));
}

nav_msgs::msg::Odometry empty_odometry() {
  nav_msgs::msg::Odometry message;
  message.header.frame_id = "odom";
  message.child_frame_id = "base_footprint";
  for (const std::size_t i : {0, 7, 35}) {  // x, y, yaw: a few per cent of the way, said as a constant
    message.pose.covariance[i] = message.twist.covariance[i] = 0.01;
  }
  return message;
}

void fill(const Odometry& odometry, nav_msgs::msg::Odometry& message) {
  const Pose2 pose = odometry.footprint();
  message.pose.pose.position.x = pose.x;
  message.pose.pose.position.y = pose.y;
  message.pose.pose.orientation = heading(pose.yaw);
  message.twist.twist.linear.x = odometry.velocity().x;
  message.twist.twist.linear.y = odometry.velocity().y;
  message.twist.twist.angular.z = odometry.velocity().yaw;
}

std::vector<geometry_msgs::msg::TransformStamped> empty_transforms() {
  std::vector<geometry_msgs::msg::TransformStamped> transforms(2);
  transforms[0].header.frame_id = "odom";
  transforms[0].child_frame_id = transforms[1].header.frame_id = "base_footprint";
  transforms[1].child_frame_id = "base_link";
  return transforms;
}

void fill(const Odometry& odometry, std::vector<geometry_msgs::msg::TransformStamped>& transforms) {
  const Pose2 pose = odometry.footprint();
  transforms[0].transform.translation.x = pose.x;
  transforms[0].transform.translation.y = pose.y;
  transforms[0].transform.rotation = heading(pose.yaw);
  const Eigen::Isometry3d& base = odometry.base();
  transforms[1].transform.translation.x = base.translation().x();
  transforms[1].transform.translation.y = base.translation().y();
  transforms[1].transform.translation.z = base.translation().z();
  transforms[1].transform.rotation = message_from(Eigen::Quaterniond(base.linear()));
}

void fill(const Controller& controller, SupportState& message) {
  const Output& out = controller.engine().output();
  message.state = support_of(out);
  message.walking = controller.walking();
  message.unstable = controller.unstable();
  // A cycle is two steps; the left foot lands when its support begins.
  const double phase = out.support == Side::Left ? out.step_phase / 2.0 : 0.5 + out.step_phase / 2.0;
  message.phase = static_cast<float>(out.phase == Phase::Walking ? phase : 0.0);
}

void fill(Controller& controller, double trunk_pitch, WalkingDebug& message) {
  static constexpr const char* kNames[] = {"idle", "starting", "walking", "stopping"};
  const Output& out = controller.engine().output();
  message.header.frame_id = out.support == Side::Left ? "l_sole" : "r_sole";
  message.engine_state = controller.kicking() ? "kicking" : kNames[static_cast<int>(out.phase)];
  message.support = support_of(out);
  message.phase = static_cast<float>(out.step_phase);
  message.steps = static_cast<std::uint32_t>(out.steps);
  message.commanded.linear.x = out.velocity.x;
  message.commanded.linear.y = out.velocity.y;
  message.commanded.angular.z = out.velocity.yaw;
  message.zmp_planned = point(out.zmp);
  message.zmp_measured = point_or_unknown(controller.measured_zmp());
  message.com_planned = point(out.com);
  message.com_measured = point_or_unknown(controller.measured_com());
  message.capture_point = point(out.dcm);
  message.swing_foot.position = point(out.swing_foot.position(), out.swing_height);
  message.swing_foot.orientation = heading(out.swing_foot.yaw);
  message.next_step.x = out.landing.x;
  message.next_step.y = out.landing.y;
  message.next_step.theta = out.landing.yaw;
  const auto attitude = controller.attitude().value_or(Attitude{kUnknown, kUnknown, kUnknown, kUnknown});
  message.roll = message.roll_error = static_cast<float>(attitude.roll);
  message.pitch = static_cast<float>(attitude.pitch);
  message.pitch_error = static_cast<float>(attitude.pitch - trunk_pitch);
  message.stability = static_cast<float>(1.0 - out.instability);
}

}  // namespace hl_walking
