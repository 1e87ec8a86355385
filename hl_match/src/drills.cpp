// SPDX-License-Identifier: Apache-2.0
#include "hl_match/drills.hpp"

#include <algorithm>
#include <cmath>

namespace hl_match {
namespace {

using Eigen::Vector2d;
using hl_description::Pose2;

constexpr double kPoles[] = {-1.5, 0.0, 1.5};  // m, x of the slalom's poles on the centre line
constexpr double kRollsOn = 8.0;               // s that a kicked ball is watched after the task's end

/// The ball within a kick of the goal, the robot somewhere around.
Drill::Start near_the_goal(std::mt19937_64& random) {
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const Vector2d ball(in(2.4, 3.4), in(-1.0, 1.0));
  const double from = in(-M_PI, M_PI);
  const Vector2d robot = ball + in(1.0, 2.5) * Vector2d(-std::abs(std::cos(from)), std::sin(from));
  return {{{robot.x(), std::clamp(robot.y(), -2.8, 2.8), in(-M_PI, M_PI)}}, ball};
}

Drill::Start before_the_poles(std::mt19937_64& random) {
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const Pose2 robot{in(-4.0, -3.6), in(-0.5, 0.5), in(-0.5, 0.5)};
  return {{robot}, Vector2d(in(-3.1, -2.9), in(-0.1, 0.1))};
}

/// Two robots that face each other, the ball before the first.
Drill::Start face_to_face(std::mt19937_64& random) {
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const Pose2 first{in(-1.6, -1.2), in(-0.3, 0.3), in(-0.5, 0.5)};
  const Pose2 second{in(1.0, 1.4), in(-0.3, 0.3), M_PI + in(-0.5, 0.5)};
  return {{first, second}, Vector2d(in(-0.9, -0.7), in(-0.2, 0.2))};
}

bool kick_is_over(const DrillStory& story) {
  return story.out() || story.since_end().value_or(0.0) > kRollsOn;
}

bool tasks_are_over(const DrillStory& story) {
  return story.out() || story.since_end().has_value();
}

/// Left, right, left of the poles, then into the goal or as far as the task wants.
bool around_the_poles(const DrillStory& story) {
  const double* side = story.pole_sides();
  const bool around = side[0] > 0.0 && side[1] < 0.0 && side[2] > 0.0;
  return around && (story.scored() || (story.all_completed() && !story.out()));
}

/// Each had the ball, the first before the second, and both did what they should.
bool there_and_back(const DrillStory& story) {
  const auto& touches = story.touches();
  const auto first = std::find(touches.begin(), touches.end(), std::size_t{0});
  const bool passed = std::find(first, touches.end(), std::size_t{1}) != touches.end();
  return passed && story.all_completed() && !story.out();
}

}  // namespace

void DrillStory::note(const DrillView& view) {
  if (begun_) {
    for (std::size_t i = 0; i < std::size(kPoles); ++i)
      if ((last_.ball.x() < kPoles[i]) != (view.ball.x() < kPoles[i])) pole_sides_[i] = view.ball.y();
  }
  begun_ = true;
  last_ = view;
  if (view.touched_by && (touches_.empty() || touches_.back() != *view.touched_by))
    touches_.push_back(*view.touched_by);
  const bool running = std::count(view.tasks.begin(), view.tasks.end(), DrillTask::Running) > 0;
  if (!running && !ended_) ended_ = view.time;
}

bool DrillStory::out() const {
  return std::abs(last_.ball.x()) > 0.5 * field_.length + field_.ball_radius ||
         std::abs(last_.ball.y()) > 0.5 * field_.width + field_.ball_radius;
}

bool DrillStory::scored() const {
  return last_.ball.x() > 0.5 * field_.length + field_.ball_radius &&
         std::abs(last_.ball.y()) < 0.5 * field_.goal_width;
}

bool DrillStory::all_completed() const {
  return std::all_of(last_.tasks.begin(), last_.tasks.end(), [](DrillTask t) { return t == DrillTask::Completed; });
}

std::optional<double> DrillStory::since_end() const {
  if (!ended_) return std::nullopt;
  return last_.time - *ended_;
}

const std::vector<Drill>& shipped_drills() {
  static const std::vector<Drill> kDrills{
      {"kick_to_goal",
       "in the goal",
       {{}},
       120.0,
       near_the_goal,
       kick_is_over,
       [](const DrillStory& story) { return story.scored(); }},
      {"slalom", "around three poles", {{}}, 400.0, before_the_poles, tasks_are_over, around_the_poles},
      {"passing_drill",
       "there and back",
       {{"Player2", "1"}, {"Player1", "0"}},
       200.0,
       face_to_face,
       tasks_are_over,
       there_and_back}};
  return kDrills;
}

std::mt19937_64 drill_random(std::uint64_t seed) {
  return std::mt19937_64(seed * 2654435761u);
}

}  // namespace hl_match
