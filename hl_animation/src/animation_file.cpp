// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/animation_file.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace hl_animation {
namespace {

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

/// A YAML node with the place it came from.
class Reader {
 public:
  Reader(const YAML::Node& node, std::string file) : node_(node), file_(std::move(file)) {}

  [[noreturn]] void fail(const std::string& text) const { fail(node_, text); }

  [[noreturn]] void fail(const YAML::Node& node, const std::string& text) const {
    throw AnimationError(file_ + ":" + std::to_string(line(node)) + ": " + text);
  }

  static int line(const YAML::Node& node) { return node.Mark().line + 1; }
  int line() const { return line(node_); }

  void expect_map(const char* what, const std::set<std::string>& known) const {
    if (!node_.IsMap()) fail(std::string(what) + " must be a map of names and values");
    for (const auto& entry : node_) {
      const auto key = entry.first.as<std::string>("");
      if (known.count(key) != 0) continue;
      std::string list;
      for (const auto& name : known) list += (list.empty() ? "" : ", ") + name;
      fail(entry.first, "unknown entry '" + key + "' in " + what + "; there are: " + list);
    }
  }

  bool has(const char* key) const { return node_[key].IsDefined(); }

  std::string text(const char* key, const std::string& fallback) const {
    if (!has(key)) return fallback;
    if (!node_[key].IsScalar()) fail(node_[key], std::string(key) + " must be a text");
    return node_[key].as<std::string>();
  }

  double number(const char* key, double low, double high) const { return number(node_[key], key, low, high); }

  double number(const YAML::Node& node, const std::string& key, double low, double high) const {
    double value = 0.0;
    const bool valid = node.IsScalar() && YAML::convert<double>::decode(node, value) && std::isfinite(value);
    if (!valid || value < low || value > high) {
      std::ostringstream message;
      message << key << " is '" << (node.IsScalar() ? node.Scalar() : "not a number") << "'; it must be a number from "
              << low << " to " << high;
      fail(node, message.str());
    }
    return value;
  }

  bool flag(const char* key, bool fallback) const {
    bool value = fallback;
    if (has(key) && !YAML::convert<bool>::decode(node_[key], value))
      fail(node_[key], std::string(key) + " must be true or false");
    return value;
  }

  Reader at(const char* key) const { return {node_[key], file_}; }
  const YAML::Node& node() const { return node_; }
  const std::string& file() const { return file_; }

 private:
  YAML::Node node_;
  std::string file_;
};

Posture read_posture(const Reader& reader, const char* key) {
  const auto word = reader.text(key, "any");
  const auto posture = posture_from(word);
  if (!posture) {
    reader.at(key).fail(std::string(key) + " is '" + word +
                        "'; use any, standing, sitting, lying_front, lying_back, lying_left or lying_right");
  }
  return *posture;
}

void read_goals(const Reader& reader, Keyframe& keyframe) {
  if (!reader.node().IsMap()) reader.fail("joints must be a map of joint names and degrees");
  for (const auto& entry : reader.node()) {
    const auto joint = entry.first.as<std::string>("");
    const double degrees = reader.number(entry.second, joint, -kMaxAngle, kMaxAngle);
    const double radians = degrees * kRadiansPerDegree;
    const bool one_side =
        joint.size() > 1 && (joint[0] == 'L' || joint[0] == 'R') && limb_joints().count(joint.substr(1)) != 0;
    if (is_head(joint) || one_side) {
      keyframe.goals[joint] = radians;
    } else if (limb_joints().count(joint) != 0) {  // both sides, symmetric: right servos turn the other way
      keyframe.goals.insert({"L" + joint, radians});
      keyframe.goals.insert({"R" + joint, -radians});
    } else {
      reader.fail(entry.first,
                  "unknown joint '" + joint +
                      "'; there are HeadPan, HeadTilt, and ShoulderPitch, ShoulderRoll, Elbow, HipYaw, HipRoll, "
                      "HipPitch, Knee, AnklePitch, AnkleRoll with L or R in front (without: both sides)");
    }
  }
}

TiltCheck read_check(const Reader& reader) {
  reader.expect_map("check", {"min_pitch", "max_pitch", "min_roll", "max_roll", "otherwise"});
  TiltCheck check;
  const auto angle = [&](const char* key) -> std::optional<double> {
    if (!reader.has(key)) return std::nullopt;
    return reader.number(key, -180.0, 180.0) * kRadiansPerDegree;
  };
  check.min_pitch = angle("min_pitch");
  check.max_pitch = angle("max_pitch");
  check.min_roll = angle("min_roll");
  check.max_roll = angle("max_roll");
  check.otherwise = reader.text("otherwise", "abort");
  if (!check.min_pitch && !check.max_pitch && !check.min_roll && !check.max_roll) {
    reader.fail("check names no limit; give min_pitch, max_pitch, min_roll or max_roll in degrees");
  }
  return check;
}

Keyframe read_keyframe(const Reader& reader) {
  reader.expect_map("a keyframe", {"label", "duration", "pause", "joints", "torque", "p_gain", "check", "support"});
  Keyframe keyframe;
  keyframe.line = reader.line();
  if (!reader.has("duration")) reader.fail("the keyframe has no duration; give the seconds it takes to get there");
  keyframe.duration = reader.number("duration", kMinDuration, kMaxDuration);
  if (reader.has("pause")) keyframe.pause = reader.number("pause", 0.0, kMaxDuration);
  if (reader.has("torque")) keyframe.torque = reader.number("torque", 0.0, 1.0);
  if (reader.has("p_gain")) keyframe.p_gain = static_cast<int>(reader.number("p_gain", 1.0, 254.0));
  if (reader.has("joints")) read_goals(reader.at("joints"), keyframe);
  if (reader.has("check")) keyframe.check = read_check(reader.at("check"));
  keyframe.label = reader.text("label", "");
  const auto support = reader.text("support", "none");
  const std::map<std::string, Support> supports{
      {"none", Support::None}, {"both", Support::Both}, {"left", Support::Left}, {"right", Support::Right}};
  const auto found = supports.find(support);
  if (found == supports.end()) reader.at("support").fail("support is '" + support + "'; use none, both, left or right");
  keyframe.support = found->second;
  return keyframe;
}

void check_labels(const Reader& reader, const Animation& animation) {
  std::set<std::string> labels;
  for (const auto& keyframe : animation.keyframes) {
    if (!keyframe.label.empty() && !labels.insert(keyframe.label).second) {
      throw AnimationError(reader.file() + ":" + std::to_string(keyframe.line) + ": label '" + keyframe.label +
                           "' is used twice");
    }
  }
  for (const auto& keyframe : animation.keyframes) {
    if (!keyframe.check || keyframe.check->otherwise == "abort" || labels.count(keyframe.check->otherwise) != 0)
      continue;
    throw AnimationError(reader.file() + ":" + std::to_string(keyframe.line) + ": check goes on with '" +
                         keyframe.check->otherwise + "', but no keyframe has that label");
  }
}

Animation read_animation(const Reader& reader) {
  reader.expect_map("an animation", {"name", "author", "description", "start", "end", "interpolation", "fall_check",
                                     "interruptible", "mirrored_as", "keyframes"});
  Animation animation;
  animation.name = reader.text("name", "");
  if (animation.name.empty()) reader.fail("the animation has no name");
  animation.author = reader.text("author", "");
  animation.description = reader.text("description", "");
  animation.mirrored_as = reader.text("mirrored_as", "");
  if (animation.mirrored_as == animation.name)
    reader.at("mirrored_as").fail("the mirrored animation needs a name of its own");
  animation.start = read_posture(reader, "start");
  animation.end = read_posture(reader, "end");
  const auto word = reader.text("interpolation", "cubic");
  if (word == "linear") {
    animation.interpolation = Interpolation::Linear;
  } else if (word == "quintic") {
    animation.interpolation = Interpolation::Quintic;
  } else if (word != "cubic") {
    reader.at("interpolation").fail("interpolation is '" + word + "'; use linear, cubic or quintic");
  }
  animation.fall_check = reader.flag("fall_check", true);
  animation.interruptible = reader.flag("interruptible", false);
  const auto keyframes = reader.at("keyframes");
  if (!keyframes.node().IsDefined() || !keyframes.node().IsSequence()) reader.fail(kNoKeyframes);
  if (keyframes.node().size() > kMaxKeyframes)
    keyframes.fail("more than " + std::to_string(kMaxKeyframes) + " keyframes");
  for (const auto& node : keyframes.node()) animation.keyframes.push_back(read_keyframe(Reader(node, reader.file())));
  check_labels(reader, animation);
  return animation;
}

YAML::Node parsed(const std::string& text, const std::string& file_name) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw AnimationError(file_name + ":" + std::to_string(error.mark.line + 1) + ": not readable: " + error.msg);
  }
}

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string degrees_text(double radians) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", radians / kRadiansPerDegree);
  const std::string result = text;
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
  return read_animation(Reader(parsed(yaml, file_name), file_name));
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
  const auto root = parsed(text, file_name);  // JSON is YAML
  const Reader reader(root, file_name);
  if (!root.IsMap() || !root["keyframes"] || !root["keyframes"].IsSequence()) {
    reader.fail("not a keyframe file: it needs \"name\" and a list \"keyframes\"");
  }
  Animation animation;
  animation.name = reader.text("name", std::filesystem::path(file_name).stem().string());
  animation.author = reader.text("author", "");
  animation.description = reader.text("description", "");
  for (const auto& node : root["keyframes"]) {
    const Reader frame(node, file_name);
    if (!node.IsMap() || !node["goals"]) frame.fail("the keyframe has no \"goals\"");
    Keyframe keyframe;
    keyframe.line = frame.line();
    keyframe.duration =
        std::max(frame.has("duration") ? frame.number("duration", 0.0, kMaxDuration) : 1.0, kMinDuration);
    if (frame.has("pause")) keyframe.pause = frame.number("pause", 0.0, kMaxDuration);
    read_goals(frame.at("goals"), keyframe);
    animation.keyframes.push_back(keyframe);
  }
  if (animation.keyframes.empty()) reader.fail("the file has no keyframes");
  return animation;
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
