// SPDX-License-Identifier: Apache-2.0
// What every view does when its robot falls silent, is restarted, sends what is no number, or another type.
#include <functional>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/ball_in_image.hpp>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <humanoid_league_msgs/msg/hcm_debug.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/team_link.hpp>
#include <humanoid_league_msgs/msg/walking_debug.hpp>
#include <limits>
#include <sensor_msgs/msg/image.hpp>
#include <std_msgs/msg/string.hpp>

#include "../src/adapters/panel.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_visualization/canvas.hpp"
#include "ros_gui_main.hpp"

namespace {

using namespace hl_visualization;
using namespace humanoid_league_msgs::msg;
using Pose = geometry_msgs::msg::PoseWithCovarianceStamped;
using ros_gui::gui_until;
using ros_gui::SpinningNode;
using sensor_msgs::msg::Image;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

enum class Word { Good, NoNumber };

/// Says something at a time (s) of the robot's clock.
using Speak = std::function<void(double stamp, Word word)>;

template <class Message>
Speak speaker(rclcpp::Node& node, const hl_node::Topic& topic, std::function<void(Message&, Word)> fill) {
  const auto publisher = node.create_publisher<Message>("/robot1/" + std::string(topic.name), hl_node::offered(topic));
  return [publisher, fill](double stamp, Word word) {
    Message message;
    message.header.stamp = rclcpp::Time(static_cast<std::int64_t>(1e9 * stamp));
    fill(message, word);
    publisher->publish(message);
  };
}

struct Case {
  Kind kind;
  const hl_node::Topic* topic;  // that the view lives on
  bool numbers;                 // it draws numbers
  std::function<Speak(rclcpp::Node&)> robot;
};

/// A picture and its ball.
Speak camera(rclcpp::Node& node) {
  const auto picture = speaker<Image>(node, hl_node::topics::kCameraImageRaw, [](Image& m, Word) {
    m.encoding = "bgr8";
    m.width = m.height = 8;
    m.step = 24;
    m.data.assign(192, 100);
  });
  const auto ball = speaker<BallInImage>(node, hl_node::topics::kBallInImage, [](BallInImage& m, Word word) {
    m.confidence = 1.0F;
    m.diameter = 4.0F;
    m.center.x = word == Word::Good ? 4.0 : static_cast<double>(kNaN);
  });
  return [picture, ball](double stamp, Word word) {
    picture(stamp, Word::Good);
    ball(stamp, word);
  };
}

Speak model(rclcpp::Node& node) {
  return speaker<Model>(node, hl_node::topics::kPersonalModel, [](Model& m, Word word) {
    m.ball.confidence = 1.0F;
    m.ball.ball_relative.x = word == Word::Good ? 1.0 : static_cast<double>(kNaN);
  });
}

std::vector<Case> cases() {
  using namespace hl_node::topics;
  return {
      {Kind::Field, &kPose, true,
       [](rclcpp::Node& node) {
         return speaker<Pose>(node, kPose, [](Pose& m, Word word) {
           m.pose.pose.position.x = word == Word::Good ? 1.0 : static_cast<double>(kNaN);
           m.pose.covariance[0] = m.pose.covariance[7] = 0.01;
         });
       }},
      {Kind::Relative, &kPersonalModel, true, model},
      {Kind::Image, &kCameraImageRaw, true, camera},
      {Kind::Hcm, &kHcmDebug, true,
       [](rclcpp::Node& node) {
         return speaker<HcmDebug>(node, kHcmDebug, [](HcmDebug& m, Word word) {
           m.state = "WALKING";
           m.fall_margin = word == Word::Good ? 0.5F : kNaN;
         });
       }},
      {Kind::Behavior, &kBehaviorDebug, false,
       [](rclcpp::Node& node) {
         return speaker<BehaviorDebug>(node, kBehaviorDebug, [](BehaviorDebug& m, Word) { m.situation = "play"; });
       }},
      {Kind::Walk, &kWalkingDebug, true,
       [](rclcpp::Node& node) {
         return speaker<WalkingDebug>(node, kWalkingDebug, [](WalkingDebug& m, Word word) {
           m.header.frame_id = "l_sole";
           m.roll = word == Word::Good ? 0.1F : kNaN;
         });
       }},
      {Kind::TeamLink, &kTeamLink, true,
       [](rclcpp::Node& node) {
         return speaker<TeamLink>(node, kTeamLink, [](TeamLink& m, Word word) {
           m.mates.resize(1);
           m.mates[0].age = word == Word::Good ? 0.1F : kNaN;
         });
       }},
  };
}

/// All views of one robot at once, so that the waiting is done once.
class EveryView : public testing::Test {
 protected:
  struct View {
    explicit View(const rclcpp::Node::SharedPtr& node, const Case& of) : row(of), panel(node, of.kind) {
      panel.set_target({"robot1", {"robot1"}});
      panel.view()->resize(640, 480);
      panel.view()->show();
    }
    ~View() {
      panel.stop();
      delete panel.view();
    }
    QString notices() const { return panel.view()->notices().join(QLatin1Char('\n')); }
    Case row;
    Panel panel;
    Speak speak;
    std::size_t before = 0;
  };

  EveryView() {
    for (const Case& row : cases()) views_.push_back(std::make_unique<View>(ours_.node(), row));
  }

  void connect() {
    for (auto& view : views_) view->speak = view->row.robot(*robot_.node());
  }

  void speak(Word word) {
    time_ += 0.05;
    for (auto& view : views_)
      if (view->speak) view->speak(time_, view->row.numbers ? word : Word::Good);
  }

  template <class Condition, class Meanwhile>
  void expect_all(const char* what, Condition condition, Meanwhile meanwhile) {
    std::string missing;
    gui_until(
        [&] {
          missing.clear();
          for (auto& view : views_)
            if (!condition(*view))
              missing += std::string(" ") + id_of(view->row.kind) + " [" + view->notices().toStdString() + "]";
          return missing.empty();
        },
        meanwhile, 60'000);
    EXPECT_EQ(missing, "") << what;
  }

  void expect_said(const char* text, const std::function<void()>& meanwhile, bool only_numbers = false) {
    expect_all(
        text,
        [&](const View& view) {
          return (only_numbers && !view.row.numbers) || view.notices().contains(QString::fromLatin1(text));
        },
        meanwhile);
  }

  /// New data reach the views, and nothing is complained about any more.
  void expect_going_on() {
    for (auto& view : views_) view->before = view->panel.refreshes();
    expect_all(
        "goes on",
        [](const View& view) { return view.panel.refreshes() > view.before + 2 && view.notices().isEmpty(); },
        [&] { speak(Word::Good); });
  }

  SpinningNode ours_{"view"}, robot_{"robot"};
  std::vector<std::unique_ptr<View>> views_;
  double time_ = 100.0;  // s, of the robot
};

TEST_F(EveryView, SaysThatItsRobotIsSilentWasRestartedOrSendsNoNumberAndGoesOn) {
  expect_said("nothing is heard from 'robot1' yet", [] {});
  connect();
  expect_going_on();
  expect_said(
      "not a number", [&] { speak(Word::NoNumber); }, true);
  for (auto& view : views_) EXPECT_FALSE(view->panel.view()->grab().isNull());
  expect_going_on();
  for (auto& view : views_) view->speak = {};  // it has disappeared
  expect_said("is silent for", [] {});
  connect();
  time_ = 1.0;
  expect_said("it was restarted", [&] { speak(Word::Good); });
  expect_going_on();
}

TEST_F(EveryView, NamesATopicOfAnotherTypeAndGoesOnOnceItIsRight) {
  std::vector<rclcpp::Publisher<std_msgs::msg::String>::SharedPtr> wrong;
  for (auto& view : views_)
    wrong.push_back(
        robot_.node()->create_publisher<std_msgs::msg::String>("/robot1/" + std::string(view->row.topic->name), 10));
  expect_said("'robot' as std_msgs/msg/String", [&] {
    for (auto& publisher : wrong) publisher->publish(std_msgs::msg::String());
  });
  wrong.clear();
  connect();
  expect_going_on();
}

}  // namespace

int main(int argc, char** argv) {
  return ros_gui::run(argc, argv);
}
