// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hl_behavior/orders.hpp"
#include "hl_behavior/skill.hpp"
#include "hl_behavior/slot_rules.hpp"

namespace hl_behavior {

/// A skill began or ended. Every skill that started ends with exactly one of the other three.
struct SkillEvent {
  enum class Type : std::uint8_t { Started, Completed, Failed, Aborted };
  Type type = Type::Started;
  Slot slot = Slot::Move;
  std::uint32_t id = 0;  // the same from start to end
  Skill skill;
  std::string reason;       // why it ended so
  std::uint32_t order = 0;  // of a task that wanted it; 0 = tactics
};
std::string describe(const Skill& skill);
const char* name_of(SkillEvent::Type type);

/// Carries out the skills in the slots move, head, kick: what goes on, what replaces what, and who has the legs.
class Executor {
 public:
  struct Inputs {
    std::optional<MoveSkill> move;  // missing = stop
    std::optional<HeadSkill> head;  // missing = keep the head still
    std::optional<KickSkill> kick;  // missing = nothing
    /// Of a task, by slot: a skill with a new number begins anew even if it equals the last one, and begins only once.
    std::array<std::uint32_t, kSlots> task_orders{};
    hl_soccer::BodyState body = hl_soccer::BodyState::Startup;
    std::optional<Pose2> pose;  // map from base_footprint; missing = unknown
    double stamp = 0.0;         // s, of the positions in the skills
    Feedback feedback;
  };
  enum class State : std::uint8_t { Empty, Waiting, Running, Busy };
  struct Outputs {
    Orders orders;
    std::vector<SkillEvent> events;
    LegOwner legs = LegOwner::Nobody;
    State move = State::Empty, head = State::Empty, kick = State::Empty;
  };

  struct Params {
    double move_limit = 90.0;   // s a move may take; the field is crossed in 25 s
    double kick_limit = 8.0;    // s from the order to the result; ours takes 2 s
    double dive_limit = 20.0;   // s, getting up excluded
    double legs_limit = 4.0;    // s until the walk has stopped for a kick; as the HCM grants it
    double walk_limit = 1.5;    // s until the robot walks for a kick in walk
    double answer_limit = 2.0;  // s without any answer to a kick: nobody is there
    double no_return = 0.40;    // share of a kick after which it cannot be taken back: the foot swings
    double retry = 1.0;         // s after which a failed skill may be tried again
    double again = 0.5;         // s after which a completed one may, if its target has moved
    double steps_begin = 1.0;   // s from the walk's word until its feet move, at most
    double sweep = 4.0;         // s of a scan from side to side and back
    double moved = 0.15;        // m off a reached pose: go there again
    double turned = 0.35;       // rad off a reached pose
    double reach_near = 0.06;   // m, ball ahead of the feet for a standing kick; 2 cm more than our kick accepts
    double reach_far = 0.24;    // m
    double reach_side = 0.14;   // m to either side
    std::string dive_left = "dive_left", dive_right = "dive_right", dive_middle = "dive_center", block = "dive_center";
    Tolerance tolerance;

    std::optional<std::string> validate() const;
  };

  explicit Executor(const Params& params) : params_(params) {}

  void set_params(const Params& params) { params_ = params; }
  const Outputs& step(const Inputs& inputs, double now);

  const std::optional<MoveSkill> move() const { return content(move_); }
  const std::optional<HeadSkill> head() const { return content(head_); }
  const std::optional<KickSkill> kick() const { return content(kick_); }
  KickStage kick_stage() const;

 private:
  template <class T>
  struct SlotState {
    struct Running {
      std::uint32_t id = 0;
      T skill;
      double active = 0.0;                    // s it was allowed to run
      double waiting = 0.0;                   // s it waited although the body was well
      std::uint32_t order = 0, revision = 0;  // 0 = not ordered
      double ordered = 0.0;                   // s, when
      double accepted = -1.0;                 // s, since when steps are being taken; negative = not yet
      bool walked = false;                    // since then
      std::uint32_t task_order = 0;           // 0 = tactics
    };
    struct Finished {
      T skill;
      double when = 0.0;
      bool failed = false;
      bool one_shot = false;
      std::uint32_t task_order = 0;
    };
    std::optional<Running> running;
    std::optional<Finished> finished;
  };
  template <class T>
  static std::optional<T> content(const SlotState<T>& slot) {
    return slot.running ? std::optional<T>(slot.running->skill) : std::nullopt;
  }

  template <class T>
  void fill(SlotState<T>& slot, const std::optional<T>& wanted, bool busy, std::uint32_t task_order);
  template <class T>
  void start(SlotState<T>& slot, const T& skill, std::uint32_t task_order);
  template <class T>
  void end(SlotState<T>& slot, SkillEvent::Type type, const std::string& reason);
  bool may_begin_again(const SlotState<MoveSkill>::Finished& finished, Sameness sameness) const;
  bool may_begin_again(const SlotState<HeadSkill>::Finished& finished, Sameness sameness) const;
  bool may_begin_again(const SlotState<KickSkill>::Finished& finished, Sameness sameness) const;

  void disarm();
  void run_move(SlotRule rule);
  bool steps_done();
  void run_head(SlotRule rule);
  void run_kick(SlotRule rule);
  void follow_kick();
  void order_kick();
  std::optional<std::string> kick_refusal() const;

  Params params_;
  SlotState<MoveSkill> move_;
  SlotState<HeadSkill> head_;
  SlotState<KickSkill> kick_;
  std::uint32_t last_id_ = 0, last_order_ = 0;
  double now_ = 0.0, dt_ = 0.0;
  bool begun_ = false;
  Inputs inputs_;
  Outputs outputs_;
};

}  // namespace hl_behavior
