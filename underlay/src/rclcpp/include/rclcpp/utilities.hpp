// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/context.hpp"
#include "rclcpp/init_options.hpp"

namespace rclcpp {

enum class SignalHandlerOptions { All, SigInt, SigTerm, None };

void init(int argc, char const* const* argv, const InitOptions& init_options = InitOptions(),
          SignalHandlerOptions signal_handler_options = SignalHandlerOptions::All);
std::vector<std::string> init_and_remove_ros_arguments(int argc, char const* const* argv,
                                                       const InitOptions& init_options = InitOptions());
std::vector<std::string> remove_ros_arguments(int argc, char const* const* argv);

/// SIGINT and SIGTERM shut down every context. False if they were installed already.
bool install_signal_handlers(SignalHandlerOptions signal_handler_options = SignalHandlerOptions::All);
bool signal_handlers_installed();
SignalHandlerOptions get_current_signal_handler_options();
bool uninstall_signal_handlers();

bool ok(Context::SharedPtr context = nullptr);
bool shutdown(Context::SharedPtr context = nullptr, const std::string& reason = "user called rclcpp::shutdown()");
void on_shutdown(std::function<void()> callback, Context::SharedPtr context = nullptr);

/// False if a shutdown ended it early.
bool sleep_for(const std::chrono::nanoseconds& nanoseconds, Context::SharedPtr context = nullptr);

}  // namespace rclcpp
