// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

namespace rclcpp {

class InitOptions {
 public:
  bool shutdown_on_signal = true;

  /// Instead of ROS_DOMAIN_ID.
  void set_domain_id(std::size_t domain_id) { domain_id_ = domain_id; }
  /// From ROS_DOMAIN_ID if `set_domain_id` was not called.
  std::size_t get_domain_id() const;
  void use_default_domain_id() { domain_id_.reset(); }

  bool auto_initialize_logging() const { return initialize_logging_; }
  InitOptions& auto_initialize_logging(bool initialize_logging) {
    initialize_logging_ = initialize_logging;
    return *this;
  }

 private:
  std::optional<std::size_t> domain_id_;
  bool initialize_logging_ = true;
};

}  // namespace rclcpp
