// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "gateway_parameters.hpp"
#include "hl_team_comm/message_budget.hpp"
#include "hl_team_comm/roster.hpp"
#include "hl_team_comm/team_comm.hpp"
#include "hl_team_comm/team_mate.hpp"
#include "hl_testing/documentation.hpp"
#include "hl_testing/isolation.hpp"
#include "parameters.hpp"

using namespace hl_team_comm;  // NOLINT(google-build-using-namespace): the whole file is about it
using mitecom::Key;
using mitecom::Message;

namespace {

/// Team 6, robot 2: a striker going to the ball, with its pose, the ball and 4 s to reach it.
const std::vector<std::uint8_t> kGolden{
    0x43, 0x54, 0x58, 0x4D, 0x01, 0x00, 0x0B, 0x00, 0x00, 0x00, 0x00, 0x00, 0x06, 0x00, 0x02, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x1E, 0xFB, 0xFF, 0xFF, 0x01, 0x00, 0x01, 0x00, 0xAE, 0x01,
    0x00, 0x00, 0x02, 0x00, 0x01, 0x00, 0x3B, 0x01, 0x00, 0x00, 0x03, 0x00, 0x01, 0x00, 0xC8, 0x00, 0x00, 0x00,
    0x04, 0x00, 0x01, 0x00, 0x58, 0x02, 0x00, 0x00, 0x05, 0x00, 0x01, 0x00, 0x88, 0xFF, 0xFF, 0xFF, 0x06, 0x00,
    0x01, 0x00, 0xFF, 0x00, 0x00, 0x00, 0x02, 0x00, 0x02, 0x00, 0x04, 0x00, 0x00, 0x00};

hl_network::Bytes view(const std::vector<std::uint8_t>& bytes) {
  return {bytes.data(), bytes.size()};
}

std::vector<std::uint8_t> encoded(const Message& message) {
  std::vector<std::uint8_t> bytes(mitecom::kMaxMessageSize);
  bytes.resize(mitecom::encode(message, bytes.data(), bytes.size()));
  return bytes;
}

TeamMate golden_mate() {
  TeamMate mate;
  mate.role = Role::Striker;
  mate.action = Action::GoingToBall;
  mate.activity = Activity::Active;
  mate.position = BelievedPoint{-1.25, 0.43, 200.0F / 255.0F};
  mate.orientation = 315.0 * M_PI / 180.0;
  mate.ball = BelievedPoint{0.6, -0.12, 1.0F};
  mate.time_to_ball = 4.0;
  return mate;
}

Message message_from(std::uint16_t team, std::uint16_t robot) {
  Message message;
  message.team = team;
  message.robot = robot;
  write(golden_mate(), message);
  return message;
}

}  // namespace

TEST(Mitecom, GoldenMessageIsReadInSiUnits) {
  const auto message = mitecom::decode(view(kGolden));
  ASSERT_TRUE(message);
  EXPECT_EQ(message->team, 6);
  EXPECT_EQ(message->robot, 2);
  const auto mate = read(*message);
  EXPECT_EQ(mate.role, Role::Striker);
  EXPECT_EQ(mate.action, Action::GoingToBall);
  EXPECT_EQ(mate.activity, Activity::Active);
  ASSERT_TRUE(mate.position);
  EXPECT_DOUBLE_EQ(mate.position->x, -1.25);
  EXPECT_DOUBLE_EQ(mate.position->y, 0.43);
  EXPECT_NEAR(mate.position->belief, 200.0 / 255.0, 1e-6);
  EXPECT_NEAR(mate.orientation, -M_PI_4, 1e-9);
  ASSERT_TRUE(mate.ball);
  EXPECT_DOUBLE_EQ(mate.ball->y, -0.12);
  EXPECT_FLOAT_EQ(mate.ball->belief, 1.0F);
  EXPECT_EQ(mate.time_to_ball, 4.0);
  EXPECT_FALSE(mate.opponent_goal);
}

TEST(Mitecom, GoldenMessageIsWrittenByteByByte) {
  EXPECT_EQ(encoded(message_from(6, 2)), kGolden);
}

TEST(Mitecom, EveryKeyGoesThereAndBack) {
  TeamMate mate = golden_mate();
  mate.opponent_goal = BelievedPoint{3.0, 0.5, 1.0F};
  for (std::size_t i = 0; i < mate.opponents.size(); ++i) mate.opponents[i] = BelievedPoint{1.0 + i, -1.0, 0.2F};
  for (std::size_t i = 0; i < mate.team_mates.size(); ++i) mate.team_mates[i] = BelievedPoint{-1.0, 1.0 + i, 0.4F};
  mate.walking_speed = 0.25;
  mate.kicking_distance = 3.5;
  mate.offensive_side = OffensiveSide::Right;
  Message message;
  message.team = 6;
  message.robot = 2;
  write(mate, message);
  const auto received = mitecom::decode(view(encoded(message)));
  ASSERT_TRUE(received);
  const auto back = read(*received);
  EXPECT_DOUBLE_EQ(back.opponent_goal->x, 3.0);
  EXPECT_DOUBLE_EQ(back.opponents[3]->x, 4.0);
  EXPECT_NEAR(back.team_mates[2]->belief, 0.4, 1e-6);
  EXPECT_DOUBLE_EQ(back.team_mates[2]->y, 3.0);
  EXPECT_DOUBLE_EQ(*back.walking_speed, 0.25);
  EXPECT_DOUBLE_EQ(*back.kicking_distance, 3.5);
  EXPECT_EQ(back.offensive_side, OffensiveSide::Right);
}

TEST(Mitecom, PeersWithAnOlderKeyListAreNotMisread) {
  Message message = message_from(6, 2);
  message.add(Key::BallBelief, 4500);  // 2015: x of the opponent's goal
  message.add(Key::OpponentGoalX, -300);
  ASSERT_TRUE(mitecom::uses_old_numbering(message));
  const auto mate = read(message);
  ASSERT_TRUE(mate.ball) << "the ball's position is the same in every numbering";
  EXPECT_FLOAT_EQ(mate.ball->belief, 0.5F) << "nobody said how much it is believed";
  EXPECT_FALSE(mate.opponent_goal);
}

TEST(Mitecom, WrongMagicVersionLengthAndRobotAreRefused) {
  for (const std::size_t offset : {0U, 4U, 6U}) {
    auto bytes = kGolden;
    bytes[offset] ^= 0x10U;
    EXPECT_FALSE(mitecom::decode(view(bytes))) << offset;
  }
  auto bytes = kGolden;
  bytes[14] = 0;
  EXPECT_FALSE(mitecom::decode(view(bytes))) << "robot 0";
  bytes = kGolden;
  bytes.pop_back();
  EXPECT_FALSE(mitecom::decode(view(bytes)));
  EXPECT_FALSE(mitecom::decode({kGolden.data(), 3}));
}

TEST(Mitecom, NonFiniteValuesAreNotSent) {
  TeamMate mate;
  mate.position = BelievedPoint{std::nan(""), 0.0, 1.0F};
  mate.ball = BelievedPoint{INFINITY, 0.0, 1.0F};
  mate.walking_speed = std::nan("");
  Message message;
  write(mate, message);
  EXPECT_EQ(message.count, 3U) << "role, action and state only";
}

TEST(Mitecom, ArbitraryBytesNeverCrash) {
  std::mt19937 random(1);
  Roster roster({6, 1, 2.0, 10.0});
  for (std::size_t round = 0; round < hl_testing::count(20'000, 10'000'000); ++round) {
    auto bytes = kGolden;
    for (unsigned i = 0; i < 1 + random() % 8; ++i)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (round % 7 == 0) bytes.resize(random() % 400);
    roster.receive(view(bytes), 0.0);
  }
  EXPECT_LE(roster.entries().size(), 20U);
}

TEST(Roster, OnlyTheOwnTeamCountsAndNotOurselves) {
  Roster roster({6, 1, 2.0, 10.0});
  EXPECT_EQ(roster.receive(view(encoded(message_from(6, 2))), 0.0), Roster::Verdict::Accepted);
  EXPECT_EQ(roster.receive(view(encoded(message_from(7, 3))), 0.0), Roster::Verdict::OtherTeam);
  roster.note_sent({}, encoded(message_from(6, 1)));
  EXPECT_EQ(roster.receive(view(encoded(message_from(6, 1))), 0.0), Roster::Verdict::Ourselves);
  EXPECT_EQ(roster.entries().size(), 1U);
}

TEST(Roster, SilentTeamMatesAreGreetedAgainThenGivenUp) {
  Roster roster({6, 1, 2.0, 10.0});
  roster.receive(view(encoded(message_from(6, 2))), 100.0);
  roster.receive(view(encoded(message_from(6, 2))), 100.5);
  EXPECT_TRUE(roster.update(100.5));
  const auto& entry = roster.entries().at(2);
  EXPECT_EQ(entry.state.connection(), Connection::Connected);
  EXPECT_TRUE(roster.fresh(entry, 102.5));
  EXPECT_FALSE(roster.update(102.5));
  EXPECT_FALSE(roster.fresh(entry, 102.6));
  EXPECT_TRUE(roster.update(102.6));
  EXPECT_EQ(entry.state.connection(), Connection::Connecting);
  EXPECT_FALSE(roster.update(110.6));
  EXPECT_EQ(entry.state.connection(), Connection::Disconnected);
}

TEST(Roster, LossAndDelayAreMeasured) {
  Roster roster({6, 1, 2.0, 10.0});
  const auto send = [&](std::int32_t sequence, std::int32_t sent_ms, double now) {
    auto message = message_from(6, 2);
    message.add(Key::Sequence, sequence);
    message.add(Key::SendTime, sent_ms);
    roster.receive(view(encoded(message)), now);
  };
  send(1, 1000, 501.01);
  send(2, 1500, 501.51);
  send(5, 3000, 503.06);
  const auto& link = roster.entries().at(2).link;
  EXPECT_EQ(link.received, 3U);
  EXPECT_EQ(link.lost, 2U);
  EXPECT_NEAR(*link.delay, 0.05, 1e-6);
  send(100'000, 9000, 509.0);
  EXPECT_EQ(link.lost, 2U) << "a restarted team mate did not lose messages";
}

TEST(MessageBudget, LastsUntilTheWhistle) {
  MessageBudget::Params params;
  params.team_size = 4;
  MessageBudget budget(params);
  double left = 1200.0;  // for the team
  int sent = 0;
  for (double now = 0.0; now < 600.0; now += 0.1) {
    budget.set_remaining(left, 600.0 - now);
    const bool event = std::fmod(now, 7.0) < 0.05;
    if (budget.request(event ? Urgency::Event : Urgency::Routine, now)) {
      ++sent;
      left -= 4.0;  // the others behave alike
    }
  }
  EXPECT_LE(sent, 300);
  EXPECT_GE(sent, 250) << "the budget is there to be used";
}

TEST(MessageBudget, EventsGoBeforeRoutineAndImportantOnesMayOverdraw) {
  MessageBudget budget({0.0, 0.5, 3.0, 1.0, 2.0, 1});
  budget.set_remaining(100.0, 100.0);
  EXPECT_FALSE(budget.request(Urgency::Routine, 0.0)) << "one token is the reserve for events";
  EXPECT_TRUE(budget.request(Urgency::Event, 0.0));
  EXPECT_FALSE(budget.request(Urgency::Event, 0.1));
  EXPECT_TRUE(budget.request(Urgency::Important, 0.1));
  EXPECT_TRUE(budget.request(Urgency::Important, 0.1));
  EXPECT_FALSE(budget.request(Urgency::Important, 0.1)) << "the overdraft has an end";
}

TEST(MessageBudget, ANewBudgetForExtraTimeIsSharedLikeTheFirst) {
  MessageBudget::Params params;
  params.team_size = 4;
  MessageBudget budget(params);
  budget.set_remaining(1200.0, 600.0);
  EXPECT_NEAR(budget.sustainable_interval(), 600.0 / 300.0, 1e-9);
  budget.set_remaining(40.0, 60.0);
  EXPECT_NEAR(budget.sustainable_interval(), 60.0 / 10.0, 1e-9) << "others sent more than their part";
  budget.set_remaining(640.0, 300.0);
  EXPECT_NEAR(budget.sustainable_interval(), 300.0 / 160.0, 1e-9) << "what was left, and a quarter of what is new";
}

TEST(MessageBudget, NothingLeavesWhenTheBudgetIsSpent) {
  MessageBudget budget({0.0, 0.5, 3.0, 1.0, 2.0, 1});
  budget.set_remaining(0.0, 100.0);
  for (double now = 0.0; now < 50.0; now += 1.0) EXPECT_FALSE(budget.request(Urgency::Important, now));
}

TEST(MessageBudget, WithoutABudgetTheIntervalHolds) {
  MessageBudget budget({0.5, 0.5, 3.0, 1.0, 2.0, 4});
  budget.set_remaining(std::nullopt, 600.0);
  int sent = 0;
  for (int i = 0; i < 1000; ++i) sent += budget.request(Urgency::Routine, i * 0.1) ? 1 : 0;
  EXPECT_NEAR(sent, 200, 3);
}

TEST(Params, BadValuesAreNamed) {
  EXPECT_NE(Roster::Params({0, 1, 2.0, 10.0}).validate()->find("team is 0"), std::string::npos);
  EXPECT_NE(Roster::Params({6, 99, 2.0, 10.0}).validate()->find("player is 99"), std::string::npos);
  EXPECT_TRUE(Roster::Params({6, 1, 2.0, 1.0}).validate());
  EXPECT_FALSE(MessageBudget::Params().validate());
  MessageBudget::Params params;
  params.routine_reserve = 5.0;
  EXPECT_NE(params.validate()->find("routine_reserve"), std::string::npos);
}

namespace {

TeamComm::Params comm_of(int player) {
  TeamComm::Params params;
  params.roster.team = 6;
  params.roster.player = player;
  return params;
}

}  // namespace

TEST(TeamCommCore, WhatOneSaysTheOtherHears) {
  TeamComm speaker(comm_of(2)), listener(comm_of(3));
  hl_soccer::Model model;
  model.pose.pose = {1.0, -2.0, 0.5};
  model.pose.covariance = Eigen::Matrix3d::Identity() * 0.04;
  model.pose.confidence = 0.9;
  model.ball.position = {0.7, 0.1};
  model.ball.confidence = 0.8;
  hl_soccer::RobotBelief rival;
  rival.team = hl_soccer::Team::Rival;
  rival.position = {1.0, 0.0};
  rival.confidence = 0.6;
  model.robots = {rival};
  TeamComm::Inputs inputs;
  inputs.model = &model;
  inputs.role = hl_soccer::Role::Striker;
  inputs.action = hl_soccer::Action::GoingToBall;
  inputs.time_to_ball = 3.0;
  inputs.offensive_side = hl_soccer::OffensiveSide::Centre;
  const auto said = speaker.step(inputs, 1.0);
  ASSERT_FALSE(said.datagram.empty());
  EXPECT_EQ(listener.receive({said.datagram.data(), said.datagram.size()}, 1.1), Roster::Verdict::Accepted);
  const auto heard = listener.step({}, 1.1).team_mates;
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0].number, 2);
  EXPECT_EQ(heard[0].stamp, 1.1);
  EXPECT_EQ(heard[0].role, hl_soccer::Role::Striker);
  EXPECT_EQ(heard[0].offensive_side, hl_soccer::OffensiveSide::Centre);
  ASSERT_TRUE(heard[0].pose);
  EXPECT_NEAR(heard[0].pose->x, 1.0, 1e-3);
  EXPECT_NEAR(heard[0].pose->yaw, 0.5, 0.01);
  EXPECT_NEAR(heard[0].pose_covariance(0, 0), 0.04, 0.01);
  ASSERT_TRUE(heard[0].ball);
  EXPECT_NEAR(heard[0].ball->position.x(), 0.7, 1e-3);
  ASSERT_EQ(heard[0].opponents.size(), 1U);
  EXPECT_NEAR(heard[0].opponents[0].position.x(), 1.0 + std::cos(0.5), 2e-3);
  EXPECT_TRUE(listener.step({}, 4.0).team_mates.empty()) << "an old word counts no longer";
}

TEST(TeamCommCore, APenalisedRobotIsSilentAndAFallIsToldAtOnce) {
  TeamComm comm(comm_of(2));
  hl_soccer::GameState game;
  game.penalized = true;
  TeamComm::Inputs inputs;
  inputs.game = &game;
  for (double t = 0.0; t < 3.0; t += 0.1) EXPECT_TRUE(comm.step(inputs, t).datagram.empty());
  game.penalized = false;
  ASSERT_FALSE(comm.step(inputs, 3.0).datagram.empty());
  EXPECT_TRUE(comm.step(inputs, 3.1).datagram.empty());
  inputs.body = hl_soccer::BodyState::Falling;
  EXPECT_FALSE(comm.step(inputs, 3.2).datagram.empty());
}

TEST(TeamCommCore, BadParametersAreNamed) {
  auto params = comm_of(2);
  EXPECT_FALSE(params.validate());
  params.send_interval = 0.0;
  EXPECT_NE(params.validate().value_or("").find("send_interval"), std::string::npos);
}

TEST(TeamComm, ReadmeTellsTheParametersOfTheNode) {
  EXPECT_EQ(hl_team_comm::parameters().check({}), std::nullopt);
  EXPECT_EQ(hl_testing::documentation_problem(README, "parameters", hl_team_comm::parameters().markdown()), "");
  EXPECT_EQ(hl_team_comm::gateway_parameters().check({}), std::nullopt);
  EXPECT_EQ(hl_testing::documentation_problem(README, "gateway", hl_team_comm::gateway_parameters().markdown()), "");
}
