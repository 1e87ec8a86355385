// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rcutils/logging.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "hl_testing/process.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/detail/arguments.hpp"
#include "rclcpp/detail/log_output.hpp"
#include "rclcpp/logging.hpp"

using namespace rclcpp;

namespace {

struct Line {
  int severity;
  std::string name, text, file, function;
  unsigned line;
};

/// Collects what is logged, with the console silent.
class Log : public testing::Test {
 protected:
  void SetUp() override {
    detail::set_default_log_level(RCUTILS_LOG_SEVERITY_INFO);
    detail::set_console_output(false);
    sink_ = detail::add_log_sink([this](const detail::LogRecord& record) {
      std::lock_guard<std::mutex> lock(mutex_);
      lines_.push_back({record.severity, record.name, record.message, record.file, record.function, record.line});
    });
  }
  void TearDown() override { detail::set_console_output(true); }

  size_t count() const { return lines_.size(); }

  Logger logger_ = get_logger("walker");
  std::vector<Line> lines_;
  std::mutex mutex_;
  std::shared_ptr<void> sink_;
};

/// What a message looks like on the console.
std::string console(void (*write)()) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  write();
  return testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
}

std::string without_digits(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }, '#');
  return text;
}

int evaluated = 0;
int count_evaluation() {
  return ++evaluated;
}
bool always() {
  return true;
}
bool never() {
  return false;
}

}  // namespace

TEST(Console, HasTheKnownFormat) {
  const auto text = console([] { RCLCPP_INFO(get_logger("robot.walker"), "step %d of %s", 3, "ten"); });
  EXPECT_EQ(without_digits(text), "[INFO] [##########.#########] [robot.walker]: step # of ten\n");
  const auto stream = console([] { RCLCPP_FATAL_STREAM(get_logger("a"), "x=" << 1.5); });
  EXPECT_EQ(without_digits(stream), "[FATAL] [##########.#########] [a]: x=#.#\n");
  const auto line = console([] { RCLCPP_WARN(get_logger("a"), "%s", std::string(5'000, 'x').c_str()); });
  EXPECT_NE(line.find(std::string(5'000, 'x')), std::string::npos) << "long texts are not cut";
}

/// Also run by the test below in processes of its own: the environment is read once, at the first message.
TEST(Console, SpeaksAtTheLevelsOfTheArguments) {
  detail::apply_log_arguments(
      detail::parse_arguments({"--ros-args", "--log-level", "error", "--log-level", "a.b:=debug"}));
  RCLCPP_WARN(get_logger("a"), "hidden");
  RCLCPP_DEBUG(get_logger("a.b.c"), "shown");
  detail::set_default_log_level(RCUTILS_LOG_SEVERITY_INFO);
}

TEST(Console, ObeysArgumentsAndEnvironment) {
  const auto child = [](const hl_testing::Process::Environment& environment) {
    hl_testing::Process process({"/proc/self/exe", "--gtest_filter=Console.SpeaksAtTheLevelsOfTheArguments"},
                                environment);
    EXPECT_EQ(process.wait(), 0);
    return process.output();
  };
  const auto plain = child({});
  EXPECT_NE(plain.find("[a.b.c]: shown\n"), std::string::npos) << plain;
  EXPECT_EQ(plain.find("hidden"), std::string::npos) << plain;
  const auto own = child({{"RCUTILS_CONSOLE_OUTPUT_FORMAT", "<{severity}|{name}|{message}|{function_name}>"}});
  EXPECT_NE(own.find("<DEBUG|a.b.c|shown|TestBody>\n"), std::string::npos) << own;
  const auto coloured = child({{"RCUTILS_COLORIZED_OUTPUT", "1"}});
  EXPECT_NE(coloured.find("\033["), std::string::npos) << coloured;
}

TEST_F(Log, CarriesLevelNameTextAndPlace) {
  RCLCPP_ERROR(logger_, "bus lost");
  ASSERT_EQ(count(), 1u);
  EXPECT_EQ(lines_[0].severity, 40);
  EXPECT_EQ(lines_[0].name, "walker");
  EXPECT_EQ(lines_[0].text, "bus lost");
  EXPECT_NE(lines_[0].file.find("test_logging.cpp"), std::string::npos);
  EXPECT_EQ(lines_[0].function, "TestBody");
  EXPECT_GT(lines_[0].line, 0u);
}

TEST_F(Log, DisabledMessagesDoNotEvaluateTheirArguments) {
  RCLCPP_DEBUG(logger_, "%d", count_evaluation());
  RCLCPP_DEBUG_STREAM(logger_, count_evaluation());
  EXPECT_EQ(evaluated, 0);
  EXPECT_EQ(count(), 0u);
}

TEST_F(Log, LevelsAreInheritedAlongTheName) {
  auto parent = get_logger("levels");
  auto child = parent.get_child("zmp");
  auto grandchild = child.get_child("filter");
  EXPECT_STREQ(grandchild.get_name(), "levels.zmp.filter");
  const auto all = [&] {
    lines_.clear();
    RCLCPP_DEBUG(parent, "parent");
    RCLCPP_DEBUG(child, "child");
    RCLCPP_DEBUG(grandchild, "grandchild");
    return count();
  };
  EXPECT_EQ(all(), 0u);
  child.set_level(Logger::Level::Debug);
  EXPECT_EQ(all(), 2u);
  grandchild.set_level(Logger::Level::Error);
  EXPECT_EQ(all(), 1u);
  grandchild.set_level(Logger::Level::Unset);
  EXPECT_EQ(all(), 2u);
  detail::set_log_level("levels", 10);
  EXPECT_EQ(all(), 3u);
  detail::set_log_level("levels", 0);
  child.set_level(Logger::Level::Unset);
  detail::set_default_log_level(RCUTILS_LOG_SEVERITY_DEBUG);
  EXPECT_EQ(all(), 3u);
}

TEST_F(Log, ConditionsAndRepetition) {
  for (int i = 0; i < 5; ++i) {
    RCLCPP_INFO_ONCE(logger_, "once");
    RCLCPP_INFO_STREAM_ONCE(logger_, "once " << i);
    RCLCPP_INFO_SKIPFIRST(logger_, "skipfirst");
    RCLCPP_INFO_EXPRESSION(logger_, i == 2, "expression");
    RCLCPP_INFO_STREAM_EXPRESSION(logger_, i == 2, "expression " << i);
    RCLCPP_INFO_FUNCTION(logger_, &always, "function");
    RCLCPP_INFO_STREAM_FUNCTION(logger_, never, "function");
  }
  const auto occurrences = [&](const std::string& text) {
    return std::count_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.text == text; });
  };
  EXPECT_EQ(occurrences("once"), 1);
  EXPECT_EQ(occurrences("once 0"), 1);
  EXPECT_EQ(occurrences("skipfirst"), 4);
  EXPECT_EQ(occurrences("expression"), 1);
  EXPECT_EQ(occurrences("expression 2"), 1);
  EXPECT_EQ(occurrences("function"), 5);
}

TEST_F(Log, ThrottleFollowsTheClockAlsoWhenItIsSetBack) {
  Clock clock(RCL_ROS_TIME);
  detail::ClockOverride::enable(clock);
  std::vector<int> written, skipped;
  const auto at = [&](int milliseconds) {
    detail::ClockOverride::set(clock, milliseconds * 1'000'000LL);
    const size_t before = count();
    RCLCPP_WARN_THROTTLE(logger_, clock, 100, "t");
    if (count() > before) {
      written.push_back(milliseconds);
    }
    const size_t then = count();
    RCLCPP_WARN_STREAM_SKIPFIRST_THROTTLE(logger_, clock, 100, "s");
    if (count() > then) {
      skipped.push_back(milliseconds);
    }
  };
  for (const int t : {0, 50, 99, 100, 150, 210, 10, 60, 110}) {
    at(t);
  }
  EXPECT_EQ(written, (std::vector<int>{0, 100, 210, 10, 110}));
  EXPECT_EQ(skipped, (std::vector<int>{50, 150, 10, 110}));
}

TEST_F(Log, MacrosAreSingleStatements) {
  if (count() == 1)
    RCLCPP_INFO(logger_, "a");
  else
    RCLCPP_WARN_ONCE(logger_, "b");
  ASSERT_EQ(count(), 1u);
  EXPECT_EQ(lines_[0].text, "b");
}

TEST_F(Log, WhatASinkLogsDoesNotComeBackToIt) {
  int calls = 0;
  auto second = detail::add_log_sink([&](const detail::LogRecord&) {
    ++calls;
    RCLCPP_ERROR(get_logger("sink"), "again");
  });
  RCLCPP_INFO(logger_, "one");
  EXPECT_EQ(calls, 1);
  second.reset();
  RCLCPP_INFO(logger_, "two");
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(count(), 2u);
}

TEST_F(Log, RcutilsMessagesTakeTheSameWay) {
  static const rcutils_log_location_t place{"f", "x.c", 7};
  rcutils_log(&place, RCUTILS_LOG_SEVERITY_WARN, "from_c", "value %d", 5);
  ASSERT_EQ(count(), 1u);
  EXPECT_EQ(lines_[0].text, "value 5");
  EXPECT_EQ(lines_[0].name, "from_c");
}

TEST_F(Log, LevelNames) {
  EXPECT_EQ(detail::log_level_from_string("debug"), 10);
  EXPECT_EQ(detail::log_level_from_string("FATAL"), 50);
  EXPECT_THROW(detail::log_level_from_string("loud"), std::invalid_argument);
  EXPECT_THROW(detail::log_level_from_string(""), std::invalid_argument);
}

TEST_F(Log, ManyThreadsLogAndChangeLevels) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      auto logger = get_logger("threads.n" + std::to_string(t % 2));
      for (int i = 0; i < 300; ++i) {
        RCLCPP_INFO(logger, "%d", i);
        RCLCPP_DEBUG_STREAM(logger, i);
        logger.set_level(i % 2 ? Logger::Level::Debug : Logger::Level::Info);
        const auto sink = detail::add_log_sink([](const detail::LogRecord&) {});
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_GE(count(), 4u * 300u);
}
