// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hl_animation/animation.hpp"

namespace hl_animation {

/// An animation that is being made: every change can be undone and redone.
class Recording {
 public:
  explicit Recording(Animation animation) { history_.push_back(std::move(animation)); }

  const Animation& animation() const { return history_[present_]; }
  bool unsaved() const { return saved_ != present_; }
  void mark_saved() { saved_ = present_; }

  /// All return why it cannot be done; nothing if it was done. Indices count from 0; -1 is the last keyframe.
  std::optional<std::string> insert(const Keyframe& keyframe, int index);  // before `index`; -1 at the end
  std::optional<std::string> remove(int index);
  std::optional<std::string> set_timing(int index, double duration, double pause);  // s
  std::optional<std::string> mirror(int index);  // exchange left and right; -1 in all keyframes
  std::optional<std::string> undo();
  std::optional<std::string> redo();
  void replace(Animation animation) { change(std::move(animation)); }
  void describe(const std::string& name, const std::string& author, const std::string& description);  // empty: keep

  /// The motion up to and including keyframe `index`; -1 for all. Nothing if there is no such keyframe.
  std::optional<Animation> until(int index) const;
  /// The motion from keyframe `index` on, whose pose is complete (with what earlier keyframes set) and reached in
  /// `going` s; -1 is the last one. Nothing if there is no such keyframe.
  std::optional<Animation> from(int index, double going) const;
  std::string no_such_keyframe() const;  // in words

 private:
  std::optional<std::size_t> resolved(int index) const;
  void change(Animation animation);

  std::vector<Animation> history_;
  std::size_t present_ = 0;
  std::size_t saved_ = static_cast<std::size_t>(-1);
};

}  // namespace hl_animation
