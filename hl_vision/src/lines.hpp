// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "frame.hpp"
#include "hl_vision/in_image.hpp"

namespace hl_vision {

/// A place where a scan line crosses a field line.
struct LinePoint {
  cv::Point2d pixel;             // middle of the line
  cv::Point2d straight;          // the same without the lens's distortion
  Eigen::Vector2d ground{0, 0};  // m, if the camera's pose is known
  double width = 0.0;            // px along the scan
  bool used = false;             // explained by a circle or segment
};

struct LinesInImage {
  std::vector<LinePoint> points;
  std::vector<SegmentInImage> segments;
  std::vector<CrossingInImage> crossings;
  std::vector<CircleInImage> circles;
  std::vector<MarkInImage> marks;
};

/// Bright stripes of a line's width between field and field, along rows and columns.
std::vector<LinePoint> find_line_points(const Frame& frame);
/// A part of the centre circle; `tells`: enough of it to say where the whole is.
struct ArcInImage {
  CircleInImage circle;
  bool tells = false;
};
/// The centre circle among the points, marking those it explains. Needs the camera's pose.
std::optional<ArcInImage> find_circle(const Frame& frame, std::vector<LinePoint>& points);
/// Small crosses that stand alone, marking their points. Needs the camera's pose.
std::vector<MarkInImage> find_marks(const Frame& frame, std::vector<LinePoint>& points);
/// Straight pieces among the points that are not explained yet, marking them.
std::vector<SegmentInImage> find_segments(const Frame& frame, std::vector<LinePoint>& points);
/// Where segments (and the circle) meet at right angles. Needs the camera's pose.
std::vector<CrossingInImage> find_crossings(const Frame& frame, const std::vector<SegmentInImage>& segments,
                                            const std::vector<CircleInImage>& circles,
                                            const std::vector<PostInImage>& posts);

/// The ground behind a goal line, near its posts: there are frame and net, and no line.
struct BehindGoal {
  Eigen::Vector2d post, along, away;
  double from, to, deep;  // m along the goal line from that post, and away from the eye
  bool contains(const Eigen::Vector2d& place) const;
};
/// Needs the camera's pose.
std::vector<BehindGoal> behind_goals(const Frame& frame, const std::vector<PostInImage>& posts,
                                     const std::vector<SegmentInImage>& segments);
/// Takes away what lies on the ground behind a goal's line: the tubes of its frame look like lines. Needs the camera's
/// pose.
void drop_goal_frames(const Frame& frame, const std::vector<PostInImage>& posts, LinesInImage& lines);

/// `ball`: what is painted on it is no line.
LinesInImage find_lines(const Frame& frame, const std::vector<PostInImage>& posts,
                        const std::optional<BallInImage>& ball);

}  // namespace hl_vision
