// SPDX-License-Identifier: Apache-2.0
// Labelled pictures of a robot's camera, for training and judging vision.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>

#include "photographer.hpp"

namespace {

using namespace hl_simulation;  // NOLINT(google-build-using-namespace): this program is about it
using namespace hl_match;       // NOLINT(google-build-using-namespace)

struct Order {
  std::string out = "frames", robot = "minibot";
  int frames = 100, per_world = 25;
  std::uint64_t seed = 1;
  bool plain = false;
};

WorldSpec make_world(const std::shared_ptr<const RobotSpec>& spec, bool plain, std::uint64_t seed, Chance& chance) {
  WorldSpec world;
  world.seed = seed;
  const int others = plain ? 3 : static_cast<int>(chance.in(0.0, 5.0));
  for (int n = 0; n <= others; ++n) {
    RobotPlacement robot;
    robot.spec = spec;
    robot.name = "robot" + std::to_string(n);
    robot.y = -2.0 + 0.8 * n;
    if (n % 2) robot.colour = {0.85, 0.1, 0.1, 1.0};
    robot.number = 1 + static_cast<int>((seed + static_cast<std::uint64_t>(n)) % 6);
    world.robots.push_back(robot);
  }
  if (!plain) decorate(world, seed, chance);
  return world;
}

/// Puts robots and ball somewhere, so that the camera of robot 0 mostly has something to see.
void arrange(Simulation& simulation, Chance& chance) {
  const auto& field = simulation.world().field;
  const double lx = 0.5 * field.length, ly = 0.5 * field.width;
  const RobotSpec& spec = simulation.robot(0).spec();
  const auto head = [&](double pan, double tilt, std::vector<double>& joints) {
    joints[static_cast<std::size_t>(spec.joint_index("HeadPan"))] = pan;
    joints[static_cast<std::size_t>(spec.joint_index("HeadTilt"))] = tilt;
  };
  Placement self(chance.in(-lx, lx), chance.in(-ly, ly), chance.in(-M_PI, M_PI));
  self.joints = spec.walk_ready_positions();
  const double pan = chance.in(-1.0, 1.0);
  head(pan, chance.in(-0.75, 0.05), self.joints);
  self.roll = chance.with(0.5) ? chance.in(-0.07, 0.07) : 0.0;  // as if in the middle of a step
  self.pitch = chance.with(0.5) ? chance.in(-0.05, 0.10) : 0.0;
  simulation.robot(0).place(self);
  const double ahead = self.yaw + pan;
  const auto in_view = [&](double from, double to, double spread) {
    const double d = chance.in(from, to), a = ahead + chance.in(-spread, spread);
    return Eigen::Vector2d(std::clamp(self.x + d * std::cos(a), -lx - 0.5, lx + 0.5),
                           std::clamp(self.y + d * std::sin(a), -ly - 0.5, ly + 0.5));
  };
  for (std::size_t n = 1; n < simulation.robot_count(); ++n) {
    const Eigen::Vector2d at =
        chance.with(0.5) ? in_view(0.5, 4.0, 0.6) : Eigen::Vector2d(chance.in(-lx, lx), chance.in(-ly, ly));
    Placement other((at - Eigen::Vector2d(self.x, self.y)).norm() < 0.4 ? self.x - 0.6 : at.x(), at.y(),
                    chance.in(-M_PI, M_PI));
    other.joints = spec.walk_ready_positions();
    head(chance.in(-1.0, 1.0), chance.in(-0.6, 0.0), other.joints);
    if (chance.with(0.1)) other.pitch = chance.with(0.5) ? 0.5 * M_PI : -0.5 * M_PI;  // lies
    simulation.robot(n).place(other);
  }
  Eigen::Vector2d ball = chance.with(0.85) ? in_view(0.18, chance.with(0.5) ? 2.5 : 7.0, 0.55)
                                           : Eigen::Vector2d(chance.in(-lx, lx), chance.in(-ly, ly));
  if (simulation.robot_count() > 1 && chance.with(0.12)) {  // at somebody's foot
    const Eigen::Vector3d foot = simulation.robot(1).pose().translation();
    ball = foot.head<2>() + 0.17 * Eigen::Vector2d(chance.in(-1, 1), chance.in(-1, 1)).normalized();
  }
  simulation.place_ball({ball.x(), ball.y(), 0.0});
}

void run(const Order& order) {
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const auto spec = std::make_shared<RobotSpec>(
      load_robot_files(share + "/urdf/" + order.robot + ".urdf", share + "/config/" + order.robot + "/robot.yaml"));
  std::filesystem::create_directories(order.out);
  std::ofstream labels(order.out + "/labels.yaml");
  labels << "set: rendered\nkind: simulated\nfirst_seed: " << order.seed << "\nimages:\n";
  int number = 0;
  for (std::uint64_t world_seed = order.seed; number < order.frames; ++world_seed) {
    Chance chance(world_seed * 1000003);
    const WorldSpec world = make_world(spec, order.plain, world_seed, chance);
    Simulation simulation(world);
    Photographer photographer(world, chance);
    for (int n = 0; n < order.per_world && number < order.frames; ++n, ++number) {
      arrange(simulation, chance);
      photographer.change_light(chance);
      const std::uint64_t seed = world_seed * 1000 + static_cast<std::uint64_t>(n);
      const std::string name = hl_description::formatted("frame_%05d.jpg", number);
      const auto picture = photographer.take(simulation, CameraEffects::random(seed), seed, name);
      const std::string path = order.out + "/" + name;
      if (!cv::imwrite(path, picture.bgr, {cv::IMWRITE_JPEG_QUALITY, 92}))
        throw std::runtime_error(path + ": cannot be written");
      labels << picture.labels;
    }
  }
  if (!labels) throw std::runtime_error(order.out + "/labels.yaml: cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  Order order;
  CLI::App app("Labelled pictures of a robot's camera: JPEG files and labels.yaml.");
  app.add_option("--out", order.out, "folder to write into")->capture_default_str();
  app.add_option("--robot", order.robot, "minibot or darwin_op")->capture_default_str();
  app.add_option("--frames", order.frames, "number of pictures")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--per-world", order.per_world, "pictures in the same surroundings")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--seed", order.seed, "of the first surroundings; from 10000 on only to judge")
      ->check(CLI::Range(1ul, 1000000000ul))
      ->capture_default_str();
  app.add_flag("--plain", order.plain, "the plain hall, a perfect camera");
  CLI11_PARSE(app, argc, argv);
  try {
    run(order);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "render: %s\n", error.what());
    return 1;
  }
  return 0;
}
