// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/mounting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace hl_vision {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kIterations = 25, kRoughIterations = 12;
constexpr double kNear = 2.2;        // m, of line points for the rough search
constexpr double kRoughGate = 60.0;  // px, differences beyond say nothing
constexpr double kFineGate = 10.0;
constexpr std::size_t kRoughPoints = 250;
constexpr std::size_t kLeastPoints = 60;

Eigen::Matrix3d turned(const Vector3d& angles) {
  return (Eigen::AngleAxisd(angles.z(), Vector3d::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vector3d::UnitY()) *
          Eigen::AngleAxisd(angles.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

}  // namespace

Mounting::Vector Mounting::vector() const {
  Vector v;
  v << offset, tilt, pan_zero, body_tilt;
  return v;
}

Mounting Mounting::from(const Vector& v) {
  return {v.segment<3>(0), v.segment<3>(3), v[6], v.segment<2>(7)};
}

Eigen::Isometry3d Mounting::apply(const Eigen::Isometry3d& footprint_from_base,
                                  const Eigen::Isometry3d& base_from_camera) const {
  Eigen::Isometry3d camera = Eigen::Isometry3d::Identity(), body = camera;
  camera.linear() = turned(tilt);
  camera.translation() = offset;
  body.linear() = turned({body_tilt.x(), body_tilt.y(), 0.0}) * Eigen::AngleAxisd(pan_zero, Vector3d::UnitZ());
  return footprint_from_base * body * base_from_camera * camera;
}

OnLine nearest_line(const hl_description::Field& field, const std::vector<hl_description::Field::Line>& lines,
                    const Vector2d& at) {
  OnLine best{Vector2d::Zero(), Vector2d::UnitX()};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& line : lines) {
    const Vector2d along = line.to - line.from;
    const double length = along.norm();
    const double share = std::clamp((at - line.from).dot(along) / (length * length), 0.0, 1.0);
    const Vector2d place = line.from + share * along;
    if ((place - at).squaredNorm() < least) {
      least = (place - at).squaredNorm();
      best = {place, along / length};
    }
  }
  if (const double r = at.norm(); r > 1e-6) {
    const Vector2d place = at * (field.circle_radius() / r);
    if ((place - at).squaredNorm() < least) best = {place, Vector2d(-at.y(), at.x()) / r};
  }
  return best;
}

Mounting::Vector MountingCalibration::Params::usual_deviation() {
  Mounting::Vector v = Mounting::Vector::Constant(0.03);
  v.head<3>().setConstant(0.007);
  return v;
}

MountingCalibration::MountingCalibration(const Params& params, const hl_description::Field& field)
    : field_(field), params_(params) {}

/// The unknowns (mounting, then three numbers of each pose that is not known) and what the pictures say about them.
struct MountingCalibration::Problem {
  struct Point {
    std::size_t frame;
    cv::Point2d pixel;
  };
  const MountingCalibration& owner;
  const std::vector<Frame>& frames;
  const std::vector<Pose>& poses;
  std::vector<hl_description::Field::Line> lines;
  std::vector<int> pose_at;  // first unknown of a pose; -1: known
  Eigen::Index unknowns = Mounting::kParameters;
  Eigen::VectorXd expected, spread;

  Problem(const MountingCalibration& o, const std::vector<Frame>& f, const std::vector<Pose>& p)
      : owner(o), frames(f), poses(p), lines(o.field_.lines()) {
    bool all_known = true;
    for (const Pose& pose : poses) {
      pose_at.push_back(pose.known ? -1 : static_cast<int>(unknowns));
      if (!pose.known) unknowns += 3;
      all_known = all_known && pose.known;
    }
    expected = Eigen::VectorXd::Zero(unknowns);
    spread = Eigen::VectorXd::Zero(unknowns);
    spread.head<Mounting::kParameters>() = owner.params_.deviation;
    if (!all_known) spread[6] = 1e-6;  // a turn of the neck and a turn of the robot look the same
    for (std::size_t n = 0; n < poses.size(); ++n) {
      if (pose_at[n] < 0) continue;
      expected.segment<3>(pose_at[n]) << poses[n].pose.x, poses[n].pose.y, poses[n].pose.yaw;
      spread.segment<3>(pose_at[n]) = owner.params_.pose_deviation;
    }
  }

  hl_description::Pose2 pose(const Eigen::VectorXd& x, int n) const {
    const int at = pose_at[static_cast<std::size_t>(n)];
    if (at < 0) return poses[static_cast<std::size_t>(n)].pose;
    return {x[at], x[at + 1], x[at + 2]};
  }
  Eigen::Isometry3d field_from_camera(const Eigen::VectorXd& x, const Frame& frame) const {
    const hl_description::Pose2 robot = pose(x, frame.pose);
    Eigen::Isometry3d from_footprint = Eigen::Isometry3d::Identity();
    from_footprint.translate(Vector3d(robot.x, robot.y, 0.0)).rotate(Eigen::AngleAxisd(robot.yaw, Vector3d::UnitZ()));
    return from_footprint *
           Mounting::from(x.head<Mounting::kParameters>()).apply(frame.footprint_from_base, frame.base_from_camera);
  }

  /// Distance in px of a point from a piece of line around `at`; nothing if that is behind the camera.
  static std::optional<double> distance(const CameraView& view, const OnLine& line, const cv::Point2d& pixel) {
    const auto a = view.project(line.place), b = view.project(Vector2d(line.place + 0.05 * line.direction));
    if (!a || !b) return std::nullopt;
    const cv::Point2d along = *b - *a;
    const double length = std::hypot(along.x, along.y);
    if (length < 1e-6) return std::nullopt;
    return ((pixel.x - a->x) * along.y - (pixel.y - a->y) * along.x) / length;
  }

  std::optional<OnLine> line_of(const CameraView& view, const cv::Point2d& pixel, double farthest) const {
    const auto at = view.on_plane(pixel);
    if (!at || (*at - view.ground_from_camera().translation().head<2>()).norm() > farthest) return std::nullopt;
    return nearest_line(owner.field_, lines, *at);
  }

  std::vector<Point> points() const {
    std::vector<Point> all;
    for (std::size_t n = 0; n < frames.size(); ++n) {
      for (const auto& pixel : frames[n].line_points) all.push_back({n, pixel});
    }
    return all;
  }

  /// Distances of all points, with the lines that are nearest now; points that see nothing are left out.
  std::vector<double> distances(const Eigen::VectorXd& x, const std::vector<Point>& all, double farthest) const {
    std::vector<CameraView> views;
    for (const Frame& frame : frames) views.emplace_back(frame.lens, field_from_camera(x, frame));
    std::vector<double> result;
    for (const Point& point : all) {
      const auto line = line_of(views[point.frame], point.pixel, farthest);
      if (!line) continue;
      if (const auto d = distance(views[point.frame], *line, point.pixel)) result.push_back(std::abs(*d));
    }
    return result;
  }

  /// Bounded sum: what is beyond the gate, or sees nothing, costs as much as the gate.
  double cost(const Eigen::VectorXd& x, const std::vector<Point>& all, double farthest, double gate) const {
    const auto found = distances(x, all, farthest);
    double sum = static_cast<double>(all.size() - found.size()) * gate * gate;
    for (const double d : found) sum += std::min(d * d, gate * gate);
    const double noise = owner.params_.pixel_noise;
    return sum / (noise * noise) + ((x - expected).array() / spread.array()).square().sum();
  }

  /// Gauss-Newton with lines assigned anew in each step. Returns the information matrix of the last.
  Eigen::MatrixXd improve(Eigen::VectorXd& x, const std::vector<Point>& all, double farthest, double first_gate,
                          double last_gate, int iterations) const {
    Eigen::MatrixXd information;
    for (int n = 0; n < iterations; ++n) {
      const double gate =
          first_gate * std::pow(last_gate / first_gate, static_cast<double>(n) / std::max(1, iterations - 1));
      information = spread.array().square().inverse().matrix().asDiagonal();
      Eigen::VectorXd gradient = information * (x - expected);
      std::vector<std::vector<CameraView>> views(frames.size());  // now, and with each unknown moved a little
      constexpr double kLittle = 1e-5;
      for (std::size_t f = 0; f < frames.size(); ++f) {
        views[f].emplace_back(frames[f].lens, field_from_camera(x, frames[f]));
        for (Eigen::Index k = 0; k < unknowns; ++k) {
          Eigen::VectorXd moved = x;
          moved[k] += kLittle;
          views[f].emplace_back(frames[f].lens, field_from_camera(moved, frames[f]));
        }
      }
      for (const Point& point : all) {
        const auto& seen = views[point.frame];
        const auto line = line_of(seen[0], point.pixel, farthest);
        const auto d = line ? distance(seen[0], *line, point.pixel) : std::nullopt;
        if (!d || std::abs(*d) > gate) continue;
        Eigen::VectorXd slope(unknowns);
        for (Eigen::Index k = 0; k < unknowns; ++k) {
          const auto moved = distance(seen[static_cast<std::size_t>(k) + 1], *line, point.pixel);
          slope[k] = moved ? (*moved - *d) / kLittle : 0.0;
        }
        const double doubt = 1.0 - *d * *d / (gate * gate);  // Tukey: far ones fade out
        const double noise = owner.params_.pixel_noise;
        const double weight = doubt * doubt / (noise * noise);
        information += weight * slope * slope.transpose();
        gradient += weight * *d * slope;
      }
      x -= information.ldlt().solve(gradient);
      for (Eigen::Index k = 0; k < Mounting::kParameters; ++k) {
        const double most = k < 3 ? 0.05 : owner.params_.largest_angle;
        x[k] = std::clamp(x[k], -most, most);
      }
    }
    return information;
  }
};

MountingCalibration::Result MountingCalibration::solve(const std::vector<Frame>& frames,
                                                       const std::vector<Pose>& poses) const {
  Result result;
  const Problem problem(*this, frames, poses);
  std::vector<Problem::Point> all = problem.points();
  std::mt19937 random(1);
  std::shuffle(all.begin(), all.end(), random);
  const auto median = [](std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  };
  result.error_before = median(problem.distances(problem.expected, all, params_.farthest));
  if (all.size() < kLeastPoints) {
    result.reason = "too few line points: " + std::to_string(all.size());
    return result;
  }
  // Near lines are told apart even if the camera is off by much; from many guesses the best one goes on.
  std::vector<Problem::Point> near(all.begin(),
                                   all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kRoughPoints)));
  std::normal_distribution<double> guess(0.0, 1.0);
  Eigen::VectorXd best = problem.expected;
  double least = std::numeric_limits<double>::infinity();
  for (int n = 0; n < params_.starts; ++n) {
    Eigen::VectorXd x = problem.expected;
    if (n > 0) {
      for (Eigen::Index k = 3; k < problem.unknowns; ++k) x[k] += 1.2 * problem.spread[k] * guess(random);
    }
    problem.improve(x, near, kNear, kRoughGate, 2.0 * kFineGate, kRoughIterations);
    const double cost = problem.cost(x, near, params_.farthest, 2.0 * kFineGate);
    if (cost < least) {
      least = cost;
      best = x;
    }
  }
  const Eigen::MatrixXd information =
      problem.improve(best, all, params_.farthest, 2.0 * kFineGate, kFineGate, kIterations);
  result.mounting = Mounting::from(best.head<Mounting::kParameters>());
  const Eigen::MatrixXd covariance = information.inverse();
  result.deviation = covariance.diagonal().head<Mounting::kParameters>().cwiseSqrt();
  for (std::size_t n = 0; n < poses.size(); ++n) result.poses.push_back(problem.pose(best, static_cast<int>(n)));
  const auto after = problem.distances(best, all, params_.farthest);
  result.error_after = median(after);
  result.points =
      static_cast<std::size_t>(std::count_if(after.begin(), after.end(), [](double d) { return d < kFineGate; }));
  const bool angle_at_bound = (best.segment<6>(3).array().abs() > 0.98 * params_.largest_angle).any();
  if (angle_at_bound) result.reason = "an angle is larger than what is looked for";
  if (2 * result.points < after.size()) result.reason = "most line points fit no line: is the pose right?";
  return result;
}

std::string MountingCalibration::missing(const std::vector<Frame>& frames) {
  // Every direction tells something else: ahead pitch, sides roll, down and up what belongs to neck or camera.
  struct Direction {
    const char* name;
    double pan_from, pan_to, down_from, down_to;  // rad
    int wanted, have;
  };
  std::vector<Direction> directions{{"ahead and far", -0.4, 0.4, -0.2, 0.45, 3, 0},
                                    {"ahead and down", -0.4, 0.4, 0.45, 1.4, 3, 0},
                                    {"left", 0.4, 1.8, -0.2, 0.7, 3, 0},
                                    {"right", -1.8, -0.4, -0.2, 0.7, 3, 0},
                                    {"left and down", 0.4, 1.8, 0.45, 1.4, 2, 0},
                                    {"right and down", -1.8, -0.4, 0.45, 1.4, 2, 0}};
  for (const Frame& frame : frames) {
    if (frame.line_points.size() < 8) continue;
    const Vector3d axis = frame.footprint_from_base.linear() * frame.base_from_camera.linear().col(2);
    const double pan = std::atan2(axis.y(), axis.x()), down = -std::asin(std::clamp(axis.z(), -1.0, 1.0));
    for (Direction& d : directions)
      d.have += pan >= d.pan_from && pan < d.pan_to && down >= d.down_from && down < d.down_to;
  }
  std::string words;
  for (const Direction& d : directions) {
    if (d.have >= d.wanted) continue;
    words += (words.empty() ? "" : ", ") + std::string(d.name) + " (" + std::to_string(d.wanted - d.have) + ")";
  }
  return words;
}

}  // namespace hl_vision
