// SPDX-License-Identifier: Apache-2.0
// The action run_task of the node `behavior`, and `rtdl run`, over the real middleware.
#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <humanoid_league_msgs/action/navigate.hpp>
#include <humanoid_league_msgs/action/run_task.hpp>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <rclcpp_action/rclcpp_action.hpp>

#include "hl_testing/ros_main.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "robot_around.hpp"

using humanoid_league_msgs::action::Navigate;
using humanoid_league_msgs::action::RunTask;
using testing::Contains;
using testing::HasSubstr;

namespace {

constexpr const char* kGoThere =
    "rtdl 1.0 task drill() { entity Waypoint w; set_waypoint(w, -2, 1, 0); go_to_pose(w); }";

/// A robot without a referee, one who plans its ways, and one who asks for tasks.
class TaskRobot : public Robot {
 public:
  using Planned = rclcpp_action::ServerGoalHandle<Navigate>;
  using Asked = rclcpp_action::ClientGoalHandle<RunTask>;

  TaskRobot() {
    referee = false;
    planner_ = rclcpp_action::create_server<Navigate>(
        node, "navigate",
        [this](const rclcpp_action::GoalUUID&, std::shared_ptr<const Navigate::Goal> goal) {
          last_goal = *goal;
          ++goals;
          return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
        },
        [this](const std::shared_ptr<Planned>&) {
          ++cancels;
          return rclcpp_action::CancelResponse::ACCEPT;
        },
        [this](const std::shared_ptr<Planned>& handle) { way = handle; });
    speaks_ = node->create_wall_timer(200ms, [this] {
      if (way && way->is_active()) way->publish_feedback(std::make_shared<Navigate::Feedback>());
    });
    tasks_ = rclcpp_action::create_client<RunTask>(node, "run_task");
    debugs_ = node->create_subscription<msg::BehaviorDebug>("behavior_debug", 10,
                                                            [this](const msg::BehaviorDebug& m) { debug = m; });
  }

  bool ready() {
    return spin_until([&] { return tasks_->action_server_is_ready() && !debug.situation.empty(); });
  }
  bool to_waypoint() const { return last_goal.kind == Navigate::Goal::POSE && last_goal.pose.x == -2.0; }
  void arrive() {
    auto result = std::make_shared<Navigate::Result>();
    result->outcome = Navigate::Result::REACHED;
    way->succeed(result);
  }

  void ask(const std::string& text, const std::string& name = "", const std::vector<std::string>& arguments = {}) {
    RunTask::Goal goal;
    goal.text = text;
    goal.name = name;
    goal.arguments = arguments;
    result.reset();
    handle.reset();
    typename rclcpp_action::Client<RunTask>::SendGoalOptions options;
    options.goal_response_callback = [this](const Asked::SharedPtr& h) { handle = h; };
    options.feedback_callback = [this](const Asked::SharedPtr&, const std::shared_ptr<const RunTask::Feedback>& f) {
      events.insert(events.end(), f->events.begin(), f->events.end());
    };
    options.result_callback = [this](const Asked::WrappedResult& r) { result = *r.result; };
    tasks_->async_send_goal(goal, options);
  }
  void cancel() { tasks_->async_cancel_goal(handle); }
  bool done() {
    return spin_until([&] { return result.has_value(); });
  }

  Navigate::Goal last_goal;
  int goals = 0, cancels = 0;
  std::shared_ptr<Planned> way;
  msg::BehaviorDebug debug;
  std::vector<std::string> events;
  std::optional<RunTask::Result> result;
  Asked::SharedPtr handle;

 private:
  rclcpp_action::Server<Navigate>::SharedPtr planner_;
  rclcpp::TimerBase::SharedPtr speaks_;
  rclcpp_action::Client<RunTask>::SharedPtr tasks_;
  rclcpp::Subscription<msg::BehaviorDebug>::SharedPtr debugs_;
};

TEST(RunTask, DecidesInsteadOfTheTacticsUntilItEnds) {
  TaskRobot robot;
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  ASSERT_TRUE(robot.ready()) << behavior.output();
  ASSERT_TRUE(robot.spin_until([&] { return robot.last_goal.kind == Navigate::Goal::KICK_POSE; }));
  robot.ask(kGoThere);
  ASSERT_TRUE(robot.spin_until([&] { return robot.to_waypoint(); })) << behavior.output();
  const int goals = robot.goals;
  EXPECT_TRUE(robot.spin_until([&] { return robot.debug.task == "drill" && !robot.debug.task_statements.empty(); }));
  EXPECT_EQ(robot.debug.situation, "task");
  EXPECT_TRUE(robot.to_waypoint()) << "tactics is silent";
  EXPECT_LE(robot.goals, goals + 1);
  robot.arrive();
  ASSERT_TRUE(robot.done());
  EXPECT_EQ(robot.result->outcome, RunTask::Result::COMPLETED) << robot.result->reason;
  EXPECT_THAT(robot.events, Contains(HasSubstr("go_to_pose(w): started")));
  EXPECT_THAT(robot.events, Contains(HasSubstr("go_to_pose(w): succeeded")));
  EXPECT_TRUE(robot.spin_until([&] { return robot.last_goal.kind == Navigate::Goal::KICK_POSE; }));
}

TEST(RunTask, FallsAndPenaltiesPauseItAndAGameEndsIt) {
  TaskRobot robot;
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  ASSERT_TRUE(robot.ready());
  robot.ask(kGoThere);
  ASSERT_TRUE(robot.spin_until([&] { return robot.to_waypoint(); }));
  int goals = robot.goals;
  robot.body_state = msg::RobotControlState::FALLEN;
  EXPECT_TRUE(robot.spin_until([&] { return robot.cancels > 0; }));
  robot.body_state = msg::RobotControlState::CONTROLLABLE;
  EXPECT_TRUE(robot.spin_until([&] { return robot.goals > goals; })) << "begun again";
  EXPECT_TRUE(robot.to_waypoint());
  goals = robot.goals;
  const int cancels = robot.cancels;
  robot.referee = true;
  robot.game_state = msg::GameState::GAMESTATE_FINISHED;
  robot.penalized = true;
  EXPECT_TRUE(robot.spin_until([&] { return robot.cancels > cancels; }));
  robot.penalized = false;
  EXPECT_TRUE(robot.spin_until([&] { return robot.goals > goals; }));
  EXPECT_FALSE(robot.result);
  EXPECT_THAT(robot.events, Contains(HasSubstr("the robot is down")));
  EXPECT_THAT(robot.events, Contains(HasSubstr("penalised")));
  robot.game_state = msg::GameState::GAMESTATE_READY;
  ASSERT_TRUE(robot.done());
  EXPECT_EQ(robot.result->outcome, RunTask::Result::CANCELLED);
  EXPECT_THAT(robot.result->reason, HasSubstr("a game has begun (READY)"));
}

TEST(RunTask, AGapInTheSensorsWordsPausesItAProblemEndsIt) {
  TaskRobot robot;
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  ASSERT_TRUE(robot.ready());
  robot.ask(kGoThere);
  ASSERT_TRUE(robot.spin_until([&] { return robot.to_waypoint(); }));
  const int goals = robot.goals;
  robot.body_state = msg::RobotControlState::HARDWARE_PROBLEM;
  ASSERT_TRUE(robot.spin_until([&] { return robot.cancels > 0; }));
  robot.body_state = msg::RobotControlState::CONTROLLABLE;
  EXPECT_TRUE(robot.spin_until([&] { return robot.goals > goals || robot.result; }));
  EXPECT_FALSE(robot.result) << robot.result->reason;
  EXPECT_THAT(robot.events, Contains(HasSubstr("the robot is not ready")));
  robot.body_state = msg::RobotControlState::HARDWARE_PROBLEM;
  ASSERT_TRUE(robot.done());
  EXPECT_EQ(robot.result->outcome, RunTask::Result::CANCELLED);
  EXPECT_THAT(robot.result->reason, HasSubstr("the hardware has a problem"));
}

TEST(RunTask, IsRefusedInAGameUnlessAParameterAllowsIt) {
  TaskRobot robot;
  robot.referee = true;
  {
    NodeProcess behavior({BEHAVIOR_PROGRAM});
    ASSERT_TRUE(robot.ready());
    ASSERT_TRUE(robot.spin_until([&] { return robot.debug.situation == "play: striker"; }));
    robot.ask(kGoThere);
    ASSERT_TRUE(robot.done());
    EXPECT_EQ(robot.result->outcome, RunTask::Result::REFUSED);
    EXPECT_THAT(robot.result->reason, HasSubstr("PLAYING"));
  }
  robot.debug = msg::BehaviorDebug();
  NodeProcess behavior({BEHAVIOR_PROGRAM, "--ros-args", "-p", "tasks_in_game:=true"});
  ASSERT_TRUE(robot.ready());
  ASSERT_TRUE(robot.spin_until([&] { return robot.debug.situation == "play: striker"; }));
  robot.ask(kGoThere);
  EXPECT_TRUE(robot.spin_until([&] { return robot.to_waypoint(); })) << behavior.output();
  ASSERT_TRUE(robot.handle);
  robot.ask("", "slalom");
  ASSERT_TRUE(robot.done());
  EXPECT_EQ(robot.result->outcome, RunTask::Result::REFUSED);
  EXPECT_THAT(robot.result->reason, HasSubstr("'drill' runs"));
}

TEST(RunTask, NamesEveryErrorOfABadText) {
  TaskRobot robot;
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  ASSERT_TRUE(robot.ready());
  robot.ask("rtdl 1.0 task t() {\n fly();\n kick_to(Bal);\n}");
  ASSERT_TRUE(robot.done());
  EXPECT_EQ(robot.result->outcome, RunTask::Result::INVALID);
  EXPECT_THAT(robot.result->diagnostics, Contains(HasSubstr("task:2:2: error E-CAPABILITY: 'fly'")));
  EXPECT_THAT(robot.result->diagnostics, Contains(HasSubstr("task:3:10: error E-NAME: 'Bal'")));
  robot.ask("", "no_such_task");
  ASSERT_TRUE(robot.done());
  EXPECT_EQ(robot.result->outcome, RunTask::Result::INVALID);
  robot.ask("", "patrol", {"many"});
  ASSERT_TRUE(robot.done());
  EXPECT_EQ(robot.result->outcome, RunTask::Result::INVALID);
}

TEST(RunTask, CancelLeavesNoSkillRunning) {
  TaskRobot robot;
  NodeProcess behavior({BEHAVIOR_PROGRAM, "--ros-args", "-p", "without_referee:=stop"});
  ASSERT_TRUE(robot.ready());
  robot.ask(kGoThere);
  ASSERT_TRUE(robot.spin_until([&] { return robot.to_waypoint() && robot.handle; }));
  robot.cancel();
  ASSERT_TRUE(robot.done());
  EXPECT_EQ(robot.result->outcome, RunTask::Result::CANCELLED);
  EXPECT_TRUE(robot.spin_until([&] { return robot.cancels > 0; }));
}

TEST(RtdlRun, ShowsTheTraceAndCancelsWhenInterrupted) {
  TaskRobot robot;
  hl_testing::TemporaryFolder folder;
  const std::string file = (folder.path() / "drill.rtdl").string();
  std::ofstream(file) << kGoThere;
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  ASSERT_TRUE(robot.ready());
  {
    NodeProcess rtdl({RTDL, "run", "--patience", "120", file});
    ASSERT_TRUE(robot.spin_until([&] { return robot.to_waypoint() && robot.way; })) << rtdl.output();
    EXPECT_TRUE(robot.spin_until([&] { return rtdl.output().find("go_to_pose(w): started") != std::string::npos; }));
    robot.arrive();
    EXPECT_TRUE(robot.spin_until([&] { return !rtdl.running(); }));
    EXPECT_EQ(rtdl.wait(120s), 0) << rtdl.output();
    EXPECT_THAT(rtdl.output(), HasSubstr("completed"));
  }
  EXPECT_TRUE(robot.spin_until([&] { return !robot.to_waypoint(); }));
  NodeProcess rtdl({RTDL, "run", "--patience", "120", file});
  ASSERT_TRUE(robot.spin_until([&] { return robot.to_waypoint(); }));
  const int cancels = robot.cancels;
  rtdl.signal(SIGINT);
  EXPECT_TRUE(robot.spin_until([&] { return !rtdl.running(); }));
  EXPECT_EQ(rtdl.wait(120s), 130) << rtdl.output();
  EXPECT_THAT(rtdl.output(), HasSubstr("cancelled"));
  // The tactics decide again: they stop the robot or give it another way.
  EXPECT_TRUE(robot.spin_until([&] { return robot.cancels > cancels || !robot.to_waypoint(); }));
}

TEST(RtdlRun, SaysWhoIsMissingAndChecksTheFileFirst) {
  hl_testing::TemporaryFolder folder;
  const std::string file = (folder.path() / "bad.rtdl").string();
  std::ofstream(file) << "rtdl 1.0 task t() { fly(); }";
  NodeProcess bad({RTDL, "run", "--patience", "120", file});
  EXPECT_EQ(bad.wait(120s), 1);
  EXPECT_THAT(bad.output(), HasSubstr("bad.rtdl:1:21: error E-CAPABILITY"));
  NodeProcess missing({RTDL, "run", (folder.path() / "none.rtdl").string()});
  EXPECT_EQ(missing.wait(120s), 2);
  EXPECT_THAT(missing.output(), HasSubstr("none.rtdl: cannot be read"));
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
