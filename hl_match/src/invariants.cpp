// SPDX-License-Identifier: Apache-2.0
#include "hl_match/invariants.hpp"

#include <cmath>

#include "hl_match/match.hpp"

namespace hl_match {
namespace {

/// A goal is a number within the joint's range, whatever the sources said.
class GoalsWithinLimits : public Invariant {
 public:
  GoalsWithinLimits() : Invariant("goals_within_limits", Severity::Failure) {}
  void check(Match& match) override {
    const auto& model = match.params().files->model;
    for (std::size_t i = 0; i < match.size(); ++i) {
      const auto& motion = *match.outputs(i).motion;
      if (!motion.goals) continue;
      for (std::size_t j = 0; j < motion.positions.size(); ++j) {
        if (model.limits(j).contains(motion.positions[j], 1e-6)) continue;
        fail(match, i, model.joint_names()[j] + " shall go to " + std::to_string(motion.positions[j]) + " rad");
      }
    }
  }
};

/// No goal runs further from one tick to the next than the HCM's largest step.
class GoalsDoNotJump : public Invariant {
 public:
  GoalsDoNotJump() : Invariant("goals_do_not_jump", Severity::Failure) {}
  void check(Match& match) override {
    last_.resize(match.size());
    for (std::size_t i = 0; i < match.size(); ++i) {
      const auto& motion = *match.outputs(i).motion;
      if (!motion.goals) {
        last_[i].clear();
        continue;
      }
      const double limit = match.params().files->hcm.goals.max_step + 1e-6;
      for (std::size_t j = 0; j < last_[i].size(); ++j) {
        if (std::abs(motion.positions[j] - last_[i][j]) <= limit) continue;
        fail(match, i, match.params().files->model.joint_names()[j] + " jumps");
      }
      last_[i] = motion.positions;
    }
  }

 private:
  std::vector<std::vector<double>> last_;  // rad, by robot
};

/// A penalised robot does nothing but take its penalty pose.
class PenalisedStandsStill : public Invariant {
 public:
  PenalisedStandsStill() : Invariant("penalised_stands_still", Severity::Failure) {}
  void check(Match& match) override {
    last_.resize(match.size());
    for (std::size_t i = 0; i < match.size(); ++i) {
      const auto& motion = *match.outputs(i).motion;
      if (motion.body != hl_soccer::BodyState::Penalty) {
        last_[i].clear();
        continue;
      }
      for (std::size_t j = 0; j < last_[i].size(); ++j) {
        if (std::abs(motion.positions[j] - last_[i][j]) > 1e-9)
          fail(match, i, match.params().files->model.joint_names()[j] + " moves in a penalty");
      }
      last_[i] = motion.positions;
    }
  }

 private:
  std::vector<std::vector<double>> last_;  // rad, by robot
};

/// A team does not send more messages than the league allows.
class MessageBudgetHolds : public Invariant {
 public:
  MessageBudgetHolds() : Invariant("message_budget", Severity::Failure) {}
  void check(Match& match) override {
    for (std::size_t i = 0; i < match.size(); ++i) {
      const auto left = match.radio().left(match.team(i));
      if (left && *left < 0) fail(match, i, "its team has sent " + std::to_string(-*left) + " messages too many");
    }
  }
};

/// Robots play on the turf.
class StaysOnTurf : public Invariant {
 public:
  StaysOnTurf() : Invariant("stays_on_turf", Severity::Warning) {}
  void check(Match& match) override {
    const auto& field = match.params().field;
    for (std::size_t i = 0; i < match.size(); ++i) {
      const Eigen::Vector3d at = match.simulation().robot(i).pose().translation();
      if (std::abs(at.x()) > 0.5 * field.length + field.border || std::abs(at.y()) > 0.5 * field.width + field.border)
        fail(match, i, "it is off the turf");
    }
  }
};

}  // namespace

void Invariant::fail(Match& match, std::size_t robot, const std::string& text) {
  constexpr double kPause = 1.0;  // s between two notes of the same kind
  noted_.resize(match.size(), -1e9);
  const double now = match.time();
  if (now - noted_[robot] < kPause) return;
  noted_[robot] = now;
  match.timeline().add({now, severity_, name_, match.team(robot) + 1, match.number(robot), text});
}

std::vector<std::unique_ptr<Invariant>> usual_invariants() {
  std::vector<std::unique_ptr<Invariant>> list;
  list.push_back(std::make_unique<GoalsWithinLimits>());
  list.push_back(std::make_unique<GoalsDoNotJump>());
  list.push_back(std::make_unique<PenalisedStandsStill>());
  list.push_back(std::make_unique<MessageBudgetHolds>());
  list.push_back(std::make_unique<StaysOnTurf>());
  return list;
}

}  // namespace hl_match
