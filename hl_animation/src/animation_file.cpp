// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/animation_file.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <hl_description/yaml_reader.hpp>
#include <set>
#include <sstream>

namespace hl_animation {
namespace {

using hl_description::YamlReader;

constexpr double kRadiansPerDegree = M_PI / 180.0;
constexpr double kMaxAngle = 360.0;    // degrees; more is a slip of the pen
constexpr double kMaxDuration = 60.0;  // s
constexpr double kMinDuration = 0.02;  // s; two control ticks
constexpr std::size_t kMaxKeyframes = 500;
constexpr const char* kNoKeyframes = "the animation has no keyframes; give a list with at least one";
constexpr std::uintmax_t kMaxFileSize = 1'000'000;  // bytes

/// Joints that exist once; all others exist on both sides, and a name without side means both.
bool is_head(const std::string& joint) {
  return joint == "HeadPan" || joint == "HeadTilt";
}

const std::set<std::string>& limb_joints() {
  static const std::set<std::string> names{"ShoulderPitch", "ShoulderRoll", "Elbow",      "HipYaw",   "HipRoll",
                                           "HipPitch",      "Knee",         "AnklePitch", "AnkleRoll"};
  return names;
}

/// Whatever is wrong with the file.
template <class Read>
auto animation_errors(Read read) {
  try {
    return read();
  } catch (const hl_description::ModelError& error) {
    throw AnimationError(error.what());
  }
}

Posture read_posture(const YamlReader& reader, const char* key) {
  const auto posture = posture_from(reader.text(key, "any"));
  if (!posture) reader[key].refuse("use any, standing, sitting, lying_front, lying_back, lying_left or lying_right");
  return *posture;
}

void read_goals(const YamlReader& reader, Keyframe& keyframe) {
  for (const auto& [joint, value] : reader.entries()) {
    const double radians = value.number_in(-kMaxAngle, kMaxAngle) * kRadiansPerDegree;
    const bool one_side =
        joint.size() > 1 && (joint[0] == 'L' || joint[0] == 'R') && limb_joints().count(joint.substr(1)) != 0;
    if (is_head(joint) || one_side) {
      keyframe.goals[joint] = radians;
    } else if (limb_joints().count(joint) != 0) {  // both sides, symmetric: right servos turn the other way
      keyframe.goals.insert({"L" + joint, radians});
      keyframe.goals.insert({"R" + joint, -radians});
    } else {
      value.refuse(
          "unknown joint; there are HeadPan, HeadTilt, and ShoulderPitch, ShoulderRoll, Elbow, HipYaw, HipRoll, "
          "HipPitch, Knee, AnklePitch, AnkleRoll with L or R in front (without: both sides)");
    }
  }
}

TiltCheck read_check(const YamlReader& reader) {
  reader.only({"min_pitch", "max_pitch", "min_roll", "max_roll", "otherwise"});
  TiltCheck check;
  const auto angle = [&](const char* key) -> std::optional<double> {
    if (!reader.has(key)) return std::nullopt;
    return reader[key].number_in(-180.0, 180.0) * kRadiansPerDegree;
  };
  check.min_pitch = angle("min_pitch");
  check.max_pitch = angle("max_pitch");
  check.min_roll = angle("min_roll");
  check.max_roll = angle("max_roll");
  check.otherwise = reader.text("otherwise", "abort");
  if (!check.min_pitch && !check.max_pitch && !check.min_roll && !check.max_roll)
    reader.refuse("it names no limit; give min_pitch, max_pitch, min_roll or max_roll in degrees");
  return check;
}

Keyframe read_keyframe(const YamlReader& reader) {
  reader.only({"label", "duration", "pause", "joints", "torque", "p_gain", "check", "support"});
  Keyframe keyframe;
  keyframe.line = reader.line();
  if (!reader.has("duration")) reader.refuse("the keyframe has no duration; give the seconds it takes to get there");
  keyframe.duration = reader["duration"].number_in(kMinDuration, kMaxDuration);
  keyframe.pause = reader.number_in("pause", 0.0, kMaxDuration, keyframe.pause);
  if (reader.has("torque")) keyframe.torque = reader["torque"].number_in(0.0, 1.0);
  if (reader.has("p_gain")) keyframe.p_gain = reader["p_gain"].integer_in(1, 254);
  if (reader.has("joints")) read_goals(reader["joints"], keyframe);
  if (reader.has("check")) keyframe.check = read_check(reader["check"]);
  keyframe.label = reader.text("label", "");
  keyframe.support = reader.word<Support>(
      "support", {{"none", Support::None}, {"both", Support::Both}, {"left", Support::Left}, {"right", Support::Right}},
      Support::None);
  return keyframe;
}

void check_labels(const std::vector<YamlReader>& readers, const std::vector<Keyframe>& keyframes) {
  std::set<std::string> labels;
  for (std::size_t k = 0; k < keyframes.size(); ++k) {
    if (!keyframes[k].label.empty() && !labels.insert(keyframes[k].label).second)
      readers[k]["label"].refuse("'" + keyframes[k].label + "' is used twice");
  }
  for (std::size_t k = 0; k < keyframes.size(); ++k) {
    const auto& check = keyframes[k].check;
    if (check && check->otherwise != "abort" && labels.count(check->otherwise) == 0)
      readers[k]["check"].refuse("it goes on with '" + check->otherwise + "', but no keyframe has that label");
  }
}

Animation read_animation(const YamlReader& reader) {
  reader.only({"name", "author", "description", "start", "end", "interpolation", "fall_check", "interruptible",
               "mirrored_as", "keyframes"});
  Animation animation;
  animation.name = reader.text("name", "");
  if (animation.name.empty()) reader.refuse("the animation has no name");
  animation.author = reader.text("author", "");
  animation.description = reader.text("description", "");
  animation.mirrored_as = reader.text("mirrored_as", "");
  if (animation.mirrored_as == animation.name)
    reader["mirrored_as"].refuse("the mirrored animation needs a name of its own");
  animation.start = read_posture(reader, "start");
  animation.end = read_posture(reader, "end");
  animation.interpolation = reader.word<Interpolation>(
      "interpolation",
      {{"linear", Interpolation::Linear}, {"cubic", Interpolation::Cubic}, {"quintic", Interpolation::Quintic}},
      Interpolation::Cubic);
  animation.fall_check = reader.flag("fall_check", true);
  animation.interruptible = reader.flag("interruptible", false);
  if (!reader.has("keyframes") || !reader["keyframes"].is_list()) reader.refuse(kNoKeyframes);
  const auto keyframes = reader["keyframes"].items();
  if (keyframes.size() > kMaxKeyframes)
    reader["keyframes"].refuse("more than " + std::to_string(kMaxKeyframes) + " keyframes");
  for (const auto& keyframe : keyframes) animation.keyframes.push_back(read_keyframe(keyframe));
  check_labels(keyframes, animation.keyframes);
  return animation;
}

std::string short_text(double value) {
  return hl_description::formatted("%.4g", value);
}

std::string degrees_text(double radians) {
  const std::string result = hl_description::formatted("%.1f", radians / kRadiansPerDegree);
  return result == "-0.0" ? "0.0" : result;
}

}  // namespace

std::vector<Animation> parse_animations(const std::string& yaml, const std::string& file_name) {
  std::vector<Animation> animations{parse_draft(yaml, file_name)};
  if (animations[0].keyframes.empty()) throw AnimationError(file_name + ":1: " + kNoKeyframes);
  if (!animations[0].mirrored_as.empty()) animations.push_back(mirrored(animations[0], animations[0].mirrored_as));
  return animations;
}

Animation parse_draft(const std::string& yaml, const std::string& file_name) {
  return animation_errors([&] { return read_animation(YamlReader::from_text(yaml, file_name)); });
}

std::vector<Animation> load_animations(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size > kMaxFileSize) {
    throw AnimationError(path + ": " + (error ? error.message() : "larger than any animation; is it the right file?"));
  }
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return parse_animations(text.str(), path);
}

std::string to_yaml(const Animation& animation) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "name" << YAML::Value << animation.name;
  if (!animation.mirrored_as.empty()) out << YAML::Key << "mirrored_as" << YAML::Value << animation.mirrored_as;
  out << YAML::Key << "author" << YAML::Value << animation.author;
  out << YAML::Key << "description" << YAML::Value << animation.description;
  out << YAML::Key << "start" << YAML::Value << name(animation.start);
  out << YAML::Key << "end" << YAML::Value << name(animation.end);
  out << YAML::Key << "interpolation" << YAML::Value << name(animation.interpolation);
  out << YAML::Key << "fall_check" << YAML::Value << animation.fall_check;
  out << YAML::Key << "interruptible" << YAML::Value << animation.interruptible;
  out << YAML::Key << "keyframes" << YAML::Value << YAML::BeginSeq;
  for (const auto& keyframe : animation.keyframes) {
    out << YAML::BeginMap;
    if (!keyframe.label.empty()) out << YAML::Key << "label" << YAML::Value << keyframe.label;
    out << YAML::Key << "duration" << YAML::Value << short_text(keyframe.duration);
    if (keyframe.pause > 0.0) out << YAML::Key << "pause" << YAML::Value << short_text(keyframe.pause);
    if (keyframe.torque) out << YAML::Key << "torque" << YAML::Value << short_text(*keyframe.torque);
    if (keyframe.p_gain) out << YAML::Key << "p_gain" << YAML::Value << *keyframe.p_gain;
    if (keyframe.support != Support::None) out << YAML::Key << "support" << YAML::Value << name(keyframe.support);
    if (keyframe.check) {
      out << YAML::Key << "check" << YAML::Value << YAML::Flow << YAML::BeginMap;
      const auto limit = [&](const char* key, const std::optional<double>& value) {
        if (value) out << YAML::Key << key << YAML::Value << degrees_text(*value);
      };
      limit("min_pitch", keyframe.check->min_pitch);
      limit("max_pitch", keyframe.check->max_pitch);
      limit("min_roll", keyframe.check->min_roll);
      limit("max_roll", keyframe.check->max_roll);
      out << YAML::Key << "otherwise" << YAML::Value << keyframe.check->otherwise << YAML::EndMap;
    }
    out << YAML::Key << "joints" << YAML::Value << YAML::Flow << YAML::BeginMap;
    for (const auto& [joint, position] : keyframe.goals) {
      out << YAML::Key << joint << YAML::Value << degrees_text(position);
    }
    out << YAML::EndMap << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

Animation import_json(const std::string& text, const std::string& file_name) {
  return animation_errors([&] {
    const auto reader = YamlReader::from_text(text, file_name);  // JSON is YAML
    if (!reader.has("keyframes") || !reader["keyframes"].is_list())
      reader.refuse("not a keyframe file: it needs \"name\" and a list \"keyframes\"");
    Animation animation;
    animation.name = reader.text("name", std::filesystem::path(file_name).stem().string());
    animation.author = reader.text("author", "");
    animation.description = reader.text("description", "");
    for (const auto& frame : reader["keyframes"].items()) {
      if (!frame.has("goals")) frame.refuse("the keyframe has no \"goals\"");
      Keyframe keyframe;
      keyframe.line = frame.line();
      keyframe.duration = std::max(frame.number_in("duration", 0.0, kMaxDuration, 1.0), kMinDuration);
      keyframe.pause = frame.number_in("pause", 0.0, kMaxDuration, keyframe.pause);
      read_goals(frame["goals"], keyframe);
      animation.keyframes.push_back(keyframe);
    }
    if (animation.keyframes.empty()) reader.refuse("the file has no keyframes");
    return animation;
  });
}

Animation import_fumanoid(const std::string& text, const std::string& file_name,
                          const std::vector<std::string>& joints) {
  constexpr double kTicks = 1023.0;  // of the old servos, over 300 degrees
  constexpr double kRange = 300.0 * kRadiansPerDegree;
  Animation animation;
  animation.name = std::filesystem::path(file_name).stem().string();
  std::istringstream lines(text);
  std::string line;
  double duration = 1.0;  // s; the first move has none of its own
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto fail = [&](const std::string& reason) {
      throw AnimationError(file_name + ":" + std::to_string(number) + ": " + reason);
    };
    std::vector<double> values;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      if (cell.find_first_not_of(" \t\r") == std::string::npos) continue;
      char* end = nullptr;
      values.push_back(std::strtod(cell.c_str(), &end));
      if (end == cell.c_str() || !std::isfinite(values.back())) fail("'" + cell + "' is not a number");
    }
    if (values.empty()) continue;
    if (values.size() == 1 && values[0] == -1.0) break;
    if (values.size() != joints.size() + 1) {
      fail(std::to_string(values.size()) + " values; expected one for each of the " + std::to_string(joints.size()) +
           " motors and the delay");
    }
    Keyframe keyframe;
    keyframe.line = number;
    keyframe.duration = std::max(duration, kMinDuration);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (values[i] < 0.0 || values[i] > kTicks)
        fail("position " + std::to_string(values[i]) + " is not within 0..1023");
      if (!joints[i].empty()) keyframe.goals[joints[i]] = (values[i] / kTicks - 0.5) * kRange;
    }
    duration = std::clamp(values.back() / 1000.0, kMinDuration, kMaxDuration);
    animation.keyframes.push_back(keyframe);
  }
  if (animation.keyframes.empty()) throw AnimationError(file_name + ": no moves in this file");
  return animation;
}

bool is_plain(const std::string& name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                              std::string::npos;
}

AnimationLibrary AnimationLibrary::from_folder(const std::string& folder) {
  AnimationLibrary library;
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  if (error) library.errors.push_back(folder + ": " + error.message());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    try {
      for (auto& animation : load_animations(path.string())) {
        const auto known = library.files.find(animation.name);
        if (known != library.files.end()) {
          library.errors.push_back(path.string() + ": the name '" + animation.name + "' is taken by " + known->second);
          continue;
        }
        library.files[animation.name] = path.string();
        library.animations[animation.name] = std::move(animation);
      }
    } catch (const AnimationError& broken) {
      library.errors.emplace_back(broken.what());
    }
  }
  return library;
}

}  // namespace hl_animation
