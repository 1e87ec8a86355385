// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "hl_hcm/parameters.hpp"
#include "hl_hcm/state_machine.hpp"
#include "hl_testing/documentation.hpp"
#include "node_params.hpp"
#include "state_traits.hpp"

using namespace hl_hcm;

namespace {

std::vector<State> all_states() {
  std::vector<State> states;
  for (std::size_t i = 0; i < kStateCount; ++i) states.push_back(static_cast<State>(i));
  return states;
}

Situation healthy() {
  Situation s;
  s.time = 0.1;
  s.joints_ok = s.imu_ok = s.torque_on = s.upright = s.animation_server = true;
  return s;
}

/// Everything that can be the case or not, as switches of a situation.
const std::vector<std::function<void(Situation&)>> events = {
    [](Situation& s) { s.paused = true; },
    [](Situation& s) { s.emergency = true; },
    [](Situation& s) { s.shutdown = true; },
    [](Situation& s) { s.record = true; },
    [](Situation& s) { s.joints_ok = false; },
    [](Situation& s) { s.imu_ok = s.upright = s.lying = false, s.blind = true; },
    [](Situation& s) { s.hardware_ok = false; },
    [](Situation& s) { s.torque_on = false, s.torque_lost = true; },
    [](Situation& s) { s.hot = true; },
    [](Situation& s) { s.falling = true; },
    [](Situation& s) { s.lying = true, s.upright = false; },
    [](Situation& s) { s.lying = s.upright = false; },
    [](Situation& s) { s.still = 3.0; },
    [](Situation& s) { s.lifted = true; },
    [](Situation& s) { s.walk_goals = true; },
    [](Situation& s) { s.walk_ended = true; },
    [](Situation& s) { s.animation_request = true; },
    [](Situation& s) { s.animation_goals = true; },
    [](Situation& s) { s.animation_ended = true; },
    [](Situation& s) { s.kick_goals = true; },
    [](Situation& s) { s.ramp_done = true; },
    [](Situation& s) { s.own_animation = OwnAnimation::Succeeded; },
    [](Situation& s) { s.own_animation = OwnAnimation::Failed; },
    [](Situation& s) { s.animation_server = false; },
    [](Situation& s) { s.attempts = 3; },
    [](Situation& s) { s.rolled_over = true; },
    [](Situation& s) { s.time = 100.0; },
};

}  // namespace

TEST(StateMachine, EveryStateHasANameAndACodeOfTheContract) {
  std::set<std::string> names;
  std::set<int> codes;
  for (const State state : all_states()) {
    names.insert(name_of(state));
    codes.insert(robot_control_state(state));
  }
  EXPECT_EQ(names.size(), kStateCount);
  EXPECT_EQ(codes.size(), 16u);  // all constants of RobotControlState are in use
  EXPECT_EQ(*codes.rbegin(), 15);
}

TEST(StateMachine, EveryStateCanBeReachedAndLeft) {
  std::set<State> reached{State::Startup}, left;
  for (const Transition& transition : transitions()) {
    EXPECT_NE(transition.from, transition.to);
    reached.insert(transition.to);
    left.insert(transition.from);
  }
  EXPECT_EQ(reached.size(), kStateCount);
  EXPECT_EQ(left.size(), kStateCount);
}

/// States x all pairs of events: the rules that hold whatever comes together.
TEST(StateMachine, SafetyRulesHoldForEveryStateAndEveryPairOfEvents) {
  const std::set<State> without_torque = {State::Stopped, State::Off, State::MotorOff};
  for (const State from : all_states()) {
    for (std::size_t a = 0; a < events.size(); ++a) {
      for (std::size_t b = a; b < events.size(); ++b) {
        Situation s = healthy();
        events[a](s);
        events[b](s);
        StateMachine machine;
        machine.set(from);
        machine.step(s);
        const State to = machine.state();
        const std::string where = std::string(name_of(from)) + " -> " + name_of(to) + ", events " + std::to_string(a) +
                                  ", " + std::to_string(b);
        if (s.emergency) {
          EXPECT_EQ(to, State::Stopped) << where;
        }
        if (from == State::Falling) {
          EXPECT_NE(to, State::Controllable) << where;
        }
        if (from == State::Falling || from == State::Fallen || from == State::GettingUp || from == State::Helpless) {
          EXPECT_TRUE(to != State::Walking && to != State::Animation && to != State::Kicking) << where;
        }
        // Nobody but the HCM gets the body while the robot is paused.
        if (s.paused) {
          EXPECT_TRUE(to != State::Walking && to != State::Animation && to != State::Kicking &&
                      to != State::WalkStopping && to != State::GettingUp && to != State::ShutdownSit &&
                      to != State::Record)
              << where;
        }
        // Without joint states only states that send nothing, or that hold, are allowed; a walk comes to its end first.
        const bool walks = from == State::Walking || from == State::WalkStopping;
        if (!s.joints_ok && from != State::Startup && !walks) {
          EXPECT_TRUE(to == State::HardwareProblem || to == State::Startup || without_torque.count(to)) << where;
        }
        // A walk never ends abruptly for an animation.
        if (from == State::Walking) {
          EXPECT_NE(to, State::Animation) << where;
          EXPECT_NE(to, State::Record) << where;
        }
      }
    }
  }
}

TEST(StateMachine, PenaltyIsReachableFromEverywhere) {
  for (const State from : all_states()) {
    StateMachine machine;
    machine.set(from);
    Situation s = healthy();
    s.paused = true;
    s.time = 1.0;
    s.ramp_done = true;
    if (from == State::MotorOff) {  // no torque while paused: it has to be given an order or torque first
      s.paused = false;
      machine.step(s);
      EXPECT_EQ(machine.state(), State::Startup);
      s.paused = true;
    }
    for (int i = 0; i < 5 && machine.state() != State::Penalty; ++i) machine.step(s);
    EXPECT_EQ(machine.state(), State::Penalty) << "from " << name_of(from);
  }
}

TEST(StateMachine, EveryTransitionOfTheTableCanHappen) {
  // A transition that another one always precedes would be dead; search a situation for each.
  std::set<const Transition*> taken;
  for (const State from : all_states()) {
    const auto attempt = [&](const Situation& s) {
      StateMachine machine;
      machine.set(from);
      if (const Transition* transition = machine.step(s)) taken.insert(transition);
    };
    for (std::size_t a = 0; a < events.size(); ++a) {
      for (std::size_t b = a; b < events.size(); ++b) {
        for (std::size_t c = b; c < events.size(); ++c) {
          Situation s = healthy();
          s.walk_goals = s.animation_goals = s.kick_goals =
              from != State::Controllable;  // else every source counts as silent
          events[a](s), events[b](s), events[c](s);
          attempt(s);
          s.walk_goals = s.animation_goals = s.kick_goals = false;
          events[a](s), events[b](s), events[c](s);
          attempt(s);
        }
      }
    }
  }
  for (const Transition& transition : transitions())
    EXPECT_TRUE(taken.count(&transition))
        << name_of(transition.from) << " -> " << name_of(transition.to) << ": " << transition.reason;
}

TEST(StateMachine, HowLongSomethingMustLast) {
  struct Case {
    State from, to;
    bool upright, lying;
    double Situation::*lasts;
    double limit;  // s
  };
  for (const Case& c : {Case{State::PickedUp, State::Fallen, false, true, &Situation::still, 2.0},
                        {State::Fallen, State::GettingUpCheck, true, false, &Situation::still, 1.0},
                        {State::GettingUpCheck, State::Fallen, false, false, &Situation::time, 4.0},
                        {State::Fallen, State::GettingUp, false, false, &Situation::time, 3.0}}) {
    const auto taken = [&](double lasted) {
      Situation s = healthy();
      s.upright = c.upright, s.lying = c.lying;
      s.still = 5.0, s.time = 0.1;
      s.*c.lasts = lasted;
      StateMachine machine;
      machine.set(c.from);
      const Transition* transition = machine.step(s);
      return transition != nullptr && transition->to == c.to;
    };
    EXPECT_FALSE(taken(c.limit - 0.1)) << name_of(c.from) << " -> " << name_of(c.to);
    EXPECT_TRUE(taken(c.limit + 0.1)) << name_of(c.from) << " -> " << name_of(c.to);
  }
}

TEST(StateTraits, FallLimitsAreWiderWhereAMotionLeansOnPurpose) {
  const std::set<State> leaning{State::GettingUp, State::GettingUpCheck, State::Animation, State::ShutdownSit};
  for (const State state : all_states()) EXPECT_EQ(lean_of(state) > 1.0, leaning.count(state) == 1) << name_of(state);
}

TEST(Documentation, DiagramAndTableAreThoseOfTheCode) {
  using hl_testing::documentation_problem;
  EXPECT_EQ(documentation_problem(PACKAGE_DIR "/docs/states.dot", state_diagram_dot()), "")
      << "then draw it: dot -Tsvg docs/states.dot -o docs/states.svg";
  EXPECT_EQ(documentation_problem(PACKAGE_DIR "/README.md", "parameters", node_parameters().markdown()), "");
  EXPECT_EQ(documentation_problem(PACKAGE_DIR "/README.md", "transitions", transition_table_markdown()), "");
}
