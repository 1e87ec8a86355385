// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/film.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/videoio.hpp>
#include <stdexcept>

namespace hl_simulation {
namespace {

/// A view on the pixels; no copy.
cv::Mat as_mat(const Image& image) {
  return cv::Mat(image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data()));
}

cv::Mat to_bgr(const Image& image) {
  cv::Mat bgr;
  cv::cvtColor(as_mat(image), bgr, cv::COLOR_RGB2BGR);
  return bgr;
}

}  // namespace

void write_png(const std::string& path, const Image& image) {
  bool written = false;
  try {
    written = cv::imwrite(path, to_bgr(image));
  } catch (const cv::Exception&) {
  }
  if (!written) throw std::runtime_error(path + ": picture cannot be written; check directory and file ending");
}

void FilmStrip::add(const Image& image, const std::string& caption) {
  if (!frames_.empty() && (image.width != frames_[0].width || image.height != frames_[0].height)) {
    throw std::runtime_error("all pictures of a film strip must have the same size");
  }
  frames_.push_back(image);
  if (caption.empty()) return;
  cv::Mat mat = as_mat(frames_.back());
  const double scale = std::max(0.4, image.height / 480.0 * 0.7);
  cv::putText(mat, caption, {8, static_cast<int>(26 * scale) + 4}, cv::FONT_HERSHEY_SIMPLEX, scale, {0, 0, 0}, 3,
              cv::LINE_AA);
  cv::putText(mat, caption, {8, static_cast<int>(26 * scale) + 4}, cv::FONT_HERSHEY_SIMPLEX, scale, {255, 255, 255}, 1,
              cv::LINE_AA);
}

Image FilmStrip::assemble() const {
  if (frames_.empty()) throw std::runtime_error("the film strip is empty");
  const int columns = std::min<int>(columns_, static_cast<int>(frames_.size()));
  const int rows = (static_cast<int>(frames_.size()) + columns - 1) / columns;
  const int w = frames_[0].width, h = frames_[0].height;
  Image strip{w * columns, h * rows, {}};
  strip.rgb.assign(3 * static_cast<std::size_t>(strip.width) * strip.height, 255);
  cv::Mat target = as_mat(strip);
  for (std::size_t n = 0; n < frames_.size(); ++n) {
    const int column = static_cast<int>(n) % columns, row = static_cast<int>(n) / columns;
    as_mat(frames_[n]).copyTo(target(cv::Rect(column * w, row * h, w, h)));
  }
  return strip;
}

namespace {

Renderer::Params fine(const StripFilm::Params& params) {
  Renderer::Params quality;
  quality.width = params.width;
  quality.height = params.height;
  quality.shadows = true;
  quality.samples = 4;
  return quality;
}

}  // namespace

StripFilm::StripFilm(const WorldSpec& world, const Params& params, Aim aim)
    : params_(params),
      aim_(std::move(aim)),
      renderer_(world, fine(params)),
      strip_(params.columns),
      next_(params.begin) {}

void StripFilm::look(const Simulation& simulation) {
  if (simulation.time() < next_) return;
  next_ += params_.interval;
  renderer_.update(simulation);
  Image image;
  renderer_.spectator(aim_(simulation.robot()), params_.width, params_.height, image);
  char caption[16];
  std::snprintf(caption, sizeof caption, "%.2f s", simulation.time());
  strip_.add(image, caption);
}

struct VideoFile::Impl {
  cv::VideoWriter writer;
  int width = 0, height = 0;
};

VideoFile::VideoFile(const std::string& path, int width, int height, double frames_per_second)
    : impl_(std::make_unique<Impl>()) {
  impl_->width = width;
  impl_->height = height;
  const bool avi = path.size() > 4 && path.substr(path.size() - 4) == ".avi";
  const int codec = avi ? cv::VideoWriter::fourcc('M', 'J', 'P', 'G') : cv::VideoWriter::fourcc('m', 'p', '4', 'v');
  if (!impl_->writer.open(path, codec, frames_per_second, cv::Size(width, height))) {
    throw std::runtime_error(path + ": no video encoder for it; use .mp4 or .avi in a directory that exists");
  }
}

VideoFile::~VideoFile() = default;

void VideoFile::add(const Image& image) {
  if (image.width != impl_->width || image.height != impl_->height)
    throw std::runtime_error("picture size differs from the video's");
  impl_->writer.write(to_bgr(image));
}

void Spectator::turn(double azimuth, double elevation) {
  view_.azimuth = std::remainder(view_.azimuth + azimuth, 360.0);
  view_.elevation = std::clamp(view_.elevation + elevation, -89.0, -1.0);
}

void Spectator::approach(double factor) {
  view_.distance = std::clamp(view_.distance * factor, 0.3, 30.0);
}

View Spectator::follow(const Simulation& simulation, double interval) {
  const bool ball = robot_ < 0 && simulation.world().with_ball;
  Eigen::Vector3d target = view_.target;
  if (ball) {
    target.head<2>() = simulation.ball_position().head<2>();
  } else if (simulation.robot_count() > 0) {
    const std::size_t index = std::min<std::size_t>(std::max(robot_, 0), simulation.robot_count() - 1);
    target.head<2>() = simulation.robot(index).pose().translation().head<2>();
  }
  constexpr double kFollowTime = 0.5;  // s
  const double share = started_ ? 1.0 - std::exp(-interval / kFollowTime) : 1.0;
  started_ = true;
  view_.target += share * (target - view_.target);
  return view_;
}

}  // namespace hl_simulation
