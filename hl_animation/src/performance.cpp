// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/performance.hpp"

namespace hl_animation {

Readiness readiness_from(hl_soccer::BodyState state) {
  using hl_soccer::BodyState;
  switch (state) {
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

std::optional<std::string> Performance::Params::validate() const {
  if (const auto error = player.validate()) return error;
  if (!(ask_timeout > 0.0)) return "ask_timeout must be positive";
  if (!(ask_interval > 0.0)) return "ask_interval must be positive";
  return std::nullopt;
}

Performance::Performance(const Animation& animation, bool by_hcm, const Params& params)
    : animation_(animation), by_hcm_(by_hcm), params_(params) {}

Performance::Output Performance::end(Result result, const std::string& message) {
  result_ = result;
  message_ = message;
  Output output;
  output.ended = true;
  return output;
}

void Performance::cancel() {
  cancelled_ = true;
  if (player_) player_->stop();
}

Performance::Output Performance::update(double now, Readiness readiness, const std::map<std::string, double>& present,
                                        const std::optional<Player::Tilt>& tilt) {
  if (result_ != Result::None) return {};
  if (!started_at_) started_at_ = now;

  if (!player_) {
    if (cancelled_) return end(Result::Cancelled, "cancelled before it began");
    if (!by_hcm_ && readiness == Readiness::Unable) {
      return end(Result::Failed, "the robot cannot play animations now (fallen, penalised or switched off)");
    }
    if (!by_hcm_ && readiness != Readiness::Ready) {
      if (now - *started_at_ > params_.ask_timeout) {
        return end(Result::Failed, readiness == Readiness::Unknown ? "the HCM is not heard: is it running?"
                                                                   : "the HCM did not give the body in time");
      }
      Output output;
      output.ask = !asked_at_ || now - *asked_at_ >= params_.ask_interval;
      if (output.ask) asked_at_ = now;
      return output;
    }
    if (present.empty() && now - *started_at_ <= params_.ask_timeout) return {};
    try {
      player_.emplace(animation_, present, params_.player);
    } catch (const AnimationError& error) {
      return end(Result::Failed, error.what());
    }
    ticked_at_ = now;
    Output output;
    output.goals = output.first = true;
    return output;
  }

  const bool lost_body = !by_hcm_ && readiness == Readiness::Unable;
  if (lost_body) return end(Result::Failed, "interrupted: the robot fell, was penalised or switched off");
  const auto status = player_->update(now - *ticked_at_, tilt);
  ticked_at_ = now;
  Output output;
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
