// SPDX-License-Identifier: Apache-2.0
#include "node_params.hpp"

namespace hl_behavior {

using hl_node::Change;

BehaviorNodeParams::BehaviorNodeParams() = default;

std::optional<std::string> BehaviorNodeParams::validate() const {
  if (without_referee != "play" && without_referee != "stop" && without_referee != "keep_last")
    return "without_referee = '" + without_referee + "' is none of play, stop, keep_last";
  return core.validate();
}

Behavior::Params BehaviorNodeParams::core_params() const {
  Behavior::Params params = core;
  params.tactics.without_referee = without_referee == "play"   ? WithoutReferee::Play
                                   : without_referee == "stop" ? WithoutReferee::Stop
                                                               : WithoutReferee::KeepLast;
  return params;
}

const hl_node::ParameterTable<BehaviorNodeParams>& behavior_parameters() {
  using P = BehaviorNodeParams;
#define TACTICS(member) [](P& p) -> decltype(TacticsParams::member)& { return p.core.tactics.member; }
#define EXECUTOR(member) [](P& p) -> decltype(Executor::Params::member)& { return p.core.executor.member; }
  static const hl_node::ParameterTable<P> kTable = {
      {"rate", &P::rate, 1.0, 100.0, "decisions per second, Hz", Change::AtStart},
      {"field_file", &P::field_file, "field.yaml; empty: the league's field of 9 x 6 m", Change::AtStart},
      {"field", &P::field, "preset of field_file; empty: its default", Change::AtStart},
      {"number", TACTICS(number), 1, 20, "own player number, until the referee tells"},
      {"goalie_number", TACTICS(goalie_number), 0, 20, "the team's keeper; 0: none"},
      {"without_referee", &P::without_referee, "while no referee is heard: play, stop or keep_last"},
      {"walk_speed", TACTICS(walk_speed), 0.02, 2.0, "of this robot on a long way, m/s"},
      {"turn_speed", TACTICS(turn_speed), 0.05, 10.0, "of this robot, rad/s"},
      {"get_up_time", TACTICS(get_up_time), 0.0, 60.0, "of a robot that lies, s"},
      {"kick_distance", TACTICS(kick_distance), 0.2, 20.0, "median of the hardest kick, m"},
      {"kick_distance_spread", TACTICS(kick_distance_spread), 0.0, 0.7, "standard deviation as a share of it"},
      {"kick_direction_spread", TACTICS(kick_direction_spread), 0.0, 1.0, "standard deviation, rad"},
      {"dribble_distance", TACTICS(dribble_distance), 0.1, 5.0, "of a kick in walk, m"},
      {"aim_tolerance", TACTICS(aim_tolerance), 0.01, 1.0, "heading against the way of the kick, rad"},
      {"ball_deceleration", TACTICS(ball_deceleration), 0.01, 5.0, "of a rolling ball, m/s^2"},
      {"ball_memory", TACTICS(ball_memory), 0.1, 60.0, "a ball seen longer ago is unknown, s"},
      {"told_ball_memory", TACTICS(told_ball_memory), 0.0, 60.0, "the same for one a team mate told of, s"},
      {"mate_memory", TACTICS(mate_memory), 0.1, 60.0, "a team mate silent for longer does not count, s"},
      {"model_memory", TACTICS(model_memory), 0.05, 10.0, "an older model is no knowledge, s"},
      {"pose_sigma", TACTICS(pose_sigma), 0.01, 10.0, "standard deviation beyond which the pose is unknown, m"},
      {"role_hysteresis", TACTICS(role_hysteresis), 0.0, 10.0, "of time to the ball between strikers, s"},
      {"rule_distance", TACTICS(rule_distance), 0.1, 3.0, "opponents from the ball in a set play, m"},
      {"rule_margin", TACTICS(rule_margin), 0.0, 2.0, "on top of it, m"},
      {"spacing", TACTICS(spacing), 0.1, 3.0, "between own players, m"},
      {"goalie_out", TACTICS(goalie_out), 0.05, 2.0, "of the keeper in front of the goal line, m"},
      {"goalie_leave", TACTICS(goalie_leave), 0.0, 4.0, "ball this near and nobody nearer: comes out, m"},
      {"dive_horizon", TACTICS(dive_horizon), 0.1, 5.0, "a ball that passes sooner is saved, s"},
      {"dive_beside", TACTICS(dive_beside), 0.05, 1.0, "further beside the keeper dives, nearer it blocks, m"},
      {"dive_reach", TACTICS(dive_reach), 0.1, 2.0, "further beside a dive does not help, m"},
      {"search_turn", TACTICS(search_turn), 0.0, 3.0, "on the spot while searching, rad/s"},
      {"kick_limit", EXECUTOR(kick_limit), 0.1, 60.0, "from the order to the result of a kick, s"},
      {"legs_limit", EXECUTOR(legs_limit), 0.1, 60.0, "until the walk has stopped for a kick, s"},
      {"no_return", EXECUTOR(no_return), 0.0, 1.0, "share of a kick after which it is not taken back"},
      {"dive_left", EXECUTOR(dive_left), "animation of the dive to the left"},
      {"dive_right", EXECUTOR(dive_right), "the same to the right"},
      {"dive_middle", EXECUTOR(dive_middle), "animation for a ball nearly straight on"},
      {"task_folders", &P::task_folders, "folders of RTDL tasks, besides those of this package", Change::AtStart},
      {"tasks_in_game", &P::tasks_in_game, "run_task is also accepted in READY, SET and PLAYING"},
      {"task_time_limit", &P::task_time_limit, 0.0, 36000.0, "of a task and each task it calls, s; 0: none",
       Change::AtStart},
      {"block", EXECUTOR(block), "animation for a ball straight on"},
  };
#undef TACTICS
#undef EXECUTOR
  return kTable;
}

const hl_node::ParameterTable<HeadNodeParams>& head_parameters() {
  using P = HeadNodeParams;
#define HEAD(member) [](P& p) -> decltype(Head::Params::member)& { return p.core.member; }
  static const hl_node::ParameterTable<P> kTable = {
      {"rate", &P::rate, 5.0, 200.0, "goals per second, Hz", Change::AtStart},
      {"urdf_file", &P::urdf_file, "expanded URDF of the robot", Change::AtStart},
      {"robot_config_file", &P::robot_config_file, "robot.yaml, for its walk-ready pose", Change::AtStart},
      {"track_speed", HEAD(track_speed), 0.1, 20.0, "of the head while it tracks, rad/s"},
      {"scan_speed", HEAD(scan_speed), 0.1, 20.0, "while it searches, rad/s"},
      {"delay", HEAD(delay), 0.0, 0.5, "from a goal to the camera being there, s"},
      {"ball_memory", HEAD(ball_memory), 0.1, 10.0, "a ball not seen for longer is searched, s"},
      {"near_search", HEAD(near_search), 0.0, 10.0, "it is first searched where it should be, s"},
      {"look_at_memory", HEAD(look_at_memory), 0.05, 10.0, "a point to look at counts this long, s"},
      {"dwell", HEAD(dwell), 0.1, 5.0, "at a landmark, s"},
      {"share_period", HEAD(share_period), 0.5, 20.0, "ball and goal in turn, s"},
      {"scan_pan", HEAD(scan_pan), 0.1, 3.1, "to either side while searching, rad"},
      {"horizontal_view", HEAD(horizontal_view), 0.2, 3.1, "of the camera, rad"},
  };
#undef HEAD
  return kTable;
}

}  // namespace hl_behavior
