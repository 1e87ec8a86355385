// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ros2bag/storage.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/writer.hpp"

namespace ros2bag {

struct PlayOptions {
  std::filesystem::path bag;
  double rate = 1.0;
  bool loop = false;
  std::vector<std::string> topics;            // only these; empty: all
  std::map<std::string, std::string> remaps;  // recorded topic -> topic to publish
  double clock_rate = 0.0;                    // Hz of /clock; 0: not published
  double start_offset = 0.0;                  // s into the bag
  double delay = 0.0;                         // s before the first message
};

/// Publishes the messages of a bag at the intervals at which they were received.
class Player {
 public:
  Player(std::shared_ptr<underlay_dds::Participant> participant, const PlayOptions& options);
  ~Player();

  /// Plays to the end, or for ever if looping, unless `stop` is set. Returns the number of messages published.
  std::uint64_t run(const std::atomic<bool>& stop);

 private:
  using Clock = std::chrono::steady_clock;

  void advertise(const Topic& topic);
  std::uint64_t play_once(const std::atomic<bool>& stop);
  /// Sleeps until `due`, publishing /clock meanwhile; false if stopped.
  bool wait_until(Clock::time_point due, const std::atomic<bool>& stop);
  void publish_clock(Clock::time_point now);

  std::shared_ptr<underlay_dds::Participant> participant_;
  PlayOptions options_;
  BagReader bag_;
  underlay_dds::Graph::NodeId node_;
  std::vector<std::unique_ptr<underlay_dds::Writer>> writers_;  // by index of the bag's topics; null: not played
  std::unique_ptr<underlay_dds::Writer> clock_;
  Clock::time_point started_{};
  Clock::time_point next_clock_{};
  std::int64_t first_ = 0;  // ns since 1970, bag time at `started_`
};

}  // namespace ros2bag
