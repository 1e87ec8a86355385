// SPDX-License-Identifier: Apache-2.0
#include "hl_localization/pose_filter.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace hl_localization {
namespace {

using Eigen::Vector2d;
using hl_description::wrap_angle;
using hl_soccer::GroundNoise;
using Ray = Sighting::Ray;
using Vector5 = Eigen::Matrix<double, 5, 1>;
using Matrix5 = Eigen::Matrix<double, 5, 5>;
using Row5 = Eigen::Matrix<double, 1, 5>;

constexpr double kFarthest = 12.0;        // m; nothing on a field is seen from farther
constexpr double kFarthestPlace = 100.0;  // m from the field's centre, of a named landmark
constexpr double kFarthestLine = 6.0;     // m; beyond, the noise of a line's end is not Gaussian any more
constexpr double kRollShare = 0.94;       // cosine of the camera's usual tilt
constexpr double kArmNoise = 0.12;        // rad, direction of a line at a crossing
constexpr double kLineNoise = 0.02;       // m, centre of a painted line
constexpr double kPlaceNoise = 0.006;     // rad, what is left when everything else is right: sway, calibration
constexpr double kCircleNoise = 3.0;      // the centre of an arc is known worse than a point by this factor
constexpr double kGate = 12.0;            // squared Mahalanobis distance of a pair of angles
constexpr double kDoubt = 3.0;            // the next best must be worse by this
constexpr double kUnexplained = -1.5;     // score of a thing that nothing on the field explains
constexpr double kBest = 4.0;             // score of a perfect match, at most
constexpr std::size_t kLinePoints = 16;   // of a cloud; neighbours tell the same
constexpr double kEndTolerance = 0.3;     // m a line may be seen too long
constexpr double kDensityOfFalse = -1.0;  // log of things seen by mistake per rad^2

struct Candidate {
  double distance = 1e9;  // squared Mahalanobis
  double log_determinant = 0.0;
  Vector2d residual = Vector2d::Zero();
  Eigen::Matrix<double, 2, 5> jacobian;
  Eigen::Matrix2d innovation;
  double arm_residual = 0.0;
};

/// x, y, yaw, pitch error, roll error at the moment of the picture.
class PictureFilter {
 public:
  PictureFilter(const PoseEstimate& estimate, const FieldMap& map, const GroundNoise& noise)
      : map_(map), noise_(noise) {
    mean_ << estimate.pose.x, estimate.pose.y, estimate.pose.yaw, estimate.tilt;
    covariance_ << estimate.covariance, estimate.tilt_cross, estimate.tilt_cross.transpose(),
        estimate.tilt_covariance + noise.attitude * noise.attitude * Eigen::Matrix2d::Identity();
    before_ = estimate;
    mean_before_ = mean_;
    covariance_before_ = covariance_;
  }

  void mark(const Sighting::Mark& seen) {
    Candidate best, second;
    for (const FieldMap::Landmark& landmark : map_.landmarks()) {
      if (!seen.place && landmark.kind != seen.kind) continue;
      Candidate candidate = pair(seen, seen.place ? *seen.place : landmark.place);
      if (!seen.place && seen.arm_count > 0 && !landmark.arms.empty()) add_arms(seen, landmark, candidate);
      if (candidate.distance < best.distance) std::swap(best, candidate);
      if (candidate.distance < second.distance) second = candidate;
      if (seen.place) break;
    }
    if (seen.place) {
      // The same thing seen from the opposite pose.
      const Candidate other = pair(seen, -*seen.place);
      match.side += std::clamp(0.5 * (std::min(other.distance, 20.0) - std::min(best.distance, 20.0)), -3.0, 3.0);
      second.distance = 1e9;
    }
    if (best.distance > kGate) {
      ++match.unmatched;
      match.score += kUnexplained;
      return;
    }
    ++match.matched;
    if (second.distance < best.distance + kDoubt) return;
    match.score += std::clamp(-0.5 * (best.distance + best.log_determinant) - std::log(2.0 * M_PI) - kDensityOfFalse,
                              kUnexplained, kBest);
    update(best);
    if (seen.arm_count > 0 && !seen.place) {
      Row5 jacobian = Row5::Zero();
      jacobian(2) = 1.0;
      update(jacobian, best.arm_residual, kArmNoise * kArmNoise);
    }
  }

  void segment(const Sighting::Segment& seen) {
    const FieldMap::Line* best_line = nullptr;
    double best = 1e9, second = 1e9, determinant = 1.0;
    const double tolerance = kEndTolerance + std::sqrt(covariance_(0, 0) + covariance_(1, 1));
    for (const FieldMap::Line& line : map_.lines()) {
      const Vector2d from = place(seen.from), to = place(seen.to);
      const double a = (from - line.from).dot(line.along), b = (to - line.from).dot(line.along);
      const double slack_from = tolerance + 0.03 * seen.from.distance * seen.from.distance,
                   slack_to = tolerance + 0.03 * seen.to.distance * seen.to.distance;
      if (a < -slack_from || a > line.length + slack_from || b < -slack_to || b > line.length + slack_to) continue;
      Row5 h1, h2;
      double r1 = 0.0, r2 = 0.0;
      const double e1 = offset(seen.from, line, h1, r1), e2 = offset(seen.to, line, h2, r2);
      Eigen::Matrix<double, 2, 5> h;
      h << h1, h2;
      Eigen::Matrix2d s = h * covariance_ * h.transpose();
      s(0, 0) += r1;
      s(1, 1) += r2;
      const Vector2d e(e1, e2);
      const double distance = e.dot(s.inverse() * e);
      if (distance < best) {
        second = best;
        best = distance;
        best_line = &line;
        determinant = s.determinant();
      } else {
        second = std::min(second, distance);
      }
    }
    if (best_line == nullptr || best > kGate) {
      ++match.unmatched;
      match.score += kUnexplained;
      return;
    }
    ++match.matched;
    if (second < best + kDoubt) return;
    // A line's two ends, as if spread over a metre: less telling than a point.
    match.score += std::clamp(-0.5 * (best + std::log(std::max(determinant, 1e-12))) - std::log(2.0 * M_PI) - 1.0,
                              kUnexplained, 0.75 * kBest);
    for (const Ray* end : {&seen.from, &seen.to}) {
      Row5 h;
      double r = 0.0;
      const double e = offset(*end, *best_line, h, r);
      update(h, -e, r);
    }
  }

  /// A point of a line or the circle: the nearest, if it is near. Neighbouring points share their errors, so each
  /// counts as one of `group`.
  void line_point(const Ray& seen, double group) {
    double best = 1e9, second = 1e9, best_noise = 1.0, best_residual = 0.0;
    Row5 best_h = Row5::Zero();
    const auto consider = [&](double e, const Row5& h, double r) {
      const double distance = e * e / (h.dot(covariance_ * h.transpose()) + r);
      if (distance < best) {
        second = best;
        best = distance;
        best_h = h;
        best_noise = r;
        best_residual = e;
      } else {
        second = std::min(second, distance);
      }
    };
    const Vector2d here = place(seen);
    for (const FieldMap::Line& line : map_.lines()) {
      const double a = (here - line.from).dot(line.along);
      if (a < -kEndTolerance || a > line.length + kEndTolerance) continue;
      Row5 h;
      double r = 0.0;
      const double e = offset(seen, line, h, r);
      consider(e, h, r);
    }
    if (here.norm() > 0.1) {
      const double radius = map_.field().circle_radius();
      const Vector2d normal = here.normalized();
      FieldMap::Line tangent{normal * radius, {-normal.y(), normal.x()}, normal, 0.0};
      Row5 h;
      double r = 0.0;
      const double e = offset(seen, tangent, h, r);
      consider(e, h, r);
    }
    if (best > 0.5 * kGate) {
      points_unmatched += 1.0 / group;
      return;
    }
    points_matched += 1.0 / group;
    if (second < best + 0.5 * kDoubt) return;
    update(best_h, -best_residual, best_noise * group);
  }

  PoseEstimate estimate() const {
    PoseEstimate result;
    result.pose = {mean_(0), mean_(1), wrap_angle(mean_(2))};
    const Eigen::Matrix3d p = covariance_.topLeftCorner<3, 3>();
    result.covariance = 0.5 * (p + p.transpose());
    // What stays of the tilt told itself only through pose and tilt of this picture: the same step as a smoother's.
    Eigen::Matrix<double, 2, 5> with;
    with << before_.tilt_cross.transpose(), before_.tilt_covariance;
    const Eigen::Matrix<double, 2, 5> gain = covariance_before_.ldlt().solve(with.transpose()).transpose();
    result.tilt = before_.tilt + gain * (mean_ - mean_before_);
    Eigen::Matrix2d t = before_.tilt_covariance - gain * (covariance_before_ - covariance_) * gain.transpose();
    t = 0.5 * (t + t.transpose()).eval();
    for (int n = 0; n < 2; ++n) t(n, n) = std::max(t(n, n), 1e-8);
    result.tilt_covariance = t;
    result.tilt_cross = (gain * covariance_).leftCols<3>().transpose();
    return result;
  }

  Match match;
  double points_matched = 0.0, points_unmatched = 0.0;

 private:
  /// Where the ray meets the ground, in map.
  Vector2d place(const Ray& ray) const {
    const double c = std::cos(mean_(2)), s = std::sin(mean_(2));
    const Vector2d q = ray.position * (1.0 - shift(ray));
    return {mean_(0) + c * q.x() - s * q.y(), mean_(1) + s * q.x() + c * q.y()};
  }

  /// Share of its distance by which the present attitude error puts the ray's end too far.
  double shift(const Ray& ray) const {
    const double error = ray.pitch_share * mean_(3) + ray.roll_share * mean_(4);
    return std::clamp(noise_.stretch(ray.distance) / ray.distance * error, -0.5, 0.5);
  }

  /// A seen mark compared with what would be seen of a thing at `there`.
  Candidate pair(const Sighting::Mark& seen, const Vector2d& there) const {
    Candidate c;
    const Vector2d m = there - mean_.head<2>();
    const double d2 = std::max(m.squaredNorm(), 1e-4), d = std::sqrt(d2), height = noise_.camera_height;
    c.residual << wrap_angle(seen.ray.azimuth - (std::atan2(m.y(), m.x()) - mean_(2))),
        seen.ray.depression -
            (std::atan2(height, d) - seen.ray.pitch_share * mean_(3) - seen.ray.roll_share * mean_(4));
    const double slope = height / ((height * height + d2) * d);
    c.jacobian << m.y() / d2, -m.x() / d2, -1.0, 0.0, 0.0,  //
        slope * m.x(), slope * m.y(), 0.0, -seen.ray.pitch_share, -seen.ray.roll_share;
    c.innovation = c.jacobian * covariance_ * c.jacobian.transpose();
    const double ray = seen.noise_scale * noise_.ray;
    c.innovation(0, 0) += ray * ray + kPlaceNoise * kPlaceNoise + 0.0004 / d2;  // 2 cm: width of posts and lines
    c.innovation(1, 1) += ray * ray + slope * slope * d2 * 0.0004;
    c.distance = c.residual.dot(c.innovation.inverse() * c.residual);
    c.log_determinant = std::log(std::max(c.innovation.determinant(), 1e-12));
    return c;
  }

  void add_arms(const Sighting::Mark& seen, const FieldMap::Landmark& landmark, Candidate& c) const {
    double sum = 0.0, cost = 0.0;
    for (std::size_t n = 0; n < seen.arm_count; ++n) {
      double best = M_PI;
      for (const double arm : landmark.arms) {
        const double r = wrap_angle(arm - seen.arms[n] - mean_(2));
        if (std::abs(r) < std::abs(best)) best = r;
      }
      sum += best;
      cost = std::max(cost, best * best);
    }
    c.arm_residual = sum / static_cast<double>(seen.arm_count);
    c.distance += cost / (kArmNoise * kArmNoise + covariance_(2, 2));
  }

  /// Signed distance of the ray's end from a line, with its Jacobian and the variance of its own noise.
  double offset(const Ray& ray, const FieldMap::Line& line, Row5& jacobian, double& variance) const {
    const double c = std::cos(mean_(2)), s = std::sin(mean_(2));
    const Vector2d q = ray.position, rotated(c * q.x() - s * q.y(), s * q.x() + c * q.y());
    const Vector2d along = rotated / ray.distance, across(-along.y(), along.x());
    const double far = noise_.stretch(ray.distance) * line.normal.dot(along),
                 side = ray.distance * line.normal.dot(across);
    jacobian << line.normal.x(), line.normal.y(), side, -far * ray.pitch_share, -far * ray.roll_share;
    variance = (far * far + side * side) * noise_.ray * noise_.ray + kLineNoise * kLineNoise +
               side * side * kPlaceNoise * kPlaceNoise;
    return line.normal.dot(place(ray) - line.from);
  }

  void update(const Candidate& c) {
    const Eigen::Matrix<double, 5, 2> gain = covariance_ * c.jacobian.transpose() * c.innovation.inverse();
    mean_ += gain * c.residual;
    covariance_ -= gain * c.innovation * gain.transpose();
    settle();
  }

  void update(const Row5& jacobian, double residual, double variance) {
    const Vector5 cross = covariance_ * jacobian.transpose();
    const double innovation = jacobian.dot(cross) + variance;
    mean_ += cross * (residual / innovation);
    covariance_ -= cross * cross.transpose() / innovation;
    settle();
  }

  /// Rounding must not make a variance negative.
  void settle() {
    covariance_ = 0.5 * (covariance_ + covariance_.transpose()).eval();
    for (int n = 0; n < 5; ++n) covariance_(n, n) = std::max(covariance_(n, n), 1e-8);
  }

  const FieldMap& map_;
  const GroundNoise& noise_;
  PoseEstimate before_;
  Vector5 mean_, mean_before_;
  Matrix5 covariance_, covariance_before_;
};

bool usable(const Vector2d& p, double farthest) {
  return p.allFinite() && p.norm() < farthest && p.norm() > 0.02;
}

}  // namespace

void PoseEstimate::move(const Pose2& motion, const Eigen::Vector3d& noise) {
  const Eigen::Matrix2d r = pose.rotation().toRotationMatrix();
  const Vector2d step = r * motion.position();
  Eigen::Matrix3d f = Eigen::Matrix3d::Identity();
  f(0, 2) = -step.y();
  f(1, 2) = step.x();
  covariance = f * covariance * f.transpose();
  tilt_cross = f * tilt_cross;
  covariance.topLeftCorner<2, 2>() += r * noise.head<2>().asDiagonal() * r.transpose();
  covariance(2, 2) += noise(2);
  pose = {pose.x + step.x(), pose.y + step.y(), wrap_angle(pose.yaw + motion.yaw)};
}

void PoseEstimate::turn_round() {
  const Pose2 other = opposite(pose);
  pose = {other.x, other.y, wrap_angle(other.yaw)};
  const Eigen::Matrix3d flip = Eigen::Vector3d(-1.0, -1.0, 1.0).asDiagonal();
  covariance = flip * covariance * flip;
  tilt_cross = flip * tilt_cross;
}

PoseEstimate PoseEstimate::displaced(const Pose2& offset) const {
  PoseEstimate result = *this;
  result.move(offset, Eigen::Vector3d::Zero());
  return result;
}

std::size_t Sighting::fill(const hl_soccer::Percepts& percepts, const GroundNoise& noise) {
  marks.clear();
  segments.clear();
  line_points.clear();
  both_posts = false;
  std::size_t refused = 0;
  // Where the camera looked: towards the middle of its view, or of what it saw.
  Vector2d ahead = Vector2d::Zero();
  for (const Vector2d& corner : percepts.view) {
    if (corner.allFinite() && corner.norm() > 1e-3) ahead += corner.normalized();
  }
  if (ahead.norm() < 0.1) {
    const auto add = [&ahead](const Vector2d& p) {
      if (p.allFinite() && p.norm() > 1e-3) ahead += p.normalized();
    };
    if (percepts.goal) {
      add(percepts.goal->left_post);
      add(percepts.goal->right_post);
    }
    for (const auto& crossing : percepts.crossings) add(crossing.position);
    for (const auto& segment : percepts.segments) {
      add(segment.from);
      add(segment.to);
    }
  }
  const double look = ahead.norm() < 0.1 ? 0.0 : std::atan2(ahead.y(), ahead.x());
  const auto ray_to = [&](const Vector2d& p) {
    Ray ray;
    ray.position = p;
    ray.distance = p.norm();
    ray.azimuth = std::atan2(p.y(), p.x());
    ray.depression = std::atan2(noise.camera_height, ray.distance);
    ray.pitch_share = std::cos(ray.azimuth - look);
    ray.roll_share = kRollShare * std::sin(ray.azimuth - look);
    return ray;
  };
  const auto add_mark = [&](FieldMap::Kind kind, const Vector2d& p, double confidence) {
    if (!usable(p, kFarthest) || !(confidence > 0.0)) {
      if (confidence != 0.0) ++refused;
      return false;
    }
    Mark mark;
    mark.kind = kind;
    mark.ray = ray_to(p);
    marks.push_back(mark);
    return true;
  };
  if (const auto& goal = percepts.goal) {
    const bool left = add_mark(FieldMap::Kind::Post, goal->left_post, goal->confidence);
    if (goal->both()) both_posts = add_mark(FieldMap::Kind::Post, goal->right_post, goal->confidence) && left;
  }
  for (const auto& landmark : percepts.landmarks) {
    if (!(landmark.place.norm() < kFarthestPlace)) {
      ++refused;
    } else if (add_mark(FieldMap::Kind::Post, landmark.position, landmark.confidence)) {
      marks.back().place = landmark.place;
    }
  }
  for (const auto& circle : percepts.circles) {
    if (add_mark(FieldMap::Kind::CircleCentre, circle.centre, circle.confidence))
      marks.back().noise_scale = kCircleNoise;
  }
  for (const auto& crossing : percepts.crossings) {
    FieldMap::Kind kind = FieldMap::Kind::CrossingL;
    if (crossing.type == hl_description::Field::Crossing::T) kind = FieldMap::Kind::CrossingT;
    if (crossing.type == hl_description::Field::Crossing::X) kind = FieldMap::Kind::CrossingX;
    if (!add_mark(kind, crossing.position, crossing.confidence)) continue;
    Mark& mark = marks.back();
    for (const Vector2d& arm : crossing.arms) {
      if (!arm.allFinite() || arm.norm() < 1e-3 || mark.arm_count >= mark.arms.size()) continue;
      mark.arms[mark.arm_count++] = std::atan2(arm.y(), arm.x());
    }
  }
  for (const auto& segment : percepts.segments) {
    if (!(segment.confidence > 0.0)) continue;
    if (!usable(segment.from, kFarthestLine) || !usable(segment.to, kFarthestLine) ||
        (segment.to - segment.from).norm() < 0.2) {
      ++refused;
      continue;
    }
    segments.push_back({ray_to(segment.from), ray_to(segment.to)});
  }
  if (segments.empty() && !percepts.line_points.empty()) {  // both come from the same pixels and count once
    const std::size_t step = std::max<std::size_t>(1, percepts.line_points.size() / kLinePoints);
    for (std::size_t n = 0; n < percepts.line_points.size(); n += step) {
      if (usable(percepts.line_points[n], kFarthestLine)) {
        line_points.push_back(ray_to(percepts.line_points[n]));
      } else {
        ++refused;
      }
    }
  }
  return refused;
}

Match correct(PoseEstimate& estimate, const Sighting& sighting, const FieldMap& map, const GroundNoise& noise) {
  PictureFilter filter(estimate, map, noise);
  for (const Sighting::Mark& mark : sighting.marks) filter.mark(mark);
  for (const Sighting::Segment& segment : sighting.segments) filter.segment(segment);
  const double group = std::max(1.0, static_cast<double>(sighting.line_points.size()) / 4.0);
  for (const Ray& point : sighting.line_points) filter.line_point(point, group);
  filter.match.matched += static_cast<int>(std::lround(filter.points_matched));
  filter.match.unmatched += static_cast<int>(std::lround(filter.points_unmatched));
  filter.match.score += filter.points_matched + kUnexplained * filter.points_unmatched;
  estimate = filter.estimate();
  return filter.match;
}

void correct_heading(PoseEstimate& estimate, double heading, double deviation) {
  const double innovation = estimate.covariance(2, 2) + deviation * deviation;
  const Eigen::Vector3d gain = estimate.covariance.col(2) / innovation;
  const double residual = wrap_angle(heading - estimate.pose.yaw);
  const Eigen::Vector3d column = estimate.covariance.col(2);
  const Eigen::Vector2d tilted = estimate.tilt_cross.row(2).transpose();
  estimate.tilt += tilted * (residual / innovation);
  estimate.tilt_covariance -= tilted * tilted.transpose() / innovation;
  estimate.tilt_cross -= column * tilted.transpose() / innovation;
  estimate.pose.x += gain(0) * residual;
  estimate.pose.y += gain(1) * residual;
  estimate.pose.yaw = wrap_angle(estimate.pose.yaw + gain(2) * residual);
  estimate.covariance -= column * column.transpose() / innovation;
  for (int n = 0; n < 3; ++n) estimate.covariance(n, n) = std::max(estimate.covariance(n, n), 1e-8);
  for (int n = 0; n < 2; ++n) estimate.tilt_covariance(n, n) = std::max(estimate.tilt_covariance(n, n), 1e-8);
}

}  // namespace hl_localization
