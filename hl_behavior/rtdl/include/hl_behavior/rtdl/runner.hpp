// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_behavior/rtdl/interpreter.hpp"
#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/soccer.hpp"

namespace hl_behavior::rtdl {

/// Runs RTDL tasks on a soccer robot: in goes what the robot knows and how its skills get on, out comes what each slot
/// shall do. The behaviour hands the orders to the same executor that carries out the decisions of the tactics.
class RtdlRunner {
 public:
  /// How the skill of an order gets on, from the executor.
  struct SkillReport {
    std::uint32_t id = 0;  // of the order; 0 = nothing to report
    Progress progress;
  };
  struct Inputs {
    Situation situation;
    std::array<SkillReport, kSlots> skills;  // move, head, kick
    std::optional<std::string> hold;         // why the task must pause now: penalty, fall, referee
    std::optional<std::string> stop;         // why it must end now; wins over everything
  };

  struct OrderArgument {
    std::string name;  // of the parameter
    Datum::Kind kind = Datum::Kind::Nothing;
    double number = 0.0;                   // of a number
    std::string text;                      // of a text, or the name of a thing
    std::optional<Eigen::Vector2d> place;  // m, map, now; of a thing that has one
    std::optional<double> heading;         // rad, map; of a way point that has one
  };
  struct Order {
    std::uint32_t id = 0;  // a new one for every start, also of the same skill with the same arguments
    std::string skill;     // name of the capability
    std::vector<OrderArgument> arguments;
  };
  struct Outputs {
    Interpreter::State state = Interpreter::State::Ready;
    std::string reason;                               // why it failed, was cancelled or waits
    std::array<std::optional<Order>, kSlots> orders;  // an empty slot has nothing to do
    std::vector<std::string> say;                     // in this step
    std::optional<hl_soccer::Action> announced;       // what team mates shall be told, until the task ends
    std::vector<std::string> active;                  // `line:column statement` of all that run
    std::vector<TraceEvent> events;                   // of this step
  };

  /// `catalogue` must have the predicates of `soccer_catalogue`, which it is unless the skills offer another one.
  RtdlRunner(std::shared_ptr<const Catalogue> catalogue, Library library, const hl_description::Field& field,
             const Interpreter::Params& params);
  ~RtdlRunner();

  /// Reads and validates a task, from its text or by its name in the library; all errors are in the report. A task that
  /// runs is not touched if the new one has errors, and refuses to be replaced.
  Report load_text(const std::string& text, const std::string& file);
  Report load_name(const std::string& name);

  /// Begins the loaded task; returns why it cannot.
  std::optional<std::string> start(const std::vector<std::string>& arguments, double now,
                                   std::optional<double> time_limit = std::nullopt);

  /// The outputs are valid until the next step.
  const Outputs& step(const Inputs& inputs, double now);

  /// Effective at once: no slot has an order afterwards.
  void cancel(const std::string& reason, double now);

  bool active() const;  // runs or waits
  const Program* program() const { return program_.get(); }
  const Outputs& outputs() const { return outputs_; }
  const Catalogue& catalogue() const { return *catalogue_; }
  const Library& library() const { return library_; }

 private:
  class Host;
  Report load(const Document& document, Report report);

  std::shared_ptr<const Catalogue> catalogue_;
  Library library_;
  Interpreter::Params params_;
  SoccerWorld world_;
  std::unique_ptr<Host> host_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Interpreter> interpreter_;
  Outputs outputs_;
};

}  // namespace hl_behavior::rtdl
