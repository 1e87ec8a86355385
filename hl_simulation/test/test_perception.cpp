// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "hl_simulation/perception.hpp"
#include "robots.hpp"

using namespace hl_simulation;
using Eigen::Vector3d;
using hl_description::Field;

namespace {

constexpr std::uint64_t kSeed = 7;

/// A camera 0.6 m above a place on the field, looking along `yaw`, tilted down by `tilt` (rad).
Eye eye_at(double x, double y, double yaw, double tilt) {
  Eye eye;
  eye.robot = 99;  // none of the scene
  eye.footprint = Eigen::Translation3d(x, y, 0.0) * Eigen::AngleAxisd(yaw, Vector3d::UnitZ());
  Eigen::Matrix3d optical;  // columns: right, down, ahead
  optical << 0, 0, 1, -1, 0, 0, 0, -1, 0;
  eye.camera = eye.footprint * Eigen::Translation3d(0.0, 0.0, 0.6) * Eigen::AngleAxisd(tilt, Vector3d::UnitY());
  eye.camera.linear() = eye.camera.linear() * optical;
  return eye;
}

Scene scene_with_ball(double x, double y) {
  Scene scene;
  scene.ball = Vector3d(x, y, scene.field.ball_radius);
  return scene;
}

Perception::Params perfect() {
  Perception::Params params;
  params.ray_noise = params.pose_noise = params.mount_error = params.miss_near = params.miss_far = 0.0;
  params.false_ball = params.false_robot = params.false_line = params.wrong_crossing = 0.0;
  params.compass_noise = params.compass_miss = params.turn_noise = 0.0;
  return params;
}

Figure standing_at(double x, double y) {
  return {{x, y, 0.0}, {x, y, 0.6}, 0.12};
}

Percepts look(const Scene& scene, const Eye& eye, const Perception::Params& params = perfect()) {
  return Perception(params).look(scene, eye, kSeed, 1);
}

}  // namespace

TEST(Perception, PerfectEyesSeeTheBallWhereItIs) {
  const Scene scene = scene_with_ball(1.0, 1.8);
  const auto percepts = look(scene, eye_at(1.0, 0.3, M_PI / 2, 0.4));
  ASSERT_TRUE(percepts.ball);
  EXPECT_TRUE(percepts.ball->position.isApprox(Vector3d(1.5, 0.0, scene.field.ball_radius), 1e-9));
  EXPECT_EQ(percepts.ball->confidence, 1.0);
}

TEST(Perception, FieldOfViewAndRangeLimitWhatIsSeen) {
  const Scene scene = scene_with_ball(1.5, 0.0);
  EXPECT_TRUE(look(scene, eye_at(0, 0, 0.45, 0.4)).ball);
  EXPECT_FALSE(look(scene, eye_at(0, 0, 0.7, 0.4)).ball) << "beside the picture";
  EXPECT_FALSE(look(scene, eye_at(0, 0, M_PI, 0.4)).ball) << "behind";
  EXPECT_FALSE(look(scene, eye_at(0, 0, 0.0, 1.2)).ball) << "looking down before its feet";
  EXPECT_FALSE(look(scene, eye_at(0, 0, 0.0, -0.6)).ball) << "looking up";
  auto params = perfect();
  params.ball_range = 1.4;
  EXPECT_FALSE(look(scene, eye_at(0, 0, 0.0, 0.4), params).ball) << "too far";
}

TEST(Perception, RobotsHideWhatIsBehindThemButNotTheBallAtTheirFeet) {
  Scene scene = scene_with_ball(2.0, 0.0);
  const Eye eye = eye_at(0, 0, 0.0, 0.3);
  ASSERT_TRUE(look(scene, eye).ball);
  scene.robots.push_back(standing_at(1.6, 0.0));
  EXPECT_FALSE(look(scene, eye).ball);
  scene.robots[0] = standing_at(2.2, 0.0);
  EXPECT_TRUE(look(scene, eye).ball);
  scene.robots[0] = standing_at(1.6, 0.4);
  EXPECT_TRUE(look(scene, eye).ball) << "it stands beside the line of sight";
  Eye own = eye;
  own.robot = 0;
  scene.robots[0] = standing_at(0.0, 0.0);
  EXPECT_TRUE(look(scene, own).ball) << "nobody hides things from itself";
}

TEST(Perception, SeesOtherRobotsWithTheirNumberWhenNear) {
  Scene scene;
  scene.robots = {standing_at(1.2, 0.1), standing_at(3.0, -0.5), standing_at(-1.0, 0.0)};
  const auto seen = look(scene, eye_at(0, 0, 0.0, 0.3)).robots;
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].robot, 0u);
  EXPECT_TRUE(seen[0].number_read);
  EXPECT_TRUE(seen[0].spot.position.isApprox(Vector3d(1.2, 0.1, 0.0), 1e-9));
  EXPECT_NEAR(seen[0].width, 0.24, 1e-9);
  EXPECT_FALSE(seen[1].number_read);
  scene.robots[1] = standing_at(3.0, 0.25);
  EXPECT_EQ(look(scene, eye_at(0, 0, 0.0, 0.3)).robots.size(), 1u) << "the second is hidden behind the first";
}

TEST(Perception, GoalPostsAreLeftAndRightAsSeenFromHere) {
  const Scene scene;
  const double y = 0.5 * (scene.field.goal_width + scene.field.post_diameter), x = 0.5 * scene.field.length;
  const auto other = look(scene, eye_at(1.0, 0.0, 0.0, 0.2)).goal;
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->left_post.isApprox(Vector3d(x - 1.0, y, 0.0), 1e-9));
  EXPECT_TRUE(other->right_post.isApprox(Vector3d(x - 1.0, -y, 0.0), 1e-9));
  EXPECT_TRUE(other->centre.isApprox(Vector3d(x - 1.0, 0.0, 0.0), 1e-9));
  const auto own = look(scene, eye_at(-1.0, 0.0, M_PI, 0.2)).goal;
  ASSERT_TRUE(own);
  EXPECT_TRUE(own->left_post.isApprox(Vector3d(x - 1.0, y, 0.0), 1e-9));
  const auto half = look(scene, eye_at(2.5, 1.5, 0.0, 0.2)).goal;
  ASSERT_TRUE(half);
  EXPECT_EQ(half->left_post, half->right_post);
  EXPECT_TRUE(half->centre.isApprox(Vector3d(x - 2.5, -1.5, 0.0), 1e-9)) << half->centre.transpose();
}

TEST(Perception, LinesCrossingsAndCircleLieOnTheField) {
  const Scene scene;
  const Field& field = scene.field;
  const Eye eye = eye_at(-2.0, 0.0, 0.0, 0.4);
  const auto percepts = look(scene, eye);
  const auto in_world = [&](const Vector3d& p) { return Vector3d(eye.footprint * p); };
  ASSERT_FALSE(percepts.lines.empty());
  for (const auto& segment : percepts.lines) {
    for (const Vector3d& end : {in_world(segment.from), in_world(segment.to)}) {
      const auto lines = field.lines();
      EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const Field::Line& line) {
        const Eigen::Vector2d along = (line.to - line.from).normalized(), off = end.head<2>() - line.from;
        return std::abs(along.x() * off.y() - along.y() * off.x()) < 1e-9;
      })) << end.transpose();
    }
  }
  ASSERT_EQ(percepts.arcs.size(), 1u) << "the circle lies within the picture";
  for (const Vector3d& p : {percepts.arcs[0].left, percepts.arcs[0].middle, percepts.arcs[0].right})
    EXPECT_NEAR(in_world(p).norm(), field.circle_radius(), 1e-9);
  ASSERT_EQ(percepts.crossings.size(), 2u) << "circle and halfway line";
  for (const auto& crossing : percepts.crossings) {
    EXPECT_EQ(crossing.type, Field::Crossing::X);
    ASSERT_EQ(crossing.arms.size(), 2u);
    EXPECT_NEAR(in_world(crossing.arms[0].from).x(), 0.0, 1e-9);
    EXPECT_NEAR((crossing.arms[0].to - crossing.arms[0].from)
                    .normalized()
                    .dot((crossing.arms[1].to - crossing.arms[1].from).normalized()),
                -1.0, 1e-9);
  }
  const auto corner = look(scene, eye_at(3.2, 1.5, 0.8, 0.4)).crossings;
  EXPECT_TRUE(std::any_of(corner.begin(), corner.end(), [&](const Percepts::Crossing& crossing) {
    return crossing.type == Field::Crossing::L && crossing.arms.size() == 2;
  }));
}

TEST(Perception, NoiseGrowsWithDistanceAndIsUnbiasedNearby) {
  Perception::Params params;
  params.miss_near = params.miss_far = params.false_ball = params.mount_error = 0.0;
  const Perception perception(params);
  const auto spread = [&](double distance) {
    const Scene scene = scene_with_ball(distance, 0.0);
    double sum = 0.0, squares = 0.0;
    int seen = 0;
    for (std::uint64_t step = 0; step < 2000; ++step) {
      const auto ball = perception.look(scene, eye_at(0, 0, 0.0, std::atan2(0.5, distance)), kSeed, step).ball;
      if (!ball) continue;
      const double error = ball->position.x() - distance;
      sum += error;
      squares += error * error;
      ++seen;
    }
    EXPECT_GT(seen, 1900);
    EXPECT_LT(std::abs(sum / seen), 0.15 * distance);
    return std::sqrt(squares / seen);
  };
  // A camera at height h errs by angle * (d^2 + h^2) / h.
  const double angle = std::hypot(params.ray_noise, params.pose_noise), h = 0.6 - Field().ball_radius;
  EXPECT_NEAR(spread(1.0), angle * (1.0 + h * h) / h, 0.2 * angle * (1.0 + h * h) / h);
  EXPECT_NEAR(spread(3.0), angle * (9.0 + h * h) / h, 0.3 * angle * (9.0 + h * h) / h);
}

TEST(Perception, AWrongMountingIsTheSameInAllLooksOfARobot) {
  Perception::Params params = perfect();
  params.mount_error = 0.02;
  const Perception perception(params);
  const Scene scene = scene_with_ball(2.0, 0.0);
  const Eye eye = eye_at(0, 0, 0.0, std::atan2(0.5, 2.0));
  const auto first = perception.look(scene, eye, kSeed, 1).ball, later = perception.look(scene, eye, kSeed, 999).ball;
  ASSERT_TRUE(first && later);
  EXPECT_NEAR((first->position - later->position).norm(), 0.0, 1e-9);
  const auto other = perception.look(scene, eye, kSeed + 1, 1).ball;
  ASSERT_TRUE(other);
  EXPECT_GT((first->position - other->position).norm(), 1e-3);
}

TEST(Perception, ADriftingMountingWandersSlowlyAndComesBack) {
  Perception::Params params = perfect();
  params.mount_drift = 0.01;
  params.mount_drift_time = 100.0;
  const Perception perception(params);
  const Scene scene = scene_with_ball(2.0, 0.0);
  const Eye eye = eye_at(0, 0, 0.0, std::atan2(0.5, 2.0));
  const auto bearing = [&](double time, std::uint64_t seed) {
    const auto ball = perception.look(scene, eye, seed, 1, time).ball;
    return ball ? std::atan2(ball->position.y(), ball->position.x()) : NAN;
  };
  double squares = 0.0;
  int count = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    for (const double time : {0.0, 130.0, 777.0}) {
      const double now = bearing(time, seed);
      EXPECT_NEAR(bearing(time + 0.1, seed), now, 1e-3) << "slowly";
      squares += now * now;
      ++count;
    }
  }
  // A camera 0.6 m high over a ball 2 m away: a turn of the camera about its own axis is a little more on the ground.
  EXPECT_NEAR(std::sqrt(squares / count), params.mount_drift, 0.15 * params.mount_drift);
}

TEST(Perception, MissesMoreWhenFar) {
  Perception::Params params = perfect();
  params.miss_near = 0.05;
  params.miss_far = 0.5;
  const Perception perception(params);
  const auto missed = [&](double distance) {
    const Scene scene = scene_with_ball(distance, 0.0);
    int count = 0;
    for (std::uint64_t step = 0; step < 4000; ++step) {
      const auto ball = perception.look(scene, eye_at(0, 0, 0.0, std::atan2(0.5, distance)), kSeed, step).ball;
      count += !ball;
    }
    return count / 4000.0;
  };
  EXPECT_NEAR(missed(0.6), 0.05 + 0.45 * 0.01, 0.02);
  EXPECT_NEAR(missed(5.9), 0.05 + 0.45 * 0.967, 0.04);
}

TEST(Perception, SameArgumentsSameAnswer) {
  Scene scene = scene_with_ball(1.5, 0.2);
  scene.robots = {standing_at(1.2, -0.4)};
  const Perception perception{Perception::Params()};
  const Eye eye = eye_at(0, 0, 0.0, 0.3);
  const auto first = perception.look(scene, eye, 3, 10), second = perception.look(scene, eye, 3, 10);
  ASSERT_TRUE(first.ball && second.ball);
  EXPECT_EQ(first.ball->position, second.ball->position);
  EXPECT_NE(perception.look(scene, eye, 4, 10).ball->position, first.ball->position);
  EXPECT_EQ(first.lines.size(), second.lines.size());
}

TEST(Perception, NothingIsEverOutsideTheWorldOrNotANumber) {
  Perception::Params params;
  params.ray_noise = params.pose_noise = 0.2;
  const Perception perception(params);
  for (std::uint64_t step = 0; step < 500; ++step) {
    Scene scene = scene_with_ball(0.03 * static_cast<double>(step % 100) - 1.5, 0.5);
    scene.robots = {standing_at(1.0, 0.5), standing_at(-0.5, -0.5)};
    const double turn = 0.1 * static_cast<double>(step);
    Eye eye = eye_at(0.2, 0.1, turn, std::sin(turn));
    eye.camera.translation().z() = 0.05 + 0.01 * static_cast<double>(step % 60);  // also lying on the ground
    const auto percepts = perception.look(scene, eye, kSeed, step);
    std::vector<Vector3d> points;
    if (percepts.ball) points.push_back(percepts.ball->position);
    if (percepts.goal) points.insert(points.end(), {percepts.goal->left_post, percepts.goal->right_post});
    for (const auto& robot : percepts.robots) points.push_back(robot.spot.position);
    for (const auto& line : percepts.lines) points.insert(points.end(), {line.from, line.to});
    for (const auto& arc : percepts.arcs) points.insert(points.end(), {arc.left, arc.middle, arc.right});
    for (const Vector3d& point : points) {
      EXPECT_TRUE(point.allFinite());
      EXPECT_LT(point.norm(), 14.0);
    }
  }
}

TEST(Perception, BadParametersAreNamed) {
  EXPECT_FALSE(Perception::Params().validate());
  Perception::Params params;
  params.miss_far = 1.5;
  EXPECT_THAT(params.validate().value_or(""), ::testing::HasSubstr("miss_far"));
  params = Perception::Params();
  params.ray_noise = std::nan("");
  EXPECT_THAT(params.validate().value_or(""), ::testing::HasSubstr("ray_noise"));
  params = Perception::Params();
  params.delay = -0.1;
  EXPECT_THAT(params.validate().value_or(""), ::testing::HasSubstr("delay"));
  params = Perception::Params();
  params.false_ball = 1.1;
  EXPECT_THAT(params.validate().value_or(""), ::testing::HasSubstr("false_ball"));
  params = Perception::Params();
  params.goal_range = -1.0;
  EXPECT_THAT(params.validate().value_or(""), ::testing::HasSubstr("goal_range"));
}

TEST(Perception, LinePointsLieOnLinesOrCircleWithinTheView) {
  const Scene scene;
  const Eye eye = eye_at(-2.0, 0.3, 0.2, 0.4);
  const auto percepts = look(scene, eye);
  ASSERT_GT(percepts.line_points.size(), 20u);
  for (const Vector3d& point : percepts.line_points) {
    const Eigen::Vector2d at = Vector3d(eye.footprint * point).head<2>();
    double nearest = std::abs(at.norm() - scene.field.circle_radius());
    for (const Field::Line& line : scene.field.lines()) {
      const Eigen::Vector2d along = line.to - line.from;
      const double share = std::clamp((at - line.from).dot(along) / along.squaredNorm(), 0.0, 1.0);
      nearest = std::min(nearest, (at - line.from - share * along).norm());
    }
    EXPECT_LT(nearest, 1e-9);
  }
  ASSERT_EQ(percepts.view.size(), 4u);
  double area = 0.0;  // positive = counter-clockwise
  for (std::size_t i = 0; i < 4; ++i) {
    const Vector3d a = percepts.view[i], b = percepts.view[(i + 1) % 4];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  EXPECT_GT(area, 1.0);
}

TEST(Perception, CompassAndTurnFollowTheHeading) {
  Vision vision(perfect());
  const Scene scene;
  vision.look(scene, eye_at(0, 0, 3.0, 0.4), kSeed, 1, 1.0);
  vision.look(scene, eye_at(0, 0, -3.0, 0.4), kSeed, 2, 1.1);
  EXPECT_TRUE(vision.take(1.07).empty()) << "seen, but not known yet";
  const auto known = vision.take(1.2);
  ASSERT_EQ(known.size(), 2u);
  EXPECT_FALSE(known[0].turn) << "there was no look before";
  ASSERT_TRUE(known[1].turn && known[1].heading);
  EXPECT_EQ(known[1].stamp, 1.1);
  EXPECT_EQ(known[1].turn->since, 1.0);
  EXPECT_NEAR(known[1].turn->yaw, 2.0 * M_PI - 6.0, 1e-9);
  EXPECT_NEAR(known[1].heading->yaw, -3.0, 1e-9);
  EXPECT_TRUE(vision.take(9.0).empty()) << "each once";
}

TEST(Perception, FalseThingsAppearAsOftenAsTold) {
  Perception::Params params = perfect();
  params.false_ball = 0.2;
  params.false_robot = 0.1;
  params.wrong_crossing = 0.5;
  params.compass_miss = 0.4;
  const Perception perception(params);
  const Eye eye = eye_at(-2.0, 0.0, 0.0, 0.4);
  int balls = 0, robots = 0, crossings = 0, wrong = 0, headings = 0;
  constexpr int kLooks = 3000;
  for (std::uint64_t step = 0; step < kLooks; ++step) {
    const auto percepts = perception.look(Scene(), eye, kSeed, step);
    balls += percepts.ball.has_value();
    robots += static_cast<int>(percepts.robots.size());
    headings += percepts.heading.has_value();
    for (const auto& crossing : percepts.crossings) {
      ++crossings;
      wrong += crossing.type != Field::Crossing::X;
    }
  }
  EXPECT_NEAR(balls / double(kLooks), 0.2, 0.03);
  EXPECT_NEAR(robots / double(kLooks), 0.1, 0.03);
  EXPECT_NEAR(headings / double(kLooks), 0.6, 0.03);
  ASSERT_GT(crossings, 1000);
  EXPECT_NEAR(wrong / double(crossings), 0.5, 0.05);
}

TEST(Perception, FollowsTheHeadOfASimulatedRobot) {
  WorldSpec world = world_with(robot_spec("minibot"));
  world.robots[0].yaw = 0.5;
  Simulation simulation(world);
  const Vector3d ahead(std::cos(0.5), std::sin(0.5), 0.0);
  ASSERT_FALSE(simulation.place_ball(Vector3d(1.2 * ahead)));
  auto goals = simulation.robot().spec().walk_ready_positions();
  goals[simulation.robot().spec().joint_index("HeadTilt")] = -0.4;
  simulation.robot().set_goals(goals);
  simulation.run(1.0);
  auto eye = eye_of(simulation, 0);
  ASSERT_TRUE(eye);
  EXPECT_NEAR(eye->footprint.translation().z(), 0.0, 1e-9);
  EXPECT_NEAR(eye->footprint.translation().head<2>().norm(), 0.0, 0.05);
  const auto ball = look(scene_of(simulation), *eye).ball;
  ASSERT_TRUE(ball);
  EXPECT_NEAR(ball->position.x(), 1.2, 0.06);
  EXPECT_NEAR(ball->position.y(), 0.0, 0.06);
  goals[simulation.robot().spec().joint_index("HeadPan")] = 1.2;
  simulation.robot().set_goals(goals);
  simulation.run(1.0);
  EXPECT_FALSE(look(scene_of(simulation), *eye_of(simulation, 0)).ball) << "it looks to the side";
}
