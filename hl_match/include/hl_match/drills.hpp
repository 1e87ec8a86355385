// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <hl_description/field.hpp>
#include <hl_description/geometry.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace hl_match {

enum class DrillTask { Running, Completed, Failed };

/// What the trainer sees of a drill, in the frame in which all its robots attack +x.
struct DrillView {
  double time = 0.0;  // s
  Eigen::Vector2d ball = Eigen::Vector2d::Zero();
  std::optional<std::size_t> touched_by;  // robot that touched the ball last; nothing since it was placed
  std::vector<DrillTask> tasks;           // of each robot
};

/// What happened so far.
class DrillStory {
 public:
  explicit DrillStory(const hl_description::Field& field) : field_(field) {}

  void note(const DrillView& view);
  const DrillView& last() const { return last_; }
  /// The ball is wholly behind a line, and there between the posts of the goal that the robots attack.
  bool out() const;
  bool scored() const;
  bool all_completed() const;
  /// s since the last task ended; nothing while one runs.
  std::optional<double> since_end() const;
  /// y at which the ball last crossed the line of each pole of the slalom; 0: never.
  const double* pole_sides() const { return pole_sides_; }
  /// Who touched the ball, one after the other.
  const std::vector<std::size_t>& touches() const { return touches_; }

 private:
  hl_description::Field field_;
  DrillView last_;
  bool begun_ = false;
  std::optional<double> ended_;  // s
  double pole_sides_[3] = {0.0, 0.0, 0.0};
  std::vector<std::size_t> touches_;
};

/// A shipped task of RTDL with the trainer's part: where he puts robots and ball, when it is over, what counts as good.
/// The same for cores in one process (`evaluate tasks`) and for the nodes (hl_bringup's test_drills).
struct Drill {
  struct Start {
    std::vector<hl_description::Pose2> robots;
    Eigen::Vector2d ball = Eigen::Vector2d::Zero();
  };
  const char* task;                                 // name of it and of its file
  const char* aim;                                  // in words
  std::vector<std::vector<std::string>> arguments;  // of each robot
  double time_limit;                                // s
  Start (*start)(std::mt19937_64& random);
  bool (*over)(const DrillStory& story);
  bool (*good)(const DrillStory& story);
};

/// kick_to_goal, slalom, passing_drill.
const std::vector<Drill>& shipped_drills();

/// The randomness of a trial.
std::mt19937_64 drill_random(std::uint64_t seed);

}  // namespace hl_match
