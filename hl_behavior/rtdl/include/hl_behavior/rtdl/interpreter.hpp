// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hl_behavior/rtdl/program.hpp"

namespace hl_behavior::rtdl {

/// Arguments of one question or call.
struct Arguments {
  const Datum* data = nullptr;
  std::size_t size = 0;
  const Datum& operator[](std::size_t i) const { return data[i]; }
};

/// Where conditions are asked.
class World {
 public:
  struct Answer {
    Datum value;                       // of the predicate's type; Nothing = cannot be told
    std::string_view unknown_because;  // then; lives until the next question
  };
  virtual ~World() = default;
  /// `predicate` is its place in the catalogue.
  virtual Answer ask(int predicate, Arguments arguments) const = 0;
};

struct Progress {
  enum class State { Running, Succeeded, Failed };
  State state = State::Running;
  std::string reason;  // of a failure
};

/// Who carries out capabilities.
class SkillHost {
 public:
  virtual ~SkillHost() = default;
  /// `ticket` names this start until it has ended or was aborted. Entities to be set come with their number.
  virtual Progress start(int ticket, const Capability& capability, Arguments arguments) = 0;
  virtual Progress state(int ticket) = 0;
  virtual void abort(int ticket) = 0;
};

/// What happened, in order.
struct TraceEvent {
  enum class Kind {
    Started,
    Succeeded,
    Failed,
    Ignored,  // an optional call failed; the task goes on
    Retried,  // failed, is tried again
    Skipped,  // condition of an if did not hold
    Aborted,
    Unknown,  // a condition could not be told, counts as false
    Paused,
    Resumed,
    Cancelled,
  };
  double time = 0.0;  // s, as given to tick
  Kind kind = Kind::Started;
  int node = 0;
  std::string reason;
};
std::string_view to_text(TraceEvent::Kind kind);

/// Runs one task, tick by tick: no threads, no recursion but in the (bounded) depth of conditions, no allocation in a
/// tick in which nothing fails.
class Interpreter {
 public:
  struct Params {
    double time_limit = 600.0;         // s a task or a called task may take, pauses not counted; 0 = no limit
    int passes_per_instant = 1;        // of a loop while no time goes by; more wait for the next tick
    int steps_per_tick = 1000;         // statements begun or ended in one tick; more wait for the next
    std::size_t trace_limit = 10'000;  // events kept until clear_trace; later ones are only counted
    std::optional<std::string> validate() const;
  };
  enum class State { Ready, Running, Paused, Succeeded, Failed, Cancelled, TimedOut };

  Interpreter(std::shared_ptr<const Program> program, const Params& params);

  /// Begins the task; returns what is wrong with its arguments, given as RTDL writes them. `time_limit` replaces the
  /// parameter for the task itself.
  std::optional<std::string> start(const std::vector<std::string>& arguments, double now,
                                   std::optional<double> time_limit = std::nullopt);
  State tick(const World& world, SkillHost& host, double now);

  /// Aborts all that runs.
  void cancel(SkillHost& host, const std::string& reason, double now);

  /// Aborts all that runs; `resume` starts it again, as the same attempt.
  void pause(SkillHost& host, const std::string& reason, double now);
  void resume(double now);

  State state() const { return state_; }
  const std::string& reason() const { return reason_; }  // why it failed or was cancelled
  const Program& program() const { return *program_; }
  const std::vector<TraceEvent>& trace() const { return trace_; }
  std::size_t dropped_events() const { return dropped_; }
  void clear_trace() { trace_.clear(); }

  /// Nodes of the actions that run now.
  const std::vector<int>& running() const { return running_; }

 private:
  enum class What : std::uint8_t {
    Begin,
    Attempt,
    Restart,
    Pass,
    Succeeded,
    Done,
    Failed
  };  // Done: well, already told
  struct Work {
    int node = 0;
    What what = What::Begin;
    std::string reason;
  };
  struct NodeState {
    int used = 0;            // attempts
    double started = 0.0;    // clock
    double pass_clock = -1;  // instant of the last passes
    int passes = 0;          // at that instant
    int branches_done = 0;
    bool unknown = false;  // its condition could not be told the last time
  };

  void advance(double now);
  void note(TraceEvent::Kind kind, int node, const std::string& reason = {});
  void push(int node, What what, std::string reason = {});
  void poll(SkillHost& host);
  void check_time_limits(SkillHost& host);
  void run_work(const World& world, SkillHost& host);
  void attempt(int node, const World& world, SkillHost& host);
  bool gather_arguments(int node);
  void start_action(int node, SkillHost& host);
  void restart_lasting(int node, SkillHost& host);
  void action_done(int node);
  void action_failed(int node, const std::string& reason);
  void pass(int node, const World& world);
  void ended(int node, What how, const std::string& reason, SkillHost& host);
  void attempt_failed(int node, const std::string& reason);
  void stop_range(int begin, int end, SkillHost& host, const std::string& reason);
  void stop_lasting(int begin, int end, const std::string* slot, SkillHost& host);
  void finish(State state, const std::string& reason, SkillHost& host);
  bool holds(int node, const World& world);
  Datum evaluate(const Program::Operand& operand, const World& world);
  Datum cell(int index) const;

  std::shared_ptr<const Program> program_;
  Params params_;
  State state_ = State::Ready;
  std::string reason_;
  double now_ = 0.0, clock_ = 0.0;  // clock: time that went by while running
  double root_limit_ = 0.0;
  std::vector<NodeState> nodes_;
  std::vector<Datum> values_;       // of the cells
  std::vector<char> bound_;         // cells that have a value
  std::vector<std::string> texts_;  // of the arguments
  std::vector<Work> work_;          // last first
  std::vector<int> running_;        // actions
  std::vector<int> waiting_;        // loops that wait for time to go by
  std::vector<int> tasks_;          // active tasks
  std::vector<int> lasting_;        // actions that have ended as statements but hold their slot
  std::vector<Datum> argument_data_;
  std::vector<TraceEvent> trace_;
  std::size_t dropped_ = 0;
  std::string problem_;  // why arguments or a condition could not be told
};

/// `12:3 move(g)`
std::string describe(const Program::Node& node);

/// `3.20 s  12:3 move(g): failed, no way`
std::string to_text(const TraceEvent& event, const Program& program, double start);

}  // namespace hl_behavior::rtdl
