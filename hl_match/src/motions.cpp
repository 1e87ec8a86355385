// SPDX-License-Identifier: Apache-2.0
#include "hl_match/motions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>
#include <string_view>

#include "ahead_of_toe.hpp"

namespace hl_match {
namespace {

using hl_animation::Animation;
using hl_animation::Posture;
using hl_hcm::Direction;
using hl_hcm::State;

constexpr double kBallGap = 0.0975;      // m from the toe to the middle of the ball
constexpr double kUprightTilt = 0.3;     // rad
constexpr double kSittingTilt = 0.9;     // rad, a squat leans forward
constexpr double kStandingHeight = 0.9;  // of the walk-ready height
constexpr double kLies = 0.7;            // cosine; nearer to this side than to any other
constexpr double kWatch = 1.5;           // s after a motion
constexpr double kWatchLying = 0.2;      // s, before the HCM gets up again
constexpr double kLongest = 30.0;        // s

Direction side_of(Posture posture) {
  switch (posture) {
    case Posture::LyingFront:
      return Direction::Front;
    case Posture::LyingBack:
      return Direction::Back;
    case Posture::LyingLeft:
      return Direction::Left;
    case Posture::LyingRight:
      return Direction::Right;
    default:
      return Direction::None;
  }
}

/// The trunk's axis that should point up.
Eigen::Vector3d up_axis(Direction lies_on) {
  switch (lies_on) {
    case Direction::Front:
      return -Eigen::Vector3d::UnitX();
    case Direction::Back:
      return Eigen::Vector3d::UnitX();
    case Direction::Left:
      return -Eigen::Vector3d::UnitY();
    case Direction::Right:
      return Eigen::Vector3d::UnitY();
    default:
      return Eigen::Vector3d::UnitZ();
  }
}

/// The HCM has only this motion for this side, and one attempt.
Match::Params gets_up_by(const Match::Params& world, Direction side, const std::string& name) {
  return with_files(world, [&](auto& files) {
    files.hcm_body.get_up[static_cast<std::size_t>(side)] = {name};
    files.hcm.max_attempts = 1;
  });
}

/// What a motion asks of servos and balance, tick by tick.
class Strain {
 public:
  explicit Strain(const LoneRobot& robot) : robot_(robot) {}

  void see(const hl_animation::Player& player) {
    const auto& body = robot_.body();
    const auto& effort = body.read().joints.effort;
    for (const auto& joint : player.joints()) {
      const auto j = static_cast<std::size_t>(body.spec().joint_index(joint));
      saturated_ += std::abs(effort[j]) > 0.99 * body.servo(j).spec().stall_torque ? 1U : 0U;
      ++samples_;
    }
    if (player.percent() <= 60.0) return;
    const Eigen::Vector3d feet =
        0.5 * (body.frame_pose("l_sole").translation() + body.frame_pose("r_sole").translation());
    off_balance_ += (body.centre_of_mass() - feet).head<2>().norm();
    ++balanced_;
  }
  double saturation() const { return samples_ > 0 ? static_cast<double>(saturated_) / samples_ : 0.0; }
  double balance() const { return balanced_ > 0 ? off_balance_ / balanced_ : 0.0; }

 private:
  const LoneRobot& robot_;
  std::size_t saturated_ = 0;
  int samples_ = 0, balanced_ = 0;
  double off_balance_ = 0.0;  // m
};

/// Whether the HCM's own motion ended well in this tick.
bool hcm_goes_on(const hl_hcm::Hcm& hcm) {
  return hcm.state() == State::GettingUpCheck || std::string_view(hcm.last_transition().reason) == "rolled over";
}

/// Looks at the robot for a while after the motion.
void look_at_end(LoneRobot& robot, const Animation& motion, const std::function<void(const LoneRobot&)>& watch,
                 MotionResult& result) {
  const Direction lies = side_of(motion.end);
  const double standing = robot.body().standing_height();
  double widest = 0.0, lowest = 10.0;
  int ticks = 0;
  robot.run(lies == Direction::None ? kWatch : kWatchLying, [&] {
    const Eigen::Isometry3d pose = robot.body().pose();
    const double height = pose.translation().z() / standing;
    widest = std::max(widest, robot.body().tilt());
    lowest = std::min(lowest, height);
    result.alignment += (pose.linear() * up_axis(lies)).z();
    result.height += height;
    ++ticks;
    if (watch) watch(robot);
    return false;
  });
  result.alignment /= std::max(1, ticks);
  result.height /= std::max(1, ticks);
  const bool fits = lies != Direction::None           ? result.alignment > kLies
                    : motion.end == Posture::Standing ? widest < kUprightTilt && lowest > kStandingHeight
                    : motion.end == Posture::Sitting  ? widest < kSittingTilt && result.height < kStandingHeight
                                                      : true;
  result.as_declared = result.played && fits;
}

}  // namespace

Match::Params with_animation(const Match::Params& world, const Animation& animation) {
  return with_files(world, [&](auto& files) { files.animations.animations[animation.name] = animation; });
}

MotionResult perform(const Match::Params& world, const std::string& name, std::uint64_t seed,
                     const std::function<void(const LoneRobot&)>& watch) {
  const auto found = world.files->animations.animations.find(name);
  if (found == world.files->animations.animations.end())
    throw std::runtime_error("there is no animation '" + name + "'");
  const Animation& motion = found->second;
  const Direction lies = side_of(motion.start);
  const bool kicks = name.rfind("kick", 0) == 0;
  LoneRobot robot(lies == Direction::None ? world : gets_up_by(world, lies, name), seed,
                  kicks ? LoneRobot::Ball::Aside : LoneRobot::Ball::None);
  MotionResult result;
  if (lies == Direction::None) robot.get_ready();
  Eigen::Vector3d ball = Eigen::Vector3d::Zero();
  if (kicks) {
    std::mt19937_64 random(seed);
    ball = ahead_of_toe(robot, name.find("right") == std::string::npos, kBallGap, random);
    if (const auto refused = robot.simulation().place_ball(ball)) throw std::runtime_error(*refused);
  }
  if (motion.start == Posture::Sitting && !robot.play("sit_down")) return result;
  if (lies == Direction::None) {
    robot.orders().animation = name;
  } else {
    // Stretched out, a robot on its side tips over by itself.
    const bool on_side = lies == Direction::Left || lies == Direction::Right;
    robot.lie_down(lies, on_side ? LoneRobot::Legs::Bent : LoneRobot::Legs::Stretched);
    if (!robot.run_until(State::GettingUp, 10.0) || robot.motion().performance()->animation().name != name)
      return result;  // it turned over by itself
  }
  Strain strain(robot);
  std::optional<double> began;
  bool ended = false;
  robot.run(kLongest, [&] {
    const auto* performance = robot.motion().performance();
    if (performance != nullptr && performance->playing()) {
      if (!began) began = robot.time();
      strain.see(*performance->player());
    }
    if (watch) watch(robot);
    if (lies != Direction::None) {
      ended = performance == nullptr;
      result.played = ended && hcm_goes_on(robot.hcm());
    } else if (const auto& word = robot.outputs().animation) {
      ended = true;
      result.played = word->successful;
    }
    return ended;
  });
  if (began) result.time = robot.time() - *began;
  result.saturation = strain.saturation();
  result.balance = strain.balance();
  look_at_end(robot, motion, watch, result);
  if (kicks) {
    constexpr double kRests = 0.02;  // m/s
    robot.run(10.0, [&] { return robot.simulation().ball_velocity().norm() < kRests; });
    result.ball = (robot.simulation().ball_position() - ball).head<2>().norm();
  }
  return result;
}

}  // namespace hl_match
