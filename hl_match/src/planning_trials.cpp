// SPDX-License-Identifier: Apache-2.0
#include "planning_trials.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_description::wrap_angle;
using hl_path_planning::Goal;
using hl_path_planning::Outcome;
using hl_path_planning::Walker;
using hl_soccer::BodyState;

constexpr double kWait = 0.05;       // m/s; slower is no getting on
constexpr double kBallMoved = 0.02;  // m
constexpr double kLookAround = 3.0;  // s to find itself before it is sent off
constexpr double kSpeed = 0.4;       // m/s, of the ideal walk

double ideal_time(const Pose2& start, const Pose2& goal, double turn) {
  hl_path_planning::WalkingLimits limits;
  limits.forward = kSpeed;
  limits.turn = turn;
  return hl_path_planning::ideal_time(start, goal, limits);
}

bool on_ground(BodyState body) {
  return body == BodyState::Falling || body == BodyState::Fallen || body == BodyState::GettingUp;
}

/// Puts everybody into place, the first ones as they are numbered; those in each other's way are moved aside.
void place_all(GuidedTrial& trial, const std::vector<Pose2>& poses) {
  for (std::size_t i = 0; i < poses.size(); ++i)
    trial.match().place(i, {-4.0 + 0.7 * static_cast<double>(i), 3.6, 0.0});
  for (std::size_t i = 0; i < poses.size(); ++i) {
    Pose2 pose = poses[i];
    for (int n = 0; n < 8 && !trial.match().place(i, pose); ++n) pose.y += pose.y > 0.0 ? -0.15 : 0.15;
  }
  trial.run(0.5);
}

void find_itself(GuidedTrial& trial, bool by_truth, std::size_t robots) {
  if (by_truth) return;
  for (std::size_t i = 0; i < robots; ++i) {
    trial.mind(i).start = hl_localization::Start::Pose;
    trial.mind(i).start_pose =
        hl_localization::PoseEstimate{trial.match().true_pose(i), Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  }
  trial.run(kLookAround);
}

/// Watches robot `i` on its way.
struct Watch {
  Pose2 last;
  double slow_since = -1.0, longest = 0.0;

  void look(const TrialMind& mind, const Pose2& now, double time) {
    const bool on = (now.position() - last.position()).norm() + 0.15 * std::abs(wrap_angle(now.yaw - last.yaw)) >
                    kWait * 0.5;  // called twice per second
    last = now;
    const bool waits = !on && !mind.result;
    if (!waits) {
      slow_since = -1.0;
      return;
    }
    if (slow_since < 0.0) slow_since = time;
    longest = std::max(longest, time - slow_since + 0.5);
  }
};

void judge(const GuidedTrial& trial, const TrialMind& mind, std::size_t robot, const Pose2& goal, WayResult& result) {
  result.reached = mind.result && mind.result->outcome == Outcome::Reached;
  result.reason = mind.result ? mind.result->reason : "time is over";
  const Pose2 end = trial.match().true_pose(robot);
  result.position_error = (end.position() - goal.position()).norm();
  result.heading_error = std::abs(wrap_angle(end.yaw - goal.yaw));
}

}  // namespace

void exchange(TrialValues& values, WayResult& result) {
  for (bool* fact : {&result.reached, &result.contact, &result.hit_standing, &result.ball_touched, &result.fell})
    values(*fact);
  for (double* number :
       {&result.time, &result.ideal, &result.position_error, &result.heading_error, &result.longest_wait})
    values(*number);
  values(result.traces);
}

Figure order_statistic(const std::string& name, std::vector<double> values, double q, const std::string& unit) {
  Figure figure{name, std::nan(""), std::nan(""), std::nan(""), unit, values.size()};
  if (values.empty()) return figure;
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size()), spread = 1.96 * std::sqrt(n * q * (1.0 - q));
  const auto at = [&](double index) { return values[static_cast<std::size_t>(std::clamp(index, 0.0, n - 1.0))]; };
  figure.value = at(q * n);
  figure.low = at(q * n - spread);
  figure.high = at(q * n + spread);
  return figure;
}

WayTrials::WayTrials(const Match::Params& world, By by) : world_(world), mind_(trial_mind(world)) {
  world_.referee.reset();
  mind_.by_truth = by == By::Truth;
  mind_.knows = by == By::Knowledge;
}

WayResult WayTrials::random_world(std::uint64_t seed) const {
  const auto setup = hl_path_planning::random_world(static_cast<std::uint32_t>(seed), world_.field);
  Match::Params params = world_;
  params.players = {1, static_cast<int>(setup.walkers.size())};
  params.with_ball = false;
  GuidedTrial trial(params, mind_, seed);
  trial.stand_up();
  std::vector<Pose2> places{setup.start};
  for (const Walker& walker : setup.walkers) {  // of the other team: its map is turned round
    const auto way = walker.to - walker.from;
    const double yaw = way.norm() > 0.0 ? std::atan2(-way.y(), -way.x()) : 0.0;
    places.push_back({-walker.position.x(), -walker.position.y(), yaw});
  }
  place_all(trial, places);
  find_itself(trial, mind_.by_truth, 1);
  WayResult result;
  result.traces.resize(trial.size());
  const Pose2 start = trial.match().true_pose(0);
  result.ideal = ideal_time(start, setup.goal.pose, limits().turn);
  trial.mind(0).goal = setup.goal;
  const double begin = trial.time();
  std::vector<bool> forth(setup.walkers.size(), true);
  Watch watch;
  for (int tick = 0; trial.time() - begin < 90.0 && !(tick > 10 && trial.mind(0).result); ++tick) {
    for (std::size_t k = 0; k < setup.walkers.size(); ++k) {
      const Walker& walker = setup.walkers[k];
      if (walker.velocity.isZero()) continue;
      // To and fro without looking: ahead on the way there, back on the way back.
      const Eigen::Vector2d at = -trial.match().true_pose(k + 1).position();
      const Eigen::Vector2d along = (walker.to - walker.from).normalized();
      const double way = (at - walker.from).dot(along), length = (walker.to - walker.from).norm();
      if (way > length) forth[k] = false;
      if (way < 0.0) forth[k] = true;
      const double speed = std::min(walker.velocity.norm(), limits().backward);
      trial.match().orders(k + 1).orders.velocity = hl_walking::Velocity{forth[k] ? speed : -speed, 0.0, 0.0};
    }
    if (!trial.step()) break;
    const auto touched = trial.match().simulation().robot(0).robots_touched();
    result.contact = result.contact || !touched.empty();
    for (const std::size_t other : touched)
      if (other > 0) result.hit_standing = result.hit_standing || setup.walkers[other - 1].velocity.isZero();
    result.fell = result.fell || on_ground(trial.body(0));
    if (tick % 10 == 0) {
      for (std::size_t i = 0; i < trial.size(); ++i) {
        Pose2 pose = trial.match().true_pose(i);
        if (i > 0) pose = {-pose.x, -pose.y, pose.yaw + M_PI};
        result.traces[i].push_back(pose);
      }
    }
    if (tick % 50 == 0) watch.look(trial.mind(0), trial.match().true_pose(0), trial.time());
  }
  result.time = trial.time() - begin;
  trial.run(0.5);  // feet together
  judge(trial, trial.mind(0), 0, setup.goal.pose, result);
  result.longest_wait = watch.longest;
  return result;
}

WayResult WayTrials::kick(std::uint64_t seed, hl_path_planning::KickSide side) const {
  const auto setup = hl_path_planning::kick_world(static_cast<std::uint32_t>(seed), side);
  Match::Params params = world_;
  params.players = {1, 0};
  TrialMind::Params mind = mind_;
  mind.head = hl_behavior::HeadMode::BallGoalTracking;
  GuidedTrial trial(params, mind, seed);
  trial.stand_up();
  place_all(trial, {setup.start});
  const Eigen::Vector3d ball(setup.ball.x(), setup.ball.y(), world_.field.ball_radius);
  trial.match().simulation().place_ball(ball);
  find_itself(trial, mind.by_truth, 1);
  WayResult result;
  result.traces.resize(1);
  trial.mind(0).goal = setup.goal;
  const double begin = trial.time();
  for (int tick = 0; trial.time() - begin < 60.0 && !(tick > 10 && trial.mind(0).result); ++tick) {
    if (!trial.step()) break;
    const auto moved = (trial.match().simulation().ball_position() - ball).head<2>().norm();
    result.ball_touched = result.ball_touched || (moved > kBallMoved && trial.match().simulation().ball_touched_by());
    result.fell = result.fell || on_ground(trial.body(0));
    if (tick % 10 == 0) result.traces[0].push_back(trial.match().true_pose(0));
  }
  result.time = trial.time() - begin;
  trial.run(0.5);
  const auto& planning = mind.cores.planning;
  const Pose2 at_ball{setup.ball.x(), setup.ball.y(), setup.goal.direction};
  const Pose2 left = at_ball * Pose2{-planning.kick_ahead, -planning.kick_aside, 0.0},
              right = at_ball * Pose2{-planning.kick_ahead, planning.kick_aside, 0.0};
  const Eigen::Vector2d end = trial.match().true_pose(0).position();
  const bool is_left = (end - left.position()).norm() < (end - right.position()).norm();
  judge(trial, trial.mind(0), 0, is_left ? left : right, result);
  return result;
}

WayResult WayTrials::crossing(std::uint64_t seed) const {
  const auto setup = hl_path_planning::crossing(static_cast<std::uint32_t>(seed), world_.field);
  Match::Params params = world_;
  params.players = {8, 0};  // one map for all; who is whose mate does not matter to the ways
  params.with_ball = false;
  GuidedTrial trial(params, mind_, seed);
  trial.stand_up();
  place_all(trial, setup.starts);
  find_itself(trial, mind_.by_truth, trial.size());
  WayResult result;
  result.reached = true;
  result.traces.resize(trial.size());
  for (std::size_t i = 0; i < trial.size(); ++i) trial.mind(i).goal = setup.goals[i];
  std::vector<Watch> watches(trial.size());
  const double begin = trial.time();
  for (int tick = 0; trial.time() - begin < 120.0; ++tick) {
    if (!trial.step()) break;
    bool all = tick > 10;
    for (std::size_t i = 0; i < trial.size(); ++i) {
      all = all && trial.mind(i).result.has_value();
      result.contact = result.contact || !trial.match().simulation().robot(i).robots_touched().empty();
      result.fell = result.fell || on_ground(trial.body(i));
      const Pose2 pose = trial.match().true_pose(i);
      if (tick % 10 == 0) result.traces[i].push_back(pose);
      if (tick % 50 == 0) watches[i].look(trial.mind(i), pose, trial.time());
    }
    if (all) break;
  }
  result.time = trial.time() - begin;
  for (std::size_t i = 0; i < trial.size(); ++i) {
    WayResult one;
    judge(trial, trial.mind(i), i, setup.goals[i].pose, one);
    result.ideal = std::max(result.ideal, ideal_time(setup.starts[i], setup.goals[i].pose, limits().turn));
    result.position_error = std::max(result.position_error, one.position_error);
    result.heading_error = std::max(result.heading_error, one.heading_error);
    result.longest_wait = std::max(result.longest_wait, watches[i].longest);
    if (!one.reached || result.reason.empty()) result.reason = one.reason;
    result.reached = result.reached && one.reached;
  }
  return result;
}

}  // namespace hl_match
