// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_path_planning/avoidance.hpp"
#include "hl_path_planning/follower.hpp"
#include "hl_path_planning/params.hpp"
#include "hl_path_planning/progress.hpp"
#include "hl_path_planning/route.hpp"
#include "hl_path_planning/target.hpp"
#include "hl_path_planning/types.hpp"
#include "hl_path_planning/world.hpp"
#include "hl_soccer/belief.hpp"
#include "hl_soccer/game.hpp"

namespace hl_path_planning {

/// From a goal to a commanded velocity: what is in the way, the shortest way round it, and how two legs follow it.
class Planner {
 public:
  struct Inputs {
    hl_soccer::Model model;         // base_footprint at its stamp; its `pose` is used for it if it is of the same time
    hl_soccer::PoseBelief pose;     // base_footprint in map
    std::optional<Pose2> odometry;  // base_footprint in odom, at `now`; goals in odom or base_footprint hold by it
    hl_soccer::GameState game;
    hl_soccer::BodyState body = hl_soccer::BodyState::Controllable;
    std::optional<Goal> goal;  // a new one; replaces the running one without stopping the feet
    bool cancel = false;       // the running one ends, feet together
    WalkingLimits limits;
  };
  struct Feedback {
    double distance = 0.0;    // m left along the way
    double time_left = -1.0;  // s; -1 = unknown
    std::string blocked_by;   // in words; empty = nothing
    Pose2 adjusted_goal;      // map: the goal, or the nearest free pose where it is taken
  };
  struct Outputs {
    std::optional<Velocity> velocity;  // nothing: this node does not want the legs
    std::vector<Vector2d> path;        // frame of the plan, from the robot to the goal; empty = none
    bool path_in_map = true;           // else in odom
    bool planned = false;              // the path is new
    bool active = false;               // a goal is being worked on
    Feedback feedback;
    std::optional<Result> result;  // of the goal that ended in this step
  };

  /// `params` must be valid.
  Planner(const hl_description::Field& field, const Params& params);

  const Outputs& step(const Inputs& inputs, double now);

  void set_params(const Params& params) { params_ = params; }
  const Outputs& last_outputs() const { return outputs_; }
  const World& world() const { return world_; }

 private:
  struct Hold {  // why the robot stands although it has a goal
    std::string reason;
    Outcome outcome;
    double patience;  // s; 0 = ends the goal at once
  };

  void accept(const Inputs& inputs, double now);
  std::optional<Hold> reason_to_hold(const Inputs& inputs, double now) const;
  void hold(const Hold& hold, double now);
  void finish(Outcome outcome, std::string reason, double now);
  void command(const Velocity& wanted, const Inputs& inputs, double now);
  bool locate(const Inputs& inputs, double now);
  Goal goal_in_plan(const Inputs& inputs, double now) const;
  void plan(const Inputs& inputs, const Target& target, double now);
  bool plan_with(const Inputs& inputs, const Target& target, double tightness, double now);
  void remember_sides();
  void walk(const Inputs& inputs, const Goal& goal, const Target& target, double now);
  void walk_by_velocity(const Inputs& inputs, const Goal& goal, double now);
  void judge_arrival(const Goal& goal, const Target& target, const Follower::Motion& motion, double now);
  void judge_progress(const Pose2& here, double time_left, double now);

  hl_description::Field field_;
  Params params_;
  Outputs outputs_;

  // The goal and how it goes
  std::optional<Goal> goal_;
  double kept_heading_ = 0.0;
  double hold_since_ = -1.0;      // s; < 0 = does not hold
  double no_way_since_ = -1.0;    // s; < 0 = there is a way
  double standing_since_ = -1.0;  // s; < 0 = walks
  int strikes_ = 0;
  double arrival_ = 0.0;  // s left, as estimated last

  // Where things are, in the frame of the plan
  Pose2 here_, ahead_;  // measured; when a command begins to show
  bool field_known_ = true;
  World world_;
  RouteFinder finder_;
  Way way_;
  Sides sides_;
  double planned_at_ = -1e9;
  Vector2d adjusted_ = Vector2d::Zero();  // the goal's position, or the nearest free one
  std::optional<Vector2d> last_adjusted_;
  bool is_taken_ = false;
  std::string blocked_by_;
  struct Ghost {
    Vector2d place;
    double until;
  };
  std::optional<Ghost> ghost_;  // where the robot was stopped by something it does not see

  TargetFinder targets_;
  Follower follower_;
  CommandsInFlight in_flight_;
  Progress progress_;
  Velocity last_;
  double last_step_ = -1e9, quiet_since_ = -1e9;
};

}  // namespace hl_path_planning
