// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hl_soccer/game.hpp>
#include <map>
#include <optional>
#include <string>

#include "hl_animation/animation.hpp"
#include "hl_animation/player.hpp"

namespace hl_animation {

/// One request to play: waits until the body is free, plays, and tells how it ended.
class Performance {
 public:
  struct Inputs {
    std::optional<hl_soccer::BodyState> body;                  // the HCM's word; nothing = it was never heard
    const std::map<std::string, double>* positions = nullptr;  // rad, of the joints; needed when playing starts
    std::optional<Player::Tilt> tilt;                          // nothing = unknown
  };

  /// What to publish after a tick.
  struct Outputs {
    bool ask = false;    // ask the HCM for the body
    bool goals = false;  // player()->positions() are to be sent
    bool first = false;
    bool last = false;
    bool ended = false;
  };

  struct Params {
    Player::Params player;
    double ask_timeout = 5.0;   // s to wait until the HCM gives the body
    double ask_interval = 0.2;  // s between requests
    std::optional<std::string> validate() const;
  };

  enum class Result : std::uint8_t { None, Finished, Cancelled, Failed };

  /// `by_hcm`: the HCM asked for it, so the body is free and nothing is asked.
  Performance(const Animation& animation, bool by_hcm, const Params& params);

  /// One tick at `now` (s). Allocates nothing but when playing starts, branches or ends.
  Outputs step(const Inputs& inputs, double now);

  /// Ends it: at once while waiting, smoothly while playing.
  void cancel();

  Result result() const { return result_; }
  const std::string& message() const { return message_; }
  const Player* player() const { return player_ ? &*player_ : nullptr; }
  const Animation& animation() const { return animation_; }
  bool by_hcm() const { return by_hcm_; }
  /// Whether it gives way to another request: always to the HCM's, else only where the animation says so.
  bool yields_to(bool by_hcm) const { return by_hcm || (animation_.interruptible && !by_hcm_); }
  bool playing() const { return player_.has_value() && result_ == Result::None; }

 private:
  Outputs end(Result result, const std::string& message);
  Outputs wait(bool unheard, double now);

  Animation animation_;
  bool by_hcm_;
  Params params_;
  std::optional<double> started_at_, asked_at_, ticked_at_;  // s
  std::optional<Player> player_;
  bool cancelled_ = false;
  Result result_ = Result::None;
  std::string message_;
};

}  // namespace hl_animation
