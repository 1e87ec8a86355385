// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/interpreter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "constant_condition.hpp"
#include "hl_behavior/rtdl/syntax.hpp"
#include "parser.hpp"

namespace hl_behavior::rtdl {

using Op = Program::Node::Op;
using Kind = TraceEvent::Kind;

std::string_view to_text(TraceEvent::Kind kind) {
  static constexpr std::array<std::string_view, 11> kTexts{"started", "succeeded", "failed",   "ignored",
                                                           "retried", "skipped",   "aborted",  "unknown",
                                                           "paused",  "resumed",   "cancelled"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string describe(const Program::Node& node) {
  return std::to_string(node.at.line) + ":" + std::to_string(node.at.column) + " " + node.text;
}

std::string to_text(const TraceEvent& event, const Program& program, double start) {
  std::array<char, 32> time{};
  std::snprintf(time.data(), time.size(), "%8.2f s  ", event.time - start);
  std::string text = time.data() + describe(program.nodes[event.node]) + ": ";
  text.append(to_text(event.kind));
  if (!event.reason.empty()) text += ", " + event.reason;
  return text;
}

std::optional<std::string> Interpreter::Params::validate() const {
  if (!std::isfinite(time_limit) || time_limit < 0.0)
    return "time_limit is " + std::to_string(time_limit) + ", not >= 0";
  if (passes_per_instant < 1) return "passes_per_instant is " + std::to_string(passes_per_instant) + ", not >= 1";
  if (steps_per_tick < 10) return "steps_per_tick is " + std::to_string(steps_per_tick) + ", not >= 10";
  return std::nullopt;
}

Interpreter::Interpreter(std::shared_ptr<const Program> program, const Params& params)
    : program_(std::move(program)), params_(params) {
  const std::size_t nodes = program_->nodes.size();
  nodes_.resize(nodes);
  values_.resize(program_->cells.size());
  bound_.resize(program_->cells.size());
  // Room for all that can be active at once, so that a tick allocates nothing.
  work_.reserve(nodes + 2);
  running_.reserve(nodes);
  waiting_.reserve(nodes);
  tasks_.reserve(nodes);
  lasting_.reserve(nodes);
  std::size_t most = 0;
  for (const auto& node : program_->nodes) most = std::max(most, static_cast<std::size_t>(node.arguments));
  argument_data_.resize(most);
  trace_.reserve(std::min<std::size_t>(params_.trace_limit, 1024));
}

std::optional<std::string> Interpreter::start(const std::vector<std::string>& arguments, double now,
                                              std::optional<double> time_limit) {
  const Catalogue& catalogue = *program_->catalogue;
  if (state_ == State::Running || state_ == State::Paused) return "the task is already running";
  if (!std::isfinite(now)) return "the time is no number";
  if (time_limit && (!std::isfinite(*time_limit) || *time_limit < 0.0)) return "the time limit is no time";
  if (arguments.size() != program_->parameters) {
    return "the task takes " + std::to_string(program_->parameters) + " arguments, not " +
           std::to_string(arguments.size());
  }
  texts_ = arguments;
  std::fill(bound_.begin(), bound_.end(), 0);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Program::Cell& cell = program_->cells[i];
    Report report("argument");
    Parser parser(split_words(texts_[i], report), report);
    const auto value = parser.lone_value();
    const auto wrong = [&](const std::string& remedy) {
      return "argument '" + arguments[i].substr(0, 40) + "' for '" + cell.name + "' is no " + cell.type + ": " + remedy;
    };
    if (cell.type == "text") {
      if (report.ok() && value->kind == Value::Kind::Text) texts_[i] = value->text;
      values_[i] = Datum::of(std::string_view(texts_[i]));
    } else if (is_value_type(cell.type)) {
      if (!report.ok() || value->kind != Value::Kind::Number) return wrong("give a number");
      if (cell.type == "int" && value->number != std::floor(value->number)) return wrong("give a whole number");
      values_[i] = Datum::of(value->number);
    } else {
      const NamedEntity* entity = report.ok() ? catalogue.entity(value->text) : nullptr;
      if (entity == nullptr || !catalogue.derives(entity->type, cell.type)) {
        return wrong("'rtdl capabilities' lists the entities");
      }
      values_[i] = Datum::thing(entity->name);
    }
    bound_[i] = 1;
  }
  std::fill(nodes_.begin(), nodes_.end(), NodeState{});
  work_.clear();
  running_.clear();
  waiting_.clear();
  tasks_.clear();
  lasting_.clear();
  trace_.clear();
  dropped_ = 0;
  reason_.clear();
  now_ = now;
  clock_ = 0.0;
  root_limit_ = time_limit.value_or(params_.time_limit);
  state_ = State::Running;
  push(0, What::Begin);
  return std::nullopt;
}

void Interpreter::advance(double now) {
  if (!std::isfinite(now)) return;
  if (state_ == State::Running && now > now_) clock_ += now - now_;
  now_ = now;
}

void Interpreter::note(Kind kind, int node, const std::string& reason) {
  if (trace_.size() >= params_.trace_limit) {
    ++dropped_;
  } else {
    trace_.push_back({now_, kind, node, reason});
  }
}

void Interpreter::push(int node, What what, std::string reason) {
  work_.push_back({node, what, std::move(reason)});
}

Interpreter::State Interpreter::tick(const World& world, SkillHost& host, double now) {
  const double before = clock_;
  advance(now);
  if (state_ != State::Running) return state_;
  if (clock_ > before) {
    for (auto it = waiting_.rbegin(); it != waiting_.rend(); ++it) push(*it, What::Pass);
    waiting_.clear();
  }
  check_time_limits(host);
  if (state_ != State::Running) return state_;
  poll(host);
  run_work(world, host);
  return state_;
}

void Interpreter::check_time_limits(SkillHost& host) {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const int node = tasks_[i];
    const double limit = node == 0 ? root_limit_ : params_.time_limit;
    const double began = node == 0 ? 0.0 : nodes_[node].started;
    if (limit <= 0.0 || clock_ - began <= limit) continue;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "took longer than its time limit of %g s", limit);
    stop_range(node + 1, program_->nodes[node].end, host, text.data());
    if (node == 0) return finish(State::TimedOut, text.data(), host);
    attempt_failed(node, text.data());
    return;  // others are looked at in the next tick
  }
}

void Interpreter::poll(SkillHost& host) {
  for (std::size_t i = 0; i < running_.size();) {
    const int node = running_[i];
    const Program::Node& action = program_->nodes[node];
    const Capability& capability = program_->catalogue->capabilities[action.capability];
    Progress progress = host.state(node);
    const double time = clock_ - nodes_[node].started;
    if (progress.state == Progress::State::Running) {
      double seconds = capability.typical_duration;
      for (std::size_t k = 0; k < static_cast<std::size_t>(action.arguments); ++k) {
        if (capability.parameters[k].name != "seconds") continue;
        const Program::Argument& argument = program_->arguments[action.first_argument + k];
        seconds = (argument.cell >= 0 ? cell(argument.cell) : argument.constant).number;
      }
      if (capability.ending == Ending::AfterSeconds && time >= seconds) {
        host.abort(node);
        progress.state = Progress::State::Succeeded;
      } else if (capability.time_limit > 0.0 && time > capability.time_limit) {
        host.abort(node);
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "not done after %g s", capability.time_limit);
        progress = {Progress::State::Failed, text.data()};
      }
    }
    if (progress.state == Progress::State::Running) {
      ++i;
      continue;
    }
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    if (progress.state == Progress::State::Succeeded) {
      action_done(node);
    } else {
      action_failed(node, progress.reason);
    }
  }
}

void Interpreter::run_work(const World& world, SkillHost& host) {
  for (int steps = 0; steps < params_.steps_per_tick && !work_.empty() && state_ == State::Running; ++steps) {
    const Work work = std::move(work_.back());
    work_.pop_back();
    switch (work.what) {
      case What::Begin:
        nodes_[work.node].used = 0;
        attempt(work.node, world, host);
        break;
      case What::Attempt:
        attempt(work.node, world, host);
        break;
      case What::Pass:
        pass(work.node, world);
        break;
      case What::Restart:
        restart_lasting(work.node, host);
        break;
      case What::Succeeded:
      case What::Done:
      case What::Failed:
        ended(work.node, work.what, work.reason, host);
        break;
    }
  }
}

void Interpreter::attempt(int index, const World& world, SkillHost& host) {
  const Program::Node& node = program_->nodes[index];
  NodeState& state = nodes_[index];
  ++state.used;
  state.started = clock_;
  const auto begin_block = [&] {
    push(node.child >= 0 ? node.child : index, node.child >= 0 ? What::Begin : What::Succeeded);
  };
  switch (node.op) {
    case Op::Action:
      return start_action(index, host);
    case Op::Task:
      std::fill_n(bound_.begin() + node.first_cell, node.cells, 0);
      tasks_.push_back(index);
      note(Kind::Started, index);
      return begin_block();
    case Op::Retry:
      note(Kind::Started, index);
      return begin_block();
    case Op::Branch:
      return begin_block();
    case Op::If:
      if (holds(index, world)) {
        note(Kind::Started, index);
        return begin_block();
      }
      note(Kind::Skipped, index);
      return push(index, What::Done);
    case Op::While:
      note(Kind::Started, index);
      return pass(index, world);
    case Op::Par:
      state.branches_done = 0;
      note(Kind::Started, index);
      push(program_->nodes[node.child].next, What::Begin);
      return push(node.child, What::Begin);
  }
}

void Interpreter::pass(int index, const World& world) {
  NodeState& state = nodes_[index];
  if (state.pass_clock != clock_) {
    state.pass_clock = clock_;
    state.passes = 0;
  }
  if (state.passes >= params_.passes_per_instant) {
    waiting_.push_back(index);
    return;
  }
  ++state.passes;
  if (!holds(index, world)) return push(index, What::Succeeded);
  const int child = program_->nodes[index].child;
  push(child >= 0 ? child : index, child >= 0 ? What::Begin : What::Pass);
}

/// False if an entity is not set; the problem says which.
bool Interpreter::gather_arguments(int index) {
  const Program::Node& node = program_->nodes[index];
  for (int k = 0; k < node.arguments; ++k) {
    const Program::Argument& argument = program_->arguments[node.first_argument + k];
    if (argument.cell < 0) {
      argument_data_[k] = argument.constant;
    } else if (argument.sets) {
      argument_data_[k] = Datum::thing(program_->cells[argument.cell].name, argument.cell);
    } else {
      argument_data_[k] = cell(argument.cell);
      if (argument_data_[k].kind != Datum::Kind::Nothing) continue;
      problem_ = "'" + program_->cells[argument.cell].name + "' is not set yet";
      return false;
    }
  }
  return true;
}

void Interpreter::restart_lasting(int index, SkillHost& host) {
  const auto held = std::find(lasting_.begin(), lasting_.end(), index);
  if (held == lasting_.end()) return;
  const Program::Node& node = program_->nodes[index];
  const Capability& capability = program_->catalogue->capabilities[node.capability];
  const Arguments arguments{argument_data_.data(), static_cast<std::size_t>(node.arguments)};
  if (!gather_arguments(index) || host.start(index, capability, arguments).state != Progress::State::Running) {
    lasting_.erase(held);
  }
}

void Interpreter::start_action(int index, SkillHost& host) {
  const Program::Node& node = program_->nodes[index];
  const Capability& capability = program_->catalogue->capabilities[node.capability];
  note(Kind::Started, index);
  if (!gather_arguments(index)) return action_failed(index, problem_);
  if (!capability.slot.empty()) {
    for (const int other : running_) {
      const Capability& busy = program_->catalogue->capabilities[program_->nodes[other].capability];
      if (busy.slot == capability.slot) {
        return action_failed(index, "slot '" + capability.slot + "' is busy with " + program_->nodes[other].text);
      }
    }
    stop_lasting(0, static_cast<int>(nodes_.size()), &capability.slot, host);
  }
  const Progress progress =
      host.start(index, capability, {argument_data_.data(), static_cast<std::size_t>(node.arguments)});
  switch (progress.state) {
    case Progress::State::Failed:
      return action_failed(index, progress.reason);
    case Progress::State::Succeeded:
      return action_done(index);
    case Progress::State::Running:
      break;
  }
  if (capability.ending == Ending::Lasting) {
    lasting_.push_back(index);
    return action_done(index);
  }
  running_.push_back(index);
}

void Interpreter::action_done(int index) {
  const Program::Node& node = program_->nodes[index];
  for (int k = 0; k < node.arguments; ++k) {
    const Program::Argument& argument = program_->arguments[node.first_argument + k];
    if (!argument.sets || argument.cell < 0) continue;
    values_[argument.cell] = Datum::thing(program_->cells[argument.cell].name, argument.cell);
    bound_[argument.cell] = 1;
  }
  push(index, What::Succeeded);
}

void Interpreter::action_failed(int index, const std::string& reason) {
  attempt_failed(index, reason.empty() ? "no reason given" : reason);
}

/// Of an action, a called task or a retry block: again, ignored, or failed for good.
void Interpreter::attempt_failed(int index, const std::string& reason) {
  const Program::Node& node = program_->nodes[index];
  if (node.op == Op::Task) tasks_.erase(std::remove(tasks_.begin(), tasks_.end(), index), tasks_.end());
  if (nodes_[index].used < node.attempts) {
    note(Kind::Retried, index, reason);
    push(index, What::Attempt);
  } else if (node.optional) {
    note(Kind::Ignored, index, reason);
    push(index, What::Done);
  } else {
    push(index, What::Failed, reason);
  }
}

/// A statement has ended: what its block does now.
void Interpreter::ended(int index, What how, const std::string& reason, SkillHost& host) {
  const Program::Node& node = program_->nodes[index];
  const bool well = how != What::Failed;
  if (node.op != Op::Branch && how != What::Done) note(well ? Kind::Succeeded : Kind::Failed, index, reason);
  if (node.op == Op::Task) tasks_.erase(std::remove(tasks_.begin(), tasks_.end(), index), tasks_.end());
  if (node.parent < 0) return finish(well ? State::Succeeded : State::Failed, reason, host);
  const Program::Node& parent = program_->nodes[node.parent];
  if (parent.op == Op::Par) {
    if (!well) {
      stop_range(node.parent + 1, parent.end, host, "the other branch failed");
      return push(node.parent, What::Failed, reason);
    }
    if (++nodes_[node.parent].branches_done == 2) push(node.parent, What::Succeeded);
    return;
  }
  if (!well) {
    if (parent.op == Op::Task || parent.op == Op::Retry) return attempt_failed(node.parent, reason);
    return push(node.parent, What::Failed, reason);
  }
  if (node.next >= 0) return push(node.next, What::Begin);
  push(node.parent, parent.op == Op::While ? What::Pass : What::Succeeded);
}

void Interpreter::stop_range(int begin, int end, SkillHost& host, const std::string& reason) {
  const auto inside = [&](int node) { return node >= begin && node < end; };
  for (const int node : running_) {
    if (!inside(node)) continue;
    host.abort(node);
    note(Kind::Aborted, node, reason);
  }
  stop_lasting(begin, end, nullptr, host);
  running_.erase(std::remove_if(running_.begin(), running_.end(), inside), running_.end());
  waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), inside), waiting_.end());
  tasks_.erase(std::remove_if(tasks_.begin(), tasks_.end(), inside), tasks_.end());
  work_.erase(std::remove_if(work_.begin(), work_.end(), [&](const Work& w) { return inside(w.node); }), work_.end());
}

void Interpreter::stop_lasting(int begin, int end, const std::string* slot, SkillHost& host) {
  for (std::size_t i = 0; i < lasting_.size();) {
    const int node = lasting_[i];
    const Capability& capability = program_->catalogue->capabilities[program_->nodes[node].capability];
    if (node < begin || node >= end || (slot != nullptr && capability.slot != *slot)) {
      ++i;
      continue;
    }
    host.abort(node);
    lasting_.erase(lasting_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void Interpreter::finish(State state, const std::string& reason, SkillHost& host) {
  stop_range(0, static_cast<int>(nodes_.size()), host, reason);
  state_ = state;
  reason_ = reason;
}

void Interpreter::cancel(SkillHost& host, const std::string& reason, double now) {
  if (state_ != State::Running && state_ != State::Paused) return;
  advance(now);
  if (state_ == State::Paused) {  // what is marked as running was aborted by the pause
    running_.clear();
    lasting_.clear();
  }
  finish(State::Cancelled, reason, host);
  note(Kind::Cancelled, 0, reason);
}

void Interpreter::pause(SkillHost& host, const std::string& reason, double now) {
  if (state_ != State::Running) return;
  advance(now);
  for (const int node : running_) host.abort(node);
  for (const int node : lasting_) host.abort(node);
  state_ = State::Paused;
  note(Kind::Paused, 0, reason);
}

void Interpreter::resume(double now) {
  if (state_ != State::Paused) return;
  advance(now);
  state_ = State::Running;
  note(Kind::Resumed, 0);
  for (const int node : running_) {
    --nodes_[node].used;
    push(node, What::Attempt);
  }
  running_.clear();
  for (const int node : lasting_) push(node, What::Restart);  // last in, first out: before anything else
}

Datum Interpreter::cell(int index) const {
  return bound_[index] != 0 ? values_[index] : Datum{};
}

bool Interpreter::holds(int index, const World& world) {
  problem_.clear();
  bool result = false;
  for (const auto& alternative : program_->conditions[program_->nodes[index].condition]) {
    const bool all = std::all_of(alternative.begin(), alternative.end(), [&](const Program::Test& test) {
      const Datum left = evaluate(test.left, world);
      const Datum right = test.comparison ? evaluate(test.right, world) : Datum::truth(true);
      if (left.kind == Datum::Kind::Nothing || right.kind == Datum::Kind::Nothing) return false;  // also if negated
      bool truth = false;
      if (!test.comparison) {
        truth = left.number != 0.0;
      } else if (left.kind == Datum::Kind::Text || left.kind == Datum::Kind::Entity) {
        const bool equal = left.kind == right.kind && left.text == right.text && left.entity == right.entity;
        truth = equal == (*test.comparison == Comparison::Equal);
      } else {
        truth = compare(left.number, *test.comparison, right.number);
      }
      return truth != test.negated;
    });
    if (all) {
      result = true;
      break;
    }
  }
  const bool unknown = !problem_.empty() && !result;
  if (unknown && !nodes_[index].unknown) note(Kind::Unknown, index, problem_);  // once, not in every tick
  nodes_[index].unknown = unknown;
  return result;
}

Datum Interpreter::evaluate(const Program::Operand& operand, const World& world) {
  switch (operand.kind) {
    case Program::Operand::Kind::Constant:
      return operand.constant;
    case Program::Operand::Kind::TaskTime:
      return Datum::of(clock_);
    case Program::Operand::Kind::Cell: {
      const Datum value = cell(operand.index);
      if (value.kind == Datum::Kind::Nothing) problem_ = "'" + program_->cells[operand.index].name + "' is not set yet";
      return value;
    }
    case Program::Operand::Kind::Predicate:
      break;
  }
  std::array<Datum, 8> arguments;  // more than any predicate takes
  const std::size_t count = std::min(operand.arguments.size(), arguments.size());
  for (std::size_t i = 0; i < count; ++i) {
    arguments[i] = evaluate(operand.arguments[i], world);
    if (arguments[i].kind == Datum::Kind::Nothing) return {};
  }
  const World::Answer answer = world.ask(operand.index, {arguments.data(), count});
  const bool number = answer.value.kind == Datum::Kind::Number || answer.value.kind == Datum::Kind::Truth;
  if (answer.value.kind == Datum::Kind::Nothing || (number && !std::isfinite(answer.value.number))) {
    problem_.assign(program_->catalogue->predicates[operand.index].name).append(": ");
    problem_ += answer.unknown_because.empty() ? "cannot be told" : answer.unknown_because;
    return {};
  }
  return answer.value;
}

}  // namespace hl_behavior::rtdl
