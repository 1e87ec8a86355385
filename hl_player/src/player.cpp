// SPDX-License-Identifier: Apache-2.0
#include "hl_player/player.hpp"

#include <array>
#include <stdexcept>

namespace hl_player {
namespace {

constexpr double kGamePeriod = 0.5;  // s, the game state without news, as its node
constexpr double kTalkPeriod = 0.1;  // s, how fast an event may leave, as its node
constexpr double kRounding = 1e-6;   // s

}  // namespace

std::optional<std::string> Player::Params::validate() const {
  if (auto error = referee.validate()) return error;
  if (auto error = team.validate()) return error;
  if (referee.team != team.roster.team || referee.player != team.roster.player)
    return "team and player number differ between the game controller client "
           "and team communication";
  return std::nullopt;
}

Player::Player(std::shared_ptr<const RobotFiles> files, const Params& params, std::unique_ptr<Thinker> mind,
               std::unique_ptr<Mover> mover)
    : params_(params),
      mover_(mover ? std::move(mover) : std::make_unique<Motion>(std::move(files))),
      client_(params.referee),
      team_(params.team),
      mind_(std::move(mind)) {
  if (const auto error = params.validate()) throw std::invalid_argument(*error);
}

const Player::Outputs& Player::step(const Inputs& inputs, double now) {
  out_.packets.clear();
  out_.words.clear();
  hear(inputs.packets, now);
  read_words(inputs, now);
  motion_inputs_.sensors = inputs.sensors;
  motion_inputs_.orders = inputs.orders;
  if (mind_ && out_.motion != nullptr) decide(inputs, now);
  motion_inputs_.paused = pause_.paused();
  out_.motion = &mover_->step(motion_inputs_, now);
  if (out_.motion->say != nullptr) out_.words.emplace_back(out_.motion->say);
  talk(now);
  return out_;
}

void Player::hear(const std::vector<Packet>& packets, double now) {
  bool news = now - game_at_ >= kGamePeriod - kRounding;
  for (const Packet& packet : packets) {
    const hl_network::Bytes bytes{packet.bytes.data(), packet.bytes.size()};
    if (packet.channel == Packet::Channel::Team) {
      team_.receive(bytes, now);
      continue;
    }
    using Verdict = hl_game_controller::Client::Verdict;
    if (client_.receive(bytes, {packet.sender, 0}, now) != Verdict::Accepted) continue;
    news = true;
    hl_game_controller::Client::Inputs report;
    if (out_.motion != nullptr) report.body = out_.motion->body;
    if (const auto answer = client_.step(report, now).answer) {
      Packet reply{Packet::Channel::Referee, std::vector<std::uint8_t>(hl_game_controller::kMaxReturnPacketSize), 0};
      reply.bytes.resize(encode(*answer, reply.bytes.data(), reply.bytes.size()));
      out_.packets.push_back(std::move(reply));
    }
  }
  if (!news) return;
  game_ = game_state_of(client_, params_.referee, now);
  game_at_ = now;
}

void Player::read_words(const Inputs& inputs, double now) {
  hl_hcm::Pause::Inputs words;
  if (client_.packet()) words.penalized = game_.penalized;
  words.manual = inputs.manual;
  if (const auto& buttons = inputs.sensors.buttons) words.buttons = {buttons->mode, buttons->start};
  pause_.step(words, now);
}

void Player::decide(const Inputs& inputs, double now) {
  mind_inputs_.percepts = inputs.percepts;
  mind_inputs_.motion = dynamic_cast<const Motion*>(mover_.get());
  mind_inputs_.carriage = mover_->carriage();
  mind_inputs_.body = out_.motion;
  mind_inputs_.positions = inputs.sensors.positions;
  mind_inputs_.game = &game_;
  mind_inputs_.team_mates = &team_mates_;
  decided_ = &mind_->step(mind_inputs_, now);
  if (decided_->say != nullptr) out_.words.emplace_back(decided_->say);
  const Mover::Orders& own = decided_->orders;
  Mover::Orders& orders = motion_inputs_.orders;
  if (!orders.velocity) orders.velocity = own.velocity;
  if (!orders.kick) orders.kick = own.kick;
  if (!orders.steps) orders.steps = own.steps;
  if (!orders.animation) orders.animation = own.animation;
  if (!orders.head) orders.head = own.head;
  orders.cancel_kick |= own.cancel_kick;
  orders.cancel_animation |= own.cancel_animation;
}

void Player::talk(double now) {
  if (now - talk_at_ < kTalkPeriod - kRounding) return;
  talk_at_ = now;
  hl_team_comm::TeamComm::Inputs said;
  said.body = out_.motion->body;
  if (decided_ != nullptr) {
    said.model = &decided_->model;
    said.role = decided_->role;
    said.action = decided_->action;
    said.offensive_side = decided_->side;
    said.time_to_ball = decided_->time_to_ball;
  }
  if (client_.packet()) said.game = &game_;
  auto heard = team_.step(said, now);
  team_mates_ = std::move(heard.team_mates);
  if (!heard.datagram.empty()) out_.packets.push_back({Packet::Channel::Team, std::move(heard.datagram), 0});
}

}  // namespace hl_player
