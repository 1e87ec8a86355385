// SPDX-License-Identifier: Apache-2.0
// The thread that owns the bus.
#include <pthread.h>

#include <cmath>
#include <cstring>

#include "cm730_node.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr double kLowVoltageTime = 1.0;  // s below the shutdown voltage before it counts

}  // namespace

void Cm730Node::set_real_time_priority(int priority) {
  if (priority <= 0) return;
  sched_param param{};
  param.sched_priority = priority;
  if (const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param)) {
    RCLCPP_WARN(get_logger(), "No real-time priority %d: %s. Add '@dialout - rtprio 99' to /etc/security/limits.conf.",
                priority, std::strerror(error));
  }
}

void Cm730Node::run() {
  set_real_time_priority(priority_);
  std::vector<std::string> told;
  while (!stop_ && rclcpp::ok()) {
    run_jobs();
    apply_goals();
    const bool exchanged = driver_->cycle();
    log_events();
    if (driver_->problems() != told) {
      told = driver_->problems();
      for (const auto& problem : told) RCLCPP_ERROR(get_logger(), "%s", problem.c_str());
      if (port_->latency_timer() > 1) {
        RCLCPP_WARN(
            get_logger(),
            "The adapter holds bytes back for %d ms: echo 1 | sudo tee /sys/bus/usb-serial/devices/%s/latency_timer",
            port_->latency_timer(), port_name_.substr(port_name_.rfind('/') + 1).c_str());
      }
    }
    const double time = port_->now();
    if (exchanged) {
      if (last_cycle_ > 0.0 && time > last_cycle_) cycle_rate_ += 0.02 * (1.0 / (time - last_cycle_) - cycle_rate_);
      last_cycle_ = time;
      publish_cycle();
      watch_voltage();
    } else {
      cycle_rate_ = 0.0;
      last_cycle_ = 0.0;
    }
    if (time >= next_state_) publish_state();
    if (time >= next_servo_data_) publish_servo_data();
    if (time >= next_diagnostics_) publish_diagnostics();
    if (exchanged) pace();
  }
}

void Cm730Node::log_events() {
  for (const auto& event : driver_->take_events()) RCLCPP_WARN(get_logger(), "%s", event.c_str());
}

void Cm730Node::pace() {
  if (active_rate_ <= 0.0) return;
  const double period = 1.0 / active_rate_;
  const double time = port_->now();
  deadline_ += period;
  if (deadline_ < time) {  // late: the missed ones are counted, not made up for
    const double missed = std::floor((time - deadline_) / period) + 1.0;
    if (deadline_ > period * 2.0 && missed < 1e6) missed_cycles_ += static_cast<uint64_t>(missed);
    deadline_ += missed * period;
  }
  port_->sleep_until(deadline_);
}

void Cm730Node::apply_goals() {
  std::lock_guard<std::mutex> lock(goals_mutex_);
  active_limits_ = limits_;
  active_rate_ = rate_;
  const auto& goals = player_->update(now().seconds());
  const double stiffness = player_->stiffness();
  for (size_t i = 0; i < driver_->size(); ++i) {
    JointCommand& command = driver_->command(i);
    command.stiffness = stiffness;
    if (!goals[i].set) continue;
    command.position = goals[i].position;
    command.speed_limit = goals[i].speed_limit;
    command.torque_limit = goals[i].torque_limit;
  }
}

void Cm730Node::run_jobs() {
  // Run under the lock: a caller that gives up waits for the job that has begun.
  std::lock_guard<std::mutex> lock(jobs_mutex_);
  if (driver_->state() == BusState::Running) {
    for (auto& job : jobs_) job();
  }
  jobs_.clear();
}

void Cm730Node::watch_voltage() {
  const double voltage = driver_->board().voltage;
  const double time = port_->now();
  if (voltage < 0.0 || voltage >= active_limits_.shutdown_voltage) {
    low_since_ = -1.0;
    if (voltage >= active_limits_.warn_voltage) shutdown_since_ = -1.0;  // another battery
    return;
  }
  if (low_since_ < 0.0) low_since_ = time;
  if (time - low_since_ < kLowVoltageTime) return;
  if (shutdown_since_ < 0.0) {
    shutdown_since_ = time;
    RCLCPP_ERROR(get_logger(), "%.1f V: the battery is empty, the robot sits down and lets go", voltage);
    auto request = std::make_shared<humanoid_league_msgs::srv::ShutdownRobot::Request>();
    if (shutdown_client_->service_is_ready()) shutdown_client_->async_send_request(request);
  }
  if (time - shutdown_since_ > active_limits_.shutdown_grace) {
    for (size_t i = 0; i < driver_->size(); ++i) driver_->command(i).torque = false;
  }
}

}  // namespace hl_hardware_cm730
