// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hl_animation {

/// An animation file that cannot be used; the text names file, line, value and remedy.
class AnimationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Interpolation : std::uint8_t { Linear, Cubic, Quintic };

/// Posture a motion starts from or ends in.
enum class Posture : std::uint8_t { Any, Standing, Sitting, LyingFront, LyingBack, LyingLeft, LyingRight };

/// Which feet should carry the robot; `None` where it falls, lies or jumps.
enum class Support : std::uint8_t { None, Both, Left, Right };

/// A condition on the trunk's tilt, looked at when a keyframe is reached.
struct TiltCheck {
  std::optional<double> min_pitch, max_pitch;  // rad, positive = forward
  std::optional<double> min_roll, max_roll;    // rad, positive = to the right
  std::string otherwise = "abort";             // "abort", or the label of the keyframe to go on with

  bool holds(double roll, double pitch) const;
};

struct Keyframe {
  double duration = 0.0;                // s, to get there
  double pause = 0.0;                   // s, to stay
  std::map<std::string, double> goals;  // rad, by joint name; other joints move on towards their next goal
  std::optional<double> torque;         // 0..1 of the servo's stall torque, from here on
  std::optional<int> p_gain;            // servo units, from here on
  std::optional<TiltCheck> check;
  Support support = Support::None;  // on the way to this keyframe and while it lasts
  std::string label;                // name to branch to
  int line = 0;                     // in its file, for messages
};

/// A keyframe motion.
struct Animation {
  std::string name;
  std::string author;
  std::string description;
  std::string mirrored_as;  // name of its twin with left and right exchanged; empty: it has none
  Posture start = Posture::Any;
  Posture end = Posture::Any;
  Interpolation interpolation = Interpolation::Cubic;
  bool fall_check = true;      // false: going down is meant (a dive, a protective fall)
  bool interruptible = false;  // another goal may take over
  std::vector<Keyframe> keyframes;

  double duration() const;                  // s, along the keyframes without branches
  std::vector<std::string> joints() const;  // every joint that any keyframe moves, sorted
  std::optional<std::size_t> find(const std::string& label) const;
};

std::string name(Posture posture);
std::string name(Interpolation interpolation);
std::string name(Support support);
std::optional<Posture> posture_from(const std::string& word);

/// Joints that are not zero (rad) when a robot lies stretched out with its arms along the body.
std::map<std::string, double> lying_pose();

/// The same motion with left and right exchanged, under another name. Joints of the two sides turn against each other,
/// so a mirrored angle changes its sign; HeadTilt keeps it.
Animation mirrored(const Animation& animation, const std::string& new_name);

}  // namespace hl_animation
