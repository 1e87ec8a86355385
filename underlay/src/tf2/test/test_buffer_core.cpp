// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "tf2/LinearMath/Transform.h"
#include "tf2/buffer_core.h"
#include "tf2/utils.h"

namespace {

using geometry_msgs::msg::TransformStamped;
using testing::HasSubstr;
using tf2::timeFromSec;

TransformStamped link(const std::string& parent, const std::string& child, double time, double x, double yaw = 0.0) {
  TransformStamped t;
  t.header.frame_id = parent;
  t.child_frame_id = child;
  t.header.stamp.sec = static_cast<int32_t>(time);
  t.header.stamp.nanosec = static_cast<uint32_t>(std::llround((time - std::floor(time)) * 1e9));
  t.transform.translation.x = x;
  t.transform.rotation.z = std::sin(yaw / 2.0);
  t.transform.rotation.w = std::cos(yaw / 2.0);
  return t;
}

double stamp(const TransformStamped& t) {
  return t.header.stamp.sec + t.header.stamp.nanosec * 1e-9;
}

template <class Exception, class Call>
std::string thrown(Call call) {
  try {
    call();
  } catch (const Exception& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another exception: ") + e.what();
  }
  return "nothing thrown";
}

class Buffer : public testing::Test {
 protected:
  double x(const std::string& target, const std::string& source, double time) {
    return buffer.lookupTransform(target, source, timeFromSec(time)).transform.translation.x;
  }
  void set(const TransformStamped& t, bool is_static = false) {
    EXPECT_TRUE(buffer.setTransform(t, "test", is_static));
  }

  tf2::BufferCore buffer;
};

TEST_F(Buffer, InterpolatesBetweenTwoStamps) {
  set(link("map", "robot", 1.0, 0.0, 0.0));
  set(link("map", "robot", 2.0, 4.0, 1.0));
  const auto t = buffer.lookupTransform("map", "robot", timeFromSec(1.25));
  EXPECT_NEAR(t.transform.translation.x, 1.0, 1e-9);
  EXPECT_NEAR(tf2::getYaw(t.transform.rotation), 0.25, 1e-9);
  EXPECT_EQ(t.header.frame_id, "map");
  EXPECT_EQ(t.child_frame_id, "robot");
  EXPECT_NEAR(stamp(t), 1.25, 1e-9);
}

TEST_F(Buffer, TimeZeroIsTheLatestCommonTime) {
  set(link("map", "odom", 1.0, 0.0));
  set(link("map", "odom", 3.0, 2.0));
  set(link("odom", "robot", 1.0, 0.0));
  set(link("odom", "robot", 2.0, 10.0));
  const auto t = buffer.lookupTransform("map", "robot", tf2::TimePointZero);
  EXPECT_NEAR(stamp(t), 2.0, 1e-9);
  EXPECT_NEAR(t.transform.translation.x, 11.0, 1e-9);
}

TEST_F(Buffer, TheInverseLookupIsTheInverseTransform) {
  set(link("map", "robot", 1.0, 2.0, TF2SIMD_HALF_PI));
  const auto t = buffer.lookupTransform("robot", "map", timeFromSec(1.0));
  EXPECT_NEAR(t.transform.translation.x, 0.0, 1e-9);
  EXPECT_NEAR(t.transform.translation.y, 2.0, 1e-9);
  EXPECT_NEAR(tf2::getYaw(t.transform.rotation), -TF2SIMD_HALF_PI, 1e-9);
}

TEST_F(Buffer, StaticTransformsHoldAtAnyTime) {
  set(link("a", "b", 5.0, 1.0), true);
  EXPECT_DOUBLE_EQ(x("a", "b", 0.0), 1.0);
  EXPECT_DOUBLE_EQ(x("a", "b", 1.0), 1.0);
  EXPECT_DOUBLE_EQ(x("a", "b", 1e6), 1.0);
  buffer.clear();
  EXPECT_DOUBLE_EQ(x("a", "b", 1.0), 1.0);
}

TEST_F(Buffer, AFrameIsTheIdentityToItself) {
  set(link("a", "b", 5.0, 1.0));
  EXPECT_DOUBLE_EQ(x("b", "b", 123.0), 0.0);
  EXPECT_TRUE(buffer.canTransform("a", "a", timeFromSec(99.0)));
}

TEST_F(Buffer, TimeTravelThroughAFixedFrame) {
  set(link("odom", "robot", 1.0, 1.0));
  set(link("odom", "robot", 2.0, 5.0));
  set(link("robot", "camera", 0.0, 0.5), true);
  // What the camera saw at 1 s at its origin, seen from the robot at 2 s.
  const auto t = buffer.lookupTransform("robot", timeFromSec(2.0), "camera", timeFromSec(1.0), "odom");
  EXPECT_NEAR(t.transform.translation.x, 1.5 - 5.0, 1e-9);
  EXPECT_NEAR(stamp(t), 2.0, 1e-9);
  EXPECT_TRUE(buffer.canTransform("robot", timeFromSec(2.0), "camera", timeFromSec(1.0), "odom"));
  std::string why;
  EXPECT_FALSE(buffer.canTransform("robot", timeFromSec(2.0), "camera", timeFromSec(1.0), "nowhere", &why));
  EXPECT_THAT(why, HasSubstr("nowhere"));
}

TEST_F(Buffer, ExtrapolationIsRefusedInWords) {
  set(link("odom", "robot", 10.0, 1.0));
  EXPECT_THAT(thrown<tf2::ExtrapolationException>([&] { x("odom", "robot", 11.0); }), HasSubstr("only time 10.000000"));
  set(link("odom", "robot", 12.0, 5.0));
  const std::string future = thrown<tf2::ExtrapolationException>([&] { x("odom", "robot", 12.5); });
  EXPECT_THAT(future, HasSubstr("into the future"));
  EXPECT_THAT(future, HasSubstr("12.500000"));
  EXPECT_THAT(future, HasSubstr("12.000000"));
  EXPECT_THAT(future, HasSubstr("from frame [robot] to frame [odom]"));
  EXPECT_THAT(thrown<tf2::ExtrapolationException>([&] { x("odom", "robot", 9.0); }), HasSubstr("into the past"));
  EXPECT_FALSE(buffer.canTransform("odom", "robot", timeFromSec(9.0)));
}

TEST_F(Buffer, OnlyTheLinksOnTheWayMustBeKnown) {
  set(link("map", "odom", 1.0, 1.0));
  set(link("map", "odom", 2.0, 1.0));
  set(link("odom", "robot", 1.0, 1.0));
  set(link("odom", "robot", 9.0, 9.0));
  set(link("robot", "head", 1.0, 1.0));
  set(link("robot", "head", 9.0, 1.0));
  EXPECT_NEAR(x("odom", "head", 5.0), 6.0, 1e-9);  // map -> odom is too old, but not needed
  EXPECT_NEAR(x("head", "odom", 5.0), -6.0, 1e-9);
  EXPECT_THAT(thrown<tf2::ExtrapolationException>([&] { x("map", "head", 5.0); }), HasSubstr("\"odom\" in \"map\""));
}

TEST_F(Buffer, UnknownFramesAndBadNamesAreNamed) {
  set(link("a", "b", 1.0, 1.0));
  const std::string text = thrown<tf2::LookupException>([&] { x("a", "c", 1.0); });
  EXPECT_THAT(text, HasSubstr("\"c\""));
  EXPECT_THAT(text, HasSubstr("source_frame"));
  EXPECT_THAT(thrown<tf2::InvalidArgumentException>([&] { x("", "b", 1.0); }), HasSubstr("empty"));
  EXPECT_THAT(thrown<tf2::InvalidArgumentException>([&] { x("/a", "b", 1.0); }), HasSubstr("use \"a\""));
  EXPECT_TRUE(buffer._frameExists("a"));
  EXPECT_FALSE(buffer._frameExists("c"));
}

TEST_F(Buffer, UnconnectedTreesAreNamed) {
  set(link("a", "b", 1.0, 1.0));
  set(link("c", "d", 1.0, 1.0));
  for (const double time : {0.0, 1.0}) {
    const std::string text = thrown<tf2::ConnectivityException>([&] { x("b", "d", time); });
    EXPECT_THAT(text, HasSubstr("not part of the same tree"));
    EXPECT_THAT(text, HasSubstr("'d' below 'c'"));
  }
}

TEST_F(Buffer, ALoopIsAnErrorNotAnEndlessWalk) {
  set(link("a", "b", 1.0, 1.0));
  set(link("b", "c", 1.0, 1.0));
  set(link("c", "a", 1.0, 1.0));
  set(link("x", "y", 1.0, 1.0));
  EXPECT_THAT(thrown<tf2::ConnectivityException>([&] { x("a", "y", 1.0); }), HasSubstr("loop"));
  EXPECT_FALSE(buffer.canTransform("a", "c", tf2::TimePointZero));
}

TEST_F(Buffer, UnusableTransformsAreRefused) {
  auto bad = link("a", "b", 1.0, 1.0);
  bad.transform.rotation.w = 0.5;
  EXPECT_FALSE(buffer.setTransform(bad, "test"));
  bad = link("a", "b", 1.0, std::nan(""));
  EXPECT_FALSE(buffer.setTransform(bad, "test"));
  EXPECT_FALSE(buffer.setTransform(link("a", "a", 1.0, 1.0), "test"));
  EXPECT_FALSE(buffer.setTransform(link("", "a", 1.0, 1.0), "test"));
  EXPECT_FALSE(buffer.setTransform(link("a", "", 1.0, 1.0), "test"));
  EXPECT_TRUE(buffer.getAllFrameNames().empty());
  EXPECT_TRUE(buffer.setTransform(link("/a", "/b", 1.0, 1.0), "test"));  // old spelling
  EXPECT_TRUE(buffer._frameExists("b"));
}

TEST_F(Buffer, KeepsTheCacheTimeAndNoMore) {
  for (int i = 0; i <= 300; ++i) set(link("a", "b", 100.0 + i * 0.1, i));
  EXPECT_NEAR(x("a", "b", 120.0), 200.0, 1e-6);
  EXPECT_THAT(thrown<tf2::ExtrapolationException>([&] { x("a", "b", 119.8); }), HasSubstr("into the past"));
  EXPECT_FALSE(buffer.setTransform(link("a", "b", 110.0, 0.0), "test")) << "older than the cache";
  EXPECT_TRUE(buffer.setTransform(link("a", "b", 125.05, 0.0), "test")) << "late, but within the cache";
  EXPECT_TRUE(buffer.setTransform(link("a", "b", 125.05, 1.0), "test")) << "the same stamp again: the newer counts";
  EXPECT_NEAR(x("a", "b", 125.05), 1.0, 1e-6);
  EXPECT_EQ(buffer.getCacheLength(), std::chrono::seconds(10));
  buffer.clear();
  EXPECT_FALSE(buffer.canTransform("a", "b", tf2::TimePointZero));
}

TEST_F(Buffer, AFrameMayChangeItsParent) {
  set(link("l_sole", "support", 1.0, 1.0));
  set(link("r_sole", "support", 2.0, 2.0));
  EXPECT_DOUBLE_EQ(x("l_sole", "support", 1.5), 1.0);
  EXPECT_DOUBLE_EQ(x("r_sole", "support", 2.0), 2.0);
  std::string parent;
  EXPECT_TRUE(buffer._getParent("support", timeFromSec(1.0), parent));
  EXPECT_EQ(parent, "l_sole");
  EXPECT_FALSE(buffer._getParent("l_sole", timeFromSec(1.0), parent));
}

TEST_F(Buffer, DescribesItself) {
  set(link("map", "odom", 1.0, 1.0));
  set(link("map", "odom", 1.5, 1.0));
  set(link("odom", "robot", 1.0, 1.0), true);
  EXPECT_THAT(buffer.allFramesAsString(), HasSubstr("Frame odom exists with parent map.\n"));
  const std::string yaml = buffer.allFramesAsYAML(timeFromSec(2.0));
  EXPECT_THAT(yaml, HasSubstr("odom:\n  parent: 'map'\n  broadcaster: 'test'\n  rate: 2.000"));
  EXPECT_THAT(yaml, HasSubstr("transform_delay: 0.500"));
  EXPECT_THAT(buffer._allFramesAsDot(), HasSubstr("\"odom\" -> \"robot\" [label=\"static\"]"));
  EXPECT_EQ(tf2::BufferCore().allFramesAsYAML(), "{}");
  std::vector<std::string> way;
  buffer._chainAsVector("robot", timeFromSec(1.0), "map", timeFromSec(1.0), "odom", way);
  EXPECT_THAT(way, testing::ElementsAre("map", "odom", "robot"));
}

TEST_F(Buffer, ATreeOf60LinksAgreesWithTheProductOfItsTransforms) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  std::vector<tf2::Transform> in_root{tf2::Transform::getIdentity()};
  for (int i = 1; i <= 60; ++i) {
    const int parent = static_cast<int>(random() % static_cast<unsigned>(i));
    tf2::Quaternion q(number(random), number(random), number(random), number(random));
    q.normalize();
    const tf2::Vector3 v(number(random), number(random), number(random));
    auto t = link("link" + std::to_string(parent), "link" + std::to_string(i), 1.0, v.x());
    t.transform.translation.y = v.y();
    t.transform.translation.z = v.z();
    t.transform.rotation.x = q.x();
    t.transform.rotation.y = q.y();
    t.transform.rotation.z = q.z();
    t.transform.rotation.w = q.w();
    set(t, i % 3 == 0);
    in_root.push_back(in_root[static_cast<size_t>(parent)] * tf2::Transform(q, v));
  }
  for (size_t a = 0; a <= 60; ++a) {
    for (size_t b = 0; b <= 60; ++b) {
      const tf2::Transform expected = in_root[a].inverseTimes(in_root[b]);
      const auto t = buffer.lookupTransform("link" + std::to_string(a), "link" + std::to_string(b), timeFromSec(1.0));
      const auto& p = t.transform.translation;
      EXPECT_LT(expected.getOrigin().distance(tf2::Vector3(p.x, p.y, p.z)), 1e-9);
      EXPECT_LT(expected.getRotation().angleShortestPath(tf2::impl::toQuaternion(t.transform.rotation)), 1e-6);
    }
  }
}

TEST_F(Buffer, RequestsAreAnsweredWhenTheTransformArrives) {
  int calls = 0;
  tf2::TransformableResult result = tf2::TransformFailure;
  const auto on_ready = [&](tf2::TransformableRequestHandle, const std::string& target, const std::string& source,
                            tf2::TimePoint, tf2::TransformableResult r) {
    EXPECT_EQ(target + source, "ac");
    ++calls;
    result = r;
    buffer.canTransform("a", "c", tf2::TimePointZero);  // may use the buffer
  };
  EXPECT_NE(buffer.addTransformableRequest(on_ready, "a", "c", timeFromSec(2.0)), 0u);
  const auto cancelled = buffer.addTransformableRequest(on_ready, "a", "c", timeFromSec(2.0));
  buffer.cancelTransformableRequest(cancelled);
  set(link("a", "b", 0.0, 1.0), true);
  set(link("b", "c", 1.0, 1.0));
  EXPECT_EQ(calls, 0);
  set(link("b", "c", 3.0, 1.0));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(result, tf2::TransformAvailable);
  set(link("b", "c", 4.0, 1.0));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(buffer.addTransformableRequest(on_ready, "a", "c", timeFromSec(2.0)), 0u) << "already there";
  set(link("b", "c", 50.0, 1.0));
  EXPECT_EQ(buffer.addTransformableRequest(on_ready, "a", "c", timeFromSec(2.0)), 0xffffffffffffffffull) << "gone";
}

TEST_F(Buffer, ManyThreadsMayReadWhileOneWrites) {
  set(link("a", "b", 1.0, 1.0));
  set(link("a", "b", 1.01, 1.0));
  std::atomic<bool> stop{false};
  std::atomic<int> reads{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        EXPECT_DOUBLE_EQ(buffer.lookupTransform("a", "b", tf2::TimePointZero).transform.translation.x, 1.0);
        ++reads;
      }
    });
  }
  for (int i = 2; i < 3000 || reads < 100; ++i) buffer.setTransform(link("a", "b", 1.0 + i * 0.01, 1.0), "test");
  stop = true;
  for (auto& reader : readers) reader.join();
}

}  // namespace
