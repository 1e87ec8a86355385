// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "golden_packets.hpp"
#include "hl_game_controller/control_packet.hpp"
#include "hl_game_controller/return_packet.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_game_controller;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

constexpr std::array<Dialect, 9> kAllDialects{Dialect::V8,  Dialect::V9,         Dialect::V10,
                                              Dialect::V11, Dialect::V12Size640, Dialect::V12Size664,
                                              Dialect::V12, Dialect::Hsl19,      Dialect::Hsl20};

hl_network::Bytes view(const std::vector<std::uint8_t>& bytes) {
  return {bytes.data(), bytes.size()};
}

std::vector<std::uint8_t> encoded(const ControlPacket& packet) {
  std::vector<std::uint8_t> bytes(kMaxControlPacketSize);
  bytes.resize(encode(packet, bytes.data(), bytes.size()));
  return bytes;
}

ControlPacket some_game(Dialect dialect) {
  ControlPacket packet;
  packet.dialect = dialect;
  packet.packet_number = 200;
  packet.players_per_team = 4;
  packet.state = State::Playing;
  packet.first_half = false;
  packet.kick_off_team = 11;
  packet.seconds_remaining = -12;
  packet.secondary_time = 22;
  packet.teams[0].number = 6;
  packet.teams[0].colour = 1;
  packet.teams[0].score = 3;
  packet.teams[0].players[1].penalty = Penalty::PhysicalContact;
  packet.teams[0].players[1].seconds_till_unpenalized = 9;
  packet.teams[1].number = 11;
  packet.teams[1].players[10].penalty = Penalty::Substitute;
  return packet;
}

}  // namespace

TEST(ControlPacket, GoldenFreeKickIsReadByteByByte) {
  ControlPacket packet;
  ASSERT_EQ(decode(view(test::free_kick_v12()), packet), DecodeError::None);
  EXPECT_EQ(packet.dialect, Dialect::V12);
  EXPECT_EQ(packet.packet_number, 0x2A);
  EXPECT_EQ(packet.players_per_team, 4);
  EXPECT_EQ(packet.state, State::Playing);
  EXPECT_TRUE(packet.first_half);
  EXPECT_EQ(packet.kick_off_team, 6);
  EXPECT_EQ(packet.set_play, SetPlay::DirectFreeKick);
  EXPECT_EQ(packet.set_play_team, 6);
  EXPECT_EQ(packet.set_play_phase, SetPlayPhase::Prepare);
  EXPECT_EQ(packet.drop_in_time, kNeverDroppedIn);
  EXPECT_EQ(packet.seconds_remaining, 437);
  EXPECT_EQ(packet.secondary_time, 22);
  ASSERT_NE(packet.team(6), nullptr);
  EXPECT_EQ(packet.team(6)->score, 1);
  EXPECT_EQ(packet.team(6)->colour, 1);
  EXPECT_TRUE(packet.team(6)->players[0].goalkeeper);
  EXPECT_EQ(packet.team(6)->players[1].penalty, Penalty::PickupOrIncapable);
  EXPECT_EQ(packet.team(6)->players[1].seconds_till_unpenalized, 7);
  EXPECT_EQ(packet.team(6)->players[2].warnings, 1);
  EXPECT_EQ(packet.team(6)->players[4].penalty, Penalty::Substitute);
  EXPECT_EQ(packet.team(7), nullptr);
}

TEST(ControlPacket, GoldenFreeKickIsWrittenByteByByte) {
  ControlPacket packet;
  ASSERT_EQ(decode(view(test::free_kick_v12()), packet), DecodeError::None);
  EXPECT_EQ(encoded(packet), test::free_kick_v12());
}

TEST(ControlPacket, SoccerLeagueThrowIn) {
  ControlPacket packet;
  ASSERT_EQ(decode(view(test::throw_in_hsl20()), packet), DecodeError::None);
  EXPECT_EQ(packet.dialect, Dialect::Hsl20);
  EXPECT_EQ(packet.set_play, SetPlay::ThrowIn);
  EXPECT_EQ(packet.set_play_team, 11);
  EXPECT_EQ(packet.team(6)->message_budget, 1232);
  EXPECT_TRUE(packet.team(6)->players[0].goalkeeper);
  EXPECT_EQ(packet.team(6)->players[1].penalty, Penalty::PhysicalContact);
  EXPECT_EQ(packet.team(6)->players[2].penalty, Penalty::Substitute);
  EXPECT_EQ(encoded(packet), test::throw_in_hsl20());
}

TEST(ControlPacket, EveryDialectCarriesAGameThereAndBack) {
  for (const auto dialect : kAllDialects) {
    const auto sent = some_game(dialect);
    const auto bytes = encoded(sent);
    ASSERT_EQ(bytes.size(), packet_size(dialect)) << name(dialect);
    ControlPacket received;
    ASSERT_EQ(decode(view(bytes), received), DecodeError::None) << name(dialect);
    EXPECT_EQ(received.dialect, dialect);
    EXPECT_EQ(received.kick_off_team, 11) << name(dialect);
    EXPECT_EQ(received.seconds_remaining, -12);
    EXPECT_EQ(received.secondary_time, 22);
    EXPECT_EQ(received.teams[0].score, 3);
    EXPECT_EQ(received.teams[0].players[1].penalty, Penalty::PhysicalContact) << name(dialect);
    EXPECT_EQ(received.teams[0].players[1].seconds_till_unpenalized, 9);
    EXPECT_EQ(received.teams[1].players[10].penalty, Penalty::Substitute) << name(dialect);
  }
}

TEST(ControlPacket, TwoVersionsOf158BytesAreToldApart) {
  ControlPacket packet;
  ASSERT_EQ(packet_size(Dialect::V8), packet_size(Dialect::Hsl20));
  ASSERT_EQ(decode(view(encoded(some_game(Dialect::V8))), packet), DecodeError::None);
  EXPECT_EQ(packet.dialect, Dialect::V8);
}

TEST(ControlPacket, BothSpellingsOfTheDroppedBallAreUnderstood) {
  for (const std::uint8_t code : {128, 255}) {
    auto bytes = test::free_kick_v12();
    bytes[11] = code;
    ControlPacket packet;
    ASSERT_EQ(decode(view(bytes), packet), DecodeError::None);
    EXPECT_EQ(packet.kick_off_team, kDroppedBall);
  }
}

TEST(ControlPacket, ATeamWhoseNumberLooksLikeADroppedBallKeepsItsKickOff) {
  auto bytes = test::free_kick_v12();
  ControlPacket packet;
  ASSERT_EQ(decode(view(bytes), packet), DecodeError::None);
  packet.teams[0].number = 128;
  packet.kick_off_team = 128;
  ControlPacket received;
  ASSERT_EQ(decode(view(encoded(packet)), received), DecodeError::None);
  EXPECT_EQ(received.kick_off_team, 128);
}

// Before version 11, code 7 was a robot that is picked up and kept for service.
TEST(ControlPacket, PickupForServiceOfTheOldVersionsIsKnown) {
  for (const auto& [dialect, first_player] : {std::pair{Dialect::V8, 66}, {Dialect::V9, 110}, {Dialect::V10, 282}}) {
    auto bytes = encoded(some_game(dialect));
    bytes.at(static_cast<std::size_t>(first_player)) = 7;
    ControlPacket packet;
    ASSERT_EQ(decode(view(bytes), packet), DecodeError::None);
    EXPECT_EQ(packet.teams[0].players[0].penalty, Penalty::Service);
    EXPECT_EQ(packet.teams[0].players[1].penalty, Penalty::PhysicalContact) << "the offset is right";
  }
}

TEST(ControlPacket, DropInOfVersion8NamesTheTeamByItsColour) {
  auto game = some_game(Dialect::V8);
  game.drop_in_time = 3;
  game.drop_in_team = 6;
  const auto bytes = encoded(game);
  EXPECT_EQ(bytes.at(11), 1) << "the colour of team 6";
  ControlPacket packet;
  ASSERT_EQ(decode(view(bytes), packet), DecodeError::None);
  EXPECT_EQ(packet.drop_in_team, 6);
  game.drop_in_team = 11;
  ASSERT_EQ(decode(view(encoded(game)), packet), DecodeError::None);
  EXPECT_EQ(packet.drop_in_team, 11);
  game.drop_in_time = kNeverDroppedIn;
  ASSERT_EQ(decode(view(encoded(game)), packet), DecodeError::None);
  EXPECT_EQ(packet.drop_in_team, 0);
}

TEST(ControlPacket, UnknownCodesBecomeTheSafeOnes) {
  auto bytes = test::free_kick_v12();
  bytes[9] = 77;     // state
  bytes[290] = 200;  // penalty of player 1
  ControlPacket packet;
  ASSERT_EQ(decode(view(bytes), packet), DecodeError::None);
  EXPECT_EQ(packet.state, State::Finished);
  EXPECT_EQ(packet.teams[0].players[0].penalty, Penalty::Unknown);
}

TEST(ControlPacket, WrongMagicVersionAndSizeAreTold) {
  ControlPacket packet;
  auto bytes = test::free_kick_v12();
  bytes[0] = 'X';
  EXPECT_EQ(decode(view(bytes), packet), DecodeError::NotAControlPacket);
  bytes = test::free_kick_v12();
  bytes[4] = 13;
  EXPECT_EQ(decode(view(bytes), packet), DecodeError::UnknownVersion);
  bytes = test::free_kick_v12();
  bytes.pop_back();
  EXPECT_EQ(decode(view(bytes), packet), DecodeError::WrongSize);
  EXPECT_EQ(decode({nullptr, 0}, packet), DecodeError::NotAControlPacket);
}

TEST(ControlPacket, ArbitraryBytesNeverCrashAndNeverGiveInvalidStates) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> byte(0, 255);
  std::vector<std::vector<std::uint8_t>> seeds;
  for (const auto dialect : kAllDialects) seeds.push_back(encoded(some_game(dialect)));
  const std::size_t rounds = hl_testing::count(20'000, 10'000'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    auto bytes = seeds[round % seeds.size()];
    const int changes = 1 + byte(random) % 16;
    for (int i = 0; i < changes; ++i) {
      // Mostly behind magic and version, so that the fuzzing reaches the fields.
      bytes[(round % 4 == 0 ? 0 : 6) + static_cast<std::size_t>(byte(random)) % (bytes.size() - 6)] =
          static_cast<std::uint8_t>(byte(random));
    }
    if (round % 5 == 0) bytes.resize(static_cast<std::size_t>(byte(random)) * 3);
    ControlPacket packet;
    if (decode(view(bytes), packet) == DecodeError::None) {
      ASSERT_LE(static_cast<int>(packet.state), static_cast<int>(State::Finished));
      ASSERT_EQ(encoded(packet).size(), bytes.size());
    }
    decode_return(view(bytes));
  }
}

TEST(ReturnPacket, GoldenAnswersOfTheHumanoidLeague) {
  const std::vector<std::uint8_t> alive{0x52, 0x47, 0x72, 0x74, 0x02, 0x06, 0x02, 0x02};
  std::vector<std::uint8_t> bytes(kMaxReturnPacketSize);
  ReturnPacket packet;
  packet.team = 6;
  packet.player = 2;
  bytes.resize(encode(packet, bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, alive);
  const auto back = decode_return(view(alive));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->player, 2);
  EXPECT_EQ(back->message, ReturnMessage::Alive);
}

TEST(ReturnPacket, GoldenAnswerOfTheSoccerLeague) {
  const std::vector<std::uint8_t> golden{0x52, 0x47, 0x72, 0x74, 0x04, 0x02, 0x06, 0x00, 0x00, 0x80, 0xBB,
                                         0xC4, 0x00, 0x00, 0x7A, 0x43, 0x00, 0x00, 0x00, 0x3F, 0x00, 0x00,
                                         0xA0, 0x3F, 0x00, 0x00, 0x48, 0x44, 0x00, 0x00, 0xF0, 0xC2};
  ReturnPacket packet;
  packet.version = 4;
  packet.team = 6;
  packet.player = 2;
  packet.pose = {-1.5F, 0.25F, 0.5F};
  packet.ball_age = 1.25F;
  packet.ball = {0.8F, -0.12F};
  std::vector<std::uint8_t> bytes(kMaxReturnPacketSize);
  bytes.resize(encode(packet, bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, golden);
  const auto back = decode_return(view(golden));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->player, 2);
  EXPECT_EQ(back->team, 6);
  EXPECT_FALSE(back->fallen);
  EXPECT_FLOAT_EQ(back->pose[0], -1.5F);
  EXPECT_FLOAT_EQ(back->pose[1], 0.25F);
  EXPECT_FLOAT_EQ(back->pose[2], 0.5F);
  EXPECT_FLOAT_EQ(back->ball_age, 1.25F);
  EXPECT_FLOAT_EQ(back->ball[0], 0.8F);
  EXPECT_FLOAT_EQ(back->ball[1], -0.12F);
}

TEST(ReturnPacket, WrongLengthVersionOrPlayerIsRefused) {
  std::vector<std::uint8_t> bytes{0x52, 0x47, 0x72, 0x74, 0x02, 0x06, 0x02, 0x02};
  bytes[6] = 0;
  EXPECT_FALSE(decode_return(view(bytes)));
  bytes[6] = 2;
  bytes[7] = 9;
  EXPECT_FALSE(decode_return(view(bytes)));
  bytes[7] = 2;
  bytes.push_back(0);
  EXPECT_FALSE(decode_return(view(bytes)));
}
