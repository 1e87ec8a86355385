// SPDX-License-Identifier: Apache-2.0
#include "camera_diary.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <hl_description/formatted.hpp>
#include <hl_vision/evaluation.hpp>
#include <opencv2/imgcodecs.hpp>
#include <stdexcept>

namespace hl_match {
namespace {

using hl_description::formatted;
using hl_description::Pose2;

constexpr double kLinePeriod = 0.5, kPicturePeriod = 1.0;  // s

std::string text(const Pose2& pose) {
  return formatted("%.2f %.2f %.0f", pose.x, pose.y, pose.yaw * 180.0 / M_PI);
}

std::string text(const Eigen::Vector2d& place) {
  return formatted("%.2f %.2f", place.x(), place.y());
}

}  // namespace

CameraDiary::CameraDiary(const std::string& folder, std::uint64_t seed)
    : path_(folder + "/camera_" + std::to_string(seed)) {
  std::filesystem::create_directories(folder);
  text_.open(path_ + ".txt");
  if (!text_) throw std::runtime_error(path_ + ".txt cannot be written");
}

void CameraDiary::look(const Match& match, std::size_t robot, const hl_player::Mind& mind, const CameraEyes& eyes) {
  const double now = match.time();
  const auto& events = match.timeline().events();
  for (; events_ < events.size(); ++events_)
    text_ << "      ** " << events[events_].kind << ": " << events[events_].text << "\n";
  if (mind.behavior() == nullptr) return;
  const auto& place = mind.localization();
  const std::string certainty = place.reason + formatted(" (%d places, side %.2f)", place.hypotheses, place.side);
  if (certainty != certainty_) {
    certainty_ = certainty;
    text_ << formatted("      ** %.2f", now) << " place: " << text(place.belief.pose) << " " << certainty
          << formatted(", %.2f explained", place.explained) << "\n";
  }
  for (const auto& event : mind.behavior()->events) {
    if (event.type == hl_behavior::SkillEvent::Type::Started || event.slot == hl_behavior::Slot::Head) continue;
    text_ << "      ** " << name_of(event.type) << ": " << describe(event.skill) << " " << event.reason << "\n";
  }
  if (now >= next_line_) {
    next_line_ = now + kLinePeriod;
    const Pose2 truth = match.true_pose(robot);
    const Eigen::Vector2d ball = truth.inverse() * match.in_map(robot, match.world().ball_position().head<2>());
    const auto& belief = mind.localization().belief;
    const auto& model = mind.model();
    const auto& decision = mind.behavior()->decision;
    const std::string time = formatted("%6.1f", now);
    text_ << time << " true " << text(truth) << " | believed " << text(belief.pose)
          << formatted(" (%.2f m %.0f deg)", std::sqrt(0.5 * (belief.covariance(0, 0) + belief.covariance(1, 1))),
                       std::sqrt(belief.covariance(2, 2)) * 180.0 / M_PI)
          << " " << mind.localization().reason
          << formatted(" (%d places, side %.2f, %.2f explained)", mind.localization().hypotheses,
                       mind.localization().side, mind.localization().explained)
          << " | ball true " << text(ball) << " believed ";
    if (model.ball.confidence > 0.0)
      text_ << text(model.ball.position)
            << formatted(" (%.2f, %.1f s)", model.ball.confidence, now - model.ball.last_seen) << " v "
            << text(model.ball.velocity);
    else
      text_ << "-";
    if (const auto& last = eyes.last()) {
      text_ << " | seen ";
      if (last->percepts.ball)
        text_ << "ball " << text(last->percepts.ball->position);
      else if (!last->seen.candidates.empty())
        text_ << formatted("%.2f?", last->seen.candidates.front().confidence);
      text_ << formatted(" %zu segments %zu crossings", last->percepts.segments.size(),
                         last->percepts.crossings.size());
      for (const auto& obstacle : last->percepts.obstacles)
        text_ << " thing " << static_cast<int>(obstacle.kind) << " at " << text(obstacle.position);
      if (!last->seen.reason.empty()) text_ << " (" << last->seen.reason << ")";
    }
    for (const auto& other : model.robots)
      text_ << " | robot " << text(other.position) << formatted(" (%.2f)", other.confidence);
    text_ << " | " << decision.row;
    if (decision.move) text_ << ", " << describe(*decision.move);
    if (decision.head) text_ << ", " << describe(*decision.head);
    if (decision.kick) text_ << ", " << describe(*decision.kick);
    for (const auto& reason : decision.reasons) text_ << ", " << reason.name << " " << reason.text();
    const auto& plan = mind.planner().last_outputs();
    if (plan.active)
      text_ << " | way " << formatted("%.2f m", plan.feedback.distance) << " " << plan.feedback.blocked_by;
    if (plan.velocity)
      text_ << " | v " << formatted("%.2f %.2f %.2f", plan.velocity->x, plan.velocity->y, plan.velocity->yaw);
    text_ << " | body " << static_cast<int>(match.outputs(robot).motion->body) << "\n" << std::flush;
  }
  if (now >= next_picture_ && eyes.last()) {
    next_picture_ = now + kPicturePeriod;
    cv::Mat picture = eyes.last()->bgr.clone();
    draw(eyes.last()->seen, picture);
    const std::string end = formatted("_%03.0f.png", now);
    cv::imwrite(path_ + end, picture);
  }
}

}  // namespace hl_match
