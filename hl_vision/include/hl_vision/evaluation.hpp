// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "hl_vision/detection.hpp"
#include "hl_vision/labels.hpp"

namespace hl_vision {

/// k of n, with the 95 % interval of Wilson.
struct Share {
  long hits = 0, all = 0;
  void add(bool hit) {
    hits += hit ? 1 : 0;
    ++all;
  }
  double value() const { return all > 0 ? static_cast<double>(hits) / static_cast<double>(all) : 0.0; }
  std::array<double, 2> interval() const;
  std::string text() const;  // "0.93 (0.91..0.95, 412 of 443)"
};

/// How well outputs meet labels, summed over pictures. "Near" and "far" are ranges in m where distances are known.
struct Score {
  long pictures = 0;
  Share ball, ball_feet, ball_near, ball_middle, ball_far;  // recall: all; to 0.6 m, 0.2-3 m, 3-5 m, 5-7 m
  long false_balls = 0;
  Share posts, post_precision, posts_near;  // recall, precision, recall within 5 m
  long false_posts = 0;
  Share line_points;                        // on a line, 2 px
  Share line_pieces_near, line_pieces_far;  // found: within 3 m, 3-4 m
  Share crossings, crossing_precision;      // within 3 m
  Share circles, circle_precision;
  Share marks, mark_precision;    // penalty marks within 3 m
  Share robots;                   // within 3 m
  Share team_given, team_colour;  // of those found; of those with a colour, the right one
  Share number_given, number;     // of those found; of those with a number, the right one
  long false_robots = 0;
  Share distractors;                // people and poles taken for a post or ball
  std::vector<double> ball_errors;  // of the distance after the transform, m
  std::vector<double> ball_excess;  // the same against 3 % + 1 cm of the distance; <= 1 is good

  void add(const Score& other);
  /// All shares and counts with their names, for those who sum or store them.
  static const std::vector<std::pair<const char*, Share Score::*>>& shares();
  static const std::vector<std::pair<const char*, long Score::*>>& counts();
  std::string table() const;
};

/// Whether what was found is that ball.
bool matches(const LabelledPicture::Ball& truth, const BallInImage& found);

Score judge(const LabelledPicture& labels, const Detection::Outputs& found);

/// Draws what was found.
void draw(const Detection::Outputs& found, cv::Mat& bgr);

}  // namespace hl_vision
