// SPDX-License-Identifier: Apache-2.0
// Options of ./play that do not belong together, or make no sense, get an answer before anything is built or started.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

namespace {

struct Wrong {
  std::vector<std::string> options;
  const char* answer;
};

}  // namespace

TEST(PlayOptions, WrongOnesGetAnAnswer) {
  if (!std::filesystem::exists(PLAY)) GTEST_SKIP() << "this package stands alone, without ./play";
  const std::vector<Wrong> wrong{
      {{"--frob"}, "unknown option '--frob'"},
      {{"--teams"}, "--teams needs a number"},
      {{"--teams", "7"}, "1 to 4"},
      {{"--minutes", "x"}, "minutes of simulated time"},
      {{"--minutes", "0"}, "a game of no time"},
      {{"--minutes", "600"}, "a game lasts 500 at most"},
      {{"--goals", "-1"}, "a number of goals"},
      {{"--vision", "red"}, "blue, all or none"},
      {{"--seed", "99999999999"}, "seeds go up to"},
      {{"--seconds", "5"}, "--seconds belongs to --show"},
      {{"--show", "--seconds", "0"}, "a game of no time"},
      {{"--show", "--teams", "2"}, "--teams belongs to a match"},
      {{"--show", "--record"}, "--record belongs to a match"},
      {{"--teleop", "--vision", "all"}, "--vision belongs to a match"},
      {{"--show", "--teleop"}, "exclude each other"},
      {{"--task", "/nowhere.rtdl"}, "there is no such file"},
      {{"--robot", "nobody"}, "there is no robot 'nobody'; there are: "},
      {{"--view"}, "--view needs a display"},
  };
  for (const auto& one : wrong) {
    std::vector<std::string> command{"/bin/bash", PLAY};
    command.insert(command.end(), one.options.begin(), one.options.end());
    hl_testing::Process play(command, {{"DISPLAY", ""}});
    EXPECT_EQ(play.wait(std::chrono::seconds(60)), 1) << one.answer << play.output();
    EXPECT_NE(play.output().find(one.answer), std::string::npos) << one.answer << "\n" << play.output();
  }
}

// The function of ./play alone, with a ros2 that only tells what it was given.
TEST(PlayFilms, BeginTwentySecondsBeforeTheGoal) {
  if (!std::filesystem::exists(PLAY)) GTEST_SKIP() << "this package stands alone, without ./play";
  const struct {
    const char *result, *asked;
  } games[] = {{R"("simulated": 177.72, "real": 291.5, "began": 0.5, "goal": 175.2)",
                "--from 155.2 --to 177.2 --origin 0.5 --strip output/film_strip.png "
                "--report output/match_report.html --out output/goal.mp4"},
               {R"("simulated": 600.5, "real": 700, "began": 0.5, "goal": null)",
                "--from 579 --to 601 --origin 0.5 --strip output/film_strip.png --report output/match_report.html"},
               {R"("simulated": 9.5, "real": 20, "began": 0.5, "goal": null)", "--from 0 --to 10 --origin 0.5"}};
  for (const auto& game : games) {
    const hl_testing::TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "output");
    std::ofstream(folder.path() / "output/match_events.jsonl") << "{\"result\": [0, 1], " << game.result << "}\n";
    const std::string script = "cd '" + folder.path().string() +
                               "' && . <(sed -n '/^cut_films() {/,/^}/p' '" PLAY
                               "') && ros2() { echo \"$@\"; } && cut_films && echo left: *";
    hl_testing::Process cut({"/bin/bash", "-c", script});
    EXPECT_EQ(cut.wait(std::chrono::seconds(60)), 0) << cut.output();
    EXPECT_NE(cut.output().find(game.asked), std::string::npos) << cut.output();
    EXPECT_NE(cut.output().find("left: output\n"), std::string::npos) << cut.output();
  }
}

TEST(PlayOptions, HelpNamesEveryOption) {
  if (!std::filesystem::exists(PLAY)) GTEST_SKIP() << "this package stands alone, without ./play";
  hl_testing::Process help({"/bin/bash", PLAY, "--help"});
  EXPECT_EQ(help.wait(std::chrono::seconds(60)), 0);
  for (const char* option : {"--teams", "--minutes", "--goals", "--vision", "--task", "--record", "--show", "--seconds",
                             "--teleop", "--bus", "--robot", "--seed", "--headless", "--no-film", "--view", "--web"})
    EXPECT_NE(help.output().find(option), std::string::npos) << option;
}
