// SPDX-License-Identifier: Apache-2.0
// Labelled pictures of a robot's camera, for training and judging vision.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <random>
#include <stdexcept>

#include "hl_simulation/camera_effects.hpp"
#include "hl_simulation/labelled_view.hpp"

namespace {

using namespace hl_simulation;

struct Order {
  std::string out = "frames", robot = "minibot";
  int frames = 100, per_world = 25;
  std::uint64_t seed = 1;
  bool plain = false;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  bool chance(double share) { return uniform(0.0, 1.0) < share; }

 private:
  std::mt19937_64 engine_;
};

WorldSpec make_world(const std::shared_ptr<const RobotSpec>& spec, bool plain, std::uint64_t seed, Random& random) {
  WorldSpec world;
  world.seed = seed;
  const int others = plain ? 3 : static_cast<int>(random.uniform(0.0, 5.0));
  for (int n = 0; n <= others; ++n) {
    RobotPlacement robot;
    robot.spec = spec;
    robot.name = "robot" + std::to_string(n);
    robot.y = -2.0 + 0.8 * n;
    if (n % 2) robot.colour = {0.85, 0.1, 0.1, 1.0};
    world.robots.push_back(robot);
  }
  if (!plain) {
    world.surroundings = seed;
    world.ball_look = random.chance(0.35) ? BallLook::Classic : BallLook::Random;
    world.turf_look = random.chance(0.2) ? TurfLook::Striped : random.chance(0.2) ? TurfLook::Worn : TurfLook::Fresh;
    const double kind = random.uniform(0.0, 5.0);
    world.lighting = kind < 1.5   ? Lighting::Indoor
                     : kind < 2.3 ? Lighting::Bright
                     : kind < 3.0 ? Lighting::Dim
                     : kind < 4.2 ? Lighting::LowSun
                                  : Lighting::Spotlights;
  }
  return world;
}

/// Puts robots and ball somewhere, so that the camera of robot 0 mostly has something to see.
void arrange(Simulation& simulation, Random& random) {
  const auto& field = simulation.world().field;
  const double lx = 0.5 * field.length, ly = 0.5 * field.width;
  const RobotSpec& spec = simulation.robot(0).spec();
  const auto head = [&](double pan, double tilt, std::vector<double>& joints) {
    joints[static_cast<std::size_t>(spec.joint_index("HeadPan"))] = pan;
    joints[static_cast<std::size_t>(spec.joint_index("HeadTilt"))] = tilt;
  };
  Placement self(random.uniform(-lx, lx), random.uniform(-ly, ly), random.uniform(-M_PI, M_PI));
  self.joints = spec.walk_ready_positions();
  const double pan = random.uniform(-1.0, 1.0);
  head(pan, random.uniform(-0.75, 0.05), self.joints);
  self.roll = random.chance(0.5) ? random.uniform(-0.07, 0.07) : 0.0;  // as if in the middle of a step
  self.pitch = random.chance(0.5) ? random.uniform(-0.05, 0.10) : 0.0;
  simulation.robot(0).place(self);
  const double ahead = self.yaw + pan;
  const auto in_view = [&](double from, double to, double spread) {
    const double d = random.uniform(from, to), a = ahead + random.uniform(-spread, spread);
    return Eigen::Vector2d(std::clamp(self.x + d * std::cos(a), -lx - 0.5, lx + 0.5),
                           std::clamp(self.y + d * std::sin(a), -ly - 0.5, ly + 0.5));
  };
  for (std::size_t n = 1; n < simulation.robot_count(); ++n) {
    const Eigen::Vector2d at =
        random.chance(0.5) ? in_view(0.5, 4.0, 0.6) : Eigen::Vector2d(random.uniform(-lx, lx), random.uniform(-ly, ly));
    Placement other((at - Eigen::Vector2d(self.x, self.y)).norm() < 0.4 ? self.x - 0.6 : at.x(), at.y(),
                    random.uniform(-M_PI, M_PI));
    other.joints = spec.walk_ready_positions();
    head(random.uniform(-1.0, 1.0), random.uniform(-0.6, 0.0), other.joints);
    if (random.chance(0.1)) other.pitch = random.chance(0.5) ? 0.5 * M_PI : -0.5 * M_PI;  // lies
    simulation.robot(n).place(other);
  }
  Eigen::Vector2d ball = random.chance(0.85) ? in_view(0.18, random.chance(0.5) ? 2.5 : 7.0, 0.55)
                                             : Eigen::Vector2d(random.uniform(-lx, lx), random.uniform(-ly, ly));
  if (simulation.robot_count() > 1 && random.chance(0.12)) {  // at somebody's foot
    const Eigen::Vector3d foot = simulation.robot(1).pose().translation();
    ball = foot.head<2>() + 0.17 * Eigen::Vector2d(random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
  }
  simulation.place_ball({ball.x(), ball.y(), 0.0});
}

void write(const std::string& path, const Image& image) {
  cv::Mat rgb(image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data())),
      bgr(rgb.size(), CV_8UC3);
  cv::mixChannels({rgb}, {bgr}, {0, 2, 1, 1, 2, 0});
  if (!cv::imwrite(path, bgr, {cv::IMWRITE_JPEG_QUALITY, 92})) throw std::runtime_error(path + ": cannot be written");
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
    Random random(world_seed * 1000003);
    const WorldSpec world = make_world(spec, order.plain, world_seed, random);
    Simulation simulation(world);
    Renderer::Params look;
    look.samples = 4;
    look.shadows = !order.plain && random.chance(0.6);
    Renderer camera(world, look), truth(world, {});
    Image image;
    Renderer::Segments segments;
    for (int n = 0; n < order.per_world && number < order.frames; ++n, ++number) {
      arrange(simulation, random);
      if (!order.plain) {
        camera.set_brightness(random.uniform(0.75, 1.3));
        if (world.lighting == Lighting::LowSun) {
          const double from = random.uniform(-M_PI, M_PI);
          camera.set_light_direction({std::cos(from), std::sin(from), -random.uniform(0.35, 1.2)});
        }
      }
      camera.update(simulation);
      truth.update(simulation);
      camera.robot_camera(0, image);
      truth.robot_segments(0, segments);
      const std::uint64_t seed = world_seed * 1000 + static_cast<std::uint64_t>(n);
      if (!order.plain) apply(CameraEffects::random(seed), seed, image);
      char name[32];
      std::snprintf(name, sizeof name, "frame_%05d.jpg", number);
      write(order.out + "/" + name, image);
      labels << labels_of(simulation, 0, segments, name);
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
