// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sensor_msgs/image_encodings.hpp"
#include "sensor_msgs/point_cloud2_iterator.hpp"

namespace encodings = sensor_msgs::image_encodings;
using sensor_msgs::PointCloud2ConstIterator;
using sensor_msgs::PointCloud2Iterator;
using sensor_msgs::PointCloud2Modifier;
using sensor_msgs::msg::PointCloud2;
using sensor_msgs::msg::PointField;

TEST(ImageEncodings, ChannelsAndDepth) {
  EXPECT_EQ(encodings::numChannels(encodings::BGR8), 3);
  EXPECT_EQ(encodings::numChannels(encodings::RGBA16), 4);
  EXPECT_EQ(encodings::numChannels(encodings::TYPE_32FC2), 2);
  EXPECT_EQ(encodings::numChannels(encodings::BAYER_RGGB8), 1);
  EXPECT_EQ(encodings::bitDepth(encodings::MONO8), 8);
  EXPECT_EQ(encodings::bitDepth(encodings::BAYER_GRBG16), 16);
  EXPECT_EQ(encodings::bitDepth(encodings::TYPE_64FC1), 64);
  EXPECT_EQ(encodings::bitDepth(encodings::YUV422), 8);
  for (const char* unknown : {"", "C", "8UC", "8UC9", "purple"}) {
    EXPECT_THROW(encodings::numChannels(unknown), std::runtime_error) << unknown;
    if (std::string(unknown) != "8UC9") EXPECT_THROW(encodings::bitDepth(unknown), std::runtime_error) << unknown;
  }
}

TEST(PointCloud, WritesAndReadsFields) {
  PointCloud2 cloud;
  cloud.height = 1;
  PointCloud2Modifier modifier(cloud);
  modifier.setPointCloud2Fields(3, "x", 1, PointField::FLOAT32, "y", 1, PointField::FLOAT32, "id", 1,
                                PointField::UINT16);
  modifier.resize(4);
  EXPECT_EQ(cloud.point_step, 10U);
  EXPECT_EQ(cloud.width, 4U);
  EXPECT_EQ(cloud.data.size(), 40U);
  std::uint16_t number = 0;
  for (PointCloud2Iterator<std::uint16_t> id(cloud, "id"); id != id.end(); ++id) *id = number++;
  EXPECT_EQ(number, 4);
  PointCloud2ConstIterator<std::uint16_t> id(cloud, "id");
  EXPECT_EQ(*(id + 3), 3);
  EXPECT_THROW(PointCloud2ConstIterator<float>(cloud, "z"), std::runtime_error);
}

TEST(PointCloud, PackedColour) {
  PointCloud2 cloud;
  cloud.height = 1;
  PointCloud2Modifier modifier(cloud);
  modifier.setPointCloud2FieldsByString(2, "xyz", "rgb");
  modifier.resize(2);
  EXPECT_EQ(modifier.size(), 2U);
  EXPECT_EQ(cloud.point_step, 32U);
  *PointCloud2Iterator<std::uint8_t>(cloud, "b") = 7;
  EXPECT_EQ(cloud.data[16], 7);
  EXPECT_THROW(modifier.setPointCloud2FieldsByString(1, "spectrum"), std::runtime_error);
}

TEST(PointCloud, AnEmptyCloudHasNoPoints) {
  PointCloud2 cloud;
  PointCloud2Modifier(cloud).setPointCloud2FieldsByString(1, "xyz");
  const PointCloud2ConstIterator<float> x(cloud, "x");
  EXPECT_EQ(x, x.end());
}
