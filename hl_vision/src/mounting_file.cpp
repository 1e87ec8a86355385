// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hl_vision/mounting.hpp"

namespace hl_vision {
namespace {

constexpr char kSection[] = "camera_mounting:";
constexpr double kDegree = M_PI / 180.0;
constexpr double kMostOffset = 0.1;  // m
constexpr double kMostAngle = 20.0;  // degrees

template <int N>
Eigen::Matrix<double, N, 1> numbers(const YAML::Node& section, const char* key, double most) {
  Eigen::Matrix<double, N, 1> result;
  const YAML::Node list = section[key];
  if (!list || !list.IsSequence() || list.size() != N)
    throw std::runtime_error(std::string(key) + " must be a list of " + std::to_string(N) + " numbers");
  for (int n = 0; n < N; ++n) {
    result[n] = list[static_cast<std::size_t>(n)].as<double>();
    if (!(std::abs(result[n]) <= most))
      throw std::runtime_error(std::string(key) + " must be within " + std::to_string(most));
  }
  return result;
}

__attribute__((format(printf, 1, 2))) std::string text(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::string section_of(const Mounting::Vector& v) {
  return text("{offset: [%.4f, %.4f, %.4f], tilt: [%.3f, %.3f, %.3f], pan_zero: [%.3f], body_tilt: [%.3f, %.3f]", v[0],
              v[1], v[2], v[3] / kDegree, v[4] / kDegree, v[5] / kDegree, v[6] / kDegree, v[7] / kDegree,
              v[8] / kDegree);
}

}  // namespace

std::optional<Mounting> Mounting::from_robot_text(const std::string& yaml, const std::string& name) {
  try {
    const YAML::Node section = YAML::Load(yaml)["camera_mounting"];
    if (!section) return std::nullopt;
    Mounting mounting;
    mounting.offset = numbers<3>(section, "offset", kMostOffset);
    mounting.tilt = kDegree * numbers<3>(section, "tilt", kMostAngle);
    mounting.pan_zero = kDegree * numbers<1>(section, "pan_zero", kMostAngle)[0];
    mounting.body_tilt = kDegree * numbers<2>(section, "body_tilt", kMostAngle);
    return mounting;
  } catch (const std::exception& error) {
    throw std::runtime_error(name + ": camera_mounting: " + error.what());
  }
}

std::optional<Mounting> Mounting::from_robot_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream all;
  all << file.rdbuf();
  return from_robot_text(all.str(), path);
}

std::string Mounting::into_robot_text(const std::string& yaml, const Vector& deviation) const {
  std::istringstream lines(yaml);
  std::string result, line;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.rfind(kSection, 0) == 0) {
      inside = true;
      continue;
    }
    // Lines that are indented, or close a brace, still belong to the old section.
    if (inside && !line.empty() && (line[0] == ' ' || line[0] == '}')) continue;
    inside = false;
    result += line + "\n";
  }
  result += std::string(kSection) + " " + section_of(vector()) + ",\n  deviation: " + section_of(deviation) + "}}\n";
  return result;
}

}  // namespace hl_vision
