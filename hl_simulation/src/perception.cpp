// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/perception.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>

#include "noise.hpp"

namespace hl_simulation {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using hl_description::Field;

constexpr double kSpacing = 0.1;         // m between the points of a line that are looked at
constexpr double kShortestLine = 0.3;    // m
constexpr double kArmLength = 0.3;       // m
constexpr int kCirclePoints = 72;        // every 5 degrees
constexpr std::size_t kShortestArc = 4;  // points
constexpr double kNearest = 0.05;        // m in front of the camera
constexpr double kHopeless = 1.5;        // of the range: an answer beyond is thrown away

double distance_to_segment(const Vector3d& point, const Vector3d& from, const Vector3d& to) {
  const Vector3d along = to - from;
  const double share = std::clamp((point - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (point - from - share * along).norm();
}

/// The ways from a point along the lines that pass through it.
std::vector<Vector2d> directions_at(const Vector2d& point, const std::vector<Field::Line>& lines, double line_width) {
  std::vector<Vector2d> directions;
  for (const Field::Line& line : lines) {
    const Vector3d from(line.from.x(), line.from.y(), 0.0), to(line.to.x(), line.to.y(), 0.0);
    if (distance_to_segment({point.x(), point.y(), 0.0}, from, to) > line_width) continue;
    for (const Vector2d& end : {line.from, line.to}) {
      if ((end - point).norm() > kArmLength) directions.push_back((end - point).normalized());
    }
  }
  return directions;
}

/// A smooth walk to and fro with deviation 1 that hardly repeats: two waves of unlike lengths, of random phases.
double wandering(Noise& random, double turns) {
  const double first = random.uniform(), second = random.uniform();
  return std::sin(2.0 * M_PI * (turns + first)) + std::sin(2.0 * M_PI * (0.38 * turns + second));
}

/// One look of one robot: what is in the picture, and where it seems to be.
class Look {
 public:
  Look(const Perception::Params& params, const Scene& scene, const Eye& eye, std::uint64_t seed, std::uint64_t step,
       double time)
      : params_(params), scene_(scene), eye_(eye), noise_(seed ^ 0x5ee5u, eye.robot, step) {
    to_camera_ = eye.camera.inverse();
    to_footprint_ = eye.footprint.inverse();
    const MountingError mounting = mounting_error(params, eye.robot, seed, time);
    pitch_error_ = params.pose_noise * noise_.gaussian() + mounting.pitch;
    roll_error_ = params.pose_noise * noise_.gaussian() + mounting.roll;
    yaw_error_ = mounting.yaw;
  }

  Percepts all() {
    Percepts percepts;
    percepts.ball = ball();
    percepts.goal = goal();
    percepts.robots = robots();
    percepts.lines = lines();
    percepts.crossings = crossings();
    percepts.arcs = arcs();
    percepts.line_points = line_points();
    percepts.heading = heading();
    percepts.view = view();
    add_false_things(percepts);
    return percepts;
  }

 private:
  std::optional<Percepts::Spot> ball() {
    if (!scene_.ball || !visible(*scene_.ball, params_.ball_range)) return std::nullopt;
    return spot(*scene_.ball, params_.ball_range);
  }

  /// The goal of which most is seen; of two alike, the nearer.
  std::optional<Percepts::Goal> goal() {
    const Field& field = scene_.field;
    std::optional<Percepts::Goal> best;
    std::size_t most = 0;
    for (const double side : {1.0, -1.0}) {
      std::vector<Percepts::Spot> posts;
      std::vector<double> hands;
      for (const double hand : {1.0, -1.0}) {
        const Vector3d foot(side * 0.5 * field.length, hand * 0.5 * (field.goal_width + field.post_diameter), 0.0);
        if (!visible(foot, params_.goal_range)) continue;
        if (const auto seen = spot(foot, params_.goal_range)) {
          posts.push_back(*seen);
          hands.push_back(hand);
        }
      }
      if (posts.empty() || posts.size() < most) continue;
      const auto left_of = [](const Percepts::Spot& a, const Percepts::Spot& b) {
        return std::atan2(a.position.y(), a.position.x()) > std::atan2(b.position.y(), b.position.x());
      };
      const auto [left, right] = std::minmax_element(posts.begin(), posts.end(), left_of);
      Percepts::Goal goal;
      goal.left_post = left->position;
      goal.right_post = right->position;
      goal.centre = 0.5 * (goal.left_post + goal.right_post);
      if (posts.size() == 1) {  // the bar tells the way to the other post
        const Vector3d along = to_footprint_.linear() * Vector3d(0.0, -hands[0], 0.0);
        goal.centre += 0.5 * (field.goal_width + field.post_diameter) * along;
      }
      goal.confidence = std::min(left->confidence, right->confidence);
      if (posts.size() == most && best && best->centre.norm() < goal.centre.norm()) continue;
      most = posts.size();
      best = goal;
    }
    return best;
  }

  std::vector<Percepts::OtherRobot> robots() {
    std::vector<Percepts::OtherRobot> seen;
    for (std::size_t n = 0; n < scene_.robots.size(); ++n) {
      if (n == eye_.robot) continue;
      const Figure& figure = scene_.robots[n];
      const Vector3d middle = 0.5 * (figure.feet + figure.head);
      const auto in_sight = [&](const Vector3d& point) { return visible(point, params_.robot_range, n); };
      if (!in_sight(figure.feet) && !in_sight(middle) && !in_sight(figure.head)) continue;
      Vector3d on_ground = std::abs(figure.head.z() - figure.feet.z()) > figure.radius ? figure.feet : middle;
      on_ground.z() = 0.0;
      const auto where = spot(on_ground, params_.robot_range);
      if (!where) continue;
      seen.push_back({*where, n, where->position.norm() < params_.number_range, 2.0 * figure.radius});
    }
    return seen;
  }

  std::vector<Percepts::Segment> lines() {
    std::vector<Percepts::Segment> seen;
    for (const Field::Line& line : scene_.field.lines()) {
      const double length = (line.to - line.from).norm();
      const int points = std::max(1, static_cast<int>(std::ceil(length / kSpacing)));
      const auto point = [&](int n) { return on_ground(line.from + (line.to - line.from) * n / points); };
      for (int n = 0; n <= points; ++n) {
        if (!visible(point(n), params_.line_range)) continue;
        const int first = n;
        while (n < points && visible(point(n + 1), params_.line_range)) ++n;
        if (length * (n - first) / points < kShortestLine) continue;
        const auto from = spot(point(first), params_.line_range);
        const auto to = measure(point(n), params_.line_range);
        if (from && to) seen.push_back({from->position, *to, from->confidence});
      }
    }
    return seen;
  }

  std::vector<Percepts::Crossing> crossings() {
    std::vector<Percepts::Crossing> seen;
    const auto lines = scene_.field.lines();
    for (const Field::Intersection& crossing : scene_.field.intersections()) {
      const Vector3d point = on_ground(crossing.position);
      if (!visible(point, params_.line_range)) continue;
      const auto where = spot(point, params_.line_range);
      if (!where) continue;
      Percepts::Crossing percept{crossing.type, {}, where->confidence};
      for (const Vector2d& direction : directions_at(crossing.position, lines, scene_.field.line_width)) {
        const Vector3d arm = to_footprint_.linear() * on_ground(kArmLength * direction);
        percept.arms.push_back({where->position, where->position + arm, where->confidence});
      }
      seen.push_back(percept);
    }
    return seen;
  }

  std::vector<Percepts::Arc> arcs() {
    std::vector<Vector3d> circle;
    for (int n = 0; n < kCirclePoints; ++n) {
      const double angle = 2.0 * M_PI * n / kCirclePoints;
      circle.emplace_back(scene_.field.circle_radius() * Vector3d(std::cos(angle), std::sin(angle), 0.0));
    }
    std::vector<bool> seen;
    for (const Vector3d& point : circle) seen.push_back(visible(point, params_.line_range));
    // Begin behind a gap, so that no arc is cut where the numbering begins.
    const auto gap = std::find(seen.begin(), seen.end(), false) - seen.begin();
    std::vector<Percepts::Arc> arcs;
    for (std::size_t n = 0; n < seen.size(); ++n) {
      const auto at = [&](std::size_t k) { return (static_cast<std::size_t>(gap) + k) % seen.size(); };
      if (!seen[at(n)]) continue;
      const std::size_t first = n;
      while (n + 1 < seen.size() && seen[at(n + 1)]) ++n;
      if (n - first < kShortestArc) continue;
      const auto one = spot(circle[at(first)], params_.line_range);
      const auto middle = measure(circle[at((first + n) / 2)], params_.line_range);
      const auto other = measure(circle[at(n)], params_.line_range);
      if (!one || !middle || !other) continue;
      const bool one_is_left = one->position.x() * other->y() < one->position.y() * other->x();
      arcs.push_back(one_is_left ? Percepts::Arc{one->position, *middle, *other}
                                 : Percepts::Arc{*other, *middle, one->position});
    }
    return arcs;
  }

  std::vector<Vector3d> line_points() {
    std::vector<Vector3d> seen;
    const auto add = [&](const Vector3d& point) {
      if (!visible(point, params_.line_range)) return;
      if (const auto where = spot(point, params_.line_range)) seen.push_back(where->position);
    };
    for (const Field::Line& line : scene_.field.lines()) {
      const double length = (line.to - line.from).norm();
      // The first point lies anywhere, so that the points of two looks differ.
      for (double way = params_.line_point_spacing * noise_.uniform(); way < length; way += params_.line_point_spacing)
        add(on_ground(line.from + (line.to - line.from) * (way / length)));
    }
    const double radius = scene_.field.circle_radius(), step = params_.line_point_spacing / radius;
    for (double angle = step * noise_.uniform(); angle < 2.0 * M_PI; angle += step)
      add(radius * Vector3d(std::cos(angle), std::sin(angle), 0.0));
    return seen;
  }

  std::optional<Percepts::Heading> heading() {
    const bool missed = noise_.uniform() < params_.compass_miss;
    const double error = params_.compass_noise * noise_.gaussian();
    if (missed) return std::nullopt;
    const Vector3d ahead = eye_.footprint.linear().col(0);
    return Percepts::Heading{hl_description::wrap_angle(std::atan2(ahead.y(), ahead.x()) + error),
                             1.0 - params_.compass_miss};
  }

  /// Where the ray through a place of the picture (-1..1 from left to right and from top to bottom) meets the ground,
  /// in base_footprint; at most `range` away, also if it does not meet it at all.
  Vector3d ground_at(double across, double down, double range) const {
    const Vector3d ray = eye_.camera.linear() * Vector3d(across * std::tan(0.5 * eye_.horizontal_fov),
                                                         down * std::tan(0.5 * eye_.vertical_fov), 1.0);
    const Vector3d from = eye_.camera.translation();
    const double level = std::max(ray.head<2>().norm(), 1e-6);
    const double reach = ray.z() < -1e-6 ? std::min(-from.z() / ray.z(), range / level) : range / level;
    Vector3d point = from + reach * ray;
    point.z() = 0.0;
    return to_footprint_ * point;
  }

  std::vector<Vector3d> view() const {
    const double range = params_.ball_range;
    return {ground_at(1, 1, range), ground_at(1, -1, range), ground_at(-1, -1, range), ground_at(-1, 1, range)};
  }

  /// What a vision takes for something that it is not.
  void add_false_things(Percepts& percepts) {
    constexpr double kDoubt = 0.5;  // confidence in them
    const auto anywhere = [&](double range) {
      const double across = 2.0 * noise_.uniform() - 1.0, down = 2.0 * noise_.uniform() - 1.0;
      return ground_at(across, down, range);
    };
    if (noise_.uniform() < params_.false_ball) percepts.ball = Percepts::Spot{anywhere(params_.ball_range), kDoubt};
    if (noise_.uniform() < params_.false_robot) {
      percepts.robots.push_back({{anywhere(params_.robot_range), kDoubt}, scene_.robots.size(), false, 0.25});
    }
    if (noise_.uniform() < params_.false_line) {
      const Vector3d from = anywhere(params_.line_range);
      const double angle = 2.0 * M_PI * noise_.uniform();
      const Vector3d along(std::cos(angle), std::sin(angle), 0.0);
      percepts.lines.push_back({from, from + 2.0 * kShortestLine * along, kDoubt});
      for (double way = 0.0; way < 2.0 * kShortestLine; way += params_.line_point_spacing)
        percepts.line_points.push_back(from + way * along);
    }
    for (Percepts::Crossing& crossing : percepts.crossings) {
      if (noise_.uniform() >= params_.wrong_crossing) continue;
      crossing.type = crossing.type == Field::Crossing::T ? Field::Crossing::L : Field::Crossing::T;
    }
  }

  static Vector3d on_ground(const Vector2d& point) { return {point.x(), point.y(), 0.0}; }

  double distance(const Vector3d& point) const { return (point - eye_.footprint.translation()).head<2>().norm(); }

  /// In the picture, near enough and not behind a robot other than `target`.
  bool visible(const Vector3d& point, double range, std::optional<std::size_t> target = std::nullopt) const {
    if (distance(point) > range) return false;
    const Vector3d p = to_camera_ * point;
    if (p.z() < kNearest || std::abs(p.x()) > p.z() * std::tan(0.5 * eye_.horizontal_fov) ||
        std::abs(p.y()) > p.z() * std::tan(0.5 * eye_.vertical_fov)) {
      return false;
    }
    for (std::size_t n = 0; n < scene_.robots.size(); ++n) {
      if (n != eye_.robot && n != target && hides(scene_.robots[n], point)) return false;
    }
    return true;
  }

  /// Whether the figure stands between camera and point; what is at its feet on this side is not hidden.
  bool hides(const Figure& figure, const Vector3d& point) const {
    const Vector3d camera = eye_.camera.translation(), ray = point - camera;
    const double length = ray.norm(), r = figure.radius;
    if (length <= r) return false;
    const Vector3d end = camera + ray * (1.0 - r / length);
    const int balls = 1 + static_cast<int>(std::ceil((figure.head - figure.feet).norm() / r));
    for (int n = 0; n < balls; ++n) {
      const Vector3d centre = figure.feet + (figure.head - figure.feet) * n / std::max(1, balls - 1);
      if (distance_to_segment(centre, camera, end) < r) return true;
    }
    return false;
  }

  /// Where a point on its horizontal plane seems to be, in base_footprint; nothing if the answer would be nonsense.
  std::optional<Vector3d> measure(const Vector3d& point, double range) {
    const double up = pitch_error_ + params_.ray_noise * noise_.gaussian(),
                 across = yaw_error_ + params_.ray_noise * noise_.gaussian();
    const Eigen::Matrix3d spoil =
        (Eigen::AngleAxisd(up, Vector3d::UnitX()) * Eigen::AngleAxisd(across, Vector3d::UnitY()) *
         Eigen::AngleAxisd(roll_error_, Vector3d::UnitZ()))
            .toRotationMatrix();
    const Vector3d ray = eye_.camera.linear() * (spoil * (to_camera_ * point));
    const double reach = (point.z() - eye_.camera.translation().z()) / ray.z();
    if (!std::isfinite(reach) || reach <= 0.0) return std::nullopt;
    const Vector3d seen = eye_.camera.translation() + reach * ray;
    if (distance(seen) > kHopeless * range) return std::nullopt;
    return to_footprint_ * seen;
  }

  /// `measure`, or nothing if this look misses it.
  std::optional<Percepts::Spot> spot(const Vector3d& point, double range) {
    const double share = distance(point) / range;
    const double miss = params_.miss_near + (params_.miss_far - params_.miss_near) * share * share;
    const bool missed = noise_.uniform() < miss;
    const auto position = measure(point, range);
    if (missed || !position) return std::nullopt;
    return Percepts::Spot{*position, 1.0 - miss};
  }

  const Perception::Params& params_;
  const Scene& scene_;
  const Eye& eye_;
  Noise noise_;
  Eigen::Isometry3d to_camera_, to_footprint_;
  double pitch_error_ = 0.0, roll_error_ = 0.0, yaw_error_ = 0.0;  // rad, of the whole look
};

Vector3d between_soles(const Robot& robot) {
  const RobotSpec& spec = robot.spec();
  if (spec.left_foot.frame.empty() || spec.right_foot.frame.empty()) return robot.pose().translation();
  return 0.5 *
         (robot.frame_pose(spec.left_foot.frame).translation() + robot.frame_pose(spec.right_foot.frame).translation());
}

}  // namespace

std::optional<std::string> Perception::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  for (const auto& [what, value] : {std::pair("ball_range (m) must be in 0..100", ball_range),
                                    std::pair("robot_range (m) must be in 0..100", robot_range),
                                    std::pair("goal_range (m) must be in 0..100", goal_range),
                                    std::pair("line_range (m) must be in 0..100", line_range),
                                    std::pair("number_range (m) must be in 0..100", number_range)}) {
    if (!(value >= 0.0 && value <= 100.0)) return bad(what, value);
  }
  for (const auto& [what, value] : {std::pair("ray_noise (rad) must be in 0..0.5", ray_noise),
                                    std::pair("mount_error (rad) must be in 0..0.5", mount_error),
                                    std::pair("mount_drift (rad) must be in 0..0.5", mount_drift),
                                    std::pair("pose_noise (rad) must be in 0..0.5", pose_noise)}) {
    if (!(value >= 0.0 && value <= 0.5)) return bad(what, value);
  }
  for (const auto& [what, value] :
       {std::pair("miss_near must be in 0..1", miss_near), std::pair("miss_far must be in 0..1", miss_far),
        std::pair("false_ball must be in 0..1", false_ball), std::pair("false_robot must be in 0..1", false_robot),
        std::pair("false_line must be in 0..1", false_line),
        std::pair("wrong_crossing must be in 0..1", wrong_crossing),
        std::pair("compass_miss must be in 0..1", compass_miss),
        std::pair("compass_noise (rad) must be in 0..1", compass_noise),
        std::pair("turn_noise (rad) must be in 0..1", turn_noise), std::pair("delay (s) must be in 0..1", delay)}) {
    if (!(value >= 0.0 && value <= 1.0)) return bad(what, value);
  }
  if (!(mount_drift_time >= 1.0 && mount_drift_time <= 3600.0))
    return bad("mount_drift_time (s) must be in 1..3600", mount_drift_time);
  if (!(line_point_spacing >= 0.02 && line_point_spacing <= 1.0))
    return bad("line_point_spacing (m) must be in 0.02..1", line_point_spacing);
  return std::nullopt;
}

MountingError mounting_error(const Perception::Params& params, std::size_t robot, std::uint64_t seed, double time) {
  Noise random(seed ^ 0xca3e4au, robot, 0);
  MountingError error;
  for (double* angle : {&error.pitch, &error.roll, &error.yaw}) *angle = params.mount_error * random.gaussian();
  for (double* angle : {&error.pitch, &error.roll, &error.yaw})
    *angle += params.mount_drift * wandering(random, time / params.mount_drift_time);
  return error;
}

Percepts Perception::look(const Scene& scene, const Eye& eye, std::uint64_t seed, std::uint64_t step,
                          double time) const {
  return Look(params_, scene, eye, seed, step, time).all();
}

void Vision::look(const Scene& scene, const Eye& eye, std::uint64_t seed, std::uint64_t step, double now) {
  Percepts percepts = perception_.look(scene, eye, seed, step, now);
  percepts.stamp = now;
  const Vector3d ahead = eye.footprint.linear().col(0);
  const double yaw = std::atan2(ahead.y(), ahead.x());
  if (last_stamp_) {
    Noise noise(seed ^ 0x7042u, eye.robot, step);
    const double error = perception_.params().turn_noise * noise.gaussian();
    percepts.turn = Percepts::Turn{*last_stamp_, hl_description::wrap_angle(yaw - last_yaw_ + error), 1.0};
  }
  last_stamp_ = now;
  last_yaw_ = yaw;
  under_way_.push_back(std::move(percepts));
}

std::vector<Percepts> Vision::take(double now) {
  constexpr double kRounding = 1e-6;  // s
  std::vector<Percepts> known;
  while (!under_way_.empty() && under_way_.front().stamp + perception_.params().delay <= now + kRounding) {
    known.push_back(std::move(under_way_.front()));
    under_way_.pop_front();
  }
  return known;
}

void Vision::forget() {
  under_way_.clear();
  last_stamp_.reset();
}

Scene scene_of(const Simulation& simulation) {
  Scene scene;
  scene.field = simulation.world().field;
  if (simulation.world().with_ball) scene.ball = simulation.ball_position();
  for (std::size_t n = 0; n < simulation.robot_count(); ++n) {
    const Robot& robot = simulation.robot(n);
    Figure figure;
    figure.feet = between_soles(robot);
    figure.head = robot.spec().camera.frame.empty() ? robot.pose().translation()
                                                    : robot.frame_pose(robot.spec().camera.frame).translation();
    figure.radius = 0.35 * robot.standing_height();
    scene.robots.push_back(figure);
  }
  return scene;
}

std::optional<Eye> eye_of(const Simulation& simulation, std::size_t index) {
  const Robot& robot = simulation.robot(index);
  const CameraSpec& camera = robot.spec().camera;
  if (camera.frame.empty()) return std::nullopt;
  Eye eye;
  eye.robot = index;
  eye.camera = robot.frame_pose(camera.frame);
  eye.horizontal_fov = camera.horizontal_fov;
  eye.vertical_fov = 2.0 * std::atan(std::tan(0.5 * camera.horizontal_fov) * camera.height / camera.width);
  const Vector3d ahead = robot.pose().linear().col(0);
  eye.footprint = Eigen::AngleAxisd(std::atan2(ahead.y(), ahead.x()), Vector3d::UnitZ());
  eye.footprint.translation() = between_soles(robot);
  eye.footprint.translation().z() = 0.0;
  return eye;
}

}  // namespace hl_simulation
