// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/animation.hpp"

#include <array>
#include <set>
#include <utility>

namespace hl_animation {
namespace {

constexpr std::array<std::pair<Posture, const char*>, 7> kPostures{{{Posture::Any, "any"},
                                                                    {Posture::Standing, "standing"},
                                                                    {Posture::Sitting, "sitting"},
                                                                    {Posture::LyingFront, "lying_front"},
                                                                    {Posture::LyingBack, "lying_back"},
                                                                    {Posture::LyingLeft, "lying_left"},
                                                                    {Posture::LyingRight, "lying_right"}}};

Posture mirrored(Posture posture) {
  if (posture == Posture::LyingLeft) return Posture::LyingRight;
  if (posture == Posture::LyingRight) return Posture::LyingLeft;
  return posture;
}

Support mirrored(Support support) {
  if (support == Support::Left) return Support::Right;
  if (support == Support::Right) return Support::Left;
  return support;
}

std::pair<std::string, double> mirrored_goal(const std::string& joint, double position) {
  if (joint == "HeadTilt") return {joint, position};
  if (joint == "HeadPan") return {joint, -position};
  if (joint[0] == 'L') return {"R" + joint.substr(1), -position};
  if (joint[0] == 'R') return {"L" + joint.substr(1), -position};
  return {joint, position};
}

std::optional<double> negated(const std::optional<double>& value) {
  return value ? std::optional(-*value) : std::nullopt;
}

}  // namespace

bool TiltCheck::holds(double roll, double pitch) const {
  return !(min_pitch && pitch < *min_pitch) && !(max_pitch && pitch > *max_pitch) && !(min_roll && roll < *min_roll) &&
         !(max_roll && roll > *max_roll);
}

double Animation::duration() const {
  double sum = 0.0;
  for (const auto& keyframe : keyframes) sum += keyframe.duration + keyframe.pause;
  return sum;
}

std::vector<std::string> Animation::joints() const {
  std::set<std::string> names;
  for (const auto& keyframe : keyframes) {
    for (const auto& [joint, position] : keyframe.goals) names.insert(joint);
  }
  return {names.begin(), names.end()};
}

std::optional<std::size_t> Animation::find(const std::string& label) const {
  for (std::size_t i = 0; i < keyframes.size(); ++i) {
    if (keyframes[i].label == label) return i;
  }
  return std::nullopt;
}

std::string name(Posture posture) {
  return kPostures[static_cast<std::size_t>(posture)].second;
}

std::optional<Posture> posture_from(const std::string& word) {
  for (const auto& [posture, text] : kPostures) {
    if (word == text) return posture;
  }
  return std::nullopt;
}

std::string name(Interpolation interpolation) {
  constexpr std::array<const char*, 3> kNames{"linear", "cubic", "quintic"};
  return kNames[static_cast<std::size_t>(interpolation)];
}

std::string name(Support support) {
  constexpr std::array<const char*, 4> kNames{"none", "both", "left", "right"};
  return kNames[static_cast<std::size_t>(support)];
}

std::map<std::string, double> lying_pose() {
  constexpr double kShoulderRoll = 0.65;
  constexpr double kElbow = 1.4;
  return {{"LShoulderRoll", kShoulderRoll}, {"RShoulderRoll", -kShoulderRoll}, {"LElbow", kElbow}, {"RElbow", -kElbow}};
}

Animation mirrored(const Animation& animation, const std::string& new_name) {
  Animation result = animation;
  result.name = new_name;
  result.mirrored_as.clear();
  result.start = mirrored(animation.start);
  result.end = mirrored(animation.end);
  for (auto& keyframe : result.keyframes) {
    std::map<std::string, double> goals;
    for (const auto& [joint, position] : keyframe.goals) goals.insert(mirrored_goal(joint, position));
    keyframe.goals = goals;
    keyframe.support = mirrored(keyframe.support);
    if (keyframe.check) {
      const auto [low, high] = std::pair{keyframe.check->min_roll, keyframe.check->max_roll};
      keyframe.check->min_roll = negated(high);
      keyframe.check->max_roll = negated(low);
    }
  }
  return result;
}

}  // namespace hl_animation
