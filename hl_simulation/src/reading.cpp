// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/reading.hpp"

#include <algorithm>

#include "noise.hpp"

namespace hl_simulation {

void add_force(const FootSpec& foot, const Eigen::Vector3d& at, double force, FootReading& cells) {
  const double front = foot.cells[0].x(), back = foot.cells[2].x();
  const double left = foot.cells[0].y(), right = foot.cells[1].y();
  const double u = std::clamp((at.x() - back) / (front - back), 0.0, 1.0);
  const double v = std::clamp((at.y() - right) / (left - right), 0.0, 1.0);
  cells[0] += force * u * v;
  cells[1] += force * u * (1.0 - v);
  cells[2] += force * (1.0 - u) * v;
  cells[3] += force * (1.0 - u) * (1.0 - v);
}

void add_noise(const SensorSpec& s, std::uint64_t seed, std::size_t robot, std::uint64_t step, Reading& r) {
  Noise constant(seed, robot, ~std::uint64_t{0});
  Noise now(seed, robot, step);
  const auto vector = [](Noise& noise, double scale) {
    const double x = noise.gaussian(), y = noise.gaussian(), z = noise.gaussian();
    return Eigen::Vector3d(scale * x, scale * y, scale * z);
  };
  r.imu.angular_velocity += vector(constant, s.gyro_bias) + vector(now, s.gyro_noise);
  r.imu.linear_acceleration += vector(constant, s.accelerometer_bias) + vector(now, s.accelerometer_noise);
  const Eigen::Vector3d turn = vector(now, s.orientation_noise);
  if (turn.norm() > 0.0) r.imu.orientation = r.imu.orientation * Eigen::AngleAxisd(turn.norm(), turn.normalized());
  for (FootReading* foot : {&r.left_foot, &r.right_foot}) {
    for (double& cell : *foot) cell = std::max(0.0, cell + s.force_noise * now.gaussian());
  }
}

}  // namespace hl_simulation
