// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_hardware_cm730 identify: what the data sheets do not say of the servos in a robot.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cstdio>
#include <fstream>
#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>
#include <iostream>

#include "hl_hardware_cm730/identify_joint.hpp"
#include "hl_hardware_cm730/serial_port.hpp"
#include "hl_hardware_cm730/servo_specs.hpp"

namespace {

using namespace hl_hardware_cm730;

struct Order {
  std::string port = "/dev/ttyUSB0", robot = "minibot", urdf, config;
  std::vector<std::string> joints;
  int rounds = 4;
  bool write = false, ready = false;
};

void connect(BusDriver& driver, BusPort& port) {
  for (const double until = port.now() + 5.0; driver.state() != BusState::Running;) {
    if (port.now() > until) throw std::runtime_error(port.error().empty() ? "the bus does not answer" : port.error());
    driver.cycle();
  }
  for (const auto& problem : driver.problems()) std::fprintf(stderr, "%s\n", problem.c_str());
  for (std::size_t i = 0; i < driver.size(); ++i) driver.command(i).torque = true;
  for (const double until = port.now() + 1.5; port.now() < until;) driver.cycle();  // ramped up
}

int run(const Order& order) {
  const auto config = hl_description::RobotConfig::from_file(order.config);
  const auto model = hl_description::RobotModel::from_file(order.urdf);
  BusDriver::Params params;
  params.board_id = static_cast<uint8_t>(config.controller_id);
  SerialPort port(order.port);
  BusDriver driver(port, servo_specs(config, model, order.config), params);
  if (!order.ready) {
    std::puts("Hang the robot up so that no limb touches anything; each joint swings by 8 degrees. Then press Enter.");
    std::cin.get();
  }
  connect(driver, port);
  std::printf("%-16s %18s %20s %16s %18s\n", "joint", "friction, N m", "stiffness, N m/rad", "lag, ms",
              "backlash, deg");
  std::map<std::string, Identified> found;
  for (std::size_t i = 0; i < driver.size(); ++i) {
    const ServoSpec& spec = driver.spec(i);
    const auto asked = std::find(order.joints.begin(), order.joints.end(), spec.joint) != order.joints.end();
    if (driver.joint(i).missing || (!order.joints.empty() && !asked)) continue;
    std::string why_not;
    std::optional<Identified> one;
    try {
      one = identify(record_joint(driver, port, i, order.rounds), data(spec.model).stall_torque, why_not);
    } catch (const std::runtime_error& error) {
      why_not = error.what();
    }
    if (!one) {
      std::printf("%-16s %s\n", spec.joint.c_str(), why_not.c_str());
      continue;
    }
    found[spec.joint] = *one;
    const auto print = [](const Measured& m, double unit) {
      std::printf(" %9.3f +- %6.3f", unit * m.value, unit * m.uncertainty);
    };
    std::printf("%-16s", spec.joint.c_str());
    print(one->friction, 1.0);
    print(one->stiffness, 1.0);
    print(one->lag, 1e3);
    print(one->backlash, 180.0 / kPi);
    std::puts("");
    std::fflush(stdout);
  }
  if (found.empty()) return 1;
  if (order.write) {
    std::ifstream in(order.config);
    const std::string text = with_measured({std::istreambuf_iterator<char>(in), {}}, found);
    hl_description::RobotConfig::from_text(text, order.config);  // it can be read again
    if (!(std::ofstream(order.config) << text)) throw std::runtime_error(order.config + ": cannot be written");
    std::printf("written: %s\n", order.config.c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Order order;
  CLI::App app(
      "Moves one joint after the other through a small motion and fits friction, stiffness, lag and backlash of its\n"
      "servo. The node `hardware` must not run: both would speak on the bus.");
  app.add_option("--port", order.port, "of the CM-730, or of the emulator")->capture_default_str();
  app.add_option("--robot", order.robot, "one of hl_description")->capture_default_str();
  app.add_option("--urdf", order.urdf, "else that of --robot");
  app.add_option("--config", order.config, "robot.yaml; else that of --robot");
  app.add_option("--joints", order.joints, "LKnee ...; else all");
  app.add_option("--rounds", order.rounds, "of the motion; their spread is the uncertainty")->check(CLI::Range(2, 50));
  app.add_flag("--write", order.write, "what is found into robot.yaml");
  app.add_flag("--ready", order.ready, "do not ask whether the robot hangs free");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
    if (order.urdf.empty()) order.urdf = share + "/urdf/" + order.robot + ".urdf";
    if (order.config.empty()) order.config = share + "/config/" + order.robot + "/robot.yaml";
    return run(order);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "identify: %s\n", error.what());
    return 2;
  }
}
