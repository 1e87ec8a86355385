// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <tf2_ros/static_transform_broadcaster.h>

#include <Eigen/Geometry>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <filesystem>
#include <hl_testing/isolation.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/temporary_folder.hpp>
#include <humanoid_league_msgs/msg/ball_in_image.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <sensor_msgs/msg/compressed_image.hpp>

#include "hl_vision/picture_source.hpp"
#include "image_message.hpp"

using namespace hl_vision;
using humanoid_league_msgs::msg::BallInImage;
using humanoid_league_msgs::msg::BallRelative;
using humanoid_league_msgs::msg::LineInformationRelative;

namespace {

const Lens kLens;

/// A camera 0.5 m above base_footprint, looking down by 0.4 rad.
CameraView view() {
  return CameraView(kLens, ground_from_up({0.0, -std::cos(0.4), -std::sin(0.4)}, 0.5));
}

sensor_msgs::msg::CameraInfo camera_info() {
  sensor_msgs::msg::CameraInfo info;
  info.width = 640;
  info.height = 480;
  info.distortion_model = "plumb_bob";
  info.k = {kLens.fx, 0.0, kLens.cx, 0.0, kLens.fy, kLens.cy, 0.0, 0.0, 1.0};
  return info;
}

/// Turf with a line 1.2 m ahead, across.
sensor_msgs::msg::Image picture() {
  cv::Mat rgb(480, 640, CV_8UC3, cv::Scalar(48, 115, 50));
  std::mt19937 random(1);
  for (auto* p = rgb.data; p != rgb.dataend; ++p) *p = static_cast<uchar>(*p + random() % 9);
  const CameraView camera = view();
  std::vector<cv::Point> corners;
  for (const Eigen::Vector2d& p : {Eigen::Vector2d(1.175, -1.0), Eigen::Vector2d(1.225, -1.0),
                                   Eigen::Vector2d(1.225, 1.0), Eigen::Vector2d(1.175, 1.0)}) {
    const auto pixel = camera.project(p);
    corners.emplace_back(static_cast<int>(pixel->x), static_cast<int>(pixel->y));
  }
  cv::fillConvexPoly(rgb, corners, cv::Scalar(228, 230, 225));
  sensor_msgs::msg::Image image;
  image.header.frame_id = "camera_optical_frame";
  image.encoding = "rgb8";
  image.width = 640;
  image.height = 480;
  image.step = 3 * 640;
  image.data.assign(rgb.datastart, rgb.dataend);
  return image;
}

class Nodes : public testing::Test {
 protected:
  Nodes() : node_(std::make_shared<rclcpp::Node>("test")), broadcaster_(node_) {
    executor_.add_node(node_);
    geometry_msgs::msg::TransformStamped t;
    t.header.frame_id = "base_footprint";
    t.child_frame_id = "camera_optical_frame";
    const Eigen::Isometry3d pose = view().ground_from_camera();
    const Eigen::Quaterniond q(pose.linear());
    t.transform.translation.z = pose.translation().z();
    t.transform.rotation.x = q.x();
    t.transform.rotation.y = q.y();
    t.transform.rotation.z = q.z();
    t.transform.rotation.w = q.w();
    broadcaster_.sendTransform(t);
  }

  template <class Condition>
  bool spin_until(const Condition& condition) {
    return hl_testing::wait_until(
        [&] {
          executor_.spin_some();
          return condition();
        },
        std::chrono::seconds(60));
  }

  rclcpp::Node::SharedPtr node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  tf2_ros::StaticTransformBroadcaster broadcaster_;
};

}  // namespace

TEST_F(Nodes, ALineInThePictureBecomesALineOnTheGround) {
  hl_testing::Process detection({DETECTION, "--ros-args", "-p", "ball_weights:=" WEIGHTS}), transform({TRANSFORM});
  const auto info = node_->create_publisher<sensor_msgs::msg::CameraInfo>("camera/camera_info", rclcpp::QoS(5));
  const auto image = node_->create_publisher<sensor_msgs::msg::Image>("camera/image_raw", rclcpp::QoS(2));
  LineInformationRelative::ConstSharedPtr lines;
  BallRelative::ConstSharedPtr ball;
  const auto lines_sub = node_->create_subscription<LineInformationRelative>(
      "lines_relative", rclcpp::QoS(10), [&](const LineInformationRelative::ConstSharedPtr& m) { lines = m; });
  const auto ball_sub = node_->create_subscription<BallRelative>(
      "ball_relative", rclcpp::QoS(10), [&](const BallRelative::ConstSharedPtr& m) { ball = m; });
  sensor_msgs::msg::Image frame = picture();
  ASSERT_TRUE(spin_until([&] {
    frame.header.stamp = node_->now();
    auto message = camera_info();
    message.header = frame.header;
    info->publish(message);
    image->publish(frame);
    return lines && !lines->segments.empty() && ball;
  })) << detection.output()
      << transform.output();
  EXPECT_EQ(lines->header.frame_id, "base_footprint");
  EXPECT_NEAR(lines->segments[0].start.x, 1.2, 0.05);
  EXPECT_NEAR(lines->segments[0].end.x, 1.2, 0.05);
  EXPECT_EQ(ball->confidence, 0.0f) << "there is none";
}

TEST_F(Nodes, EveryPictureIsAnsweredWithItsStamp) {
  hl_testing::Process detection({DETECTION, "--ros-args", "-p", "ball_weights:=" WEIGHTS}), transform({TRANSFORM});
  const auto info = node_->create_publisher<sensor_msgs::msg::CameraInfo>("camera/camera_info", rclcpp::QoS(5));
  const auto image = node_->create_publisher<sensor_msgs::msg::Image>("camera/image_raw", rclcpp::QoS(2));
  std::vector<BallRelative::ConstSharedPtr> answers;
  const auto sub = node_->create_subscription<BallRelative>(
      "ball_relative", rclcpp::QoS(10), [&](const BallRelative::ConstSharedPtr& m) { answers.push_back(m); });
  const auto answered = [&](const sensor_msgs::msg::Image& frame) {
    return std::any_of(answers.begin(), answers.end(),
                       [&](const auto& m) { return m->header.stamp == frame.header.stamp; });
  };
  // One after the other, each only once the nodes are known to listen; before camera_info too.
  sensor_msgs::msg::Image frame = picture();
  ASSERT_TRUE(spin_until([&] {
    frame.header.stamp = node_->now();
    image->publish(frame);
    return !answers.empty();
  })) << detection.output()
      << transform.output();
  const auto ask = [&](const char* what, const sensor_msgs::msg::Image& asked) {
    answers.clear();
    image->publish(asked);
    EXPECT_TRUE(spin_until([&] { return answered(asked); })) << what << detection.output() << transform.output();
    for (const auto& m : answers) {
      EXPECT_EQ(m->header.frame_id, "base_footprint") << what;
      EXPECT_EQ(m->confidence, 0.0f) << what;
    }
  };
  frame.header.stamp = node_->now();
  ask("good", frame);
  auto strange = frame;
  strange.header.stamp = node_->now();
  strange.encoding = "16UC1";
  ask("encoding", strange);
  strange.encoding = "rgb8";
  strange.header.stamp = node_->now();
  strange.data.resize(100);
  ask("torn", strange);
  strange = frame;
  strange.header.stamp = rclcpp::Time(frame.header.stamp) - rclcpp::Duration::from_seconds(0.01);
  ask("stamp goes back", strange);
  strange = frame;
  strange.header.stamp = node_->now();
  strange.header.frame_id = "no_such_frame";
  for (int n = 0; n < 3; ++n) info->publish(camera_info());
  ask("no transform", strange);
}

TEST_F(Nodes, BallInThePictureBecomesABallOnTheGround) {
  hl_testing::Process transform({TRANSFORM});
  const auto info = node_->create_publisher<sensor_msgs::msg::CameraInfo>("camera/camera_info", rclcpp::QoS(5));
  const auto seen = node_->create_publisher<BallInImage>("ball_in_image", rclcpp::QoS(10));
  BallRelative::ConstSharedPtr ball;
  const auto subscription = node_->create_subscription<BallRelative>(
      "ball_relative", rclcpp::QoS(10), [&](const BallRelative::ConstSharedPtr& m) { ball = m; });
  const auto pixel = view().project(Eigen::Vector3d(1.5, -0.3, 0.07));
  ASSERT_TRUE(pixel);
  ASSERT_TRUE(spin_until([&] {
    BallInImage message;
    message.header.stamp = node_->now();
    message.header.frame_id = "camera_optical_frame";
    message.center.x = pixel->x;
    message.center.y = pixel->y;
    message.diameter = view().ball_diameter(*pixel, 0.07);
    message.confidence = 0.9f;
    info->publish(camera_info());
    seen->publish(message);
    return static_cast<bool>(ball);
  })) << transform.output();
  EXPECT_NEAR(ball->ball_relative.x, 1.5, 0.06);
  EXPECT_NEAR(ball->ball_relative.y, -0.3, 0.03);
}

TEST_F(Nodes, TheFieldsColourIsShownFrozenSavedAndLoaded) {
  const hl_testing::TemporaryFolder folder;
  const std::string file = (folder.path() / "colour.yaml").string();
  const std::vector<std::string> command{DETECTION, "--ros-args",          "-p", "ball_weights:=" WEIGHTS,
                                         "-p",      "colour.file:=" + file};
  const auto image = node_->create_publisher<sensor_msgs::msg::Image>("camera/image_raw", rclcpp::QoS(2));
  std::map<std::string, std::string> health;
  const auto health_sub = node_->create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
      "diagnostics", 10, [&](const diagnostic_msgs::msg::DiagnosticArray& m) {
        for (const auto& value : m.status.at(0).values) health[value.key] = value.value;
      });
  cv::Mat shown;
  const auto shown_sub = node_->create_subscription<sensor_msgs::msg::CompressedImage>(
      "camera/image_classes/compressed", rclcpp::QoS(2).best_effort(),
      [&](const sensor_msgs::msg::CompressedImage& m) { shown = cv::imdecode(m.data, cv::IMREAD_COLOR); });
  sensor_msgs::msg::Image frame = picture();
  const auto show_until = [&](const auto& condition) {
    return spin_until([&] {
      frame.header.stamp = node_->now();
      image->publish(frame);
      return condition();
    });
  };
  {
    hl_testing::Process detection(command);
    ASSERT_TRUE(show_until([&] { return !shown.empty() && health["field known"] == "yes"; })) << detection.output();
    const auto colour = shown.at<cv::Vec3b>(470, 320);
    EXPECT_GT(colour[1], colour[0] + 40) << "turf is shown green";
    rclcpp::AsyncParametersClient parameters(node_, "detection");
    auto frozen = parameters.set_parameters({rclcpp::Parameter("colour.frozen", true)});
    ASSERT_TRUE(show_until([&] { return health["field colour frozen"] == "yes"; })) << detection.output();
    EXPECT_TRUE(std::filesystem::exists(file));
  }
  health.clear();
  std::fill(frame.data.begin(), frame.data.end(), 128);  // no turf in sight: what it knows it knows from the file
  hl_testing::Process detection(command);
  EXPECT_TRUE(show_until([&] { return health["field known"] == "yes"; })) << detection.output();
}

TEST_F(Nodes, CameraShowsAFolderOfPictures) {
  const hl_testing::TemporaryFolder folder;
  ASSERT_TRUE(cv::imwrite((folder.path() / "a.png").string(), cv::Mat(48, 64, CV_8UC3, cv::Scalar(10, 20, 30))));
  hl_testing::Process camera({CAMERA, "--ros-args", "-p", "source:=" + folder.path().string()});
  sensor_msgs::msg::Image::ConstSharedPtr image;
  const auto subscription = node_->create_subscription<sensor_msgs::msg::Image>(
      "camera/image_raw", rclcpp::QoS(2).best_effort(),
      [&](const sensor_msgs::msg::Image::ConstSharedPtr& m) { image = m; });
  ASSERT_TRUE(spin_until([&] { return static_cast<bool>(image); })) << camera.output();
  EXPECT_EQ(image->width, 64u);
  EXPECT_EQ(image->encoding, "bgr8");
  EXPECT_EQ(image->data[1], 20);
}

TEST(PictureSource, WhatIsMissingIsNamed) {
  EXPECT_THROW(
      try { PictureSource::open("/dev/no_such_camera", {}); } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("plugged in"));
        throw;
      },
      std::runtime_error);
  const hl_testing::TemporaryFolder folder;
  EXPECT_THROW(PictureSource::open(folder.path().string(), {}), std::runtime_error);
}

TEST(ImageMessage, ArbitraryMessagesNeverReachBeyondTheirBytes) {
  std::mt19937 random(7);
  const char* encodings[] = {"bgr8", "rgb8", "mono8", "yuv422", "yuv422_yuy2", "bgra8", "16UC1", ""};
  int good = 0;
  const int rounds = hl_testing::full_run() ? 10000000 : 20000;
  for (int n = 0; n < rounds; ++n) {
    sensor_msgs::msg::Image image;
    image.encoding = encodings[random() % 8];
    image.width = random() % 20 == 0 ? random() : random() % 40;
    image.height = random() % 20 == 0 ? random() : random() % 40;
    image.step = random() % 4 == 0 ? random() % 200 : image.width * 3;
    image.data.resize(random() % 5000);
    cv::Mat bgr;
    if (!to_bgr(image, bgr)) {
      ++good;
      EXPECT_EQ(bgr.type(), CV_8UC3);
      EXPECT_EQ(bgr.cols, static_cast<int>(image.width));
    }
  }
  EXPECT_GT(good, 100);
}

TEST(Calibration, DamagedFilesAreRefusedWithTheirName) {
  const std::string good =
      "image_width: 640\nimage_height: 480\ncamera_matrix: {rows: 3, cols: 3, data: [570, 0, 320, 0, 571, 240, 0, 0, "
      "1]}\n"
      "distortion_model: plumb_bob\ndistortion_coefficients: {rows: 1, cols: 5, data: [-0.1, 0.01, 0, 0, 0]}\n";
  const Lens lens = calibration_from_text(good, "x.yaml");
  EXPECT_EQ(lens.fy, 571.0);
  EXPECT_EQ(lens.distortion[0], -0.1);
  std::mt19937 random(5);
  const int rounds = hl_testing::full_run() ? 100000 : 1000;
  for (int n = 0; n < rounds; ++n) {
    std::string damaged = good;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(32 + random() % 95);
    try {
      calibration_from_text(damaged, "x.yaml");
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("x.yaml"));
    }
  }
}

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return hl_testing::run_ros_tests(argc, argv);
}
