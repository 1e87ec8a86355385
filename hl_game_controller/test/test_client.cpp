// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "golden_packets.hpp"
#include "hl_game_controller/client.hpp"
#include "hl_game_controller/game_state.hpp"
#include "hl_testing/documentation.hpp"
#include "parameters.hpp"

using namespace hl_game_controller;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

const hl_network::Endpoint kReferee{0x7F000001, 40000};
const hl_network::Endpoint kOtherReferee{0x7F000002, 40000};

std::string without_head(const std::string& table) {
  return table.substr(table.find('\n', table.find("|---")) + 1);
}

/// Sends packets of one game to a client.
struct Game {
  explicit Game(const Client::Params& params) : client(params) {
    packet.state = State::Playing;
    packet.teams[0].number = 6;
    packet.teams[1].number = 11;
  }

  Client::Verdict send(double now, const hl_network::Endpoint& from = kReferee) {
    ++packet.packet_number;
    return resend(now, from);
  }

  Client::Verdict resend(double now, const hl_network::Endpoint& from = kReferee) {
    std::array<std::uint8_t, kMaxControlPacketSize> bytes{};
    const std::size_t size = encode(packet, bytes.data(), bytes.size());
    return client.receive({bytes.data(), size}, from, now);
  }

  ControlPacket packet;
  Client client;
};

Client::Params player_2_of_team_6() {
  Client::Params params;
  params.team = 6;
  params.player = 2;
  return params;
}

}  // namespace

TEST(Client, FindsItselfByTeamNumberOnEitherSide) {
  Game game(player_2_of_team_6());
  game.packet.teams[0].players[1].penalty = Penalty::Service;
  ASSERT_EQ(game.send(0.0), Client::Verdict::Accepted);
  EXPECT_EQ(game.client.own_player()->penalty, Penalty::Service);
  std::swap(game.packet.teams[0], game.packet.teams[1]);
  ASSERT_EQ(game.send(0.5), Client::Verdict::Accepted);
  EXPECT_EQ(game.client.own_player()->penalty, Penalty::Service);
  EXPECT_EQ(game.client.rival_team()->number, 11);
}

TEST(Client, OtherGamesOnTheNetworkAreIgnored) {
  Game game(player_2_of_team_6());
  Game other(player_2_of_team_6());
  other.packet.teams[0].number = 7;
  other.packet.teams[1].number = 8;
  ASSERT_EQ(other.send(0.0), Client::Verdict::NotForUs);
  EXPECT_FALSE(other.client.connected(0.0));
  EXPECT_FALSE(other.client.step({}, 0.0).answer);
}

TEST(Client, OldPacketsAreIgnoredUntilTheRefereeWasSilent) {
  Game game(player_2_of_team_6());
  game.packet.packet_number = 100;
  ASSERT_EQ(game.send(0.0), Client::Verdict::Accepted);
  EXPECT_EQ(game.resend(0.1), Client::Verdict::OldPacket);
  game.packet.packet_number = 50;
  EXPECT_EQ(game.send(1.0), Client::Verdict::OldPacket);
  game.packet.packet_number = 0;
  EXPECT_EQ(game.send(2.5), Client::Verdict::Accepted) << "after 2 s of silence a restarted referee counts";
}

TEST(Client, PacketNumberWraps) {
  Game game(player_2_of_team_6());
  game.packet.packet_number = 254;
  ASSERT_EQ(game.send(0.0), Client::Verdict::Accepted);  // 255
  EXPECT_EQ(game.send(0.5), Client::Verdict::Accepted);  // 0
}

TEST(Client, ASecondRefereeWithOurTeamIsIgnoredWhileTheFirstSpeaks) {
  Game game(player_2_of_team_6());
  ASSERT_EQ(game.send(0.0), Client::Verdict::Accepted);
  EXPECT_EQ(game.send(0.5, kOtherReferee), Client::Verdict::OtherReferee);
  EXPECT_EQ(game.send(3.0, kOtherReferee), Client::Verdict::Accepted);
  EXPECT_EQ(game.client.step({}, 3.0).referee, kOtherReferee.address);
}

TEST(Client, RefereeIsLostAfterFiveSeconds) {
  Game game(player_2_of_team_6());
  EXPECT_FALSE(game.client.connected(0.0));
  game.send(10.0);
  EXPECT_TRUE(game.client.connected(15.0));
  EXPECT_FALSE(game.client.connected(15.1));
}

TEST(Client, WithoutRefereeTheChosenPolicyHolds) {
  for (const auto& [policy, before, after] :
       {std::tuple{WithoutReferee::Keep, false, true}, std::tuple{WithoutReferee::Play, true, true},
        std::tuple{WithoutReferee::Stop, false, false}}) {
    auto params = player_2_of_team_6();
    params.without_referee = policy;
    Game game(params);
    EXPECT_EQ(game.client.allowed_to_move(0.0), before);
    game.send(0.0);
    EXPECT_TRUE(game.client.allowed_to_move(1.0));
    EXPECT_EQ(game.client.allowed_to_move(20.0), after);
  }
}

TEST(Client, MayMoveOnlyWhenTheRulesAllowIt) {
  Game game(player_2_of_team_6());
  double now = 0.0;
  const auto allowed = [&] {
    game.send(now += 0.5);
    return game.client.allowed_to_move(now);
  };
  for (const auto& [state, expected] :
       {std::pair{State::Initial, false}, std::pair{State::Ready, true}, std::pair{State::Set, false},
        std::pair{State::Finished, false}, std::pair{State::Playing, true}}) {
    game.packet.state = state;
    EXPECT_EQ(allowed(), expected) << name(state);
  }
  game.packet.set_play = SetPlay::CornerKick;
  game.packet.set_play_phase = SetPlayPhase::Called;
  EXPECT_FALSE(allowed()) << "everybody freezes while the ball is placed";
  game.packet.set_play_phase = SetPlayPhase::Prepare;
  EXPECT_TRUE(allowed());
  game.packet.teams[0].players[1].penalty = Penalty::Unknown;
  EXPECT_FALSE(allowed()) << "any penalty, known or not, forbids to move";
}

TEST(Client, AnswersEachPacketButNotFasterThanAllowed) {
  Game game(player_2_of_team_6());
  game.send(0.0);
  const auto first = game.client.step({}, 0.0).answer;
  ASSERT_TRUE(first);
  EXPECT_EQ(first->version, 2);
  EXPECT_EQ(first->player, 2);
  EXPECT_FALSE(game.client.step({}, 0.1).answer) << "one answer per packet";
  game.send(0.2);
  EXPECT_FALSE(game.client.step({}, 0.2).answer) << "too early";
  EXPECT_TRUE(game.client.step({}, 0.5).answer);
  EXPECT_FALSE(game.client.step({}, 10.0).answer) << "no referee, no answer";
}

TEST(Client, SoccerLeagueGetsPoseBallAndFallen) {
  Game game(player_2_of_team_6());
  game.packet.dialect = Dialect::Hsl20;
  game.send(0.0);
  const auto answer =
      game.client.step({hl_soccer::BodyState::Fallen, {1.0F, 2.0F, 0.5F}, -0.3, {0.4F, 0.1F}}, 0.0).answer;
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->version, 4);
  EXPECT_EQ(answer->team, 6);
  EXPECT_EQ(answer->player, 2);
  EXPECT_TRUE(answer->fallen);
  EXPECT_EQ(answer->pose, (std::array<float, 3>{1.0F, 2.0F, 0.5F}));
  EXPECT_FLOAT_EQ(answer->ball_age, 0.3F);
  EXPECT_EQ(answer->ball, (std::array<float, 2>{0.4F, 0.1F}));
  game.send(1.0);
  const auto standing =
      game.client.step({hl_soccer::BodyState::Walking, {1.0F, 2.0F, 0.5F}, 0.7, {0.4F, 0.1F}}, 1.0).answer;
  ASSERT_TRUE(standing);
  EXPECT_FALSE(standing->fallen);
}

TEST(Client, GarbageBesideARealRefereeChangesNothing) {
  Game game(player_2_of_team_6());
  std::mt19937 random(3);
  double now = 0.0;
  for (int second = 0; second < 10; ++second) {
    game.send(now);
    const auto before = game.client.packet()->packet_number;
    for (int i = 0; i < 1000; ++i) {
      std::array<std::uint8_t, 700> bytes{};
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
      EXPECT_NE(game.client.receive({bytes.data(), random() % bytes.size()}, kReferee, now += 0.001),
                Client::Verdict::Accepted);
    }
    EXPECT_EQ(game.client.packet()->packet_number, before);
  }
  EXPECT_EQ(game.client.counters().malformed, 10'000U);
}

TEST(Client, BadParametersAreNamed) {
  auto params = player_2_of_team_6();
  EXPECT_FALSE(params.validate());
  params.team = 0;
  EXPECT_NE(params.validate()->find("team is 0"), std::string::npos);
  params = player_2_of_team_6();
  params.player = 21;
  EXPECT_NE(params.validate()->find("player is 21"), std::string::npos);
  params = player_2_of_team_6();
  params.answer_interval = 0.1;
  EXPECT_TRUE(params.validate());
}

TEST(GameStateOf, SaysNothingOfTheGameBeforeTheFirstPacket) {
  const Client client(player_2_of_team_6());
  const auto state = game_state_of(client, player_2_of_team_6(), 1.0);
  EXPECT_FALSE(state.referee_connected);
  EXPECT_FALSE(state.allowed_to_move);
  EXPECT_EQ(state.phase, hl_soccer::GamePhase::Initial);
  EXPECT_EQ(state.own_team, 6);
  EXPECT_TRUE(state.own_players.empty());
}

TEST(GameStateOf, IsSeenFromTheOwnTeam) {
  Game game(player_2_of_team_6());
  game.packet.set_play = SetPlay::CornerKick;
  game.packet.set_play_team = 6;
  game.packet.set_play_phase = SetPlayPhase::Execute;
  game.packet.kick_off_team = 11;
  game.packet.teams[0].score = 3;
  game.packet.teams[0].players[1].penalty = Penalty::Service;
  game.packet.teams[0].players[1].seconds_till_unpenalized = 7;
  ASSERT_EQ(game.send(2.0), Client::Verdict::Accepted);
  const auto state = game_state_of(game.client, player_2_of_team_6(), 2.5);
  EXPECT_TRUE(state.referee_connected);
  EXPECT_EQ(state.stamp, 2.0);
  EXPECT_EQ(state.phase, hl_soccer::GamePhase::Playing);
  EXPECT_EQ(state.set_play, hl_soccer::SetPlay::CornerKick);
  EXPECT_EQ(state.set_play_phase, hl_soccer::SetPlayPhase::Execute);
  EXPECT_TRUE(state.own_set_play);
  EXPECT_EQ(state.kick_off, hl_soccer::KickOff::Rival);
  EXPECT_EQ(state.own_score, 3);
  EXPECT_TRUE(state.penalized);
  EXPECT_EQ(state.seconds_till_unpenalized, 7.0);
  EXPECT_EQ(state.message_budget, -1);
  ASSERT_GE(state.own_players.size(), 2U);
  EXPECT_TRUE(state.own_players[1].penalized);
  EXPECT_FALSE(state.allowed_to_move);
}

TEST(GameStateOf, TellsTheOwnColour) {
  Game game(player_2_of_team_6());
  for (const bool blue : {true, false}) {
    game.packet.teams[0].colour = blue ? 0 : 1;
    game.packet.teams[1].colour = blue ? 1 : 0;
    ASSERT_EQ(game.send(0.0), Client::Verdict::Accepted);
    EXPECT_EQ(game_state_of(game.client, player_2_of_team_6(), 0.1).own_color_blue, blue);
  }
}

TEST(Client, ReadmeTellsTheParametersOfBothNodes) {
  EXPECT_EQ(client_parameters().check({}), std::nullopt);
  EXPECT_EQ(referee_parameters().check({}), std::nullopt);
  EXPECT_EQ(hl_testing::documentation_problem(README, "client parameters", client_parameters().markdown()), "");
  EXPECT_EQ(hl_testing::documentation_problem(
                README, "referee parameters",
                rule_book_parameters().markdown() + without_head(referee_parameters().markdown())),
            "");
}
