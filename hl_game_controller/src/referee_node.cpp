// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <unistd.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
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
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "parameters.hpp"

namespace hl_game_controller {
namespace {

using humanoid_league_msgs::msg::SimulationState;
using humanoid_league_msgs::srv::PlaceBall;
using humanoid_league_msgs::srv::PlaceRobot;
using humanoid_league_msgs::srv::RefereeCommand;

std::string field_file() {
  return ament_index_cpp::get_package_share_directory("hl_description") + "/config/field.yaml";
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
  explicit RefereeNode(const rclcpp::NodeOptions& options)
      : Node("referee", options),
        rule_book_(*this, rule_book_parameters()),
        parameters_(*this, referee_parameters(), RefereeParams::of(rule_book_.values(), field_file())),
        params_(parameters_.values()),
        referee_(params_.referee()),
        robots_(*hl_network::Endpoint::from(params_.robots_address, static_cast<std::uint16_t>(params_.port))) {
    const bool loopback = (robots_.address >> 24U) == 127U;
    socket_ = std::make_unique<hl_network::UdpSocket>(loopback ? "127.0.0.1" : "0.0.0.0", 0);
    if (params_.answer_port != 0) {
      answers_ = std::make_unique<hl_network::UdpSocket>(loopback ? "127.0.0.1" : "0.0.0.0",
                                                         static_cast<std::uint16_t>(params_.answer_port));
    }
    if (!params_.log_file.empty()) {
      log_.open(params_.log_file);
      if (!log_)
        throw std::invalid_argument("log_file '" + params_.log_file + "' cannot be written: does its folder exist?");
    }

    truth_subscription_ = hl_node::create_subscription<SimulationState>(
        *this, hl_node::topics::kGroundTruth, [this](const SimulationState& truth) { on_truth(truth); }, {}, "/");
    place_ball_ = create_client<PlaceBall>(hl_node::services::kSimulatorPlaceBall);
    place_robot_ = create_client<PlaceRobot>(hl_node::services::kSimulatorPlaceRobot);
    command_service_ = create_service<RefereeCommand>(hl_node::services::kRefereeCommand,
                                                      [this](const std::shared_ptr<RefereeCommand::Request> request,
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
    if (params_.start) referee_.command("start");
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

  void on_truth(const SimulationState& truth) {
    const std::lock_guard lock(mutex_);
    view_ = view_from(truth);
    for (const auto& robot : truth.robots) robot_names_[{robot.team, robot.player}] = robot.name;
  }

  void update() {
    const std::lock_guard lock(mutex_);
    const auto outputs = referee_.step({view_ ? &*view_ : nullptr}, now().seconds());
    for (const auto& event : outputs.events) {
      report_.add(event);
      if (log_.is_open()) log_ << json_line(event) << std::endl;
      RCLCPP_INFO(get_logger(), "%s%s: %s", event.kind.c_str(), who(event).c_str(), event.text.c_str());
    }
    for (const auto& action : outputs.actions) carry_out(action);
    if (referee_.over() && !reported_) {
      reported_ = true;
      const auto text = report_.text(referee_);
      if (!params_.report_file.empty()) std::ofstream(params_.report_file) << text;
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
    if (!params_.remove_robots || name == robot_names_.end() || !place_robot_->service_is_ready()) return;
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
      if (last_message_time_.count(robot) == 0) {
        RCLCPP_INFO(get_logger(), "team %d player %d is there", static_cast<int>(answer->team),
                    static_cast<int>(answer->player));
      }
      last_message_time_[robot] = now().seconds();
    }
    for (auto robot = last_message_time_.begin(); robot != last_message_time_.end();) {
      const bool offline = now().seconds() - robot->second > kOfflineAfter;
      if (offline) {
        RCLCPP_WARN(get_logger(), "team %d player %d is silent", static_cast<int>(robot->first.first),
                    static_cast<int>(robot->first.second));
      }
      robot = offline ? last_message_time_.erase(robot) : std::next(robot);
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

  hl_node::NodeParameters<RuleBook> rule_book_;
  hl_node::NodeParameters<RefereeParams> parameters_;
  const RefereeParams& params_;
  std::mutex mutex_;  // the terminal has a thread of its own
  Referee referee_;
  hl_network::Endpoint robots_;
  std::optional<FieldView> view_;
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::string> robot_names_;   // by team and player number
  std::map<std::pair<std::uint8_t, std::uint8_t>, double> last_message_time_;  // s, last answer
  GameReport report_;
  std::ofstream log_;
  bool reported_ = false;
  std::uint8_t packet_number_ = 0;
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
