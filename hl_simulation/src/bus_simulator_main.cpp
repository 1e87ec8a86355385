// SPDX-License-Identifier: Apache-2.0
// A simulated robot behind an emulated CM-730 on a pseudo-terminal, for the unmodified driver of hl_hardware_cm730.
#include <poll.h>
#include <unistd.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <hl_hardware_cm730/pty_server.hpp>
#include <map>
#include <stdexcept>
#include <string>

#include "hl_simulation/bus_physics.hpp"

namespace {

std::atomic<bool> stop{false};
extern "C" void on_signal(int) {
  stop = true;
}

/// Fault lines ("mute 13", "heal", ...) from standard input, as they come.
void read_faults(hl_hardware_cm730::Faults& faults, std::string& pending) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  char buffer[256];
  static bool open = true;
  while (open && poll(&input, 1, 0) > 0) {
    const ssize_t size = read(STDIN_FILENO, buffer, sizeof buffer);
    open = size > 0;
    if (open) pending.append(buffer, static_cast<std::size_t>(size));
  }
  for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
    const std::string line = pending.substr(0, end);
    pending.erase(0, end + 1);
    const std::string problem = faults.apply(line);
    std::printf("%s\n", problem.empty() ? line.c_str() : problem.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace hl_simulation;
  std::map<std::string, std::string> options{{"--robot", "minibot"}, {"--port", "/tmp/cm730"}, {"--seed", "1"}};
  for (int n = 1; n < argc && std::string(argv[n]) != "--ros-args"; n += 2) {
    if (!options.count(argv[n]) || n + 1 >= argc) {
      std::fprintf(
          stderr,
          "usage: bus_simulator [--robot minibot] [--port /tmp/cm730] [--seed 1]; faults as lines on standard input\n");
      return 2;
    }
    options[argv[n]] = argv[n + 1];
  }
  try {
    const std::string share = ament_index_cpp::get_package_share_directory("hl_description"),
                      robot = options["--robot"];
    const std::string yaml = share + "/config/" + robot + "/robot.yaml";
    const auto spec = std::make_shared<RobotSpec>(load_robot_files(share + "/urdf/" + robot + ".urdf", yaml));
    const auto config = hl_description::RobotConfig::from_file(yaml);
    const auto simulation = std::make_shared<Simulation>(world_with(spec, std::stoull(options["--seed"])));
    const auto physics = std::make_shared<BusPhysics>(simulation, 0, config);
    hl_hardware_cm730::Emulator emulator(emulator_config(config), physics);
    hl_hardware_cm730::PtyServer::Params params;
    params.link = options["--port"];
    hl_hardware_cm730::PtyServer server(emulator, params);
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    std::printf("%s with %zu servos on %s\n", robot.c_str(), config.servos.size(), params.link.c_str());
    std::fflush(stdout);

    std::string pending, said;
    while (!stop) {
      server.spin(0.02);
      read_faults(emulator.faults(), pending);
      const std::string state = physics->held()                ? "held until its servos have torque"
                                : simulation->robot().fallen() ? "lies"
                                                               : "stands";
      if (state == said) continue;
      said = state;
      std::printf("%.2f s: the robot %s\n", emulator.now(), state.c_str());
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bus_simulator: %s\n", error.what());
    return 1;
  }
  return 0;
}
