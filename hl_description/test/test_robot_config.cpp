// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "hl_description/robot_config.hpp"
#include "robots.hpp"

using namespace hl_description;
using testing::HasSubstr;

namespace {

const std::string valid = R"(robot: test
servos:
  HeadPan: {id: 19, model: MX-28}
  Knee: {ids: [14, 13], model: MX-106, p: 40, offsets: [1, -2]}
foot_sensors: {ids: [112, 111], front: 0.04, back: -0.04, outer: 0.03, inner: -0.02}
poses:
  walkready: {Knee: -50, HeadPan: 10}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string error_of(const std::string& yaml) {
  try {
    RobotConfig::from_text(yaml, "robot.yaml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(RobotConfig, BothRobotsAgreeWithTheirModels) {
  for (const char* robot : {"minibot", "darwin_op"}) {
    const RobotModel model = model_of(robot);
    const RobotConfig config = config_of(robot);
    EXPECT_NO_THROW(config.check(model));
    EXPECT_EQ(config.servos.size(), 20u);
    std::set<int> ids;
    for (const auto& servo : config.servos) {
      EXPECT_EQ(servo.joint[0] == 'R' || servo.joint == "HeadPan", servo.id % 2 == 1) << servo.joint;  // odd = right
      const double effort = model.limits(model.joint(servo.joint)).effort;
      EXPECT_EQ(effort, servo.model == "MX-28" ? 2.5 : servo.model == "MX-64" ? 6.0 : 8.4) << servo.joint;
      ids.insert(servo.id);
    }
    EXPECT_EQ(ids.size(), 20u);
    EXPECT_EQ(config.group("left_leg").size(), 6u);
    EXPECT_EQ(config.group("right_arm").size(), 3u);
    EXPECT_EQ(config.group("head").size(), 2u);
    EXPECT_EQ(config.group("all").size(), 20u);
    EXPECT_EQ(config.group("LKnee"), std::vector<std::string>{"LKnee"});
    EXPECT_TRUE(config.group("tail").empty());
  }
}

TEST(RobotConfig, PairsAreWrittenOnce) {
  const RobotConfig config = RobotConfig::from_text(valid, "robot.yaml");
  EXPECT_EQ(config.servo("LKnee").id, 14);
  EXPECT_EQ(config.servo("RKnee").id, 13);
  EXPECT_EQ(config.servo("RKnee").p, 40);
  EXPECT_NEAR(config.servo("LKnee").offset, M_PI / 180, 1e-12);
  EXPECT_NEAR(config.servo("RKnee").offset, -2 * M_PI / 180, 1e-12);
  EXPECT_NEAR(config.poses.at("walkready").at("LKnee"), -50 * M_PI / 180, 1e-12);
  EXPECT_NEAR(config.poses.at("walkready").at("RKnee"), 50 * M_PI / 180, 1e-12);
  // front left, front right, back left, back right as the robot sees them
  EXPECT_EQ(config.foot_sensors[0]->cells[0], Eigen::Vector2d(0.04, 0.03));
  EXPECT_EQ(config.foot_sensors[0]->cells[1], Eigen::Vector2d(0.04, -0.02));
  EXPECT_EQ(config.foot_sensors[1]->cells[0], Eigen::Vector2d(0.04, 0.02));
  EXPECT_EQ(config.foot_sensors[1]->cells[3], Eigen::Vector2d(-0.04, -0.03));
  EXPECT_EQ(config.foot_sensors[1]->id, 111);
}

TEST(RobotConfig, MeasuredFrictionReplacesThatOfTheDataSheet) {
  const std::string yaml =
      replaced(valid, "p: 40", "p: 40, measured: [{}, {friction: [0.3, 0.02], lag: [0.01, 0.001]}]");
  const RobotConfig config = RobotConfig::from_text(yaml, "robot.yaml");
  EXPECT_EQ(config.servo("RKnee").rating.friction, 0.3);
  EXPECT_EQ(config.servo("LKnee").rating.friction, find_servo_model("MX-106")->friction);
  EXPECT_THAT(error_of(replaced(yaml, "[0.3, 0.02]", "0.3")), HasSubstr("measured"));
  EXPECT_THAT(error_of(replaced(yaml, "lag:", "leg:")), HasSubstr("leg: unknown key"));
}

TEST(RobotConfig, ErrorsNameFileLineAndRemedy) {
  EXPECT_EQ(error_of(valid), "");
  EXPECT_THAT(error_of(replaced(valid, "MX-106", "MX-12")),
              HasSubstr("robot.yaml:4: servos.Knee.model: unknown servo 'MX-12'; one of: AX-12A, "));
  EXPECT_THAT(error_of(replaced(valid, "p: 40", "p: 400")),
              HasSubstr("robot.yaml:4: servos.Knee.p: 400 is outside 0..254"));
  EXPECT_THAT(error_of(replaced(valid, "p: 40", "q: 40")), HasSubstr("servos.Knee.q: unknown key; one of: id, ids"));
  EXPECT_THAT(error_of(replaced(valid, "[14, 13]", "[14]")), HasSubstr("expected a list of 2 elements"));
  EXPECT_THAT(error_of(replaced(valid, "[14, 13]", "[14, 19]")), HasSubstr("HeadPan and RKnee have the same id 19"));
  EXPECT_THAT(error_of(replaced(valid, "Knee: -50", "Knee: bent")),
              HasSubstr("robot.yaml:7: poses.walkready.Knee: expected a number, not 'bent'"));
  EXPECT_THAT(error_of(replaced(valid, "walkready", "walkredy")), HasSubstr("pose 'walkready' is missing"));
  EXPECT_THAT(error_of(replaced(valid, "robot: test\n", "")), HasSubstr("'robot' is missing; add it"));
  EXPECT_THAT(error_of(replaced(valid, "id: 19,", "id: 19, id: 20,")), HasSubstr("given twice"));
  EXPECT_THAT(error_of("a: [1, 2\nb: 3"), HasSubstr("robot.yaml:2: not valid YAML"));
  EXPECT_THAT(error_of("just a word"), HasSubstr("expected `key: value` lines"));
}

TEST(RobotConfig, ContradictionsToTheModelAreFound) {
  const RobotModel model = model_of("minibot");
  RobotConfig config = config_of("minibot");
  const auto error = [&](const RobotConfig& changed) -> std::string {
    try {
      changed.check(model);
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  RobotConfig changed = config;
  changed.robot = "darwin_op";
  EXPECT_THAT(error(changed), HasSubstr("use the files of one robot"));
  changed = config;
  changed.servos.pop_back();
  EXPECT_THAT(error(changed), HasSubstr("has no servo for joint 'RAnkleRoll'"));
  changed = config;
  changed.poses["walkready"]["LKnee"] = 1.0;
  EXPECT_THAT(error(changed), HasSubstr("pose 'walkready': LKnee = 57.295780 degrees is beyond its limits"));
  changed = config;
  changed.capsules[0].link = "tail";
  EXPECT_THAT(error(changed), HasSubstr("has no link 'tail'"));
  EXPECT_THROW(config.pose(model, "handstand"), ModelError);
}

TEST(RobotConfig, SurvivesMutilatedFiles) {
  std::mt19937 random(5);
  const auto any = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (int run = 0; run < 2000; ++run) {
    std::string broken = valid;
    for (std::size_t k = any(4) + 1; k > 0; --k) {
      const std::size_t from = any(broken.size());
      if (any(2))
        broken.erase(from, any(20));
      else
        broken.insert(from, 1, static_cast<char>(any(256)));
      if (broken.empty()) broken = " ";
    }
    error_of(broken);
  }
}
