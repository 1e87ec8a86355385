// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hl_hcm/attitude.hpp"
#include "hl_hcm/joints.hpp"
#include "hl_hcm/state_machine.hpp"

namespace hl_hcm {

constexpr double kNever = -1e9;  // s, long before any time

/// What the hardware reports of itself.
struct HardwareReport {
  bool error = false;
  bool torque_on = true;
  bool legs_lost = false;  // a leg joint is limp or overloaded
  bool hot = false;        // a leg joint is hot

  using Names = std::vector<std::string>;  // of joints
  /// From what a body tells of itself. Joints that do not answer are not asked for: they are missing in the joint
  /// states, which is noticed there, and may still listen.
  static HardwareReport from(const JointSet& joints, bool error, bool torque_on, const Names& limp,
                             const Names& overloaded, const Names& hot);
};

/// What the robot feels, and whether it still does: joints, IMU, feet, hardware. What was measured at another time than
/// about now is old news and counts as silence.
class Senses {
 public:
  struct Params {
    FallDetector::Params fall;
    PickUpDetector::Params pick_up;
    double joint_timeout = 0.25;    // s without joint states until they count as lost
    double imu_timeout = 0.25;      // s
    double walk_imu_timeout = 0.1;  // s without the IMU that end a walk
  };

  Senses(const JointSet& joints, const Params& params);
  void set(const Params& params);

  void on_joint_states(const JointArray& positions, double stamp, double now);  // NaN = not in the message
  /// Which way the robot falls; None also if the sample says nothing. `lean` > 1: the motion itself tilts the trunk,
  /// the limits are wider by this factor.
  Direction on_imu(const Vector3& up, const Vector3& rate, double stamp, double now, double lean);
  void on_foot_load(std::size_t foot, double newtons, double now);
  void on_hardware(const HardwareReport& report, double now);
  void on_support(bool walking, bool unstable);
  void tick(double now);
  void restart_clock();  // times of before would look fresh for ever
  void forget_standing() { was_upright_ = false; }

  /// Fills in what hangs on the sensors alone.
  void describe(Situation& situation, double now) const;
  JointArray measured_since(double time) const;  // NaN = not measured since
  JointArray measured_lately(double now) const { return measured_since(now - params_.joint_timeout); }
  const Vector3& up() const { return up_; }
  const FallDetector& fall() const { return fall_; }
  double fall_factor() const { return fall_factor_; }  // on its limits, last time
  bool was_upright() const { return was_upright_; }
  bool walk_is_over() const { return support_known_ && !support_walking_; }  // by its own word
  double newest_joint_stamp() const { return joint_stamp_; }
  const std::optional<HardwareReport>& hardware() const { return hardware_; }
  double torque_off_for(double now) const { return torque_off_since_ < 0.0 ? 0.0 : now - torque_off_since_; }  // s

 private:
  bool legs_readable(double now) const;

  const JointSet& joints_;
  Params params_;
  FallDetector fall_;
  double fall_factor_ = 1.0;
  StillnessTimer stillness_;
  PickUpDetector pick_up_;
  JointArray measured_ = absent_joints(), measured_at_ = absent_joints();
  double joints_at_ = kNever, joint_stamp_ = -1.0, imu_at_ = kNever, foot_at_ = kNever;
  Vector3 up_{0, 0, 1};
  double upright_since_ = -1.0;
  bool was_upright_ = false;  // since getting up began
  std::array<double, 2> foot_load_{-1.0, -1.0};
  std::optional<HardwareReport> hardware_;
  double torque_off_since_ = -1.0;
  bool support_known_ = false, support_walking_ = false, support_unstable_ = false;
};

}  // namespace hl_hcm
