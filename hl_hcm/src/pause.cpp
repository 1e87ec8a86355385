// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/pause.hpp"

namespace hl_hcm {

void PauseLogic::referee(bool penalized) {
  if (penalized == referee_) return;
  referee_ = penalized;
  if (manual_ && ++changes_ >= 2) manual_.reset();
}

void PauseLogic::manual(Manual word) {
  changes_ = 0;
  if (word == Manual::FollowReferee)
    manual_.reset();
  else
    manual_ = word == Manual::Penalize;
}

std::optional<PauseLogic::Manual> ButtonReader::update(bool mode, bool start, double now) {
  std::optional<PauseLogic::Manual> word;
  // MODE: short on release, long while held.
  if (mode && mode_since_ < 0.0) {
    mode_since_ = now;
    mode_done_ = false;
  }
  if (mode && !mode_done_ && now - mode_since_ >= kHeld) {
    mode_done_ = true;
    word = PauseLogic::Manual::FollowReferee;
  }
  if (!mode && mode_since_ >= 0.0) {
    if (!mode_done_ && now - mode_since_ >= kBounce) word = PauseLogic::Manual::Penalize;
    mode_since_ = -1.0;
  }
  if (start && start_since_ < 0.0) start_since_ = now;
  if (!start && start_since_ >= 0.0) {
    if (now - start_since_ >= kBounce) word = PauseLogic::Manual::Unpenalize;
    start_since_ = -1.0;
  }
  return word;
}

Pause::Outputs Pause::step(const Inputs& inputs, double now) {
  const bool before = paused();
  Outputs out;
  const auto tell = [&](const char* reason) {
    if (paused() == before)
      out.reason = nullptr;
    else if (out.reason == nullptr)
      out.reason = reason;
  };
  if (inputs.penalized) {
    logic_.referee(*inputs.penalized);
    tell(*inputs.penalized ? "the referee penalises" : "the referee releases");
  }
  if (inputs.manual) {
    logic_.manual(*inputs.manual);
    tell("manual word");
  }
  if (inputs.buttons) pressed_ = *inputs.buttons;
  if (inputs.buttons || pressed_.mode || pressed_.start) {
    if (const auto word = reader_.update(pressed_.mode, pressed_.start, now)) {
      logic_.manual(*word);
      tell("button");
    }
  }
  out.paused = paused();
  return out;
}

}  // namespace hl_hcm
