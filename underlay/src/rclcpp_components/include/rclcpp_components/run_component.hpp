// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rclcpp_components {

enum class RunWith { SingleThreadedExecutor, MultiThreadedExecutor };

/// `main` of a process that runs one component: loads `library` (a file name, looked for beside and above the
/// executable and then as the dynamic linker does), makes a node of `class_name` and spins it. Returns the exit code.
int run_component(int argc, const char* const* argv, const char* library, const char* class_name, RunWith executor);

}  // namespace rclcpp_components
