// SPDX-License-Identifier: Apache-2.0
#include "obstacles.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "jersey_number.hpp"
#include "lines.hpp"
#include "team_colour.hpp"

namespace hl_vision {
namespace {

using hl_soccer::ObstacleKind;

constexpr int kCell = 4;               // px, edge of a cell
constexpr double kCellFull = 0.55;     // share of a cell that is not field
constexpr double kNarrowest = 0.09;    // m; lines are 0.05
constexpr double kLowest = 0.14;       // m of height that must be seen on or above the field
constexpr double kFarthest = 6.0;      // m
constexpr double kOwnBody = 0.25;      // m around the own feet where nobody else can stand
constexpr double kOwnReach = 0.5;      // m around them where a plain thing is more likely an own arm
constexpr double kRobotHeight = 0.80;  // m, how far up a robot is looked at for its colour
constexpr double kTallest = 1.05;      // m, robots of the league end below
constexpr double kLegGap = 0.10;       // m between two legs in one row
constexpr double kLeastFill = 0.28;    // of its box
constexpr double kNetDepth = 0.75;     // m around a post that its net takes
constexpr double kDarkPart = 0.65, kBrightPart = 1.3, kPartShare = 0.14;  // brightness of parts against the mean
constexpr double kRises = 0.10;              // m of a column, as it is seen, from which it is more than a line
constexpr double kCutWidth = 0.15;           // m that must be seen of what the picture's side cuts
constexpr double kSureBall = 0.75;           // confidence of a ball that is no robot's foot
constexpr double kLying = 0.2, kLong = 0.4;  // m: what is lower is a robot only if it is long, for it lies
constexpr double kOneRobot = 0.38;           // m, breadth of all its parts
constexpr double kFarthestThing = 3.5;       // m, of what nothing marks as a robot
constexpr double kJoin = 0.22;               // m between two legs of one robot

struct Blob {
  cv::Rect box;  // px
  double foot_y = 0.0;
  double area = 0.0;  // px^2 that differ from the field
};

/// The centre circle's line is taken away from the cells.
void erase_circle(const Frame& frame, const CircleInImage& circle, cv::Mat& cells) {
  const auto centre = frame.view ? frame.view->on_plane(circle.center) : std::nullopt;
  if (!centre) return;
  constexpr int kPieces = 72;
  std::optional<cv::Point2d> before;
  for (int n = 0; n <= kPieces; ++n) {
    const double angle = 2.0 * M_PI * n / kPieces;
    const auto pixel = frame.view->project(
        Eigen::Vector2d(*centre + frame.circle_radius * Eigen::Vector2d(std::cos(angle), std::sin(angle))));
    const bool near = pixel && std::abs(pixel->x) < 4.0 * frame.width() && std::abs(pixel->y) < 4.0 * frame.height();
    if (before && near) {
      const double width = frame.line_width * frame.scale(*pixel);
      cv::line(cells, *before / kCell, *pixel / kCell, cv::Scalar(0),
               std::max(1, static_cast<int>(1.5 * width / kCell)));
    }
    before = near ? pixel : std::nullopt;
  }
}

/// Cells that are mostly not field and lie below the border, or hang together with such from above.
cv::Mat occupied_cells(const Frame& frame, const std::vector<SegmentInImage>& lines,
                       const std::vector<CircleInImage>& circles, const std::vector<PostInImage>& posts) {
  const int cols = frame.width() / kCell, rows = frame.height() / kCell;
  cv::Mat cells(rows, cols, CV_8U, cv::Scalar(0));
  for (int j = 0; j < rows; ++j) {
    auto* row = cells.ptr<std::uint8_t>(j);
    for (int i = 0; i < cols; ++i) {
      const double x = (i + 0.5) * kCell, y = (j + 0.5) * kCell;
      if (y < frame.border.row(x)) continue;
      const int count = box_sum(frame.not_field, i * kCell, j * kCell, (i + 1) * kCell, (j + 1) * kCell);
      row[i] = count > kCellFull * kCell * kCell ? 1 : 0;
    }
  }
  for (const SegmentInImage& line : lines) {
    const double width = std::max(line.from_width, line.to_width);
    cv::line(cells, line.from / kCell, line.to / kCell, cv::Scalar(0),
             std::max(1, static_cast<int>(1.3 * width / kCell)));
  }
  for (const CircleInImage& circle : circles) erase_circle(frame, circle, cells);
  for (const PostInImage& post : posts)
    cv::line(cells, post.foot / kCell, post.top / kCell, cv::Scalar(0),
             std::max(1, static_cast<int>(1.3 * post.width / kCell)));
  // Paint is flat: a run of cells narrower than an obstacle is a line, and one lower than it too.
  cv::Mat kept = cells.clone();
  const auto too_short = [&](int i, int j, int length, double metres) {
    const double scale = frame.scale({(i + 0.5) * kCell, (j + 1.0) * kCell});
    return length * kCell < metres * scale;
  };
  for (int j = 0; j < rows; ++j) {
    auto* row = cells.ptr<std::uint8_t>(j);
    for (int i = 0; i < cols;) {
      if (!row[i]) {
        ++i;
        continue;
      }
      // Two thin legs side by side are as wide as what they carry: a small gap does not end a run.
      const double scale = frame.scale({(i + 0.5) * kCell, (j + 1.0) * kCell});
      const int most_gap = std::max(1, static_cast<int>(kLegGap * scale / kCell));
      int end = i, gap = 0;
      for (int k = i; k < cols && gap <= most_gap; ++k) {
        gap = row[k] ? 0 : gap + 1;
        if (row[k]) end = k + 1;
      }
      if (too_short(i, j, end - i, kNarrowest))
        std::fill(kept.ptr<std::uint8_t>(j) + i, kept.ptr<std::uint8_t>(j) + end, 0);
      i = end;
    }
  }
  for (int i = 0; i < cols; ++i) {
    for (int j = 0; j < rows;) {
      if (!cells.at<std::uint8_t>(j, i)) {
        ++j;
        continue;
      }
      int end = j;
      while (end < rows && cells.at<std::uint8_t>(end, i)) ++end;
      // What touches the border goes on above it.
      const bool open_above = (j - 1.5) * kCell < frame.border.row((i + 0.5) * kCell);
      if (!open_above && too_short(i, end - 1, end - j, 0.07)) {
        for (int k = j; k < end; ++k) kept.at<std::uint8_t>(k, i) = 0;
      }
      j = end;
    }
  }
  return kept;
}

/// The parts of a component that rise: robots hang together by lines that were not recognised, and these are flat.
/// `cells` is the component's box in cells.
void add_blobs(const Frame& frame, const cv::Mat& labels, int label, const cv::Rect& cells, std::vector<Blob>& blobs) {
  std::optional<Blob> open;
  const auto close = [&] {
    if (open && open->area >= 3.0 * kCell * kCell) blobs.push_back(*open);
    open.reset();
  };
  for (int i = cells.x; i < cells.x + cells.width; ++i) {
    int count = 0, top = -1, bottom = -1;
    for (int j = cells.y; j < cells.y + cells.height; ++j) {
      if (labels.at<int>(j, i) != label) continue;
      ++count;
      bottom = j;
      if (top < 0) top = j;
    }
    const double scale = frame.scale({(i + 0.5) * kCell, (bottom + 1.0) * kCell});
    if (count == 0 || count * kCell < kRises * scale) {
      close();
      continue;
    }
    const cv::Rect column(i * kCell, top * kCell, kCell, (bottom + 1 - top) * kCell);
    if (!open) open = Blob{column, 0.0, 0.0};
    open->box |= column;
    open->foot_y = open->box.y + open->box.height;
    open->area += 1.0 * kCell * kCell * count;
  }
  close();
}

/// Whether most of a box is a ball of at least this confidence.
bool is_ball(const cv::Rect& box, const std::vector<BallInImage>& balls, double confidence) {
  return std::any_of(balls.begin(), balls.end(), [&](const BallInImage& ball) {
    const cv::Rect2d disc(ball.center.x - 0.65 * ball.diameter, ball.center.y - 0.65 * ball.diameter,
                          1.3 * ball.diameter, 1.3 * ball.diameter);
    return ball.confidence >= confidence && (disc & cv::Rect2d(box)).area() > 0.5 * box.area();
  });
}

bool is_post(const cv::Rect& box, const std::vector<PostInImage>& posts) {
  return std::any_of(posts.begin(), posts.end(), [&](const PostInImage& post) {
    return std::abs(post.foot.x - (box.x + 0.5 * box.width)) < 0.8 * post.width + 0.3 * box.width &&
           box.width < 2.5 * post.width + 2 * kCell && box.y + box.height < post.foot.y + post.width + 2 * kCell;
  });
}

/// Whether something stands where a goal's posts and net are.
bool in_goal(const Frame& frame, const cv::Point2d& foot, const std::vector<PostInImage>& posts,
             const std::vector<BehindGoal>& behind) {
  const auto at = frame.view ? frame.view->on_plane(foot) : std::nullopt;
  if (!at) return false;
  for (const PostInImage& post : posts) {
    const auto place = frame.view->on_plane(post.foot);
    if (place && (*at - *place).norm() < kNetDepth) return true;
  }
  return std::any_of(behind.begin(), behind.end(), [&](const BehindGoal& area) { return area.contains(*at); });
}

/// Robots are made of dark and bright parts; trousers, bags and boxes are even.
bool looks_built(const Frame& frame, const cv::Rect& box) {
  const cv::Rect inside = box & cv::Rect(0, 0, frame.width(), frame.height());
  if (inside.area() < 30) return false;
  const cv::Mat luma = frame.luma(inside), other = frame.classes(inside) != kField;
  const double mean = cv::mean(luma, other)[0];
  const int all = cv::countNonZero(other);
  const int dark = cv::countNonZero((luma < kDarkPart * mean) & other),
            bright = cv::countNonZero((luma > kBrightPart * mean) & other);
  return dark > kPartShare * all && bright > kPartShare * all;
}

/// Height up to which the columns of a box differ from the surroundings at its sides, px above its foot; people and
/// poles go on where robots end.
double visible_height(const Frame& frame, const cv::Rect& box, double scale) {
  const double foot = box.y + box.height;
  const int outside = std::max(4, box.width / 3);
  double top = foot;
  int misses = 0;
  for (int y = static_cast<int>(foot) - 2; y > std::max(0.0, foot - 1.5 * scale); y -= 3) {
    const auto* luma = frame.luma.ptr<std::uint8_t>(y);
    double in = 0.0, left = 0.0, right = 0.0;
    int n = 0, l = 0, r = 0;
    for (int x = box.x + box.width / 4; x <= box.x + 3 * box.width / 4; x += 2, ++n) in += luma[x];
    for (int x = std::max(0, box.x - outside); x < box.x; x += 2, ++l) left += luma[x];
    for (int x = box.x + box.width; x < std::min(frame.width(), box.x + box.width + outside); x += 2, ++r)
      right += luma[x];
    if (n == 0 || (l == 0 && r == 0)) break;
    in /= n;
    const bool differs = (l == 0 || std::abs(in - left / l) > 12.0) && (r == 0 || std::abs(in - right / r) > 12.0);
    if (differs) {
      top = y;
      misses = 0;
    } else if (++misses * 3 > std::max(9.0, 0.15 * scale)) {
      break;
    }
  }
  return foot - top;
}

}  // namespace

std::vector<ObstacleInImage> find_obstacles(const Frame& frame, const std::vector<BallInImage>& balls,
                                            const std::vector<PostInImage>& posts,
                                            const std::vector<SegmentInImage>& lines,
                                            const std::vector<CircleInImage>& circles) {
  std::vector<ObstacleInImage> obstacles;
  if (!frame.border.known()) return obstacles;
  const std::vector<BehindGoal> behind = behind_goals(frame, posts, lines);
  const cv::Mat cells = occupied_cells(frame, lines, circles, posts);
  cv::Mat labels, stats, centroids;
  const int count = cv::connectedComponentsWithStats(cells, labels, stats, centroids, 8, CV_32S);
  std::vector<Blob> blobs;
  for (int n = 1; n < count; ++n) {
    const int* s = stats.ptr<int>(n);
    if (s[cv::CC_STAT_AREA] < 3) continue;
    add_blobs(frame, labels, n,
              cv::Rect(s[cv::CC_STAT_LEFT], s[cv::CC_STAT_TOP], s[cv::CC_STAT_WIDTH], s[cv::CC_STAT_HEIGHT]), blobs);
  }
  blobs.erase(
      std::remove_if(blobs.begin(), blobs.end(), [&](const Blob& blob) { return is_ball(blob.box, balls, kSureBall); }),
      blobs.end());
  // Legs of one robot are two blobs at the same depth.
  std::sort(blobs.begin(), blobs.end(), [](const Blob& a, const Blob& b) { return a.foot_y > b.foot_y; });
  for (std::size_t n = 0; n < blobs.size(); ++n) {
    for (std::size_t k = n + 1; k < blobs.size();) {
      Blob &a = blobs[n], &b = blobs[k];
      const double scale = frame.scale({a.box.x + a.box.width * 0.5, a.foot_y});
      const int gap = std::max(a.box.x, b.box.x) - std::min(a.box.x + a.box.width, b.box.x + b.box.width);
      // The other foot may be a step behind; what is above the feet belongs to the same body.
      const bool above = gap < 0 && b.foot_y > a.foot_y - kRobotHeight * scale;
      const bool beside = gap < kJoin * scale && a.foot_y - b.foot_y < 0.25 * scale;
      if (scale > 0.0 && (above || beside) && (a.box | b.box).width < kOneRobot * scale) {
        a.box |= b.box;
        a.area += b.area;
        blobs.erase(blobs.begin() + static_cast<std::ptrdiff_t>(k));
        k = n + 1;
      } else {
        ++k;
      }
    }
  }
  for (const Blob& blob : blobs) {
    const cv::Point2d foot(blob.box.x + 0.5 * blob.box.width, blob.foot_y);
    const double scale = frame.scale(foot);
    if (scale <= 0.0 || is_post(blob.box, posts) || is_ball(blob.box, balls, 0.0)) continue;
    if (frame.view) {
      const auto ground = frame.view->on_plane(foot);
      if (!ground || (*ground - frame.view->ground_from_camera().translation().head<2>()).norm() > kFarthest) continue;
    }
    const auto near = frame.view ? frame.view->on_plane(foot) : std::nullopt;
    if (near && near->norm() < kOwnBody) continue;
    if (blob.area < kLeastFill * blob.box.area()) continue;  // curved lines
    // An arm that reaches into the picture from the side tells nothing of where its robot stands.
    const bool cut = blob.box.x <= kCell || blob.box.x + blob.box.width >= frame.width() - 2 * kCell;
    if (cut && frame.view && blob.box.width < kCutWidth * scale) continue;
    const bool touches_border = blob.box.y - 2 * kCell < frame.border.row(foot.x);
    if (!touches_border && blob.box.height < kLowest * scale) continue;
    // At the border the field's edge is ragged: only what reaches well into the field counts.
    if (touches_border && blob.foot_y - frame.border.row(foot.x) < std::max(6.0, 0.05 * scale)) continue;
    if (blob.box.width > 1.2 * scale && frame.view) continue;
    ObstacleInImage obstacle;
    const int top = std::max(0, std::min(blob.box.y, static_cast<int>(blob.foot_y - kRobotHeight * scale)));
    const cv::Rect whole(blob.box.x, top, blob.box.width, static_cast<int>(blob.foot_y) - top);
    obstacle.box = whole & cv::Rect(0, 0, frame.width(), frame.height());
    if (obstacle.box.area() <= 0) continue;
    obstacle.kind = team_colour(frame, obstacle.box, scale);
    if (obstacle.kind == ObstacleKind::RobotUndefined) {
      if (in_goal(frame, foot, posts, behind)) continue;
      if (!looks_built(frame, blob.box)) obstacle.kind = ObstacleKind::Undefined;
      if (near && near->norm() < kOwnReach && obstacle.kind == ObstacleKind::Undefined) continue;
    }
    const double height = visible_height(frame, obstacle.box, scale);
    const bool no_team = obstacle.kind == ObstacleKind::RobotUndefined || obstacle.kind == ObstacleKind::Undefined;
    if (no_team && height > kTallest * scale) {
      obstacle.kind = blob.box.width < 0.10 * scale ? ObstacleKind::Pole : ObstacleKind::Human;
    } else if (height < 0.2 * scale && obstacle.kind == ObstacleKind::RobotUndefined) {
      obstacle.kind = ObstacleKind::Undefined;
    }
    // Trunk and arms are broader than the legs.
    const cv::Rect trunk(obstacle.box.x - obstacle.box.width / 2, obstacle.box.y, 2 * obstacle.box.width,
                         obstacle.box.height);
    obstacle.number = read_number(frame.bgr, trunk, obstacle.kind);
    const bool plain = obstacle.kind == ObstacleKind::Undefined;
    const bool low = height < kLying * scale && blob.box.width < kLong * scale;  // a ball, shoes
    if (no_team && frame.view && low) continue;
    if (plain && near && near->norm() > kFarthestThing) continue;
    obstacle.confidence = plain ? 0.4 : touches_border ? 0.65 : 0.8;
    obstacles.push_back(obstacle);
  }
  return obstacles;
}

}  // namespace hl_vision
