// SPDX-License-Identifier: Apache-2.0
// The robot in Gazebo above its driver and its bus, in ./test --full where HL_GAZEBO_ROOT names a folder made by
// scripts/gazebo_in_chroot. The figures of many seeds are those of `evaluate gazebo`.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "bus_trials.hpp"
#include "hl_match/installed.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

constexpr std::uint64_t kSeed = 1;

class Gazebo : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!hl_testing::full_run()) GTEST_SKIP() << "in ./test --full";
    if (std::getenv("HL_GAZEBO_ROOT") == nullptr)
      GTEST_SKIP() << "scripts/gazebo_in_chroot FOLDER, then HL_GAZEBO_ROOT=FOLDER";
    world_ = installed_match(GetParam());
  }
  MakeStage gazebo() const {
    return [](std::uint64_t seed) { return std::make_unique<GazeboStage>(GetParam(), seed); };
  }
  static BusTrial print(const char* what, const BusTrial& trial) {
    std::printf("%s: %s: %s, %.3f; simulated %.1f s in %.1f s, %.1f s of processor time\n", GetParam(), what,
                trial.well ? "well" : "NOT WELL", trial.value, trial.simulated, trial.real, trial.cpu);
    return trial;
  }

  Match::Params world_;
};

}  // namespace

TEST_P(Gazebo, TheRobotStandsForHalfAMinute) {
  const auto trial = print("stand", stand(world_.files, gazebo(), 30.0, kSeed));
  EXPECT_TRUE(trial.well);
  EXPECT_LT(trial.value, 0.15);
}

TEST_P(Gazebo, TheRobotWalksTwoMetres) {
  const auto trial = print("walk", walk_ahead(world_.files, gazebo(), 2.0, 0.15, kSeed));
  EXPECT_TRUE(trial.well);
  EXPECT_GT(trial.value, 0.08);
}

// Not from its front, see "not shown here" in the README of hl_gazebo.
TEST_P(Gazebo, TheRobotGetsUpFromItsBack) {
  EXPECT_TRUE(print("back", get_up_on_bus(world_.files, gazebo(), hl_hcm::Direction::Back, kSeed)).well);
}

TEST_P(Gazebo, TheRobotKicksAndStands) {
  const auto trial = print("kick", kick_on_bus(world_.files, gazebo(), kSeed));
  EXPECT_TRUE(trial.well);
  EXPECT_GT(trial.value, 0.4);
}

INSTANTIATE_TEST_SUITE_P(Robots, Gazebo, testing::Values("minibot", "darwin_op"),
                         [](const auto& info) { return std::string(info.param); });
