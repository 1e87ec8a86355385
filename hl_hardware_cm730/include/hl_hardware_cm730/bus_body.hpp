// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_robot_interface/robot_port.hpp>

#include "hl_hardware_cm730/attitude_filter.hpp"
#include "hl_hardware_cm730/bus_driver.hpp"

namespace hl_hardware_cm730 {

/// The servo bus as a body below the hardware contract, without ROS. Belongs to the thread that runs the driver, which
/// must outlive it.
class BusBody {
 public:
  /// Cells of a foot's board (1 to 4) that are front left, front right, back left, back right.
  using FootCells = std::array<std::array<int, 4>, 2>;
  static FootCells usual_cells();

  explicit BusBody(BusDriver& driver, const FootCells& cells = usual_cells());

  /// After an exchange; `now` (s) becomes the stamp, the attitude is filtered on the clock of `attitude_time` (s).
  const hl_robot_interface::SensorFrame& read(double now, double attitude_time);
  void write(const std::vector<hl_joints::GoalPlayer::Goal>& goals, double stiffness);
  /// `rate`: Hz of the cycles; `why_not`: what the port says if it fails.
  const hl_robot_interface::BodyReport& report(double rate, const std::string& why_not);
  void let_go();

  const AttitudeFilter& attitude() const { return attitude_; }

 private:
  BusDriver& driver_;
  FootCells cells_;
  AttitudeFilter attitude_;
  hl_robot_interface::SensorFrame frame_;
  hl_robot_interface::BodyReport report_;
};

}  // namespace hl_hardware_cm730
