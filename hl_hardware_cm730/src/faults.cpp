// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr char kWords[] =
    "mute ID, absent ID, delay ID SECONDS, overheat ID DEGREES, overload ID, twin ID, heal [ID], corrupt_reply P, "
    "corrupt_request P, truncate P, noise P, stuck, unplug, voltage V";

}  // namespace

std::string Faults::apply(const std::string& line) {
  std::istringstream in(line);
  std::string word;
  in >> word;
  int id = -1;
  double value = 0.0;
  const auto bad = [&](const std::string& why) { return "fault '" + line + "': " + why + "; known are: " + kWords; };
  const auto read_id = [&] { return static_cast<bool>(in >> id) && id >= 0 && id <= 253; };
  const auto read_share = [&](double& target) -> std::string {
    if (!(in >> value) || !(value >= 0.0 && value <= 1.0)) return bad("needs a probability 0..1");
    target = value;
    return {};
  };

  if (word == "heal") {
    if (in >> id) {
      if (id < 0 || id > 253) return bad("needs an id 0..253");
      device[static_cast<size_t>(id)] = {};
    } else {
      const uint32_t keep = seed;
      *this = {};
      seed = keep;
    }
    return {};
  }
  if (word == "stuck") return stuck = true, std::string();
  if (word == "unplug") return unplugged = true, std::string();
  if (word == "corrupt_reply") return read_share(corrupt_reply);
  if (word == "corrupt_request") return read_share(corrupt_request);
  if (word == "truncate") return read_share(truncate_reply);
  if (word == "noise") return read_share(noise);
  if (word == "voltage") {
    if (!(in >> value) || !(value > 0.0 && value < 25.0)) return bad("needs a voltage 0..25");
    return voltage = value, std::string();
  }
  if (word != "mute" && word != "absent" && word != "delay" && word != "overheat" && word != "overload" &&
      word != "twin") {
    return bad("unknown word");
  }
  if (!read_id()) return bad("needs an id 0..253");
  Device& target = device[static_cast<size_t>(id)];
  if (word == "mute") target.mute = true;
  if (word == "absent") target.absent = true;
  if (word == "overload") target.overload = true;
  if (word == "twin") target.twin = true;
  if (word == "delay" || word == "overheat") {
    if (!(in >> value) || !(value >= 0.0)) return bad("needs a positive number");
    (word == "delay" ? target.delay : target.temperature) = value;
  }
  return {};
}

}  // namespace hl_hardware_cm730
