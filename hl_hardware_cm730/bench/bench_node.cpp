// SPDX-License-Identifier: Apache-2.0
// CPU of the driver node in front of the emulator, at 125 Hz and at full speed.
#include <unistd.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"

namespace {

/// s of CPU time that a process has used.
double cpu_time(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string word;
  double ticks = 0.0;
  for (int field = 1; field <= 15 && stat >> word; ++field) {
    if (field >= 14) ticks += std::stod(word);
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::string beside_me(const std::string& program) {
  char path[4096] = {};
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
  const std::string self(path, size > 0 ? static_cast<size_t>(size) : 0);
  return self.substr(0, self.rfind('/') + 1) + program;
}

}  // namespace

int main(int argc, char** argv) {
  const auto duration = std::chrono::seconds(hl_testing::quick(argc, argv) ? 3 : 10);
  hl_testing::isolate();
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const std::string config = share + "/config/minibot/robot.yaml";
  const std::string port = "/tmp/cm730_bench_" + std::to_string(getpid());
  for (const auto& [rate, name] : {std::pair("125.0", "at 125 Hz"), std::pair("0.0", "at full speed")}) {
    hl_testing::Process emulator(
        {beside_me("emulator"), "--ros-args", "-p", "port:=" + port, "-p", "robot_config_file:=" + config});
    hl_testing::Process node({beside_me("cm730_node"), "--ros-args", "-p", "port:=" + port, "-p",
                              "urdf_file:=" + share + "/urdf/minibot.urdf", "-p", "robot_config_file:=" + config, "-p",
                              std::string("rate:=") + rate, "-p", "reply_gap:=0.03"});
    if (!node.wait_for_output("the bus runs")) {
      std::fprintf(stderr, "the bus does not run: %s\n", node.output().c_str());
      return 1;
    }
    const double before = cpu_time(node.pid());
    std::this_thread::sleep_for(duration);
    const double share_of_core = 100.0 * (cpu_time(node.pid()) - before) / static_cast<double>(duration.count());
    hl_testing::report({"hl_hardware_cm730", std::string("CPU of the node ") + name, share_of_core, "% of a core",
                        std::nullopt, hl_testing::Better::Lower});
  }
  return 0;
}
