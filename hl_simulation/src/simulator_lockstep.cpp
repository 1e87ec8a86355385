// SPDX-License-Identifier: Apache-2.0
// The world waits for the robots: for goals after every sensor message, for an answer to every picture.
#include "hl_node/interfaces.hpp"
#include "simulator_node.hpp"

namespace hl_simulation {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void SimulatorNode::wait_for_commands() {
  if (lockstep_.empty()) return;
  // The world is ahead of whoever comes back, so any new goals count.
  for (std::size_t k = 0; k < lockstep_.size(); ++k) {
    if (!lockstep_lost_[k] || robots_[lockstep_[k]]->last_goal_stamp() <= *lockstep_lost_[k]) continue;
    RCLCPP_INFO(get_logger(), "lock-step: '%s' sends motor_goals again",
                simulation_->robot(lockstep_[k]).name().c_str());
    lockstep_lost_[k].reset();
  }
  const auto answer_is_newer_than = [&](std::size_t k, double stamp) {
    const SimulatedRobot& robot = *robots_[lockstep_[k]];
    return robot.last_goal_stamp() >= stamp - robot.answer_lag();
  };
  const auto all_newer_than = [&](double stamp) {
    for (std::size_t k = 0; k < lockstep_.size(); ++k) {
      if (!lockstep_lost_[k] && !answer_is_newer_than(k, stamp)) return false;
    }
    return true;
  };
  // An answer carries the time of what it answers. The sender's clock may be a tick behind, because /clock and the
  // sensors come on different ways; so after a while an answer of the tick before counts as well.
  const double exact = time_ - 1e-6, previous = exact - timing_.period;
  const auto start = Clock::now();
  double accepted = exact;
  std::unique_lock<std::mutex> lock(control_mutex_);
  while (!stop_ && !all_newer_than(accepted)) {
    const double waited = std::chrono::duration<double>(Clock::now() - start).count();
    if (waited > timing_.lockstep_timeout) break;
    if (waited > 0.2 * timing_.lockstep_timeout) accepted = previous;
    if (control_.wait_for(lock, std::chrono::milliseconds(50)) == std::cv_status::no_timeout) continue;
    lock.unlock();
    resend_to_newcomers();
    lock.lock();
  }
  for (std::size_t k = 0; k < lockstep_.size(); ++k) {
    if (lockstep_lost_[k] || answer_is_newer_than(k, accepted)) continue;
    RCLCPP_WARN(get_logger(), "lock-step: no motor_goals from '%s' for %.1f s; the world goes on without it",
                simulation_->robot(lockstep_[k]).name().c_str(), timing_.lockstep_timeout.load());
    lockstep_lost_[k] = robots_[lockstep_[k]]->last_goal_stamp();
  }
}

void SimulatorNode::resend_to_newcomers() {
  const std::lock_guard<std::mutex> world(world_mutex_);
  for (const std::size_t n : lockstep_) {
    if (robots_[n]->goals_received() == 0) robots_[n]->publish_sensors(time_, simulation_->time());
  }
}

void SimulatorNode::listen_for_answers(CameraStream& camera) {
  rclcpp::SubscriptionOptions options;
  options.callback_group = camera.answers_group = create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  camera.answers = hl_node::create_subscription<humanoid_league_msgs::msg::BallRelative>(
      *this, hl_node::topics::kBallRelative,
      [this, &camera](const humanoid_league_msgs::msg::BallRelative& ball) {
        const std::lock_guard<std::mutex> lock(control_mutex_);
        if (camera.open.answered(to_seconds(ball.header.stamp)))
          RCLCPP_INFO(get_logger(), "lock-step: '%s' answers its pictures again",
                      simulation_->robot(camera.robot).name().c_str());
        control_.notify_all();
      },
      options, robots_[camera.robot]->topic(""));
}

void SimulatorNode::wait_for_eyes() {
  constexpr double kResendAfter = 0.2;  // of the time-out: pictures are offered best effort and may get lost
  const double due_since = time_ + timing_.period - vision_delay_;
  const auto start = Clock::now();
  double next_resend = kResendAfter;
  std::unique_lock<std::mutex> lock(control_mutex_);
  const auto nobody_owes = [&] {
    for (const auto& camera : cameras_) {
      if (camera->open.owes(due_since)) return false;
    }
    return true;
  };
  while (!stop_ && !nobody_owes()) {
    const double waited =
        std::chrono::duration<double>(Clock::now() - start).count() / std::max(1e-3, timing_.lockstep_timeout.load());
    if (waited > 1.0) break;
    if (waited > next_resend) {
      next_resend += kResendAfter;
      lock.unlock();
      for (auto& camera : cameras_) resend_picture(*camera, due_since);
      lock.lock();
    }
    control_.wait_for(lock, std::chrono::milliseconds(20));
  }
  if (stop_) return;
  for (auto& camera : cameras_) {
    if (!camera->open.owes(due_since)) continue;
    RCLCPP_WARN(get_logger(),
                "lock-step: no ball_relative of '%s' for the picture of %.3f s, although %.3f s have passed; the world "
                "goes on without its eyes. Does its vision answer every picture?",
                simulation_->robot(camera->robot).name().c_str(), camera->open.oldest(), vision_delay_);
    camera->open.give_up();
  }
}

void SimulatorNode::resend_picture(CameraStream& camera, double due_since) {
  {
    const std::lock_guard<std::mutex> lock(control_mutex_);
    if (!camera.open.owes(due_since)) return;
  }
  const std::lock_guard<std::mutex> lock(camera.mutex);
  if (camera.image.data.empty()) return;
  camera.infos->publish(camera.info);
  camera.images->publish(camera.image);
}

}  // namespace hl_simulation
