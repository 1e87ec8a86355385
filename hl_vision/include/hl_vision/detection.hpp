// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_vision/ball_network.hpp"
#include "hl_vision/body_mask.hpp"
#include "hl_vision/camera_view.hpp"
#include "hl_vision/field_colour.hpp"
#include "hl_vision/in_image.hpp"

namespace hl_vision {

/// From one picture to everything that was recognised in it, in pixels.
class Detection {
 public:
  struct Inputs {
    cv::Mat bgr;                     // 8 bit, three channels; grey (one channel) is accepted and shows no field
    std::optional<CameraView> view;  // camera over the ground at the moment of the picture; nothing: not known
    std::vector<Limb> body;          // own limbs, in the optical frame
  };
  struct Outputs {
    std::vector<BallInImage> candidates;  // all that were looked at by the network and not refused at once
    std::optional<BallInImage> ball;      // the best of them, if it is sure enough
    std::vector<PostInImage> posts;
    std::vector<BarInImage> bars;
    std::optional<GoalInImage> goal;
    std::vector<ObstacleInImage> obstacles;
    std::vector<cv::Point2d> line_points;
    std::vector<SegmentInImage> segments;
    std::vector<CrossingInImage> crossings;
    std::vector<CircleInImage> circles;
    std::vector<MarkInImage> marks;         // penalty marks
    std::vector<cv::Point2d> field_border;  // corners from left to right; empty: no field
    cv::Mat classes;                        // PixelClass of each pixel of the working picture; empty: no field is known
    double classes_scale = 1.0;             // its size against the picture's
    std::string reason;                     // why nothing, or less than usual, was recognised; empty: all is well
  };

  struct Params {
    double ball_confidence = 0.8;  // from which a candidate is the ball
    int ball_candidates = 20;      // most that the network looks at
    bool posts = true, lines = true, obstacles = true;
    int largest_width = 1000;  // px; wider pictures are shrunk
    FieldColour::Params colour;
    std::optional<std::string> validate() const;
  };

  Detection(const Params& params, const hl_description::Field& field, BallNetwork network);

  void set_params(const Params& params);
  const Params& params() const { return params_; }

  /// The order of the pictures matters: the field's colour is learned from them.
  Outputs step(const Inputs& inputs, double now);

  /// As `step`, but only the quick test for balls, for training: candidates with the score of that test.
  std::vector<BallInImage> quick_ball_candidates(const Inputs& inputs);

  const FieldColour& field_colour() const { return colour_; }
  void forget_colour() { colour_.forget(); }
  void load_colour(const std::string& path) { colour_.load(path); }

 private:
  struct Prepared;
  std::optional<std::string> prepare(const Inputs& inputs, Prepared& prepared);

  Params params_;
  hl_description::Field field_;
  BallNetwork network_;
  FieldColour colour_;
  BallNetwork::Activations activations_;
};

}  // namespace hl_vision
