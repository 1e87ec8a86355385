// SPDX-License-Identifier: Apache-2.0
// What the contract asks of the bus.
#include "cm730_node.hpp"

namespace hl_hardware_cm730 {

const hl_robot_interface::SensorFrame& Cm730Node::read(double now) {
  // In simulated time the world may be slower than the port's clock; the system's clock may jump.
  return body_->read(now, get_clock()->ros_time_is_active() ? now : driver_->board().stamp);
}

void Cm730Node::write(const Goals& goals, double stiffness) {
  body_->write(goals, stiffness);
}

const hl_robot_interface::BodyReport& Cm730Node::report() {
  return body_->report(cycle_rate_, port_->error());
}

void Cm730Node::let_go() {
  body_->let_go();
}

std::string Cm730Node::set_torque(const std::vector<std::size_t>& joints, bool on) {
  const bool done = on_bus([&] {
    for (const size_t joint : joints) {
      JointCommand& command = driver_->command(joint);
      if (on && !command.torque) {  // hold where it is now, not where it was told to be before
        command.position = driver_->joint(joint).position;
        contract_->set_goal(joint, command.position);
      }
      command.torque = on;
    }
  });
  return done ? "" : "the bus does not run";
}

std::string Cm730Node::set_light(const std::string& name, const std::array<double, 3>& colour) {
  std::string problem = "the bus does not run";
  on_bus([&] {
    BusDriver::Answer answer;
    if (name == "head" || name == "eye") {
      const int value = lamp_colour(colour[0], colour[1], colour[2]);
      answer = driver_->write(driver_params_.board_id, name == "head" ? kBoardLedHead : kBoardLedEye,
                              {static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8)});
    } else {  // panel2, panel3, panel4: on or off
      const int bit = 1 << (name.back() - '2');
      const bool on = colour[0] > 0.0 || colour[1] > 0.0 || colour[2] > 0.0;
      led_panel_ = on ? led_panel_ | bit : led_panel_ & ~bit;
      answer = driver_->write(driver_params_.board_id, kBoardLedPanel, {static_cast<uint8_t>(led_panel_)});
    }
    problem = answer.ok() ? "" : "the board did not take it";
  });
  return problem;
}

void Cm730Node::add_diagnostics(hl_robot_interface::HardwareContract::Values& values) const {
  const BusCounters& c = driver_->counters();
  for (const auto& [key, count] :
       {std::pair("cycles", c.cycles), std::pair("incomplete cycles", c.incomplete_cycles),
        std::pair("missed cycles", missed_cycles_), std::pair("bad check sums", c.bad_checksums),
        std::pair("stray bytes", c.skipped_bytes), std::pair("silences", c.silences),
        std::pair("second requests", c.follow_ups), std::pair("devices dropped", c.drops),
        std::pair("devices taken back", c.readmissions), std::pair("rests of the bus", c.rests),
        std::pair("port losses", c.port_losses), std::pair("supply losses", c.power_losses)}) {
    values.emplace_back(key, std::to_string(count));
  }
  values.emplace_back("cycle rate, Hz", std::to_string(cycle_rate_));
  values.emplace_back("gyro bias known", body_->attitude().calibrated() ? "yes" : "not yet: keep the robot still");
  for (const auto& problem : driver_->problems()) values.emplace_back("problem", problem);
}

}  // namespace hl_hardware_cm730
