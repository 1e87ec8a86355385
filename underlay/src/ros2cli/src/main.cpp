// SPDX-License-Identifier: Apache-2.0
// Compiled once per command, with ROS2_COMMAND set to its function.
#include "verb.hpp"

int main(int argc, char** argv) {
  return ros2cli::ROS2_COMMAND().run({argv + 1, argv + argc});
}
