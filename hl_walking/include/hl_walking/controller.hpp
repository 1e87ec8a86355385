// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <hl_soccer/game.hpp>
#include <optional>
#include <string>

#include "hl_walking/engine.hpp"
#include "hl_walking/ground_load.hpp"
#include "hl_walking/kick.hpp"
#include "hl_walking/odometry.hpp"

namespace hl_walking {

/// What the rest of the robot lets the walk do.
enum class Permission {
  None,  // the body belongs to somebody else, or lies on the ground
  Stop,  // come to a safe stop, those steps are still executed
  Full,
};

/// What the HCM's word means for the walk.
Permission permission_from(hl_soccer::BodyState state, bool stop_requested);

struct Orientation {
  Attitude attitude;
  double yaw = 0.0;  // rad
};
/// From an IMU: orientation of the body in the world and turn rate (rad/s) in its axes. Nothing if it has no
/// orientation (not a unit quaternion).
std::optional<Orientation> orientation_from(const Eigen::Quaterniond& world_from_body, const Eigen::Vector3d& rate);

/// What tells the walk that a foot has come to the ground. With any of them the IMU corrects the time of the steps.
enum class ContactSource {
  Auto,       // foot pressure if there is any, else joint loads, else the IMU alone
  Pressure,   // force cells
  JointLoad,  // torques of the leg servos
  Imu,        // nothing else than the tilt
};
std::optional<ContactSource> contact_source_from(const std::string& name);  // auto, pressure, joint_load, imu

/// Everything a walking node decides, without ROS: who commands, whether the data is fresh, when to move and when to be
/// silent, and the way into and out of the walk-ready posture. Times in s of one clock.
class Controller {
 public:
  /// What came since the last step; nothing = no new word.
  struct Inputs {
    const Joints* joints = nullptr;   // rad, measured
    const Joints* torques = nullptr;  // N m, of the joints' servos
    std::optional<Orientation> imu;
    std::array<std::optional<FootLoad>, 2> feet;  // left and right
    double stamp = 0.0;                           // s, when all that was measured
    std::optional<Permission> permission;
    std::optional<Velocity> command, teleoperation;
    std::optional<KickOrder> kick;
    bool cancel_kick = false;
    std::optional<StepsOrder> steps;
    std::optional<double> heard;  // s, when the orders came; nothing = now
  };

  enum class Goals { None, Walking, Kick };  // whose goals the joints' are; None: send nothing

  struct Outputs {
    Goals goals = Goals::None;
    const Joints* joints = nullptr;                             // rad, what is to be sent
    std::optional<std::string> velocity_refused, kick_refused;  // why an order of this step was not taken
    std::optional<std::string> steps_refused;
    bool walking = false, unstable = false;
  };

  struct Params {
    double command_timeout = 0.5;  // s without a command after which the robot stops
    double sensor_timeout = 0.15;  // s after which IMU, foot pressure or joints count as missing
    double approach_speed = 1.0;   // rad/s, of the fastest joint on the way to the first posture
    double quiet_after = 0.1;      // s of standing after which no more goals are sent
    ContactSource contact_source = ContactSource::Auto;
    std::optional<std::string> validate() const;
  };

  static const hl_node::ParameterTable<Params>& parameters();

  Controller(const WalkingBody& body, const hl_walking::Params& walk, const Kick::Params& kick,
             const Odometry::Params& odometry, const Params& params);

  /// Hears `inputs`, then moves on: one control period. Odometry and debugging values are below.
  Outputs step(const Inputs& inputs, double now);

  // The same word by word, for a node that must answer in the callback in which a word comes. A velocity that is not a
  // number or beyond any robot is refused with the reason and counts as silence.
  std::optional<std::string> command(const Velocity& velocity, double now);
  std::optional<std::string> teleoperate(const Velocity& velocity, double now);
  void permit(Permission permission);
  /// By the HCM's word.
  void permit(hl_soccer::BodyState body, bool stop_requested) { permit(permission_from(body, stop_requested)); }
  /// Left out, so that in the end the joints count as missing: what is not a number, angles that jump further than a
  /// servo can, and angles that do not change at all although the goals do.
  void sense_joints(const Joints& measured, double stamp);
  void sense_torques(const Joints& torques, double stamp);  // N m, of the joints' servos
  void sense_imu(const Attitude& attitude, double yaw, double stamp);
  void sense_foot(Side side, const FootLoad& load, double stamp);
  void sense_foot(Side side, double force, double stamp) { sense_foot(side, FootLoad{force, std::nullopt}, stamp); }

  /// Single steps of `step` (from the neutral stance of the foot that steps), `count` of them; a reason if refused.
  std::optional<std::string> request_steps(const Pose2& step, int count, double now);
  /// A kick from the stand, or, while walking, with the next step of the foot that is nearer to the ball.
  std::optional<std::string> start_kick(const KickGoal& goal, bool in_walk, double now);
  enum class WalkKick { None, Waiting, Done, Lost };
  WalkKick walk_kick() const { return walk_kick_; }    // the last kick in walk; Lost: the robot stopped before it
  Side kicking_foot() const { return kicking_foot_; }  // of the last kick, in walk or not
  void cancel_kick() { kick_cancelled_ = true; }

  Goals update(double now);
  const Joints& joints() const { return goals_; }

  bool walking() const { return moving_; }
  bool kicking() const { return kick_.active(); }
  bool unstable() const { return moving_ && engine_.output().instability > 1.0; }
  const Engine& engine() const { return engine_; }
  const Kick& kick() const { return kick_; }
  const Odometry& odometry() const { return odometry_; }
  const std::optional<Attitude>& attitude() const { return sensors_.attitude; }
  std::optional<Eigen::Vector2d> measured_zmp() const;  // m, as com in the sole of the support foot, from force cells
  std::optional<Eigen::Vector2d> measured_com();        // by the measured joints
  bool joints_fresh() const { return joints_fresh_; }
  const std::string& complaint() const { return complaint_; }  // why it does not walk though it was told to; or empty

  void set_walk(const hl_walking::Params& walk) { engine_.set_params(walk_ = walk); }
  void set_kick(const Kick::Params& kick) { kick_params_ = kick; }
  void set_odometry(const Odometry::Params& odometry) { odometry_params_ = odometry; }
  void set_params(const Params& params) { params_ = params; }
  void reset_odometry(const Pose2& pose = {}) { odometry_.reset(pose); }

 private:
  template <class T>
  struct Stamped {
    T value{};
    double stamp = -1e9;
    bool fresh(double now, double timeout) const { return now >= stamp - timeout && now - stamp <= timeout; }
  };
  struct Imu {
    Attitude attitude;
    double yaw = 0.0;
  };

  Velocity commanded_velocity(double now) const;
  void sense_ground(double now);
  void follow_walk_kick();
  void update_odometry(double now, double dt);
  void begin_approach(const Joints& to);
  bool approaching(double dt);

  Params params_;
  hl_walking::Params walk_;
  Kick::Params kick_params_;
  Odometry::Params odometry_params_;
  WalkingBody body_;
  Engine engine_;
  Kick kick_;
  Odometry odometry_;

  Stamped<Velocity> command_, teleop_;
  Stamped<Joints> measured_;
  Stamped<Joints> torques_;
  Stamped<Imu> imu_;
  std::array<Stamped<FootLoad>, 2> foot_;
  Stamped<Joints> received_;     // the last joints that came, plausible or not
  bool frozen_ = false;          // the received joints do not change though the goals do
  Joints goals_at_last_change_;  // when the received joints last changed
  Permission permission_ = Permission::None;
  Sensors sensors_;
  bool joints_fresh_ = false;
  bool moving_ = false;  // goals are being sent
  bool kick_cancelled_ = false;
  WalkKick walk_kick_ = WalkKick::None;
  Side kicking_foot_ = Side::Left;
  double quiet_ = 0.0;                           // s of standing
  double approach_ = 0.0, approach_time_ = 0.0;  // s left, s in all
  Joints approach_from_, approach_to_;
  int steps_wanted_ = 0;
  Pose2 step_;
  std::optional<double> last_;
  Joints goals_;
  std::string complaint_;
};

}  // namespace hl_walking
