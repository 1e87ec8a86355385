// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "hl_description/mesh.hpp"
#include "hl_description/robot_model.hpp"
#include "hl_simulation/simulation.hpp"
#include "robots.hpp"

using namespace hl_simulation;

namespace {

double sum(const FootReading& foot) {
  return std::accumulate(foot.begin(), foot.end(), 0.0);
}

WorldSpec quiet_world(const std::string& robot, std::uint64_t seed = 1) {
  WorldSpec world = world_with(robot_spec(robot), seed);
  world.robots[0].sensors = SensorSpec::perfect();
  return world;
}

/// Random goals around the walk-ready pose, every 8 ms; the exact end state as one vector.
std::vector<double> shake(Simulation& simulation, double seconds) {
  const std::vector<double> ready = simulation.robot().spec().walk_ready_positions();
  for (int tick = 0; tick < static_cast<int>(seconds / 0.008); ++tick) {
    for (std::size_t n = 0; n < simulation.robot_count(); ++n) {
      std::vector<double> goals = ready;
      const auto& gyro = simulation.robot(n).read().imu.angular_velocity;  // noise goes back into the motion
      for (std::size_t j = 0; j < goals.size(); ++j) goals[j] += 0.2 * std::sin(0.1 * tick + j + n) + 0.01 * gyro.y();
      simulation.robot(n).set_goals(goals);
    }
    simulation.run(0.008);
  }
  std::vector<double> state;
  for (std::size_t n = 0; n < simulation.robot_count(); ++n) {
    for (const double q : simulation.robot(n).joint_positions()) state.push_back(q);
    const Eigen::Vector3d p = simulation.robot(n).pose().translation(),
                          w = simulation.robot(n).read().imu.angular_velocity;
    state.insert(state.end(), {p.x(), p.y(), p.z(), w.x(), w.y(), w.z()});
  }
  return state;
}

class EachRobot : public ::testing::TestWithParam<const char*> {};

}  // namespace

TEST_P(EachRobot, HasMassAndKinematicsOfItsUrdf) {
  const auto model = hl_description::RobotModel::from_file(urdf_path(GetParam()));
  const auto spec = robot_spec(GetParam());
  EXPECT_NEAR(spec->total_mass(), model.mass(), 1e-6);
  ASSERT_EQ(spec->joints.size(), model.dof());

  Simulation simulation(quiet_world(GetParam()));
  Robot& robot = simulation.robot();
  ASSERT_EQ(robot.joint_names(), model.joint_names());
  for (int trial = 0; trial < 20; ++trial) {
    Placement placement;
    placement.x = 2.0;
    Eigen::VectorXd q(static_cast<Eigen::Index>(model.dof()));
    for (std::size_t j = 0; j < model.dof(); ++j) {
      const auto& limits = model.limits(j);
      q[j] =
          0.5 * (limits.lower + limits.upper) + 0.45 * (limits.upper - limits.lower) * std::sin(1.7 * trial + 2.3 * j);
    }
    placement.joints.assign(q.data(), q.data() + q.size());
    ASSERT_FALSE(robot.place(placement));
    hl_description::Posture posture;
    model.forward(q, posture);
    for (std::size_t l = 0; l < model.links().size(); ++l) {
      const Eigen::Isometry3d got = robot.pose().inverse() * robot.frame_pose(model.links()[l].name);
      EXPECT_TRUE(got.isApprox(posture.links[l], 1e-6)) << model.links()[l].name;
    }
    const Eigen::Vector3d com = robot.pose().inverse() * robot.centre_of_mass();
    EXPECT_LT((com - model.center_of_mass(posture)).norm(), 1e-6);
  }
}

TEST_P(EachRobot, StandsInWalkReadyPoseFor30Seconds) {
  Simulation simulation(quiet_world(GetParam()));
  Robot& robot = simulation.robot();
  ASSERT_TRUE(simulation.run(1.0));
  const Eigen::Vector3d settled = robot.pose().translation();
  for (int second = 0; second < 29; ++second) {
    ASSERT_TRUE(simulation.run(1.0));
    ASSERT_FALSE(robot.fallen());
  }
  EXPECT_LT((robot.pose().translation() - settled).norm(), 0.005);
  EXPECT_LT(robot.tilt(), 0.2);
  const double weight = robot.spec().total_mass() * 9.81;
  EXPECT_NEAR(sum(robot.read().left_foot) + sum(robot.read().right_foot), weight, 0.05 * weight);
  EXPECT_TRUE(robot.self_contacts().empty());
}

TEST_P(EachRobot, FallsWhenItsServosGoLimp) {
  Simulation simulation(quiet_world(GetParam()));
  simulation.run(0.5);
  EXPECT_FALSE(simulation.robot().fallen());
  simulation.robot().set_torque(false);
  simulation.run(3.0);
  EXPECT_TRUE(simulation.robot().fallen());
  EXPECT_EQ(simulation.divergences(), 0);
}

INSTANTIATE_TEST_SUITE_P(Robots, EachRobot, ::testing::Values("minibot", "darwin_op"));

TEST(Meshes, CollideWithTheirHullWhereThereIsNothingSimpler) {
  std::string folder = (std::filesystem::temp_directory_path() / "hull_XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  hl_description::Mesh wedge;  // 0.2 m broad and long, 0.1 m high
  wedge.points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, 0, 1}, {1, 0, 1}};
  wedge.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {2, 3, 4}, {2, 4, 5}, {0, 4, 3}, {1, 2, 5}};
  std::ofstream(folder + "/wedge.stl", std::ios::binary) << hl_description::stl_of(wedge);
  const std::string body =
      "<inertial><origin xyz='0 0 0.03'/><mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' "
      "iyz='0'/></inertial>";
  const std::string urdf =
      "<robot name='wedge'><link name='base_link'>" + body +
      "<collision><geometry><mesh filename='wedge.stl' scale='0.1 0.1 0.1'/></geometry></collision></link>"
      "<link name='arm'>" +
      body +
      "</link><joint name='hinge' type='revolute'><parent link='base_link'/><child link='arm'/><axis xyz='0 0 1'/>"
      "<limit lower='-1' upper='1' effort='2.5' velocity='5'/></joint></robot>";
  const auto spec = std::make_shared<RobotSpec>(load_robot(urdf, "", folder));
  std::filesystem::remove_all(folder);
  auto world = world_with(spec);
  world.with_ball = world.with_goals = false;
  Simulation simulation(world);
  ASSERT_TRUE(simulation.run(1.0));
  EXPECT_NEAR(simulation.robot().pose().translation().z(), 0.0, 0.005);
  EXPECT_LT(simulation.robot().tilt(), 0.02);
}

TEST(Imu, ReadsGravityAtRest) {
  Simulation simulation(quiet_world("minibot"));
  simulation.run(2.0);
  const ImuReading imu = simulation.robot().read().imu;
  const Eigen::Vector3d up = imu.orientation.inverse() * Eigen::Vector3d::UnitZ();
  EXPECT_LT((imu.linear_acceleration - 9.81 * up).norm(), 0.05);
  EXPECT_LT(imu.angular_velocity.norm(), 0.02);
}

TEST(Imu, TurnsWithTheBody) {
  // Thrown up and turned by a push on the hand, the gyro's integral must follow the true orientation.
  Simulation simulation(quiet_world("minibot"));
  Robot& robot = simulation.robot();
  Placement lifted;
  lifted.clearance = 1.5;
  ASSERT_FALSE(robot.place(lifted));
  robot.push({0, 6, 0}, 0.3, "l_hand");
  Eigen::Quaterniond integrated = robot.read().imu.orientation;
  while (simulation.time() < 0.45) {
    simulation.step();
    const Eigen::Vector3d turn = robot.read().imu.angular_velocity * simulation.timestep();
    if (turn.norm() > 0) integrated = integrated * Eigen::AngleAxisd(turn.norm(), turn.normalized());
  }
  EXPECT_GT(robot.read().imu.angular_velocity.norm(), 0.3);
  EXPECT_LT(integrated.angularDistance(robot.read().imu.orientation), 0.02);
  // In free fall the accelerometer shows only the turning about the centre of mass.
  EXPECT_LT(robot.read().imu.linear_acceleration.norm(), 3.0);
}

TEST(Imu, NoiseHasTheWantedSpread) {
  WorldSpec world = quiet_world("minibot");
  world.robots[0].sensors.gyro_noise = 0.02;
  Simulation simulation(world);
  simulation.run(1.0);
  double square = 0.0;
  const int count = 2000;
  for (int n = 0; n < count; ++n) {
    simulation.step();
    const double x = simulation.robot().read().imu.angular_velocity.x();
    EXPECT_EQ(x, simulation.robot().read().imu.angular_velocity.x());
    square += x * x;
  }
  EXPECT_NEAR(std::sqrt(square / count), 0.02, 0.002);
}

TEST(Ball, RollsAndStopsAsTheTurfSays) {
  WorldSpec world = quiet_world("minibot");
  world.robots[0].x = -3.0;
  Simulation simulation(world);
  for (const double speed : {0.5, 1.0, 2.0, 3.0}) {
    ASSERT_FALSE(simulation.place_ball({-1.5, 1.0, 0.0}, {speed, 0.0, 0.0}));
    simulation.run(12.0);
    const double expected = world.turf.stopping_distance(speed);
    EXPECT_NEAR(simulation.ball_position().x() + 1.5, expected, 0.08 * expected) << speed << " m/s";
    EXPECT_NEAR(simulation.ball_position().y(), 1.0, 0.02);
    EXPECT_LT(simulation.ball_velocity().norm(), 1e-3);
  }
}

TEST(Ball, IsCaughtByTheNet) {
  Simulation simulation(quiet_world("minibot"));
  ASSERT_FALSE(simulation.place_ball({3.5, 0.3, 0.0}, {4.0, 0.0, 0.0}));
  simulation.run(6.0);
  EXPECT_GT(simulation.ball_position().x(), 4.5);
  EXPECT_LT(simulation.ball_position().x(), 5.15);
}

TEST(Ball, BouncesOffThePost) {
  Simulation simulation(quiet_world("minibot"));
  ASSERT_FALSE(simulation.place_ball({3.5, 1.35, 0.0}, {3.0, 0.0, 0.0}));
  // Right after the bounce; later its forward spin turns it round again.
  double backwards = 0.0;
  while (simulation.time() < 1.0) {
    simulation.step();
    backwards = std::min(backwards, simulation.ball_velocity().x());
  }
  EXPECT_LT(backwards, -0.8);
  EXPECT_GT(backwards, -2.5);
}

TEST(Repeatability, SameSeedGivesTheSameBits) {
  WorldSpec world = world_with(robot_spec("minibot"), 5);
  Simulation first(world), second(world);
  const auto a = shake(first, 3.0), b = shake(second, 3.0);
  EXPECT_EQ(a, b);
  second.reset();
  EXPECT_EQ(shake(second, 3.0), a);
  second.reset(6);
  EXPECT_NE(shake(second, 3.0), a);
}

TEST(Repeatability, SnapshotContinuesBitByBit) {
  WorldSpec world = world_with(robot_spec("minibot"), 5);
  world.robots[0].sensors.sensor_delay = 0.008;
  world.robots[0].sensors.command_delay = 0.016;
  Simulation simulation(world);
  shake(simulation, 1.0);
  simulation.robot().push({3, 0, 0}, 0.5);
  simulation.robot().set_torque(3, false);
  const auto snapshot = simulation.snapshot();
  const auto after = shake(simulation, 1.0);
  simulation.robot().set_torque(3, true);
  ASSERT_FALSE(simulation.restore(*snapshot));
  EXPECT_EQ(shake(simulation, 1.0), after);
  Simulation other(world);
  EXPECT_TRUE(other.restore(*snapshot));
}

TEST(Delay, CommandsAndReadingsAreLate) {
  WorldSpec world = quiet_world("minibot");
  world.robots[0].sensors.command_delay = 0.016;
  world.robots[0].sensors.sensor_delay = 0.010;
  Simulation simulation(world);
  simulation.run(0.5);
  Robot& robot = simulation.robot();
  EXPECT_NEAR(robot.read().stamp, 0.490, 1e-9);
  robot.set_goal(0, 0.3);
  simulation.run(0.014);
  EXPECT_EQ(robot.servo(0).goal(), robot.spec().walk_ready_positions()[0]);
  simulation.run(0.004);
  EXPECT_NEAR(robot.servo(0).goal(), 0.3, 1e-12);
}

TEST(Push, MovesTheRobotAndEnds) {
  WorldSpec world = quiet_world("minibot");
  Simulation simulation(world);
  simulation.run(0.5);
  simulation.robot().push({0, 40, 0}, 0.3);
  simulation.run(2.0);
  EXPECT_TRUE(simulation.robot().fallen());
  simulation.reset();
  simulation.robot().push({0, 2, 0}, 0.1);
  simulation.run(2.0);
  EXPECT_FALSE(simulation.robot().fallen());
}

TEST(SelfCollision, ThighStopsAtTheTrunk) {
  const auto& pairs = robot_spec("minibot")->self_collisions;
  const auto has = [&](const std::string& a, const std::string& b) {
    return std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) {
      return (p.first == a && p.second == b) || (p.first == b && p.second == a);
    });
  };
  EXPECT_TRUE(has("torso", "l_thigh"));
  EXPECT_TRUE(has("torso", "r_thigh"));
  EXPECT_TRUE(has("l_foot", "r_foot"));
  EXPECT_TRUE(has("torso", "l_lower_arm"));

  // Feet pressed together: they touch instead of passing through each other.
  Simulation simulation(quiet_world("minibot"));
  Robot& robot = simulation.robot();
  Placement lifted;
  lifted.clearance = 1.0;
  ASSERT_FALSE(robot.place(lifted));
  std::vector<double> goals = robot.spec().walk_ready_positions();
  goals[robot.spec().joint_index("LHipRoll")] = 0.6;
  goals[robot.spec().joint_index("RHipRoll")] = -0.6;
  robot.set_goals(goals);
  simulation.run(0.3);
  EXPECT_FALSE(robot.self_contacts().empty());
  EXPECT_GT(robot.frame_pose("l_foot").translation().y(), robot.frame_pose("r_foot").translation().y() + 0.03);
}

TEST(Friction, SlipperyTurfLetsTheFeetSlide) {
  Simulation simulation(quiet_world("minibot"));
  simulation.run(0.5);
  const auto slide = [&](double friction) {
    simulation.reset();
    simulation.set_friction(friction);
    simulation.run(0.5);
    const double before = simulation.robot().frame_pose("l_sole").translation().x();
    simulation.robot().push({14, 0, 0}, 0.4, "torso");
    simulation.run(0.4);
    return simulation.robot().frame_pose("l_sole").translation().x() - before;
  };
  EXPECT_GT(slide(0.05), slide(0.9) + 0.01);
}

TEST(ManyRobots, EightRunTogether) {
  WorldSpec world;
  for (int n = 0; n < 8; ++n) {
    RobotPlacement placement;
    placement.spec = robot_spec(n % 2 ? "darwin_op" : "minibot");
    placement.name = "robot" + std::to_string(n);
    placement.x = n % 2 ? 1.5 : -1.5;
    placement.y = -2.0 + n / 2;
    placement.yaw = n % 2 ? M_PI : 0.0;
    world.robots.push_back(placement);
  }
  Simulation simulation(world);
  ASSERT_TRUE(simulation.run(2.0));
  for (int n = 0; n < 8; ++n) EXPECT_FALSE(simulation.robot(n).fallen()) << n;
  // Two run into each other and neither passes through.
  ASSERT_FALSE(simulation.robot(0).place({1.15, -2.0, 0.0}));
  for (std::size_t n = 0; n < 2; ++n) simulation.robot(n).push({n ? -30.0 : 30.0, 0, 0}, 0.3);
  ASSERT_TRUE(simulation.run(2.0));
  EXPECT_LT(simulation.robot(0).pose().translation().x(), simulation.robot(1).pose().translation().x() + 0.3);
}
