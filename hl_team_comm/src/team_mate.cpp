// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/team_mate.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>

namespace hl_team_comm {
namespace {

using mitecom::Key;
using mitecom::Message;

constexpr double kMillimetresPerMetre = 1000.0;
constexpr double kCentimetresPerMetre = 100.0;
constexpr double kDegreesPerRadian = 180.0 / M_PI;
constexpr double kFullBelief = 255.0;
constexpr double kMaxLength = 1000.0;    // m
constexpr float kUnstatedBelief = 0.5F;  // a position without belief, from peers with an old key list

std::uint32_t operator+(Key key, std::uint32_t offset) {
  return static_cast<std::uint32_t>(key) + offset;
}

bool sendable(double value) {
  return std::isfinite(value) && std::abs(value) <= kMaxLength;
}

void add(Message& message, std::uint32_t key, double value, double units) {
  if (sendable(value)) message.add(key, static_cast<std::int32_t>(std::lround(value * units)));
}

/// Three keys in a row: x, y, belief.
void add_point(Message& message, std::uint32_t key, const std::optional<BelievedPoint>& point) {
  if (!point || !sendable(point->x) || !sendable(point->y)) return;
  add(message, key, point->x, kMillimetresPerMetre);
  add(message, key + 1, point->y, kMillimetresPerMetre);
  message.add(key + 2, static_cast<std::int32_t>(std::lround(std::clamp(point->belief, 0.0F, 1.0F) * kFullBelief)));
}

float belief_from(std::optional<std::int32_t> value) {
  if (!value) return kUnstatedBelief;
  return static_cast<float>(std::clamp(static_cast<double>(*value), 0.0, kFullBelief) / kFullBelief);
}

std::optional<BelievedPoint> point_at(const Message& message, std::uint32_t key, std::uint32_t belief_key) {
  const auto x = message.get(key);
  const auto y = message.get(key + 1);
  if (!x || !y) return std::nullopt;
  return BelievedPoint{*x / kMillimetresPerMetre, *y / kMillimetresPerMetre, belief_from(message.get(belief_key))};
}

template <class Enum>
Enum code_from(const Message& message, Key key, Enum last) {
  const auto value = message.get(key).value_or(0);
  return value >= 0 && value <= static_cast<std::int32_t>(last) ? static_cast<Enum>(value) : Enum{};
}

std::optional<double> scaled(const Message& message, Key key, double units) {
  const auto value = message.get(key);
  return value && *value >= 0 ? std::optional(*value / units) : std::nullopt;
}

}  // namespace

void write(const TeamMate& mate, Message& message) {
  message.add(Key::Role, static_cast<std::int32_t>(mate.role));
  message.add(Key::Action, static_cast<std::int32_t>(mate.action));
  message.add(Key::State, static_cast<std::int32_t>(mate.activity));
  if (mate.position && sendable(mate.position->x) && sendable(mate.position->y) && std::isfinite(mate.orientation)) {
    add(message, Key::PositionX + 0, mate.position->x, kMillimetresPerMetre);
    add(message, Key::PositionY + 0, mate.position->y, kMillimetresPerMetre);
    const double turn = std::fmod(mate.orientation * kDegreesPerRadian, 360.0);
    message.add(Key::Orientation, static_cast<std::int32_t>(std::lround(turn < 0.0 ? turn + 360.0 : turn)) % 360);
    message.add(Key::PositionBelief, static_cast<std::int32_t>(std::lround(mate.position->belief * kFullBelief)));
  }
  add_point(message, Key::BallX + 0, mate.ball);
  add_point(message, Key::OpponentGoalX + 0, mate.opponent_goal);
  for (std::uint32_t i = 0; i < mate.opponents.size(); ++i) {
    add_point(message, Key::OpponentRobots + 3 * i, mate.opponents[i]);
  }
  for (std::uint32_t i = 0; i < mate.team_mates.size(); ++i) {
    add_point(message, Key::TeamRobots + 3 * i, mate.team_mates[i]);
  }
  if (mate.walking_speed) add(message, Key::WalkingSpeed + 0, *mate.walking_speed, kCentimetresPerMetre);
  if (mate.time_to_ball) add(message, Key::TimeToBall + 0, *mate.time_to_ball, 1.0);
  if (mate.kicking_distance) add(message, Key::KickingDistance + 0, *mate.kicking_distance, kMillimetresPerMetre);
  if (mate.offensive_side != OffensiveSide::Unspecified) {
    message.add(Key::OffensiveSide, static_cast<std::int32_t>(mate.offensive_side));
  }
}

TeamMate read(const Message& message) {
  TeamMate mate;
  mate.role = code_from(message, Key::Role, Role::Goalie);
  mate.action = code_from(message, Key::Action, Action::Waiting);
  mate.activity = code_from(message, Key::State, Activity::Penalized);
  mate.position = point_at(message, Key::PositionX + 0, Key::PositionBelief + 0);
  mate.orientation = hl_description::wrap_angle(message.get(Key::Orientation).value_or(0) / kDegreesPerRadian);
  const bool old = mitecom::uses_old_numbering(message);
  const std::uint32_t no_key = 0xFFFFFFFF;
  mate.ball = point_at(message, Key::BallX + 0, old ? no_key : Key::BallBelief + 0);
  if (!old) {
    mate.opponent_goal = point_at(message, Key::OpponentGoalX + 0, Key::OpponentGoalBelief + 0);
    for (std::uint32_t i = 0; i < mate.opponents.size(); ++i) {
      mate.opponents[i] = point_at(message, Key::OpponentRobots + 3 * i, Key::OpponentRobots + 3 * i + 2);
    }
    for (std::uint32_t i = 0; i < mate.team_mates.size(); ++i) {
      mate.team_mates[i] = point_at(message, Key::TeamRobots + 3 * i, Key::TeamRobots + 3 * i + 2);
    }
  }
  mate.walking_speed = scaled(message, Key::WalkingSpeed, kCentimetresPerMetre);
  mate.time_to_ball = scaled(message, Key::TimeToBall, 1.0);
  mate.kicking_distance = scaled(message, Key::KickingDistance, kMillimetresPerMetre);
  mate.offensive_side = code_from(message, Key::OffensiveSide, OffensiveSide::Right);
  return mate;
}

}  // namespace hl_team_comm
