// SPDX-License-Identifier: Apache-2.0
// What needs no middleware: pictures and their markings, markers, and the judgement of a comparison.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <limits>
#include <opencv2/core.hpp>
#include <rclcpp/serialization.hpp>
#include <rclcpp/serialized_message.hpp>
#include <set>

#include "../src/compare/bag_reader.hpp"
#include "../src/compare/judgement.hpp"
#include "../src/compare/replay.hpp"
#include "../src/nodes/image_marker_params.hpp"
#include "../src/nodes/marker_scene.hpp"
#include "../src/nodes/rviz_markers_params.hpp"
#include "../src/pictures/draw_markings.hpp"
#include "../src/pictures/image_message.hpp"
#include "../src/pictures/marking_collector.hpp"
#include "../src/pictures/marking_messages.hpp"
#include "hl_testing/temporary_folder.hpp"

namespace {

using namespace hl_visualization;
using visualization_msgs::msg::Marker;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMs = 1'000'000;

Markings one_ball(double x) {
  Markings m;
  m.balls = {{{x, 50}, 20, 0.9}};
  return m;
}

TEST(MarkingCollector, GivesAPictureOnlyWithTheMarkingsOfItsOwnStamp) {
  MarkingCollector collector;
  collector.add_picture(100 * kMs, 0.00);
  collector.add(MarkingKind::Ball, 100 * kMs, one_ball(1), 0.01);
  auto ready = collector.take(0.01);
  ASSERT_TRUE(ready);
  EXPECT_TRUE(ready->marked);
  EXPECT_NEAR(ready->delay, 0.01, 1e-9);
  collector.add_picture(133 * kMs, 0.03);
  EXPECT_FALSE(collector.take(0.04)) << "the ball of this picture is still on its way";
  collector.add(MarkingKind::Ball, 133 * kMs, one_ball(2), 0.05);
  ready = collector.take(0.05);
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->markings.balls.at(0).centre.x, 2);
}

TEST(MarkingCollector, WaitsNoLongerThanItsPatienceAndForgetsWhatStaysAway) {
  MarkingCollector collector(0.25);
  collector.add_picture(100 * kMs, 0.0);
  collector.add(MarkingKind::Goal, 100 * kMs, {}, 0.0);
  ASSERT_TRUE(collector.take(0.0));
  collector.add_picture(200 * kMs, 0.1);
  EXPECT_FALSE(collector.take(0.2));
  const auto late = collector.take(0.36);
  ASSERT_TRUE(late);
  EXPECT_FALSE(late->marked);
  collector.add_picture(300 * kMs, 0.4);
  EXPECT_TRUE(collector.take(0.4)) << "nobody is waited for any more";
}

TEST(MarkingCollector, StaysSmallAndBeginsAnewWhenTimeGoesBack) {
  MarkingCollector collector;
  for (int i = 0; i < 1000; ++i) collector.add(MarkingKind::Ball, (1'000 + i) * kMs, one_ball(1), 0.0);
  EXPECT_LE(collector.size(), 12U);
  collector.add_picture(5'000 * kMs, 1.0);
  ASSERT_TRUE(collector.take(2.0));
  collector.add_picture(10 * kMs, 2.1);  // the simulation was reset
  const auto ready = collector.take(2.5);
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->stamp, 10 * kMs);
}

TEST(DrawMarkings, DrawsOnlyWhatIsSwitchedOn) {
  cv::Mat picture(480, 640, CV_8UC3, cv::Scalar(0, 0, 0));
  Markings m = one_ball(100);
  m.obstacles = {{{300, 100}, 50, 80, 2, 3, 0.8}};
  MarkingSwitches shown = kAllMarkings;
  shown[static_cast<std::size_t>(MarkingKind::Obstacles)] = false;
  draw_markings(picture, m, shown);
  EXPECT_EQ(picture.at<cv::Vec3b>(100, 320), cv::Vec3b(0, 0, 0));
  EXPECT_NE(picture.at<cv::Vec3b>(50, 110), cv::Vec3b(0, 0, 0)) << "the ring of the ball";
  draw_markings(picture, m, kAllMarkings);
  EXPECT_NE(picture.at<cv::Vec3b>(100, 320), cv::Vec3b(0, 0, 0));
}

TEST(DrawMarkings, ThingsOutsideThePictureDoNoHarm) {
  cv::Mat picture(48, 64, CV_8UC3, cv::Scalar(0, 0, 0));
  Markings m = one_ball(-5000);
  m.lines = {{{-9e4, -9e4}, {9e4, 9e4}, 3, 1}};
  m.posts = {{{10, 10}, {10, 10}, 0, 1}};
  m.obstacles = {{{60, 40}, 5000, 5000, 9, 3, 2.0}};
  m.arcs = {{{-100, 0}, {30, 500}, {9000, 3}}};
  draw_markings(picture, m, kAllMarkings);
  SUCCEED();
}

TEST(MarkingMessages, WhatIsNotANumberIsLeftOutAndCounted) {
  humanoid_league_msgs::msg::BallsInImage balls;
  balls.candidates.resize(3);
  balls.candidates[0].confidence = 0.5F;
  balls.candidates[0].diameter = 10;
  balls.candidates[1].confidence = 0.5F;
  balls.candidates[1].center.x = kNaN;
  int bad = 0;
  EXPECT_EQ(markings_from(balls, bad).candidates.size(), 1U);
  EXPECT_EQ(bad, 1) << "confidence 0 means not found, which is no fault";
}

TEST(ImageMessage, SaysWhatItCannotShow) {
  sensor_msgs::msg::Image image;
  cv::Mat bgr;
  image.encoding = "bayer_x";
  EXPECT_NE(bgr_from(image, bgr)->find("bayer_x"), std::string::npos);
  image.encoding = "rgb8";
  image.width = 4;
  image.height = 2;
  image.step = 12;
  image.data.assign(23, 7);
  EXPECT_NE(bgr_from(image, bgr)->find("shorter"), std::string::npos);
  image.data.assign(24, 7);
  image.data[0] = 200;
  EXPECT_FALSE(bgr_from(image, bgr));
  EXPECT_EQ(bgr.at<cv::Vec3b>(0, 0), cv::Vec3b(7, 7, 200));
}

SceneData scene_data() {
  SceneData data;
  data.around.ball = Point2{1, 0};
  data.around.model_ball = BelievedBall{1, 0, 0.5, 0, {}, 0, 0};
  data.around.obstacles = {{{2, 1}, 0.3, Side::Unknown, -1, 1}, {{2, -1}, 0.3, Side::Unknown, -1, 1}};
  data.around.model_robots = {{2, 1, Side::Rival, 3, 0}};
  data.around.posts = {{3, 1}};
  data.ball_trail = {{0, 0}, {1, 0}};
  data.path = {{0, 0, 0}, {1, 0, 0}};
  data.label = "striker";
  data.support = {{0, 0}, {0.1, 0}, {0.1, 0.1}};
  data.capture_known = true;
  data.capture_frame = "l_sole";
  data.around.field_of_view = {{0, 0}, {1, 1}, {1, -1}};
  return data;
}

TEST(MarkerScene, EveryLayerHasItsNamespaceAndEveryMarkerItsOwnId) {
  MarkerScene scene(hl_description::Field(), 0.6);
  std::set<std::pair<std::string, int>> seen;
  std::set<std::string> layers;
  for (const auto* array : {&scene.still(), &scene.moving(scene_data())}) {
    for (const Marker& m : array->markers) {
      EXPECT_TRUE(seen.emplace(m.ns, m.id).second) << m.ns << " " << m.id;
      EXPECT_GT(m.color.a, 0.0F);
      EXPECT_FALSE(m.header.frame_id.empty());
      layers.insert(m.ns);
    }
  }
  for (const char* layer : {"field", "goals", "ball", "ball_trail", "posts", "obstacles", "path", "labels",
                            "support_polygon", "capture_point", "field_of_view"})
    EXPECT_EQ(layers.count(layer), 1U) << layer;
}

TEST(MarkerScene, WhatHasGoneIsDeletedOnceAndIdsStay) {
  MarkerScene scene(hl_description::Field(), 0.6);
  SceneData data = scene_data();
  const std::size_t all = scene.moving(data).markers.size();
  EXPECT_EQ(scene.moving(data).markers.size(), all);
  data.around.obstacles.resize(1);
  int deleted = 0;
  for (const Marker& m : scene.moving(data).markers) {
    if (m.action != Marker::DELETE) continue;
    ++deleted;
    EXPECT_EQ(m.ns, "obstacles");
    EXPECT_EQ(m.id, 1);
  }
  EXPECT_EQ(deleted, 1);
  for (const Marker& m : scene.moving(data).markers) EXPECT_EQ(m.action, Marker::ADD);
}

TEST(MarkerScene, PerceptsEndByThemselvesAndTheFieldStays) {
  MarkerScene scene(hl_description::Field(), 0.6);
  for (const Marker& m : scene.still().markers) EXPECT_EQ(m.lifetime.sec + static_cast<int>(m.lifetime.nanosec), 0);
  for (const Marker& m : scene.moving(scene_data()).markers) EXPECT_NEAR(1e-9 * m.lifetime.nanosec, 0.6, 1e-6);
}

TEST(MarkerScene, NothingThatIsNotANumberLeaves) {
  MarkerScene scene(hl_description::Field(), 0.6);
  SceneData data = scene_data();
  data.around.ball->x = kNaN;
  data.path[1].y = kNaN;
  data.capture.x = kNaN;
  for (const Marker& m : scene.moving(data).markers) {
    EXPECT_TRUE(std::isfinite(m.pose.position.x)) << m.ns;
    for (const auto& p : m.points) EXPECT_TRUE(std::isfinite(p.y)) << m.ns;
  }
  EXPECT_EQ(scene.left_out(), 4U) << "the ball, the path and its goal, the capture point";
}

TEST(Parameters, TheReadmeHasTheTables) {
  std::ifstream file(README);
  const std::string readme((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(readme.find(image_marker_parameters().markdown()), std::string::npos)
      << image_marker_parameters().markdown();
  EXPECT_NE(readme.find(rviz_markers_parameters().markdown()), std::string::npos)
      << rviz_markers_parameters().markdown();
}

TEST(Judgement, DistanceIsMeasuredBetweenClaimsOfTheSameMoment) {
  std::vector<Claim> a, b;
  for (int i = 0; i < 10; ++i) {
    a.push_back({i * 100 * kMs, true, {1.0, 0.0, 0.0}});
    b.push_back({i * 100 * kMs + 5 * kMs, i != 3, {1.0, 0.2, 0.0}});
  }
  b.push_back({5'000 * kMs, true, {9, 9, 0}});
  const Spread apart = difference_of(a, b);
  EXPECT_EQ(apart.count, 9U) << "one found nothing, one has no partner";
  EXPECT_NEAR(apart.median, 0.2, 1e-9);
}

TEST(Judgement, RecallCountsMessagesThatFoundSomething) {
  const TruthTrack none(Bag{}, "/ground_truth", "");
  EXPECT_TRUE(none.empty());
  const Score score = score_of({{0, true, {}}, {1, false, {}}}, Subject::Ball, none);
  EXPECT_DOUBLE_EQ(score.recall, 0.5);
  EXPECT_EQ(score.error.count, 0U);
}

TEST(Judgement, ErrorsAreMeasuredAtTheMomentOfTheClaim) {
  humanoid_league_msgs::msg::SimulationState state;
  state.robots.resize(2);
  state.robots[1].name = "blue1";
  state.robots[1].pose.position.x = 1.0;
  state.robots[1].pose.orientation.z = state.robots[1].pose.orientation.w = std::sqrt(0.5);  // looks left
  Bag bag;
  for (int i = 0; i < 2; ++i) {
    state.header.stamp.sec = 10 + i;
    state.ball_pose.position.x = 1.0 + i;
    state.ball_pose.position.y = 2.0;
    rclcpp::SerializedMessage bytes;
    rclcpp::Serialization<humanoid_league_msgs::msg::SimulationState>().serialize_message(&state, &bytes);
    const auto& raw = bytes.get_rcl_serialized_message();
    bag.messages.push_back({0, "/ground_truth", {raw.buffer, raw.buffer + raw.buffer_length}});
  }
  const TruthTrack truth(bag, "/ground_truth", "blue1");
  const std::int64_t begin = 10'000 * kMs, end = 11'000 * kMs;
  const Score ball =
      score_of({{begin, true, {2.1, 0, 0}}, {end, true, {2.1, 0, 0}}, {5 * kMs, true, {}}}, Subject::Ball, truth);
  EXPECT_EQ(ball.error.count, 2U) << "nothing is known of the third moment";
  EXPECT_NEAR(ball.error.median, 0.1, 1e-9);
  EXPECT_DOUBLE_EQ(ball.wrong, 0.5) << "then the ball lay a metre to the right";
  const Score pose = score_of({{begin, true, {1.0, 0.3, M_PI / 2}}}, Subject::OwnPose, truth);
  EXPECT_NEAR(pose.error.median, 0.3, 1e-9);
  EXPECT_NEAR(pose.turn.median, 0.0, 1e-6);
}

TEST(Judgement, BytesThatAreNoMessageGiveNoClaim) {
  EXPECT_FALSE(claim_from("humanoid_league_msgs/msg/Model", {0, 1, 0, 0, 1, 2, 3}));
  EXPECT_FALSE(claim_from("std_msgs/msg/String", {0, 1, 0, 0}));
}

TEST(BagReader, NamesWhatIsWrong) {
  hl_testing::TemporaryFolder folder;
  EXPECT_THROW(read_bag((folder.path() / "nothing").string()), std::runtime_error);
  EXPECT_THROW(read_bag(folder.path().string()), std::runtime_error);
  std::ofstream(folder.path() / "x.db3") << "this is no database at all, only some text";
  EXPECT_THROW(read_bag(folder.path().string()), std::runtime_error);
  std::ofstream(folder.path() / "y.mcap") << "x";
  try {
    read_bag(folder.path().string());
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("sqlite3"), std::string::npos) << error.what();
  }
}

TEST(NodeSpec, ReadsFilesAndValues) {
  const NodeSpec spec = NodeSpec::parse("hl_localization/localization a.yaml particles:=50");
  EXPECT_EQ(spec.package, "hl_localization");
  EXPECT_EQ(spec.executable, "localization");
  EXPECT_EQ(spec.arguments, (std::vector<std::string>{"--params-file", "a.yaml", "-p", "particles:=50"}));
  for (const char* bad : {"", "localization", "/x", "a/", "a/b what"})
    EXPECT_THROW(NodeSpec::parse(bad), std::runtime_error);
}

}  // namespace
