// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/gaze_search.hpp"

#include <algorithm>
#include <cmath>

#include "hl_description/geometry.hpp"

namespace hl_behavior {
namespace {

using hl_description::wrap_angle;

constexpr double kUseful = 0.4;    // share of the view to either side in which a thing is surely seen
constexpr double kTurning = 0.2;   // rad/s from which the body's turn shows what is behind
constexpr double kArrived = 0.02;  // rad

}  // namespace

void GazeSearch::begin(double side) {
  *this = GazeSearch();
  side_ = side < 0.0 ? -1.0 : 1.0;
}

double GazeSearch::bearing(int bin) const {
  return wrap_angle(2.0 * M_PI * (bin + 0.5) / kBins - turned_);
}

void GazeSearch::body_turned(double angle) {
  turned_ = wrap_angle(turned_ + angle);
}

void GazeSearch::looked(const View& now, const Neck& neck) {
  Line& line = seen_[now.near ? 1 : 0];
  for (int bin = 0; bin < kBins; ++bin)
    if (std::abs(wrap_angle(bearing(bin) - now.yaw)) < kUseful * neck.view) line[static_cast<std::size_t>(bin)] = true;
}

double GazeSearch::farthest(const Line& line, double side, double yaw, const Neck& neck) const {
  const double margin = kUseful * neck.view - kArrived;
  double target = yaw;
  for (int bin = 0; bin < kBins; ++bin) {
    if (line[static_cast<std::size_t>(bin)]) continue;
    const double gaze = side * bearing(bin) - margin;  // just in view, counted towards `side`
    if (gaze <= neck.reach - kArrived && gaze > side * target) target = side * gaze;
  }
  return target;
}

GazeSearch::View GazeSearch::next(double yaw, double turn_rate, const Neck& neck) {
  const Line& line = seen_[near_ ? 1 : 0];
  for (const double side : {side_, -side_}) {
    const double target = farthest(line, side, yaw, neck);
    if (std::abs(target - yaw) < kArrived) continue;
    side_ = side;
    return {target, near_};
  }
  const bool all = std::all_of(line.begin(), line.end(), [](bool seen) { return seen; });
  if (!near_ && !all && std::abs(turn_rate) > kTurning) {  // the rest comes into view by itself
    side_ = turn_rate > 0.0 ? 1.0 : -1.0;
    return {side_ * neck.reach, near_};
  }
  near_ = !near_ && ++rounds_ % 2 == 0;
  seen_[near_ ? 1 : 0].fill(false);
  return {yaw, near_};
}

}  // namespace hl_behavior
