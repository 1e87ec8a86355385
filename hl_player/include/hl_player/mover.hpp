// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <hl_description/geometry.hpp>
#include <hl_soccer/game.hpp>
#include <hl_walking/kick.hpp>
#include <hl_walking/types.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_player/sensor_frame.hpp"

namespace hl_player {

/// What moves one robot: orders in, the state of the body out. Ours (`Motion`) turns a sensor frame into joint goals; a
/// simulation without joints may put a quicker one in its place.
class Mover {
 public:
  using KickOrder = hl_walking::KickOrder;  // in base_footprint
  using StepsOrder = hl_walking::StepsOrder;
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
    std::optional<bool> emergency_stop;
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

  /// How the body is carried about.
  struct Carriage {
    bool fresh = false;                                      // the joints were heard of
    hl_description::Pose2 odometry;                          // base_footprint in odom
    hl_walking::Velocity velocity;                           // of base_footprint, in its own axes
    Eigen::Isometry3d base = Eigen::Isometry3d::Identity();  // base_link in base_footprint
    bool stumbles = false;                                   // the walk expects to fall
  };

  Mover() = default;
  virtual ~Mover() = default;
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;

  /// One control tick at `now` (s). The outputs stay valid until the next.
  virtual const Outputs& step(const Inputs& inputs, double now) = 0;
  virtual Carriage carriage() const = 0;
  virtual std::string fall_direction() const = 0;  // of the last fall, in words
};

}  // namespace hl_player
