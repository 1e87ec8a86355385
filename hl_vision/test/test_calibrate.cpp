// SPDX-License-Identifier: Apache-2.0
// The program `calibrate` as a person uses it: with a folder of pictures of a board, and beside a robot that stands on
// the field and moves its head.
#include <gmock/gmock.h>
#include <tf2_ros/transform_broadcaster.h>

#include <Eigen/Geometry>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/temporary_folder.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>

#include "hl_description/field.hpp"
#include "hl_vision/drawn_board.hpp"
#include "hl_vision/mounting.hpp"
#include "hl_vision/picture_source.hpp"

using namespace hl_vision;

namespace {

constexpr double kDegree = M_PI / 180.0;

/// A field with lines, as the camera sees it from the robot's place.
cv::Mat drawn_field(const CameraView& view, std::mt19937& random) {
  cv::Mat rgb(480, 640, CV_8UC3, cv::Scalar(120, 120, 125));
  const int horizon = std::clamp(static_cast<int>(view.horizon(320.0)) + 12, 0, 480);
  rgb.rowRange(horizon, 480).setTo(cv::Scalar(48, 115, 50));
  const auto paint = [&](const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
    const Eigen::Vector2d along = (to - from).normalized(), side(-0.025 * along.y(), 0.025 * along.x());
    std::vector<cv::Point> corners;
    for (const Eigen::Vector2d& p : {Eigen::Vector2d(from + side), Eigen::Vector2d(to + side),
                                     Eigen::Vector2d(to - side), Eigen::Vector2d(from - side)}) {
      const auto pixel = view.project(p);
      if (!pixel || std::abs(pixel->x) > 3000.0 || std::abs(pixel->y) > 3000.0) return;
      corners.emplace_back(cvRound(16.0 * pixel->x), cvRound(16.0 * pixel->y));
    }
    cv::fillConvexPoly(rgb, corners, cv::Scalar(228, 230, 225), cv::LINE_AA, 4);
  };
  const hl_description::Field field;
  for (const auto& line : field.lines()) {
    const double length = (line.to - line.from).norm();
    for (double at = 0.0; at < length; at += 0.1)
      paint(line.from + (line.to - line.from) * at / length,
            line.from + (line.to - line.from) * std::min(1.0, (at + 0.1) / length));
  }
  for (int n = 0; n < 90; ++n) {
    const double r = field.circle_radius(), a = n * 4.0 * kDegree, b = (n + 1) * 4.0 * kDegree;
    paint({r * std::cos(a), r * std::sin(a)}, {r * std::cos(b), r * std::sin(b)});
  }
  for (auto* p = rgb.data; p != rgb.dataend; ++p) *p = static_cast<uchar>(*p + random() % 9);
  return rgb;
}

geometry_msgs::msg::TransformStamped transform(const Eigen::Isometry3d& pose, const char* frame, const char* child,
                                               const rclcpp::Time& stamp) {
  const Eigen::Quaterniond q(pose.linear());
  geometry_msgs::msg::TransformStamped t;
  t.header.stamp = stamp;
  t.header.frame_id = frame;
  t.child_frame_id = child;
  t.transform.translation.x = pose.translation().x();
  t.transform.translation.y = pose.translation().y();
  t.transform.translation.z = pose.translation().z();
  t.transform.rotation.x = q.x();
  t.transform.rotation.y = q.y();
  t.transform.rotation.z = q.z();
  t.transform.rotation.w = q.w();
  return t;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST(Calibrate, FindsTheLensInAFolderOfPicturesAndDrawsWhatWasSeenWhere) {
  const hl_testing::TemporaryFolder folder;
  const auto pictures = folder.path() / "boards";
  std::filesystem::create_directory(pictures);
  Lens lens;
  lens.fx = 610.0;
  lens.fy = 607.0;
  lens.distortion = {-0.1, 0.03, 0.0, 0.0, 0.0};
  IntrinsicsCalibration known({});
  for (unsigned n = 0; n < 80 && !known.missing().empty(); ++n) {
    const cv::Mat picture = draw_board(lens, hold_board(lens, {}, n), {}, n);
    known.look(picture);
    char name[32];
    std::snprintf(name, sizeof name, "%03u.png", n);
    ASSERT_TRUE(cv::imwrite((pictures / name).string(), picture));
  }
  const auto out = folder.path() / "camera.yaml", coverage = folder.path() / "coverage.png";
  hl_testing::Process calibrate(
      {CALIBRATE, "intrinsics", "--source", pictures.string(), "--out", out.string(), "--coverage", coverage.string()});
  ASSERT_EQ(calibrate.wait(std::chrono::minutes(5)), 0) << calibrate.output();
  EXPECT_THAT(calibrate.output(), testing::HasSubstr("more pictures")) << "says what is missing";
  const Lens found = calibration_from_text(text_of(out), "camera.yaml");
  EXPECT_NEAR(found.fx, lens.fx, 0.005 * lens.fx);
  EXPECT_NEAR(found.fy, lens.fy, 0.005 * lens.fy);
  EXPECT_FALSE(cv::imread(coverage.string()).empty());
}

TEST(Calibrate, FindsTheMountingBesideARobotThatLooksAround) {
  const hl_testing::TemporaryFolder folder;
  const auto yaml = folder.path() / "robot.yaml", drawn = folder.path() / "mounting.png";
  std::ofstream(yaml) << "robot: mine  # ours\n";
  Mounting truth;
  truth.tilt = {1.5 * kDegree, -1.0 * kDegree, 0.8 * kDegree};
  truth.pan_zero = -1.2 * kDegree;

  const auto node = std::make_shared<rclcpp::Node>("robot");
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  tf2_ros::TransformBroadcaster broadcaster(node);
  const auto info = node->create_publisher<sensor_msgs::msg::CameraInfo>("camera/camera_info", rclcpp::QoS(5));
  const auto image = node->create_publisher<sensor_msgs::msg::Image>("camera/image_raw", rclcpp::QoS(2));
  const Eigen::Isometry3d footprint_from_base = Eigen::Translation3d(0.0, 0.0, 0.3) * Eigen::Isometry3d::Identity();
  Eigen::Isometry3d from_footprint = Eigen::Isometry3d::Identity();
  from_footprint.translate(Eigen::Vector3d(1.8, 0.3, 0.0)).rotate(Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitZ()));
  std::mt19937 random(1);
  struct Look {
    Eigen::Isometry3d base_from_camera;
    cv::Mat rgb;
  };
  std::vector<Look> looks;
  for (const double down : {0.2, 0.5, 0.8}) {
    for (const double pan : {-1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2}) {
      const Eigen::Isometry3d base_from_camera = Eigen::AngleAxisd(pan, Eigen::Vector3d::UnitZ()) *
                                                 ground_from_up({0.0, -std::cos(down), -std::sin(down)}, 0.2);
      const CameraView view({}, from_footprint * truth.apply(footprint_from_base, base_from_camera));
      looks.push_back({base_from_camera, drawn_field(view, random)});
    }
  }

  hl_testing::Process calibrate({CALIBRATE, "mounting", "--robot-config", yaml.string(), "--pose", "1.8", "0.3", "0.1",
                                 "--picture", drawn.string()});
  std::size_t shown = 0;
  ASSERT_TRUE(hl_testing::wait_until(
      [&] {
        const Look& look = looks[shown++ / 4 % looks.size()];  // four pictures of each, as a head that rests shows
        const rclcpp::Time stamp = node->now();
        broadcaster.sendTransform(transform(footprint_from_base, "base_footprint", "base_link", stamp));
        broadcaster.sendTransform(transform(look.base_from_camera, "base_link", "camera_optical_frame", stamp));
        const Lens lens;
        sensor_msgs::msg::CameraInfo camera;
        camera.width = 640;
        camera.height = 480;
        camera.distortion_model = "plumb_bob";
        camera.k = {lens.fx, 0.0, lens.cx, 0.0, lens.fy, lens.cy, 0.0, 0.0, 1.0};
        info->publish(camera);
        sensor_msgs::msg::Image picture;
        picture.header.stamp = stamp;
        picture.header.frame_id = "camera_optical_frame";
        picture.encoding = "rgb8";
        picture.width = 640;
        picture.height = 480;
        picture.step = 3 * 640;
        picture.data.assign(look.rgb.datastart, look.rgb.dataend);
        image->publish(picture);
        executor.spin_some();
        return !calibrate.running();
      },
      std::chrono::minutes(4)))
      << calibrate.output();
  EXPECT_EQ(calibrate.wait(), 0) << calibrate.output();
  EXPECT_THAT(calibrate.output(), testing::HasSubstr("look still")) << "says what is missing";
  EXPECT_THAT(text_of(yaml), testing::StartsWith("robot: mine  # ours\n"));
  const auto found = Mounting::from_robot_file(yaml.string());
  ASSERT_TRUE(found) << calibrate.output();
  EXPECT_LT((found->vector() - truth.vector()).tail<6>().cwiseAbs().maxCoeff(), 0.3 * kDegree) << calibrate.output();
  EXPECT_FALSE(cv::imread(drawn.string()).empty());
}

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return hl_testing::run_ros_tests(argc, argv);
}
