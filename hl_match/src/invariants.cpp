// SPDX-License-Identifier: Apache-2.0
#include "hl_match/invariants.hpp"

#include <array>
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
      const Eigen::Vector2d at = match.world().body(i).trunk;
      if (std::abs(at.x()) > 0.5 * field.length + field.border || std::abs(at.y()) > 0.5 * field.width + field.border)
        fail(match, i, "it is off the turf");
    }
  }
};

/// Robots and ball are somewhere.
class NothingIsLost : public Invariant {
 public:
  NothingIsLost() : Invariant("nothing_is_lost", Severity::Failure) {}
  void check(Match& match) override {
    for (std::size_t i = 0; i < match.size(); ++i)
      if (!match.true_pose(i).finite()) fail(match, i, "its place is not a number");
    if (match.params().with_ball && !match.world().ball_position().allFinite())
      fail(match, 0, "the ball's place is not a number");
  }
};

/// Who falls stands again.
class FallsEndStanding : public Invariant {
 public:
  FallsEndStanding() : Invariant("falls_end_standing", Severity::Failure) {}
  void check(Match& match) override {
    since_.resize(match.size(), -1.0);
    for (std::size_t i = 0; i < match.size(); ++i) {
      const bool down = is_down(match.outputs(i).motion->body);
      if (!down) since_[i] = -1.0;
      if (down && since_[i] < 0.0) since_[i] = match.time();
      if (down && match.time() - since_[i] > kLimit) fail(match, i, "it has been on the ground for more than 60 s");
    }
  }

 private:
  static constexpr double kLimit = 60.0;  // s
  std::vector<double> since_;             // s, by robot; negative = stands
};

/// In SET everybody who plays is in the own half.
class LegalPositions : public Invariant {
 public:
  LegalPositions() : Invariant("legal_positions", Severity::Warning) {}
  void check(Match& match) override {
    for (std::size_t i = 0; i < match.size(); ++i) {
      const auto& player = match.player(i);
      if (player.game().phase != hl_soccer::GamePhase::Set || player.paused()) continue;
      if (match.true_pose(i).x > kLine) fail(match, i, "it is in their half in SET");
    }
  }

 private:
  static constexpr double kLine = 0.15;  // m, a foot on the line
};

/// A team has one striker, or none for a moment.
class OneStriker : public Invariant {
 public:
  OneStriker() : Invariant("one_striker", Severity::Warning) {}
  void check(Match& match) override {
    std::array<int, 2> strikers{};
    std::array<std::size_t, 2> last{};
    for (std::size_t i = 0; i < match.size(); ++i) {
      const auto* decided = match.player(i).decided();
      const auto team = static_cast<std::size_t>(match.team(i));
      if (decided == nullptr || decided->role != hl_soccer::Role::Striker || match.player(i).paused()) continue;
      ++strikers[team];
      last[team] = i;
    }
    for (const std::size_t team : {0, 1}) {
      if (strikers[team] < 2) since_[team] = match.time();
      if (match.time() - since_[team] > kLimit) fail(match, last[team], "its team has had two strikers for 5 s");
    }
  }

 private:
  static constexpr double kLimit = 5.0;  // s
  std::array<double, 2> since_{};        // s, of the last moment with one
};

/// Nobody goes for a ball by a model that is older than it may be.
class FreshDecisions : public Invariant {
 public:
  FreshDecisions() : Invariant("fresh_decisions", Severity::Failure) {}
  void check(Match& match) override {
    for (std::size_t i = 0; i < match.size(); ++i) {
      const auto* decided = match.player(i).decided();
      if (decided == nullptr) continue;
      using hl_soccer::Action;
      const bool by_ball = decided->action == Action::GoingToBall || decided->action == Action::TryingToScore;
      if (by_ball && decided->data_age > kLimit)
        fail(match, i, "it decides by a model " + std::to_string(decided->data_age) + " s old");
    }
  }

 private:
  static constexpr double kLimit = 1.05;  // s, the tactics' model_memory and one decision
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
  list.push_back(std::make_unique<NothingIsLost>());
  list.push_back(std::make_unique<FallsEndStanding>());
  list.push_back(std::make_unique<LegalPositions>());
  list.push_back(std::make_unique<OneStriker>());
  list.push_back(std::make_unique<FreshDecisions>());
  return list;
}

}  // namespace hl_match
