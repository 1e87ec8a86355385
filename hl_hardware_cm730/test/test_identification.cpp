// SPDX-License-Identifier: Apache-2.0
// Servos that are not as their data sheets say are found out, over the bus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "emulated_robot.hpp"
#include "hl_hardware_cm730/identify_joint.hpp"
#include "hl_testing/isolation.hpp"

namespace hl_hardware_cm730 {
namespace {

using testing::HasSubstr;

constexpr double kDeliveredStiffness = 16.297;  // share of the stall torque per rad, at P = 32

ServoWear worn(unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  ServoWear wear;
  wear.dry_friction = between(0.08, 0.4);
  wear.stiffness = between(0.5, 1.3);
  wear.lag = between(0.006, 0.025);
  wear.backlash = between(0.004, 0.014);
  return wear;
}

}  // namespace

TEST(Identification, FindsMostOtherTrueValuesWithin15Percent) {
  const unsigned trials = static_cast<unsigned>(hl_testing::count(6, 60));
  unsigned good = 0;
  for (unsigned seed = 10'000; seed < 10'000 + trials; ++seed) {
    EmulatorConfig config = EmulatorConfig::darwin();
    const char* models[] = {"MX-28", "MX-64", "XM430-W350"};
    for (auto& servo : config.servos) servo.model = servo_model(models[seed % 3]).value();
    EmulatedRobot robot(config);
    robot.start();
    robot.torque_on();
    robot.run(400);
    const std::size_t joint = seed % 20;
    const ServoWear wear = worn(seed);
    robot.physics->wear(joint, wear);
    std::string why_not;
    const double stall = data(config.servos[joint].model).stall_torque;
    const auto found = identify(record_joint(robot.driver, robot.port, joint, 3), stall, why_not);
    ASSERT_TRUE(found) << why_not;
    const double stiffness = wear.stiffness * kDeliveredStiffness * stall;
    std::printf(
        "%s: friction %.3f (%.3f +- %.3f), stiffness %.1f (%.1f +- %.1f), lag %.4f (%.4f +- %.4f), backlash "
        "%.4f (%.4f +- %.4f)\n",
        models[seed % 3], wear.dry_friction, found->friction.value, found->friction.uncertainty, stiffness,
        found->stiffness.value, found->stiffness.uncertainty, wear.lag, found->lag.value, found->lag.uncertainty,
        wear.backlash, found->backlash.value, found->backlash.uncertainty);
    const auto near = [](const Measured& measured, double truth) {
      return std::abs(measured.value - truth) <= 0.15 * truth;
    };
    good += near(found->friction, wear.dry_friction) && near(found->stiffness, stiffness) &&
            near(found->lag, wear.lag) && near(found->backlash, wear.backlash);
  }
  std::printf("all four within 15 %%: %u of %u\n", good, trials);
  EXPECT_GE(10 * good, 8 * trials) << "the backlash of a stiff servo is sometimes found too small";
}

TEST(Identification, SaysWhyItCannot) {
  std::string why_not;
  EXPECT_FALSE(identify({}, 2.5, why_not));
  EXPECT_THAT(why_not, HasSubstr("no recording"));
  EXPECT_FALSE(identify({Recording()}, 2.5, why_not));
  EXPECT_THAT(why_not, HasSubstr("only 0 answers"));
  EmulatedRobot robot(EmulatorConfig::darwin());
  robot.start();
  const auto limp = record_joint(robot.driver, robot.port, 3, 2);  // nobody switched the torque on
  EXPECT_FALSE(identify(limp, 2.5, why_not));
  EXPECT_THAT(why_not, HasSubstr("does not move as it is told"));
}

TEST(Identification, TheMotionIsSmallAndReturns) {
  double most = 0.0, last = 0.0, fastest = 0.0;
  for (double time = 0.0; time <= excitation_duration(); time += 1e-3) {
    const double at = excitation(time);
    most = std::max(most, std::abs(at));
    fastest = std::max(fastest, std::abs(at - last) / 1e-3);
    last = at;
  }
  EXPECT_LE(most, kExcitationReach);
  EXPECT_LT(fastest, 2.0);
  EXPECT_NEAR(last, 0.0, 5e-3);
  EXPECT_EQ(excitation(1e3), 0.0);
}

TEST(Identification, IsWrittenIntoRobotYaml) {
  const std::string yaml =
      "servos:\n  HeadPan: {id: 19, model: MX-28}\n  Knee: {ids: [14, 13], model: MX-106, p: 32}  # both\nposes: {}\n";
  Identified found;
  found.friction = {0.2, 0.01};
  found.lag = {0.012, 0.001};
  const std::string once = with_measured(yaml, {{"RKnee", found}, {"HeadPan", found}});
  EXPECT_THAT(once, HasSubstr("model: MX-28, measured: {friction: [0.2000, 0.0100]"));
  EXPECT_THAT(once, HasSubstr("p: 32, measured: [{}, {friction: [0.2000, 0.0100]"));
  EXPECT_THAT(once, HasSubstr("}  # both\n"));
  EXPECT_EQ(with_measured(once, {{"RKnee", found}, {"HeadPan", found}}), once) << "what was there is replaced";
  EXPECT_THROW(with_measured(yaml, {{"LElbow", found}}), std::runtime_error);
}

}  // namespace hl_hardware_cm730
