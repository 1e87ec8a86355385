// SPDX-License-Identifier: Apache-2.0
#include "hl_match/lone_robot.hpp"

#include <algorithm>
#include <cmath>
#include <hl_animation/animation.hpp>
#include <random>
#include <stdexcept>

namespace hl_match {
namespace {

using hl_hcm::Direction;
using hl_soccer::BodyState;

const Eigen::Vector3d kAside(3.0, 2.0, 0.0);  // m

Match::Params alone(const Match::Params& world, std::uint64_t seed, LoneRobot::Ball ball) {
  Match::Params params = world;
  params.players = {1, 0};
  params.referee.reset();
  params.seed = seed;
  params.with_ball = ball == LoneRobot::Ball::Aside;
  params.mind = nullptr;
  return params;
}

}  // namespace

Match::Params with_files(const Match::Params& world, const std::function<void(hl_player::RobotFiles&)>& change) {
  Match::Params params = world;
  auto files = std::make_shared<hl_player::RobotFiles>(*world.files);
  change(*files);
  params.files = files;
  return params;
}

LoneRobot::LoneRobot(const Match::Params& world, std::uint64_t seed, Ball ball)
    : seed_(seed), match_(alone(world, seed, ball)) {
  if (ball == Ball::Aside) simulation().place_ball(kAside);
  match_.place(0, {0.0, 0.0, 0.0});
}

void LoneRobot::get_ready() {
  if (!run_until(hl_hcm::State::Controllable, 8.0)) throw std::runtime_error("the robot does not become controllable");
}

void LoneRobot::lie_down(Direction side, Legs legs) {
  std::mt19937_64 random(seed_);
  std::normal_distribution<double> noise(0.0, 0.03);  // rad
  hl_simulation::Placement placement;
  if (legs == Legs::Bent) placement.joints = body().spec().walk_ready_positions();
  placement.joints.resize(body().joint_count(), 0.0);
  for (const auto& [joint, position] : hl_animation::lying_pose())
    placement.joints[static_cast<std::size_t>(body().spec().joint_index(joint))] = position;
  for (double& joint : placement.joints) joint += noise(random);
  placement.pitch = side == Direction::Front ? M_PI_2 : side == Direction::Back ? -M_PI_2 : 0.0;
  placement.roll = side == Direction::Right ? M_PI_2 : side == Direction::Left ? -M_PI_2 : 0.0;
  if (const auto refused = body().place(placement)) throw std::runtime_error(*refused);
}

void LoneRobot::kick(const Eigen::Vector2d& ball, double direction) {
  const Eigen::Vector2d place = pose() * ball;
  if (const auto refused = simulation().place_ball({place.x(), place.y(), 0.0})) throw std::runtime_error(*refused);
  hl_player::Mover::KickOrder order;
  order.goal.ball = ball;
  order.goal.target = ball + 3.0 * Eigen::Vector2d(std::cos(direction), std::sin(direction));
  orders().kick = order;
}

bool LoneRobot::play(const std::string& animation) {
  bool well = false;
  orders().animation = animation;
  run(20.0, [&] {
    const auto& ended = outputs().animation;
    well = ended && ended->successful;
    return ended.has_value();
  });
  return well;
}

void LoneRobot::penalise(bool penalised) {
  using Manual = hl_hcm::PauseLogic::Manual;
  match_.orders(0).manual = penalised ? Manual::Penalize : Manual::Unpenalize;
}

bool LoneRobot::step() {
  if (velocity_ && !orders().velocity) orders().velocity = velocity_;
  return match_.step();
}

bool LoneRobot::run(double seconds, const std::function<bool()>& until) {
  constexpr double kRounding = 1e-6;  // s
  for (const double end = time() + seconds - kRounding; time() < end;) {
    if (!step()) return false;
    if (until && until()) break;
  }
  return true;
}

bool LoneRobot::run_until(hl_hcm::State state, double seconds) {
  for (const double end = time() + seconds; time() < end && hcm().state() != state;)
    if (!step()) return false;
  return hcm().state() == state;
}

hl_description::Pose2 LoneRobot::counted() const {
  return motion().carriage().odometry;
}

bool LoneRobot::fell() const {
  return match_.timeline().count("fall") > 0 || body().fallen();
}

bool LoneRobot::stands() const {
  return hcm().state() == hl_hcm::State::Controllable && body().tilt() < 0.3;
}

bool LoneRobot::lies() const {
  const auto contacts = body().ground_contacts();
  return std::any_of(contacts.begin(), contacts.end(), [](const auto& contact) {
    return contact.part == hl_simulation::GroundContact::Part::Other && contact.force > 1.0 &&
           contact.link.find("lower_arm") == std::string::npos && contact.link.find("hand") == std::string::npos;
  });
}

}  // namespace hl_match
