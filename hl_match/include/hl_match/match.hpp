// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <hl_game_controller/referee.hpp>
#include <hl_player/player.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_match/eyes.hpp"
#include "hl_match/fast_params.hpp"
#include "hl_match/invariants.hpp"
#include "hl_match/percepts.hpp"
#include "hl_match/physics_world.hpp"
#include "hl_match/radio.hpp"
#include "hl_match/team_work.hpp"
#include "hl_match/timeline.hpp"

namespace hl_match {

/// Two teams of whole robots, a world for them, a referee and the radio between
/// them, in one process and without middleware. One seed decides everything:
/// the same parameters give the same bits, on any number of threads.
///
/// One tick (10 ms) in fixed order: the referee looks and speaks, eyes look,
/// packets arrive, all players think (in parallel), servos and radio get what
/// they said, invariants are checked, physics goes on.
class Match {
 public:
  struct Params {
    std::shared_ptr<const hl_player::RobotFiles> files;
    std::shared_ptr<const hl_simulation::RobotSpec> spec;
    hl_description::Field field;
    std::array<int, 2> players{2, 2};  // of each team
    std::uint64_t seed = 1;
    int threads = 1;                                             // for the players
    std::optional<hl_game_controller::Referee::Params> referee;  // nothing = nobody whistles, everybody may play
    hl_simulation::Perception::Params perception;
    double vision_rate = 15.0;  // Hz
    Radio::Params radio;
    hl_simulation::SensorSpec sensors;
    double friction = 0.9;
    bool with_ball = true;
    double timestep = 0.002;           // s, of the physics
    std::optional<FastParams> fast;    // bodies without joints, fitted to physics; nothing = physics
    hl_player::Player::Params player;  // team and number are filled in
    /// Makes what thinks for a player of team 0 or 1 with a number from 1;
    /// nothing = players only obey.
    std::function<std::unique_ptr<hl_player::Thinker>(int team, int number)> mind;
    /// What a robot sees with; nothing = perception from the truth, as above.
    std::function<std::unique_ptr<Eyes>(Match& match, std::size_t robot)> eyes;
    std::optional<std::string> validate() const;
  };

  static constexpr double kTick = 0.01;  // s

  /// Throws std::runtime_error with the reason if the world cannot be built.
  explicit Match(const Params& params);

  /// What a scenario wants of a robot in the next tick.
  hl_player::Player::Inputs& orders(std::size_t robot) { return seats_[robot].inputs; }

  /// One tick; false if the physics diverged (noted as a failure, all is back
  /// at the start).
  bool step();
  /// Until `seconds` have passed or `until` holds; false if the physics
  /// diverged.
  bool run(double seconds, const std::function<bool()>& until = {});
  bool over() const { return referee_ && referee_->over(); }

  double time() const { return world_->time(); }
  std::size_t size() const { return seats_.size(); }
  const Params& params() const { return params_; }
  World& world() { return *world_; }
  const World& world() const { return *world_; }
  /// The physics; throws std::bad_cast if there is none (fast motion).
  PhysicsWorld& physics() { return dynamic_cast<PhysicsWorld&>(*world_); }
  hl_simulation::Simulation& simulation() { return physics().simulation(); }
  const hl_simulation::Simulation& simulation() const {
    return dynamic_cast<const PhysicsWorld&>(*world_).simulation();
  }
  hl_player::Player& player(std::size_t robot) { return *seats_[robot].player; }
  const hl_player::Player& player(std::size_t robot) const { return *seats_[robot].player; }
  SimulatedBody& body(std::size_t robot) { return physics().simulated_body(robot); }
  const hl_player::Player::Outputs& outputs(std::size_t robot) const { return *seats_[robot].outputs; }
  hl_game_controller::Referee* referee() { return referee_ ? &*referee_ : nullptr; }
  const hl_game_controller::Referee* referee() const { return referee_ ? &*referee_ : nullptr; }
  const Radio& radio() const { return radio_; }
  Timeline& timeline() { return timeline_; }
  const Timeline& timeline() const { return timeline_; }
  std::vector<std::unique_ptr<Invariant>>& invariants() { return invariants_; }

  int team(std::size_t robot) const { return seats_[robot].team; }      // 0 or 1
  int number(std::size_t robot) const { return seats_[robot].number; }  // from 1
  /// True pose of base_footprint in the map of the robot's team, and of a point
  /// of the world.
  hl_description::Pose2 true_pose(std::size_t robot) const;
  Eigen::Vector2d in_map(std::size_t robot, const Eigen::Vector2d& world) const;
  /// Puts a robot at a pose of its team's map, standing as its servos want;
  /// false if something is in the way.
  bool place(std::size_t robot, const hl_description::Pose2& pose);

 private:
  using Player = hl_player::Player;
  struct Seat {
    int team = 0, number = 1;
    std::unique_ptr<Player> player;
    hl_simulation::Vision vision;
    std::unique_ptr<Eyes> eyes;  // in place of `vision`
    Player::Inputs inputs;
    const Player::Outputs* outputs = nullptr;
    std::optional<hl_simulation::Eye> eye;
    hl_soccer::BodyState last_body = hl_soccer::BodyState::Startup;
    std::optional<hl_game_controller::FieldAction> removal;  // waits until the robot stands still
    double removal_since = 0.0;                              // s
  };

  static std::unique_ptr<World> world_of(const Params& params);
  bool attacks_minus_x(int team) const;
  void referee_turn();
  void carry_out(const hl_game_controller::FieldAction& action);
  void remove_robots();
  void start_positions();
  bool place_in_world(std::size_t robot, const hl_description::Pose2& pose);
  void look();
  void think(std::size_t robot);
  void note_robot(std::size_t robot);

  Params params_;
  std::unique_ptr<World> world_;
  std::vector<Seat> seats_;
  std::vector<Jersey> jerseys_;
  Radio radio_;
  std::optional<hl_game_controller::Referee> referee_;
  std::size_t left_team_ = 0;
  std::uint8_t packet_number_ = 0;
  bool started_ = false;                                          // the referee waits in INITIAL until all stand
  double next_view_ = 0.0, next_packet_ = 0.0, next_look_ = 0.0;  // s
  hl_simulation::Scene scene_;
  bool looks_ = false;  // in this tick
  TeamWork work_;
  Timeline timeline_;
  std::vector<std::unique_ptr<Invariant>> invariants_;
};

/// What the referee sees of the world; `team_numbers` are those of both sides.
hl_game_controller::FieldView field_view(const Match& match, const std::array<std::uint8_t, 2>& team_numbers);

}  // namespace hl_match
