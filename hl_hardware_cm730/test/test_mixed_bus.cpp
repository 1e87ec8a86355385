// SPDX-License-Identifier: Apache-2.0
// Servos of protocol 2.0, alone and together with those of protocol 1.0 on one wire.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "emulated_robot.hpp"
#include "hl_testing/isolation.hpp"

namespace hl_hardware_cm730 {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Twenty servos; these models in turn.
EmulatorConfig bus_of(const std::vector<std::string>& models) {
  EmulatorConfig config = EmulatorConfig::darwin();
  for (size_t i = 0; i < config.servos.size(); ++i)
    config.servos[i].model = servo_model(models[i % models.size()]).value();
  return config;
}

const std::vector<std::string> kMixed{"MX-28",      "XM430-W350", "MX-106", "MX-64(2.0)",
                                      "XL430-W250", "XL-320",     "MX-64",  "XH540-W150"};

struct Bus : EmulatedRobot {
  explicit Bus(EmulatorConfig configuration, bool fast = false)
      : EmulatedRobot(std::move(configuration)), driver(port, specs(config), with(config, fast)) {
    driver.cycle();
  }
  static BusDriver::Params with(const EmulatorConfig& config, bool fast) {
    BusDriver::Params params = EmulatedRobot::params(config);
    params.fast_read = fast;
    return params;
  }
  void stand() {
    EXPECT_EQ(driver.state(), BusState::Running);
    for (const std::string& problem : driver.problems()) ADD_FAILURE() << problem;
    for (size_t i = 0; i < driver.size(); ++i) driver.command(i).torque = true;
    run(300);  // the torque is ramped up by then
    driver.take_events();
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) driver.cycle();
  }
  size_t fresh() const {
    size_t count = 0;
    for (size_t i = 0; i < driver.size(); ++i) count += driver.joint(i).fresh;
    return count;
  }
  int value(uint8_t id, const Register& r) const {
    uint8_t bytes[4] = {};
    for (uint8_t i = 0; i < r.size; ++i) bytes[i] = emulator.peek(id, static_cast<uint8_t>(r.address + i));
    return register_value(bytes, r.size);
  }

  BusDriver driver;  // instead of the one below
};

}  // namespace

TEST(Packets2, AreByteForByteAsTheManualHasThem) {
  EXPECT_EQ(packet2(1, instruction::kPing), (Bytes{0xFF, 0xFF, 0xFD, 0x00, 1, 3, 0, 1, 0x19, 0x4E}));
  EXPECT_EQ(packet2(kBroadcast, instruction::kPing), (Bytes{0xFF, 0xFF, 0xFD, 0x00, 0xFE, 3, 0, 1, 0x31, 0x42}));
  EXPECT_EQ(packet2(1, instruction::kRead, {0x84, 0, 4, 0}),
            (Bytes{0xFF, 0xFF, 0xFD, 0x00, 1, 7, 0, 2, 0x84, 0, 4, 0, 0x1D, 0x15}));
  EXPECT_EQ(packet2(1, instruction::kStatus, {0, 0xA6, 0, 0, 0}),
            (Bytes{0xFF, 0xFF, 0xFD, 0x00, 1, 8, 0, 0x55, 0, 0xA6, 0, 0, 0, 0x8C, 0xC0}));
  EXPECT_EQ(packet2(1, instruction::kWrite, {0x74, 0, 0, 2, 0, 0}),
            (Bytes{0xFF, 0xFF, 0xFD, 0x00, 1, 9, 0, 3, 0x74, 0, 0, 2, 0, 0, 0xCA, 0x89}));
  EXPECT_EQ(packet2(1, instruction::kWrite, {0x74, 0, 0xFF, 0xFF, 0xFD, 0}),
            (Bytes{0xFF, 0xFF, 0xFD, 0x00, 1, 0x0A, 0, 3, 0x74, 0, 0xFF, 0xFF, 0xFD, 0xFD, 0, 0x21, 0xE7}));
}

TEST(Packets2, ThreeAnswersTogetherHaveTheLengthOfTheManual) {
  Bus bus(bus_of({"XM430-W210"}), true);
  const Bytes ask = packet2(kBroadcast, instruction::kFastSyncRead, {132, 0, 4, 0, 3, 7, 4});
  bus.emulator.replies().clear();
  bus.emulator.transmit(ask.data(), ask.size());
  Bytes answer;
  for (const auto& byte : bus.emulator.replies()) answer.push_back(byte.value);
  ASSERT_EQ(answer.size(), 7u + 25u);
  EXPECT_EQ(Bytes(answer.begin(), answer.begin() + 10), (Bytes{0xFF, 0xFF, 0xFD, 0x00, 0xFE, 25, 0, 0x55, 0, 3}));
  EXPECT_EQ(answer[16], 0);  // error and id of the second, behind the check sum of the first
  EXPECT_EQ(answer[17], 7);
  for (const size_t end : {16u, 24u, 32u})
    EXPECT_EQ(word(&answer[end - 2]), crc16(answer.data(), end - 2)) << "each ends with the check sum so far";
}

TEST(ServoTables, ConvertBothWays) {
  for (const char* name : {"MX", "AX", "X-load", "X-current", "MX2-current", "XL320"}) {
    const ServoTable* table = servo_table(name);
    ASSERT_NE(table, nullptr) << name;
    for (int raw = 0; raw <= table->last_tick; ++raw) ASSERT_EQ(raw_position(*table, position_of(*table, raw)), raw);
    EXPECT_EQ(raw_position(*table, 100.0), table->last_tick);
    EXPECT_EQ(raw_position(*table, -100.0), 0);
    for (const double speed : {-2.0, -0.5, 0.0, 1.0, 3.0})
      EXPECT_NEAR(velocity_of(*table, raw_velocity(*table, speed)), speed, table->velocity_unit);
    for (const double load : {-0.7, 0.0, 0.4})
      EXPECT_NEAR(load_of(*table, raw_load(*table, load, 2.0), 2.0), load, 2e-3);
    EXPECT_EQ(raw_speed_limit(*table, 0.0), 0);
    EXPECT_EQ(raw_speed_limit(*table, 1e-6), 1);
    EXPECT_EQ(raw_torque_limit(*table, 1.0), table->full_torque);
  }
  EXPECT_EQ(servo_table("generic"), nullptr);
  EXPECT_EQ(raw_p_gain(*servo_table("AX"), 32.0), 32);
  EXPECT_EQ(raw_p_gain(*servo_table("AX"), 16.0), 64) << "softer";
  EXPECT_EQ(p_of(*servo_table("AX"), 64), 16.0);
  EXPECT_EQ(data(servo_model("XM430-W350").value()).number, 1020);
}

TEST(MixedBus, EveryFamilyIsFoundReadAndMoved) {
  for (const bool fast : {false, true}) {
    Bus bus(bus_of(kMixed), fast);
    bus.stand();
    EXPECT_EQ(bus.fresh(), 20u);
    EXPECT_EQ(bus.emulator.counters().collisions, 0u);
    for (size_t i = 0; i < 20; ++i) bus.driver.command(i).position = i % 2 ? 0.8 : -0.6;
    double most[20] = {};
    for (int cycle = 0; cycle < 900; ++cycle) {  // an XL-320 with this inertia swings for long
      const auto before = bus.physics->servos();
      bus.run(1);
      for (size_t i = 0; i < 20; ++i) {  // read some time within the cycle
        const double velocity = bus.driver.joint(i).velocity, a = before[i].velocity,
                     b = bus.physics->servos()[i].velocity;
        EXPECT_GT(velocity, std::min(a, b) - 0.3) << i;
        EXPECT_LT(velocity, std::max(a, b) + 0.3) << i;
        if (std::abs(velocity) > std::abs(most[i])) most[i] = velocity;
      }
    }
    for (size_t i = 0; i < 20; ++i) {
      const ServoTable& table = bus.driver.spec(i).table();
      const JointReading& joint = bus.driver.joint(i);
      EXPECT_NEAR(joint.position, i % 2 ? 0.8 : -0.6, 0.02) << table.name;
      EXPECT_NEAR(joint.position, bus.physics->servos()[i].position, 0.01) << table.name;
      EXPECT_GT(most[i] * (i % 2 ? 1.0 : -1.0), 0.2) << table.name;
      EXPECT_NEAR(joint.voltage, 12.0, 0.1) << table.name;
      EXPECT_EQ(joint.temperature, 35.0) << table.name;
      EXPECT_EQ(joint.error, 0) << table.name;
      EXPECT_TRUE(joint.torque) << table.name;
      if (table.operating_mode.size > 0) {
        EXPECT_EQ(bus.value(bus.driver.spec(i).id, table.operating_mode), 3);
      }
      EXPECT_EQ(bus.emulator.peek(bus.driver.spec(i).id, static_cast<uint8_t>(table.return_delay)), 0);
    }
  }
}

TEST(MixedBus, LosesNoGoalWithoutFaults) {
  for (const bool fast : {false, true}) {
    Bus bus(bus_of(kMixed), fast);
    bus.stand();
    const int cycles = static_cast<int>(hl_testing::count(1'000, 500'000));  // twice
    const auto before = bus.driver.counters();
    const uint64_t writes = bus.emulator.counters().goal_writes;
    for (int i = 0; i < cycles; ++i) {
      const auto joint = static_cast<size_t>(i % 20);
      bus.driver.command(joint).position = (i % 7) * 0.1;
      bus.driver.cycle();
      const ServoSpec& spec = bus.driver.spec(joint);
      ASSERT_EQ(bus.value(spec.id, spec.table().goal_position), raw_position(spec.table(), (i % 7) * 0.1));
    }
    EXPECT_GE(bus.emulator.counters().goal_writes - writes, static_cast<uint64_t>(cycles) * 20);
    EXPECT_EQ(bus.driver.counters().incomplete_cycles, before.incomplete_cycles);
    EXPECT_EQ(bus.driver.counters().bad_checksums, before.bad_checksums);
    EXPECT_EQ(bus.emulator.counters().collisions, 0u);
  }
}

TEST(MixedBus, ServosThatCannotBeReadTogetherAreReadOneByOne) {
  Bus bus(bus_of({"AX-12A", "MX-28"}));
  bus.stand();
  EXPECT_EQ(bus.fresh(), 20u);
  const ServoTable& ax = *servo_table("AX");
  bus.driver.command(0).stiffness = 0.5;
  bus.driver.command(0).position = 1.4;
  bus.run(400);
  EXPECT_NEAR(bus.driver.joint(0).position, 1.4, 0.02);
  EXPECT_EQ(bus.value(bus.driver.spec(0).id, ax.p_gain), 64);
  EXPECT_EQ(bus.emulator.peek(bus.driver.spec(0).id, 29), 64) << "the slope to the other side";
  EXPECT_EQ(bus.emulator.peek(bus.driver.spec(0).id, 26), 1) << "margins as delivered";
  bus.emulator.faults().device[bus.driver.spec(2).id].mute = true;
  bus.run(20);
  EXPECT_EQ(bus.fresh(), 19u);
  bus.emulator.faults().apply("heal");
  bus.run(400);
  EXPECT_EQ(bus.fresh(), 20u);
  EXPECT_EQ(bus.emulator.counters().collisions, 0u);
  const uint64_t writes = bus.emulator.counters().goal_writes;
  for (int i = 0; i < 1000; ++i) {
    const auto joint = static_cast<size_t>(i % 20);
    bus.driver.command(joint).position = (i % 7) * 0.1;
    bus.driver.cycle();
    const ServoSpec& spec = bus.driver.spec(joint);
    ASSERT_EQ(bus.value(spec.id, spec.table().goal_position), raw_position(spec.table(), (i % 7) * 0.1));
  }
  EXPECT_GE(bus.emulator.counters().goal_writes - writes, 20'000u);
}

TEST(MixedBus, RatesOfTheWire) {
  double before = 0.0;
  for (const bool fast : {false, true}) {
    Bus bus(bus_of({"XM430-W350"}), fast);
    bus.stand();
    const double start = bus.emulator.now();
    bus.run(400);
    const double rate = 400.0 / (bus.emulator.now() - start);
    std::printf("20 servos of protocol 2.0, %s: %.1f Hz\n", fast ? "answering together" : "one after the other", rate);
    EXPECT_GT(rate, 1.05 * before);
    before = rate;
  }
  EXPECT_GT(before, 100.0);
}

TEST(MixedBus, SettingsReachTheRegistersOfEachFamily) {
  Bus bus(bus_of({"XM430-W350", "XL-320"}));
  bus.stand();
  for (size_t i = 0; i < 2; ++i) {
    bus.driver.command(i).stiffness = 0.5;
    bus.driver.command(i).speed_limit = 1.0;
    bus.driver.command(i).torque_limit = 0.25;
  }
  bus.run(1);
  const ServoTable &x = *servo_table("X-current"), &xl = *servo_table("XL320");
  EXPECT_EQ(bus.value(1, x.p_gain), 400);
  EXPECT_EQ(bus.value(1, x.speed_limit), 42);
  EXPECT_EQ(bus.value(1, x.torque_limit), 221);
  EXPECT_EQ(bus.value(2, xl.p_gain), 16);
  EXPECT_EQ(bus.value(2, xl.speed_limit), 86);
  EXPECT_EQ(bus.value(2, xl.torque_limit), 256);
  bus.emulator.poke(1, 84, 7);  // as if the servo had restarted
  bus.run(1);
  EXPECT_EQ(bus.emulator.peek(1, 84), 7) << "not written every cycle";
  bus.run(100);
  EXPECT_EQ(bus.value(1, x.p_gain), 400) << "but healed within a round";
}

TEST(MixedBus, AnOverloadedServoIsReportedLeftAloneAndRecovered) {
  Bus bus(bus_of(kMixed));
  bus.stand();
  const size_t joint = 1;  // XM430
  const uint8_t id = bus.driver.spec(joint).id;
  bus.emulator.faults().device[id].overload = true;
  bus.run(5);
  EXPECT_TRUE(bus.driver.joint(joint).overloaded);
  EXPECT_TRUE(bus.driver.joint(joint).fresh);
  EXPECT_EQ(bus.driver.joint(joint).error, error_bit::kOverload);
  EXPECT_THAT(bus.driver.take_events(), Contains(HasSubstr("reports overload and has switched itself off")));
  bus.run(200);
  EXPECT_EQ(bus.emulator.peek(id, 64), 0) << "nobody switches it on behind its back";
  EXPECT_THAT(bus.driver.recover(joint), HasSubstr("still reports overload"));
  bus.emulator.faults().device[id].overload = false;
  EXPECT_EQ(bus.driver.recover(joint), "");
  bus.driver.command(joint).torque = true;
  bus.run(400);
  EXPECT_EQ(bus.emulator.peek(id, 64), 1);
  EXPECT_EQ(bus.value(id, servo_table("X-current")->torque_limit), 885);
  EXPECT_EQ(bus.driver.joint(joint).error, 0);
}

TEST(MixedBus, ASilentServoDoesNotHideTheOthers) {
  for (const bool fast : {false, true}) {
    Bus bus(bus_of(kMixed), fast);
    bus.stand();
    for (const uint8_t id : {2, 3, 12}) bus.emulator.faults().device[id].mute = true;  // XM430, MX-106, MX-64(2.0)
    bus.run(20);
    EXPECT_EQ(bus.fresh(), 17u);
    EXPECT_TRUE(bus.driver.joint(1).missing);
    EXPECT_TRUE(bus.driver.joint(2).missing);
    EXPECT_TRUE(bus.driver.joint(11).missing);
    bus.emulator.faults().apply("heal");
    bus.run(400);
    EXPECT_EQ(bus.fresh(), 20u);
  }
}

TEST(MixedBus, NoiseAndDamageAreSurvived) {
  for (const bool fast : {false, true}) {
    Bus bus(bus_of(kMixed), fast);
    bus.stand();
    for (const char* fault : {"corrupt_reply 0.0005", "corrupt_request 0.0005", "truncate 0.01", "noise 0.05"}) {
      EXPECT_EQ(bus.emulator.faults().apply(fault), "");
      bus.run(200);
      EXPECT_EQ(bus.emulator.faults().apply("heal"), "");
      bus.run(600);
      EXPECT_EQ(bus.driver.state(), BusState::Running) << fault;
      EXPECT_EQ(bus.fresh(), 20u) << fault;
    }
    for (size_t i = 0; i < 20; ++i) EXPECT_NEAR(bus.driver.joint(i).position, bus.physics->servos()[i].position, 0.01);
  }
}

TEST(MixedBus, WrongModelsAreNamed) {
  Bus bus(bus_of({"XM430-W350", "MX-28", "XL430-W250", "XM430-W350"}));
  auto specs = EmulatedRobot::specs(bus.config);
  specs[0].model = servo_model("XM430-W210").value();  // the same registers
  specs[1].model = servo_model("MX-28(2.0)").value();  // the other protocol
  specs[2].model = servo_model("XL-320").value();      // other registers
  specs[3].model = servo_model("MX-64").value();       // the other protocol
  BusDriver driver(bus.port, specs, EmulatedRobot::params(bus.config));
  driver.cycle();
  EXPECT_THAT(driver.problems(), Contains(HasSubstr("servo 1 (joint1) is a XM430-W350, robot.yaml says XM430-W210")));
  EXPECT_THAT(driver.problems(),
              Contains(HasSubstr("servo 2 (joint2) speaks protocol 1.0 (MX-28), robot.yaml says MX-28(2.0)")));
  EXPECT_THAT(driver.problems(), Contains(HasSubstr("servo 3 (joint3) is a XL430-W250, robot.yaml says XL-320")));
  EXPECT_THAT(driver.problems(),
              Contains(HasSubstr("servo 4 (joint4) speaks protocol 2.0 (XM430-W350), robot.yaml says MX-64")));
  EXPECT_FALSE(driver.joint(0).missing);
  for (const size_t i : {1u, 2u, 3u}) EXPECT_TRUE(driver.joint(i).missing) << i;
}

}  // namespace hl_hardware_cm730
