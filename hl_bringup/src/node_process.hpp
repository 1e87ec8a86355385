// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

namespace hl_bringup {

/// The process below `ancestor` (a `ros2 launch`) that runs this node or container, 0 if there is none.
pid_t process_of(const std::string& node, pid_t ancestor);

/// s of CPU time that a process has used, 0 if it is gone.
double cpu_time_of(pid_t pid);

}  // namespace hl_bringup
