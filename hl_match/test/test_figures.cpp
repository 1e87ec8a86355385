// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "hl_match/figures.hpp"
#include "hl_match/kept_trials.hpp"

using namespace hl_match;

namespace {
std::string empty_file(const char* name) {
  const std::string path = testing::TempDir() + name;
  std::remove(path.c_str());
  return path;
}
}  // namespace

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

TEST(KeptTrials, WhatWasKeptIsThereInTheNextRun) {
  const std::string path = empty_file("kept_next_run.txt");
  {
    KeptTrials first(path, "vision, minibot");
    EXPECT_FALSE(first.find(7));
    first.keep(7, {{"robots", {3, 5}}, {"errors", {0.1, -2e-9}}, {"nothing", {}}});
    first.keep(8, {});
  }
  const KeptTrials next(path, "vision, minibot");
  const auto record = next.find(7);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->at("robots"), (std::vector<double>{3, 5}));
  EXPECT_EQ(record->at("errors"), (std::vector<double>{0.1, -2e-9}));
  EXPECT_TRUE(record->at("nothing").empty());
  EXPECT_TRUE(next.find(8));
  EXPECT_FALSE(next.find(9));
}

TEST(KeptTrials, ATrialThatWasCutOffIsRunAgain) {
  const std::string path = empty_file("kept_cut.txt");
  KeptTrials(path, "vision").keep(1, {{"a", {1}}});
  std::ofstream(path, std::ios::app) << "2 a 1 5 b 3 1 2";
  KeptTrials next(path, "vision");
  EXPECT_FALSE(next.find(2));
  next.keep(3, {{"a", {4}}});
  const KeptTrials last(path, "vision");
  EXPECT_TRUE(last.find(1));
  EXPECT_FALSE(last.find(2));
  EXPECT_TRUE(last.find(3));
}

TEST(KeptTrials, AFileOfSomethingElseIsRefused) {
  const std::string path = empty_file("kept_else.txt");
  KeptTrials(path, "vision").keep(1, {});
  EXPECT_THROW(KeptTrials(path, "camera"), std::runtime_error);
  EXPECT_THROW(KeptTrials("/no/such/folder/kept.txt", "vision"), std::runtime_error);
}
