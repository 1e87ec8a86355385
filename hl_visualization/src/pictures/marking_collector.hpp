// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "hl_visualization/markings.hpp"

namespace hl_visualization {

/// Brings together a picture and what was found in it, which comes later and in several messages, by the stamp. A kind
/// that came for the picture before is waited for; nobody waits longer than `patience`.
class MarkingCollector {
 public:
  struct Ready {
    std::int64_t stamp = 0;
    Markings markings;
    bool marked = false;  // at least one message belongs to this picture
    double delay = 0.0;   // s from the picture to the last of its messages
  };

  explicit MarkingCollector(double patience = 0.25) : patience_(patience) {}

  void add_picture(std::int64_t stamp, double now);
  /// Nothing for stamps older than what was already taken.
  void add(MarkingKind kind, std::int64_t stamp, const Markings& part, double now);
  /// Regions carry no stamp: they count for the pictures that follow.
  void set_regions(const Markings& part);

  /// The newest picture that is complete or has waited long enough; those before it are forgotten.
  std::optional<Ready> take(double now);
  /// How long a picture may still wait before `take` gives it anyway, s; nothing if none waits.
  std::optional<double> waits(double now) const;
  void clear();
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    bool picture = false;
    double since = 0.0;  // s, arrival of the picture
    double last = 0.0;   // s, arrival of its last message
    Markings markings;
    std::array<bool, kMarkingKinds> came{};
  };

  Entry& entry(std::int64_t stamp);

  double patience_;
  std::map<std::int64_t, Entry> entries_;
  std::array<bool, kMarkingKinds> expected_{};
  Markings regions_;
  std::int64_t taken_ = INT64_MIN;
};

}  // namespace hl_visualization
