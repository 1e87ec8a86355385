// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_behavior/kick_choice.hpp"
#include "world.hpp"

using namespace hl_behavior;
using namespace hl_behavior::test;

namespace {

KickOption choose(const Knowledge& k, bool direct = true) {
  static const TacticsParams params;
  Memory memory;
  return choose_kick(assess(k, params, 10.0), params, direct, memory);
}

TEST(KickChoice, ShootsAtAnOpenGoal) {
  const auto option = choose(knowledge({1.8, 0, 0}, {2.0, 0.0}, 10.0));
  EXPECT_EQ(option.kind, KickOption::Kind::Kick);
  EXPECT_LT(std::abs(option.direction), 0.3);
  EXPECT_GT(option.goal_probability, 0.7);
}

TEST(KickChoice, DoesNotShootWhereNoGoalCounts) {
  const auto direct = choose(knowledge({2.3, 0, 0}, {2.5, 0.0}, 10.0), true);
  const auto indirect = choose(knowledge({2.3, 0, 0}, {2.5, 0.0}, 10.0), false);
  EXPECT_GT(direct.goal_probability, 0.5);
  EXPECT_LT(indirect.gain, direct.gain - 0.2);
  EXPECT_DOUBLE_EQ(indirect.goal_probability, 0.0);
}

TEST(KickChoice, NeverTowardsTheOwnGoal) {
  for (double x = -4.3; x <= 4.3; x += 0.43)
    for (double y = -2.9; y <= 2.9; y += 0.29) {
      // Comes from the wrong side: going back to the own goal would be the shortest way.
      const auto option = choose(knowledge({x + 0.5, y, M_PI}, {x, y}, 10.0));
      const Vector2d end =
          Vector2d(x, y) + option.distance * Vector2d(std::cos(option.direction), std::sin(option.direction));
      const bool own_goal = end.x() < -4.5 && std::abs(end.y()) < 1.3;
      EXPECT_FALSE(own_goal) << x << " " << y;
      if (x < -2.5) {
        EXPECT_GT(end.x(), x - 0.3) << "not deeper into the own half from " << x << " " << y;
      }
    }
}

TEST(KickChoice, StandsSomewhereARobotCanStand) {
  const TacticsParams params;
  for (double x = -4.45; x <= 4.45; x += 0.2225)
    for (const double y : {-2.95, -1.3, 0.0, 1.3, 2.95}) {
      const auto option = choose(knowledge({0, 0, 0}, {x, y}, 10.0));
      const Vector2d stand = Vector2d(x, y) - 0.2 * Vector2d(std::cos(option.direction), std::sin(option.direction));
      EXPECT_LT(std::abs(stand.x()), 5.0);
      EXPECT_LT(std::abs(stand.y()), 3.5);
      const bool in_goal = std::abs(stand.x()) > 4.6 && std::abs(stand.y()) < 1.3;
      EXPECT_FALSE(in_goal) << x << " " << y;
    }
}

TEST(KickChoice, PlaysAroundAnOpponentInTheWay) {
  auto k = knowledge({1.8, 0, 0}, {2.0, 0.0}, 10.0);
  const auto open = choose(k);
  add_rival(k, {2.6, 0.0});
  const auto blocked = choose(k);
  EXPECT_GT(std::abs(blocked.direction), 0.25);
  EXPECT_LT(blocked.gain, open.gain);
}

TEST(KickChoice, TwoOpponentsInTheWayAreNotKickedAt) {
  auto k = knowledge({-0.2, 0, 0}, {0.0, 0.0}, 10.0);
  add_rival(k, {0.9, 0.35});
  add_rival(k, {0.9, -0.35});
  const auto option = choose(k);
  const Vector2d along(std::cos(option.direction), std::sin(option.direction));
  for (const Vector2d& rival : {Vector2d(0.9, 0.35), Vector2d(0.9, -0.35)}) {
    const double beside = std::abs(rival.x() * along.y() - rival.y() * along.x());
    EXPECT_TRUE(beside > 0.25 || option.distance < 0.8) << option.direction;
  }
}

TEST(KickChoice, AFreeMateIsWorthAPass) {
  auto alone = knowledge({-0.2, -1.5, 0}, {0.0, -1.5}, 10.0);
  auto with = alone;
  with.mates = {mate(3, Role::Supporter, {2.6, 0.0, 0}, 5.0, 10.0)};
  EXPECT_GT(choose(with).gain, choose(alone).gain);
}

TEST(KickChoice, KeepsItsChoiceUnderNoise) {
  const TacticsParams params;
  Memory memory;
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0.0, 0.03);
  int changes = 0;
  std::optional<double> last;
  for (int i = 0; i < 200; ++i) {
    auto k = knowledge({0.5, 0.6, 0.3}, {1.0 + noise(random), 0.9 + noise(random)}, 10.0);
    const auto option = choose_kick(assess(k, params, 10.0), params, true, memory);
    if (last && std::abs(wrap_angle(*last - option.direction)) > 0.3) ++changes;
    last = option.direction;
  }
  EXPECT_LE(changes, 3);
}

TEST(Striker, KicksOnlyABallInReachThatItSeesAndFaces) {
  TacticsParams params;
  const auto kicks = [&](const Pose2& pose, const Vector2d& ball, double age) {
    auto k = knowledge(pose, ball, 10.0);
    k.personal.ball.last_seen = 10.0 - age;
    Memory memory;
    memory.in_play = true;
    memory.phase = hl_soccer::GamePhase::Playing;
    return decide(assess(k, params, 10.0), params, memory).kick.has_value();
  };
  EXPECT_TRUE(kicks({2.0, -0.05, 0}, {2.15, 0.0}, 0.0));
  EXPECT_FALSE(kicks({2.0, -0.05, 0}, {2.50, 0.0}, 0.0));
  EXPECT_FALSE(kicks({2.0, -0.05, 0}, {2.15, 0.0}, 1.5));
  EXPECT_FALSE(kicks({2.15, 0.15, -M_PI / 2}, {2.15, 0.0}, 0.0));  // faces the touch line
}

}  // namespace
