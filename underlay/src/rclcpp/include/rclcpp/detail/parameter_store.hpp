// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rcl_interfaces/msg/list_parameters_result.hpp"
#include "rcl_interfaces/msg/parameter_descriptor.hpp"
#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rclcpp/parameter.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Keeps a callback registered as long as somebody holds it.
struct OnSetParametersCallbackHandle {
  using SharedPtr = std::shared_ptr<OnSetParametersCallbackHandle>;
  using WeakPtr = std::weak_ptr<OnSetParametersCallbackHandle>;
  using OnParametersSetCallbackType =
      std::function<rcl_interfaces::msg::SetParametersResult(const std::vector<Parameter>&)>;

  OnParametersSetCallbackType callback;
};

}  // namespace node_interfaces

namespace detail {

/// The shortest decimal that reads back as the same double, with a point or exponent so that it stays a double.
std::string shortest_text(double value);

/// The parameters of one node: names, values, descriptors, and the rules for changing them. Thread-safe; callbacks run
/// under its (recursive) lock, so they may read parameters but not change them.
class ParameterStore {
 public:
  using Descriptor = rcl_interfaces::msg::ParameterDescriptor;
  using SetResult = rcl_interfaces::msg::SetParametersResult;
  using CallbackHandle = node_interfaces::OnSetParametersCallbackHandle;
  /// Gets new, changed and deleted parameters of each change; node name and stamp are left to the receiver.
  using EventSink = std::function<void(rcl_interfaces::msg::ParameterEvent&&)>;

  struct Options {
    std::map<std::string, ParameterValue> overrides;
    bool allow_undeclared = false;
    bool declare_from_overrides = false;
    EventSink on_event;
  };

  explicit ParameterStore(Options options);

  /// The value is the override, if there is one, else the default. Throws ParameterAlreadyDeclaredException,
  /// InvalidParametersException, InvalidParameterTypeException, InvalidParameterValueException (all of exceptions::).
  const ParameterValue& declare(const std::string& name, const ParameterValue& default_value,
                                const Descriptor& descriptor = Descriptor(), bool ignore_override = false);
  /// Without a default: not initialized unless there is an override.
  const ParameterValue& declare(const std::string& name, ParameterType type,
                                const Descriptor& descriptor = Descriptor(), bool ignore_override = false);
  void undeclare(const std::string& name);
  bool has(const std::string& name) const;

  /// One after the other; throws ParameterNotDeclaredException.
  std::vector<SetResult> set(const std::vector<Parameter>& parameters);
  /// All or none.
  SetResult set_atomically(const std::vector<Parameter>& parameters);

  Parameter get(const std::string& name) const;  // throws ParameterNotDeclared..., ParameterUninitializedException
  std::vector<Parameter> get(const std::vector<std::string>& names) const;
  bool get(const std::string& name, Parameter& parameter) const;  // false if there is none
  /// The parameters below `prefix`, without it in their names.
  bool get_by_prefix(const std::string& prefix, std::map<std::string, Parameter>& parameters) const;

  std::vector<Descriptor> describe(const std::vector<std::string>& names) const;
  std::vector<uint8_t> types(const std::vector<std::string>& names) const;
  /// `depth` counts parts of the name below the prefix; 0 = all.
  rcl_interfaces::msg::ListParametersResult list(const std::vector<std::string>& prefixes, uint64_t depth) const;

  /// The newest callback is asked first; the first refusal ends the round.
  [[nodiscard]] CallbackHandle::SharedPtr add_on_set_callback(CallbackHandle::OnParametersSetCallbackType callback);
  void remove_on_set_callback(const CallbackHandle* handle);

  const std::map<std::string, ParameterValue>& overrides() const { return options_.overrides; }

 private:
  struct Entry {
    ParameterValue value;
    Descriptor descriptor;
  };
  using Lock = std::lock_guard<std::recursive_mutex>;
  class ChangeGuard;

  const ParameterValue& declare(const std::string& name, ParameterType type, const ParameterValue& default_value,
                                Descriptor descriptor, bool ignore_override);
  SetResult ask_callbacks(const std::vector<Parameter>& parameters);
  void publish(rcl_interfaces::msg::ParameterEvent&& event) const;
  const Entry* find(const std::string& name) const;  // null if undeclared ones are allowed, else throws

  const Options options_;
  mutable std::recursive_mutex mutex_;
  bool changing_ = false;  // a callback is being asked
  std::map<std::string, Entry> entries_;
  std::list<CallbackHandle::WeakPtr> callbacks_;
};

}  // namespace detail
}  // namespace rclcpp
