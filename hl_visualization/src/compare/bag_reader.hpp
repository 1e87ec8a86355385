// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hl_visualization {

/// A recorded run: what was said, in order. Bytes are CDR with their 4-byte header.
struct Bag {
  struct Message {
    std::int64_t time = 0;  // ns, when it was recorded
    std::string topic;
    std::vector<std::uint8_t> bytes;
  };
  std::map<std::string, std::string> types;  // of each topic
  std::vector<Message> messages;

  /// Topics of a robot of this name are in a namespace of their own.
  bool has_namespace(const std::string& robot) const;
};

/// Reads the sqlite3 files of a rosbag2 folder (or one such file). Throws std::runtime_error with the reason and the
/// remedy.
Bag read_bag(const std::string& path);

}  // namespace hl_visualization
