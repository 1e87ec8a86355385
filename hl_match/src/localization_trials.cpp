// SPDX-License-Identifier: Apache-2.0
#include "localization_trials.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_description::wrap_angle;
using hl_localization::Localization;
using hl_localization::PoseEstimate;
using hl_localization::Start;
using hl_soccer::BodyState;

constexpr double kInside95 = 5.991;  // chi square, two degrees of freedom
constexpr double kSample = 0.5;      // s
constexpr double kTrack = 60.0;      // s
constexpr double kNear = 0.5, kStraight = 20.0 * M_PI / 180.0;

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Pose2 in_own_half(std::mt19937_64& random, const hl_description::Field& field) {
  const double x = uniform(random, -0.46, -0.05) * field.length, y = uniform(random, -0.46, 0.46) * field.width;
  return {x, y, uniform(random, -M_PI, M_PI)};
}

/// Another localisation that sees what the robot sees, a little otherwise.
struct Witness {
  Witness(const Localization::Params& params) : localization(params) {}  // NOLINT(google-explicit-constructor)
  Localization localization;
  Localization::Inputs inputs;
  Localization::Outputs outputs;
};

bool is_near(const hl_soccer::PoseBelief& belief, const Pose2& truth) {
  return belief.known() && (belief.pose.position() - truth.position()).norm() < kNear &&
         std::abs(wrap_angle(belief.pose.yaw - truth.yaw)) < kStraight;
}

}  // namespace

void PoseErrors::look(const hl_soccer::PoseBelief& belief, const Pose2& truth, bool known) {
  if (!known) {
    ++unknown;
    return;
  }
  const Eigen::Vector2d off = belief.pose.position() - truth.position();
  const double turn = wrap_angle(belief.pose.yaw - truth.yaw);
  place.push_back(off.norm());
  heading.push_back(std::abs(turn));
  const Eigen::Matrix2d spread = belief.covariance.topLeftCorner<2, 2>();
  inside += off.dot(spread.inverse() * off) < kInside95;
  const bool opposite = std::abs(turn) > 0.75 * M_PI && (belief.pose.position() + truth.position()).norm() < 1.5;
  flips += opposite && !flipped;
  flipped = opposite;
}

void exchange(TrialValues& values, PoseErrors& errors) {
  values(errors.place);
  values(errors.heading);
  values(errors.inside);
  values(errors.unknown);
  values(errors.flips);
  values(errors.flipped);
}

void exchange(TrialValues& values, WalkAbout& walk) {
  for (PoseErrors* errors : {&walk.filter, &walk.no_compass, &walk.false_things, &walk.odometry, &walk.closed_form})
    values(*errors);
  values(walk.seconds);
  values(walk.fell);
  values(walk.tracks);
}

void exchange(TrialValues& values, Found& found) {
  values(found.happened);
  values(found.time);
  values(found.error);
}

void mix_in_false(hl_soccer::Percepts& percepts, double share, std::mt19937_64& random) {
  const double rate = share / (1.0 - share);
  double look = 0.0;
  if (!percepts.view.empty()) {
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
    for (const auto& corner : percepts.view) middle += corner.normalized();
    look = std::atan2(middle.y(), middle.x());
  }
  const auto somewhere = [&]() -> Eigen::Vector2d {
    const double distance = uniform(random, 0.5, 4.0), angle = look + uniform(random, -0.5, 0.5);
    return distance * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  };
  const std::size_t crossings = percepts.crossings.size(), segments = percepts.segments.size();
  for (std::size_t n = 0; n < crossings; ++n) {
    if (uniform(random, 0.0, 1.0) > rate) continue;
    hl_soccer::SeenCrossing crossing;
    crossing.type =
        uniform(random, 0.0, 1.0) < 0.5 ? hl_description::Field::Crossing::L : hl_description::Field::Crossing::T;
    crossing.position = somewhere();
    crossing.confidence = 0.8;
    const double angle = uniform(random, -M_PI, M_PI);
    crossing.arms = {{std::cos(angle), std::sin(angle)}, {-std::sin(angle), std::cos(angle)}};
    percepts.crossings.push_back(crossing);
  }
  for (std::size_t n = 0; n < segments; ++n) {
    if (uniform(random, 0.0, 1.0) > rate) continue;
    const Eigen::Vector2d from = somewhere();
    percepts.segments.push_back({from, somewhere(), 0.8});
  }
  if (percepts.goal && uniform(random, 0.0, 1.0) < rate) {
    const Eigen::Vector2d post = 1.5 * somewhere();
    percepts.goal = hl_soccer::SeenGoal{post, post, 0.8};
  }
}

WalkAbout LocalizationTrials::walk_about(std::uint64_t seed, double seconds) const {
  Match::Params params = world_;
  params.players = {1, 0};
  params.with_ball = false;
  const TrialMind::Params mind = trial_mind(params);
  GuidedTrial trial(params, mind, seed);
  trial.stand_up();
  std::mt19937_64 random(seed);
  trial.match().place(0, in_own_half(random, params.field));
  trial.run(0.3);
  const auto& motion = trial.match().player(0).motion();
  Witness no_compass(mind.cores.localization), false_things(mind.cores.localization);
  hl_localization::Baseline counted(params.field, mind.cores.localization.noise), closed = counted;
  const Pose2 start = trial.match().true_pose(0);
  const PoseEstimate told{start, Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  trial.mind(0).start = Start::Pose;
  trial.mind(0).start_pose = told;
  for (Witness* witness : {&no_compass, &false_things}) {
    witness->inputs.reset = Start::Pose;
    witness->inputs.pose = told;
  }
  counted.start(start, odometry_of(motion));
  closed.start(start, odometry_of(motion));
  hl_soccer::OdometryHistory history;
  WalkAbout result;
  result.seconds = seconds;
  result.tracks.resize(4);
  double next_sample = trial.time() + 5.0, next_know = trial.time();
  const double begin = trial.time(), end = begin + 5.0 + seconds;
  bool sent = false;
  for (double stands_until = 0.0; trial.time() < end;) {
    if (!sent || (trial.mind(0).result && trial.time() > stands_until)) {
      hl_path_planning::Goal goal;
      goal.pose = {uniform(random, -0.46, 0.46) * params.field.length,
                   uniform(random, -0.46, 0.46) * params.field.width, uniform(random, -M_PI, M_PI)};
      trial.mind(0).goal = goal;
      trial.mind(0).result.reset();
      stands_until = trial.time() + (uniform(random, 0.0, 1.0) < 0.3 ? 3.0 : 0.5);
      sent = true;
    }
    if (!trial.step()) break;
    const double now = trial.time() - Match::kTick;  // of the step
    result.fell = result.fell || trial.body(0) == BodyState::Fallen;
    const hl_soccer::Odometry odometry{now, odometry_of(motion)};
    history.add(odometry);
    const auto& percepts = trial.match().orders(0).percepts;  // that became known in this step
    for (const auto& seen : percepts) {
      if (const auto then = history.pose_at(seen.stamp)) closed.see(seen, *then);
      no_compass.inputs.percepts.push_back(seen);
      no_compass.inputs.percepts.back().heading.reset();
      false_things.inputs.percepts.push_back(seen);
      mix_in_false(false_things.inputs.percepts.back(), 0.2, random);
    }
    if (!percepts.empty() || now >= next_know - 1e-6) {
      next_know = now + 0.02;
      for (Witness* witness : {&no_compass, &false_things}) {
        witness->inputs.odometry = odometry;
        witness->inputs.body = trial.body(0);
        witness->outputs = witness->localization.step(witness->inputs, now);
        witness->inputs.percepts.clear();
        witness->inputs.reset.reset();
        witness->inputs.pose.reset();
      }
    }
    const Pose2 truth = trial.match().true_pose(0);
    const auto& own = trial.mind(0).located.belief;
    const double placed = kTrackPeriod * static_cast<double>(result.tracks[0].size());
    if (trial.time() - begin >= placed && placed < kTrack) {
      const Pose2 poses[] = {truth, own.pose, counted.pose(odometry.pose), closed.pose(odometry.pose)};
      for (std::size_t i = 0; i < 4; ++i) result.tracks[i].push_back(poses[i]);
    }
    if (trial.time() < next_sample) continue;
    next_sample += kSample;
    result.filter.look(own, truth, own.known());
    result.no_compass.look(no_compass.outputs.belief, truth, no_compass.outputs.belief.known());
    result.false_things.look(false_things.outputs.belief, truth, false_things.outputs.belief.known());
    hl_soccer::PoseBelief belief;
    belief.pose = counted.pose(odometry.pose);
    result.odometry.look(belief, truth);
    belief.pose = closed.pose(odometry.pose);
    result.closed_form.look(belief, truth);
  }
  return result;
}

Found LocalizationTrials::find(Surprise surprise, std::uint64_t seed) const {
  Match::Params params = world_;
  params.players = {1, 0};
  params.with_ball = false;
  if (surprise == Surprise::Reentry) {
    hl_game_controller::Referee::Params referee;
    referee.rules.players_per_team = 1;
    referee.rules.initial_time = 3.0;
    referee.rules.ready_time = 1.0;
    params.referee = referee;
  }
  GuidedTrial trial(params, trial_mind(params), seed);
  trial.stand_up();
  std::mt19937_64 random(seed);
  const auto& field = params.field;
  auto& robot = trial.match().simulation().robot(0);
  TrialMind& mind = trial.mind(0);
  trial.match().place(0, in_own_half(random, field));
  trial.run(0.3);
  Found found;
  const auto until_body = [&](double seconds, auto wanted) {
    for (const double end = trial.time() + seconds; trial.time() < end;) {
      if (!trial.step()) return false;
      if (wanted(trial.body(0))) return true;
    }
    return false;
  };
  const auto upright = [](BodyState body) { return body == BodyState::Controllable || body == BodyState::Walking; };
  const auto know = [&] {
    mind.start = Start::Pose;
    mind.start_pose = PoseEstimate{trial.match().true_pose(0), Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  };
  const auto lift = [&](const Pose2& pose, double clearance) {
    hl_simulation::Placement placement(pose.x, pose.y, pose.yaw);
    placement.clearance = clearance;
    placement.joints = trial.match().outputs(0).motion->positions;
    return !robot.place(placement);
  };
  if (surprise == Surprise::Unknown) {
    mind.start = Start::OwnHalf;
    found.happened = true;
  } else if (surprise == Surprise::Carried) {
    know();
    trial.run(2.0);
    found.happened = lift(trial.match().true_pose(0), 0.3);
    robot.hold(true);
    found.happened = until_body(4.0, [](BodyState body) { return body == BodyState::PickedUp; }) && found.happened;
    robot.hold(false);
    const Pose2 there = in_own_half(random, field);
    lift(there, 0.3);
    robot.hold(true);
    trial.run(0.5);
    robot.hold(false);
    trial.match().place(0, there);
    found.happened = until_body(6.0, upright) && found.happened;
  } else if (surprise == Surprise::Reentry) {
    trial.match().referee()->command("play");
    know();
    trial.run(2.0);
    trial.match().referee()->command("penalise 1");
    found.happened = until_body(8.0, [](BodyState body) { return body == BodyState::Penalty; });
    const double side = uniform(random, 0.0, 1.0) < 0.5 ? 1.0 : -1.0, spot = std::floor(uniform(random, -1.0, 1.99));
    trial.run(6.0);  // the referee's helper has carried it; now to the spot of this trial
    trial.match().place(0, {-0.5 * field.length + field.penalty_mark + 0.6 * spot + uniform(random, -0.15, 0.15),
                            side * (0.5 * field.width + 0.2), -side * M_PI_2 + uniform(random, -0.25, 0.25)});
    trial.match().referee()->command("release 1");
    found.happened = until_body(8.0, upright) && found.happened;
  } else {
    know();
    trial.run(3.0);
    for (int pushes = 0; pushes < 4 && !found.happened; ++pushes) {
      const double direction = uniform(random, -M_PI, M_PI);
      robot.push(70.0 * Eigen::Vector3d(std::cos(direction), std::sin(direction), 0.0), 0.2);
      found.happened =
          until_body(2.0, [](BodyState body) { return body == BodyState::Fallen || body == BodyState::Falling; });
    }
    found.happened = until_body(25.0, upright) && found.happened;
  }
  const double begin = trial.time();
  double right_since = -1.0;
  found.time = kFoundLimit;
  bool judged = false;
  for (; trial.time() - begin < kFoundLimit && (found.time == kFoundLimit || !judged);) {
    if (!trial.step()) break;
    const double now = trial.time() - begin;
    const Pose2 truth = trial.match().true_pose(0);
    if (!judged && now >= 5.0) {
      judged = true;
      found.error =
          mind.located.belief.known() ? (mind.located.belief.pose.position() - truth.position()).norm() : 99.0;
    }
    if (!is_near(mind.located.belief, truth)) {
      right_since = -1.0;
    } else if (right_since < 0.0) {
      right_since = now;
    } else if (now - right_since > 0.5 && found.time == kFoundLimit) {
      found.time = right_since;
      if (surprise != Surprise::Fall) break;
    }
  }
  return found;
}

}  // namespace hl_match
