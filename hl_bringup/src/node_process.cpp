// SPDX-License-Identifier: Apache-2.0
#include "node_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hl_bringup {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Field `number` of /proc/PID/stat, counted as in proc(5); from the third on. 0 if the process is gone.
long stat_field(pid_t pid, int number) {
  const std::string stat = text_of("/proc/" + std::to_string(pid) + "/stat");
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream rest(stat.substr(name_end + 1));
  std::string word;
  for (int field = 3; field <= number; ++field) rest >> word;
  return word.empty() ? 0 : std::strtol(word.c_str(), nullptr, 10);
}

bool descends_from(pid_t pid, pid_t ancestor) {
  constexpr int kParent = 4;
  while (pid > 1 && pid != ancestor) pid = static_cast<pid_t>(stat_field(pid, kParent));
  return pid == ancestor;
}

/// What stands behind `key` in arguments that are separated by zeros; empty if it is not there.
std::string value_of(const std::string& arguments, const std::string& key) {
  const auto found = arguments.find(key);
  if (found == std::string::npos) return "";
  const auto begin = found + key.size();
  return arguments.substr(begin, arguments.find('\0', begin) - begin);
}

}  // namespace

std::vector<NodeProcess> processes_below(pid_t ancestor) {
  std::vector<NodeProcess> found;
  std::error_code ignored;  // processes come and go while we look
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); })) continue;
    const std::string arguments = text_of(entry.path() / "cmdline");  // separated by zeros
    const std::string node = value_of(arguments, "__node:=");
    const auto pid = static_cast<pid_t>(std::stol(name));
    if (node.empty() || !descends_from(pid, ancestor)) continue;
    const std::string space = value_of(arguments, "__ns:=");
    found.push_back({pid, (space == "/" ? "" : space) + "/" + node});
  }
  return found;
}

pid_t process_of(const std::string& node, pid_t ancestor) {
  for (const auto& process : processes_below(ancestor)) {
    if (process.name.substr(process.name.rfind('/') + 1) == node) return process.pid;
  }
  return 0;
}

double cpu_time_of(pid_t pid) {
  constexpr int kUser = 14, kSystem = 15;
  return static_cast<double>(stat_field(pid, kUser) + stat_field(pid, kSystem)) /
         static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace hl_bringup
