// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/field_view.hpp"

#include <algorithm>
#include <cmath>

namespace hl_game_controller {
namespace {

constexpr double kReturnSpacing = 0.6;    // m between robots that wait to come back
constexpr double kReturnClearance = 0.3;  // m from the centre line
constexpr double kReturnOffset = 0.3;     // m outside the touch line

}  // namespace

double distance(const Point& a, const Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

std::optional<BallOut> ball_out(const Rules& rules, const FieldView& view) {
  const double goal_line = rules.field.length / 2;
  const double touch_line = rules.field.width / 2;
  const auto& ball = view.ball;
  const Side side = ball.x < 0.0 ? Side::Left : Side::Right;
  if (std::abs(ball.x) > goal_line + rules.field.ball_radius) {
    const bool between_posts =
        std::abs(ball.y) < rules.field.goal_width / 2 && view.ball_height < rules.field.goal_height;
    const Point crossed{std::copysign(goal_line, ball.x), std::clamp(ball.y, -touch_line, touch_line)};
    return BallOut{between_posts ? BallOut::Kind::Goal : BallOut::Kind::GoalLine, side, crossed};
  }
  if (std::abs(ball.y) > touch_line + rules.field.ball_radius) {
    return BallOut{BallOut::Kind::TouchLine, side, {ball.x, std::copysign(touch_line, ball.y)}};
  }
  return std::nullopt;
}

ReturnSpot return_spot(const Rules& rules, Side own_side, const Point& ball, int index) {
  const double sign = static_cast<double>(static_cast<std::int8_t>(own_side));
  const double mark = rules.field.length / 2 - rules.field.penalty_mark;
  const double x = std::max(mark - kReturnSpacing * index, kReturnClearance);
  const double y = std::copysign(rules.field.width / 2 + kReturnOffset, -ball.y);
  return {{sign * x, y}, y > 0.0 ? -M_PI_2 : M_PI_2};
}

bool outside_turf(const Rules& rules, const Point& position) {
  return std::abs(position.x) > rules.field.length / 2 + rules.field.border ||
         std::abs(position.y) > rules.field.width / 2 + rules.field.border;
}

double Stopwatch::update(bool condition, double now) {
  if (!condition) {
    since_.reset();
    return 0.0;
  }
  if (!since_) since_ = now;
  return now - *since_;
}

}  // namespace hl_game_controller
