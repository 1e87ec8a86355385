// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hl_hcm/goal_mixer.hpp"
#include "hl_hcm/joints.hpp"
#include "hl_hcm/senses.hpp"
#include "hl_hcm/state_machine.hpp"

namespace hl_hcm {

/// The body as the HCM must know it.
struct HcmBody {
  JointSet joints;
  JointArray walkready = absent_joints();  // rad
  JointArray penalty = absent_joints();    // rad
  std::array<JointArray, 5> protective;    // by Direction; NaN = joint stays
  /// Animations by Direction, variants in the order they are tried: another motion shakes free what a roll cannot turn.
  std::array<std::vector<std::string>, 5> get_up{{{},
                                                  {"get_up_front"},
                                                  {"get_up_back"},
                                                  {"roll_left", "get_up_front", "get_up_back"},
                                                  {"roll_right", "get_up_front", "get_up_back"}}};
  std::string sit_down = "sit_down";
  /// Changes the legs' goals so that both feet stand on the ground, one as far ahead of the other as they are; empty =
  /// this body does not know how. Must not allocate.
  std::function<void(JointArray& goals)> feet_down;
  HcmBody() { protective.fill(absent_joints()); }
};

/// The humanoid control manager: decides who moves which joint, notices falls, protects the robot, gets it up again,
/// and makes sure that a penalised robot does not move. One thread; time is an argument (s, the node's clock).
class Hcm {
 public:
  /// What came since the last step; nothing = no new word.
  struct Inputs {
    struct JointStates {
      JointArray positions;  // rad; NaN = not in the message
      double stamp;          // s
    };
    struct Imu {
      Vector3 up, rate;  // rad/s
      double stamp;      // s
    };
    struct Support {
      bool walking, unstable;
    };
    std::optional<JointStates> joints;
    std::array<std::optional<double>, 2> feet;  // N, left and right; negative = no data
    std::optional<HardwareReport> hardware;
    std::optional<Imu> imu;
    std::optional<Support> support;  // the walk's word
    std::optional<bool> paused, emergency_stop;
    std::optional<double> heard;  // s, when all this came; nothing = now
  };

  /// Things to do that are not goals.
  struct Commands {
    std::optional<bool> torque;
    const std::string* play = nullptr;  // animation to play with hcm = true
    bool cancel_animation = false;
    const char* speak = nullptr;
    bool any() const { return torque || play || cancel_animation || speak; }
  };

  /// What a step brought. Goals are those of `mixer()`.
  struct Outputs {
    Commands commands;
    bool new_goals = false;           // to be sent
    State heard_in = State::Startup;  // the state after the inputs were heard and before the tick, with ...
    bool stop_requested = false;      // ... whether the walk should stop: what others hear who tick at the same time
  };

  struct Params : Senses::Params {
    GoalMixer::Params goals;
    double stale = 0.2;                           // s, goals computed longer ago are refused
    double walk_gap = 0.045;                      // s of silence after which a raised foot is put down
    double walk_timeout = 0.25;                   // s of silence that end a walk
    double kick_timeout = 0.3;                    // s of silence that end a kick
    double animation_silence = 1.0;               // s of silence that end an animation
    double walk_stop_timeout = 4.0;               // s a walk may take to come to its end
    double limit_tolerance = 0.02;                // rad a goal may exceed a limit and be cut instead of refused
    double soft_start_speed = 0.8;                // rad/s
    double ramp_speed = 2.0;                      // rad/s of the HCM's own motions
    double penalty_speed = 3.0;                   // rad/s: a penalised robot must stop within a step
    double soft_after = 0.2;                      // s of falling after which the joints give way
    double soft_torque = 0.4;                     // part of the servos' torque left then, and while lying
    double max_attempts = 3;                      // to get up before help is called
    double help_pause = 20.0;                     // s until it tries again
    double animation_timeout = 15.0;              // s for an animation of the HCM itself
    double still_time = 0.3;                      // s without motion that count as lying still
    double startup_timeout = 10.0;                // s until missing sensors are a hardware problem
    std::optional<std::string> validate() const;  // the first bad value, in words
  };

  struct Record {
    double stamp = 0.0;
    State from = State::Startup, to = State::Startup;
    const char* reason = "";
    bool warning = false;
  };

  Hcm(HcmBody body, const Params& params);
  Hcm(const Hcm&) = delete;
  Hcm& operator=(const Hcm&) = delete;
  void set(const Params& params);  // takes effect at once
  const Params& params() const { return params_; }
  const JointSet& joints() const { return body_.joints; }

  /// Hears `inputs`, then ticks: one control period. Others ask for joints by `request` and `animation`, whose verdict
  /// comes at once.
  Outputs step(const Inputs& inputs, double now);

  // The same word by word, for a node that must act in the callback in which a word comes (a goal, a fall): each may
  // complete a transition, so `take_new_goals()` and `take_commands()` are to be asked afterwards.

  // Sensors. What was measured at another time than about now is old news and counts as silence.
  void on_joint_states(const JointArray& positions, double stamp, double now) {  // NaN = not in the message
    senses_.on_joint_states(positions, stamp, now);
  }
  void on_imu(const Vector3& up, const Vector3& rate, double stamp, double now);
  void on_foot_load(std::size_t foot, double newtons, double now) {  // 0 left, 1 right; negative = no data
    senses_.on_foot_load(foot, newtons, now);
  }
  void on_hardware(const HardwareReport& report, double now) { senses_.on_hardware(report, now); }
  void on_support(bool walking, bool unstable) { senses_.on_support(walking, unstable); }

  // Orders.
  void on_paused(bool paused, double now);
  void emergency_stop(bool stop, double now);
  Verdict shutdown(bool shutdown, double now);
  Verdict record(bool on, double now);

  // Goals of the other nodes; granted ones are in `goals()` when the call returns.
  Verdict request(Source source, const Trajectory& goals, double now);
  struct AnimationGoals {
    bool request = false, first = false, last = false, hcm = false, fall_check_off = false;
  };
  Verdict animation(const AnimationGoals& flags, const Trajectory& goals, double now);
  /// Refuses what could not even be read; counted and shown like every other refusal.
  Verdict refuse(Source source, std::string_view reason);

  // The HCM's own animations.
  void animation_server(bool available) { animation_server_ = available; }
  void own_animation_ended(bool successful, double now);

  /// To be called at the control rate.
  void tick(double now);

  /// True once after a call that produced goals to be sent.
  bool take_new_goals();
  const GoalMixer& mixer() const { return mixer_; }
  Commands take_commands();

  // What others may see.
  State state() const { return machine_.state(); }
  bool stop_requested() const;
  /// True while another node's goals move the body: repeating the last ones would only come between.
  bool waits_for_source() const;
  /// Whether the last goals still say where the joints shall be.
  bool goals_may_be_repeated() const { return mixer_.started() && state() != State::Record; }
  const Record& last_transition() const { return history_[(transition_count_ + kHistorySize - 1) % kHistorySize]; }
  std::size_t transition_count() const { return transition_count_; }
  const Record& transition(std::size_t back) const {  // 0 = the newest; back < min(transition_count, history_size)
    return history_[(transition_count_ + kHistorySize - 1 - back) % kHistorySize];
  }
  static constexpr std::size_t kHistorySize = 16;
  /// Whether a fall would be noticed now: not while lying, penalised or in hands, nor in an animation that goes down.
  bool watches_falls() const;
  double fall_margin() const { return senses_.fall().margin(); }
  double fall_factor() const { return senses_.fall_factor(); }  // on the limits of the last judgement
  Direction fall_direction() const { return fall_direction_; }
  std::uint64_t refusals() const { return refusals_; }
  std::string_view last_refusal() const { return refusal_; }
  const char* advice() const;  // what keeps the robot from being controllable, in words; empty = nothing
  double newest_joint_stamp() const { return senses_.newest_joint_stamp(); }

 private:
  Situation situation(double now) const;
  void advance(double now);
  void act(const Transition& transition, double now);
  void restart_clock(double now);  // simulated time was set back
  void mix(double now);
  void put_feet_down(double now);
  void move_to(const JointArray& pose, double speed, State from, double now);
  bool compliant(double now) const;
  bool source_pauses(double now) const;
  GoalMixer::Access access() const;
  double ramp_duration(const JointArray& target, double speed) const;

  HcmBody body_;
  Params params_;
  StateMachine machine_;
  Senses senses_;
  GoalMixer mixer_;

  double entered_ = 0.0;  // s, when the present state was entered
  double last_step_ = kNever;
  // sources: when the last acceptable message came
  std::array<double, kSourceCount> last_message_time_;
  double requested_ = kNever;  // s, animation request
  bool animation_active_ = false, animation_ended_ = false, fall_check_off_ = false;
  // orders
  bool paused_ = false, emergency_ = false, shutdown_ = false, record_ = false;
  bool first_ = true;
  // own doings
  double goals_at_ = kNever;      // s, goals last changed
  double torque_asked_ = kNever;  // s
  double usual_interval_ = 0.1;   // s between goals of a walk or kick
  Commands commands_;
  int attempts_ = 0;
  OwnAnimation own_ = OwnAnimation::None;
  Direction fall_direction_ = Direction::None;
  bool animation_server_ = false;
  bool on_side_ = false;        // when getting up began
  bool feet_put_down_ = false;  // because a walk or kick pauses
  bool new_goals_ = false;
  // memory for people
  std::array<Record, kHistorySize> history_;
  std::size_t transition_count_ = 0;
  std::uint64_t refusals_ = 0;
  std::array<char, 200> refusal_text_{};
  std::string_view refusal_;
};

}  // namespace hl_hcm
