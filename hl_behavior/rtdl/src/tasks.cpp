// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/tasks.hpp"

#include <algorithm>
#include <filesystem>

#include "hl_behavior/capabilities.hpp"
#include "hl_behavior/rtdl/syntax.hpp"

namespace hl_behavior::rtdl {
namespace {

using hl_soccer::BodyState;
using hl_soccer::GamePhase;

constexpr std::size_t kEventsKept = 2000;  // until somebody takes them
constexpr double kDribbleSpeed = 0.15;     // m/s, the walk that carries a kick in walk
constexpr const char* kHardware = "the hardware has a problem";

bool game_is_on(const hl_soccer::GameState& game) {
  return game.referee_connected &&
         (game.phase == GamePhase::Ready || game.phase == GamePhase::Set || game.phase == GamePhase::Playing);
}

const char* name_of(GamePhase phase) {
  static constexpr const char* kNames[] = {"INITIAL", "READY", "SET", "PLAYING", "FINISHED"};
  return kNames[static_cast<int>(phase)];
}

Interpreter::Params interpreter_params(const Tasks::Params& params) {
  Interpreter::Params p;
  p.time_limit = params.time_limit;
  return p;
}

std::vector<SkillArgument> arguments_of(const RtdlRunner::Order& order) {
  std::vector<SkillArgument> arguments;
  for (const auto& a : order.arguments) {
    SkillArgument to;
    to.name = a.name;
    if (a.kind == Datum::Kind::Number) to.number = a.number;
    to.text = a.text;
    to.place = a.place;
    to.heading = a.heading;
    arguments.push_back(std::move(to));
  }
  return arguments;
}

}  // namespace

std::optional<std::string> Tasks::Params::validate() const {
  if (!(time_limit >= 0.0)) return "time_limit = " + std::to_string(time_limit) + " s must not be negative";
  if (!(problem_limit >= 0.0)) return "problem_limit = " + std::to_string(problem_limit) + " s must not be negative";
  if (!(unknown_limit >= 0.0)) return "unknown_limit = " + std::to_string(unknown_limit) + " s must not be negative";
  return std::nullopt;
}

Tasks::Tasks(const Params& params, Library library, const hl_description::Field& field)
    : params_(params), runner_(soccer_catalogue(), std::move(library), field, interpreter_params(params)) {}

std::optional<Tasks::Refusal> Tasks::begin(const Request& request, const Knowledge& knowledge, double now) {
  if (active()) return Refusal{Refusal::Kind::Refused, "the task '" + name_ + "' runs; cancel it first", {}};
  if (auto reason = why_refused(knowledge)) return Refusal{Refusal::Kind::Refused, *reason, {}};
  const std::string file = request.name.empty() ? "task" : request.name;
  const Report report = request.text.empty() ? runner_.load_name(request.name) : runner_.load_text(request.text, file);
  Refusal refusal;
  refusal.kind = Refusal::Kind::Invalid;
  for (const Diagnostic& d : report.all()) refusal.diagnostics.push_back(to_text(d));
  if (!report.ok()) {
    refusal.reason = std::to_string(report.errors()) + " errors, the first: " + refusal.diagnostics.front();
    return refusal;
  }
  Report again(file);
  if (!request.text.empty() && !request.name.empty() && read(request.text, again).task.name != request.name) {
    refusal.reason = "the text holds no task '" + request.name + "'; leave the name out or write the text's";
    return refusal;
  }
  if (auto problem = runner_.start(request.arguments, now, request.time_limit)) {
    refusal.reason = *problem;
    return refusal;
  }
  name_ = request.text.empty() ? request.name : read(request.text, again).task.name;
  began_ = sound_at_ = now;
  slots_ = {};
  inputs_ = {};
  events_.clear();
  return std::nullopt;
}

std::optional<Decision> Tasks::step(const Knowledge& knowledge, const TacticsParams& tactics,
                                    const Behavior::Outputs* last, double now) {
  if (!active()) return std::nullopt;
  const hl_behavior::Situation situation = assess(knowledge, tactics, now);
  hear(last);
  look(knowledge, situation, tactics);
  inputs_.stop = why_end(knowledge);
  if (knowledge.body != BodyState::HardwareProblem) sound_at_ = now;
  // A gap in the sensors' words makes the task wait, as a fall does.
  if (!inputs_.stop && now - sound_at_ > params_.problem_limit) inputs_.stop = kHardware;
  inputs_.hold = why_wait(knowledge, last);
  const auto& out = runner_.step(inputs_, now);
  note_events();
  if (!active()) return std::nullopt;

  Decision decision;
  decision.action = out.announced.value_or(hl_soccer::Action::Undefined);
  decision.row = "task";
  for (std::size_t slot = 0; slot < kSlots; ++slot) fill(slot, situation, tactics, decision);
  if (decision.kick && std::holds_alternative<Dribble>(*decision.kick) && !decision.move)
    decision.move = MoveSkill(Walk{{kDribbleSpeed, 0.0, 0.0}});
  if (out.state == Interpreter::State::Paused) decision.reasons.add("task", "waits");
  return decision;
}

void Tasks::cancel(const std::string& reason, double now) {
  if (!active()) return;
  runner_.cancel(reason, now);
  note_events();
}

std::vector<std::string> Tasks::take_events() {
  std::vector<std::string> events;
  events.swap(events_);
  return events;
}

void Tasks::note_events() {
  for (const TraceEvent& event : runner_.outputs().events) {
    if (events_.size() >= kEventsKept) return;
    events_.push_back(to_text(event, *runner_.program(), began_));
  }
}

/// How the skills of the orders got on.
void Tasks::hear(const Behavior::Outputs* last) {
  if (last == nullptr) return;
  for (const SkillEvent& event : last->events) {
    if (event.order == 0) continue;
    const auto slot = static_cast<std::size_t>(event.slot);
    Progress progress;
    switch (event.type) {
      case SkillEvent::Type::Started:
        continue;
      case SkillEvent::Type::Completed:
        progress.state = Progress::State::Succeeded;
        break;
      case SkillEvent::Type::Failed:
      case SkillEvent::Type::Aborted:
        progress.state = Progress::State::Failed;
        progress.reason = event.reason;
        break;
    }
    inputs_.skills[slot] = {event.order, progress};
  }
}

/// The same digested knowledge that the tactics looks at, in the words of the runner.
void Tasks::look(const Knowledge& knowledge, const hl_behavior::Situation& situation, const TacticsParams& tactics) {
  auto& to = inputs_.situation;
  to.model = knowledge.personal;
  if (knowledge.team && knowledge.team->stamp >= knowledge.personal.stamp - tactics.model_memory)
    to.model.robots = knowledge.team->robots;
  to.model.pose.confidence = situation.pose_known ? std::max(0.01, knowledge.personal.pose.confidence) : 0.0;
  to.model.pose.pose = situation.pose;
  to.model.ball.confidence = situation.ball.known ? std::max(0.01, knowledge.personal.ball.confidence) : 0.0;
  to.model.ball.position = situation.ball.relative;
  to.model.ball.velocity = situation.ball.relative_velocity;
  to.model.ball.last_seen = situation.now - situation.ball.age;
  to.game = knowledge.game;
  if (to.game.own_player == 0) to.game.own_player = situation.number;
  to.body = knowledge.body;
  to.mates = knowledge.mates;
}

void Tasks::fill(std::size_t slot, const hl_behavior::Situation& situation, const TacticsParams& tactics,
                 Decision& decision) {
  const auto& order = runner_.outputs().orders[slot];
  if (!order) return;
  SlotMemory& memory = slots_[slot];
  if (memory.order != order->id) memory = {order->id, situation.pose, std::nullopt, situation.now};
  SkillContext context;
  if (situation.pose_known) context.pose = situation.pose;
  context.start = memory.start;
  if (situation.ball.known && situation.pose_known) {
    context.ball = situation.ball.position;
    context.ball_velocity = situation.ball.velocity;
  }
  context.field = tactics.field;
  context.kick_distance = tactics.kick_distance;
  const hl_behavior::Capability* skill = capability(order->skill);
  const MadeSkill made = skill == nullptr ? MadeSkill("nobody carries out '" + order->skill + "'")
                                          : skill->make(arguments_of(*order), context);
  if (const auto* good = std::get_if<Skill>(&made)) {
    memory.made = *good;
    memory.made_at = situation.now;
  } else if (situation.now - memory.made_at >= params_.unknown_limit || skill == nullptr) {
    inputs_.skills[slot] = {order->id, {Progress::State::Failed, std::get<std::string>(made)}};
  }
  if (!memory.made) return;  // it waits for what it needs to know
  decision.task_orders[slot] = order->id;
  if (const auto* move = std::get_if<MoveSkill>(&*memory.made)) decision.move = *move;
  if (const auto* head = std::get_if<HeadSkill>(&*memory.made)) decision.head = *head;
  if (const auto* kick = std::get_if<KickSkill>(&*memory.made)) decision.kick = *kick;
}

std::optional<std::string> Tasks::why_refused(const Knowledge& knowledge) const {
  if (!params_.in_game && game_is_on(knowledge.game))
    return std::string("a game is on (") + name_of(knowledge.game.phase) +
           "): the parameter tasks_in_game allows tasks then";
  if (knowledge.body == BodyState::HardwareProblem) return kHardware;
  return why_end(knowledge);
}

std::optional<std::string> Tasks::why_wait(const Knowledge& knowledge, const Behavior::Outputs* last) const {
  const auto& game = knowledge.game;
  if (game.referee_connected && game.penalized) return "penalised";
  if (game.referee_connected && game.stopped) return "the referee has stopped the game";
  if (game.referee_connected && !game.allowed_to_move) return "the referee does not allow to move";
  // Going down in a dive of the task itself is no accident.
  const bool diving = last != nullptr && last->kick == Executor::State::Busy;
  switch (body_class(knowledge.body)) {
    case BodyClass::Removed:
      return "the robot was penalised or picked up";
    case BodyClass::Down:
      if (!diving) return "the robot is down";
      break;
    case BodyClass::Off:
      return "the robot is not ready";
    default:
      break;
  }
  return std::nullopt;
}

std::optional<std::string> Tasks::why_end(const Knowledge& knowledge) const {
  if (!params_.in_game && game_is_on(knowledge.game))
    return std::string("a game has begun (") + name_of(knowledge.game.phase) + ")";
  switch (knowledge.body) {
    case BodyState::MotorOff:
      return "the motors are off";
    case BodyState::HcmOff:
    case BodyState::Shutdown:
      return "the robot is shut down";
    case BodyState::Record:
      return "the recorder has the robot";
    default:
      return std::nullopt;
  }
}

Library library_of(const std::vector<std::string>& folders, std::vector<std::string>& problems) {
  Library library;
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(folder)) {
      problems.push_back(folder + ": is no folder");
      continue;
    }
    std::vector<Report> reports;
    library.add_folder(folder, reports);
    for (const Report& report : reports)
      for (const Diagnostic& d : report.all()) problems.push_back(to_text(d));
  }
  return library;
}

}  // namespace hl_behavior::rtdl
