// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>

#include "hl_speaker/speech_queue.hpp"
#include "hl_speaker/voice.hpp"

namespace hl_speaker {

struct NodeParams {
  bool mute = false;
  SpeechQueue::Params queue;
  Voice::Params voice;

  std::optional<std::string> validate() const {
    if (auto error = queue.validate()) return error;
    return voice.validate();
  }
};

inline const hl_node::ParameterTable<NodeParams>& parameters() {
  using Queue = SpeechQueue::Params;
  static const hl_node::ParameterTable<Queue> queue({
      {"repeat_after", &Queue::repeat_after, 0.0, 3600.0, "until the same words are said again, s"},
      {"low_interval", &Queue::low_interval, 0.0, 3600.0, "between two utterances of low priority, s"},
      {"max_length", &Queue::max_length, 1, 5000, "characters; longer text is cut at a word"},
      {"max_waiting", &Queue::max_waiting, 1, 100, "utterances of each priority; the oldest gives way"},
  });
  using Speech = Voice::Params;
  static const hl_node::ParameterTable<Speech> voice({
      {"language", &Speech::language, "voice of espeak-ng, for example en or de"},
      {"speed", &Speech::speed, 80, 450, "words per minute"},
      {"pitch", &Speech::pitch, 0, 99, "of the voice"},
      {"volume", &Speech::volume, 0, 200, "of the voice, per cent"},
      {"speech_program", &Speech::speech_program, "program that speaks, called like espeak-ng"},
      {"sound_program", &Speech::sound_program, "program that plays files, called like aplay"},
  });
  static const auto table = hl_node::ParameterTable<NodeParams>({{"mute", &NodeParams::mute, "say nothing, only log"}})
                                .with(&NodeParams::queue, queue)
                                .with(&NodeParams::voice, voice);
  return table;
}

}  // namespace hl_speaker
