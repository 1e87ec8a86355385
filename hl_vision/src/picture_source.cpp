// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/picture_source.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace hl_vision {
namespace {

namespace fs = std::filesystem;

constexpr double kManualExposure = 1.0, kAutomaticExposure = 3.0;  // V4L2's numbers

class Capture : public PictureSource {
 public:
  Capture(const std::string& source, bool is_device, const Settings& settings)
      : name_(source), device_(is_device), repeat_(settings.repeat) {
    if (!capture_.open(source, is_device ? cv::CAP_V4L2 : cv::CAP_ANY)) {
      throw std::runtime_error(name_ + (is_device
                                            ? ": cannot be opened; does another program use it, may this user read it?"
                                            : ": is no video that can be read"));
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
  if (fs::is_directory(source, error)) return std::make_unique<Folder>(source, settings);
  return std::make_unique<Capture>(source, fs::is_character_file(source, error), settings);
}

Lens calibration_from_text(const std::string& yaml, const std::string& file_name) {
  Lens lens;
  try {
    const YAML::Node root = YAML::Load(yaml);
    lens.width = root["image_width"].as<int>();
    lens.height = root["image_height"].as<int>();
    const auto k = root["camera_matrix"]["data"].as<std::vector<double>>();
    if (k.size() != 9) throw std::runtime_error("camera_matrix.data needs nine numbers");
    lens.fx = k[0];
    lens.cx = k[2];
    lens.fy = k[4];
    lens.cy = k[5];
    if (const YAML::Node model = root["distortion_model"]; model && model.as<std::string>() != "plumb_bob")
      throw std::runtime_error("distortion_model '" + model.as<std::string>() + "' is not plumb_bob");
    if (const YAML::Node d = root["distortion_coefficients"]) {
      const auto values = d["data"].as<std::vector<double>>();
      std::copy_n(values.begin(), std::min<std::size_t>(5, values.size()), lens.distortion.begin());
    }
  } catch (const std::exception& error) {
    throw std::runtime_error(file_name + ": " + error.what());
  }
  if (const auto error = lens.validate()) throw std::runtime_error(file_name + ": " + *error);
  return lens;
}

Lens calibration_from_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return calibration_from_text(text.str(), path);
}

}  // namespace hl_vision
