// SPDX-License-Identifier: Apache-2.0
// The history of a frame, as tools use it without a buffer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tf2/time_cache.h"

using namespace std::chrono_literals;
using tf2::StaticCache;
using tf2::TF2Error;
using tf2::TimeCache;
using tf2::TimePoint;
using tf2::TransformStorage;

namespace {

TransformStorage at(TimePoint stamp, double x = 0, tf2::CompactFrameID parent = 1) {
  return {stamp, tf2::Quaternion::getIdentity(), tf2::Vector3(x, 0, 0), parent, 7};
}

TimePoint seconds(double t) {
  return tf2::timeFromSec(t);
}

}  // namespace

TEST(TimeCache, GivesBackWhatWasInsertedInAnyOrder) {
  std::vector<int> order;
  for (int i = 1; i <= 100; ++i) order.push_back(i);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  TimeCache cache(1000s);
  for (const int i : order) EXPECT_TRUE(cache.insertData(at(seconds(i), i, static_cast<tf2::CompactFrameID>(i))));
  EXPECT_EQ(cache.getListLength(), 100u);
  EXPECT_EQ(cache.getOldestTimestamp(), seconds(1));
  EXPECT_EQ(cache.getLatestTimestamp(), seconds(100));
  EXPECT_EQ(cache.getLatestTimeAndParent(), tf2::P_TimeAndFrameID(seconds(100), 100u));
  for (int i = 1; i <= 100; ++i) {
    TransformStorage found;
    ASSERT_TRUE(cache.getData(seconds(i), found));
    EXPECT_EQ(found, at(seconds(i), i, static_cast<tf2::CompactFrameID>(i)));
    EXPECT_EQ(cache.getParent(seconds(i), nullptr, nullptr), static_cast<tf2::CompactFrameID>(i));
  }
  TransformStorage newest;
  ASSERT_TRUE(cache.getData(tf2::TimePointZero, newest));
  EXPECT_EQ(newest.stamp_, seconds(100));
}

TEST(TimeCache, InterpolatesUnlessTheParentChanged) {
  TimeCache cache;
  cache.insertData(at(seconds(1), 10));
  cache.insertData(at(seconds(2), 20));
  cache.insertData(at(seconds(3), 30, 2));
  TransformStorage found;
  ASSERT_TRUE(cache.getData(seconds(1.25), found));
  EXPECT_NEAR(found.translation_.x(), 12.5, 1e-9);
  EXPECT_EQ(found.stamp_, seconds(1.25));
  EXPECT_EQ(found.child_frame_id_, 7u);
  ASSERT_TRUE(cache.getData(seconds(2.9), found));
  EXPECT_DOUBLE_EQ(found.translation_.x(), 20);
  EXPECT_EQ(found.frame_id_, 1u);
}

TEST(TimeCache, SaysWhyItDoesNotKnow) {
  TimeCache cache;
  TransformStorage found;
  std::string reason;
  TF2Error code = TF2Error::TF2_NO_ERROR;
  EXPECT_FALSE(cache.getData(seconds(1), found, &reason, &code));
  EXPECT_EQ(code, TF2Error::TF2_LOOKUP_ERROR);
  EXPECT_NE(reason.find("empty"), std::string::npos);
  EXPECT_EQ(cache.getLatestTimeAndParent().second, 0u);
  EXPECT_EQ(cache.getLatestTimestamp(), TimePoint());
  cache.insertData(at(seconds(2)));
  EXPECT_FALSE(cache.getData(seconds(1), found, &reason, &code));
  EXPECT_NE(reason.find("only time"), std::string::npos);
  cache.insertData(at(seconds(3)));
  EXPECT_FALSE(cache.getData(seconds(1), found, &reason, &code));
  EXPECT_EQ(code, TF2Error::TF2_EXTRAPOLATION_ERROR);
  EXPECT_NE(reason.find("past"), std::string::npos);
  EXPECT_EQ(cache.getParent(seconds(4), &reason, &code), 0u);
  EXPECT_NE(reason.find("future"), std::string::npos);
  EXPECT_FALSE(cache.getData(seconds(4), found)) << "the reason need not be asked for";
}

TEST(TimeCache, ForgetsWhatIsTooOld) {
  TimeCache cache(5s);
  for (int i = 1; i <= 20; ++i) cache.insertData(at(seconds(i)));
  EXPECT_EQ(cache.getOldestTimestamp(), seconds(15));
  EXPECT_FALSE(cache.insertData(at(seconds(3))));
  cache.clearList();
  EXPECT_EQ(cache.getListLength(), 0u);
}

TEST(TimeCache, OfTwoWithOneStampTheLaterCounts) {
  TimeCache cache;
  cache.insertData(at(seconds(1), 1));
  cache.insertData(at(seconds(1), 2));
  TransformStorage found;
  ASSERT_TRUE(cache.getData(seconds(1), found));
  EXPECT_DOUBLE_EQ(found.translation_.x(), 2);
}

TEST(StaticCache, IsTheSameAtAllTimes) {
  StaticCache cache;
  EXPECT_TRUE(cache.insertData(at(seconds(1), 4, 3)));
  TransformStorage found;
  EXPECT_TRUE(cache.getData(seconds(99), found));
  EXPECT_EQ(found.stamp_, seconds(99));
  EXPECT_DOUBLE_EQ(found.translation_.x(), 4);
  EXPECT_EQ(cache.getParent(seconds(5), nullptr, nullptr), 3u);
  EXPECT_EQ(cache.getListLength(), 1u);
  EXPECT_EQ(cache.getLatestTimeAndParent(), tf2::P_TimeAndFrameID(TimePoint(), 3u));
}
