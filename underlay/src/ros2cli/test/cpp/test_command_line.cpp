// SPDX-License-Identifier: Apache-2.0
// The option parser, hints, and the statistics behind `hz` and `bw`.
#include <gtest/gtest.h>

#include "hints.hpp"
#include "rate_window.hpp"
#include "verb.hpp"

namespace ros2cli {
namespace {

struct Outcome {
  int code = 0;
  Arguments arguments;
  std::string errors;
  std::string output;
};

Outcome run(const std::vector<std::string>& words) {
  Outcome outcome;
  const Command command(
      "test", "A test.",
      {{"go",
        "TOPIC [TYPE]",
        "goes",
        {{"rate", 'r', "HZ", "how often"}, {"once", '1', "", "only once"}, {"tag", 't', "TEXT", "repeatable"}},
        [&](const Arguments& arguments) {
          outcome.arguments = arguments;
          return 5;
        }},
       {"many", "A [...]", "takes many", {}, [](const Arguments& a) {
          return static_cast<int>(a.positional.size());
        }}});
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  outcome.code = command.run(words);
  outcome.output = testing::internal::GetCapturedStdout();
  outcome.errors = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST(Verb, SortsOptionsAndArguments) {
  const auto outcome = run({"go", "-r", "2.5", "/a", "--once", "-tx", "--tag=y=z", "pkg/msg/T"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_EQ(outcome.arguments.positional, (std::vector<std::string>{"/a", "pkg/msg/T"}));
  EXPECT_EQ(outcome.arguments.number("rate", 1.0), 2.5);
  EXPECT_TRUE(outcome.arguments.flag("once"));
  EXPECT_EQ(outcome.arguments.values("tag"), (std::vector<std::string>{"x", "y=z"}));
}

TEST(Verb, NegativeNumbersAreValuesUnlessAnOptionHasThatLetter) {
  EXPECT_EQ(run({"many", "-5", "-.5"}).code, 2);
  EXPECT_TRUE(run({"go", "-1", "/a"}).arguments.flag("once"));
  EXPECT_EQ(run({"many", "--", "-x", "--y"}).code, 2);
}

TEST(Verb, ErrorsHelp) {
  EXPECT_NE(run({"goo", "/a"}).errors.find("did you mean 'go'"), std::string::npos);
  EXPECT_NE(run({"go", "/a", "--onec"}).errors.find("did you mean '--once'"), std::string::npos);
  EXPECT_NE(run({"go"}).errors.find("usage: ros2 test go"), std::string::npos);
  EXPECT_NE(run({"go", "a", "b", "c"}).errors.find("'c' is one argument too many"), std::string::npos);
  EXPECT_NE(run({"go", "a", "-r"}).errors.find("needs a value: HZ"), std::string::npos);
  EXPECT_NE(run({"go", "a", "--once=1"}).errors.find("takes no value"), std::string::npos);
  EXPECT_EQ(run({"go", "a", "--bad"}).code, 1);
  EXPECT_THROW(run({"go", "a", "-r", "fast"}).arguments.number("rate", 1), CommandError);
  EXPECT_THROW(run({"go", "a", "-r", "-3"}).arguments.number("rate", 1), CommandError);
}

TEST(Verb, Help) {
  EXPECT_NE(run({"--help"}).output.find("  go          goes"), std::string::npos);
  EXPECT_NE(run({"go", "--help"}).output.find("-r, --rate HZ"), std::string::npos);
  EXPECT_EQ(run({"go", "--help"}).code, 0);
  EXPECT_EQ(run({}).code, 2);
}

TEST(Hints, OnlyCloseNames) {
  EXPECT_EQ(did_you_mean("/cmdvel", {"/odom", "/cmd_vel"}), "; did you mean '/cmd_vel'?");
  EXPECT_EQ(did_you_mean("/cmd_vle", {"/cmd_vel"}), "; did you mean '/cmd_vel'?");
  EXPECT_EQ(did_you_mean("/imu", {"/joint_states"}), "");
}

TEST(RateWindow, MeanAndSpread) {
  RateWindow window(100);
  EXPECT_FALSE(window.rate());
  for (int i = 0; i < 11; ++i) window.add(0.1 * i, 100);
  const auto rate = window.rate();
  ASSERT_TRUE(rate);
  EXPECT_NEAR(rate->mean, 10.0, 1e-9);
  EXPECT_NEAR(rate->deviation, 0.0, 1e-9);
  EXPECT_EQ(rate->count, 11u);
  EXPECT_NEAR(window.bandwidth(1.1)->bytes_per_second, 1000.0, 1e-6);
}

TEST(RateWindow, ForgetsTheOldAndSurvivesATimeJump) {
  RateWindow window(3);
  for (const double time : {0.0, 5.0, 10.0, 10.1, 10.2}) window.add(time, 1);
  EXPECT_NEAR(window.rate()->mean, 10.0, 1e-6);
  window.add(1.0, 1);
  EXPECT_FALSE(window.rate());
}

}  // namespace
}  // namespace ros2cli
