// SPDX-License-Identifier: Apache-2.0
// From messages to views, over the middleware.
#include <QComboBox>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <geometry_msgs/msg/pose_stamped.hpp>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <humanoid_league_msgs/msg/hcm_debug.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/walking_debug.hpp>
#include <humanoid_league_msgs/srv/set_role.hpp>
#include <std_msgs/msg/string.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "../src/program/main_window.hpp"
#include "hl_visualization/behavior_view.hpp"
#include "hl_visualization/field_view.hpp"
#include "hl_visualization/hcm_view.hpp"
#include "hl_visualization/relative_view.hpp"
#include "hl_visualization/walk_view.hpp"
#include "ros_gui_main.hpp"

namespace {

using namespace hl_visualization;
using humanoid_league_msgs::msg::HcmDebug;
using humanoid_league_msgs::msg::Model;
using humanoid_league_msgs::msg::WalkingDebug;
using Pose = geometry_msgs::msg::PoseWithCovarianceStamped;
using ros_gui::gui_until;
using ros_gui::SpinningNode;

Target only(const std::string& robot) {
  return {robot, {robot}};
}

/// A panel in a window of its own.
struct Shown {
  Shown(const rclcpp::Node::SharedPtr& node, Kind kind, const std::string& robot) : panel(node, kind) {
    panel.set_target(only(robot));
    panel.view()->resize(640, 480);
    panel.view()->show();
  }
  ~Shown() {
    panel.stop();
    delete panel.view();
  }
  bool says(const char* text) const {
    return panel.view()->notices().join(QLatin1Char('\n')).contains(QString::fromLatin1(text));
  }
  Panel panel;
};

Pose pose(double x, double stamp) {
  Pose m;
  m.header.stamp = rclcpp::Time(static_cast<std::int64_t>(stamp * 1e9));
  m.header.frame_id = "map";
  m.pose.pose.position.x = x;
  m.pose.covariance[0] = m.pose.covariance[7] = 0.01;
  return m;
}

TEST(FieldPanel, ShowsPoseAndBallAndGoesOnAfterNaN) {
  SpinningNode ours("view"), robot("robot");
  const auto poses = robot.node()->create_publisher<Pose>("/robot1/pose", 10);
  const auto models = robot.node()->create_publisher<Model>("/robot1/personal_model", 10);
  Shown shown(ours.node(), Kind::Field, "robot1");
  auto* view = static_cast<FieldView*>(shown.panel.view());
  const auto belief = [&] { return view->data().robots.empty() ? Belief() : view->data().robots.front(); };
  Model model;
  model.header.stamp = rclcpp::Time(100'000'000'000);
  model.ball.confidence = 1.0F;
  model.ball.ball_relative.x = 1.0;
  ASSERT_TRUE(gui_until([&] { return belief().pose && belief().ball; },
                        [&] {
                          poses->publish(pose(1.5, 100.0));
                          models->publish(model);
                        }));
  EXPECT_DOUBLE_EQ(belief().pose->x, 1.5);
  EXPECT_DOUBLE_EQ(belief().ball->x, 2.5) << "relative to the believed pose";
  EXPECT_TRUE(
      gui_until([&] { return shown.says("not a number"); }, [&] { poses->publish(pose(std::nan(""), 100.1)); }));
  EXPECT_DOUBLE_EQ(belief().pose->x, 1.5) << "the last good one stays";
  EXPECT_TRUE(gui_until([&] { return belief().pose->x == 1.7; }, [&] { poses->publish(pose(1.7, 100.2)); }));
}

TEST(FieldPanel, SaysThatARobotIsSilentAndThatItWasRestarted) {
  SpinningNode ours("view"), robot("robot");
  const auto poses = robot.node()->create_publisher<Pose>("/robot1/pose", 10);
  Shown shown(ours.node(), Kind::Field, "robot1");
  auto* view = static_cast<FieldView*>(shown.panel.view());
  EXPECT_TRUE(gui_until([&] { return shown.says("nothing is heard from 'robot1' yet"); }, [] {}));
  ASSERT_TRUE(gui_until([&] { return !view->data().robots.empty() && view->data().robots.front().pose; },
                        [&] { poses->publish(pose(1.0, 50.0)); }));
  EXPECT_TRUE(gui_until([&] { return shown.says("/robot1/pose is silent"); }, [] {}));
  EXPECT_TRUE(gui_until([&] { return shown.says("restarted"); }, [&] { poses->publish(pose(2.0, 1.0)); }));
  EXPECT_TRUE(gui_until([&] { return view->data().robots.front().pose->x == 2.0; }, [] {}));
}

TEST(FieldPanel, NamesATopicOfAWrongType) {
  SpinningNode ours("view"), robot("stranger");
  const auto wrong = robot.node()->create_publisher<std_msgs::msg::String>("/robot1/pose", 10);
  Shown shown(ours.node(), Kind::Field, "robot1");
  EXPECT_TRUE(gui_until([&] { return shown.says("'stranger' as std_msgs/msg/String"); },
                        [&] { wrong->publish(std_msgs::msg::String()); }));
}

TEST(FieldPanel, AClickBecomesAGoalOfThatRobot) {
  SpinningNode ours("view"), robot("robot");
  std::mutex mutex;
  std::vector<geometry_msgs::msg::PoseStamped> goals;
  std::vector<Pose> starts;
  const auto goal = robot.node()->create_subscription<geometry_msgs::msg::PoseStamped>(
      "/robot1/goal_pose", 10, [&](const geometry_msgs::msg::PoseStamped& m) {
        const std::lock_guard<std::mutex> lock(mutex);
        goals.push_back(m);
      });
  const auto start = robot.node()->create_subscription<Pose>("/robot1/initialpose", 10, [&](const Pose& m) {
    const std::lock_guard<std::mutex> lock(mutex);
    starts.push_back(m);
  });
  Shown shown(ours.node(), Kind::Field, "robot1");
  auto* view = static_cast<FieldView*>(shown.panel.view());
  EXPECT_TRUE(gui_until(
      [&] {
        const std::lock_guard<std::mutex> lock(mutex);
        return !goals.empty() && !starts.empty();
      },
      [&] {
        Q_EMIT view->goal_chosen(1.0, -0.5, M_PI / 2);
        Q_EMIT view->pose_chosen(-2.0, 0.5, 0.0);
      }));
  const std::lock_guard<std::mutex> lock(mutex);
  EXPECT_EQ(goals.front().header.frame_id, "map");
  EXPECT_DOUBLE_EQ(goals.front().pose.position.y, -0.5);
  EXPECT_NEAR(goals.front().pose.orientation.z, std::sqrt(0.5), 1e-9);
  EXPECT_GT(starts.front().pose.covariance[0], 0.0);
}

TEST(HcmPanel, KeepsEveryTransitionOnce) {
  SpinningNode ours("view"), robot("robot");
  const auto debug = robot.node()->create_publisher<HcmDebug>("/hcm_debug", 10);
  Shown shown(ours.node(), Kind::Hcm, "");
  auto* view = static_cast<HcmView*>(shown.panel.view());
  HcmDebug m;
  m.header.stamp.sec = 10;
  m.state = "WALKING";
  m.transitions.resize(2);
  m.transitions[0].stamp.sec = 9;
  m.transitions[0].to_state = "WALKING";
  m.transitions[1].stamp.sec = 8;
  m.joint_names = {"a", "b"};
  m.owners = {2};  // one is missing
  ASSERT_TRUE(gui_until([&] { return view->data().state == "WALKING"; }, [&] { debug->publish(m); }));
  EXPECT_EQ(view->data().history.size(), 2U);
  EXPECT_EQ(view->data().joints.size(), 1U);
  EXPECT_TRUE(gui_until([&] { return shown.says("fewer owners"); }, [&] { debug->publish(m); }));
  m.transitions[0].stamp.sec = 11;
  m.transitions[1].stamp.sec = 9;
  m.state = "DANCING";
  ASSERT_TRUE(gui_until([&] { return view->data().history.size() == 3; }, [&] { debug->publish(m); }));
  EXPECT_TRUE(gui_until([&] { return shown.says("'DANCING' is not in the table"); }, [&] { debug->publish(m); }));
}

TEST(RelativePanel, TheFieldOfViewFollowsTheCameraAlsoAfterARestart) {
  SpinningNode ours("view"), robot("robot");
  const auto transforms = robot.node()->create_publisher<tf2_msgs::msg::TFMessage>("/robot1/tf", 10);
  Shown shown(ours.node(), Kind::Relative, "robot1");
  auto* view = static_cast<RelativeView*>(shown.panel.view());
  const auto look = [&](double stamp, double ahead) {  // down at the ground, so far ahead
    tf2_msgs::msg::TFMessage m;
    m.transforms.resize(1);
    auto& t = m.transforms[0];
    t.header.stamp = rclcpp::Time(static_cast<std::int64_t>(1e9 * stamp));
    t.header.frame_id = "base_footprint";
    t.child_frame_id = "camera_optical_frame";
    t.transform.translation.x = ahead;
    t.transform.translation.z = 0.5;
    t.transform.rotation.x = 1.0;  // z down
    t.transform.rotation.w = 0.0;
    transforms->publish(m);
  };
  const auto middle = [&] {
    double sum = 0.0;
    for (const Point2& p : view->data().field_of_view) sum += p.x;
    return view->data().field_of_view.empty() ? 0.0 : sum / static_cast<double>(view->data().field_of_view.size());
  };
  double time = 100.0;
  ASSERT_TRUE(gui_until([&] { return std::abs(middle() - 1.0) < 0.1; }, [&] { look(time += 0.02, 1.0); }));
  time = 1.0;
  EXPECT_TRUE(gui_until([&] { return std::abs(middle() - 2.0) < 0.1; }, [&] { look(time += 0.02, 2.0); }, 15'000));
}

TEST(WalkPanel, TheHistoryIsBoundedAndFootstepsAreChained) {
  SpinningNode ours("view"), robot("robot");
  const auto debug = robot.node()->create_publisher<WalkingDebug>("/walking_debug", 50);
  Shown shown(ours.node(), Kind::Walk, "");
  auto* view = static_cast<WalkView*>(shown.panel.view());
  WalkingDebug m;
  m.engine_state = "walking";
  double time = 1.0;
  int tick = 0;
  EXPECT_TRUE(gui_until([&] { return view->data().history.time.size() > 50 && view->data().footsteps.size() > 3; },
                        [&] {
                          for (int i = 0; i < 20; ++i, ++tick) {
                            time += 0.02;
                            const bool left = (tick / 10) % 2 == 0;
                            m.header.frame_id = left ? "l_sole" : "r_sole";
                            m.header.stamp = rclcpp::Time(static_cast<std::int64_t>(time * 1e9));
                            m.swing_foot.position.x = 0.05;
                            m.swing_foot.position.y = left ? -0.1 : 0.1;
                            debug->publish(m);
                          }
                        }));
  EXPECT_LE(view->data().history.time.back() - view->data().history.time.front(), 5.6);
  EXPECT_LE(view->data().footsteps.size(), 6U);
  ASSERT_FALSE(view->data().footsteps.empty());
  EXPECT_NEAR(view->data().footsteps.back().pose.x, -0.05, 1e-6) << "where the other foot stood, seen from this one";
}

TEST(BehaviorPanel, AsksForARoleAndShowsTheAnswer) {
  using humanoid_league_msgs::srv::SetRole;
  SpinningNode ours("view"), robot("robot");
  Shown shown(ours.node(), Kind::Behavior, "robot2");
  auto* view = static_cast<BehaviorView*>(shown.panel.view());
  ASSERT_TRUE(
      gui_until([&] { return view->data().answer == "nobody offers set_role"; }, [&] { Q_EMIT view->role_chosen(2); }));
  const auto server = robot.node()->create_service<SetRole>(
      "/robot2/set_role", [](const SetRole::Request::SharedPtr request, SetRole::Response::SharedPtr response) {
        response->success = request->role == 5;
        response->message = "the keeper is another";
      });
  ASSERT_TRUE(gui_until([&] { return view->data().answer == "role: goalie"; }, [&] { Q_EMIT view->role_chosen(5); }));
  ASSERT_TRUE(gui_until([&] { return view->data().answer == "role refused: the keeper is another"; },
                        [&] { Q_EMIT view->role_chosen(2); }));
}

TEST(Panel, ListensOnlyWhileItIsLookedAt) {
  SpinningNode ours("view");
  Shown shown(ours.node(), Kind::Hcm, "robot1");
  EXPECT_TRUE(gui_until([&] { return ours.node()->count_subscribers("/robot1/hcm_debug") == 1; }, [] {}));
  shown.panel.view()->hide();
  EXPECT_TRUE(gui_until([&] { return ours.node()->count_subscribers("/robot1/hcm_debug") == 0; }, [] {}));
}

TEST(MainWindow, RemembersPerspectivesAndFindsRobots) {
  SpinningNode ours("view"), robot("robot");
  QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("view.ini")), QSettings::IniFormat);
  {
    MainWindow window(ours.node(), QString(), settings);
    window.show();
    window.set_perspective(QStringLiteral("motion"));
    EXPECT_TRUE(window.panel(Kind::Walk)->view()->isVisible());
    EXPECT_FALSE(window.panel(Kind::Field)->view()->isVisible());
    const auto states = robot.node()->create_publisher<Pose>("/robot4/robot_state", 1);
    EXPECT_TRUE(gui_until([&] { return window.target().robot == "robot4"; }, [] {}));
    window.close();
  }
  MainWindow again(ours.node(), QStringLiteral("robot9"), settings);
  again.show();
  EXPECT_EQ(again.perspective(), QStringLiteral("motion"));
  EXPECT_TRUE(again.panel(Kind::Walk)->view()->isVisible());
  EXPECT_EQ(again.target().robot, "robot9") << "the one that was asked for, though it is not there";
  again.set_perspective(QStringLiteral("no such thing"));
  EXPECT_EQ(again.perspective(), QStringLiteral("match"));
  EXPECT_TRUE(again.panel(Kind::Field)->view()->isVisible());
  EXPECT_FALSE(again.panel(Kind::Image)->view()->isVisible());
}

}  // namespace

int main(int argc, char** argv) {
  return ros_gui::run(argc, argv);
}
