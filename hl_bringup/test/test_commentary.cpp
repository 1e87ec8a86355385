// SPDX-License-Identifier: Apache-2.0
// What the commentator tells of a game, without a simulator.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "commentary.hpp"
#include "match_judge.hpp"
#include "match_report.hpp"

using namespace hl_bringup;  // NOLINT(google-build-using-namespace): the test is about it

namespace {

MatchView kick_off(double time = 0.0) {
  MatchView view;
  view.time = time;
  view.players = {
      {"blue1", 1, 1, -4.0, 0.0}, {"blue2", 1, 2, -0.3, 0.0}, {"red1", 2, 1, 4.0, 0.0}, {"red2", 2, 2, 1.2, 0.0}};
  return view;
}

class Game {
 public:
  Game() : commentary(Commentary::Params(), hl_description::Field()) {}

  void play() {
    say("state", "SET");
    say("state", "PLAYING");
  }
  void say(const std::string& kind, const std::string& text, int team = 0, int player = 0) {
    keep(commentary.hear({view.time, kind, team, player, text}, 1));
    judge.hear({view.time, kind, team, player, text});
  }
  /// Time passes, nothing else changes.
  void wait(double seconds) {
    for (const double end = view.time + seconds; view.time < end;) {
      view.time += 0.02;
      keep(commentary.look(view));
      judge.look(view, ++step);
    }
  }
  std::size_t count(const std::string& kind) const {
    std::size_t n = 0;
    for (const auto& event : events) n += event.kind == kind;
    return n;
  }
  void keep(const std::vector<MatchEvent>& more) { events.insert(events.end(), more.begin(), more.end()); }

  MatchView view = kick_off();
  Commentary commentary;
  MatchJudge judge;
  std::uint64_t step = 0;
  std::vector<MatchEvent> events;
};

}  // namespace

TEST(Commentary, TellsKickOffAndGoal) {
  Game game;
  game.play();
  game.say("goal", "goal for red", 2);
  ASSERT_EQ(game.count("kick-off"), 1U);
  EXPECT_EQ(game.events[1].text, "kick-off for blue");
  ASSERT_EQ(game.count("goal"), 1U);
  EXPECT_EQ(game.events.back().text, "GOAL for red!");
}

TEST(Commentary, NearestRobotOwnsTheBallUntilARivalWinsIt) {
  Game game;
  game.play();
  game.wait(2.0);
  ASSERT_EQ(game.count("ball"), 1U);
  EXPECT_EQ(game.events.back().text, "blue2 has the ball");
  game.view.players[1].x = -2.0;
  game.view.players[3].x = 0.2;
  game.wait(2.0);
  EXPECT_EQ(game.events.back().text, "red2 wins the ball");
  EXPECT_EQ(game.commentary.owner_team(), 2);
}

TEST(Commentary, NobodyOwnsABallBetweenTwoRivals) {
  Game game;
  game.view.players[3].x = 0.32;
  game.play();
  game.wait(2.0);
  EXPECT_EQ(game.count("ball"), 0U);
}

TEST(Commentary, AShotIsToldOnceWithItsAim) {
  Game game;
  game.play();
  game.view.ball_touched_by = "blue2";
  game.view.ball_vx = 2.0;
  game.wait(0.5);
  ASSERT_EQ(game.count("shot"), 1U);
  const auto& shot =
      *std::find_if(game.events.begin(), game.events.end(), [](const auto& e) { return e.kind == "shot"; });
  EXPECT_NE(shot.text.find("blue2 shoots at the goal, 4.5 m away, 2.0 m/s"), std::string::npos) << shot.text;
  game.view.ball_vx = 0.0;
  game.wait(0.2);
  game.view.ball_vx = -1.0;
  game.view.ball_vy = 1.0;
  game.wait(0.2);
  EXPECT_EQ(game.count("shot"), 2U);
  EXPECT_NE(game.events.back().text.find("back"), std::string::npos) << game.events.back().text;
}

TEST(Commentary, ABallThatIsCarriedBeforeKickOffIsNoShot) {
  Game game;
  game.view.ball_touched_by = "blue2";
  game.view.ball_vx = 2.0;
  game.wait(1.0);
  EXPECT_TRUE(game.events.empty());
}

TEST(Commentary, FallsDivesAndRecoveriesAreToldApart) {
  Game game;
  game.play();
  game.view.players[3].upright = false;
  game.view.players[0].upright = false;
  game.view.players[0].down_on_purpose = true;
  game.wait(1.0);
  EXPECT_EQ(game.count("fall"), 1U);
  EXPECT_EQ(game.count("dive"), 1U);
  EXPECT_EQ(game.commentary.down(), (std::vector<std::string>{"blue1", "red2"}));
  game.view.players[3].upright = true;
  game.wait(2.0);
  EXPECT_EQ(game.count("up"), 1U);
  EXPECT_EQ(game.commentary.down(), (std::vector<std::string>{"blue1"}));
}

TEST(Judge, APenalisedRobotThatWalksIsAFailure) {
  Game game;
  game.play();
  game.say("penalty", "pushing", 2, 2);
  game.wait(6.0);
  EXPECT_EQ(game.judge.failures(), 0U);
  for (int n = 0; n < 50; ++n) {
    game.view.players[3].x += 0.01;
    game.wait(0.02);
  }
  EXPECT_EQ(game.judge.failures(), 1U);
}

TEST(Judge, CarryingAPenalisedRobotIsNoFailureAndNeitherIsWalkingAfterItsRelease) {
  Game game;
  game.play();
  game.say("penalty", "pushing", 2, 2);
  game.wait(6.0);
  game.view.players[3].y = 3.0;
  game.wait(6.0);
  game.say("release", "may play again", 2, 2);
  for (int n = 0; n < 50; ++n) {
    game.view.players[3].y -= 0.01;
    game.wait(0.02);
  }
  EXPECT_EQ(game.judge.failures(), 0U);
}

TEST(Judge, NumbersThatAreNoneAndAWorldThatStartsAnewAreFailures) {
  Game game;
  game.wait(0.1);
  game.view.players[0].x = std::numeric_limits<double>::quiet_NaN();
  game.wait(0.1);
  game.step = 0;
  game.wait(0.1);
  game.judge.writers("red1", 2, 1.0);
  EXPECT_EQ(game.judge.failures(), 3U);
}

TEST(Report, IsOnePageWithoutAnythingFromOutside) {
  Game game;
  game.play();
  MatchStatistics statistics;
  for (int n = 0; n < 100; ++n) {
    game.view.time += 0.1;
    game.view.players[1].x += 0.02;
    statistics.look(game.view, 1, true);
  }
  EXPECT_NEAR(statistics.robots().at("blue2").way, 2.0, 0.1);
  EXPECT_NEAR(statistics.possession(1), 1.0, 1e-9);
  MatchRecord record;
  record.title = "a <b> & c";
  record.simulated = 10.0;
  record.real = 5.0;
  record.events = game.events;
  const std::string page = match_report(record, statistics, game.judge, hl_description::Field());
  EXPECT_NE(page.find("a &lt;b&gt; &amp; c"), std::string::npos);
  EXPECT_NE(page.find("2.00 x real time"), std::string::npos);
  EXPECT_NE(page.find("kick-off for blue"), std::string::npos);
  EXPECT_NE(page.find(kStripPlace), std::string::npos);
  for (const char* outside : {"http", "src=", "<script", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}
