// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>

#include "fumanoid_client.hpp"
#include "fumanoid_parameters.hpp"
#include "hl_remote/fumanoid_gateway.hpp"
#include "hl_testing/documentation.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/temporary_folder.hpp"

using namespace hl_remote;
using hl_network::Endpoint;
using Gateway = FumanoidGateway;

namespace {

using Datagram = std::vector<std::uint8_t>;

const Endpoint kDesk = *Endpoint::from("192.168.1.20", 11011);
const Endpoint kStranger = *Endpoint::from("192.168.1.66", 11011);

Datagram hex(const std::string& text) {
  std::istringstream stream(text);
  Datagram bytes;
  for (unsigned value = 0; stream >> std::hex >> value;) bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
}

Gateway::Params params() {
  Gateway::Params params;
  params.robot = 3;
  params.allowed = {kDesk.address};
  params.motors = {{13, "head_pan", 0.0}, {14, "head_tilt", 0.0}};
  return params;
}

Gateway::Inputs inputs() {
  Gateway::Inputs inputs;
  inputs.record = true;
  inputs.strategies = {"table"};
  inputs.roles = {"Striker", "b", "c", "d", "Goalie"};
  inputs.behaviors = {"go"};
  inputs.unix_time = 0x4ACBDA00;
  return inputs;
}

class Fumanoid : public testing::Test {
 protected:
  Gateway::Outputs tell(const std::string& bytes, const Endpoint& from = kDesk) {
    const Datagram datagram = hex(bytes);
    return gateway_.receive({datagram.data(), datagram.size()}, from, inputs_, now_);
  }
  template <class Order>
  Order only_order(const Gateway::Outputs& out) {
    EXPECT_EQ(out.orders.size(), 1U);
    EXPECT_TRUE(out.datagrams.empty());
    return out.orders.size() == 1 && std::holds_alternative<Order>(out.orders[0]) ? std::get<Order>(out.orders[0])
                                                                                  : (ADD_FAILURE(), Order{});
  }
  /// The answer to the workstation, if there is exactly one.
  Datagram answer(const Gateway::Outputs& out) {
    EXPECT_EQ(out.datagrams.size(), 1U);
    if (out.datagrams.size() != 1) return {};
    EXPECT_EQ(out.datagrams[0].to, kDesk);
    return out.datagrams[0].datagram;
  }

  Gateway gateway_{params()};
  Gateway::Inputs inputs_ = inputs();
  double now_ = 100.0;
};

}  // namespace

// The bytes of these tests are typed from the description of the protocol.

TEST_F(Fumanoid, StatusIsBroadcastTwiceASecondWithTheBytesOfTheDescription) {
  inputs_.pose = Gateway::Place{-1.5, 0.4, M_PI_2};
  inputs_.battery = 0.87;
  inputs_.match = true;
  inputs_.game_state = 3;
  inputs_.goalkeeper = 1;
  inputs_.own_kickoff = true;
  inputs_.role = "Goalie";
  inputs_.behavior = "go";
  const auto out = gateway_.step(inputs_, 100.0);
  ASSERT_EQ(out.datagrams.size(), 1U);
  EXPECT_FALSE(out.datagrams[0].to) << "to everybody";
  EXPECT_EQ(out.datagrams[0].datagram,
            hex("00 01 00 00 03 04 00 5A 00 00 00 00 00 00 00 05 00 00 00 01 00 00 00 00 FF 6A 00 28 7F FF 7F FF "
                "57 01 03 01 00 01 00 00 00 4A CB DA 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                "00 00 00 00"));
  EXPECT_TRUE(gateway_.step(inputs_, 100.4).datagrams.empty());
  EXPECT_EQ(gateway_.step(inputs_, 100.5).datagrams.size(), 1U);
}

TEST_F(Fumanoid, ListsAreAnswered) {
  EXPECT_EQ(answer(tell("00 08 00 00")), hex("00 08 01 00 00 00 00 01 74 61 62 6C 65 00"));
  inputs_.roles = {"Striker"};
  EXPECT_EQ(answer(tell("00 09 00 00")), hex("00 09 01 00 00 00 00 01 53 74 72 69 6B 65 72 00"));
  EXPECT_EQ(answer(tell("00 16 00 00")), hex("00 16 01 00 00 00 00 01 67 6F 00"));
}

TEST_F(Fumanoid, MotorStatusHasTheBytesOfTheDescription) {
  Gateway::MotorReading reading;
  reading.voltage = 11.8;
  reading.temperature = 45.0;
  reading.torque = true;
  reading.load = 37.0 / 1023.0;
  inputs_.motors[13] = reading;
  EXPECT_EQ(answer(tell("00 07 00 00 0D")), hex("00 07 01 00 0D 76 2D 01 02 00 00 00 04 25 00"));
}

TEST_F(Fumanoid, GameOrdersHoldAndFreeTheRobot) {
  EXPECT_TRUE(only_order<Gateway::HoldRobot>(tell("00 0C 00 00")).hold);
  EXPECT_FALSE(only_order<Gateway::HoldRobot>(tell("00 0B 00 00")).hold);
  only_order<Gateway::StopEverything>(tell("00 0A 00 00"));
  const auto ready = tell("00 02 00 00 00 00 00 01 00 00 00 05 04 01 01 02 01");
  ASSERT_EQ(ready.orders.size(), 2U);
  EXPECT_TRUE(std::get<Gateway::HoldRobot>(ready.orders[0]).hold);
  EXPECT_EQ(std::get<Gateway::ChooseRole>(ready.orders[1]).role, "Goalie");
  const Datagram status = gateway_.step(inputs_, now_).datagrams.at(0).datagram;
  EXPECT_EQ(Datagram(status.begin() + 4 + 29, status.begin() + 4 + 36), hex("00 02 02 01 00 03 01"))
      << "test mode, set, goalie 2, yellow, their free kick, cyan";
}

TEST_F(Fumanoid, RolesAreChosenByTheirNumberInTheList) {
  EXPECT_EQ(only_order<Gateway::ChooseRole>(tell("00 03 00 00 00 00 00 01")).role, "Striker");
  EXPECT_EQ(only_order<Gateway::ChooseRole>(tell("00 03 00 00 00 00 00 00")).role, "");
  const auto refused = tell("00 03 00 00 00 00 00 63");
  EXPECT_TRUE(refused.orders.empty());
  EXPECT_EQ(answer(refused)[1], 0) << "a line of the log says why";
}

TEST_F(Fumanoid, WalkingSpeedHoldsForAWhileOnly) {
  const auto walk = only_order<Gateway::Walk>(tell("00 0D 00 00 7F 00 81"));
  EXPECT_DOUBLE_EQ(walk.forward, 0.2);
  EXPECT_DOUBLE_EQ(walk.rotation, -0.8);
  gateway_.step(inputs_, now_);
  EXPECT_EQ(gateway_.step(inputs_, now_ + 2.9).orders.size(), 1U);
  EXPECT_TRUE(gateway_.step(inputs_, now_ + 3.1).orders.empty()) << "a workstation that is gone lets nobody walk";
}

TEST_F(Fumanoid, GoToPositionInCentimetresAndDegrees) {
  const auto order = only_order<Gateway::GoTo>(tell("00 13 00 00 FF 38 00 64 FF A6"));
  EXPECT_DOUBLE_EQ(order.place.x, -2.0);
  EXPECT_DOUBLE_EQ(order.place.y, 1.0);
  EXPECT_DOUBLE_EQ(order.place.yaw, -M_PI_2);
}

TEST_F(Fumanoid, MotorsObeyInRecordOnly) {
  const char* const kOrders[] = {
      "00 04 00 00",       "00 05 00 00 0D",          "00 06 00 00 02 02 02 00 01 2C 00 64 02 08 01 36 00 96",
      "00 0E 00 00 0D 07", "00 0F 00 00 0D 01 03 FF", "00 18 00 00 0D FF FB"};
  inputs_.record = false;
  for (const char* order : kOrders) EXPECT_TRUE(tell(order).orders.empty()) << order;
  inputs_.record = true;
  EXPECT_FALSE(only_order<Gateway::SwitchTorque>(tell(kOrders[0])).on);
  EXPECT_EQ(only_order<Gateway::SwitchTorque>(tell(kOrders[1])).joints, std::vector<std::string>{"head_pan"});
  const auto motion = only_order<Gateway::PlayPoses>(tell(kOrders[2]));
  ASSERT_EQ(motion.poses.size(), 2U);
  EXPECT_DOUBLE_EQ(motion.poses[0].joints.at("head_pan"), 0.0);
  EXPECT_NEAR(motion.poses[0].joints.at("head_tilt"), (300 - 512) * 300.0 / 1024.0 * M_PI / 180.0, 1e-9);
  EXPECT_DOUBLE_EQ(motion.poses[0].at, 0.1);
  EXPECT_DOUBLE_EQ(motion.poses[1].at, 0.25);
  EXPECT_EQ(only_order<Gateway::ChangeServoId>(tell(kOrders[3])).new_id, 7);
  const auto set = tell(kOrders[4]);
  ASSERT_EQ(set.orders.size(), 2U);
  EXPECT_TRUE(std::get<Gateway::SwitchTorque>(set.orders[0]).on);
  EXPECT_NEAR(std::get<Gateway::PlayPoses>(set.orders[1]).poses[0].joints.at("head_pan"), radians_from_ticks(1023),
              1e-9);
  EXPECT_TRUE(tell("00 06 00 00 01 01 02 00 00 64").orders.empty()) << "a motion for another robot";
}

TEST_F(Fumanoid, OffsetsAreKeptToldAndUsed) {
  EXPECT_EQ(answer(tell("00 17 00 00")), hex("00 17 01 00 0D 00 00 0E 00 00"));
  EXPECT_TRUE(tell("00 18 00 00 0D FF FB").datagrams.empty());
  EXPECT_EQ(answer(tell("00 17 00 00")), hex("00 17 01 00 0D FF FB 0E 00 00"));
  const auto set = tell("00 0F 00 00 0D 01 02 00");
  EXPECT_NEAR(std::get<Gateway::PlayPoses>(set.orders.at(1)).poses[0].joints.at("head_pan"), radians_from_ticks(507),
              1e-9);
}

TEST_F(Fumanoid, ImagesComeAtOnceAtTheirIntervalAndAsManyAsAskedFor) {
  EXPECT_FALSE(gateway_.wants_images(now_));
  tell("00 11 00 00 01 02 01 F4");
  EXPECT_TRUE(gateway_.wants_images(now_));
  const Datagram jpeg = {0xFF, 0xD8, 0xFF, 0xD9};
  ASSERT_EQ(gateway_.image(jpeg, now_).size(), 1U);
  EXPECT_TRUE(gateway_.image(jpeg, now_ + 0.4).empty());
  const auto second = gateway_.image(jpeg, now_ + 0.5);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].datagram, hex("00 11 01 00 FF D8 FF D9"));
  EXPECT_FALSE(gateway_.wants_images(now_ + 1.0));
  tell("00 11 00 00 01 00 00 00");
  EXPECT_TRUE(gateway_.wants_images(now_));
  tell("00 11 00 00 00 00 00 00");
  EXPECT_FALSE(gateway_.wants_images(now_));
}

TEST_F(Fumanoid, LogsGoToThoseHeardLatelyFromTheirLevelOn) {
  EXPECT_TRUE(gateway_.log(fumanoid::LogLevel::Error, fumanoid::Subsystem::Vision, "x", now_).empty());
  tell("00 10 00 00 02");
  EXPECT_TRUE(gateway_.log(fumanoid::LogLevel::Info, fumanoid::Subsystem::Vision, "x", now_).empty());
  const auto lines = gateway_.log(fumanoid::LogLevel::Warning, fumanoid::Subsystem::Vision, "ball", now_);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].datagram, hex("00 00 00 00 02 07 62 61 6C 6C"));
  EXPECT_TRUE(gateway_.log(fumanoid::LogLevel::Error, fumanoid::Subsystem::Vision, "x", now_ + 11.0).empty());
}

TEST_F(Fumanoid, ARobotOf1970AsksForTheTime) {
  EXPECT_EQ(gateway_.step(inputs_, 1.0).datagrams.size(), 1U);
  inputs_.unix_time = 60.0;
  const auto out = gateway_.step(inputs_, 2.0);
  ASSERT_EQ(out.datagrams.size(), 2U);
  EXPECT_EQ(out.datagrams[1].datagram, hex("00 15 00 00 54 49 4D 45"));
  tell("00 15 01 00 4A CB DA 00");
  const auto later = gateway_.step(inputs_, 10.0);
  ASSERT_EQ(later.datagrams.size(), 1U);
  EXPECT_EQ(std::get<fumanoid::Status>(
                *fumanoid::read({later.datagrams[0].datagram.data(), later.datagrams[0].datagram.size()}))
                .unix_time,
            0x4ACBDA00U);
}

TEST_F(Fumanoid, RebootAndTeamLimitsAreHandedOn) {
  only_order<Gateway::ShutDown>(tell("00 12 00 00 2A"));
  EXPECT_EQ(only_order<Gateway::LimitTeam>(tell("00 14 00 00 01 02")).robots, hex("01 02"));
}

TEST_F(Fumanoid, StrangersMatchesAndFloodsAreRefused) {
  EXPECT_TRUE(tell("00 0B 00 00", kStranger).orders.empty());
  EXPECT_EQ(gateway_.statistics().refused_address, 1U);
  inputs_.match = true;
  const auto in_match = tell("00 0B 00 00");
  EXPECT_TRUE(in_match.orders.empty());
  EXPECT_TRUE(in_match.datagrams.empty()) << "not even an answer";
  EXPECT_EQ(gateway_.statistics().refused_match, 1U);
  inputs_.match = false;
  std::size_t obeyed = 0;
  for (int i = 0; i < 1000; ++i) obeyed += tell("00 0B 00 00").orders.size();
  EXPECT_EQ(obeyed, 50U);
  Gateway nobody({});
  const Datagram start = hex("00 0B 00 00");
  EXPECT_TRUE(nobody.receive({start.data(), start.size()}, kDesk, inputs_, now_).orders.empty()) << "the default";
}

TEST_F(Fumanoid, ArbitraryDatagramsMoveNothingOutsideRecordAndNeverCrash) {
  inputs_.record = false;
  std::mt19937 random(3);
  const std::size_t count = hl_testing::count(100'000, 10'000'000);
  for (std::size_t i = 0; i < count; ++i) {
    Datagram bytes(random() % 40);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    if (bytes.size() > 2) bytes[0] = 0, bytes[1] = static_cast<std::uint8_t>(random() % 26);
    now_ += 0.05;
    const auto out = gateway_.receive({bytes.data(), bytes.size()}, kDesk, inputs_, now_);
    for (const auto& order : out.orders) {
      ASSERT_FALSE(std::holds_alternative<Gateway::PlayPoses>(order));
      ASSERT_FALSE(std::holds_alternative<Gateway::SwitchTorque>(order));
      ASSERT_FALSE(std::holds_alternative<Gateway::ChangeServoId>(order));
    }
    if (i % 100 == 0) gateway_.step(inputs_, now_);
  }
}

namespace {

ClientCommand command_from(const std::string& line) {
  CLI::App app("client", "client");
  ClientCommand chosen;
  add_client_commands(app, chosen);
  app.require_subcommand(1);
  app.parse(line);
  return chosen;
}

}  // namespace

TEST(FumanoidClient, EveryOrderHasTheBytesOfTheDescription) {
  const hl_testing::TemporaryFolder folder;
  const std::string file = (folder.path() / "wave.txt").string();
  std::ofstream(file) << "512,300,100,\n520,310,150,\n-1\n";
  const std::pair<const char*, const char*> kRows[] = {
      {"strategies", "00 08 00 00"},
      {"roles", "00 09 00 00"},
      {"behaviors", "00 16 00 00"},
      {"role 258", "00 03 00 00 00 00 01 02"},
      {"set 5 1 their_free_kick 2 1 1", "00 02 00 00 00 00 00 01 00 00 00 05 04 01 01 02 01"},
      {"ready", "00 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
      {"start", "00 0B 00 00"},
      {"stop", "00 0C 00 00"},
      {"abort", "00 0A 00 00"},
      {"walk 120 60 80", "00 0D 00 00 78 3C 50"},
      {"goto -200 100 -90", "00 13 00 00 FF 38 00 64 FF A6"},
      {"motor 13", "00 07 00 00 0D"},
      {"motors_on 3 20", "00 05 00 00 03 14"},
      {"motors_off", "00 04 00 00"},
      {"set_motor 7 on 1023", "00 0F 00 00 07 01 03 FF"},
      {"set_motor_id 254 7", "00 0E 00 00 FE 07"},
      {"offsets", "00 17 00 00"},
      {"set_offsets 3 -1023", "00 18 00 00 03 FC 01"},
      {"play FILE", "00 06 00 00 02 02 02 00 01 2C 00 64 02 08 01 36 00 96"},
      {"image 5 500", "00 11 00 00 01 05 01 F4"},
      {"log_level 3", "00 10 00 00 03"},
      {"limit_team 1 2", "00 14 00 00 01 02"},
      {"reboot", "00 12 00 00 2A"},
  };
  for (const auto& [words, bytes] : kRows) {
    const std::string line = std::regex_replace(words, std::regex("FILE"), file);
    ClientCommand command;
    ASSERT_NO_THROW(command = command_from(line)) << line;
    ASSERT_EQ(command.messages.size(), 1U) << words;
    EXPECT_EQ(fumanoid::write(command.messages[0]), hex(bytes)) << words;
  }
}

TEST(FumanoidClient, EveryAnswerIsToldInWords) {
  const std::pair<const char*, const char*> kRows[] = {
      {"00 00 00 00 02 07 62 61 6C 6C", "warning [vision] ball"},
      {"00 01 00 00 03 04 00 5A 00 00 00 01 00 00 00 05 00 00 00 0C 00 00 00 00 FF 6A 00 28 7F FF 7F FF 57 01 03 01 01 "
       "01 01 00 02 4A CB DA 00 00 00 00 00 00 00 00 00 00 00 00 00 4B 00 00 00 00 00 00 00 00 00 00",
       "robot 3: playing (match), at -150 40 cm, 90 deg, ball ? ?, role 5, strategy 1, behavior 12, battery 87 %"},
      {"00 07 01 00 0D 76 2D 01 02 00 00 00 04 25 00",
       "motor 13: position 512, speed 0, load 37 cw, 11.8 V, 45 C, torque on, error 0"},
      {"00 09 01 00 00 00 00 01 53 74 72 69 6B 65 72 00 00 00 00 05 47 6F 61 6C 69 65 00", "1 Striker\n5 Goalie"},
      {"00 11 01 00 FF D8 FF D9", "image of 4 bytes"},
      {"00 15 00 00 54 49 4D 45", "asks for the time"},
      {"00 17 01 00 01 FF FB 02 00 0A", "motor 1 offset -5\nmotor 2 offset 10"},
  };
  for (const auto& [bytes, words] : kRows) {
    const Datagram datagram = hex(bytes);
    const auto message = fumanoid::read({datagram.data(), datagram.size()});
    ASSERT_TRUE(message) << words;
    EXPECT_EQ(in_words(*message), words);
  }
}

TEST(FumanoidClient, BadWordsAreNamed) {
  for (const char* words :
       {"", "fly", "walk 1 2", "walk 1 2 300", "walk 1 2 3 4", "set_motor 7 maybe", "play nothing", "limit_team",
        "motor", "set_offsets 3", "set_offsets 3 1024", "ready 1 1 corner", "role x"}) {
    EXPECT_THROW(command_from(words), CLI::ParseError) << words;
  }
}

TEST(FumanoidClient, RobotsAreOnlineUnreachableOffline) {
  using State = RobotWatch::State;
  RobotWatch watch;
  EXPECT_EQ(watch.state(1, 0.0), State::Offline);
  watch.heard(1, 100.0);
  EXPECT_EQ(watch.state(1, 102.0), State::Online);
  EXPECT_EQ(watch.state(1, 102.1), State::Unreachable);
  EXPECT_EQ(watch.state(1, 110.0), State::Offline);
}

TEST(FumanoidGateway, ReadmeTellsTheParametersOfTheNode) {
  EXPECT_EQ(fumanoid_parameters().check({}), std::nullopt);
  EXPECT_EQ(hl_testing::documentation_problem(README, "fumanoid", fumanoid_parameters().markdown()), "");
}
