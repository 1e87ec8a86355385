// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_behavior/executor.hpp"
#include "hl_behavior/tactics.hpp"

namespace hl_behavior {

/// From what the robot knows to orders: tactics decides, the executor carries out.
class Behavior {
 public:
  struct Inputs {
    Knowledge knowledge;
    Feedback feedback;             // what became of the orders
    std::optional<Decision> task;  // of an RTDL task: counts instead of the tactics; stop, penalty and falls still win
  };
  struct Outputs {
    Decision decision;
    Orders orders;
    std::vector<SkillEvent> events;
    LegOwner legs = LegOwner::Nobody;
    Executor::State move = Executor::State::Empty, head = Executor::State::Empty, kick = Executor::State::Empty;
    double data_age = 0.0;     // s, of the model behind the decision
    double image_stamp = 0.0;  // s, when the ball was last seen; 0 = never
    std::uint32_t number = 0;  // of the decision
  };
  struct Params {
    TacticsParams tactics;
    Executor::Params executor;
    std::optional<std::string> validate() const;
  };

  explicit Behavior(const Params& params);

  /// Bad values are refused with the reason and change nothing.
  std::optional<std::string> set_params(const Params& params);
  const Params& params() const { return params_; }
  void set_role(std::optional<Role> role) { params_.tactics.role = role; }

  const Outputs& step(const Inputs& inputs, double now);

 private:
  Params params_;
  Executor executor_;
  Executor::Inputs executor_inputs_;
  Memory memory_;
  Outputs outputs_;
};

}  // namespace hl_behavior
