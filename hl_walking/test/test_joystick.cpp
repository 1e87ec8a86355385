// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "hl_testing/isolation.hpp"
#include "hl_walking/joystick.hpp"

namespace hl_walking {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes event(std::uint8_t type, std::uint8_t number, std::int16_t value) {
  const auto bits = static_cast<std::uint16_t>(value);
  return {1, 2, 3, 4, static_cast<std::uint8_t>(bits & 0xff), static_cast<std::uint8_t>(bits >> 8), type, number};
}

TEST(JoystickReader, ReadsAxesAndButtonsAsJoyCountsThem) {
  JoystickReader reader;
  for (const Bytes& bytes : {event(0x82, 1, 0), event(0x02, 1, -32767), event(0x02, 0, 32767), event(0x81, 4, 1)}) {
    reader.feed(bytes.data(), bytes.size());
  }
  ASSERT_EQ(reader.state().axes.size(), 2U);
  EXPECT_DOUBLE_EQ(reader.state().axes[1], 1.0);   // up
  EXPECT_DOUBLE_EQ(reader.state().axes[0], -1.0);  // right
  ASSERT_EQ(reader.state().buttons.size(), 5U);
  EXPECT_TRUE(reader.state().buttons[4]);
  EXPECT_FALSE(reader.state().buttons[3]);
  const Bytes lowest = event(0x02, 0, std::numeric_limits<std::int16_t>::min());
  reader.feed(lowest.data(), lowest.size());
  EXPECT_DOUBLE_EQ(reader.state().axes[0], 1.0);
}

TEST(JoystickReader, RecordsMayComeInPieces) {
  JoystickReader reader;
  const Bytes bytes = event(0x02, 2, 16384);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_TRUE(reader.state().axes.empty());
    reader.feed(&bytes[i], 1);
  }
  ASSERT_EQ(reader.state().axes.size(), 3U);
  EXPECT_NEAR(reader.state().axes[2], -0.5, 1e-3);
}

TEST(JoystickReader, UnknownTypesAreLeftOut) {
  JoystickReader reader;
  for (const std::uint8_t type : {0x00, 0x03, 0x04, 0x7f, 0xff}) {
    const Bytes bytes = event(type, 0, 1);
    reader.feed(bytes.data(), bytes.size());
  }
  EXPECT_TRUE(reader.state().axes.empty());
  EXPECT_TRUE(reader.state().buttons.empty());
}

TEST(JoystickReader, AnyBytesGiveABoundedVelocity) {
  std::mt19937 random(4);
  JoystickReader reader;
  JoystickMapping mapping;
  mapping.enable_button = -1;
  for (std::size_t i = 0; i < hl_testing::count(20'000, 10'000'000); ++i) {
    Bytes bytes =
        event(random() % 2 == 0 ? 1 : 2, static_cast<std::uint8_t>(random()), static_cast<std::int16_t>(random()));
    bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());  // and now and then one byte too few
    reader.feed(bytes.data(), bytes.size() - (random() % 8 == 0 ? 1 : 0));
    const auto v = mapping.velocity(reader.state());
    ASSERT_TRUE(v);
    ASSERT_LE(std::abs(v->x), mapping.forward);
    ASSERT_LE(std::abs(v->y), mapping.sideways);
    ASSERT_LE(std::abs(v->yaw), mapping.turn);
    ASSERT_LE(reader.state().axes.size(), 256U);
  }
}

TEST(JoystickMapping, OnlyAHeldButtonMovesTheRobot) {
  JoystickMapping mapping;
  JoystickState state;
  EXPECT_FALSE(mapping.velocity(state));  // no such button
  state.buttons.assign(6, false);
  state.axes = {0.0, 1.0, 0.0, -1.0};
  EXPECT_FALSE(mapping.velocity(state));
  state.buttons[4] = true;
  EXPECT_DOUBLE_EQ(mapping.velocity(state)->x, mapping.forward);
  EXPECT_DOUBLE_EQ(mapping.velocity(state)->yaw, -mapping.turn);
}

TEST(JoystickMapping, RestNoiseAndNonsenseAreZero) {
  JoystickMapping mapping;
  mapping.enable_button = -1;
  JoystickState state;
  EXPECT_TRUE(mapping.velocity(state)->is_zero());  // no axes at all
  state.axes = {0.05, -0.09, 0.0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_TRUE(mapping.velocity(state)->is_zero());
  state.axes = {0.0, 100.0};
  EXPECT_DOUBLE_EQ(mapping.velocity(state)->x, mapping.forward);
  mapping.dead_zone = 1.0;
  EXPECT_TRUE(mapping.validate());
}

}  // namespace
}  // namespace hl_walking
