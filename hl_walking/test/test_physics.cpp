// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "evaluation.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "zmp.hpp"

namespace hl_walking {
namespace {

constexpr std::uint64_t kSeed = 1000;  // and up: no tuner sees them

class Physics : public testing::TestWithParam<const char*> {
 protected:
  Physics()
      : config_(load_config(std::string(CONFIG) + "/" + GetParam() + ".yaml")),
        laboratory_(std::string(ROBOTS) + "/urdf/" + GetParam() + ".urdf",
                    std::string(ROBOTS) + "/config/" + GetParam() + "/robot.yaml") {}

  TrialResult walk(const Velocity& velocity, double seconds) {
    trial_.velocity = [&](double) { return velocity; };
    trial_.duration = seconds;
    return laboratory_.run(config_.walk, trial_, config_.odometry);
  }

  WalkConfig config_;
  Laboratory laboratory_;
  Trial trial_ = [] {
    Trial trial;
    trial.seed = kSeed;
    return trial;
  }();
};

TEST_P(Physics, WalksAheadStraightAndCountsItsWay) {
  const double asked = config_.walk.max_forward;
  const TrialResult result = walk({asked, 0.0, 0.0}, 8.0);
  EXPECT_FALSE(result.fell);
  EXPECT_NEAR(result.travelled.x / 7.4, asked, 0.15 * asked);
  EXPECT_LT(std::abs(result.travelled.yaw), 0.3);
  EXPECT_LT((result.counted.position() - result.travelled.position()).norm(), 0.05 * result.travelled.x);
}

TEST_P(Physics, KeepsUpUnderRandomCommandsAndPushes) {
  for (std::uint64_t run = 0; run < hl_testing::count(1, 10); ++run) {
    trial_.seed = kSeed + run;
    trial_.push = 5.0 * laboratory_.body().mass() / 5.0;  // 5 N for the 5 kg robot
    trial_.velocity = [&](double time) { return random_command(config_.walk, time, trial_.seed); };
    trial_.duration = hl_testing::full_run() ? 60.0 : 15.0;
    EXPECT_FALSE(laboratory_.run(config_.walk, trial_, config_.odometry).fell) << "seed " << trial_.seed;
  }
}

/// The measured ZMP is the centre of pressure and cannot leave the hull of the soles that press; at its edge the foot
/// would tip. So what is asked is a distance from the edge, and that both points are inside the *same*, real polygon.
TEST_P(Physics, PlannedAndMeasuredZmpStayInsideTheSupportPolygon) {
  constexpr double kEdge = 0.002;  // m; nearer than this the foot tips
  for (const double part : {0.25, 0.75}) {
    const auto samples = record_zmp(laboratory_, config_, part * config_.walk.max_forward, 1.0, 8.0, kSeed);
    ASSERT_GT(samples.size(), 650U) << "it fell";
    std::size_t planned_inside = 0;
    double squares = 0.0;
    for (const ZmpSample& sample : samples) {
      if (sample.planned_margin > 0.0) ++planned_inside;
      squares += (sample.measured - sample.planned).squaredNorm();
    }
    const double count = static_cast<double>(samples.size());
    RecordProperty("zmp_rms_mm", static_cast<int>(1000.0 * std::sqrt(squares / count)));
    RecordProperty("planned_inside_percent", static_cast<int>(100.0 * planned_inside / count));
    RecordProperty("measured_inside_percent", static_cast<int>(100.0 * share_inside(samples, kEdge)));
    EXPECT_GT(planned_inside / count, 0.95);
    EXPECT_GT(share_inside(samples, kEdge), GetParam() == std::string("minibot") ? 0.90 : 0.80);  // smaller soles
  }
}

TEST_P(Physics, KicksFarStraightAndStands) {
  std::vector<double> distances;
  for (std::uint64_t run = 0; run < 3; ++run) {
    const KickResult kick = laboratory_.kick(config_, kSeed + run, Roll::Predicted);
    EXPECT_TRUE(kick.kicked);
    EXPECT_FALSE(kick.fell) << "seed " << kSeed + run;
    distances.push_back(kick.distance);
  }
  std::sort(distances.begin(), distances.end());
  EXPECT_GT(distances[1], GetParam() == std::string("minibot") ? 2.5 : 1.0);  // m; the small one has weaker servos
}

TEST_P(Physics, KickGoalsRespectTheJointLimits) {
  const auto& model = laboratory_.body().model();
  for (const double side : {1.0, -1.0}) {
    for (const double direction : {-0.45, 0.0, 0.45}) {
      KickGoal goal;
      goal.ball = {(config_.kick.near + config_.kick.far) / 2.0, side * config_.walk.foot_distance / 2.0};
      goal.target = goal.ball + Eigen::Vector2d(std::cos(direction), std::sin(direction));
      Kick kick(laboratory_.body(), config_.walk, config_.kick);
      ASSERT_FALSE(kick.start(goal));
      while (kick.active()) {
        const Joints& goals = kick.update(0.01, std::nullopt);
        for (std::size_t i = 0; i < model.dof(); ++i) {
          const double q = goals[static_cast<Eigen::Index>(i)];
          ASSERT_TRUE(model.limits(i).contains(q)) << model.joint_names()[i] << " " << q;
        }
      }
    }
  }
}

TEST_P(Physics, EveryFigureIsWithinItsBudget) {
  if (!hl_testing::full_run()) GTEST_SKIP() << "statistics over many runs: HL_FULL=1";
  if (GetParam() != std::string("minibot")) GTEST_SKIP() << "the budgets bind the Minibot";
  EvaluationOptions options = EvaluationOptions::complete();
  options.robot = GetParam();
  EXPECT_TRUE(evaluate(options, laboratory_, config_));
}

TEST_P(Physics, AConfigurationIsReadAsItWasWritten) {
  config_.kick.sag = 0.0125;
  config_.odometry.scale_backward = 1.25;
  const hl_testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "walk.yaml").string();
  std::ofstream(path) << config_text(config_, "a test");
  EXPECT_EQ(config_text(config_, "a test").find(": 0\n"), std::string::npos);  // the node would refuse a whole number
  EXPECT_EQ(config_text(config_, "a test").find(": 0  #"), std::string::npos);
  const WalkConfig again = load_config(path);
  for (const auto& row : parameters().rows()) {
    const auto& value = std::get<hl_node::ParameterTable<Params>::Member<double>>(row.value);
    Params written = config_.walk, read = again.walk;
    EXPECT_NEAR(value(read), value(written), 1e-4 * std::abs(value(written))) << row.name;
  }
  EXPECT_DOUBLE_EQ(again.kick.sag, 0.0125);
  EXPECT_DOUBLE_EQ(again.odometry.scale_backward, 1.25);
  std::ofstream(path) << "/**/walking:\n  ros__parameters:\n    robot: minibot\n    foot_lift: high\n";
  try {
    load_config(path);
    FAIL() << "a word is no number";
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find(path + ":4: /**/walking.ros__parameters.foot_lift: expected a number"),
              std::string::npos)
        << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, Physics, testing::Values("minibot", "darwin_op"));

}  // namespace
}  // namespace hl_walking
