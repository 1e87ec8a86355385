// SPDX-License-Identifier: Apache-2.0
// Speed of the physics and of the camera, in CPU time where the machine's load must not count.
#include <sys/resource.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <hl_testing/bench_report.hpp>
#include <memory>
#include <string>

#include "hl_simulation/renderer.hpp"

using namespace hl_simulation;
using hl_testing::Better;

namespace {

const char* const kPackage = "hl_simulation";

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double resident_megabytes() {
  std::ifstream status("/proc/self/statm");
  double total = 0.0, resident = 0.0;
  status >> total >> resident;
  return resident * 4096.0 / 1e6;
}

WorldSpec world_of(const std::shared_ptr<const RobotSpec>& spec, int robots) {
  WorldSpec world;
  for (int n = 0; n < robots; ++n) {
    RobotPlacement robot;
    robot.spec = spec;
    robot.name = "robot" + std::to_string(n);
    robot.x = robots == 1 ? 0.0 : (n % 2 ? 1.2 : -1.2);
    robot.y = robots == 1 ? 0.0 : -2.0 + n / 2;
    robot.yaw = n % 2 ? M_PI : 0.0;
    world.robots.push_back(robot);
  }
  return world;
}

/// Simulated seconds per second of CPU while all robots tread on the spot, commands and sensors at 125 Hz.
double real_time_factor(Simulation& simulation, double seconds) {
  const double start = cpu_seconds(), begin = simulation.time();
  const RobotSpec& spec = simulation.robot().spec();
  const auto ready = spec.walk_ready_positions();
  while (simulation.time() < begin + seconds) {
    for (std::size_t n = 0; n < simulation.robot_count(); ++n) {
      auto goals = ready;
      for (const char side : {'L', 'R'}) {
        const double lift = 0.15 * std::max(0.0, std::sin(12.0 * simulation.time() + (side == 'L' ? 0.0 : M_PI)));
        const double sign = side == 'L' ? 1.0 : -1.0;
        goals[spec.joint_index(std::string(1, side) + "HipPitch")] += sign * lift;
        goals[spec.joint_index(std::string(1, side) + "Knee")] -= sign * 2.0 * lift;
        goals[spec.joint_index(std::string(1, side) + "AnklePitch")] -= sign * lift;
      }
      simulation.robot(n).read();
      simulation.robot(n).set_goals(goals);
    }
    simulation.run(0.008);
  }
  return seconds / (cpu_seconds() - start);
}

void measure_camera(const WorldSpec& world, const std::string& what, int frames, std::optional<double> budget) {
  Simulation simulation(world);
  simulation.run(0.5);
  Renderer renderer(world, {640, 480, false, 0, false});
  Image image;
  double total = 0.0;
  const double cpu = cpu_seconds();
  for (int n = 0; n < frames + 3; ++n) {
    simulation.run(0.04);
    renderer.update(simulation);
    const auto start = std::chrono::steady_clock::now();
    renderer.robot_camera(0, image);
    if (n >= 3) total += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  hl_testing::report({kPackage, "camera 640x480, " + what, total / frames, "ms", budget, Better::Lower});
  std::fprintf(stderr, "camera, %s: %.1f ms CPU per frame with 20 steps of physics\n", what.c_str(),
               1e3 * (cpu_seconds() - cpu) / (frames + 3));
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = hl_testing::quick(argc, argv);
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const auto load = [&](const std::string& name) {
    return std::make_shared<RobotSpec>(
        load_robot_files(share + "/urdf/" + name + ".urdf", share + "/config/" + name + "/robot.yaml"));
  };
  const auto minibot = load("minibot");
  {
    Simulation one(world_of(minibot, 1));
    hl_testing::report({kPackage, "physics, one robot", real_time_factor(one, quick ? 5.0 : 30.0), "x real time", 25.0,
                        Better::Higher});
    Simulation other(world_of(load("darwin_op"), 1));
    hl_testing::report({kPackage,
                        "physics, one DARwIn-OP",
                        real_time_factor(other, quick ? 5.0 : 30.0),
                        "x real time",
                        {},
                        Better::Higher});
    Simulation eight(world_of(minibot, 8));
    hl_testing::report({kPackage, "physics, eight robots", real_time_factor(eight, quick ? 2.0 : 10.0), "x real time",
                        3.0, Better::Higher});
    hl_testing::report(
        {kPackage, "memory, one and eight robots, no camera", resident_megabytes(), "MB", 300.0, Better::Lower});
  }
  const int frames = quick ? 20 : 100;
  measure_camera(world_of(minibot, 1), "one robot", frames, 8.0);
  measure_camera(world_of(minibot, 8), "eight robots", frames, {});
  return 0;
}
