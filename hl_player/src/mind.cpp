// SPDX-License-Identifier: Apache-2.0
#include "hl_player/mind.hpp"

#include <stdexcept>
#include <utility>

namespace hl_player {
namespace {

using hl_behavior::Feedback;
using hl_description::Pose2;
using hl_soccer::BodyState;

constexpr double kKnowPeriod = 0.02;    // s, localisation and models
constexpr double kDecidePeriod = 0.05;  // s, behaviour
constexpr double kPlanPeriod = 0.05;    // s, planning
constexpr double kHeadPeriod = 0.02;    // s
constexpr double kRounding = 1e-6;      // s
constexpr double kJustSeen = 0.3;       // s

bool due(double now, double& last, double period) {
  if (now - last < period - kRounding) return false;
  last = now;
  return true;
}

bool head_is_free(BodyState body) {
  return body == BodyState::Controllable || body == BodyState::Walking || body == BodyState::Kicking ||
         body == BodyState::AnimationRunning;
}

hl_path_planning::Goal goal_from(const hl_behavior::NavigateGoal& order) {
  hl_path_planning::Goal goal;
  goal.stamp = order.stamp;
  goal.frame = static_cast<hl_path_planning::Frame>(order.frame);
  goal.kind = static_cast<hl_path_planning::GoalKind>(order.kind);
  goal.pose = order.pose;
  goal.ball = order.ball;
  goal.ball_velocity = order.ball_velocity;
  goal.direction = order.direction;
  goal.foot = static_cast<hl_path_planning::Foot>(order.foot);
  goal.target = order.target;
  goal.target_velocity = order.target_velocity;
  goal.radius = order.radius;
  goal.velocity = {order.velocity.x, order.velocity.y, order.velocity.yaw};
  goal.heading = static_cast<hl_path_planning::HeadingMode>(order.heading);
  goal.look_at = order.look_at;
  goal.avoid_ball = order.avoid_ball;
  goal.speed_limit = order.speed_limit;
  return goal;
}

static_assert(static_cast<int>(hl_behavior::Frame::BaseFootprint) ==
                      static_cast<int>(hl_path_planning::Frame::BaseFootprint) &&
                  static_cast<int>(hl_behavior::NavigateGoal::Kind::Velocity) ==
                      static_cast<int>(hl_path_planning::GoalKind::Velocity) &&
                  static_cast<int>(hl_behavior::NavigateGoal::Heading::At) ==
                      static_cast<int>(hl_path_planning::HeadingMode::At) &&
                  static_cast<int>(hl_behavior::Foot::Right) == static_cast<int>(hl_path_planning::Foot::Right),
              "behaviour and planning number the goals of navigate alike");

}  // namespace

void Mind::Params::set(const hl_description::Field& field, const hl_walking::Params& walk) {
  localization.field = field;
  behavior.tactics.field = field;
  head.field = field;
  limits.forward = walk.max_forward;
  limits.backward = walk.max_backward;
  limits.sideways = walk.max_sideways;
  limits.turn = walk.max_turn;
}

std::optional<std::string> Mind::Params::validate() const {
  if (auto bad = localization.validate()) return bad;
  if (auto bad = personal.validate()) return bad;
  if (auto bad = team.validate()) return bad;
  if (auto bad = planning.validate()) return bad;
  if (auto bad = head.validate()) return bad;
  if (!limits.valid()) return "the walk's limits must be positive";
  return behavior.validate();
}

Mind::Mind(const RobotFiles& files, const Params& params)
    : params_(params),
      pan_(files.model.joint("HeadPan")),
      tilt_(files.model.joint("HeadTilt")),
      localization_(params.localization),
      personal_model_(params.personal),
      team_model_core_(params.team),
      behavior_(params.behavior),
      head_(params.head, hl_behavior::Neck::from_model(files.model)),
      planner_(params.localization.field, params.planning) {
  if (const auto bad = params.validate()) throw std::invalid_argument(*bad);
  plan_inputs_.limits = params.limits;
}

const Mind::Outputs& Mind::step(const Inputs& inputs, double now) {
  out_.orders = {};
  out_.say = nullptr;
  unread_.insert(unread_.end(), inputs.percepts.begin(), inputs.percepts.end());
  hear_results(*inputs.body);
  if (!inputs.percepts.empty() || now - known_at_ >= kKnowPeriod - kRounding) know(inputs, now);
  if (due(now, decided_at_, kDecidePeriod)) {
    decide(inputs, now);
    obey_orders(inputs, now);
  }
  planned_ = behaved_ != nullptr && due(now, planned_at_, kPlanPeriod);
  if (planned_) navigate(inputs, now);
  if (behaved_ != nullptr && due(now, head_at_, kHeadPeriod)) move_head(inputs, now);
  return out_;
}

void Mind::know(const Inputs& inputs, double now) {
  known_at_ = now;
  std::optional<hl_soccer::Odometry> odometry;
  if (inputs.carriage.fresh) odometry = hl_soccer::Odometry{now, inputs.carriage.odometry};

  hl_localization::Localization::Inputs place;
  place.odometry = odometry;
  place.percepts = unread_;
  place.body = inputs.body->body;
  place.stumbles = inputs.carriage.stumbles;
  if (inputs.game != nullptr) place.game = *inputs.game;
  if (told_pose_) place.reset = hl_localization::Start::Pose;
  place.pose = std::exchange(told_pose_, std::nullopt);
  if (now - personal_.model.ball.last_seen < kJustSeen) place.own_ball = personal_.model.ball.position;
  for (const auto& mate : *inputs.team_mates) {
    const auto number = static_cast<std::size_t>(mate.number);
    if (last_message_time_.size() <= number) last_message_time_.resize(number + 1, -1e9);
    if (mate.stamp <= last_message_time_[number]) continue;
    last_message_time_[number] = mate.stamp;
    if (mate.pose && mate.ball) place.team_balls.push_back(*mate.pose * mate.ball->position);
  }
  located_ = localization_.step(place, now);

  hl_world_model::PersonalModel::Inputs seen;
  seen.odometry = odometry;
  seen.percepts = std::move(unread_);
  seen.pose = located_.belief;
  seen.body = inputs.body->body;
  if (inputs.game != nullptr) seen.own_color_blue = inputs.game->own_color_blue;
  personal_ = personal_model_.step(seen, now);
  out_.model = personal_.model;
  unread_.clear();

  hl_world_model::TeamModel::Inputs told;
  told.own = personal_.model;
  told.mates = *inputs.team_mates;
  team_model_ = team_model_core_.step(told, now).model;
}

void Mind::decide(const Inputs& inputs, double now) {
  hl_behavior::Behavior::Inputs known;
  known.knowledge.personal = personal_.model;
  known.knowledge.team = team_model_;
  if (inputs.game != nullptr) known.knowledge.game = *inputs.game;
  known.knowledge.mates = *inputs.team_mates;
  known.knowledge.body = inputs.body->body;
  known.feedback = feedback_;
  if (tasks_ != nullptr) known.task = tasks_->step(known.knowledge, behavior_.params().tactics, behaved_, now);
  if (advisor_ && !known.task) known.task = advisor_(known.knowledge, behavior_, now);
  behaved_ = &behavior_.step(known, now);
  const auto& decision = behaved_->decision;
  out_.say = decision.say;
  out_.data_age = behaved_->data_age;
  out_.role = decision.role;
  out_.action = decision.action;
  out_.side = decision.side;
  out_.time_to_ball = decision.time_to_ball;
}

void Mind::obey_orders(const Inputs& inputs, double) {
  const auto& orders = behaved_->orders;
  if (orders.kick && orders.kick->id != kick_id_) {
    const auto& goal = orders.kick->goal;
    const Pose2 robot_from_goal = goal.frame == hl_behavior::Frame::Map    ? located_.belief.pose.inverse()
                                  : goal.frame == hl_behavior::Frame::Odom ? inputs.carriage.odometry.inverse()
                                                                           : Pose2{};
    Motion::KickOrder kick;
    kick.goal.ball = robot_from_goal * goal.ball;
    kick.goal.target = robot_from_goal * goal.target;
    kick.goal.speed = goal.speed;
    kick.in_walk = goal.in_walk;
    out_.orders.kick = kick;
    kick_id_ = orders.kick->id;
    feedback_.kick = {kick_id_, Feedback::State::Running, 0.0, ""};
  }
  if (!orders.kick && feedback_.kick.state == Feedback::State::Running) out_.orders.cancel_kick = true;
  if (orders.animation && orders.animation->id != animation_id_) {
    out_.orders.animation = orders.animation->name;
    animation_id_ = orders.animation->id;
    feedback_.animation = {animation_id_, Feedback::State::Running, 0.0, ""};
  }
  if (!orders.animation && feedback_.animation.state == Feedback::State::Running) out_.orders.cancel_animation = true;
  if (orders.steps && orders.steps->id != steps_id_) {
    steps_id_ = orders.steps->id;
    out_.orders.steps =
        Motion::StepsOrder{{orders.steps->step.x, orders.steps->step.y, orders.steps->step.yaw}, orders.steps->count};
    feedback_.steps = {steps_id_, Feedback::State::Succeeded, 1.0, ""};
  }
}

void Mind::hear_results(const Motion::Outputs& body) {
  const auto end = [](Feedback::Entry& entry, const std::optional<Motion::Ended>& ended) {
    if (!ended || entry.state != Feedback::State::Running) return;
    entry.state = ended->successful ? Feedback::State::Succeeded : Feedback::State::Failed;
    entry.progress = 1.0;
    entry.reason = ended->message;
  };
  end(feedback_.kick, body.kick);
  end(feedback_.animation, body.animation);
  if (feedback_.kick.state == Feedback::State::Running) feedback_.kick.progress = body.kick_progress;
}

void Mind::navigate(const Inputs& inputs, double now) {
  const auto& order = behaved_->orders.navigate;
  plan_inputs_.model = team_model_;
  plan_inputs_.pose = located_.belief;
  plan_inputs_.odometry = inputs.carriage.odometry;
  if (inputs.game != nullptr) plan_inputs_.game = *inputs.game;
  plan_inputs_.body = inputs.body->body;
  plan_inputs_.goal.reset();
  plan_inputs_.cancel = !order && goal_id_ != 0;
  if (order && (order->id != goal_id_ || order->revision != goal_revision_)) {
    plan_inputs_.goal = goal_from(order->goal);
    if (order->id != goal_id_) feedback_.navigate = {order->id, Feedback::State::Running, 0.0, ""};
    goal_id_ = order->id;
    goal_revision_ = order->revision;
  }
  const auto& plan = planner_.step(plan_inputs_, now);
  if (plan.result && plan.result->outcome != hl_path_planning::Outcome::Replaced) {
    const bool reached = plan.result->outcome == hl_path_planning::Outcome::Reached;
    feedback_.navigate = {goal_id_, reached ? Feedback::State::Succeeded : Feedback::State::Failed, 1.0,
                          plan.result->reason};
  }
  if (!order) goal_id_ = goal_revision_ = 0;
  if (plan.velocity)
    out_.orders.velocity = hl_walking::Velocity{plan.velocity->x, plan.velocity->y, plan.velocity->yaw};
}

void Mind::move_head(const Inputs& inputs, double now) {
  hl_behavior::Head::Inputs look;
  const auto& wanted = behaved_->orders.head;
  look.mode = wanted.mode;
  look.look_at = wanted.look_at;
  look.look_at_stamp = now;
  look.model = personal_.model;
  const auto& carriage = inputs.carriage;
  look.body_velocity = {carriage.velocity.x, carriage.velocity.y, carriage.velocity.yaw};
  look.footprint_from_base = carriage.base;
  if (inputs.positions) {
    look.measured = hl_behavior::Neck::Angles{(*inputs.positions)[static_cast<Eigen::Index>(pan_)],
                                              (*inputs.positions)[static_cast<Eigen::Index>(tilt_)]};
  }
  look.free = head_is_free(inputs.body->body);
  const auto goal = head_.step(look, now);
  if (goal.active) out_.orders.head = Motion::HeadOrder{goal.goal.pan, goal.goal.tilt, goal.speed, goal.speed};
}

}  // namespace hl_player
