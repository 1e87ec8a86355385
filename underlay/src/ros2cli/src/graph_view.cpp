// SPDX-License-Identifier: Apache-2.0
#include "graph_view.hpp"

#include <algorithm>

#include "hints.hpp"

namespace ros2cli {
namespace {

using underlay_dds::Endpoint;
using underlay_dds::ros_type_name;

bool starts_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

/// Removes `ending` from `text`; false if it does not end so.
bool cut_end(std::string& text, const std::string& ending) {
  if (text.size() < ending.size() || text.compare(text.size() - ending.size(), ending.size(), ending) != 0)
    return false;
  text.resize(text.size() - ending.size());
  return true;
}

/// ROS name of a topic endpoint; false if it is none.
bool topic_name(const Endpoint& endpoint, std::string& name) {
  if (!starts_with(endpoint.dds_topic, "rt/")) return false;
  name = endpoint.dds_topic.substr(2);
  return true;
}

/// ROS name and type of a service endpoint, seen from the request (rq/...Request) or the reply (rr/...Reply).
bool service_name(const Endpoint& endpoint, const char* prefix, const char* ending, const char* type_ending,
                  std::string& name, std::string& type) {
  if (!starts_with(endpoint.dds_topic, prefix)) return false;
  name = endpoint.dds_topic.substr(2);
  type = ros_type_name(endpoint.dds_type);
  return cut_end(name, ending) && cut_end(type, type_ending);
}

void add_services(const std::vector<Endpoint>& endpoints, Names& names) {
  std::string name, type;
  for (const auto& endpoint : endpoints) {
    if (service_name(endpoint, "rq/", "Request", "_Request", name, type)) names[name].insert(type);
  }
}

void add_topics(const std::vector<Endpoint>& endpoints, Names& names) {
  std::string name;
  for (const auto& endpoint : endpoints) {
    if (topic_name(endpoint, name)) names[name].insert(ros_type_name(endpoint.dds_type));
  }
}

/// Actions among the topics: their feedback topic tells name and type.
Names actions_among(const Names& topics) {
  Names actions;
  for (const auto& [topic, types] : topics) {
    auto name = topic;
    if (!cut_end(name, "/_action/feedback")) continue;
    for (auto type : types) {
      if (cut_end(type, "_FeedbackMessage")) actions[name].insert(type);
    }
  }
  return actions;
}

std::vector<Endpoint> of_topic(const std::vector<Endpoint>& endpoints, const std::string& topic) {
  std::vector<Endpoint> found;
  std::copy_if(endpoints.begin(), endpoints.end(), std::back_inserter(found),
               [&](const Endpoint& endpoint) { return endpoint.dds_topic == "rt" + topic; });
  return found;
}

std::vector<Endpoint> owned(const std::vector<Endpoint>& endpoints, const std::vector<underlay_dds::Gid>& gids) {
  std::vector<Endpoint> found;
  std::copy_if(endpoints.begin(), endpoints.end(), std::back_inserter(found), [&](const Endpoint& endpoint) {
    return std::find(gids.begin(), gids.end(), endpoint.gid) != gids.end();
  });
  return found;
}

std::vector<Endpoint> others(std::vector<Endpoint> endpoints, Session& session) {
  const auto& own = session.participant()->gid();
  endpoints.erase(std::remove_if(endpoints.begin(), endpoints.end(),
                                 [&](const Endpoint& endpoint) { return endpoint.participant == own; }),
                  endpoints.end());
  return endpoints;
}

}  // namespace

GraphView::GraphView(Session& session)
    : nodes(session.graph().nodes()),
      publications(others(session.graph().publications(), session)),
      subscriptions(others(session.graph().subscriptions(), session)) {}

Names GraphView::topics() const {
  Names names;
  add_topics(publications, names);
  add_topics(subscriptions, names);
  return names;
}

Names GraphView::services() const {
  Names names;
  add_services(subscriptions, names);
  add_services(publications, names);
  return names;
}

Names GraphView::actions() const {
  return actions_among(topics());
}

std::vector<Endpoint> GraphView::publishers_of(const std::string& topic) const {
  return of_topic(publications, topic);
}

std::vector<Endpoint> GraphView::subscribers_of(const std::string& topic) const {
  return of_topic(subscriptions, topic);
}

const underlay_dds::NodeEntry* GraphView::owner(const underlay_dds::Gid& gid) const {
  for (const auto& node : nodes) {
    for (const auto* gids : {&node.readers, &node.writers}) {
      if (std::find(gids->begin(), gids->end(), gid) != gids->end()) return &node;
    }
  }
  return nullptr;
}

GraphView::NodeInfo GraphView::info(const underlay_dds::NodeEntry& node) const {
  NodeInfo result;
  const auto writers = owned(publications, node.writers);
  const auto readers = owned(subscriptions, node.readers);
  add_topics(writers, result.publishers);
  add_topics(readers, result.subscribers);
  add_services(readers, result.servers);
  add_services(writers, result.clients);
  result.action_servers = actions_among(result.publishers);
  result.action_clients = actions_among(result.subscribers);
  return result;
}

std::vector<std::string> names_of(const Names& names) {
  std::vector<std::string> result;
  for (const auto& [name, types] : names) result.push_back(name);
  return result;
}

bool is_hidden(const std::string& name) {
  return name.find("/_") != std::string::npos;
}

std::string absolute_name(const std::string& name) {
  return starts_with(name, "/") ? name : "/" + name;
}

std::string wait_for_type(Session& session, const std::string& name, Names (GraphView::*names)() const,
                          const std::string& what, double seconds) {
  Names known;
  session.wait_for_graph(
      [&] {
        known = (GraphView(session).*names)();
        return known.count(name) != 0;
      },
      seconds);
  const auto found = known.find(name);
  if (found == known.end()) {
    throw CommandError(
        what + " '" + name + "' does not exist" + did_you_mean(name, names_of(known)) +
        (known.empty() ? " (there is none at all: are the nodes running, with the same ROS_DOMAIN_ID?)" : ""));
  }
  if (found->second.size() > 1) {
    throw CommandError(what + " '" + name + "' has more than one type: " +
                       joined({found->second.begin(), found->second.end()}) + "; give the type");
  }
  return *found->second.begin();
}

underlay_dds::NodeEntry wait_for_node(Session& session, const std::string& name, double seconds) {
  const auto full = absolute_name(name);
  underlay_dds::NodeEntry result;
  std::vector<std::string> known;
  const bool found = session.wait_for_graph(
      [&] {
        known.clear();
        for (const auto& node : session.graph().nodes()) {
          if (node.full_name() == full) {
            result = node;
            return true;
          }
          if (!is_hidden(node.full_name())) known.push_back(node.full_name());
        }
        return false;
      },
      seconds);
  if (!found) {
    throw CommandError("node '" + full + "' not found" + did_you_mean(full, known) +
                       (known.empty() ? " (there is none: are the nodes running, with the same ROS_DOMAIN_ID?)" : ""));
  }
  return result;
}

}  // namespace ros2cli
