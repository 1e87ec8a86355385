// SPDX-License-Identifier: Apache-2.0
#include "hl_world_model/team_model.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace hl_world_model {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using hl_description::Pose2;
using hl_soccer::TeamMate;

constexpr double kFuture = 0.2;        // s a stamp may be ahead of now
constexpr double kFarthest = 30.0;     // m from the field's centre
constexpr double kLostVariance = 4.0;  // m^2: such a pose tells nothing
constexpr double kMostVariance = 1e4;  // m^2 or rad^2; beside more than that the rest of a matrix cannot be judged
constexpr double kLeastConfidence = 0.1;
constexpr double kAgreement = 9.2;               // squared Mahalanobis distance, 99 %
constexpr double kSayPeriod = 0.05;              // s between remembered own words
constexpr double kSameRobot = 0.8;               // m
constexpr int kMateIds = 1000, kToldIds = 2000;  // own tracks have ids below

/// Uncertainty of a point `offset` away (map axes) from a pose with `covariance`.
Matrix2d carried(const Eigen::Matrix3d& covariance, const Vector2d& offset) {
  const Vector2d across(-offset.y(), offset.x());
  return covariance.topLeftCorner<2, 2>() + std::min(covariance(2, 2), 10.0) * across * across.transpose();
}

/// A matrix that is none, of others' programs, is reduced to its variances.
Eigen::Matrix3d as_covariance(const Eigen::Matrix3d& told) {
  if (told.cwiseAbs().maxCoeff() > kMostVariance) return told.diagonal().asDiagonal();
  const Eigen::Matrix3d symmetric = 0.5 * (told + told.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(symmetric, Eigen::EigenvaluesOnly);
  if (eigen.eigenvalues().minCoeff() >= 0.0) return symmetric;
  return told.diagonal().asDiagonal();
}

bool pose_known(const hl_soccer::PoseBelief& pose) {
  return pose.known() && pose.confidence >= kLeastConfidence && pose.pose.finite() && pose.covariance.allFinite() &&
         pose.covariance.topLeftCorner<2, 2>().trace() < kLostVariance;
}

bool mate_known(const TeamMate& mate) {
  return mate.pose && mate.pose_confidence >= kLeastConfidence &&
         mate.pose_covariance.topLeftCorner<2, 2>().trace() < kLostVariance;
}

double mahalanobis(const Vector2d& d, const Matrix2d& s) {
  return d.dot(s.inverse() * d);
}

}  // namespace

std::optional<std::string> TeamModel::Params::validate() const {
  const struct {
    const char* name;
    double value, low, high;
  } ranges[] = {{"camera_height (m)", noise.camera_height, 0.1, 2.0},
                {"ray_noise (rad)", noise.ray, 1e-4, 0.2},
                {"attitude_noise (rad)", noise.attitude, 1e-4, 0.2},
                {"lasting_noise (rad)", noise.lasting, 0.0, 0.2},
                {"own_fresh (s)", own_fresh, 0.0, 10.0},
                {"ball_stale (s)", ball_stale, 0.1, 20.0},
                {"mate_stale (s)", mate_stale, 0.1, 20.0},
                {"ball_speed (m/s)", ball_speed, 0.0, 5.0},
                {"own_said (s)", own_said, 0.0, 3.2},
                {"echo (m)", echo, 0.0, 0.5},
                {"least_trust", least_trust, 0.0, 0.9}};
  for (const auto& range : ranges) {
    if (!(range.value >= range.low && range.value <= range.high)) {
      return std::string(range.name) + " is " + std::to_string(range.value) + " but must be in " +
             std::to_string(range.low) + ".." + std::to_string(range.high);
    }
  }
  return std::nullopt;
}

TeamModel::TeamModel(const Params& params) : params_(params) {}

bool TeamModel::sane(const TeamMate& mate, double now) const {
  if (mate.number < 1 || mate.number >= kMates || !std::isfinite(mate.stamp) || mate.stamp > now + kFuture)
    return false;
  if (mate.pose && (!mate.pose->finite() || mate.pose->position().norm() > kFarthest)) return false;
  if (!mate.pose_covariance.allFinite() || mate.pose_covariance.diagonal().minCoeff() < 0.0) return false;
  if (!(mate.pose_confidence >= 0.0 && mate.pose_confidence <= 1.0)) return false;
  return !mate.ball || (mate.ball->position.allFinite() && mate.ball->position.norm() < kFarthest &&
                        mate.ball->confidence >= 0.0 && mate.ball->confidence <= 1.0);
}

TeamModel::ToldBall TeamModel::told_ball(const TeamMate& mate, double now) const {
  ToldBall ball;
  const Vector2d offset = mate.pose->rotation() * mate.ball->position;
  ball.place = mate.pose->position() + offset;
  const Matrix2d r = mate.pose->rotation().toRotationMatrix();
  const double age = std::max(0.0, now - mate.stamp), drift = params_.ball_speed * age;
  // Telling a filtered ball, a mate knows it better than from one picture; half the noise is a careful guess.
  Matrix2d pose = carried(mate.pose_covariance, offset);
  pose = 0.5 * (pose + pose.transpose()).eval();
  ball.covariance = pose + 0.25 * r * params_.noise.covariance(mate.ball->position) * r.transpose() +
                    r * params_.noise.lasting_covariance(mate.ball->position) * r.transpose() +
                    (drift * drift + 0.0025) * Matrix2d::Identity();
  if (!(ball.covariance.determinant() > 0.0)) ball.covariance = pose.trace() * Matrix2d::Identity();
  ball.confidence = mate.ball->confidence;
  ball.stamp = mate.stamp;
  ball.number = mate.number;
  return ball;
}

TeamModel::Outputs TeamModel::step(const Inputs& inputs, double now) {
  Outputs outputs;
  outputs.model = inputs.own;
  if (!std::isfinite(now)) {
    outputs.refused = ++refused_;
    return outputs;
  }
  if (now < last_now_) {
    mates_ = {};
    said_ = {};
    last_said_ = -1e300;
  }
  last_now_ = now;
  remember(inputs, now);
  std::vector<ToldBall> balls;
  Inputs usable;
  usable.own = inputs.own;
  for (TeamMate mate : inputs.mates) {
    if (!sane(mate, now)) {
      ++refused_;
      continue;
    }
    mate.pose_covariance = as_covariance(mate.pose_covariance);
    judge(mate, inputs, now);
    const Mate& known = mates_[static_cast<std::size_t>(mate.number)];
    Verdict verdict{mate.number, Word::Used, known.trust};
    if (now - mate.stamp > params_.mate_stale) {
      verdict.word = Word::Stale;
    } else if (!mate_known(mate)) {
      verdict.word = Word::NoPose;
    } else if (known.trust < params_.least_trust) {
      verdict.word = known.mirrored > 0.5 ? Word::Mirrored : Word::Contradicts;
    } else {
      usable.mates.push_back(mate);
      if (mate.ball && mate.ball->confidence > 0.0 && now - mate.stamp <= params_.ball_stale) {
        const ToldBall ball = told_ball(mate, now);
        if (echo(ball)) {
          verdict.word = Word::Echo;
        } else {
          balls.push_back(ball);
        }
      }
    }
    outputs.verdicts.push_back(verdict);
  }
  fuse_ball(usable, balls, outputs, now);
  add_robots(usable, outputs, now);
  outputs.refused = refused_;
  return outputs;
}

/// What we tell the team ourselves, to know it again.
void TeamModel::remember(const Inputs& inputs, double now) {
  const auto& ball = inputs.own.ball;
  if (!pose_known(inputs.own.pose) || ball.confidence <= 0.0 || !ball.position.allFinite() ||
      now - ball.last_seen > params_.own_fresh || now - last_said_ < kSayPeriod) {
    return;
  }
  said_[next_said_] = {now, inputs.own.pose.pose * ball.position};
  next_said_ = (next_said_ + 1) % said_.size();
  last_said_ = now;
}

bool TeamModel::echo(const ToldBall& ball) const {
  return std::any_of(said_.begin(), said_.end(), [&](const Said& said) {
    return said.stamp <= ball.stamp && said.stamp > ball.stamp - params_.own_said &&
           (said.ball - ball.place).norm() < params_.echo;
  });
}

/// Compares a new word with what we see; each word once.
void TeamModel::judge(const TeamMate& mate, const Inputs& inputs, double now) {
  Mate& known = mates_[static_cast<std::size_t>(mate.number)];
  if (mate.stamp == known.last_stamp) return;
  known.last_stamp = mate.stamp;
  if (!mate_known(mate) || !pose_known(inputs.own.pose) || now - mate.stamp > params_.ball_stale) return;
  const Pose2& pose = inputs.own.pose.pose;
  const auto compare = [&known](double here, double there) {
    if (here < kAgreement) {
      known.trust = std::min(1.0, known.trust + 0.2);
      known.mirrored *= 0.7;
    } else {
      known.trust = std::max(0.0, known.trust - 0.15);
      known.mirrored += 0.3 * ((there < kAgreement ? 1.0 : 0.0) - known.mirrored);
    }
  };
  const auto& ball = inputs.own.ball;
  if (mate.ball && mate.ball->confidence > 0.0 && ball.confidence > 0.5 && now - ball.last_seen < params_.own_fresh &&
      ball.velocity.norm() < 0.5) {
    const ToldBall told = told_ball(mate, now);
    const Vector2d own = pose * ball.position;
    Matrix2d s = told.covariance + carried(inputs.own.pose.covariance, own - pose.position());
    const Matrix2d r = pose.rotation().toRotationMatrix();
    s += r * ball.covariance.topLeftCorner<2, 2>() * r.transpose() + 0.04 * Matrix2d::Identity();
    compare(mahalanobis(own - told.place, s), mahalanobis(own + told.place, s));
  }
  for (const auto& robot : inputs.own.robots) {
    if (robot.team != hl_soccer::Team::Own || !robot.number || *robot.number != mate.number ||
        now - robot.last_seen > params_.own_fresh) {
      continue;
    }
    const Vector2d seen = pose * robot.position;
    Matrix2d s =
        mate.pose_covariance.topLeftCorner<2, 2>() + carried(inputs.own.pose.covariance, seen - pose.position());
    s += robot.covariance + 0.09 * Matrix2d::Identity();
    compare(mahalanobis(seen - mate.pose->position(), s), mahalanobis(seen + mate.pose->position(), s));
  }
}

void TeamModel::fuse_ball(const Inputs& inputs, std::vector<ToldBall>& balls, Outputs& outputs, double now) const {
  const auto& own = inputs.own.ball;
  if (balls.empty() || !pose_known(inputs.own.pose)) return;
  const bool own_known = own.confidence > 0.0 && own.position.allFinite() && own.covariance.allFinite();
  if (own_known && now - own.last_seen < params_.own_fresh) return;
  const Pose2& pose = inputs.own.pose.pose;
  const Matrix2d r = pose.rotation().toRotationMatrix();
  if (own_known) {  // seen a while ago: one voice among others
    const double drift = params_.ball_speed * (now - own.last_seen);
    const Vector2d offset = r * own.position;
    balls.push_back({pose.position() + offset,
                     carried(inputs.own.pose.covariance, offset) +
                         r * own.covariance.topLeftCorner<2, 2>() * r.transpose() +
                         drift * drift * Matrix2d::Identity(),
                     own.confidence, own.last_seen, 0});
  }
  // Surest first; those that agree with it sharpen it.
  const auto doubt = [](const ToldBall& ball) { return ball.covariance.trace() / std::max(0.05, ball.confidence); };
  std::sort(balls.begin(), balls.end(), [&doubt](const auto& a, const auto& b) { return doubt(a) < doubt(b); });
  ToldBall fused = balls.front();
  for (std::size_t n = 1; n < balls.size(); ++n) {
    const ToldBall& other = balls[n];
    if (mahalanobis(other.place - fused.place, fused.covariance + other.covariance) > kAgreement) continue;
    const Matrix2d gain = fused.covariance * (fused.covariance + other.covariance).inverse();
    fused.place += gain * (other.place - fused.place);
    fused.covariance -= gain * fused.covariance;
    fused.covariance = 0.5 * (fused.covariance + fused.covariance.transpose()).eval();
    fused.confidence = 1.0 - (1.0 - fused.confidence) * (1.0 - 0.5 * other.confidence);
    fused.stamp = std::max(fused.stamp, other.stamp);
  }
  if (fused.number == 0) return;  // the own eyes were the best after all
  hl_soccer::BallBelief& ball = outputs.model.ball;
  const Vector2d offset = fused.place - pose.position();
  ball.position = pose.inverse() * fused.place;
  ball.velocity.setZero();
  const Matrix2d covariance = fused.covariance + carried(inputs.own.pose.covariance, offset);
  ball.covariance = Eigen::Matrix4d::Identity();
  ball.covariance.topLeftCorner<2, 2>() = r.transpose() * covariance * r;
  ball.last_seen = fused.stamp;
  const double age = std::max(0.0, now - fused.stamp);
  ball.confidence = std::clamp(fused.confidence * (1.0 - 0.5 * age / params_.ball_stale), 0.0, 1.0);
  ball.source = fused.number;
}

void TeamModel::add_robots(const Inputs& inputs, Outputs& outputs, double now) const {
  if (!pose_known(inputs.own.pose)) return;
  const Pose2& pose = inputs.own.pose.pose;
  const Pose2 robot_from_map = pose.inverse();
  const Matrix2d r = robot_from_map.rotation().toRotationMatrix();
  auto& robots = outputs.model.robots;
  for (const TeamMate& mate : inputs.mates) {
    if (mate.activity == hl_soccer::Activity::Penalized) continue;
    const Vector2d here = robot_from_map * mate.pose->position();
    hl_soccer::RobotBelief* seen = nullptr;
    double nearest = kSameRobot + std::sqrt(mate.pose_covariance.topLeftCorner<2, 2>().trace());
    for (auto& robot : robots) {
      if (robot.team == hl_soccer::Team::Rival || robot.source != 0 || (robot.number && *robot.number != mate.number)) {
        continue;
      }
      const double distance = (robot.position - here).norm();
      if (distance > nearest) continue;
      nearest = distance;
      seen = &robot;
    }
    if (seen != nullptr) {
      seen->team = hl_soccer::Team::Own;
      seen->number = mate.number;
      continue;
    }
    hl_soccer::RobotBelief robot;
    robot.id = kMateIds + mate.number;
    robot.position = here;
    const double drift = params_.ball_speed * std::max(0.0, now - mate.stamp);
    robot.covariance = r *
                           (mate.pose_covariance.topLeftCorner<2, 2>() +
                            carried(inputs.own.pose.covariance, mate.pose->position() - pose.position())) *
                           r.transpose() +
                       (drift * drift + 0.01) * Matrix2d::Identity();
    robot.team = hl_soccer::Team::Own;
    robot.number = mate.number;
    robot.last_seen = mate.stamp;
    robot.confidence = mate.pose_confidence;
    robot.source = mate.number;
    robots.push_back(robot);
  }
  for (const TeamMate& mate : inputs.mates) {
    int index = 0;
    for (const hl_soccer::BelievedPoint& told : mate.opponents) {
      ++index;
      if (!told.position.allFinite() || told.position.norm() > kFarthest || !(told.confidence > 0.0) ||
          !(told.confidence <= 1.0)) {
        continue;
      }
      const Vector2d here = robot_from_map * told.position;
      const bool known = here.norm() < 0.6 || std::any_of(robots.begin(), robots.end(), [&here](const auto& robot) {
                           return (robot.position - here).norm() < kSameRobot;
                         });
      if (known) continue;
      hl_soccer::RobotBelief robot;
      robot.id = kToldIds + 10 * mate.number + index;
      robot.position = here;
      robot.covariance = r * carried(inputs.own.pose.covariance, told.position - pose.position()) * r.transpose() +
                         (0.09 + mate.pose_covariance.topLeftCorner<2, 2>().trace()) * Matrix2d::Identity();
      robot.team = hl_soccer::Team::Rival;
      robot.last_seen = mate.stamp;
      robot.confidence = told.confidence;
      robot.source = mate.number;
      robots.push_back(robot);
    }
  }
}

}  // namespace hl_world_model
