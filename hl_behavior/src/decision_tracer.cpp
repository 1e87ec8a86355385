// SPDX-License-Identifier: Apache-2.0
#include "decision_tracer.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "hl_node/interfaces.hpp"
#include "messages.hpp"

namespace hl_behavior {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace topics = hl_node::topics;
using trajectory_msgs::msg::JointTrajectory;

constexpr double kSamePicture = 1e-6;  // s: stamps that went through plain seconds

}  // namespace

void DecisionTracer::Passed::note(double picture, double heard) {
  entries_[next_] = {picture, heard};
  next_ = (next_ + 1) % entries_.size();
}

double DecisionTracer::Passed::when(double picture) const {
  for (const Entry& entry : entries_)
    if (entry.heard > 0.0 && std::abs(entry.picture - picture) < kSamePicture) return entry.heard;
  return 0.0;
}

DecisionTracer::DecisionTracer(rclcpp::Node& node)
    : node_(node), publisher_(hl_node::create_publisher<DecisionTrace>(node, topics::kDecisionTrace)) {}

/// Whether somebody wants to know.
bool DecisionTracer::listen() {
  if (publisher_->get_subscription_count() == 0) {
    detections_.reset();
    transforms_.reset();
    goals_.reset();
    waiting_.reset();
    return false;
  }
  if (goals_) return true;
  const auto heard = [this](Passed& passed, const builtin_interfaces::msg::Time& picture) {
    passed.note(seconds(picture), node_.get_clock()->now().seconds());
  };
  detections_ = hl_node::create_subscription<msg::BallInImage>(
      node_, topics::kBallInImage, [this, heard](const msg::BallInImage& m) { heard(detected_, m.header.stamp); });
  transforms_ = hl_node::create_subscription<msg::BallRelative>(
      node_, topics::kBallRelative, [this, heard](const msg::BallRelative& m) { heard(transformed_, m.header.stamp); });
  goals_ = hl_node::create_subscription<JointTrajectory>(node_, topics::kMotorGoals,
                                                         [this](const JointTrajectory& m) { on_goals(m); });
  return true;
}

void DecisionTracer::decided(const Behavior::Outputs& outputs, double ordered, double now) {
  if (waiting_) tell();
  if (!listen()) return;
  const Decision& decision = outputs.decision;
  DecisionTrace trace;
  trace.decision = outputs.number;
  trace.summary = std::string(decision.row) + (decision.move ? ", " + describe(*decision.move) : "") +
                  (decision.kick ? ", " + describe(*decision.kick) : "");
  trace.image = stamp_from(outputs.image_stamp);
  trace.detection = stamp_from(detected_.when(outputs.image_stamp));
  trace.transform = stamp_from(transformed_.when(outputs.image_stamp));
  trace.model = stamp_from(now - outputs.data_age);
  trace.decided = stamp_from(now);
  trace.order = stamp_from(ordered);
  waiting_ = std::move(trace);
}

void DecisionTracer::on_goals(const JointTrajectory& goals) {
  if (!waiting_ || seconds(goals.header.stamp) < seconds(waiting_->decided)) return;
  waiting_->servo_goal = goals.header.stamp;
  tell();
}

void DecisionTracer::tell() {
  waiting_->header.stamp = node_.get_clock()->now();
  publisher_->publish(*waiting_);
  waiting_.reset();
}

}  // namespace hl_behavior
