// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hl_game_controller/rules.hpp"

namespace hl_game_controller {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

double distance(const Point& a, const Point& b);

/// What the referee sees of one robot, in `world` (x to the right of the referee's table, y away from it).
struct SeenRobot {
  std::uint8_t team = 0;    // team number
  std::uint8_t player = 0;  // from 1
  Point position;
  Point velocity;  // m/s
  bool upright = true;
  std::vector<std::size_t> touching;  // indices of other robots
};

/// What the referee sees at one moment.
struct FieldView {
  Point ball;
  double ball_height = 0.0;               // of its centre
  std::optional<std::size_t> last_touch;  // index of the robot that touched the ball last
  std::vector<SeenRobot> robots;
};

enum class Side : std::int8_t { Left = -1, Right = 1 };  // sign of x

inline Side opposite(Side side) {
  return side == Side::Left ? Side::Right : Side::Left;
}

/// Where the ball has left the field.
struct BallOut {
  enum class Kind : std::uint8_t { Goal, GoalLine, TouchLine } kind;
  Side side;      // half of the field, and for a goal the goal it is in
  Point crossed;  // on the line
};

/// Nothing while the whole ball has not crossed a line.
std::optional<BallOut> ball_out(const Rules& rules, const FieldView& view);

/// Spot on the touch line where a removed robot of the team that defends `own_side` comes back: at the height of the
/// penalty mark, on the side away from the ball; the `index`-th robot stands `0.6 m * index` nearer to the centre.
struct ReturnSpot {
  Point position;
  double yaw = 0.0;  // rad, facing the opposite touch line
};
ReturnSpot return_spot(const Rules& rules, Side own_side, const Point& ball, int index);

/// Outside the turf: beyond the lines and the border strip.
bool outside_turf(const Rules& rules, const Point& position);

/// Measures how long a condition has held without a break.
class Stopwatch {
 public:
  /// How long `condition` has been true, up to `now` (s).
  double update(bool condition, double now);
  void reset() { since_.reset(); }

 private:
  std::optional<double> since_;
};

}  // namespace hl_game_controller
