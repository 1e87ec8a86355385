// SPDX-License-Identifier: Apache-2.0
// The thread that owns the bus.
#include <pthread.h>

#include <cmath>
#include <cstring>

#include "cm730_node.hpp"

namespace hl_hardware_cm730 {

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
  std::vector<std::string> told;
  while (!stop_ && rclcpp::ok()) {
    run_jobs();
    contract_->apply_goals(now().seconds());
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
      contract_->publish_sensors(now().seconds());
    } else {
      cycle_rate_ = 0.0;
      last_cycle_ = 0.0;
    }
    const double stamp = now().seconds();
    contract_->publish_state(stamp);
    contract_->publish_reports(stamp, [this](auto& values) { add_diagnostics(values); });
    if (exchanged) pace();
  }
}

void Cm730Node::log_events() {
  for (const auto& event : driver_->take_events()) RCLCPP_WARN(get_logger(), "%s", event.c_str());
}

void Cm730Node::pace() {
  const double rate = rate_;
  if (rate <= 0.0) return;
  const double period = 1.0 / rate;
  const double time = port_->now();
  deadline_ += period;
  if (deadline_ < time) {  // late: the missed ones are counted, not made up for
    const double missed = std::floor((time - deadline_) / period) + 1.0;
    if (deadline_ > period * 2.0 && missed < 1e6) missed_cycles_ += static_cast<uint64_t>(missed);
    deadline_ += missed * period;
  }
  port_->sleep_until(deadline_);
}

void Cm730Node::run_jobs() {
  // Run under the lock: a caller that gives up waits for the job that has begun.
  std::lock_guard<std::mutex> lock(jobs_mutex_);
  if (driver_->state() == BusState::Running) {
    for (auto& job : jobs_) job();
  }
  jobs_.clear();
}

}  // namespace hl_hardware_cm730
