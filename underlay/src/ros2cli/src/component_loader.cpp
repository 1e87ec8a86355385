// SPDX-License-Identifier: Apache-2.0
// component_loader FILE: puts components into a container, for `ros2 launch`. The YAML file holds the container's name
// and the requests of its load_node service.
#include <yaml-cpp/yaml.h>

#include <cstdio>

#include "component_client.hpp"
#include "hints.hpp"
#include "yaml_reader.hpp"

namespace {

int load_all(const std::string& path) {
  const auto file = ros2cli::parse_yaml_file(path);
  const auto container = file["container"].as<std::string>();
  ros2cli::Session session;
  ros2cli::ComponentClient client(session, container);
  const auto& type = session.types().find("composition_interfaces/srv/LoadNode_Request");
  const double forever = -1.0;  // the launcher ends this program if the container does not come
  bool failed = false;
  for (const auto& node : file["requests"]) {
    try {
      const auto loaded = client.load(ros2cli::message_from_node(type, node), forever);
      std::printf("[INFO] [launch_ros.actions.load_composable_nodes]: Loaded node '%s' in container '%s'\n",
                  loaded.node.c_str(), container.c_str());
      std::fflush(stdout);
    } catch (const ros2cli::CommandError& error) {
      if (ros2cli::interrupted()) return 130;
      std::fprintf(stderr, "[ERROR] [launch_ros.actions.load_composable_nodes]: %s\n", error.what());
      failed = true;
    }
  }
  return failed ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: component_loader FILE\n");
    return 2;
  }
  try {
    return load_all(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "component_loader: %s\n", error.what());
    return 1;
  }
}
