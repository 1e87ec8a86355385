// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

namespace hl_simulation {

struct MujocoDeleter {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using ModelPtr = std::unique_ptr<mjModel, MujocoDeleter>;
using DataPtr = std::unique_ptr<mjData, MujocoDeleter>;

/// Compiles MJCF text; throws std::runtime_error with MuJoCo's message. Also turns MuJoCo's fatal errors into
/// exceptions and keeps it from writing log files.
ModelPtr compile_mjcf(const std::string& xml);

/// Lowest point (m, world) of the colliding geoms of the bodies from `first` on that hang on it.
double lowest_point(const mjModel& model, const mjData& data, int root_body);

}  // namespace hl_simulation
