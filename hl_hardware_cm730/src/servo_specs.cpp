// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/servo_specs.hpp"

#include <stdexcept>

namespace hl_hardware_cm730 {

std::vector<ServoSpec> servo_specs(const hl_description::RobotConfig& config, const hl_description::RobotModel& model,
                                   const std::string& config_file) {
  std::vector<ServoSpec> specs;
  for (const auto& servo : config.servos) {
    const auto& limits = model.limits(model.joint(servo.joint));
    const auto known = servo_model(servo.model);
    if (!known)
      throw std::invalid_argument(config_file + ": '" + servo.model + "' of " + servo.joint +
                                  " is none of those that this driver speaks to: " + known_servos());
    ServoSpec spec;
    spec.joint = servo.joint;
    spec.id = static_cast<uint8_t>(servo.id);
    spec.model = *known;
    spec.direction = servo.direction();
    spec.offset = servo.offset;
    spec.lower = limits.lower;
    spec.upper = limits.upper;
    spec.p = servo.p;
    spec.i = servo.i;
    spec.d = servo.d;
    specs.push_back(spec);
  }
  return specs;
}

}  // namespace hl_hardware_cm730
