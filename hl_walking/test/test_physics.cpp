// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "hl_testing/isolation.hpp"
#include "trial.hpp"

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

/// The centre of pressure of one foot, in its sole, from the ground's forces.
TEST_P(Physics, MeasuredZmpStaysInsideTheSoleAndNearThePlan) {
  const FootPlate& plate = laboratory_.body().plate();
  double squares = 0.0;
  int count = 0, at_edge = 0;
  trial_.watch = [&](const hl_simulation::Simulation& sim, const Output& out) {
    if (out.phase != Phase::Walking || out.double_support || out.step_phase < 0.35 || out.step_phase > 0.9) return;
    const auto part = out.support == Side::Left ? hl_simulation::GroundContact::Part::LeftFoot
                                                : hl_simulation::GroundContact::Part::RightFoot;
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double force = 0.0;
    for (const auto& contact : sim.robot().ground_contacts()) {
      if (contact.part != part) continue;
      sum += contact.force * contact.position;
      force += contact.force;
    }
    if (force < 5.0) return;
    const auto sole = sim.robot().frame_pose(out.support == Side::Left ? "l_sole" : "r_sole");
    const Eigen::Vector3d zmp = sole.inverse() * (sum / force);
    squares += (zmp.head<2>() - out.zmp).squaredNorm();
    const double outwards = sign(out.support) * zmp.y();
    const double margin =
        std::min({plate.toe - zmp.x(), plate.heel + zmp.x(), plate.outer - outwards, plate.inner + outwards});
    if (margin < 0.002) ++at_edge;
    ++count;
  };
  EXPECT_FALSE(walk({config_.walk.max_forward / 2.0, 0.0, 0.0}, 8.0).fell);
  ASSERT_GT(count, 100);
  RecordProperty("zmp_rms_mm", static_cast<int>(1000.0 * std::sqrt(squares / count)));
  RecordProperty("at_edge_percent", 100 * at_edge / count);
  EXPECT_LT(std::sqrt(squares / count), 0.045);  // the foot is 165 mm long; balance moves the ZMP on purpose
  EXPECT_LT(at_edge, count / 2);
}

INSTANTIATE_TEST_SUITE_P(Robots, Physics, testing::Values("minibot"));

}  // namespace
}  // namespace hl_walking
