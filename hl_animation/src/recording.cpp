// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/recording.hpp"

#include <cmath>

namespace hl_animation {
namespace {

constexpr double kMinDuration = 0.02;  // s
constexpr double kMaxDuration = 60.0;  // s

bool valid_time(double value, double low) {
  return std::isfinite(value) && value >= low && value <= kMaxDuration;
}

}  // namespace

std::optional<std::size_t> Recording::resolved(int index) const {
  const auto count = static_cast<int>(animation().keyframes.size());
  const int wanted = index == -1 ? count - 1 : index;
  return wanted >= 0 && wanted < count ? std::optional(static_cast<std::size_t>(wanted)) : std::nullopt;
}

std::string Recording::no_such_keyframe() const {
  const auto count = animation().keyframes.size();
  return count == 0 ? "there are no keyframes yet" : "there is no such keyframe; there are " + std::to_string(count);
}

void Recording::change(Animation animation) {
  if (saved_ != static_cast<std::size_t>(-1) && saved_ > present_) saved_ = static_cast<std::size_t>(-1);
  history_.resize(present_ + 1);
  history_.push_back(std::move(animation));
  ++present_;
}

std::optional<std::string> Recording::insert(const Keyframe& keyframe, int index) {
  if (!valid_time(keyframe.duration, kMinDuration)) return "duration must lie between 0.02 and 60 s";
  if (!valid_time(keyframe.pause, 0.0)) return "pause must lie between 0 and 60 s";
  if (keyframe.goals.empty()) return "no joint positions to record";
  const auto count = static_cast<int>(animation().keyframes.size());
  if (index < -1 || index > count) return no_such_keyframe();
  auto changed = animation();
  changed.keyframes.insert(changed.keyframes.begin() + (index == -1 ? count : index), keyframe);
  change(std::move(changed));
  return std::nullopt;
}

std::optional<std::string> Recording::remove(int index) {
  const auto at = resolved(index);
  if (!at) return no_such_keyframe();
  auto changed = animation();
  changed.keyframes.erase(changed.keyframes.begin() + static_cast<std::ptrdiff_t>(*at));
  change(std::move(changed));
  return std::nullopt;
}

std::optional<std::string> Recording::set_timing(int index, double duration, double pause) {
  const auto at = resolved(index);
  if (!at) return no_such_keyframe();
  if (!valid_time(duration, kMinDuration)) return "duration must lie between 0.02 and 60 s";
  if (!valid_time(pause, 0.0)) return "pause must lie between 0 and 60 s";
  auto changed = animation();
  changed.keyframes[*at].duration = duration;
  changed.keyframes[*at].pause = pause;
  change(std::move(changed));
  return std::nullopt;
}

std::optional<std::string> Recording::mirror(int index) {
  if (index != -1 && !resolved(index)) return no_such_keyframe();
  if (animation().keyframes.empty()) return "there are no keyframes to mirror";
  const auto twin = mirrored(animation(), animation().name);
  auto changed = animation();
  if (index == -1) {
    changed.keyframes = twin.keyframes;
  } else {
    changed.keyframes[static_cast<std::size_t>(index)] = twin.keyframes[static_cast<std::size_t>(index)];
  }
  change(std::move(changed));
  return std::nullopt;
}

std::optional<std::string> Recording::undo() {
  if (present_ == 0) return "there is nothing to undo";
  --present_;
  return std::nullopt;
}

std::optional<std::string> Recording::redo() {
  if (present_ + 1 >= history_.size()) return "there is nothing to redo";
  ++present_;
  return std::nullopt;
}

void Recording::describe(const std::string& name, const std::string& author, const std::string& description) {
  auto& present = history_[present_];
  if (!name.empty() && name != present.name) {
    present.name = name;
    present.mirrored_as.clear();  // that name belongs to the other one's twin
  }
  if (!author.empty()) present.author = author;
  if (!description.empty()) present.description = description;
}

std::optional<Animation> Recording::from(int index, double going) const {
  const auto at = resolved(index);
  if (!at) return std::nullopt;
  auto part = animation();
  const auto first = part.keyframes.begin() + static_cast<std::ptrdiff_t>(*at);
  for (auto earlier = part.keyframes.begin(); earlier != first; ++earlier) {
    for (const auto& goal : earlier->goals) earlier[1].goals.insert(goal);  // what it does not set itself
  }
  part.keyframes.erase(part.keyframes.begin(), first);
  part.keyframes.front().duration = going;
  return part;
}

std::optional<Animation> Recording::until(int index) const {
  const auto at = resolved(index);
  if (!at) return std::nullopt;
  auto part = animation();
  part.keyframes.resize(*at + 1);
  return part;
}

}  // namespace hl_animation
