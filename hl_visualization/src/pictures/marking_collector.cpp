// SPDX-License-Identifier: Apache-2.0
#include "marking_collector.hpp"

#include <algorithm>

namespace hl_visualization {
namespace {

constexpr std::size_t kMostEntries = 12;
constexpr std::int64_t kStepBack = 500'000'000;  // ns: then the world has begun anew

}  // namespace

void MarkingCollector::clear() {
  entries_.clear();
  expected_ = {};
  taken_ = INT64_MIN;
}

MarkingCollector::Entry& MarkingCollector::entry(std::int64_t stamp) {
  Entry& found = entries_[stamp];
  while (entries_.size() > kMostEntries) {
    if (entries_.begin()->first == stamp) break;  // the map keeps the entry we return
    entries_.erase(entries_.begin());
  }
  return found;
}

void MarkingCollector::add_picture(std::int64_t stamp, double now) {
  if (taken_ != INT64_MIN && stamp < taken_ - kStepBack) clear();
  if (stamp <= taken_) return;
  Entry& e = entry(stamp);
  e.picture = true;
  e.since = now;
}

void MarkingCollector::add(MarkingKind kind, std::int64_t stamp, const Markings& part, double now) {
  expected_[static_cast<std::size_t>(kind)] = true;
  if (stamp <= taken_) return;
  Entry& e = entry(stamp);
  e.markings.take(kind, part);
  e.came[static_cast<std::size_t>(kind)] = true;
  e.last = now;
}

void MarkingCollector::set_regions(const Markings& part) {
  regions_ = part;
}

std::optional<MarkingCollector::Ready> MarkingCollector::take(double now) {
  for (auto i = entries_.rbegin(); i != entries_.rend(); ++i) {
    Entry& e = i->second;
    if (!e.picture) continue;
    bool complete = true;
    for (std::size_t kind = 0; kind < kMarkingKinds; ++kind) complete = complete && (!expected_[kind] || e.came[kind]);
    if (!complete && now - e.since < patience_) continue;
    Ready ready;
    ready.stamp = i->first;
    ready.markings = e.markings;
    ready.markings.take(MarkingKind::Regions, regions_);
    ready.marked = std::any_of(e.came.begin(), e.came.end(), [](bool came) { return came; });
    ready.delay = ready.marked ? e.last - e.since : 0.0;
    expected_ = e.came;  // what stays away once is not waited for again until it comes back
    taken_ = ready.stamp;
    entries_.erase(entries_.begin(), entries_.upper_bound(taken_));
    return ready;
  }
  return std::nullopt;
}

std::optional<double> MarkingCollector::waits(double now) const {
  std::optional<double> least;
  for (const auto& [stamp, e] : entries_) {
    if (!e.picture) continue;
    const double left = std::max(0.0, patience_ - (now - e.since));
    if (!least || left < *least) least = left;
  }
  return least;
}

}  // namespace hl_visualization
