// SPDX-License-Identifier: Apache-2.0
#include "hl_testing/isolation.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace hl_testing {
namespace {

/// ROS 2 with Cyclone DDS has ten places for processes on loopback, some tests start more. 119 is the last index whose
/// ports do not reach into the next domain.
void allow_many_processes() {
  const char* middleware = std::getenv("RMW_IMPLEMENTATION");
  if (middleware == nullptr || std::string(middleware) != "rmw_cyclonedds_cpp") return;
  setenv("CYCLONEDDS_URI", "<Discovery><MaxAutoParticipantIndex>119</MaxAutoParticipantIndex></Discovery>", 0);
}

}  // namespace

int isolate() {
  constexpr int kFirst = 1;
  constexpr int kLast = 100;  // higher domains reach into the ephemeral ports
  static int claimed = 0;
  for (int id = kFirst; claimed == 0 && id <= kLast; ++id) {
    const auto path = std::filesystem::temp_directory_path() / ("hl_testing_domain_" + std::to_string(id));
    const int fd = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0) continue;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
      claimed = id;  // the lock is held until this process ends
    } else {
      close(fd);
    }
  }
  if (claimed == 0) throw std::runtime_error("no free ROS domain for this test: all are in use");
  setenv("ROS_DOMAIN_ID", std::to_string(claimed).c_str(), 1);
  setenv("ROS_LOCALHOST_ONLY", "1", 1);
  allow_many_processes();
  return claimed;
}

bool full_run() {
  const char* value = std::getenv("HL_FULL");
  return value != nullptr && std::string(value) == "1";
}

std::size_t count(std::size_t quick, std::size_t full) {
  return full_run() ? full : quick;
}

}  // namespace hl_testing
