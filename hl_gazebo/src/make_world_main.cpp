// SPDX-License-Identifier: Apache-2.0
// Writes a folder for gzserver: the world, and what its robots are made from.
#include <CLI/CLI.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>

#include "hl_gazebo/world_file.hpp"

namespace {

struct Options {
  std::string robot = "minibot", field, output, folder;
  std::uint64_t seed = 1;
  hl_gazebo::WorldFileOptions world;
  bool ball = true, goals = true;
  double timestep = 0.002;
};

void make_world(Options options) {
  namespace fs = std::filesystem;
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const std::string urdf = share + "/urdf/" + options.robot + ".urdf";
  const std::string config = share + "/config/" + options.robot + "/robot.yaml";
  if (options.folder.empty()) options.folder = fs::absolute(options.output).string();
  options.world.folder = options.folder;

  hl_simulation::WorldSpec world = hl_simulation::world_with(
      std::make_shared<hl_simulation::RobotSpec>(hl_simulation::read_robot_files(urdf, config)), options.seed);
  world.field = hl_description::Field::from_file(share + "/config/field.yaml", options.field);
  world.with_ball = options.ball;
  world.with_goals = options.goals;
  world.timestep = options.timestep;
  world.robots[0].name = options.robot;
  const std::string sdf = hl_gazebo::to_sdf(world, options.world);

  fs::create_directories(options.output);
  const auto copy = [](const std::string& from, const std::string& to) {
    fs::copy_file(from, to, fs::copy_options::overwrite_existing);
  };
  copy(urdf, hl_gazebo::urdf_path(options.output, world.robots[0].spec->name));
  copy(config, hl_gazebo::config_path(options.output, world.robots[0].spec->name));
  const std::string path = options.output + "/soccer.world";
  std::ofstream file(path);
  file << sdf;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
  std::printf("%s\n", path.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Writes a world for Gazebo 11 and what its robot is made from into a folder."};
  Options options;
  app.add_option("output", options.output, "folder to write to")->required();
  app.add_option("--folder", options.folder, "the same folder as gzserver sees it, e.g. in a chroot; default: output");
  app.add_option("--robot", options.robot, "of hl_description")->capture_default_str();
  app.add_option("--field", options.field, "preset of field.yaml; empty: its default");
  app.add_option("--seed", options.seed, "of the noise")->capture_default_str();
  app.add_option("--speed", options.world.speed, "bus time per real time; 0: as fast as the host speaks")
      ->capture_default_str();
  app.add_option("--grace", options.world.grace, "s of bus time that the world waits not for a silent host")
      ->capture_default_str();
  app.add_option("--patience", options.world.patience, "s of real time after which a silent host is gone")
      ->capture_default_str();
  app.add_option("--iterations", options.world.iterations, "of ODE's solver for every step; 0: its exact one")
      ->capture_default_str();
  app.add_option("--timestep", options.timestep, "s")->capture_default_str();
  app.add_flag("!--no-ball", options.ball, "without a ball");
  app.add_flag("!--no-goals", options.goals, "without goals");
  CLI11_PARSE(app, argc, argv);
  try {
    make_world(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_world: %s\n", error.what());
    return 1;
  }
  return 0;
}
