// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hl_game_controller/client.hpp>
#include <hl_game_controller/game_state.hpp>
#include <hl_hcm/pause.hpp>
#include <hl_soccer/belief.hpp>
#include <hl_soccer/percepts.hpp>
#include <hl_team_comm/team_comm.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_player/motion.hpp"
#include "hl_player/thinker.hpp"

namespace hl_player {

/// A datagram as the robot's sockets would hear or send it.
struct Packet {
  enum class Channel : std::uint8_t { Referee, Team } channel = Channel::Team;
  std::vector<std::uint8_t> bytes;
  std::uint32_t sender = 0;  // IPv4 address, of received ones
};

/// The cores of one robot in one thread: sensor frame, percepts and packets in;
/// joint goals, packets and words out. The outputs of one core are fed into the
/// next as the nodes do it over topics; nothing is decided here. No clock, no
/// globals: the same inputs give the same outputs, bit by bit.
class Player {
 public:
  struct Inputs {
    SensorFrame sensors;
    std::vector<hl_soccer::Percepts> percepts;         // that have become known now, each with the stamp of its
                                                       // picture
    std::vector<Packet> packets;                       // that have arrived since the last step
    Mover::Orders orders;                              // of a person or a test; count more than the own ones
    std::optional<hl_hcm::PauseLogic::Manual> manual;  // the handler's word
  };

  struct Outputs {
    const Mover::Outputs* motion = nullptr;
    std::vector<Packet> packets;     // to be sent
    std::vector<std::string> words;  // to be spoken
  };

  struct Params {
    hl_game_controller::Client::Params referee;
    hl_team_comm::TeamComm::Params team;
    std::optional<std::string> validate() const;
  };

  /// Without a mind the robot does only what it is told; without a mover it moves by our `Motion`. Throws
  /// std::invalid_argument with the first bad value.
  Player(std::shared_ptr<const RobotFiles> files, const Params& params, std::unique_ptr<Thinker> mind = nullptr,
         std::unique_ptr<Mover> mover = nullptr);

  /// One control tick (100 Hz) at `now` (s). The outputs stay valid until the
  /// next.
  const Outputs& step(const Inputs& inputs, double now);

  const Mover& mover() const { return *mover_; }
  /// Our own mover; throws std::bad_cast if another one moves the robot.
  const Motion& motion() const { return dynamic_cast<const Motion&>(*mover_); }
  Motion& motion() { return dynamic_cast<Motion&>(*mover_); }
  const hl_soccer::GameState& game() const { return game_; }
  const std::vector<hl_soccer::TeamMate>& team_mates() const { return team_mates_; }
  bool paused() const { return pause_.paused(); }
  const Thinker* mind() const { return mind_.get(); }
  const Thinker::Outputs* decided() const { return decided_; }  // by the mind; nothing yet, or no mind

 private:
  void hear(const std::vector<Packet>& packets, double now);
  void read_words(const Inputs& inputs, double now);
  void decide(const Inputs& inputs, double now);
  void talk(double now);

  Params params_;
  std::unique_ptr<Mover> mover_;
  hl_game_controller::Client client_;
  hl_hcm::Pause pause_;
  hl_team_comm::TeamComm team_;
  hl_soccer::GameState game_;
  double game_at_ = -1e9;  // s, when it was last computed
  double talk_at_ = -1e9;  // s
  std::vector<hl_soccer::TeamMate> team_mates_;
  std::unique_ptr<Thinker> mind_;
  Thinker::Inputs mind_inputs_;
  const Thinker::Outputs* decided_ = nullptr;
  Mover::Inputs motion_inputs_;
  Outputs out_;
};

}  // namespace hl_player
