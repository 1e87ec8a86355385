// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/performance.hpp"

namespace hl_animation {

namespace {

using hl_soccer::BodyState;

enum class Readiness {
  Ready,   // takes goals of animations
  Busy,    // walks or moves otherwise, or is not heard; can be asked to stop
  Unable,  // fallen, penalised, switched off: no animation but the HCM's own
};

Readiness readiness_of(const std::optional<BodyState>& body) {
  if (!body) return Readiness::Busy;
  switch (*body) {
    case BodyState::Controllable:
    case BodyState::AnimationRunning:
      return Readiness::Ready;
    case BodyState::Walking:
    case BodyState::Kicking:
    case BodyState::Startup:
    case BodyState::GettingUp:
    case BodyState::MotorOff:
      return Readiness::Busy;
    default:
      return Readiness::Unable;
  }
}

}  // namespace

std::optional<std::string> Performance::Params::validate() const {
  if (const auto error = player.validate()) return error;
  if (!(ask_timeout > 0.0)) return "ask_timeout must be positive";
  if (!(ask_interval > 0.0)) return "ask_interval must be positive";
  return std::nullopt;
}

Performance::Performance(const Animation& animation, bool by_hcm, const Params& params)
    : animation_(animation), by_hcm_(by_hcm), params_(params) {}

Performance::Outputs Performance::end(Result result, const std::string& message) {
  result_ = result;
  message_ = message;
  Outputs output;
  output.ended = true;
  return output;
}

void Performance::cancel() {
  cancelled_ = true;
  if (player_) player_->stop();
}

Performance::Outputs Performance::wait(bool unheard, double now) {
  if (now - *started_at_ > params_.ask_timeout) {
    return end(Result::Failed,
               unheard ? "the HCM is not heard: is it running?" : "the HCM did not give the body in time");
  }
  Outputs output;
  output.ask = !asked_at_ || now - *asked_at_ >= params_.ask_interval;
  if (output.ask) asked_at_ = now;
  return output;
}

Performance::Outputs Performance::step(const Inputs& inputs, double now) {
  if (result_ != Result::None) return {};
  if (!started_at_) started_at_ = now;
  const Readiness readiness = by_hcm_ ? Readiness::Ready : readiness_of(inputs.body);

  if (!player_) {
    if (cancelled_) return end(Result::Cancelled, "cancelled before it began");
    if (readiness == Readiness::Unable)
      return end(Result::Failed, "the robot cannot play animations now (fallen, penalised or switched off)");
    if (readiness == Readiness::Busy) return wait(!inputs.body, now);
    static const std::map<std::string, double> kNowhere;
    const auto& present = inputs.positions != nullptr ? *inputs.positions : kNowhere;
    if (present.empty() && now - *started_at_ <= params_.ask_timeout) return {};
    try {
      player_.emplace(animation_, present, params_.player);
    } catch (const AnimationError& error) {
      return end(Result::Failed, error.what());
    }
    ticked_at_ = now;
    Outputs output;
    output.goals = output.first = true;
    return output;
  }

  if (readiness == Readiness::Unable)
    return end(Result::Failed, "interrupted: the robot fell, was penalised or switched off");
  const auto status = player_->update(now - *ticked_at_, inputs.tilt);
  ticked_at_ = now;
  Outputs output;
  if (status != Player::Status::Playing) {
    output = status == Player::Status::Finished  ? end(Result::Finished, "")
             : status == Player::Status::Stopped ? end(Result::Cancelled, "cancelled")
                                                 : end(Result::Failed, player_->message());
    output.last = true;
  }
  output.goals = true;
  return output;
}

}  // namespace hl_animation
