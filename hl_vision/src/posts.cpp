// SPDX-License-Identifier: Apache-2.0
#include "posts.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

constexpr int kRowStep = 4;                                    // px between the rows looked at
constexpr double kThinnest = 0.68, kThickest = 1.70;           // of a post's width, camera pose known
constexpr double kGuessThinnest = 0.25, kGuessThickest = 2.6;  // not known
constexpr double kLeastHeight = 0.75;                          // m that must be seen, or up to the picture's edge
constexpr double kLeastEdge = 14.0;                            // brightness step at both edges, 0..255
constexpr double kNearBorder = 0.10;                           // of the picture's height, foot above the border
constexpr double kPoleRatio = 1.7;                             // widths of a post and of a pole behind it
constexpr int kMostGap = 4;                                    // rows in a chain that may be missing

/// A bright run in one row.
struct Run {
  double x = 0.0, width = 0.0, brightness = 0.0;
};

/// A post while it is followed upwards.
struct Chain {
  std::vector<cv::Point2d> middles;
  std::vector<double> widths;
  int last_row = 0, missed = 0;
  double brightness = 0.0;
};

/// Direction "up" in the picture near a pixel, px per px of rows: dx for one row upwards.
double lean(const Frame& frame, const cv::Point2d& foot) {
  if (!frame.view) return 0.0;
  const auto ground = frame.view->on_plane(foot);
  if (!ground) return 0.0;
  const auto above = frame.view->project(Eigen::Vector3d(ground->x(), ground->y(), 0.2));
  if (!above || std::abs(above->y - foot.y) < 1.0) return 0.0;
  return (above->x - foot.x) / (foot.y - above->y);
}

/// Runs that are brighter than both sides.
void bright_runs(const Frame& frame, int y, double least, double most, std::vector<Run>& runs) {
  runs.clear();
  const auto* luma = frame.luma.ptr<std::uint8_t>(y);
  const auto* classes = frame.classes.ptr<std::uint8_t>(y);
  const double edge = std::max(kLeastEdge, 0.12 * frame.field_brightness);
  const int w = frame.width();
  const auto neutral = [&](int x) {
    const auto* p = frame.bgr.ptr<std::uint8_t>(y) + 3 * x;
    const int high = std::max({p[0], p[1], p[2]}), low = std::min({p[0], p[1], p[2]});
    return classes[x] != kField && classes[x] != kBody && high - low < 0.30 * high + 12;
  };
  int x = 2;
  while (x < w - 2) {
    // A rising edge over two pixels to each side.
    if (!(luma[x + 1] - luma[x - 2] > edge && neutral(x + 1))) {
      ++x;
      continue;
    }
    const int first = x;
    const double base = luma[first - 2];
    double level = luma[x + 1];
    int t = x + 1;
    const int limit = std::min(w - 2, first + static_cast<int>(most) + 3);
    double sum = 0.0;
    int n = 0;
    while (t < limit && neutral(t) && luma[t] > base + 0.45 * (level - base)) {
      level = std::max(level, static_cast<double>(luma[t]));
      sum += luma[t];
      ++n;
      ++t;
    }
    const double inside = n > 0 ? sum / n : 0.0;
    const double width = t - first;
    const bool falls = t < limit && inside - luma[std::min(w - 1, t + 2)] > 0.7 * edge;
    if (falls && width >= least && width <= most) {
      runs.push_back({first + 0.5 * width, width, inside});
      x = t;
    } else {
      ++x;
    }
  }
}

void follow(const Frame& frame, int y, const std::vector<Run>& runs, std::vector<Chain>& open,
            std::vector<Chain>& done) {
  std::vector<bool> taken(runs.size(), false);
  for (Chain& chain : open) {
    const cv::Point2d last = chain.middles.back();
    const double up = last.y - y, expected = last.x + lean(frame, chain.middles.front()) * up;
    const double tolerance = 1.5 + 0.25 * chain.widths.back() + 0.12 * up;
    std::size_t best = runs.size();
    for (std::size_t n = 0; n < runs.size(); ++n) {
      if (taken[n] || std::abs(runs[n].x - expected) > tolerance) continue;
      const double ratio = runs[n].width / chain.widths.back();
      if (ratio < 0.6 || ratio > 1.7) continue;
      if (best == runs.size() || std::abs(runs[n].x - expected) < std::abs(runs[best].x - expected)) best = n;
    }
    if (best < runs.size()) {
      taken[best] = true;
      chain.middles.push_back({runs[best].x, static_cast<double>(y)});
      chain.widths.push_back(runs[best].width);
      chain.brightness += runs[best].brightness;
      chain.missed = 0;
    } else {
      ++chain.missed;
    }
  }
  for (std::size_t n = 0; n < open.size();) {
    if (open[n].missed > kMostGap) {
      done.push_back(std::move(open[n]));
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(n));
    } else {
      ++n;
    }
  }
  for (std::size_t n = 0; n < runs.size(); ++n) {
    if (taken[n]) continue;
    // A post begins on the field or near its border, not up on the wall.
    if (y < frame.border.row(runs[n].x) - kNearBorder * frame.height()) continue;
    Chain chain;
    chain.middles.push_back({runs[n].x, static_cast<double>(y)});
    chain.widths.push_back(runs[n].width);
    chain.brightness = runs[n].brightness;
    open.push_back(std::move(chain));
  }
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Follows the bar downwards to the row where the field begins.
cv::Point2d find_foot(const Frame& frame, const Chain& chain, double width) {
  const cv::Point2d low = chain.middles.front();
  const double slope = lean(frame, low);
  double y = low.y;
  int field = 0;
  for (double row = low.y; row < frame.height(); row += 1.0) {
    const double x = low.x - slope * (row - low.y);
    const int left = std::clamp(static_cast<int>(x - 0.25 * width), 0, frame.width() - 1),
              right = std::clamp(static_cast<int>(x + 0.25 * width), 0, frame.width() - 1);
    int here = 0;
    for (int k = left; k <= right; ++k) here += frame.at(k, static_cast<int>(row)) == kField;
    if (2 * here > right - left) {
      if (++field >= 2) break;
    } else {
      field = 0;
      y = row;
    }
    if (row > low.y + 3.0 * kRowStep + 1.5 * width && field == 0) break;
  }
  return {low.x - slope * (y - low.y), y + 0.5};
}

/// Whether the field's colour is seen left or right of the foot or below it.
bool stands_on_field(const Frame& frame, const cv::Point2d& foot, double width) {
  int field = 0, seen = 0;
  for (const auto& [dx, dy] : {std::pair(0.0, 3.0), std::pair(0.0, 6.0), std::pair(-1.0, 3.0), std::pair(1.0, 3.0)}) {
    const int x = static_cast<int>(foot.x + dx * width), y = static_cast<int>(foot.y + dy);
    if (x < 0 || y < 0 || x >= frame.width() || y >= frame.height()) continue;
    ++seen;
    field += frame.at(x, y) == kField;
  }
  return seen >= 2 && 2 * field >= seen;
}

/// Share of rows in which the bar differs from what lies half its width beyond its edges; a gap between the cords of
/// a net does not.
double stands_out(const Frame& frame, const Chain& chain) {
  int out = 0, rows = 0;
  for (std::size_t n = 0; n < chain.middles.size(); ++n) {
    const int y = static_cast<int>(chain.middles[n].y);
    const auto* luma = frame.luma.ptr<std::uint8_t>(y);
    const auto at = [&](double x) {
      return static_cast<double>(luma[std::clamp(static_cast<int>(x), 0, frame.width() - 1)]);
    };
    const double x = chain.middles[n].x, far = 1.1 * chain.widths[n] + 2.0;
    const double inside = at(x), left = at(x - far), right = at(x + far);
    ++rows;
    out += std::abs(inside - left) > kLeastEdge && std::abs(inside - right) > 0.5 * kLeastEdge;
  }
  return rows > 0 ? static_cast<double>(out) / rows : 0.0;
}

std::optional<PostInImage> judge(const Frame& frame, const Chain& chain) {
  if (chain.middles.size() < 5) return std::nullopt;
  PostInImage post;
  post.width = median(chain.widths);
  post.foot = find_foot(frame, chain, post.width);
  post.top = chain.middles.back();
  if (!stands_on_field(frame, post.foot, post.width)) return std::nullopt;
  const double height = post.foot.y - post.top.y;
  const bool cut = post.top.y < 3.0 * kRowStep;
  const double filled = static_cast<double>(chain.middles.size()) * kRowStep / std::max(1.0, height);
  if (filled < 0.55 || stands_out(frame, chain) < 0.5) return std::nullopt;
  // It rises above the border of the field, since what stands behind is not field.
  if (!(cut && frame.view) && post.top.y > frame.border.row(post.top.x) - 0.5 * post.width) return std::nullopt;
  const double scale = frame.scale(post.foot);
  const double width = post.width / std::max(1e-3, frame.post_diameter * scale);
  if (frame.view) {
    if (scale <= 0.0 || width < kThinnest || width > kThickest) return std::nullopt;
    if (!cut && height < kLeastHeight * scale) return std::nullopt;
    if (cut && height < 2.0 * post.width) return std::nullopt;
  } else {
    if (width < kGuessThinnest || width > kGuessThickest) return std::nullopt;
    if (height < (cut ? 3.0 : 6.0) * post.width) return std::nullopt;
  }
  post.confidence = std::clamp(0.35 + 0.4 * filled + 0.02 * static_cast<double>(chain.middles.size()), 0.0, 0.98);
  return post;
}

}  // namespace

GoalParts find_goal_parts(const Frame& frame) {
  GoalParts parts;
  if (!frame.border.known()) return parts;
  double lowest = 0.0, highest = frame.height();
  for (const auto& corner : frame.border.corners()) {
    lowest = std::max(lowest, corner.y);
    highest = std::min(highest, corner.y);
  }
  // Without the camera's pose: a post's foot stands at most a quarter of the picture below the border of the turf.
  const int bottom =
      std::min(frame.height() - 1, static_cast<int>(lowest + (frame.view ? 1.0 : 0.25) * frame.height()));
  std::vector<Chain> open, done;
  std::vector<Run> runs;
  for (int y = bottom - bottom % kRowStep; y >= 0; y -= kRowStep) {
    const double at = std::max(static_cast<double>(y), highest);
    const double near =
        frame.post_diameter * frame.scale({0.5 * frame.width(), std::max(at, static_cast<double>(bottom))});
    bright_runs(frame, y, 3.0, std::max(12.0, kThickest * near), runs);
    follow(frame, y, runs, open, done);
    if (open.empty() && y < highest - kNearBorder * frame.height()) break;
  }
  for (Chain& chain : open) done.push_back(std::move(chain));
  for (const Chain& chain : done) {
    if (const auto post = judge(frame, chain)) parts.posts.push_back(*post);
  }
  std::stable_sort(parts.posts.begin(), parts.posts.end(),
                   [](const PostInImage& a, const PostInImage& b) { return a.confidence > b.confidence; });
  std::vector<PostInImage> kept;
  for (const PostInImage& post : parts.posts) {
    const bool again = std::any_of(kept.begin(), kept.end(), [&](const PostInImage& other) {
      return std::abs(other.foot.x - post.foot.x) < 1.2 * std::max(other.width, post.width);
    });
    // The net's poles stand close behind the posts and are thinner.
    const bool pole = std::any_of(parts.posts.begin(), parts.posts.end(), [&](const PostInImage& other) {
      return other.width > kPoleRatio * post.width && other.foot.y > post.foot.y &&
             std::abs(other.foot.x - post.foot.x) < 0.5 * (other.foot.y - other.top.y);
    });
    if (pole) continue;
    if (!again) kept.push_back(post);
  }
  parts.posts = std::move(kept);
  // A bar joins the tops of two posts: bright along most of the way.
  for (std::size_t i = 0; i < parts.posts.size(); ++i) {
    for (std::size_t j = 0; j < parts.posts.size(); ++j) {
      const PostInImage &a = parts.posts[i], &b = parts.posts[j];
      if (a.top.x >= b.top.x || std::abs(a.top.y - b.top.y) > 0.4 * (b.top.x - a.top.x)) continue;
      const double width = 0.5 * (a.width + b.width);
      int bright = 0;
      constexpr int kSamples = 24;
      for (int n = 1; n < kSamples; ++n) {
        const cv::Point2d p = a.top + (b.top - a.top) * (static_cast<double>(n) / kSamples);
        for (double dy = -width; dy <= width; dy += std::max(1.0, 0.25 * width)) {
          const int x = static_cast<int>(p.x), y = static_cast<int>(p.y + dy);
          if (x >= 0 && y >= 0 && x < frame.width() && y < frame.height() && frame.at(x, y) == kWhite) {
            ++bright;
            break;
          }
        }
      }
      if (bright > 0.7 * kSamples) parts.bars.push_back({a.top, b.top, width, static_cast<double>(bright) / kSamples});
    }
  }
  return parts;
}

std::optional<GoalInImage> find_goal(const Frame& frame, const GoalParts& parts) {
  if (parts.posts.empty()) return std::nullopt;
  GoalInImage goal;
  double best = 0.0;
  for (const PostInImage& a : parts.posts) {
    for (const PostInImage& b : parts.posts) {
      if (a.foot.x >= b.foot.x) continue;
      double fits = 0.5;
      if (frame.view) {
        const auto p = frame.view->on_plane(a.foot), q = frame.view->on_plane(b.foot);
        if (!p || !q) continue;
        const double wanted = frame.goal_width + frame.post_diameter, error = std::abs((*p - *q).norm() - wanted);
        if (error > 0.35 * wanted) continue;
        fits = 1.0 - error / wanted;
      } else if (b.foot.x - a.foot.x < 2.0 * (a.width + b.width)) {
        continue;
      }
      const double score = fits * (a.confidence + b.confidence) * 0.5;
      if (score > best) {
        best = score;
        goal = {a, b, 0.5 * (a.foot + b.foot), score};
      }
    }
  }
  if (best > 0.0) return goal;
  const PostInImage& only = parts.posts.front();
  // A guess: the goal lies towards the middle of the picture's larger part, since the other post would be seen there.
  const double side = only.foot.x < 0.5 * frame.width() ? -1.0 : 1.0;
  const double half = 0.5 * frame.goal_width * std::max(1.0, only.width / frame.post_diameter);
  goal = {only, std::nullopt, {only.foot.x + side * half, only.foot.y}, 0.5 * only.confidence};
  return goal;
}

}  // namespace hl_vision
