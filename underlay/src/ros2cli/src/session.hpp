// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/reader.hpp"
#include "value.hpp"

namespace ros2cli {

/// True after Ctrl-C.
bool interrupted();

/// Something that another thread signals and this one waits for; Ctrl-C ends the waiting.
class Bell {
 public:
  void ring();
  /// Until `condition` holds; false after `seconds` (negative: no limit) or Ctrl-C. Checked when rung, and now and
  /// then.
  bool wait(const std::function<bool()>& condition, double seconds);

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  std::uint64_t count_ = 0;
};

/// The tool's presence in the ROS graph.
class Session {
 public:
  explicit Session(const std::string& node_name = "");
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::shared_ptr<underlay_dds::Participant>& participant() const { return participant_; }
  underlay_dds::Graph& graph() { return participant_->graph(); }
  TypeLibrary& types() { return types_; }

  /// Waits until the graph has been quiet for a while, at least for `seconds`.
  void discover(double seconds = 0.5);
  /// Waits until `found` holds for the graph; false after `seconds` or Ctrl-C.
  bool wait_for_graph(const std::function<bool()>& found, double seconds);
  /// Says in the graph that this tool's node owns an endpoint.
  void own(bool reader, const underlay_dds::Gid& gid) { graph().add_endpoint(node_, reader, gid); }

 private:
  std::shared_ptr<underlay_dds::Participant> participant_;
  underlay_dds::Graph::NodeId node_;
  TypeLibrary types_;
};

/// A subscription to a topic of which only the type's description is known.
class DynamicReader {
 public:
  DynamicReader(Session& session, const std::string& topic, const Description& type, const underlay_dds::Qos& qos);
  /// The next message; nothing after `seconds` (negative: no limit) or Ctrl-C.
  std::optional<underlay_dds::Sample> take(double seconds);
  std::size_t matched() const { return reader_.matched(); }
  /// Publishers that cannot match, and why; empty if none.
  std::string incompatible();

 private:
  underlay_dds::ReaderEvents events();
  Bell bell_;
  std::mutex mutex_;
  std::string incompatible_;
  underlay_dds::Reader reader_;
};

/// Calls services of which only the type's name is known.
class DynamicClient {
 public:
  /// `type` as in "std_srvs/srv/SetBool".
  DynamicClient(Session& session, const std::string& service, const std::string& type);
  ~DynamicClient();
  bool wait_for_server(double seconds);
  /// The response, or nothing after `seconds` (negative: no limit) or Ctrl-C.
  std::optional<Message> call(const Message& request, double seconds);
  /// The same in two steps, to do something else in between.
  std::int64_t send(const Message& request);
  std::optional<Message> wait_for(std::int64_t sequence, double seconds);

  const Description& request_type() const { return request_type_; }

 private:
  struct Implementation;
  const std::string service_;
  const Description& request_type_;
  const Description& response_type_;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace ros2cli
