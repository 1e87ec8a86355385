// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <geometry_msgs/msg/point_stamped.hpp>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <random>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "message_filters/cache.h"
#include "message_filters/pass_through.h"
#include "message_filters/subscriber.h"
#include "message_filters/sync_policies/approximate_time.h"
#include "message_filters/time_synchronizer.h"

using geometry_msgs::msg::PointStamped;
using geometry_msgs::msg::PoseStamped;
using message_filters::Cache;
using message_filters::PassThrough;
using message_filters::Synchronizer;
using message_filters::TimeSynchronizer;
using message_filters::sync_policies::ApproximateTime;

namespace {

using Approximate = ApproximateTime<PointStamped, PoseStamped>;

template <class M>
std::shared_ptr<const M> at(double seconds) {
  auto message = std::make_shared<M>();
  message->header.stamp = rclcpp::Time(std::llround(seconds * 1e9));
  return message;
}

template <class M>
double time_of(const std::shared_ptr<const M>& message) {
  return rclcpp::Time(message->header.stamp).seconds();
}

/// Two inputs and the pairs that came out.
template <class Sync>
struct Pairs {
  template <class... Arguments>
  explicit Pairs(Arguments&&... arguments) : sync(std::forward<Arguments>(arguments)...) {
    sync.connectInput(points, poses);
    sync.registerCallback(&Pairs::on_pair, this);
  }
  void on_pair(const PointStamped::ConstSharedPtr& point, const PoseStamped::ConstSharedPtr& pose) {
    found.emplace_back(time_of<PointStamped>(point), time_of<PoseStamped>(pose));
  }
  void point(double seconds) { points.add(at<PointStamped>(seconds)); }
  void pose(double seconds) { poses.add(at<PoseStamped>(seconds)); }

  PassThrough<PointStamped> points;
  PassThrough<PoseStamped> poses;
  Sync sync;
  std::vector<std::pair<double, double>> found;
};

using Found = std::vector<std::pair<double, double>>;

}  // namespace

TEST(ExactTime, EqualStampsInAnyOrder) {
  Pairs<TimeSynchronizer<PointStamped, PoseStamped>> pairs(2U);
  pairs.point(1.0);
  pairs.point(2.0);
  pairs.pose(2.0);
  pairs.pose(1.0);  // older than what was given away
  pairs.pose(3.0);
  pairs.point(3.0);
  EXPECT_EQ(pairs.found, (Found{{2.0, 2.0}, {3.0, 3.0}}));
}

TEST(ExactTime, TheQueueHoldsSoManyAndNoMore) {
  Pairs<TimeSynchronizer<PointStamped, PoseStamped>> pairs(2U);
  for (const double t : {1.0, 2.0, 3.0}) pairs.point(t);
  pairs.pose(1.0);
  EXPECT_TRUE(pairs.found.empty());
}

TEST(ApproximateTime, TakesTheNearestNotTheFirst) {
  Pairs<Synchronizer<Approximate>> pairs(Approximate(10));
  pairs.point(1.00);
  pairs.pose(1.20);
  pairs.point(1.19);  // nearer
  EXPECT_TRUE(pairs.found.empty()) << "a point at 1.20 may come";
  pairs.point(1.50);
  pairs.pose(1.60);
  ASSERT_FALSE(pairs.found.empty());
  EXPECT_NEAR(pairs.found[0].first, 1.19, 1e-9);
  EXPECT_NEAR(pairs.found[0].second, 1.20, 1e-9);
}

TEST(ApproximateTime, EqualStampsAreGivenAwayAtOnce) {
  Pairs<Synchronizer<Approximate>> pairs(Approximate(10));
  pairs.point(1.0);
  pairs.pose(1.0);
  EXPECT_EQ(pairs.found, (Found{{1.0, 1.0}}));
}

TEST(ApproximateTime, WideSetsAreNotMade) {
  Pairs<Synchronizer<Approximate>> pairs(Approximate(10));
  pairs.sync.setMaxIntervalDuration(rclcpp::Duration::from_seconds(0.1));
  pairs.point(1.0);
  pairs.pose(1.5);
  pairs.point(1.55);
  pairs.pose(2.5);
  pairs.point(2.5);
  ASSERT_GE(pairs.found.size(), 1U);
  for (const auto& [point, pose] : pairs.found) EXPECT_LE(std::abs(point - pose), 0.1 + 1e-9);
}

TEST(ApproximateTime, ALowerBoundTellsEarlier) {
  Pairs<Synchronizer<Approximate>> patient(Approximate(10)), quick(Approximate(10));
  for (int topic : {0, 1}) quick.sync.setInterMessageLowerBound(topic, rclcpp::Duration::from_seconds(0.9));
  for (auto* pairs : {&patient, &quick}) {
    pairs->point(1.00);
    pairs->pose(1.01);
  }
  EXPECT_TRUE(patient.found.empty());
  ASSERT_EQ(quick.found.size(), 1U);
  EXPECT_NEAR(quick.found[0].second, 1.01, 1e-9);
}

// Random streams of different rates: every message once at most, in order, and nothing lost for ever.
TEST(ApproximateTime, SetsDoNotCrossAndUseAMessageOnce) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    Pairs<Synchronizer<Approximate>> pairs(Approximate(5));
    std::uniform_real_distribution<double> jitter(-0.01, 0.01);
    for (int i = 1; i <= 200; ++i) {
      pairs.point(i * 0.05 + jitter(random));
      if (i % 2 == 0) pairs.pose(i * 0.05 + jitter(random));
    }
    EXPECT_GE(pairs.found.size(), 90U) << "seed " << seed;
    for (std::size_t n = 1; n < pairs.found.size(); ++n) {
      EXPECT_LT(pairs.found[n - 1].first, pairs.found[n].first) << "seed " << seed;
      EXPECT_LT(pairs.found[n - 1].second, pairs.found[n].second) << "seed " << seed;
    }
    for (const auto& [point, pose] : pairs.found) EXPECT_LT(std::abs(point - pose), 0.021) << "seed " << seed;
  }
}

TEST(Cache, AnswersByTime) {
  Cache<PointStamped> cache(3);
  for (const double t : {1.0, 3.0, 2.0, 4.0}) cache.add(at<PointStamped>(t));
  const auto time = [](double seconds) { return rclcpp::Time(static_cast<std::int64_t>(seconds * 1e9), RCL_ROS_TIME); };
  EXPECT_EQ(cache.getOldestTime(), time(2.0));
  EXPECT_EQ(cache.getLatestTime(), time(4.0));
  EXPECT_EQ(time_of<PointStamped>(cache.getElemBeforeTime(time(3.5))), 3.0);
  EXPECT_EQ(time_of<PointStamped>(cache.getElemAfterTime(time(3.0))), 4.0);
  EXPECT_EQ(cache.getElemAfterTime(time(4.0)), nullptr);
  EXPECT_EQ(cache.getInterval(time(2.0), time(3.0)).size(), 2U);
}

TEST(Cache, SurroundsAnInterval) {
  Cache<PointStamped> cache(5);
  const auto surrounding = [&](double start, double end) {
    const auto time = [](double seconds) { return rclcpp::Time(static_cast<int64_t>(seconds * 1e9), RCL_ROS_TIME); };
    std::vector<double> times;
    for (const auto& message : cache.getSurroundingInterval(time(start), time(end)))
      times.push_back(time_of<PointStamped>(message));
    return times;
  };
  EXPECT_TRUE(surrounding(1.0, 2.0).empty());
  for (const double t : {1.0, 2.0, 3.0, 4.0}) cache.add(at<PointStamped>(t));
  EXPECT_EQ(surrounding(1.5, 2.5), (std::vector<double>{1.0, 2.0, 3.0}));
  EXPECT_EQ(surrounding(2.0, 3.0), (std::vector<double>{2.0, 3.0}));
  EXPECT_EQ(surrounding(3.2, 3.4), (std::vector<double>{3.0, 4.0}));
  EXPECT_EQ(surrounding(0.1, 9.0), (std::vector<double>{1.0, 2.0, 3.0, 4.0}));
  EXPECT_EQ(surrounding(8.0, 9.0), (std::vector<double>{4.0}));
}

TEST(Subscriber, BringsMessagesOfTopicsTogether) {
  auto node = rclcpp::Node::make_shared("filters");
  message_filters::Subscriber<PointStamped> points(node, "points");
  message_filters::Subscriber<PoseStamped> poses(node.get(), "poses", rmw_qos_profile_sensor_data);
  TimeSynchronizer<PointStamped, PoseStamped> sync(points, poses, 5);
  int pairs = 0;
  auto connection =
      sync.registerCallback([&](const PointStamped::ConstSharedPtr&, const PoseStamped::ConstSharedPtr&) { ++pairs; });
  auto point_publisher = node->create_publisher<PointStamped>("points", 10);
  auto pose_publisher = node->create_publisher<PoseStamped>("poses", 10);
  int second = 0;
  const auto pair_comes = [&] {
    point_publisher->publish(*at<PointStamped>(++second));
    pose_publisher->publish(*at<PoseStamped>(second));
    rclcpp::spin_some(node);
    return pairs > 0;
  };
  EXPECT_TRUE(hl_testing::wait_until(pair_comes));
  EXPECT_EQ(points.getTopic(), "points");
  connection.disconnect();
  points.unsubscribe();
  EXPECT_EQ(points.getSubscriber(), nullptr);
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
