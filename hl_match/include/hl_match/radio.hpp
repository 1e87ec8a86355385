// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <hl_player/player.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace hl_match {

/// The air between robots and referee: loses packets, delays them, and counts
/// what a team has sent.
class Radio {
 public:
  struct Params {
    double loss = 0.05;         // share of packets that a receiver does not get
    double delay = 0.01;        // s, at least
    double jitter = 0.02;       // s, up to this much more
    std::optional<int> budget;  // messages a team may send in a game; nothing =
                                // as many as it likes
    std::optional<std::string> validate() const;
  };

  /// `teams[i]` is the side (0 or 1) that robot `i` plays for.
  Radio(const Params& params, std::vector<int> teams, std::uint64_t seed);

  /// To all robots.
  void referee(const std::vector<std::uint8_t>& bytes, double now);
  /// From robot `sender`: its team's packets to the others on the team's port
  /// (all robots hear them, as broadcasts).
  void send(std::size_t sender, const hl_player::Packet& packet, double now);
  /// What robot `receiver` hears until `now`, in the order of arrival; each
  /// once.
  std::vector<hl_player::Packet> receive(std::size_t receiver, double now);

  int sent(int team) const { return sent_[static_cast<std::size_t>(team)]; }
  std::optional<int> left(int team) const;  // of the budget
  /// Packets of robots to the referee so far.
  std::size_t answers(std::size_t robot) const { return answers_[robot]; }

 private:
  struct UnderWay {
    double arrives = 0.0;  // s
    std::uint64_t order = 0;
    hl_player::Packet packet;
  };
  void carry(std::size_t receiver, const hl_player::Packet& packet, double now);

  Params params_;
  std::vector<int> teams_;
  std::mt19937_64 random_;
  std::vector<std::vector<UnderWay>> under_way_;  // by receiver
  std::array<int, 2> sent_{};
  std::vector<std::size_t> answers_;
  std::uint64_t order_ = 0;
};

}  // namespace hl_match
