// SPDX-License-Identifier: Apache-2.0
#include "kick_server.hpp"

#include <tf2/exceptions.h>

#include <cmath>

#include "hl_node/contract.hpp"

namespace hl_walking {
namespace {

/// /tf_static is latched, and Humble refuses latched topics in a node with intra-process communication.
rclcpp::SubscriptionOptions latched_options() {
  rclcpp::SubscriptionOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  return options;
}

}  // namespace

KickServer::KickServer(rclcpp::Node& node, Controller& controller)
    : node_(node),
      controller_(controller),
      tf_buffer_(node.get_clock()),
      tf_listener_(tf_buffer_, &node, false, tf2_ros::DynamicListenerQoS(), tf2_ros::StaticListenerQoS(),
                   rclcpp::SubscriptionOptions(), latched_options()) {
  server_ = rclcpp_action::create_server<Action>(
      &node, hl_node::actions::kKick,
      [](const rclcpp_action::GoalUUID&, std::shared_ptr<const Action::Goal>) {
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;  // what cannot be kicked ends with a reason
      },
      [](const std::shared_ptr<Handle>) { return rclcpp_action::CancelResponse::ACCEPT; },
      [this](const std::shared_ptr<Handle> handle) { begin(handle); });
}

/// The goal in base_footprint as it is now, whatever frame and time it was given in. Throws tf2::TransformException.
KickGoal KickServer::in_footprint(const Action::Goal& goal) const {
  constexpr double kFresh = 0.1;  // s; the robot has not gone far since
  Eigen::Isometry3d to_robot = Eigen::Isometry3d::Identity();
  const std::string frame = goal.header.frame_id.empty() ? "base_footprint" : goal.header.frame_id;
  const rclcpp::Time stamp(goal.header.stamp, node_.get_clock()->get_clock_type());
  const bool fresh = stamp.nanoseconds() == 0 || std::abs((node_.now() - stamp).seconds()) < kFresh;
  if (!fresh || frame != "base_footprint") {
    const auto latest = tf2::TimePointZero;
    const auto t =
        fresh ? tf_buffer_.lookupTransform("base_footprint", frame, latest)
              : tf_buffer_.lookupTransform("base_footprint", latest, frame, tf2::timeFromSec(stamp.seconds()), "odom");
    const auto& q = t.transform.rotation;
    const auto& p = t.transform.translation;
    to_robot = Eigen::Translation3d(p.x, p.y, p.z) * Eigen::Quaterniond(q.w, q.x, q.y, q.z);
  }
  KickGoal kick;
  kick.ball = (to_robot * Eigen::Vector3d(goal.ball_pos.x, goal.ball_pos.y, goal.ball_pos.z)).head<2>();
  kick.target = (to_robot * Eigen::Vector3d(goal.target.x, goal.target.y, goal.target.z)).head<2>();
  kick.speed = goal.speed;
  return kick;
}

void KickServer::begin(const std::shared_ptr<Handle>& handle) {
  const auto goal = handle->get_goal();
  std::optional<std::string> refused;
  try {
    if (handle_) {
      refused = "a kick is under way";
    } else {
      refused = controller_.start_kick(in_footprint(*goal), goal->in_walk, node_.now().seconds());
    }
  } catch (const tf2::TransformException& e) {
    refused = std::string("where ball and target are is not known: ") + e.what();
  }
  if (refused) {
    RCLCPP_WARN(node_.get_logger(), "no kick: %s", refused->c_str());
    finish(handle, false, *refused);
  } else {
    handle_ = handle;
    percent_ = 0;
  }
}

void KickServer::finish(const std::shared_ptr<Handle>& handle, bool successful, const std::string& message) {
  auto result = std::make_shared<Action::Result>();
  result->successful = successful;
  result->message = message;
  result->foot = !successful                                ? 0
                 : controller_.kicking_foot() == Side::Left ? Action::Result::LEFT
                                                            : Action::Result::RIGHT;
  if (handle->is_canceling()) {
    handle->canceled(result);
  } else if (successful) {
    handle->succeed(result);
  } else {
    handle->abort(result);
  }
}

void KickServer::follow() {
  if (!handle_) return;
  if (handle_->get_goal()->in_walk) return follow_in_walk();
  if (handle_->is_canceling()) controller_.cancel_kick();
  if (controller_.kicking()) {
    const auto percent = static_cast<std::uint8_t>(100.0 * controller_.kick().progress());
    if (percent == percent_) return;
    auto feedback = std::make_shared<Action::Feedback>();
    feedback->percent_done = percent_ = percent;
    handle_->publish_feedback(feedback);
    return;
  }
  const bool done = controller_.kick().finished();
  finish(handle_, done, done ? "kicked" : "the body was taken away or the kick was cancelled");
  handle_.reset();
}

/// One step, too short to be cancelled.
void KickServer::follow_in_walk() {
  const auto kick = controller_.walk_kick();
  if (kick == Controller::WalkKick::Waiting) return;
  const bool done = kick == Controller::WalkKick::Done;
  finish(handle_, done, done ? "kicked in walk" : "the robot stopped before the step of that foot");
  handle_.reset();
}

}  // namespace hl_walking
