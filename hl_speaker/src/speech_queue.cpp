// SPDX-License-Identifier: Apache-2.0
#include "hl_speaker/speech_queue.hpp"

#include <algorithm>
#include <cctype>

namespace hl_speaker {
namespace {

/// Cuts at the last blank before `length`, and never inside a UTF-8 character.
std::string shortened(const std::string& text, std::size_t length) {
  if (text.size() <= length) return text;
  std::size_t end = text.rfind(' ', length);
  if (end == std::string::npos || end == 0) {
    end = length;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  }
  return text.substr(0, end);
}

std::string cleaned(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::optional<std::string> SpeechQueue::Params::validate() const {
  if (max_waiting < 1) return "max_waiting must be at least 1";
  if (max_length < 1) return "max_length must be at least 1";
  if (!(repeat_after >= 0.0)) return "repeat_after must not be negative";
  if (!(low_interval >= 0.0)) return "low_interval must not be negative";
  return std::nullopt;
}

SpeechQueue::Verdict SpeechQueue::push(Utterance utterance, double now) {
  utterance.text = shortened(cleaned(utterance.text), static_cast<std::size_t>(params_.max_length));
  if (utterance.text.empty() && utterance.filename.empty()) return Verdict::Empty;
  while (!said_.empty() && now - said_.front().first >= params_.repeat_after) said_.pop_front();
  const bool said_lately =
      std::any_of(said_.begin(), said_.end(), [&](const auto& s) { return s.second == utterance; });
  if (said_lately || is_waiting(utterance)) return Verdict::Duplicate;
  auto& queue = queues_[static_cast<std::size_t>(utterance.priority)];
  if (queue.size() >= static_cast<std::size_t>(params_.max_waiting)) queue.pop_front();
  queue.push_back(std::move(utterance));
  return Verdict::Queued;
}

std::optional<Utterance> SpeechQueue::pop(double now) {
  for (std::size_t priority = queues_.size(); priority-- > 0;) {
    auto& queue = queues_[priority];
    if (queue.empty()) continue;
    const bool low = priority == static_cast<std::size_t>(Priority::Low);
    if (low && low_said_at_ && now - *low_said_at_ < params_.low_interval) return std::nullopt;
    if (low) low_said_at_ = now;
    Utterance utterance = std::move(queue.front());
    queue.pop_front();
    said_.emplace_back(now, utterance);
    return utterance;
  }
  return std::nullopt;
}

std::size_t SpeechQueue::waiting() const {
  std::size_t count = 0;
  for (const auto& queue : queues_) count += queue.size();
  return count;
}

bool SpeechQueue::is_waiting(const Utterance& utterance) const {
  return std::any_of(queues_.begin(), queues_.end(), [&](const auto& queue) {
    return std::find(queue.begin(), queue.end(), utterance) != queue.end();
  });
}

}  // namespace hl_speaker
