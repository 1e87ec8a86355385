// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "hl_speaker/speech_queue.hpp"

namespace hl_speaker {

/// Speaks through an external program, started directly: no text ever reaches a shell.
class Voice {
 public:
  struct Params {
    std::string speech_program = "espeak-ng";
    std::string sound_program = "aplay";  // for files
    std::string language = "en";
    int speed = 160;   // words per minute
    int pitch = 50;    // 0..99
    int volume = 100;  // 0..200
    std::optional<std::string> validate() const;
  };

  explicit Voice(const Params& params) : params_(params) {}
  ~Voice();
  Voice(const Voice&) = delete;
  Voice& operator=(const Voice&) = delete;
  void set_params(const Params& params) { params_ = params; }

  /// Starts to say it; the reason if that cannot be done.
  std::optional<std::string> start(const Utterance& utterance);

  /// True while it speaks. Once it has ended, `failure` tells if the program complained.
  bool speaking();
  const std::optional<std::string>& failure() const { return failure_; }

  /// The command that says it; the text is one argument, after "--", so that it can never be an option.
  std::vector<std::string> command_for(const Utterance& utterance) const;

 private:
  Params params_;
  pid_t pid_ = -1;
  std::optional<std::string> failure_;
};

}  // namespace hl_speaker
