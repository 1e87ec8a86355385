// SPDX-License-Identifier: Apache-2.0
#include "rclcpp_components/run_component.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "rclcpp/executors.hpp"
#include "rclcpp/utilities.hpp"
#include "rclcpp_components/component_library.hpp"

namespace rclcpp_components {
namespace {

/// Installed, the library is one folder above the executable (lib/<package>/); built, it is beside it.
std::string find_library(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const auto& candidate : {folder / ".." / name, folder / name}) {
    if (!error && fs::exists(candidate, error)) return fs::weakly_canonical(candidate, error).string();
  }
  return name;
}

std::shared_ptr<rclcpp::Executor> make_executor(RunWith executor) {
  if (executor == RunWith::MultiThreadedExecutor) return std::make_shared<rclcpp::executors::MultiThreadedExecutor>();
  return std::make_shared<rclcpp::executors::SingleThreadedExecutor>();
}

}  // namespace

int run_component(int argc, const char* const* argv, const char* library, const char* class_name, RunWith executor) {
  try {
    rclcpp::NodeOptions options;
    options.arguments(rclcpp::init_and_remove_ros_arguments(argc, argv));
    const auto spinning = make_executor(executor);
    auto node = detail::load_factory(find_library(library), class_name)->create_node_instance(options);
    spinning->add_node(node.get_node_base_interface());
    spinning->spin();
    spinning->remove_node(node.get_node_base_interface());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", class_name, error.what());
    rclcpp::shutdown();
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}

}  // namespace rclcpp_components
