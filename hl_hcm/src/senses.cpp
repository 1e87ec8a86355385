// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/senses.hpp"

#include <algorithm>
#include <cmath>

namespace hl_hcm {
namespace {

constexpr double kUnstableFactor = 0.85;  // of the fall limits when the walk itself says that it loses its balance

bool any_leg(const JointSet& joints, const HardwareReport::Names& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto joint = joints.find(name);
    return joint && joints.joints[*joint].limb == Limb::Leg;
  });
}

}  // namespace

HardwareReport HardwareReport::from(const JointSet& joints, bool error, bool torque_on, const Names& limp,
                                    const Names& overloaded, const Names& hot) {
  return {error, torque_on, any_leg(joints, limp) || any_leg(joints, overloaded), any_leg(joints, hot)};
}

Senses::Senses(const JointSet& joints, const Params& params) : joints_(joints) {
  set(params);
}

void Senses::set(const Params& params) {
  params_ = params;
  fall_.set(params.fall);
  pick_up_.set(params.pick_up);
}

void Senses::on_joint_states(const JointArray& positions, double stamp, double now) {
  if (!(std::abs(now - stamp) <= params_.joint_timeout)) return;
  bool any = false;
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (!std::isfinite(positions[j])) continue;
    measured_[j] = positions[j];
    measured_at_[j] = now;
    any = true;
  }
  if (!any) return;
  joints_at_ = now;
  joint_stamp_ = stamp;
}

Direction Senses::on_imu(const Vector3& up, const Vector3& rate, double stamp, double now, double lean) {
  if (!(std::abs(now - stamp) <= params_.imu_timeout)) return Direction::None;
  for (std::size_t i = 0; i < 3; ++i)
    if (!std::isfinite(up[i]) || !std::isfinite(rate[i])) return Direction::None;  // counts as silence
  imu_at_ = now;
  up_ = up;
  const bool upright = up[2] > 0.9;
  if (!upright) upright_since_ = -1.0;
  if (upright && upright_since_ < 0.0) upright_since_ = now;
  if (upright && now - upright_since_ > 0.2) was_upright_ = true;
  stillness_.update(rate, now);
  fall_factor_ = lean > 1.0 ? lean : support_unstable_ ? kUnstableFactor : 1.0;
  return fall_.update(up, rate, now, fall_factor_);
}

void Senses::on_foot_load(std::size_t foot, double newtons, double now) {
  if (!std::isfinite(newtons)) return;
  foot_load_[foot] = newtons;
  foot_at_ = now;
}

void Senses::on_hardware(const HardwareReport& report, double now) {
  hardware_ = report;
  if (report.torque_on)
    torque_off_since_ = -1.0;
  else if (torque_off_since_ < 0.0)
    torque_off_since_ = now;
}

void Senses::on_support(bool walking, bool unstable) {
  support_known_ = true;
  support_walking_ = walking;
  support_unstable_ = unstable;
}

void Senses::tick(double now) {
  std::optional<double> load;
  if (foot_load_[0] >= 0.0 && foot_load_[1] >= 0.0 && now - foot_at_ <= params_.joint_timeout)
    load = foot_load_[0] + foot_load_[1];
  pick_up_.update(load, now - imu_at_ <= params_.imu_timeout && up_[2] > 0.7, now);
}

void Senses::restart_clock() {
  joints_at_ = imu_at_ = foot_at_ = kNever;
  upright_since_ = torque_off_since_ = -1.0;
  measured_at_ = absent_joints();
  fall_.reset();
}

JointArray Senses::measured_since(double time) const {
  JointArray result = absent_joints();
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (given(measured_at_[j]) && measured_at_[j] >= time) result[j] = measured_[j];
  return result;
}

bool Senses::legs_readable(double now) const {
  const JointArray positions = measured_lately(now);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    if (joints_.joints[j].limb == Limb::Leg && !given(positions[j])) return false;
  return true;
}

void Senses::describe(Situation& s, double now) const {
  s.joints_ok = now - joints_at_ <= params_.joint_timeout && legs_readable(now);
  s.imu_ok = now - imu_at_ <= params_.imu_timeout;
  s.blind = now - imu_at_ > params_.walk_imu_timeout;
  s.hot = hardware_ && hardware_->hot;
  s.lying = s.imu_ok && lying(up_) != Direction::None;
  s.upright = s.imu_ok && up_[2] > 0.8;
  s.still = s.imu_ok ? stillness_.still() : 0.0;
  s.lifted = pick_up_.lifted();
}

}  // namespace hl_hcm
