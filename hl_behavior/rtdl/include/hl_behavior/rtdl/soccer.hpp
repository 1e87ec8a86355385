// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hl_behavior/rtdl/catalogue.hpp"
#include "hl_behavior/rtdl/interpreter.hpp"
#include "hl_description/field.hpp"
#include "hl_soccer/belief.hpp"
#include "hl_soccer/game.hpp"

namespace hl_behavior::rtdl {

constexpr std::size_t kSlots = 3;
constexpr std::array<std::string_view, kSlots> kSlotNames{"move", "head", "kick"};

/// The skills of the soccer robot as capabilities, the predicates of `SoccerWorld`, and the things and words of the
/// game.
std::shared_ptr<const Catalogue> soccer_catalogue();

/// What the robot knows when a condition is asked.
struct Situation {
  hl_soccer::Model model;
  hl_soccer::GameState game;
  hl_soccer::BodyState body = hl_soccer::BodyState::Controllable;
  hl_soccer::Role role = hl_soccer::Role::Idling;
  std::vector<hl_soccer::TeamMate> mates;
};

/// A place a task has set.
struct Waypoint {
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  // m, map
  std::optional<double> heading;                       // rad, map
};

/// Answers the predicates of the soccer catalogue.
class SoccerWorld : public World {
 public:
  explicit SoccerWorld(const hl_description::Field& field) : field_(field) {}

  /// Of the present tick; both must outlive the questions.
  void look(const Situation& situation, double now) {
    situation_ = &situation;
    now_ = now;
  }
  void set_waypoint(int entity, const Waypoint& waypoint) { waypoints_[entity] = waypoint; }
  void forget_waypoints() { waypoints_.clear(); }
  void set_busy(std::size_t slot, bool busy) { busy_[slot] = busy; }

  Answer ask(int predicate, Arguments arguments) const override;

  /// Where something is, m in map; nothing if that is not known.
  std::optional<Eigen::Vector2d> place(const Datum& thing) const;
  /// The same, seen from the robot.
  std::optional<Eigen::Vector2d> relative(const Datum& thing) const;
  const Waypoint* waypoint(const Datum& thing) const;

  const Situation& situation() const { return *situation_; }
  const hl_description::Field& field() const { return field_; }
  double now() const { return now_; }
  bool busy(std::size_t slot) const { return busy_[slot]; }
  const hl_soccer::TeamMate* mate(const Datum& player) const;  // heard of lately
  bool is_me(const Datum& player) const;

 private:
  hl_description::Field field_;
  const Situation* situation_ = nullptr;
  double now_ = 0.0;
  std::map<int, Waypoint> waypoints_;
  std::array<bool, kSlots> busy_{};
};

}  // namespace hl_behavior::rtdl
