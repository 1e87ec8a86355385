// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/executor.hpp"

#include <algorithm>
#include <cmath>

namespace hl_behavior {
namespace {

template <class T>
constexpr Slot slot_of() {
  if constexpr (std::is_same_v<T, MoveSkill>) return Slot::Move;
  if constexpr (std::is_same_v<T, HeadSkill>) return Slot::Head;
  return Slot::Kick;
}

bool is_animation(const KickSkill& skill) {
  return std::holds_alternative<Dive>(skill) || std::holds_alternative<Block>(skill);
}

/// Begins where the robot stands: what was done before an interruption is not known afterwards.
bool one_shot(const MoveSkill& skill) {
  return std::holds_alternative<GoStraight>(skill) || std::holds_alternative<Weave>(skill) ||
         std::holds_alternative<Step>(skill);
}

std::optional<Pose2> fixed_goal(const MoveSkill& skill) {
  if (const auto* go = std::get_if<GoToPose>(&skill); go != nullptr && go->frame == Frame::Map) return go->pose;
  return std::nullopt;
}
std::optional<Vector2d> fixed_place(const MoveSkill& skill) {
  if (const auto* go = std::get_if<GoKeepHeading>(&skill); go != nullptr && go->frame == Frame::Map) return go->point;
  if (const auto* go = std::get_if<GoLookingAt>(&skill); go != nullptr && go->frame == Frame::Map) return go->point;
  return std::nullopt;
}

struct Navigation {
  double stamp;
  double active;  // s the skill has run

  std::optional<NavigateGoal> operator()(const GoToPose& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::Pose, s.frame);
    goal.pose = s.pose;
    goal.avoid_ball = s.avoid_ball;
    goal.speed_limit = s.speed_limit;
    return goal;
  }
  std::optional<NavigateGoal> operator()(const GoKeepHeading& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::Pose, s.frame);
    goal.pose = {s.point.x(), s.point.y(), 0.0};
    goal.heading = NavigateGoal::Heading::Keep;
    goal.avoid_ball = s.avoid_ball;
    return goal;
  }
  std::optional<NavigateGoal> operator()(const GoLookingAt& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::Pose, s.frame);
    const Vector2d ahead = s.look_at - s.point;
    goal.pose = {s.point.x(), s.point.y(), std::atan2(ahead.y(), ahead.x())};
    goal.heading = NavigateGoal::Heading::At;
    goal.look_at = s.look_at;
    goal.avoid_ball = s.avoid_ball;
    return goal;
  }
  std::optional<NavigateGoal> operator()(const Follow& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::Follow, s.frame);
    goal.pose = s.offset;
    goal.target = s.target;
    goal.target_velocity = s.velocity;
    return goal;
  }
  std::optional<NavigateGoal> operator()(const ApproachBall& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::KickPose, s.frame);
    goal.ball = s.ball;
    goal.ball_velocity = s.velocity;
    goal.direction = s.direction;
    goal.foot = s.foot;
    return goal;
  }
  std::optional<NavigateGoal> operator()(const TurnAroundBall& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::Orbit, s.frame);
    goal.ball = s.ball;
    goal.direction = s.direction;
    goal.radius = s.radius;
    return goal;
  }
  std::optional<NavigateGoal> operator()(const GoStraight& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::Pose, Frame::BaseFootprint);
    goal.pose = {s.distance, 0.0, 0.0};
    goal.heading = NavigateGoal::Heading::Keep;
    return goal;
  }
  std::optional<NavigateGoal> operator()(const Weave& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::Velocity, Frame::BaseFootprint);
    const double k = 2.0 * M_PI / s.period;
    goal.velocity = {s.speed, s.amplitude * k * std::cos(k * s.speed * active) * s.speed, 0.0};
    return goal;
  }
  std::optional<NavigateGoal> operator()(const Walk& s) const {
    NavigateGoal goal = begin(NavigateGoal::Kind::Velocity, Frame::BaseFootprint);
    goal.velocity = s.velocity;
    return goal;
  }
  std::optional<NavigateGoal> operator()(const Step&) const { return std::nullopt; }
  std::optional<NavigateGoal> operator()(const Stop&) const { return std::nullopt; }

  NavigateGoal begin(NavigateGoal::Kind kind, Frame frame) const {
    NavigateGoal goal;
    goal.kind = kind;
    goal.frame = frame;
    goal.stamp = stamp;
    return goal;
  }
};

KickGoal kick_goal(const KickSkill& skill, double stamp) {
  KickGoal goal;
  goal.stamp = stamp;
  const auto set = [&goal](const auto& s) {
    goal.frame = s.frame;
    goal.ball = s.ball;
    goal.target = s.target;
  };
  if (const auto* kick = std::get_if<KickTo>(&skill)) {
    set(*kick);
    goal.speed = kick->speed;
  } else if (const auto* pass = std::get_if<PassTo>(&skill)) {
    set(*pass);
    goal.speed = pass->speed;
  } else if (const auto* dribble = std::get_if<Dribble>(&skill)) {
    set(*dribble);
    goal.in_walk = true;
  } else if (const auto* clear = std::get_if<Clear>(&skill)) {
    set(*clear);
  }
  return goal;
}

}  // namespace

std::string describe(const Skill& skill) {
  return std::visit([](const auto& s) { return describe(s); }, skill);
}

const char* name_of(SkillEvent::Type type) {
  static constexpr const char* kNames[] = {"started", "completed", "failed", "aborted"};
  return kNames[static_cast<int>(type)];
}

std::optional<std::string> Executor::Params::validate() const {
  const std::pair<const char*, double> times[] = {{"move_limit", move_limit}, {"kick_limit", kick_limit},
                                                  {"dive_limit", dive_limit}, {"legs_limit", legs_limit},
                                                  {"walk_limit", walk_limit}, {"answer_limit", answer_limit},
                                                  {"retry", retry},           {"again", again},
                                                  {"sweep", sweep},           {"steps_begin", steps_begin}};
  for (const auto& [name, value] : times)
    if (!(value > 0.0 && value <= 600.0))
      return std::string(name) + " = " + std::to_string(value) + " s is not within 0..600";
  if (!(no_return >= 0.0 && no_return <= 1.0))
    return "no_return = " + std::to_string(no_return) + " is not within 0..1";
  if (!(reach_near < reach_far)) return "reach_near must be less than reach_far";
  if (!(moved > 0.0) || !(turned > 0.0)) return std::string("moved and turned must be positive");
  return std::nullopt;
}

template <class T>
void Executor::start(SlotState<T>& slot, const T& skill, std::uint32_t task_order) {
  slot.finished.reset();
  slot.running.emplace();
  slot.running->id = ++last_id_;
  slot.running->skill = skill;
  slot.running->task_order = task_order;
  outputs_.events.push_back({SkillEvent::Type::Started, slot_of<T>(), slot.running->id, Skill(skill), "", task_order});
  if (auto bad = bad_value(skill)) end(slot, SkillEvent::Type::Failed, *bad);
}

template <class T>
void Executor::end(SlotState<T>& slot, SkillEvent::Type type, const std::string& reason) {
  if (!slot.running) return;
  outputs_.events.push_back(
      {type, slot_of<T>(), slot.running->id, Skill(slot.running->skill), reason, slot.running->task_order});
  slot.finished.reset();
  if (type == SkillEvent::Type::Completed || type == SkillEvent::Type::Failed) {
    slot.finished.emplace();
    slot.finished->skill = slot.running->skill;
    slot.finished->when = now_;
    slot.finished->failed = type == SkillEvent::Type::Failed;
    slot.finished->task_order = slot.running->task_order;
    if constexpr (std::is_same_v<T, MoveSkill>) slot.finished->one_shot = one_shot(slot.running->skill);
  }
  slot.running.reset();
}

template <class T>
void Executor::fill(SlotState<T>& slot, const std::optional<T>& wanted, bool busy, std::uint32_t task_order) {
  if (busy) return;  // the newest decision comes again with the next step
  if (!wanted) {
    end(slot, SkillEvent::Type::Aborted, "no longer wanted");
    slot.finished.reset();
    return;
  }
  if (slot.running) {
    const bool new_order = task_order != 0 && task_order != slot.running->task_order;
    switch (new_order ? Sameness::Other : compare(slot.running->skill, *wanted, params_.tolerance)) {
      case Sameness::Same:
        return;
      case Sameness::Update:
        if (auto bad = bad_value(*wanted)) return end(slot, SkillEvent::Type::Failed, *bad);
        slot.running->skill = *wanted;
        ++slot.running->revision;
        return;
      case Sameness::Other:
        end(slot, SkillEvent::Type::Aborted, "replaced");
        start(slot, *wanted, task_order);
        return;
    }
  }
  if (slot.finished && task_order != 0) {
    if (slot.finished->task_order == task_order) return;  // done; the task will say what comes next
  } else if (slot.finished) {
    const Sameness sameness = compare(slot.finished->skill, *wanted, params_.tolerance);
    if (sameness != Sameness::Other && !may_begin_again(*slot.finished, sameness)) return;
    if (sameness == Sameness::Other && bad_value(*wanted) && slot.finished->failed &&
        now_ - slot.finished->when < params_.retry)
      return;  // not a number equals nothing, not even itself
  }
  start(slot, *wanted, task_order);
}

bool Executor::may_begin_again(const SlotState<MoveSkill>::Finished& finished, Sameness sameness) const {
  const double since = now_ - finished.when;
  if (finished.one_shot) return false;
  if (finished.failed) return since >= params_.retry;
  if (sameness == Sameness::Update) return since >= params_.again;
  if (since < params_.again || !inputs_.pose) return false;
  if (const auto goal = fixed_goal(finished.skill))
    return (goal->position() - inputs_.pose->position()).norm() > params_.moved ||
           std::abs(hl_description::wrap_angle(goal->yaw - inputs_.pose->yaw)) > params_.turned;
  if (const auto place = fixed_place(finished.skill)) return (*place - inputs_.pose->position()).norm() > params_.moved;
  return std::holds_alternative<ApproachBall>(finished.skill) && since >= 4.0 * params_.again;
}

bool Executor::may_begin_again(const SlotState<HeadSkill>::Finished& finished, Sameness /*sameness*/) const {
  return now_ - finished.when >= params_.retry;
}

bool Executor::may_begin_again(const SlotState<KickSkill>::Finished& finished, Sameness /*sameness*/) const {
  if (std::holds_alternative<Disarm>(finished.skill)) return false;
  return now_ - finished.when >= (finished.failed ? params_.retry : params_.again);
}

KickStage Executor::kick_stage() const {
  if (!kick_.running) return KickStage::None;
  const bool ordered = kick_.running->order != 0;
  if (is_animation(kick_.running->skill)) return ordered ? KickStage::Diving : KickStage::PendingDive;
  if (std::holds_alternative<Dribble>(kick_.running->skill)) return KickStage::InWalk;
  if (!ordered) return KickStage::Pending;
  const auto& feedback = inputs_.feedback.kick;
  const bool committed = feedback.id == kick_.running->order && feedback.progress >= params_.no_return;
  return committed ? KickStage::Committed : KickStage::Striking;
}

const Executor::Outputs& Executor::step(const Inputs& inputs, double now) {
  dt_ = begun_ ? std::clamp(now - now_, 0.0, 1.0) : 0.0;
  begun_ = true;
  now_ = now;
  inputs_ = inputs;
  outputs_.events.clear();
  outputs_.orders = Orders();

  const auto task_order = [&](Slot slot) { return inputs.task_orders[static_cast<std::size_t>(slot)]; };
  const BodyClass body = body_class(inputs.body);
  follow_kick();
  if (body == BodyClass::Removed) {  // nothing is wanted of a robot that may not move
    inputs_.move.reset();
    inputs_.head.reset();
    inputs_.kick.reset();
  }
  const bool in_walk_ordered = kick_stage() == KickStage::InWalk && kick_.running->order != 0;
  const bool busy = body != BodyClass::Removed &&
                    (kick_stage() == KickStage::Committed || kick_stage() == KickStage::Diving || in_walk_ordered);
  if (!busy && inputs_.kick && std::holds_alternative<Disarm>(*inputs_.kick)) {
    disarm();
  } else {
    fill(kick_, inputs_.kick, busy, task_order(Slot::Kick));
  }
  fill(move_, inputs_.move, false, task_order(Slot::Move));
  fill(head_, inputs_.head, false, task_order(Slot::Head));

  const SlotRules& rules = slot_rules(body, kick_stage());
  run_kick(rules.kick);
  // The order for a kick may have just gone out or its skill have ended: what the others may do follows from that.
  const SlotRules& after = slot_rules(body, kick_stage());
  run_move(after.move);
  run_head(after.head);

  outputs_.legs = after.legs;
  outputs_.move = !move_.running ? State::Empty : after.move == SlotRule::Run ? State::Running : State::Waiting;
  outputs_.head = !head_.running ? State::Empty : after.head == SlotRule::Run ? State::Running : State::Waiting;
  const KickStage stage = kick_stage();
  outputs_.kick = stage == KickStage::None                                      ? State::Empty
                  : stage == KickStage::Committed || stage == KickStage::Diving ? State::Busy
                  : kick_.running->order != 0                                   ? State::Running
                                                                                : State::Waiting;
  return outputs_;
}

void Executor::disarm() {
  if (kick_.running) end(kick_, SkillEvent::Type::Aborted, "disarmed");
  const auto order = inputs_.task_orders[static_cast<std::size_t>(Slot::Kick)];
  if (kick_.finished && std::holds_alternative<Disarm>(kick_.finished->skill) && kick_.finished->task_order == order)
    return;
  start(kick_, KickSkill(Disarm{}), order);
  end(kick_, SkillEvent::Type::Completed, "");
}

void Executor::run_move(SlotRule rule) {
  if (!move_.running) return;
  auto& running = *move_.running;
  const bool was_ordered = running.order != 0;
  if (rule == SlotRule::Clear) return end(move_, SkillEvent::Type::Aborted, "the robot was removed");
  if (rule != SlotRule::Run) {
    if (was_ordered && one_shot(running.skill))
      return end(move_, SkillEvent::Type::Failed, "interrupted: the legs were taken");
    running.order = 0;
    return;
  }
  if (std::holds_alternative<Stop>(running.skill)) {
    if (body_class(inputs_.body) == BodyClass::Ready) end(move_, SkillEvent::Type::Completed, "");
    return;
  }
  const auto& feedback =
      std::holds_alternative<Step>(running.skill) ? inputs_.feedback.steps : inputs_.feedback.navigate;
  if (was_ordered && feedback.id == running.order) {
    if (feedback.state == Feedback::State::Failed) return end(move_, SkillEvent::Type::Failed, feedback.reason);
    if (feedback.state == Feedback::State::Succeeded) {
      if (std::holds_alternative<Step>(running.skill) && !steps_done()) return;
      return end(move_, SkillEvent::Type::Completed, "");
    }
  }
  running.active += was_ordered ? dt_ : 0.0;
  if (const auto* weave = std::get_if<Weave>(&running.skill)) {
    if (running.active * weave->speed >= weave->length) return end(move_, SkillEvent::Type::Completed, "");
    ++running.revision;  // its velocity changes all the time
  }
  if (running.active > params_.move_limit)
    return end(move_, SkillEvent::Type::Failed, "took longer than " + std::to_string(params_.move_limit) + " s");
  if (!was_ordered) {
    running.order = ++last_order_;
    running.ordered = now_;
  }
  if (const auto* step = std::get_if<Step>(&running.skill)) {
    outputs_.orders.steps = Orders::Steps{running.order, step->step, step->count};
    return;
  }
  const double stamp = one_shot(running.skill) ? running.ordered : inputs_.stamp;
  if (const auto goal = std::visit(Navigation{stamp, running.active}, running.skill))
    outputs_.orders.navigate = Orders::Navigate{running.order, running.revision, *goal};
}

/// The walk's word for steps says that it takes them, not that it has: they end when the feet stand again.
bool Executor::steps_done() {
  auto& running = *move_.running;
  if (running.accepted < 0.0) running.accepted = now_;
  const bool walking = body_class(inputs_.body) == BodyClass::Walking;
  running.walked = running.walked || walking;
  return !walking && (running.walked || now_ - running.accepted >= params_.steps_begin);
}

void Executor::run_head(SlotRule rule) {
  if (!head_.running) return;
  if (rule == SlotRule::Clear) return end(head_, SkillEvent::Type::Aborted, "the robot was removed");
  if (rule != SlotRule::Run) return;
  auto& running = *head_.running;
  running.active += dt_;
  if (const auto* look = std::get_if<LookMode>(&running.skill)) {
    outputs_.orders.head.mode = look->mode;
  } else if (const auto* at = std::get_if<LookAt>(&running.skill)) {
    outputs_.orders.head.mode = HeadMode::LookForward;  // once the point is too old
    outputs_.orders.head.look_at = *at;
  } else if (const auto* scan = std::get_if<Scan>(&running.skill)) {
    constexpr double kPan = 1.6;  // rad
    const double phase = running.active / params_.sweep;
    if (phase >= (scan->pattern == ScanPattern::All ? 2.0 : 1.0)) return end(head_, SkillEvent::Type::Completed, "");
    const double across = std::sin(2.0 * M_PI * phase) * kPan;
    const bool near = scan->pattern == ScanPattern::Near || (scan->pattern == ScanPattern::All && phase >= 1.0);
    const double distance = near ? 0.4 : 3.0;  // m
    LookAt at;
    at.frame = Frame::BaseFootprint;
    at.point = distance * Vector2d(std::cos(across), std::sin(across));
    outputs_.orders.head.mode = HeadMode::LookForward;
    outputs_.orders.head.look_at = at;
  }
}

/// What is heard of an order that went out earlier.
void Executor::follow_kick() {
  if (!kick_.running || kick_.running->order == 0) return;
  const auto& feedback = is_animation(kick_.running->skill) ? inputs_.feedback.animation : inputs_.feedback.kick;
  if (feedback.id != kick_.running->order) return;
  if (feedback.state == Feedback::State::Succeeded) return end(kick_, SkillEvent::Type::Completed, "");
  if (feedback.state != Feedback::State::Failed) return;
  auto& running = *kick_.running;
  if (std::holds_alternative<Dribble>(running.skill) && running.waiting + running.active < params_.walk_limit) {
    // The walk was ending when the order came; a step of the next one will do.
    running.waiting += running.active;
    running.active = 0.0;
    running.order = 0;
    return;
  }
  end(kick_, SkillEvent::Type::Failed, feedback.reason);
}

void Executor::run_kick(SlotRule rule) {
  if (!kick_.running) return;
  auto& running = *kick_.running;
  if (rule == SlotRule::Clear) return end(kick_, SkillEvent::Type::Aborted, "the robot was removed");
  if (rule == SlotRule::Fail && running.order != 0)
    return end(kick_, SkillEvent::Type::Failed, "the body was taken away");
  const BodyClass body = body_class(inputs_.body);
  const bool in_walk = std::holds_alternative<Dribble>(running.skill);
  if (running.order == 0) {
    if (rule == SlotRule::Run) return order_kick();
    if (body == BodyClass::Ready || body == BodyClass::Walking) running.waiting += dt_;
    if (in_walk && running.waiting > params_.walk_limit)
      return end(kick_, SkillEvent::Type::Failed, "the robot does not walk: no kick in walk");
    if (running.waiting > params_.legs_limit)
      return end(kick_, SkillEvent::Type::Failed, "the walk did not stop for the kick");
    return;
  }
  running.active += dt_;
  const bool animation = is_animation(running.skill);
  const auto& feedback = animation ? inputs_.feedback.animation : inputs_.feedback.kick;
  if (feedback.id != running.order && running.active > params_.answer_limit)
    return end(kick_, SkillEvent::Type::Failed,
               animation ? "nobody plays the animation" : "nobody carries out the kick");
  if (running.active > (animation ? params_.dive_limit : params_.kick_limit))
    return end(kick_, SkillEvent::Type::Failed, "took too long");
  if (animation) {
    const auto* dive = std::get_if<Dive>(&running.skill);
    const std::string& name = dive == nullptr                 ? params_.block
                              : dive->side == DiveSide::Left  ? params_.dive_left
                              : dive->side == DiveSide::Right ? params_.dive_right
                                                              : params_.dive_middle;
    outputs_.orders.animation = Orders::Animation{running.order, name};
  } else {
    outputs_.orders.kick = Orders::Kick{running.order, kick_goal(running.skill, inputs_.stamp)};
  }
}

void Executor::order_kick() {
  if (!is_animation(kick_.running->skill)) {
    if (const auto refused = kick_refusal()) return end(kick_, SkillEvent::Type::Failed, *refused);
  }
  kick_.running->order = ++last_order_;
  kick_.running->ordered = now_;
  run_kick(SlotRule::Run);
}

/// Why the kick cannot reach the ball; nothing if it can.
std::optional<std::string> Executor::kick_refusal() const {
  const KickGoal goal = kick_goal(kick_.running->skill, inputs_.stamp);
  if (goal.in_walk) return std::nullopt;  // the walk finds its step
  Vector2d ball = goal.ball;
  if (goal.frame == Frame::Odom) return std::nullopt;  // only the walking node knows
  if (goal.frame == Frame::Map) {
    if (!inputs_.pose) return "the own pose is unknown, the ball's place is given on the map";
    ball = inputs_.pose->inverse() * ball;
  }
  if (ball.x() < params_.reach_near || ball.x() > params_.reach_far || std::abs(ball.y()) > params_.reach_side)
    return "the ball is out of reach: " + std::to_string(ball.x()) + " m ahead, " + std::to_string(ball.y()) +
           " m to the left";
  return std::nullopt;
}

}  // namespace hl_behavior
