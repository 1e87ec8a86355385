// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/runner.hpp"

#include <algorithm>

#include "hl_behavior/rtdl/syntax.hpp"

namespace hl_behavior::rtdl {
namespace {

hl_soccer::Action action_of(std::string_view word) {
  if (word == "POSITIONING") return hl_soccer::Action::Positioning;
  if (word == "GOING_TO_BALL") return hl_soccer::Action::GoingToBall;
  if (word == "TRYING_TO_SCORE") return hl_soccer::Action::TryingToScore;
  if (word == "WAITING") return hl_soccer::Action::Waiting;
  return hl_soccer::Action::Undefined;
}

}  // namespace

/// Turns started capabilities into orders for the slots; does those without a slot itself.
class RtdlRunner::Host : public SkillHost {
 public:
  Host(SoccerWorld& world, Outputs& outputs) : world_(world), outputs_(outputs) {}

  void hear(const std::array<SkillReport, kSlots>& reports) { reports_ = &reports; }

  Progress start(int ticket, const Capability& capability, Arguments arguments) override {
    const auto slot = std::find(kSlotNames.begin(), kSlotNames.end(), capability.slot);
    if (slot == kSlotNames.end()) return start_without_slot(capability, arguments);
    const auto index = static_cast<std::size_t>(slot - kSlotNames.begin());
    Order order;
    order.id = ++last_id_;
    order.skill = capability.name;
    for (std::size_t i = 0; i < arguments.size; ++i) {
      OrderArgument argument;
      argument.name = capability.parameters[i].name;
      argument.kind = arguments[i].kind;
      argument.number = arguments[i].number;
      argument.text = arguments[i].text;
      data_[index][i] = arguments[i];
      order.arguments.push_back(std::move(argument));
    }
    outputs_.orders[index] = std::move(order);
    tickets_[index] = ticket;
    refresh(index);
    return {};
  }

  Progress state(int ticket) override {
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      if (tickets_[slot] != ticket || !outputs_.orders[slot]) continue;
      if (reports_ == nullptr || (*reports_)[slot].id != outputs_.orders[slot]->id) return {};
      Progress progress = (*reports_)[slot].progress;
      if (progress.state != Progress::State::Running) drop(slot);
      return progress;
    }
    return {};  // without a slot: ends by its time
  }

  void abort(int ticket) override {
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      if (tickets_[slot] == ticket) drop(slot);
    }
  }

  void drop_all() {
    for (std::size_t slot = 0; slot < kSlots; ++slot) drop(slot);
  }

  /// Where the things in the orders are now.
  void refresh() {
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      world_.set_busy(slot, outputs_.orders[slot].has_value());
      if (outputs_.orders[slot]) refresh(slot);
    }
  }

 private:
  void drop(std::size_t slot) {
    outputs_.orders[slot].reset();
    tickets_[slot] = -1;
    world_.set_busy(slot, false);
  }

  void refresh(std::size_t slot) {
    auto& arguments = outputs_.orders[slot]->arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Datum& datum = data_[slot][i];
      if (datum.kind != Datum::Kind::Entity) continue;
      arguments[i].place = world_.place(datum);
      const Waypoint* waypoint = world_.waypoint(datum);
      arguments[i].heading = waypoint != nullptr ? waypoint->heading : std::nullopt;
    }
    world_.set_busy(slot, true);
  }

  Progress start_without_slot(const Capability& capability, Arguments a) {
    const Progress done{Progress::State::Succeeded, {}};
    const auto failed = [](std::string reason) { return Progress{Progress::State::Failed, std::move(reason)}; };
    const auto& pose = world_.situation().model.pose;
    if (capability.ending == Ending::AfterSeconds) return {};
    if (capability.name == "say") {
      outputs_.say.emplace_back(a[0].text);
    } else if (capability.name == "announce") {
      outputs_.announced = action_of(a[0].text);
    } else if (capability.name == "set_current_position") {
      if (!pose.known()) return failed("the own position is not known");
      world_.set_waypoint(a[0].entity, {pose.pose.position(), pose.pose.yaw});
    } else if (capability.name == "set_waypoint") {
      const auto heading = a.size > 3 ? std::optional<double>(a[3].number) : std::nullopt;
      world_.set_waypoint(a[0].entity, {{a[1].number, a[2].number}, heading});
    } else if (capability.name == "remember") {
      const auto place = world_.place(a[1]);
      if (!place) return failed("where '" + std::string(a[1].text) + "' is, is not known");
      world_.set_waypoint(a[0].entity, {*place, std::nullopt});
    } else {
      return failed("nobody carries out '" + capability.name + "'");
    }
    return done;
  }

  SoccerWorld& world_;
  Outputs& outputs_;
  const std::array<SkillReport, kSlots>* reports_ = nullptr;
  std::array<int, kSlots> tickets_{-1, -1, -1};
  std::array<std::array<Datum, 8>, kSlots> data_{};  // arguments of the orders
  std::uint32_t last_id_ = 0;
};

RtdlRunner::RtdlRunner(std::shared_ptr<const Catalogue> catalogue, Library library, const hl_description::Field& field,
                       const Interpreter::Params& params)
    : catalogue_(std::move(catalogue)),
      library_(std::move(library)),
      params_(params),
      world_(field),
      host_(std::make_unique<Host>(world_, outputs_)) {}

RtdlRunner::~RtdlRunner() = default;

bool RtdlRunner::active() const {
  return interpreter_ != nullptr &&
         (interpreter_->state() == Interpreter::State::Running || interpreter_->state() == Interpreter::State::Paused);
}

Report RtdlRunner::load_text(const std::string& text, const std::string& file) {
  Report report(file);
  const Document document = read(text, report);
  return load(document, std::move(report));
}

Report RtdlRunner::load_name(const std::string& name) {
  const LibraryTask* found = library_.find(name);
  Report report(found != nullptr ? found->file : name);
  if (found == nullptr) {
    report.add(Code::TaskError, {}, name, "is no task on this robot", "list_behaviors names them");
    return report;
  }
  return load(found->document, std::move(report));
}

Report RtdlRunner::load(const Document& document, Report report) {
  if (active()) {
    report.add(Code::TaskError, {}, document.task.name, "cannot be loaded while another task runs",
               "cancel that first");
    return report;
  }
  auto program = link(document, catalogue_, library_, report);
  if (program == nullptr) return report;
  program_ = std::move(program);
  interpreter_ = std::make_unique<Interpreter>(program_, params_);
  return report;
}

std::optional<std::string> RtdlRunner::start(const std::vector<std::string>& arguments, double now,
                                             std::optional<double> time_limit) {
  if (interpreter_ == nullptr) return "no task is loaded";
  if (auto problem = interpreter_->start(arguments, now, time_limit)) return problem;
  world_.forget_waypoints();
  host_->drop_all();
  outputs_ = {};
  outputs_.state = interpreter_->state();
  return std::nullopt;
}

const RtdlRunner::Outputs& RtdlRunner::step(const Inputs& inputs, double now) {
  outputs_.say.clear();
  outputs_.active.clear();
  outputs_.events.clear();
  if (interpreter_ == nullptr) return outputs_;
  world_.look(inputs.situation, now);
  host_->hear(inputs.skills);
  host_->refresh();
  if (inputs.stop) {
    interpreter_->cancel(*host_, *inputs.stop, now);
  } else if (inputs.hold) {
    interpreter_->pause(*host_, *inputs.hold, now);
  } else {
    interpreter_->resume(now);
    interpreter_->tick(world_, *host_, now);
  }
  outputs_.state = interpreter_->state();
  outputs_.reason = outputs_.state == Interpreter::State::Paused ? inputs.hold.value_or("") : interpreter_->reason();
  if (outputs_.state == Interpreter::State::Running) {
    for (const int node : interpreter_->running()) outputs_.active.push_back(describe(program_->nodes[node]));
  }
  if (!active()) outputs_.announced.reset();
  outputs_.events = interpreter_->trace();
  interpreter_->clear_trace();
  return outputs_;
}

void RtdlRunner::cancel(const std::string& reason, double now) {
  if (!active()) return;
  interpreter_->cancel(*host_, reason, now);
  host_->drop_all();
  outputs_.state = interpreter_->state();
  outputs_.reason = reason;
  outputs_.announced.reset();
  outputs_.active.clear();
  outputs_.say.clear();
  outputs_.events = interpreter_->trace();
  interpreter_->clear_trace();
}

}  // namespace hl_behavior::rtdl
