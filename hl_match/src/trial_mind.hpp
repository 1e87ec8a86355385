// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_behavior/head.hpp>
#include <hl_player/mind.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "hl_match/match.hpp"
#include "hl_match/trial_file.hpp"

namespace hl_match {

/// What thinks in a robot whose trial gives the goals: localisation, models, planning and head of `hl_player::Mind`,
/// but no behaviour. It walks by the truth or by what it knows itself.
class TrialMind : public hl_player::Thinker {
 public:
  struct Params {
    hl_player::Mind::Params cores;
    bool knows = true;     // localisation and models run
    bool by_truth = true;  // it walks by the truth
    hl_behavior::HeadMode head = hl_behavior::HeadMode::FieldFeatures;
  };

  TrialMind(const hl_player::RobotFiles& files, const Params& params);
  const Outputs& step(const Inputs& inputs, double now) override;

  // Of the trial, for the next step
  hl_soccer::PoseBelief true_pose;
  hl_soccer::Model true_model;
  std::optional<hl_path_planning::Goal> goal;  // a new one
  bool cancel = false;                         // stop walking
  std::optional<hl_localization::Start> start;
  std::optional<hl_localization::PoseEstimate> start_pose;
  hl_behavior::HeadMode head;

  // For the trial
  std::optional<hl_path_planning::Result> result;  // of the last goal; nothing while it is worked on
  hl_localization::Localization::Outputs located;
  hl_world_model::PersonalModel::Outputs personal;
  hl_world_model::TeamModel::Outputs team;
  const hl_path_planning::Planner& planner() const { return planner_; }

 private:
  void know(const Inputs& inputs, double now);
  void walk(const Inputs& inputs, double now);
  void look(const Inputs& inputs, double now);

  Params params_;
  std::size_t pan_, tilt_;  // joints
  hl_localization::Localization localization_;
  hl_world_model::PersonalModel personal_model_;
  hl_world_model::TeamModel team_model_;
  hl_path_planning::Planner planner_;
  hl_behavior::Head head_;
  std::vector<hl_soccer::Percepts> unread_;
  hl_path_planning::Planner::Inputs plan_inputs_;
  double known_at_ = -1e9, planned_at_ = -1e9, head_at_ = -1e9;  // s
  Outputs out_;
};

void exchange(TrialValues& values, hl_description::Pose2& pose);

/// Odometry of a robot as its walk counts it.
hl_description::Pose2 odometry_of(const hl_player::Motion& motion);

/// A match of robots with such minds, without referee or with one, and the truth told to all of them before each tick.
class GuidedTrial {
 public:
  /// `params.mind` and seed are set here.
  GuidedTrial(Match::Params params, const TrialMind::Params& mind, std::uint64_t seed);

  Match& match() { return *match_; }
  const Match& match() const { return *match_; }
  TrialMind& mind(std::size_t robot) { return *minds_[robot]; }
  std::size_t size() const { return minds_.size(); }
  double time() const { return match_->time(); }
  /// All robots stand and may be ordered about. Throws std::runtime_error if they do not.
  void stand_up();
  /// One tick; false if the physics diverged.
  bool step();
  bool run(double seconds);
  hl_soccer::BodyState body(std::size_t robot) const { return match_->outputs(robot).motion->body; }
  bool upright(std::size_t robot) const;

 private:
  void tell_truth();
  std::vector<TrialMind*> minds_;
  std::vector<Eigen::Vector2d> last_, velocity_;  // m, m/s, world: of each robot, without the swaying of its steps
  std::unique_ptr<Match> match_;
};

/// The cores' parameters for a robot on a field.
TrialMind::Params trial_mind(const Match::Params& world);

}  // namespace hl_match
