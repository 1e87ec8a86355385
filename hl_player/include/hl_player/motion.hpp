// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <hl_hcm/attitude.hpp>
#include <hl_soccer/game.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_player/robot_files.hpp"
#include "hl_player/sensor_frame.hpp"

namespace hl_player {

/// What moves one robot: HCM, walking with kick, animations, wired as the nodes are. It decides nothing itself.
class Motion {
 public:
  struct KickOrder {
    hl_walking::KickGoal goal;  // base_footprint
    bool in_walk = false;
  };
  /// Single steps, each from the neutral stance of the foot that steps.
  struct StepsOrder {
    hl_walking::Pose2 step;  // m, m, rad
    int count = 0;
  };
  struct HeadOrder {
    double pan = 0.0, tilt = 0.0;              // rad
    double pan_speed = 0.0, tilt_speed = 0.0;  // rad/s; 0 = no limit
  };
  /// What others want of the body; nothing = no new word.
  struct Orders {
    std::optional<hl_walking::Velocity> velocity, teleoperation;
    std::optional<KickOrder> kick;
    bool cancel_kick = false;
    std::optional<StepsOrder> steps;
    std::optional<std::string> animation;  // by name
    bool cancel_animation = false;
    std::optional<HeadOrder> head;
  };

  struct Inputs {
    SensorFrame sensors;
    Orders orders;
    bool paused = false;
  };

  /// How something that was ordered ended.
  struct Ended {
    bool successful = false;
    std::string message;
  };

  struct Outputs {
    bool goals = false;             // below is to be sent: joints of the model in their order
    std::vector<double> positions;  // rad
    std::vector<double> speeds;     // rad/s, limit; 0 = none
    std::vector<double> efforts;    // N m, limit; 0 = none
    std::optional<bool> torque;     // switch it
    const char* say = nullptr;
    std::optional<Ended> kick, animation;
    double kick_progress = 0.0;  // 0..1
    hl_soccer::BodyState body = hl_soccer::BodyState::Startup;
    bool stop_requested = false;
  };

  Motion(std::shared_ptr<const RobotFiles> files);  // NOLINT(google-explicit-constructor): one argument, one meaning

  /// One control tick at `now` (s). The outputs stay valid until the next.
  const Outputs& step(const Inputs& inputs, double now);

  const hl_hcm::Hcm& hcm() const { return hcm_; }
  const hl_walking::Controller& walking() const { return walking_; }
  hl_walking::Controller& walking() { return walking_; }
  const hl_animation::Performance* performance() const { return performance_.get(); }
  const RobotFiles& files() const { return *files_; }

 private:
  /// The fields of a trajectory_msgs/JointTrajectory, so that goals are judged by the same reader as the nodes'.
  struct Message {
    struct Duration {
      int sec = 0;
      unsigned nanosec = 0;
    };
    struct Point {
      std::vector<double> positions, velocities, effort;
      Duration time_from_start;
    };
    std::vector<std::string> joint_names;
    std::vector<Point> points{1};
  };

  void sense(const SensorFrame& sensors, double heard);
  void move_head(const HeadOrder& order, double now);
  void walk(const Orders& orders, double heard, double now);
  void follow_kick();
  void animate(const Orders& orders, double now);
  void play(const std::string& name, bool by_hcm);
  void end_animation(bool successful, const std::string& message);
  bool read(hl_hcm::Source source, const Message& message, double now);
  void deliver(double now);
  void fill_outputs();

  std::shared_ptr<const RobotFiles> files_;
  hl_hcm::Hcm hcm_;
  hl_walking::Controller walking_;
  hl_walking::Joints measured_, torques_;
  hl_hcm::JointArray positions_ = hl_hcm::absent_joints();
  std::unique_ptr<hl_animation::Performance> performance_;
  std::map<std::string, double> present_;  // rad
  std::optional<hl_animation::Player::Tilt> tilt_;
  std::optional<bool> own_animation_ended_;
  enum class Kicking { No, Standing, InWalk } kicking_ = Kicking::No;
  Message walk_message_, head_message_, animation_message_;
  std::vector<std::size_t> walk_joints_;
  hl_hcm::Trajectory goals_;
  bool paused_ = false;
  hl_soccer::BodyState body_before_ = hl_soccer::BodyState::Startup;  // before the HCM's tick
  bool stop_before_ = false;
  double performed_at_ = -1.0;  // s, last tick of the animation
  Outputs out_;
};

}  // namespace hl_player
