// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/picture_source.hpp"

#include <fcntl.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <hl_description/yaml_reader.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>
#include <stdexcept>
#include <vector>

#include "bag_source.hpp"

namespace hl_vision {
namespace {

namespace fs = std::filesystem;

constexpr double kManualExposure = 1.0, kAutomaticExposure = 3.0;  // V4L2's numbers

/// Why a device cannot be opened, or gives no pictures.
std::string trouble_with(const std::string& device) {
  const int file = ::open(device.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    if (errno == EACCES) return device + ": this user may not read it; add the user to the group video";
    if (errno == EBUSY) return device + ": another program uses it";
    return device + ": cannot be opened; was it unplugged?";
  }
  v4l2_capability can{};
  const bool camera = ::ioctl(file, VIDIOC_QUERYCAP, &can) == 0 && (can.capabilities & V4L2_CAP_VIDEO_CAPTURE) != 0;
  v4l2_requestbuffers buffers{};
  buffers.count = 1;
  buffers.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  buffers.memory = V4L2_MEMORY_MMAP;
  const bool busy = camera && ::ioctl(file, VIDIOC_REQBUFS, &buffers) != 0 && errno == EBUSY;
  ::close(file);
  if (!camera) return device + ": is no camera";
  if (busy) return device + ": another program uses it";
  return device + ": gives no format that can be read";
}

class Capture : public PictureSource {
 public:
  Capture(const std::string& source, bool is_device, const Settings& settings)
      : name_(source), device_(is_device), repeat_(settings.repeat) {
    if (!capture_.open(source, is_device ? cv::CAP_V4L2 : cv::CAP_ANY)) {
      throw std::runtime_error(is_device ? trouble_with(name_) : name_ + ": is no video that can be read");
    }
    if (device_) {
      capture_.set(cv::CAP_PROP_FRAME_WIDTH, settings.width);
      capture_.set(cv::CAP_PROP_FRAME_HEIGHT, settings.height);
      capture_.set(cv::CAP_PROP_FPS, settings.rate);
      capture_.set(cv::CAP_PROP_BUFFERSIZE, 1);
      const int width = static_cast<int>(capture_.get(cv::CAP_PROP_FRAME_WIDTH)),
                height = static_cast<int>(capture_.get(cv::CAP_PROP_FRAME_HEIGHT));
      if (width != settings.width || height != settings.height) {
        throw std::runtime_error(name_ + ": gives " + std::to_string(width) + " x " + std::to_string(height) +
                                 ", not " + std::to_string(settings.width) + " x " + std::to_string(settings.height) +
                                 "; set width and height to what it can");
      }
      apply(settings);
    }
  }
  bool device() const override { return device_; }
  std::optional<std::string> read(cv::Mat& bgr) override {
    if (capture_.read(bgr) && !bgr.empty()) return std::nullopt;
    if (device_) return name_ + ": gives no pictures any more; is it unplugged?";
    if (repeat_ && capture_.set(cv::CAP_PROP_POS_FRAMES, 0) && capture_.read(bgr) && !bgr.empty()) return std::nullopt;
    return name_ + ": has ended";
  }
  double exposure() const override { return device_ ? capture_.get(cv::CAP_PROP_EXPOSURE) : 0.0; }
  double age() const override {
    if (!device_) return 0.0;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return age_of_picture(capture_.get(cv::CAP_PROP_POS_MSEC), std::chrono::duration<double>(now).count());
  }
  void apply(const Settings& settings) override {
    if (!device_) return;
    capture_.set(cv::CAP_PROP_AUTO_EXPOSURE, settings.exposure >= 0.0 ? kManualExposure : kAutomaticExposure);
    if (settings.exposure >= 0.0) capture_.set(cv::CAP_PROP_EXPOSURE, settings.exposure);
    if (settings.gain >= 0.0) capture_.set(cv::CAP_PROP_GAIN, settings.gain);
    capture_.set(cv::CAP_PROP_AUTO_WB, settings.white_balance >= 0.0 ? 0.0 : 1.0);
    if (settings.white_balance >= 0.0) capture_.set(cv::CAP_PROP_WB_TEMPERATURE, settings.white_balance);
  }

 private:
  std::string name_;
  bool device_, repeat_;
  cv::VideoCapture capture_;
};

class Folder : public PictureSource {
 public:
  Folder(const std::string& folder, const Settings& settings) : name_(folder), repeat_(settings.repeat) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string end = entry.path().extension().string();
      if (end == ".png" || end == ".jpg" || end == ".jpeg" || end == ".bmp") files_.push_back(entry.path().string());
    }
    std::sort(files_.begin(), files_.end());
    if (files_.empty()) throw std::runtime_error(name_ + ": holds no .png, .jpg or .bmp");
  }
  bool device() const override { return false; }
  std::optional<std::string> read(cv::Mat& bgr) override {
    if (next_ >= files_.size()) {
      if (!repeat_) return name_ + ": has ended";
      next_ = 0;
    }
    const std::string& file = files_[next_++];
    bgr = cv::imread(file, cv::IMREAD_COLOR);
    if (bgr.empty()) return file + ": is no picture that can be read";
    return std::nullopt;
  }
  void apply(const Settings& /*settings*/) override {}
  double exposure() const override { return 0.0; }

 private:
  std::string name_;
  bool repeat_;
  std::vector<std::string> files_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<PictureSource> PictureSource::open(const std::string& source, const Settings& settings) {
  std::error_code error;
  if (!fs::exists(source, error)) {
    throw std::runtime_error(source + ": does not exist" +
                             (source.rfind("/dev/", 0) == 0 ? "; is the camera plugged in?" : ""));
  }
  if (is_bag(source)) return open_bag(source, settings);
  if (fs::is_directory(source, error)) return std::make_unique<Folder>(source, settings);
  return std::make_unique<Capture>(source, fs::is_character_file(source, error), settings);
}

double age_of_picture(double stamp_ms, double monotonic_now) {
  constexpr double kOldest = 1.0;  // s
  const double age = monotonic_now - 1e-3 * stamp_ms;
  return age >= 0.0 && age < kOldest ? age : 0.0;
}

Lens calibration_from_text(const std::string& yaml, const std::string& file_name) {
  constexpr int kMostPixels = 100000;
  const auto root = hl_description::YamlReader::from_text(yaml, file_name);
  Lens lens;
  lens.width = root["image_width"].integer_in(1, kMostPixels);
  lens.height = root["image_height"].integer_in(1, kMostPixels);
  const auto k = root["camera_matrix"]["data"].items(9);
  lens.fx = k[0].number();
  lens.cx = k[2].number();
  lens.fy = k[4].number();
  lens.cy = k[5].number();
  if (root.text("distortion_model", "plumb_bob") != "plumb_bob") root["distortion_model"].refuse("must be plumb_bob");
  if (root.has("distortion_coefficients")) {
    const auto d = root["distortion_coefficients"]["data"].items();
    for (std::size_t n = 0; n < std::min(lens.distortion.size(), d.size()); ++n) lens.distortion[n] = d[n].number();
  }
  if (const auto error = lens.validate()) throw std::runtime_error(file_name + ": " + *error);
  return lens;
}

Lens calibration_from_file(const std::string& path) {
  return calibration_from_text(hl_description::YamlReader::read_file(path), path);
}

}  // namespace hl_vision
