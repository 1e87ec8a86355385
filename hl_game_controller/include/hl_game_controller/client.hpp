// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hl_soccer/game.hpp>
#include <optional>
#include <string>

#include "hl_game_controller/control_packet.hpp"
#include "hl_game_controller/return_packet.hpp"
#include "hl_network/udp_socket.hpp"

namespace hl_game_controller {

/// What the robot does while no referee is heard.
enum class WithoutReferee : std::uint8_t {
  Keep,  // the last word counts on (before the first word: INITIAL, do not move)
  Play,  // play, for training without a referee
  Stop,  // do not move
};

/// The robot's side of the referee's protocol: which packets count, and what they mean for this robot.
class Client {
 public:
  /// What the soccer league's referee wants to hear; the Humanoid League's does not ask.
  struct Inputs {
    hl_soccer::BodyState body = hl_soccer::BodyState::Startup;
    std::array<float, 3> pose{};         // m, m, rad
    std::optional<double> ball_seen_at;  // s
    std::array<float, 2> ball{};         // m, relative
  };

  struct Outputs {
    bool connected = false;              // a packet was accepted within `lost_after`
    bool allowed_to_move = false;        // its legs
    std::optional<ReturnPacket> answer;  // the one that is due now, in the referee's dialect
    std::uint32_t referee = 0;           // address it goes to; 0 while not connected
  };

  struct Params {
    int team = 1;             // own team number, 1..254
    int player = 1;           // own player number, 1..20
    bool goalkeeper = false;  // announce this robot as the goalkeeper
    WithoutReferee without_referee = WithoutReferee::Keep;
    double lost_after = 5.0;       // s without a packet: the referee is gone
    double restart_after = 2.0;    // s without a packet: any packet number and any sender is accepted again
    double answer_interval = 0.5;  // s, the league allows 0.5 to 2 answers per second
    std::optional<std::string> validate() const;
  };

  enum class Verdict : std::uint8_t { Accepted, NotForUs, OtherReferee, OldPacket, Malformed };

  explicit Client(const Params& params);
  void set_params(const Params& params) { params_ = params; }

  /// One datagram from `sender`, received at `now` (s, any monotonic origin).
  Verdict receive(hl_network::Bytes bytes, const hl_network::Endpoint& sender, double now);

  /// To be called after each packet, and as often as one likes in between.
  Outputs step(const Inputs& inputs, double now);

  /// True while a packet was accepted within `lost_after`.
  bool connected(double now) const;

  /// The last accepted packet; nothing before the first.
  const std::optional<ControlPacket>& packet() const { return packet_; }

  /// When it was accepted (s).
  double packet_time() const { return packet_time_; }

  /// Whether this robot may use its legs, from the last packet and `without_referee`.
  bool allowed_to_move(double now) const;

  const TeamInfo* own_team() const;
  const TeamInfo* rival_team() const;
  const PlayerInfo* own_player() const;

  struct Counters {
    std::uint64_t accepted = 0;
    std::uint64_t not_for_us = 0;
    std::uint64_t other_referee = 0;
    std::uint64_t old = 0;
    std::uint64_t malformed = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  std::optional<ReturnPacket> answer(const Inputs& inputs, double now);
  Verdict judge(const ControlPacket& packet, const hl_network::Endpoint& sender, double now) const;

  Params params_;
  std::optional<ControlPacket> packet_;
  hl_network::Endpoint referee_;
  double packet_time_ = 0.0;
  std::optional<double> answered_at_;
  bool answer_pending_ = false;
  Counters counters_;
};

}  // namespace hl_game_controller
