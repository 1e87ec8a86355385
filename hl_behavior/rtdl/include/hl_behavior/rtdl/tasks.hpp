// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hl_behavior/behavior.hpp"
#include "hl_behavior/rtdl/runner.hpp"

namespace hl_behavior::rtdl {

/// A task as the second source of decisions: what the slots shall do comes from the text instead of the tactics, and
/// how the executor's skills ended goes back to the text. Says when a task is refused, waits, or must end.
class Tasks {
 public:
  struct Params {
    bool in_game = false;        // tasks also while READY, SET, PLAYING
    double time_limit = 600.0;   // s, of a task and of each task it calls
    double problem_limit = 5.0;  // s the hardware may have a problem until the task ends
    double unknown_limit = 2.0;  // s without knowing where something is until the skill that needs it has failed
    std::optional<std::string> validate() const;
  };
  struct Request {
    std::string text;                    // RTDL in either syntax; empty = `name`
    std::string name;                    // of a task of the library; with `text`: must be its name
    std::vector<std::string> arguments;  // as RTDL writes them
    std::optional<double> time_limit;    // s
  };
  struct Refusal {
    enum class Kind : std::uint8_t { Invalid, Refused } kind = Kind::Refused;
    std::string reason;
    std::vector<std::string> diagnostics;
  };

  Tasks(const Params& params, Library library, const hl_description::Field& field);

  void set_params(const Params& params) { params_ = params; }

  /// Begins a task, or says why not.
  std::optional<Refusal> begin(const Request& request, const Knowledge& knowledge, double now);

  /// Before each step of the behaviour: the decision of the task; nothing if none runs. `last` is what the behaviour
  /// did before.
  std::optional<Decision> step(const Knowledge& knowledge, const TacticsParams& tactics, const Behavior::Outputs* last,
                               double now);

  /// At once; the next step leaves no skill of the task running.
  void cancel(const std::string& reason, double now);

  bool active() const { return runner_.active(); }
  Interpreter::State state() const { return runner_.outputs().state; }
  const std::string& reason() const { return runner_.outputs().reason; }  // why it failed, ended or waits
  const RtdlRunner::Outputs& outputs() const { return runner_.outputs(); }
  const std::string& name() const { return name_; }  // of the task that runs or ran last
  const Library& library() const { return runner_.library(); }

  /// What happened since the last call, in words, in order.
  std::vector<std::string> take_events();

 private:
  struct SlotMemory {
    std::uint32_t order = 0;
    Pose2 start;  // where the order began
    std::optional<Skill> made;
    double made_at = 0.0;  // s
  };
  std::optional<std::string> why_refused(const Knowledge& knowledge) const;
  std::optional<std::string> why_wait(const Knowledge& knowledge, const Behavior::Outputs* last) const;
  std::optional<std::string> why_end(const Knowledge& knowledge) const;
  void hear(const Behavior::Outputs* last);
  void look(const Knowledge& knowledge, const hl_behavior::Situation& situation, const TacticsParams& tactics);
  void fill(std::size_t slot, const hl_behavior::Situation& situation, const TacticsParams& tactics,
            Decision& decision);
  void note_events();

  Params params_;
  RtdlRunner runner_;
  RtdlRunner::Inputs inputs_;
  std::array<SlotMemory, kSlots> slots_;
  std::vector<std::string> events_;
  std::string name_;
  double began_ = 0.0;     // s
  double sound_at_ = 0.0;  // s, when the hardware had no problem last
};

/// The library of a folder; what is wrong in it goes to `problems`, one line each.
Library library_of(const std::vector<std::string>& folders, std::vector<std::string>& problems);

}  // namespace hl_behavior::rtdl
