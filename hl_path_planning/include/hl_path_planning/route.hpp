// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "hl_path_planning/world.hpp"

namespace hl_path_planning {

/// On which side obstacles were passed last: +1 = counter-clockwise round it (it lay to the left), -1 = clockwise.
using Sides = std::unordered_map<int, int>;

/// Way from start to goal as a line of points.
struct Way {
  std::vector<Vector2d> points;              // from the start to the goal, arcs as short chords
  double length = 0.0;                       // m
  bool complete = false;                     // false: ends at the best place that can be reached
  std::vector<std::pair<int, int>> touched;  // obstacles it bends round, in order, with side
  int blocked_by = 0;                        // index + 1 of the first obstacle across the straight line; 0 = none
};

/// Exact shortest way for a point among discs, capsules and a box: straight tangents between the round ends, arcs
/// along them, searched best first (A*). Memory is kept between calls.
class RouteFinder {
 public:
  /// `start` must be free (see `nearest_free`). A side other than remembered costs `side_change_cost` more.
  void find(const World& world, const Vector2d& start, const Vector2d& goal, const Sides& sides,
            double side_change_cost, Way& way);

  /// Places that the last search looked at; never more than `kMostPlaces`.
  std::size_t effort() const { return states_.size(); }
  static constexpr std::size_t kMostPlaces = 20000;

 private:
  struct Round {  // a round end of an obstacle; start and goal have radius 0
    Vector2d centre;
    double radius;
    int obstacle;  // index, -1 = start or goal
  };
  struct Blocked {  // of the edge of a round: no way along here
    double from, span;
  };
  struct State {
    int round, direction;  // +1 counter-clockwise, -1 clockwise
    double angle;          // where it arrived
    double cost;           // so far
    int parent;
    Vector2d leave;  // where it left the parent's edge
  };
  struct Open {
    double estimate;
    int state;
  };
  struct Tangent {  // from the edge of a round to that of another, nothing in between
    int round, direction;
    double leave_angle, arrive_angle;
    double length;
    Vector2d leave, arrive;
    double best;  // least cost with which it was walked to its end
  };

  void expand(const World& world, int index, const Vector2d& goal, const Sides& sides, double side_change_cost);
  bool dominated(const State& state) const;
  bool segment_free(const World& world, const Vector2d& from, const Vector2d& to);
  void find_blocked_arcs(const World& world, int round);
  void find_tangents(const World& world, int round, int direction);
  bool edge_free(int round, double angle) const;
  bool arc_free(int round, double from, int direction, double span) const;
  void trace(const World& world, int index, const Vector2d& end, Way& way);

  std::vector<Round> rounds_;
  std::vector<std::vector<Blocked>> blocked_;
  std::vector<std::vector<int>> expanded_;      // per round and direction: states
  std::vector<std::vector<Tangent>> tangents_;  // per round and direction, once it was asked for
  std::vector<char> tangents_known_;
  std::size_t blocker_ = 0;  // obstacle that was in the way last: often it is again
  std::vector<State> states_;
  std::vector<Open> open_;
  std::vector<double> angles_;
  std::vector<int> chain_;
};

/// The point outside all obstacles and inside the box that is nearest to `wanted`; of those about equally near, the one
/// nearest to `from`. Nothing found (all taken): false.
bool nearest_free(const World& world, const Vector2d& wanted, const Vector2d& from, Vector2d& free);

bool is_free(const World& world, const Vector2d& point, double margin = 0.0);

/// Index of an obstacle that contains the point, -1 = none.
int obstacle_at(const World& world, const Vector2d& point);

double segment_distance(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d);
double point_segment_distance(const Vector2d& p, const Vector2d& a, const Vector2d& b);

}  // namespace hl_path_planning
