// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/string.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "joint_state_publisher/joint_positions.hpp"

namespace {

using hl_testing::wait_until;

const char* const kRobot =
    "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
    "<joint name='j1' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit lower='-1' "
    "upper='1' effort='1' velocity='1'/></joint>"
    "<joint name='j2' type='revolute'><parent link='b'/><child link='c'/><axis xyz='0 0 1'/><limit lower='1' upper='2' "
    "effort='1' velocity='1'/></joint>"
    "<joint name='j3' type='continuous'><parent link='c'/><child link='d'/><axis xyz='0 0 1'/><mimic joint='j1' "
    "multiplier='2' offset='0.5'/></joint>"
    "</robot>";

using joint_state_publisher::JointPositions;
using testing::DoubleEq;
using testing::ElementsAre;

JointPositions positions_of(const std::string& urdf, const JointPositions::Options& options = {}) {
  urdf::Model model;
  EXPECT_TRUE(model.initString(urdf));
  return {model, options};
}

/// A robot without a body: the joints hang on one another.
std::string robot_of(const std::vector<std::string>& joints) {
  std::string text = "<robot name='r'><link name='l0'/>";
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const std::string child = "l" + std::to_string(i + 1);
    text += "<link name='" + child + "'/><joint name='j" + std::to_string(i + 1) + "' type='revolute'><parent link='l" +
            std::to_string(i) + "'/><child link='" + child + "'/>" +
            "<limit lower='-1' upper='2' effort='1' velocity='1'/>" + joints[i] + "</joint>";
  }
  return text + "</robot>";
}

TEST(JointPositions, ChainsOfDependenceMultiplyAndCirclesAreNamed) {
  JointPositions::Options options;
  options.dependent_joints["j3"] = {"j2", -1.0, 0.1};
  options.dependent_joints["j4"] = {"j5", 1.0, 0.0};
  options.dependent_joints["j5"] = {"j4", 1.0, 0.0};
  options.dependent_joints["j6"] = {"absent", 1.0, 0.0};
  auto joints =
      positions_of(robot_of({"", "<mimic joint='j1' multiplier='2' offset='0.5'/>", "", "", "", ""}), options);
  joints.find("j1")->motion = {0.2, 3.0, 4.0};
  EXPECT_DOUBLE_EQ(*joints.motion("j3")->position, -(2 * 0.2 + 0.5) + 0.1);
  EXPECT_DOUBLE_EQ(*joints.motion("j3")->velocity, -6.0);
  EXPECT_DOUBLE_EQ(*joints.motion("j3")->effort, 4.0);
  EXPECT_FALSE(joints.motion("j4"));
  EXPECT_FALSE(joints.motion("absent"));
  EXPECT_THAT(joints.problems(), ElementsAre(testing::HasSubstr("'j4' follows 'j5'"), testing::HasSubstr("'j5'"),
                                             testing::HasSubstr("'j6' follows 'absent'")));
}

TEST(JointPositions, MimicTagsMayBeLeftUnused) {
  JointPositions::Options options;
  options.use_mimic_tags = false;
  const auto joints = positions_of(robot_of({"", "<mimic joint='j1' multiplier='2'/>"}), options);
  EXPECT_EQ(joints.free_joints().size(), 2u);
  EXPECT_TRUE(joints.dependent_joints().empty());
}

TEST(JointPositions, SoftLimitsNarrowTheRange) {
  const auto robot = robot_of({"<safety_controller k_velocity='1' soft_lower_limit='-0.5' soft_upper_limit='9'/>"});
  EXPECT_EQ(positions_of(robot).free_joints().at("j1").lower, -0.5);
  EXPECT_EQ(positions_of(robot).free_joints().at("j1").upper, 2.0);
  JointPositions::Options options;
  options.use_smallest_joint_limits = false;
  EXPECT_EQ(positions_of(robot, options).free_joints().at("j1").lower, -1.0);
}

TEST(JointPositions, RandomStaysInTheRangeAndCenterGoesToTheZeros) {
  JointPositions::Options options;
  options.zeros = {{"j1", 0.3}, {"j2", 7.0}};
  auto joints = positions_of(robot_of({"", ""}), options);
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    joints.randomize(random);
    EXPECT_THAT(*joints.motion("j1")->position, testing::AllOf(testing::Ge(-1.0), testing::Le(2.0)));
  }
  joints.center();
  EXPECT_EQ(joints.motion("j1")->position, 0.3);
  EXPECT_EQ(joints.motion("j2")->position, 2.0);  // a zero beyond the limit is the limit
}

/// Runs the program, publishes a model and sources, and looks at what comes.
class JointStatePublisher : public testing::Test {
 protected:
  using JointState = sensor_msgs::msg::JointState;

  JointStatePublisher() {
    rclcpp::PublisherOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    description_ =
        node_->create_publisher<std_msgs::msg::String>("robot_description", rclcpp::QoS(1).transient_local(), latched);
    subscription_ = node_->create_subscription<JointState>(
        "joint_states", 10, [this](JointState::ConstSharedPtr state) { last_ = *state; });
  }

  void publish_model() {
    std_msgs::msg::String text;
    text.data = kRobot;
    description_->publish(text);
  }

  template <class Condition>
  bool spin_until(Condition condition) {
    return wait_until([&] {
      rclcpp::spin_some(node_);
      return condition();
    });
  }

  rclcpp::Node::SharedPtr node_ = rclcpp::Node::make_shared("test");
  rclcpp::Publisher<std_msgs::msg::String>::SharedPtr description_;
  rclcpp::Subscription<JointState>::SharedPtr subscription_;
  JointState last_;
};

TEST_F(JointStatePublisher, PublishesZerosMidRangesMimicsAndWhatTheParametersSay) {
  publish_model();
  hl_testing::Process process({JOINT_STATE_PUBLISHER, "--ros-args", "-p", "rate:=50", "-p", "zeros.j1:=0.25"});
  ASSERT_TRUE(spin_until([&] { return !last_.name.empty(); })) << process.output();
  EXPECT_THAT(last_.name, ElementsAre("j1", "j2", "j3"));
  EXPECT_THAT(last_.position, ElementsAre(DoubleEq(0.25), DoubleEq(1.5), DoubleEq(1.0)));
  EXPECT_THAT(last_.velocity, testing::IsEmpty());
}

TEST_F(JointStatePublisher, SourcesAndDependentJointsAreHonoured) {
  publish_model();
  hl_testing::Process process({JOINT_STATE_PUBLISHER, "--ros-args", "-p", "rate:=50", "-p", "source_list:=[source]",
                               "-p", "use_mimic_tags:=false", "-p", "dependent_joints.j3.parent:=j1", "-p",
                               "dependent_joints.j3.factor:=-1", "-p", "publish_default_efforts:=true"});
  auto source = node_->create_publisher<JointState>("source", 10);
  JointState state;
  state.name = {"j2", "j1", "unknown"};
  state.position = {1.75, 0.5, 3.0};
  state.velocity = {0.25};
  ASSERT_TRUE(spin_until([&] {
    source->publish(state);
    return last_.position.size() == 3 && last_.position[0] == 0.5;
  })) << process.output();
  EXPECT_THAT(last_.name, ElementsAre("j1", "j2", "j3"));
  EXPECT_THAT(last_.position, ElementsAre(DoubleEq(0.5), DoubleEq(1.75), DoubleEq(-0.5)));
  EXPECT_THAT(last_.velocity, ElementsAre(0.0, 0.25, 0.0));
  EXPECT_THAT(last_.effort, ElementsAre(0.0, 0.0, 0.0));
}

TEST_F(JointStatePublisher, ModelMayComeFromAFile) {
  const std::string path = testing::TempDir() + "joint_state_publisher_test.urdf";
  std::ofstream(path) << kRobot;
  hl_testing::Process process({JOINT_STATE_PUBLISHER, path});
  EXPECT_TRUE(spin_until([&] { return last_.name.size() == 3; })) << process.output();
}

TEST_F(JointStatePublisher, BadParametersAreErrorsWithAReason) {
  hl_testing::Process process({JOINT_STATE_PUBLISHER, "--ros-args", "-p", "dependent_joints.j3.fctor:=1"});
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(process.output(), testing::HasSubstr("dependent_joints.j3.fctor is unknown"));
  hl_testing::Process no_file({JOINT_STATE_PUBLISHER, "/no/such/file"});
  EXPECT_EQ(no_file.wait(), 1);
  EXPECT_THAT(no_file.output(), testing::HasSubstr("cannot read the URDF file '/no/such/file'"));
}

TEST_F(JointStatePublisher, ABadModelIsAnErrorWithAReason) {
  hl_testing::Process process({JOINT_STATE_PUBLISHER, "--ros-args", "-p", "robot_description:=nonsense"});
  EXPECT_EQ(process.wait(), 1);
  EXPECT_THAT(process.output(), testing::HasSubstr("not a valid URDF"));
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
