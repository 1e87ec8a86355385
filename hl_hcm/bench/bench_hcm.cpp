// SPDX-License-Identifier: Apache-2.0
// Costs of the core: a walking goal until it may be published, and a tick; both without allocation.
#include <algorithm>
#include <chrono>

#include "../test/robot.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/bench_report.hpp"

using namespace hl_hcm;
using Clock = std::chrono::steady_clock;

namespace {

struct Joint20Message {
  std::vector<std::string> joint_names;
  struct Point {
    std::vector<double> positions, velocities, accelerations, effort;
    struct {
      int sec = 0;
      unsigned nanosec = 0;
    } time_from_start;
  };
  std::vector<Point> points;
};

double percentile(std::vector<double>& values, double p) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t runs = hl_testing::quick(argc, argv) ? 20'000 : 500'000;
  HcmBody body;
  for (int i = 0; i < 20; ++i) {
    body.joints.joints.push_back({"Joint" + std::to_string(i), -2.0, 2.0, 5.0,
                                  i < 2   ? Limb::Head
                                  : i < 8 ? Limb::Arm
                                          : Limb::Leg});
    body.walkready[static_cast<std::size_t>(i)] = body.penalty[static_cast<std::size_t>(i)] = 0.0;
  }
  Hcm hcm(body, Hcm::Params());
  JointArray measured = absent_joints();
  std::fill(measured.begin(), measured.begin() + 20, 0.0);
  Joint20Message message;
  for (const auto& joint : body.joints.joints) message.joint_names.push_back(joint.name);
  message.points.resize(1);
  message.points[0].positions.assign(20, 0.0);

  double now = 100.0;
  Trajectory goals;
  std::vector<double> request_times, tick_times;
  request_times.reserve(runs);
  tick_times.reserve(runs);
  std::size_t before = 0, walked = 0;
  for (std::size_t run = 0; run < runs + 100; ++run) {
    if (run == 100) before = hl_testing::allocations::count;  // start-up may allocate
    now += 0.01;
    hcm.on_joint_states(measured, now, now);
    hcm.on_imu({0, 0, 1}, {0, 0, 0}, now, now);
    hcm.on_support(true, false);
    hcm.on_hardware(HardwareReport(), now);
    auto start = Clock::now();
    hcm.tick(now);
    const double tick_time = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    for (std::size_t j = 0; j < 20; ++j) message.points[0].positions[j] = 0.1 * std::sin(now + static_cast<double>(j));
    start = Clock::now();
    bool granted = !read_trajectory(message, hcm.joints(), 0.02, goals);
    goals.stamp = now;
    granted = granted && hcm.request(Source::Walking, goals, now + 0.001).granted && hcm.take_new_goals();
    const auto end = Clock::now();
    if (run < 100) continue;
    walked += granted;
    request_times.push_back(std::chrono::duration<double, std::micro>(end - start).count());
    tick_times.push_back(tick_time);
  }
  const std::size_t allocated = hl_testing::allocations::count - before;
  using hl_testing::Better;
  hl_testing::report(
      {"hl_hcm", "walking goal granted, p99", percentile(request_times, 0.99), "us", 50.0, Better::Lower});
  hl_testing::report({"hl_hcm", "tick, p99", percentile(tick_times, 0.99), "us", 50.0, Better::Lower});
  hl_testing::report({"hl_hcm", "allocations per 1000 cycles",
                      1000.0 * static_cast<double>(allocated) / static_cast<double>(runs), "", 0.0, Better::Lower});
  return walked == runs ? 0 : 1;
}
