// SPDX-License-Identifier: Apache-2.0
#include "hl_match/fast_params.hpp"

#include <hl_description/formatted.hpp>
#include <hl_description/yaml_reader.hpp>
#include <stdexcept>

namespace hl_match {

const hl_node::ParameterTable<FastParams>& FastParams::parameters() {
  using P = FastParams;
#define OF(part, member) [](P& p) -> double& { return p.part.member; }
  static const hl_node::ParameterTable<P> kTable = {
      {"walk.forward", OF(walk, forward), 0.2, 2.0, "true over commanded speed ahead"},
      {"walk.backward", OF(walk, backward), 0.2, 2.0, "the same backward"},
      {"walk.sideways", OF(walk, sideways), 0.2, 2.0, "the same sideways"},
      {"walk.turn", OF(walk, turn), 0.2, 2.0, "the same turning"},
      {"walk.lag", OF(walk, lag), 0.02, 3.0, "time constant from a command to the speed, s"},
      {"walk.stop_lag", OF(walk, stop_lag), 0.02, 3.0, "time constant of coming to rest, s"},
      {"walk.stop_time", OF(walk, stop_time), 0.0, 5.0, "from the command to stop until it stands, s"},
      {"walk.odometry_error", OF(walk, odometry_error), 0.0, 0.5, "of the counted way, share, standard deviation"},
      {"walk.turn_error", OF(walk, turn_error), 0.0, 0.5, "of the counted turn, share, standard deviation"},
      {"walk.falls", OF(walk, falls), 0.0, 1.0, "undisturbed, per s of walking"},
      {"kick.contact", OF(kick, contact), 0.05, 10.0, "from the order until the foot meets the ball, s"},
      {"kick.time", OF(kick, time), 0.1, 10.0, "from the order until the robot stands, s"},
      {"kick.distance", OF(kick, distance), 0.1, 20.0, "of the hardest kick, m, median"},
      {"kick.soft_distance", OF(kick, soft_distance), 0.1, 20.0, "of one at half speed, m, median"},
      {"kick.distance_spread", OF(kick, distance_spread), 0.0, 1.0, "standard deviation as a share of it"},
      {"kick.direction_bias", OF(kick, direction_bias), -1.0, 1.0, "of a left foot's kick, rad to the left, median"},
      {"kick.direction_spread", OF(kick, direction_spread), 0.0, 1.0, "standard deviation, rad"},
      {"kick.walk_distance", OF(kick, walk_distance), 0.05, 5.0, "of a kick in walk, m"},
      {"kick.walk_spread", OF(kick, walk_spread), 0.0, 1.5, "its direction, standard deviation, rad"},
      {"fall.front", OF(fall, front), 0.5, 60.0, "from falling on the front until it stands again, s"},
      {"fall.back", OF(fall, back), 0.5, 60.0, "the same, back"},
      {"fall.left", OF(fall, left), 0.5, 60.0, "the same, left"},
      {"fall.right", OF(fall, right), 0.5, 60.0, "the same, right"},
      {"fall.spread", OF(fall, spread), 0.0, 1.0, "standard deviation as a share of these"},
      {"fall.contact_rate", OF(fall, contact_rate), 0.0, 20.0, "falls per s in which robots walk against each other"},
      {"fall.contact_distance", OF(fall, contact_distance), 0.05, 1.0, "at which they touch, m"},
      {"ball.push", OF(ball, push), 0.5, 5.0, "speed of a ball walked against over that of the robot"},
  };
#undef OF
  return kTable;
}

FastParams FastParams::from_file(const std::string& path) {
  using hl_description::YamlReader;
  FastParams params;
  for (const auto& [name, value] : YamlReader::from_text(YamlReader::read_file(path), path).entries())
    if (!parameters().set(params, name, value.number())) value.refuse("there is no such parameter");
  if (const auto bad = params.validate()) throw std::runtime_error(path + ": " + *bad);
  return params;
}

std::string FastParams::yaml(const std::string& head) const {
  std::string text = head;
  FastParams values = *this;
  for (const auto& row : parameters().rows()) {
    const double value = std::get<hl_node::ParameterTable<FastParams>::Member<double>>(row.value)(values);
    text += hl_description::formatted("%s: %.4g  # %s\n", row.name.c_str(), value, row.meaning.c_str());
  }
  return text;
}

}  // namespace hl_match
