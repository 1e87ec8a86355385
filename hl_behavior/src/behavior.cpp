// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/behavior.hpp"

#include <stdexcept>

namespace hl_behavior {

std::optional<std::string> Behavior::Params::validate() const {
  if (auto bad = tactics.validate()) return bad;
  return executor.validate();
}

Behavior::Behavior(const Params& params) : params_(params), executor_(params.executor) {
  if (const auto bad = params.validate()) throw std::invalid_argument("hl_behavior: " + *bad);
}

std::optional<std::string> Behavior::set_params(const Params& params) {
  if (auto bad = params.validate()) return bad;
  params_ = params;
  executor_.set_params(params.executor);
  return std::nullopt;
}

const Behavior::Outputs& Behavior::step(const Inputs& inputs, double now) {
  const Situation situation = assess(inputs.knowledge, params_.tactics, now);
  Decision& decision = outputs_.decision;
  decision = decide(situation, params_.tactics, memory_);
  const bool stopped =
      situation.penalized || (inputs.knowledge.game.referee_connected && inputs.knowledge.game.stopped);
  if (inputs.task && !stopped) {
    const Decision tactical = decision;
    decision = *inputs.task;
    if (decision.role == Role::Idling) decision.role = tactical.role;
    decision.row = "task";
    if (!decision.time_to_ball) decision.time_to_ball = tactical.time_to_ball;
  }

  executor_inputs_.move = decision.move;
  executor_inputs_.head = decision.head;
  executor_inputs_.kick = decision.kick;
  executor_inputs_.task_orders = decision.task_orders;
  executor_inputs_.body = inputs.knowledge.body;
  executor_inputs_.pose = situation.pose_known ? std::optional<Pose2>(situation.pose) : std::nullopt;
  executor_inputs_.stamp = now;  // the situation is carried on to now
  executor_inputs_.feedback = inputs.feedback;
  const Executor::Outputs& done = executor_.step(executor_inputs_, now);
  outputs_.orders = done.orders;
  outputs_.events = done.events;
  outputs_.legs = done.legs;
  outputs_.move = done.move;
  outputs_.head = done.head;
  outputs_.kick = done.kick;
  outputs_.data_age = now - situation.model_stamp;
  outputs_.image_stamp =
      inputs.knowledge.personal.ball.last_seen > 0.0 ? inputs.knowledge.personal.ball.last_seen : 0.0;
  ++outputs_.number;
  return outputs_;
}

}  // namespace hl_behavior
