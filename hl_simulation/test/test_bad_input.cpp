// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hl_simulation/simulation.hpp"
#include "robots.hpp"

using namespace hl_simulation;
using ::testing::HasSubstr;

namespace {

const char* const kPendulum = R"(<robot name="pendulum">
  <link name="base_link"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="0.1"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base_link"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="2.5" velocity="5"/></joint>
</robot>)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("not found: " + from);
  return text.replace(at, from.size(), to);
}

std::string reason_of(const std::string& urdf, const std::string& yaml = "") {
  try {
    load_robot(urdf, yaml);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST(BadUrdf, EachFaultIsNamed) {
  EXPECT_EQ(reason_of(kPendulum), "accepted");
  EXPECT_THAT(reason_of(""), HasSubstr("URDF"));
  EXPECT_THAT(reason_of("<robot name=\"x\">\n<link name=\"a\">\n</robot>"), HasSubstr("line"));
  EXPECT_THAT(reason_of("<sdf/>"), HasSubstr("URDF"));
  EXPECT_THAT(reason_of(replaced(kPendulum, "revolute", "prismatic")), HasSubstr("hinge"));
  EXPECT_THAT(reason_of(replaced(kPendulum, "0 1 0", "0 0 0")), HasSubstr("axis"));
  EXPECT_THAT(reason_of(replaced(kPendulum, "lower=\"-1\"", "lower=\"2\"")), HasSubstr("limit"));
  EXPECT_THAT(reason_of(replaced(kPendulum, "<mass value=\"0.1\"/>", "<mass value=\"0\"/>")), HasSubstr("arm"));
  EXPECT_THAT(reason_of(replaced(kPendulum, "ixx=\"0.001\"", "ixx=\"0.1\"")), HasSubstr("triangle"));
}

TEST(BadYaml, PlaceIsNamed) {
  EXPECT_THAT(reason_of(kPendulum, "servos: [1, 2"), HasSubstr("robot.yaml"));
  EXPECT_THROW(load_robot_files("/does/not/exist.urdf"), std::runtime_error);
}

TEST(BadWorld, IsRefusedWithTheValue) {
  const auto spec = std::make_shared<RobotSpec>(load_robot(kPendulum));
  const auto reason = [&](const std::function<void(WorldSpec&)>& spoil) {
    WorldSpec world = world_with(spec);
    spoil(world);
    try {
      Simulation simulation(world);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(reason([](WorldSpec&) {}), "accepted");
  EXPECT_THAT(reason([](WorldSpec& w) { w.timestep = 0.0; }), HasSubstr("timestep"));
  EXPECT_THAT(reason([](WorldSpec& w) { w.timestep = std::nan(""); }), HasSubstr("timestep"));
  EXPECT_THAT(reason([](WorldSpec& w) { w.field.ball_radius = -1; }), HasSubstr("radius"));
  EXPECT_THAT(reason([](WorldSpec& w) { w.robots[0].name = "a/b"; }), HasSubstr("a/b"));
  EXPECT_THAT(reason([](WorldSpec& w) { w.robots.push_back(w.robots[0]); }), HasSubstr("two robots"));
  EXPECT_THAT(reason([](WorldSpec& w) { w.robots[0].spec = nullptr; }), HasSubstr("specification"));
  EXPECT_THAT(reason([](WorldSpec& w) { w.robots[0].x = std::nan(""); }), HasSubstr("x (m)"));
  EXPECT_THAT(reason([](WorldSpec& w) {
                w.robots.push_back(w.robots[0]);
                w.robots[1].name = "twin";
              }),
              HasSubstr("inside"));
}

TEST(BadCommand, IsRefusedAndChangesNothing) {
  Simulation simulation(world_with(robot_spec("minibot")));
  Robot& robot = simulation.robot();
  const double goal = robot.servo(3).goal();
  std::vector<double> goals(robot.joint_count(), 0.1);
  goals[7] = std::nan("");
  EXPECT_THAT(robot.set_goals(goals).value(), HasSubstr(robot.joint_names()[7]));
  EXPECT_THAT(robot.set_goals({0.1, 0.2}).value(), HasSubstr("20"));
  EXPECT_TRUE(robot.set_goal(99, 0.0));
  EXPECT_TRUE(robot.set_goal(3, std::numeric_limits<double>::infinity()));
  EXPECT_EQ(robot.servo(3).goal(), goal);
  EXPECT_TRUE(robot.push({std::nan(""), 0, 0}, 1.0));
  EXPECT_TRUE(robot.push({1, 0, 0}, -1.0));
  EXPECT_THAT(robot.push({1, 0, 0}, 1.0, "tail").value(), HasSubstr("tail"));
  EXPECT_TRUE(simulation.place_ball({std::nan(""), 0, 0}));
  EXPECT_TRUE(simulation.place_ball({0, 0, 0}, {1000, 0, 0}));
  EXPECT_THROW(robot.frame_pose("tail"), std::out_of_range);
}

TEST(BadCommand, GoalsBeyondALimitAreClipped) {
  Simulation simulation(world_with(robot_spec("minibot")));
  Robot& robot = simulation.robot();
  EXPECT_FALSE(robot.set_goals(std::vector<double>(robot.joint_count(), 50.0)));
  for (std::size_t j = 0; j < robot.joint_count(); ++j) EXPECT_EQ(robot.servo(j).goal(), robot.spec().joints[j].upper);
}

TEST(BadPlace, InsideAnotherRobotOrAGoalIsRefused) {
  WorldSpec world = world_with(robot_spec("minibot"));
  world.robots.push_back(world.robots[0]);
  world.robots[1].name = "other";
  world.robots[1].x = 2.0;
  Simulation simulation(world);
  const Eigen::Vector3d before = simulation.robot(0).pose().translation();
  EXPECT_THAT(simulation.robot(0).place({2.05, 0.0, 0.0}).value(), HasSubstr("other"));
  EXPECT_THAT(simulation.robot(0).place({4.5, 1.35, 0.0}).value(), HasSubstr("goal"));
  EXPECT_TRUE(simulation.robot(0).place({std::nan(""), 0, 0}));
  EXPECT_LT((simulation.robot(0).pose().translation() - before).norm(), 1e-12);
  EXPECT_FALSE(simulation.robot(0).place({1.0, 1.0, 0.0}));
}

TEST(Divergence, IsDetectedResetAndNeverShown) {
  WorldSpec world = world_with(robot_spec("minibot"));
  Simulation simulation(world);
  simulation.run(0.5);
  // Forces no robot can stand: the integrator gives up.
  bool fine = true;
  for (int n = 0; n < 2000 && fine; ++n) {
    for (const char* link : {"l_hand", "r_hand", "l_foot", "r_foot", "head"})
      simulation.robot().push({1100, -1100, 900}, 0.1, link);
    fine = simulation.step();
  }
  EXPECT_FALSE(fine);
  EXPECT_EQ(simulation.divergences(), 1);
  EXPECT_GT(simulation.time(), 0.5);
  EXPECT_TRUE(simulation.robot().pose().matrix().allFinite());
  EXPECT_TRUE(simulation.run(2.0));
  EXPECT_FALSE(simulation.robot().fallen());
}
