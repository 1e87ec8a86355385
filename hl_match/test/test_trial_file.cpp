// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "hl_match/evaluations.hpp"
#include "hl_match/trial_file.hpp"

namespace hl_match {
namespace {

struct Measured {
  bool reached = false;
  std::vector<double> errors;
  std::vector<std::vector<double>> rows;
  std::optional<double> crossing, none;
  std::size_t flips = 0;
};

void exchange(TrialValues& values, Measured& run) {
  values(run.reached);
  values(run.errors);
  values(run.rows);
  values(run.crossing);
  values(run.none);
  values(run.flips);
}

class TrialFileTest : public testing::Test {
 protected:
  TrialFileTest()
      : path_(testing::TempDir() + "trials_" + testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::remove(path_.c_str());
  }
  ~TrialFileTest() override { std::remove(path_.c_str()); }
  std::string path_;
};

TEST(TrialValues, GiveBackWhatTheyTook) {
  Measured run{true, {0.1, std::nan("")}, {{1.0 / 3.0}, {}}, 2.5, std::nullopt, 3}, back;
  TrialValues taken;
  taken(run);
  TrialValues given(taken.numbers());
  given(back);
  given.end();
  EXPECT_TRUE(back.reached);
  EXPECT_EQ(back.errors[0], 0.1);
  EXPECT_TRUE(std::isnan(back.errors[1]));
  EXPECT_EQ(back.rows, run.rows);
  EXPECT_EQ(back.crossing, run.crossing);
  EXPECT_FALSE(back.none);
  EXPECT_EQ(back.flips, 3u);
}

TEST(TrialValues, OfAnotherVersionAreRefused) {
  Measured run;
  EXPECT_THROW(TrialValues({1.0, 1e9})(run), std::runtime_error);
  TrialValues more(std::vector<double>(20, 0.0));
  more(run);
  EXPECT_THROW(more.end(), std::runtime_error);
}

TEST_F(TrialFileTest, KeepsTrialsToTheLastBit) {
  const std::vector<double> numbers{1.0 / 3.0, -1e-300, std::nan(""), INFINITY, 7.0};
  TrialFile(path_, "minibot").add("walk about", 40000, numbers);
  TrialFile file(path_, "minibot");
  const auto* found = file.find("walk about", 40000);
  ASSERT_NE(found, nullptr);
  ASSERT_EQ(found->size(), numbers.size());
  EXPECT_EQ((*found)[0], numbers[0]);
  EXPECT_EQ((*found)[1], numbers[1]);
  EXPECT_TRUE(std::isnan((*found)[2]));
  EXPECT_EQ(file.find("walk about", 40001), nullptr);
  EXPECT_EQ(file.find("walk", 40000), nullptr);
}

TEST_F(TrialFileTest, OfAnotherSettingIsRefused) {
  TrialFile(path_, "minibot").add("walk", 1, {1.0});
  EXPECT_THROW(TrialFile(path_, "darwin_op"), std::runtime_error);
}

TEST_F(TrialFileTest, ATrialCutOffInTheMiddleIsRunAgain) {
  TrialFile(path_, "minibot").add("walk", 1, {1.0});
  std::ofstream(path_, std::ios::app) << "walk\t2 0.5 0.";
  TrialFile file(path_, "minibot");
  EXPECT_NE(file.find("walk", 1), nullptr);
  EXPECT_EQ(file.find("walk", 2), nullptr);
}

TEST_F(TrialFileTest, AnEvaluationRunsEachSeedOnceAndMergesTheParts) {
  EvaluationOptions options;
  options.keep = path_;
  options.seed = 7;
  int runs = 0;
  const auto run = [&](std::uint64_t seed) {
    ++runs;
    return static_cast<double>(seed);
  };
  EXPECT_EQ(EvaluationContext(options).results<double>("kind", 2, run), (std::vector<double>{7.0, 8.0}));
  EXPECT_EQ(EvaluationContext(options).results<double>("kind", 4, run), (std::vector<double>{7.0, 8.0, 9.0, 10.0}));
  EXPECT_EQ(runs, 4);
  options.minutes = 1e-9;
  EXPECT_THROW(EvaluationContext(options).results<double>("other", 2, run), Unfinished);
  EXPECT_EQ(runs, 4) << "no trial was begun after the time was over";
}

}  // namespace
}  // namespace hl_match
