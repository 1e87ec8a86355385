// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/referee.hpp"

#include <algorithm>
#include <cmath>

namespace hl_game_controller {
namespace {

constexpr double kMaxStep = 1.0;  // s; a longer gap is a pause of the clock, not play
constexpr int kSuddenDeathShots = 5;

std::int16_t seconds(double value) {
  return static_cast<std::int16_t>(std::clamp(std::ceil(value), -32'768.0, 32'767.0));
}

}  // namespace

std::optional<std::string> Referee::Params::validate() const {
  if (const auto error = rules.validate()) return error;
  for (const auto& team : teams) {
    if (team.number < 1 || team.number > 254) return "team numbers must lie between 1 and 254";
  }
  if (teams[0].number == teams[1].number) {
    return "both teams have the number " + std::to_string(teams[0].number) + "; robots could not tell them apart";
  }
  return std::nullopt;
}

Referee::Referee(const Params& params) : params_(params), random_(params.seed), half_left_(params.rules.half_time) {
  for (auto& team : players_) {
    for (std::size_t i = 0; i < team.size(); ++i) {
      team[i].goalkeeper = i == 0;
      if (i >= static_cast<std::size_t>(params_.rules.players_per_team)) team[i].penalty = Penalty::Substitute;
    }
  }
}

Referee::Outputs Referee::step(const Inputs& inputs, double now) {
  const double dt = now_ ? std::clamp(now - *now_, 0.0, kMaxStep) : 0.0;
  now_ = now;
  if (!over_) advance_clocks(dt);
  if (!over_ && inputs.view != nullptr) judge(*inputs.view);
  return std::exchange(outputs_, {});
}

// --- Clocks ----------------------------------------------------------------------------------------------------------

void Referee::advance_clocks(double dt) {
  const bool clock_runs = half_started_ && !timeout_ && half_ != Half::ShootOut &&
                          (state_ == State::Ready || state_ == State::Set || state_ == State::Playing);
  if (clock_runs) half_left_ -= dt;

  std::vector<std::pair<std::size_t, std::uint8_t>> free;
  for (auto& [robot, left] : removal_left_) {
    if (clock_runs) left -= dt;
    players_[robot.first][robot.second - 1U].seconds_till_unpenalized =
        static_cast<std::uint8_t>(std::clamp(std::ceil(left), 0.0, 255.0));
    if (left <= 0.0) free.push_back(robot);
  }
  for (const auto& [team, player] : free) release(team, player);

  if (timer_left_) {
    *timer_left_ -= dt;
    if (*timer_left_ <= 0.0) {
      timer_left_.reset();
      timer_expired();
    }
  }
  if (clock_runs && half_left_ <= 0.0 && state_ == State::Playing && set_play_ == SetPlay::None) end_half();
}

void Referee::timer_expired() {
  const auto& rules = params_.rules;
  if (timeout_) {
    timeout_ = false;
    note("state", "the timeout is over");
    start_ready(kick_off_);
    return;
  }
  switch (state_) {
    case State::Initial:
      start_half(half_);
      break;
    case State::Ready:
      enter(State::Set);
      break;
    case State::Set:
      enter(State::Playing);
      break;
    case State::Playing:
      if (half_ == Half::ShootOut) {
        end_trial(false);
      } else if (set_play_ == SetPlay::None) {
        ball_in_play_ = true;  // the kick-off was not taken in time
      } else if (set_play_phase_ == SetPlayPhase::Called) {
        set_play_phase_ = SetPlayPhase::Prepare;
        timer_left_ = rules.prepare_time;
      } else if (set_play_phase_ == SetPlayPhase::Prepare) {
        set_play_phase_ = SetPlayPhase::Execute;
        timer_left_ = rules.execute_time;
      } else {
        end_set_play();
      }
      break;
    case State::Finished:  // the break is over
      if (half_ == Half::First)
        prepare_half(Half::Second);
      else if (half_ == Half::Second)
        prepare_half(Half::ExtraFirst);
      else if (half_ == Half::ExtraFirst)
        prepare_half(Half::ExtraSecond);
      else
        start_half(Half::ShootOut);
      break;
  }
}

// --- States ----------------------------------------------------------------------------------------------------------

void Referee::enter(State state) {
  const auto& rules = params_.rules;
  state_ = state;
  set_play_ = SetPlay::None;
  timer_left_.reset();
  stuck_.reset();
  contacts_.clear();
  note("state", std::string(name(state)));
  switch (state) {
    case State::Ready:
      timer_left_ = rules.ready_time;
      ball_in_play_ = false;
      break;
    case State::Set: {
      const double sign = static_cast<double>(static_cast<std::int8_t>(Side::Right));
      const bool shoot_out = half_ == Half::ShootOut;
      place_ball(shoot_out ? Point{sign * (rules.field.length / 2 - rules.field.penalty_mark), 0.0} : Point{});
      timer_left_ = shoot_out ? rules.shoot_out_set_time : rules.set_time;
      ball_in_play_ = false;
      break;
    }
    case State::Playing:
      half_started_ = true;
      ball_in_play_ = half_ == Half::ShootOut || !kick_off_;  // a dropped ball is in play at once
      direct_from_kick_off_ = !ball_in_play_;
      kick_off_kicker_.reset();
      if (half_ == Half::ShootOut) {
        timer_left_ = rules.shoot_out_trial_time;
      } else if (!ball_in_play_) {
        timer_left_ = rules.kick_off_time;
      }
      break;
    case State::Initial:
    case State::Finished:
      ball_in_play_ = false;
      break;
  }
}

void Referee::start_ready(std::optional<std::size_t> kick_off_team) {
  kick_off_ = kick_off_team;
  enter(State::Ready);
}

void Referee::prepare_half(Half half) {
  half_ = half;
  half_started_ = false;
  left_team_ = half == Half::Second || half == Half::ExtraSecond ? 1 : 0;
  kick_off_ = left_team_;
  enter(State::Initial);
  timer_left_ = std::min(params_.rules.initial_time, params_.rules.break_time);
}

void Referee::start_half(Half half) {
  half_ = half;
  half_started_ = false;
  const bool extra = half == Half::ExtraFirst || half == Half::ExtraSecond;
  half_left_ = extra ? params_.rules.extra_half_time : params_.rules.half_time;
  const bool second = half == Half::Second || half == Half::ExtraSecond;
  if (half == Half::ShootOut) {
    note("half", "penalty shoot-out");
    start_trial();
    return;
  }
  left_team_ = second ? 1 : 0;
  note("half", extra ? (second ? "second half of extra time" : "first half of extra time")
                     : (second ? "second half" : "first half"));
  start_ready(second ? 1 : 0);
}

void Referee::end_half() {
  enter(State::Finished);
  const bool draw = score_[0] == score_[1];
  const bool goes_on = half_ == Half::First || half_ == Half::ExtraFirst || (params_.rules.knock_out && draw);
  if (goes_on) {
    timer_left_ = std::max(1e-3, params_.rules.break_time - params_.rules.initial_time);  // the rest is INITIAL
    note("half", "end of the half; " + status());
  } else {
    finish_game();
  }
}

void Referee::finish_game() {
  over_ = true;
  state_ = State::Finished;
  note("result", status());
}

void Referee::count_goal(std::size_t team) {
  if (half_ == Half::ShootOut) {
    end_trial(true);
    return;
  }
  ++score_[team];
  note("goal", "goal for " + team_name(team) + "; " + status(), team);
  start_ready(1 - team);
}

// --- Set plays -------------------------------------------------------------------------------------------------------

void Referee::call_set_play(SetPlay kind, std::size_t team, const Point& spot) {
  set_play_ = kind;
  set_play_team_ = team;
  set_play_phase_ = SetPlayPhase::Called;
  timer_left_ = params_.rules.called_time;
  ball_in_play_ = false;
  direct_from_kick_off_ = false;
  stuck_.reset();
  place_ball(spot);
  note("set_play", std::string(name(kind)) + " for " + team_name(team), team);
}

void Referee::end_set_play() {
  set_play_ = SetPlay::None;
  timer_left_.reset();
  ball_in_play_ = true;
}

// --- Shoot-out -------------------------------------------------------------------------------------------------------

void Referee::start_trial() {
  const std::size_t shooter = trials_[0].shots <= trials_[1].shots ? 0 : 1;
  ++trials_[shooter].shots;
  left_team_ = shooter;  // always on the right goal
  kick_off_ = shooter;
  for (std::size_t team = 0; team < 2; ++team) {
    const bool alone = params_.rules.players_per_team == 1;
    const std::size_t chosen = team == shooter && !alone ? 1 : 0;  // the second robot shoots, the keeper keeps
    for (std::size_t i = 0; i < kMaxPlayers; ++i) {
      players_[team][i].penalty = i == chosen ? Penalty::None : Penalty::Substitute;
    }
  }
  removal_left_.clear();
  note("set_play", "shot " + std::to_string(trials_[shooter].shots) + " of " + team_name(shooter), shooter);
  enter(State::Set);
}

void Referee::end_trial(bool scored) {
  const std::size_t shooter = left_team_;
  auto& trial = trials_[shooter];
  if (scored && trial.shots <= 16) trial.scored = static_cast<std::uint16_t>(trial.scored | (1U << (trial.shots - 1)));
  if (scored) ++score_[shooter];
  note(scored ? "goal" : "set_play", scored ? "shot scored; " + status() : "shot missed; " + status(), shooter);
  shoot_out_decided() ? finish_game() : start_trial();
}

bool Referee::shoot_out_decided() const {
  const int planned = params_.rules.shoot_out_shots;
  const int lead = score_[0] - score_[1];
  if (trials_[0].shots >= planned + kSuddenDeathShots && trials_[0].shots == trials_[1].shots) return true;
  if (trials_[0].shots >= planned && trials_[1].shots >= planned)
    return trials_[0].shots == trials_[1].shots && lead != 0;
  return lead > planned - trials_[1].shots || -lead > planned - trials_[0].shots;
}

// --- Robots and ball -------------------------------------------------------------------------------------------------

void Referee::penalise(std::size_t team, std::uint8_t player, Penalty reason) {
  auto& info = players_[team][player - 1U];
  if (info.penalty != Penalty::None) return;
  info.penalty = reason;
  const auto already_waiting = std::count_if(removal_left_.begin(), removal_left_.end(),
                                             [&](const auto& entry) { return entry.first.first == team; });
  removal_left_[{team, player}] = params_.rules.removal_time;
  info.seconds_till_unpenalized = static_cast<std::uint8_t>(std::min(params_.rules.removal_time, 255.0));
  const auto spot = return_spot(params_.rules, side_of(team), ball_, static_cast<int>(already_waiting));
  outputs_.actions.push_back(
      {FieldAction::Kind::PlaceRobot, params_.teams[team].number, player, spot.position, spot.yaw});
  note("penalty", std::string(name(reason)), team, player);
}

void Referee::release(std::size_t team, std::uint8_t player) {
  removal_left_.erase({team, player});
  players_[team][player - 1U].penalty = Penalty::None;
  players_[team][player - 1U].seconds_till_unpenalized = 0;
  watches_.erase({params_.teams[team].number, player});
  note("release", "may play again", team, player);
}

void Referee::place_ball(const Point& spot) {
  ball_ = spot;
  ball_reference_ = spot;
  outputs_.actions.push_back({FieldAction::Kind::PlaceBall, 0, 0, spot, 0.0});
}

void Referee::note(const std::string& kind, const std::string& text, std::optional<std::size_t> team,
                   std::uint8_t player) {
  outputs_.events.push_back(
      {now_.value_or(0.0), kind, team ? params_.teams[*team].number : std::uint8_t{0}, player, text});
}

Side Referee::side_of(std::size_t team) const {
  return team == left_team_ ? Side::Left : Side::Right;
}

std::size_t Referee::team_on(Side side) const {
  return side == Side::Left ? left_team_ : 1 - left_team_;
}

std::optional<std::size_t> Referee::team_index(std::uint8_t number) const {
  for (std::size_t i = 0; i < 2; ++i) {
    if (params_.teams[i].number == number) return i;
  }
  return std::nullopt;
}

ControlPacket Referee::packet() const {
  ControlPacket packet;
  packet.dialect = params_.dialect;
  packet.players_per_team = static_cast<std::uint8_t>(params_.rules.players_per_team);
  packet.state = state_;
  packet.first_half = half_ == Half::First || half_ == Half::ExtraFirst;
  packet.kick_off_team = kick_off_ ? params_.teams[*kick_off_].number : kDroppedBall;
  packet.phase = timeout_                                                  ? GamePhase::Timeout
                 : half_ == Half::ShootOut                                 ? GamePhase::PenaltyShootOut
                 : half_ == Half::ExtraFirst || half_ == Half::ExtraSecond ? GamePhase::Overtime
                                                                           : GamePhase::Normal;
  packet.set_play = set_play_;
  if (set_play_ != SetPlay::None) {
    packet.set_play_team = params_.teams[set_play_team_].number;
    packet.set_play_phase = set_play_phase_;
  }
  packet.seconds_remaining = seconds(half_left_);
  packet.secondary_time = seconds(timer_left_.value_or(0.0));
  for (std::size_t side = 0; side < 2; ++side) {
    const std::size_t team = side == 0 ? left_team_ : 1 - left_team_;
    auto& info = packet.teams[side];
    info.number = params_.teams[team].number;
    info.colour = params_.teams[team].colour;
    info.score = static_cast<std::uint8_t>(std::clamp(score_[team], 0, 255));
    info.penalty_shot = static_cast<std::uint8_t>(trials_[team].shots);
    info.single_shots = trials_[team].scored;
    info.message_budget = params_.message_budget;
    info.players = players_[team];
  }
  return packet;
}

}  // namespace hl_game_controller
