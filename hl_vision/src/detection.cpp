// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/detection.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <opencv2/imgproc.hpp>

#include "balls.hpp"
#include "frame.hpp"
#include "lines.hpp"
#include "obstacles.hpp"
#include "posts.hpp"

namespace hl_vision {
namespace {

constexpr int kSmallest = 64;          // px, edge of a picture that can be used
constexpr double kFieldNeeded = 0.02;  // share of the picture that must be field
constexpr double kDark = 55.0;         // mean brightness below which a picture is brightened
constexpr double kBrightened = 90.0;   // to this
constexpr double kLargestGain = 8.0;
constexpr double kPerhapsBall = 0.3;  // confidence of a candidate that is no obstacle

void enlarge(cv::Point2d& p, double factor) {
  p *= factor;
}

/// Results of a shrunk picture in pixels of the whole one.
void enlarge(Detection::Outputs& out, double f) {
  if (f == 1.0) return;
  const auto ball = [f](BallInImage& b) {
    enlarge(b.center, f);
    b.diameter *= f;
  };
  const auto post = [f](PostInImage& p) {
    enlarge(p.foot, f);
    enlarge(p.top, f);
    p.width *= f;
  };
  for (auto& c : out.candidates) ball(c);
  if (out.ball) ball(*out.ball);
  for (auto& p : out.posts) post(p);
  for (auto& b : out.bars) {
    enlarge(b.left, f);
    enlarge(b.right, f);
    b.width *= f;
  }
  if (out.goal) {
    post(out.goal->left);
    if (out.goal->right) post(*out.goal->right);
    enlarge(out.goal->center, f);
  }
  for (auto& o : out.obstacles) {
    o.box = cv::Rect(static_cast<int>(o.box.x * f), static_cast<int>(o.box.y * f), static_cast<int>(o.box.width * f),
                     static_cast<int>(o.box.height * f));
  }
  for (auto& p : out.line_points) enlarge(p, f);
  for (auto& s : out.segments) {
    enlarge(s.from, f);
    enlarge(s.to, f);
    s.from_width *= f;
    s.to_width *= f;
  }
  for (auto& c : out.crossings) {
    enlarge(c.position, f);
    for (auto& arm : c.arms) enlarge(arm, f);
  }
  for (auto& c : out.circles) {
    for (cv::Point2d* p : {&c.left, &c.middle, &c.right, &c.center}) enlarge(*p, f);
  }
  for (auto& m : out.marks) {
    enlarge(m.center, f);
    for (auto& arm : m.arms) enlarge(arm, f);
  }
  for (auto& p : out.field_border) enlarge(p, f);
}

bool on_post(const cv::Point2d& p, const std::vector<PostInImage>& posts) {
  return std::any_of(posts.begin(), posts.end(), [&](const PostInImage& post) {
    if (p.y > post.foot.y || p.y < post.top.y) return false;
    const double share = (post.foot.y - p.y) / std::max(1.0, post.foot.y - post.top.y);
    return std::abs(p.x - (post.foot.x + share * (post.top.x - post.foot.x))) < 0.7 * post.width;
  });
}

/// What a robot wears on its feet is no line either.
void drop_points_on_robots(Detection::Outputs& out) {
  using hl_soccer::ObstacleKind;
  const auto on_robot = [&](const cv::Point2d& p) {
    return std::any_of(out.obstacles.begin(), out.obstacles.end(), [&](const ObstacleInImage& o) {
      return (o.kind == ObstacleKind::RobotRed || o.kind == ObstacleKind::RobotBlue) && o.box.contains(p);
    });
  };
  out.line_points.erase(std::remove_if(out.line_points.begin(), out.line_points.end(), on_robot),
                        out.line_points.end());
  out.marks.erase(std::remove_if(out.marks.begin(), out.marks.end(),
                                 [&](const MarkInImage& mark) { return on_robot(mark.center); }),
                  out.marks.end());
}

}  // namespace

struct Detection::Prepared {
  Frame frame;
  double shrink = 1.0;
  bool no_view = false;
};

std::optional<std::string> Detection::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (!(ball_confidence >= 0.0 && ball_confidence <= 1.0))
    return bad("ball_confidence must be in 0..1", ball_confidence);
  if (ball_candidates < 1 || ball_candidates > 200) return bad("ball_candidates must be in 1..200", ball_candidates);
  if (largest_width < kSmallest || largest_width > 4096)
    return bad("largest_width (px) must be in 64..4096", largest_width);
  if (!(colour.learning_rate > 0.0 && colour.learning_rate <= 1.0))
    return bad("colour.learning_rate must be above 0 and at most 1", colour.learning_rate);
  if (!(colour.threshold > 0.0 && colour.threshold < 1.0))
    return bad("colour.threshold must be in 0..1", colour.threshold);
  if (!(colour.least_share >= 0.0 && colour.least_share <= 1.0))
    return bad("colour.least_share must be in 0..1", colour.least_share);
  if (!(colour.white_factor >= 1.0 && colour.white_factor <= 5.0))
    return bad("colour.white_factor must be in 1..5", colour.white_factor);
  return std::nullopt;
}

Detection::Detection(const Params& params, const hl_description::Field& field, BallNetwork network)
    : params_(params), field_(field), network_(std::move(network)), colour_(params.colour) {}

void Detection::set_params(const Params& params) {
  params_ = params;
  colour_.set_params(params.colour);
}

std::optional<std::string> Detection::prepare(const Inputs& inputs, Prepared& prepared) {
  Frame& frame = prepared.frame;
  const cv::Mat& picture = inputs.bgr;
  if (picture.empty()) return "the picture is empty";
  if (picture.cols < kSmallest || picture.rows < kSmallest) {
    return "the picture of " + std::to_string(picture.cols) + " x " + std::to_string(picture.rows) + " is too small";
  }
  if (picture.type() == CV_8UC1) return "the picture is grey: the field cannot be told by its colour";
  if (picture.type() != CV_8UC3) return "the picture is not 8 bit BGR";
  prepared.shrink = std::ceil(static_cast<double>(picture.cols) / params_.largest_width);
  if (prepared.shrink > 1.0) {
    cv::resize(
        picture, frame.bgr,
        cv::Size(static_cast<int>(picture.cols / prepared.shrink), static_cast<int>(picture.rows / prepared.shrink)), 0,
        0, cv::INTER_AREA);
  } else {
    frame.bgr = picture;
  }
  if (inputs.view && inputs.view->lens().width == picture.cols && inputs.view->lens().height == picture.rows &&
      inputs.view->ground_from_camera().matrix().allFinite() && inputs.view->height() > 0.05) {
    frame.view = prepared.shrink > 1.0 ? inputs.view->shrunk(prepared.shrink) : *inputs.view;
  }
  prepared.no_view = !frame.view;
  frame.ball_radius = field_.ball_radius;
  frame.line_width = field_.line_width;
  frame.post_diameter = field_.post_diameter;
  frame.goal_width = field_.goal_width;
  frame.goal_depth = field_.goal_depth;
  frame.goal_height = field_.goal_height;
  frame.goal_area_length = field_.goal_area_length;
  frame.penalty_area_length = field_.penalty_area_length;
  frame.circle_radius = field_.circle_radius();
  frame.mark_length = field_.mark_length;

  cv::cvtColor(frame.bgr, frame.luma, cv::COLOR_BGR2GRAY);
  const double brightness = cv::mean(frame.luma)[0];
  if (brightness < kDark && brightness > 1.0) {
    const double gain = std::min(kLargestGain, kBrightened / brightness);
    cv::Mat brighter;
    frame.bgr.convertTo(brighter, -1, gain);
    frame.bgr = brighter;
    cv::cvtColor(frame.bgr, frame.luma, cv::COLOR_BGR2GRAY);
  }
  const auto top = [&](double x) { return frame.view ? frame.view->horizon(x) : 0.0; };
  // A pixel's colour is noisy, that of its neighbourhood less so.
  cv::Mat calm;
  cv::blur(frame.bgr, calm, cv::Size(3, 3));
  const bool learned = colour_.learn(calm, top);
  if (!colour_.known()) return "no field in sight and none seen before";
  colour_.classify(calm, frame.classes);
  if (!inputs.body.empty() && inputs.view) {
    const Lens lens = prepared.shrink > 1.0 ? inputs.view->lens().shrunk(prepared.shrink) : inputs.view->lens();
    if (lens.width == frame.width() && lens.height == frame.height())
      frame.classes.setTo(cv::Scalar(kBody), body_mask(lens, inputs.body));
  }
  frame.field_brightness = colour_.brightness();
  frame.border = FieldBorder::find(frame.classes, top);
  const cv::Mat other = (frame.classes != kField) & (frame.classes != kBody);
  cv::integral(other / 255, frame.not_field, CV_32S);
  const int field = cv::countNonZero(frame.classes == kField);
  if (!frame.border.known() || field < kFieldNeeded * frame.width() * frame.height()) {
    return learned ? "too little field in sight" : "no field in sight";
  }
  return std::nullopt;
}

Detection::Outputs Detection::step(const Inputs& inputs, double /*now*/) {
  Outputs out;
  Prepared prepared;
  if (auto reason = prepare(inputs, prepared)) {
    out.classes = prepared.frame.classes;
    out.classes_scale = 1.0 / prepared.shrink;
    out.reason = std::move(*reason);
    return out;
  }
  const Frame& frame = prepared.frame;
  out.classes = frame.classes;
  out.classes_scale = 1.0 / prepared.shrink;
  out.field_border = frame.border.corners();
  if (network_.trained()) {
    out.candidates = check_balls(frame, ball_candidates(frame, static_cast<std::size_t>(params_.ball_candidates)),
                                 network_, activations_);
  }
  if (!out.candidates.empty() && out.candidates.front().confidence >= params_.ball_confidence)
    out.ball = out.candidates.front();
  if (params_.posts) {
    GoalParts parts = find_goal_parts(frame);
    out.goal = find_goal(frame, parts);
    out.posts = std::move(parts.posts);
    out.bars = std::move(parts.bars);
  }
  if (params_.lines) {
    LinesInImage lines = find_lines(frame, out.posts, out.ball);
    for (const LinePoint& p : lines.points) {
      // A point that no shape explains is more often a shoe than a line.
      if (p.used && !on_post(p.pixel, out.posts)) out.line_points.push_back(p.pixel);
    }
    out.segments = std::move(lines.segments);
    out.crossings = std::move(lines.crossings);
    out.circles = std::move(lines.circles);
    out.marks = std::move(lines.marks);
  }
  if (params_.obstacles) {
    std::vector<BallInImage> balls;  // also what is hardly one: it is no robot
    std::copy_if(out.candidates.begin(), out.candidates.end(), std::back_inserter(balls),
                 [](const BallInImage& ball) { return ball.confidence > kPerhapsBall; });
    out.obstacles = find_obstacles(frame, balls, out.posts, out.segments, out.circles);
    drop_points_on_robots(out);
  }
  enlarge(out, prepared.shrink);
  if (!network_.trained()) out.reason = "no ball network: balls are not looked for";
  if (prepared.no_view) out.reason = "the camera's pose is not known: sizes are guessed";
  return out;
}

std::vector<BallInImage> Detection::quick_ball_candidates(const Inputs& inputs) {
  Prepared prepared;
  if (prepare(inputs, prepared)) return {};
  auto found = ball_candidates(prepared.frame, static_cast<std::size_t>(params_.ball_candidates));
  for (BallInImage& ball : found) {
    ball.center *= prepared.shrink;
    ball.diameter *= prepared.shrink;
  }
  return found;
}

}  // namespace hl_vision
