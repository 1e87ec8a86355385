// SPDX-License-Identifier: Apache-2.0
// The part of the HCM node that tells others what it does: robot_state, hcm_debug, diagnostics.
#include <algorithm>

#include "hcm_node.hpp"

namespace hl_hcm {

namespace msg = humanoid_league_msgs::msg;

namespace {

// The core knows the message's numbers without knowing the message.
using Code = msg::RobotControlState;
static_assert(robot_control_state(State::Controllable) == Code::CONTROLLABLE);
static_assert(robot_control_state(State::Falling) == Code::FALLING);
static_assert(robot_control_state(State::Fallen) == Code::FALLEN);
static_assert(robot_control_state(State::Helpless) == Code::FALLEN);
static_assert(robot_control_state(State::GettingUp) == Code::GETTING_UP);
static_assert(robot_control_state(State::GettingUpCheck) == Code::GETTING_UP);
static_assert(robot_control_state(State::Settling) == Code::ANIMATION_RUNNING);
static_assert(robot_control_state(State::Animation) == Code::ANIMATION_RUNNING);
static_assert(robot_control_state(State::Startup) == Code::STARTUP);
static_assert(robot_control_state(State::StartupRamp) == Code::STARTUP);
static_assert(robot_control_state(State::ShutdownSit) == Code::SHUTDOWN);
static_assert(robot_control_state(State::Penalty) == Code::PENALTY);
static_assert(robot_control_state(State::PenaltyIn) == Code::PENALTY_ANIMATION);
static_assert(robot_control_state(State::PenaltyOut) == Code::PENALTY_ANIMATION);
static_assert(robot_control_state(State::Record) == Code::RECORD);
static_assert(robot_control_state(State::Walking) == Code::WALKING);
static_assert(robot_control_state(State::WalkStopping) == Code::WALKING);
static_assert(robot_control_state(State::MotorOff) == Code::MOTOR_OFF);
static_assert(robot_control_state(State::Stopped) == Code::MOTOR_OFF);
static_assert(robot_control_state(State::Off) == Code::HCM_OFF);
static_assert(robot_control_state(State::HardwareProblem) == Code::HARDWARE_PROBLEM);
static_assert(robot_control_state(State::PickedUp) == Code::PICKED_UP);
static_assert(robot_control_state(State::Kicking) == Code::KICKING);
static_assert(static_cast<std::uint8_t>(Source::None) == msg::HcmDebug::OWNER_NONE);
static_assert(static_cast<std::uint8_t>(Source::Hcm) == msg::HcmDebug::OWNER_HCM);
static_assert(static_cast<std::uint8_t>(Source::Walking) == msg::HcmDebug::OWNER_WALKING);
static_assert(static_cast<std::uint8_t>(Source::Animation) == msg::HcmDebug::OWNER_ANIMATION);
static_assert(static_cast<std::uint8_t>(Source::Kick) == msg::HcmDebug::OWNER_KICK);
static_assert(static_cast<std::uint8_t>(Source::Head) == msg::HcmDebug::OWNER_HEAD);
static_assert(static_cast<std::uint8_t>(Source::Record) == msg::HcmDebug::OWNER_RECORD);

}  // namespace

void HcmNode::publish_state() {
  const std::size_t before = published_transitions_ == static_cast<std::size_t>(-1) ? 0 : published_transitions_;
  for (std::size_t back = std::min(hcm_->transition_count() - before, Hcm::kHistorySize); back-- > 0;) {
    const auto& record = hcm_->transition(back);
    if (record.warning) {
      RCLCPP_WARN(get_logger(), "%s -> %s: %s", name_of(record.from), name_of(record.to), record.reason);
      warning_ = std::string(name_of(record.to)) + ": " + record.reason;
    } else {
      RCLCPP_INFO(get_logger(), "%s -> %s: %s", name_of(record.from), name_of(record.to), record.reason);
    }
  }
  published_transitions_ = hcm_->transition_count();
  published_stop_ = hcm_->stop_requested();
  msg::RobotControlState state;
  state.header.stamp = now();
  state.state = robot_control_state(hcm_->state());
  state.stop_requested = published_stop_;
  state.reason = hcm_->transition_count() > 0 ? hcm_->last_transition().reason : "the HCM starts";
  state_pub_->publish(state);
}

void HcmNode::publish_debug() {
  if (debug_pub_->get_subscription_count() == 0) {
    latency_max_ = -1.0;
    tick_time_ = 0.0;
    return;
  }
  msg::HcmDebug debug;
  debug.header.stamp = now();
  debug.state = name_of(hcm_->state());
  for (std::size_t i = 0; i < std::min(hcm_->transition_count(), Hcm::kHistorySize); ++i) {
    const auto& record = hcm_->transition(i);
    msg::HcmTransition transition;
    transition.stamp = rclcpp::Time(static_cast<std::int64_t>(record.stamp * 1e9));
    transition.from_state = name_of(record.from);
    transition.to_state = name_of(record.to);
    transition.reason = record.reason;
    debug.transitions.push_back(transition);
  }
  debug.joint_names = motor_goals_.joint_names;
  for (std::size_t j = 0; j < hcm_->joints().size(); ++j) {
    debug.owners.push_back(static_cast<std::uint8_t>(hcm_->mixer().owners()[j]));
    debug.goals.push_back(hcm_->mixer().goals()[j]);
  }
  debug.latency = static_cast<float>(latency_);
  debug.latency_max = static_cast<float>(latency_max_);
  debug.tick_time = static_cast<float>(tick_time_);
  debug.goals_sent = goals_sent_;
  debug.goals_refused = hcm_->refusals();
  debug.refusals.assign(refusals_.begin(), refusals_.end());
  debug.fall_margin = static_cast<float>(hcm_->fall_margin());
  debug_pub_->publish(debug);
  latency_max_ = -1.0;
  tick_time_ = 0.0;
}

void HcmNode::on_second() {
  hcm_->animation_server(player_->available());
  publish_state();

  const State state = hcm_->state();
  const std::string advice = hcm_->advice();
  const bool problem = state == State::HardwareProblem || state == State::Helpless;
  const bool fine = advice.empty() && warning_.empty();
  diagnostics_.report(problem ? hl_node::Level::Error
                      : fine  ? hl_node::Level::Ok
                              : hl_node::Level::Warn,
                      std::string(name_of(state)) + (advice.empty() ? "" : ": " + advice) +
                          (warning_.empty() ? "" : " (" + warning_ + ")"),
                      {{"state", name_of(state)},
                       {"goals sent", std::to_string(goals_sent_)},
                       {"goals refused", std::to_string(hcm_->refusals())},
                       {"last refusal", refusals_.empty() ? "" : refusals_.front()},
                       {"animation server", player_->available() ? "there" : "missing"}});
  warning_.clear();
}

}  // namespace hl_hcm
