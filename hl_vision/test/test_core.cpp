// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <random>

#include "hl_testing/isolation.hpp"
#include "hl_vision/class_picture.hpp"
#include "hl_vision/evaluation.hpp"
#include "hl_vision/transform.hpp"

using namespace hl_vision;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A camera 0.5 m above the ground, looking ahead and down by `pitch` rad.
CameraView looking_down(double pitch, Lens lens = {}) {
  const Eigen::Vector3d up(0.0, -std::cos(pitch), -std::sin(pitch));
  return CameraView(lens, ground_from_up(up, 0.5));
}

/// A drawn field: turf up to `range` m, and nothing else.
cv::Mat turf(const CameraView& view, double range, unsigned seed = 1) {
  cv::Mat picture(view.lens().height, view.lens().width, CV_8UC3);
  std::mt19937 random(seed);
  std::normal_distribution<double> grain(0.0, 6.0);
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      const auto place = view.on_plane({x + 0.5, y + 0.5});
      const bool field = place && place->norm() < range;
      const double g = grain(random);
      picture.at<cv::Vec3b>(y, x) = field
                                        ? cv::Vec3b(cv::saturate_cast<uchar>(50 + g), cv::saturate_cast<uchar>(115 + g),
                                                    cv::saturate_cast<uchar>(48 + g))
                                        : cv::Vec3b(92, 88, 90);
    }
  }
  return picture;
}

/// A straight field line between two places on the ground.
void paint_line(const CameraView& view, const Eigen::Vector2d& from, const Eigen::Vector2d& to, cv::Mat& picture) {
  const Eigen::Vector2d along = (to - from).normalized(), across = 0.025 * Eigen::Vector2d(-along.y(), along.x());
  constexpr int kParts = 60;
  for (int n = 0; n < kParts; ++n) {
    const Eigen::Vector2d a = from + (to - from) * n / kParts, b = from + (to - from) * (n + 1) / kParts;
    std::vector<cv::Point> corners;
    for (const Eigen::Vector2d& p : {Eigen::Vector2d(a + across), Eigen::Vector2d(b + across),
                                     Eigen::Vector2d(b - across), Eigen::Vector2d(a - across)}) {
      const auto pixel = view.project(p);
      if (!pixel) break;
      corners.emplace_back(static_cast<int>(std::lround(pixel->x * 16)), static_cast<int>(std::lround(pixel->y * 16)));
    }
    if (corners.size() == 4) cv::fillConvexPoly(picture, corners, cv::Scalar(225, 230, 228), cv::LINE_AA, 4);
  }
}

Detection detector() {
  return Detection({}, {}, {});
}

}  // namespace

TEST(CameraView, ProjectionAndGroundAreInverse) {
  Lens lens;
  lens.distortion = {-0.08, 0.02, 0.001, -0.001, 0.0};
  for (const bool distorted : {false, true}) {
    const CameraView view = looking_down(0.4, distorted ? lens : Lens{});
    for (const Eigen::Vector2d& place :
         {Eigen::Vector2d(0.7, 0.1), Eigen::Vector2d(2.0, -0.6), Eigen::Vector2d(5.0, 1.0)}) {
      const auto pixel = view.project(place);
      ASSERT_TRUE(pixel);
      const auto back = view.on_plane(*pixel);
      ASSERT_TRUE(back);
      EXPECT_LT((*back - place).norm(), 0.01 * place.norm());
    }
  }
}

TEST(CameraView, NothingLiesOnTheGroundAboveTheHorizon) {
  const CameraView view = looking_down(0.2);
  const double horizon = view.horizon(320.0);
  EXPECT_GT(horizon, 0.0);
  EXPECT_LT(horizon, 240.0);
  EXPECT_FALSE(view.on_plane({320.0, horizon - 2.0}));
  EXPECT_TRUE(view.on_plane({320.0, horizon + 10.0}));
  EXPECT_EQ(view.pixels_per_metre({320.0, horizon - 2.0}), 0.0);
}

TEST(CameraView, NearerThingsLookLarger) {
  const CameraView view = looking_down(0.4);
  const auto near = view.project(Eigen::Vector3d(1.0, 0.0, 0.07)), far = view.project(Eigen::Vector3d(3.0, 0.0, 0.07));
  ASSERT_TRUE(near && far);
  EXPECT_NEAR(view.ball_diameter(*near, 0.07), 0.14 * 577.3 / std::hypot(1.0, 0.43), 4.0);
  EXPECT_GT(view.ball_diameter(*near, 0.07), 2.0 * view.ball_diameter(*far, 0.07));
}

TEST(Lens, BadNumbersAreNamed) {
  Lens lens;
  EXPECT_FALSE(lens.validate());
  lens.fx = kNaN;
  ASSERT_TRUE(lens.validate());
  EXPECT_THAT(*lens.validate(), testing::HasSubstr("fx"));
}

TEST(Detection, FindsTheBorderOfTheField) {
  const CameraView view = looking_down(0.3);
  Detection detection = detector();
  const auto found = detection.step({turf(view, 4.0), view, {}}, 0.0);
  ASSERT_GE(found.field_border.size(), 2u);
  const auto expected = view.project(Eigen::Vector2d(4.0, 0.0));
  ASSERT_TRUE(expected);
  double nearest = 1e9;
  for (const auto& corner : found.field_border) nearest = std::min(nearest, std::abs(corner.y - expected->y));
  EXPECT_LT(nearest, 8.0);
}

TEST(Detection, FindsLinesWhereTheyArePainted) {
  const CameraView view = looking_down(0.4);
  cv::Mat picture = turf(view, 6.0);
  paint_line(view, {1.2, -1.0}, {1.2, 1.0}, picture);
  paint_line(view, {1.2, 0.0}, {2.6, 0.0}, picture);
  Detection detection = detector();
  const auto found = detection.step({picture, view, {}}, 0.0);
  ASSERT_GE(found.segments.size(), 2u);
  int good = 0;
  for (const auto& p : found.line_points) {
    const auto place = view.on_plane(p);
    ASSERT_TRUE(place);
    good += std::abs(place->x() - 1.2) < 0.05 || std::abs(place->y()) < 0.05;
  }
  EXPECT_GT(good, 40);
  EXPECT_GT(good, static_cast<int>(0.95 * static_cast<double>(found.line_points.size())));
  ASSERT_EQ(found.crossings.size(), 1u);
  EXPECT_EQ(found.crossings[0].type, hl_description::Field::Crossing::T);
  const auto at = view.on_plane(found.crossings[0].position);
  ASSERT_TRUE(at);
  EXPECT_LT((*at - Eigen::Vector2d(1.2, 0.0)).norm(), 0.06);
}

TEST(Detection, FindsTheCentreCircle) {
  const CameraView view = looking_down(0.4);
  cv::Mat picture = turf(view, 6.0);
  const hl_description::Field field;
  constexpr int kParts = 40;
  const double r = field.circle_radius();
  const auto on = [&](int n) {
    const double a = 2.0 * M_PI * n / kParts;
    return Eigen::Vector2d(1.9 + r * std::cos(a), 0.2 + r * std::sin(a));
  };
  for (int n = 0; n < kParts; ++n) paint_line(view, on(n), on(n + 1), picture);
  Detection detection = detector();
  const auto found = detection.step({picture, view, {}}, 0.0);
  ASSERT_EQ(found.circles.size(), 1u);
  const auto centre = view.on_plane(found.circles[0].center);
  ASSERT_TRUE(centre);
  EXPECT_LT((*centre - Eigen::Vector2d(1.9, 0.2)).norm(), 0.06);
}

TEST(Detection, AShortArcOfTheCircleIsNoRowOfStraightLines) {
  const CameraView view = looking_down(0.7);
  cv::Mat picture = turf(view, 6.0);
  const hl_description::Field field;
  constexpr int kParts = 60;
  const double r = field.circle_radius();
  const auto on = [&](int n) {
    const double a = 2.0 * M_PI * n / kParts;
    return Eigen::Vector2d(1.55 + r * std::cos(a), 0.1 + r * std::sin(a));
  };
  for (int n = 22; n < 38; ++n) paint_line(view, on(n), on(n + 1), picture);  // 96 degrees of it
  Detection detection = detector();
  const auto found = detection.step({picture, view, {}}, 0.0);
  EXPECT_TRUE(found.segments.empty());
  EXPECT_GT(found.line_points.size(), 30u);
  // A straight line is not bent.
  picture = turf(view, 6.0);
  paint_line(view, {0.9, -0.6}, {0.9, 0.6}, picture);
  Detection other = detector();
  EXPECT_GE(other.step({picture, view, {}}, 0.0).segments.size(), 1u);
}

TEST(Detection, TheTubeOfANetBehindTheGoalsLineIsNoLine) {
  const CameraView view = looking_down(0.5);
  cv::Mat picture = turf(view, 6.0);
  const hl_description::Field field;
  for (const double x : {1.2, 1.2 + field.goal_area_length, 1.2 + field.goal_area_length + field.goal_depth})
    paint_line(view, {x, -1.0}, {x, 1.0}, picture);
  Detection detection = detector();
  const auto found = detection.step({picture, view, {}}, 0.0);
  ASSERT_EQ(found.segments.size(), 2u);
  for (const auto& segment : found.segments) {
    const auto place = view.on_plane(0.5 * (segment.from + segment.to));
    ASSERT_TRUE(place);
    EXPECT_LT(place->x(), 1.3 + field.goal_area_length);
  }
}

TEST(Detection, FindsThePenaltyMarkAndTakesNoLineForIt) {
  const CameraView view = looking_down(0.5);
  cv::Mat picture = turf(view, 6.0);
  paint_line(view, {1.2, 0.075}, {1.2, 0.325}, picture);
  paint_line(view, {1.075, 0.2}, {1.325, 0.2}, picture);
  paint_line(view, {1.9, -1.0}, {1.9, 1.0}, picture);
  Detection detection = detector();
  const auto found = detection.step({picture, view, {}}, 0.0);
  ASSERT_EQ(found.marks.size(), 1u);
  const auto place = view.on_plane(found.marks[0].center);
  ASSERT_TRUE(place);
  EXPECT_LT((*place - Eigen::Vector2d(1.2, 0.2)).norm(), 0.04);
  EXPECT_EQ(found.marks[0].arms.size(), 4u);
}

namespace {
/// An upright bar of `width` and `height` m on the field.
void paint_bar(const CameraView& view, const Eigen::Vector3d& foot, double width, double height,
               const cv::Scalar& colour, cv::Mat& picture) {
  std::vector<cv::Point> corners;
  for (const auto& [side, z] :
       {std::pair(0.5, 0.0), std::pair(0.5, height), std::pair(-0.5, height), std::pair(-0.5, 0.0)}) {
    const auto pixel = view.project(Eigen::Vector3d(foot + Eigen::Vector3d(0.0, side * width, z)));
    ASSERT_TRUE(pixel);
    corners.emplace_back(static_cast<int>(pixel->x), static_cast<int>(pixel->y));
  }
  cv::fillConvexPoly(picture, corners, colour);
}
}  // namespace

TEST(Detection, ThinPolesAndDarkBarsAreNoPosts) {
  const CameraView view = looking_down(0.1);
  for (const auto& [width, colour] :
       {std::pair(0.03, cv::Scalar(235, 235, 235)), std::pair(0.1, cv::Scalar(30, 30, 30)),
        std::pair(0.1, cv::Scalar(200, 40, 40))}) {
    cv::Mat picture = turf(view, 4.5);
    paint_bar(view, {3.0, 0.4, 0.0}, width, 1.2, colour, picture);
    Detection detection = detector();
    EXPECT_TRUE(detection.step({picture, view, {}}, 0.0).posts.empty()) << width;
  }
}

TEST(Detection, AShadedPostBeforeABrightWallIsFound) {
  const CameraView view = looking_down(0.1);
  cv::Mat picture = turf(view, 4.5);
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      if (!view.on_plane({x + 0.5, y + 0.5})) picture.at<cv::Vec3b>(y, x) = {248, 248, 248};
    }
  }
  paint_bar(view, {3.0, 0.4, 0.0}, 0.1, 1.2, cv::Scalar(190, 190, 190), picture);
  Detection detection = detector();
  EXPECT_EQ(detection.step({picture, view, {}}, 0.0).posts.size(), 1u);
}

TEST(Detection, FindsAPostAndTellsWhereItStands) {
  const CameraView view = looking_down(0.1);
  cv::Mat picture = turf(view, 4.5);
  const Eigen::Vector3d foot(3.0, 0.4, 0.0);
  paint_bar(view, foot, 0.1, 1.2, cv::Scalar(235, 235, 235), picture);
  Detection detection = detector();
  const auto found = detection.step({picture, view, {}}, 0.0);
  ASSERT_EQ(found.posts.size(), 1u);
  ASSERT_TRUE(found.goal);
  EXPECT_FALSE(found.goal->right);
  const auto place = view.on_plane(found.posts[0].foot);
  ASSERT_TRUE(place);
  EXPECT_LT((*place - foot.head<2>()).norm(), 0.25);
}

TEST(Detection, SomethingOnTheFieldIsAnObstacleWithItsColour) {
  const CameraView view = looking_down(0.35);
  cv::Mat picture = turf(view, 6.0);
  const auto low = view.project(Eigen::Vector3d(1.5, 0.1, 0.0)), high = view.project(Eigen::Vector3d(1.5, -0.1, 0.45));
  ASSERT_TRUE(low && high);
  cv::rectangle(picture, *low, *high, cv::Scalar(40, 40, 42), cv::FILLED);
  cv::rectangle(picture, 0.5 * (*low + *high), *high, cv::Scalar(30, 25, 200), cv::FILLED);
  Detection detection = detector();
  const auto found = detection.step({picture, view, {}}, 0.0);
  ASSERT_EQ(found.obstacles.size(), 1u);
  EXPECT_EQ(found.obstacles[0].kind, hl_soccer::ObstacleKind::RobotRed);
}

namespace {
/// A robot 1.2 m ahead with a red chest on which `strokes` are painted white: pieces of line in shares of the chest.
cv::Mat red_robot(const CameraView& view, const std::vector<cv::Vec4d>& strokes, cv::Rect& box) {
  cv::Mat picture = turf(view, 6.0);
  const auto low = view.project(Eigen::Vector3d(1.2, 0.1, 0.0)), high = view.project(Eigen::Vector3d(1.2, -0.1, 0.45));
  if (!low || !high) return picture;
  box = cv::Rect(cv::Point(static_cast<int>(low->x), static_cast<int>(high->y)),
                 cv::Point(static_cast<int>(high->x), static_cast<int>(low->y)));
  cv::rectangle(picture, box, cv::Scalar(60, 60, 62), cv::FILLED);
  const cv::Rect chest(box.x + box.width / 8, box.y + box.height / 6, 3 * box.width / 4, box.height / 4);
  cv::rectangle(picture, chest, cv::Scalar(35, 30, 200), cv::FILLED);
  const auto at = [&](double u, double v) {
    return cv::Point(static_cast<int>(chest.x + u * chest.width), static_cast<int>(chest.y + v * chest.height));
  };
  for (const auto& s : strokes)
    cv::line(picture, at(s[0], s[1]), at(s[2], s[3]), cv::Scalar(235, 235, 235), chest.height / 8);
  cv::GaussianBlur(picture, picture, cv::Size(), 0.8);
  return picture;
}
}  // namespace

TEST(Detection, ANumberOnTheChestIsRead) {
  const CameraView view = looking_down(0.25);
  const double l = 0.38, r = 0.62, t = 0.2, m = 0.5, b = 0.8;
  const cv::Vec4d top(l, t, r, t), middle(l, m, r, m), bottom(l, b, r, b), upper_left(l, t, l, m),
      upper_right(r, t, r, m), lower_left(l, m, l, b), lower_right(r, m, r, b);
  const std::vector<std::pair<int, std::vector<cv::Vec4d>>> digits{
      {1, {{0.5, t, 0.5, b}}},
      {2, {top, upper_right, middle, lower_left, bottom}},
      {3, {top, upper_right, middle, lower_right, bottom}},
      {4, {upper_left, upper_right, middle, lower_right}},
      {5, {top, upper_left, middle, lower_right, bottom}},
      {6, {top, upper_left, middle, lower_left, lower_right, bottom}}};
  for (const auto& [digit, strokes] : digits) {
    cv::Rect box;
    Detection detection = detector();
    const auto found = detection.step({red_robot(view, strokes, box), view, {}}, 0.0);
    ASSERT_EQ(found.obstacles.size(), 1u) << digit;
    EXPECT_EQ(found.obstacles[0].number.value_or(0), digit);
  }
}

TEST(Detection, APosterBehindARobotIsNotItsTeamsColour) {
  const CameraView view = looking_down(0.1);
  const auto look = [&](const cv::Scalar& patch) {
    cv::Mat picture = turf(view, 2.6);
    const auto at = [&](double aside, double up) {
      const auto pixel = view.project(Eigen::Vector3d(2.0, aside, up));
      return cv::Point(static_cast<int>(pixel->x), static_cast<int>(pixel->y));
    };
    cv::rectangle(picture, at(0.9, 0.8), at(-0.6, 0.42), cv::Scalar(40, 30, 200), cv::FILLED);
    cv::rectangle(picture, at(0.1, 0.5), at(-0.1, 0.0), cv::Scalar(40, 40, 42), cv::FILLED);
    cv::rectangle(picture, at(0.08, 0.38), at(0.0, 0.15), cv::Scalar(190, 190, 190), cv::FILLED);
    cv::rectangle(picture, at(0.06, 0.4), at(-0.06, 0.3), patch, cv::FILLED);
    Detection detection = detector();
    return detection.step({picture, view, {}}, 0.0);
  };
  const auto plain = look(cv::Scalar(60, 60, 60)), blue = look(cv::Scalar(200, 60, 25)), red = look({30, 25, 190});
  ASSERT_EQ(plain.obstacles.size(), 1u);
  ASSERT_EQ(blue.obstacles.size(), 1u);
  ASSERT_EQ(red.obstacles.size(), 1u);
  EXPECT_NE(plain.obstacles[0].kind, hl_soccer::ObstacleKind::RobotRed);
  EXPECT_EQ(blue.obstacles[0].kind, hl_soccer::ObstacleKind::RobotBlue);
  EXPECT_EQ(red.obstacles[0].kind, hl_soccer::ObstacleKind::RobotRed);
}

TEST(Detection, TrousersAreNoTeamMarker) {
  const CameraView view = looking_down(0.1);
  cv::Mat picture = turf(view, 4.0);
  for (const double aside : {-0.1, 0.1})
    paint_bar(view, {2.0, aside, 0.0}, 0.12, 0.85, cv::Scalar(190, 60, 25), picture);
  Detection detection = detector();
  const auto found = detection.step({picture, view, {}}, 0.0);
  for (const auto& obstacle : found.obstacles) EXPECT_NE(obstacle.kind, hl_soccer::ObstacleKind::RobotBlue);
}

TEST(Detection, WhatIsNoNumberIsNotRead) {
  const CameraView view = looking_down(0.25);
  const std::vector<std::vector<cv::Vec4d>> paintings{{},                                             // nothing
                                                      {{0.0, 0.5, 1.0, 0.5}},                         // a stripe
                                                      {{0.3, 0.2, 0.7, 0.8}},                         // a slash
                                                      {{0.45, 0.45, 0.55, 0.55}},                     // a dot
                                                      {{0.2, 0.2, 0.8, 0.8}, {0.2, 0.8, 0.8, 0.2}},   // a cross
                                                      {{0.1, 0.2, 0.1, 0.8}, {0.9, 0.2, 0.9, 0.8}}};  // braces
  for (std::size_t n = 0; n < paintings.size(); ++n) {
    cv::Rect box;
    Detection detection = detector();
    const auto found = detection.step({red_robot(view, paintings[n], box), view, {}}, 0.0);
    ASSERT_EQ(found.obstacles.size(), 1u) << n;
    EXPECT_FALSE(found.obstacles[0].number) << n << " is read as " << *found.obstacles[0].number;
  }
}

TEST(ClassPicture, ShowsWhatEachPixelIsTakenFor) {
  const CameraView view = looking_down(0.35);
  cv::Mat picture = turf(view, 6.0);
  paint_line(view, {1.0, -1.0}, {1.0, 1.0}, picture);
  const auto low = view.project(Eigen::Vector3d(1.8, 0.4, 0.0)), high = view.project(Eigen::Vector3d(1.8, 0.2, 0.45));
  ASSERT_TRUE(low && high);
  cv::rectangle(picture, *low, *high, cv::Scalar(40, 40, 42), cv::FILLED);
  cv::rectangle(picture, 0.5 * (*low + *high), *high, cv::Scalar(30, 25, 200), cv::FILLED);
  Detection detection = detector();
  const auto shown = class_picture(detection.step({picture, view, {}}, 0.0));
  ASSERT_EQ(shown.size(), picture.size());
  const auto colour_at = [&](const Eigen::Vector3d& place) {
    const auto pixel = view.project(place);
    const cv::Vec3b c = shown.at<cv::Vec3b>(static_cast<int>(pixel->y), static_cast<int>(pixel->x));
    return cv::Scalar(c[0], c[1], c[2]);
  };
  EXPECT_EQ(colour_at({0.7, 0.0, 0.0}), kFieldShown);
  EXPECT_EQ(colour_at({1.0, 0.2, 0.0}), kLineShown);
  EXPECT_EQ(colour_at({1.8, 0.3, 0.3}), kRedTeamShown);
  EXPECT_TRUE(class_picture({}).empty());
}

TEST(Detection, OwnBodyIsNoObstacle) {
  const CameraView view = looking_down(0.35);
  cv::Mat picture = turf(view, 6.0);
  const Limb arm{{0.1, -0.1, 0.8}, {0.1, 0.25, 0.8}, 0.06};
  picture.setTo(cv::Scalar(30, 30, 30), body_mask(view.lens(), {arm}));
  Detection detection = detector();
  EXPECT_FALSE(detection.step({picture, view, {}}, 0.0).obstacles.empty());
  EXPECT_TRUE(detection.step({picture, view, {arm}}, 0.0).obstacles.empty());
}

TEST(Detection, UselessPicturesGiveAReasonAndNoBall) {
  const CameraView view = looking_down(0.35);
  std::mt19937 random(3);
  cv::Mat noise(480, 640, CV_8UC3), torn = turf(view, 6.0);
  for (auto* p = noise.data; p != noise.dataend; ++p) *p = static_cast<uchar>(random());
  const std::vector<cv::Mat> pictures = {cv::Mat(),
                                         cv::Mat(480, 640, CV_8UC3, cv::Scalar::all(0)),
                                         cv::Mat(480, 640, CV_8UC3, cv::Scalar::all(255)),
                                         cv::Mat(480, 640, CV_8UC1, cv::Scalar::all(90)),
                                         cv::Mat(480, 640, CV_16UC3, cv::Scalar::all(900)),
                                         cv::Mat(8, 8, CV_8UC3, cv::Scalar(40, 120, 40)),
                                         cv::Mat(3, 4000, CV_8UC3, cv::Scalar(40, 120, 40)),
                                         cv::Mat(480, 640, CV_8UC3, cv::Scalar(200, 60, 60))};
  for (const cv::Mat& picture : pictures) {
    Detection detection = detector();
    const auto found = detection.step({picture, view, {}}, 0.0);
    EXPECT_FALSE(found.ball);
    EXPECT_FALSE(found.reason.empty()) << picture.cols << " x " << picture.rows;
  }
  Detection detection = detector();
  EXPECT_FALSE(detection.step({noise, view, {}}, 0.0).ball);
  EXPECT_FALSE(detection.step({torn.colRange(0, 333).clone(), view, {}}, 0.0).ball);  // not the size of the CameraInfo
}

TEST(Detection, SurvivesCamerasThatLookAnywhere) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const cv::Mat picture = turf(looking_down(0.4), 6.0);
  Detection detection = detector();
  for (int n = 0; n < 60; ++n) {
    const Eigen::Vector3d up(uniform(random), uniform(random), uniform(random));
    if (up.norm() < 0.1) continue;
    const auto found =
        detection.step({picture, CameraView({}, ground_from_up(up, 0.5 + 0.45 * uniform(random))), {}}, 0.0);
    EXPECT_FALSE(found.ball);
  }
}

TEST(Detection, TheFieldsColourIsLearnedAnewWhenTheLightChanges) {
  const CameraView view = looking_down(0.35);
  cv::Mat bright = turf(view, 5.0), blue;
  std::vector<cv::Mat> channels;
  cv::split(bright, channels);
  channels[0] = channels[0] * 1.7;
  channels[2] = channels[2] * 0.6;
  cv::merge(channels, blue);
  Detection detection = detector();
  EXPECT_FALSE(detection.step({bright, view, {}}, 0.0).field_border.empty());
  for (int n = 0; n < 40; ++n) detection.step({blue, view, {}}, 0.0);
  EXPECT_FALSE(detection.step({blue, view, {}}, 0.0).field_border.empty());
}

TEST(Transform, BallComesBackWhereItWas) {
  const CameraView view = looking_down(0.5);
  const Transform transform({}, {});
  for (const double x : {0.4, 1.0, 2.5}) {
    const auto pixel = view.project(Eigen::Vector3d(x, 0.1, 0.07));
    ASSERT_TRUE(pixel);
    Detection::Outputs seen;
    seen.ball = BallInImage{*pixel, view.ball_diameter(*pixel, 0.07), 0.9};
    const auto out = transform.step({seen, view, 3.0}, 3.0);
    ASSERT_TRUE(out.percepts.ball);
    EXPECT_EQ(out.percepts.stamp, 3.0);
    EXPECT_LT((out.percepts.ball->position - Eigen::Vector2d(x, 0.1)).norm(), 0.02 + 0.03 * x);
  }
}

TEST(Transform, UncertaintyGrowsWithDistance) {
  const CameraView view = looking_down(0.3);
  const Transform transform({}, {});
  double last = 0.0;
  for (const double x : {1.0, 2.0, 4.0}) {
    const auto place = transform.place(view, *view.project(Eigen::Vector2d(x, 0.0)), 0.0);
    ASSERT_TRUE(place);
    EXPECT_GT(place->covariance.trace(), 2.0 * last);
    last = place->covariance.trace();
  }
}

TEST(Transform, NothingAboveTheHorizonAndNothingFromNonsense) {
  const CameraView view = looking_down(0.2);
  const Transform transform({}, {});
  Detection::Outputs seen;
  seen.ball = BallInImage{{kNaN, 100.0}, 20.0, 0.9};
  seen.segments.push_back({{100.0, 0.0}, {200.0, 1.0}, 3, 3, 0.5});
  seen.circles.push_back({{1, 1}, {2, 1}, {3, 1}, {2, -400}, 0.5});
  const auto out = transform.step({seen, view, 0.0}, 0.0);
  EXPECT_FALSE(out.percepts.ball);
  EXPECT_TRUE(out.percepts.segments.empty());
  EXPECT_TRUE(out.percepts.circles.empty());
  EXPECT_EQ(out.dropped, 3);
}

TEST(Params, BadValuesAreNamed) {
  Detection::Params detection;
  EXPECT_FALSE(detection.validate());
  detection.ball_confidence = kNaN;
  EXPECT_THAT(detection.validate().value_or(""), testing::HasSubstr("ball_confidence"));
  Transform::Params transform;
  EXPECT_FALSE(transform.validate());
  transform.tilt_noise = -1.0;
  EXPECT_THAT(transform.validate().value_or(""), testing::HasSubstr("tilt_noise"));
}

TEST(BallNetwork, FileRoundTripAndDamagedFiles) {
  BallNetwork::Weights weights;
  weights.output_bias[0] = 1.5f;
  const std::string bytes = BallNetwork(weights).to_text();
  EXPECT_EQ(BallNetwork::from_text(bytes, "x").weights().output_bias[0], 1.5f);
  EXPECT_GT(weights.count(), 10000u);
  EXPECT_LT(weights.count(), 60000u);
  std::mt19937 random(5);
  for (int n = 0; n < (hl_testing::full_run() ? 100000 : 2000); ++n) {
    std::string damaged = bytes;
    if (n % 3 == 0) damaged.resize(random() % bytes.size());
    for (int k = 0; k < 4 && !damaged.empty(); ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    try {
      BallNetwork::from_text(damaged, "damaged");
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("damaged"));
    }
  }
}

TEST(Labels, DamagedFilesAreRefusedWithTheirName) {
  const std::string good = "images:\n- {file: a.png, width: 64, height: 48, balls: [{center: [1, 2], diameter: 3}]}\n";
  EXPECT_EQ(labels_from_text(good, "folder").at(0).balls.at(0).diameter, 3.0);
  std::mt19937 random(5);
  for (int n = 0; n < (hl_testing::full_run() ? 100000 : 2000); ++n) {
    std::string damaged = good;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(32 + random() % 95);
    try {
      labels_from_text(damaged, "folder");
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("folder"));
    }
  }
}
