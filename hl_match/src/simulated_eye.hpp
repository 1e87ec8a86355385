// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <opencv2/core.hpp>
#include <random>

#include "hl_simulation/camera_effects.hpp"
#include "hl_simulation/renderer.hpp"
#include "hl_simulation/simulation.hpp"
#include "hl_vision/camera_view.hpp"

namespace hl_match {

/// A robot's camera in a hall of some seed; the robot is put somewhere and looks, nothing moves by itself.
class SimulatedEye {
 public:
  struct Look {
    double x = 0.0, y = 0.0, yaw = 0.0;  // m, rad, of the robot
    double roll = 0.0, pitch = 0.0;      // rad, of its trunk
    double pan = 0.0, tilt = 0.0;        // rad, of its head
  };
  struct Picture {
    cv::Mat bgr;
    hl_vision::CameraView view;  // base_footprint from the camera, exact
  };

  SimulatedEye(const hl_simulation::WorldSpec& world, bool shadows);

  hl_simulation::Renderer& renderer() { return *renderer_; }
  const hl_simulation::Simulation& simulation() const { return *simulation_; }
  hl_simulation::Simulation& simulation() { return *simulation_; }
  Picture look(const Look& look, const hl_simulation::CameraEffects& effects, std::uint64_t seed);
  /// Without a picture: where the camera is on the robot (its trunk), as the joints say.
  Eigen::Isometry3d camera_on_robot(const Look& look);
  /// Share of the picture that does not show the turf, from the geometry: what lies above the border of the field.
  double above_border(const Look& look, const hl_vision::CameraView& view) const;

 private:
  hl_simulation::Robot& place(const Look& look);

  std::unique_ptr<hl_simulation::Simulation> simulation_;
  std::unique_ptr<hl_simulation::Renderer> renderer_;
};

/// A view as a robot knows it: the camera's attitude is off by `deviation` rad (standard deviation) about two axes.
hl_vision::CameraView as_known(const hl_vision::CameraView& view, double deviation, std::mt19937_64& random);

}  // namespace hl_match
