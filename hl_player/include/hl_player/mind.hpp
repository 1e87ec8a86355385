// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <hl_behavior/behavior.hpp>
#include <hl_behavior/head.hpp>
#include <hl_behavior/rtdl/tasks.hpp>
#include <hl_localization/localization.hpp>
#include <hl_path_planning/planner.hpp>
#include <hl_world_model/personal_model.hpp>
#include <hl_world_model/team_model.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_player/robot_files.hpp"
#include "hl_player/thinker.hpp"

namespace hl_player {

/// What knows and decides in one robot: localisation, world model, behaviour,
/// planning, head, wired as the nodes are.
class Mind : public Thinker {
 public:
  struct Params {
    hl_localization::Localization::Params localization;
    hl_world_model::PersonalModel::Params personal;
    hl_world_model::TeamModel::Params team;
    hl_path_planning::Params planning;
    hl_path_planning::WalkingLimits limits;
    hl_behavior::Behavior::Params behavior;
    hl_behavior::Head::Params head;

    /// The same field for all, and what the robot's walk can do.
    void set(const hl_description::Field& field, const hl_walking::Params& walk);
    std::optional<std::string> validate() const;
  };

  /// Throws std::invalid_argument with the first bad value.
  Mind(const RobotFiles& files, const Params& params);

  const Outputs& step(const Inputs& inputs, double now) override;

  /// Whose task decides instead of the tactics while one runs; belongs to the
  /// caller and outlives the mind.
  void obey_tasks(hl_behavior::rtdl::Tasks* tasks) { tasks_ = tasks; }

  /// Somebody says where the robot stands (map), as `initialpose` does.
  void tell_pose(const hl_localization::PoseEstimate& pose) { told_pose_ = pose; }

  /// Another tactic: a decision instead of ours, or nothing; it may also give the behaviour a role.
  using Advisor = std::function<std::optional<hl_behavior::Decision>(const hl_behavior::Knowledge& knowledge,
                                                                     hl_behavior::Behavior& behavior, double now)>;
  void follow(Advisor advisor) { advisor_ = std::move(advisor); }

  const hl_localization::Localization::Outputs& localization() const { return located_; }
  const hl_soccer::Model& model() const { return personal_.model; }  // by its own eyes
  const hl_soccer::Model& team_model() const { return team_model_; }
  const hl_behavior::Behavior& tactics() const { return behavior_; }
  const hl_behavior::Behavior::Outputs* behavior() const { return behaved_; }
  const hl_path_planning::Planner& planner() const { return planner_; }
  bool just_planned() const { return planned_; }  // in the last step

 private:
  void know(const Inputs& inputs, double now);
  void decide(const Inputs& inputs, double now);
  void navigate(const Inputs& inputs, double now);
  void obey_orders(const Inputs& inputs, double now);
  void hear_results(const Motion::Outputs& body);
  void move_head(const Inputs& inputs, double now);

  Params params_;
  std::size_t pan_, tilt_;  // joints
  hl_localization::Localization localization_;
  hl_world_model::PersonalModel personal_model_;
  hl_world_model::TeamModel team_model_core_;
  hl_behavior::Behavior behavior_;
  hl_behavior::Head head_;
  hl_path_planning::Planner planner_;

  std::vector<hl_soccer::Percepts> unread_;
  std::optional<hl_localization::PoseEstimate> told_pose_;
  std::vector<double> last_message_time_;  // s, stamp of the last word of each team mate, by number
  hl_localization::Localization::Outputs located_;
  hl_world_model::PersonalModel::Outputs personal_;
  hl_soccer::Model team_model_;
  hl_behavior::rtdl::Tasks* tasks_ = nullptr;
  Advisor advisor_;
  const hl_behavior::Behavior::Outputs* behaved_ = nullptr;
  hl_behavior::Feedback feedback_;
  hl_path_planning::Planner::Inputs plan_inputs_;
  bool planned_ = false;
  std::uint32_t goal_id_ = 0,
                goal_revision_ = 0;  // of the order that the planner works on; 0 = none
  std::uint32_t kick_id_ = 0, animation_id_ = 0, steps_id_ = 0;
  double known_at_ = -1e9, decided_at_ = -1e9, planned_at_ = -1e9,
         head_at_ = -1e9;  // s
  Outputs out_;
};

}  // namespace hl_player
