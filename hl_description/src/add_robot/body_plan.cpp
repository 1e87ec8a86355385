// SPDX-License-Identifier: Apache-2.0
#include "body_plan.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace hl_description {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// The words of a name: left_hip_yaw, LHipYaw and l-hip.yaw all have "hip" and "yaw".
std::vector<std::string> words(const std::string& name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool begins = std::isupper(c) && i + 1 < name.size() && std::islower(static_cast<unsigned char>(name[i + 1]));
    if (!std::isalpha(c) || begins) words.emplace_back();
    if (std::isalpha(c)) words.back() += static_cast<char>(std::tolower(c));
  }
  return words;
}

bool has_word(const std::string& name, const char* word) {
  const auto all = words(name);
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::optional<Side> side_of(const std::string& name) {
  if (has_word(name, "left") || has_word(name, "l")) return Side::Left;
  if (has_word(name, "right") || has_word(name, "r")) return Side::Right;
  return std::nullopt;
}

/// Our name for a joint that is called so, without side; empty if it says nothing.
std::string part_of(const std::string& name) {
  const std::string text = lower(name);
  const bool yaw = has(text, "yaw") || has(text, "pan"), roll = has(text, "roll");
  const bool pitch = !yaw && (has(text, "pitch") || has(text, "tilt"));
  if (has(text, "hip")) return yaw ? "HipYaw" : roll ? "HipRoll" : pitch ? "HipPitch" : "";
  if (has(text, "knee")) return "Knee";
  if (has(text, "ank")) return roll ? "AnkleRoll" : pitch ? "AnklePitch" : "";
  if (has(text, "sho")) return roll ? "ShoulderRoll" : pitch ? "ShoulderPitch" : "";
  if ((has(text, "elb") || has_word(name, "el")) && !yaw) return "Elbow";
  if (has(text, "head") || has(text, "neck")) return yaw ? "HeadPan" : pitch ? "HeadTilt" : "";
  return "";
}

/// Joints that turn, from the root to a link.
std::vector<int> turning_to(const Draft& draft, int link) {
  std::vector<int> joints;
  for (int at = link; at >= 0;) {
    const int up = draft.links[static_cast<std::size_t>(at)].parent_joint;
    if (up < 0) break;
    if (draft.joints[static_cast<std::size_t>(up)].turns) joints.insert(joints.begin(), up);
    at = draft.joints[static_cast<std::size_t>(up)].parent;
  }
  return joints;
}

struct Chain {
  std::vector<int> joints;
  Eigen::Vector3d end;
};

/// Chains of turning joints that end somewhere and share none with each other.
std::vector<Chain> chains_of(const Draft& draft) {
  const auto places = draft.places(std::vector<double>(draft.joints.size(), 0.0));
  std::map<int, Chain> longest;  // by first joint
  for (std::size_t link = 0; link < draft.links.size(); ++link) {
    const auto joints = turning_to(draft, static_cast<int>(link));
    if (joints.empty()) continue;
    Chain& chain = longest[joints.front()];
    if (joints.size() > chain.joints.size()) chain = {joints, places[link].translation()};
  }
  std::vector<Chain> chains;
  for (const auto& entry : longest) chains.push_back(entry.second);
  return chains;
}

class Finder {
 public:
  Finder(const Draft& draft, Findings& findings) : draft_(draft), findings_(findings) {}

  BodyPlan find(const Told& told) {
    const std::size_t before = findings_.errors();
    take_told(told.joints);
    take_names();
    take_chains();
    complain();
    if (findings_.errors() == before) find_links();
    take_told_frames(told.frames);
    return plan_;
  }

 private:
  void take_told(const std::map<std::string, std::string>& told);
  void take_told_frames(const std::map<std::string, std::string>& told);
  void take_names();
  void take_chains();
  void take_pair(std::size_t joints, const char* limb, const char* const* names, bool lowest);
  void complain();
  void find_links();
  int below(int joint, std::initializer_list<const char*> words) const;
  bool hangs_on(int link, int joint) const;

  bool taken(int joint) const {
    return std::any_of(plan_.joints.begin(), plan_.joints.end(), [&](const auto& e) { return e.second == joint; });
  }
  const DraftJoint& joint(int index) const { return draft_.joints[static_cast<std::size_t>(index)]; }

  const Draft& draft_;
  Findings& findings_;
  BodyPlan plan_;
};

std::vector<std::string> our_joints() {
  std::vector<std::string> names(kHeadJoints.begin(), kHeadJoints.end());
  for (const Side side : {Side::Left, Side::Right}) {
    for (const char* name : kArmJoints) names.push_back(std::string(joint_prefix(side)) + name);
    for (const char* name : kLegJoints) names.push_back(std::string(joint_prefix(side)) + name);
  }
  return names;
}

void Finder::take_told(const std::map<std::string, std::string>& told) {
  const auto ours = our_joints();
  for (const auto& [name, theirs] : told) {
    const int index = draft_.joint(theirs);
    if (std::find(ours.begin(), ours.end(), name) == ours.end())
      findings_.error(0, "--joint " + name + "=...: there is no such joint in the suite",
                      "one of HeadPan, LHipYaw, ...");
    else if (index < 0 || !joint(index).turns)
      findings_.error(0, "--joint " + name + "=" + theirs + ": the URDF has no such joint that turns",
                      "check its name");
    else
      plan_.joints[name] = index;
  }
}

void Finder::take_told_frames(const std::map<std::string, std::string>& told) {
  for (const auto& [name, theirs] : told) {
    int* const frame = name == "l_sole"         ? &plan_.soles[0]
                       : name == "r_sole"       ? &plan_.soles[1]
                       : name == "imu_frame"    ? &plan_.imu
                       : name == "camera_frame" ? &plan_.camera
                                                : nullptr;
    const int link = draft_.link(theirs);
    if (!frame)
      findings_.error(0, "--frame " + name + "=...: there is no such frame to tell",
                      "one of l_sole, r_sole, imu_frame, camera_frame");
    else if (link < 0)
      findings_.error(0, "--frame " + name + "=" + theirs + ": the URDF has no such link", "check its name");
    else
      *frame = link;
  }
}

void Finder::take_names() {
  for (std::size_t i = 0; i < draft_.joints.size(); ++i) {
    const DraftJoint& candidate = draft_.joints[i];
    const std::string part = part_of(candidate.name);
    if (!candidate.turns || part.empty() || taken(static_cast<int>(i))) continue;
    const bool head = part.rfind("Head", 0) == 0;
    const auto side = side_of(candidate.name);
    if (!head && !side) continue;
    const std::string name = head ? part : joint_prefix(*side) + part;
    if (const auto found = plan_.joints.emplace(name, static_cast<int>(i)); !found.second)
      findings_.guess(candidate.line,
                      "'" + candidate.name + "' and '" + joint(found.first->second).name + "' could both be " + name +
                          "; the latter is taken",
                      "--joint " + name + "=" + candidate.name);
  }
}

/// A pair of chains of so many joints, for limbs whose names say nothing. The one further left is the left one.
void Finder::take_pair(std::size_t joints, const char* limb, const char* const* names, bool lowest) {
  const auto known = [&](Side side) {
    for (std::size_t i = 0; i < joints; ++i)
      if (plan_.joints.count(std::string(joint_prefix(side)) + names[i])) return true;
    return false;
  };
  if (known(Side::Left) || known(Side::Right)) return;
  std::vector<Chain> fitting;
  for (const Chain& chain : chains_of(draft_))
    if (chain.joints.size() == joints &&
        std::none_of(chain.joints.begin(), chain.joints.end(), [&](int j) { return taken(j); }))
      fitting.push_back(chain);
  if (fitting.size() < 2) return;
  std::sort(fitting.begin(), fitting.end(),
            [&](const Chain& a, const Chain& b) { return lowest ? a.end.z() < b.end.z() : a.end.z() > b.end.z(); });
  if (fitting[0].end.y() < fitting[1].end.y()) std::swap(fitting[0], fitting[1]);
  for (const Side side : {Side::Left, Side::Right})
    for (std::size_t i = 0; i < joints; ++i)
      plan_.joints[std::string(joint_prefix(side)) + names[i]] = fitting[static_cast<std::size_t>(side)].joints[i];
  findings_.guess(joint(fitting[0].joints[0]).line,
                  std::string("the ") + limb + "s are found by their structure: the left one begins with '" +
                      joint(fitting[0].joints[0]).name + "'",
                  std::string("--joint L") + names[0] + "=... and so on");
}

void Finder::take_chains() {
  take_pair(kLegJoints.size(), "leg", kLegJoints.data(), true);
  take_pair(kArmJoints.size(), "arm", kArmJoints.data(), false);
  if (plan_.joints.count("HeadPan") || plan_.joints.count("HeadTilt")) return;
  for (const Chain& chain : chains_of(draft_)) {
    if (chain.joints.size() != kHeadJoints.size() || taken(chain.joints[0])) continue;
    for (std::size_t i = 0; i < kHeadJoints.size(); ++i) plan_.joints[kHeadJoints[i]] = chain.joints[i];
    findings_.guess(joint(chain.joints[0]).line,
                    "the head is found by its structure: it begins with '" + joint(chain.joints[0]).name + "'",
                    "--joint HeadPan=... --joint HeadTilt=...");
    return;
  }
}

bool Finder::hangs_on(int link, int above) const {
  const auto joints = turning_to(draft_, link);
  return std::find(joints.begin(), joints.end(), above) != joints.end();
}

void Finder::complain() {
  std::string free;
  for (std::size_t i = 0; i < draft_.joints.size() && free.size() < 400; ++i)
    if (draft_.joints[i].turns && !taken(static_cast<int>(i)))
      free += (free.empty() ? "" : ", ") + draft_.joints[i].name;
  for (const std::string& name : our_joints())
    if (!plan_.joints.count(name))
      findings_.error(0, "no joint is found for " + name,
                      "--joint " + name + "=NAME, one of: " + (free.empty() ? "none is left" : free));
  const auto in_order = [&](const std::vector<std::string>& names) {
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (!plan_.joints.count(names[i]) || !plan_.joints.count(names[i - 1])) continue;
      const DraftJoint& lower_joint = joint(plan_.joint(names[i]));
      if (hangs_on(lower_joint.parent, plan_.joint(names[i - 1]))) continue;
      findings_.error(lower_joint.line,
                      "'" + lower_joint.name + "', taken for " + names[i] + ", does not hang on '" +
                          joint(plan_.joint(names[i - 1])).name + "', taken for " + names[i - 1],
                      "tell which is which with --joint; the suite's legs are yaw, roll, pitch, knee, pitch, roll");
    }
  };
  in_order({kHeadJoints.begin(), kHeadJoints.end()});
  for (const Side side : {Side::Left, Side::Right}) {
    std::vector<std::string> arm, leg;
    for (const char* name : kArmJoints) arm.push_back(std::string(joint_prefix(side)) + name);
    for (const char* name : kLegJoints) leg.push_back(std::string(joint_prefix(side)) + name);
    in_order(arm);
    in_order(leg);
  }
  std::vector<std::string> held;
  for (std::size_t i = 0; i < draft_.joints.size(); ++i) {
    const DraftJoint& joint = draft_.joints[i];
    if (!joint.turns) continue;
    if (!taken(static_cast<int>(i)))
      held.push_back(joint.name);
    else if (!joint.follows.empty())
      findings_.guess(joint.line,
                      "joint '" + joint.name + "' follows '" + joint.follows + "': here both are moved independently",
                      "where one servo moves both, walk without turning (max_turn of the walk)");
  }
  if (!held.empty()) findings_.repaired(0, "joints are held, since the suite moves twenty: " + some_of(held));
}

int Finder::below(int above, std::initializer_list<const char*> wanted) const {
  for (const char* word : wanted)
    for (std::size_t i = 0; i < draft_.links.size(); ++i)
      if (has(lower(draft_.links[i].name), word) && (above < 0 || hangs_on(static_cast<int>(i), above)))
        return static_cast<int>(i);
  return -1;
}

void Finder::find_links() {
  // The trunk is the last link that all limbs share.
  std::vector<int> path;
  for (int at = joint(plan_.joint("LHipYaw")).parent; at >= 0;) {
    path.push_back(at);
    const int up = draft_.links[static_cast<std::size_t>(at)].parent_joint;
    at = up < 0 ? -1 : joint(up).parent;
  }
  const auto above = [&](int link, int ancestor) {
    for (int at = link; at >= 0;) {
      if (at == ancestor) return true;
      const int up = draft_.links[static_cast<std::size_t>(at)].parent_joint;
      at = up < 0 ? -1 : joint(up).parent;
    }
    return false;
  };
  for (const int link : path) {
    if (std::all_of(plan_.joints.begin(), plan_.joints.end(),
                    [&](const auto& entry) { return above(joint(entry.second).parent, link); })) {
      plan_.trunk = link;
      break;
    }
  }
  for (const Side side : {Side::Left, Side::Right})
    plan_.soles[static_cast<std::size_t>(side)] =
        below(plan_.joint(std::string(joint_prefix(side)) + "AnkleRoll"), {"sole"});
  plan_.camera = below(plan_.joint("HeadPan"), {"camera", "cam"});
  plan_.imu = below(-1, {"imu"});
}

}  // namespace

BodyPlan find_body(const Draft& draft, const Told& told, Findings& findings) {
  return Finder(draft, findings).find(told);
}

}  // namespace hl_description
