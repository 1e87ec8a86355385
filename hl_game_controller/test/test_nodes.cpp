// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/srv/referee_command.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>

#include "golden_packets.hpp"
#include "hl_game_controller/control_packet.hpp"
#include "hl_game_controller/return_packet.hpp"
#include "hl_network/udp_socket.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/spinning.hpp"
#include "hl_testing/temporary_folder.hpp"

using hl_testing::Process;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::srv::RefereeCommand;

namespace {

const std::string kClient = std::string(PROGRAM_FOLDER) + "/game_controller_client";
const std::string kReferee = std::string(PROGRAM_FOLDER) + "/referee";

/// A port nobody uses now.
std::uint16_t free_port() {
  return hl_network::UdpSocket("127.0.0.1", 0).port();
}

std::vector<std::string> client_command(std::uint16_t port, std::uint16_t answer_port, int team, int player) {
  return {kClient, "--ros-args",
          "-r",    "__ns:=/t" + std::to_string(team) + "p" + std::to_string(player),
          "-p",    "team_id:=" + std::to_string(team),
          "-p",    "player_id:=" + std::to_string(player),
          "-p",    "port:=" + std::to_string(port),
          "-p",    "answer_port:=" + std::to_string(answer_port)};
}

/// Listens to the game state of one robot.
class Listener {
 public:
  explicit Listener(const rclcpp::Node::SharedPtr& node, int team, int player) : node_(node) {
    subscription_ = node->create_subscription<GameState>(
        "/t" + std::to_string(team) + "p" + std::to_string(player) + "/gamestate", rclcpp::QoS(1).transient_local(),
        [this](const GameState& state) { last = state; });
  }

  template <class Condition>
  bool wait(Condition condition) {
    return hl_testing::spin_until(node_, [&] { return last && condition(*last); });
  }

  std::optional<GameState> last;

 private:
  rclcpp::Node::SharedPtr node_;
  rclcpp::Subscription<GameState>::SharedPtr subscription_;
};

class Nodes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    hl_testing::isolate();
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  rclcpp::Node::SharedPtr node_ = std::make_shared<rclcpp::Node>("test_game_controller");
};

}  // namespace

TEST_F(Nodes, ClientPublishesTheRefereesWordAndAnswers) {
  const auto port = free_port();
  const hl_network::UdpSocket referee("127.0.0.1", 0);
  Process process(client_command(port, referee.port(), 6, 2));
  Listener robot(node_, 6, 2);
  ASSERT_TRUE(robot.wait([](const GameState& state) { return !state.referee_connected; })) << process.output();

  auto bytes = hl_game_controller::test::free_kick_v12();
  const auto to_robot = *hl_network::Endpoint::from("127.0.0.1", port);
  ASSERT_TRUE(hl_testing::wait_until([&] {
    ++bytes[6];
    referee.send({bytes.data(), bytes.size()}, to_robot);
    rclcpp::spin_some(node_);
    return robot.last->referee_connected;
  })) << process.output();
  EXPECT_TRUE(robot.last->penalized);
  EXPECT_FALSE(robot.last->allowed_to_move);
  EXPECT_EQ(robot.last->secondary_state, GameState::STATE_DIRECT_FREEKICK);
  EXPECT_EQ(robot.last->set_play_phase, GameState::PHASE_PREPARE);
  EXPECT_TRUE(robot.last->own_set_play);
  EXPECT_EQ(robot.last->own_score, 1);
  EXPECT_EQ(robot.last->rival_team, 11);

  std::array<std::uint8_t, 64> buffer{};
  hl_network::Endpoint sender;
  ASSERT_TRUE(referee.wait_readable(20'000));
  const auto size = referee.receive(buffer.data(), buffer.size(), sender);
  ASSERT_TRUE(size);
  const auto answer = hl_game_controller::decode_return({buffer.data(), *size});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->team, 6);
  EXPECT_EQ(answer->player, 2);

  // The referee releases the player and then dies.
  bytes[296] = 0;
  ASSERT_TRUE(hl_testing::wait_until([&] {
    ++bytes[6];
    referee.send({bytes.data(), bytes.size()}, to_robot);
    rclcpp::spin_some(node_);
    return !robot.last->penalized;
  }));
  EXPECT_TRUE(robot.last->allowed_to_move);
  EXPECT_TRUE(robot.wait([](const GameState& state) { return !state.referee_connected; })) << "lost after 5 s";
  EXPECT_TRUE(robot.last->allowed_to_move) << "the last word counts on";
}

TEST_F(Nodes, BadParametersEndTheNodeWithAReason) {
  Process process({kClient, "--ros-args", "-p", "team_id:=0"});
  EXPECT_NE(process.wait(), 0);
  EXPECT_NE(process.output().find("team_id"), std::string::npos) << process.output();
  Process policy({kClient, "--ros-args", "-p", "without_referee:=dance"});
  EXPECT_NE(policy.wait(), 0);
  EXPECT_NE(policy.output().find("none of keep, play, stop"), std::string::npos) << policy.output();
}

TEST_F(Nodes, TwoGamesSideBySideAndARestartedReferee) {
  const auto port = free_port();
  const auto start = [&](const std::string& name, const std::string& teams) {
    return std::make_unique<Process>(std::vector<std::string>{
        kReferee, "--ros-args", "-r", "__node:=" + name, "-r", "referee_command:=" + name + "_command", "-p",
        "teams:=" + teams, "-p", "robots_address:=127.255.255.255", "-p", "port:=" + std::to_string(port), "-p",
        "answer_port:=0"});
  };
  auto first = start("referee_a", "[1, 2]");
  auto second = start("referee_b", "[3, 4]");
  Process robot_a(client_command(port, free_port(), 1, 1));
  Process robot_b(client_command(port, free_port(), 3, 1));
  Listener game_a(node_, 1, 1);
  Listener game_b(node_, 3, 1);
  ASSERT_TRUE(game_a.wait([](const GameState& state) { return state.referee_connected && state.rival_team == 2; }))
      << first->output() << robot_a.output();
  ASSERT_TRUE(game_b.wait([](const GameState& state) { return state.referee_connected && state.rival_team == 4; }));

  RefereeCommand::Request request;
  request.command = "start";
  EXPECT_TRUE(hl_testing::call<RefereeCommand>(node_, *node_, "referee_b_command", request).success);
  ASSERT_TRUE(game_b.wait([](const GameState& state) { return state.game_state == GameState::GAMESTATE_READY; }));
  EXPECT_EQ(game_a.last->game_state, GameState::GAMESTATE_INITIAL);

  second->signal(SIGKILL);
  second.reset();
  second = start("referee_b", "[3, 4]");
  EXPECT_TRUE(game_b.wait([](const GameState& state) { return state.game_state == GameState::GAMESTATE_INITIAL; }))
      << "a restarted referee begins anew";
}

TEST_F(Nodes, WholeGameInAcceleratedTimeWithFourClientsPerSide) {
  const auto port = free_port();
  const auto answer_port = free_port();
  const hl_testing::TemporaryFolder temporary;
  const auto& folder = temporary.path();
  auto clock = node_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
  Process referee({kReferee, "--ros-args", "-p", "use_sim_time:=true", "-p", "start:=true", "-p", "teams:=[1, 2]", "-p",
                   "robots_address:=127.255.255.255", "-p", "port:=" + std::to_string(port), "-p",
                   "answer_port:=" + std::to_string(answer_port), "-p", "log_file:=" + (folder / "log.jsonl").string(),
                   "-p", "report_file:=" + (folder / "report.md").string()});
  std::vector<std::unique_ptr<Process>> robots;
  std::vector<std::unique_ptr<Listener>> listeners;
  for (int team = 1; team <= 2; ++team) {
    for (int player = 1; player <= 4; ++player) {
      auto command = client_command(port, answer_port, team, player);
      command.insert(command.end(), {"-p", "use_sim_time:=true"});
      robots.push_back(std::make_unique<Process>(command));
      listeners.push_back(std::make_unique<Listener>(node_, team, player));
    }
  }
  ASSERT_TRUE(hl_testing::wait_until([&] {
    const bool all_there = clock->get_subscription_count() >= 9;
    rclcpp::spin_some(node_);
    return all_there;
  }));
  // 0.1 s of game per step; nobody must be late, so every client has to see the game run on.
  double now = 1.0;
  const auto advance = [&] {
    now += 0.1;
    rosgraph_msgs::msg::Clock message;
    message.clock = rclcpp::Time(static_cast<std::int64_t>(now * 1e9), RCL_ROS_TIME);
    clock->publish(message);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    rclcpp::spin_some(node_);
  };
  bool second_half_seen = false;
  for (int i = 0; i < 40'000 && !std::filesystem::exists(folder / "report.md"); ++i) {
    advance();
    if (const auto& state = listeners[0]->last)
      second_half_seen = second_half_seen || (!state->first_half && state->game_state == 3);
  }
  EXPECT_TRUE(second_half_seen);
  ASSERT_TRUE(std::filesystem::exists(folder / "report.md")) << referee.output().substr(0, 3000);
  for (auto& listener : listeners) {
    ASSERT_TRUE(hl_testing::wait_until([&] {
      advance();
      return listener->last && listener->last->game_state == GameState::GAMESTATE_FINISHED;
    }));
  }
  for (int team = 1; team <= 2; ++team) {
    for (int player = 1; player <= 4; ++player) {
      const auto text = "team " + std::to_string(team) + " player " + std::to_string(player) + " is there";
      EXPECT_NE(referee.output().find(text), std::string::npos) << text;
    }
  }
  std::ifstream log(folder / "log.jsonl");
  int lines = 0;
  for (std::string line; std::getline(log, line); ++lines) EXPECT_EQ(line.front(), '{');
  EXPECT_GT(lines, 5);
}
