// SPDX-License-Identifier: Apache-2.0
// A short game over the real nodes, started as a person starts it. The world waits for the robots (lock-step), so that
// the outcome does not depend on the machine's speed.
#include <gtest/gtest.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"

using hl_testing::Process;

namespace {

using std::chrono::minutes;
using std::chrono::seconds;

/// The end of a text: what went wrong stands there.
std::string tail(const std::string& text) {
  constexpr std::size_t kLength = 4000;
  return text.size() > kLength ? text.substr(text.size() - kLength) : text;
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("hl_match_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST(Match, TwoTeamsWalkInAndKickOffWithoutAFallAsTheContractSays) {
  hl_testing::isolate();
  const Folder folder;
  Process world({"ros2", "launch", "hl_bringup", "match.launch.xml", "ready_time:=14.0",
                 "referee_log:=" + folder.file("referee.jsonl")});
  Process commentator({"ros2", "run", "hl_bringup", "commentator", "--referee-log", folder.file("referee.jsonl"),
                       "--minutes", "0.4", "--goals", "0", "--report", folder.file("report.html"), "--events",
                       folder.file("events.jsonl"), "--patience", "400"});
  ASSERT_EQ(commentator.wait(minutes(20)), 0) << tail(commentator.output()) << tail(world.output());
  const std::string told = commentator.output();
  for (const char* line : {"ready: both teams walk", "set: everybody stands still", "kick-off for blue", "x real time"})
    EXPECT_NE(told.find(line), std::string::npos) << line << "\n" << told;
  for (const char* line : {" falls", "FAILURE", "penalised"})
    EXPECT_EQ(told.find(line), std::string::npos) << line << "\n" << told;

  std::ifstream events(folder.file("events.jsonl"));
  std::string line, last;
  while (std::getline(events, line)) last = line;
  const auto result = YAML::Load(last);
  EXPECT_TRUE(result["well"].as<bool>()) << last;
  EXPECT_EQ(result["ways"].size(), 4U) << last;
  for (const auto& way : result["ways"])
    EXPECT_GT(way.second.as<double>(), 0.5) << way.first << " did not walk in\n" << last;
  EXPECT_GT(std::filesystem::file_size(folder.file("report.html")), 5000U);

  Process contract({"ros2", "run", "hl_bringup", "check_contract", "--patience", "120"});
  EXPECT_EQ(contract.wait(seconds(240)), 0) << tail(contract.output());
  for (const char* robot : {"/blue1: ", "/blue2: ", "/red1: ", "/red2: "})
    EXPECT_NE(contract.output().find(robot), std::string::npos) << contract.output();
  Process check({"ros2", "run", "hl_bringup", "check", "--namespace", "blue2", "--no-camera", "--seconds", "6"});
  EXPECT_EQ(check.wait(seconds(120)), 0) << tail(check.output());
  EXPECT_TRUE(world.stop(seconds(60)).has_value());
}

TEST(Match, WithoutRobotsTheCommentatorSaysWhatIsMissing) {
  hl_testing::isolate();
  Process commentator({"ros2", "run", "hl_bringup", "commentator", "--referee-log", "/nowhere", "--patience", "1"});
  EXPECT_EQ(commentator.wait(seconds(120)), 1) << commentator.output();
  EXPECT_NE(commentator.output().find("the match cannot begin: still waiting for the simulator"), std::string::npos)
      << commentator.output();
  Process wrong({"ros2", "run", "hl_bringup", "commentator", "--players", "9"});
  EXPECT_EQ(wrong.wait(seconds(120)), 2) << wrong.output();
}
