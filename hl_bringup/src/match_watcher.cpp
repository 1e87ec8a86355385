// SPDX-License-Identifier: Apache-2.0
#include "match_watcher.hpp"

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <hl_description/geometry.hpp>

namespace hl_bringup {
namespace {

namespace msg = humanoid_league_msgs::msg;
using humanoid_league_msgs::srv::RefereeCommand;

constexpr double kMemory = 1.0;        // s of truth kept
constexpr double kSameMoment = 0.025;  // s between a belief and the truth it is compared with
constexpr double kGraphPeriod = 5.0;   // s between two looks at who writes what

double seconds(const builtin_interfaces::msg::Time& stamp) {
  return stamp.sec + 1e-9 * stamp.nanosec;
}

/// True while the HCM plays an animation on purpose; a dive ends on the ground.
bool on_purpose(std::uint8_t state) {
  return state == msg::RobotControlState::ANIMATION_RUNNING;
}

std::optional<RefereeWord> word_from(const std::string& line) {
  try {
    const auto json = YAML::Load(line);
    return RefereeWord{json["time"].as<double>(), json["event"].as<std::string>(), json["team"].as<int>(),
                       json["player"].as<int>(), json["text"].as<std::string>()};
  } catch (const YAML::Exception&) {
    return std::nullopt;  // half a line
  }
}

}  // namespace

MatchWatcher::MatchWatcher(const rclcpp::Node::SharedPtr& node, int players, const std::string& referee_log,
                           const hl_description::Field& field)
    : node_(node), commentary_(Commentary::Params(), field), log_path_(referee_log) {
  for (const int team : {1, 2}) {
    for (int player = 1; player <= players; ++player) {
      robots_.emplace_back();
      robots_.back().name = team_name(team) + std::to_string(player);
      robots_.back().team = team;
      listen(robots_.back());
    }
  }
  truth_ = node_->create_subscription<msg::SimulationState>(
      "/ground_truth", rclcpp::QoS(50), [this](const msg::SimulationState& truth) { on_truth(truth); });
  referee_ = node_->create_client<RefereeCommand>("/referee_command");
}

void MatchWatcher::listen(Robot& robot) {
  const auto latched = rclcpp::QoS(1).transient_local();
  const std::string space = "/" + robot.name + "/";
  robot.subscriptions.push_back(node_->create_subscription<msg::RobotControlState>(
      space + "robot_state", latched, [&robot](const msg::RobotControlState& m) { robot.state = m.state; }));
  robot.subscriptions.push_back(node_->create_subscription<msg::Strategy>(
      space + "strategy", latched, [&robot](const msg::Strategy& m) { robot.role = m.role; }));
  robot.subscriptions.push_back(
      node_->create_subscription<msg::GameState>(space + "gamestate", latched, [this, &robot](const msg::GameState& m) {
        robot.referee_heard = m.referee_connected;
        kick_off_team_ = m.kick_off_team;
      }));
  robot.subscriptions.push_back(node_->create_subscription<msg::Position2D>(space + "position", rclcpp::QoS(5),
                                                                            [this, &robot](const msg::Position2D& m) {
                                                                              robot.located = true;
                                                                              on_position(robot, m);
                                                                            }));
  robot.subscriptions.push_back(node_->create_subscription<msg::DecisionTrace>(
      space + "decision_trace", rclcpp::QoS(10), [this, &robot](const msg::DecisionTrace& m) {
        if (seconds(m.image) > 0.0 && game_state_ == "PLAYING")
          statistics_.decision(robot.name, seconds(m.decided) - seconds(m.image));
      }));
}

std::string MatchWatcher::missing() const {
  if (past_.empty()) return "the simulator";
  if (!referee_->service_is_ready()) return "the referee";
  for (const auto& robot : robots_) {
    if (robot.state != msg::RobotControlState::CONTROLLABLE) return robot.name + " to stand";
    if (!robot.located) return "the localisation of " + robot.name;
    if (!robot.role) return "the behaviour of " + robot.name;
    if (!robot.referee_heard) return robot.name + " to hear the referee";
  }
  return "";
}

void MatchWatcher::referee(const std::string& word) {
  auto request = std::make_shared<RefereeCommand::Request>();
  request->command = word;
  referee_->async_send_request(request, [](rclcpp::Client<RefereeCommand>::SharedFuture) {});
}

std::optional<double> MatchWatcher::time() const {
  return past_.empty() ? std::nullopt : std::optional<double>(past_.back().time);
}

void MatchWatcher::on_truth(const msg::SimulationState& truth) {
  MatchView view;
  view.time = seconds(truth.header.stamp);
  view.ball_x = truth.ball_pose.position.x;
  view.ball_y = truth.ball_pose.position.y;
  view.ball_vx = truth.ball_twist.linear.x;
  view.ball_vy = truth.ball_twist.linear.y;
  view.ball_touched_by = truth.ball_touched_by;
  for (const auto& seen : truth.robots) {
    SeenPlayer player;
    player.name = seen.name;
    player.team = seen.team;
    player.player = seen.player;
    player.x = seen.pose.position.x;
    player.y = seen.pose.position.y;
    const auto& q = seen.pose.orientation;
    player.yaw = hl_description::yaw_of({q.w, q.x, q.y, q.z});
    player.speed = std::hypot(seen.twist.linear.x, seen.twist.linear.y);
    player.upright = seen.upright;
    player.held = seen.held;
    for (const auto& robot : robots_)
      if (robot.name == seen.name && robot.state) player.down_on_purpose = on_purpose(*robot.state);
    view.players.push_back(player);
  }
  read_referee_log();
  judge_.look(view, truth.step);
  add(commentary_.look(view));
  statistics_.look(view, commentary_.owner_team(), game_state_ == "PLAYING");
  std::map<int, int> strikers;
  for (const auto& robot : robots_) strikers[robot.team] += robot.role == msg::Strategy::ROLE_STRIKER;
  judge_.strikers(strikers, view.time);
  if (view.time >= next_look_at_graph_) {
    next_look_at_graph_ = view.time + kGraphPeriod;
    for (const auto& robot : robots_)
      judge_.writers(robot.name, node_->count_publishers("/" + robot.name + "/motor_goals"), view.time);
  }
  past_.push_back(std::move(view));
  while (past_.size() > 1 && past_.back().time - past_.front().time > kMemory) past_.pop_front();
}

void MatchWatcher::on_position(const Robot& robot, const msg::Position2D& position) {
  if (game_state_ != "PLAYING") return;
  const double stamp = seconds(position.header.stamp);
  for (const auto& view : past_) {
    if (std::abs(view.time - stamp) > kSameMoment) continue;
    for (const auto& player : view.players) {
      if (player.name != robot.name) continue;
      const double side = player.team == 1 ? 1.0 : -1.0;  // the map of the right team is turned
      const double error = std::hypot(side * position.pose.x - player.x, side * position.pose.y - player.y);
      statistics_.pose(robot.name, position.confidence > 0.0f, error);
    }
    return;
  }
}

void MatchWatcher::read_referee_log() {
  if (!log_.is_open()) {
    log_.open(log_path_);
    if (!log_) return;
  }
  log_.clear();
  std::string line;
  for (auto place = log_.tellg(); std::getline(log_, line); place = log_.tellg()) {
    const auto word = log_.eof() ? std::nullopt : word_from(line);
    if (!word) {  // it is being written
      log_.clear();
      log_.seekg(place);
      return;
    }
    if (word->kind == "state") game_state_ = word->text;
    if (word->kind == "goal") {
      ++goals_[word->team == 1 ? 0 : 1];
      if (!first_goal_) first_goal_ = word->time;
    }
    if (word->kind == "result") over_ = true;
    judge_.hear(*word);
    add(commentary_.hear(*word, kick_off_team_));
  }
}

void MatchWatcher::add(std::vector<MatchEvent> events) {
  for (auto& event : events) {
    statistics_.count(event);
    events_.push_back(std::move(event));
  }
}

std::vector<MatchEvent> MatchWatcher::take_events() {
  return std::exchange(events_, {});
}

}  // namespace hl_bringup
