// SPDX-License-Identifier: Apache-2.0
#include "bus_trials.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <stdexcept>

#include "hl_match/driven_robot.hpp"

namespace hl_match {
namespace {

using hl_hcm::Direction;
using hl_hcm::State;

constexpr double kStartUp = 20.0;  // s until the driver has its servos, nobody holds the robot and the HCM is free
constexpr double kUpright = 0.35;  // rad
const hl_gazebo::PlaceBall kAside{{3.0, 2.0, 0.0}, Eigen::Vector3d::Zero()};

/// The robot on its stage, and what one sees of it.
class Play {
 public:
  Play(const Files& files, const MakeStage& make, std::uint64_t seed)
      : stage_(make(seed)),
        robot_(
            files, stage_->port(), [this] { return stage_->look().time; }, stage_->reply_gap()) {
    stage_->place_ball(kAside);
    const bool ready = run(kStartUp, [this] { return !look().held && robot_.hcm().state() == State::Controllable; });
    if (!ready) throw std::runtime_error("the robot does not become controllable");
    run(1.0);
    started_ = look();
    start_ = std::chrono::steady_clock::now();
  }

  DrivenRobot& robot() { return robot_; }
  BusStage& stage() { return *stage_; }
  const hl_gazebo::WorldState& look() { return stage_->look(); }

  /// False if `done` never held within `seconds`.
  bool run(
      double seconds, const std::function<bool()>& done = [] { return false; }) {
    for (const double end = look().time + seconds; look().time < end;) {
      robot_.cycle();
      if (done()) return true;
    }
    return false;
  }

  double tilt() { return std::acos(std::clamp(look().base.linear()(2, 2), -1.0, 1.0)); }
  bool stands() {
    const auto state = robot_.hcm().state();
    return tilt() < kUpright && !look().others && (state == State::Controllable || state == State::Walking);
  }

  /// base_footprint in the world.
  Eigen::Isometry3d footprint() { return look().base * robot_.motion().carriage().base.inverse(); }

  BusTrial result(bool well, double value) {
    const auto& now = look();
    const double real = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return {well, value, now.time - started_.time, now.cpu - started_.cpu, real};
  }

 private:
  std::unique_ptr<BusStage> stage_;
  DrivenRobot robot_;
  hl_gazebo::WorldState started_;
  std::chrono::steady_clock::time_point start_;
};

/// A point ahead of a toe as it stands now, in base_footprint.
Eigen::Vector3d toe_in_footprint(const DrivenRobot& robot, bool left) {
  const auto& files = robot.files();
  const auto posture = files.model.forward(files.config.pose(files.model, "walkready"));
  const Eigen::Isometry3d toe = posture.links[files.model.link(left ? "l_toe" : "r_toe")];
  return robot.motion().carriage().base * toe.translation();
}

}  // namespace

BusTrial stand(const Files& files, const MakeStage& make, double seconds, std::uint64_t seed) {
  Play play(files, make, seed);
  double widest = 0.0;
  bool stood = true;
  play.run(seconds, [&] {
    widest = std::max(widest, play.tilt());
    stood = stood && play.stands();
    return false;
  });
  return play.result(stood, widest);
}

BusTrial walk_ahead(const Files& files, const MakeStage& make, double way, double speed, std::uint64_t seed) {
  Play play(files, make, seed);
  const Eigen::Isometry3d start = play.look().base;
  const double begin = play.look().time;
  bool fell = false;
  const auto gone = [&] { return (start.inverse() * play.look().base.translation()).head<2>().norm(); };
  play.robot().walk({speed, 0.0, 0.0});
  const bool arrived = play.run(3.0 * way / speed + 5.0, [&] {
    fell = fell || play.tilt() > 0.8 || play.robot().hcm().state() == State::Falling;
    return fell || gone() >= way;
  });
  const double time = play.look().time - begin;
  play.robot().walk({0.0, 0.0, 0.0});
  if (!fell) play.run(3.0);
  return play.result(arrived && !fell && play.stands(), time > 0.0 ? gone() / time : 0.0);
}

BusTrial get_up_on_bus(const Files& files, const MakeStage& make, Direction side, std::uint64_t seed) {
  constexpr double kBetween = 2.5, kHarder = 1.5;  // s between two pushes, factor
  Play play(files, make, seed);
  std::mt19937_64 random(seed);
  const auto in = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const auto hcm = [&] { return play.robot().hcm().state(); };
  hl_gazebo::PushRobot push;
  push.force.x() = (side == Direction::Front ? 1.0 : -1.0) * in(25.0, 60.0);  // N
  push.duration = in(0.15, 0.3);
  bool falls = false;
  for (int n = 0; n < 8 && !falls; ++n) {
    play.stage().push(push);
    falls = play.run(kBetween, [&] { return hcm() == State::Falling; });
    push.force *= kHarder;
  }
  const double begin = play.look().time;
  bool lay = false;
  const bool up = falls && play.run(45.0, [&] {
    lay = lay || play.tilt() > 1.0;
    return lay && hcm() == State::Controllable;
  });
  const double time = play.look().time - begin;
  play.run(1.0);
  return play.result(up && play.stands(), time);
}

BusTrial kick_on_bus(const Files& files, const MakeStage& make, std::uint64_t seed) {
  constexpr double kGap = 0.09;    // m from the toe to the middle of the ball
  constexpr double kRests = 0.02;  // m/s
  Play play(files, make, seed);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0.0, 0.01);  // m
  const bool left = random() % 2 == 0;
  const Eigen::Isometry3d footprint = play.footprint();
  Eigen::Vector3d ahead = toe_in_footprint(play.robot(), left);
  ahead += Eigen::Vector3d(kGap + noise(random), noise(random), 0.0);
  Eigen::Vector3d ball = footprint * ahead;
  ball.z() = 0.0;
  play.stage().place_ball({ball, Eigen::Vector3d::Zero()});
  hl_player::Mover::KickOrder order;
  order.goal.ball = ahead.head<2>();
  order.goal.target = order.goal.ball + Eigen::Vector2d(3.0, 0.0);
  play.robot().orders().kick = order;
  std::optional<bool> kicked;
  const double begin = play.look().time;
  play.robot().after_tick = [&] {
    if (const auto& kick = play.robot().outputs().kick) kicked = kick->successful;
  };
  play.run(25.0, [&] { return kicked && play.look().time > begin + 3.0 && play.look().ball_velocity.norm() < kRests; });
  const double way = (play.look().ball - ball).head<2>().norm();
  play.run(1.0);
  return play.result(kicked.value_or(false) && play.stands(), way);
}

}  // namespace hl_match
