// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/attitude.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>

namespace hl_hcm {
namespace {

using hl_description::kGravity;

double norm(const Vector3& v) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

bool normalize(Vector3& v) {
  const double length = norm(v);
  if (!(length > 1e-9) || !std::isfinite(length)) return false;
  for (double& x : v) x /= length;
  return true;
}

std::optional<std::string> in_range(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return std::nullopt;
  return std::string(name) + " = " + std::to_string(value) + " must lie in " + std::to_string(low) + ".." +
         std::to_string(high);
}

}  // namespace

const char* name_of(Direction direction) {
  static constexpr const char* names[] = {"none", "front", "back", "left", "right"};
  return names[static_cast<int>(direction)];
}

Vector3 up_from_quaternion(double x, double y, double z, double w) {
  return {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
}

double roll_of(const Vector3& up) {
  return hl_description::tilt_of_up({up[0], up[1], up[2]}).roll;
}
double pitch_of(const Vector3& up) {
  return hl_description::tilt_of_up({up[0], up[1], up[2]}).pitch;
}

const Vector3& TiltEstimator::update(const Vector3& rate, const Vector3& force, double stamp) {
  const bool usable = std::isfinite(norm(rate)) && std::isfinite(norm(force)) && norm(force) > 1.0;
  if (!usable) return up_;
  Vector3 measured = force;
  normalize(measured);
  if (last_ < 0.0 || stamp <= last_ || stamp - last_ > 0.5) {
    up_ = measured;
  } else {
    const double dt = stamp - last_;
    // "Up" is fixed in the world, so in the body's axes it turns the other way: d(up)/dt = up x rate.
    const Vector3 u = up_;
    up_ = {u[0] + dt * (u[1] * rate[2] - u[2] * rate[1]), u[1] + dt * (u[2] * rate[0] - u[0] * rate[2]),
           u[2] + dt * (u[0] * rate[1] - u[1] * rate[0])};
    // The accelerometer is believed slowly, and less the more it differs from gravity alone.
    const double trust = std::max(0.0, 1.0 - std::abs(norm(force) - kGravity) / 3.0) * std::min(1.0, dt / 0.7);
    for (std::size_t i = 0; i < 3; ++i) up_[i] += trust * (measured[i] - up_[i]);
    if (!normalize(up_)) up_ = measured;
  }
  last_ = stamp;
  return up_;
}

std::optional<std::string> FallDetector::Params::validate() const {
  if (auto e = in_range("fall.height", height, 0.05, 2.0)) return e;
  if (auto e = in_range("fall.front_limit", front_limit, 0.1, 2.0)) return e;
  if (auto e = in_range("fall.back_limit", back_limit, 0.1, 2.0)) return e;
  if (auto e = in_range("fall.side_limit", side_limit, 0.1, 2.0)) return e;
  if (auto e = in_range("fall.tilt_limit", tilt_limit, 0.1, 1.5)) return e;
  if (auto e = in_range("fall.rate_filter", rate_filter, 0.0, 0.2)) return e;
  return in_range("fall.debounce", debounce, 0.0, 0.5);
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
  if (!std::isfinite(norm(up)) || !std::isfinite(norm(rate)) || !std::isfinite(stamp)) return state_;
  const double dt = last_ < 0.0 || stamp <= last_ ? 0.0 : stamp - last_;
  if (dt > 0.5 || last_ < 0.0 || stamp < last_) since_ = -1.0;
  const double weight =
      params_.rate_filter > 0.0 && dt > 0.0 && dt < 0.5 ? 1.0 - std::exp(-dt / params_.rate_filter) : 1.0;
  for (std::size_t i = 0; i < 3; ++i) rate_[i] += weight * (rate[i] - rate_[i]);
  last_ = stamp;

  const double pitch = pitch_of(up), roll = roll_of(up);
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
  constexpr double upright = 0.5;  // 60 degrees
  return up[2] > upright ? Direction::None : lower_side(up);
}

Direction lower_side(const Vector3& up) {
  if (std::abs(up[0]) >= std::abs(up[1])) return up[0] < 0.0 ? Direction::Front : Direction::Back;
  return up[1] > 0.0 ? Direction::Right : Direction::Left;
}

double StillnessTimer::update(const Vector3& rate, double stamp) {
  constexpr double notable = 0.5;  // rad/s
  const double speed = norm(rate);
  const double dt = last_ < 0.0 ? 0.0 : stamp - last_;
  last_ = stamp;
  still_ = speed < notable && dt >= 0.0 && dt < 0.5 ? still_ + dt : 0.0;
  return still_;
}

std::optional<std::string> PickUpDetector::Params::validate() const {
  if (auto e = in_range("pick_up.unloaded", unloaded, 0.0, 100.0)) return e;
  if (auto e = in_range("pick_up.loaded", loaded, unloaded, 200.0)) return e;
  return in_range("pick_up.delay", delay, 0.0, 5.0);
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
