// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace hl_speaker {

enum class Priority : std::uint8_t { Low = 0, Mid = 1, High = 2 };

/// Something to say: a text, or a sound file to play instead.
struct Utterance {
  std::string text;
  std::string filename;  // empty: speak the text
  Priority priority = Priority::Low;

  bool operator==(const Utterance& other) const { return text == other.text && filename == other.filename; }
};

/// What waits to be said. The highest priority goes first, between sentences; the same words twice are said once.
class SpeechQueue {
 public:
  struct Params {
    int max_waiting = 5;        // per priority; the oldest gives way
    int max_length = 200;       // characters; longer text is cut at a word
    double repeat_after = 5.0;  // s before the same words are said again
    double low_interval = 2.0;  // s between two utterances of low priority
    std::optional<std::string> validate() const;
  };

  enum class Verdict : std::uint8_t { Queued, Duplicate, Empty };

  explicit SpeechQueue(const Params& params) : params_(params) {}
  void set_params(const Params& params) { params_ = params; }

  /// Takes an utterance at `now` (s). Control characters become spaces.
  Verdict push(Utterance utterance, double now);

  /// What to say now, if anything.
  std::optional<Utterance> pop(double now);

  std::size_t waiting() const;

 private:
  bool is_waiting(const Utterance& utterance) const;

  Params params_;
  std::array<std::deque<Utterance>, 3> queues_;    // by priority
  std::deque<std::pair<double, Utterance>> said_;  // lately, with the time in s
  std::optional<double> low_said_at_;
};

}  // namespace hl_speaker
