// SPDX-License-Identifier: Apache-2.0
// Walk and kick of whole robots in physics, through controller and HCM.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "../src/zmp.hpp"
#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/scenarios.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

constexpr std::uint64_t kSeed = 1000;  // and up: no tuner sees them

class Walking : public testing::TestWithParam<const char*> {
 protected:
  bool minibot() const { return GetParam() == std::string("minibot"); }

  Match::Params world_ = installed_match(GetParam());
  const hl_walking::Params& limits_ = world_.files->walk.walk;
  WalkTrial trial_ = [] {
    WalkTrial trial;
    trial.seed = kSeed;
    return trial;
  }();
};

TEST_P(Walking, AheadStraightAndCountsItsWay) {
  const double asked = limits_.max_forward;
  trial_.velocity = [&](double) { return hl_walking::Velocity{asked, 0.0, 0.0}; };
  trial_.duration = 8.0;
  trial_.settled = 1.0;
  const WalkResult result = walk(world_, trial_);
  EXPECT_FALSE(result.fell);
  EXPECT_NEAR(result.way.x / result.time, asked, 0.15 * asked);
  EXPECT_LT(std::abs(result.way.yaw), 0.3);
  EXPECT_LT((result.counted.position() - result.way.position()).norm(), 0.05 * result.way.x);
}

TEST_P(Walking, KeepsUpUnderRandomCommandsAndPushes) {
  for (std::uint64_t run = 0; run < hl_testing::count(1, 10); ++run) {
    trial_.seed = kSeed + run;
    trial_.push = world_.files->walking_body->mass();  // 5 N for the 5 kg robot
    trial_.velocity = [&](double time) { return random_command(limits_, time, trial_.seed); };
    trial_.duration = hl_testing::full_run() ? 60.0 : 15.0;
    EXPECT_FALSE(walk(world_, trial_).fell) << "seed " << trial_.seed;
  }
}

/// The measured ZMP is the centre of pressure and cannot leave the hull of the soles that press; at its edge the foot
/// would tip. So what is asked is a distance from the edge, and that both points are inside the *same*, real polygon.
TEST_P(Walking, PlannedAndMeasuredZmpStayInsideTheSupportPolygon) {
  constexpr double kEdge = 0.002;  // m; nearer than this the foot tips
  for (const double part : {0.25, 0.75}) {
    const auto samples = record_zmp(world_, part * limits_.max_forward, 1.0, 8.0, kSeed);
    ASSERT_GT(samples.size(), 650U) << "it fell";
    const auto inside =
        std::count_if(samples.begin(), samples.end(), [](const auto& sample) { return sample.planned_margin > 0.0; });
    EXPECT_GT(static_cast<double>(inside) / static_cast<double>(samples.size()), 0.95);
    EXPECT_GT(share_inside(samples, kEdge), minibot() ? 0.90 : 0.80);  // smaller soles
  }
}

TEST_P(Walking, KicksFarStraightAndStands) {
  std::vector<double> distances;
  for (std::uint64_t run = 0; run < 3; ++run) {
    const KickResult result = kick(world_, kSeed + run, Roll::Predicted);
    EXPECT_TRUE(result.kicked);
    EXPECT_FALSE(result.fell) << "seed " << kSeed + run;
    distances.push_back(result.distance);
  }
  std::sort(distances.begin(), distances.end());
  EXPECT_GT(distances[1], minibot() ? 2.5 : 1.0);  // m; the small one has weaker servos
}

INSTANTIATE_TEST_SUITE_P(Robots, Walking, testing::Values("minibot", "darwin_op"));

TEST(WalkingFigures, AreWithinTheirBudgets) {
  if (!hl_testing::full_run()) GTEST_SKIP() << "statistics over many runs: HL_FULL=1";
  EvaluationOptions options;
  options.seed = 3000;
  options.games = 10;
  options.half_time = 60.0;
  options.threads = 2;
  EvaluationContext context(options);
  std::map<std::string, double> measured;
  for (const Figure& figure : evaluate_walking(context)) measured[figure.name] = figure.value;
  const std::map<std::string, double> least{{"walk forward (asked 0.40)", 0.30},
                                            {"walk back (asked 0.22)", 0.15},
                                            {"walk left (asked 0.16)", 0.12},
                                            {"walk right (asked 0.16)", 0.12},
                                            {"walk turning left (asked 1.10)", 0.8},
                                            {"walk turning right (asked 1.10)", 0.8},
                                            {"without a fall: 60 s of random commands", 100.0},
                                            {"without a fall: 60 s of random commands, pushes of 5 N every 2 s", 100.0},
                                            {"without a fall: 60 s of random commands, friction 0.5", 90.0},
                                            {"without a fall: 60 s of random commands, friction 1.3", 90.0},
                                            {"without a fall: 60 s of random commands, 16 ms more actuator lag", 90.0},
                                            {"without a fall: 60 s of random commands, mass +10 %", 90.0},
                                            {"kick, median distance", 3.0},
                                            {"kicked and standing", 90.0}};
  const std::map<std::string, double> most{{"velocity tracking, worst direction", 15.0},
                                           {"odometry error, forward", 5.0},
                                           {"odometry error, back", 5.0},
                                           {"odometry error, left", 5.0},
                                           {"odometry error, turning left", 5.0},
                                           {"from standing to 90 % of full speed, median", 1.0},
                                           {"steps until it stands, most", 2.0},
                                           {"kick, median direction error", 15.0}};
  for (const auto& [name, budget] : least) {
    ASSERT_EQ(measured.count(name), 1U) << name;
    EXPECT_GE(measured[name], budget) << name;
  }
  for (const auto& [name, budget] : most) {
    ASSERT_EQ(measured.count(name), 1U) << name;
    EXPECT_LE(measured[name], budget) << name;
  }
}

}  // namespace
