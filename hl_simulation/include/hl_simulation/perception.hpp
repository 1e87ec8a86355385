// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_simulation/simulation.hpp"

namespace hl_simulation {

/// A robot as others see it: standing or lying, a row of balls from its feet to its head.
struct Figure {
  Eigen::Vector3d feet = Eigen::Vector3d::Zero();  // m, world; between the soles
  Eigen::Vector3d head = Eigen::Vector3d::Zero();  // m, world
  double radius = 0.12;                            // m
};

/// Everything that can be seen, in the world.
struct Scene {
  hl_description::Field field;
  std::optional<Eigen::Vector3d> ball;  // m, its centre
  std::vector<Figure> robots;
};

/// Where the camera of one robot is, and what its messages refer to.
struct Eye {
  std::size_t robot = 0;                                        // index in the scene: does not see itself
  Eigen::Isometry3d camera = Eigen::Isometry3d::Identity();     // optical frame in the world: x right, y down, z ahead
  Eigen::Isometry3d footprint = Eigen::Isometry3d::Identity();  // base_footprint in the world
  double horizontal_fov = 1.0, vertical_fov = 0.8;              // rad
};

/// What one look tells. Positions in base_footprint, m; confidence in 0..1.
struct Percepts {
  struct Spot {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    double confidence = 0.0;
  };
  struct Goal {
    Eigen::Vector3d left_post, right_post;  // feet, as seen from here; equal if only one was seen
    Eigen::Vector3d centre;                 // of the goal line
    double confidence = 0.0;
  };
  struct OtherRobot {
    Spot spot;  // feet
    std::size_t robot = 0;
    bool number_read = false;  // near enough to read the number on its back
    double width = 0.0;        // m
  };
  struct Segment {
    Eigen::Vector3d from, to;
    double confidence = 0.0;
  };
  struct Crossing {
    hl_description::Field::Crossing type;
    std::vector<Segment> arms;  // the lines that meet, starting where they meet
    double confidence = 0.0;
  };
  struct Arc {
    Eigen::Vector3d left, middle, right;
  };

  struct Heading {
    double yaw = 0.0;  // rad, of base_footprint in the world
    double confidence = 0.0;
  };
  struct Turn {
    double since = 0.0;  // s, stamp of the look before
    double yaw = 0.0;    // rad
    double confidence = 0.0;
  };

  double stamp = 0.0;  // s, when the look was taken
  std::optional<Spot> ball;
  std::optional<Goal> goal;
  std::vector<OtherRobot> robots;
  std::vector<Segment> lines;
  std::vector<Crossing> crossings;
  std::vector<Arc> arcs;
  std::vector<Eigen::Vector3d> line_points;  // on lines and circle
  std::optional<Heading> heading;            // as a visual compass tells it
  std::optional<Turn> turn;                  // as visual odometry tells it; from `Vision`
  std::vector<Eigen::Vector3d> view;         // corners of what is in the picture on the ground, counter-clockwise
};

/// Vision without pictures: what a robot's vision would tell, computed from the truth. Things outside the picture, too
/// far away or behind other robots are not seen; others are missed at random, more often when far. Directions are
/// spoiled and cut with the ground again, so that the error of a position grows with the square of its distance, as it
/// does for a camera. The robot's own limbs hide nothing.
class Perception {
 public:
  struct Params {
    double ball_range = 6.0;    // m
    double robot_range = 6.0;   // m
    double goal_range = 9.0;    // m
    double line_range = 4.0;    // m
    double number_range = 1.5;  // m, for a number on a robot's back
    double ray_noise = 0.005;   // rad, standard deviation for each thing
    double pose_noise =
        0.01;  // rad, standard deviation for all things of one look: the camera's attitude is not known better
    double mount_error = 0.01;         // rad, standard deviation of how wrong a camera is mounted: pitch, roll and yaw,
                                       // the same in all looks of one robot and seed
    double mount_drift = 0.0;          // rad, standard deviation of how far each of these wanders off and back
    double mount_drift_time = 120.0;   // s over which it wanders: heat, knocks, a neck that gives way
    double miss_near = 0.02;           // share of looks that miss a thing nearby
    double miss_far = 0.3;             // share of looks that miss a thing at the end of its range
    double false_ball = 0.002;         // share of looks that show a ball where none is
    double false_robot = 0.002;        // share of looks that show a robot where none is
    double false_line = 0.005;         // share of looks that show a line where none is
    double wrong_crossing = 0.02;      // share of crossings taken for another type
    double line_point_spacing = 0.15;  // m between line points
    double compass_noise = 0.10;       // rad, standard deviation
    double compass_miss = 0.1;         // share of looks without a compass
    double turn_noise = 0.01;          // rad, standard deviation of the turn between two looks
    double delay = 0.08;               // s from the look until its result is known

    std::optional<std::string> validate() const;
  };

  explicit Perception(const Params& params) : params_(params) {}

  /// The same arguments give the same answer.
  /// `time` (s) says how far the mounting has drifted.
  Percepts look(const Scene& scene, const Eye& eye, std::uint64_t seed, std::uint64_t step, double time = 0.0) const;
  const Params& params() const { return params_; }

 private:
  Params params_;
};

/// How wrong the camera of a robot is mounted at `time` (s): turns about its optical frame's x (pitch), z (roll) and y
/// (yaw), rad.
struct MountingError {
  double pitch = 0.0, roll = 0.0, yaw = 0.0;
};
MountingError mounting_error(const Perception::Params& params, std::size_t robot, std::uint64_t seed, double time);

/// The vision of one robot over time: adds the turn between two looks and tells results after the delay.
class Vision {
 public:
  explicit Vision(const Perception::Params& params) : perception_(params) {}

  /// One look at `now` (s).
  void look(const Scene& scene, const Eye& eye, std::uint64_t seed, std::uint64_t step, double now);
  /// What has become known until `now`, oldest first; each once.
  std::vector<Percepts> take(double now);
  /// Time or the robot has jumped: what is under way is lost.
  void forget();

 private:
  Perception perception_;
  std::deque<Percepts> under_way_;
  std::optional<double> last_stamp_;  // s
  double last_yaw_ = 0.0;             // rad, world
};

Scene scene_of(const Simulation& simulation);
/// The camera of robot `index`; nothing if it has none.
std::optional<Eye> eye_of(const Simulation& simulation, std::size_t index);

}  // namespace hl_simulation
