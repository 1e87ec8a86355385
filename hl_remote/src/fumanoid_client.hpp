// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hl_network/udp_socket.hpp"
#include "hl_remote/fumanoid.hpp"

namespace CLI {
class App;
}

namespace hl_remote {

/// What a word of the command line asks of the robot.
struct ClientCommand {
  std::vector<fumanoid::Message> messages;  // to be sent, in this order
  enum class Answer { None, Status, MotorStatus, Names, Offsets, Image } answer = Answer::None;
  std::size_t answers = 1;  // to wait for
};

/// Adds a subcommand for each order, as in "walk 60 0 0"; the one that is given leaves in `chosen` what it asks for.
void add_client_commands(CLI::App& app, ClientCommand& chosen);

/// A message as people read it.
std::string in_words(const fumanoid::Message& message);

/// How long ago each robot was heard, as FUremote judges it.
class RobotWatch {
 public:
  enum class State { Offline, Unreachable, Online };
  void heard(std::uint32_t address, double now) { last_message_time_[address] = now; }
  State state(std::uint32_t address, double now) const;

 private:
  std::map<std::uint32_t, double> last_message_time_;
};

}  // namespace hl_remote
