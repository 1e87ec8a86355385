// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_match/installed.hpp"
#include "hl_match/minds.hpp"
#include "hl_match/observer.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

Match::Params game(int players, std::uint64_t seed) {
  auto params = installed_match();
  params.players = {players, players};
  params.seed = seed;
  hl_game_controller::Referee::Params referee;
  referee.rules.players_per_team = players;
  params.referee = referee;
  params.mind = our_minds(params);
  return params;
}

}  // namespace

TEST(Play, RobotsKnowWhereTheyAreAndWalkToTheirPlaces) {
  Match match(game(2, 3));
  ASSERT_TRUE(match.run(25.0));
  for (std::size_t i = 0; i < match.size(); ++i) {
    const auto& mind = dynamic_cast<const hl_player::Mind&>(*match.player(i).mind());
    const auto truth = match.true_pose(i);
    EXPECT_TRUE(mind.localization().belief.known());
    EXPECT_LT((mind.localization().belief.pose.position() - truth.position()).norm(), 0.6) << "robot " << i;
    EXPECT_LT(std::abs(truth.y), 2.6) << "robot " << i << " has come onto the field";
  }
  EXPECT_EQ(match.timeline().count(Severity::Failure), 0U);
}

TEST(Play, ThinkingRobotsGiveTheSameBitsOnTwoThreads) {
  auto params = game(1, 4);
  const auto positions = [&params] {
    Match match(params);
    match.run(9.0);
    return match.simulation().positions();
  };
  const auto first = positions();
  params.threads = 2;
  EXPECT_EQ(positions(), first);
}
