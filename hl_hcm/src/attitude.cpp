// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/attitude.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>

namespace hl_hcm {
namespace {

using hl_description::kGravity;

}  // namespace

const char* name_of(Direction direction) {
  static constexpr const char* kNames[] = {"none", "front", "back", "left", "right"};
  return kNames[static_cast<int>(direction)];
}

const Vector3& TiltEstimator::update(const Vector3& rate, const Vector3& force, double stamp) {
  const bool usable = std::isfinite(rate.norm()) && std::isfinite(force.norm()) && force.norm() > 1.0;
  if (!usable) return up_;
  const Vector3 measured = force.normalized();
  if (last_ < 0.0 || stamp <= last_ || stamp - last_ > 0.5) {
    up_ = measured;
  } else {
    const double dt = stamp - last_;
    // "Up" is fixed in the world, so in the body's axes it turns the other way: d(up)/dt = up x rate.
    up_ += dt * up_.cross(rate);
    // The accelerometer is believed slowly, and less the more it differs from gravity alone.
    const double trust = std::max(0.0, 1.0 - std::abs(force.norm() - kGravity) / 3.0) * std::min(1.0, dt / 0.7);
    up_ += trust * (measured - up_);
    up_ = up_.norm() > 1e-9 && std::isfinite(up_.norm()) ? Vector3(up_.normalized()) : measured;
  }
  last_ = stamp;
  return up_;
}

const hl_node::ParameterTable<FallDetector::Params>& FallDetector::parameters() {
  using P = Params;
  static const hl_node::ParameterTable<P> table({
      {"height", &P::height, 0.05, 2.0, "height of the centre of mass, m; gives the pendulum's natural frequency"},
      {"front_limit", &P::front_limit, 0.1, 2.0,
       "capture angle to the front beyond which the robot counts as falling, rad"},
      {"back_limit", &P::back_limit, 0.1, 2.0, "the same to the back, rad"},
      {"side_limit", &P::side_limit, 0.1, 2.0, "the same to the sides, rad"},
      {"tilt_limit", &P::tilt_limit, 0.1, 1.5, "tilt of no return even at rest, rad"},
      {"rate_filter", &P::rate_filter, 0.0, 0.2, "low-pass of the turn rate, s"},
      {"debounce", &P::debounce, 0.0, 0.5, "time the condition must hold, s"},
  });
  return table;
}

std::optional<std::string> FallDetector::Params::validate() const {
  return parameters().check(*this);
}

FallDetector::FallDetector() : FallDetector(Params()) {}
FallDetector::FallDetector(const Params& params) {
  set(params);
}

void FallDetector::set(const Params& params) {
  params_ = params;
  omega_ = std::sqrt(kGravity / params.height);
}

void FallDetector::reset() {
  since_ = last_ = -1.0;
  rate_ = {0, 0, 0};
  state_ = Direction::None;
  margin_ = 1.0;
}

Direction FallDetector::update(const Vector3& up, const Vector3& rate, double stamp, double factor) {
  if (!std::isfinite(up.norm()) || !std::isfinite(rate.norm()) || !std::isfinite(stamp)) return state_;
  const double dt = last_ < 0.0 || stamp <= last_ ? 0.0 : stamp - last_;
  if (dt > 0.5 || last_ < 0.0 || stamp < last_) since_ = -1.0;
  const double weight =
      params_.rate_filter > 0.0 && dt > 0.0 && dt < 0.5 ? 1.0 - std::exp(-dt / params_.rate_filter) : 1.0;
  rate_ += weight * (rate - rate_);
  last_ = stamp;

  const auto [roll, pitch] = hl_description::tilt_of_up(up);
  const double pitch_capture = pitch + rate_[1] / omega_, roll_capture = roll + rate_[0] / omega_;
  // A turn back towards upright does not make a large tilt harmless: the tilt alone counts too.
  const double front = std::max(pitch_capture / params_.front_limit, pitch / params_.tilt_limit) / factor;
  const double back = std::max(-pitch_capture / params_.back_limit, -pitch / params_.tilt_limit) / factor;
  const double right = std::max(roll_capture / params_.side_limit, roll / params_.tilt_limit) / factor;
  const double left = std::max(-roll_capture / params_.side_limit, -roll / params_.tilt_limit) / factor;
  const double worst = std::max({front, back, right, left});
  margin_ = 1.0 - std::max(0.0, worst);

  if (worst < 1.0) {
    since_ = -1.0;
    return state_ = Direction::None;
  }
  if (since_ < 0.0) since_ = stamp;
  if (state_ == Direction::None && stamp - since_ >= params_.debounce) {
    state_ = worst == front   ? Direction::Front
             : worst == back  ? Direction::Back
             : worst == right ? Direction::Right
                              : Direction::Left;
  }
  return state_;
}

Direction lying(const Vector3& up) {
  constexpr double kUpright = 0.5;  // 60 degrees
  return up[2] > kUpright ? Direction::None : lower_side(up);
}

Direction lower_side(const Vector3& up) {
  if (std::abs(up[0]) >= std::abs(up[1])) return up[0] < 0.0 ? Direction::Front : Direction::Back;
  return up[1] > 0.0 ? Direction::Right : Direction::Left;
}

double StillnessTimer::update(const Vector3& rate, double stamp) {
  constexpr double kNotable = 0.5;  // rad/s
  const double speed = rate.norm();
  const double dt = last_ < 0.0 ? 0.0 : stamp - last_;
  last_ = stamp;
  still_ = speed < kNotable && dt >= 0.0 && dt < 0.5 ? still_ + dt : 0.0;
  return still_;
}

const hl_node::ParameterTable<PickUpDetector::Params>& PickUpDetector::parameters() {
  using P = Params;
  static const hl_node::ParameterTable<P> table({
      {"unloaded", &P::unloaded, 0.0, 100.0, "force on both feet below which they count as in the air, N"},
      {"loaded", &P::loaded, 0.0, 200.0, "force on both feet above which they are on the ground again, N"},
      {"delay", &P::delay, 0.0, 5.0, "time the feet must be unloaded, s"},
  });
  return table;
}

std::optional<std::string> PickUpDetector::Params::validate() const {
  if (auto error = parameters().check(*this)) return error;
  if (loaded < unloaded) return "loaded must not be smaller than unloaded";
  return std::nullopt;
}

bool PickUpDetector::update(std::optional<double> load, bool upright, double now) {
  if (!load) {
    since_ = -1.0;
    return lifted_ = false;
  }
  if (*load < params_.unloaded && (upright || lifted_)) {
    if (since_ < 0.0) since_ = now;
    if (now - since_ >= params_.delay) lifted_ = true;
  } else {
    since_ = -1.0;
    if (*load > params_.loaded) lifted_ = false;
  }
  return lifted_;
}

}  // namespace hl_hcm
