// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace hl_vision {

bool matches(const LabelledPicture::Ball& truth, const BallInImage& found) {
  const double distance = cv::norm(truth.center - found.center);
  const double ratio = found.diameter / truth.diameter;
  return distance < (truth.approximate ? 0.5 : 0.35) * truth.diameter + 2.0 && ratio > 0.55 && ratio < 1.8;
}

namespace {

using hl_soccer::ObstacleKind;

constexpr double kSmallestBall = 12.0;  // px; smaller ones do not count
constexpr double kBallRadius = 0.07;    // m, of the rules
constexpr double kFeet = 0.6;           // m, before the feet

bool matches(const LabelledPicture::Post& truth, const PostInImage& found) {
  const double across = std::abs(truth.foot.x - found.foot.x), along = std::abs(truth.foot.y - found.foot.y);
  return across < 0.8 * truth.width + 4.0 && (!truth.foot_visible || along < 1.5 * truth.width + 8.0);
}

double distance_to(const cv::Point2d& p, const LabelledPicture::LinePiece& piece) {
  const cv::Point2d d = piece.to - piece.from;
  const double s = std::clamp((p - piece.from).dot(d) / std::max(1e-9, d.dot(d)), 0.0, 1.0);
  return cv::norm(p - (piece.from + s * d));
}

bool robot_kind(ObstacleKind kind) {
  return kind == ObstacleKind::RobotRed || kind == ObstacleKind::RobotBlue || kind == ObstacleKind::RobotUndefined;
}

void judge_balls(const LabelledPicture& labels, const Detection::Outputs& found, Score& score) {
  bool explained = false;
  for (const auto& truth : labels.balls) {
    const bool hit = found.ball && matches(truth, *found.ball);
    explained |= hit;
    // Only one ball is given out: with several in sight each one that is not it counts as missed only if none is.
    const bool other_hit = found.ball && std::any_of(labels.balls.begin(), labels.balls.end(),
                                                     [&](const auto& b) { return matches(b, *found.ball); });
    const bool any = hit || other_hit;
    const bool counts = !truth.ignore && !labels.other_ball && truth.visible >= 0.5;
    if (!counts) continue;
    if (truth.distance <= 0.0) {
      if (truth.diameter >= kSmallestBall) score.ball.add(any);
      continue;
    }
    if (truth.distance > 7.0) continue;
    score.ball.add(any);
    if (truth.distance < kFeet) score.ball_feet.add(any);
    (truth.distance < 3.0 ? score.ball_near : truth.distance < 5.0 ? score.ball_middle : score.ball_far).add(any);
    if (hit && labels.view && truth.distance > 0.3 && truth.distance < 4.0) {
      if (const auto place = labels.view->on_plane(found.ball->center, kBallRadius)) {
        const auto real = labels.view->on_plane(truth.center, kBallRadius);
        const double error = real ? (*place - *real).norm() : std::abs(place->norm() - truth.distance);
        score.ball_errors.push_back(error);
        score.ball_excess.push_back(error / (0.03 * truth.distance + 0.01));
      }
    }
  }
  if (found.ball && !explained) ++score.false_balls;
}

void judge_posts(const LabelledPicture& labels, const Detection::Outputs& found, Score& score) {
  for (const auto& truth : labels.posts) {
    if (truth.ignore || !truth.foot_visible) continue;
    const bool hit =
        std::any_of(found.posts.begin(), found.posts.end(), [&](const auto& p) { return matches(truth, p); });
    score.posts.add(hit);
    if (truth.distance > 0.0 && truth.distance < 5.0) score.posts_near.add(hit);
  }
  for (const auto& post : found.posts) {
    const auto truth =
        std::find_if(labels.posts.begin(), labels.posts.end(), [&](const auto& t) { return matches(t, post); });
    if (truth != labels.posts.end() && truth->ignore) continue;
    score.post_precision.add(truth != labels.posts.end());
    score.false_posts += truth == labels.posts.end();
  }
}

void judge_lines(const LabelledPicture& labels, const Detection::Outputs& found, Score& score) {
  if (labels.lines_complete) {
    for (const auto& p : found.line_points) {
      score.line_points.add(std::any_of(labels.lines.begin(), labels.lines.end(), [&](const auto& piece) {
        return distance_to(p, piece) < 2.0 + 0.5 * piece.width;
      }));
    }
    for (const auto& piece : labels.lines) {
      if (piece.distance > 4.0) continue;
      const cv::Point2d middle = 0.5 * (piece.from + piece.to);
      const double reach = 0.5 * cv::norm(piece.to - piece.from) + 6.0 + 0.5 * piece.width;
      const bool hit = std::any_of(found.line_points.begin(), found.line_points.end(),
                                   [&](const auto& p) { return cv::norm(p - middle) < reach; });
      (piece.distance < 3.0 ? score.line_pieces_near : score.line_pieces_far).add(hit);
    }
  }
  if (labels.crossings_complete) {
    const auto same = [](const LabelledPicture::Crossing& t, const CrossingInImage& c) {
      return t.type == c.type && cv::norm(t.at - c.position) < 14.0;
    };
    for (const auto& truth : labels.crossings) {
      if (truth.distance > 3.0) continue;
      score.crossings.add(
          std::any_of(found.crossings.begin(), found.crossings.end(), [&](const auto& c) { return same(truth, c); }));
    }
    for (const auto& c : found.crossings) {
      if (labels.view) {
        const auto place = labels.view->on_plane(c.position);
        if (!place || place->norm() > 3.0) continue;
      }
      score.crossing_precision.add(
          std::any_of(labels.crossings.begin(), labels.crossings.end(), [&](const auto& t) { return same(t, c); }));
    }
    const auto place_of = [&](const cv::Point2d& p) { return labels.view ? labels.view->on_plane(p) : std::nullopt; };
    if (labels.circle_center) {
      const auto truth = place_of(*labels.circle_center);
      bool hit = false;
      for (const auto& c : found.circles) {
        const auto place = place_of(c.center);
        hit |= truth && place && (*truth - *place).norm() < 0.25;
      }
      if (!labels.circle_partly) score.circles.add(hit);
      for (std::size_t n = 0; n < found.circles.size(); ++n) score.circle_precision.add(hit);
    } else {
      for (std::size_t n = 0; n < found.circles.size(); ++n) score.circle_precision.add(false);
    }
  }
}

void judge_marks(const LabelledPicture& labels, const Detection::Outputs& found, Score& score) {
  if (!labels.marks_complete) return;
  const auto same = [](const LabelledPicture::Mark& truth, const MarkInImage& mark) {
    return cv::norm(truth.at - mark.center) < 14.0;
  };
  for (const auto& truth : labels.marks) {
    if (truth.distance > 3.0) continue;
    score.marks.add(std::any_of(found.marks.begin(), found.marks.end(), [&](const auto& m) { return same(truth, m); }));
  }
  for (const auto& mark : found.marks)
    score.mark_precision.add(
        std::any_of(labels.marks.begin(), labels.marks.end(), [&](const auto& t) { return same(t, mark); }));
}

void judge_robots(const LabelledPicture& labels, const Detection::Outputs& found, Score& score) {
  const auto covers = [](const LabelledPicture::Robot& robot, const ObstacleInImage& o) {
    const double middle = o.box.x + 0.5 * o.box.width, foot = o.box.y + o.box.height;
    const double low = robot.box.y + robot.box.height;
    return middle > robot.box.x - 0.25 * robot.box.width && middle < robot.box.x + 1.25 * robot.box.width &&
           std::abs(foot - low) < 0.3 * robot.box.height + 8.0;
  };
  for (const auto& robot : labels.robots) {
    if (robot.distance <= 0.0 || robot.distance > 3.0 || robot.visible < 0.5) continue;
    const auto hit =
        std::find_if(found.obstacles.begin(), found.obstacles.end(), [&](const auto& o) { return covers(robot, o); });
    score.robots.add(hit != found.obstacles.end());
    if (hit == found.obstacles.end() || robot.team.empty()) continue;
    const bool given = hit->kind == ObstacleKind::RobotRed || hit->kind == ObstacleKind::RobotBlue;
    score.team_given.add(given);
    if (given)
      score.team_colour.add(hit->kind == (robot.team == "red" ? ObstacleKind::RobotRed : ObstacleKind::RobotBlue));
    if (robot.number <= 0) continue;
    score.number_given.add(hit->number.has_value());
    if (hit->number) score.number.add(*hit->number == robot.number);
  }
  if (labels.robots_complete) {
    for (const auto& o : found.obstacles) {
      if (!robot_kind(o.kind)) continue;
      if (labels.view) {
        const auto place = labels.view->on_plane(cv::Point2d(o.box.x + 0.5 * o.box.width, o.box.y + o.box.height));
        if (!place || place->norm() > 3.0) continue;
      }
      score.false_robots +=
          std::none_of(labels.robots.begin(), labels.robots.end(), [&](const auto& r) { return covers(r, o); });
    }
  }
  for (const auto& foot : labels.distractors) {
    const bool post = std::any_of(found.posts.begin(), found.posts.end(),
                                  [&](const auto& p) { return cv::norm(p.foot - foot) < 1.5 * p.width + 8.0; });
    const bool ball = found.ball && cv::norm(found.ball->center - foot) < found.ball->diameter;
    score.distractors.add(post || ball);
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

std::array<double, 2> Share::interval() const {
  if (all == 0) return {0.0, 1.0};
  constexpr double z = 1.96;
  const auto n = static_cast<double>(all);
  const double p = value(), base = 1.0 + z * z / n, middle = (p + z * z / (2.0 * n)) / base;
  const double half = z * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n)) / base;
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

std::string Share::text() const {
  if (all == 0) return "-";
  char buffer[96];
  const auto range = interval();
  std::snprintf(buffer, sizeof buffer, "%.3f (%.3f..%.3f, %ld of %ld)", value(), range[0], range[1], hits, all);
  return buffer;
}

Score judge(const LabelledPicture& labels, const Detection::Outputs& found) {
  Score score;
  score.pictures = 1;
  judge_balls(labels, found, score);
  judge_posts(labels, found, score);
  judge_lines(labels, found, score);
  judge_marks(labels, found, score);
  judge_robots(labels, found, score);
  return score;
}

const std::vector<std::pair<const char*, Share Score::*>>& Score::shares() {
  static const std::vector<std::pair<const char*, Share Score::*>> all{
      {"ball", &Score::ball},
      {"ball_feet", &Score::ball_feet},
      {"ball_near", &Score::ball_near},
      {"ball_middle", &Score::ball_middle},
      {"ball_far", &Score::ball_far},
      {"posts", &Score::posts},
      {"post_precision", &Score::post_precision},
      {"posts_near", &Score::posts_near},
      {"line_points", &Score::line_points},
      {"line_pieces_near", &Score::line_pieces_near},
      {"line_pieces_far", &Score::line_pieces_far},
      {"crossings", &Score::crossings},
      {"crossing_precision", &Score::crossing_precision},
      {"circles", &Score::circles},
      {"circle_precision", &Score::circle_precision},
      {"marks", &Score::marks},
      {"mark_precision", &Score::mark_precision},
      {"robots", &Score::robots},
      {"team_given", &Score::team_given},
      {"team_colour", &Score::team_colour},
      {"number_given", &Score::number_given},
      {"number", &Score::number},
      {"distractors", &Score::distractors}};
  return all;
}

const std::vector<std::pair<const char*, long Score::*>>& Score::counts() {
  static const std::vector<std::pair<const char*, long Score::*>> all{{"pictures", &Score::pictures},
                                                                      {"false_balls", &Score::false_balls},
                                                                      {"false_posts", &Score::false_posts},
                                                                      {"false_robots", &Score::false_robots}};
  return all;
}

void Score::add(const Score& other) {
  for (const auto& [name, count] : counts()) this->*count += other.*count;
  for (const auto& [name, share] : shares()) {
    (this->*share).hits += (other.*share).hits;
    (this->*share).all += (other.*share).all;
  }
  ball_errors.insert(ball_errors.end(), other.ball_errors.begin(), other.ball_errors.end());
  ball_excess.insert(ball_excess.end(), other.ball_excess.begin(), other.ball_excess.end());
}

std::string Score::table() const {
  std::string text = "pictures: " + std::to_string(pictures) + "\n";
  const auto row = [&](const char* what, const Share& share) {
    if (share.all > 0) text += std::string("  ") + what + ": " + share.text() + "\n";
  };
  const auto rate = [&](const char* what, long count, double per) {
    char buffer[96];
    std::snprintf(buffer, sizeof buffer, "  %s: %.2f per %.0f pictures (%ld)\n", what,
                  pictures > 0 ? per * static_cast<double>(count) / static_cast<double>(pictures) : 0.0, per, count);
    text += buffer;
  };
  row("balls found", ball);
  row("balls before the feet, to 0.6 m", ball_feet);
  row("balls 0.2-3 m", ball_near);
  row("balls 3-5 m", ball_middle);
  row("balls 5-7 m", ball_far);
  rate("false balls", false_balls, 1000);
  row("posts found", posts);
  row("posts within 5 m", posts_near);
  row("posts precision", post_precision);
  rate("false posts", false_posts, 100);
  row("line points on a line", line_points);
  row("lines within 3 m", line_pieces_near);
  row("lines 3-4 m", line_pieces_far);
  row("crossings within 3 m", crossings);
  row("crossings precision", crossing_precision);
  row("circle", circles);
  row("circle precision", circle_precision);
  row("penalty marks within 3 m", marks);
  row("penalty mark precision", mark_precision);
  row("robots within 3 m", robots);
  row("team colour given", team_given);
  row("team colour right", team_colour);
  row("number given", number_given);
  row("number right", number);
  rate("false robots", false_robots, 100);
  row("people and poles taken for post or ball", distractors);
  if (!ball_errors.empty()) {
    char buffer[120];
    std::snprintf(buffer, sizeof buffer, "  ball place 0.3-4 m: median %.3f m, %.2f of (3 %% + 1 cm)\n",
                  median(ball_errors), median(ball_excess));
    text += buffer;
  }
  return text;
}

}  // namespace hl_vision
