// SPDX-License-Identifier: Apache-2.0
// Cycle rates in bus time against what the wire allows, and the driver's own CPU time per cycle.
#include <cstdio>
#include <ctime>

#include "../test/emulated_robot.hpp"
#include "hl_testing/bench_report.hpp"

namespace {

using namespace hl_hardware_cm730;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Setting {
  const char* name;
  bool read_speed;
  bool feet;
  double latency;  // s
};

double wire_rate(const Setting& setting) {
  const int servo = 6 + (setting.read_speed ? 4 : 2);
  const int feet = setting.feet ? 2 * (3 + 14) : 0;
  // request, board, nineteen fast servos, one slow one, feet, goals
  const int bytes = 7 + 3 * 21 + (6 + 21) + 19 * servo + 14 + feet + 8 + 20 * 3;
  return 1.0 / (bytes * kSecondsPerByte);
}

}  // namespace

int main(int argc, char** argv) {
  const int cycles = hl_testing::quick(argc, argv) ? 300 : 3000;
  const Setting settings[] = {{"position", false, false, 0.0},
                              {"position, speed", true, false, 0.0},
                              {"position, speed, feet", true, true, 0.0},
                              {"position, 1 ms USB latency", false, false, 1e-3},
                              {"position, speed, feet, 1 ms USB latency", true, true, 1e-3}};
  for (const auto& setting : settings) {
    EmulatorConfig config = EmulatorConfig::darwin();
    if (!setting.feet) config.foot_ids = {0, 0};
    EmulatedRobot robot(config, setting.latency);
    auto params = EmulatedRobot::params(config);
    params.read_speed = setting.read_speed;
    BusDriver driver(robot.port, EmulatedRobot::specs(config), params);
    driver.cycle();
    for (size_t i = 0; i < driver.size(); ++i) driver.command(i).torque = true;
    for (int i = 0; i < 400; ++i) driver.cycle();
    const double start = robot.emulator.now();
    const double cpu = cpu_seconds();
    for (int i = 0; i < cycles; ++i) driver.cycle();
    const double rate = cycles / (robot.emulator.now() - start);
    const double each = (cpu_seconds() - cpu) / cycles;
    std::fprintf(stderr, "%s: %.1f Hz, the wire allows %.1f Hz\n", setting.name, rate, wire_rate(setting));
    hl_testing::report({"hl_hardware_cm730", std::string("cycle rate: ") + setting.name, rate, "Hz", std::nullopt,
                        hl_testing::Better::Higher});
    if (setting.latency == 0.0) {
      hl_testing::report({"hl_hardware_cm730", std::string("share of the wire's rate: ") + setting.name,
                          100.0 * rate / wire_rate(setting), "%", 90.0, hl_testing::Better::Higher});
    }
    hl_testing::report({"hl_hardware_cm730", std::string("driver and emulator, CPU per cycle: ") + setting.name,
                        each * 1e6, "us", std::nullopt, hl_testing::Better::Lower});
  }
  return 0;
}
