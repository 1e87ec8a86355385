// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/intrinsics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

namespace hl_vision {
namespace {

constexpr double kNew = 0.18;        // distance of shapes from which a picture shows something new
constexpr double kLeastSkew = 0.25;  // of a tilted board
constexpr int kGrid = 4;             // parts of the picture, per direction, that must have seen corners
constexpr int kTilted = 6;           // pictures of a tilted board that are wanted
constexpr double kGoodError = 0.6;   // px

}  // namespace

std::optional<std::string> IntrinsicsCalibration::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (columns < 3 || columns > 30) return bad("columns must be in 3..30", columns);
  if (rows < 3 || rows > 30) return bad("rows must be in 3..30", rows);
  if (columns == rows) return "a board with as many columns as rows can be held in four ways: take another";
  if (!(square > 0.0 && square < 1.0)) return bad("square (m) must be above 0 and below 1", square);
  if (pictures < 5 || pictures > 200) return bad("pictures must be in 5..200", pictures);
  return std::nullopt;
}

IntrinsicsCalibration::Shape IntrinsicsCalibration::shape(const std::vector<cv::Point2f>& corners) const {
  const auto at = [&](int row, int column) {
    return corners[static_cast<std::size_t>(row * params_.columns + column)];
  };
  const std::array<cv::Point2f, 4> outline{at(0, 0), at(0, params_.columns - 1),
                                           at(params_.rows - 1, params_.columns - 1), at(params_.rows - 1, 0)};
  std::array<double, 4> edges;
  double area = 0.0;
  for (std::size_t n = 0; n < 4; ++n) {
    const cv::Point2f a = outline[n], b = outline[(n + 1) % 4];
    edges[n] = std::max(1.0, static_cast<double>(std::hypot(a.x - b.x, a.y - b.y)));
    area += 0.5 * static_cast<double>(a.x * b.y - b.x * a.y);
  }
  const cv::Point2f middle = 0.25f * (outline[0] + outline[1] + outline[2] + outline[3]);
  Shape result{};
  result.x = middle.x / static_cast<float>(size_.width);
  result.y = middle.y / static_cast<float>(size_.height);
  result.size = std::sqrt(std::abs(area) / size_.area());
  // A tilted board is foreshortened (its proportions) and converges (opposite edges differ).
  const double proportions = static_cast<double>(params_.columns - 1) / (params_.rows - 1);
  const double foreshortened = std::abs(std::log((edges[0] + edges[2]) / (edges[1] + edges[3]) / proportions));
  const double converges = std::abs(std::log(edges[0] / edges[2])) + std::abs(std::log(edges[1] / edges[3]));
  result.skew = std::min(1.0, foreshortened + 2.0 * converges);
  return result;
}

IntrinsicsCalibration::Look IntrinsicsCalibration::look(const cv::Mat& bgr) {
  Look look;
  if (bgr.empty() || (bgr.type() != CV_8UC3 && bgr.type() != CV_8UC1)) {
    look.advice = "the picture cannot be used";
    return look;
  }
  if (!corners_.empty() && bgr.size() != size_) {
    look.advice = "the picture has another size than those before";
    return look;
  }
  size_ = bgr.size();
  cv::Mat grey;
  if (bgr.channels() == 3) {
    cv::cvtColor(bgr, grey, cv::COLOR_BGR2GRAY);
  } else {
    grey = bgr;
  }
  const cv::Size board(params_.columns, params_.rows);
  look.board = cv::findChessboardCorners(
      grey, board, look.corners, cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK);
  if (!look.board) {
    look.corners.clear();
    look.advice = "show the whole board, " + std::to_string(params_.columns) + " x " + std::to_string(params_.rows) +
                  " inner corners";
    return look;
  }
  // A window that does not reach the next corner.
  const double spacing = cv::norm(look.corners[0] - look.corners[1]);
  const int window = std::clamp(static_cast<int>(0.4 * spacing), 2, 11);
  cv::cornerSubPix(grey, look.corners, {window, window}, {-1, -1},
                   {cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 40, 0.005});
  const Shape now = shape(look.corners);
  look.taken = std::all_of(shapes_.begin(), shapes_.end(), [&](const Shape& s) {
    return std::abs(s.x - now.x) + std::abs(s.y - now.y) + std::abs(s.size - now.size) +
               0.5 * std::abs(s.skew - now.skew) >
           kNew;
  });
  if (look.taken) {
    shapes_.push_back(now);
    corners_.push_back(look.corners);
  }
  const std::string more = missing();
  look.advice = more.empty() ? "enough" : more;
  return look;
}

std::string IntrinsicsCalibration::missing() const {
  std::string words;
  const auto add = [&](const std::string& what) { words += (words.empty() ? "" : "; ") + what; };
  if (corners_.size() < static_cast<std::size_t>(params_.pictures))
    add(std::to_string(static_cast<std::size_t>(params_.pictures) - corners_.size()) + " more pictures");
  const auto tilted = std::count_if(shapes_.begin(), shapes_.end(), [](const Shape& s) { return s.skew > kLeastSkew; });
  if (tilted < kTilted) add("tilt the board (" + std::to_string(kTilted - tilted) + " times)");
  const std::array<const char*, 4> sides{"left", "right", "upper", "lower"};
  for (std::size_t n = 0; n < sides.size(); ++n) {
    bool seen = false;
    for (const auto& corners : corners_) {
      for (const auto& c : corners) {
        const double share = n < 2 ? c.x / static_cast<float>(size_.width) : c.y / static_cast<float>(size_.height);
        seen = seen || (n % 2 == 0 ? share < 1.0 / (2 * kGrid) : share > 1.0 - 1.0 / (2 * kGrid));
      }
    }
    if (!seen) add(std::string("bring it to the ") + sides[n] + " edge");
  }
  return words;
}

IntrinsicsCalibration::Result IntrinsicsCalibration::solve() const {
  Result result;
  if (corners_.size() < 5) {
    result.reason = "too few pictures: " + std::to_string(corners_.size());
    return result;
  }
  std::vector<cv::Point3f> board;
  for (int row = 0; row < params_.rows; ++row) {
    for (int column = 0; column < params_.columns; ++column)
      board.emplace_back(static_cast<float>(column * params_.square), static_cast<float>(row * params_.square), 0.0f);
  }
  const std::vector<std::vector<cv::Point3f>> boards(corners_.size(), board);
  cv::Mat matrix, distortion, of_camera, of_boards, errors;
  std::vector<cv::Mat> turns, places;
  // The fifth coefficient only follows noise unless the lens is very wide.
  result.error = cv::calibrateCamera(boards, corners_, size_, matrix, distortion, turns, places, of_camera, of_boards,
                                     errors, cv::CALIB_FIX_K3);
  result.lens.width = size_.width;
  result.lens.height = size_.height;
  result.lens.fx = matrix.at<double>(0, 0);
  result.lens.fy = matrix.at<double>(1, 1);
  result.lens.cx = matrix.at<double>(0, 2);
  result.lens.cy = matrix.at<double>(1, 2);
  for (std::size_t n = 0; n < 5; ++n) result.lens.distortion[n] = distortion.at<double>(static_cast<int>(n));
  for (std::size_t n = 0; n < 4; ++n) result.deviation[n] = of_camera.at<double>(static_cast<int>(n));
  if (auto bad = result.lens.validate()) {
    result.reason = *bad;
  } else if (result.error > kGoodError) {
    result.reason = "corners lie " + std::to_string(result.error) +
                    " px from where they should: is the board flat, were the pictures blurred?";
  } else {
    result.reason = missing();
  }
  return result;
}

cv::Mat IntrinsicsCalibration::coverage() const {
  cv::Mat picture(std::max(1, size_.height), std::max(1, size_.width), CV_8UC3, cv::Scalar(40, 40, 40));
  for (int n = 1; n < kGrid; ++n) {
    const int x = n * picture.cols / kGrid, y = n * picture.rows / kGrid;
    cv::line(picture, {x, 0}, {x, picture.rows}, cv::Scalar(80, 80, 80));
    cv::line(picture, {0, y}, {picture.cols, y}, cv::Scalar(80, 80, 80));
  }
  for (std::size_t n = 0; n < corners_.size(); ++n) {
    for (const auto& corner : corners_[n])
      cv::circle(picture, corner, 3, shapes_[n].skew > kLeastSkew ? cv::Scalar(60, 200, 255) : cv::Scalar(90, 220, 90),
                 -1);
  }
  const std::string more = missing();
  cv::putText(picture, more.empty() ? "enough" : "missing: " + more, {8, picture.rows - 10}, cv::FONT_HERSHEY_SIMPLEX,
              0.45, cv::Scalar(255, 255, 255), 1, cv::LINE_AA);
  return picture;
}

std::string calibration_text(const Lens& lens, const std::string& camera_name) {
  char text[1400];
  const auto& d = lens.distortion;
  std::snprintf(text, sizeof text,
                "image_width: %d\nimage_height: %d\ncamera_name: %s\n"
                "camera_matrix:\n  rows: 3\n  cols: 3\n  data: [%.6f, 0.0, %.6f, 0.0, %.6f, %.6f, 0.0, 0.0, 1.0]\n"
                "distortion_model: plumb_bob\n"
                "distortion_coefficients:\n  rows: 1\n  cols: 5\n  data: [%.8f, %.8f, %.8f, %.8f, %.8f]\n"
                "rectification_matrix:\n  rows: 3\n  cols: 3\n  data: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]\n"
                "projection_matrix:\n  rows: 3\n  cols: 4\n"
                "  data: [%.6f, 0.0, %.6f, 0.0, 0.0, %.6f, %.6f, 0.0, 0.0, 0.0, 1.0, 0.0]\n",
                lens.width, lens.height, camera_name.c_str(), lens.fx, lens.cx, lens.fy, lens.cy, d[0], d[1], d[2],
                d[3], d[4], lens.fx, lens.cx, lens.fy, lens.cy);
  return text;
}

}  // namespace hl_vision
