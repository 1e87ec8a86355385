// SPDX-License-Identifier: Apache-2.0
#include "hl_world_model/personal_model.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace hl_world_model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using hl_description::Pose2;
using hl_soccer::BodyState;
using hl_soccer::ObstacleKind;

constexpr double kFuture = 0.1;                        // s a stamp may be ahead of now
constexpr double kTimeJump = 5.0;                      // s without a step after which everything is forgotten
constexpr double kOdometryJump = 0.5;                  // m or rad between two readings: a new origin
constexpr double kFarthest = 12.0;                     // m
constexpr double kTooFar = 1e4;                        // m or rad, no odometry counts so far
constexpr double kBallGate = 14.0;                     // squared Mahalanobis distance
constexpr double kKickGate = 4.0;                      // m/s a ball may have got since it was last seen
constexpr double kRobotGate = 14.0;                    // squared Mahalanobis distance
constexpr double kRobotReach = 1.2;                    // m; never the same robot farther away
constexpr double kHopeless = 0.03;                     // probability: forgotten
constexpr double kMissedNear = 0.3, kMissedFar = 0.7;  // probability of not seeing a thing in view, on the safe side
constexpr int kSightings = 3;                          // before a ball is believed
constexpr double kRobotWidth = 0.2;                    // m, half of what a robot hides
constexpr double kKickSpeed = 2.0;                     // m/s

bool is_robot(ObstacleKind kind) {
  return kind != ObstacleKind::Pole;
}

/// Seen once it may be an error of a single picture.
bool is_believed(const RobotTrack& robot) {
  return robot.sightings >= 2 && robot.existence >= 0.4;
}

}  // namespace

std::optional<std::string> PersonalModel::Params::validate() const {
  if (auto error = rolling.validate()) return error;
  const struct {
    const char* name;
    double value, low, high;
  } ranges[] = {{"camera_height (m)", noise.camera_height, 0.1, 2.0},
                {"ray_noise (rad)", noise.ray, 1e-4, 0.2},
                {"attitude_noise (rad)", noise.attitude, 1e-4, 0.2},
                {"lasting_noise (rad)", noise.lasting, 0.0, 0.2},
                {"history (s)", history, 0.05, 2.0},
                {"ball_memory (s)", ball_memory, 0.5, 120.0},
                {"robot_memory (s)", robot_memory, 0.5, 120.0},
                {"believed", believed, 0.05, 0.99},
                {"feet (m)", feet, 0.0, 1.0},
                {"view_margin (m)", view_margin, 0.0, 1.0},
                {"ball_range (m)", ball_range, 0.5, 12.0}};
  for (const auto& range : ranges) {
    if (!(range.value >= range.low && range.value <= range.high)) {
      return std::string(range.name) + " is " + std::to_string(range.value) + " but must be in " +
             std::to_string(range.low) + ".." + std::to_string(range.high);
    }
  }
  return std::nullopt;
}

PersonalModel::PersonalModel(const Params& params) : params_(params) {}

PersonalModel::Outputs PersonalModel::step(const Inputs& inputs, double now) {
  if (!std::isfinite(now)) {
    ++counters_.refused.stamps;
    return report(inputs, last_now_);
  }
  if (now < last_now_ || now > last_now_ + kTimeJump) {
    if (now < last_now_) ++counters_.refused.stamps;
    history_.clear();
    state_ = {};
    look_count_ = 0;
  }
  last_now_ = now;
  if (inputs.odometry) walk(*inputs.odometry, now);
  if (inputs.body == BodyState::PickedUp) {  // odometry means nothing in somebody's hands
    state_.ball_count = state_.robot_count = 0;
    look_count_ = 0;
  }
  const bool upright = inputs.body != BodyState::Falling && inputs.body != BodyState::Fallen &&
                       inputs.body != BodyState::GettingUp && inputs.body != BodyState::PickedUp;
  for (const hl_soccer::Percepts& percepts : inputs.percepts) {
    if (upright) take(percepts, inputs.body, now);
  }
  return report(inputs, now);
}

void PersonalModel::walk(const hl_soccer::Odometry& odometry, double now) {
  const Pose2& pose = odometry.pose;
  const bool plausible = pose.finite() && pose.position().norm() < kTooFar && std::abs(pose.yaw) < kTooFar;
  if (!(odometry.stamp <= now + kFuture) || !plausible) {
    ++counters_.refused.odometry;
    return;
  }
  if (!history_.empty()) {
    const Pose2 before = history_.newest().pose, motion = before.inverse() * odometry.pose;
    const double way = motion.position().norm();
    if (way > kOdometryJump || std::abs(hl_description::wrap_angle(motion.yaw)) > kOdometryJump) {
      if (odometry.stamp <= history_.newest().stamp) {
        ++counters_.refused.odometry;
        return;
      }
      ++counters_.refused.odometry;
      rebase(odometry.pose * before.inverse());  // restarted: everything stays where it was around the robot
      history_.clear();
    } else if (odometry.stamp > history_.newest().stamp) {
      way_ += way;
    }
  }
  if (!history_.add(odometry) && odometry.stamp < history_.newest().stamp) ++counters_.refused.odometry;
}

void PersonalModel::rebase(const Pose2& new_from_old) {
  const Matrix2d r = new_from_old.rotation().toRotationMatrix();
  Eigen::Matrix4d both = Eigen::Matrix4d::Zero();
  both.topLeftCorner<2, 2>() = both.bottomRightCorner<2, 2>() = r;
  for (std::size_t n = 0; n < state_.ball_count; ++n) {
    BallTrack& ball = state_.balls[n];
    ball.place = new_from_old * ball.place;
    ball.place_covariance = r * ball.place_covariance * r.transpose();
    ball.roll = both * ball.roll;
    ball.roll.head<2>() += new_from_old.position();
    ball.roll_covariance = both * ball.roll_covariance * both.transpose();
  }
  for (std::size_t n = 0; n < state_.robot_count; ++n) {
    RobotTrack& robot = state_.robots[n];
    robot.state = both * robot.state;
    robot.state.head<2>() += new_from_old.position();
    robot.covariance = both * robot.covariance * both.transpose();
  }
  look_count_ = 0;
}

Matrix2d PersonalModel::noise_of(const Vector2d& seen, const Matrix2d& told, double yaw) const {
  Matrix2d noise = params_.noise.covariance(seen);
  const Matrix2d symmetric = 0.5 * (told + told.transpose());
  if (told.allFinite() && told.trace() > noise.trace() && told(0, 0) > 0.0 && told(1, 1) > 0.0 &&
      symmetric.determinant() > 0.0 && told.trace() < 100.0) {
    noise = symmetric;
  }
  const Matrix2d r = Eigen::Rotation2Dd(yaw).toRotationMatrix();
  return r * noise * r.transpose();
}

void PersonalModel::take(const hl_soccer::Percepts& percepts, BodyState body, double now) {
  if (!std::isfinite(percepts.stamp) || percepts.stamp > now + kFuture || percepts.stamp < now - params_.history) {
    ++counters_.refused.stamps;
    return;
  }
  const auto then = history_.pose_at(percepts.stamp);
  if (!then) {
    ++counters_.refused.unplaced;
    return;
  }
  Look look;
  look.stamp = percepts.stamp;
  look.robot = *then;
  look.way = std::max(0.0, way_ - (history_.newest().pose.position() - then->position()).norm());
  look.kicking = body == BodyState::Kicking;
  const auto usable = [this](const Vector2d& position, double confidence) {
    const bool good = position.allFinite() && position.norm() < kFarthest && confidence > 0.0 && confidence <= 1.0;
    if (!good && confidence != 0.0) ++counters_.refused.values;
    return good;
  };
  look.looked_for_ball = look.looked_for_robots = true;
  if (percepts.ball && usable(percepts.ball->position, percepts.ball->confidence)) {
    look.ball_seen = true;
    look.ball = *then * percepts.ball->position;
    look.ball_noise = noise_of(percepts.ball->position, percepts.ball->covariance, then->yaw);
    look.ball_confidence = percepts.ball->confidence;
  }
  for (const hl_soccer::SeenObstacle& seen : percepts.obstacles) {
    if (!is_robot(seen.kind) || !usable(seen.position, seen.confidence) || look.robot_count >= kSeenRobots) continue;
    hl_soccer::SeenObstacle& robot = look.robots[look.robot_count++];
    robot = seen;
    robot.position = *then * seen.position;
    robot.covariance = noise_of(seen.position, seen.covariance, then->yaw);
  }
  if (percepts.view.size() >= 3 && percepts.view.size() <= kCorners) {
    for (const Vector2d& corner : percepts.view) {
      if (!corner.allFinite()) {
        look.corner_count = 0;
        break;
      }
      look.view[look.corner_count++] = corner;
    }
  }
  for (std::size_t n = 0; n < look_count_; ++n) {
    if (looks_[n].look.stamp == look.stamp) {
      ++counters_.refused.repeated;
      return;
    }
  }
  insert(look);
}

void PersonalModel::insert(const Look& look) {
  std::size_t place = look_count_;
  while (place > 0 && looks_[place - 1].look.stamp > look.stamp) --place;
  if (place == 0 && look_count_ == kLooks) {
    ++counters_.refused.stamps;
    return;
  }
  if (place < look_count_) {
    ++counters_.reordered;
    state_ = looks_[place].before;
  }
  if (look_count_ == kLooks) {
    std::move(looks_.begin() + 1, looks_.end(), looks_.begin());
    --look_count_;
    --place;
  }
  std::move_backward(looks_.begin() + static_cast<std::ptrdiff_t>(place),
                     looks_.begin() + static_cast<std::ptrdiff_t>(look_count_),
                     looks_.begin() + static_cast<std::ptrdiff_t>(look_count_ + 1));
  looks_[place].look = look;
  ++look_count_;
  for (std::size_t n = place; n < look_count_; ++n) {
    looks_[n].before = state_;
    apply(state_, looks_[n].look);
  }
}

void PersonalModel::predict(State& state, double stamp, double way) const {
  const double dt = state.time < -1e299 ? 0.0 : stamp - state.time, walked = std::max(0.0, way - state.way);
  if (dt > 0.0) {
    for (std::size_t n = 0; n < state.ball_count; ++n) state.balls[n].predict(dt, walked, params_.rolling);
    for (std::size_t n = 0; n < state.robot_count; ++n) state.robots[n].predict(dt, walked);
  }
  state.time = std::max(state.time, stamp);
  state.way = std::max(state.way, way);
}

void PersonalModel::apply(State& state, const Look& look) const {
  predict(state, look.stamp, look.way);
  see_robots(state, look);
  see_ball(state, look);
}

bool PersonalModel::in_view(const Look& look, const Vector2d& place) const {
  if (look.corner_count < 3) return false;
  const Vector2d p = look.robot.inverse() * place;
  for (std::size_t n = 0; n < look.corner_count; ++n) {
    const Vector2d &a = look.view[n], &b = look.view[(n + 1) % look.corner_count];
    const Vector2d edge = b - a, offset = p - a;
    const double length = edge.norm();
    if (length < 1e-6) continue;
    if ((edge.x() * offset.y() - edge.y() * offset.x()) / length < params_.view_margin) return false;
  }
  return true;
}

bool PersonalModel::hidden(const State& state, const Look& look, const Vector2d& place, int except) const {
  const Vector2d offset = place - look.robot.position();
  const double far = offset.norm();
  if (far < params_.feet) return true;
  for (std::size_t n = 0; n < state.robot_count; ++n) {
    const RobotTrack& robot = state.robots[n];
    if (robot.id == except || !is_believed(robot)) continue;
    const Vector2d to = robot.state.head<2>() - look.robot.position();
    const double along = to.dot(offset) / far;
    if (along < 0.0 || along > far + kRobotWidth) continue;
    if (std::abs(to.x() * offset.y() - to.y() * offset.x()) / far < kRobotWidth + 0.1) return true;
  }
  return false;
}

void PersonalModel::see_ball(State& state, const Look& look) const {
  std::size_t matched = kBalls;
  if (look.ball_seen) {
    double best = 1e9;
    for (std::size_t n = 0; n < state.ball_count; ++n) {
      BallTrack& ball = state.balls[n];
      if (look.kicking && (ball.position() - look.robot.position()).norm() < 0.5) ball.touched(kKickSpeed);
      double distance = ball.distance(look.ball, look.ball_noise);
      // A kicked ball is far from where it lay, but not farther than it can have rolled.
      const double away = (look.ball - ball.position()).norm(), since = look.stamp - ball.last_seen;
      if (distance > kBallGate && ball.existence > 0.7 && since < 1.0 &&
          away < 0.15 + kKickGate * since + std::sqrt(look.ball_noise.trace())) {
        distance = kBallGate - 1.0;
      }
      if (distance < std::min(best, kBallGate)) {
        best = distance;
        matched = n;
      }
    }
    if (matched < kBalls) {
      state.balls[matched].update(look.ball, look.ball_noise, look.ball_confidence, look.stamp);
    } else {
      if (state.ball_count == kBalls) {
        const auto weakest = std::min_element(state.balls.begin(), state.balls.end(),
                                              [](const auto& a, const auto& b) { return a.existence < b.existence; });
        *weakest = state.balls[--state.ball_count];
      }
      matched = state.ball_count++;
      state.balls[matched] = BallTrack::begin(look.ball, look.ball_noise, look.stamp);
    }
  }
  for (std::size_t n = 0; n < state.ball_count; ++n) {
    BallTrack& ball = state.balls[n];
    const Vector2d place = ball.position();
    const double far = (place - look.robot.position()).norm();
    if (n == matched || far > params_.ball_range || !in_view(look, place) || hidden(state, look, place, 0)) continue;
    // Not sure of its place, it may lie beside the view.
    const double spread = ball.covariance().topLeftCorner<2, 2>().trace();
    const double missed = kMissedNear + (kMissedFar - kMissedNear) * std::min(1.0, far / params_.ball_range);
    ball.not_seen(std::min(0.95, missed + 0.3 * spread));
  }
  for (std::size_t n = 0; n < state.ball_count;) {
    const BallTrack& ball = state.balls[n];
    if (ball.existence < kHopeless || look.stamp - ball.last_seen > params_.ball_memory) {
      state.balls[n] = state.balls[--state.ball_count];
    } else {
      ++n;
    }
  }
}

void PersonalModel::see_robots(State& state, const Look& look) const {
  std::array<bool, kRobots> seen_tracks{};
  for (std::size_t k = 0; k < look.robot_count; ++k) {
    const hl_soccer::SeenObstacle& seen = look.robots[k];
    double best = kRobotGate;
    std::size_t matched = kRobots;
    for (std::size_t n = 0; n < state.robot_count; ++n) {
      if (seen_tracks[n] ||
          (state.robots[n].state.head<2>() - seen.position).norm() > kRobotReach + std::sqrt(seen.covariance.trace())) {
        continue;
      }
      const double distance = state.robots[n].distance(seen, seen.position, seen.covariance);
      if (distance < best) {
        best = distance;
        matched = n;
      }
    }
    if (matched < kRobots) {
      state.robots[matched].update(seen, seen.position, seen.covariance, look.stamp);
      seen_tracks[matched] = true;
    } else if (state.robot_count < kRobots) {
      seen_tracks[state.robot_count] = true;
      state.robots[state.robot_count++] =
          RobotTrack::begin(state.next_id++, seen, seen.position, seen.covariance, look.stamp);
    }
  }
  for (std::size_t n = 0; n < state.robot_count; ++n) {
    RobotTrack& robot = state.robots[n];
    const Vector2d place = robot.state.head<2>();
    const double far = (place - look.robot.position()).norm();
    if (seen_tracks[n] || far > params_.ball_range || !in_view(look, place) || hidden(state, look, place, robot.id)) {
      continue;
    }
    robot.not_seen(kMissedNear + (kMissedFar - kMissedNear) * std::min(1.0, far / params_.ball_range) + 0.1);
  }
  for (std::size_t n = 0; n < state.robot_count;) {
    const RobotTrack& robot = state.robots[n];
    if (robot.existence < kHopeless || look.stamp - robot.last_seen > params_.robot_memory) {
      state.robots[n] = state.robots[--state.robot_count];
    } else {
      ++n;
    }
  }
}

PersonalModel::Outputs PersonalModel::report(const Inputs& inputs, double now) {
  Outputs outputs = counters_;
  hl_soccer::Model& model = outputs.model;
  model.pose = inputs.pose;
  model.stamp = history_.empty() ? now : history_.newest().stamp;
  if (history_.empty()) return outputs;
  State state = state_;
  predict(state, model.stamp, way_);
  const Pose2 robot_from_odom = history_.newest().pose.inverse();
  const Matrix2d r = robot_from_odom.rotation().toRotationMatrix();
  outputs.ball_hypotheses = static_cast<int>(state.ball_count);

  const BallTrack* best = nullptr;
  for (std::size_t n = 0; n < state.ball_count; ++n) {
    const BallTrack& ball = state.balls[n];
    if (ball.sightings < kSightings || ball.existence < params_.believed ||
        model.stamp - ball.last_seen > params_.ball_memory) {
      continue;
    }
    if (best == nullptr || ball.existence > best->existence + 0.05 ||
        (std::abs(ball.existence - best->existence) <= 0.05 && ball.last_seen > best->last_seen)) {
      best = &ball;
    }
  }
  if (best != nullptr) {
    hl_soccer::BallBelief& ball = model.ball;
    Eigen::Matrix4d both = Eigen::Matrix4d::Zero();
    both.topLeftCorner<2, 2>() = both.bottomRightCorner<2, 2>() = r;
    ball.position = robot_from_odom * best->position();
    ball.velocity = r * best->velocity();
    ball.covariance = both * best->covariance() * both.transpose();
    ball.covariance.topLeftCorner<2, 2>() += params_.noise.lasting_covariance(ball.position);
    ball.last_seen = best->last_seen;
    ball.confidence = std::clamp(best->existence, 0.0, 1.0);
    outputs.ball_rolls = best->rolling_probability();
  }
  for (std::size_t n = 0; n < state.robot_count; ++n) {
    const RobotTrack& track = state.robots[n];
    if (!is_believed(track) || model.stamp - track.last_seen > params_.robot_memory) continue;
    hl_soccer::RobotBelief robot;
    robot.id = track.id;
    robot.position = robot_from_odom * Vector2d(track.state.head<2>());
    robot.velocity = r * track.state.tail<2>();
    robot.covariance = r * track.covariance.topLeftCorner<2, 2>() * r.transpose();
    robot.covariance += params_.noise.lasting_covariance(robot.position);
    if (track.blue != 0.0) {
      robot.team = (track.blue > 0.0) == inputs.own_color_blue ? hl_soccer::Team::Own : hl_soccer::Team::Rival;
    }
    if (track.number > 0) robot.number = track.number;
    robot.last_seen = track.last_seen;
    robot.confidence = std::clamp(track.existence, 0.0, 1.0);
    model.robots.push_back(robot);
  }
  return outputs;
}

}  // namespace hl_world_model
