// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "hl_behavior/head.hpp"
#include "hl_description/robot_model.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_behavior;

namespace {

Neck minibot_neck() {
  static const auto model = hl_description::RobotModel::from_file(URDF_FILE);
  return Neck::from_model(model);
}

constexpr double kHeight = 0.32;  // m, base_link over the ground while it walks

/// A head on a robot that walks and turns, a camera that sees what is in its picture, late.
struct Stage {
  Head head{Head::Params(), minibot_neck()};
  Head::Inputs in;
  double now = 10.0;
  Pose2 pose;  // world
  Vector2d ball = Vector2d(1.0, 0.0), ball_velocity = Vector2d::Zero();
  Neck::Angles angles;
  Head::Outputs out;
  double noise = 0.0;
  std::mt19937 random{3};

  Stage() {
    in.footprint_from_base = Eigen::Isometry3d::Identity();
    in.footprint_from_base.translation().z() = kHeight;
    in.mode = HeadMode::Ball;
    in.model.ball.confidence = 0.0;
  }

  /// Angle between the camera's axis and the ball.
  double error() const {
    const Eigen::Isometry3d camera = in.footprint_from_base * head.neck().camera(angles);
    const Vector2d at = pose.inverse() * ball;
    const Eigen::Vector3d seen = camera.inverse() * Eigen::Vector3d(at.x(), at.y(), 0.07);
    return std::atan2(std::hypot(seen.y(), seen.z()), seen.x());
  }
  bool in_view() const {
    const Eigen::Isometry3d camera = in.footprint_from_base * head.neck().camera(angles);
    const Vector2d at = pose.inverse() * ball;
    const Eigen::Vector3d seen = camera.inverse() * Eigen::Vector3d(at.x(), at.y(), 0.07);
    return seen.x() > 0.0 && std::abs(std::atan2(seen.y(), seen.x())) < 0.5 &&
           std::abs(std::atan2(seen.z(), seen.x())) < 0.38;
  }

  void step(double dt = 0.01) {
    now += dt;
    pose = pose * Pose2{in.body_velocity.x * dt, in.body_velocity.y * dt, in.body_velocity.yaw * dt};
    ball += dt * ball_velocity;
    in.measured = angles;
    in.model.pose.stamp = now;
    in.model.pose.pose = pose;
    out = head.step(in, now);
    // The servo follows with a lag of 50 ms and at most 5 rad/s.
    if (out.active) {
      const double share = std::min(1.0, dt / 0.05);
      angles.pan += std::clamp(share * (out.goal.pan - angles.pan), -5.0 * dt, 5.0 * dt);
      angles.tilt += std::clamp(share * (out.goal.tilt - angles.tilt), -5.0 * dt, 5.0 * dt);
    }
  }

  /// 25 pictures a second; what one shows is known 80 ms later. The truth is put into the model as a filter would.
  struct Seen {
    double stamp;
    Vector2d position, velocity;
  };
  std::vector<Seen> pipeline;
  double next_picture = 0.0;
  void camera() {
    if (now >= next_picture) {
      next_picture = now + 0.04;
      std::normal_distribution<double> normal(0.0, noise);
      if (in_view())
        pipeline.push_back({now, pose.inverse() * ball + Vector2d(normal(random), normal(random)),
                            pose.rotation().inverse() * ball_velocity});
    }
    while (!pipeline.empty() && now - pipeline.front().stamp >= 0.08) {
      in.model.stamp = pipeline.front().stamp;
      in.model.ball.last_seen = pipeline.front().stamp;
      in.model.ball.position = pipeline.front().position;
      in.model.ball.velocity = pipeline.front().velocity;
      in.model.ball.confidence = 0.9;
      pipeline.erase(pipeline.begin());
    }
  }
  bool found() const { return in.model.ball.confidence > 0.0 && now - in.model.ball.last_seen < 0.5; }
};

TEST(Neck, AimsThroughTheChainOfTheModel) {
  const Neck neck = minibot_neck();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> yaw(-1.5, 1.5), distance(0.3, 5.0);
  for (int i = 0; i < 500; ++i) {
    const double a = yaw(random), d = distance(random);
    const Eigen::Vector3d point(d * std::cos(a), d * std::sin(a), -kHeight);
    const auto angles = neck.aim(point);
    const Eigen::Vector3d seen = neck.camera(angles).inverse() * point;
    EXPECT_NEAR(std::atan2(seen.y(), seen.x()), 0.0, 0.01);
    EXPECT_NEAR(std::atan2(seen.z(), seen.x()), 0.0, 0.01);
  }
}

TEST(Neck, StaysWithinItsLimits) {
  const Neck neck = minibot_neck();
  for (double a = -3.1; a < 3.1; a += 0.1)
    for (const double z : {-5.0, -0.3, 0.0, 5.0}) {
      const auto angles = neck.aim({std::cos(a), std::sin(a), z});
      EXPECT_TRUE(neck.pan_limits().contains(angles.pan));
      EXPECT_TRUE(neck.tilt_limits().contains(angles.tilt));
    }
  EXPECT_TRUE(std::isfinite(neck.aim({std::nan(""), 0, 0}).pan));
}

TEST(Neck, NamesTheJointThatIsMissing) {
  const auto model = hl_description::RobotModel::from_file(URDF_FILE);
  EXPECT_THROW(Neck::from_model(model, "NoSuchJoint"), hl_description::ModelError);
}

/// Share of the time a rolling ball is within 10 degrees of the picture's centre while the robot walks and turns.
double tracking_share(unsigned seed) {
  std::mt19937 random(seed);
  const auto in = [&](double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<double>(0.0, 1.0)(random);
  };
  Stage stage;
  stage.random.seed(seed);
  stage.noise = 0.02;
  const double bearing = in(-0.6, 0.6), distance = in(1.2, 2.6);
  stage.ball = distance * Vector2d(std::cos(bearing), std::sin(bearing));
  const double way = in(-M_PI, M_PI), speed = in(0.0, 1.5);
  stage.ball_velocity = speed * Vector2d(std::cos(way), std::sin(way));
  stage.in.body_velocity = {in(0.0, 0.3), in(-0.1, 0.1), in(-0.5, 0.5)};
  int good = 0, all = 0;
  double started = -1.0;
  for (int i = 0; i < 300; ++i) {
    stage.camera();
    stage.step();
    const Vector2d at = stage.pose.inverse() * stage.ball;
    const bool in_range = at.norm() > 0.7 && at.norm() < 3.0 && std::abs(std::atan2(at.y(), at.x())) < 1.7;
    if (stage.found() && started < 0.0) started = stage.now;
    if (started < 0.0 || stage.now - started < 0.4 || !in_range) continue;
    ++all;
    good += stage.error() < 10.0 * M_PI / 180.0 ? 1 : 0;
  }
  return all == 0 ? 1.0 : static_cast<double>(good) / all;
}

TEST(Head, KeepsARollingBallInTheMiddleOfThePicture) {
  double sum = 0.0;
  const unsigned runs = static_cast<unsigned>(hl_testing::count(100, 2000));
  for (unsigned seed = 10000; seed < 10000 + runs; ++seed) sum += tracking_share(seed);
  RecordProperty("share", std::to_string(sum / runs));
  EXPECT_GE(sum / runs, 0.95);
}

TEST(Head, FindsABallAnywhereWithinFourMetresWhileTheBodyTurns) {
  std::vector<double> times;
  const unsigned runs = static_cast<unsigned>(hl_testing::count(100, 1000));
  std::mt19937 random(10000);
  std::uniform_real_distribution<double> angle(-M_PI, M_PI), distance(0.3, 4.0);
  for (unsigned run = 0; run < runs; ++run) {
    Stage stage;
    const double bearing = angle(random), d = distance(random);
    stage.ball = d * Vector2d(std::cos(bearing), std::sin(bearing));
    stage.in.body_velocity = {0, 0, 0.7};
    const double begin = stage.now;
    while (!stage.found() && stage.now - begin < 20.0) {
      stage.camera();
      stage.step();
    }
    times.push_back(stage.now - begin);
  }
  std::sort(times.begin(), times.end());
  RecordProperty("median", std::to_string(times[times.size() / 2]));
  EXPECT_LE(times[times.size() / 2], 4.0);
  EXPECT_LT(times.back(), 20.0) << "found in the end";
}

/// Looks about for `seconds` with a body that turns; tells when a thing at `bearing` (rad, at the start) of a line was
/// in the picture.
double seen_after(double bearing, bool near, double turn_rate, double side, double seconds) {
  constexpr double kStep = 0.02, kScan = 1.6;  // s, rad/s
  const GazeSearch::Neck neck{2.1, 1.0};
  GazeSearch search;
  search.begin(side);
  double yaw = 0.0;
  bool line = false;
  for (double time = 0.0; time < seconds; time += kStep) {
    search.body_turned(turn_rate * kStep);
    bearing = hl_description::wrap_angle(bearing - turn_rate * kStep);
    search.looked({yaw, line}, neck);
    if (line == near && std::abs(hl_description::wrap_angle(bearing - yaw)) < 0.45 * neck.view) return time;
    const auto next = search.next(yaw, turn_rate, neck);
    yaw += std::clamp(next.yaw - yaw, -kScan * kStep, kScan * kStep);
    line = next.near;
  }
  return seconds;
}

TEST(GazeSearch, ATurningBodySeesAllAroundInLessThanATurn) {
  for (const double rate : {0.7, -0.7, 1.0}) {
    std::vector<double> times;
    for (double bearing = -3.1; bearing < 3.1; bearing += 0.05)
      times.push_back(seen_after(bearing, false, rate, -rate, 60.0));
    std::sort(times.begin(), times.end());
    EXPECT_LT(times.back(), 4.0) << rate;
    EXPECT_LT(times[times.size() / 2], 2.5) << rate;
  }
}

TEST(GazeSearch, AStandingBodySeesWhatTheNeckReachesOnBothLinesAndBeginsAnew) {
  for (const double side : {1.0, -1.0}) {
    for (double bearing = -2.3; bearing < 2.3; bearing += 0.1) {
      EXPECT_LT(seen_after(bearing, false, 0.0, side, 60.0), 5.0) << bearing;
      EXPECT_LT(seen_after(bearing, true, 0.0, side, 60.0), 15.0) << bearing;
    }
  }
  EXPECT_LT(seen_after(0.9, false, 0.0, 1.0, 60.0), seen_after(-0.9, false, 0.0, 1.0, 60.0))
      << "left is looked to first";
}

TEST(Head, LooksFirstWhereALostBallWasKnown) {
  for (const double side : {1.0, -1.0}) {
    Stage stage;
    stage.ball = {1.0, side};
    for (int i = 0; i < 600; ++i) {
      stage.camera();
      stage.step();
    }
    ASSERT_LT(stage.error(), 0.1);
    stage.in.model.ball = {};  // the model gives it up and says nothing of where it was
    for (int i = 0; i < 100; ++i) {
      stage.step();
      EXPECT_GT(side * stage.angles.pan, 0.1) << i;
    }
  }
}

TEST(Head, GoalsKeepToSpeedAndLimitsInEveryMode) {
  for (const int mode : {0, 1, 2, 3, 4, 5, 7, 8, 9}) {
    Stage stage;
    stage.in.mode = static_cast<HeadMode>(mode);
    stage.in.model.pose.confidence = 0.9;
    stage.in.model.pose.covariance = Eigen::Vector3d(0.05, 0.05, 0.05).asDiagonal();
    stage.in.body_velocity = {0.2, 0, 0.4};
    stage.step();
    auto last = stage.out.goal;
    const double limit = stage.head.params().track_speed * 0.01 + 1e-9;
    for (int i = 0; i < 600; ++i) {
      stage.camera();
      stage.step();
      ASSERT_TRUE(stage.out.active);
      ASSERT_LE(std::abs(stage.out.goal.pan - last.pan), limit) << mode;
      ASSERT_LE(std::abs(stage.out.goal.tilt - last.tilt), limit) << mode;
      ASSERT_TRUE(stage.head.neck().pan_limits().contains(stage.out.goal.pan));
      ASSERT_TRUE(stage.head.neck().tilt_limits().contains(stage.out.goal.tilt));
      last = stage.out.goal;
    }
  }
}

TEST(Head, FixedModesLookWhereTheySay) {
  const auto settled = [](HeadMode mode) {
    Stage stage;
    stage.in.mode = mode;
    for (int i = 0; i < 300; ++i) stage.step();
    const Eigen::Vector3d axis = stage.head.neck().camera(stage.angles).linear() * Eigen::Vector3d::UnitX();
    return std::pair(std::atan2(axis.y(), axis.x()), std::asin(axis.z()));
  };
  EXPECT_NEAR(settled(HeadMode::LookForward).first, 0.0, 0.02);
  EXPECT_NEAR(settled(HeadMode::LookForward).second, -0.15, 0.05);
  EXPECT_LT(settled(HeadMode::LookDown).second, -0.9);
  const Neck neck = minibot_neck();
  EXPECT_NEAR(settled(HeadMode::LookUp).second, neck.tilt_limits().upper, 0.02);
}

TEST(Head, DontMoveHoldsTheMeasuredAngles) {
  Stage stage;
  stage.in.mode = HeadMode::Ball;
  for (int i = 0; i < 57; ++i) stage.step();
  const auto held = stage.angles;
  stage.in.mode = HeadMode::DontMove;
  for (int i = 0; i < 200; ++i) stage.step();
  EXPECT_NEAR(stage.angles.pan, held.pan, 0.01);
  EXPECT_NEAR(stage.angles.tilt, held.tilt, 0.01);
}

TEST(Head, APointCountsForOneSecond) {
  Stage stage;
  stage.in.mode = HeadMode::LookForward;
  stage.in.look_at = LookAt{{0.0, 2.0}, 0.0, Frame::BaseFootprint};
  stage.in.look_at_stamp = stage.now;
  for (int i = 0; i < 90; ++i) stage.step();
  EXPECT_NEAR(stage.angles.pan, M_PI / 2, 0.1);
  for (int i = 0; i < 300; ++i) stage.step();
  EXPECT_NEAR(stage.angles.pan, 0.0, 0.05);
}

TEST(Head, APointOfTheMapStaysInViewWhileTheBodyTurns) {
  Stage stage;
  stage.in.mode = HeadMode::LookForward;
  stage.in.model.pose.confidence = 0.9;
  stage.in.model.pose.covariance = Eigen::Matrix3d::Identity() * 0.01;
  stage.in.body_velocity = {0, 0, 0.8};
  stage.ball = {2.0, 0.5};
  stage.in.look_at = LookAt{stage.ball, 0.07, Frame::Map};
  for (int i = 0; i < 150; ++i) {
    stage.in.look_at_stamp = stage.now;
    stage.step();
    if (i > 60) {
      EXPECT_LT(stage.error(), 0.12) << i;
    }
  }
}

TEST(Head, LooksWhereThePoseGainsMost) {
  Stage stage;
  stage.in.mode = HeadMode::FieldFeatures;
  stage.in.model.pose.confidence = 0.9;
  stage.pose = {4.4, 2.9, M_PI / 2};  // in the corner, faces out: the field is to the left
  stage.in.model.pose.covariance = Eigen::Vector3d(0.2, 0.2, 0.05).asDiagonal();
  double left = 0.0, right = 0.0;
  for (int i = 0; i < 600; ++i) {
    stage.step();
    (stage.angles.pan > 0.0 ? left : right) += 1.0;
  }
  EXPECT_GT(left, 2.0 * right) << "there is nothing to see on the right";
}

TEST(Head, BallAndGoalShareTheTimeByUncertainty) {
  const auto share_of_goal = [](double pose_variance) {
    Stage stage;
    stage.in.mode = HeadMode::BallGoalTracking;
    stage.in.model.pose.confidence = 0.9;
    stage.in.model.pose.covariance = Eigen::Vector3d(pose_variance, pose_variance, 0.1).asDiagonal();
    stage.in.model.ball.covariance = Eigen::Matrix4d::Identity() * 0.01;
    stage.ball = {1.5, 1.0};
    int goal = 0, all = 0;
    for (int i = 0; i < 2000; ++i) {
      stage.in.model.stamp = stage.in.model.ball.last_seen = stage.now;  // known all the time
      stage.in.model.ball.confidence = 0.9;
      stage.in.model.ball.position = stage.ball;
      stage.step();
      ++all;
      goal += std::string(stage.out.what) == "goal" ? 1 : 0;
    }
    return static_cast<double>(goal) / all;
  };
  EXPECT_GT(share_of_goal(1.0), share_of_goal(0.001) + 0.1);
  EXPECT_GT(share_of_goal(0.001), 0.05);
}

TEST(Head, NotFreeSendsNothingAndBeginsAgainWhereTheHeadIs) {
  Stage stage;
  for (int i = 0; i < 50; ++i) stage.step();
  stage.in.free = false;
  stage.step();
  EXPECT_FALSE(stage.out.active);
  stage.angles = {1.0, -0.5};
  stage.in.free = true;
  stage.step();
  EXPECT_NEAR(stage.out.goal.pan, 1.0, 0.05);
}

TEST(Head, GarbageGivesFiniteGoals) {
  const double bad[] = {std::nan(""), INFINITY, -1e300, 0.0, 2.0};
  std::mt19937 random(9);
  const auto pick = [&] { return bad[std::uniform_int_distribution<int>(0, 4)(random)]; };
  Stage stage;
  for (int i = 0; i < 5000; ++i) {
    stage.in.mode = static_cast<HeadMode>(std::uniform_int_distribution<int>(0, 9)(random));
    stage.in.model.ball.position = {pick(), pick()};
    stage.in.model.ball.velocity = {pick(), pick()};
    stage.in.model.ball.confidence = 1.0;
    stage.in.model.ball.last_seen = stage.now;
    stage.in.look_at = LookAt{{pick(), pick()}, pick(), Frame::BaseFootprint};
    stage.in.look_at_stamp = i % 2 == 0 ? stage.now : 0.0;
    stage.step();
    ASSERT_TRUE(std::isfinite(stage.out.goal.pan) && std::isfinite(stage.out.goal.tilt)) << i;
  }
}

TEST(Head, BadParametersAreNamed) {
  Head::Params params;
  params.scan_speed = -1.0;
  EXPECT_THAT(params.validate().value_or(""), testing::HasSubstr("scan_speed"));
  EXPECT_ANY_THROW(Head(params, minibot_neck()));
}

}  // namespace
