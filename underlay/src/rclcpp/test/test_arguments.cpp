// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "hl_testing/isolation.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "rclcpp/detail/arguments.hpp"
#include "rclcpp/exceptions.hpp"

using namespace rclcpp;
using detail::Arguments;
using detail::parse_arguments;

namespace {

using Words = std::vector<std::string>;

Arguments parse_ros(Words words) {
  words.insert(words.begin(), "--ros-args");
  return parse_arguments(words);
}

/// The text of the exception that these arguments cause.
std::string complaint(const Words& words) {
  try {
    parse_ros(words);
  } catch (const exceptions::RCLInvalidROSArgsError& error) {
    return error.what();
  }
  return "no complaint";
}

testing::AssertionResult mentions(const std::string& text, const std::string& part) {
  return (text.find(part) != std::string::npos ? testing::AssertionSuccess() : testing::AssertionFailure())
         << "'" << text << "'";
}

}  // namespace

TEST(Arguments, RosAndOthersAreTakenApart) {
  const Words line{"prog", "-x", "--ros-args", "-r", "a:=b", "--", "file", "--ros-args", "-p", "k:=1"};
  const auto arguments = parse_arguments(line);
  EXPECT_EQ(arguments.others, (Words{"prog", "-x", "file"}));
  ASSERT_EQ(arguments.remaps.size(), 1u);
  EXPECT_EQ(arguments.remaps[0].match, "a");
  EXPECT_EQ(arguments.remaps[0].replacement, "b");
  ASSERT_EQ(arguments.parameters.size(), 1u);
  EXPECT_EQ(detail::without_ros_arguments(line), arguments.others);
  EXPECT_EQ(detail::without_ros_arguments({"prog", "--", "a:=b"}), (Words{"prog", "--", "a:=b"}));
}

TEST(Arguments, ShortAndLongFormsAreTheSame) {
  const auto arguments = parse_ros({"--remap", "n:a:=b", "--param", "n:k:=1.5"});
  EXPECT_EQ(arguments.remaps[0].node, "n");
  EXPECT_EQ(arguments.parameters[0].node, "/n");
  EXPECT_EQ(arguments.parameters[0].name, "k");
  EXPECT_EQ(arguments.parameters[0].value, ParameterValue(1.5));
}

TEST(Arguments, ParametersWithoutANodeAreForAll) {
  const auto arguments = parse_ros({"-p", "a.b:=[1, 2]", "-p", "t:=a:=b", "-p", "url:='http://x'"});
  EXPECT_EQ(arguments.parameters[0].node, "/**");
  EXPECT_EQ(arguments.parameters[0].name, "a.b");
  EXPECT_EQ(arguments.parameters[0].value, ParameterValue(std::vector<int64_t>{1, 2}));
  EXPECT_EQ(arguments.parameters[1].value, ParameterValue("a:=b"));
  EXPECT_EQ(arguments.parameters[2].value, ParameterValue("http://x"));
}

TEST(Arguments, LogLevelsAndSwitches) {
  const auto arguments = parse_ros({"--log-level", "WARN", "--log-level", "walker.zmp:=debug", "--disable-rosout-logs",
                                    "--disable-stdout-logs", "--enable-external-lib-logs", "-e", "/x"});
  EXPECT_EQ(arguments.log_level, 30);
  ASSERT_EQ(arguments.logger_levels.size(), 1u);
  EXPECT_EQ(arguments.logger_levels[0], std::make_pair(std::string("walker.zmp"), 10));
  EXPECT_FALSE(arguments.rosout_logs);
  EXPECT_FALSE(arguments.console_logs);
  EXPECT_TRUE(parse_ros({"--disable-rosout-logs", "--enable-rosout-logs"}).rosout_logs);
}

TEST(Arguments, ErrorsQuoteTheArgumentAndSayWhy) {
  EXPECT_TRUE(mentions(complaint({"-r"}), "'-r' needs a value"));
  EXPECT_TRUE(mentions(complaint({"-p", "--"}), "'-p' needs a value"));
  EXPECT_TRUE(mentions(complaint({"-r", "a=b"}), "'-r a=b': there is no ':='"));
  EXPECT_TRUE(mentions(complaint({"-r", ":=b"}), "no name before"));
  EXPECT_TRUE(mentions(complaint({"-r", "a:="}), "must not be empty"));
  EXPECT_TRUE(mentions(complaint({"-r", "a b:=c"}), "(character 2)"));
  EXPECT_TRUE(mentions(complaint({"-r", "__ns:=robot"}), "'robot' must start with a slash"));
  EXPECT_TRUE(mentions(complaint({"-r", "__node:=a/b"}), "'a/b' only letters"));
  EXPECT_TRUE(mentions(complaint({"-r", ":a:=b"}), "must not be empty"));
  EXPECT_TRUE(mentions(complaint({"-p", "k:="}), "there is no value"));
  EXPECT_TRUE(mentions(complaint({"-p", "k:={a: 1}"}), "a map is not a parameter value"));
  EXPECT_TRUE(mentions(complaint({"-p", "k:=[1, a]"}), "values of one type"));
  EXPECT_TRUE(mentions(complaint({"-p", "n::=1"}), "node:name:=value"));
  EXPECT_TRUE(mentions(complaint({"--log-level", "loud"}), "debug, info, warn, error or fatal"));
  EXPECT_TRUE(mentions(complaint({"--params-file", "/does/not/exist.yaml"}), "No such file"));
  EXPECT_TRUE(mentions(complaint({"--params-file", "/"}), "/: Is a directory"));
}

TEST(Arguments, UnknownOnesAreListedTogether) {
  try {
    parse_ros({"-r", "a:=b", "--speed", "--faster", "-p", "k:=1"});
    FAIL();
  } catch (const exceptions::UnknownROSArgsError& error) {
    EXPECT_EQ(error.unknown_ros_args, (Words{"--speed", "--faster"}));
  }
}

TEST(Arguments, FilesAndSingleParametersKeepTheirOrder) {
  const hl_testing::TemporaryFolder folder;
  const std::string path = folder.path() / "parameters.yaml";
  std::ofstream(path) << "/**:\n  ros__parameters:\n    k: 1\n    only_file: true\n";
  const auto value = [&](const Words& words) {
    return detail::overrides_for("/n", parse_ros(words).parameters).at("k");
  };
  EXPECT_EQ(value({"--params-file", path, "-p", "k:=2"}), ParameterValue(2));
  EXPECT_EQ(value({"-p", "k:=2", "--params-file", path}), ParameterValue(1));
  std::ofstream(path) << "/**:\n  ros__parameters:\n    k: [\n";
  EXPECT_TRUE(mentions(complaint({"--params-file", path}), path + ":4: not valid YAML"));
}

TEST(Arguments, AnyCommandLineIsParsedOrRefused) {
  const Words pieces{"--ros-args",  "--",        "-r",          "-p",
                     "--log-level", "a:=b",      "__ns:=/x",    "__node:=y",
                     ":=",          "n:a:=b",    "k:=[1, 2",    "k:=*a",
                     "info",        "x:=debug",  "rostopic://", "rostopic://a:=b",
                     "::=",         "",          "k:=\xff",     "--disable-rosout-logs",
                     "k:=&a [*a]",  "k:=!!str 1"};
  std::mt19937 random(11);
  const size_t runs = hl_testing::count(20'000, 2'000'000);
  for (size_t i = 0; i < runs; ++i) {
    Words line{"--ros-args"};
    for (size_t n = random() % 8; n > 0; --n) {
      std::string word = pieces[random() % pieces.size()];
      for (size_t m = random() % 3; m > 0 && !word.empty(); --m) {
        word[random() % word.size()] = static_cast<char>(random());
      }
      line.push_back(word);
    }
    try {
      const auto arguments = parse_arguments(line);
      EXPECT_LE(arguments.remaps.size() + arguments.parameters.size(), line.size());
    } catch (const exceptions::RCLInvalidROSArgsError&) {
    } catch (const exceptions::UnknownROSArgsError&) {
    }
  }
}
