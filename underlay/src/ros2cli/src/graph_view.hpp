// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "session.hpp"

namespace ros2cli {

using Names = std::map<std::string, std::set<std::string>>;  // name -> types

/// The ROS graph at one moment, in ROS names, without the tool's own endpoints.
class GraphView {
 public:
  explicit GraphView(Session& session);

  std::vector<underlay_dds::NodeEntry> nodes;
  std::vector<underlay_dds::Endpoint> publications;
  std::vector<underlay_dds::Endpoint> subscriptions;

  Names topics() const;
  Names services() const;
  Names actions() const;

  std::vector<underlay_dds::Endpoint> publishers_of(const std::string& topic) const;
  std::vector<underlay_dds::Endpoint> subscribers_of(const std::string& topic) const;

  /// The node that says it owns an endpoint, or null.
  const underlay_dds::NodeEntry* owner(const underlay_dds::Gid& gid) const;

  struct NodeInfo {
    Names publishers, subscribers, servers, clients, action_servers, action_clients;
  };
  NodeInfo info(const underlay_dds::NodeEntry& node) const;
};

std::vector<std::string> names_of(const Names& names);
/// A name with a part that starts with an underscore, e.g. /walk/_action/status.
bool is_hidden(const std::string& name);
/// "chatter" -> "/chatter"
std::string absolute_name(const std::string& name);

/// The single type of a topic or service. Waits for it to appear, and throws CommandError with a hint if it does not.
std::string wait_for_type(Session& session, const std::string& name, Names (GraphView::*names)() const,
                          const std::string& what, double seconds);
/// Waits for a node, by its full name.
underlay_dds::NodeEntry wait_for_node(Session& session, const std::string& name, double seconds);

}  // namespace ros2cli
