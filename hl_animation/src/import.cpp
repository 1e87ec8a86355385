// SPDX-License-Identifier: Apache-2.0
// Turns motion files of other teams into animations.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <hl_description/robot_config.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "hl_animation/animation_file.hpp"

namespace {

using hl_animation::Animation;
using hl_animation::AnimationError;

constexpr const char* kPurpose =
    "Reads motions of other teams and writes them as animations, FOLDER/NAME.yaml. Two formats are told apart by "
    "their\n"
    "content:\n"
    "  JSON     {\"name\": ..., \"keyframes\": [{\"duration\": s, \"pause\": s, \"goals\": {\"LKnee\": degrees}}]}\n"
    "  FUmanoid one move per line, a value of 0..1023 for each motor and the delay (ms), the end marked by -1\n"
    "Then look at the result: ros2 run hl_animation verify NAME.yaml";

struct Options {
  std::vector<std::string> files;
  std::string out = ".", robot = "minibot", motors, name;
  bool force = false;
};

/// Joints in the order of a FUmanoid file's motors; empty where a motor is skipped.
std::vector<std::string> motors(const Options& options) {
  std::vector<std::string> joints;
  if (!options.motors.empty()) {
    std::istringstream words(options.motors);
    for (std::string word; std::getline(words, word, ',');) joints.push_back(word == "-" ? "" : word);
    return joints;
  }
  const auto config = hl_description::RobotConfig::from_file(
      ament_index_cpp::get_package_share_directory("hl_description") + "/config/" + options.robot + "/robot.yaml");
  for (const auto& servo : config.servos) {
    const auto id = static_cast<std::size_t>(servo.id);
    joints.resize(std::max(joints.size(), id));
    joints[id - 1] = servo.joint;
  }
  return joints;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || std::filesystem::is_directory(path) || !(text << file.rdbuf()))
    throw AnimationError(path + ": cannot be read");
  return text.str();
}

void import(const std::string& path, const Options& options) {
  const auto text = text_of(path);
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string::npos && text[first] == '{';
  Animation animation =
      json ? hl_animation::import_json(text, path) : hl_animation::import_fumanoid(text, path, motors(options));
  if (!options.name.empty()) animation.name = options.name;
  if (!hl_animation::is_plain(animation.name)) {
    throw AnimationError(path + ": '" + animation.name +
                         "' is no usable name; give one of letters, digits, _ and - with --name");
  }
  const auto target = options.out + "/" + animation.name + ".yaml";
  if (std::filesystem::exists(target) && !options.force)
    throw AnimationError(target + " exists already; --force overwrites it, --name gives another name");
  std::ofstream file(target);
  file << hl_animation::to_yaml(animation);
  if (!file.flush()) throw AnimationError(target + " cannot be written: does the folder exist?");
  std::printf("%s: %zu keyframes, %.1f s -> %s\n", path.c_str(), animation.keyframes.size(), animation.duration(),
              target.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app(kPurpose);
  app.add_option("files", options.files, "motions to read")->required();
  app.add_option("--out", options.out, "folder to write into")->capture_default_str();
  app.add_option("--robot", options.robot, "whose servo ids, from 1, name the motors of a FUmanoid file")
      ->capture_default_str();
  app.add_option("--motors", options.motors,
                 "joints of a FUmanoid file in its order, separated by commas, - for a motor to skip");
  app.add_option("--name", options.name, "of the animation; default: the motion's own");
  app.add_flag("--force", options.force, "overwrite");
  try {
    app.parse(argc, argv);
    if (options.files.size() > 1 && !options.name.empty())
      throw CLI::ValidationError("--name", "is for one file; give them one by one");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int failures = 0;
  for (const auto& file : options.files) {
    try {
      import(file, options);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "import: %s\n", error.what());
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}
