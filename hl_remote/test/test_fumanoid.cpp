// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>

#include "hl_remote/fumanoid.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_remote::fumanoid;

namespace {

using Payload = std::vector<std::uint8_t>;

Payload hex(const std::string& text) {
  std::istringstream stream(text);
  Payload bytes;
  for (unsigned value = 0; stream >> std::hex >> value;) bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
}

std::optional<Message> read_bytes(const Payload& bytes) {
  return read({bytes.data(), bytes.size()});
}

struct Golden {
  const char* name;
  const char* bytes;
  Message message;
};

/// Bytes typed from the description of the protocol, one per operation and direction.
std::vector<Golden> golden() {
  Status status;
  status.robot = 3;
  status.orientation = 90;
  status.strategy = 1;
  status.role = 5;
  status.behavior = 12;
  status.x = -150;
  status.y = 40;
  status.battery = 87;
  status.competition = 1;
  status.game_state = 3;
  status.goalkeeper = 1;
  status.opponent_goal = 1;
  status.own_kickoff = 1;
  status.kickoff_mode = 1;
  status.log_level = 2;
  status.unix_time = 0x4ACBDA00;
  status.seconds_since_go = 75;
  return {
      {"log", "00 00 00 00 02 07 62 61 6C 6C", Log{LogLevel::Warning, Subsystem::Vision, "ball"}},
      {"status",
       "00 01 00 00 03 04 00 5A 00 00 00 01 00 00 00 05 00 00 00 0C 00 00 00 00 FF 6A 00 28 7F FF 7F FF "
       "57 01 03 01 01 01 01 00 02 4A CB DA 00 00 00 00 00 00 00 00 00 00 00 00 00 4B 00 00 00 00 00 00 "
       "00 00 00 00",
       status},
      {"ready set", "00 02 00 00 00 00 00 01 00 00 00 05 04 01 01 02 01", ReadySet{1, 5, 4, 1, 1, 2, 1}},
      {"set role", "00 03 00 00 00 00 01 02", SetRole{0x102}},
      {"disable all motors", "00 04 00 00", SwitchMotors{false, {}}},
      {"enable motors", "00 05 00 00 03 14", SwitchMotors{true, {3, 20}}},
      {"play motion", "00 06 00 00 02 02 02 00 01 2C 00 64 02 08 01 36 00 96",
       PlayMotion{{{{512, 300}, 100}, {{520, 310}, 150}}}},
      {"get motor status", "00 07 00 00 0D", MotorStatusRequest{13}},
      {"motor status", "00 07 01 00 0D 76 2D 01 02 00 00 00 04 25 00", MotorStatus{13, 118, 45, 1, 512, 0, 0x0425, 0}},
      {"get strategies", "00 08 00 00", Plain{Operation::GetStrategies}},
      {"strategies", "00 08 01 00 00 00 00 02 41 00", Names{Operation::GetStrategies, {{2, "A"}}}},
      {"get roles", "00 09 00 00", Plain{Operation::GetRoles}},
      {"roles", "00 09 01 00 00 00 00 01 53 74 72 69 6B 65 72 00 00 00 00 05 47 6F 61 6C 69 65 00",
       Names{Operation::GetRoles, {{1, "Striker"}, {5, "Goalie"}}}},
      {"abort", "00 0A 00 00", Plain{Operation::Abort}},
      {"start game", "00 0B 00 00", Plain{Operation::StartGame}},
      {"stop game", "00 0C 00 00", Plain{Operation::StopGame}},
      {"walking speed", "00 0D 00 00 78 3C 50", SetWalkingSpeed{120, 60, 80}},
      {"walking speed backwards", "00 0D 00 00 9C 00 FF", SetWalkingSpeed{-100, 0, -1}},
      {"set motor id", "00 0E 00 00 FE 07", SetMotorId{254, 7}},
      {"set motor, id only", "00 0F 00 00 07", SetMotor{7, std::nullopt, std::nullopt}},
      {"set motor, torque", "00 0F 00 00 07 00", SetMotor{7, 0, std::nullopt}},
      {"set motor", "00 0F 00 00 07 01 03 FF", SetMotor{7, 1, 1023}},
      {"log level", "00 10 00 00 03", SetLogLevel{LogLevel::Error}},
      {"image capture", "00 11 00 00 01 05 01 F4", ImageCapture{1, 5, 500}},
      {"no more images", "00 11 00 00 00 00 00 00", ImageCapture{0, 0, 0}},
      {"image", "00 11 01 00 FF D8 FF D9", Image{{0xFF, 0xD8, 0xFF, 0xD9}}},
      {"reboot", "00 12 00 00 2A", Reboot{}},
      {"go to position", "00 13 00 00 FF 38 00 64 FF A6", GoToPosition{-200, 100, -90}},
      {"limit team", "00 14 00 00 01 02", LimitTeam{{1, 2}}},
      {"time request", "00 15 00 00 54 49 4D 45", TimeRequest{}},
      {"time answer", "00 15 01 00 4A CB DA 00", TimeAnswer{0x4ACBDA00}},
      {"get behaviors", "00 16 00 00", Plain{Operation::GetBehaviors}},
      {"behaviors", "00 16 01 00 00 00 00 0C 67 6F 00", Names{Operation::GetBehaviors, {{12, "go"}}}},
      {"get motor offsets", "00 17 00 00", Plain{Operation::GetMotorOffsets}},
      {"motor offsets", "00 17 01 00 01 FF FB 02 00 0A", MotorOffsets{Direction::Answer, {{1, -5}, {2, 10}}}},
      {"set motor offsets", "00 18 00 00 03 FC 01", MotorOffsets{Direction::Request, {{3, -1023}}}},
  };
}

}  // namespace

TEST(Fumanoid, EveryMessageHasTheBytesOfTheDescription) {
  for (const Golden& row : golden()) EXPECT_EQ(write(row.message), hex(row.bytes)) << row.name;
}

TEST(Fumanoid, EveryMessageIsReadFromTheBytesOfTheDescription) {
  std::set<std::uint16_t> operations;
  for (const Golden& row : golden()) {
    const auto message = read_bytes(hex(row.bytes));
    ASSERT_TRUE(message) << row.name;
    EXPECT_EQ(message->index(), row.message.index()) << row.name;
    EXPECT_EQ(write(*message), hex(row.bytes)) << row.name;
    operations.insert(static_cast<std::uint16_t>(hex(row.bytes)[1]));
  }
  EXPECT_EQ(operations.size(), kOperations);
}

TEST(Fumanoid, ValuesAreReadWithTheirSign) {
  const auto status = std::get<Status>(*read_bytes(hex(golden()[1].bytes)));
  EXPECT_EQ(status.x, -150);
  EXPECT_EQ(status.ball_x, kUnknown);
  EXPECT_EQ(status.unix_time, 0x4ACBDA00U);
  EXPECT_EQ(status.seconds_since_go, 75);
  const auto go = std::get<GoToPosition>(*read_bytes(hex("00 13 00 00 FF 38 00 64 FF A6")));
  EXPECT_EQ(go.x, -200);
  EXPECT_EQ(go.angle, -90);
}

TEST(Fumanoid, CutOrLongOrForeignDatagramsAreRefused) {
  for (const Golden& row : golden()) {
    Payload longer = hex(row.bytes);
    longer.push_back(0x55);
    const auto operation = static_cast<Operation>(longer[1]);
    // Texts, images and lists of single bytes have no length of their own.
    const bool open_end = operation == Operation::Log || operation == Operation::DisableMotors ||
                          operation == Operation::EnableMotors || operation == Operation::LimitTeam ||
                          (operation == Operation::ImageCapture && longer[2] == 1) ||
                          std::string(row.name) == "set motor, id only";
    if (!open_end) {
      EXPECT_FALSE(read_bytes(longer)) << row.name;
    }
  }
  EXPECT_FALSE(read_bytes({}));
  EXPECT_FALSE(read_bytes({0, 1, 0}));
  EXPECT_FALSE(read_bytes({0, 25, 0, 0}));
  EXPECT_FALSE(read_bytes(hex("00 12 00 00 2B"))) << "reboot needs its magic";
  EXPECT_FALSE(read_bytes(hex("00 0F 00 00 07 01 04 00"))) << "goal beyond 1023";
  EXPECT_FALSE(read_bytes(hex("00 09 01 00 00 00 00 01 53"))) << "name without end";
  EXPECT_FALSE(read_bytes(hex("00 14 00 00"))) << "a team of nobody";
}

TEST(Fumanoid, WhatDoesNotFitIsNotWritten) {
  EXPECT_TRUE(write(Image{Payload(70'000)}).empty());
  EXPECT_TRUE(write(PlayMotion{{{{1, 2}, 10}, {{1}, 10}}}).empty());
  EXPECT_TRUE(write(Names{Operation::GetRoles, {{1, std::string("a\0b", 3)}}}).empty());
}

TEST(Fumanoid, ArbitraryDatagramsSurviveAndWhatIsReadIsWrittenBack) {
  std::mt19937 random(5);
  const auto rows = golden();
  const std::size_t count = hl_testing::count(200'000, 10'000'000);
  for (std::size_t i = 0; i < count; ++i) {
    Payload bytes;
    if (i % 2 == 0) {
      bytes.resize(random() % 80);
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
      if (bytes.size() > 2) bytes[0] = 0, bytes[1] = static_cast<std::uint8_t>(random() % 26);
    } else {
      bytes = hex(rows[i % rows.size()].bytes);
      for (unsigned n = random() % 3; n > 0; --n) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 1));
    }
    const auto message = read_bytes(bytes);
    if (!message) continue;
    const Payload again = write(*message);
    ASSERT_EQ(again.size(), bytes.size());
    ASSERT_TRUE(read_bytes(again));
  }
}

TEST(FumanoidMotion, TextComesBackAndErrorsNameTheirLine) {
  const std::string text = "101,102,100,\n77,-130,150,\n-1\n";
  const auto motion = read_motion_text(text);
  ASSERT_EQ(motion.moves.size(), 2U) << motion.error;
  EXPECT_EQ(motion.moves[1].positions[1], -130);
  EXPECT_EQ(motion.moves[1].duration_ms, 150);
  EXPECT_EQ(write_motion_text(motion.moves), text);
  EXPECT_NE(read_motion_text("1,2,3,\n1,2,\n-1\n").error.find("line 2"), std::string::npos);
  EXPECT_NE(read_motion_text("1,x,3,\n-1\n").error.find("'x'"), std::string::npos);
  EXPECT_NE(read_motion_text("1,2,3,\n").error.find("-1"), std::string::npos);
}

TEST(FumanoidMotion, ArbitraryTextsSurviveAndWhatIsReadIsWrittenBack) {
  std::mt19937 random(9);
  const std::string good = "101,102,100,\n77,-130,150,\n-1\n", letters = "0123456789,-\n \rx.";
  const std::size_t count = hl_testing::count(100'000, 10'000'000);
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = good;
    for (unsigned edits = 1 + random() % 4; edits > 0; --edits)
      text[random() % text.size()] =
          random() % 4 == 0 ? static_cast<char>(random()) : letters[random() % letters.size()];
    if (random() % 4 == 0) text.resize(random() % text.size());
    const auto motion = read_motion_text(text);
    if (!motion.error.empty()) continue;
    ASSERT_EQ(write_motion_text(read_motion_text(write_motion_text(motion.moves)).moves),
              write_motion_text(motion.moves))
        << text;
  }
}
