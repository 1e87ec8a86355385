// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "hl_animation/animation_file.hpp"

namespace hl_animation {
namespace {

using Json = nlohmann::ordered_json;

/// Hundredths of a degree do: servos resolve 0.09.
double degrees(double radians) {
  const double rounded = std::round(radians * 18000.0 / M_PI) / 100.0;
  return rounded == 0.0 ? 0.0 : rounded;  // not -0
}

Json check_json(const TiltCheck& check) {
  Json json = Json::object();
  const auto limit = [&](const char* key, const std::optional<double>& value) {
    if (value) json[key] = degrees(*value);
  };
  limit("min_pitch", check.min_pitch);
  limit("max_pitch", check.max_pitch);
  limit("min_roll", check.min_roll);
  limit("max_roll", check.max_roll);
  json["otherwise"] = check.otherwise;
  return json;
}

Json keyframe_json(const Keyframe& keyframe) {
  Json json = Json::object();
  if (!keyframe.label.empty()) json["label"] = keyframe.label;
  json["duration"] = keyframe.duration;
  if (keyframe.pause > 0.0) json["pause"] = keyframe.pause;
  if (keyframe.torque) json["torque"] = *keyframe.torque;
  if (keyframe.p_gain) json["p_gain"] = *keyframe.p_gain;
  if (keyframe.support != Support::None) json["support"] = name(keyframe.support);
  if (keyframe.check) json["check"] = check_json(*keyframe.check);
  json["joints"] = Json::object();
  for (const auto& [joint, position] : keyframe.goals) json["joints"][joint] = degrees(position);
  return json;
}

}  // namespace

std::string to_json(const Animation& animation) {
  Json json = {{"name", animation.name},
               {"author", animation.author},
               {"description", animation.description},
               {"start", name(animation.start)},
               {"end", name(animation.end)},
               {"interpolation", name(animation.interpolation)},
               {"fall_check", animation.fall_check},
               {"interruptible", animation.interruptible}};
  if (!animation.mirrored_as.empty()) json["mirrored_as"] = animation.mirrored_as;
  json["keyframes"] = Json::array();
  for (const Keyframe& keyframe : animation.keyframes) json["keyframes"].push_back(keyframe_json(keyframe));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hl_animation
