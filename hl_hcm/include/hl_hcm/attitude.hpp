// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>

namespace hl_hcm {

using Vector3 = Eigen::Vector3d;  // x forward, y left, z up of the body

/// Which way a robot goes down or lies; None = neither.
enum class Direction { None, Front, Back, Left, Right };
const char* name_of(Direction direction);

/// Tilt from gyro and accelerometer for IMUs without an orientation of their own.
class TiltEstimator {
 public:
  /// One sample: turn rate (rad/s) and specific force (m/s^2) in the body's axes, at `stamp` (s).
  const Vector3& update(const Vector3& rate, const Vector3& force, double stamp);
  const Vector3& up() const { return up_; }

 private:
  Vector3 up_{0, 0, 1};
  double last_ = -1.0;
};

/// Decides from the torso's tilt and turn rate whether a fall can still be prevented: the body is taken as an inverted
/// pendulum, and what counts is where it will end up (capture point, as an angle): tilt + turn rate / natural
/// frequency.
class FallDetector {
 public:
  struct Params {
    double height = 0.30;       // m, of the centre of mass above the ground; gives the natural frequency
    double front_limit = 0.70;  // rad of capture angle beyond which it cannot be held
    double back_limit = 0.65;
    double side_limit = 0.65;
    double tilt_limit = 0.90;                     // rad, no return beyond this tilt even at rest
    double rate_filter = 0.015;                   // s, low-pass of the turn rate: foot impacts are not a fall
    double debounce = 0.03;                       // s the condition must hold
    std::optional<std::string> validate() const;  // the first bad value, in words
  };
  static const hl_node::ParameterTable<Params>& parameters();

  FallDetector();
  explicit FallDetector(const Params& params);
  void set(const Params& params);

  /// One IMU sample taken at `stamp` (s). `factor` widens (> 1) or narrows the limits.
  Direction update(const Vector3& up, const Vector3& rate, double stamp, double factor = 1.0);
  Direction state() const { return state_; }
  double margin() const { return margin_; }  // 1 = upright at rest, 0 = limit, negative = beyond
  void reset();

 private:
  Params params_;
  double omega_ = 5.7;  // rad/s
  Vector3 rate_{0, 0, 0};
  double last_ = -1.0, since_ = -1.0;
  double margin_ = 1.0;
  Direction state_ = Direction::None;
};

/// How it lies, from the tilt; None = upright (or nearly).
Direction lying(const Vector3& up);
/// The side that is nearest to the ground.
Direction lower_side(const Vector3& up);

/// Time without notable motion, s.
class StillnessTimer {
 public:
  double update(const Vector3& rate, double stamp);  // rad/s
  double still() const { return still_; }

 private:
  double last_ = -1.0, still_ = 0.0;
};

/// Feet without load while the body is upright: in somebody's hands.
class PickUpDetector {
 public:
  struct Params {
    double unloaded = 3.0;  // N on both feet together; less = in the air
    double loaded = 12.0;   // N; more = on the ground again
    double delay = 0.4;     // s the feet must be unloaded
    std::optional<std::string> validate() const;
  };
  static const hl_node::ParameterTable<Params>& parameters();
  void set(const Params& params) { params_ = params; }
  /// Sum of the forces of both feet (N), nothing if there are no sensors.
  bool update(std::optional<double> load, bool upright, double now);
  bool lifted() const { return lifted_; }

 private:
  Params params_;
  double since_ = -1.0;
  bool lifted_ = false;
};

}  // namespace hl_hcm
