// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rclcpp_components/node_factory.hpp"

namespace rclcpp_components {

/// A component that cannot be found or loaded; the text names library, class and remedy.
class ComponentManagerException : public std::runtime_error {
 public:
  explicit ComponentManagerException(const std::string& error_desc) : std::runtime_error(error_desc) {}
};

namespace detail {

using MakeFactory = std::shared_ptr<NodeFactory> (*)();

/// The library it is part of offers a class as long as one lives.
class Registration {
 public:
  Registration(const char* class_name, MakeFactory make);
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  MakeFactory make_;
};

/// Loads the library if it is not loaded yet; it stays loaded, as code of a node that somebody still holds must not
/// vanish. Throws ComponentManagerException.
std::shared_ptr<NodeFactory> load_factory(const std::string& library, const std::string& class_name);

/// "; did you mean 'X'?", or what there is to choose from.
std::string hint(const std::string& wanted, const std::vector<std::string>& known);

}  // namespace detail
}  // namespace rclcpp_components
