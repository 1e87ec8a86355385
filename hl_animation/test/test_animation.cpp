// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <random>
#include <string_view>
#include <thread>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/player.hpp"
#include "hl_animation/trajectory.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_animation;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

constexpr double kDegree = M_PI / 180.0;

const char* const kWave = R"(name: wave
author: test
description: a test
start: standing
end: standing
keyframes:
  - {duration: 1.0, pause: 0.5, joints: {LElbow: 60, HeadPan: 10}}
  - {duration: 0.5, joints: {LElbow: -30}}
  - {duration: 1.0, joints: {LElbow: 0, HeadPan: 0}}
)";

Animation wave(Interpolation interpolation = Interpolation::Cubic) {
  auto animation = parse_animations(kWave, "wave.yaml").front();
  animation.interpolation = interpolation;
  return animation;
}

const std::map<std::string, double> kPresent{{"LElbow", 0.3}, {"HeadPan", 0.0}, {"RElbow", 0.0}};

std::string error_of(const std::string& yaml) {
  try {
    parse_animations(yaml, "file.yaml");
  } catch (const AnimationError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(AnimationFile, IsReadInRadians) {
  const auto animation = wave();
  EXPECT_EQ(animation.name, "wave");
  EXPECT_EQ(animation.start, Posture::Standing);
  ASSERT_EQ(animation.keyframes.size(), 3U);
  EXPECT_DOUBLE_EQ(animation.keyframes[0].goals.at("LElbow"), 60 * kDegree);
  EXPECT_DOUBLE_EQ(animation.duration(), 3.0);
  EXPECT_EQ(animation.joints(), (std::vector<std::string>{"HeadPan", "LElbow"}));
}

TEST(AnimationFile, JointWithoutSideMeansBothSymmetrically) {
  const auto animation = parse_animations("{name: a, keyframes: [{duration: 1, joints: {Knee: -40}}]}", "f").front();
  EXPECT_DOUBLE_EQ(animation.keyframes[0].goals.at("LKnee"), -40 * kDegree);
  EXPECT_DOUBLE_EQ(animation.keyframes[0].goals.at("RKnee"), 40 * kDegree);
}

TEST(AnimationFile, MirroredVariantIsDeclaredNotCopied) {
  const auto both = parse_animations(
      "{name: kick_left, mirrored_as: kick_right, start: lying_left, keyframes: [{duration: 1, support: right, "
      "joints: {LKnee: -40, HeadPan: 5, HeadTilt: 7}, check: {max_roll: 10}}]}",
      "f");
  ASSERT_EQ(both.size(), 2U);
  const auto& twin = both[1];
  EXPECT_EQ(twin.name, "kick_right");
  EXPECT_EQ(twin.start, Posture::LyingRight);
  const auto& keyframe = twin.keyframes[0];
  EXPECT_DOUBLE_EQ(keyframe.goals.at("RKnee"), 40 * kDegree);
  EXPECT_DOUBLE_EQ(keyframe.goals.at("HeadPan"), -5 * kDegree);
  EXPECT_DOUBLE_EQ(keyframe.goals.at("HeadTilt"), 7 * kDegree);
  EXPECT_EQ(keyframe.support, Support::Left);
  EXPECT_DOUBLE_EQ(*keyframe.check->min_roll, -10 * kDegree);
  EXPECT_FALSE(keyframe.check->max_roll);
}

TEST(AnimationFile, WritingAndReadingGivesTheSameMotion) {
  auto animation = wave();
  animation.keyframes[1].torque = 0.5;
  animation.keyframes[1].p_gain = 16;
  animation.keyframes[2].label = "end";
  animation.keyframes[1].check = TiltCheck{-0.5, 0.5, std::nullopt, std::nullopt, "end"};
  animation.keyframes[0].support = Support::Both;
  animation.mirrored_as = "wave_right";
  const auto pair = parse_animations(to_yaml(animation), "again.yaml");
  ASSERT_EQ(pair.size(), 2U);
  EXPECT_EQ(pair[1].name, "wave_right");
  const auto& again = pair.front();
  ASSERT_EQ(again.keyframes.size(), 3U);
  EXPECT_NEAR(again.keyframes[1].goals.at("LElbow"), -30 * kDegree, 1e-9);
  EXPECT_EQ(again.keyframes[1].p_gain, 16);
  EXPECT_EQ(again.keyframes[1].check->otherwise, "end");
  EXPECT_NEAR(*again.keyframes[1].check->max_pitch, 0.5, 1e-3);
  EXPECT_EQ(again.keyframes[0].support, Support::Both);
}

TEST(AnimationFile, EveryMistakeNamesLineAndRemedy) {
  EXPECT_NE(error_of("name: a\nkeyframes:\n  - {duration: 1, joints: {LElbo: 3}}")
                .find("file.yaml:3: keyframes[0].joints.LElbo: unknown joint"),
            std::string::npos);
  EXPECT_NE(
      error_of("name: a\nkeyframes:\n  - {joints: {LElbow: 3}}").find(":3: keyframes[0]: the keyframe has no duration"),
      std::string::npos);
  EXPECT_NE(error_of("name: a\nkeyframes:\n  - {duration: -1}").find("duration: -1 is outside"), std::string::npos);
  EXPECT_NE(error_of("name: a\nkeyframes:\n  - {duration: .nan}").find("duration"), std::string::npos);
  EXPECT_NE(error_of("name: a\ncolour: red\nkeyframes: []").find(":2: colour: unknown key"), std::string::npos);
  EXPECT_NE(error_of("name: a\nstart: flying\nkeyframes: [{duration: 1}]").find("lying_front"), std::string::npos);
  EXPECT_NE(error_of("name: a\nkeyframes: [{duration: 1, joints: {LElbow: fast}}]").find("'fast'"), std::string::npos);
  EXPECT_NE(error_of("name: a\nkeyframes: [{duration: 1, check: {max_pitch: 3, otherwise: nowhere}}]").find("nowhere"),
            std::string::npos);
  EXPECT_NE(error_of("name: a").find("no keyframes"), std::string::npos);
  EXPECT_NE(error_of("keyframes: [{duration: 1}]").find("no name"), std::string::npos);
  EXPECT_NE(error_of("name: [unclosed").find("not valid YAML"), std::string::npos);
  EXPECT_NE(error_of("").find("key: value"), std::string::npos);
}

namespace {

constexpr std::string_view kMarks = "{}[]:,-0123456789.eE#&*!|>'\"%@` \n";  // what means something in these files

/// Hands changed versions of a small file, and now and then of a large one, to a reader, on all cores; it may throw
/// AnimationError and nothing else.
void fuzz(const std::string& small, const std::string& large, const std::function<void(const std::string&)>& read) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t count = hl_testing::count(5'000, 10'000'000) / threads;
  std::vector<std::future<std::size_t>> parts;
  for (unsigned part = 0; part < threads; ++part) {
    parts.push_back(std::async(std::launch::async, [&, part] {
      std::mt19937 random(part);
      std::size_t read_well = 0;
      std::string text;
      for (std::size_t i = 0; i < count; ++i) {
        text = i % 16 == 0 ? large : small;
        for (unsigned k = 0; k < 1 + random() % 5; ++k) {
          const auto at = random() % text.size();
          if (random() % 4 == 0) {
            text.insert(at, text.substr(random() % text.size(), random() % 8));  // a piece of itself elsewhere
          } else {
            text[at] = static_cast<char>(random() % 3 == 0 ? random() : kMarks[random() % kMarks.size()]);
          }
        }
        if (i % 7 == 0) text.resize(random() % text.size());
        try {
          read(text);
          ++read_well;
        } catch (const AnimationError&) {
        }
      }
      return read_well;
    }));
  }
  std::size_t read_well = 0;
  for (auto& part : parts) read_well += part.get();
  EXPECT_GT(read_well, 0U) << "changes so wild that nothing is ever read test only the first line of the reader";
}

}  // namespace

TEST(AnimationFile, ArbitraryTextIsAnErrorNeverACrash) {
  fuzz("{name: a, keyframes: [{duration: 1, joints: {Knee: 3}}]}",
       "{name: a, end: any, keyframes: [{duration: 1, torque: 1, joints: {Knee: 3}, check: {max_roll: 9}}]}",
       [](const std::string& text) { parse_animations(text, "f.yaml"); });
}

TEST(Import, ArbitraryJsonIsAnErrorNeverACrash) {
  fuzz(R"({"keyframes":[{"goals":{"Knee":9}}]})",
       R"({"name": "a", "keyframes": [{"duration": 0.5, "pause": 1, "goals": {"LKnee": 9}}]})",
       [](const std::string& text) { import_json(text, "f.json"); });
}

TEST(Import, ArbitraryMotionFilesAreAnErrorNeverACrash) {
  fuzz("1,512,9,\n-1\n", "101,512,100,\n77,1023,150,\n-1\n", [](const std::string& text) {
    import_fumanoid(text, "f.txt", {"LElbow", "RElbow"});
  });
}

TEST(Import, JsonKeyframes) {
  const auto animation = import_json(
      R"({"name": "cheer", "author": "x", "keyframes": [{"duration": 0.5, "pause": 0.1, "goals": {"LShoulderRoll": 90}}]})",
      "cheer.json");
  EXPECT_EQ(animation.name, "cheer");
  EXPECT_NEAR(animation.keyframes[0].goals.at("LShoulderRoll"), M_PI_2, 1e-12);
  EXPECT_THROW(import_json("[]", "x.json"), AnimationError);
  EXPECT_THROW(import_json("{\"keyframes\": [{}]}", "x.json"), AnimationError);
}

TEST(Import, FumanoidMotionFile) {
  const auto animation = import_fumanoid("511.5,0,100,\n511.5,1023,150,\n-1\n", "wave.txt", {"LElbow", "RElbow"});
  ASSERT_EQ(animation.keyframes.size(), 2U);
  EXPECT_NEAR(animation.keyframes[0].goals.at("LElbow"), 0.0, 1e-9);
  EXPECT_NEAR(animation.keyframes[0].goals.at("RElbow"), -150 * kDegree, 1e-9);
  EXPECT_DOUBLE_EQ(animation.keyframes[1].duration, 0.1) << "the delay of a line is the time to the next";
  try {
    import_fumanoid("1,2,3,4,\n", "bad.txt", {"LElbow", "RElbow"});
    FAIL();
  } catch (const AnimationError& error) {
    EXPECT_NE(std::string(error.what()).find("bad.txt:1: 4 values"), std::string::npos);
  }
}

TEST(Curve, CubicAndQuinticFollowTheAnalyticPolynomials) {
  const Curve cubic({{0.0, 0.0, 0.0}, {2.0, 1.0, 0.0}}, Interpolation::Cubic);
  const Curve quintic({{0.0, 0.0, 0.0}, {2.0, 1.0, 0.0}}, Interpolation::Quintic);
  const Curve linear({{0.0, 0.0, 0.0}, {2.0, 1.0, 0.0}}, Interpolation::Linear);
  for (double s = 0.0; s < 1.0; s += 0.05) {
    EXPECT_NEAR(cubic.at(2.0 * s).position, 3 * s * s - 2 * s * s * s, 1e-12);
    EXPECT_NEAR(quintic.at(2.0 * s).position, 10 * std::pow(s, 3) - 15 * std::pow(s, 4) + 6 * std::pow(s, 5), 1e-12);
    EXPECT_NEAR(linear.at(2.0 * s).position, s, 1e-12);
    EXPECT_NEAR(cubic.at(2.0 * s).velocity, (6 * s - 6 * s * s) / 2.0, 1e-12);
    EXPECT_NEAR(quintic.at(2.0 * s).acceleration, (60 * s - 180 * s * s + 120 * s * s * s) / 4.0, 1e-9);
  }
}

TEST(JointCurves, PassesEveryKeyframeWithoutOvershootAndWithoutJumps) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> angle(-1.5, 1.5);
  std::uniform_real_distribution<double> time(0.1, 1.0);
  for (const auto interpolation : {Interpolation::Linear, Interpolation::Cubic, Interpolation::Quintic}) {
    for (int round = 0; round < 50; ++round) {
      Animation animation;
      animation.name = "random";
      animation.interpolation = interpolation;
      double low = 0.0, high = 0.0;
      for (int k = 0; k < 6; ++k) {
        Keyframe keyframe;
        keyframe.duration = time(random);
        keyframe.pause = k % 3 == 0 ? 0.2 : 0.0;
        keyframe.goals["LElbow"] = angle(random);
        low = std::min(low, keyframe.goals["LElbow"]);
        high = std::max(high, keyframe.goals["LElbow"]);
        animation.keyframes.push_back(keyframe);
      }
      const JointCurves trajectory(animation, {{"LElbow", 0.0}});
      const double slack = interpolation == Interpolation::Quintic ? 0.05 : 1e-9;
      CurvePoint before = trajectory.at(0, 0.0);
      EXPECT_NEAR(before.position, 0.0, 1e-12);
      constexpr double kStep = 0.001;
      for (double t = kStep; t < trajectory.duration(); t += kStep) {
        const auto point = trajectory.at(0, t);
        ASSERT_GE(point.position, low - slack);
        ASSERT_LE(point.position, high + slack);
        ASSERT_LT(std::abs(point.position - before.position), 0.1) << "no jump";
        if (interpolation != Interpolation::Linear) {
          ASSERT_LT(std::abs(point.velocity - before.velocity), 3.0);
        }
        before = point;
      }
      for (std::size_t k = 0; k < animation.keyframes.size(); ++k) {
        EXPECT_NEAR(trajectory.at(0, trajectory.reached(k)).position, animation.keyframes[k].goals.at("LElbow"), 1e-9);
      }
    }
  }
}

TEST(Player, StartsAtThePresentPoseAndEndsAtTheLastKeyframe) {
  Player player(wave(), kPresent, {});
  EXPECT_DOUBLE_EQ(player.positions()[1], 0.3);
  double percent = 0.0;
  int ticks = 0;
  for (; player.update(0.01) == Player::Status::Playing && ticks < 1000; ++ticks) {
    EXPECT_GE(player.percent(), percent);
    percent = player.percent();
  }
  EXPECT_EQ(player.status(), Player::Status::Finished);
  EXPECT_NEAR(ticks, 300, 2);
  EXPECT_NEAR(player.positions()[1], 0.0, 1e-9);
  EXPECT_DOUBLE_EQ(player.percent(), 100.0);
}

TEST(Player, SpeedFactorScalesTimeNotShape) {
  Player slow(wave(), kPresent, {0.5, 0.15});
  Player fast(wave(), kPresent, {2.0, 0.15});
  slow.update(0.4);
  fast.update(0.1);
  EXPECT_NEAR(slow.positions()[1], fast.positions()[1], 1e-12);
}

TEST(Player, StopComesToRestWithoutAJump) {
  Player player(wave(), kPresent, {});
  for (int i = 0; i < 50; ++i) player.update(0.01);
  const double velocity = player.velocities()[1];
  ASSERT_GT(std::abs(velocity), 0.1);
  player.stop();
  double before = player.positions()[1];
  int ticks = 0;
  for (; player.update(0.01) == Player::Status::Playing && ticks < 100; ++ticks) {
    EXPECT_LE(std::abs(player.positions()[1] - before), std::abs(velocity) * 0.0101);
    before = player.positions()[1];
  }
  EXPECT_EQ(player.status(), Player::Status::Stopped);
  EXPECT_NEAR(player.velocities()[1], 0.0, 1e-9);
}

TEST(Player, TiltConditionAbortsOrBranches) {
  auto animation = wave();
  animation.keyframes[0].check = TiltCheck{std::nullopt, 0.3, std::nullopt, std::nullopt, "abort"};
  Player aborting(animation, kPresent, {});
  for (int i = 0; i < 200; ++i) aborting.update(0.01, Player::Tilt{0.0, 0.5});
  EXPECT_EQ(aborting.status(), Player::Status::Aborted);
  EXPECT_NE(aborting.message().find("keyframe 1"), std::string::npos);

  animation.keyframes[0].check->otherwise = "home";
  animation.keyframes[2].label = "home";
  Player branching(animation, kPresent, {});
  double before = branching.positions()[1];
  int ticks = 0;
  while (branching.update(0.01, Player::Tilt{0.0, 0.5}) == Player::Status::Playing && ++ticks < 1000) {
    EXPECT_LT(std::abs(branching.positions()[1] - before), 0.05) << "no jump at the branch";
    before = branching.positions()[1];
  }
  EXPECT_EQ(branching.status(), Player::Status::Finished);
  EXPECT_NEAR(ticks, 250, 3) << "the second keyframe was left out";
}

TEST(Player, EndlessBranchesEnd) {
  auto animation = wave();
  animation.keyframes[0].label = "again";
  animation.keyframes[0].check = TiltCheck{std::nullopt, 0.0, std::nullopt, std::nullopt, "again"};
  Player player(animation, kPresent, {});
  for (int i = 0; i < 10'000 && player.status() == Player::Status::Playing; ++i)
    player.update(0.02, Player::Tilt{0.0, 1.0});
  EXPECT_EQ(player.status(), Player::Status::Aborted);
}

TEST(Player, BadTimeAndMissingJointsAreSafe) {
  Player player(wave(), kPresent, {});
  const double before = player.positions()[1];
  player.update(-5.0);
  EXPECT_DOUBLE_EQ(player.positions()[1], before) << "time does not run backwards";
  EXPECT_THROW(Player(wave(), {{"HeadPan", 0.0}}, {}), AnimationError);
  EXPECT_TRUE(Player::Params({0.0, 0.1}).validate());
}
