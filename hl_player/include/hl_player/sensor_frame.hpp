// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <hl_hcm/senses.hpp>
#include <optional>

namespace hl_player {

/// What the body measured, as the hardware contract says it: nothing = no new message of that sensor.
struct SensorFrame {
  struct Imu {
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // of imu_frame in the world, yaw from any origin
    Eigen::Vector3d turn_rate = Eigen::Vector3d::Zero();              // rad/s, imu_frame
  };
  struct Buttons {
    bool mode = false, start = false;
  };

  double stamp = 0.0;                        // s, when it was measured
  std::optional<double> heard;               // s, when this and the orders beside it arrived; nothing: in this tick
  std::optional<Eigen::VectorXd> positions;  // rad, joints of the model in their order
  std::optional<Eigen::VectorXd> efforts;    // N m
  std::optional<Imu> imu;
  std::array<std::optional<std::array<double, 4>>, 2> feet;  // N, left and right: front l, r, back l, r
  std::optional<hl_hcm::HardwareReport> hardware;
  std::optional<Buttons> buttons;
};

}  // namespace hl_player
