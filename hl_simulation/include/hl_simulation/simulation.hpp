// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_simulation/driven_body.hpp"
#include "hl_simulation/world_spec.hpp"

struct mjModel_;
struct mjData_;

namespace hl_simulation {

/// Where a robot touches the ground.
struct GroundContact {
  enum class Part { LeftFoot, RightFoot, Other };
  Eigen::Vector3d position;  // m, world
  double force = 0.0;        // N, normal
  Part part = Part::Other;
  std::string link;  // body that touches
};

/// How to put a robot into the world.
struct Placement {
  Placement() = default;
  Placement(double x_, double y_, double yaw_) : x(x_), y(y_), yaw(yaw_) {}

  double x = 0.0, y = 0.0, yaw = 0.0;  // m, rad
  double roll = 0.0, pitch = 0.0;      // rad; pitch pi/2 lies on the belly, -pi/2 on the back
  double clearance = 0.002;            // m between the lowest point and the ground
  std::vector<double> joints;          // rad, in the order of joint_names(); empty: walk-ready
};

class Simulation;

/// One robot of a simulation. Lives as long as the simulation does.
class Robot : public DrivenBody {
 public:
  ~Robot() override;
  Robot(Robot&&) noexcept;
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;

  const std::string& name() const;
  const RobotSpec& spec() const override;
  std::size_t joint_count() const;
  const std::vector<std::string>& joint_names() const;

  // Commands. Goals pass the command delay; everything else works at once.
  /// All joints, rad, in the order of joint_names(). Refused (with the reason) if the count is wrong or a value is no
  /// number; values beyond a joint's range are clipped to it.
  std::optional<std::string> set_goals(const std::vector<double>& positions);
  std::optional<std::string> set_goal(std::size_t joint, double position) override;
  void set_speed_limit(std::size_t joint, double speed) override;      // rad/s; 0: none
  void set_torque_limit(std::size_t joint, double fraction) override;  // 0..1
  void set_torque(bool on);                                            // all joints
  void set_torque(std::size_t joint, bool on) override;
  void set_gains(std::size_t joint, int p, int i, int d) override;  // registers 0..254
  const Servo& servo(std::size_t joint) const override;
  void set_temperature(std::size_t joint, double celsius);
  void set_battery(const BatterySpec& battery);
  double voltage() const override;  // V, under load
  double current() const;           // A, of all servos

  /// Sensor values, with noise and delay of the SensorSpec; the same however often it is called in one step.
  const Reading& read() const override;

  // Ground truth.
  Eigen::Isometry3d pose() const;                               // of the base link in the world
  Eigen::Isometry3d frame_pose(const std::string& link) const;  // of any URDF link; throws if there is none
  Eigen::Vector3d linear_velocity() const;                      // m/s, of the base in the world
  Eigen::Vector3d angular_velocity() const;                     // rad/s, of the base, in base axes
  std::vector<double> joint_positions() const;                  // rad, exact
  Eigen::Vector3d centre_of_mass() const;                       // m, world
  std::vector<GroundContact> ground_contacts() const;
  /// Links of this robot that press against each other.
  std::vector<std::pair<std::string, std::string>> self_contacts() const;
  /// Indices of the other robots it touches.
  std::vector<std::size_t> robots_touched() const;
  double tilt() const;             // rad between trunk and vertical
  bool fallen() const;             // tilted by more than 1 rad, or the base below half its standing height
  double standing_height() const;  // m, of the base in the walk-ready pose

  // Manipulation.
  /// Puts the robot on the ground, at rest, torque on, goals = joints. Refused if it would be inside something.
  std::optional<std::string> place(const Placement& placement);
  /// Held by somebody's hands: the base stays where it is until it is let go or placed again; joints move on.
  void hold(bool held) override;
  bool held() const;
  /// A force (N, world axes) on a link (empty: the base) from now on for `duration` s.
  std::optional<std::string> push(const Eigen::Vector3d& force, double duration, const std::string& link = "");

 private:
  friend class Simulation;
  struct Impl;
  explicit Robot(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Robots, ball and field in MuJoCo. One thread per simulation; the same seed and the same calls give the same numbers,
/// bit by bit. Different simulations may run in different threads.
class Simulation {
 public:
  /// Throws std::runtime_error with the reason if the world cannot be built.
  explicit Simulation(const WorldSpec& world);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const WorldSpec& world() const;
  double time() const;  // s since the start
  double timestep() const;
  std::size_t robot_count() const;
  Robot& robot(std::size_t index = 0);
  const Robot& robot(std::size_t index = 0) const;
  Robot* find_robot(const std::string& name);

  /// One time step. False if the physics diverged: then all is back at the start positions and the clock runs on.
  bool step();
  /// Steps until `seconds` have passed; false as soon as the physics diverges.
  bool run(double seconds);
  int divergences() const;  // so far

  /// Back to the start, time zero, with another seed if given.
  void reset(std::optional<std::uint64_t> seed = std::nullopt);

  Eigen::Vector3d ball_position() const;
  Eigen::Vector3d ball_velocity() const;
  Eigen::Isometry3d ball_pose() const;
  Eigen::Vector3d ball_spin() const;  // rad/s, world axes
  /// Index of the robot that touched the ball last since the start, a reset or `place_ball`.
  std::optional<std::size_t> ball_touched_by() const;
  std::uint64_t steps() const;  // since the start or reset
  std::optional<std::string> place_ball(const Eigen::Vector3d& position,
                                        const Eigen::Vector3d& velocity = Eigen::Vector3d::Zero());

  // Disturbances of the model, for robustness tests.
  void set_friction(double friction);                 // turf against everything
  void scale_mass(std::size_t robot, double factor);  // of every link of a robot, against the URDF

  /// The complete state; `restore` continues from it bit by bit. Only for the simulation that made it.
  struct Snapshot;
  std::shared_ptr<const Snapshot> snapshot() const;
  std::optional<std::string> restore(const Snapshot& snapshot);

  /// Positions of everything that moves, for a Renderer of the same world.
  std::vector<double> positions() const;

  /// MuJoCo's own view, for experts; poses are brought up to date before they are returned.
  const mjModel_* model() const;
  const mjData_* data() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hl_simulation
