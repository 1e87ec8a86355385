// SPDX-License-Identifier: Apache-2.0
// What comes in as messages may hold any numbers; what the README says of the parameters is what the code says.
#include <gmock/gmock.h>

#include <cmath>
#include <hl_testing/documentation.hpp>
#include <hl_testing/isolation.hpp>
#include <limits>
#include <random>

#include "hl_vision/transform.hpp"
#include "image_message.hpp"
#include "messages.hpp"
#include "parameters.hpp"

using namespace hl_vision;

namespace {

/// Numbers as they come, and those that break things.
class Numbers {
 public:
  double operator()() {
    switch (random_() % 12) {
      case 0:
        return std::numeric_limits<double>::quiet_NaN();
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return -1e300;
      case 3:
        return 1e-300;
      case 4:
        return 0.0;
      default:
        return std::uniform_real_distribution<double>(-900.0, 900.0)(random_);
    }
  }
  float small() { return static_cast<float>((*this)()); }
  geometry_msgs::msg::Point point() {
    geometry_msgs::msg::Point p;
    p.x = (*this)();
    p.y = (*this)();
    return p;
  }
  std::size_t count() { return random_() % 4; }
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }

 private:
  std::mt19937 random_{23};
};

msg::PostInImage post(Numbers& any) {
  msg::PostInImage m;
  m.foot_point = any.point();
  m.top_point = any.point();
  m.width = any.small();
  m.confidence = any.small();
  return m;
}

msg::LineInformationInImage lines(Numbers& any) {
  msg::LineInformationInImage m;
  const auto segment = [&] {
    msg::LineSegmentInImage s;
    s.start = any.point();
    s.end = any.point();
    s.start_width = any.small();
    s.end_width = any.small();
    s.confidence = any.small();
    return s;
  };
  for (std::size_t n = any.count(); n > 0; --n) m.segments.push_back(segment());
  for (std::size_t n = any.count(); n > 0; --n) {
    msg::LineIntersectionInImage crossing;
    crossing.type = static_cast<std::uint8_t>(any.bits() % 6);
    crossing.confidence = any.small();
    for (std::size_t k = any.count(); k > 0; --k) crossing.segments.push_back(segment());
    m.intersections.push_back(crossing);
  }
  for (std::size_t n = any.count(); n > 0; --n) {
    msg::LineCircleInImage circle;
    circle.left = any.point();
    circle.middle = any.point();
    circle.right = any.point();
    m.circles.push_back(circle);
  }
  return m;
}

void expect_share(double confidence) {
  EXPECT_GE(confidence, 0.0);
  EXPECT_LE(confidence, 1.0);
}

void expect_possible(const hl_soccer::Percepts& percepts) {
  if (percepts.ball) {
    EXPECT_TRUE(percepts.ball->position.allFinite() && percepts.ball->covariance.allFinite());
    expect_share(percepts.ball->confidence);
  }
  if (percepts.goal) {
    EXPECT_TRUE(percepts.goal->left_post.allFinite() && percepts.goal->right_post.allFinite());
    expect_share(percepts.goal->confidence);
  }
  for (const auto& o : percepts.obstacles) {
    EXPECT_TRUE(o.position.allFinite() && o.covariance.allFinite() && std::isfinite(o.width));
    expect_share(o.confidence);
  }
  for (const auto& s : percepts.segments) {
    EXPECT_TRUE(s.from.allFinite() && s.to.allFinite());
    expect_share(s.confidence);
  }
  for (const auto& c : percepts.crossings) {
    EXPECT_TRUE(c.position.allFinite());
    for (const auto& arm : c.arms) EXPECT_NEAR(arm.norm(), 1.0, 1e-6);
    expect_share(c.confidence);
  }
  for (const auto& c : percepts.circles) EXPECT_TRUE(c.centre.allFinite());
  for (const auto& p : percepts.line_points) EXPECT_TRUE(p.allFinite());
}

}  // namespace

TEST(Messages, ArbitraryNumbersBecomePossiblePlacesOrNone) {
  Numbers any;
  const Transform transform({}, {});
  const CameraView view({}, ground_from_up({0.0, -std::cos(0.4), -std::sin(0.4)}, 0.5));
  std::size_t told = 0;
  const int rounds = hl_testing::full_run() ? 1000000 : 5000;
  for (int n = 0; n < rounds && !HasFailure(); ++n) {
    Detection::Outputs seen;
    msg::BallInImage ball;
    ball.center = any.point();
    ball.diameter = any.small();
    ball.confidence = any.small();
    seen.ball = from_message(ball);
    msg::GoalInImage goal;
    goal.left_post = post(any);
    goal.right_post = post(any);
    goal.center_direction = any.point();
    goal.confidence = any.small();
    seen.goal = from_message(goal);
    msg::ObstaclesInImage obstacles;
    for (std::size_t k = any.count(); k > 0; --k) {
      msg::ObstacleInImage o;
      o.color = static_cast<std::uint8_t>(any.bits());
      o.player_number = static_cast<std::int8_t>(any.bits());
      o.top_left = any.point();
      o.width = static_cast<std::uint16_t>(any.bits());
      o.height = static_cast<std::uint16_t>(any.bits());
      o.confidence = any.small();
      obstacles.obstacles.push_back(o);
    }
    seen.obstacles = from_message(obstacles);
    from_message(lines(any), view, seen);
    const auto percepts = transform.step({seen, view, 0.0}, 0.0).percepts;
    expect_possible(percepts);
    told += percepts.segments.size() + percepts.obstacles.size() + (percepts.ball ? 1 : 0);
  }
  EXPECT_GT(told, 100u);
}

TEST(CameraInfo, ArbitraryNumbersAreALensOrRefused) {
  Numbers any;
  int good = 0;
  const int rounds = hl_testing::full_run() ? 1000000 : 20000;
  for (int n = 0; n < rounds; ++n) {
    sensor_msgs::msg::CameraInfo info;
    info.width = n % 2 == 0 ? 640 : any.bits();
    info.height = n % 2 == 0 ? 480 : any.bits() % 2000;
    const char* const models[] = {"", "plumb_bob", "equidistant"};
    info.distortion_model = models[any.bits() % 3];
    for (const std::size_t k : {0u, 2u, 4u, 5u}) info.k[k] = n % 4 == 0 ? any() : 300.0;
    for (std::size_t k = any.count() * 3; k > 0; --k) info.d.push_back(1e-3 * any());
    Lens lens;
    if (to_lens(info, lens)) continue;
    ++good;
    EXPECT_FALSE(lens.validate());
    const auto pixel = CameraView(lens, ground_from_up({0.0, -1.0, -0.3}, 0.5)).on_plane({320.0, 300.0});
    EXPECT_TRUE(!pixel || pixel->allFinite());
  }
  EXPECT_GT(good, 100);
}

TEST(Readme, SaysWhatTheParametersAre) {
  EXPECT_EQ(hl_testing::documentation_problem(README, "camera", camera_parameters().markdown()), "");
  EXPECT_EQ(hl_testing::documentation_problem(README, "detection", detection_parameters().markdown()), "");
  EXPECT_EQ(hl_testing::documentation_problem(README, "transform", transform_parameters().markdown()), "");
  EXPECT_EQ(hl_testing::documentation_problem(README, "visual_compass", compass_parameters().markdown()), "");
}

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
