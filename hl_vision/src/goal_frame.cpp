// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "lines.hpp"

namespace hl_vision {
namespace {

using Eigen::Vector2d;

constexpr double kDeeper = 0.25;        // m more than the goal's depth
constexpr double kAside = 0.35;         // m beside the outer posts
constexpr double kThrough = 0.12;       // m at which a goal line may pass the foot of its post
constexpr double kBothSides = 0.25;     // m that it goes on to both sides of it
constexpr double kSameWay = 0.98;       // cosine between two pieces of it
constexpr double kOnTheLine = 0.25;     // m from the goal line, where nobody can say which side is behind
constexpr double kTubeOff = 0.09;       // m, error of the place of a net's tube, nearby
constexpr double kShortestTube = 0.35;  // m that must be seen of it

std::optional<BehindGoal> behind(const Frame& frame, const Vector2d& post, const Vector2d& along, double from,
                                 double to) {
  const Vector2d eye = frame.view->ground_from_camera().translation().head<2>();
  Vector2d away(-along.y(), along.x());
  const double off = (post - eye).dot(away);
  if (std::abs(off) < kOnTheLine) return std::nullopt;
  if (off < 0.0) away = -away;
  return BehindGoal{post, along, away, from, to, frame.goal_depth + kDeeper};
}

/// Direction of the goal line that passes a post that stands alone: it goes on to both sides, often in two pieces.
/// Tubes of the frame begin at the post, and the goal area's side line ends beside it.
std::optional<Vector2d> goal_line(const Frame& frame, const Vector2d& post,
                                  const std::vector<SegmentInImage>& segments) {
  struct Piece {
    Vector2d along;
    double low, high;  // m from the post
  };
  std::vector<Piece> pieces;
  for (const SegmentInImage& segment : segments) {
    const auto from = frame.view->on_plane(segment.from), to = frame.view->on_plane(segment.to);
    if (!from || !to || (*to - *from).norm() < kBothSides) continue;
    const Vector2d along = (*to - *from).normalized(), way = *from - post;
    if (std::abs(way.x() * along.y() - way.y() * along.x()) < kThrough)
      pieces.push_back({along, way.dot(along), (*to - post).dot(along)});
  }
  for (const Piece& piece : pieces) {
    double low = piece.low, high = piece.high;
    for (const Piece& other : pieces) {
      const double same = piece.along.dot(other.along);
      if (std::abs(same) < kSameWay) continue;
      low = std::min(low, same > 0.0 ? other.low : -other.high);
      high = std::max(high, same > 0.0 ? other.high : -other.low);
    }
    if (low < -kBothSides && high > kBothSides) return piece.along;
  }
  return std::nullopt;
}

}  // namespace

bool BehindGoal::contains(const Vector2d& place) const {
  constexpr double kBeyond = 0.07;  // m behind the middle of the goal line, from which nothing is painted
  const double s = (place - post).dot(along), d = (place - post).dot(away);
  return d > kBeyond && d < deep && s > from && s < to;
}

std::vector<BehindGoal> behind_goals(const Frame& frame, const std::vector<PostInImage>& posts,
                                     const std::vector<SegmentInImage>& segments) {
  std::vector<BehindGoal> areas;
  if (!frame.view) return areas;
  std::vector<Vector2d> feet;
  for (const PostInImage& post : posts)
    if (const auto foot = frame.view->on_plane(post.foot)) feet.push_back(*foot);
  std::vector<bool> paired(feet.size(), false);
  const auto add = [&](const std::optional<BehindGoal>& area) {
    if (area) areas.push_back(*area);
  };
  const double apart = frame.goal_width + frame.post_diameter;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    for (std::size_t j = i + 1; j < feet.size(); ++j) {
      const double width = (feet[j] - feet[i]).norm();
      if (std::abs(width - apart) > 0.35 * apart) continue;
      paired[i] = paired[j] = true;
      add(behind(frame, feet[i], (feet[j] - feet[i]) / width, -kAside, width + kAside));
    }
  }
  for (std::size_t i = 0; i < feet.size(); ++i) {
    if (paired[i]) continue;
    if (const auto along = goal_line(frame, feet[i], segments))
      add(behind(frame, feet[i], *along, -apart - kAside, apart + kAside));
  }
  return areas;
}

namespace {

/// Whether lines of the field lie as far apart as a goal is deep.
bool like_painted(const Frame& frame) {
  const double area = frame.goal_area_length, penalty = frame.penalty_area_length;
  return std::min({std::abs(area - frame.goal_depth), std::abs(penalty - frame.goal_depth),
                   std::abs(penalty - area - frame.goal_depth)}) < 2.0 * kTubeOff;
}

/// The tube at which a net ends on the ground is parallel to the goal's line and as far behind it as the goal is deep,
/// where nothing is painted. Tells it also if no post is in sight.
void drop_net_tubes(const Frame& frame, LinesInImage& lines) {
  if (!frame.view || like_painted(frame)) return;
  struct Piece {
    Vector2d from, along;
    double length, away;  // m; `away` from the eye, across the piece
  };
  const Vector2d eye = frame.view->ground_from_camera().translation().head<2>();
  std::vector<std::optional<Piece>> pieces;
  for (const SegmentInImage& segment : lines.segments) {
    pieces.emplace_back();
    const auto from = frame.view->on_plane(segment.from), to = frame.view->on_plane(segment.to);
    if (!from || !to || (*to - *from).norm() < kShortestTube) continue;
    const Vector2d along = (*to - *from).normalized(), way = *from - eye;
    pieces.back() = Piece{*from, along, (*to - *from).norm(), std::abs(way.x() * along.y() - way.y() * along.x())};
  }
  const auto behind = [&](const Piece& tube, const Piece& line) {
    const double off = std::min(2.0 * kTubeOff, kTubeOff + 0.02 * tube.away * tube.away);
    if (std::abs(tube.along.dot(line.along)) < kSameWay || std::abs(tube.away - line.away - frame.goal_depth) > off)
      return false;
    // Side by side.
    const double a = (line.from - tube.from).dot(tube.along), b = a + line.length * line.along.dot(tube.along);
    return std::max(a, b) > 0.0 && std::min(a, b) < tube.length;
  };
  std::vector<SegmentInImage> painted;
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    const bool tube = pieces[n] && std::any_of(pieces.begin(), pieces.end(), [&](const std::optional<Piece>& line) {
                        return line && behind(*pieces[n], *line);
                      });
    if (!tube) {
      painted.push_back(lines.segments[n]);
      continue;
    }
    for (LinePoint& point : lines.points) {
      const Vector2d way = point.ground - pieces[n]->from;
      const double s = way.dot(pieces[n]->along);
      if (s > -0.1 && s < pieces[n]->length + 0.1 && (way - s * pieces[n]->along).norm() < kTubeOff) point.used = false;
    }
  }
  lines.segments = std::move(painted);
}

}  // namespace

void drop_goal_frames(const Frame& frame, const std::vector<PostInImage>& posts, LinesInImage& lines) {
  drop_net_tubes(frame, lines);
  const std::vector<BehindGoal> areas = behind_goals(frame, posts, lines.segments);
  if (areas.empty()) return;
  const auto in_goal = [&](const Vector2d& place) {
    return std::any_of(areas.begin(), areas.end(), [&](const BehindGoal& area) { return area.contains(place); });
  };
  for (LinePoint& point : lines.points) point.used = point.used && !in_goal(point.ground);
  // A tube that leads away from a post begins on the goal line: its middle tells where it lies.
  const auto of_frame = [&](const SegmentInImage& segment) {
    const auto from = frame.view->on_plane(segment.from), to = frame.view->on_plane(segment.to);
    return from && to && in_goal(0.5 * (*from + *to)) && (in_goal(*from) || in_goal(*to));
  };
  lines.segments.erase(std::remove_if(lines.segments.begin(), lines.segments.end(), of_frame), lines.segments.end());
  lines.marks.erase(std::remove_if(lines.marks.begin(), lines.marks.end(),
                                   [&](const MarkInImage& mark) {
                                     const auto at = frame.view->on_plane(mark.center);
                                     return at && in_goal(*at);
                                   }),
                    lines.marks.end());
}

}  // namespace hl_vision
