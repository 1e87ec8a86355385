// SPDX-License-Identifier: Apache-2.0
// Finds the camera's own numbers (chess board) and how it is mounted (field lines); tells what is still missing.
#include <tf2_ros/transform_listener.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sstream>
#include <stdexcept>

#include "hl_node/interfaces.hpp"
#include "hl_vision/detection.hpp"
#include "hl_vision/intrinsics.hpp"
#include "hl_vision/mounting.hpp"
#include "hl_vision/picture_source.hpp"
#include "image_message.hpp"
#include "mounted_camera.hpp"

namespace {

using namespace hl_vision;

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

struct IntrinsicsOrder {
  std::string source = "/dev/video0", out = "camera.yaml", coverage = "coverage.png", name = "camera";
  IntrinsicsCalibration::Params board;
  int most_pictures = 2000;
};

int intrinsics(const IntrinsicsOrder& order) {
  if (const auto bad = order.board.validate()) throw std::runtime_error(*bad);
  PictureSource::Settings settings;
  settings.repeat = false;
  const auto source = PictureSource::open(order.source, settings);
  IntrinsicsCalibration calibration(order.board);
  cv::Mat picture;
  std::string said;
  for (int n = 0; n < order.most_pictures && !calibration.missing().empty(); ++n) {
    if (const auto error = source->read(picture)) {
      std::printf("%s\n", error->c_str());
      break;
    }
    const auto look = calibration.look(picture);
    if (look.taken) cv::imwrite(order.coverage, calibration.coverage());
    const std::string words = (look.taken ? "taken; " : look.board ? "like one before; " : "") + look.advice;
    if (words != said) std::printf("%3zu pictures: %s\n", calibration.pictures(), words.c_str());
    std::fflush(stdout);
    said = words;
  }
  const auto result = calibration.solve();
  std::printf("focal length %.2f (+- %.2f), %.2f (+- %.2f) px; centre %.2f, %.2f px; reprojection %.3f px\n",
              result.lens.fx, result.deviation[0], result.lens.fy, result.deviation[1], result.lens.cx, result.lens.cy,
              result.error);
  if (!result.reason.empty()) {
    std::printf("not written: %s\n", result.reason.c_str());
    return 1;
  }
  write_text(order.out, calibration_text(result.lens, order.name));
  std::printf("written to %s; what was seen where is drawn in %s\n", order.out.c_str(), order.coverage.c_str());
  return 0;
}

struct MountingOrder {
  std::string robot_config, out, picture = "mounting.png", field_file, field_preset;
  std::vector<double> pose, guess;
  double seconds = 120.0;
};

/// The field's lines as a camera would show them.
void draw_field(const CameraView& view, const hl_description::Field& field, const cv::Scalar& colour,
                cv::Mat& picture) {
  for (const auto& line : field.lines()) {
    const double length = (line.to - line.from).norm();
    for (double at = 0.0; at < length; at += 0.05) {
      const auto a = view.project(Eigen::Vector2d(line.from + (line.to - line.from) * at / length)),
                 b = view.project(
                     Eigen::Vector2d(line.from + (line.to - line.from) * std::min(1.0, (at + 0.05) / length)));
      if (a && b && view.contains(*a) && view.contains(*b)) cv::line(picture, *a, *b, colour, 1, cv::LINE_AA);
    }
  }
}

/// Collects pictures of a robot that stands still and moves its head.
class MountingNode : public rclcpp::Node {
 public:
  MountingNode(const hl_description::Field& field, double seconds)
      : Node("calibrate_mounting"),
        detection_(lines_only(), field, {}),
        buffer_(get_clock()),
        listener_(buffer_, this, false),
        camera_(""),
        until_(now().seconds() + seconds) {
    info_ = hl_node::create_subscription<sensor_msgs::msg::CameraInfo>(
        *this, hl_node::topics::kCameraCameraInfo, [this](const sensor_msgs::msg::CameraInfo::ConstSharedPtr& info) {
          Lens lens;
          if (!to_lens(*info, lens)) lens_ = lens;
        });
    image_ = hl_node::create_subscription<sensor_msgs::msg::Image>(
        *this, hl_node::topics::kCameraImageRaw,
        [this](const sensor_msgs::msg::Image::ConstSharedPtr& image) { on_image(*image); });
  }

  bool finished() const { return MountingCalibration::missing(frames_).empty() || now().seconds() > until_; }
  const std::vector<MountingCalibration::Frame>& frames() const { return frames_; }
  const cv::Mat& picture(std::size_t n) const { return pictures_[n]; }
  std::string state() const {
    const std::string missing = MountingCalibration::missing(frames_);
    return std::to_string(frames_.size()) + " pictures; " + (missing.empty() ? "enough" : "look still: " + missing) +
           (reason_.empty() ? "" : " (" + reason_ + ")");
  }

 private:
  static Detection::Params lines_only() {
    Detection::Params params;
    params.posts = params.obstacles = false;
    return params;
  }

  void on_image(const sensor_msgs::msg::Image& image) {
    cv::Mat bgr;
    if (auto error = to_bgr(image, bgr)) {
      reason_ = *error;
      return;
    }
    const auto parts = camera_.parts_at(buffer_, image.header, 0.1);
    if (!lens_ || !parts) {
      reason_ =
          lens_ ? "no transform from base_footprint over base_link to " + image.header.frame_id : "no camera_info";
      return;
    }
    reason_.clear();
    // The same look again tells nothing new, and a moving head tells something wrong.
    const Eigen::Vector3d axis = parts->base_from_camera.linear().col(2);
    const bool moving = (axis - last_axis_).norm() > 0.01;
    last_axis_ = axis;
    if (moving) return;
    for (const auto& frame : frames_) {
      if ((frame.base_from_camera.linear().col(2) - axis).norm() < 0.08) return;
    }
    MountingCalibration::Frame frame;
    frame.lens = *lens_;
    frame.footprint_from_base = parts->footprint_from_base;
    frame.base_from_camera = parts->base_from_camera;
    const CameraView view(*lens_, frame.footprint_from_base * frame.base_from_camera);
    frame.line_points = detection_.step({bgr, view, {}}, 0.0).line_points;
    if (frame.line_points.size() < 8) {
      reason_ = "too few line points here";
      return;
    }
    frames_.push_back(std::move(frame));
    pictures_.push_back(bgr.clone());
  }

  Detection detection_;
  tf2_ros::Buffer buffer_;
  tf2_ros::TransformListener listener_;
  MountedCamera camera_;
  double until_;
  std::optional<Lens> lens_;
  Eigen::Vector3d last_axis_ = Eigen::Vector3d::Zero();
  std::vector<MountingCalibration::Frame> frames_;
  std::vector<cv::Mat> pictures_;
  std::string reason_;
  rclcpp::Subscription<sensor_msgs::msg::CameraInfo>::SharedPtr info_;
  rclcpp::Subscription<sensor_msgs::msg::Image>::SharedPtr image_;
};

int mounting(const MountingOrder& order) {
  const std::string yaml = read_text(order.robot_config);
  const bool known = !order.pose.empty();
  const std::vector<double>& at = known ? order.pose : order.guess;
  if (at.size() != 3) throw std::runtime_error("tell where the robot stands: --pose X Y YAW, or --guess X Y YAW");
  const auto field = order.field_file.empty() ? hl_description::Field()
                                              : hl_description::Field::from_file(order.field_file, order.field_preset);
  const auto node = std::make_shared<MountingNode>(field, order.seconds);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::string said;
  while (rclcpp::ok() && !node->finished()) {
    executor.spin_once(std::chrono::milliseconds(200));
    if (const std::string words = node->state(); words != said) {
      std::printf("%s\n", words.c_str());
      std::fflush(stdout);
      said = words;
    }
  }
  const MountingCalibration::Pose pose{{at[0], at[1], at[2]}, known};
  const auto result = MountingCalibration({}, field).solve(node->frames(), {pose});
  const std::array<const char*, Mounting::kParameters> names{
      "offset x (mm)",  "offset y (mm)",      "offset z (mm)",       "pitch (degrees)",     "yaw (degrees)",
      "roll (degrees)", "pan zero (degrees)", "body roll (degrees)", "body pitch (degrees)"};
  for (int n = 0; n < Mounting::kParameters; ++n) {
    const double unit = n < 3 ? 1e3 : 180.0 / M_PI;
    if (n == 6 && !known) {
      std::printf("%-22s not found: looks like a turn of the robot, whose pose is not known\n", names[6]);
      continue;
    }
    std::printf("%-22s %8.3f +- %.3f\n", names[static_cast<std::size_t>(n)], unit * result.mounting.vector()[n],
                unit * result.deviation[n]);
  }
  std::printf("line points lie %.1f px from the field's lines, with the new mounting %.1f px\n", result.error_before,
              result.error_after);
  std::string reason = result.reason;
  if (const std::string missing = MountingCalibration::missing(node->frames()); !missing.empty())
    reason = "still missing: " + missing;
  if (!reason.empty()) {
    std::printf("not written: %s\n", reason.c_str());
    return 1;
  }
  // Before in red, after in green.
  cv::Mat picture = node->picture(0).clone();
  const auto& frame = node->frames()[0];
  const auto& robot = result.poses[0];
  Eigen::Isometry3d from_footprint = Eigen::Isometry3d::Identity();
  from_footprint.translate(Eigen::Vector3d(robot.x, robot.y, 0.0))
      .rotate(Eigen::AngleAxisd(robot.yaw, Eigen::Vector3d::UnitZ()));
  const auto view = [&](const Mounting& m) {
    return CameraView(frame.lens, from_footprint * m.apply(frame.footprint_from_base, frame.base_from_camera));
  };
  draw_field(view({}), field, cv::Scalar(40, 40, 230), picture);
  draw_field(view(result.mounting), field, cv::Scalar(60, 220, 60), picture);
  cv::imwrite(order.picture, picture);
  const std::string out = order.out.empty() ? order.robot_config : order.out;
  write_text(out, result.mounting.into_robot_text(yaml, result.deviation));
  std::printf("written to %s; lines before (red) and after (green) are drawn in %s\n", out.c_str(),
              order.picture.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = rclcpp::remove_ros_arguments(argc, argv);
  std::vector<const char*> plain;
  for (const auto& argument : arguments) plain.push_back(argument.c_str());
  CLI::App app("Calibrates a camera: its own numbers, or how it is mounted.");
  app.require_subcommand(1);
  IntrinsicsOrder lens;
  auto* of_lens = app.add_subcommand("intrinsics", "focal length, centre and distortion, from a chess board");
  of_lens->add_option("--source", lens.source, "device, video file or folder of pictures")->capture_default_str();
  of_lens->add_option("--columns", lens.board.columns, "inner corners in a row")->capture_default_str();
  of_lens->add_option("--rows", lens.board.rows, "inner corners in a column")->capture_default_str();
  of_lens->add_option("--square", lens.board.square, "edge of a square, m")->capture_default_str();
  of_lens->add_option("--pictures", lens.board.pictures, "different ones wanted")->capture_default_str();
  of_lens->add_option("--name", lens.name, "of the camera")->capture_default_str();
  of_lens->add_option("--out", lens.out, "calibration file in ROS's format")->capture_default_str();
  of_lens->add_option("--coverage", lens.coverage, "picture of what was seen where")->capture_default_str();
  MountingOrder order;
  auto* of_mounting = app.add_subcommand(
      "mounting", "how the camera sits, from field lines; the robot stands still and moves its head");
  of_mounting->add_option("--robot-config", order.robot_config, "robot.yaml that gets the result")->required();
  of_mounting->add_option("--out", order.out, "write the new robot.yaml here instead");
  auto* pose =
      of_mounting->add_option("--pose", order.pose, "where the robot stands, exactly: x y (m) yaw (rad)")->expected(3);
  of_mounting->add_option("--guess", order.guess, "about where it stands, within 0.3 m and 10 degrees")
      ->expected(3)
      ->excludes(pose);
  of_mounting->add_option("--seconds", order.seconds, "longest time to look around")->capture_default_str();
  of_mounting->add_option("--picture", order.picture, "lines before and after")->capture_default_str();
  of_mounting->add_option("--field", order.field_file, "field.yaml; empty: the rules of today");
  of_mounting->add_option("--field-preset", order.field_preset, "field of that file");
  try {
    app.parse(static_cast<int>(plain.size()), plain.data());
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  rclcpp::init(argc, argv);
  int result = 1;
  try {
    result = *of_lens ? intrinsics(lens) : mounting(order);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "calibrate: %s\n", error.what());
  }
  rclcpp::shutdown();
  return result;
}
