// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "rclcpp/init_options.hpp"
#include "rclcpp/macros.hpp"

namespace underlay_dds {
class Participant;
}

namespace rclcpp {

namespace detail {
struct Arguments;
}

class ContextAlreadyInitialized : public std::runtime_error {
 public:
  ContextAlreadyInitialized() : std::runtime_error("context is already initialized") {}
};

class ShutdownCallbackHandle {
  friend class Context;
  std::weak_ptr<std::function<void()>> callback;
};
using OnShutdownCallbackHandle = ShutdownCallbackHandle;
using PreShutdownCallbackHandle = ShutdownCallbackHandle;

/// What nodes of one `init` share: command line, participant, and the moment of shutdown. May be initialised again
/// after a shutdown.
class Context : public std::enable_shared_from_this<Context> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(Context)
  using OnShutdownCallback = std::function<void()>;
  using PreShutdownCallback = std::function<void()>;

  Context();
  virtual ~Context();

  virtual void init(int argc, char const* const* argv, const InitOptions& init_options = InitOptions());
  bool is_valid() const;
  const InitOptions& get_init_options() const;
  InitOptions get_init_options();
  std::size_t get_domain_id() const;
  /// False if it was shut down already.
  virtual bool shutdown(const std::string& reason);
  std::string shutdown_reason() const;

  virtual OnShutdownCallback on_shutdown(OnShutdownCallback callback);
  virtual OnShutdownCallbackHandle add_on_shutdown_callback(OnShutdownCallback callback);
  virtual bool remove_on_shutdown_callback(const OnShutdownCallbackHandle& handle);
  /// Called before the context becomes invalid.
  virtual PreShutdownCallbackHandle add_pre_shutdown_callback(PreShutdownCallback callback);
  virtual bool remove_pre_shutdown_callback(const PreShutdownCallbackHandle& handle);

  /// False if a shutdown ended it early.
  bool sleep_for(const std::chrono::nanoseconds& nanoseconds);

  // For nodes. Throws if the context is not valid.
  std::shared_ptr<underlay_dds::Participant> participant() const;
  std::shared_ptr<const detail::Arguments> arguments() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rclcpp
