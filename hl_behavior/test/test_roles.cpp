// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "hl_behavior/roles.hpp"
#include "hl_testing/isolation.hpp"
#include "world.hpp"

using namespace hl_behavior;
using namespace hl_behavior::test;

namespace {

Role role_of(const Knowledge& k, const TacticsParams& params, Memory& memory, double now) {
  Reasons reasons;
  return choose_role(assess(k, params, now), params, memory, reasons);
}

TEST(Roles, TheOneWhoReachesTheBallFirstStrikes) {
  TacticsParams params;
  Memory memory;
  auto k = knowledge({0, 0, 0}, {1, 0}, 10.0);
  k.mates.push_back(mate(3, Role::Supporter, {-2, 0, 0}, 9.0, 10.0));
  EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Striker);
  k.mates[0].time_to_ball = 1.0;
  k.mates[0].role = Role::Striker;
  EXPECT_NE(role_of(k, params, memory, 10.0), Role::Striker);
}

TEST(Roles, AStrikerIsNotReplacedForAMoment) {
  TacticsParams params;
  Memory memory;
  auto k = knowledge({0, 0, 0}, {1, 0}, 10.0);
  const double own = assess(k, params, 10.0).time_to_ball;
  k.mates.push_back(mate(3, Role::Striker, {-2, 0, 0}, own + 0.3, 10.0));  // a little worse, but it is the striker
  EXPECT_NE(role_of(k, params, memory, 10.0), Role::Striker);
  k.mates[0].time_to_ball = own + 1.5;
  EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Striker);
}

TEST(Roles, PlaysOnAlone) {
  TacticsParams params;
  Memory memory;
  auto k = knowledge({-4, 0, 0}, {1, 0}, 10.0);
  EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Striker);
  k.game.own_player = 1;  // the keeper, everybody else penalised
  for (int n = 1; n <= 4; ++n) k.game.own_players.push_back({n, n != 1, 20.0});
  EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Striker);
  k.game.own_players[2].penalized = false;
  EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Goalie);
}

TEST(Roles, APenalisedFallenOrSilentStrikerIsReplaced) {
  TacticsParams params;
  auto k = knowledge({-2, 0, 0}, {1, 0}, 10.0);
  k.mates.push_back(mate(3, Role::Striker, {0.8, 0, 0}, 0.5, 10.0));
  k.mates.push_back(mate(4, Role::Defender, {-3, 0, 0}, 12.0, 10.0));
  {
    Memory memory;
    EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Supporter);
    auto penalised = k;
    penalised.game.own_players = {{1, false, 0}, {2, false, 0}, {3, true, 20}, {4, false, 0}};
    EXPECT_EQ(role_of(penalised, params, memory, 10.1), Role::Striker);
  }
  {
    Memory memory;
    role_of(k, params, memory, 10.0);
    auto fallen = k;
    fallen.mates[0].time_to_ball = 20.0;  // it tells the time it needs to get up, too
    EXPECT_EQ(role_of(fallen, params, memory, 10.1), Role::Striker);
  }
  {
    Memory memory;
    role_of(k, params, memory, 10.0);
    auto silent = k;
    silent.mates[0].stamp = 6.0;
    EXPECT_EQ(role_of(silent, params, memory, 10.1), Role::Striker);
  }
}

TEST(Roles, ThreeFieldPlayersAreStrikerSupporterDefender) {
  TacticsParams params;
  Memory memory;
  auto k = knowledge({-2, 0, 0}, {2, 0}, 10.0);
  k.mates.push_back(mate(1, Role::Goalie, {-4, 0, 0}, 20.0, 10.0));
  k.mates.push_back(mate(3, Role::Striker, {1.5, 0, 0}, 1.0, 10.0));
  k.mates.push_back(mate(4, Role::Supporter, {0.5, 1, 0}, 5.0, 10.0));
  EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Defender);
  k.personal.pose.pose.x = 1.5;
  memory = Memory();
  EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Supporter);
}

TEST(Roles, WithoutAKeeperTheSecondOneDefends) {
  TacticsParams params;
  params.goalie_number = 0;
  Memory memory;
  auto k = knowledge({-1, 0, 0}, {2, 0}, 10.0);
  k.mates.push_back(mate(3, Role::Striker, {1.5, 0, 0}, 1.0, 10.0));
  EXPECT_EQ(role_of(k, params, memory, 10.0), Role::Defender);
}

TEST(Roles, APersonsWordCounts) {
  TacticsParams params;
  params.role = Role::Supporter;
  Memory memory;
  EXPECT_EQ(role_of(knowledge({0, 0, 0}, {0.3, 0}, 10.0), params, memory, 10.0), Role::Supporter);
}

TEST(Roles, MatesOfOtherTeamsWithoutTimesAreEstimated) {
  TacticsParams params;
  Memory memory;
  auto k = knowledge({-3, 0, 0}, {1, 0}, 10.0);
  k.mates.push_back(mate(3, Role::Other, {0.7, 0, 0}, 0.0, 10.0));
  k.mates[0].time_to_ball.reset();
  EXPECT_NE(role_of(k, params, memory, 10.0), Role::Striker);
}

TEST(Roles, AMateThatClaimsOnFromFarAwayDoesNotKeepTheNearestFromTheBall) {
  // It is mirrored, deaf, or of another team with roles by number.
  for (const int number : {2, 4}) {
    TacticsParams params;
    Memory memory;
    int striking = 0;
    for (int tick = 0; tick < 260; ++tick) {
      const double now = 10.0 + 0.05 * tick;
      auto k = knowledge({0, 0, 0}, {0.7, 0}, now);
      k.game.own_player = number;
      k.mates = {mate(1, Role::Goalie, {-4, 0, 0}, 20.0, now), mate(3, Role::Striker, {-3, 1, M_PI}, 6.0, now)};
      if (role_of(k, params, memory, now) == Role::Striker && now >= 17.0) ++striking;
    }
    EXPECT_EQ(striking, 120) << "number " << number;
  }
}

/// Three field players, a ball that is kicked about; messages at 5 Hz, delayed and lost.
struct TeamGame {
  double longest_two = 0.0, longest_none = 0.0;

  TeamGame(unsigned seed, double loss) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const auto in = [&](double low, double high) { return low + (high - low) * unit(random); };
    TacticsParams params;
    params.goalie_number = 0;
    constexpr int kRobots = 3;
    std::array<Pose2, kRobots> poses;
    std::array<Memory, kRobots> memories;
    std::array<Role, kRobots> roles{};
    std::array<double, kRobots> times{};
    std::array<std::array<std::optional<hl_soccer::TeamMate>, kRobots>, kRobots> heard;
    struct Flying {
      double due;
      int to;
      hl_soccer::TeamMate word;
    };
    std::vector<Flying> air;
    for (auto& pose : poses) pose = {in(-4, 4), in(-2.5, 2.5), in(-3, 3)};
    Vector2d ball(0, 0);
    double next_kick = 0.0, two_since = -1.0, none_since = -1.0;
    std::array<double, kRobots> next_word{};
    for (double now = 100.0; now < 160.0; now += 0.1) {
      if (now > 100.0 + next_kick) {
        ball = {in(-4, 4), in(-2.5, 2.5)};
        next_kick += in(6.0, 12.0);
      }
      for (const auto& flying : air) {
        if (flying.due > now) continue;
        auto& known = heard[static_cast<std::size_t>(flying.to)][static_cast<std::size_t>(flying.word.number - 1)];
        if (!known || known->stamp < flying.word.stamp) known = flying.word;  // overtaken words are dropped
      }
      air.erase(std::remove_if(air.begin(), air.end(), [now](const auto& f) { return f.due <= now; }), air.end());
      int strikers = 0;
      for (std::size_t r = 0; r < kRobots; ++r) {
        std::normal_distribution<double> noise(0.0, 0.1);
        auto k = knowledge(poses[r], ball + Vector2d(noise(random), noise(random)), now);
        k.game.own_player = static_cast<int>(r) + 1;
        for (const auto& word : heard[r])
          if (word) k.mates.push_back(*word);
        Reasons reasons;
        const Situation s = assess(k, params, now);
        roles[r] = choose_role(s, params, memories[r], reasons);
        times[r] = s.time_to_ball;
        strikers += roles[r] == Role::Striker ? 1 : 0;
        const Vector2d target = roles[r] == Role::Striker ? ball : Vector2d(ball + Vector2d(-1.5, r == 0 ? 1.0 : -1.0));
        const Vector2d way = target - poses[r].position();
        if (way.norm() > 0.2) {
          poses[r].x += 0.03 * way.normalized().x();
          poses[r].y += 0.03 * way.normalized().y();
          poses[r].yaw = std::atan2(way.y(), way.x());
        }
        if (now >= next_word[r]) {
          next_word[r] = now + 0.2;
          for (int to = 0; to < kRobots; ++to)
            if (to != static_cast<int>(r) && unit(random) > loss)
              air.push_back(
                  {now + in(0.05, 0.5), to, mate(static_cast<int>(r) + 1, roles[r], poses[r], times[r], now)});
        }
      }
      if (now < 102.0) continue;  // nobody has heard of anybody yet
      if (strikers < 2) two_since = -1.0;
      if (strikers > 0) none_since = -1.0;
      if (strikers >= 2 && two_since < 0.0) two_since = now;
      if (strikers == 0 && none_since < 0.0) none_since = now;
      if (two_since > 0.0) longest_two = std::max(longest_two, now - two_since);
      if (none_since > 0.0) longest_none = std::max(longest_none, now - none_since);
    }
  }
};

TEST(Roles, TwoStrikersOrNoneNeverLastTwoSecondsWithAThirdOfTheMessagesLost) {
  const unsigned games = static_cast<unsigned>(hl_testing::count(200, 2000));
  for (unsigned seed = 0; seed < games; ++seed) {
    const TeamGame game(seed, 0.3);
    EXPECT_LE(game.longest_two, 2.0) << "seed " << seed;
    EXPECT_LE(game.longest_none, 2.0) << "seed " << seed;
  }
}

}  // namespace
