// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "hl_walking/controller.hpp"

namespace hl_walking {

/// A parameter that is set when the node starts.
rcl_interfaces::msg::ParameterDescriptor fixed_parameter(const std::string& description);

/// The parameters that can be changed while the robot walks: declared with meaning and range, refused with a reason.
class WalkingParameters {
 public:
  /// Declares all of them. Throws std::invalid_argument with the first bad value and its range.
  explicit WalkingParameters(rclcpp::Node& node);
  WalkingParameters(const WalkingParameters&) = delete;
  WalkingParameters& operator=(const WalkingParameters&) = delete;

  /// Called after every change that was accepted.
  void on_change(std::function<void()> callback) { changed_ = std::move(callback); }

  struct Values {
    Params walk;
    Odometry::Params odometry;
    Kick::Params kick;
    Controller::Params control;
    std::optional<std::string> invalid() const;  // the first bad value, in words
  };
  const Values& values() const { return values_; }

 private:
  struct Tunable {
    std::string name;
    double* value;
    double min, max;
    std::string description;
  };
  void list_tunables();
  void set_contact_source(const std::string& name);
  rcl_interfaces::msg::SetParametersResult change(const std::vector<rclcpp::Parameter>& changed);

  Values values_;
  std::vector<Tunable> tunables_;
  std::function<void()> changed_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr callback_;
};

}  // namespace hl_walking
