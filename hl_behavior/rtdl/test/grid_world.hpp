// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "hl_behavior/rtdl/interpreter.hpp"

/// A robot with one arm in a world of cells, as the language's first evaluation had it. It moves one cell per look at
/// its progress: along x until equal or blocked, then y, then z.
class GridWorld : public hl_behavior::rtdl::World, public hl_behavior::rtdl::SkillHost {
 public:
  using Cell = std::array<int, 3>;
  using Progress = hl_behavior::rtdl::Progress;
  struct Object {
    Cell cell{};
    bool grippable = false, passable = true, source = false, container = false;
    std::string content;
  };

  explicit GridWorld(Cell size) : size_(size) {}

  std::map<std::string, Object> objects;
  Cell robot{};
  std::string carried;
  std::vector<std::string> log;  // what could be seen from outside
  int aborted = 0;

  Answer ask(int predicate, hl_behavior::rtdl::Arguments a) const override {
    using hl_behavior::rtdl::Datum;
    const auto found = objects.find(name_of(a[0]));
    if (found == objects.end()) return {{}, "there is no such thing"};
    switch (predicate) {
      case 0:
        return {Datum::truth(found->second.cell == robot), {}};
      case 1:
        return {Datum::truth(carried == found->first), {}};
      default:
        return {Datum::truth(!found->second.content.empty()), {}};
    }
  }

  Progress start(int ticket, const hl_behavior::rtdl::Capability& capability, hl_behavior::rtdl::Arguments a) override {
    const std::string& what = capability.name;
    if (what == "wait") return {};
    if (what == "setCurrentPosition") {
      objects[name_of(a[0])].cell = robot;
      return done();
    }
    const auto found = objects.find(name_of(a[0]));
    if (found == objects.end()) return failed("there is no " + std::string(a[0].text));
    if (what == "move") {
      targets_[ticket] = found->first;
      return {};
    }
    if (what == "grip") return grip(*found);
    if (what == "ungrip") return ungrip(found->first);
    const auto into = objects.find(name_of(a[1]));
    if (into == objects.end()) return failed("there is no " + std::string(a[1].text));
    return fill(*found, *into);
  }

  Progress state(int ticket) override {
    const auto target = targets_.find(ticket);
    if (target == targets_.end()) return {};  // waits
    const Cell goal = objects.at(target->second).cell;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (robot[axis] == goal[axis]) continue;
      Cell next = robot;
      next[axis] += goal[axis] > robot[axis] ? 1 : -1;
      if (!passable(next)) continue;
      robot = next;
      if (!carried.empty()) objects[carried].cell = robot;
      if (robot != goal) return {};
      break;
    }
    targets_.erase(target);
    if (robot != goal) return failed("the way is blocked");
    log.push_back("Robot moved to (" + std::to_string(robot[0]) + "," + std::to_string(robot[1]) + "," +
                  std::to_string(robot[2]) + ")");
    return done();
  }

  void abort(int ticket) override {
    ++aborted;
    targets_.erase(ticket);
  }

 private:
  static Progress done() { return {Progress::State::Succeeded, {}}; }
  static Progress failed(std::string reason) { return {Progress::State::Failed, std::move(reason)}; }

  /// Things of the task have a number; two of the same name are two things.
  static std::string name_of(const hl_behavior::rtdl::Datum& d) {
    return std::string(d.text) + (d.entity >= 0 ? "#" + std::to_string(d.entity) : "");
  }

  bool passable(const Cell& cell) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (cell[axis] < 0 || cell[axis] >= size_[axis]) return false;
    }
    for (const auto& [name, object] : objects) {
      if (object.cell == cell && !object.passable) return false;
    }
    return true;
  }

  Progress grip(std::pair<const std::string, Object>& thing) {
    if (!carried.empty()) return failed("the arm holds " + carried);
    if (!thing.second.grippable) return failed(thing.first + " cannot be gripped");
    if (thing.second.cell != robot) return failed(thing.first + " is not here");
    carried = thing.first;
    log.push_back(thing.first + " gripped");
    return done();
  }

  Progress ungrip(const std::string& name) {
    if (carried != name) return failed(name + " is not carried");
    carried.clear();
    log.push_back(name + " ungripped");
    return done();
  }

  Progress fill(const std::pair<const std::string, Object>& from, std::pair<const std::string, Object>& into) {
    if (from.second.cell != robot || into.second.cell != robot) return failed("not all at one place");
    if (!from.second.source) return failed(from.first + " is no source");
    if (!into.second.container) return failed(into.first + " is no container");
    log.push_back(from.first + " fills " + into.first);
    into.second.content = from.second.content;
    log.push_back(into.first + " is filled with " + into.second.content);
    return done();
  }

  Cell size_;
  std::map<int, std::string> targets_;  // of the moves
};
