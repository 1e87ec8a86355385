// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "hl_localization/kinematic_world.hpp"
#include "hl_world_model/personal_model.hpp"
#include "hl_world_model/team_model.hpp"

namespace hl_world_model::evaluation {

using hl_localization::KinematicWorld;

struct Scenario {
  PersonalModel::Params params;
  KinematicWorld::Options world;
  double delay = 0.06, jitter = 0.0;  // s, from picture to result
  double loss = 0.0;                  // share of pictures that never arrive
  bool compensated = true;            // false: the stamp is taken for the time of arrival
};

/// A robot with its model, moment by moment. The camera looks at the ball unless `look` says otherwise.
class Trial {
 public:
  Trial(const Scenario& scenario, std::uint64_t seed);

  void go(double seconds);
  hl_soccer::Model model() const { return outputs.model; }
  double ball_error() const;      // m; 99 if none is believed
  double velocity_error() const;  // m/s
  Eigen::Vector2d true_ball() const { return world.robot.inverse() * *world.ball; }
  void watch_ball();

  KinematicWorld world;
  PersonalModel personal;
  PersonalModel::Inputs inputs;
  PersonalModel::Outputs outputs;
  bool watching = true;                               // the head follows the ball
  std::function<void(hl_soccer::Percepts&)> disturb;  // what else the camera believes to see

 private:
  Scenario scenario_;
  struct Waiting {
    double due = 0.0;
    hl_soccer::Percepts percepts;
  };
  std::vector<Waiting> waiting_;
  int ticks_ = 0;
};

double median(std::vector<double> values);

struct Walking {
  double near = 0.0, far = 0.0;  // m, median error of the ball within 2 m and within 2..4 m
  double robots = 0.0;           // m, median error of robots within 3 m
};
/// The robot walks about and looks around; balls and robots lie and stand, some roll and walk.
Walking walking(const Scenario& scenario, std::uint64_t first_seed, int runs);

/// Velocity error (m/s) 0.6 s after a ball at `distance` began to roll, median of `runs`.
double velocity_after_kick(const Scenario& scenario, double distance, std::uint64_t first_seed, int runs);
/// Error of the predicted time (s) at which a shot crosses a line, after it was seen for 0.8 s; median.
double crossing_time(const Scenario& scenario, std::uint64_t first_seed, int runs);
/// Seconds until a ball that was taken away is forgotten while its place is looked at; worst of `runs`.
double forgetting(const Scenario& scenario, std::uint64_t first_seed, int runs);
/// Root mean square of the believed velocity of a resting ball at 4 m, m/s.
double false_velocity(const Scenario& scenario, std::uint64_t first_seed, int runs);
/// Median error of the ball (m) known from two team mates only, whose words come late and get lost.
double ball_from_team(std::uint64_t first_seed, int runs, double delay = 0.3, double loss = 0.3,
                      bool compensated = true);

}  // namespace hl_world_model::evaluation
