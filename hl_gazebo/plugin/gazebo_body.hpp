// SPDX-License-Identifier: Apache-2.0
#pragma once

// Gazebo's second header does not include what it needs.
// clang-format off
#include <gazebo/physics/physics.hh>
#include <gazebo/physics/ode/ODEHingeJoint.hh>
// clang-format on

#include <array>
#include <hl_simulation/driven_body.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_gazebo/link.hpp"

namespace hl_gazebo {

/// A robot of Gazebo as the body behind our servo bus: our servo model moves its joints, and its links and contacts are
/// what the sensors measure. All functions belong to the thread of the physics.
class GazeboBody : public hl_simulation::DrivenBody {
 public:
  /// Throws std::runtime_error if the model is another robot than the description, or the engine is not ODE.
  GazeboBody(gazebo::physics::ModelPtr model, hl_simulation::RobotSpec spec, std::uint64_t seed);

  const hl_simulation::RobotSpec& spec() const override { return spec_; }
  const hl_simulation::Servo& servo(std::size_t joint) const override { return servos_[joint]; }
  double voltage() const override { return voltage_; }
  const hl_simulation::Reading& read() const override { return reading_; }
  std::optional<std::string> set_goal(std::size_t joint, double position) override;
  void set_speed_limit(std::size_t joint, double speed) override { servos_[joint].set_speed_limit(speed); }
  void set_torque_limit(std::size_t joint, double fraction) override { servos_[joint].set_torque_limit(fraction); }
  void set_torque(std::size_t joint, bool on) override;
  void set_gains(std::size_t joint, int p, int i, int d) override { servos_[joint].set_gains(p, i, d); }
  void hold(bool held) override;
  bool held() const { return held_; }

  void before_step(double dt);  // torques of the servos, pushes
  void after_step(double dt);   // what the sensors say

  /// At rest; servos on, with the goal where they are. Refused with the reason.
  std::optional<std::string> place(const PlaceRobot& where);
  std::optional<std::string> push(const PushRobot& push);
  /// The robot's part of the state.
  void describe(WorldState& state) const;
  bool touches(const gazebo::physics::LinkPtr& other) const;

 private:
  struct Foot {
    const hl_simulation::FootSpec* spec = nullptr;
    gazebo::physics::LinkPtr link;                           // nothing: there is no such sensor
    Eigen::Isometry3d sole = Eigen::Isometry3d::Identity();  // in the link
  };
  struct Push {
    PushRobot what;
    gazebo::physics::LinkPtr link;
    double left;  // s
  };

  void drive(std::size_t joint, double dt);
  void feel_contacts();
  void feel_imu(double dt);
  Foot foot_of(const hl_simulation::FootSpec& foot) const;
  double lowest_point() const;  // m, of what collides

  gazebo::physics::ModelPtr model_;
  hl_simulation::RobotSpec spec_;
  std::uint64_t seed_, step_ = 0;
  std::vector<gazebo::physics::LinkPtr> links_;  // of the bodies
  std::vector<boost::shared_ptr<gazebo::physics::ODEHingeJoint>> joints_;
  std::vector<hl_simulation::Servo> servos_;
  std::vector<Push> pushes_;
  std::array<Foot, 2> feet_;
  hl_simulation::BatterySpec battery_;
  hl_simulation::SensorSpec sensors_;
  hl_simulation::Reading reading_;
  double voltage_;
  std::optional<Eigen::Vector3d> imu_velocity_;  // m/s, of the step before, world
  bool held_ = false;
  bool feet_touch_[2] = {false, false};
  std::vector<std::string> on_ground_;  // links
};

}  // namespace hl_gazebo
