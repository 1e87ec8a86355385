// SPDX-License-Identifier: Apache-2.0
// How messages of several topics are put together; without their types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace message_filters::detail {

using AnyMessage = std::shared_ptr<const void>;
/// One message of each topic.
using Match = std::vector<AnyMessage>;
using OnMatch = std::function<void(const Match&)>;

/// Messages with equal stamps.
class ExactMatcher {
 public:
  ExactMatcher(std::size_t topics, std::size_t queue_size, OnMatch on_match);
  void add(std::size_t topic, std::int64_t stamp, AnyMessage message);

 private:
  std::size_t topics_;
  std::size_t queue_size_;
  OnMatch on_match_;
  std::map<std::int64_t, Match> waiting_;
};

/// Messages whose stamps lie close together. Each is used at most once, sets do not cross, and a set is given away as
/// soon as no message to come can make it narrower.
///
/// The latest of the first messages is the pivot of a set: none can end before it. Beginning with the first messages,
/// the earliest one is replaced by its successor as long as that may narrow the set; the narrowest is remembered.
class ApproximateMatcher {
 public:
  ApproximateMatcher(std::size_t topics, std::size_t queue_size, OnMatch on_match);
  void add(std::size_t topic, std::int64_t stamp, AnyMessage message);

  double age_penalty = 0.1;  // how much narrower, relative to its age, a later set must be
  std::int64_t max_interval = INT64_MAX;
  std::vector<std::int64_t> lower_bounds;  // ns that pass at least between two messages of a topic

 private:
  struct Item {
    std::int64_t stamp;
    AnyMessage message;
  };
  struct Topic {
    std::deque<Item> items;
    std::size_t next = 0;  // the first one that is still to be looked at
    bool dropped = false;  // one that did not fit was thrown away since the last set
    bool exhausted() const { return next >= items.size(); }
  };
  struct Candidate {
    std::vector<std::size_t> items;  // of each topic
    std::int64_t start, end;
    std::size_t pivot;
    std::int64_t pivot_time;
  };
  struct Range {
    std::size_t first, last;  // topics
    std::int64_t start, end;
  };

  void search();
  Range heads() const;
  void take_heads(const Range& range);
  bool later_is_no_better(std::int64_t end, std::int64_t start) const;
  bool nothing_better_can_come() const;
  void give_away();
  void start_anew();

  std::size_t queue_size_;
  OnMatch on_match_;
  std::vector<Topic> topics_;
  std::optional<Candidate> candidate_;
};

}  // namespace message_filters::detail
