// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hl_behavior {

/// Reads bags in the sqlite3 format of rosbag2: a folder with .db3 files, or one such file.
class BagReader {
 public:
  struct Message {
    std::string topic, type;
    double time = 0.0;               // s, when it was recorded
    std::vector<std::uint8_t> data;  // CDR
  };
  /// Throws std::runtime_error with the path and the remedy.
  explicit BagReader(const std::string& path);

  /// All messages of topics that `wanted` likes, by time, until `take` says false.
  void read(const std::function<bool(const std::string& topic, const std::string& type)>& wanted,
            const std::function<bool(const Message&)>& take) const;

 private:
  std::vector<std::string> files_;
};

}  // namespace hl_behavior
