// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <mutex>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <thread>

#include "hl_node/contract.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "hl_vision/exposure_control.hpp"
#include "hl_vision/picture_source.hpp"
#include "nodes.hpp"
#include "parameters.hpp"

namespace hl_vision {

/// Pictures of a device, a video file, a bag or a folder, with their CameraInfo.
class CameraNode : public rclcpp::Node {
 public:
  explicit CameraNode(const rclcpp::NodeOptions& options) : CameraNode(options, PictureSource::open) {}
  CameraNode(const rclcpp::NodeOptions& options, OpenPictures open_pictures)
      : Node("camera", options),
        open_pictures_(std::move(open_pictures)),
        parameters_(*this, camera_parameters()),
        diagnostics_(*this, "camera"),
        control_(parameters_.values().control) {
    namespace topics = hl_node::topics;
    const CameraNodeParams& p = parameters_.values();
    settings_ = settings_of(p);
    if (!p.calibration_file.empty()) {
      lens_ = calibration_from_file(p.calibration_file);
      info_ = hl_node::create_publisher<sensor_msgs::msg::CameraInfo>(*this, topics::kCameraCameraInfo);
    }
    parameters_.on_change([this](const CameraNodeParams& params) {
      const std::lock_guard<std::mutex> lock(mutex_);
      const double controlled = settings_.exposure;
      settings_ = settings_of(params);
      if (params.control.on && control_.params().on) settings_.exposure = controlled;
      control_.set_params(params.control);
      settings_changed_ = true;
    });
    image_ = hl_node::create_publisher<sensor_msgs::msg::Image>(*this, topics::kCameraImageRaw);
    rectified_ = hl_node::create_publisher<sensor_msgs::msg::Image>(*this, topics::kCameraImageRect);
    open();
    // A device gives the pace and blocks; files are read in the node's time.
    if (is_device(p.source)) {
      thread_ = std::thread([this] { run(); });
    } else {
      timer_ =
          rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / p.rate), [this] { next(); });
    }
    report_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { report(); });
  }

  ~CameraNode() override {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  static bool is_device(const std::string& source) { return source.rfind("/dev/", 0) == 0; }
  static PictureSource::Settings settings_of(const CameraNodeParams& p) {
    return {p.width, p.height, p.rate, p.exposure, p.gain, p.white_balance, p.repeat};
  }

  bool open() {
    PictureSource::Settings settings;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      settings = settings_;
    }
    try {
      source_ = open_pictures_(parameters_.values().source, settings);
      return true;
    } catch (const std::exception& error) {
      fail(error.what());
      return false;
    }
  }

  void fail(const std::string& reason) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (reason != fault_) RCLCPP_WARN(get_logger(), "%s", reason.c_str());
    fault_ = reason;
  }

  /// The device's thread: a camera that went away is looked for once a second.
  void run() {
    while (!stop_) {
      if (next()) continue;
      source_.reset();
      for (int n = 0; n < 10 && !stop_; ++n) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  /// Whether there was a picture.
  bool next() {
    if (!source_ && !open()) return false;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (settings_changed_) source_->apply(settings_);
      settings_changed_ = false;
    }
    cv::Mat bgr;
    if (const auto error = source_->read(bgr)) {
      fail(*error);
      return false;
    }
    const rclcpp::Time stamp = now() - rclcpp::Duration::from_seconds(source_->age());
    publish(bgr, stamp);
    const std::lock_guard<std::mutex> lock(mutex_);
    control_exposure(bgr, stamp.seconds());
    fault_.clear();
    ++pictures_;
    return true;
  }

  void control_exposure(const cv::Mat& bgr, double now) {
    if (!control_.params().on || !source_->device()) return;
    if (settings_.exposure <= 0.0) settings_.exposure = source_->exposure();
    const auto next = control_.step({bgr, settings_.exposure}, now);
    if (!next) return;
    settings_.exposure = *next;
    settings_changed_ = true;
  }

  sensor_msgs::msg::Image::UniquePtr message(const cv::Mat& bgr, const rclcpp::Time& stamp) const {
    auto m = std::make_unique<sensor_msgs::msg::Image>();
    m->header.stamp = stamp;
    m->header.frame_id = parameters_.values().frame;
    m->encoding = "bgr8";
    m->width = static_cast<std::uint32_t>(bgr.cols);
    m->height = static_cast<std::uint32_t>(bgr.rows);
    m->step = 3 * m->width;
    m->data.resize(static_cast<std::size_t>(m->step) * m->height);
    cv::Mat to(bgr.rows, bgr.cols, CV_8UC3, m->data.data());
    bgr.copyTo(to);
    return m;
  }

  void publish(const cv::Mat& bgr, const rclcpp::Time& stamp) {
    if (lens_) {
      auto info = std::make_unique<sensor_msgs::msg::CameraInfo>();
      info->header.stamp = stamp;
      info->header.frame_id = parameters_.values().frame;
      info->width = static_cast<std::uint32_t>(lens_->width);
      info->height = static_cast<std::uint32_t>(lens_->height);
      info->distortion_model = "plumb_bob";
      info->d.assign(lens_->distortion.begin(), lens_->distortion.end());
      info->k = {lens_->fx, 0.0, lens_->cx, 0.0, lens_->fy, lens_->cy, 0.0, 0.0, 1.0};
      info->r = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
      info->p = {lens_->fx, 0.0, lens_->cx, 0.0, 0.0, lens_->fy, lens_->cy, 0.0, 0.0, 0.0, 1.0, 0.0};
      info_->publish(std::move(info));
    }
    image_->publish(message(bgr, stamp));
    if (lens_ && rectified_->get_subscription_count() > 0 && bgr.cols == lens_->width && bgr.rows == lens_->height) {
      const cv::Matx33d k(lens_->fx, 0.0, lens_->cx, 0.0, lens_->fy, lens_->cy, 0.0, 0.0, 1.0);
      cv::Mat straight;
      cv::undistort(bgr, straight, k, lens_->distortion);
      rectified_->publish(message(straight, stamp));
    }
  }

  void report() {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool fine = fault_.empty() && pictures_ > 0;
    std::string text = fine ? "gives pictures" : fault_.empty() ? "no picture in the last second" : fault_;
    if (fine && !lens_) text = "gives pictures, but there is no calibration_file: distances will not be told";
    diagnostics_.report(fine && lens_ ? hl_node::Level::Ok
                        : fine        ? hl_node::Level::Warn
                                      : hl_node::Level::Error,
                        text,
                        {{"rate (Hz)", std::to_string(pictures_)},
                         {"exposure", std::to_string(settings_.exposure)},
                         {"source", parameters_.values().source}});
    pictures_ = 0;
  }

  OpenPictures open_pictures_;
  hl_node::NodeParameters<CameraNodeParams> parameters_;
  hl_node::Diagnostics diagnostics_;
  std::optional<Lens> lens_;
  std::unique_ptr<PictureSource> source_;
  std::mutex mutex_;  // between the device's thread and the node's callbacks: what follows
  PictureSource::Settings settings_;
  ExposureControl control_;
  bool settings_changed_ = false;
  std::string fault_;
  int pictures_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
  rclcpp::Publisher<sensor_msgs::msg::CameraInfo>::SharedPtr info_;
  rclcpp::Publisher<sensor_msgs::msg::Image>::SharedPtr image_, rectified_;
  rclcpp::TimerBase::SharedPtr timer_, report_timer_;
};

std::shared_ptr<rclcpp::Node> make_camera_node(const rclcpp::NodeOptions& options, const OpenPictures& open) {
  return std::make_shared<CameraNode>(options, open);
}

}  // namespace hl_vision

RCLCPP_COMPONENTS_REGISTER_NODE(hl_vision::CameraNode)
