// SPDX-License-Identifier: Apache-2.0
// The slowest of a hundred messages between two processes, at 100 and 1000 Hz: a bare UDP datagram, Cyclone DDS alone
// and the client library by turns in one long run, with what else ran on the machine meanwhile.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"
#include "hop.hpp"

using bench::Result;
using hl_testing::Better;

namespace {

/// Of the figures of all rounds the middle one: a single disturbed round does not count, a disturbance that lasts does.
double middle(const std::vector<Result>& rounds, double Result::*figure) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const auto& round : rounds) values.push_back(round.*figure);
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Seconds that all cores together have spent with work since the machine started.
double busy_cpu() {
  std::ifstream file("/proc/stat");
  std::string word;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, steal = 0;
  file >> word >> user >> nice >> system >> idle >> waiting >> irq >> softirq >> steal;
  return (user + nice + system + irq + softirq + steal) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double load() {
  double average[1] = {0};
  return getloadavg(average, 1) == 1 ? average[0] : 0;
}

void report(const std::string& name, double value, const std::string& unit) {
  hl_testing::report({"rclcpp", name, value, unit, std::nullopt, Better::Lower});
}

struct Hops {
  std::vector<Result> udp, dds, ros, imu;
};

void tails_at(int rate, int rounds, int seconds) {
  const auto count = static_cast<std::size_t>(rate) * static_cast<std::size_t>(seconds);
  const std::chrono::nanoseconds period(1'000'000'000 / rate);
  Hops hops;
  double own = 0;  // s of CPU time
  const double busy = busy_cpu();
  const auto start = std::chrono::steady_clock::now();
  const auto add = [&](std::vector<Result>& results, const Result& result, const char* what) {
    results.push_back(result);
    own += 1e-6 * result.cpu() * static_cast<double>(result.count);
    bench::show(what, result);
  };
  for (int i = 0; i < rounds; ++i) {
    add(hops.udp, bench::udp_hop(count, period), "UDP datagram");
    add(hops.dds, bench::dds_hop(count, period), "Cyclone DDS alone");
    add(hops.ros, bench::ros_hop("ros", count, period, 10, bench::small_message()), "rclcpp");
    add(hops.imu, bench::ros_hop("imu", count, period, 10, sensor_msgs::msg::Imu()), "rclcpp, Imu");
  }
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string at = " at " + std::to_string(rate) + " Hz, p99";
  const double udp = middle(hops.udp, &Result::p99), dds = middle(hops.dds, &Result::p99);
  const double ros = middle(hops.ros, &Result::p99), imu = middle(hops.imu, &Result::p99);
  report("UDP datagram" + at, udp, "us");
  report("Cyclone DDS alone" + at, dds, "us");
  report("hop, 1 kB" + at, ros, "us");
  report("hop, Imu" + at, imu, "us");
  report("hop, 1 kB over a bare UDP datagram" + at, ros / udp, "x");
  report("hop, 1 kB over Cyclone DDS alone" + at, ros / dds, "x");
  report("hop, Imu over Cyclone DDS alone" + at, imu / dds, "x");
  const std::string waiting = "of the slowest of a hundred at " + std::to_string(rate) + " Hz: without a processor, ";
  report(waiting + "UDP datagram", middle(hops.udp, &Result::waiting), "%");
  report(waiting + "Cyclone DDS alone", middle(hops.dds, &Result::waiting), "%");
  report(waiting + "1 kB", middle(hops.ros, &Result::waiting), "%");
  report(waiting + "Imu", middle(hops.imu, &Result::waiting), "%");
  report("receiver preempted per 1000 messages at " + std::to_string(rate) + " Hz",
         middle(hops.ros, &Result::preempted), "");
  report("other programs meanwhile, of all cores, at " + std::to_string(rate) + " Hz",
         100 * (busy_cpu() - busy - own) / passed / static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)), "%");
  report("load average after the run at " + std::to_string(rate) + " Hz", load(), "");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--role") == 0) return bench::receive(argv[2]);
  hl_testing::isolate();
  const bool quick = hl_testing::quick(argc, argv);
  bench::measure_waits();
  for (const int rate : {100, 1000}) tails_at(rate, quick ? 1 : 5, quick ? 2 : 12);
  return 0;
}
