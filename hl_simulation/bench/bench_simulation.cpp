// SPDX-License-Identifier: Apache-2.0
// Speed of the physics (CPU time) and of the camera (real time, since the graphics driver uses all cores).
#include <sys/resource.h>

#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <hl_testing/bench_report.hpp>
#include <memory>
#include <string>
#include <vector>

#include "hl_simulation/camera_effects.hpp"
#include "hl_simulation/perception.hpp"
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

/// All robots tread on the spot, commands and sensors at 125 Hz.
void tread(Simulation& simulation, double seconds) {
  const RobotSpec& spec = simulation.robot().spec();
  const auto ready = spec.walk_ready_positions();
  const double end = simulation.time() + seconds;
  while (simulation.time() < end) {
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
}

/// The least and the middle of what several rounds took. Whatever else runs on the machine (caches, shared cores) only
/// ever makes a round dearer, so the least is the program's own cost.
struct Rounds {
  double least = 0.0, middle = 0.0;
};

template <class Round>
Rounds measure(int rounds, const Round& round) {
  std::vector<double> costs;
  for (int n = 0; n < rounds; ++n) costs.push_back(round());
  std::sort(costs.begin(), costs.end());
  return {costs.front(), costs[costs.size() / 2]};
}

/// Returns the memory (MB) in use meanwhile.
double measure_physics(const WorldSpec& world, const std::string& what, double seconds, std::optional<double> budget) {
  Simulation simulation(world);
  tread(simulation, 0.5);
  const Rounds cpu = measure(9, [&] {
    const double start = cpu_seconds();
    tread(simulation, seconds);
    return (cpu_seconds() - start) / seconds;
  });
  hl_testing::report({kPackage, "physics, " + what, 1.0 / cpu.least, "x real time", budget, Better::Higher});
  std::fprintf(stderr, "physics, %s: best of 9 rounds of %.0f s %.1f x real time, middle %.1f x\n", what.c_str(),
               seconds, 1.0 / cpu.least, 1.0 / cpu.middle);
  return resident_megabytes();
}

void measure_camera(const WorldSpec& world, const std::string& what, int frames, std::optional<double> budget) {
  Simulation simulation(world);
  simulation.run(0.5);
  Renderer renderer(world, Renderer::Params());
  Image image;
  std::vector<double> cpu;
  const auto frame = [&] {
    simulation.run(0.04);
    renderer.update(simulation);
    const double start_cpu = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    renderer.robot_camera(0, image);
    cpu.push_back(1e3 * (cpu_seconds() - start_cpu));
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  measure(3, frame);  // shaders are compiled at first use
  cpu.clear();
  const Rounds wall = measure(frames, frame);
  std::sort(cpu.begin(), cpu.end());
  hl_testing::report({kPackage, "camera 640x480, " + what, wall.least, "ms", budget, Better::Lower});
  hl_testing::report(
      {kPackage, "camera 640x480, " + what + ", CPU of all threads", cpu[cpu.size() / 2], "ms", {}, Better::Lower});
  std::fprintf(stderr, "camera, %s: best of %d frames %.1f ms, middle %.1f ms\n", what.c_str(), frames, wall.least,
               wall.middle);
}

/// What a real camera does to a picture.
void measure_effects(int frames) {
  Image image;
  image.width = 640;
  image.height = 480;
  image.rgb.assign(3 * 640 * 480, 120);
  std::uint64_t seed = 1;
  const Rounds cpu = measure(frames, [&] {
    const double start = cpu_seconds();
    apply(CameraEffects::random(seed), seed, image);
    ++seed;
    return 1e3 * (cpu_seconds() - start);
  });
  hl_testing::report({kPackage, "effects of a camera, 640x480", cpu.middle, "ms", {}, Better::Lower});
}

/// One look of every robot.
void measure_perception(const WorldSpec& world) {
  Simulation simulation(world);
  simulation.run(0.5);
  const Perception perception{Perception::Params()};
  const Rounds cpu = measure(50, [&] {
    simulation.run(0.02);
    const double start = cpu_seconds();
    const Scene scene = scene_of(simulation);
    for (std::size_t n = 0; n < simulation.robot_count(); ++n)
      perception.look(scene, *eye_of(simulation, n), world.seed, simulation.steps());
    return 1e3 * (cpu_seconds() - start);
  });
  hl_testing::report({kPackage, "perception from the truth, eight robots", cpu.least, "ms", {}, Better::Lower});
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
  measure_physics(world_of(minibot, 1), "one robot", quick ? 1.0 : 5.0, 25.0);
  measure_physics(world_of(load("darwin_op"), 1), "one DARwIn-OP", quick ? 1.0 : 5.0, {});
  const double memory = measure_physics(world_of(minibot, 8), "eight robots", quick ? 0.5 : 2.0, 3.0);
  hl_testing::report({kPackage, "memory, eight robots, no camera", memory, "MB", 300.0, Better::Lower});
  const int frames = quick ? 25 : 150;
  measure_camera(world_of(minibot, 1), "one robot", frames, 8.0);
  measure_camera(world_of(minibot, 8), "eight robots", frames, {});
  WorldSpec hall = world_of(minibot, 4);
  hall.surroundings = 1;
  hall.ball_look = BallLook::Random;
  hall.turf_look = TurfLook::Worn;
  hall.lighting = Lighting::LowSun;
  measure_camera(hall, "four robots in a hall with surroundings", frames, {});
  measure_effects(frames);
  measure_perception(world_of(minibot, 8));
  return 0;
}
