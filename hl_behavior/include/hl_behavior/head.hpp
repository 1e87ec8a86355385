// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hl_behavior/gaze_search.hpp"
#include "hl_behavior/neck.hpp"
#include "hl_behavior/skill.hpp"
#include "hl_description/field.hpp"
#include "hl_soccer/belief.hpp"

namespace hl_behavior {

/// Moves the head alone: one head mode at a time, or a point to look at.
class Head {
 public:
  struct Inputs {
    HeadMode mode = HeadMode::DontMove;
    std::optional<LookAt> look_at;  // counts more than the mode while fresh
    double look_at_stamp = 0.0;     // s
    hl_soccer::Model model;         // ball and pose
    Pose2 body_velocity;            // m/s, m/s, rad/s, of base_footprint: walked or commanded
    Eigen::Isometry3d footprint_from_base = Eigen::Isometry3d::Identity();  // where the trunk is, leaning included
    std::optional<Neck::Angles> measured;
    bool free = true;  // nobody else has the head
  };
  struct Outputs {
    Neck::Angles goal;      // rad
    bool active = false;    // false = send nothing
    double speed = 0.0;     // rad/s, limit
    const char* what = "";  // it looks at
  };

  struct Params {
    double track_speed = 3.0;          // rad/s; faster pictures blur: 25 Hz, 1/100 s exposure, 640 px for 58 degrees
    double scan_speed = 1.6;           // rad/s while searching: every place is in five pictures
    double delay = 0.08;               // s from a goal to the camera being there
    double ball_memory = 1.0;          // s after which a ball that is not seen is searched
    double near_search = 1.5;          // s it is first searched where it should be
    double look_at_memory = 1.0;       // s
    double dwell = 0.6;                // s at a landmark
    double share_period = 2.5;         // s, ball and goal in turn
    double scan_pan = 2.1;             // rad to either side
    double horizon_elevation = -0.28;  // rad, of the first search line: 0.7 m to far away
    double near_elevation = -0.85;     // rad, of the second one: the feet
    double horizontal_view = 1.01;     // rad
    double ball_height = 0.07;         // m
    double max_model_age = 0.5;        // s, positions are carried on no longer than this
    hl_description::Field field;
    std::optional<std::string> validate() const;
  };

  Head(const Params& params, const Neck& neck);

  std::optional<std::string> set_params(const Params& params);
  const Params& params() const { return params_; }
  const Neck& neck() const { return neck_; }
  Outputs step(const Inputs& inputs, double now);

 private:
  struct Target {
    Neck::Angles angles;
    double speed = 0.0;
    const char* what = "";
  };
  Target track_ball() const;
  Target search_ball();
  void remember_ball();
  /// Where the camera looks: rad in base_footprint, and which line of the search that is.
  std::optional<GazeSearch::View> gaze() const;
  Target ball();
  Target posts();
  Target ball_and_goal();
  Target field_features();
  Target sweep(double elevation, const char* what);
  Target choose();
  bool ball_known() const;
  bool pose_known() const;
  /// The place (m, map) in base_footprint, `lead` seconds from now.
  Vector2d relative(const Vector2d& place) const;
  Neck::Angles aim(const Vector2d& point, double height) const;  // base_footprint, now
  Neck::Angles direction(double yaw, double elevation) const;
  /// Heading of base_footprint-yaw with the largest gain for the pose.
  double best_view();

  Params params_;
  Neck neck_;
  std::vector<Vector2d> landmarks_;  // m, map
  Inputs inputs_;
  double now_ = 0.0, last_ = -1.0;
  std::optional<Neck::Angles> goal_;
  HeadMode mode_ = HeadMode::DontMove;
  double mode_since_ = 0.0;
  // search
  double search_since_ = -1.0;
  GazeSearch search_;
  std::optional<Vector2d> lost_at_;  // m, base_footprint, carried on with the body: where the ball was known last
  double known_at_ = -1e9;           // s
  int sweep_line_ = 0;
  // dwelling
  double dwell_since_ = -1e9;
  double view_ = 0.0;                 // rad, base_footprint
  std::array<double, 13> visited_{};  // s, when each direction was looked at last
  bool at_goal_ = false;
};

}  // namespace hl_behavior
