// SPDX-License-Identifier: Apache-2.0
// The two nodes as processes, and a comparison of two versions of a node.
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <humanoid_league_msgs/msg/ball_in_image.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <mutex>
#include <rclcpp/serialization.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <set>
#include <visualization_msgs/msg/marker_array.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "hl_testing/temporary_folder.hpp"

namespace {

using hl_testing::Process;
using hl_testing::wait_until;
using humanoid_league_msgs::msg::BallInImage;
using humanoid_league_msgs::msg::BallRelative;
using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::Image;
using visualization_msgs::msg::MarkerArray;

Image black(int stamp) {
  Image m;
  m.header.stamp.sec = stamp;
  m.encoding = "bgr8";
  m.width = 64;
  m.height = 48;
  m.step = 192;
  m.data.assign(192U * 48U, 0);
  return m;
}

TEST(ImageMarker, DrawsWhileSomebodyListensAndEachKindIsSwitchedLive) {
  auto node = std::make_shared<rclcpp::Node>("test");
  Process program({IMAGE_MARKER});
  const auto images = node->create_publisher<Image>("/camera/image_raw", rclcpp::QoS(2).best_effort());
  const auto balls = node->create_publisher<BallInImage>("/ball_in_image", 10);
  const auto named = [&](const std::string& name) {
    const auto names = node->get_node_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  ASSERT_TRUE(wait_until([&] { return named("/image_marker"); }));
  EXPECT_EQ(node->count_subscribers("/camera/image_raw"), 0U) << "nobody looks, so it does not listen";

  Image last;
  CompressedImage jpeg;
  auto raw = node->create_subscription<Image>("/camera/image_marked", rclcpp::QoS(2).best_effort(),
                                              [&](const Image& m) { last = m; });
  auto small = node->create_subscription<CompressedImage>(
      "/camera/image_marked/compressed", rclcpp::QoS(2).best_effort(), [&](const CompressedImage& m) { jpeg = m; });
  int stamp = 1;
  const auto play = [&] {
    BallInImage ball;
    ball.header.stamp.sec = ++stamp;
    ball.center.x = 32;
    ball.center.y = 24;
    ball.diameter = 20;
    ball.confidence = 0.9F;
    images->publish(black(stamp));
    balls->publish(ball);
    rclcpp::spin_some(node);
  };
  const auto ring = [&] { return last.data.size() == 192U * 48U && last.data[192U * 24U + 3U * 22U + 2U] > 100; };
  EXPECT_TRUE(wait_until([&] { return play(), ring() && !jpeg.data.empty(); }));
  ASSERT_GT(jpeg.data.size(), 2U);
  EXPECT_EQ(jpeg.data[0], 0xff);
  EXPECT_EQ(jpeg.data[1], 0xd8);

  rclcpp::AsyncParametersClient parameters(node, "/image_marker");
  ASSERT_TRUE(parameters.wait_for_service(std::chrono::seconds(20)));
  auto set = parameters.set_parameters({rclcpp::Parameter("draw.ball", false)});
  ASSERT_EQ(rclcpp::spin_until_future_complete(node, set, std::chrono::seconds(20)), rclcpp::FutureReturnCode::SUCCESS);
  EXPECT_TRUE(wait_until([&] { return play(), !last.data.empty() && !ring(); }));

  raw.reset();
  small.reset();
  EXPECT_TRUE(wait_until([&] { return node->count_subscribers("/camera/image_raw") == 0; }));
}

TEST(RvizMarkers, DrawsOnlyWhileSomebodyListensAndSurvivesNaN) {
  auto node = std::make_shared<rclcpp::Node>("test");
  Process program({RVIZ_MARKERS, "--ros-args", "-r", "__ns:=/robot1"});
  const auto balls = node->create_publisher<BallRelative>("/robot1/ball_relative", 10);
  ASSERT_TRUE(wait_until([&] { return node->count_publishers("/robot1/markers") == 1; }));
  EXPECT_EQ(node->count_subscribers("/robot1/ball_relative"), 0U);
  std::set<std::string> layers;
  bool finite = true;
  auto markers = node->create_subscription<MarkerArray>("/robot1/markers", 10, [&](const MarkerArray& m) {
    for (const auto& marker : m.markers) {
      layers.insert(marker.ns);
      finite = finite && std::isfinite(marker.pose.position.x);
    }
  });
  double x = std::nan("");
  const auto play = [&] {
    BallRelative ball;
    ball.confidence = 1.0F;
    ball.ball_relative.x = x;
    balls->publish(ball);
    rclcpp::spin_some(node);
  };
  EXPECT_TRUE(wait_until([&] { return play(), layers.count("field") == 1 && layers.count("goals") == 1; }));
  for (int i = 0; i < 20; ++i) play();
  EXPECT_EQ(layers.count("ball_seen"), 0U);
  x = 1.0;
  EXPECT_TRUE(wait_until([&] { return play(), layers.count("ball_seen") == 1; }));
  EXPECT_TRUE(finite);
  EXPECT_TRUE(program.running());
  markers.reset();
  EXPECT_TRUE(wait_until([&] { return node->count_subscribers("/robot1/ball_relative") == 0; }));
}

/// A bag as rosbag2 writes it, with a ball that rolls.
void write_bag(const std::string& path, const std::string& topic, int count) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  const std::string tables =
      "create table topics(id integer primary key, name text, type text);"
      "create table messages(id integer primary key, topic_id integer, timestamp integer, data blob);"
      "insert into topics values(1, '" +
      topic + "', 'humanoid_league_msgs/msg/BallRelative');";
  sqlite3_exec(database, tables.c_str(), nullptr, nullptr, nullptr);
  rclcpp::Serialization<BallRelative> serialization;
  for (int i = 0; i < count; ++i) {
    BallRelative ball;
    const std::int64_t time = 1'000'000'000LL + 20'000'000LL * i;
    ball.header.stamp = rclcpp::Time(time);
    ball.confidence = 1.0F;
    ball.ball_relative.x = 1.0 + 0.01 * i;
    rclcpp::SerializedMessage bytes;
    serialization.serialize_message(&ball, &bytes);
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(database, "insert into messages(topic_id, timestamp, data) values(1, ?, ?)", -1, &insert,
                       nullptr);
    sqlite3_bind_int64(insert, 1, time);
    const auto& raw = bytes.get_rcl_serialized_message();
    sqlite3_bind_blob(insert, 2, raw.buffer, static_cast<int>(raw.buffer_length), SQLITE_TRANSIENT);
    sqlite3_step(insert);
    sqlite3_finalize(insert);
  }
  sqlite3_close(database);
}

/// Robots without a namespace, and with one.
class Compare : public testing::TestWithParam<const char*> {};

TEST_P(Compare, FindsTheDifferenceOfTwoVersions) {
  const std::string robot = GetParam(), prefix = robot.empty() ? "/" : "/" + robot + "/";
  namespace fs = std::filesystem;
  hl_testing::TemporaryFolder folder;
  // A package of its own with the node under test.
  fs::create_directories(folder.path() / "share/ament_index/resource_index/packages");
  std::ofstream(folder.path() / "share/ament_index/resource_index/packages/shifted_ball") << "";
  fs::create_directories(folder.path() / "lib/shifted_ball");
  fs::create_symlink(SHIFTED_BALL, folder.path() / "lib/shifted_ball/shifted_ball");
  fs::create_directories(folder.path() / "bag");
  write_bag((folder.path() / "bag/bag_0.db3").string(), prefix + "ball_relative", 100);
  const char* prefixes = std::getenv("AMENT_PREFIX_PATH");
  Process compare({COMPARE, (folder.path() / "bag").string(), "--node", "shifted_ball/shifted_ball", "--node",
                   "shifted_ball/shifted_ball shift:=0.25", "--robot", robot, "--domain", std::getenv("ROS_DOMAIN_ID")},
                  {{"AMENT_PREFIX_PATH", folder.path().string() + ":" + (prefixes == nullptr ? "" : prefixes)}});
  const auto code = compare.wait(std::chrono::minutes(2));
  const std::string output = compare.output();
  ASSERT_EQ(code, 0) << output;
  EXPECT_NE(output.find(prefix + "ball_shifted (humanoid_league_msgs/msg/BallRelative)"), std::string::npos) << output;
  EXPECT_NE(output.find("0.25 / 0.25 m"), std::string::npos) << output;
  EXPECT_NE(output.find("played: " + prefix + "ball_relative"), std::string::npos) << output;
  EXPECT_NE(output.find("delay, median"), std::string::npos) << output;
}

INSTANTIATE_TEST_SUITE_P(Bags, Compare, testing::Values("", "blue1"));

TEST(CompareProgram, SaysWhatIsWrong) {
  Process none({COMPARE, "/nowhere", "--node", "a/b", "--node", "a/c"});
  EXPECT_EQ(none.wait(), 1);
  EXPECT_NE(none.output().find("/nowhere: there is no bag"), std::string::npos) << none.output();
  Process one({COMPARE, "/nowhere", "--node", "a/b"});
  EXPECT_EQ(one.wait(), 2);
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
