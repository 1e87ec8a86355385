// SPDX-License-Identifier: Apache-2.0
#include "hl_path_planning/route.hpp"

#include <algorithm>

namespace hl_path_planning {
namespace {

constexpr double kTouch = 1e-4;           // m, deeper than this inside an obstacle is inside
constexpr double kFullTurn = 2.0 * M_PI;  // rad
constexpr double kChord = 0.2;            // rad between two points of an arc

double positive(double angle) {
  angle = std::fmod(angle, kFullTurn);
  return angle < 0.0 ? angle + kFullTurn : angle;
}

/// How far it is from one angle to the other in a direction; hardly less than a full turn is no turn.
double span_of(double from, double to, int direction) {
  const double span = positive(direction * (to - from));
  return span > kFullTurn - 1e-6 ? 0.0 : span;
}

}  // namespace

double point_segment_distance(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const Vector2d ab = b - a;
  const double length = ab.squaredNorm();
  const double t = length > 0.0 ? std::clamp((p - a).dot(ab) / length, 0.0, 1.0) : 0.0;
  return (a + t * ab - p).norm();
}

double segment_distance(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d) {
  const auto side = [](const Vector2d& p, const Vector2d& q, const Vector2d& r) { return cross(q - p, r - p); };
  if (side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0) return 0.0;
  const double nearest = std::min(point_segment_distance(c, a, b), point_segment_distance(a, c, d));
  if (c == d) return nearest;
  return std::min({nearest, point_segment_distance(d, a, b), point_segment_distance(b, c, d)});
}

bool is_free(const World& world, const Vector2d& point, double margin) {
  if (!world.box.contains(point, kTouch)) return false;
  return std::all_of(world.obstacles.begin(), world.obstacles.end(),
                     [&](const Obstacle& o) { return o.distance(point) >= margin - kTouch; });
}

int obstacle_at(const World& world, const Vector2d& point) {
  for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
    if (world.obstacles[i].distance(point) < -kTouch) return static_cast<int>(i);
  }
  return -1;
}

bool RouteFinder::segment_free(const World& world, const Vector2d& from, const Vector2d& to) {
  const Vector2d low = from.cwiseMin(to), high = from.cwiseMax(to);
  const auto blocks = [&](const Obstacle& o) {
    const double r = o.radius - kTouch;
    if (std::min(o.a.x(), o.b.x()) - r > high.x() || std::max(o.a.x(), o.b.x()) + r < low.x() ||
        std::min(o.a.y(), o.b.y()) - r > high.y() || std::max(o.a.y(), o.b.y()) + r < low.y())
      return false;
    return segment_distance(from, to, o.a, o.b) < r;
  };
  if (blocker_ < world.obstacles.size() && blocks(world.obstacles[blocker_])) return false;
  for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
    if (i == blocker_ || !blocks(world.obstacles[i])) continue;
    blocker_ = i;
    return false;
  }
  return true;
}

/// Angles of a circle at which it crosses the edge of an obstacle or of the box; between two of them it is all inside
/// or all outside.
void RouteFinder::find_blocked_arcs(const World& world, int index) {
  const Round& round = rounds_[static_cast<std::size_t>(index)];
  auto& blocked = blocked_[static_cast<std::size_t>(index)];
  const Vector2d& centre = round.centre;
  const double r = round.radius;
  const auto at_circle = [&](const Vector2d& other, double other_radius) {
    const double d = (other - centre).norm();
    if (d < 1e-9 || d > r + other_radius || d < std::abs(r - other_radius)) return;
    const double half = std::acos(std::clamp((d * d + r * r - other_radius * other_radius) / (2.0 * d * r), -1.0, 1.0));
    const double middle = angle_of(other - centre);
    angles_.push_back(positive(middle - half));
    angles_.push_back(positive(middle + half));
  };
  const auto at_line = [&](const Vector2d& point, const Vector2d& along) {
    const Vector2d normal(-along.y(), along.x());
    const double offset = (point - centre).dot(normal);
    if (std::abs(offset) > r) return;
    const double half = std::acos(offset / r), middle = angle_of(normal);
    angles_.push_back(positive(middle - half));
    angles_.push_back(positive(middle + half));
  };
  const auto collect = [&](const auto& inside) {
    if (angles_.empty()) {
      if (inside(Vector2d(centre + Vector2d(r, 0.0)))) blocked.push_back({0.0, kFullTurn});
      return;
    }
    std::sort(angles_.begin(), angles_.end());
    for (std::size_t i = 0; i < angles_.size(); ++i) {
      const double from = angles_[i];
      const double to = i + 1 < angles_.size() ? angles_[i + 1] : angles_[0] + kFullTurn;
      if (to - from > 1e-9 && inside(Vector2d(centre + r * unit((from + to) / 2.0))))
        blocked.push_back({from, to - from});
    }
  };
  for (const Obstacle& o : world.obstacles) {
    if (point_segment_distance(centre, o.a, o.b) > r + o.radius - kTouch) continue;
    angles_.clear();
    const double edge = o.radius - kTouch;
    at_circle(o.a, edge);
    if (!o.is_disc()) {
      at_circle(o.b, edge);
      const Vector2d along = (o.b - o.a).normalized(), normal(-along.y(), along.x());
      at_line(o.a + edge * normal, along);
      at_line(o.a - edge * normal, along);
    }
    collect([&](const Vector2d& p) { return point_segment_distance(p, o.a, o.b) < edge; });
  }
  const Vector2d reach(r, r);
  if (!world.box.contains(centre - reach, kTouch) || !world.box.contains(centre + reach, kTouch)) {
    angles_.clear();
    at_line(world.box.low, Vector2d::UnitX());
    at_line(world.box.low, Vector2d::UnitY());
    at_line(world.box.high, Vector2d::UnitX());
    at_line(world.box.high, Vector2d::UnitY());
    collect([&](const Vector2d& p) { return !world.box.contains(p, kTouch); });
  }
}

bool RouteFinder::arc_free(int round, double from, int direction, double span) const {
  constexpr double kAngle = 1e-6;
  if (span < kAngle) return true;
  const double start = positive(direction > 0 ? from : from - span);  // counter-clockwise from here
  for (const Blocked& b : blocked_[static_cast<std::size_t>(round)]) {
    const double ahead = positive(b.from - start);
    if (ahead < span - kAngle) return false;
    if (ahead + b.span > kFullTurn + kAngle) return false;  // began before, reaches over the start
  }
  return true;
}

/// Whoever came to the same edge before and could have been here as cheaply has tried all that this one could.
bool RouteFinder::dominated(const State& state) const {
  const auto& before = expanded_[static_cast<std::size_t>(2 * state.round + (state.direction > 0))];
  const double radius = rounds_[static_cast<std::size_t>(state.round)].radius;
  return std::any_of(before.begin(), before.end(), [&](int index) {
    const State& other = states_[static_cast<std::size_t>(index)];
    const double span = span_of(other.angle, state.angle, state.direction);
    return other.cost + radius * span <= state.cost + 1e-9 && arc_free(state.round, other.angle, state.direction, span);
  });
}

/// Whether a point of a round's edge lies in nothing else.
bool RouteFinder::edge_free(int round, double angle) const {
  constexpr double kAngle = 1e-6;
  for (const Blocked& b : blocked_[static_cast<std::size_t>(round)]) {
    const double into = positive(angle - b.from);
    if (into > kAngle && into < b.span - kAngle) return false;
  }
  return true;
}

/// All ways straight on from an edge that is walked in a direction.
void RouteFinder::find_tangents(const World& world, int round, int from_direction) {
  const auto f = static_cast<std::size_t>(round);
  const Round& a = rounds_[f];
  const double signed_a = from_direction * a.radius;
  auto& tangents = tangents_[2 * f + (from_direction > 0)];
  tangents.clear();
  for (std::size_t t = 0; t + 1 < rounds_.size(); ++t) {  // the last one is the start
    if (t == f) continue;
    const Round& b = rounds_[t];
    const Vector2d between = b.centre - a.centre;
    const double distance = between.squaredNorm(), bearing = angle_of(between);
    for (const int direction : {1, -1}) {
      if (b.radius == 0.0 && direction < 0) continue;
      const double offset = direction * b.radius - signed_a;
      if (distance <= offset * offset) continue;  // one inside the other: no tangent
      const double length = std::sqrt(distance - offset * offset);
      const double heading = bearing - std::atan2(offset, length);
      // Where it leaves and arrives, seen from the centres.
      const double leave_angle = heading - from_direction * M_PI_2, arrive_angle = heading - direction * M_PI_2;
      if (a.radius > 0.0 && !edge_free(round, leave_angle)) continue;
      if (b.radius > 0.0 && !edge_free(static_cast<int>(t), arrive_angle)) continue;
      const Vector2d left(-std::sin(heading), std::cos(heading));
      const Vector2d leave = a.centre - signed_a * left, arrive = b.centre - direction * b.radius * left;
      if (!world.box.contains(arrive, kTouch) || !segment_free(world, leave, arrive)) continue;
      tangents.push_back({static_cast<int>(t), direction, leave_angle, arrive_angle, length, leave, arrive, 1e18});
    }
  }
}

void RouteFinder::expand(const World& world, int index, const Vector2d& goal, const Sides& sides,
                         double side_change_cost) {
  const State from = states_[static_cast<std::size_t>(index)];
  const auto edge = static_cast<std::size_t>(2 * from.round + (from.direction > 0));
  const double radius = rounds_[static_cast<std::size_t>(from.round)].radius;
  if (tangents_known_[edge] == 0) {
    tangents_known_[edge] = 1;
    find_tangents(world, from.round, from.direction);
  }
  for (Tangent& tangent : tangents_[edge]) {
    const double span = radius > 0.0 ? span_of(from.angle, tangent.leave_angle, from.direction) : 0.0;
    double cost = from.cost + radius * span + tangent.length;
    if (cost >= tangent.best - 1e-9) continue;  // came here as cheaply before
    const Round& b = rounds_[static_cast<std::size_t>(tangent.round)];
    if (b.obstacle >= 0 && !sides.empty()) {
      const auto side = sides.find(world.obstacles[static_cast<std::size_t>(b.obstacle)].id);
      if (side != sides.end() && side->second != tangent.direction) cost += side_change_cost;
      if (cost >= tangent.best - 1e-9) continue;
    }
    if (!arc_free(from.round, from.angle, from.direction, span)) continue;
    State state{tangent.round, tangent.direction, tangent.arrive_angle, cost, index, tangent.leave};
    if (dominated(state) || states_.size() >= kMostPlaces) continue;
    tangent.best = cost;
    states_.push_back(state);
    open_.push_back({cost + (tangent.arrive - goal).norm(), static_cast<int>(states_.size()) - 1});
    std::push_heap(open_.begin(), open_.end(), [](const Open& l, const Open& r) { return l.estimate > r.estimate; });
  }
}

void RouteFinder::find(const World& world, const Vector2d& start, const Vector2d& goal, const Sides& sides,
                       double side_change_cost, Way& way) {
  way.points.clear();
  way.touched.clear();
  way.complete = false;
  way.blocked_by = 0;
  if ((goal - start).norm() < kTouch) {  // there already
    way.points = {start, goal};
    way.length = 0.0;
    way.complete = true;
    states_.clear();
    return;
  }
  double first = 1e9;
  for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
    const Obstacle& o = world.obstacles[i];
    if (segment_distance(start, goal, o.a, o.b) >= o.radius - kTouch) continue;
    if (const double d = o.distance(start); d < first) {
      first = d;
      way.blocked_by = static_cast<int>(i) + 1;
    }
  }
  rounds_.clear();
  for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
    const Obstacle& o = world.obstacles[i];
    rounds_.push_back({o.a, o.radius, static_cast<int>(i)});
    if (!o.is_disc()) rounds_.push_back({o.b, o.radius, static_cast<int>(i)});
  }
  const int goal_round = static_cast<int>(rounds_.size());
  rounds_.push_back({goal, 0.0, -1});
  rounds_.push_back({start, 0.0, -1});
  if (blocked_.size() < rounds_.size()) blocked_.resize(rounds_.size());
  if (expanded_.size() < 2 * rounds_.size()) expanded_.resize(2 * rounds_.size());
  for (auto& list : blocked_) list.clear();
  for (auto& list : expanded_) list.clear();
  if (tangents_.size() < 2 * rounds_.size()) tangents_.resize(2 * rounds_.size());
  tangents_known_.assign(2 * rounds_.size(), 0);
  for (std::size_t i = 0; i < rounds_.size(); ++i)
    if (rounds_[i].radius > 0.0) find_blocked_arcs(world, static_cast<int>(i));
  states_.clear();
  open_.clear();
  states_.push_back({goal_round + 1, 1, 0.0, 0.0, -1, start});
  open_.push_back({(goal - start).norm(), 0});

  const auto place = [&](const State& s) {
    const Round& r = rounds_[static_cast<std::size_t>(s.round)];
    return Vector2d(r.centre + r.radius * unit(s.angle));
  };
  int best = 0;
  double best_distance = (goal - start).norm();
  while (!open_.empty()) {
    std::pop_heap(open_.begin(), open_.end(), [](const Open& l, const Open& r) { return l.estimate > r.estimate; });
    const int index = open_.back().state;
    open_.pop_back();
    const State state = states_[static_cast<std::size_t>(index)];
    if (state.round == goal_round) {
      way.complete = true;
      trace(world, index, goal, way);
      return;
    }
    if (dominated(state)) continue;
    if (const double d = (place(state) - goal).norm(); d < best_distance) {
      best = index;
      best_distance = d;
    }
    expand(world, index, goal, sides, side_change_cost);
    expanded_[static_cast<std::size_t>(2 * state.round + (state.direction > 0))].push_back(index);
  }
  trace(world, best, place(states_[static_cast<std::size_t>(best)]), way);
}

void RouteFinder::trace(const World& world, int index, const Vector2d& end, Way& way) {
  chain_.clear();
  for (int i = index; i >= 0; i = states_[static_cast<std::size_t>(i)].parent) chain_.push_back(i);
  std::reverse(chain_.begin(), chain_.end());
  way.points.push_back(rounds_.back().centre);
  for (std::size_t i = 1; i < chain_.size(); ++i) {
    const State& state = states_[static_cast<std::size_t>(chain_[i])];
    const State& parent = states_[static_cast<std::size_t>(chain_[i - 1])];
    const Round& round = rounds_[static_cast<std::size_t>(parent.round)];
    if (round.radius > 0.0) {
      way.points.push_back(round.centre + round.radius * unit(parent.angle));
      const double span = span_of(parent.angle, angle_of(state.leave - round.centre), parent.direction);
      const int chords = static_cast<int>(span / kChord);
      for (int k = 1; k <= chords; ++k)
        way.points.push_back(round.centre +
                             round.radius * unit(parent.angle + parent.direction * span * k / (chords + 1)));
      way.points.push_back(state.leave);
      way.touched.emplace_back(world.obstacles[static_cast<std::size_t>(round.obstacle)].id, parent.direction);
    }
  }
  way.points.push_back(end);
  way.length = 0.0;
  for (std::size_t i = 1; i < way.points.size(); ++i) way.length += (way.points[i] - way.points[i - 1]).norm();
}

}  // namespace hl_path_planning
