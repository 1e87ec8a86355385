// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "ros2bag/storage.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/reader.hpp"

namespace ros2bag {

/// Which topics are wanted; a topic that any of the first three names is recorded unless it is excluded.
struct TopicFilter {
  std::vector<std::string> names;
  bool all = false;
  std::optional<std::regex> matching;
  std::optional<std::regex> excluded;
  bool hidden = false;  // also those with a part that starts with an underscore, e.g. of actions

  bool wants(const std::string& topic) const;
};

struct RecordOptions {
  std::filesystem::path output;
  TopicFilter filter;
  BagWriter::Limits limits;
  bool discover_later = true;  // look for topics that appear after the start
  bool use_sim_time = false;   // stamps from /clock; nothing is recorded before its first message
};

using Log = std::function<void(const std::string& level, const std::string& text)>;

/// Subscribes to what the filter wants, as soon as somebody publishes it, and writes it to a bag.
class Recorder {
 public:
  Recorder(std::shared_ptr<underlay_dds::Participant> participant, const RecordOptions& options, Log log);
  ~Recorder();

  /// Records until `stop` is set, then closes the bag.
  void run(const std::atomic<bool>& stop);

  const Metadata& metadata() const { return bag_.metadata(); }

 private:
  struct Subscription {
    std::string type;
    std::size_t topic;  // in the bag
    underlay_dds::Qos qos;
    std::atomic<bool> pending{false};
    std::unique_ptr<underlay_dds::Reader> reader;
  };

  /// Shared with callbacks of the middleware, one of which may still be running when the recorder is gone.
  struct Signal {
    std::mutex mutex;
    std::condition_variable condition;
    bool woken = true;
    bool graph_changed = true;
    void raise(bool graph_has_changed);
  };

  void discover();
  void warn_of_types(const std::string& topic, const std::string& recorded, const std::string& other);
  void subscribe(const std::string& topic, const std::string& type, const std::vector<underlay_dds::Qos>& offered);
  std::unique_ptr<underlay_dds::Reader> make_reader(const std::string& topic, Subscription& subscription);
  void announce(const underlay_dds::Reader& reader);
  void drain();
  void drain(Subscription& subscription);
  void read_clock();

  std::shared_ptr<underlay_dds::Participant> participant_;
  RecordOptions options_;
  Log log_;
  BagWriter bag_;
  underlay_dds::Graph::NodeId node_;
  std::map<std::string, std::unique_ptr<Subscription>> subscriptions_;
  std::set<std::string> warned_;  // topics
  std::unique_ptr<underlay_dds::Reader> clock_;
  std::int64_t sim_time_ = -1;  // ns; -1: /clock has not come yet
  std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  std::shared_ptr<void> graph_callback_;
};

}  // namespace ros2bag
