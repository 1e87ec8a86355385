// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/transform.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double kTiltStep = 1e-3;      // rad, to see how a place moves with the camera's attitude
constexpr double kPointSpacing = 0.08;  // m between points on a line
constexpr int kMostPoints = 60;         // on one segment

/// The view with the camera turned by small angles about the ground's axes.
CameraView tilted(const CameraView& view, double about_x, double about_y) {
  Eigen::Isometry3d pose = view.ground_from_camera();
  pose.linear() =
      (Eigen::AngleAxisd(about_x, Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(about_y, Eigen::Vector3d::UnitY()))
          .toRotationMatrix() *
      pose.linear();
  return CameraView(view.lens(), pose);
}

/// Corners of what the camera sees of the ground, counter-clockwise; pixels above the horizon are brought down to the
/// farthest place told.
std::vector<Vector2d> visible_ground(const CameraView& view, double farthest) {
  const double w = view.lens().width, h = view.lens().height;
  std::vector<Vector2d> corners;
  const Vector2d eye = view.ground_from_camera().translation().head<2>();
  for (const cv::Point2d corner :
       {cv::Point2d(w, h), cv::Point2d(w, 0.0), cv::Point2d(0.0, 0.0), cv::Point2d(0.0, h)}) {
    if (corner.y > 0.0 && !view.on_plane(corner)) return {};  // looks at the ceiling, or is held on its side
    for (double y = corner.y;; y += 4.0) {
      const auto p = view.on_plane({corner.x, y});
      if (p && (*p - eye).norm() <= farthest) {
        corners.push_back(*p);
        break;
      }
      if (y > h) return {};
    }
  }
  return corners;
}

}  // namespace

std::optional<std::string> Transform::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (!(pixel_noise > 0.0 && pixel_noise <= 50.0))
    return bad("pixel_noise (px) must be above 0 and at most 50", pixel_noise);
  if (!(tilt_noise >= 0.0 && tilt_noise <= 0.5)) return bad("tilt_noise (rad) must be in 0..0.5", tilt_noise);
  if (!(diameter_noise > 0.0 && diameter_noise <= 1.0))
    return bad("diameter_noise must be above 0 and at most 1", diameter_noise);
  if (!(farthest > 0.0 && farthest <= 100.0)) return bad("farthest (m) must be above 0 and at most 100", farthest);
  return std::nullopt;
}

std::optional<Transform::Place> Transform::place(const CameraView& view, const cv::Point2d& pixel,
                                                 double height) const {
  if (!std::isfinite(pixel.x) || !std::isfinite(pixel.y)) return std::nullopt;
  const auto at = view.on_plane(pixel, height);
  if (!at || !at->allFinite() || (*at - view.ground_from_camera().translation().head<2>()).norm() > params_.farthest)
    return std::nullopt;
  const auto right = view.on_plane(pixel + cv::Point2d(0.5, 0.0), height),
             down = view.on_plane(pixel + cv::Point2d(0.0, 0.5), height);
  const auto rolled = tilted(view, kTiltStep, 0.0).on_plane(pixel, height),
             pitched = tilted(view, 0.0, kTiltStep).on_plane(pixel, height);
  if (!right || !down || !rolled || !pitched) return std::nullopt;
  Eigen::Matrix<double, 2, 4> jacobian;
  jacobian.col(0) = (*right - *at) / 0.5 * params_.pixel_noise;
  jacobian.col(1) = (*down - *at) / 0.5 * params_.pixel_noise;
  jacobian.col(2) = (*rolled - *at) / kTiltStep * params_.tilt_noise;
  jacobian.col(3) = (*pitched - *at) / kTiltStep * params_.tilt_noise;
  Place result;
  result.position = *at;
  result.covariance = jacobian * jacobian.transpose() + 1e-6 * Matrix2d::Identity();
  return result;
}

std::optional<Transform::Place> Transform::by_size(const CameraView& view, const BallInImage& ball) const {
  if (!(ball.diameter > 2.0) || !std::isfinite(ball.center.x) || !std::isfinite(ball.center.y)) return std::nullopt;
  const Eigen::Vector3d ray = view.ray(ball.center);
  const double depth = view.lens().fx * 2.0 * field_.ball_radius / ball.diameter * std::sqrt(ray.norm());
  const Eigen::Vector3d at = view.ground_from_camera() * Eigen::Vector3d(depth * ray);
  const Vector2d eye = view.ground_from_camera().translation().head<2>();
  const double reach = (at.head<2>() - eye).norm();
  if (!(reach <= params_.farthest)) return std::nullopt;
  Place result;
  result.position = at.head<2>();
  const Vector2d along = reach > 1e-6 ? Vector2d((at.head<2>() - eye) / reach) : Vector2d::UnitX();
  const double error = reach * (params_.diameter_noise + params_.pixel_noise / ball.diameter);
  const double across = depth * (params_.pixel_noise / view.lens().fx + params_.tilt_noise);
  result.covariance = error * error * along * along.transpose() +
                      across * across * (Matrix2d::Identity() - along * along.transpose()) +
                      1e-6 * Matrix2d::Identity();
  return result;
}

std::optional<hl_soccer::SeenGoal> Transform::goal(const CameraView& view, const GoalInImage& goal) const {
  const auto left = place(view, goal.left.foot, 0.0);
  const auto right = goal.right ? place(view, goal.right->foot, 0.0) : std::nullopt;
  if (!left && !right) return std::nullopt;
  hl_soccer::SeenGoal seen;
  seen.left_post = left ? left->position : right->position;
  seen.right_post = right ? right->position : left->position;
  seen.confidence = goal.confidence;
  return seen;
}

Transform::Outputs Transform::step(const Inputs& inputs, double /*now*/) const {
  Outputs out;
  hl_soccer::Percepts& percepts = out.percepts;
  const CameraView& view = inputs.view;
  const Detection::Outputs& seen = inputs.seen;
  percepts.stamp = inputs.stamp;
  if (seen.ball) {
    const auto ground = place(view, seen.ball->center, field_.ball_radius), size = by_size(view, *seen.ball);
    const bool take_size = size && (!ground || size->covariance.trace() < ground->covariance.trace());
    out.ball_by_size = take_size;
    if (const auto& best = take_size ? size : ground) {
      hl_soccer::SeenBall ball;
      ball.position = best->position;
      ball.covariance = best->covariance;
      ball.confidence = seen.ball->confidence;
      percepts.ball = ball;
    } else {
      ++out.dropped;
    }
  }
  if (seen.goal) {
    percepts.goal = goal(view, *seen.goal);
    out.dropped += percepts.goal ? 0 : 1;
  }
  for (const ObstacleInImage& o : seen.obstacles) {
    const auto foot = place(view, cv::Point2d(o.box.x + 0.5 * o.box.width, o.box.y + o.box.height), 0.0);
    if (!foot) {
      ++out.dropped;
      continue;
    }
    hl_soccer::SeenObstacle obstacle;
    obstacle.kind = o.kind;
    obstacle.number = o.number;
    obstacle.position = foot->position;
    obstacle.covariance = foot->covariance;
    const double scale = view.pixels_per_metre(cv::Point2d(o.box.x + 0.5 * o.box.width, o.box.y + o.box.height));
    obstacle.width = scale > 0.0 ? o.box.width / scale : 0.0;
    obstacle.confidence = o.confidence;
    percepts.obstacles.push_back(obstacle);
  }
  for (const SegmentInImage& s : seen.segments) {
    const auto from = place(view, s.from, 0.0), to = place(view, s.to, 0.0);
    if (!from || !to) {
      ++out.dropped;
      continue;
    }
    percepts.segments.push_back({from->position, to->position, s.confidence});
    const double length = (to->position - from->position).norm();
    const int count = std::clamp(static_cast<int>(length / kPointSpacing), 1, kMostPoints);
    for (int n = 0; n <= count; ++n)
      percepts.line_points.push_back(from->position + (to->position - from->position) * n / count);
  }
  for (const CrossingInImage& c : seen.crossings) {
    const auto at = place(view, c.position, 0.0);
    if (!at) {
      ++out.dropped;
      continue;
    }
    hl_soccer::SeenCrossing crossing;
    crossing.type = c.type;
    crossing.position = at->position;
    for (const cv::Point2d& arm : c.arms) {
      const auto end = view.on_plane(arm);
      if (end && (*end - at->position).norm() > 1e-3) crossing.arms.push_back((*end - at->position).normalized());
    }
    crossing.confidence = c.confidence;
    percepts.crossings.push_back(std::move(crossing));
  }
  for (const CircleInImage& c : seen.circles) {
    const auto centre = place(view, c.center, 0.0);
    if (!centre) {
      ++out.dropped;
      continue;
    }
    percepts.circles.push_back({centre->position, c.confidence});
  }
  percepts.view = visible_ground(view, params_.farthest);
  return out;
}

}  // namespace hl_vision
