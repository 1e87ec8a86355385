// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "emulated_robot.hpp"
#include "hl_testing/isolation.hpp"

namespace hl_hardware_cm730 {
namespace {

using testing::Contains;
using testing::HasSubstr;

const ServoTable& mx() {
  return *data(ServoModel::Mx28).table;
}

struct Standing : EmulatedRobot {
  explicit Standing(EmulatorConfig config = EmulatorConfig::darwin(), double latency = 0.0)
      : EmulatedRobot(std::move(config), latency) {
    EXPECT_EQ(start(), 1);
    torque_on();
    run(300);  // the torque is ramped up by then
    driver.take_events();
  }
};

TEST(Start, FindsEverythingAndSetsTheReturnDelay) {
  EmulatedRobot robot;
  EXPECT_EQ(robot.start(), 1);
  EXPECT_TRUE(robot.driver.problems().empty());
  EXPECT_EQ(robot.driver.firmware(), BoardFirmware::Stock);
  for (uint8_t id = 1; id <= 20; ++id) EXPECT_EQ(robot.emulator.peek(id, common_register::kReturnDelay), 0);
  EXPECT_TRUE(robot.driver.foot(0).present);
  robot.run(1);
  EXPECT_EQ(robot.fresh(), 20u);
}

TEST(Start, BeginsWhereTheJointsStandAndRampsTheTorque) {
  EmulatedRobot robot;
  robot.physics->place(4, 0.7);
  robot.start();
  EXPECT_NEAR(robot.driver.command(4).position, 0.7, kRadPerTick);
  robot.run(10);
  EXPECT_EQ(robot.emulator.peek(5, servo_register::kTorqueEnable), 0)
      << "nothing moves before somebody asks for torque";
  robot.torque_on();
  robot.run(3);
  EXPECT_LT(word(std::array<uint8_t, 2>{robot.emulator.peek(5, 34), robot.emulator.peek(5, 35)}.data()), 200);
  robot.run(400);
  EXPECT_EQ(robot.emulator.peek(5, 34), 0xFF);
  EXPECT_EQ(robot.emulator.peek(5, 35), 0x03);
  EXPECT_NEAR(robot.driver.joint(4).position, 0.7, 0.01);
}

TEST(Start, SaysWhatIsWrongInWords) {
  {
    EmulatedRobot robot;
    robot.emulator.faults().device[200].absent = true;
    robot.driver.cycle();
    EXPECT_EQ(robot.driver.state(), BusState::Disconnected);
    EXPECT_THAT(robot.driver.problems(), Contains(HasSubstr("no CM-730")));
  }
  {
    EmulatorConfig config = EmulatorConfig::darwin();
    config.servos[2].model = ServoModel::Mx64;
    config.servos[3].protocol = Protocol::V2;
    EmulatedRobot robot(config);
    auto specs = EmulatedRobot::specs(EmulatorConfig::darwin());
    BusDriver driver(robot.port, specs, EmulatedRobot::params(config));
    robot.emulator.faults().device[7].absent = true;
    robot.emulator.faults().device[9].twin = true;
    driver.cycle();
    EXPECT_EQ(driver.state(), BusState::Running);
    EXPECT_THAT(driver.problems(), Contains(HasSubstr("servo 3 (joint3) is a MX-64, robot.yaml says MX-28")));
    EXPECT_THAT(driver.problems(), Contains(HasSubstr("servo 4 (joint4) speaks protocol 2.0")));
    EXPECT_THAT(driver.problems(), Contains(HasSubstr("servo 7 (joint7) does not answer")));
    EXPECT_THAT(driver.problems(), Contains(HasSubstr("servo 9 (joint9) are damaged: two servos with this id")));
  }
}

TEST(Start, KnowsBothFirmwares) {
  EmulatorConfig config = EmulatorConfig::darwin();
  config.firmware = BoardFirmware::NimbRo;
  EmulatedRobot robot(config);
  robot.start();
  EXPECT_EQ(robot.driver.firmware(), BoardFirmware::NimbRo);
  robot.physics->body_mutable().gyro = {0.5, -1.0, 2.0};
  robot.physics->body_mutable().accel = {1.0, -2.0, 9.0};
  robot.run(1);
  for (size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(robot.driver.board().gyro[axis], robot.physics->body().gyro[axis], 0.01);
    EXPECT_NEAR(robot.driver.board().accel[axis], robot.physics->body().accel[axis], 0.01);
  }
}

TEST(Cycle, ReadsTheBodyInItsOwnAxes) {
  Standing robot;
  robot.physics->body_mutable().gyro = {0.5, -1.0, 2.0};
  robot.physics->body_mutable().accel = {1.0, -2.0, 9.0};
  robot.emulator.press(true, false);
  robot.run(1);
  const BoardReading& board = robot.driver.board();
  for (size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(board.gyro[axis], robot.physics->body().gyro[axis], 0.03);
    EXPECT_NEAR(board.accel[axis], robot.physics->body().accel[axis], 0.05);
  }
  EXPECT_TRUE(board.mode_button);
  EXPECT_FALSE(board.start_button);
  EXPECT_NEAR(board.voltage, 12.0, 0.1);
  EXPECT_NEAR(robot.driver.foot(1).cells[2], 3.75, 0.01);
  robot.physics->body_mutable().feet = {{{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}}};  // front l, r, back l, r
  robot.run(1);
  for (size_t side = 0; side < 2; ++side) {
    for (size_t corner = 0; corner < 4; ++corner) {
      const auto cell = static_cast<size_t>(fsr_register::kCellAt[side][corner] - 1);
      EXPECT_NEAR(robot.driver.foot(side).cells[cell], robot.physics->body().feet[side][corner], 0.01);
    }
  }
}

TEST(Cycle, ReadsTheSlowRegistersInTurn) {
  Standing robot;
  for (size_t i = 0; i < robot.driver.size(); ++i) {
    EXPECT_NEAR(robot.driver.joint(i).voltage, 12.0, 0.1);
    EXPECT_NEAR(robot.driver.joint(i).temperature, 35.0, 0.1);
  }
}

TEST(Cycle, LosesNoGoalWithoutFaults) {
  Standing robot;
  const int cycles = static_cast<int>(hl_testing::count(2'000, 100'000));
  const uint64_t before = robot.emulator.counters().goal_writes;
  const auto counters = robot.driver.counters();
  for (int i = 0; i < cycles; ++i) {
    robot.driver.command(static_cast<size_t>(i % 20)).position = (i % 7) * 0.1;
    robot.driver.cycle();
    const int ticks = raw_position(mx(), (i % 7) * 0.1);
    ASSERT_EQ(robot.emulator.peek(static_cast<uint8_t>(1 + i % 20), servo_register::kGoalPosition), ticks & 0xFF);
  }
  EXPECT_GE(robot.emulator.counters().goal_writes - before, static_cast<uint64_t>(cycles) * 20);
  EXPECT_EQ(robot.driver.counters().incomplete_cycles, counters.incomplete_cycles);
  EXPECT_EQ(robot.emulator.counters().collisions, 0u);
}

TEST(Cycle, RunsAtTheSpeedOfTheWire) {
  Standing robot;
  const double start = robot.emulator.now();
  robot.run(400);
  const double rate = 400.0 / (robot.emulator.now() - start);
  // Request and answers of 23 devices with 4 bytes (one of them 8), the board's 21, the feet's 8, and the goals.
  const double bytes = 7 + 3 * 23 + (6 + 21) + 19 * 10 + 14 + 2 * 14 + 8 + 20 * 3;
  EXPECT_GE(rate, 0.9 / (bytes * kSecondsPerByte));
  std::printf("cycle rate %.1f Hz, the wire allows %.1f Hz\n", rate, 1.0 / (bytes * kSecondsPerByte));
}

TEST(Cycle, EnforcesTheJointLimits) {
  Standing robot;
  robot.driver.command(3).position = 3.0;
  robot.run(1);
  EXPECT_EQ(robot.emulator.peek(4, 30) | robot.emulator.peek(4, 31) << 8, raw_position(mx(), 1.5));
}

TEST(Cycle, WritesSettingsOnlyWhenTheyChange) {
  Standing robot;
  robot.driver.command(0).stiffness = 0.5;
  robot.driver.command(0).speed_limit = 1.0;
  robot.driver.command(0).torque_limit = 0.25;
  robot.run(1);
  EXPECT_EQ(robot.emulator.peek(1, servo_register::kPGain), 16);
  EXPECT_EQ(robot.emulator.peek(1, servo_register::kMovingSpeed), raw_speed_limit(mx(), 1.0));
  EXPECT_EQ(robot.emulator.peek(1, servo_register::kTorqueLimit) | robot.emulator.peek(1, 35) << 8, 256);
  robot.emulator.poke(1, servo_register::kPGain, 99);  // as if the servo had restarted
  robot.run(1);
  EXPECT_EQ(robot.emulator.peek(1, servo_register::kPGain), 99) << "not written every cycle";
  robot.run(100);
  EXPECT_EQ(robot.emulator.peek(1, servo_register::kPGain), 16) << "but healed within a round";
}

TEST(Cycle, TorqueOffIsOff) {
  Standing robot;
  for (size_t i = 0; i < 20; ++i) robot.driver.command(i).torque = i % 2 == 0;
  robot.run(200);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(robot.emulator.peek(static_cast<uint8_t>(i + 1), servo_register::kTorqueEnable), i % 2 == 0) << i;
  }
}

TEST(Overload, IsReportedLeftAloneAndRecovered) {
  Standing robot;
  robot.emulator.faults().device[7].overload = true;
  robot.run(5);
  EXPECT_TRUE(robot.driver.joint(6).overloaded);
  EXPECT_TRUE(robot.driver.joint(6).fresh);
  robot.run(200);
  EXPECT_EQ(robot.emulator.peek(7, servo_register::kTorqueEnable), 0) << "nobody switches it on behind its back";
  EXPECT_THAT(robot.driver.recover(6), HasSubstr("still reports overload"));
  robot.emulator.faults().device[7].overload = false;
  EXPECT_EQ(robot.driver.recover(6), "");
  robot.run(400);
  EXPECT_EQ(robot.emulator.peek(7, servo_register::kTorqueEnable), 1);
  EXPECT_EQ(robot.emulator.peek(7, 35), 0x03) << "the torque limit is restored";
}

TEST(ChangeId, NeedsExactlyOneServoWithoutTorque) {
  EmulatedRobot robot;
  robot.start();
  EXPECT_THAT(robot.driver.change_id(30, 31), HasSubstr("no servo answers"));
  EXPECT_THAT(robot.driver.change_id(3, 4), HasSubstr("taken"));
  robot.emulator.faults().device[3].twin = true;
  EXPECT_THAT(robot.driver.change_id(3, 40), HasSubstr("more than one"));
  robot.emulator.faults().apply("heal");
  EXPECT_EQ(robot.driver.change_id(3, 40), "");
  EXPECT_TRUE(robot.driver.ping(40).ok());
  EXPECT_EQ(robot.driver.change_id(40, 3), "");
  robot.torque_on();
  robot.run(10);
  EXPECT_THAT(robot.driver.change_id(3, 40), HasSubstr("torque is on"));
}

/// What a fault costs: cycles until the driver has settled with it, cycles until all is well again after it is healed,
/// and the fewest joints read in any cycle once it had settled.
struct Cost {
  int detection = -1;
  double detection_time = 0.0;
  int recovery = -1;
  double recovery_time = 0.0;
  size_t others = 20;
};

Cost play(Standing& robot, const std::string& fault, size_t expected_fresh) {
  Cost cost;
  EXPECT_EQ(robot.emulator.faults().apply(fault), "");
  double start = robot.emulator.now();
  for (int i = 1; i <= 100; ++i) {
    robot.driver.cycle();
    const bool settled = robot.fresh() <= expected_fresh;
    if (settled && cost.detection < 0) {
      cost.detection = i;
      cost.detection_time = robot.emulator.now() - start;
    }
    if (i > 10) cost.others = std::min(cost.others, robot.fresh());
  }
  robot.emulator.faults().apply("heal");
  start = robot.emulator.now();
  for (int i = 1; i <= 2000; ++i) {
    robot.driver.cycle();
    if (robot.fresh() == 20 && robot.driver.board().fresh) {
      cost.recovery = i;
      cost.recovery_time = robot.emulator.now() - start;
      break;
    }
  }
  robot.run(300);
  return cost;
}

TEST(FaultTable, EveryFaultIsSurvivedAndHealed) {
  struct Row {
    const char* fault;
    size_t fresh;     // joints read while it lasts
    size_t others;    // joints that must not suffer
    double recovery;  // s
  };
  const Row rows[] = {
      {"mute 13", 19, 19, 1.0},
      {"absent 20", 19, 19, 1.0},
      {"mute 200", 20, 20, 1.0},
      {"overheat 9 90", 20, 20, 0.1},
      {"delay 4 0.001", 20, 20, 0.1},
      {"noise 0.05", 20, 20, 0.1},
      {"corrupt_reply 0.0005", 20, 0, 0.1},
      {"truncate 0.01", 20, 0, 0.1},
      {"corrupt_request 0.0002", 20, 0, 1.5},
      {"twin 6", 19, 19, 0.1},
      {"stuck", 0, 0, 2.0},
      {"unplug", 0, 0, 2.0},
      {"voltage 5", 0, 0, 2.5},
  };
  std::printf("| fault | detected after | joints read meanwhile | back after |\n|---|---|---|---|\n");
  for (const auto& row : rows) {
    Standing robot;
    const Cost cost = play(robot, row.fault, row.fresh);
    std::printf("| %s | %d cycles, %.1f ms | %zu | %d cycles, %.0f ms |\n", row.fault, cost.detection,
                cost.detection_time * 1e3, cost.others, cost.recovery, cost.recovery_time * 1e3);
    EXPECT_GE(cost.others, row.others) << row.fault;
    EXPECT_GT(cost.recovery, 0) << row.fault << " was not healed";
    EXPECT_LE(cost.recovery_time, row.recovery) << row.fault;
    EXPECT_EQ(robot.driver.state(), BusState::Running) << row.fault;
    EXPECT_EQ(robot.fresh(), 20u) << row.fault;
    EXPECT_FALSE(robot.driver.board().missing) << row.fault;
    EXPECT_EQ(robot.emulator.peek(5, servo_register::kTorqueEnable), 1) << row.fault << ": torque must come back";
  }
}

TEST(FaultTable, SeveralSilentServosDoNotHideTheOthers) {
  Standing robot;
  for (const uint8_t id : {2, 3, 11, 12, 20}) robot.emulator.faults().device[id].mute = true;
  robot.run(30);
  EXPECT_EQ(robot.fresh(), 15u);
  robot.emulator.faults().apply("heal");
  robot.run(1000);
  EXPECT_EQ(robot.fresh(), 20u);
}

TEST(FaultTable, ServosThatAllFellSilentStillGetGoalsForAWhile) {
  Standing robot;
  for (int id = 1; id <= 20; ++id) robot.emulator.faults().device[static_cast<size_t>(id)].mute = true;
  const double start = robot.emulator.now();
  const auto goals = [&] { return robot.emulator.counters().goal_writes; };
  while (robot.emulator.now() < start + 1.0) robot.run(1);
  EXPECT_EQ(robot.fresh(), 0u);
  auto before = goals();
  robot.run(5);
  EXPECT_EQ(goals() - before, 5u * 20u) << "in the middle of a step they must not freeze";
  while (robot.emulator.now() < start + 3.0) robot.run(1);
  before = goals();
  robot.run(5);
  EXPECT_EQ(goals(), before) << "but not for ever";
  robot.emulator.faults().apply("heal");
  for (int i = 0; i < 10 && robot.fresh() < 20; ++i) robot.run(1000);  // they are taken back one by one
  EXPECT_EQ(robot.fresh(), 20u);
}

TEST(FaultTable, AReturningServoStartsWhereItStands) {
  Standing robot;
  robot.emulator.faults().device[13].absent = true;
  robot.run(20);
  robot.driver.command(12).position = 1.0;
  robot.emulator.faults().apply("heal");
  while (robot.driver.joint(12).missing) robot.driver.cycle();
  EXPECT_NEAR(robot.driver.command(12).position, robot.driver.joint(12).position, 0.01) << "no jump to an old goal";
}

TEST(FaultTable, AReturningServoMovesSlowlyToItsGoal) {
  Standing robot;
  const auto goal_register = [&](uint8_t id) {
    return position_of(mx(), robot.emulator.peek(id, servo_register::kGoalPosition) |
                                 robot.emulator.peek(id, servo_register::kGoalPosition + 1) << 8);
  };
  for (const auto& [fault, goal] :
       {std::pair("mute 13", 1.0), std::pair("unplug", -1.0), std::pair("voltage 5", 0.8)}) {
    robot.emulator.faults().apply(fault);
    robot.run(20);
    const double stood = robot.physics->servos()[12].position;
    robot.emulator.faults().apply("heal");
    double last = stood, last_time = robot.emulator.now();
    double fastest = 0.0;
    for (int i = 0; i < 3000 && std::abs(goal_register(13) - goal) > kRadPerTick; ++i) {
      robot.driver.command(12).position = goal;  // somebody insists all the time
      robot.driver.cycle();
      const double now = goal_register(13);
      const double time = robot.emulator.now();
      if (std::abs(now - last) > kRadPerTick) {
        fastest = std::max(fastest, (std::abs(now - last) - 2.0 * kRadPerTick) / (time - last_time));
        last = now;
        last_time = time;
      }
    }
    EXPECT_NEAR(goal_register(13), goal, kRadPerTick) << fault;
    EXPECT_LT(fastest, 3.0) << fault << ": it must not jump";
    robot.run(400);
    EXPECT_NEAR(robot.driver.joint(12).position, goal, 0.05) << fault;
    // Once there, it follows at once.
    robot.driver.command(12).position = goal > 0.0 ? goal - 0.5 : goal + 0.5;
    robot.run(1);
    EXPECT_NEAR(goal_register(13), robot.driver.command(12).position, kRadPerTick) << fault;
    robot.run(200);
  }
}

TEST(Latency, AMillisecondOfUsbCostsAMillisecond) {
  Standing direct, usb(EmulatorConfig::darwin(), 1e-3);
  const auto period = [](Standing& robot) {
    const double start = robot.emulator.now();
    robot.run(200);
    return (robot.emulator.now() - start) / 200.0;
  };
  EXPECT_NEAR(period(usb) - period(direct), 1e-3, 0.2e-3);
  EXPECT_EQ(usb.driver.counters().silences, 0u);
}

TEST(Params, BadOnesAreNamed) {
  BusDriver::Params params;
  EXPECT_FALSE(params.validate());
  params.reply_gap = 0.0;
  EXPECT_THAT(params.validate().value_or(""), HasSubstr("reply_gap"));
  params = {};
  params.rest_time = 0.01;
  EXPECT_THAT(params.validate().value_or(""), HasSubstr("rest_time"));
}

}  // namespace
}  // namespace hl_hardware_cm730
