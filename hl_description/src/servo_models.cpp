// SPDX-License-Identifier: Apache-2.0
#include "hl_description/servo_models.hpp"

#include "hl_description/yaml_reader.hpp"
#include "servos_yaml.hpp"

namespace hl_description {

const std::vector<ServoModel>& servo_models() {
  static const std::vector<ServoModel> models = [] {
    std::vector<ServoModel> all;
    for (const auto& [name, entry] : YamlReader::from_text(kServosYaml, "servos.yaml").entries()) {
      entry.only({"number", "protocol", "registers", "ticks", "torque", "speed", "current", "friction", "armature"});
      ServoModel model;
      model.name = name;
      model.number = entry["number"].integer_in(1, 65535);
      model.registers = entry["registers"].text();
      model.protocol = entry["protocol"].integer_in(1, 2);
      model.ticks = entry["ticks"].integer_in(1, 1'000'000);
      model.stall_torque = entry["torque"].number_in(0.01, 200);
      model.no_load_speed = entry["speed"].number_in(0.1, 100);
      model.stall_current = entry["current"].number_in(0, 100);
      model.friction = entry["friction"].number_in(0, 10);
      model.armature = entry["armature"].number_in(0, 1);
      all.push_back(model);
    }
    return all;
  }();
  return models;
}

const ServoModel* find_servo_model(const std::string& name) {
  for (const ServoModel& model : servo_models())
    if (model.name == name) return &model;
  return nullptr;
}

ServoModel generic_servo(double stall_torque, double no_load_speed) {
  ServoModel model;
  model.name = "generic";
  model.stall_torque = stall_torque;
  model.no_load_speed = no_load_speed;
  model.stall_current = 0.6 * stall_torque;
  model.friction = 0.04 + 0.011 * stall_torque;
  model.armature = 0.0019 * stall_torque;
  return model;
}

}  // namespace hl_description
