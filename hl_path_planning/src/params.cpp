// SPDX-License-Identifier: Apache-2.0
#include "hl_path_planning/params.hpp"

namespace hl_path_planning {

const hl_node::ParameterTable<Params>& parameters() {
  static const hl_node::ParameterTable<Params> table = {
      {"robot_radius", &Params::robot_radius, 0.05, 0.6, "radius of any robot of the class, shoulders included, m"},
      {"clearance", &Params::clearance, 0.0, 1.0, "kept between two bodies where there is room, m"},
      {"wall_clearance", &Params::wall_clearance, 0.0, 1.0, "kept from posts and nets, m"},
      {"outside", &Params::outside, 0.0, 3.0, "how far outside the lines the robot may walk, m"},
      {"ball_clearance", &Params::ball_clearance, 0.1, 1.0,
       "of the robot's middle from a ball that is to be avoided, m"},
      {"set_play_distance", &Params::set_play_distance, 0.0, 3.0,
       "from the ball in the other team's set play (rules), m"},
      {"set_play_margin", &Params::set_play_margin, 0.0, 1.0, "kept beyond what the rules ask for, m"},
      {"uncertainty", &Params::uncertainty, 0.0, 3.0, "standard deviations of a robot's position added to its size"},
      {"most_uncertainty", &Params::most_uncertainty, 0.0, 1.0, "most that is added for an unsure position, m"},
      {"prediction", &Params::prediction, 0.0, 3.0, "a walking robot is an obstacle along its way for so long, s"},
      {"most_robots", &Params::most_robots, 1, 128, "a model with more robots is refused as broken"},
      {"replan_period", &Params::replan_period, 0.02, 1.0, "time between two plans, s"},
      {"side_change_cost", &Params::side_change_cost, 0.0, 3.0, "the other way round must be shorter by this, m"},
      {"lookahead", &Params::lookahead, 0.1, 1.5, "point of the way that the robot heads for, m"},
      {"turn_gain", &Params::turn_gain, 0.5, 10.0, "turn rate per heading error, 1/s"},
      {"position_tolerance", &Params::position_tolerance, 0.005, 0.5,
       "a goal is reached within this, unless it says else, m"},
      {"heading_tolerance", &Params::heading_tolerance, 0.01, 1.0, "the same for the heading, rad"},
      {"settle_time", &Params::settle_time, 0.0, 2.0, "the robot must have stood so long to have arrived, s"},
      {"avoidance_horizon", &Params::avoidance_horizon, 0.5, 10.0, "a collision later than this does not matter, s"},
      {"avoidance_weight", &Params::avoidance_weight, 0.0, 5.0, "detour that a collision in one second is worth, m/s"},
      {"personal_space", &Params::personal_space, 0.0, 0.5, "between two bodies; nearer counts as a collision, m"},
      {"kick_ahead", &Params::kick_ahead, 0.05, 0.5, "ball ahead of the middle between the feet for a kick, m"},
      {"kick_aside", &Params::kick_aside, 0.0, 0.3, "ball beside it, on the side of the kicking foot, m"},
      {"approach", &Params::approach, 0.02, 0.5, "length of the last straight way to a kick pose, m"},
      {"slow_distance", &Params::slow_distance, 0.0, 2.0, "the last way to a kick pose is walked slowly, m"},
      {"slow_speed", &Params::slow_speed, 0.05, 1.0, "speed there, m/s"},
      {"orbit_radius", &Params::orbit_radius, 0.15, 2.0, "as near to the ball as is safe, m"},
      {"ball_deceleration", &Params::ball_deceleration, 0.05, 3.0, "of a rolling ball, m/s^2"},
      {"stuck_time", &Params::stuck_time, 0.5, 20.0, "no motion for so long: another way, s"},
      {"circling_time", &Params::circling_time, 1.0, 60.0, "not nearer for so long: another way, s"},
      {"strikes", &Params::strikes, 1, 20, "other ways tried before the goal fails"},
      {"patience", &Params::patience, 0.5, 60.0, "waits for a free way, the own pose or a fresh model, s"},
      {"body_patience", &Params::body_patience, 1.0, 120.0, "waits for the body: fallen, getting up, animation, s"},
      {"pose_age", &Params::pose_age, 0.05, 5.0, "an older own pose is not walked by, s"},
      {"model_age", &Params::model_age, 0.1, 10.0, "an older model is not walked by, s"},
      {"robot_memory", &Params::robot_memory, 0.2, 30.0, "a robot not seen for so long is no obstacle, s"},
  };
  return table;
}

std::optional<std::string> Params::validate() const {
  if (auto fault = parameters().check(*this)) return fault;
  if (slow_distance > 0.0 && approach > slow_distance) return "approach must not be longer than slow_distance";
  return std::nullopt;
}

}  // namespace hl_path_planning
