// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bag_reader.hpp"

namespace hl_visualization {

/// "package/executable [file.yaml] [name:=value ...]".
struct NodeSpec {
  std::string text, package, executable;
  std::vector<std::string> arguments;  // for its command line
  /// Throws std::runtime_error with what is wrong.
  static NodeSpec parse(const std::string& text);
  /// Into the robot's namespace, with its transforms, as launch files do it.
  void put_into(const std::string& robot);
};

/// What a node said while the bag was played to it.
struct Performance {
  struct Output {
    std::string type;
    std::vector<std::vector<std::uint8_t>> messages;
    std::vector<double> delays;  // s, from the input with the same stamp to this message
  };
  std::map<std::string, Output> outputs;
  std::vector<std::string> inputs;
  double cpu = 0.0;      // share of a core
  double seconds = 0.0;  // the replay took, real time
};

/// Starts the node, plays it the topics it listens to, at `rate` times the recorded speed, with the recorded /clock (or
/// the time of recording, if there is none), and collects what it publishes. rclcpp must be initialised.
Performance replay(const Bag& bag, const NodeSpec& spec, double rate);

}  // namespace hl_visualization
