// SPDX-License-Identifier: Apache-2.0
// ros2 topic list | info | type | find; the verbs that carry messages are in files of their own.
#include <cstdio>

#include "graph_view.hpp"
#include "hints.hpp"
#include "qos_options.hpp"
#include "topic_verbs.hpp"
#include "underlay_dds/types.hpp"
#include "verb.hpp"

namespace ros2cli {
namespace {

std::string types_text(const std::set<std::string>& types) {
  return joined({types.begin(), types.end()});
}

int list(const Arguments& arguments) {
  Session session;
  session.discover(arguments.number("spin-time", 0.5));
  const GraphView view(session);
  std::size_t count = 0;
  for (const auto& [name, types] : view.topics()) {
    if (is_hidden(name) && !arguments.flag("include-hidden-topics")) continue;
    ++count;
    if (arguments.flag("count-topics")) continue;
    std::printf("%s%s\n", name.c_str(), arguments.flag("show-types") ? (" [" + types_text(types) + "]").c_str() : "");
  }
  if (arguments.flag("count-topics")) std::printf("%zu\n", count);
  return 0;
}

std::string gid_text(const underlay_dds::Gid& gid) {
  std::string text;
  for (const auto byte : gid) {
    char hex[4];
    std::snprintf(hex, sizeof(hex), "%s%02x", text.empty() ? "" : ".", byte);
    text += hex;
  }
  return text;
}

void print_endpoint(const GraphView& view, const underlay_dds::Endpoint& endpoint, const char* kind) {
  const auto* node = view.owner(endpoint.gid);
  std::printf("\nNode name: %s\nNode namespace: %s\nTopic type: %s\n",
              node != nullptr ? node->name.c_str() : "_NODE_NAME_UNKNOWN_",
              node != nullptr ? node->namespace_.c_str() : "_NODE_NAMESPACE_UNKNOWN_",
              underlay_dds::ros_type_name(endpoint.dds_type).c_str());
  if (!endpoint.type_hash.empty()) std::printf("Topic type hash: %s\n", endpoint.type_hash.c_str());
  std::printf("Endpoint type: %s\nGID: %s\nQoS profile:\n%s", kind, gid_text(endpoint.gid).c_str(),
              describe(endpoint.qos).c_str());
}

int info(const Arguments& arguments) {
  const auto name = absolute_name(arguments.positional[0]);
  Session session;
  wait_for_type(session, name, &GraphView::topics, "topic", 3.0);
  session.discover(arguments.number("spin-time", 0.3));
  const GraphView view(session);
  const auto publishers = view.publishers_of(name);
  const auto subscribers = view.subscribers_of(name);
  const bool verbose = arguments.flag("verbose");
  std::printf("Type: %s\n%s", types_text(view.topics()[name]).c_str(), verbose ? "\n" : "");
  std::printf("Publisher count: %zu\n", publishers.size());
  if (verbose) {
    for (const auto& endpoint : publishers) print_endpoint(view, endpoint, "PUBLISHER");
    std::printf("\n");
  }
  std::printf("Subscription count: %zu\n", subscribers.size());
  if (verbose) {
    for (const auto& endpoint : subscribers) print_endpoint(view, endpoint, "SUBSCRIPTION");
    std::printf("\n");
  }
  return 0;
}

int type(const Arguments& arguments) {
  Session session;
  std::printf("%s\n",
              wait_for_type(session, absolute_name(arguments.positional[0]), &GraphView::topics, "topic", 3.0).c_str());
  return 0;
}

int find(const Arguments& arguments) {
  Session session;
  const auto wanted = TypeLibrary::full_name(arguments.positional[0], "msg");
  session.discover(arguments.number("spin-time", 0.5));
  for (const auto& [name, types] : GraphView(session).topics()) {
    if (types.count(wanted) != 0 && (!is_hidden(name) || arguments.flag("include-hidden-topics"))) {
      std::printf("%s\n", name.c_str());
    }
  }
  return 0;
}

}  // namespace

Command topic_command() {
  const Option spin_time = spin_time_option();
  const Option hidden{"include-hidden-topics", 0, "", "also topics whose names have a part with a leading underscore"};
  return Command("topic", "Looks at topics, and publishes to them.",
                 {{"list",
                   "",
                   "names of all topics",
                   {{"show-types", 't', "", "also their types"},
                    {"count-topics", 'c', "", "only how many there are"},
                    hidden,
                    spin_time},
                   list},
                  {"info",
                   "TOPIC",
                   "type and endpoints of a topic",
                   {{"verbose", 'v', "", "nodes, QoS and ids of the endpoints"}, spin_time},
                   info},
                  echo_verb(),
                  hz_verb(),
                  bw_verb(),
                  pub_verb(),
                  {"type", "TOPIC", "type of a topic", {}, type},
                  {"find", "TYPE", "topics of a type", {hidden, spin_time}, find}});
}

}  // namespace ros2cli
