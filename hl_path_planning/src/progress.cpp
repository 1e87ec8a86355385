// SPDX-License-Identifier: Apache-2.0
#include "hl_path_planning/progress.hpp"

namespace hl_path_planning {
namespace {

constexpr double kMoved = 0.05;   // m
constexpr double kTurned = 0.15;  // rad
constexpr double kNearer = 0.3;   // s that count as progress

}  // namespace

void Progress::restart(double now) {
  begun_ = false;
  moved_ = best_time_ = now;
  best_ = 1e9;
}

Progress::Verdict Progress::update(const Pose2& here, bool walks, double time_left, const Params& params, double now) {
  const bool moved = !begun_ || (here.position() - anchor_.position()).norm() > kMoved ||
                     std::abs(wrap_angle(here.yaw - anchor_.yaw)) > kTurned;
  if (moved || !walks) {
    anchor_ = here;
    moved_ = now;
    begun_ = true;
  }
  if (time_left < best_ - kNearer || time_left < 1.0) {
    best_ = time_left;
    best_time_ = now;
  }
  if (now - moved_ > params.stuck_time) return Verdict::Stuck;
  if (now - best_time_ > params.circling_time) return Verdict::Circling;
  return Verdict::Fine;
}

}  // namespace hl_path_planning
