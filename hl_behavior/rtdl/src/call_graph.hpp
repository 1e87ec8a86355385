// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "hl_behavior/rtdl/catalogue.hpp"
#include "hl_behavior/rtdl/library.hpp"

namespace hl_behavior::rtdl {

/// What a task does through the tasks it calls.
class CallGraph {
 public:
  CallGraph(const Task& self, const Catalogue& catalogue, const Library& library)
      : self_(self), catalogue_(catalogue), library_(library) {}

  /// The task of that name, the one at hand first; none if it is a capability or unknown.
  const Task* task(const std::string& name) const;

  /// Names along a circle that a call of this task runs into; empty if there is none.
  std::vector<std::string> circle(const std::string& name) const;

  /// Slots a block occupies, each with the first call that does.
  using Slots = std::map<std::string, const Statement*>;
  Slots slots(const Block& block) const;

  /// Whether the task binds the entity given as its parameter `index`. Not for tasks in a circle.
  bool sets(const Task& task, std::size_t index) const;

 private:
  const Task& self_;
  const Catalogue& catalogue_;
  const Library& library_;
};

/// Every call in a block and in the blocks within, in the order of the text.
void for_each_call(const Block& block, const std::function<void(const Statement&, const Call&)>& visit);

}  // namespace hl_behavior::rtdl
