// SPDX-License-Identifier: Apache-2.0
#include "message_filters/detail/matchers.hpp"

#include <algorithm>
#include <utility>

namespace message_filters::detail {

ExactMatcher::ExactMatcher(std::size_t topics, std::size_t queue_size, OnMatch on_match)
    : topics_(topics), queue_size_(queue_size), on_match_(std::move(on_match)) {}

void ExactMatcher::add(std::size_t topic, std::int64_t stamp, AnyMessage message) {
  auto& match = waiting_[stamp];
  match.resize(topics_);
  match[topic] = std::move(message);
  if (std::all_of(match.begin(), match.end(), [](const AnyMessage& m) { return m != nullptr; })) {
    const Match complete = std::move(match);
    waiting_.erase(waiting_.begin(), waiting_.upper_bound(stamp));  // older ones will not become complete in order
    on_match_(complete);
  } else if (queue_size_ > 0 && waiting_.size() > queue_size_) {
    waiting_.erase(waiting_.begin());
  }
}

ApproximateMatcher::ApproximateMatcher(std::size_t topics, std::size_t queue_size, OnMatch on_match)
    : lower_bounds(topics, 0),
      queue_size_(std::max<std::size_t>(queue_size, 1)),
      on_match_(std::move(on_match)),
      topics_(topics) {}

void ApproximateMatcher::add(std::size_t topic, std::int64_t stamp, AnyMessage message) {
  auto& items = topics_[topic].items;
  items.push_back({stamp, std::move(message)});
  search();
  if (items.size() <= queue_size_) return;
  // Full: what was found so far may rest on the message that goes.
  start_anew();
  items.pop_front();
  topics_[topic].dropped = true;
  search();
}

ApproximateMatcher::Range ApproximateMatcher::heads() const {
  Range range{0, 0, INT64_MAX, INT64_MIN};
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    const std::int64_t stamp = topics_[i].items[topics_[i].next].stamp;
    if (stamp < range.start) range.first = i, range.start = stamp;
    if (stamp > range.end) range.last = i, range.end = stamp;
  }
  return range;
}

void ApproximateMatcher::take_heads(const Range& range) {
  candidate_->items.clear();
  for (const auto& topic : topics_) candidate_->items.push_back(topic.next);
  candidate_->start = range.start;
  candidate_->end = range.end;
}

/// A set that ends at `end` and starts at `start`, against the one that is remembered.
bool ApproximateMatcher::later_is_no_better(std::int64_t end, std::int64_t start) const {
  return static_cast<double>(end - candidate_->end) * (1.0 + age_penalty) >=
         static_cast<double>(start - candidate_->start);
}

void ApproximateMatcher::search() {
  const auto exhausted = [](const Topic& topic) { return topic.exhausted(); };
  while (std::none_of(topics_.begin(), topics_.end(), exhausted)) {
    const Range range = heads();
    for (std::size_t i = 0; i < topics_.size(); ++i) {
      if (i != range.last) topics_[i].dropped = false;  // what was dropped could not have been part of this set
    }
    if (!candidate_) {
      const bool too_wide = range.end - range.start > max_interval;
      if (too_wide || topics_[range.last].dropped) {  // a dropped one might have been the better pivot
        topics_[range.first].items.pop_front();
        continue;
      }
      candidate_ = Candidate{{}, 0, 0, range.last, range.end};
      take_heads(range);
    } else if (!later_is_no_better(range.end, range.start)) {
      take_heads(range);
    }
    ++topics_[range.first].next;
    if (range.first == candidate_->pivot || later_is_no_better(range.end, candidate_->pivot_time)) {
      give_away();
    } else if (topics_[range.first].exhausted() && nothing_better_can_come()) {
      give_away();
    }
  }
}

/// Supposes that the messages which are still missing come at the best moment possible.
bool ApproximateMatcher::nothing_better_can_come() const {
  std::vector<std::size_t> next;
  for (const auto& topic : topics_) next.push_back(topic.next);
  const auto earliest = [&](std::size_t i) {
    const auto& items = topics_[i].items;
    if (next[i] < items.size()) return items[next[i]].stamp;
    return std::max(items.back().stamp + lower_bounds[i], candidate_->pivot_time);
  };
  for (;;) {
    std::size_t first = 0;
    std::int64_t start = INT64_MAX, end = INT64_MIN;
    for (std::size_t i = 0; i < topics_.size(); ++i) {
      const std::int64_t stamp = earliest(i);
      if (stamp < start) start = stamp, first = i;
      end = std::max(end, stamp);
    }
    if (later_is_no_better(end, candidate_->pivot_time)) return true;
    if (!later_is_no_better(end, start)) return false;  // such a set would be better: wait for it
    if (next[first] >= topics_[first].items.size()) return false;
    ++next[first];
  }
}

void ApproximateMatcher::give_away() {
  Match match;
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    auto& items = topics_[i].items;
    const auto used = static_cast<std::ptrdiff_t>(candidate_->items[i]);
    match.push_back(std::move(items[candidate_->items[i]].message));
    items.erase(items.begin(), items.begin() + used + 1);
  }
  start_anew();
  on_match_(match);
}

void ApproximateMatcher::start_anew() {
  candidate_.reset();
  for (auto& topic : topics_) topic.next = 0;
}

}  // namespace message_filters::detail
