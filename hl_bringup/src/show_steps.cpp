// SPDX-License-Identifier: Apache-2.0
#include "show_steps.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/field.hpp>
#include <hl_description/geometry.hpp>

namespace hl_bringup {
namespace {

const hl_description::Field kField;   // the simulator's, too, if nobody names another
constexpr double kBallX = 2.7;        // m, where the ball waits for the kick
constexpr double kStillSpeed = 0.06;  // m/s; the trunk of a standing robot sways

/// From lying on the belly to standing, by the HCM alone.
class StandUp : public ShowStep {
 public:
  StandUp() : ShowStep("stand up", 40.0) {}

  void start(ShowRobot& robot, const Truth&) override {
    robot.place_ball(kBallX, 0.0);
    robot.place_robot({-1.5, 0.0, 0.0}, "lying_front");
  }

  StepResult update(ShowRobot& robot, const Truth& truth) override {
    lay_ = lay_ || !truth.upright;
    const bool stands = truth.upright && robot.state() == RobotControlState::CONTROLLABLE;
    return lay_ && stands ? StepResult::Passed : StepResult::Running;
  }

 private:
  bool lay_ = false;
};

/// A full turn to the left and one to the right while walking ahead.
class FigureOfEight : public ShowStep {
 public:
  FigureOfEight() : ShowStep("walk a figure of eight", 90.0) {}

  void start(ShowRobot&, const Truth& truth) override { last_yaw_ = truth.robot.yaw; }

  StepResult update(ShowRobot& robot, const Truth& truth) override {
    if (!truth.upright) return failed("the robot fell");
    turned_ += hl_description::wrap_angle(truth.robot.yaw - last_yaw_);
    last_yaw_ = truth.robot.yaw;
    if (left_done_ && turned_ < 0.3) return StepResult::Passed;
    left_done_ = left_done_ || turned_ > 2.0 * M_PI;
    robot.walk(kSpeed, 0.0, left_done_ ? -kTurn : kTurn);
    return StepResult::Running;
  }

 private:
  static constexpr double kSpeed = 0.2;  // m/s
  static constexpr double kTurn = 0.5;   // rad/s
  double last_yaw_ = 0.0, turned_ = 0.0;
  bool left_done_ = false;
};

class Stop : public ShowStep {
 public:
  Stop() : ShowStep("stop", 15.0) {}

  void start(ShowRobot& robot, const Truth&) override { robot.walk(0.0, 0.0, 0.0); }

  StepResult update(ShowRobot& robot, const Truth& truth) override {
    robot.keep_walking();
    if (!truth.upright) return failed("the robot fell");
    if (truth.speed > kStillSpeed || robot.state() != RobotControlState::CONTROLLABLE) still_since_ = truth.time;
    if (!still_since_) still_since_ = truth.time;
    return truth.time - *still_since_ > 1.0 ? StepResult::Passed : StepResult::Running;
  }

 private:
  std::optional<double> still_since_;
};

/// Walks behind the ball, lines up with the goal, kicks; again until the ball is in.
class ScoreAGoal : public ShowStep {
 public:
  ScoreAGoal() : ShowStep("kick the ball into the goal", 180.0) {}

  void start(ShowRobot& robot, const Truth&) override { robot.ask_for_kick_spot(); }

  StepResult update(ShowRobot& robot, const Truth& truth) override {
    if (truth.ball.x() > 0.5 * kField.length && std::abs(truth.ball.y()) < 0.5 * kField.goal_width)
      return StepResult::Passed;
    if (kicking_ && robot.kick_result() == ShowRobot::KickResult::Refused) kicking_ = false;  // not yet right
    if (kicking_) {
      if (robot.kick_result() == ShowRobot::KickResult::Running) return StepResult::Running;
      if (!kicked_at_) kicked_at_ = truth.time;
      if (truth.time - *kicked_at_ < kRollTime) return StepResult::Running;  // the ball still rolls
      kicking_ = false;
      kicked_at_.reset();
    }
    // A ball that has left the field is put back, as in a game.
    const bool out = std::abs(truth.ball.x()) > 0.5 * kField.length || std::abs(truth.ball.y()) > 0.5 * kField.width;
    if (out && truth.time - placed_at_ > 1.0) {
      robot.place_ball(kBallX, 0.0);
      placed_at_ = truth.time;
      lining_up_ = false;
    }
    approach(robot, truth);
    return StepResult::Running;
  }

 private:
  static constexpr double kRollTime = 4.0;  // s

  void approach(ShowRobot& robot, const Truth& truth) {
    const double aim = std::atan2(-truth.ball.y(), 0.5 * kField.length + 0.3 - truth.ball.x());
    const double dx = truth.ball.x() - truth.robot.x;
    const double dy = truth.ball.y() - truth.robot.y;
    const double distance = std::hypot(dx, dy);
    const double c = std::cos(truth.robot.yaw), s = std::sin(truth.robot.yaw);
    const double ball_forward = c * dx + s * dy;  // in the robot
    const double ball_left = -s * dx + c * dy;
    const double aim_error = hl_description::wrap_angle(aim - truth.robot.yaw);

    // Far away: towards a point behind the ball, facing where it walks.
    const ShowRobot::KickSpot& spot = robot.kick_spot();
    const double spot_distance = std::max(spot.ahead, std::min(distance, 0.45));
    const double spot_x = truth.ball.x() - spot_distance * std::cos(aim) - truth.robot.x;
    const double spot_y = truth.ball.y() - spot_distance * std::sin(aim) - truth.robot.y;
    const double far = std::hypot(spot_x, spot_y);
    if (!lining_up_ && far > 0.25) {
      const double heading = hl_description::wrap_angle(std::atan2(spot_y, spot_x) - truth.robot.yaw);
      const double forward = std::abs(heading) < 0.6 ? 0.22 : 0.0;
      robot.walk(forward, 0.0, std::clamp(1.2 * heading, -0.7, 0.7));
      return;
    }
    lining_up_ = distance < 0.9;

    // Near: turn towards the goal and bring the ball in front of one foot.
    const double beside = ball_left >= 0.0 ? spot.beside : -spot.beside;  // the foot, not the middle, stands behind it
    const double forward_error = ball_forward - spot.ahead;
    const double side_error = ball_left - beside;
    const bool aligned = std::abs(aim_error) < 0.12 && std::abs(side_error) < 0.025 && std::abs(forward_error) < 0.03;
    if (!aligned) {
      settled_since_.reset();
      const bool turned = std::abs(aim_error) < 0.5;
      robot.walk(turned ? std::clamp(0.9 * forward_error, -0.06, 0.08) : 0.0,
                 turned ? std::clamp(1.2 * side_error, -0.06, 0.06) : 0.0, std::clamp(1.2 * aim_error, -0.5, 0.5));
      return;
    }
    robot.walk(0.0, 0.0, 0.0);
    if (!settled_since_) settled_since_ = truth.time;
    const bool stands = robot.state() == RobotControlState::CONTROLLABLE && truth.time - *settled_since_ > 0.8;
    if (!stands) return;
    robot.kick(ball_forward, ball_left, ball_forward + 2.0 * std::cos(aim_error),
               ball_left + 2.0 * std::sin(aim_error));
    kicking_ = true;
    lining_up_ = false;
    settled_since_.reset();
  }

  bool kicking_ = false;
  bool lining_up_ = false;
  double placed_at_ = -100.0;  // s
  std::optional<double> kicked_at_, settled_since_;
};

/// A hard push; the robot must go down and stand again.
class PushedOver : public ShowStep {
 public:
  PushedOver() : ShowStep("be pushed over and get up", 60.0) {}

  void start(ShowRobot& robot, const Truth& truth) override {
    robot.walk(0.0, 0.0, 0.0);
    started_at_ = truth.time;
  }

  StepResult update(ShowRobot& robot, const Truth& truth) override {
    if (!down_ && truth.time - pushed_at_ > 4.0 && truth.time - started_at_ > 1.5) {
      strength_ += 20.0;  // until it goes down
      robot.push(-strength_, 0.0, 0.3);
      pushed_at_ = truth.time;
    }
    down_ = down_ || !truth.upright;
    const bool stands = truth.upright && robot.state() == RobotControlState::CONTROLLABLE;
    return down_ && stands ? StepResult::Passed : StepResult::Running;
  }

 private:
  double started_at_ = 0.0, pushed_at_ = -100.0;  // s
  double strength_ = 20.0;                        // N
  bool down_ = false;
};

/// The referee penalises it while it is told to walk: it must not move.
class Penalised : public ShowStep {
 public:
  Penalised() : ShowStep("be penalised by the referee and freeze", 40.0) {}

  void start(ShowRobot& robot, const Truth&) override { robot.referee("penalise 1"); }

  StepResult update(ShowRobot& robot, const Truth& truth) override {
    robot.walk(0.2, 0.0, 0.0);  // it has to ignore this
    if (!robot.penalised() || robot.state() != RobotControlState::PENALTY) return StepResult::Running;
    if (!frozen_at_) {
      frozen_at_ = truth.time;
      place_ = truth.robot;
    }
    if (std::hypot(truth.robot.x - place_.x, truth.robot.y - place_.y) > 0.05) return failed("the robot moved");
    return truth.time - *frozen_at_ > 4.0 ? StepResult::Passed : StepResult::Running;
  }

 private:
  std::optional<double> frozen_at_;
  hl_description::Pose2 place_;
};

class WalkOn : public ShowStep {
 public:
  WalkOn() : ShowStep("be released and walk on", 40.0) {}

  void start(ShowRobot& robot, const Truth& truth) override {
    robot.referee("release 1");
    place_ = truth.robot;
  }

  StepResult update(ShowRobot& robot, const Truth& truth) override {
    if (!truth.upright) return failed("the robot fell");
    robot.walk(0.2, 0.0, 0.0);
    return std::hypot(truth.robot.x - place_.x, truth.robot.y - place_.y) > 0.5 ? StepResult::Passed
                                                                                : StepResult::Running;
  }

 private:
  hl_description::Pose2 place_;
};

}  // namespace

std::vector<std::unique_ptr<ShowStep>> make_show() {
  std::vector<std::unique_ptr<ShowStep>> steps;
  steps.push_back(std::make_unique<StandUp>());
  steps.push_back(std::make_unique<FigureOfEight>());
  steps.push_back(std::make_unique<Stop>());
  steps.push_back(std::make_unique<ScoreAGoal>());
  steps.push_back(std::make_unique<PushedOver>());
  steps.push_back(std::make_unique<Penalised>());
  steps.push_back(std::make_unique<WalkOn>());
  return steps;
}

}  // namespace hl_bringup
