// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <opencv2/core/types.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_vision/body_mask.hpp"
#include "hl_vision/camera_view.hpp"
#include "hl_vision/in_image.hpp"

namespace hl_vision {

/// What is to be seen in one picture, told by a person or by the simulator; pixels, m where known (0 = unknown).
struct LabelledPicture {
  struct Ball {
    cv::Point2d center;
    double diameter = 0.0, visible = 1.0, distance = 0.0;
    bool ignore = false, approximate = false;
  };
  struct Post {
    cv::Point2d foot;
    double width = 0.0, distance = 0.0;
    bool foot_visible = true, ignore = false;
  };
  struct Robot {
    cv::Rect2d box;
    std::string team;  // "red", "blue" or empty
    int number = 0;    // 0: not known
    double distance = 0.0, visible = 1.0;
  };
  struct Crossing {
    hl_description::Field::Crossing type = hl_description::Field::Crossing::L;
    cv::Point2d at;
    double distance = 0.0;
  };
  struct Mark {
    cv::Point2d at;
    double distance = 0.0;
  };
  struct LinePiece {
    cv::Point2d from, to;
    double width = 0.0, distance = 0.0;  // px across, m
  };
  std::string file;  // with its folder
  int width = 0, height = 0;
  std::optional<CameraView> view;  // ground frame below the camera, x where it looks
  std::vector<Ball> balls;
  std::vector<Post> posts;
  std::vector<Robot> robots;
  std::vector<Crossing> crossings;
  std::vector<LinePiece> lines;
  std::vector<Mark> marks;               // penalty marks
  std::vector<cv::Point2d> distractors;  // feet of people and poles
  std::optional<cv::Point2d> circle_center;
  std::vector<Limb> body;      // own limbs, in the optical frame
  bool circle_partly = false;  // too little of it is in sight to ask for it
  bool lines_complete = false, robots_complete = false, crossings_complete = false, marks_complete = false;
  bool other_ball = false;  // a ball of another kind than white with a pattern
};

/// All pictures of a folder with its labels.yaml. Throws std::runtime_error with file and reason.
std::vector<LabelledPicture> read_labels(const std::string& folder);
std::vector<LabelledPicture> labels_from_text(const std::string& yaml, const std::string& folder);

}  // namespace hl_vision
