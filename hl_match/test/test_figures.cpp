// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_match/figures.hpp"

using namespace hl_match;

TEST(Figures, AShareOfAlikeEventsIsLessSureThanOneOfManyTrials) {
  const Figure alike = share_in("", {{100, 100}, {0, 100}, {100, 100}, {100, 100}});
  const Figure apart = share_of("", 300, 400);
  EXPECT_DOUBLE_EQ(alike.value, 75.0);
  EXPECT_LT(alike.low, apart.low - 10.0);
  EXPECT_GT(alike.high, apart.high + 10.0);
  EXPECT_LE(alike.high, 100.0);
}

TEST(Figures, AShareIsNeverSurerThanTheNumberOfItsEventsAllows) {
  const Figure figure = share_in("", {{10, 10}, {10, 10}});
  EXPECT_DOUBLE_EQ(figure.value, 100.0);
  EXPECT_LT(figure.low, 90.0);
  EXPECT_EQ(share_in("", {{1, 2}}).low, share_of("", 1, 2).low);
  EXPECT_TRUE(share_in("", {}).value != share_in("", {}).value) << "nothing was counted";
}

TEST(Figures, TheIntervalOfAQuantileStaysWithinWhatWasMeasured) {
  const Figure figure = quantile_of("", {{0.1, 0.1, 0.1}, {0.1, 0.2}, {5.0}}, 0.5, "m");
  EXPECT_NEAR(figure.value, 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(figure.low, 0.1);
  EXPECT_LE(figure.high, 5.0);
}

TEST(Figures, ARateHasTheExactIntervalOfItsCount) {
  const Figure none = rate_of("", 0, 10, ""), three = rate_of("", 3, 10, "");
  EXPECT_EQ(none.low, 0.0);
  EXPECT_NEAR(none.high, 0.369, 0.001);
  EXPECT_NEAR(three.low, 0.062, 0.001);
  EXPECT_NEAR(three.value, 0.3, 1e-9);
  EXPECT_NEAR(three.high, 0.877, 0.001);
}

TEST(Figures, WhatOneTrialCannotTellIsADash) {
  const std::string table = hl_match::figure_table(
      "evaluate", "seeds", {hl_match::mean_of("way", {1.5}, "m"), hl_match::mean_of("none", {}, "m")});
  EXPECT_NE(table.find("| way | 1.50 m | - | 1 |"), std::string::npos) << table;
  EXPECT_NE(table.find("| none | - | - | 0 |"), std::string::npos) << table;
}
