// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "hl_testing/isolation.hpp"
#include "hl_vision/compass_recorder.hpp"
#include "hl_vision/turn_rate.hpp"
#include "hl_vision/visual_compass.hpp"

using namespace hl_vision;
using hl_description::Pose2;
using hl_description::wrap_angle;

namespace {

/// Turf with four walls around it, on which coloured posters hang.
class DrawnHall {
 public:
  DrawnHall(int posters, unsigned seed, double gap = 3.0) : gap_(gap) {
    std::mt19937 random(seed);
    const auto uniform = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    for (int n = 0; n < posters; ++n) {
      const double bearing = uniform(-M_PI, M_PI), low = uniform(0.1, 1.8);
      posters_.push_back({bearing, uniform(0.04, 0.15), low, low + uniform(0.4, 1.6),
                          cv::Vec3b(static_cast<uchar>(uniform(20, 250)), static_cast<uchar>(uniform(20, 180)),
                                    static_cast<uchar>(uniform(20, 250)))});
    }
  }

  VisualCompass::Inputs look(const Pose2& robot, double pan = 0.0, double light = 1.0) const {
    Lens lens;
    lens.width = 320;
    lens.height = 240;
    lens.fx = lens.fy = 288.0;
    lens.cx = 160.0;
    lens.cy = 120.0;
    Eigen::Isometry3d camera = ground_from_up({0.0, -std::cos(0.1), -std::sin(0.1)}, 0.5);
    camera = Eigen::AngleAxisd(pan, Eigen::Vector3d::UnitZ()) * camera;
    const CameraView view(lens, camera);
    cv::Mat picture(lens.height, lens.width, CV_8UC3);
    for (int y = 0; y < lens.height; ++y) {
      for (int x = 0; x < lens.width; ++x) {
        const Eigen::Vector3d ray = camera.linear() * view.ray({x + 0.5, y + 0.5});
        const cv::Vec3b seen = colour(robot.position(), robot.rotation() * Eigen::Vector2d(ray.head<2>()), ray.z());
        auto& p = picture.at<cv::Vec3b>(y, x);
        for (int c = 0; c < 3; ++c) p[c] = cv::saturate_cast<uchar>(light * seen[c]);
      }
    }
    return {picture, view};
  }

 private:
  struct Poster {
    double bearing, half_width, low, high;  // seen from the field's centre; m
    cv::Vec3b colour;
  };
  cv::Vec3b colour(const Eigen::Vector2d& from, const Eigen::Vector2d& ray, double rise) const {
    const double x = 5.5 + gap_, y = 4.0 + gap_;
    const double far =
        std::min(((ray.x() > 0 ? x : -x) - from.x()) / ray.x(), ((ray.y() > 0 ? y : -y) - from.y()) / ray.y());
    if (0.5 + rise * far < 0.0) {
      const Eigen::Vector2d ground = from - ray * (0.5 / rise);
      const bool turf = std::abs(ground.x()) < 5.5 && std::abs(ground.y()) < 4.0;
      return turf ? cv::Vec3b(50, 115, 48) : cv::Vec3b(70, 72, 75);
    }
    const Eigen::Vector2d at = from + far * ray;
    const double bearing = std::atan2(at.y(), at.x()), z = 0.5 + rise * far;
    for (const Poster& p : posters_) {
      if (std::abs(wrap_angle(bearing - p.bearing)) < p.half_width && z > p.low && z < p.high) return p.colour;
    }
    return {150, 150, 155};
  }
  double gap_;
  std::vector<Poster> posters_;
};

VisualCompass recorded(const DrawnHall& hall) {
  VisualCompass compass({}, {});
  for (const Pose2& place : {Pose2{-2.0, 2.5, 0.0}, Pose2{-2.5, -2.5, 0.0}, Pose2{-1.0, 0.0, 0.0}}) {
    for (int n = 0; n < 8; ++n) {
      const Pose2 pose{place.x, place.y, n * M_PI_4};
      EXPECT_EQ(compass.record(hall.look(pose), pose), std::nullopt);
    }
  }
  return compass;
}

struct Score {
  int sure = 0, wrong_half = 0;
  double median = 0.0;  // rad
};
Score ask(VisualCompass& compass, const DrawnHall& hall, double light = 1.0) {
  Score score;
  std::vector<double> errors;
  std::mt19937 random(5);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int n = 0; n < 24; ++n) {
    const Pose2 pose{uniform(-4.0, 4.0), uniform(-2.5, 2.5), uniform(-M_PI, M_PI)};
    const auto out = compass.step(hall.look(pose, uniform(-0.8, 0.8), light), 0.0);
    if (out.confidence <= 0.5) continue;
    ++score.sure;
    errors.push_back(std::abs(wrap_angle(out.heading - pose.yaw)));
    score.wrong_half += errors.back() > M_PI_2;
  }
  std::sort(errors.begin(), errors.end());
  if (!errors.empty()) score.median = errors[errors.size() / 2];
  return score;
}

}  // namespace

TEST(VisualCompass, TellsTheHeadingFromOtherPlaces) {
  const DrawnHall hall(24, 3);
  VisualCompass compass = recorded(hall);
  const Score score = ask(compass, hall);
  EXPECT_GE(score.sure, 6);  // of 24: it would rather say nothing than the wrong half
  EXPECT_EQ(score.wrong_half, 0);
  EXPECT_LT(score.median, 0.14);
  EXPECT_NEAR(compass.gap(), 3.0, 1.3);
}

TEST(VisualCompass, StandsAnotherLight) {
  const DrawnHall hall(24, 3);
  VisualCompass compass = recorded(hall);
  const Score score = ask(compass, hall, 0.6);
  EXPECT_GE(score.sure, 6);  // of 24: it would rather say nothing than the wrong half
  EXPECT_EQ(score.wrong_half, 0);
}

TEST(VisualCompass, IsNotSureBetweenBareWalls) {
  const DrawnHall hall(0, 1);
  VisualCompass compass = recorded(hall);
  EXPECT_EQ(ask(compass, hall).sure, 0);
}

TEST(VisualCompass, IsNotSureInAnotherHall) {
  VisualCompass compass = recorded(DrawnHall(24, 3));
  const Score score = ask(compass, DrawnHall(24, 4));
  EXPECT_LE(score.sure, 6);
}

namespace {
/// Looks around by 120 degrees, then at `at` again: the confidence of that last look.
double after_a_look_around(VisualCompass& compass, const DrawnHall& hall, const Pose2& pose,
                           const std::optional<Pose2>& odometry_at_last) {
  double now = 0.0;
  for (const double pan : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
    const Pose2 odometry{3.0, 1.0, -2.0};
    VisualCompass::Inputs inputs = hall.look(pose, pan);
    inputs.odometry = odometry;
    compass.step(inputs, now += 0.4);
  }
  VisualCompass::Inputs inputs = hall.look(pose, 0.0);
  inputs.odometry = odometry_at_last;
  return compass.step(inputs, now + 0.4).confidence;
}
}  // namespace

TEST(VisualCompass, RemembersWhatItSawWhileTheHeadTurned) {
  const DrawnHall hall(12, 3);
  VisualCompass compass = recorded(hall);
  int alone = 0, together = 0, wrong = 0;
  for (int n = 0; n < 12; ++n) {
    const Pose2 pose{-1.0 + 0.2 * n, 0.3 * (n % 5) - 0.6, n * M_PI / 6.0};
    compass.forget_pictures();
    alone += compass.step(hall.look(pose), 0.0).confidence > 0.5;
    compass.forget_pictures();
    if (after_a_look_around(compass, hall, pose, Pose2{3.0, 1.0, -2.0}) <= 0.5) continue;
    ++together;
    VisualCompass::Inputs again = hall.look(pose);
    again.odometry = Pose2{3.0, 1.0, -2.0};
    wrong += std::abs(wrap_angle(compass.step(again, 2.8).heading - pose.yaw)) > M_PI_2;
  }
  EXPECT_GT(together, alone);
  EXPECT_EQ(wrong, 0);
}

TEST(VisualCompass, ForgetsWhatItSawWhenTheOdometryJumps) {
  const DrawnHall hall(12, 3);
  VisualCompass compass = recorded(hall);
  for (int n = 0; n < 6; ++n) {
    const Pose2 pose{-1.0, 0.0, n * M_PI / 3.0};
    compass.forget_pictures();
    const double alone = compass.step(hall.look(pose), 0.0).confidence;
    EXPECT_NEAR(after_a_look_around(compass, hall, pose, Pose2{0.0, 0.0, 0.0}), alone, 1e-3) << "another odometry";
    EXPECT_NEAR(after_a_look_around(compass, hall, pose, std::nullopt), alone, 1e-3) << "no odometry";
  }
}

namespace {
PictureEvidence evidence_for(int turn, int first) {
  PictureEvidence picture;
  picture.first = first;
  picture.columns = Eigen::ArrayXXf::Zero(Panorama::kBearings, CompassMemory::kColumns);
  picture.columns.row(turn).setConstant(0.5f);
  picture.contours = picture.columns;
  return picture;
}
int best_turn(const CompassMemory& memory) {
  int best = 0;
  memory.sum().evidence.maxCoeff(&best);
  return best;
}
}  // namespace

TEST(CompassMemory, TurnsWithTheRobot) {
  CompassMemory memory;
  memory.add(evidence_for(20, 0), {0.0, 0.0, 0.0}, 1.0, 10.0);
  EXPECT_EQ(best_turn(memory), 20);
  // Looks elsewhere and sees nothing; meanwhile the robot turned by five cells.
  PictureEvidence nothing = evidence_for(0, 60);
  nothing.columns.setZero();
  nothing.contours.setZero();
  memory.add(nothing, {0.1, 0.0, 5 * Panorama::kBearingStep}, 1.4, 10.0);
  EXPECT_EQ(best_turn(memory), 25);
}

TEST(CompassMemory, ANewLookAtADirectionReplacesTheOldOne) {
  CompassMemory memory;
  memory.add(evidence_for(20, 0), {}, 1.0, 10.0);
  for (int n = 0; n < 6; ++n) memory.add(evidence_for(80, 0), {}, 1.5 + n, 10.0);
  EXPECT_EQ(best_turn(memory), 80);
  EXPECT_LT(memory.sum().evidence.maxCoeff(), 3.0f) << "the same look many times is one look";
}

TEST(CompassMemory, FadesAndForgets) {
  CompassMemory memory;
  memory.add(evidence_for(20, 0), {}, 1.0, 10.0);
  const float fresh = memory.sum().evidence.maxCoeff();
  PictureEvidence nothing = evidence_for(0, 60);
  nothing.columns.setZero();
  nothing.contours.setZero();
  memory.add(nothing, {}, 21.0, 10.0);
  EXPECT_LT(memory.sum().evidence.maxCoeff(), 0.2f * fresh);
  memory.add(nothing, {5.0, 0.0, 0.0}, 21.1, 10.0);
  EXPECT_LT(memory.sum().evidence.maxCoeff(), 1e-6f) << "the odometry jumped";
}

TEST(VisualCompass, SaysThatNothingIsRecorded) {
  VisualCompass compass({}, {});
  const auto out = compass.step(DrawnHall(10, 1).look({}), 0.0);
  EXPECT_EQ(out.confidence, 0.0);
  EXPECT_EQ(out.reason, "nothing is recorded yet");
}

TEST(VisualCompass, RefusesAPoseBesideTheTurf) {
  VisualCompass compass({}, {});
  EXPECT_THAT(compass.record(DrawnHall(10, 1).look({}), {9.0, 0.0, 0.0}),
              testing::Optional(testing::HasSubstr("not on the turf")));
  EXPECT_EQ(compass.views(), 0);
}

TEST(VisualCompass, TurnsWithTheTeamsAtHalfTime) {
  const DrawnHall hall(24, 3);
  VisualCompass compass = recorded(hall);
  const Pose2 pose{-2.0, 2.5, 0.3};
  const double before = compass.step(hall.look(pose), 0.0).heading;
  compass.turn_around();
  const auto after = compass.step(hall.look(pose), 0.0);
  EXPECT_GT(after.confidence, 0.5);
  EXPECT_NEAR(std::abs(wrap_angle(after.heading - before)), M_PI, 0.05);
}

TEST(VisualCompass, AnswersTheSameAfterSavingAndLoading) {
  const DrawnHall hall(24, 3);
  VisualCompass compass = recorded(hall), loaded({}, {});
  const std::string path = testing::TempDir() + "surroundings.compass";
  compass.save(path);
  loaded.load(path);
  std::remove(path.c_str());
  EXPECT_EQ(loaded.views(), compass.views());
  const auto picture = hall.look({1.0, 1.0, 2.0});
  const auto a = compass.step(picture, 0.0), b = loaded.step(picture, 0.0);
  EXPECT_NEAR(a.heading, b.heading, 1e-3);
  EXPECT_NEAR(a.confidence, b.confidence, 1e-2);
}

TEST(VisualCompass, RefusesDamagedRecordsAndKeepsItsOwn) {
  VisualCompass compass = recorded(DrawnHall(24, 3));
  const std::string bytes = compass.to_bytes();
  std::mt19937 random(11);
  for (int n = 0; n < (hl_testing::full_run() ? 20000 : 300); ++n) {
    std::string damaged = bytes.substr(0, n % 3 == 0 ? random() % bytes.size() : bytes.size());
    for (int k = 0; k < 3 && !damaged.empty(); ++k)
      damaged[random() % std::min<std::size_t>(damaged.size(), 64)] ^= 0x55;
    VisualCompass other({}, {});
    try {
      other.from_bytes(damaged, "damaged");
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("damaged: "));
      EXPECT_EQ(other.views(), 0);
    }
  }
  EXPECT_THROW(compass.from_bytes(bytes + "x", "longer"), std::runtime_error);
  EXPECT_THROW(compass.load("/no/such/file"), std::runtime_error);
  EXPECT_EQ(compass.views(), 24);
}

TEST(CompassRecorder, WantsNewDirectionsOfASurePoseOnly) {
  CompassRecorder recorder({});
  const CameraView view = DrawnHall(1, 1).look({}).view;
  KnownPose pose{{-2.0, 1.0, 0.0}, 0.1, 0.05, 10.0};
  EXPECT_TRUE(recorder.wants(pose, view, 10.1));
  EXPECT_FALSE(recorder.wants(pose, view, 12.0)) << "the pose is old";
  recorder.done(pose, view);
  EXPECT_FALSE(recorder.wants(pose, view, 10.1)) << "seen already";
  pose.pose.yaw = 0.5;
  EXPECT_TRUE(recorder.wants(pose, view, 10.1)) << "another direction";
  pose.heading_deviation = 0.5;
  EXPECT_FALSE(recorder.wants(pose, view, 10.1)) << "not sure";
}

namespace {
/// Sum of the turns that are claimed to be known, against the true ones; rad.
struct Turned {
  double claimed = 0.0, truly = 0.0;
  int known = 0, pictures = 0;
};
Turned turn(const DrawnHall& hall, double step, int pictures, double neck) {
  TurnRate rate({});
  Turned result;
  Pose2 pose{-1.0, 0.5, 0.4};
  for (int n = 0; n < pictures; ++n) {
    const auto seen = hall.look(pose, neck * n);
    const auto out = rate.step({seen.bgr, seen.view, n / 15.0}, n / 15.0);
    if (n > 0 && out.known) {
      ++result.known;
      result.claimed += out.turn;
      result.truly += step;
    }
    ++result.pictures;
    pose.yaw += step;
  }
  return result;
}
}  // namespace

TEST(TurnRate, FollowsATurnOfNinetyDegrees) {
  for (const double sign : {-1.0, 1.0}) {
    const Turned turned = turn(DrawnHall(24, 3), sign * M_PI_2 / 25, 26, 0.0);
    EXPECT_GE(turned.known, 20);
    EXPECT_NEAR(turned.claimed, turned.truly, 0.052);
  }
}

TEST(TurnRate, IsNotFooledByTheNeck) {
  const Turned turned = turn(DrawnHall(24, 3), 0.0, 20, 0.03);
  EXPECT_GE(turned.known, 12);
  EXPECT_NEAR(turned.claimed, 0.0, 0.02);
}

TEST(TurnRate, SaysThatBareWallsTellNothing) {
  const Turned turned = turn(DrawnHall(0, 1), 0.05, 12, 0.0);
  EXPECT_LE(turned.known, 4);  // the corners of the hall are edges too
}
