// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace hl_description {

/// Dimensions of the field, its goals and the ball, m and kg. Origin: field centre, x towards the opponent's goal, y
/// left. Areas are measured to the outer edges of their lines; line detectors see the centres (`lines`).
struct Field {
  double length = 9.0, width = 6.0, line_width = 0.05;
  double goal_width = 2.6, goal_height = 1.2, goal_depth = 0.6, post_diameter = 0.10;
  double goal_area_length = 1.0, goal_area_width = 3.0;
  double penalty_area_length = 2.0, penalty_area_width = 5.0;  // 0 = there is none
  double penalty_mark = 1.5;                                   // from the goal line
  double mark_length = 0.25;                                   // of the bars of penalty and centre marks
  double circle_diameter = 1.5;
  double border = 1.0;  // turf around the field
  double ball_radius = 0.07, ball_mass = 0.205;

  struct Line {
    Eigen::Vector2d from, to;  // on the centre of the line
  };
  enum class Crossing { L, T, X };
  struct Intersection {
    Eigen::Vector2d position;
    Crossing type;
  };

  /// Straight lines without the marks: outline, halfway line, goal and penalty areas.
  std::vector<Line> lines() const;
  double circle_radius() const { return 0.5 * (circle_diameter - line_width); }  // to the centre of the line
  std::vector<Intersection> intersections() const;

  /// A preset of field.yaml; an empty name takes the file's default. Throws ModelError with file, line and remedy.
  static Field from_file(const std::string& path, const std::string& preset = "");
  static Field from_text(const std::string& yaml, const std::string& file_name, const std::string& preset = "");
};

}  // namespace hl_description
