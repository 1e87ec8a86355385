// SPDX-License-Identifier: Apache-2.0
#include "hl_path_planning/follower.hpp"

#include <algorithm>

namespace hl_path_planning {
namespace {

constexpr double kStyleHysteresis = 0.4;  // s by which another style must be faster
constexpr double kOutOfView = 1.2;        // rad from the heading, beyond what the neck reaches comfortably
constexpr double kOutOfViewCost = 3.0;    // s
constexpr double kSteer = 0.45;           // rad, up to this a forward walk is corrected by turning alone
constexpr double kStopShare = 0.5;        // of the tolerance, within which the robot stops
constexpr double kStandShare = 0.85;      // ...and within which it goes on standing
constexpr double kSwayShare = 2.0;        // ...while its feet come together
constexpr double kLeftAgainShare = 0.15;  // more of it for each time that standing moved the body too far...
constexpr double kMostStandShare = 1.6;   // ...up to this: a robot that dances about its goal has arrived, too
constexpr double kStood = 0.3;            // s without a command after which the robot stands
constexpr double kAtEnd = 0.06;           // m, so near only the final heading counts
constexpr double kCurvature = 0.45;       // m of the way ahead whose bends slow the robot down

Velocity towards(const Vector2d& direction, double speed) {
  return {direction.x() * speed, direction.y() * speed, 0.0};
}

double approach(double from, double to, double most) {
  return from + std::clamp(to - from, -most, most);
}

}  // namespace

void CommandsInFlight::add(const Velocity& command, double now) {
  if (!command.is_zero()) {
    if (now - last_walked_ > kStood) started_ = now;
    last_walked_ = now;
  }
  entries_[next_] = {command, now};
  next_ = (next_ + 1) % entries_.size();
  count_ = std::min(count_ + 1, entries_.size());
}

Pose2 CommandsInFlight::ahead(const Pose2& measured, double now, const WalkingLimits& limits) const {
  Pose2 pose = measured;
  const double since = std::max(now - limits.delay, started_ + limits.start_delay);
  for (std::size_t k = count_; k > 0; --k) {
    const std::size_t i = (next_ + entries_.size() - k) % entries_.size();
    const double begin = std::max(entries_[i].time, since);
    const double end = k > 1 ? entries_[(i + 1) % entries_.size()].time : now;
    if (end <= begin) continue;
    const Velocity& v = entries_[i].velocity;
    const double dt = std::min(end - begin, limits.delay);
    pose = pose * Pose2{v.x * dt, v.y * dt, v.yaw * dt};
  }
  return pose;
}

Velocity accelerate(const Velocity& last, const Velocity& wanted, const WalkingLimits& limits, double dt) {
  return {approach(last.x, wanted.x, limits.acceleration * dt), approach(last.y, wanted.y, limits.acceleration * dt),
          approach(last.yaw, wanted.yaw, limits.turn_acceleration * dt)};
}

void Follower::restart() {
  standing_ = false;
  left_again_ = 0;
}

/// Time of each style for the rest of the way; the parts of a motion add up because they share the legs.
Follower::Style Follower::choose_style(const FollowRequest& request, const Pose2& here, std::size_t segment,
                                       const WalkingLimits& limits, double& time) {
  const auto& way = *request.way;
  const auto turn_time = [&](double from, double to) { return std::abs(wrap_angle(to - from)) / limits.turn; };
  double length = 0.0, bends = 0.0, present = 0.0, final = 0.0;
  double first = here.yaw, last = here.yaw;
  Vector2d from = here.position();
  for (std::size_t i = segment + 1; i < way.size(); ++i) {
    const Vector2d step = way[i] - from;
    const double distance = step.norm();
    from = way[i];
    if (distance < 1e-6) continue;
    const double direction = angle_of(step);
    if (length == 0.0) {
      first = direction;
    } else {
      bends += std::abs(wrap_angle(direction - last));
    }
    last = direction;
    length += distance;
    present += distance / limits.speed_towards(direction - here.yaw);
    final += distance / limits.speed_towards(direction - request.end_heading);
  }
  std::array<double, 4> times = {
      turn_time(here.yaw, first) + length / limits.forward + bends / limits.turn + turn_time(last, request.end_heading),
      turn_time(here.yaw, first + M_PI) + length / limits.backward + bends / limits.turn +
          turn_time(last + M_PI, request.end_heading),
      present + turn_time(here.yaw, request.end_heading), final + turn_time(here.yaw, request.end_heading)};
  std::array<double, 4> costs = times;
  if (request.keep_in_view) {
    const double bearing = angle_of(*request.keep_in_view - here.position());
    const std::array<double, 4> headings = {first, first + M_PI, here.yaw, request.end_heading};
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (std::abs(wrap_angle(headings[i] - bearing)) > kOutOfView) costs[i] += kOutOfViewCost;
    }
  }
  costs[static_cast<std::size_t>(style_)] -= kStyleHysteresis;
  const auto best = std::min_element(costs.begin(), costs.end()) - costs.begin();
  time = times[static_cast<std::size_t>(best)];
  return static_cast<Style>(best);
}

Follower::Motion Follower::follow(const FollowRequest& request, const Pose2& here, const WalkingLimits& limits,
                                  const Params& params) {
  const auto& way = *request.way;
  const Vector2d position = here.position(), end = way.back();

  // Where on the way the robot is, and the point ahead that it heads for.
  std::size_t segment = 0;
  Vector2d foot = way.front();
  double nearest = 1e9;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    const Vector2d along = way[i + 1] - way[i];
    const double square = along.squaredNorm();
    const double t = square > 0.0 ? std::clamp((position - way[i]).dot(along) / square, 0.0, 1.0) : 0.0;
    const Vector2d point = way[i] + t * along;
    const double distance = (point - position).norm();
    if (distance < nearest - 1e-9) {
      nearest = distance;
      segment = i;
      foot = point;
    }
  }
  Vector2d carrot = end;
  double ahead = params.lookahead, rest = 0.0, bend = 0.0;
  bool found = false;
  double last_direction = 0.0;
  for (std::size_t i = segment + 1; i < way.size(); ++i) {
    const Vector2d step = way[i] - foot;
    const double length = step.norm();
    if (length > 1e-6) {
      const double direction = angle_of(step);
      if (rest > 0.0 && rest < kCurvature) bend += std::abs(wrap_angle(direction - last_direction));
      last_direction = direction;
      if (!found && length >= ahead) {
        carrot = foot + step * (ahead / length);
        found = true;
      }
      ahead -= length;
      rest += length;
    }
    foot = way[i];
  }

  Motion motion;
  const Vector2d to_end = end - position;
  motion.distance = rest > params.lookahead ? rest + nearest : std::max(rest, to_end.norm());
  Style style = style_ = choose_style(request, here, segment, limits, motion.time_left);
  if (motion.distance < kAtEnd) style = style_ = Style::Final;

  double heading = request.end_heading;
  const Vector2d way_ahead = carrot - position;
  const double direction = way_ahead.norm() > 1e-6 ? angle_of(way_ahead) : here.yaw;
  switch (request.heading) {
    case HeadingMode::Free:
      if (style == Style::Along) heading = direction;
      if (style == Style::Back) heading = direction + M_PI;
      if (style == Style::Present) heading = motion.distance > params.lookahead ? here.yaw : request.end_heading;
      break;
    case HeadingMode::Goal:
      style = Style::Final;
      break;
    case HeadingMode::Keep:
      heading = request.kept_heading;
      style = Style::Final;
      break;
    case HeadingMode::At:
      if (motion.distance > 0.15) heading = angle_of(request.look_at - position);
      style = Style::Final;
      break;
  }

  const double final_heading = request.heading == HeadingMode::Keep ? request.kept_heading : request.end_heading;
  const double heading_error = std::abs(wrap_angle(final_heading - here.yaw));
  const double error = std::max(to_end.norm() / request.position_tolerance, heading_error / request.heading_tolerance);
  const double stand = std::min(kStandShare + kLeftAgainShare * left_again_, kMostStandShare);
  if (error <= (!standing_ ? kStopShare : request.settling ? kSwayShare : stand)) {
    standing_ = motion.arrived = true;
    motion.settled = error <= stand;
    return motion;
  }
  if (standing_ && to_end.norm() < kAtEnd) ++left_again_;
  standing_ = false;

  const double turn = wrap_angle(heading - here.yaw);
  double rate = std::clamp(params.turn_gain * turn, -limits.turn, limits.turn);
  if (std::abs(turn) < 0.3 * request.heading_tolerance) rate = 0.0;
  const double left_for_legs = std::max(0.0, 1.0 - std::abs(rate) / limits.turn);

  // Braking distance, bends ahead, limits of the goal.
  const double distance = to_end.norm() < params.lookahead ? to_end.norm() : motion.distance;
  double speed = std::min(std::sqrt(1.4 * limits.acceleration * distance), 2.2 * distance);
  speed = std::min(speed, motion.distance < request.slow_distance ? request.slow_speed : 1e3);
  speed = std::min(speed, request.speed_limit);
  if (style == Style::Along) speed = std::min(speed, 1.0 / (1.0 / limits.forward + bend / kCurvature / limits.turn));

  const double body_direction = wrap_angle(direction - here.yaw);
  const bool steer = motion.distance > 0.25 && std::abs(turn) < kSteer;
  if (style == Style::Along && steer) {
    motion.velocity = {std::min(speed, left_for_legs * limits.forward), 0.0, rate};
  } else if (style == Style::Back && steer) {
    motion.velocity = {-std::min(speed, left_for_legs * limits.backward), 0.0, rate};
  } else if (way_ahead.norm() > 1e-6) {
    const double most = left_for_legs * limits.speed_towards(body_direction);
    motion.velocity = towards(unit(body_direction), std::min(speed, most));
    motion.velocity.yaw = rate;
    if (to_end.norm() < 0.3 * request.position_tolerance) motion.velocity.x = motion.velocity.y = 0.0;
  } else {
    motion.velocity.yaw = rate;
  }
  return motion;
}

}  // namespace hl_path_planning
