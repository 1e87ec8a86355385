// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <hl_description/formatted.hpp>
#include <hl_description/yaml_reader.hpp>
#include <sstream>

#include "hl_vision/mounting.hpp"

namespace hl_vision {
namespace {

constexpr char kSection[] = "camera_mounting:";
constexpr double kDegree = M_PI / 180.0;
constexpr double kMostOffset = 0.1;  // m
constexpr double kMostAngle = 20.0;  // degrees

using hl_description::YamlReader;

template <int N>
Eigen::Matrix<double, N, 1> numbers(const YamlReader& section, const char* key, double most) {
  Eigen::Matrix<double, N, 1> result;
  const auto items = section[key].items(N);
  for (int n = 0; n < N; ++n) result[n] = items[static_cast<std::size_t>(n)].number_in(-most, most);
  return result;
}

std::string section_of(const Mounting::Vector& v) {
  return hl_description::formatted(
      "{offset: [%.4f, %.4f, %.4f], tilt: [%.3f, %.3f, %.3f], pan_zero: [%.3f], body_tilt: [%.3f, %.3f]", v[0], v[1],
      v[2], v[3] / kDegree, v[4] / kDegree, v[5] / kDegree, v[6] / kDegree, v[7] / kDegree, v[8] / kDegree);
}

}  // namespace

std::optional<Mounting> Mounting::from_robot_text(const std::string& yaml, const std::string& name) {
  const auto robot = YamlReader::from_text(yaml, name);
  if (!robot.has("camera_mounting")) return std::nullopt;
  const auto section = robot["camera_mounting"];
  Mounting mounting;
  mounting.offset = numbers<3>(section, "offset", kMostOffset);
  mounting.tilt = kDegree * numbers<3>(section, "tilt", kMostAngle);
  mounting.pan_zero = kDegree * numbers<1>(section, "pan_zero", kMostAngle)[0];
  mounting.body_tilt = kDegree * numbers<2>(section, "body_tilt", kMostAngle);
  return mounting;
}

std::optional<Mounting> Mounting::from_robot_file(const std::string& path) {
  return from_robot_text(YamlReader::read_file(path), path);
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
