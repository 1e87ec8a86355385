// SPDX-License-Identifier: Apache-2.0
// Makes the files of a robot of your own from its URDF: names, frames, zero pose, stand, first walk.
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

#include "robot_folder.hpp"

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

/// Expands xacro with the tool that is on PATH.
std::string expanded(const std::string& path) {
  if (path.size() < 6 || path.substr(path.size() - 6) != ".xacro") return read_text(path);
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

std::string plain_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool good = std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += good ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '_';
  }
  return name;
}

struct Order {
  std::string urdf, like = "minibot", name, out = ".";
  std::vector<std::string> joints, meshes;
  std::vector<double> foot;
  bool check_only = false;
};

int add(const Order& order) {
  Findings findings;
  Draft draft = read_draft(expanded(order.urdf), findings);
  std::vector<std::string> folders{std::filesystem::path(order.urdf).parent_path().string()};
  folders.insert(folders.end(), order.meshes.begin(), order.meshes.end());
  load_meshes(draft, folders, findings);
  std::map<std::string, std::string> told, files;
  for (const std::string& pair : order.joints) told[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
  NormalRobot robot;
  if (!findings.any_error()) {
    const BodyPlan plan = find_body(draft, told, findings);
    LikeFiles like{order.like, share_of("hl_description"), share_of("hl_walking"), share_of("hl_hcm"),
                   share_of("hl_animation")};
    NormalOptions options;
    options.name = plain_name(order.name.empty() ? draft.name : order.name);
    if (order.foot.size() == 3) {
      options.foot_length = order.foot[0];
      options.foot_width = order.foot[1];
      options.foot_depth = order.foot[2];
    }
    if (!findings.any_error()) {
      const RobotModel model = RobotModel::from_file(like.description + "/urdf/" + order.like + ".urdf");
      robot = normal_form(draft, plan, model, options, findings);
    }
    if (!findings.any_error()) {
      try {
        files = robot_folder(robot, like, findings);
      } catch (const ModelError& error) {
        findings.error(0, error.what(), "tell the joints and feet with --joint and --foot, or mend the URDF");
      }
    }
  }
  std::fputs(findings.text(order.urdf).c_str(), stdout);
  if (findings.any_error()) {
    std::puts("\nNothing is written: answer the errors above first; all of them are there.");
    return 1;
  }
  std::printf("\n%s: %.2f kg, 20 joints\n", robot.name.c_str(), robot.mass());
  if (order.check_only) return 0;
  for (const auto& [path, text] : files) {
    const std::filesystem::path target = std::filesystem::path(order.out) / path;
    std::filesystem::create_directories(target.parent_path());
    if (!(std::ofstream(target, std::ios::binary) << text)) throw ModelError(target.string() + ": cannot be written");
    if (target.extension() != ".stl") std::printf("  %s\n", target.c_str());
  }
  std::printf(
      "\nSee whether it stands, steps, walks and gets up, with a picture:\n"
      "  ros2 run hl_match try_robot %s --from %s\n"
      "Then build the workspace; `robot:=%s` names it in every launch file.\n",
      robot.name.c_str(), order.out.c_str(), robot.name.c_str());
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
      "robot.yaml, first parameters of walk and HCM, motions of a robot that is like it.");
  app.add_option("urdf", order.urdf, "URDF, or a file that ends in .xacro")->required();
  app.add_option("--like", order.like, "known robot whose walk and motions it begins with (minibot, darwin_op)");
  app.add_option("--name", order.name, "of the new robot; otherwise the URDF's");
  app.add_option("--out", order.out, "workspace; the folders hl_description, hl_walking, ... are in it");
  app.add_option("--joint", order.joints,
                 "LHipYaw=left_hip_yaw: which joint is which, where names and structure do not tell")
      ->check([](const std::string& pair) {
        return pair.find('=') == std::string::npos ? "'" + pair + "': write OURS=THEIRS" : std::string();
      });
  app.add_option("--foot", order.foot, "length, width and depth below the ankle of the sole, m")
      ->expected(3)
      ->check(CLI::Range(0.005, 1.0));
  app.add_option("--meshes", order.meshes, "folder with packages of meshes that are not found otherwise");
  app.add_flag("--check", order.check_only, "only tell what is found");
  CLI11_PARSE(app, argc, argv);
  try {
    return add(order);
  } catch (const std::exception& error) {
    std::cerr << "add_robot: " << error.what() << "\n";
    return 2;
  }
}
