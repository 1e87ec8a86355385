// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hl_bringup {

/// The process below `ancestor` (a `ros2 launch`) that runs this node or container, 0 if there is none.
pid_t process_of(const std::string& node, pid_t ancestor);

/// A process that runs a node or a container.
struct NodeProcess {
  pid_t pid = 0;
  std::string name;  // namespace and name, for example /blue1/robot
};

/// All of them below `ancestor`.
std::vector<NodeProcess> processes_below(pid_t ancestor);

/// s of CPU time that a process has used, 0 if it is gone.
double cpu_time_of(pid_t pid);

}  // namespace hl_bringup
