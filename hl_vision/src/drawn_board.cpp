// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/drawn_board.hpp"

#include <cmath>
#include <opencv2/imgproc.hpp>
#include <random>

namespace hl_vision {

cv::Mat draw_board(const Lens& lens, const Eigen::Isometry3d& camera_from_board,
                   const IntrinsicsCalibration::Params& board, unsigned seed) {
  constexpr int kFine = 2;  // samples of a pixel, per direction
  cv::Mat picture(lens.height, lens.width, CV_8UC1);
  const CameraView view(lens, Eigen::Isometry3d::Identity());
  const Eigen::Isometry3d board_from_camera = camera_from_board.inverse();
  const Eigen::Vector3d eye = board_from_camera.translation();
  for (int y = 0; y < lens.height; ++y) {
    for (int x = 0; x < lens.width; ++x) {
      double light = 0.0;
      for (int n = 0; n < kFine * kFine; ++n) {
        // A pixel's centre has whole coordinates, as OpenCV counts.
        const cv::Point2d at(x + (n % kFine + 0.5) / kFine - 0.5, y + (n / kFine + 0.5) / kFine - 0.5);
        const Eigen::Vector3d ray = board_from_camera.linear() * view.ray(at);
        const Eigen::Vector3d hit = eye - ray * (eye.z() / ray.z());
        const double column = hit.x() / board.square + 1.0, row = hit.y() / board.square + 1.0;
        if (column < -0.7 || row < -0.7 || column > board.columns + 1.7 || row > board.rows + 1.7) {
          light += 90.0;  // the hall
        } else if (column < 0.0 || row < 0.0 || column > board.columns + 1 || row > board.rows + 1) {
          light += 225.0;  // the paper's margin
        } else {
          light += (static_cast<int>(column) + static_cast<int>(row)) % 2 ? 225.0 : 30.0;
        }
      }
      picture.at<std::uint8_t>(y, x) = cv::saturate_cast<std::uint8_t>(light / (kFine * kFine));
    }
  }
  cv::GaussianBlur(picture, picture, {0, 0}, 0.7);
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0.0, 3.0);
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      auto& p = picture.at<std::uint8_t>(y, x);
      p = cv::saturate_cast<std::uint8_t>(p + noise(random));
    }
  }
  return picture;
}

Eigen::Isometry3d hold_board(const Lens& lens, const IntrinsicsCalibration::Params& board, unsigned seed) {
  std::mt19937 random(seed * 2654435761u + 1u);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double width = board.square * (board.columns + 1);
  const double away = lens.fx * width / (uniform(0.3, 0.6) * lens.width);  // m
  const cv::Point2d middle(uniform(0.22, 0.78) * lens.width, uniform(0.25, 0.75) * lens.height);
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = (Eigen::AngleAxisd(uniform(-0.2, 0.2), Eigen::Vector3d::UnitZ()) *
                   Eigen::AngleAxisd(uniform(-0.6, 0.6), Eigen::Vector3d::UnitY()) *
                   Eigen::AngleAxisd(uniform(-0.6, 0.6), Eigen::Vector3d::UnitX()))
                      .toRotationMatrix();
  const Eigen::Vector3d centre(0.5 * board.square * (board.columns - 1), 0.5 * board.square * (board.rows - 1), 0.0);
  const Eigen::Vector3d at((middle.x - lens.cx) / lens.fx * away, (middle.y - lens.cy) / lens.fy * away, away);
  pose.translation() = at - pose.linear() * centre;
  return pose;
}

}  // namespace hl_vision
