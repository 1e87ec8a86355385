// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace hl_hcm {

/// Whether the robot is paused: the referee's word, overridden in both directions by the robot handler's until that is
/// taken back or the referee has changed its own twice (penalised and released again: the game has moved on).
class PauseLogic {
 public:
  enum class Manual { FollowReferee, Penalize, Unpenalize };

  void referee(bool penalized);
  void manual(Manual word);
  bool paused() const { return manual_.value_or(referee_); }
  bool is_manual() const { return manual_.has_value(); }

 private:
  bool referee_ = false;
  std::optional<bool> manual_;
  int changes_ = 0;  // of the referee's word since the manual one
};

/// Turns presses into words: MODE penalises, START releases, MODE held for a second takes the manual word back.
class ButtonReader {
 public:
  std::optional<PauseLogic::Manual> update(bool mode, bool start, double now);  // s

 private:
  static constexpr double kBounce = 0.03, kHeld = 1.0;  // s
  double mode_since_ = -1.0, start_since_ = -1.0;
  bool mode_done_ = false;
};

/// The penalty path: referee, the handler's word and buttons become `paused`.
class Pause {
 public:
  struct Buttons {
    bool mode = false, start = false;  // pressed
  };
  struct Inputs {
    std::optional<bool> penalized;             // by the referee; nothing as long as none was heard
    std::optional<PauseLogic::Manual> manual;  // the handler's word, said now
    std::optional<Buttons> buttons;            // if they were read now; a held button need not send anything new
  };
  struct Outputs {
    bool paused = false;
    const char* reason = nullptr;  // why `paused` changed in this step; nullptr if it did not
  };

  Outputs step(const Inputs& inputs, double now);  // s
  bool paused() const { return logic_.paused(); }

 private:
  PauseLogic logic_;
  ButtonReader reader_;
  Buttons pressed_;
};

}  // namespace hl_hcm
