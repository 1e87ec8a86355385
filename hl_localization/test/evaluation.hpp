// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hl_localization/baseline.hpp"
#include "hl_localization/kinematic_world.hpp"
#include "hl_localization/localization.hpp"

namespace hl_localization::evaluation {

/// One judged moment.
struct Error {
  double place = 0.0, heading = 0.0;  // m, rad
  bool inside = false;                // the 95 % ellipse of the place
};

/// How the pose is found.
enum class Method { Filter, OdometryOnly, TwoLandmarks };

struct Scenario {
  Localization::Params params;
  KinematicWorld::Options world;
  Method method = Method::Filter;
  double delay = 0.06;  // s, from picture to result
};

/// A robot with its localisation, moment by moment.
class Trial {
 public:
  Trial(const Scenario& setup, std::uint64_t seed);

  /// Goes on for `seconds`; the robot walks and looks.
  void go(double seconds);
  Error error() const;
  bool found() const { return error().place < 0.5 && error().heading < 20.0 * M_PI / 180.0; }
  /// Seconds until the pose is right for half a second; `limit` if it is not.
  double until_found(double limit);

  KinematicWorld world;
  Localization localization;
  Localization::Inputs inputs;  // body and game for the next step
  Localization::Outputs outputs;
  std::vector<Error> errors;  // one each half second while `record`
  bool record = false;

 private:
  void tick();

  Scenario setup_;
  struct Waiting {
    double due = 0.0;
    hl_soccer::Percepts percepts;
  };
  std::vector<Waiting> waiting_;
  int ticks_ = 0;
  Baseline baseline_;
};

struct Percentiles {
  double median = 0.0, p95 = 0.0;
};
Percentiles percentiles(std::vector<double> values);

struct WalkResult {
  Percentiles place, heading;  // m, rad
  double inside = 0.0;         // share
  int flips = 0;               // runs that ended a moment on the wrong side
  std::size_t count = 0;
};

/// Walks about for `seconds` in each of `runs` runs, known at the start.
WalkResult walk_about(const Scenario& setup, std::uint64_t first_seed, int runs, double seconds);

enum class Surprise { Unknown, Carried, Reentry, Fall };
/// Seconds until found, of each run.
std::vector<double> until_found(const Scenario& setup, Surprise surprise, std::uint64_t first_seed, int runs);

}  // namespace hl_localization::evaluation
