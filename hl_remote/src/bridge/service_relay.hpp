// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "hl_remote/bridge.hpp"

namespace hl_remote {

/// A service of one type that is called with bytes. (rclcpp of Humble has no generic client, so the types are a list.)
class ServiceCaller {
 public:
  virtual ~ServiceCaller() = default;
  /// `answer` is called exactly once, also after the deadline without an answer.
  virtual void call(const std::string& payload, Robots::ServiceAnswer answer) = 0;
  /// Sends what waits for the service to be found and gives up what waits too long; often.
  virtual void poll(std::chrono::steady_clock::time_point now) = 0;
};

/// The services of the graph whose types we know. In the node's thread.
class ServiceRelay {
 public:
  struct Changes {
    std::vector<Bridge::OfferedService> appeared;
    std::vector<std::uint32_t> vanished;
  };

  explicit ServiceRelay(rclcpp::Node& node) : node_(node) {}

  Changes look();
  void call(std::uint32_t service, const std::string& payload, const Robots::ServiceAnswer& answer);
  void poll();

 private:
  struct Offered {
    std::string name, type;
    std::unique_ptr<ServiceCaller> caller;  // made at the first call
  };

  rclcpp::Node& node_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> ids_;
  std::map<std::uint32_t, Offered> services_;
};

}  // namespace hl_remote
