// SPDX-License-Identifier: Apache-2.0
// The servos of servos.yaml that the driver can speak to.
#include <algorithm>
#include <hl_description/servo_models.hpp>
#include <vector>

#include "hl_hardware_cm730/control_table.hpp"

namespace hl_hardware_cm730 {
namespace {

const std::vector<ServoData>& all() {
  static const std::vector<ServoData> servos = [] {
    std::vector<ServoData> known;
    for (const auto& model : hl_description::servo_models()) {
      const ServoTable* table = servo_table(model.registers);
      if (table)
        known.push_back({model.name, static_cast<uint16_t>(model.number), table, model.stall_torque,
                         model.no_load_speed, model.stall_current});
    }
    // Those that have a name of their own in ServoModel come first.
    std::size_t place = 0;
    for (const char* name : {"MX-28", "MX-64", "MX-106"}) {
      const auto found = std::find_if(known.begin(), known.end(), [&](const ServoData& s) { return s.name == name; });
      std::iter_swap(known.begin() + static_cast<std::ptrdiff_t>(place++), found);
    }
    return known;
  }();
  return servos;
}

}  // namespace

const ServoData& data(ServoModel model) {
  return all()[static_cast<std::size_t>(model)];
}

std::optional<ServoModel> servo_model(const std::string& name) {
  for (std::size_t i = 0; i < all().size(); ++i)
    if (all()[i].name == name) return static_cast<ServoModel>(i);
  return std::nullopt;
}

std::string known_servos() {
  std::string names;
  for (const ServoData& servo : all()) names += (names.empty() ? "" : ", ") + servo.name;
  return names;
}

std::string model_name(uint16_t number) {
  for (const auto& model : hl_description::servo_models())
    if (model.number == number) return model.name;
  switch (number) {
    case kStockBoard.model:
      return "CM-730";
    case kNimbroBoard.model:
      return "CM-730 (NimbRo firmware)";
    case fsr_register::kModelNumber:
      return "FSR board";
    default:
      return "unknown model " + std::to_string(number);
  }
}

}  // namespace hl_hardware_cm730
