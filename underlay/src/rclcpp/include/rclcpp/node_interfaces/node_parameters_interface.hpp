// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rclcpp/detail/parameter_store.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/parameter.hpp"

namespace rclcpp {
namespace node_interfaces {

/// Parameters of a node; the rules are those of detail::ParameterStore.
class NodeParametersInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeParametersInterface)
  using Descriptor = rcl_interfaces::msg::ParameterDescriptor;
  using SetResult = rcl_interfaces::msg::SetParametersResult;
  using OnParametersSetCallbackType = OnSetParametersCallbackHandle::OnParametersSetCallbackType;

  explicit NodeParametersInterface(std::shared_ptr<detail::ParameterStore> store) : store_(std::move(store)) {}

  const ParameterValue& declare_parameter(const std::string& name, const ParameterValue& default_value,
                                          const Descriptor& descriptor = Descriptor(), bool ignore_override = false) {
    return store_->declare(name, default_value, descriptor, ignore_override);
  }
  const ParameterValue& declare_parameter(const std::string& name, ParameterType type,
                                          const Descriptor& descriptor = Descriptor(), bool ignore_override = false) {
    return store_->declare(name, type, descriptor, ignore_override);
  }
  void undeclare_parameter(const std::string& name) { store_->undeclare(name); }
  bool has_parameter(const std::string& name) const { return store_->has(name); }
  std::vector<SetResult> set_parameters(const std::vector<Parameter>& parameters) { return store_->set(parameters); }
  SetResult set_parameters_atomically(const std::vector<Parameter>& parameters) {
    return store_->set_atomically(parameters);
  }
  std::vector<Parameter> get_parameters(const std::vector<std::string>& names) const { return store_->get(names); }
  Parameter get_parameter(const std::string& name) const { return store_->get(name); }
  bool get_parameter(const std::string& name, Parameter& parameter) const { return store_->get(name, parameter); }
  bool get_parameters_by_prefix(const std::string& prefix, std::map<std::string, Parameter>& parameters) const {
    return store_->get_by_prefix(prefix, parameters);
  }
  std::vector<Descriptor> describe_parameters(const std::vector<std::string>& names) const {
    return store_->describe(names);
  }
  std::vector<uint8_t> get_parameter_types(const std::vector<std::string>& names) const { return store_->types(names); }
  rcl_interfaces::msg::ListParametersResult list_parameters(const std::vector<std::string>& prefixes,
                                                            uint64_t depth) const {
    return store_->list(prefixes, depth);
  }
  [[nodiscard]] OnSetParametersCallbackHandle::SharedPtr add_on_set_parameters_callback(
      OnParametersSetCallbackType callback) {
    return store_->add_on_set_callback(std::move(callback));
  }
  void remove_on_set_parameters_callback(const OnSetParametersCallbackHandle* handle) {
    store_->remove_on_set_callback(handle);
  }
  const std::map<std::string, ParameterValue>& get_parameter_overrides() const { return store_->overrides(); }

 private:
  std::shared_ptr<detail::ParameterStore> store_;
};

}  // namespace node_interfaces
}  // namespace rclcpp
