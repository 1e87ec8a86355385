// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/team_comm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hl_team_comm {
namespace {

constexpr double kUnknownVariance = 1e3;  // m^2; the contract's sign for "I do not know where I am"

OffensiveSide side_from(hl_soccer::OffensiveSide side) {
  switch (side) {
    case hl_soccer::OffensiveSide::Left:
      return OffensiveSide::Left;
    case hl_soccer::OffensiveSide::Right:
      return OffensiveSide::Right;
    case hl_soccer::OffensiveSide::Centre:
      return OffensiveSide::Middle;
    case hl_soccer::OffensiveSide::Unspecified:
      break;
  }
  return OffensiveSide::Unspecified;
}

hl_soccer::OffensiveSide side_from(OffensiveSide side) {
  switch (side) {
    case OffensiveSide::Left:
      return hl_soccer::OffensiveSide::Left;
    case OffensiveSide::Right:
      return hl_soccer::OffensiveSide::Right;
    case OffensiveSide::Middle:
      return hl_soccer::OffensiveSide::Centre;
    case OffensiveSide::Unspecified:
      break;
  }
  return hl_soccer::OffensiveSide::Unspecified;
}

/// A standard deviation of 1 m is believed by half.
double belief_from(double variance) {
  return 1.0 / (1.0 + std::max(variance, 0.0));
}

void apply(const hl_soccer::Model& model, TeamMate& mate) {
  mate.ball.reset();
  if (model.ball.confidence > 0.0) {
    mate.ball =
        BelievedPoint{model.ball.position.x(), model.ball.position.y(), static_cast<float>(model.ball.confidence)};
  }
  mate.position.reset();
  mate.opponents = {};
  const double variance = std::max(model.pose.covariance(0, 0), model.pose.covariance(1, 1));
  if (!model.pose.known() || !(variance < kUnknownVariance)) return;
  mate.position = BelievedPoint{model.pose.pose.x, model.pose.pose.y, static_cast<float>(belief_from(variance))};
  mate.orientation = model.pose.pose.yaw;
  std::size_t next = 0;
  for (const auto& robot : model.robots) {
    if (robot.team == hl_soccer::Team::Own || next >= mate.opponents.size()) continue;
    const Eigen::Vector2d place = model.pose.pose * robot.position;
    mate.opponents[next++] = BelievedPoint{place.x(), place.y(), static_cast<float>(robot.confidence)};
  }
}

}  // namespace

double variance_from(double belief) {
  return belief > 1.0 / (1.0 + kUnknownVariance) ? 1.0 / belief - 1.0 : kUnknownVariance;
}

std::optional<std::string> TeamComm::Params::validate() const {
  if (auto error = roster.validate()) return error;
  if (auto error = budget.validate()) return error;
  if (!(send_interval >= 0.1)) return "send_interval is " + std::to_string(send_interval) + "; at least 0.1 s";
  if (!(half_duration > 0.0)) return "half_duration is " + std::to_string(half_duration) + "; it must be positive, s";
  if (!(walking_speed >= 0.0)) return "walking_speed must not be negative, m/s";
  if (!(kicking_distance >= 0.0)) return "kicking_distance must not be negative, m";
  return std::nullopt;
}

TeamComm::TeamComm(const Params& params) : params_(params), roster_(params.roster), budget_(params.budget) {
  own_.walking_speed = params.walking_speed;
  own_.kicking_distance = params.kicking_distance;
}

void TeamComm::describe(const Inputs& inputs) {
  const auto raise = [this](Urgency urgency) { pending_ = std::max(pending_, urgency); };
  const TeamMate before = own_;
  own_.role = static_cast<Role>(inputs.role);
  own_.action = static_cast<Action>(inputs.action);
  own_.offensive_side = side_from(inputs.offensive_side);
  own_.time_to_ball = inputs.time_to_ball;
  if (own_.role != before.role || own_.action != before.action) raise(Urgency::Event);
  if (inputs.model != nullptr) apply(*inputs.model, own_);
  if (own_.ball.has_value() != before.ball.has_value()) raise(Urgency::Event);
  if (is_down(inputs.body) && !down_) raise(Urgency::Important);
  down_ = is_down(inputs.body);
  own_.activity = down_ ? Activity::Inactive : Activity::Active;
}

TeamComm::Outputs TeamComm::step(const Inputs& inputs, double now) {
  describe(inputs);
  bool penalized = false;
  if (inputs.game != nullptr) {
    const auto& game = *inputs.game;
    penalized = game.penalized;
    if (game.own_team != 0) colour_ = game.own_color_blue ? Colour::Blue : Colour::Red;
    const double to_whistle = game.seconds_remaining + (game.first_half ? params_.half_duration : 0.0);
    budget_.set_remaining(game.message_budget >= 0 ? std::optional<double>(game.message_budget) : std::nullopt,
                          to_whistle);
  }
  Outputs out;
  // A team mate that is new, came back or was lost hears from us as soon as the budget allows, with all we have to
  // tell.
  if (roster_.update(now)) pending_ = std::max(pending_, Urgency::Event);
  constexpr double kRounding = 1e-6;  // s
  const bool due = now - sent_at_ >= params_.send_interval - kRounding;
  if (!penalized && (due || pending_ != Urgency::Routine) && budget_.request(pending_, now)) {
    out.datagram = message(now);
    sent_at_ = now;
    pending_ = Urgency::Routine;
  }
  for (const auto& [number, entry] : roster_.entries()) {
    if (roster_.fresh(entry, now))
      out.team_mates.push_back(team_mate_from(entry.mate, number, entry.link.last_message_time));
  }
  return out;
}

std::vector<std::uint8_t> TeamComm::message(double now) {
  Statement statement;
  statement.dialect = params_.dialect;
  statement.team = static_cast<std::uint16_t>(params_.roster.team);
  statement.player = static_cast<std::uint16_t>(params_.roster.player);
  statement.colour = colour_;
  statement.mate = own_;
  statement.sequence = sequence_++;
  statement.sent_at = now;
  auto datagram = speak(statement, params_.dialect);
  roster_.note_sent(statement, datagram);
  return datagram;
}

hl_soccer::TeamMate team_mate_from(const TeamMate& mate, int number, double stamp) {
  hl_soccer::TeamMate told;
  told.number = number;
  told.stamp = stamp;
  told.role = static_cast<hl_soccer::Role>(mate.role);
  told.action = static_cast<hl_soccer::Action>(mate.action);
  told.activity = static_cast<hl_soccer::Activity>(mate.activity);
  if (mate.position) {
    told.pose = hl_description::Pose2{mate.position->x, mate.position->y, mate.orientation};
    told.pose_confidence = static_cast<double>(mate.position->belief);
    told.pose_covariance = Eigen::Matrix3d::Identity() * variance_from(told.pose_confidence);
  }
  const auto point_from = [](const BelievedPoint& p) {
    return hl_soccer::BelievedPoint{{p.x, p.y}, static_cast<double>(p.belief)};
  };
  if (mate.ball) told.ball = point_from(*mate.ball);
  for (const auto& opponent : mate.opponents) {
    if (opponent) told.opponents.push_back(point_from(*opponent));
  }
  told.time_to_ball = mate.time_to_ball;
  told.offensive_side = side_from(mate.offensive_side);
  return told;
}

}  // namespace hl_team_comm
