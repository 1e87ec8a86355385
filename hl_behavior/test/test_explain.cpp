// SPDX-License-Identifier: Apache-2.0
// The program explain, over bags that are written here.
#include <gmock/gmock.h>

#include <fstream>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <rclcpp/time.hpp>

#include "hl_testing/bag_writer.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "robot_around.hpp"

using testing::HasSubstr;
using testing::Not;

namespace {

/// Three seconds of SET, then play, with the ball in front of the robot.
void record(const std::string& folder, const std::string& space) {
  hl_testing::BagWriter bag(folder + "/game_0.db3");
  constexpr double kBegin = 1000.0;
  for (int i = 0; i < 120; ++i) {
    const double time = kBegin + 0.05 * i;
    const rclcpp::Time stamp(static_cast<std::int64_t>(time * 1e9));
    msg::GameState game;
    game.header.stamp = stamp;
    game.referee_connected = true;
    game.own_player = 2;
    game.game_state = i < 60 ? msg::GameState::GAMESTATE_SET : msg::GameState::GAMESTATE_PLAYING;
    game.allowed_to_move = i >= 60;
    bag.write(space + "gamestate", game, time);
    msg::RobotControlState body;
    body.header.stamp = stamp;
    body.state = msg::RobotControlState::CONTROLLABLE;
    bag.write(space + "robot_state", body, time);
    bag.write(space + "personal_model", ball_ahead(stamp), time);
    if (i == 100) {
      msg::BehaviorDebug debug;
      debug.situation = "dropped ball: striker";
      bag.write(space + "behavior_debug", debug, time);
    }
  }
}

struct Answer {
  int code = -1;
  std::string text;
};
Answer explain(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{EXPLAIN};
  command.insert(command.end(), arguments.begin(), arguments.end());
  hl_testing::Process process(command);
  const int code = process.wait(std::chrono::seconds(120)).value_or(-1);
  return {code, process.output()};
}

TEST(Explain, SaysWhatWasDecidedAtATimeAndWhy) {
  hl_testing::TemporaryFolder folder;
  record(folder.path().string(), "/");
  const Answer before = explain({folder.path().string(), "--at", "2.0"});
  EXPECT_EQ(before.code, 0) << before.text;
  EXPECT_THAT(before.text, HasSubstr("at 2.00 s: set\n"));
  EXPECT_THAT(before.text, Not(HasSubstr("dropped ball: striker")));
  const Answer after = explain({folder.path().string(), "--at", "5.5"});
  EXPECT_EQ(after.code, 0) << after.text;
  EXPECT_THAT(after.text, HasSubstr("at 5.50 s: dropped ball: striker\n"));
  EXPECT_THAT(after.text, HasSubstr("striker because: nobody else is there"));
  EXPECT_THAT(after.text, HasSubstr("3.00 s  dropped ball: striker")) << "the history";
  EXPECT_THAT(after.text, HasSubstr("recorded: dropped ball: striker,  (the same)"));
}

TEST(Explain, FindsOneOfSeveralRobotsAndSaysWhenItIsNotThere) {
  hl_testing::TemporaryFolder folder;
  record(folder.path().string(), "/blue2/");
  EXPECT_EQ(explain({folder.path().string(), "--at", "5", "--robot", "blue2"}).code, 0);
  const Answer wrong = explain({folder.path().string(), "--at", "5", "--robot", "red1"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.text, HasSubstr("is --robot right?"));
}

TEST(Explain, NamesABagThatCannotBeRead) {
  hl_testing::TemporaryFolder folder;
  const Answer none = explain({folder.path().string() + "/none", "--at", "1"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.text, HasSubstr("does not exist"));
  EXPECT_EQ(explain({folder.path().string(), "--at", "1"}).code, 2) << "empty";
  std::ofstream(folder.path() / "bad.db3") << "this is no database at all, whatever its name says";
  const Answer bad = explain({folder.path().string(), "--at", "1"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.text, HasSubstr("bad.db3"));
}

}  // namespace
