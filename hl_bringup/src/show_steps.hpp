// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "show_robot.hpp"

namespace hl_bringup {

enum class StepResult { Running, Passed, Failed };

/// One part of the show. The judge of every part is the ground truth, never what the robot says of itself.
class ShowStep {
 public:
  ShowStep(std::string name, double time_limit) : name_(std::move(name)), time_limit_(time_limit) {}
  virtual ~ShowStep() = default;

  const std::string& name() const { return name_; }
  double time_limit() const { return time_limit_; }  // s
  const std::string& reason() const { return reason_; }

  virtual void start(ShowRobot& robot, const Truth& truth) = 0;
  virtual StepResult update(ShowRobot& robot, const Truth& truth) = 0;

 protected:
  StepResult failed(const std::string& reason) {
    reason_ = reason;
    return StepResult::Failed;
  }

 private:
  std::string name_;
  double time_limit_;
  std::string reason_;
};

/// Stand up, walk a figure of eight, stop, kick the ball into the goal, be pushed over and get up, be penalised and
/// freeze, be released and walk on.
std::vector<std::unique_ptr<ShowStep>> make_show();

}  // namespace hl_bringup
