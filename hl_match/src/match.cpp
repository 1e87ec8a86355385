// SPDX-License-Identifier: Apache-2.0
#include "hl_match/match.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <stdexcept>

#include "hl_match/fast_world.hpp"

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_soccer::BodyState;

constexpr double kViewPeriod = 0.1;       // s between two looks of the referee
constexpr double kPacketPeriod = 0.5;     // s, as the official program
constexpr double kRounding = 1e-6;        // s
constexpr double kRemovalPatience = 5.0;  // s until a robot is carried off, whatever it does

/// Where handlers put a robot before a half: on the touch line of its own half,
/// looking at the field; in its map.
Pose2 start_position(const hl_description::Field& field, int number) {
  const double side = number % 2 == 1 ? 1.0 : -1.0;  // odd numbers on the left
  const double x = -(0.5 * field.length - field.penalty_mark) + 0.9 * ((number - 1) / 2);
  return {std::min(x, -0.6), side * 0.5 * field.width, -side * M_PI_2};
}

Pose2 turned(const Pose2& pose) {
  return {-pose.x, -pose.y, hl_description::wrap_angle(pose.yaw + M_PI)};
}

bool due(double now, double& next, double period) {
  if (now < next - kRounding) return false;
  next += period;
  return true;
}

}  // namespace

std::optional<std::string> Match::Params::validate() const {
  if (!files || !spec) return "files and spec of the robot are missing";
  for (const int count : players)
    if (count < 0 || count > 11) return "players is " + std::to_string(count) + ", must be in 0..11";
  if (players[0] + players[1] == 0) return "nobody plays";
  if (threads < 1 || threads > 64) return "threads is " + std::to_string(threads) + ", must be in 1..64";
  if (!(vision_rate >= 1.0 && vision_rate <= 100.0))
    return "vision_rate is " + std::to_string(vision_rate) + ", must be in 1..100 Hz";
  if (auto error = perception.validate()) return error;
  if (auto error = radio.validate()) return error;
  if (referee) return referee->validate();
  return std::nullopt;
}

std::unique_ptr<World> Match::world_of(const Params& params) {
  if (const auto error = params.validate()) throw std::runtime_error("match: " + *error);
  if (params.fast) {
    FastWorld::Spec spec{params.files, params.spec, params.field, *params.fast, {}, params.seed};
    for (const int team : {0, 1}) {
      for (int number = 1; number <= params.players[static_cast<std::size_t>(team)]; ++number) {
        const Pose2 pose = start_position(params.field, number);
        spec.robots.push_back(team == 0 ? pose : turned(pose));
      }
    }
    return std::make_unique<FastWorld>(spec);
  }
  hl_simulation::WorldSpec world;
  world.field = params.field;
  world.turf.friction = params.friction;
  world.with_ball = params.with_ball;
  world.timestep = params.timestep;
  world.seed = params.seed;
  for (int team = 0; team < 2; ++team) {
    for (int number = 1; number <= params.players[static_cast<std::size_t>(team)]; ++number) {
      hl_simulation::RobotPlacement placement;
      placement.spec = params.spec;
      placement.name = (team == 0 ? "left" : "right") + std::to_string(number);
      const Pose2 pose = start_position(params.field, number);
      const Pose2 in_world = team == 0 ? pose : turned(pose);
      placement.x = in_world.x;
      placement.y = in_world.y;
      placement.yaw = in_world.yaw;
      placement.colour = team == 0 ? Eigen::Vector4d(0.85, 0.1, 0.1, 1.0) : Eigen::Vector4d(0.1, 0.2, 0.8, 1.0);
      placement.number = number;
      placement.sensors = params.sensors;
      world.robots.push_back(placement);
    }
  }
  return std::make_unique<PhysicsWorld>(world, params.files);
}

Match::Match(const Params& params)
    : params_(params),
      world_(world_of(params)),
      radio_(
          params.radio,
          [&] {
            std::vector<int> teams(static_cast<std::size_t>(params.players[0]), 0);
            teams.insert(teams.end(), static_cast<std::size_t>(params.players[1]), 1);
            return teams;
          }(),
          params.seed),
      work_(params.threads),
      invariants_(usual_invariants()) {
  if (params_.referee) {
    params_.referee->seed = params_.seed;
    params_.referee->rules.field = params_.field;  // both look at the same one
    referee_.emplace(*params_.referee);
  }
  for (int team = 0; team < 2; ++team) {
    for (int number = 1; number <= params_.players[static_cast<std::size_t>(team)]; ++number) {
      Seat seat{team, number, nullptr, hl_simulation::Vision(params_.perception), nullptr, {}, nullptr, {},
                {},   {},     0.0};
      Player::Params config = params_.player;
      const int team_number =
          params_.referee ? params_.referee->teams[static_cast<std::size_t>(team)].number : team + 1;
      config.referee.team = config.team.roster.team = team_number;
      config.referee.player = config.team.roster.player = number;
      config.referee.goalkeeper = number == 1;
      config.team.budget.team_size = std::max(1, params_.players[static_cast<std::size_t>(team)]);
      if (params_.referee) config.team.half_duration = params_.referee->rules.half_time;
      if (!params_.referee) config.referee.without_referee = hl_game_controller::WithoutReferee::Play;
      seat.player = std::make_unique<Player>(params_.files, config, params_.mind ? params_.mind(team, number) : nullptr,
                                             world_->mover(seats_.size()));
      seats_.push_back(std::move(seat));
      jerseys_.push_back({team == 1, number});
    }
  }
  if (!params_.eyes) return;
  for (std::size_t i = 0; i < seats_.size(); ++i) seats_[i].eyes = params_.eyes(*this, i);
}

bool Match::attacks_minus_x(int team) const {
  return static_cast<std::size_t>(team) != left_team_;
}

Pose2 Match::true_pose(std::size_t robot) const {
  const Pose2 pose = world_->body(robot).footprint;
  return attacks_minus_x(team(robot)) ? turned(pose) : pose;
}

Eigen::Vector2d Match::in_map(std::size_t robot, const Eigen::Vector2d& world) const {
  return attacks_minus_x(team(robot)) ? Eigen::Vector2d(-world) : world;
}

bool Match::place(std::size_t robot, const Pose2& pose) {
  return place_in_world(robot, attacks_minus_x(team(robot)) ? turned(pose) : pose);
}

bool Match::place_in_world(std::size_t robot, const Pose2& pose) {
  Seat& seat = seats_[robot];
  const bool has_goals = seat.outputs != nullptr && seat.outputs->motion->goals;
  if (world_->place(robot, pose, has_goals ? seat.outputs->motion->positions : std::vector<double>{})) return false;
  seat.vision.forget();
  if (seat.eyes) seat.eyes->forget();
  return true;
}

// --- the referee
// -------------------------------------------------------------------------------------------------------

hl_game_controller::FieldView field_view(const Match& match, const std::array<std::uint8_t, 2>& team_numbers) {
  const World& world = match.world();
  hl_game_controller::FieldView view;
  const Eigen::Vector3d ball = world.ball_position();
  view.ball = {ball.x(), ball.y()};
  view.ball_height = ball.z();
  view.last_touch = world.ball_touched_by();
  for (std::size_t i = 0; i < match.size(); ++i) {
    const World::Body body = world.body(i);
    hl_game_controller::SeenRobot seen;
    seen.team = team_numbers[static_cast<std::size_t>(match.team(i))];
    seen.player = static_cast<std::uint8_t>(match.number(i));
    seen.position = {body.trunk.x(), body.trunk.y()};
    seen.velocity = {body.velocity.x(), body.velocity.y()};
    seen.upright = body.upright;
    seen.touching = body.touching;
    view.robots.push_back(seen);
  }
  return view;
}

void Match::referee_turn() {
  if (!referee_) return;
  const double now = time();
  if (!started_ && now >= params_.referee->rules.initial_time) {
    started_ = true;
    referee_->command("start");
  }
  if (due(now, next_view_, kViewPeriod)) {
    const auto& teams = params_.referee->teams;
    std::optional<hl_game_controller::FieldView> view;
    if (params_.with_ball) view = field_view(*this, {teams[0].number, teams[1].number});
    const auto outputs = referee_->step({view ? &*view : nullptr}, now);
    for (const auto& event : outputs.events)
      timeline_.add({event.time, Severity::Note, event.kind, event.team, event.player, event.text});
    const auto packet = referee_->packet();
    const std::size_t left = packet.teams[0].number == teams[0].number ? 0 : 1;
    if (left != left_team_) {
      left_team_ = left;
      start_positions();
    }
    for (const auto& action : outputs.actions) carry_out(action);
  }
  remove_robots();
  if (due(now, next_packet_, kPacketPeriod)) {
    auto packet = referee_->packet();
    packet.packet_number = packet_number_++;
    for (auto& team : packet.teams) {
      const int index = team.number == params_.referee->teams[0].number ? 0 : 1;
      if (const auto left = radio_.left(index)) team.message_budget = static_cast<std::uint16_t>(std::max(0, *left));
    }
    std::vector<std::uint8_t> bytes(hl_game_controller::kMaxControlPacketSize);
    bytes.resize(encode(packet, bytes.data(), bytes.size()));
    radio_.referee(bytes, now);
  }
}

void Match::carry_out(const hl_game_controller::FieldAction& action) {
  using Kind = hl_game_controller::FieldAction::Kind;
  if (action.kind == Kind::PlaceBall) {
    // Robots that stand where the ball belongs are stepped over: the ball is
    // put down beside them.
    for (const double aside : {0.0, 0.25, -0.25, 0.5, -0.5}) {
      if (!world_->place_ball({action.position.x, action.position.y + aside, 0.0}, Eigen::Vector3d::Zero())) return;
    }
    timeline_.add({time(), Severity::Warning, "ball_not_placed", 0, 0, "robots stand where the ball belongs"});
    return;
  }
  for (Seat& seat : seats_) {
    const auto& team = params_.referee->teams[static_cast<std::size_t>(seat.team)];
    if (team.number != action.team || seat.number != action.player) continue;
    seat.removal = action;
    seat.removal_since = time();
  }
}

/// Handlers wait until the robot has heard of its penalty and stands still.
void Match::remove_robots() {
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    Seat& seat = seats_[i];
    if (!seat.removal || seat.outputs == nullptr) continue;
    const bool still = seat.outputs->motion->body == BodyState::Penalty;
    if (!still && time() - seat.removal_since < kRemovalPatience) continue;
    Pose2 spot{seat.removal->position.x, seat.removal->position.y, seat.removal->yaw};
    for (int tries = 0; tries<6; ++tries, spot.x += spot.x> 0.0 ? -0.5 : 0.5) {
      if (!place_in_world(i, spot)) continue;
      seat.removal.reset();
      break;
    }
  }
}

void Match::start_positions() {
  // Away first, so that nobody stands in another's place.
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      Pose2 pose = start_position(params_.field, seats_[i].number);
      if (round == 0) pose.y *= 1.25;
      place(i, pose);
    }
  }
}

// --- one tick
// ----------------------------------------------------------------------------------------------------------

void Match::look() {
  looks_ = due(time(), next_look_, 1.0 / params_.vision_rate);
  for (Seat& seat : seats_)
    if (seat.eyes) seat.eyes->look(looks_);
  if (!looks_) return;
  scene_ = world_->scene();
  for (std::size_t i = 0; i < seats_.size(); ++i) seats_[i].eye = world_->eye(i);
}

void Match::think(std::size_t robot) {
  Seat& seat = seats_[robot];
  const double now = time();
  if (looks_ && seat.eye && !seat.eyes) seat.vision.look(scene_, *seat.eye, params_.seed, world_->moment(), now);
  seat.inputs.percepts = seat.eyes ? seat.eyes->take(now) : std::vector<hl_soccer::Percepts>();
  for (const auto& seen : seat.vision.take(now)) {
    const double height = seat.eye ? seat.eye->camera.translation().z() : 0.5;
    const double noise = std::hypot(params_.perception.ray_noise, params_.perception.pose_noise);
    seat.inputs.percepts.push_back(
        soccer_percepts(seen, jerseys_, attacks_minus_x(seat.team) ? M_PI : 0.0, params_.field, height, noise));
  }
  seat.outputs = &seat.player->step(seat.inputs, now);
  seat.inputs.orders = {};
  seat.inputs.manual.reset();
}

void Match::note_robot(std::size_t robot) {
  Seat& seat = seats_[robot];
  const auto& out = *seat.outputs;
  const auto note = [&](const char* kind, const std::string& text) {
    timeline_.add({time(), Severity::Note, kind, seat.team + 1, seat.number, text});
  };
  for (const auto& word : out.words) note("word", word);
  if (out.motion->body == BodyState::Falling && seat.last_body != BodyState::Falling)
    note("fall", seat.player->mover().fall_direction());
  if (seat.last_body == BodyState::GettingUp && out.motion->body == BodyState::Controllable) note("stands_again", "");
  if (out.motion->kick) note(out.motion->kick->successful ? "kick" : "kick_failed", out.motion->kick->message);
  seat.last_body = out.motion->body;
}

bool Match::step() {
  referee_turn();
  look();
  const double now = time();
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    seats_[i].inputs.sensors = world_->sense(i);
    seats_[i].inputs.packets = radio_.receive(i, now);
  }
  work_.run(seats_.size(), [this](std::size_t i) { think(i); });
  for (std::size_t i = 0; i < seats_.size(); ++i) {
    world_->obey(i, *seats_[i].outputs->motion);
    for (const auto& packet : seats_[i].outputs->packets) radio_.send(i, packet, now);
    note_robot(i);
  }
  for (auto& invariant : invariants_) invariant->check(*this);
  if (world_->advance(kTick)) return true;
  timeline_.add({time(), Severity::Failure, "physics", 0, 0, "the physics diverged; everything is back at its start"});
  return false;
}

bool Match::run(double seconds, const std::function<bool()>& until) {
  for (const double end = time() + seconds - kRounding; time() < end && !over();) {
    if (!step()) return false;
    if (until && until()) break;
  }
  return true;
}

}  // namespace hl_match
