// SPDX-License-Identifier: Apache-2.0
// Makes the files of a robot of your own from its URDF: names, frames, zero pose, stand, first walk.
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <ament_index_cpp/get_package_prefix.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "add_robot.hpp"

namespace {

using namespace hl_description;

std::string share_of(const std::string& package) {
  try {
    return ament_index_cpp::get_package_share_directory(package);
  } catch (const ament_index_cpp::PackageNotFoundError&) {
    return "";
  }
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw ModelError(path + ": cannot be read; check the path");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_xacro(const std::string& path) {
  return std::filesystem::path(path).extension() == ".xacro";
}

/// Expands xacro with the tool that is on PATH.
std::string expanded(const std::string& path) {
  if (!is_xacro(path)) return read_text(path);
  std::string quoted = "'";
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("xacro " + quoted + "'").c_str(), "r"), pclose);
  if (!pipe) throw ModelError("xacro cannot be started; source the setup file of ROS 2 or of the underlay first");
  std::string text;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) text.append(buffer.data(), n);
  if (text.empty()) throw ModelError(path + ": xacro gave nothing; its message is above");
  return text;
}

struct Order {
  std::string urdf, like, name, out = ".";
  std::vector<std::string> joints, frames, meshes;
  std::vector<double> foot;
  bool check_only = false, untried = false;
};

/// "OURS=THEIRS" of the command line.
std::map<std::string, std::string> pairs(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> pairs;
  for (const std::string& text : texts) pairs[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  return pairs;
}

AddOrder order_of(const Order& order) {
  AddOrder add;
  add.told = {pairs(order.joints), pairs(order.frames)};
  add.options.name = order.name;
  if (order.foot.size() == 3) {
    add.options.foot_length = order.foot[0];
    add.options.foot_width = order.foot[1];
    add.options.foot_depth = order.foot[2];
  }
  add.mesh_folders = {std::filesystem::path(order.urdf).parent_path().string()};
  add.mesh_folders.insert(add.mesh_folders.end(), order.meshes.begin(), order.meshes.end());
  add.like = {order.like, share_of("hl_description"), share_of("hl_walking"), share_of("hl_hcm"),
              share_of("hl_animation")};
  return add;
}

/// Runs a program and waits for it; its exit code.
int run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/// Where the program of another package is; empty if it is not installed.
std::string program(const std::string& package, const std::string& name) {
  try {
    const std::string path = ament_index_cpp::get_package_prefix(package) + "/lib/" + package + "/" + name;
    return std::filesystem::exists(path) ? path : "";
  } catch (const ament_index_cpp::PackageNotFoundError&) {
    return "";
  }
}

/// In physics: what it can do, and its picture.
void try_out(const std::string& robot, const std::string& workspace) {
  const std::string words = "try_robot " + robot + " --from " + workspace + " --picture " + workspace + "/" + robot;
  const std::string path = program("hl_match", "try_robot");
  if (path.empty()) {
    std::printf("\nhl_match is not installed, so that nothing is tried. Where it is: ros2 run hl_match %s.png\n",
                words.c_str());
    return;
  }
  std::printf("\nTried in physics (ros2 run hl_match %s.png):\n", words.c_str());
  std::fflush(stdout);
  run({path, robot, "--from", workspace, "--picture", workspace + "/" + robot + ".png"});
}

int add(const Order& order) {
  const AddedRobot added = add_robot(expanded(order.urdf), order_of(order));
  std::fputs(added.findings.text(order.urdf).c_str(), stdout);
  if (is_xacro(order.urdf)) std::printf("(lines as in what `xacro %s` prints)\n", order.urdf.c_str());
  if (added.findings.any_error()) {
    std::puts("\nNothing is written: answer the errors above first.");
    return 1;
  }
  const std::string& name = added.robot.name;
  std::printf("\n%s: %.2f kg, 20 joints\n", name.c_str(), added.robot.mass());
  if (order.check_only) return 0;
  std::size_t meshes = 0;
  for (const auto& [path, text] : added.files) {
    const std::filesystem::path target = std::filesystem::path(order.out) / path;
    std::filesystem::create_directories(target.parent_path());
    if (!(std::ofstream(target, std::ios::binary) << text)) throw ModelError(target.string() + ": cannot be written");
    if (target.extension() == ".stl")
      ++meshes;
    else
      std::printf("  %s\n", target.c_str());
  }
  if (meshes > 0) std::printf("  and %zu meshes\n", meshes);
  if (!order.untried) try_out(name, order.out);
  std::printf(
      "\nNext: write ids and models of its servos into robot.yaml, build the workspace, then\n"
      "  ros2 launch hl_bringup simulation.launch.xml robot:=%s\n",
      name.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Order order;
  CLI::App app(
      "Reads the URDF (or xacro) of a humanoid with two legs of six joints, two arms of three and a head of two, "
      "tells\n"
      "everything that is missing or odd, and writes its files into a workspace: URDF with the suite's names and "
      "frames,\n"
      "robot.yaml, first parameters of walk and HCM, motions of a robot that is like it; then tries it in physics.");
  app.add_option("urdf", order.urdf, "URDF, or a file that ends in .xacro")->required();
  app.add_option(
      "--like", order.like,
      "known robot whose walk and motions it begins with (minibot, darwin_op); otherwise the one next in size");
  app.add_option("--name", order.name, "of the new robot; otherwise the URDF's");
  app.add_option("--out", order.out, "workspace; the folders hl_description, hl_walking, ... are in it");
  const auto is_pair = [](const std::string& pair) {
    return pair.find('=') == std::string::npos ? "'" + pair + "': write OURS=THEIRS" : std::string();
  };
  app.add_option("--joint", order.joints,
                 "LHipYaw=left_hip_yaw: which joint is which, where names and structure do not tell")
      ->check(is_pair);
  app.add_option("--frame", order.frames, "camera_frame=lens: which link is l_sole, r_sole, imu_frame or camera_frame")
      ->check(is_pair);
  app.add_option("--foot", order.foot, "length, width and depth below the ankle of the sole, m")
      ->expected(3)
      ->check(CLI::Range(0.005, 1.0));
  app.add_option("--meshes", order.meshes, "folder with packages of meshes that are not found otherwise");
  app.add_flag("--check", order.check_only, "only tell what is found");
  app.add_flag("--untried", order.untried, "write the files, but do not try the robot in physics");
  CLI11_PARSE(app, argc, argv);
  try {
    return add(order);
  } catch (const std::exception& error) {
    std::cerr << "add_robot: " << error.what() << "\n";
    return 2;
  }
}
