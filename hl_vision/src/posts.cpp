// SPDX-License-Identifier: Apache-2.0
#include "posts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace hl_vision {
namespace {

constexpr int kBlock = 6;                                  // px of rows that are looked at together
constexpr double kLeastEdge = 8.0;                         // brightness step of an edge, 0..255
constexpr double kLargestHue = 0.42;                       // of the brightest channel: white under coloured light
constexpr double kBrighter = 1.12;                         // than the turf at its foot, at least
constexpr double kEven = 0.16, kEvenLeast = 9;             // change of brightness from block to block: share, 0..255
constexpr double kGapToBorder = 0.55;                      // m of turf that must be seen behind its foot
constexpr double kLowest = 0.45;                           // m that must be seen of it
constexpr double kTallest = 1.25, kSmallest = 0.78;        // of a goal's height, if its top is in the picture
constexpr double kSure = 0.70, kSureWithoutPose = 0.75;    // confidence of a post
constexpr double kPairBonus = 0.15;                        // of one that has another at the goal's width, at most
constexpr double kApart = 0.35;                            // error of that width, share
constexpr std::array kWidths{0.82, 0.91, 1.0, 1.1, 1.22};  // of what is expected, tried
constexpr double kThinnest = 5.0, kWidthStep = 1.2;        // px, tried without the camera's pose
constexpr double kSlimmest = 19.0, kStoutest = 7.0;        // height over width of a post, without the pose
constexpr double kDeepest = 0.25;         // of the picture's height, foot below the border, without the pose
constexpr double kSameCounts = 0.35;      // of a block that cannot be told from what is behind
constexpr int kLeastFoot = 6;             // px of something above the turf
constexpr double kWidthTolerance = 0.13;  // of the width, at each edge

/// What every hypothesis is tested on.
struct Evidence {
  const Frame& frame;
  cv::Mat smooth;  // brightness, averaged over the rows of a block
};

/// A post that may be there.
struct Hypothesis {
  double x = 0.0, foot = 0.0, width = 0.0, lean = 0.0;  // px; px to the right for each row upwards
};

/// Rows of a column, from the border down, at which field begins below something that is not.
std::vector<double> feet_in(const Frame& frame, int x) {
  std::vector<double> rows;
  int field = 0, other = kLeastFoot;  // what is above the border is not field
  for (int y = std::max(0, static_cast<int>(frame.border.row(x)) - 6); y < frame.height(); ++y) {
    if (frame.at(x, y) == kField) {
      if (++field == 4 && other >= kLeastFoot) rows.push_back(y - 3);
      if (field >= 4) other = 0;
    } else {
      ++other;
      field = 0;
    }
  }
  return rows;
}

/// Direction "up" in the picture near a pixel: px to the right for one row upwards.
double lean(const Frame& frame, const cv::Point2d& foot) {
  if (!frame.view) return 0.0;
  const auto ground = frame.view->on_plane(foot);
  if (!ground) return 0.0;
  const auto above = frame.view->project(Eigen::Vector3d(ground->x(), ground->y(), 0.2));
  if (!above || std::abs(above->y - foot.y) < 1.0) return 0.0;
  return (above->x - foot.x) / (foot.y - above->y);
}

/// What one block of rows says about a post.
struct Block {
  bool white = false;     // could be its paint
  double brightness = 0;  // inside
  double support = 0.0;   // 0..1, sides that differ; being darker than what is behind counts less
  bool same = false;      // both sides look as the inside does: it cannot be told from what is behind
};

Block look_at(const Evidence& on, double x, int y, double width, double turf) {
  const Frame& frame = on.frame;
  Block block;
  int sum[3] = {0, 0, 0};
  const int half = std::max(1, static_cast<int>(0.2 * width));
  for (const int dy : {-2, 0, 2}) {
    const auto* row = frame.bgr.ptr<std::uint8_t>(std::clamp(y + dy, 0, frame.height() - 1));
    for (const int dx : {-half, 0, half}) {
      const auto* p = row + 3 * std::clamp(static_cast<int>(x) + dx, 0, frame.width() - 1);
      for (int c = 0; c < 3; ++c) sum[c] += p[c];
    }
  }
  const int high = std::max({sum[0], sum[1], sum[2]}), low = std::min({sum[0], sum[1], sum[2]});
  block.brightness = (sum[0] + sum[1] + sum[2]) / 27.0;
  block.white = high - low < kLargestHue * high + 90 && block.brightness > turf &&
                frame.at(std::clamp(static_cast<int>(x), 0, frame.width() - 1), y) != kBody;
  const auto* smooth = on.smooth.ptr<std::uint8_t>(y);
  const auto level = [&](double at) { return static_cast<double>(smooth[static_cast<int>(at)]); };
  const double least = std::max(kLeastEdge, 0.07 * block.brightness);
  int unknown = 0;
  for (const double side : {-1.0, 1.0}) {
    const double out = x + side * (0.95 * width + 3.0);  // beyond a cord of the net it looks as between the cords
    if (out < 0.0 || out >= frame.width()) {
      block.support += 0.25;
      continue;
    }
    // A lamp from one side makes the other side darker.
    const double inside = level(x + side * 0.25 * width), beyond = inside - level(out);
    if (std::abs(beyond) < least) {
      ++unknown;
      continue;
    }
    // Where it becomes more like what is beyond must be half a width away.
    double at = 0.25 * width;
    while (at < 0.9 * width + 3.0 && std::abs(inside - level(x + side * at)) < 0.5 * std::abs(beyond)) at += 1.0;
    if (std::abs(at - 0.5 * width - 0.5) < 0.8 + kWidthTolerance * width) block.support += beyond > 0.0 ? 0.5 : 0.3;
  }
  block.same = unknown == 2 && block.white;
  return block;
}

/// Whether turf is seen to both sides of the foot and below it; what is outside the picture says nothing.
bool stands_on_field(const Frame& frame, const Hypothesis& post, double border) {
  int field = 0, seen = 0;
  const auto look = [&](double x, double y) {
    if (x < 0 || y < 0 || x >= frame.width() || y >= frame.height()) return;
    const auto c = frame.at(static_cast<int>(x), static_cast<int>(y));
    seen += c != kWhite ? 1 : 0;  // lines meet at its foot
    field += c == kField ? 1 : 0;
  };
  const double gap = post.foot - border;
  for (const double share : {0.2, 0.5}) {
    const double up = share * gap, x = post.x + post.lean * up;
    for (const double side : {-1.0, 1.0}) look(x + side * (0.8 * post.width + 2.0), post.foot - up);
  }
  for (const double side : {-0.9, 0.0, 0.9}) look(post.x + side * post.width, post.foot + 4.0);
  return field >= 2 && 10 * field >= 6 * seen;
}

/// Brightness of the turf at a foot, 0..255.
double turf_at(const Frame& frame, const Hypothesis& post) {
  double sum = 0.0;
  int count = 0;
  for (const double side : {-1.2, -0.8, 0.8, 1.2}) {
    for (const double dy : {-2.0, 1.0, 4.0}) {
      const double x = post.x + side * post.width, y = post.foot + dy;
      if (x < 0 || y < 0 || x >= frame.width() || y >= frame.height()) continue;
      if (frame.at(static_cast<int>(x), static_cast<int>(y)) != kField) continue;
      const auto* p = frame.bgr.ptr<std::uint8_t>(static_cast<int>(y)) + 3 * static_cast<int>(x);
      sum += (p[0] + p[1] + p[2]) / 3.0;
      ++count;
    }
  }
  return count > 2 ? sum / count : frame.field_brightness;
}

/// How a hypothesis meets the picture; nothing if it does not.
std::optional<PostInImage> judge(const Evidence& on, const Hypothesis& h) {
  const Frame& frame = on.frame;
  const double border = frame.border.row(h.x), scale = frame.scale({h.x, h.foot});
  if (scale <= 0.0 || !stands_on_field(frame, h, border)) return std::nullopt;
  const double whole = frame.view ? (frame.goal_height + frame.post_diameter) * scale : kSlimmest * h.width;
  double supported = 0.0, looked_at = 0.0, best_share = 0.0, before = -1.0;
  const double turf = turf_at(frame, h);
  int top = -1, misses = 0, same_above = 0;
  bool cut = false;
  for (int n = 0;; ++n) {
    const double up = (n + 0.7) * kBlock, x = h.x + h.lean * up;
    const int y = static_cast<int>(h.foot - up);
    if (up > kTallest * whole) break;
    if (y < kBlock / 2 || x < 0.3 * h.width || x > frame.width() - 0.3 * h.width) {
      cut = true;
      break;
    }
    const Block block = look_at(on, x, y, h.width, up < h.foot - border ? kBrighter * turf : 0.9 * turf);
    looked_at += block.same ? kSameCounts : 1.0;
    const bool smooth =
        before < 0.0 || std::abs(block.brightness - before) < kEven * std::max(before, block.brightness) + kEvenLeast;
    before = block.brightness;
    if (block.white && smooth && block.support > 0.0) {
      supported += block.support;
      top = y;
      best_share = supported / looked_at;
      misses = same_above = 0;
    } else if (block.same && smooth) {
      ++same_above;
      if (same_above > 6) break;
    } else if (++misses > 2) {
      break;
    }
  }
  if (top < 0 || best_share < 0.5) return std::nullopt;
  const double height = h.foot - top;
  cut = cut && misses == 0 && same_above <= 2;
  const bool fades = same_above > 6;  // before something of its own brightness
  if (frame.view) {
    if (height < kLowest * scale && !(cut && height > 2.0 * h.width)) return std::nullopt;
    if (!cut && !fades && height < kSmallest * whole) return std::nullopt;
    if (height > 0.97 * kTallest * whole) return std::nullopt;
  } else {
    if (height < (cut || fades ? 4.0 : kStoutest) * h.width || height > 0.97 * kTallest * whole) return std::nullopt;
  }
  if (top > border - 0.5 * h.width && !cut) return std::nullopt;  // flat on the ground
  PostInImage post;
  post.foot = {h.x, h.foot};
  post.top = {h.x + h.lean * height, static_cast<double>(top)};
  post.width = h.width;
  const double length = std::min(1.0, height / (kSmallest * whole));
  post.confidence = std::clamp(best_share * (0.75 + 0.25 * length), 0.0, 0.98);
  return post;
}

/// The best of some widths and directions for a foot at one place.
void try_foot(const Evidence& on, double x, double row, std::vector<PostInImage>& found) {
  const Frame& frame = on.frame;
  const double scale = frame.scale({x, row}), expected = frame.post_diameter * scale;
  if (scale <= 0.0) return;
  std::optional<PostInImage> best;
  const auto attempt = [&](double aside, double width, double slope) {
    const auto post = judge(on, {x + aside * width, row, width, slope});
    if (post && (!best || post->confidence > best->confidence)) best = post;
  };
  if (frame.view) {
    if (expected < 3.0 || expected > 0.4 * frame.width()) return;
    const double slope = lean(frame, {x, row});
    for (const double factor : kWidths)
      // Where a line leads to the foot, turf begins only beside the middle.
      for (const double aside : {-0.3, 0.0, 0.3}) attempt(aside, factor * expected, slope);
  } else {
    for (double width = std::max(kThinnest, 0.3 * expected); width < 3.0 * expected; width *= kWidthStep)
      for (const double slope : {-0.10, -0.05, 0.0, 0.05, 0.10})
        for (const double aside : {-0.3, 0.0, 0.3}) attempt(aside, width, slope);
  }
  if (best) found.push_back(*best);
}

/// Turf behind what stands at this row, px: how far below the border the foot of a post must be.
double least_gap(const Frame& frame, double x, double row) {
  if (!frame.view) return 2.0;
  const auto foot = frame.view->on_plane({x, row});
  if (!foot) return 2.0;
  const Eigen::Vector2d eye = frame.view->ground_from_camera().translation().head<2>();
  const auto behind = frame.view->project(Eigen::Vector2d(*foot + kGapToBorder * (*foot - eye).normalized()));
  return behind ? std::max(2.0, row - behind->y) : 2.0;
}

std::vector<PostInImage> candidates(const Frame& frame) {
  Evidence on{frame, {}};
  cv::blur(frame.luma, on.smooth, cv::Size(2, kBlock));
  std::vector<PostInImage> found;
  for (int x = 1; x + 1 < frame.width();) {
    double step = 0.1 * frame.width();
    for (const double row : feet_in(frame, x)) {
      const double below = row - frame.border.row(x);
      if (below < least_gap(frame, x, row) || (!frame.view && below > kDeepest * frame.height())) continue;
      try_foot(on, x + 0.5, row, found);
      step = std::min(step, 0.12 * frame.post_diameter * frame.scale({x + 0.5, row}));
    }
    x += std::clamp(static_cast<int>(step), frame.view ? 1 : 2, 6);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const PostInImage& a, const PostInImage& b) { return a.confidence > b.confidence; });
  std::vector<PostInImage> kept;
  for (const PostInImage& post : found) {
    const bool again = std::any_of(kept.begin(), kept.end(), [&](const PostInImage& other) {
      return std::abs(other.foot.x - post.foot.x) < 1.2 * std::max(other.width, post.width);
    });
    if (!again) kept.push_back(post);
  }
  return kept;
}

/// 0..1: how well two posts stand at the goal's width; nothing if they do not.
std::optional<double> goal_apart(const Frame& frame, const PostInImage& a, const PostInImage& b) {
  if (!frame.view) {
    const double apart = std::abs(b.foot.x - a.foot.x), width = 0.5 * (a.width + b.width);
    const double ratio = a.width / b.width;
    if (apart < 6.0 * width || apart > 45.0 * width || ratio < 0.4 || ratio > 2.5) return std::nullopt;
    return 0.5;
  }
  const auto p = frame.view->on_plane(a.foot), q = frame.view->on_plane(b.foot);
  if (!p || !q) return std::nullopt;
  const double wanted = frame.goal_width + frame.post_diameter, error = std::abs((*p - *q).norm() - wanted);
  if (error > kApart * wanted) return std::nullopt;
  return 1.0 - error / wanted;
}

/// What another post at the goal's width adds to the confidence of one: most if it stands where it must.
double pair_bonus(const Frame& frame, const PostInImage& a, const PostInImage& b) {
  const auto fits = goal_apart(frame, a, b);
  if (!fits) return 0.0;
  return frame.view ? kPairBonus * (*fits - 1.0 + kApart) / kApart : kPairBonus;
}

/// Whether one of two cannot be a post: they stand nearer to each other than those of a goal, as the poles of a net do.
bool too_near(const Frame& frame, const PostInImage& a, const PostInImage& b) {
  if (!frame.view) return std::abs(b.foot.x - a.foot.x) < 5.0 * std::max(a.width, b.width);
  const auto p = frame.view->on_plane(a.foot), q = frame.view->on_plane(b.foot);
  return p && q && (*p - *q).norm() < 0.75 * frame.goal_width;
}

}  // namespace

GoalParts find_goal_parts(const Frame& frame) {
  GoalParts parts;
  if (!frame.border.known()) return parts;
  std::vector<PostInImage> found = candidates(frame);
  const double sure = frame.view ? kSure : kSureWithoutPose;
  std::vector<double> alone;
  for (const PostInImage& post : found) alone.push_back(post.confidence);
  for (std::size_t n = 0; n < found.size(); ++n) {
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (k != n && alone[k] > sure - kPairBonus)
        found[n].confidence =
            std::max(found[n].confidence, std::min(0.99, alone[n] + pair_bonus(frame, found[n], found[k])));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const PostInImage& a, const PostInImage& b) { return a.confidence > b.confidence; });
  for (const PostInImage& post : found) {
    const bool between = std::any_of(parts.posts.begin(), parts.posts.end(),
                                     [&](const PostInImage& other) { return too_near(frame, post, other); });
    if (!between && post.confidence > sure) parts.posts.push_back(post);
  }
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
      const auto fits = goal_apart(frame, a, b);
      if (!fits) continue;
      const double score = *fits * (a.confidence + b.confidence) * 0.5;
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
