// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "underlay_dds/types.hpp"

namespace underlay_dds {

class Participant;
class Reader;
class Writer;

/// A node, of this process or another, with the endpoints it says it owns.
struct NodeEntry {
  std::string namespace_;
  std::string name;
  std::vector<Gid> readers;
  std::vector<Gid> writers;
  std::string full_name() const { return namespace_ == "/" ? "/" + name : namespace_ + "/" + name; }
};

/// An endpoint anywhere in the domain.
struct Endpoint {
  Gid gid{};
  Gid participant{};
  std::string dds_topic;
  std::string dds_type;
  std::string type_hash;  // RIHS01_..., empty if not announced
  Qos qos;
};

/// The ROS graph: what this process announces on `ros_discovery_info`, and what it knows of all others.
class Graph {
 public:
  explicit Graph(Participant& participant);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  using NodeId = std::uint64_t;
  NodeId add_node(const std::string& namespace_, const std::string& name);
  void remove_node(NodeId node);
  void add_endpoint(NodeId node, bool reader, const Gid& gid);
  void remove_endpoint(NodeId node, bool reader, const Gid& gid);

  /// Changes made while one lives are announced together, when the last one is gone.
  class Batch {
   public:
    explicit Batch(Graph& graph);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

   private:
    Graph& graph_;
  };

  /// Every node of the domain, this process's first.
  std::vector<NodeEntry> nodes();
  std::vector<Endpoint> publications();
  std::vector<Endpoint> subscriptions();

  /// Counts the changes seen so far.
  std::uint64_t version();
  /// Waits until `version` differs from `seen`; false after `timeout_ns` (negative: no limit) or an `interrupt`.
  bool wait_for_change(std::uint64_t seen, std::int64_t timeout_ns);
  /// Wakes all waiting threads.
  void interrupt();
  /// `callback` is called after every change, from a thread of the middleware; it lives as long as the returned token.
  std::shared_ptr<void> on_change(std::function<void()> callback);

  /// Length of a Gid in the graph message: 24 for ROS 2 Humble (the default), 16 for later distributions.
  static std::size_t gid_length();

  // Body of the graph message (no encapsulation), for tests and tools.
  struct Announcement {
    Gid participant{};
    std::vector<NodeEntry> nodes;
  };
  static std::vector<std::uint8_t> encode(const Announcement& announcement, std::size_t gid_length);
  static bool decode(const std::uint8_t* data, std::size_t size, std::size_t gid_length, Announcement& announcement);

 private:
  void receive();
  void changed();
  void announce();
  std::vector<Gid> living_participants();
  void observe();  // starts watching the endpoints of the domain, at the first question about them
  std::vector<Endpoint> endpoints(std::int32_t builtin_reader);

  Participant& participant_;
  std::mutex announce_mutex_;  // announcements leave in the order of the changes; taken before mutex_
  std::mutex mutex_;
  std::condition_variable condition_;
  std::uint64_t version_ = 0;
  std::uint64_t interrupts_ = 0;
  NodeId last_node_ = 0;
  int batches_ = 0;
  bool dirty_ = false;
  std::map<NodeId, NodeEntry> own_;
  std::map<Gid, std::vector<NodeEntry>> others_;
  std::vector<std::weak_ptr<std::function<void()>>> callbacks_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Reader> reader_;
  std::int32_t publications_ = 0;
  std::int32_t subscriptions_ = 0;
  std::int32_t participants_ = 0;
  std::mutex loan_mutex_;                      // of rooms_, and one loan at a time
  std::map<std::int32_t, std::size_t> rooms_;  // samples that the reader of a built-in topic has lent at most
};

}  // namespace underlay_dds
