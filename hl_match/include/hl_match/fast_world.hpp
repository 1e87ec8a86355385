// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_player/robot_files.hpp>
#include <random>

#include "hl_match/fast_params.hpp"
#include "hl_match/world.hpp"

namespace hl_match {

/// One robot of a FastWorld: between its mover, which says what it wants, and the world, which says what became of it.
struct FastBody {
  hl_description::Pose2 pose, counted;    // base_footprint in the world, and in odom
  hl_walking::Velocity wanted, velocity;  // in its own axes
  double lag = 0.5;                       // s, from wanted to velocity
  double pan = 0.0, tilt = 0.0;           // rad, head
  std::optional<double> lies;             // rad, where the head points on the ground; nothing = upright
  double length = 0.45;                   // m, from the feet to its other end when it lies
  bool walks = false;
  std::vector<std::size_t> touching;
  // From the mover: the foot meets the ball now.
  struct Strike {
    double direction = 0.0;  // rad, world
    double distance = 0.0;   // m that the ball shall roll
  };
  std::optional<Strike> strike;
  // From the world, until the mover has read it.
  std::optional<double> tips;  // rad, world: falls in this direction
  bool placed = false;         // somebody put it down
};

/// Robots without joints and a ball that rolls: places and speeds only, a hundred times quicker than physics. What they
/// can do is fitted to physics (`FastParams`).
class FastWorld : public World {
 public:
  struct Spec {
    std::shared_ptr<const hl_player::RobotFiles> files;
    std::shared_ptr<const hl_simulation::RobotSpec> robot;
    hl_description::Field field;
    FastParams params;
    std::vector<hl_description::Pose2> robots;
    std::uint64_t seed = 1;
  };
  explicit FastWorld(const Spec& spec);

  double time() const override { return 1e-6 * static_cast<double>(micros_); }
  std::uint64_t moment() const override { return static_cast<std::uint64_t>(micros_); }
  bool advance(double seconds) override;
  Eigen::Vector3d ball_position() const override { return {ball_.x(), ball_.y(), spec_.field.ball_radius}; }
  Eigen::Vector3d ball_velocity() const override { return {ball_velocity_.x(), ball_velocity_.y(), 0.0}; }
  std::optional<std::size_t> ball_touched_by() const override { return touched_by_; }
  std::optional<std::string> place_ball(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) override;
  Body body(std::size_t robot) const override;
  std::optional<std::string> place(std::size_t robot, const hl_description::Pose2& pose,
                                   const std::vector<double>& joints) override;
  hl_simulation::Scene scene() const override;
  std::optional<hl_simulation::Eye> eye(std::size_t robot) const override;
  hl_player::SensorFrame sense(std::size_t robot) const override;
  void obey(std::size_t, const hl_player::Mover::Outputs&) override {}
  std::unique_ptr<hl_player::Mover> mover(std::size_t robot) override;

  FastBody& fast_body(std::size_t robot) { return bodies_[robot]; }
  const Spec& spec() const { return spec_; }
  const Eigen::Isometry3d& base_in_footprint() const { return base_; }

 private:
  void walk(std::size_t robot, double seconds);
  void keep_apart(double seconds);
  void strike(std::size_t robot);
  void meet_ball(std::size_t robot);
  void roll(double seconds);
  void bounce_off(const Eigen::Vector2d& centre, double distance, const Eigen::Vector2d& speed, double push);

  Spec spec_;
  Eigen::VectorXd ready_;   // rad, all joints ready to walk
  Eigen::Isometry3d base_;  // base_link in base_footprint, standing
  std::vector<FastBody> bodies_;
  std::vector<Eigen::Vector2d> odometry_errors_;  // share of way and turn, by robot
  Eigen::Vector2d ball_ = Eigen::Vector2d::Zero(), ball_velocity_ = Eigen::Vector2d::Zero();
  std::optional<std::size_t> touched_by_;
  std::mt19937_64 random_;
  std::int64_t micros_ = 0;  // us, so that ticks add up without rounding
};

}  // namespace hl_match
