// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <condition_variable>
#include <set>
#include <stdexcept>

#include "rclcpp/detail/node_identity.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"

namespace rclcpp {
namespace node_interfaces {
namespace {

using underlay_dds::Endpoint;
using NamesAndTypes = NodeGraphInterface::NamesAndTypes;

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.rfind(prefix, 0) == 0;
}

/// "rq/ns/add_intsRequest" -> "/ns/add_ints"; empty if the topic is not of that kind.
std::string ros_name(const std::string& dds_topic, const std::string& prefix, const std::string& suffix) {
  if (!starts_with(dds_topic, prefix + "/") || dds_topic.size() < prefix.size() + suffix.size()) return {};
  if (dds_topic.compare(dds_topic.size() - suffix.size(), suffix.size(), suffix) != 0) return {};
  return dds_topic.substr(prefix.size(), dds_topic.size() - prefix.size() - suffix.size());
}

/// "pkg/srv/Name_Request" -> "pkg/srv/Name"
std::string service_type(const std::string& dds_type) {
  std::string type = underlay_dds::ros_type_name(dds_type);
  for (const std::string suffix : {"_Request", "_Response"}) {
    if (type.size() > suffix.size() && type.compare(type.size() - suffix.size(), suffix.size(), suffix) == 0) {
      type.resize(type.size() - suffix.size());
    }
  }
  return type;
}

class Collector {
 public:
  void topics(const std::vector<Endpoint>& endpoints, bool no_demangle) {
    for (const auto& endpoint : endpoints) {
      if (no_demangle) {
        add(endpoint.dds_topic, endpoint.dds_type);
      } else {
        add(ros_name(endpoint.dds_topic, "rt", ""), underlay_dds::ros_type_name(endpoint.dds_type));
      }
    }
  }
  void services(const std::vector<Endpoint>& endpoints, const std::string& prefix, const std::string& suffix) {
    for (const auto& endpoint : endpoints) {
      add(ros_name(endpoint.dds_topic, prefix, suffix), service_type(endpoint.dds_type));
    }
  }
  NamesAndTypes result() const {
    NamesAndTypes result;
    for (const auto& [name, types] : found_) result[name] = {types.begin(), types.end()};
    return result;
  }

 private:
  void add(const std::string& name, const std::string& type) {
    if (!name.empty()) found_[name].insert(type);
  }
  std::map<std::string, std::set<std::string>> found_;
};

enum class Side { Reader, Writer };

/// The endpoints a node says it owns.
std::vector<Endpoint> endpoints_of(underlay_dds::Graph& graph, const std::string& name, const std::string& namespace_,
                                   Side side) {
  bool known = false;
  std::set<underlay_dds::Gid> gids;
  for (const auto& node : graph.nodes()) {
    if (node.name != name || node.namespace_ != namespace_) continue;
    known = true;
    const auto& own = side == Side::Reader ? node.readers : node.writers;
    gids.insert(own.begin(), own.end());
  }
  if (!known) {
    throw std::runtime_error("no node '" + name + "' in namespace '" + namespace_ + "' is known in the graph");
  }
  auto endpoints = side == Side::Reader ? graph.subscriptions() : graph.publications();
  endpoints.erase(std::remove_if(endpoints.begin(), endpoints.end(),
                                 [&](const Endpoint& endpoint) { return gids.count(endpoint.gid) == 0; }),
                  endpoints.end());
  return endpoints;
}

std::size_t count(const std::vector<Endpoint>& endpoints, const std::string& dds_topic) {
  return static_cast<std::size_t>(std::count_if(
      endpoints.begin(), endpoints.end(), [&](const Endpoint& endpoint) { return endpoint.dds_topic == dds_topic; }));
}

std::vector<TopicEndpointInfo> describe(underlay_dds::Graph& graph, const std::vector<Endpoint>& endpoints,
                                        const std::string& dds_topic, EndpointType type) {
  std::vector<TopicEndpointInfo> found;
  const auto nodes = graph.nodes();
  for (const auto& endpoint : endpoints) {
    if (endpoint.dds_topic != dds_topic) continue;
    std::string name = "_NODE_NAME_UNKNOWN_";
    std::string namespace_ = "_NODE_NAMESPACE_UNKNOWN_";
    for (const auto& node : nodes) {
      const auto& gids = type == EndpointType::Publisher ? node.writers : node.readers;
      if (std::find(gids.begin(), gids.end(), endpoint.gid) == gids.end()) continue;
      name = node.name;
      namespace_ = node.namespace_;
    }
    found.emplace_back(name, namespace_, underlay_dds::ros_type_name(endpoint.dds_type), type, endpoint.gid,
                       detail::from_dds(endpoint.qos));
  }
  return found;
}

}  // namespace

/// Sets the events that were handed out.
struct NodeGraphInterface::Watch {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Event::WeakPtr> events;
  std::shared_ptr<void> subscription;
  OnShutdownCallbackHandle on_shutdown;

  void set_all() {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      for (const auto& weak : events) {
        if (const auto event = weak.lock()) event->set();
      }
    }
    changed.notify_all();
  }
};

NodeGraphInterface::NodeGraphInterface(std::shared_ptr<detail::NodeIdentity> node) : node_(std::move(node)) {}

NodeGraphInterface::~NodeGraphInterface() {
  if (watch_) node_->context->remove_on_shutdown_callback(watch_->on_shutdown);
}

NamesAndTypes NodeGraphInterface::get_topic_names_and_types(bool no_demangle) const {
  auto& graph = node_->participant->graph();
  Collector collector;
  collector.topics(graph.publications(), no_demangle);
  collector.topics(graph.subscriptions(), no_demangle);
  return collector.result();
}

NamesAndTypes NodeGraphInterface::get_service_names_and_types() const {
  auto& graph = node_->participant->graph();
  Collector collector;
  collector.services(graph.subscriptions(), "rq", "Request");
  collector.services(graph.publications(), "rr", "Reply");
  return collector.result();
}

NamesAndTypes NodeGraphInterface::get_service_names_and_types_by_node(const std::string& node_name,
                                                                      const std::string& namespace_) const {
  Collector collector;
  collector.services(endpoints_of(node_->participant->graph(), node_name, namespace_, Side::Reader), "rq", "Request");
  return collector.result();
}

NamesAndTypes NodeGraphInterface::get_client_names_and_types_by_node(const std::string& node_name,
                                                                     const std::string& namespace_) const {
  Collector collector;
  collector.services(endpoints_of(node_->participant->graph(), node_name, namespace_, Side::Reader), "rr", "Reply");
  return collector.result();
}

NamesAndTypes NodeGraphInterface::get_publisher_names_and_types_by_node(const std::string& node_name,
                                                                        const std::string& namespace_,
                                                                        bool no_demangle) const {
  Collector collector;
  collector.topics(endpoints_of(node_->participant->graph(), node_name, namespace_, Side::Writer), no_demangle);
  return collector.result();
}

NamesAndTypes NodeGraphInterface::get_subscriber_names_and_types_by_node(const std::string& node_name,
                                                                         const std::string& namespace_,
                                                                         bool no_demangle) const {
  Collector collector;
  collector.topics(endpoints_of(node_->participant->graph(), node_name, namespace_, Side::Reader), no_demangle);
  return collector.result();
}

std::vector<std::string> NodeGraphInterface::get_node_names() const {
  std::vector<std::string> names;
  for (const auto& node : node_->participant->graph().nodes()) names.push_back(node.full_name());
  return names;
}

std::vector<std::pair<std::string, std::string>> NodeGraphInterface::get_node_names_and_namespaces() const {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& node : node_->participant->graph().nodes()) names.emplace_back(node.name, node.namespace_);
  return names;
}

std::size_t NodeGraphInterface::count_publishers(const std::string& topic_name) const {
  return count(node_->participant->graph().publications(), "rt" + node_->names.topic(topic_name));
}

std::size_t NodeGraphInterface::count_subscribers(const std::string& topic_name) const {
  return count(node_->participant->graph().subscriptions(), "rt" + node_->names.topic(topic_name));
}

std::vector<TopicEndpointInfo> NodeGraphInterface::get_publishers_info_by_topic(const std::string& topic_name,
                                                                                bool no_mangle) const {
  auto& graph = node_->participant->graph();
  return describe(graph, graph.publications(), no_mangle ? topic_name : "rt" + node_->names.topic(topic_name),
                  EndpointType::Publisher);
}

std::vector<TopicEndpointInfo> NodeGraphInterface::get_subscriptions_info_by_topic(const std::string& topic_name,
                                                                                   bool no_mangle) const {
  auto& graph = node_->participant->graph();
  return describe(graph, graph.subscriptions(), no_mangle ? topic_name : "rt" + node_->names.topic(topic_name),
                  EndpointType::Subscription);
}

std::shared_ptr<NodeGraphInterface::Watch> NodeGraphInterface::watch() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (watch_) return watch_;
  watch_ = std::make_shared<Watch>();
  const std::weak_ptr<Watch> weak = watch_;
  watch_->subscription = node_->participant->graph().on_change([weak] {
    if (const auto watch = weak.lock()) watch->set_all();
  });
  watch_->on_shutdown = node_->context->add_on_shutdown_callback([weak] {
    if (const auto watch = weak.lock()) watch->changed.notify_all();
  });
  return watch_;
}

Event::SharedPtr NodeGraphInterface::get_graph_event() {
  auto event = std::make_shared<Event>();
  const auto watch = this->watch();
  const std::lock_guard<std::mutex> lock(watch->mutex);
  auto& events = watch->events;
  events.erase(std::remove_if(events.begin(), events.end(), [](const auto& weak) { return weak.expired(); }),
               events.end());
  events.push_back(event);
  return event;
}

void NodeGraphInterface::wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout) {
  if (!event) throw std::invalid_argument("wait_for_graph_change needs an event of get_graph_event()");
  const auto watch = this->watch();
  std::unique_lock<std::mutex> lock(watch->mutex);
  const auto done = [&] { return event->check() || !node_->context->is_valid(); };
  // The shutdown is signalled without this mutex, hence the bounded waits.
  constexpr std::chrono::nanoseconds look_again = std::chrono::milliseconds(100);
  const auto begin = std::chrono::steady_clock::now();
  while (!done()) {
    auto wait = look_again;
    if (timeout >= std::chrono::nanoseconds::zero()) {
      const std::chrono::nanoseconds left = timeout - (std::chrono::steady_clock::now() - begin);
      if (left <= std::chrono::nanoseconds::zero()) return;
      wait = std::min(wait, left);
    }
    watch->changed.wait_for(lock, wait);
  }
}

}  // namespace node_interfaces
}  // namespace rclcpp
