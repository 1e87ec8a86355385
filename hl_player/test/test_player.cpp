// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <hl_game_controller/control_packet.hpp>
#include <limits>

#include "hl_player/player.hpp"

using namespace hl_player;  // NOLINT(google-build-using-namespace): the whole file is about it
using hl_soccer::BodyState;

namespace {

std::shared_ptr<const RobotFiles> minibot() {
  static const auto files = RobotFiles::load("minibot", {DESCRIPTION_SHARE, WALKING_SHARE, HCM_SHARE, ANIMATION_SHARE});
  return files;
}

Player::Params player_2_of_team_6() {
  Player::Params params;
  params.referee.team = params.team.roster.team = 6;
  params.referee.player = params.team.roster.player = 2;
  return params;
}

/// A body that does what it is told at once and stands upright, whatever that is.
struct ObedientRobot {
  explicit ObedientRobot(const Player::Params& params = player_2_of_team_6()) : player(minibot(), params) {
    positions = minibot()->walking_body->ready();
  }

  const Player::Outputs& step() {
    inputs.sensors.stamp = now;
    inputs.sensors.positions = positions;
    inputs.sensors.imu = SensorFrame::Imu{};
    inputs.sensors.imu->orientation = tilt;
    inputs.sensors.hardware = hl_hcm::HardwareReport{};
    const auto& out = player.step(inputs, now);
    if (out.motion->goals)
      positions = Eigen::Map<const Eigen::VectorXd>(out.motion->positions.data(), positions.size());
    inputs.orders = {};
    inputs.packets.clear();
    now += 0.01;
    return out;
  }

  bool run_until(BodyState wanted, double seconds) {
    for (const double end = now + seconds; now < end;)
      if (step().motion->body == wanted) return true;
    return false;
  }

  void hear_referee(bool penalised, hl_game_controller::State state = hl_game_controller::State::Playing) {
    namespace gc = hl_game_controller;
    gc::ControlPacket packet;
    packet.packet_number = ++packets;
    packet.players_per_team = 4;
    packet.state = state;
    packet.teams[0].number = 6;
    packet.teams[1].number = 7;
    if (penalised) packet.teams[0].players[1].penalty = gc::Penalty::PhysicalContact;
    Packet datagram{Packet::Channel::Referee, std::vector<std::uint8_t>(gc::kMaxControlPacketSize), 0x7F000001};
    datagram.bytes.resize(encode(packet, datagram.bytes.data(), datagram.bytes.size()));
    inputs.packets.push_back(datagram);
  }

  Player player;
  Player::Inputs inputs;
  Eigen::VectorXd positions;
  Eigen::Quaterniond tilt = Eigen::Quaterniond::Identity();
  double now = 1.0;
  std::uint8_t packets = 0;
};

}  // namespace

TEST(Player, StandsUpWalksAndKicks) {
  ObedientRobot robot;
  ASSERT_TRUE(robot.run_until(BodyState::Controllable, 5.0));
  for (int i = 0; i < 200; ++i) {
    robot.inputs.orders.velocity = hl_walking::Velocity{0.2, 0.0, 0.0};
    robot.step();
  }
  EXPECT_EQ(robot.player.motion().hcm().state(), hl_hcm::State::Walking);
  EXPECT_GE(robot.player.motion().walking().engine().output().steps, 3);
  ASSERT_TRUE(robot.run_until(BodyState::Controllable, 8.0));
  Motion::KickOrder kick;
  kick.goal.ball = {0.17, 0.05};
  kick.goal.target = {3.0, 0.05};
  robot.inputs.orders.kick = kick;
  std::optional<Motion::Ended> ended;
  bool kicking = false;
  for (int i = 0; i < 600 && !ended; ++i) {
    const auto& out = robot.step();
    kicking = kicking || out.motion->body == BodyState::Kicking;
    ended = out.motion->kick;
  }
  EXPECT_TRUE(kicking);
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->successful) << ended->message;
}

TEST(Player, PlaysAnAnimationWithTheTorqueItAsksFor) {
  ObedientRobot robot;
  ASSERT_TRUE(robot.run_until(BodyState::Controllable, 5.0));
  robot.inputs.orders.animation = "greeting";
  std::optional<Motion::Ended> ended;
  for (int i = 0; i < 1000 && !ended; ++i) ended = robot.step().motion->animation;
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->successful) << ended->message;
  robot.inputs.orders.animation = "no_such_thing";
  const auto refused = robot.step().motion->animation;
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->successful);
}

TEST(Player, TheRefereesPenaltyStopsItAndItAnswers) {
  ObedientRobot robot;
  robot.hear_referee(false);
  EXPECT_EQ(robot.step().packets.size(), 2U) << "an answer to the referee and a word to the team";
  ASSERT_TRUE(robot.run_until(BodyState::Controllable, 5.0));
  robot.hear_referee(true);
  robot.step();
  EXPECT_TRUE(robot.player.paused());
  EXPECT_TRUE(robot.player.game().penalized);
  ASSERT_TRUE(robot.run_until(BodyState::Penalty, 5.0));
  for (int i = 0; i < 100; ++i) {
    robot.inputs.orders.velocity = hl_walking::Velocity{0.2, 0.0, 0.0};
    const auto before = robot.positions;
    robot.step();
    EXPECT_EQ(robot.positions, before);
  }
  robot.inputs.manual = hl_hcm::PauseLogic::Manual::Unpenalize;
  EXPECT_TRUE(robot.run_until(BodyState::Controllable, 5.0));
}

TEST(Player, ProtectsItselfWhenItFallsAndGetsUp) {
  ObedientRobot robot;
  ASSERT_TRUE(robot.run_until(BodyState::Controllable, 5.0));
  robot.tilt = Eigen::AngleAxisd(1.4, Eigen::Vector3d::UnitY());
  ASSERT_TRUE(robot.run_until(BodyState::Falling, 1.0));
  ASSERT_TRUE(robot.run_until(BodyState::GettingUp, 5.0));
  ASSERT_NE(robot.player.motion().performance(), nullptr);
  EXPECT_EQ(robot.player.motion().performance()->animation().name, "get_up_front");
}

TEST(Player, NonsenseNeverReachesTheServos) {
  ObedientRobot robot;
  ASSERT_TRUE(robot.run_until(BodyState::Controllable, 5.0));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 300; ++i) {
    robot.inputs.orders.velocity = hl_walking::Velocity{nan, 1e9, 0.1};
    robot.inputs.orders.head = Motion::HeadOrder{nan, i * 10.0, nan, 0.0};
    robot.inputs.orders.kick = Motion::KickOrder{{{nan, 0.0}, {nan, nan}, nan}, i % 2 == 0};
    robot.inputs.packets.push_back({i % 2 == 0 ? Packet::Channel::Team : Packet::Channel::Referee,
                                    std::vector<std::uint8_t>(static_cast<std::size_t>(i), 0x52), 1});
    const auto& out = robot.step();
    for (const double p : out.motion->positions) ASSERT_TRUE(std::isfinite(p));
  }
}

TEST(Player, SameInputsGiveTheSameBits) {
  ObedientRobot a, b;
  for (int i = 0; i < 600; ++i) {
    for (auto* robot : {&a, &b})
      if (i > 200) robot->inputs.orders.velocity = hl_walking::Velocity{0.15, 0.02, 0.1};
    a.step();
    b.step();
    ASSERT_EQ(a.positions, b.positions) << "tick " << i;
  }
}

TEST(Player, BadParametersAreNamed) {
  auto params = player_2_of_team_6();
  params.team.roster.player = 3;
  EXPECT_TRUE(params.validate());
  EXPECT_THROW(Player(minibot(), params), std::invalid_argument);
}

TEST(RobotFiles, AWrongFileIsNamed) {
  try {
    RobotFiles::load("nobody", {DESCRIPTION_SHARE, WALKING_SHARE, HCM_SHARE, ANIMATION_SHARE});
    FAIL();
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("nobody"), std::string::npos);
  }
}
