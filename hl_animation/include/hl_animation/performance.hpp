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

/// What the robot is able to do, as far as a motion cares.
enum class Readiness : std::uint8_t {
  Ready,    // takes goals of animations
  Busy,     // walks or moves otherwise; can be asked to stop
  Unable,   // fallen, penalised, switched off: no animation but the HCM's own
  Unknown,  // the HCM has not been heard
};

/// What the HCM's word means for animations.
Readiness readiness_from(hl_soccer::BodyState state);

/// One request to play: waits until the body is free, plays, and tells how it ended.
class Performance {
 public:
  struct Params {
    Player::Params player;
    double ask_timeout = 5.0;   // s to wait until the HCM gives the body
    double ask_interval = 0.2;  // s between requests
    std::optional<std::string> validate() const;
  };

  /// What to publish after a tick.
  struct Output {
    bool ask = false;    // ask the HCM for the body
    bool goals = false;  // player()->positions() are to be sent
    bool first = false;
    bool last = false;
    bool ended = false;
  };

  enum class Result : std::uint8_t { None, Finished, Cancelled, Failed };

  /// `by_hcm`: the HCM asked for it, so the body is free and nothing is asked.
  Performance(const Animation& animation, bool by_hcm, const Params& params);

  /// One tick at `now` (s). `present` are the joint positions of the robot, needed when playing starts.
  Output update(double now, Readiness readiness, const std::map<std::string, double>& present,
                const std::optional<Player::Tilt>& tilt);

  /// Ends it: at once while waiting, smoothly while playing.
  void cancel();

  Result result() const { return result_; }
  const std::string& message() const { return message_; }
  const Player* player() const { return player_ ? &*player_ : nullptr; }
  const Animation& animation() const { return animation_; }
  bool by_hcm() const { return by_hcm_; }
  bool playing() const { return player_.has_value() && result_ == Result::None; }

 private:
  Output end(Result result, const std::string& message);

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
