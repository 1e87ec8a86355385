// SPDX-License-Identifier: Apache-2.0
#include "trial_mind.hpp"

#include <cmath>
#include <hl_description/geometry.hpp>
#include <stdexcept>

namespace hl_match {
namespace {

using hl_description::Pose2;
using hl_soccer::BodyState;

constexpr double kKnowPeriod = 0.02, kPlanPeriod = 0.05, kHeadPeriod = 0.02;  // s, as hl_player's Mind
constexpr double kRounding = 1e-6;                                            // s
constexpr double kSway = 0.6;                                                 // s, over which steps even out

bool due(double now, double& last, double period) {
  if (now - last < period - kRounding) return false;
  last = now;
  return true;
}

}  // namespace

void exchange(TrialValues& values, Pose2& pose) {
  for (double* number : {&pose.x, &pose.y, &pose.yaw}) values(*number);
}

Pose2 odometry_of(const hl_player::Motion& motion) {
  const auto pose = motion.walking().odometry().footprint();
  return {pose.x, pose.y, pose.yaw};
}

TrialMind::Params trial_mind(const Match::Params& world) {
  TrialMind::Params params;
  params.cores.set(world.field, world.files->walk.walk);
  return params;
}

TrialMind::TrialMind(const hl_player::RobotFiles& files, const Params& params)
    : head(params.head),
      params_(params),
      pan_(files.model.joint("HeadPan")),
      tilt_(files.model.joint("HeadTilt")),
      localization_(params.cores.localization),
      personal_model_(params.cores.personal),
      team_model_(params.cores.team),
      planner_(params.cores.localization.field, params.cores.planning),
      head_(params.cores.head, hl_behavior::Neck::from_model(files.model)) {
  plan_inputs_.limits = params.cores.limits;
}

const TrialMind::Outputs& TrialMind::step(const Inputs& inputs, double now) {
  out_.orders = {};
  if (params_.knows) {
    unread_.insert(unread_.end(), inputs.percepts.begin(), inputs.percepts.end());
    if (!inputs.percepts.empty() || start || now - known_at_ >= kKnowPeriod - kRounding) know(inputs, now);
  }
  if (due(now, planned_at_, kPlanPeriod)) walk(inputs, now);
  if (due(now, head_at_, kHeadPeriod)) look(inputs, now);
  return out_;
}

void TrialMind::know(const Inputs& inputs, double now) {
  known_at_ = now;
  std::optional<hl_soccer::Odometry> odometry;
  if (inputs.motion->walking().joints_fresh()) odometry = hl_soccer::Odometry{now, odometry_of(*inputs.motion)};
  hl_localization::Localization::Inputs place;
  place.odometry = odometry;
  place.percepts = unread_;
  place.body = inputs.body->body;
  place.stumbles = inputs.carriage.stumbles;
  if (inputs.game != nullptr) place.game = *inputs.game;
  place.reset = start;
  place.pose = start_pose;
  start.reset();
  start_pose.reset();
  located = localization_.step(place, now);
  hl_world_model::PersonalModel::Inputs seen;
  seen.odometry = odometry;
  seen.percepts = std::move(unread_);
  unread_.clear();
  seen.pose = located.belief;
  seen.body = inputs.body->body;
  if (inputs.game != nullptr) seen.own_color_blue = inputs.game->own_color_blue;
  personal = personal_model_.step(seen, now);
  out_.model = personal.model;
  team = team_model_.step({personal.model, *inputs.team_mates}, now);
}

void TrialMind::walk(const Inputs& inputs, double now) {
  plan_inputs_.model = params_.by_truth ? true_model : team.model;
  plan_inputs_.pose = params_.by_truth ? true_pose : located.belief;
  plan_inputs_.odometry = odometry_of(*inputs.motion);
  plan_inputs_.body = inputs.body->body;
  plan_inputs_.goal = goal;
  plan_inputs_.cancel = cancel;
  if (goal) {
    plan_inputs_.goal->stamp = now;
    result.reset();
  }
  goal.reset();
  cancel = false;
  const auto& plan = planner_.step(plan_inputs_, now);
  if (plan.result && plan.result->outcome != hl_path_planning::Outcome::Replaced) result = plan.result;
  if (plan.velocity)
    out_.orders.velocity = hl_walking::Velocity{plan.velocity->x, plan.velocity->y, plan.velocity->yaw};
}

void TrialMind::look(const Inputs& inputs, double now) {
  hl_behavior::Head::Inputs view;
  view.mode = head;
  view.model = params_.knows ? personal.model : true_model;
  const auto& odometry = inputs.motion->walking().odometry();
  view.body_velocity = {odometry.velocity().x, odometry.velocity().y, odometry.velocity().yaw};
  view.footprint_from_base = odometry.base();
  if (inputs.positions) {
    view.measured = hl_behavior::Neck::Angles{(*inputs.positions)[static_cast<Eigen::Index>(pan_)],
                                              (*inputs.positions)[static_cast<Eigen::Index>(tilt_)]};
  }
  const BodyState body = inputs.body->body;
  view.free = body == BodyState::Controllable || body == BodyState::Walking;
  const auto aim = head_.step(view, now);
  if (aim.active) out_.orders.head = hl_player::Motion::HeadOrder{aim.goal.pan, aim.goal.tilt, aim.speed, aim.speed};
}

GuidedTrial::GuidedTrial(Match::Params params, const TrialMind::Params& mind, std::uint64_t seed) {
  params.seed = seed;
  params.mind = [this, mind, files = params.files](int, int) {
    auto made = std::make_unique<TrialMind>(*files, mind);
    minds_.push_back(made.get());
    return made;
  };
  match_ = std::make_unique<Match>(params);
  last_.resize(minds_.size(), Eigen::Vector2d::Zero());
  velocity_.resize(minds_.size(), Eigen::Vector2d::Zero());
}

bool GuidedTrial::upright(std::size_t robot) const {
  const BodyState state = body(robot);
  return state == BodyState::Controllable || state == BodyState::Walking;
}

void GuidedTrial::tell_truth() {
  const auto& simulation = match_->simulation();
  const double now = time();
  std::vector<Pose2> poses;
  for (std::size_t i = 0; i < size(); ++i) {
    poses.push_back(match_->true_pose(i));
    const Eigen::Vector2d at = match_->in_map(i, poses[i].position());  // world
    const Eigen::Vector2d step = at - last_[i];
    last_[i] = at;
    const Eigen::Vector2d speed = step.norm() < 0.1 ? Eigen::Vector2d(step / Match::kTick) : Eigen::Vector2d::Zero();
    velocity_[i] += Match::kTick / kSway * (speed - velocity_[i]);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    TrialMind& mind = *minds_[i];
    mind.true_pose.stamp = now;
    mind.true_pose.pose = poses[i];
    mind.true_pose.covariance = Eigen::Matrix3d::Identity() * 1e-6;
    mind.true_pose.confidence = 1.0;
    hl_soccer::Model& model = mind.true_model;
    model.stamp = now;
    model.pose = mind.true_pose;
    const Pose2 from_map = poses[i].inverse();
    if (match_->params().with_ball) {
      const Eigen::Vector3d ball = simulation.ball_position(), speed = simulation.ball_velocity();
      model.ball.position = from_map * match_->in_map(i, ball.head<2>());
      model.ball.velocity = from_map.rotation() * match_->in_map(i, speed.head<2>());
      if (model.ball.velocity.norm() < 0.05) model.ball.velocity.setZero();
      model.ball.covariance = Eigen::Matrix4d::Identity() * 1e-6;
      model.ball.last_seen = now;
      model.ball.confidence = 1.0;
    }
    model.robots.clear();
    for (std::size_t k = 0; k < size(); ++k) {
      if (k == i) continue;
      hl_soccer::RobotBelief other;
      other.id = static_cast<int>(k);
      other.position = from_map * match_->in_map(i, last_[k]);
      other.velocity = from_map.rotation() * match_->in_map(i, velocity_[k]);
      other.covariance = Eigen::Matrix2d::Identity() * 1e-6;
      other.team = match_->team(i) == match_->team(k) ? hl_soccer::Team::Own : hl_soccer::Team::Rival;
      other.last_seen = now;
      other.confidence = 1.0;
      model.robots.push_back(other);
    }
  }
}

bool GuidedTrial::step() {
  tell_truth();
  return match_->step();
}

bool GuidedTrial::run(double seconds) {
  for (const double end = time() + seconds - kRounding; time() < end;)
    if (!step()) return false;
  return true;
}

void GuidedTrial::stand_up() {
  for (const double end = time() + 8.0; time() < end;) {
    if (!step()) break;
    bool all = true;
    for (std::size_t i = 0; i < size(); ++i) all = all && body(i) == BodyState::Controllable;
    if (all) return;
  }
  throw std::runtime_error("a robot does not become controllable");
}

}  // namespace hl_match
