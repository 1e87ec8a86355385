// SPDX-License-Identifier: Apache-2.0
// For tests of nodes; they bring rclcpp themselves.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "hl_testing/process.hpp"

namespace hl_testing {

/// Spins until `condition` holds; false if it never did within `timeout` (real time: be generous).
template <class Condition>
bool spin_until(rclcpp::Executor& executor, Condition condition,
                std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  return wait_until(
      [&] {
        executor.spin_some();
        return condition();
      },
      timeout);
}
template <class Condition>
bool spin_until(const rclcpp::Node::SharedPtr& node, Condition condition,
                std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  return wait_until(
      [&] {
        rclcpp::spin_some(node);
        return condition();
      },
      timeout);
}

/// The same without a pause between two callbacks, where a world in lock-step waits for the test, too.
template <class Condition>
bool spin_closely_until(rclcpp::Executor& executor, Condition condition,
                        std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return condition();
    executor.spin_once(std::chrono::milliseconds(2));
  }
  return true;
}

/// For somebody who spins in another thread.
struct SpunElsewhere {};
template <class Condition>
bool spin_until(SpunElsewhere, Condition condition, std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  return wait_until(condition, timeout);
}

/// For a test that has more to do while it waits: `wait` takes a condition and says whether it came to hold in time.
template <class Wait, class Condition>
std::enable_if_t<std::is_invocable_r_v<bool, Wait, std::function<bool()>>, bool> spin_until(
    Wait&& wait, Condition condition, std::chrono::milliseconds = {}) {
  return wait(std::function<bool()>(condition));
}

/// What a future brings, while `spinner` (an executor, a node, SpunElsewhere, or something that waits) spins; throws if
/// nothing comes within `timeout`.
template <class Spinner, class Future>
auto answer_of(Spinner&& spinner, Future& future, std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  const bool ready = spin_until(
      spinner, [&] { return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }, timeout);
  if (!ready) throw std::runtime_error("no answer within " + std::to_string(timeout.count()) + " ms");
  return future.get();
}

/// Waits for a service, calls it and returns its answer; throws if it is not there or does not answer.
template <class Service, class Spinner>
typename Service::Response call(Spinner&& spinner, rclcpp::Node& node, const std::string& name,
                                const typename Service::Request& request,
                                std::chrono::milliseconds timeout = std::chrono::seconds(60)) {
  const auto client = node.create_client<Service>(name);
  if (!client->wait_for_service(timeout)) throw std::runtime_error("there is no service " + name);
  auto future = client->async_send_request(std::make_shared<typename Service::Request>(request));
  return *answer_of(spinner, future, timeout);
}

}  // namespace hl_testing
