// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hl_node/parameter_table.hpp"

namespace hl_node {

/// The parameters of a node in their struct: declared with description and range, read at the start, changed while
/// running where the table says so. A bad value is refused with the reason; `Params` must have
/// `std::optional<std::string> validate() const`.
template <class Params>
class NodeParameters {
 public:
  /// Throws std::invalid_argument if a value given at the start is bad. `table` must outlive this object.
  NodeParameters(rclcpp::Node& node, const ParameterTable<Params>& table, const Params& defaults = {})
      : table_(table), values_(defaults) {
    for (const Row& row : table_.rows()) declare(node, row);
    if (const auto error = fault(values_)) throw std::invalid_argument(*error);
    handle_ = node.add_on_set_parameters_callback(
        [this](const std::vector<rclcpp::Parameter>& changed) { return change(changed); });
  }
  NodeParameters(const NodeParameters&) = delete;
  NodeParameters& operator=(const NodeParameters&) = delete;

  /// In the thread of the executor; what another thread needs it takes in `on_change`.
  const Params& values() const { return values_; }

  /// Called with the new values after each accepted change.
  void on_change(std::function<void(const Params&)> apply) { apply_ = std::move(apply); }

 private:
  using Table = ParameterTable<Params>;
  using Row = typename Table::Row;

  static rcl_interfaces::msg::ParameterDescriptor descriptor(const Row& row) {
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.description = row.meaning;
    descriptor.read_only = row.change == Change::AtStart;
    if (!std::isfinite(row.low) || !std::isfinite(row.high)) return descriptor;
    if (std::holds_alternative<typename Table::template Member<double>>(row.value)) {
      descriptor.floating_point_range.resize(1);
      descriptor.floating_point_range[0].from_value = row.low;
      descriptor.floating_point_range[0].to_value = row.high;
    } else if (std::holds_alternative<typename Table::template Member<int>>(row.value)) {
      descriptor.integer_range.resize(1);
      descriptor.integer_range[0].from_value = static_cast<std::int64_t>(row.low);
      descriptor.integer_range[0].to_value = static_cast<std::int64_t>(row.high);
    }
    return descriptor;
  }

  void declare(rclcpp::Node& node, const Row& row) {
    try {
      std::visit(
          [&](const auto& member) {
            auto& value = member(values_);
            using T = std::decay_t<decltype(value)>;
            value = static_cast<T>(node.declare_parameter(row.name, value, descriptor(row)));
          },
          row.value);
    } catch (const rclcpp::exceptions::InvalidParameterValueException& error) {  // it does not tell the range
      throw std::invalid_argument(std::string(error.what()) + "; " + row.name + " must lie in " +
                                  Table::range_text(row) + ": " + row.meaning);
    }
  }

  std::optional<std::string> fault(const Params& params) const {
    if (auto error = table_.check(params)) return error;
    return params.validate();
  }

  static void assign(double& value, const rclcpp::Parameter& parameter) { value = parameter.as_double(); }
  static void assign(int& value, const rclcpp::Parameter& parameter) { value = static_cast<int>(parameter.as_int()); }
  static void assign(bool& value, const rclcpp::Parameter& parameter) { value = parameter.as_bool(); }
  static void assign(std::string& value, const rclcpp::Parameter& parameter) { value = parameter.as_string(); }
  static void assign(std::vector<double>& value, const rclcpp::Parameter& parameter) {
    value = parameter.as_double_array();
  }
  static void assign(std::vector<std::int64_t>& value, const rclcpp::Parameter& parameter) {
    value = parameter.as_integer_array();
  }
  static void assign(std::vector<std::string>& value, const rclcpp::Parameter& parameter) {
    value = parameter.as_string_array();
  }

  rcl_interfaces::msg::SetParametersResult change(const std::vector<rclcpp::Parameter>& changed) {
    Params candidate = values_;
    bool ours = false;
    for (const rclcpp::Parameter& parameter : changed) {
      for (const Row& row : table_.rows()) {
        if (row.name != parameter.get_name()) continue;
        std::visit([&](const auto& member) { assign(member(candidate), parameter); }, row.value);
        ours = true;
      }
    }
    const auto error = ours ? fault(candidate) : std::nullopt;
    if (ours && !error) {
      values_ = candidate;
      if (apply_) apply_(values_);
    }
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = !error;
    result.reason = error.value_or("");
    return result;
  }

  const Table& table_;
  Params values_;
  std::function<void(const Params&)> apply_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr handle_;
};

}  // namespace hl_node
