// SPDX-License-Identifier: Apache-2.0
// The camera node before a device that the test plugs in and out, and before files.
#include <gmock/gmock.h>

#include <atomic>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <fstream>
#include <hl_testing/bag_writer.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/temporary_folder.hpp>
#include <mutex>
#include <opencv2/imgcodecs.hpp>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <thread>

#include "nodes.hpp"

using namespace hl_vision;
using diagnostic_msgs::msg::DiagnosticArray;
using sensor_msgs::msg::Image;

namespace {

/// What the test does with the device, and what the device was told.
struct Plug {
  std::atomic<bool> there{false}, busy{false};
  std::atomic<int> opened{0};
  std::atomic<double> age{0.0}, exposure{40.0}, gain{0.0}, white_balance{0.0};
};

/// A camera before turf, the brighter the longer it is exposed.
class Device : public PictureSource {
 public:
  Device(Plug& plug, const std::string& name, const Settings& settings) : plug_(plug), name_(name) {
    if (!plug_.there) throw std::runtime_error(name + ": does not exist; is the camera plugged in?");
    if (plug_.busy) throw std::runtime_error(name + ": another program uses it");
    ++plug_.opened;
    apply(settings);
  }
  bool device() const override { return true; }
  std::optional<std::string> read(cv::Mat& bgr) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (!plug_.there) return name_ + ": gives no pictures any more; is it unplugged?";
    bgr = cv::Mat(48, 64, CV_8UC3, cv::Scalar(45, 110, 40) * (plug_.exposure / 100.0));
    return std::nullopt;
  }
  void apply(const Settings& settings) override {
    if (settings.exposure >= 0.0) plug_.exposure = settings.exposure;
    if (settings.gain >= 0.0) plug_.gain = settings.gain;
    if (settings.white_balance >= 0.0) plug_.white_balance = settings.white_balance;
  }
  double exposure() const override { return plug_.exposure; }
  double age() const override { return plug_.age; }

 private:
  Plug& plug_;
  std::string name_;
};

class Camera : public testing::Test {
 protected:
  Camera() : node_(std::make_shared<rclcpp::Node>("test")) {
    executor_.add_node(node_);
    image_sub_ = node_->create_subscription<Image>("camera/image_raw", rclcpp::QoS(2).best_effort(),
                                                   [this](const Image::ConstSharedPtr& m) {
                                                     image_ = m;
                                                     ++images_;
                                                   });
    health_sub_ = node_->create_subscription<DiagnosticArray>(
        "diagnostics", 10, [this](const DiagnosticArray& m) { health_ = m.status.empty() ? "" : m.status[0].message; });
  }
  ~Camera() override {
    if (camera_) executor_.remove_node(camera_);
  }

  void start(const std::vector<rclcpp::Parameter>& parameters, const OpenPictures& open = PictureSource::open) {
    rclcpp::NodeOptions options;
    options.parameter_overrides(parameters);
    camera_ = make_camera_node(options, open);
    executor_.add_node(camera_);
  }
  void start_device(std::vector<rclcpp::Parameter> parameters = {}) {
    parameters.emplace_back("source", "/dev/camera_of_this_test");
    start(parameters, [this](const std::string& source, const PictureSource::Settings& settings) {
      return std::make_unique<Device>(plug_, source, settings);
    });
  }
  template <class Condition>
  bool spin_until(const Condition& condition, std::chrono::seconds most = std::chrono::seconds(60)) {
    return hl_testing::wait_until(
        [&] {
          executor_.spin_some();
          return condition();
        },
        most);
  }
  bool says(const std::string& words) {
    return spin_until([&] { return health_.find(words) != std::string::npos; });
  }
  bool new_picture() {
    const int before = images_;
    return spin_until([&] { return images_ > before; });
  }

  Plug plug_;
  rclcpp::Node::SharedPtr node_, camera_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  Image::ConstSharedPtr image_;
  int images_ = 0;
  std::string health_;
  const hl_testing::TemporaryFolder folder_;

 private:
  rclcpp::Subscription<Image>::SharedPtr image_sub_;
  rclcpp::Subscription<DiagnosticArray>::SharedPtr health_sub_;
};

}  // namespace

TEST_F(Camera, ThatIsUnpluggedComesBackByItselfAndAsItWasSet) {
  start_device();
  EXPECT_TRUE(says("is the camera plugged in?")) << health_;
  plug_.busy = plug_.there = true;
  EXPECT_TRUE(says("another program uses it")) << health_;
  plug_.busy = false;
  ASSERT_TRUE(new_picture()) << health_;
  EXPECT_EQ(plug_.opened, 1);
  ASSERT_TRUE(camera_->set_parameter({"exposure", 70.0}).successful);
  ASSERT_TRUE(camera_->set_parameter({"gain", 3.0}).successful);
  ASSERT_TRUE(camera_->set_parameter({"white_balance", 4000.0}).successful);
  EXPECT_TRUE(spin_until([&] { return plug_.exposure == 70.0 && plug_.gain == 3.0 && plug_.white_balance == 4000.0; }));
  plug_.there = false;
  EXPECT_TRUE(says("is the camera plugged in?")) << health_;
  plug_.exposure = plug_.gain = 0.0;
  plug_.there = true;
  ASSERT_TRUE(new_picture()) << health_;
  EXPECT_EQ(plug_.opened, 2);
  EXPECT_EQ(plug_.exposure, 70.0);
  EXPECT_EQ(plug_.gain, 3.0);
}

TEST_F(Camera, StampsPicturesWithTheTimeTheyWereTaken) {
  plug_.there = true;
  plug_.age = 0.25;
  start_device();
  ASSERT_TRUE(new_picture());
  EXPECT_GE((node_->now() - image_->header.stamp).seconds(), 0.25);
}

TEST_F(Camera, KeepsTheBrightnessOfTheField) {
  plug_.there = true;
  start_device({{"exposure_control.on", true}, {"exposure_control.period", 0.05}});
  const double wanted = 75.0, field = (45.0 + 110.0 + 40.0) / 3.0 / 100.0;
  EXPECT_TRUE(spin_until([&] { return std::abs(field * plug_.exposure - wanted) < 0.1 * wanted; })) << plug_.exposure;
}

TEST_F(Camera, RectifiesWhileSomebodyListens) {
  plug_.there = true;
  const std::string file = (folder_.path() / "camera.yaml").string();
  std::ofstream(file) << "image_width: 64\nimage_height: 48\ndistortion_model: plumb_bob\n"
                         "camera_matrix: {data: [57, 0, 32, 0, 57, 24, 0, 0, 1]}\n"
                         "distortion_coefficients: {data: [-0.1, 0, 0, 0, 0]}\n";
  start_device({{"calibration_file", file}});
  Image::ConstSharedPtr straight;
  sensor_msgs::msg::CameraInfo::ConstSharedPtr info;
  const auto straight_sub = node_->create_subscription<Image>("camera/image_rect", rclcpp::QoS(2).best_effort(),
                                                              [&](const Image::ConstSharedPtr& m) { straight = m; });
  const auto info_sub = node_->create_subscription<sensor_msgs::msg::CameraInfo>(
      "camera/camera_info", 5, [&](const sensor_msgs::msg::CameraInfo::ConstSharedPtr& m) { info = m; });
  ASSERT_TRUE(spin_until([&] { return straight && info; }));
  EXPECT_EQ(straight->width, 64u);
  EXPECT_EQ(info->k[0], 57.0);
  EXPECT_EQ(info->d[0], -0.1);
}

TEST_F(Camera, AFolderThatIsNotRepeatedEnds) {
  for (const char* name : {"a.png", "b.png"})
    ASSERT_TRUE(cv::imwrite((folder_.path() / name).string(), cv::Mat(48, 64, CV_8UC3, cv::Scalar(10, 20, 30))));
  start({{"source", folder_.path().string()}, {"repeat", false}, {"rate", 5.0}});
  ASSERT_TRUE(says("has ended"));
  const int shown = images_;
  EXPECT_LE(shown, 2);
  health_.clear();
  ASSERT_TRUE(says("has ended"));
  EXPECT_EQ(images_, shown);
}

TEST_F(Camera, ShowsThePicturesOfABag) {
  const std::string file = (folder_.path() / "game.db3").string();
  {
    hl_testing::BagWriter bag(file);
    Image picture;
    picture.encoding = "rgb8";
    picture.width = 4;
    picture.height = 2;
    picture.step = 12;
    picture.data.assign(24, 7);
    bag.write("camera/image_rect", picture, 0.5);
    for (int n = 0; n < 3; ++n) {
      picture.data.assign(n == 1 ? 5 : 24, static_cast<std::uint8_t>(10 * (n + 1)));  // the second one is torn
      bag.write("camera/image_raw", picture, 1.0 + n);
    }
  }
  const auto bag = PictureSource::open(folder_.path().string(), {});
  cv::Mat bgr;
  for (int round = 0; round < 2; ++round) {
    ASSERT_FALSE(bag->read(bgr));
    EXPECT_EQ(bgr.size(), cv::Size(4, 2));
    EXPECT_EQ(bgr.at<cv::Vec3b>(0, 0)[0], 10);
    EXPECT_THAT(bag->read(bgr).value_or(""), testing::HasSubstr("bytes"));
    ASSERT_FALSE(bag->read(bgr));
    EXPECT_EQ(bgr.at<cv::Vec3b>(0, 0)[0], 30);
  }
  PictureSource::Settings once;
  once.repeat = false;
  const auto short_bag = PictureSource::open(file, once);
  for (int n = 0; n < 3; ++n) short_bag->read(bgr);
  EXPECT_THAT(short_bag->read(bgr).value_or(""), testing::HasSubstr("has ended"));
  start({{"source", file}});
  EXPECT_TRUE(new_picture());
}

TEST_F(Camera, ABagWithoutPicturesOrThatIsNoneIsNamed) {
  const std::string file = (folder_.path() / "game.db3").string();
  cv::Mat bgr;
  { hl_testing::BagWriter bag(file); }
  EXPECT_THAT(PictureSource::open(file, {})->read(bgr).value_or(""), testing::HasSubstr("holds no"));
  std::ofstream(file) << "no bag";
  EXPECT_THAT(PictureSource::open(file, {})->read(bgr).value_or(""), testing::HasSubstr("game.db3"));
}

TEST(Devices, WhatIsNoCameraIsNamed) {
  try {
    PictureSource::open("/dev/null", {});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/dev/null: is no camera"));
  }
}

TEST(Devices, ThePictureIsAsOldAsItsDriversStampSays) {
  EXPECT_NEAR(age_of_picture(5000.0, 5.04), 0.04, 1e-9);
  EXPECT_EQ(age_of_picture(5000.0, 4.9), 0.0) << "from the future";
  EXPECT_EQ(age_of_picture(0.0, 500.0), 0.0) << "no stamp";
  EXPECT_EQ(age_of_picture(1.7e12, 500.0), 0.0) << "of another clock";
}

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return hl_testing::run_ros_tests(argc, argv);
}
