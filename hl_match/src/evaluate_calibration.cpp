// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_vision/detection.hpp"
#include "hl_vision/drawn_board.hpp"
#include "hl_vision/mounting.hpp"
#include "simulated_eye.hpp"

namespace hl_match {
namespace {

using hl_vision::Mounting;
using hl_vision::MountingCalibration;
using Look = SimulatedEye::Look;

constexpr double kDegree = M_PI / 180.0;
constexpr double kWrongAngle = 3.0 * kDegree, kWrongOffset = 0.01;  // rad, m: largest true errors
constexpr double kWantedAngle = 0.3 * kDegree;                      // rad

struct Dice {
  std::mt19937_64 engine;
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
};

/// What is wrong with one robot; the zero of the neck's tilt is apart, since it only looks like a pitch of the camera.
struct Wrong {
  Mounting mounting;
  double tilt_zero = 0.0;
};

Wrong some_errors(Dice& dice) {
  Wrong wrong;
  for (int n = 0; n < 3; ++n) {
    wrong.mounting.offset[n] = dice.uniform(-kWrongOffset, kWrongOffset);
    wrong.mounting.tilt[n] = dice.uniform(-kWrongAngle, kWrongAngle);
  }
  wrong.mounting.pan_zero = dice.uniform(-kWrongAngle, kWrongAngle);
  wrong.tilt_zero = dice.uniform(-kWrongAngle, kWrongAngle);
  for (int n = 0; n < 2; ++n) wrong.mounting.body_tilt[n] = dice.uniform(-kWrongAngle, kWrongAngle);
  return wrong;
}

/// Looks in all directions from one place, with a robot whose model is wrong.
void look_around(SimulatedEye& eye, const hl_description::Pose2& at, int pose, const Wrong& wrong, std::uint64_t seed,
                 std::vector<MountingCalibration::Frame>& frames) {
  hl_vision::Detection::Params params;
  params.posts = params.obstacles = false;
  hl_vision::Detection detection(params, eye.simulation().world().field, {});
  const auto& robot = eye.simulation().robot(0);
  const std::string& camera = robot.spec().camera.frame;
  Mounting only_camera = wrong.mounting;
  only_camera.pan_zero = 0.0;
  only_camera.body_tilt.setZero();
  Mounting only_body;
  only_body.body_tilt = wrong.mounting.body_tilt;
  const auto nothing = Eigen::Isometry3d::Identity();
  for (const double tilt : {-0.15, -0.4, -0.65}) {
    for (const double pan : {-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2}) {
      Look look{at.x, at.y, at.yaw};
      // The model's picture of the neck: the joints say less than they do.
      look.pan = pan - wrong.mounting.pan_zero;
      look.tilt = tilt - wrong.tilt_zero;
      const Eigen::Isometry3d model = eye.camera_on_robot(look);
      look.pan = pan;
      look.tilt = tilt;
      const auto picture =
          eye.look(look, hl_simulation::CameraEffects::random(seed * 100 + frames.size()), seed + frames.size());
      MountingCalibration::Frame frame;
      frame.lens = picture.view.lens();
      const Eigen::Isometry3d footprint_from_base =
          picture.view.ground_from_camera() * (robot.pose().inverse() * robot.frame_pose(camera)).inverse();
      frame.footprint_from_base = footprint_from_base * only_body.apply(nothing, nothing).inverse();
      frame.base_from_camera = model * only_camera.apply(nothing, nothing).inverse();
      frame.pose = pose;
      // The detection knows the camera as the robot does.
      const hl_vision::CameraView believed(frame.lens, frame.footprint_from_base * frame.base_from_camera);
      frame.line_points = detection.step({picture.bgr, believed, {}}, 0.0).line_points;
      frames.push_back(std::move(frame));
    }
  }
}

struct Trial {
  double worst = 0.0;   // rad, of all angles
  double offset = 0.0;  // m
  double after = 0.0;   // px
  double beyond = 0.0;  // largest error of an angle, in deviations as told
};

Trial calibrate(const Match::Params& installed, std::uint64_t seed, bool known) {
  Dice dice{std::mt19937_64(seed * 1000003 + (known ? 0 : 1))};
  hl_simulation::WorldSpec world = hl_simulation::world_with(installed.spec, seed);
  world.field = installed.field;
  world.surroundings = seed;
  world.with_ball = false;
  SimulatedEye eye(world, false);
  const Wrong wrong = some_errors(dice);
  std::vector<MountingCalibration::Frame> frames;
  std::vector<MountingCalibration::Pose> poses;
  const int count = known ? 1 : 2;
  for (int n = 0; n < count; ++n) {
    // Before the penalty area, where lines lie in all directions.
    hl_description::Pose2 at{dice.uniform(1.4, 2.2), dice.uniform(-0.8, 0.8), dice.uniform(-0.2, 0.2)};
    look_around(eye, at, n, wrong, seed, frames);
    MountingCalibration::Pose pose{at, known};
    if (!known) {
      pose.pose.x += dice.uniform(-0.3, 0.3);
      pose.pose.y += dice.uniform(-0.3, 0.3);
      pose.pose.yaw += dice.uniform(-0.15, 0.15);
    }
    poses.push_back(pose);
  }
  const auto result = MountingCalibration({}, world.field).solve(frames, poses);
  Mounting truth = wrong.mounting;
  truth.tilt.x() += wrong.tilt_zero;
  Mounting::Vector error = result.mounting.vector() - truth.vector();
  if (!known) error[6] = 0.0;  // not claimed
  Trial trial;
  trial.worst = error.tail<6>().cwiseAbs().maxCoeff();
  trial.offset = error.head<3>().norm();
  trial.after = result.error_after;
  trial.beyond = (error.tail<6>().array().abs() / result.deviation.tail<6>().array().max(1e-5)).maxCoeff();
  std::fprintf(stderr,
               "robot %zu, pose %s: worst angle %.2f degrees, offset %.1f mm, lines off by %.1f px, then %.2f px; tilt "
               "%.2f %.2f %.2f pan %.2f body %.2f %.2f%s%s\n",
               static_cast<std::size_t>(seed), known ? "known" : "unknown", trial.worst / kDegree, 1e3 * trial.offset,
               result.error_before, result.error_after, error[3] / kDegree, error[4] / kDegree, error[5] / kDegree,
               error[6] / kDegree, error[7] / kDegree, error[8] / kDegree, result.reason.empty() ? "" : "; ",
               result.reason.c_str());
  return trial;
}

void mounting(const Match::Params& installed, const EvaluationOptions& options, bool known,
              std::vector<Figure>& figures) {
  std::vector<Trial> trials(static_cast<std::size_t>(options.games));
  in_parallel(trials.size(), options.threads,
              [&](std::size_t i) { trials[i] = calibrate(installed, options.seed + i, known); });
  std::vector<double> angles, offsets, after;
  for (const Trial& trial : trials) {
    angles.push_back(trial.worst / kDegree);
    offsets.push_back(1e3 * trial.offset);
    after.push_back(trial.after);
  }
  const std::string what = known ? "mounting, pose known" : "mounting, pose roughly known";
  figures.push_back(share_of(what + ": all angles within 0.3 degrees",
                             static_cast<std::size_t>(std::count_if(
                                 trials.begin(), trials.end(), [](const Trial& t) { return t.worst <= kWantedAngle; })),
                             trials.size()));
  figures.push_back(mean_of(what + ": worst angle", angles, "degrees"));
  figures.push_back(mean_of(what + ": offset off by", offsets, "mm"));
  figures.push_back(mean_of(what + ": line points off by, after", after, "px"));
}

void intrinsics(const EvaluationOptions& options, std::vector<Figure>& figures) {
  struct Camera {
    double focal = 0.0, error = 0.0;  // %, px
  };
  std::vector<Camera> cameras(static_cast<std::size_t>(options.games));
  in_parallel(cameras.size(), options.threads, [&](std::size_t i) {
    const std::uint64_t seed = options.seed + i;
    Dice dice{std::mt19937_64(seed)};
    hl_vision::Lens lens;
    lens.fx = dice.uniform(450.0, 750.0);
    lens.fy = lens.fx * dice.uniform(0.99, 1.01);
    lens.cx = dice.uniform(305.0, 335.0);
    lens.cy = dice.uniform(225.0, 255.0);
    lens.distortion = {dice.uniform(-0.25, 0.05), dice.uniform(-0.05, 0.1), dice.uniform(-0.002, 0.002),
                       dice.uniform(-0.002, 0.002), 0.0};
    hl_vision::IntrinsicsCalibration calibration({});
    for (unsigned n = 0; n < 80 && !calibration.missing().empty(); ++n) {
      const auto picture_seed = static_cast<unsigned>(seed * 1000) + n;
      calibration.look(hl_vision::draw_board(lens, hl_vision::hold_board(lens, {}, picture_seed), {}, picture_seed));
    }
    const auto result = calibration.solve();
    cameras[i].focal =
        100.0 * std::max(std::abs(result.lens.fx / lens.fx - 1.0), std::abs(result.lens.fy / lens.fy - 1.0));
    cameras[i].error = result.error;
    std::fprintf(stderr, "camera %zu: %zu pictures, focal length off by %.3f %%, %.3f px %s\n",
                 static_cast<std::size_t>(seed), calibration.pictures(), cameras[i].focal, cameras[i].error,
                 result.reason.c_str());
  });
  std::vector<double> focal, error;
  std::size_t good = 0;
  for (const Camera& camera : cameras) {
    focal.push_back(camera.focal);
    error.push_back(camera.error);
    good += camera.focal <= 0.5 && camera.error <= 0.3;
  }
  figures.push_back(mean_of("intrinsics, drawn boards: focal length off by", focal, "%"));
  figures.push_back(mean_of("intrinsics: reprojection", error, "px"));
  figures.push_back(
      share_of("intrinsics: focal length within 0.5 % and reprojection within 0.3 px", good, cameras.size()));
}

}  // namespace

/// Robots with random errors of their mounting in rendered halls; cameras in front of drawn boards.
std::vector<Figure> evaluate_calibration(EvaluationContext& context) {
  const auto installed = installed_match(context.options().robot);
  std::vector<Figure> figures;
  if (context.wants("mounting")) {
    mounting(installed, context.options(), true, figures);
    mounting(installed, context.options(), false, figures);
  }
  if (context.wants("intrinsics")) intrinsics(context.options(), figures);
  return figures;
}

}  // namespace hl_match
