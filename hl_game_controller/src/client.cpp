// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/client.hpp"

namespace hl_game_controller {
namespace {

/// Answers follow packets that come every 0.5 s with some jitter; waiting for the full interval would skip every other.
constexpr double kAnswerSlack = 0.9;

bool is_newer(std::uint8_t number, std::uint8_t than) {
  return static_cast<std::int8_t>(static_cast<std::uint8_t>(number - than)) > 0;  // the number wraps at 256
}

}  // namespace

std::optional<std::string> Client::Params::validate() const {
  if (team < 1 || team > 254) return "team is " + std::to_string(team) + "; give the number of the draw, 1 to 254";
  if (player < 1 || player > static_cast<int>(kMaxPlayers)) {
    return "player is " + std::to_string(player) + "; give the jersey number, 1 to 20";
  }
  if (!(lost_after > 0.0)) return "lost_after must be positive, in seconds";
  if (!(restart_after > 0.0 && restart_after <= lost_after)) return "restart_after must lie between 0 and lost_after";
  if (!(answer_interval >= 0.5 && answer_interval <= 2.0)) {
    return "answer_interval must lie between 0.5 and 2 s: the league allows 0.5 to 2 answers per second";
  }
  return std::nullopt;
}

Client::Client(const Params& params) : params_(params) {}

Client::Verdict Client::receive(hl_network::Bytes bytes, const hl_network::Endpoint& sender, double now) {
  ControlPacket packet;
  const Verdict verdict = decode(bytes, packet) == DecodeError::None ? judge(packet, sender, now) : Verdict::Malformed;
  switch (verdict) {
    case Verdict::Accepted:
      ++counters_.accepted;
      packet_ = packet;
      packet_time_ = now;
      referee_ = sender;
      answer_pending_ = true;
      break;
    case Verdict::NotForUs:
      ++counters_.not_for_us;
      break;
    case Verdict::OtherReferee:
      ++counters_.other_referee;
      break;
    case Verdict::OldPacket:
      ++counters_.old;
      break;
    case Verdict::Malformed:
      ++counters_.malformed;
      break;
  }
  return verdict;
}

Client::Verdict Client::judge(const ControlPacket& packet, const hl_network::Endpoint& sender, double now) const {
  if (packet.team(static_cast<std::uint8_t>(params_.team)) == nullptr) return Verdict::NotForUs;
  if (static_cast<std::size_t>(params_.player) > player_slots(packet.dialect)) return Verdict::NotForUs;
  const bool silent = !packet_ || now - packet_time_ > params_.restart_after;
  if (silent) return Verdict::Accepted;
  if (sender.address != referee_.address) return Verdict::OtherReferee;
  const bool newer = is_newer(packet.packet_number, packet_->packet_number);
  return newer ? Verdict::Accepted : Verdict::OldPacket;
}

bool Client::connected(double now) const {
  return packet_ && now - packet_time_ <= params_.lost_after;
}

Client::Outputs Client::step(const Inputs& inputs, double now) {
  Outputs out;
  out.connected = connected(now);
  out.allowed_to_move = allowed_to_move(now);
  out.answer = answer(inputs, now);
  if (out.connected) out.referee = referee_.address;
  return out;
}

const TeamInfo* Client::own_team() const {
  return packet_ ? packet_->team(static_cast<std::uint8_t>(params_.team)) : nullptr;
}

const TeamInfo* Client::rival_team() const {
  const auto* own = own_team();
  if (own == nullptr) return nullptr;
  return own == &packet_->teams[0] ? &packet_->teams[1] : &packet_->teams[0];
}

const PlayerInfo* Client::own_player() const {
  const auto* own = own_team();
  return own == nullptr ? nullptr : &own->players[static_cast<std::size_t>(params_.player - 1)];
}

bool Client::allowed_to_move(double now) const {
  if (!connected(now)) {
    if (params_.without_referee == WithoutReferee::Play) return true;
    if (params_.without_referee == WithoutReferee::Stop) return false;
  }
  const auto* player = own_player();
  if (player == nullptr || player->penalty != Penalty::None) return false;
  const auto& game = *packet_;
  if (game.stopped || game.phase == GamePhase::Timeout) return false;
  if (game.set_play != SetPlay::None && game.set_play_phase == SetPlayPhase::Called) return false;
  return game.state == State::Ready || game.state == State::Playing;
}

std::optional<ReturnPacket> Client::answer(const Inputs& inputs, double now) {
  if (!answer_pending_ || !connected(now)) return std::nullopt;
  if (answered_at_ && now - *answered_at_ < kAnswerSlack * params_.answer_interval) return std::nullopt;
  answer_pending_ = false;
  answered_at_ = now;
  ReturnPacket answer;
  const bool soccer_league = packet_->dialect == Dialect::Hsl19 || packet_->dialect == Dialect::Hsl20;
  answer.version = soccer_league ? 4 : 2;
  answer.team = static_cast<std::uint8_t>(params_.team);
  answer.player = static_cast<std::uint8_t>(params_.player);
  answer.message = params_.goalkeeper ? ReturnMessage::Goalkeeper : ReturnMessage::Alive;
  answer.fallen = hl_soccer::is_down(inputs.body);
  answer.pose = inputs.pose;
  if (inputs.ball_seen_at) answer.ball_age = static_cast<float>(now - *inputs.ball_seen_at);
  answer.ball = inputs.ball;
  return answer;
}

}  // namespace hl_game_controller
