// SPDX-License-Identifier: Apache-2.0
#include "adapted_motions.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>

#include "yaml_text.hpp"

namespace hl_description {
namespace {

// A motion between two keyframes is this much faster in its middle than on average.
constexpr double kPeak = 1.9;

/// A joint as animations name it: "HeadPan", "LElbow" or, for both sides, "Elbow".
struct Named {
  bool whole = true;
  std::string left, right;

  Named(const RobotModel& model, const std::string& name) : whole(model.joint_index(name).has_value()) {
    left = whole ? name : "L" + name;
    right = whole ? name : "R" + name;
  }
  bool known(const RobotModel& model) const { return model.joint_index(left) && model.joint_index(right); }
  /// Nearest angle that both sides can take.
  double inside_limits(const RobotModel& model, double angle) const {
    const double own = inside(model.limits(model.joint(left)), angle);
    return whole ? own : -inside(model.limits(model.joint(right)), -own);
  }
};

}  // namespace

std::string Adaptation::motion_yaml(const std::string& path, std::size_t& changed) const {
  YAML::Node file = YAML::LoadFile(path);
  std::map<std::string, double> last;  // rad, by joint as the animation names it
  const auto start = file["start"] ? file["start"].as<std::string>() : "standing";
  for (auto keyframe : file["keyframes"]) {
    double least = 0.0;  // s, of the way here
    for (auto entry : keyframe["joints"]) {
      const auto name = entry.first.as<std::string>();
      const Named joint(model, name);
      if (!joint.known(model) || !entry.second.IsScalar()) continue;
      const double angle = entry.second.as<double>() * kDegree;
      const auto index = model.joint(joint.left);
      const auto other = like_standing.find(joint.left);
      double own = angle;
      if (other != like_standing.end() && std::abs(other->second - angle) < 0.1 * kDegree && std::abs(angle) > 0.1)
        own = standing[static_cast<Eigen::Index>(index)];
      own = joint.inside_limits(model, own);
      if (std::abs(own - angle) > 0.2 * kDegree) ++changed;
      keyframe["joints"][name] = degrees(own);
      const auto before = last.find(name);
      if (before != last.end() || start == "standing") {
        const double from = before != last.end() ? before->second : standing[static_cast<Eigen::Index>(index)];
        least = std::max(least, kPeak * std::abs(own - from) / model.limits(index).velocity);
      }
      last[name] = own;
    }
    if (keyframe["duration"] && keyframe["duration"].IsScalar())
      keyframe["duration"] = number(std::max(time * keyframe["duration"].as<double>(), least), 2);
    keyframe.SetStyle(YAML::EmitterStyle::Flow);
  }
  YAML::Emitter out;
  out << file;
  return std::string("# SPDX-License-Identifier: Apache-2.0\n") + out.c_str() + "\n";
}

std::string motion_tune_yaml(const RobotModel& model, const std::string& robot, const std::string& motion) {
  constexpr double kRange = 30.0 * kDegree;
  const YAML::Node file = YAML::Load(motion);
  const auto name = file["name"].as<std::string>();
  std::string text = "# SPDX-License-Identifier: Apache-2.0\n# ros2 run hl_match tune animation " + name +
                     ".yaml THIS_FILE found.yaml --robot " + robot +
                     " --from WORKSPACE\n# Begun by `add_robot`.\nparameters:\n";
  const auto line = [&](std::size_t keyframe, const std::string& what, double low, double high, double start) {
    text += "  " + std::to_string(keyframe) + "." + what + ": {min: " + number(low, 2) + ", max: " + number(high, 2) +
            ", start: " + number(std::clamp(start, low, high), 2) + "}\n";
  };
  std::size_t count = 0;
  const std::size_t all = file["keyframes"].size();
  for (const auto& keyframe : file["keyframes"]) {
    ++count;
    const auto duration = keyframe["duration"].as<double>();
    line(count, "duration", 0.6 * duration, 1.8 * duration, duration);
    if (count == all) break;  // the robot's own stand
    for (const auto& entry : keyframe["joints"]) {
      const auto own = entry.first.as<std::string>();
      const Named joint(model, own);
      if (!joint.known(model) || !entry.second.IsScalar()) continue;
      const double angle = entry.second.as<double>() * kDegree;
      if (std::abs(angle) < 0.01 * kDegree) continue;  // it stays straight
      const double low = joint.inside_limits(model, angle - kRange), high = joint.inside_limits(model, angle + kRange);
      if (high - low > 2.0 * kDegree) line(count, own, low / kDegree, high / kDegree, angle / kDegree);
    }
  }
  return text +
         "objective: {stand: 4, upright: 1, high: 2, balance: 3, fast: 0.1, gentle: 0.5, limits: 0.5}\n"
         "seeds: [1, 2, 3]\ngenerations: 400\npopulation: 16\nsigma: 0.2\nabandon_below: 3.0\nworst_share: 0.5\n";
}

}  // namespace hl_description
