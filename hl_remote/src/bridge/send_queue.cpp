// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/send_queue.hpp"

#include <utility>

namespace hl_remote {

bool SendQueue::control(std::string frame, bool binary) {
  if (control_bytes_ + frame.size() > kMostControlBytes) return false;
  control_bytes_ += frame.size();
  control_.push_back({binary, std::move(frame), nullptr});
  return true;
}

void SendQueue::data(std::uint32_t subscription, std::string head, Payload payload, std::size_t depth) {
  std::deque<Frame>& slot = slots_[subscription];
  slot.push_back({true, std::move(head), std::move(payload)});
  while (slot.size() > depth) {
    slot.pop_front();
    ++dropped_;
  }
}

std::optional<SendQueue::Frame> SendQueue::next() {
  if (!control_.empty()) {
    Frame frame = std::move(control_.front());
    control_.pop_front();
    control_bytes_ -= frame.head.size();
    return frame;
  }
  if (slots_.empty()) return std::nullopt;
  auto slot = slots_.lower_bound(turn_);
  if (slot == slots_.end()) slot = slots_.begin();
  Frame frame = std::move(slot->second.front());
  slot->second.pop_front();
  turn_ = slot->first + 1;
  if (slot->second.empty()) slots_.erase(slot);
  return frame;
}

}  // namespace hl_remote
