// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "hl_vision/drawn_board.hpp"
#include "hl_vision/field_colour.hpp"
#include "hl_vision/intrinsics.hpp"
#include "hl_vision/mounting.hpp"
#include "hl_vision/mounting_drift.hpp"

using namespace hl_vision;
using Frame = MountingCalibration::Frame;

namespace {

constexpr double kDegree = M_PI / 180.0;

/// Line points as a camera with this mounting sees them from `robot`, with the model that knows nothing of it.
std::vector<Frame> look_around(const Mounting& truth, const hl_description::Pose2& robot, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0.0, 1.0);
  const hl_description::Field field;
  std::vector<Eigen::Vector2d> places;
  for (const auto& line : field.lines()) {
    const double length = (line.to - line.from).norm();
    for (double at = 0.0; at < length; at += 0.07) places.push_back(line.from + (line.to - line.from) * at / length);
  }
  std::vector<Frame> frames;
  for (const double down : {0.2, 0.5, 0.8}) {
    for (const double pan : {-1.2, -0.6, -0.25, 0.0, 0.25, 0.6, 1.2}) {
      Frame frame;
      frame.footprint_from_base = Eigen::Translation3d(0.0, 0.0, 0.3) * Eigen::Isometry3d::Identity();
      Eigen::Isometry3d camera = ground_from_up({0.0, -std::cos(down), -std::sin(down)}, 0.2);
      frame.base_from_camera = Eigen::AngleAxisd(pan, Eigen::Vector3d::UnitZ()) * camera;
      Eigen::Isometry3d from_footprint = Eigen::Isometry3d::Identity();
      from_footprint.translate(Eigen::Vector3d(robot.x, robot.y, 0.0))
          .rotate(Eigen::AngleAxisd(robot.yaw, Eigen::Vector3d::UnitZ()));
      const CameraView view(frame.lens,
                            from_footprint * truth.apply(frame.footprint_from_base, frame.base_from_camera));
      for (const auto& place : places) {
        if ((place - robot.position()).norm() > 4.0) continue;
        const auto pixel = view.project(place);
        if (pixel && view.contains(*pixel))
          frame.line_points.push_back(*pixel + cv::Point2d(noise(random), noise(random)));
      }
      for (int n = 0; n < 4; ++n)  // things that are no lines
        frame.line_points.emplace_back(320.0 + 150.0 * noise(random), 300.0 + 60.0 * noise(random));
      frames.push_back(frame);
    }
  }
  return frames;
}

Mounting wrong(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> angle(-3.0 * kDegree, 3.0 * kDegree), offset(-0.01, 0.01);
  Mounting m;
  for (int n = 0; n < 3; ++n) {
    m.offset[n] = offset(random);
    m.tilt[n] = angle(random);
  }
  m.pan_zero = angle(random);
  m.body_tilt = {angle(random), angle(random)};
  return m;
}

}  // namespace

TEST(Mounting, IsFoundFromAKnownPose) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const Mounting truth = wrong(seed);
    const hl_description::Pose2 pose{1.8, 0.3, 0.1};
    const auto result = MountingCalibration({}, {}).solve(look_around(truth, pose, seed), {{pose, true}});
    EXPECT_EQ(result.reason, "");
    EXPECT_LT((result.mounting.vector() - truth.vector()).tail<6>().cwiseAbs().maxCoeff(), 0.3 * kDegree);
    EXPECT_LT(result.error_after, 0.3 * result.error_before);
    EXPECT_LT(result.deviation.tail<6>().maxCoeff(), 0.3 * kDegree);
  }
}

TEST(Mounting, IsFoundFromAPoseThatIsOnlyGuessed) {
  Mounting truth = wrong(5);
  truth.pan_zero = 0.0;  // cannot be told from a turn of the robot
  const hl_description::Pose2 pose{1.8, 0.3, 0.1};
  const auto result = MountingCalibration({}, {}).solve(look_around(truth, pose, 5), {{{1.6, 0.45, 0.0}, false}});
  EXPECT_LT((result.mounting.vector() - truth.vector()).tail<6>().cwiseAbs().maxCoeff(), 0.3 * kDegree);
  EXPECT_NEAR(result.poses[0].x, pose.x, 0.05);
  EXPECT_NEAR(result.poses[0].y, pose.y, 0.05);
}

namespace {
/// Plays for a while with a camera that tilted by `pitch` and `roll`, with poses as a localisation knows them.
MountingDrift play(double pitch, double roll, const MountingDrift::Params& params) {
  Mounting truth;
  truth.tilt = {pitch, 0.0, roll};
  MountingDrift drift(params, {});
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0.0, 1.0);
  double now = 0.0;
  for (int round = 0; round < 8; ++round) {
    const hl_description::Pose2 pose{1.5 + 0.1 * round, 0.2 * round - 0.8, 0.1 * round - 0.4};
    for (const Frame& frame : look_around(truth, pose, static_cast<unsigned>(round))) {
      const hl_description::Pose2 known{pose.x + 0.07 * noise(random), pose.y + 0.07 * noise(random),
                                        pose.yaw + 0.03 * noise(random)};
      now += 0.6;
      drift.step({frame, {known, 0.1, 0.05, now}}, now);
    }
  }
  return drift;
}
}  // namespace

TEST(MountingDrift, IsLearnedFromLinesWhilePlaying) {
  const auto drift = play(1.0 * kDegree, -1.0 * kDegree, {});
  EXPECT_GT(drift.lessons(), 3);
  EXPECT_NEAR(drift.pitch(), 1.0 * kDegree, 0.3 * kDegree);
  EXPECT_NEAR(drift.roll(), -1.0 * kDegree, 0.3 * kDegree);
  EXPECT_FALSE(drift.at_bound());
}

TEST(MountingDrift, StaysWithinItsBoundsAndSaysSo) {
  MountingDrift::Params params;
  params.most = 0.02;
  const auto drift = play(2.5 * kDegree, 0.0, params);
  EXPECT_NEAR(drift.pitch(), params.most, 1e-9);
  EXPECT_TRUE(drift.at_bound());
}

TEST(MountingDrift, LearnsNothingWhenSwitchedOffOrUnsure) {
  MountingDrift::Params off;
  off.learn = false;
  EXPECT_EQ(play(2.0 * kDegree, 0.0, off).lessons(), 0);
  MountingDrift::Params strict;
  strict.place_deviation = 0.05;
  EXPECT_EQ(play(2.0 * kDegree, 0.0, strict).lessons(), 0);
}

TEST(Mounting, SaysWhatIsMissing) {
  auto frames = look_around({}, {1.8, 0.0, 0.0}, 1);
  EXPECT_EQ(MountingCalibration::missing(frames), "");
  frames.erase(std::remove_if(frames.begin(), frames.end(),
                              [](const Frame& f) { return f.base_from_camera.linear().col(2).y() > 0.3; }),
               frames.end());
  EXPECT_THAT(MountingCalibration::missing(frames), testing::HasSubstr("left"));
}

TEST(Mounting, GoesIntoRobotYamlAndBackAndLeavesTheRestAlone) {
  const std::string yaml = "# head\nrobot: mine  # ours\ncamera_mounting: {old: 1,\n  more: 2}\nposes: {}\n";
  const Mounting truth = wrong(3);
  const std::string once = truth.into_robot_text(yaml, Mounting::Vector::Constant(0.001));
  EXPECT_THAT(once, testing::StartsWith("# head\nrobot: mine  # ours\nposes: {}\n"));
  const auto back = Mounting::from_robot_text(once, "robot.yaml");
  ASSERT_TRUE(back);
  EXPECT_LT((back->vector() - truth.vector()).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_EQ(truth.into_robot_text(once, Mounting::Vector::Constant(0.001)), once);
  EXPECT_EQ(Mounting::from_robot_text("robot: mine\n", "robot.yaml"), std::nullopt);
}

TEST(Mounting, RefusesNonsenseInRobotYaml) {
  for (const char* section :
       {"5", "{offset: [1, 2]}", "{offset: [0, 0, nan], tilt: [0, 0, 0], pan_zero: [0], body_tilt: [0, 0]}",
        "{offset: [0, 0, 0], tilt: [90, 0, 0], pan_zero: [0], body_tilt: [0, 0]}", "[a"})
    EXPECT_THROW(Mounting::from_robot_text(std::string("camera_mounting: ") + section + "\n", "robot.yaml"),
                 std::runtime_error)
        << section;
}

TEST(Intrinsics, AreFoundFromDrawnBoards) {
  Lens lens;
  lens.fx = 610.0;
  lens.fy = 607.0;
  lens.cx = 328.0;
  lens.cy = 234.0;
  lens.distortion = {-0.15, 0.05, 0.001, -0.001, 0.0};
  IntrinsicsCalibration::Params params;
  params.pictures = 12;
  IntrinsicsCalibration calibration(params);
  EXPECT_THAT(calibration.missing(), testing::HasSubstr("12 more pictures"));
  for (unsigned n = 0; n < 80 && !calibration.missing().empty(); ++n)
    calibration.look(draw_board(lens, hold_board(lens, {}, n), {}, n));
  EXPECT_EQ(calibration.missing(), "");
  const auto result = calibration.solve();
  EXPECT_EQ(result.reason, "");
  EXPECT_NEAR(result.lens.fx, lens.fx, 0.005 * lens.fx);
  EXPECT_NEAR(result.lens.fy, lens.fy, 0.005 * lens.fy);
  EXPECT_LT(result.error, 0.3);
}

TEST(Intrinsics, TakeNoPictureTwiceAndNoneWithoutABoard) {
  const Lens lens;
  IntrinsicsCalibration calibration({});
  const cv::Mat picture = draw_board(lens, hold_board(lens, {}, 1), {}, 1);
  EXPECT_TRUE(calibration.look(picture).taken);
  const auto again = calibration.look(picture);
  EXPECT_TRUE(again.board);
  EXPECT_FALSE(again.taken);
  const auto grey = calibration.look(cv::Mat(480, 640, CV_8UC1, cv::Scalar(90)));
  EXPECT_FALSE(grey.board);
  EXPECT_THAT(grey.advice, testing::HasSubstr("show the whole board"));
  EXPECT_EQ(calibration.pictures(), 1u);
}

namespace {
cv::Mat plain(const cv::Scalar& bgr) {
  return cv::Mat(120, 160, CV_8UC3, bgr);
}
const auto kFromTop = [](double) { return 0.0; };
const cv::Scalar kTurf(50, 115, 48), kOtherTurf(90, 130, 30);

bool is_field(const FieldColour& colour, const cv::Scalar& bgr) {
  cv::Mat classes;
  colour.classify(plain(bgr), classes);
  return classes.at<std::uint8_t>(60, 80) == kField;
}
}  // namespace

TEST(FieldColour, FrozenLearnsNoMore) {
  FieldColour::Params params;
  params.learning_rate = 0.5;
  FieldColour learning(params), frozen(params);
  learning.learn(plain(kTurf), kFromTop);
  frozen.learn(plain(kTurf), kFromTop);
  params.frozen = true;
  frozen.set_params(params);
  for (int n = 0; n < 10; ++n) {
    learning.learn(plain(kOtherTurf), kFromTop);
    frozen.learn(plain(kOtherTurf), kFromTop);
  }
  EXPECT_TRUE(is_field(learning, kOtherTurf));
  EXPECT_FALSE(is_field(frozen, kOtherTurf));
  EXPECT_TRUE(is_field(frozen, kTurf));
}

TEST(FieldColour, IsTheSameAfterSavingAndLoading) {
  FieldColour learned({}), loaded({});
  learned.learn(plain(kTurf), kFromTop);
  loaded.from_text(learned.to_text(), "colours");
  EXPECT_TRUE(loaded.known());
  EXPECT_NEAR(loaded.brightness(), learned.brightness(), 0.01);
  EXPECT_TRUE(is_field(loaded, kTurf));
  EXPECT_FALSE(is_field(loaded, kOtherTurf));
}

TEST(FieldColour, RefusesNonsenseAndKeepsWhatItKnows) {
  FieldColour colour({});
  colour.learn(plain(kTurf), kFromTop);
  for (const char* text : {"", "5", "brightness: nan\nhistogram: [[1, 1]]", "brightness: 90\nhistogram: [[999999, 1]]",
                           "brightness: 90\nhistogram: [[1, -1]]", "brightness: 90\nhistogram: []", "[[["})
    EXPECT_THROW(colour.from_text(text, "colours"), std::runtime_error) << text;
  EXPECT_TRUE(is_field(colour, kTurf));
}
