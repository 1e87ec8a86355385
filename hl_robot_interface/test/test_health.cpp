// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hl_robot_interface/health.hpp"

using namespace hl_robot_interface;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const std::vector<std::string> kNames{"a", "b", "c"};

BodyReport well() {
  BodyReport report;
  report.answers = report.imu = true;
  report.voltage = 12.0;
  report.rate = 120.0;
  report.joints.assign(3, {false, true, false, 40.0, 12.0, 0});
  return report;
}

Health judged(const BodyReport& report, Battery::State battery = Battery::State::Fine) {
  return judge(report, battery, HealthLimits(), kNames);
}

}  // namespace

TEST(Health, AllIsWell) {
  const Health health = judged(well());
  EXPECT_EQ(health.level, Health::Level::Ok);
  EXPECT_THAT(health.text, IsEmpty());
  EXPECT_TRUE(health.power_on && health.torque_on && health.imu_ok);
  EXPECT_FALSE(health.differs_from(judged(well())));
}

TEST(Health, ASilentImuIsAWarningOnEveryBody) {
  BodyReport report = well();
  report.imu = false;
  const Health health = judged(report);
  EXPECT_EQ(health.level, Health::Level::Warn);
  EXPECT_FALSE(health.imu_ok);
  EXPECT_THAT(health.text, HasSubstr("IMU"));
  EXPECT_TRUE(health.differs_from(judged(well())));
}

TEST(Health, SilentJointsAreAWarningAsLongAsOneAnswers) {
  BodyReport report = well();
  report.joints[1].missing = true;
  EXPECT_EQ(judged(report).level, Health::Level::Warn);
  EXPECT_THAT(judged(report).missing, ElementsAre(1));
  EXPECT_THAT(judged(report).text, HasSubstr("b"));
  for (auto& joint : report.joints) joint.missing = true;
  EXPECT_EQ(judged(report).level, Health::Level::Error);
  EXPECT_TRUE(judged(report).torque_on) << "nobody says that they have let go";
}

TEST(Health, HotFromSixtyDegreesOn) {
  BodyReport report = well();
  report.joints[2].temperature = 59.9;
  EXPECT_THAT(judged(report).hot, IsEmpty());
  report.joints[2].temperature = 60.0;
  EXPECT_THAT(judged(report).hot, ElementsAre(2));
  EXPECT_EQ(judged(report).level, Health::Level::Warn);
}

TEST(Health, AnOverloadedJointIsLimpWhateverItWasTold) {
  BodyReport report = well();
  report.joints[0].overloaded = true;
  EXPECT_THAT(judged(report).limp, ElementsAre(0));
  EXPECT_THAT(judged(report).overloaded, ElementsAre(0));
}

TEST(Health, ABusThatDoesNotAnswerLeavesNothing) {
  BodyReport report = well();
  report.answers = false;
  report.why_not = "there is no port";
  const Health health = judged(report);
  EXPECT_EQ(health.level, Health::Level::Error);
  EXPECT_EQ(health.text, "there is no port");
  EXPECT_EQ(health.missing.size(), 3u);
  EXPECT_FALSE(health.power_on || health.torque_on || health.imu_ok);
  EXPECT_LT(health.voltage, 0.0);
}

TEST(Battery, AMomentOfLowVoltageIsNoEmptyBattery) {
  Battery battery;
  const HealthLimits limits;
  EXPECT_EQ(battery.update(12.0, 0.0, limits), Battery::State::Fine);
  EXPECT_EQ(battery.update(9.0, 0.1, limits), Battery::State::Low);
  EXPECT_EQ(battery.update(9.0, 0.9, limits), Battery::State::Low);
  EXPECT_EQ(battery.update(10.2, 1.0, limits), Battery::State::Low);
  EXPECT_EQ(battery.update(9.0, 1.2, limits), Battery::State::Low);
  EXPECT_EQ(battery.update(-1.0, 1.9, limits), Battery::State::Low) << "unknown";
  EXPECT_EQ(battery.update(NAN, 2.0, limits), Battery::State::Low);
  EXPECT_EQ(battery.update(9.0, 2.3, limits), Battery::State::Empty);
  EXPECT_EQ(battery.update(10.4, 10.0, limits), Battery::State::Empty) << "rested, not charged";
  EXPECT_EQ(battery.update(9.0, 17.4, limits), Battery::State::LetGo);
  EXPECT_EQ(battery.update(12.0, 20.0, limits), Battery::State::Fine) << "another one";
}

TEST(HealthLimits, NameTheBadValue) {
  HealthLimits limits;
  EXPECT_FALSE(limits.validate());
  limits.warn_voltage = 9.0;
  EXPECT_THAT(limits.validate().value_or(""), HasSubstr("warn_voltage"));
  limits = {};
  limits.warn_temperature = NAN;
  EXPECT_THAT(limits.validate().value_or(""), HasSubstr("warn_temperature"));
}
