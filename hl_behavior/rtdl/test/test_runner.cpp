// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_behavior/rtdl/runner.hpp"

using namespace hl_behavior::rtdl;
using State = Interpreter::State;

namespace {

constexpr std::size_t kMove = 0, kHead = 1, kKick = 2;

Library shipped() {
  Library library;
  std::vector<Report> reports;
  library.add_folder(TASKS, reports);
  for (const Report& report : reports) {
    for (const Diagnostic& d : report.all()) ADD_FAILURE() << to_text(d);
  }
  return library;
}

RtdlRunner::Inputs knowing_all() {
  RtdlRunner::Inputs inputs;
  inputs.situation.model.pose.confidence = 1.0;
  inputs.situation.model.pose.pose = {0.5, 0.25, 0.0};
  inputs.situation.model.ball.confidence = 1.0;
  inputs.situation.model.ball.position = {1.0, 0.0};
  return inputs;
}

struct Robot {
  RtdlRunner runner{soccer_catalogue(), shipped(), {}, {}};
  RtdlRunner::Inputs inputs = knowing_all();
  double now = 0.0;

  void begin(const std::string& body, const std::vector<std::string>& arguments = {},
             const std::string& parameters = "") {
    const Report report = runner.load_text("rtdl 1.0 task test_task(" + parameters + ") {" + body + "}", "text");
    for (const Diagnostic& d : report.all()) {
      if (!is_warning(d.code)) ADD_FAILURE() << to_text(d);
    }
    EXPECT_EQ(runner.start(arguments, now), std::nullopt);
  }
  const RtdlRunner::Outputs& step(double dt = 0.1) {
    now += dt;
    return runner.step(inputs, now);
  }
  /// The skill in the slot has ended.
  void report(std::size_t slot, Progress::State state, const std::string& reason = {}) {
    ASSERT_TRUE(runner.outputs().orders[slot]);
    inputs.skills[slot] = {runner.outputs().orders[slot]->id, {state, reason}};
  }
  bool idle() const {
    for (const auto& order : runner.outputs().orders) {
      if (order) return false;
    }
    return true;
  }
};

}  // namespace

TEST(RtdlRunner, GivesOrdersPerSlotWithPlaces) {
  Robot robot;
  robot.begin("entity Waypoint w; set_waypoint(w, 1, -2, 0.5); par go_to_pose(w); to look_at(Ball, 3); endpar");
  const auto& out = robot.step();
  EXPECT_EQ(out.state, State::Running);
  ASSERT_TRUE(out.orders[kMove]);
  EXPECT_EQ(out.orders[kMove]->skill, "go_to_pose");
  EXPECT_EQ(*out.orders[kMove]->arguments[0].place, Eigen::Vector2d(1.0, -2.0));
  EXPECT_EQ(out.orders[kMove]->arguments[0].heading, 0.5);
  ASSERT_TRUE(out.orders[kHead]);
  EXPECT_EQ(*out.orders[kHead]->arguments[0].place, Eigen::Vector2d(1.5, 0.25));
  EXPECT_FALSE(out.orders[kKick]);
  EXPECT_EQ(out.active.size(), 2u);
  robot.inputs.situation.model.ball.position = {2.0, 0.0};  // the order follows the ball
  EXPECT_EQ(*robot.step().orders[kHead]->arguments[0].place, Eigen::Vector2d(2.5, 0.25));
  robot.report(kMove, Progress::State::Succeeded);
  EXPECT_EQ(robot.step().state, State::Running);
  EXPECT_FALSE(robot.runner.outputs().orders[kMove]);
  EXPECT_EQ(robot.step(3.0).state, State::Succeeded);
  EXPECT_TRUE(robot.idle());
}

TEST(RtdlRunner, ARetriedSkillIsANewOrder) {
  Robot robot;
  robot.begin("retry(2) kick_to(OpponentGoal); endtry");
  const auto first = robot.step().orders[kKick]->id;
  robot.step();
  EXPECT_EQ(robot.runner.outputs().orders[kKick]->id, first);
  robot.report(kKick, Progress::State::Failed, "ball lost");
  EXPECT_GT(robot.step().orders[kKick]->id, first);
  EXPECT_EQ(robot.step().state, State::Running);  // the old report does not end the new order
  robot.report(kKick, Progress::State::Failed, "ball lost");
  const auto& out = robot.step();
  EXPECT_EQ(out.state, State::Failed);
  EXPECT_EQ(out.reason, "ball lost");
  EXPECT_TRUE(robot.idle());
}

TEST(RtdlRunner, HoldPausesAndStopWins) {
  Robot robot;
  robot.begin("head_mode(BALL_MODE); go_straight(1);");
  const auto first = robot.step().orders[kMove]->id;
  robot.inputs.hold = "penalty";
  EXPECT_EQ(robot.step().state, State::Paused);
  EXPECT_EQ(robot.runner.outputs().reason, "penalty");
  EXPECT_TRUE(robot.idle());
  robot.inputs.hold.reset();
  const auto& out = robot.step();
  EXPECT_EQ(out.state, State::Running);
  EXPECT_GT(out.orders[kMove]->id, first);
  EXPECT_EQ(out.orders[kHead]->skill, "head_mode");
  robot.inputs.hold = "penalty";
  robot.inputs.stop = "stop button";
  EXPECT_EQ(robot.step().state, State::Cancelled);
  EXPECT_EQ(robot.runner.outputs().reason, "stop button");
  EXPECT_TRUE(robot.idle());
  EXPECT_FALSE(robot.runner.active());
}

TEST(RtdlRunner, CancelLeavesNoOrder) {
  Robot robot;
  robot.begin("announce(WAITING); par go_straight(1); to scan(); endpar");
  EXPECT_EQ(robot.step().announced, hl_soccer::Action::Waiting);
  robot.runner.cancel("Ctrl-C", robot.now);
  EXPECT_TRUE(robot.idle());
  EXPECT_EQ(robot.runner.outputs().announced, std::nullopt);
  EXPECT_EQ(robot.runner.outputs().state, State::Cancelled);
}

TEST(RtdlRunner, SpeaksOnceAndSetsPlaces) {
  Robot robot;
  robot.begin("entity Waypoint w; say(\"hello\"); set_current_position(w); remember(w, Ball); go_to_pose(w);");
  EXPECT_EQ(robot.step().say, std::vector<std::string>{"hello"});
  EXPECT_EQ(*robot.runner.outputs().orders[kMove]->arguments[0].place, Eigen::Vector2d(1.5, 0.25));
  EXPECT_TRUE(robot.step().say.empty());
}

TEST(RtdlRunner, UnknownPositionFailsWhatNeedsIt) {
  Robot robot;
  robot.inputs.situation.model.pose.confidence = 0.0;
  robot.begin("entity Waypoint w; set_current_position(w);");
  EXPECT_EQ(robot.step().state, State::Failed);
  EXPECT_EQ(robot.runner.outputs().reason, "the own position is not known");
}

TEST(RtdlRunner, ErrorsAreReportedAndARunningTaskIsNotReplaced) {
  Robot robot;
  EXPECT_NE(robot.runner.start({}, 0.0), std::nullopt);
  EXPECT_FALSE(robot.runner.load_text("rtdl 1.0 task x() { fly(); }", "text").ok());
  EXPECT_FALSE(robot.runner.load_name("no_such_task").ok());
  EXPECT_TRUE(robot.runner.load_name("kick_to_goal").ok());
  EXPECT_EQ(robot.runner.start({}, 0.0), std::nullopt);
  robot.step();
  EXPECT_FALSE(robot.runner.load_name("slalom").ok());
  EXPECT_TRUE(robot.runner.active());
}

TEST(RtdlRunner, KickToGoalApproachesThenKicks) {
  Robot robot;
  ASSERT_TRUE(robot.runner.load_name("kick_to_goal").ok());
  ASSERT_EQ(robot.runner.start({}, 0.0), std::nullopt);
  EXPECT_EQ(robot.step().orders[kMove]->skill, "approach_ball");
  EXPECT_EQ(robot.runner.outputs().orders[kHead]->arguments[0].text, "BALL_MODE");
  robot.report(kMove, Progress::State::Succeeded);
  EXPECT_EQ(robot.step().orders[kKick]->skill, "kick_to");
  robot.report(kKick, Progress::State::Succeeded);
  EXPECT_EQ(robot.step().state, State::Succeeded);
  EXPECT_TRUE(robot.idle());
}

namespace {

/// Every move and kick succeeds in the next step; what was ordered, in order.
std::vector<std::string> play_through(Robot& robot, int steps) {
  std::vector<std::string> orders;
  for (int i = 0; i < steps && robot.runner.active(); ++i) {
    robot.step();
    for (const std::size_t slot : {kMove, kKick}) {
      const auto& order = robot.runner.outputs().orders[slot];
      if (!order || robot.inputs.skills[slot].id == order->id) continue;
      std::string text = order->skill;
      if (!order->arguments.empty()) text += " " + order->arguments[0].text;
      orders.push_back(text);
      robot.report(slot, Progress::State::Succeeded);
    }
  }
  return orders;
}

}  // namespace

TEST(RtdlRunner, KickOffLeftGoesOverTheWingAndPassesToAMateThatWaits) {
  Robot robot;
  robot.inputs.situation.game.kick_off = hl_soccer::KickOff::Own;
  ASSERT_TRUE(robot.runner.load_name("kick_off_left").ok());
  ASSERT_EQ(robot.runner.start({}, 0.0), std::nullopt);
  EXPECT_EQ(play_through(robot, 100), (std::vector<std::string>{"approach_ball wing", "kick_to wing",
                                                                "approach_ball OpponentGoal", "kick_to OpponentGoal"}));
  EXPECT_EQ(robot.runner.outputs().state, State::Succeeded) << robot.runner.outputs().reason;

  Robot with_mate;
  with_mate.inputs.situation.game.kick_off = hl_soccer::KickOff::Own;
  hl_soccer::TeamMate mate;
  mate.number = 3;
  mate.activity = hl_soccer::Activity::Active;
  mate.action = hl_soccer::Action::Waiting;
  mate.pose = hl_description::Pose2{1.5, 1.5, 0.0};
  with_mate.inputs.situation.mates = {mate};
  ASSERT_TRUE(with_mate.runner.load_name("kick_off_left").ok());
  ASSERT_EQ(with_mate.runner.start({}, 0.0), std::nullopt);
  const auto orders = play_through(with_mate, 100);
  ASSERT_GE(orders.size(), 4u);
  EXPECT_EQ(orders[3], "pass_to NearestMate");
}

TEST(RtdlRunner, KickOffLeftLeavesTheOthersKickOffAlone) {
  Robot robot;
  robot.inputs.situation.game.kick_off = hl_soccer::KickOff::Rival;
  ASSERT_TRUE(robot.runner.load_name("kick_off_left").ok());
  ASSERT_EQ(robot.runner.start({}, 0.0), std::nullopt);
  EXPECT_TRUE(play_through(robot, 100).empty());
  EXPECT_EQ(robot.runner.outputs().state, State::Succeeded);
}

/// Two runners that hear only what the other announces.
TEST(RtdlRunner, PassingDrillMeetsOverTeamCommunication) {
  Robot giver;
  Robot taker;
  const auto hear = [](Robot& who, int number, const Robot& other) {
    hl_soccer::TeamMate mate;
    mate.number = number;
    mate.stamp = who.now;
    mate.activity = hl_soccer::Activity::Active;
    mate.pose = other.inputs.situation.model.pose.pose;
    mate.action = other.runner.outputs().announced.value_or(hl_soccer::Action::Undefined);
    who.inputs.situation.mates = {mate};
  };
  ASSERT_TRUE(giver.runner.load_name("passing_drill").ok());
  ASSERT_TRUE(taker.runner.load_name("passing_drill").ok());
  ASSERT_EQ(giver.runner.start({"Player2", "1"}, 0.0), std::nullopt);
  ASSERT_EQ(taker.runner.start({"Player1", "0"}, 0.0), std::nullopt);
  std::vector<std::string> passes;
  for (int i = 0; i < 1000 && (giver.runner.active() || taker.runner.active()); ++i) {
    hear(giver, 2, taker);
    hear(taker, 1, giver);
    for (Robot* robot : {&giver, &taker}) {
      robot->step();
      for (const std::size_t slot : {kMove, kKick}) {  // every skill succeeds in the next step
        const auto& order = robot->runner.outputs().orders[slot];
        if (!order || robot->inputs.skills[slot].id == order->id) continue;
        if (order->skill == "pass_to") passes.push_back(robot == &giver ? "giver" : "taker");
        robot->report(slot, Progress::State::Succeeded);
      }
    }
  }
  EXPECT_EQ(giver.runner.outputs().state, State::Succeeded) << giver.runner.outputs().reason;
  EXPECT_EQ(taker.runner.outputs().state, State::Succeeded) << taker.runner.outputs().reason;
  EXPECT_EQ(passes, (std::vector<std::string>{"giver", "taker"}));
}
