// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "session.hpp"

namespace ros2cli {

/// The services of one component container.
class ComponentClient {
 public:
  ComponentClient(Session& session, std::string container) : session_(session), container_(std::move(container)) {}

  struct Loaded {
    std::int64_t id = 0;
    std::string node;
  };
  /// An empty composition_interfaces/srv/LoadNode_Request.
  Message load_request();
  /// Throws CommandError with the container's reason if it refuses. Waits `seconds` for the container to be there.
  Loaded load(const Message& request, double seconds = 5.0);
  void unload(std::uint64_t id);
  Message list();

 private:
  Message call(const std::string& service, const std::string& type, const Message& request, double seconds);

  Session& session_;
  std::string container_;
};

}  // namespace ros2cli
