// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>

#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <humanoid_league_msgs/msg/team_link.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>

#include "hl_network/udp_socket.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/spinning.hpp"

using hl_testing::Process;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::Position2D;
using humanoid_league_msgs::msg::Strategy;
using humanoid_league_msgs::msg::TeamData;
using humanoid_league_msgs::msg::TeamLink;
using humanoid_league_msgs::msg::TeamLinkMate;

namespace {

std::vector<std::string> command(std::uint16_t port, int team, int player) {
  return {std::string(PROGRAM_FOLDER) + "/team_comm",
          "--ros-args",
          "-r",
          "__ns:=/r" + std::to_string(team) + std::to_string(player),
          "-p",
          "team_id:=" + std::to_string(team),
          "-p",
          "player_id:=" + std::to_string(player),
          "-p",
          "loopback:=true",
          "-p",
          "local_port:=" + std::to_string(port),
          "-p",
          "remote_port:=" + std::to_string(port)};
}

class TeamComm : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    hl_testing::isolate();
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void listen(const std::string& robot) {
    subscription_ = node_->create_subscription<TeamData>("/" + robot + "/team_data", 1,
                                                         [this](const TeamData& data) { data_ = data; });
  }

  template <class Condition>
  bool wait(Condition condition) {
    return hl_testing::spin_until(node_, condition);
  }

  rclcpp::Node::SharedPtr node_ = std::make_shared<rclcpp::Node>("test_team_comm");
  rclcpp::Subscription<TeamData>::SharedPtr subscription_;
  std::optional<TeamData> data_;
  std::uint16_t port_ = hl_network::UdpSocket("127.0.0.1", 0).port();
};

}  // namespace

TEST_F(TeamComm, TeamMatesHearEachOtherAndNobodyElse) {
  Process first(command(port_, 6, 1));
  Process second(command(port_, 6, 2));
  Process stranger(command(port_, 7, 3));
  listen("r61");
  auto strategy = node_->create_publisher<Strategy>("/r62/strategy", rclcpp::QoS(1).transient_local());
  auto position = node_->create_publisher<Position2D>("/r62/position", 1);
  std::optional<TeamLink> link;
  auto links = node_->create_subscription<TeamLink>("/r61/team_link", 10, [&](const TeamLink& told) { link = told; });
  Strategy plan;
  plan.role = Strategy::ROLE_STRIKER;
  plan.action = Strategy::ACTION_GOING_TO_BALL;
  plan.offensive_side = Strategy::SIDE_RIGHT;
  strategy->publish(plan);
  ASSERT_TRUE(wait([&] {
    Position2D where;
    where.pose.x = -1.25;
    where.pose.theta = 0.5;
    where.confidence = 1.0F;
    position->publish(where);
    return data_ && data_->robot_ids.size() == 1 && data_->role[0] == TeamData::ROLE_STRIKER &&
           data_->robot_positions[0].x < -1.0;
  })) << first.output()
      << second.output();
  EXPECT_EQ(data_->robot_ids[0], 2);
  EXPECT_EQ(data_->offensive_side[0], TeamData::RIGHT);
  EXPECT_NEAR(data_->robot_positions[0].theta, 0.5, 0.02);
  EXPECT_EQ(data_->ball_relative[0].confidence, 0.0F) << "nobody saw the ball";
  ASSERT_EQ(data_->stamps.size(), 1u);
  EXPECT_NEAR(rclcpp::Time(data_->stamps[0]).seconds(), rclcpp::Time(data_->header.stamp).seconds(), 3.0);
  ASSERT_EQ(data_->position_covariances.size(), 9u);
  EXPECT_LT(data_->position_covariances[0], 1.0) << "it is sure where it is";
  EXPECT_TRUE(wait([&] {
    return link && link->mates.size() == 1 && link->mates[0].state == TeamLinkMate::CONNECTED && link->send_rate > 0.0F;
  }));

  second.signal(SIGKILL);
  EXPECT_TRUE(wait([&] { return data_->robot_ids.empty(); })) << "a dead team mate expires";
}

TEST_F(TeamComm, RobotsOfDifferentDialectsHearEachOtherOnTheNamedInterface) {
  auto foreign = command(port_, 6, 2);
  foreign.insert(foreign.end(), {"-p", "dialect:=robocup_protocol", "-p", "loopback:=false", "-p", "interface:=lo"});
  Process first(command(port_, 6, 1));
  Process second(foreign);
  listen("r61");
  EXPECT_TRUE(wait([&] { return data_ && data_->robot_ids == std::vector<std::uint8_t>{2}; }))
      << first.output() << second.output();
  listen("r62");
  data_.reset();
  EXPECT_TRUE(wait([&] { return data_ && data_->robot_ids == std::vector<std::uint8_t>{1}; }))
      << first.output() << second.output();
}

TEST_F(TeamComm, TheGatewaySaysInOneDialectWhatItHearsInTheOther) {
  const std::uint16_t other = hl_network::UdpSocket("127.0.0.1", 0).port();
  auto foreign = command(other, 6, 2);
  foreign.insert(foreign.end(), {"-p", "dialect:=robocup_protocol"});
  Process first(command(port_, 6, 1));
  Process second(foreign);  // on another port: without the gateway they would never hear each other
  Process gateway({std::string(PROGRAM_FOLDER) + "/team_gateway", "--ros-args", "-p", "team_id:=6", "-p",
                   "loopback:=true", "-p", "mitecom_port:=" + std::to_string(port_), "-p",
                   "robocup_protocol_port:=" + std::to_string(other)});
  listen("r61");
  EXPECT_TRUE(wait([&] { return data_ && data_->robot_ids == std::vector<std::uint8_t>{2}; }))
      << first.output() << second.output() << gateway.output();
}

TEST_F(TeamComm, ANetworkThatIsNotThereIsNamed) {
  auto arguments = command(port_, 6, 1);
  arguments.insert(arguments.end(), {"-p", "loopback:=false", "-p", "interface:=wlan77"});
  Process process(arguments);
  EXPECT_TRUE(wait([&] { return process.output().find("no network 'wlan77'") != std::string::npos; }))
      << process.output();
}

TEST_F(TeamComm, PenalisedRobotIsSilent) {
  Process first(command(port_, 6, 1));
  Process second(command(port_, 6, 2));
  listen("r61");
  ASSERT_TRUE(wait([&] { return data_ && data_->robot_ids.size() == 1; })) << first.output();
  auto game = node_->create_publisher<GameState>("/r62/gamestate", rclcpp::QoS(1).transient_local());
  GameState state;
  state.penalized = true;
  state.message_budget = GameState::NO_BUDGET;
  game->publish(state);
  EXPECT_TRUE(wait([&] { return data_->robot_ids.empty(); }));
  state.penalized = false;
  game->publish(state);
  EXPECT_TRUE(wait([&] { return data_->robot_ids.size() == 1; })) << "it speaks again once it may";
}

TEST_F(TeamComm, BadParametersEndTheNodeWithAReason) {
  auto arguments = command(port_, 6, 1);
  arguments.insert(arguments.end(), {"-p", "send_interval:=0.0"});
  Process process(arguments);
  EXPECT_NE(process.wait(), 0);
  EXPECT_NE(process.output().find("send_interval"), std::string::npos) << process.output();
}
