// SPDX-License-Identifier: Apache-2.0
#include "component_client.hpp"

#include "hints.hpp"

namespace ros2cli {
namespace {

constexpr double load_patience = 60.0;  // s: a component may read large files in its constructor

}  // namespace

Message ComponentClient::call(const std::string& service, const std::string& type, const Message& request,
                              double seconds) {
  DynamicClient client(session_, container_ + "/_container/" + service, "composition_interfaces/srv/" + type);
  if (!client.wait_for_server(seconds)) throw CommandError("container '" + container_ + "' is not there");
  auto response = client.call(request, load_patience);
  if (!response) throw CommandError("container '" + container_ + "' does not answer");
  return *response;
}

Message ComponentClient::load_request() {
  return make_message(session_.types().find("composition_interfaces/srv/LoadNode_Request"));
}

ComponentClient::Loaded ComponentClient::load(const Message& request, double seconds) {
  const auto response = call("load_node", "LoadNode", request, seconds);
  if (integer(response, "success") == 0) {
    throw CommandError("component '" + text(request, "plugin_name") + "' of package '" + text(request, "package_name") +
                       "' could not be loaded into '" + container_ + "': " + text(response, "error_message"));
  }
  return {integer(response, "unique_id"), text(response, "full_node_name")};
}

void ComponentClient::unload(std::uint64_t id) {
  auto request = make_message(session_.types().find("composition_interfaces/srv/UnloadNode_Request"));
  member(request, "unique_id").content = Number::of_unsigned(Kind::UInt64, id);
  const auto response = call("unload_node", "UnloadNode", request, 5.0);
  if (integer(response, "success") == 0) {
    throw CommandError("component " + std::to_string(id) +
                       " could not be unloaded: " + text(response, "error_message"));
  }
}

Message ComponentClient::list() {
  const auto request = make_message(session_.types().find("composition_interfaces/srv/ListNodes_Request"));
  return call("list_nodes", "ListNodes", request, 5.0);
}

}  // namespace ros2cli
