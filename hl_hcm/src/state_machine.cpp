// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/state_machine.hpp"

#include <array>
#include <initializer_list>

namespace hl_hcm {
namespace {

struct StateInfo {
  State state;
  const char* name;
  const char* code_name;  // of RobotControlState
};

constexpr std::array<StateInfo, kStateCount> kInfos = {{
    {State::Startup, "STARTUP", "STARTUP"},
    {State::StartupRamp, "STARTUP_RAMP", "STARTUP"},
    {State::Controllable, "CONTROLLABLE", "CONTROLLABLE"},
    {State::Walking, "WALKING", "WALKING"},
    {State::WalkStopping, "WALK_STOPPING", "WALKING"},
    {State::Settling, "SETTLING", "ANIMATION_RUNNING"},
    {State::Animation, "ANIMATION", "ANIMATION_RUNNING"},
    {State::Kicking, "KICKING", "KICKING"},
    {State::Falling, "FALLING", "FALLING"},
    {State::Fallen, "FALLEN", "FALLEN"},
    {State::Helpless, "HELPLESS", "FALLEN"},
    {State::GettingUp, "GETTING_UP", "GETTING_UP"},
    {State::GettingUpCheck, "GETTING_UP_CHECK", "GETTING_UP"},
    {State::PenaltyIn, "PENALTY_IN", "PENALTY_ANIMATION"},
    {State::Penalty, "PENALTY", "PENALTY"},
    {State::PenaltyOut, "PENALTY_OUT", "PENALTY_ANIMATION"},
    {State::Record, "RECORD", "RECORD"},
    {State::MotorOff, "MOTOR_OFF", "MOTOR_OFF"},
    {State::ShutdownSit, "SHUTDOWN_SIT", "SHUTDOWN"},
    {State::Off, "OFF", "HCM_OFF"},
    {State::Stopped, "STOPPED", "MOTOR_OFF"},
    {State::HardwareProblem, "HARDWARE_PROBLEM", "HARDWARE_PROBLEM"},
    {State::PickedUp, "PICKED_UP", "PICKED_UP"},
}};

using S = const Situation&;
using Condition = bool (*)(S);

bool ready(S s) {
  return s.joints_ok && s.imu_ok && s.hardware_ok && s.torque_on && s.time > 0.2;
}
bool leans(S s) {  // neither lies nor stands, for a while: sits, or hangs on something
  return s.imu_ok && !s.upright && s.time > 3.0;
}
bool resting(S s) {
  return s.still >= s.still_time;
}

std::vector<Transition> build() {
  std::vector<Transition> table;
  const auto add = [&table](std::initializer_list<State> from, State to, const char* reason, Condition condition,
                            Action actions = Action::None) {
    for (const State state : from) table.push_back({state, to, reason, condition, actions});
  };
  using A = Action;

  // Emergency stop and shutdown: torque off.
  add(
      {State::Startup,         State::StartupRamp, State::Controllable,   State::Walking,     State::WalkStopping,
       State::Settling,        State::Animation,   State::Kicking,        State::Falling,     State::Fallen,
       State::Helpless,        State::GettingUp,   State::GettingUpCheck, State::PenaltyIn,   State::Penalty,
       State::PenaltyOut,      State::Record,      State::MotorOff,       State::ShutdownSit, State::Off,
       State::HardwareProblem, State::PickedUp},
      State::Stopped, "emergency stop", [](S s) { return s.emergency; }, A::TorqueOff | A::CancelAnimation);
  add(
      {State::Stopped}, State::Startup, "emergency stop released", [](S s) { return !s.emergency; }, A::TorqueOn);
  add(
      {State::Off}, State::Startup, "woken", [](S s) { return !s.shutdown; }, A::TorqueOn);
  add(
      {State::Startup, State::Fallen, State::Helpless, State::PickedUp, State::MotorOff, State::HardwareProblem},
      State::Off, "shutdown", [](S s) { return s.shutdown; }, A::TorqueOff);

  // Without joint states or with a reported error nothing can be controlled; but a walk that is cut off falls, so it
  // comes to its end first (below): it needs no joint states for that.
  add(
      {State::StartupRamp, State::Controllable, State::Settling, State::Animation, State::Kicking, State::Falling,
       State::Fallen, State::Helpless, State::GettingUp, State::GettingUpCheck, State::PenaltyIn, State::Penalty,
       State::PenaltyOut, State::Record, State::ShutdownSit, State::PickedUp},
      State::HardwareProblem, "joint states lost or hardware error", [](S s) { return !s.joints_ok || !s.hardware_ok; },
      A::HoldPose | A::CancelAnimation | A::Warn);
  add(
      {State::StartupRamp, State::Controllable, State::Falling, State::Fallen, State::Helpless, State::GettingUp,
       State::GettingUpCheck, State::PickedUp},
      State::HardwareProblem, "IMU lost", [](S s) { return !s.imu_ok; }, A::HoldPose | A::CancelAnimation | A::Warn);
  add(
      {State::HardwareProblem}, State::Startup, "hardware is back",
      [](S s) { return s.joints_ok && s.hardware_ok && s.imu_ok && s.time > 0.5; }, A::TorqueOn);

  // The referee's word.
  add(
      {State::StartupRamp, State::Controllable, State::Walking, State::WalkStopping, State::Settling, State::Animation,
       State::Kicking, State::Falling, State::Fallen, State::Helpless, State::GettingUp, State::GettingUpCheck,
       State::PenaltyOut, State::Record, State::ShutdownSit, State::PickedUp},
      State::PenaltyIn, "paused", [](S s) { return s.paused; }, A::RampToPenalty | A::CancelAnimation);
  add({State::PenaltyIn}, State::Penalty, "penalty pose reached", [](S s) { return s.ramp_done; });
  add(
      {State::Penalty}, State::PenaltyOut, "no longer paused", [](S s) { return !s.paused; }, A::RampToWalkready);
  add({State::PenaltyOut}, State::Fallen, "lies after the penalty",
      [](S s) { return s.ramp_done && s.lying && s.imu_ok; });
  add({State::PenaltyOut}, State::Controllable, "walk-ready", [](S s) { return s.ramp_done && !s.lying; });

  // Torque switched off by somebody else.
  add(
      {State::StartupRamp, State::Controllable, State::Walking, State::WalkStopping, State::Settling, State::Animation,
       State::Kicking, State::Fallen, State::Helpless, State::GettingUp, State::GettingUpCheck, State::PenaltyOut,
       State::PickedUp},
      State::MotorOff, "torque is off", [](S s) { return s.torque_lost; }, A::CancelAnimation);
  add(
      {State::MotorOff}, State::Startup, "an order came, or torque is back",
      [](S s) {
        return !s.paused && s.joints_ok &&
               (s.torque_on || s.walk_goals || s.kick_goals || s.animation_request || s.animation_goals);
      },
      A::TorqueOn);

  // Going down.
  add(
      {State::StartupRamp, State::Controllable, State::Walking, State::WalkStopping, State::Settling, State::Animation,
       State::Kicking, State::PenaltyOut, State::ShutdownSit},
      State::Falling, "falling", [](S s) { return s.falling; }, A::ProtectivePose | A::CancelAnimation);
  add(
      {State::GettingUp, State::GettingUpCheck}, State::Falling, "falls while getting up",
      [](S s) { return s.falling; }, A::ProtectivePose | A::CancelAnimation | A::CountAttempt);
  add({State::Falling}, State::Fallen, "lies still", [](S s) { return s.lying && resting(s); });
  add(
      {State::Falling}, State::GettingUpCheck, "did not go down",
      [](S s) { return s.upright && resting(s) && s.time > 0.5; }, A::RampToWalkready);
  add({State::Falling}, State::Fallen, "does not come to rest", [](S s) { return s.time > s.fall_timeout; });

  // Getting up again.
  add(
      {State::Fallen, State::Helpless}, State::Record, "record mode", [](S s) { return s.record; }, A::HoldPose);
  add(
      {State::Fallen, State::Helpless}, State::GettingUpCheck, "was put on its feet",
      [](S s) { return s.upright && s.still >= 1.0; }, A::RampToWalkready);
  add(
      {State::Fallen}, State::Helpless, "cannot get up", [](S s) { return s.attempts >= s.max_attempts; },
      A::CallForHelp | A::Warn);
  add(
      {State::Fallen}, State::Helpless, "no animation server to get up with",
      [](S s) { return !s.animation_server && s.time > s.server_timeout; }, A::CallForHelp | A::Warn);
  add(
      {State::Fallen}, State::GettingUp, "lies still, gets up",
      [](S s) { return (s.lying || leans(s)) && resting(s) && s.animation_server; }, A::PlayGetUp);
  add(
      {State::Helpless}, State::Fallen, "tries again", [](S s) { return s.time > s.help_pause; }, A::ForgetAttempts);
  add({State::GettingUp}, State::Fallen, "rolled over",
      [](S s) { return s.own_animation == OwnAnimation::Succeeded && s.rolled_over; });
  add(
      {State::GettingUp}, State::GettingUpCheck, "get-up animation ended",
      [](S s) { return s.own_animation == OwnAnimation::Succeeded; }, A::RampToWalkready);
  add(
      {State::GettingUp}, State::Fallen, "get-up animation failed",
      [](S s) { return s.own_animation == OwnAnimation::Failed || s.time > s.animation_timeout; },
      A::CancelAnimation | A::CountAttempt | A::HoldPose | A::Warn);
  add(
      {State::GettingUpCheck}, State::Controllable, "stands",
      [](S s) { return s.ramp_done && s.upright && resting(s); }, A::ForgetAttempts);
  add(
      {State::GettingUpCheck}, State::Fallen, "does not stand",
      [](S s) { return (s.lying && resting(s) && s.time > 0.5) || s.time > 4.0; }, A::CountAttempt | A::HoldPose);

  // Hands.
  add(
      {State::StartupRamp, State::Controllable, State::Walking, State::WalkStopping, State::Settling, State::Kicking},
      State::PickedUp, "lifted", [](S s) { return s.lifted; }, A::RampToWalkready);
  add(
      {State::PickedUp}, State::Settling, "back on its feet",
      [](S s) { return !s.lifted && s.upright && s.still >= 0.5; }, A::RampToWalkready);
  add({State::PickedUp}, State::Fallen, "laid down", [](S s) { return s.lying && s.still >= 2.0; });

  // Startup.
  add(
      {State::Startup}, State::PenaltyIn, "paused at start", [](S s) { return ready(s) && s.paused; },
      A::RampToPenalty);
  add({State::Startup}, State::Fallen, "lies at start", [](S s) { return ready(s) && s.lying; });
  add(
      {State::Startup}, State::StartupRamp, "sensors and torque are there", [](S s) { return ready(s) && !s.lying; },
      A::SoftStart);
  add(
      {State::Startup}, State::HardwareProblem, "sensors or torque do not come",
      [](S s) { return s.time > s.startup_timeout; }, A::Warn);
  add({State::StartupRamp}, State::Controllable, "walk-ready", [](S s) { return s.ramp_done; });

  // The body's users.
  add({State::Walking}, State::WalkStopping, "animation wants the body", [](S s) { return s.animation_request; });
  add({State::Walking}, State::WalkStopping, "record mode", [](S s) { return s.record; });
  add({State::Walking}, State::WalkStopping, "shutdown", [](S s) { return s.shutdown; });
  add(
      {State::Walking, State::WalkStopping}, State::Settling, "IMU lost", [](S s) { return s.blind; },
      A::RampToWalkready | A::Warn);
  add(
      {State::Walking}, State::WalkStopping, "joint states lost", [](S s) { return !s.joints_ok; }, A::Warn);
  add(
      {State::Walking}, State::WalkStopping, "hardware error", [](S s) { return !s.hardware_ok; }, A::Warn);
  add(
      {State::Walking}, State::WalkStopping, "joints are too hot", [](S s) { return s.hot; }, A::Warn);
  add({State::Walking, State::WalkStopping}, State::Controllable, "walk ended", [](S s) { return s.walk_ended; });
  add(
      {State::Walking, State::WalkStopping}, State::Settling, "walking went silent", [](S s) { return !s.walk_goals; },
      A::RampToWalkready | A::Warn);
  add(
      {State::WalkStopping}, State::Settling, "walking does not stop", [](S s) { return s.time > s.walk_stop_timeout; },
      A::RampToWalkready | A::Warn);
  add({State::Settling}, State::Controllable, "walk-ready", [](S s) { return s.ramp_done; });

  add({State::Animation}, State::Fallen, "lies after the animation",
      [](S s) { return s.animation_ended && s.imu_ok && s.lying; });
  // It may have been pushed, and be on its way down.
  add(
      {State::Animation}, State::Falling, "leans after the animation",
      [](S s) { return s.animation_ended && s.imu_ok && !s.upright; }, A::ProtectivePose);
  add({State::Animation}, State::Controllable, "animation ended", [](S s) { return s.animation_ended; });
  add(
      {State::Animation}, State::Settling, "animation went silent", [](S s) { return !s.animation_goals; },
      A::RampToWalkready | A::Warn);
  add(
      {State::Kicking}, State::Settling, "kick ended", [](S s) { return !s.kick_goals; }, A::RampToWalkready);

  add(
      {State::Controllable}, State::ShutdownSit, "shutdown", [](S s) { return s.shutdown; }, A::PlaySitDown);
  add(
      {State::ShutdownSit}, State::Off, "sits, or cannot",
      [](S s) {
        return s.own_animation == OwnAnimation::Succeeded || s.own_animation == OwnAnimation::Failed ||
               (!s.animation_server && s.time > 1.0) || s.time > s.animation_timeout;
      },
      A::TorqueOff | A::CancelAnimation);
  add(
      {State::Controllable, State::PickedUp, State::MotorOff}, State::Record, "record mode",
      [](S s) { return s.record && !s.paused && s.joints_ok; }, A::HoldPose);
  add(
      {State::Record}, State::Startup, "record mode left", [](S s) { return !s.record; }, A::TorqueOn);

  add({State::Controllable}, State::Animation, "animation begins", [](S s) { return s.animation_goals; });
  add({State::Controllable}, State::Kicking, "kick begins", [](S s) { return s.kick_goals && !s.hot; });
  add({State::Controllable}, State::Walking, "walk begins", [](S s) { return s.walk_goals && !s.hot; });
  return table;
}

}  // namespace

const char* name_of(State state) {
  return kInfos[static_cast<std::size_t>(state)].name;
}
const char* robot_control_state_name(State state) {
  return kInfos[static_cast<std::size_t>(state)].code_name;
}

std::string names_of(Action actions) {
  static constexpr const char* kNames[] = {
      "hold pose",     "to walk-ready", "soft start",    "to penalty pose",  "protective pose", "torque on",
      "torque off",    "play get-up",   "play sit-down", "cancel animation", "count attempt",   "forget attempts",
      "call for help", "warn"};
  std::string text;
  for (unsigned bit = 0; bit < std::size(kNames); ++bit)
    if (contains(actions, static_cast<Action>(1u << bit)))
      text += (text.empty() ? "" : ", ") + std::string(kNames[bit]);
  return text;
}

const std::vector<Transition>& transitions() {
  static const std::vector<Transition> table = build();
  return table;
}

const Transition* StateMachine::step(const Situation& situation) {
  for (const Transition& transition : transitions()) {
    if (transition.from != state_ || !transition.condition(situation)) continue;
    state_ = transition.to;
    return &transition;
  }
  return nullptr;
}

std::string state_diagram_dot() {
  // Transitions that nearly every state has (emergency stop, ...) are drawn once, from a box "any of n".
  std::string dot =
      "digraph hcm {\n  rankdir=LR; node [shape=box, style=rounded, fontname=Helvetica, fontsize=11];\n"
      "  edge [fontname=Helvetica, fontsize=9];\n";
  for (const StateInfo& info : kInfos) {
    dot += std::string("  ") + info.name + " [label=\"" + info.name +
           (std::string(info.name) == info.code_name ? "" : std::string("\\n(") + info.code_name + ")") + "\"];\n";
  }
  const auto& table = transitions();
  constexpr std::size_t kMany = 5;
  for (std::size_t i = 0; i < table.size();) {
    std::size_t end = i;
    while (end < table.size() && table[end].to == table[i].to && table[end].reason == table[i].reason) ++end;
    const std::string edge = std::string(" -> ") + name_of(table[i].to) + " [label=\"" + table[i].reason + "\"];\n";
    if (end - i >= kMany) {
      const std::string from = "any_" + std::to_string(i);
      dot.append("  ").append(from).append(" [label=\"any of ").append(std::to_string(end - i));
      dot.append("\", shape=plaintext];\n  ").append(from).append(edge);
    } else {
      for (std::size_t k = i; k < end; ++k) dot += std::string("  ") + name_of(table[k].from) + edge;
    }
    i = end;
  }
  return dot + "}\n";
}

std::string transition_table_markdown() {
  std::string text = "| from | to | when | actions |\n|---|---|---|---|\n";
  const auto& table = transitions();
  for (std::size_t i = 0; i < table.size();) {
    std::string from;
    std::size_t end = i;
    for (; end < table.size() && table[end].to == table[i].to && table[end].reason == table[i].reason; ++end)
      from += (from.empty() ? "" : ", ") + std::string(name_of(table[end].from));
    text += "| " + from + " | " + name_of(table[i].to) + " | " + table[i].reason + " | " + names_of(table[i].actions) +
            " |\n";
    i = end;
  }
  return text;
}

}  // namespace hl_hcm
