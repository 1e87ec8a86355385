// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_player/mover.hpp"
#include "hl_player/robot_files.hpp"

namespace hl_player {

/// HCM, walking with kick, animations, wired as the nodes are. It decides nothing itself.
class Motion : public Mover {
 public:
  Motion(std::shared_ptr<const RobotFiles> files);  // NOLINT(google-explicit-constructor): one argument, one meaning

  /// One control tick at `now` (s). The outputs stay valid until the next.
  const Outputs& step(const Inputs& inputs, double now) override;
  Carriage carriage() const override;
  std::string fall_direction() const override { return name_of(hcm_.fall_direction()); }

  const hl_hcm::Hcm& hcm() const { return hcm_; }
  const hl_walking::Controller& walking() const { return walking_; }
  hl_walking::Controller& walking() { return walking_; }
  const hl_animation::Performance* performance() const { return performance_.get(); }
  const RobotFiles& files() const { return *files_; }

  bool walk_lives = true;  // false: as if the walk's process had died, for tests

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

  void sense(const SensorFrame& sensors);
  void move_head(const HeadOrder& order, double now);
  void walk(const Orders& orders, double now);
  void follow_kick();
  void animate(const Orders& orders, double now);
  void play(const std::string& name, bool by_hcm);
  void end_animation(bool successful, const std::string& message);
  bool read(hl_hcm::Source source, const Message& message, double now);
  void deliver(const hl_hcm::Hcm::Commands& commands, double now);
  void fill_outputs();

  std::shared_ptr<const RobotFiles> files_;
  hl_hcm::Hcm hcm_;
  hl_walking::Controller walking_;
  hl_hcm::Hcm::Inputs control_;             // what the HCM hears in this tick
  hl_walking::Controller::Inputs walk_in_;  // and the walk
  hl_walking::Joints measured_, torques_;
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
  bool new_goals_ = false;      // of the HCM's step
  double performed_at_ = -1.0;  // s, last tick of the animation
  Outputs out_;
};

}  // namespace hl_player
