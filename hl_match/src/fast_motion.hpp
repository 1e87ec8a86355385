// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_hcm/attitude.hpp>
#include <random>

#include "hl_match/fast_world.hpp"

namespace hl_match {

/// What moves a body without joints: obeys the same orders as `Motion` and tells the same states, in the times that
/// physics takes.
class FastMotion : public hl_player::Mover {
 public:
  /// `world` must outlive it.
  FastMotion(FastWorld& world, std::size_t robot);

  const Outputs& step(const Inputs& inputs, double now) override;
  Carriage carriage() const override;
  std::string fall_direction() const override { return hl_hcm::name_of(direction_); }

 private:
  using State = hl_soccer::BodyState;
  struct Kick {
    double contact = 0.0, end = 0.0;  // s
    FastBody::Strike strike;
    bool in_walk = false, struck = false;
  };

  void enter(State state, double now, double until = 1e9);
  void go_on(double now);
  void fall(double direction, double now);
  void pause(bool paused, double now);
  void obey(const Orders& orders, double now);
  void walk(double now);
  void start_kick(const KickOrder& order, double now);
  void follow_kick(double now);
  void play(const std::string& name, double now);
  void move_head(double seconds);
  double spread(double sigma) { return sigma * std::normal_distribution<double>()(random_); }

  FastWorld& world_;
  FastBody& body_;
  const FastParams& params_;
  std::mt19937_64 random_;
  State state_ = State::Startup;
  double since_ = 0.0, until_ = 1e9;  // s, of the state
  hl_hcm::Direction direction_ = hl_hcm::Direction::Front;
  double get_up_at_ = 0.0, stands_at_ = 0.0;  // s, after a fall
  hl_walking::Velocity command_;
  double commanded_at_ = -1e9, stopping_since_ = -1.0;  // s
  std::optional<Kick> kick_;
  std::string animation_;
  std::optional<HeadOrder> head_;
  double last_ = 0.0;  // s
  Outputs out_;
};

}  // namespace hl_match
