// SPDX-License-Identifier: Apache-2.0
// The emulator on a real pseudo-terminal: a real port at one end, bus time at the other.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <thread>

#include "emulated_robot.hpp"
#include "hl_hardware_cm730/bus_time.hpp"
#include "hl_hardware_cm730/serial_port.hpp"

namespace hl_hardware_cm730 {
namespace {

double wall_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// An emulator whose bus time passes in a thread of its own.
class Line {
 public:
  explicit Line(const BusTime::Params& params)
      : port(testing::TempDir() + "bus_time_" + std::to_string(getpid())),
        server(emulator, port),
        time({&server}, params) {
    thread = std::thread([this] {
      while (!stop) {
        const std::lock_guard<std::mutex> lock(mutex);
        time.run(time.now() + 0.002, 0.005);
      }
    });
  }
  ~Line() {
    stop = true;
    thread.join();
  }
  double now() {
    const std::lock_guard<std::mutex> lock(mutex);
    return time.now();
  }

  EmulatorConfig config = EmulatorConfig::darwin();
  std::string port;
  Emulator emulator{config, std::make_shared<SecondOrderServos>(EmulatedRobot::models(config))};
  PtyServer server;
  BusTime time;
  std::mutex mutex;
  std::atomic<bool> stop{false};
  std::thread thread;
};

BusDriver::Params patient(const EmulatorConfig& config) {
  auto params = EmulatedRobot::params(config);
  params.reply_gap = 1.0;
  return params;
}

TEST(BusTime, FastLineRunsAsFastAsTheHostSpeaksAndLosesNothing) {
  BusTime::Params params;
  params.factor = 0.0;
  params.grace = 0.008;
  Line line(params);
  SerialPort port(line.port);
  BusDriver driver(port, EmulatedRobot::specs(line.config), patient(line.config));
  for (int n = 0; n < 10 && driver.state() != BusState::Running; ++n) driver.cycle();
  ASSERT_EQ(driver.state(), BusState::Running) << port.error();
  for (size_t i = 0; i < driver.size(); ++i) driver.command(i).torque = true;
  const double start = line.now();
  constexpr int kCycles = 300;
  for (int i = 0; i < kCycles; ++i) driver.cycle();
  const double period = (line.now() - start) / kCycles;
  // 4.0 ms on the wire; on top of it what this machine needed for its answer, but at most the grace.
  EXPECT_GT(period, 0.0038);
  EXPECT_LT(period, 0.0042 + params.grace);
  EXPECT_EQ(driver.counters().incomplete_cycles, 0u);
  EXPECT_EQ(line.emulator.counters().collisions, 0u);
}

TEST(BusTime, AStalledHostHoldsTheWorldUpAndAnAbsentOneDoesNot) {
  BusTime::Params params;
  params.factor = 0.0;
  params.grace = 0.01;
  params.patience = 1.0;
  Line line(params);
  const double first = line.now();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_GT(line.now(), first + 0.05) << "nobody has ever spoken: time passes";

  SerialPort port(line.port);
  ASSERT_TRUE(port.open()) << port.error();
  const Bytes ping = packet1(200, instruction::kPing);
  const double spoken = wall_time();
  ASSERT_TRUE(port.write(ping.data(), ping.size()));
  uint8_t reply[16];
  ASSERT_GT(port.read(reply, sizeof(reply), port.now() + 30.0), 0);
  const double before = line.now();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  const double after = line.now();
  if (wall_time() < spoken + params.patience) {  // on a machine that stalls, the host counts as gone by now
    EXPECT_LE(after - before, params.grace + 1e-6) << "the host may be stalled: the world waits";
  }
  const double end = wall_time() + 30.0;
  while (line.now() < after + 0.1 && wall_time() < end) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(line.now(), after + 0.1) << "the host is gone: the world goes on";
}

TEST(BusTime, RealTimeIsNeverOvertaken) {
  Line line({});
  const double wall_before = wall_time();
  const double before = line.now();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const double after = line.now();
  const double wall_after = wall_time();  // read last: this thread may be held up anywhere
  EXPECT_LE(after - before, wall_after - wall_before + 0.006);
}

TEST(BusTime, BadParametersAreNamed) {
  BusTime::Params params;
  EXPECT_FALSE(params.validate());
  params.grace = 0.0;
  EXPECT_NE(params.validate().value_or("").find("grace"), std::string::npos);
  params = {};
  params.factor = NAN;
  EXPECT_NE(params.validate().value_or("").find("factor"), std::string::npos);
}

}  // namespace
}  // namespace hl_hardware_cm730
