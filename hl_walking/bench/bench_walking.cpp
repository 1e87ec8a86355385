// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <vector>

#include "hl_description/robot_config.hpp"
#include "hl_testing/bench_report.hpp"
#include "hl_walking/controller.hpp"

int main(int argc, char** argv) {
  using namespace hl_walking;
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const auto model = hl_description::RobotModel::from_file(share + "/urdf/minibot.urdf");
  const auto config = hl_description::RobotConfig::from_file(share + "/config/minibot/robot.yaml");
  const WalkingBody body(model, config.pose(model, "walkready"));
  Params params;
  params.trunk_height = 0.34;
  params.stiffness_pitch = params.stiffness_roll = 30.0;
  Controller controller(body, params, {}, {}, {});
  controller.permit(Permission::Full);
  const int ticks = hl_testing::quick(argc, argv) ? 5'000 : 100'000;
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(ticks));
  double now = 1.0;
  for (int i = 0; i < ticks; ++i) {
    now += 0.01;
    controller.command({0.2, 0.05, 0.3}, now);
    controller.sense_joints(controller.joints(), now);
    controller.sense_imu({0.01, params.trunk_pitch, 0.05, -0.05}, 0.0, now);
    controller.sense_foot(Side::Left, 20.0, now);
    controller.sense_foot(Side::Right, 20.0, now);
    const auto start = std::chrono::steady_clock::now();
    controller.update(now);
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  using hl_testing::Better;
  hl_testing::report(
      {"hl_walking", "update() incl. odometry, median", times[times.size() / 2], "us", 50.0, Better::Lower});
  hl_testing::report({"hl_walking", "update() incl. odometry, p99", times[times.size() * 99 / 100], "us", std::nullopt,
                      Better::Lower});
  return 0;
}
