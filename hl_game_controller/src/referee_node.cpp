// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <humanoid_league_msgs/srv/place_ball.hpp>
#include <humanoid_league_msgs/srv/place_robot.hpp>
#include <humanoid_league_msgs/srv/referee_command.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <string>
#include <thread>

#include "hl_game_controller/game_log.hpp"
#include "hl_game_controller/referee.hpp"
#include "hl_game_controller/return_packet.hpp"
#include "hl_network/udp_socket.hpp"

namespace hl_game_controller {
namespace {

using humanoid_league_msgs::msg::SimulationState;
using humanoid_league_msgs::srv::PlaceBall;
using humanoid_league_msgs::srv::PlaceRobot;
using humanoid_league_msgs::srv::RefereeCommand;

rcl_interfaces::msg::ParameterDescriptor read_only(const std::string& text) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = true;
  return descriptor;
}

std::optional<Dialect> dialect_from(const std::string& word) {
  if (word == "v12") return Dialect::V12;
  if (word == "v11") return Dialect::V11;
  if (word == "hsl19") return Dialect::Hsl19;
  if (word == "hsl20") return Dialect::Hsl20;
  return std::nullopt;
}

FieldView view_from(const SimulationState& truth) {
  FieldView view;
  view.ball = {truth.ball_pose.position.x, truth.ball_pose.position.y};
  view.ball_height = truth.ball_pose.position.z;
  std::map<std::string, std::size_t> index_of;
  for (std::size_t i = 0; i < truth.robots.size(); ++i) index_of[truth.robots[i].name] = i;
  for (const auto& robot : truth.robots) {
    SeenRobot seen;
    seen.team = robot.team;
    seen.player = robot.player;
    seen.position = {robot.pose.position.x, robot.pose.position.y};
    seen.velocity = {robot.twist.linear.x, robot.twist.linear.y};
    seen.upright = robot.upright;
    for (const auto& other : robot.robot_contacts) {
      if (const auto found = index_of.find(other); found != index_of.end()) seen.touching.push_back(found->second);
    }
    view.robots.push_back(seen);
  }
  const auto touched = index_of.find(truth.ball_touched_by);
  if (touched != index_of.end()) view.last_touch = touched->second;
  return view;
}

}  // namespace

/// Runs a game from the simulator's ground truth, or by hand without one, and speaks the GameController's protocol.
class RefereeNode : public rclcpp::Node {
 public:
  explicit RefereeNode(const rclcpp::NodeOptions& options) : Node("referee", options), referee_(declared_params()) {
    const auto address = declare_parameter(
        "robots_address", "255.255.255.255",
        read_only("where packets go: a broadcast address; 127.255.255.255 reaches all robots on this machine only"));
    const auto port = declare_parameter("port", 3838, read_only("UDP port the robots listen on"));
    const auto answer_port = declare_parameter("answer_port", 3939, read_only("UDP port robots answer to; 0 = none"));
    const auto log_file = declare_parameter("log_file", "", read_only("game log, one JSON object per line"));
    report_file_ = declare_parameter("report_file", "", read_only("report at the end of the game, Markdown"));
    remove_robots_ = declare_parameter("remove_robots", true,
                                       read_only("penalised robots are carried to the touch line (in simulation)"));
    const bool start = declare_parameter("start", false, read_only("start the first half at once"));
    const auto robots = hl_network::Endpoint::from(address, static_cast<std::uint16_t>(port));
    if (!robots) throw std::invalid_argument("robots_address '" + address + "' is not an IPv4 address");
    robots_ = *robots;
    const bool loopback = (robots_.address >> 24U) == 127U;
    socket_ = std::make_unique<hl_network::UdpSocket>(loopback ? "127.0.0.1" : "0.0.0.0", 0);
    if (answer_port != 0) {
      answers_ = std::make_unique<hl_network::UdpSocket>(loopback ? "127.0.0.1" : "0.0.0.0",
                                                         static_cast<std::uint16_t>(answer_port));
    }
    if (!log_file.empty()) {
      log_.open(log_file);
      if (!log_) throw std::invalid_argument("log_file '" + log_file + "' cannot be written: does its folder exist?");
    }

    truth_subscription_ = create_subscription<SimulationState>(
        "/ground_truth", rclcpp::QoS(1).best_effort(), [this](const SimulationState& truth) { on_truth(truth); });
    place_ball_ = create_client<PlaceBall>("/simulator/place_ball");
    place_robot_ = create_client<PlaceRobot>("/simulator/place_robot");
    command_service_ =
        create_service<RefereeCommand>("referee_command", [this](const std::shared_ptr<RefereeCommand::Request> request,
                                                                 std::shared_ptr<RefereeCommand::Response> response) {
          const std::lock_guard lock(mutex_);
          const auto answer = referee_.command(request->command);
          response->success = answer.obeyed;
          response->message = answer.text;
        });
    update_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(kUpdatePeriod), [this] { update(); });
    send_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(kSendPeriod), [this] { send(); });
    if (start) referee_.command("start");
    if (isatty(STDIN_FILENO) != 0) {
      std::printf("Referee by hand: 'help' lists the words.\n");
      terminal_ = std::thread([this] { read_terminal(); });
    }
  }

  ~RefereeNode() override {
    stopping_ = true;
    if (terminal_.joinable()) terminal_.join();
  }

 private:
  static constexpr double kUpdatePeriod = 0.1;  // s
  static constexpr double kSendPeriod = 0.5;    // s, as the official program

  Referee::Params declared_params() {
    Referee::Params params;
    const auto preset =
        declare_parameter("rules", "kid_2025", read_only("rule book: kid_2025, kid_2020, kid_2019, adult_2025"));
    const auto rules = Rules::preset(preset);
    if (!rules) {
      std::string known;
      for (const auto& name : Rules::preset_names()) known += " " + name;
      throw std::invalid_argument("rules '" + preset + "' is not known; there are" + known);
    }
    params.rules = *rules;
    params.rules.half_time = declare_parameter("half_time", rules->half_time, read_only("s"));
    params.rules.break_time = declare_parameter("break_time", rules->break_time, read_only("s between the halves"));
    params.rules.ready_time = declare_parameter("ready_time", rules->ready_time, read_only("s"));
    params.rules.knock_out =
        declare_parameter("knock_out", false, read_only("a draw leads to extra time and shoot-out"));
    params.rules.players_per_team =
        static_cast<int>(declare_parameter("players_per_team", rules->players_per_team, read_only("1 to 11")));
    const auto teams = declare_parameter("teams", std::vector<std::int64_t>{1, 2}, read_only("the two team numbers"));
    const auto names =
        declare_parameter("team_names", std::vector<std::string>{"red", "blue"}, read_only("the two names"));
    if (teams.size() != 2 || names.size() != 2)
      throw std::invalid_argument("teams and team_names need two entries each");
    for (std::size_t i = 0; i < 2; ++i) {
      if (teams[i] < 1 || teams[i] > 254) throw std::invalid_argument("team numbers must lie between 1 and 254");
      params.teams[i].number = static_cast<std::uint8_t>(teams[i]);
      params.teams[i].name = names[i];
    }
    params.seed = static_cast<std::uint64_t>(declare_parameter("seed", 1, read_only("decides what nobody saw")));
    const auto word = declare_parameter("protocol", "v12", read_only("v11, v12, hsl19 or hsl20"));
    const auto dialect = dialect_from(word);
    if (!dialect) throw std::invalid_argument("protocol '" + word + "' is not known; use v11, v12, hsl19 or hsl20");
    params.dialect = *dialect;
    if (const auto error = params.validate()) throw std::invalid_argument(*error);
    return params;
  }

  void on_truth(const SimulationState& truth) {
    const std::lock_guard lock(mutex_);
    view_ = view_from(truth);
    for (const auto& robot : truth.robots) robot_names_[{robot.team, robot.player}] = robot.name;
  }

  void update() {
    const std::lock_guard lock(mutex_);
    referee_.update(view_ ? &*view_ : nullptr, now().seconds());
    for (const auto& event : referee_.take_events()) {
      report_.add(event);
      if (log_.is_open()) log_ << json_line(event) << std::endl;
      RCLCPP_INFO(get_logger(), "%s%s: %s", event.kind.c_str(), who(event).c_str(), event.text.c_str());
    }
    for (const auto& action : referee_.take_actions()) carry_out(action);
    if (referee_.over() && !reported_) {
      reported_ = true;
      const auto text = report_.text(referee_);
      if (!report_file_.empty()) std::ofstream(report_file_) << text;
      RCLCPP_INFO(get_logger(), "the game is over\n%s", text.c_str());
    }
  }

  static std::string who(const GameEvent& event) {
    if (event.team == 0) return "";
    return " (team " + std::to_string(event.team) +
           (event.player == 0 ? "" : " player " + std::to_string(event.player)) + ")";
  }

  void carry_out(const FieldAction& action) {
    if (action.kind == FieldAction::Kind::PlaceBall) {
      if (!place_ball_->service_is_ready()) return;  // by hand on a real field
      auto request = std::make_shared<PlaceBall::Request>();
      request->position.x = action.position.x;
      request->position.y = action.position.y;
      place_ball_->async_send_request(request, [](rclcpp::Client<PlaceBall>::SharedFuture) {});
      return;
    }
    const auto name = robot_names_.find({action.team, action.player});
    if (!remove_robots_ || name == robot_names_.end() || !place_robot_->service_is_ready()) return;
    auto request = std::make_shared<PlaceRobot::Request>();
    request->robot = name->second;
    request->pose.position.x = action.position.x;
    request->pose.position.y = action.position.y;
    request->pose.orientation.z = std::sin(action.yaw / 2);
    request->pose.orientation.w = std::cos(action.yaw / 2);
    place_robot_->async_send_request(request, [](rclcpp::Client<PlaceRobot>::SharedFuture) {});
  }

  void send() {
    const std::lock_guard lock(mutex_);
    auto packet = referee_.packet();
    packet.packet_number = packet_number_++;
    std::array<std::uint8_t, kMaxControlPacketSize> bytes{};
    const auto size = encode(packet, bytes.data(), bytes.size());
    if (!socket_->send({bytes.data(), size}, robots_)) {
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 10'000, "the network takes no packets for %s",
                           robots_.address_text().c_str());
    }
    read_answers();
  }

  /// Notes who is alive; a robot that is heard for the first time, or again, is worth a line.
  void read_answers() {
    if (!answers_) return;
    std::array<std::uint8_t, 64> buffer{};
    hl_network::Endpoint sender;
    for (int i = 0; i < kMaxAnswersPerTurn; ++i) {
      const auto size = answers_->receive(buffer.data(), buffer.size(), sender);
      if (!size) break;
      const auto answer = decode_return({buffer.data(), *size});
      if (!answer) continue;
      const std::pair robot{answer->team, answer->player};
      if (heard_.count(robot) == 0) {
        RCLCPP_INFO(get_logger(), "team %d player %d is there", static_cast<int>(answer->team),
                    static_cast<int>(answer->player));
      }
      heard_[robot] = now().seconds();
    }
    for (auto robot = heard_.begin(); robot != heard_.end();) {
      const bool offline = now().seconds() - robot->second > kOfflineAfter;
      if (offline) {
        RCLCPP_WARN(get_logger(), "team %d player %d is silent", static_cast<int>(robot->first.first),
                    static_cast<int>(robot->first.second));
      }
      robot = offline ? heard_.erase(robot) : std::next(robot);
    }
  }

  void read_terminal() {
    constexpr int kWaitMilliseconds = 200;
    std::string line;
    while (!stopping_) {
      pollfd input{STDIN_FILENO, POLLIN, 0};
      if (poll(&input, 1, kWaitMilliseconds) <= 0) continue;
      char c = 0;
      if (read(STDIN_FILENO, &c, 1) <= 0) return;
      if (c != '\n') {
        line += c;
        continue;
      }
      const std::lock_guard lock(mutex_);
      std::printf("%s\n", referee_.command(line).text.c_str());
      std::fflush(stdout);
      line.clear();
    }
  }

  static constexpr int kMaxAnswersPerTurn = 200;
  static constexpr double kOfflineAfter = 4.0;  // s, as the official program

  std::mutex mutex_;  // the terminal has a thread of its own
  Referee referee_;
  std::optional<FieldView> view_;
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::string> robot_names_;  // by team and player number
  std::map<std::pair<std::uint8_t, std::uint8_t>, double> heard_;             // s, last answer
  GameReport report_;
  std::ofstream log_;
  std::string report_file_;
  bool reported_ = false;
  bool remove_robots_ = true;
  std::uint8_t packet_number_ = 0;
  hl_network::Endpoint robots_;
  std::unique_ptr<hl_network::UdpSocket> socket_;
  std::unique_ptr<hl_network::UdpSocket> answers_;
  rclcpp::Subscription<SimulationState>::SharedPtr truth_subscription_;
  rclcpp::Client<PlaceBall>::SharedPtr place_ball_;
  rclcpp::Client<PlaceRobot>::SharedPtr place_robot_;
  rclcpp::Service<RefereeCommand>::SharedPtr command_service_;
  rclcpp::TimerBase::SharedPtr update_timer_;
  rclcpp::TimerBase::SharedPtr send_timer_;
  std::atomic<bool> stopping_{false};
  std::thread terminal_;
};

}  // namespace hl_game_controller

RCLCPP_COMPONENTS_REGISTER_NODE(hl_game_controller::RefereeNode)
