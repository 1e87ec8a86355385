// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <hl_robot_interface/fault_script.hpp>
#include <hl_testing/documentation.hpp>
#include <hl_testing/isolation.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/spinning.hpp>
#include <limits>
#include <map>

#include "simulator_node.hpp"

using namespace std::chrono_literals;
namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;
using hl_testing::wait_until;

namespace {

/// The simulator and a test node beside it, both spinning.
class World {
 public:
  explicit World(std::vector<rclcpp::Parameter> parameters, bool fast = true) {
    bool has_factor = false, has_cameras = false;
    for (const auto& p : parameters) {
      has_factor |= p.get_name() == "real_time_factor";
      has_cameras |= p.get_name() == "cameras";
    }
    if (!has_factor) parameters.emplace_back("real_time_factor", fast ? 0.0 : 1.0);
    if (!has_cameras) parameters.emplace_back("cameras", std::vector<std::string>{""});
    rclcpp::NodeOptions options;
    options.parameter_overrides(parameters);
    simulator = std::make_shared<hl_simulation::SimulatorNode>(options);
    node = std::make_shared<rclcpp::Node>("test");
    executor.add_node(simulator);
    executor.add_node(node);
    // cancel() before spin() has begun would be lost.
    std::atomic<bool> spinning{false};
    const auto timer = node->create_wall_timer(1ms, [&] { spinning = true; });
    thread = std::thread([this] { executor.spin(); });
    wait_until([&] { return spinning.load(); });
    timer->cancel();
  }

  ~World() {
    executor.cancel();
    thread.join();
  }

  template <class Message>
  struct Latest {
    std::mutex mutex;
    Message message;
    std::uint64_t count = 0;
    typename rclcpp::Subscription<Message>::SharedPtr subscription;
    Message get() {
      const std::lock_guard<std::mutex> lock(mutex);
      return message;
    }
    std::uint64_t received() {
      const std::lock_guard<std::mutex> lock(mutex);
      return count;
    }
  };

  template <class Message>
  std::shared_ptr<Latest<Message>> listen(const std::string& topic, const rclcpp::QoS& qos = rclcpp::QoS(10)) {
    auto latest = std::make_shared<Latest<Message>>();
    std::weak_ptr<Latest<Message>> weak = latest;
    latest->subscription = node->create_subscription<Message>(topic, qos, [weak](const Message& message) {
      if (const auto target = weak.lock()) {
        const std::lock_guard<std::mutex> lock(target->mutex);
        target->message = message;
        ++target->count;
      }
    });
    return latest;
  }

  template <class Service>
  typename Service::Response call(const std::string& name, const typename Service::Request& request) {
    return hl_testing::call<Service>(hl_testing::SpunElsewhere{}, *node, name, request);
  }

  std::shared_ptr<hl_simulation::SimulatorNode> simulator;
  std::shared_ptr<rclcpp::Node> node;
  rclcpp::executors::MultiThreadedExecutor executor{rclcpp::ExecutorOptions(), 3};
  std::thread thread;
};

double position_of(const sensor_msgs::msg::JointState& state, const std::string& joint) {
  for (std::size_t n = 0; n < state.name.size(); ++n) {
    if (state.name[n] == joint) return state.position[n];
  }
  return std::nan("");
}

trajectory_msgs::msg::JointTrajectory goal(const std::vector<std::string>& joints, const std::vector<double>& positions,
                                           const builtin_interfaces::msg::Time& stamp) {
  trajectory_msgs::msg::JointTrajectory message;
  message.header.stamp = stamp;
  message.joint_names = joints;
  message.points.resize(1);
  message.points[0].positions = positions;
  return message;
}

}  // namespace

TEST(Simulator, GivesTheHardwareContract) {
  World world({}, false);
  const auto joints = world.listen<sensor_msgs::msg::JointState>("joint_states", rclcpp::SensorDataQoS());
  const auto imu = world.listen<sensor_msgs::msg::Imu>("imu/data", rclcpp::SensorDataQoS());
  const auto left = world.listen<msg::FootPressure>("foot_pressure_left");
  const auto right = world.listen<msg::FootPressure>("foot_pressure_right");
  const auto hardware = world.listen<msg::HardwareState>("hardware_state");
  const auto servos = world.listen<msg::AdditionalServoData>("servo_data");
  const auto buttons = world.listen<msg::Buttons>("buttons", rclcpp::QoS(1).transient_local());
  const auto clock = world.listen<rosgraph_msgs::msg::Clock>("/clock");
  const auto truth = world.listen<msg::SimulationState>("/ground_truth");
  ASSERT_TRUE(wait_until([&] {
    return joints->received() > 20 && imu->received() > 0 && left->received() > 20 && right->received() > 0 &&
           hardware->received() > 1 && servos->received() > 1 && buttons->received() > 0 && clock->received() > 20 &&
           truth->received() > 2;
  }));
  EXPECT_EQ(joints->get().name.size(), 20u);
  EXPECT_EQ(joints->get().effort.size(), 20u);
  EXPECT_EQ(imu->get().header.frame_id, "imu_frame");
  const auto a = imu->get().linear_acceleration;
  EXPECT_NEAR(std::hypot(a.x, a.y, a.z), 9.81, 1.0);
  const auto l = left->get(), r = right->get();
  EXPECT_NEAR(l.front_left + l.front_right + l.back_left + l.back_right + r.front_left + r.front_right + r.back_left +
                  r.back_right,
              49.0, 8.0);
  EXPECT_EQ(l.header.frame_id, "l_sole");
  EXPECT_EQ(hardware->get().level, msg::HardwareState::OK);
  EXPECT_TRUE(hardware->get().torque_on);
  EXPECT_NEAR(hardware->get().voltage, 11.8, 0.4);
  EXPECT_EQ(servos->get().temperature.size(), 20u);
  ASSERT_EQ(truth->get().robots.size(), 1u);
  EXPECT_TRUE(truth->get().robots[0].upright);
  EXPECT_TRUE(truth->get().robots[0].left_foot_contact);
  EXPECT_EQ(truth->get().header.frame_id, "world");
}

TEST(Simulator, FollowsGoodGoalsAndRefusesBadOnes) {
  World world({}, false);
  const auto joints = world.listen<sensor_msgs::msg::JointState>("joint_states", rclcpp::SensorDataQoS());
  const auto diagnostics = world.listen<diagnostic_msgs::msg::DiagnosticArray>("diagnostics");
  auto goals = world.node->create_publisher<trajectory_msgs::msg::JointTrajectory>("motor_goals", 10);
  ASSERT_TRUE(wait_until([&] { return goals->get_subscription_count() > 0 && joints->received() > 0; }));
  const auto stamp = [&] { return joints->get().header.stamp; };
  EXPECT_TRUE(wait_until([&] {
    goals->publish(goal({"HeadPan", "HeadTilt"}, {0.5, -0.3}, stamp()));
    return std::abs(position_of(joints->get(), "HeadPan") - 0.5) < 0.03;
  }));

  const double nan = std::nan("");
  auto stale =
      goal({"HeadPan"}, {-0.5}, hl_simulation::to_stamp(hl_simulation::to_seconds(joints->get().header.stamp) + 100.0));
  const std::vector<trajectory_msgs::msg::JointTrajectory> bad{
      goal({"HeadPan"}, {nan}, stamp()), goal({"Tail"}, {0.0}, stamp()), goal({"HeadPan", "HeadTilt"}, {0.1}, stamp()),
      goal({"HeadPan"}, {-9.0}, stamp()), stale};
  for (const auto& message : bad) goals->publish(message);
  const auto refused = [&] {
    for (const auto& status : diagnostics->get().status) {
      for (const auto& value : status.values) {
        if (value.key == "goals refused") return std::stoi(value.value);
      }
    }
    return 0;
  };
  EXPECT_TRUE(wait_until([&] { return refused() >= 5; }));
  EXPECT_NEAR(position_of(joints->get(), "HeadPan"), 0.5, 0.03);
}

TEST(Simulator, WithoutTorqueTheRobotFallsAndItIsReported) {
  World world({});
  const auto truth = world.listen<msg::SimulationState>("/ground_truth");
  const auto hardware = world.listen<msg::HardwareState>("hardware_state");
  srv::SetTorque::Request request;
  request.groups = {"tail"};
  EXPECT_FALSE(world.call<srv::SetTorque>("set_torque", request).success);
  request.groups = {"left_leg", "RKnee"};
  const auto some = world.call<srv::SetTorque>("set_torque", request);
  EXPECT_TRUE(some.success);
  EXPECT_EQ(some.joints.size(), 7u);
  request.groups.clear();
  EXPECT_EQ(world.call<srv::SetTorque>("set_torque", request).joints.size(), 20u);
  EXPECT_TRUE(wait_until([&] { return truth->received() > 0 && !truth->get().robots[0].upright; }));
  EXPECT_TRUE(wait_until([&] { return hardware->get().joints_limp.size() == 20u && !hardware->get().torque_on; }));
}

TEST(Simulator, PlacesPushesAndRemembers) {
  World world({rclcpp::Parameter("robots", std::vector<std::string>{"blue", "red"})});
  const auto truth = world.listen<msg::SimulationState>("/ground_truth");
  const auto red_truth = world.listen<msg::SimulationState>("/red/ground_truth");
  srv::PlaceRobot::Request place;
  place.robot = "blue";
  place.pose.position.x = 1.2;
  place.pose.orientation.w = 1.0;
  srv::PlaceRobot::Request on_top = place;
  ASSERT_TRUE(wait_until([&] { return truth->received() > 0 && red_truth->received() > 0; }));
  on_top.pose.position.x = truth->get().robots[1].pose.position.x;
  on_top.pose.position.y = truth->get().robots[1].pose.position.y;
  const auto refused = world.call<srv::PlaceRobot>("/simulator/place_robot", on_top);
  EXPECT_FALSE(refused.success);
  EXPECT_NE(refused.message.find("red"), std::string::npos);
  place.pose.position.x = 0.3;
  place.pose.position.y = 2.0;
  EXPECT_TRUE(world.call<srv::PlaceRobot>("/simulator/place_robot", place).success);
  EXPECT_TRUE(wait_until([&] { return std::abs(truth->get().robots[0].pose.position.y - 2.0) < 0.05; }));
  // The right team's map is the world turned by half a turn.
  EXPECT_TRUE(wait_until([&] { return std::abs(red_truth->get().robots[0].pose.position.y + 2.0) < 0.05; }));
  EXPECT_EQ(red_truth->get().header.frame_id, "map");
  place.robot = "green";
  EXPECT_NE(world.call<srv::PlaceRobot>("/simulator/place_robot", place).message.find("blue"), std::string::npos);

  srv::SaveSnapshot::Request save;
  save.name = "before";
  EXPECT_TRUE(world.call<srv::SaveSnapshot>("/simulator/save_snapshot", save).success);
  srv::PushRobot::Request push;
  push.robot = "blue";
  push.force.x = 60.0;
  push.duration = 0.4;
  EXPECT_TRUE(world.call<srv::PushRobot>("/simulator/push_robot", push).success);
  push.link = "tail";
  EXPECT_FALSE(world.call<srv::PushRobot>("/simulator/push_robot", push).success);
  EXPECT_TRUE(wait_until([&] { return !truth->get().robots[0].upright; }));
  srv::RestoreSnapshot::Request restore;
  restore.name = "before";
  EXPECT_TRUE(world.call<srv::RestoreSnapshot>("/simulator/restore_snapshot", restore).success);
  EXPECT_TRUE(wait_until([&] { return truth->get().robots[0].upright; }));
  restore.name = "never";
  EXPECT_FALSE(world.call<srv::RestoreSnapshot>("/simulator/restore_snapshot", restore).success);

  srv::PlaceBall::Request ball;
  ball.position.x = -2.0;
  ball.position.y = 1.0;
  ball.frame_id = "red/map";
  EXPECT_TRUE(world.call<srv::PlaceBall>("/simulator/place_ball", ball).success);
  EXPECT_TRUE(wait_until([&] { return std::abs(truth->get().ball_pose.position.x - 2.0) < 0.01; }));
  ball.velocity.x = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(world.call<srv::PlaceBall>("/simulator/place_ball", ball).success);
  EXPECT_TRUE(world.call<srv::ResetSimulation>("/simulator/reset", srv::ResetSimulation::Request()).success);
  EXPECT_TRUE(wait_until([&] { return std::abs(truth->get().ball_pose.position.x) < 0.01; }));
}

TEST(Simulator, PausesAndStepsExactly) {
  World world({rclcpp::Parameter("paused", true)});
  const auto clock = world.listen<rosgraph_msgs::msg::Clock>("/clock");
  srv::StepSimulation::Request step;
  step.duration = 0.4;
  EXPECT_TRUE(world.call<srv::StepSimulation>("/simulator/step", step).success);
  ASSERT_TRUE(wait_until([&] { return hl_simulation::to_seconds(clock->get().clock) > 0.39; }));
  step.duration = 0.2;
  EXPECT_TRUE(world.call<srv::StepSimulation>("/simulator/step", step).success);
  ASSERT_TRUE(wait_until([&] { return hl_simulation::to_seconds(clock->get().clock) > 0.59; }));
  EXPECT_NEAR(hl_simulation::to_seconds(clock->get().clock), 0.6, 1e-9) << "nothing moved between the two";
  step.duration = -1.0;
  EXPECT_FALSE(world.call<srv::StepSimulation>("/simulator/step", step).success);
}

TEST(Simulator, BreaksOnDemandAndHeals) {
  World world({}, false);
  const auto joints = world.listen<sensor_msgs::msg::JointState>("joint_states", rclcpp::SensorDataQoS());
  const auto hardware = world.listen<msg::HardwareState>("hardware_state");
  srv::InjectFault::Request fault;
  fault.fault = srv::InjectFault::Request::SERVO_SILENT;
  EXPECT_FALSE(world.call<srv::InjectFault>("/simulator/inject_fault", fault).success);
  fault.joint = "LKnee";
  EXPECT_TRUE(world.call<srv::InjectFault>("/simulator/inject_fault", fault).success);
  EXPECT_TRUE(
      wait_until([&] { return joints->get().name.size() == 19u && hardware->get().joints_missing.size() == 1u; }));
  fault.fault = srv::InjectFault::Request::LOW_VOLTAGE;
  fault.value = 9.0;
  EXPECT_TRUE(world.call<srv::InjectFault>("/simulator/inject_fault", fault).success);
  EXPECT_TRUE(wait_until([&] { return hardware->get().text.find("battery") != std::string::npos; }));
  fault = srv::InjectFault::Request();
  EXPECT_TRUE(world.call<srv::InjectFault>("/simulator/inject_fault", fault).success);
  EXPECT_TRUE(
      wait_until([&] { return joints->get().name.size() == 20u && hardware->get().level == msg::HardwareState::OK; }));

  const auto buttons = world.listen<msg::Buttons>("buttons", rclcpp::QoS(1).transient_local());
  srv::PressButton::Request press;
  press.button = "start";
  press.duration = 0.5;
  EXPECT_TRUE(world.call<srv::PressButton>("/simulator/press_button", press).success);
  EXPECT_TRUE(wait_until([&] { return buttons->get().start; }));
  EXPECT_TRUE(wait_until([&] { return !buttons->get().start; }));
}

TEST(Simulator, SaysOfItsFaultsWhatEveryBodySays) {
  World world({}, false);
  const auto hardware = world.listen<msg::HardwareState>("hardware_state");
  ASSERT_TRUE(wait_until([&] { return hardware->received() > 0; }));
  for (const auto& step : hl_robot_interface::fault_script()) {
    EXPECT_TRUE(world.call<srv::InjectFault>("/simulator/inject_fault", step.request()).success);
    EXPECT_TRUE(wait_until([&] { return step.holds(hardware->get()); }))
        << "fault " << int(step.fault) << " " << step.joint << ": " << int(hardware->get().level) << " '"
        << hardware->get().text << "'";
  }
}

TEST(Simulator, LockStepGivesTheSameOutcomeAndSurvivesASilentRobot) {
  const auto run = [](int ticks) {
    World world({rclcpp::Parameter("lockstep", std::vector<std::string>{"*"}),
                 rclcpp::Parameter("lockstep_timeout", 20.0), rclcpp::Parameter("paused", true)});
    auto goals = world.node->create_publisher<trajectory_msgs::msg::JointTrajectory>("motor_goals", 10);
    std::mutex mutex;
    std::map<std::int64_t, std::vector<double>> seen;
    // A controller: every sensor message is answered with goals that depend on what it measured.
    auto subscription = world.node->create_subscription<sensor_msgs::msg::JointState>(
        "joint_states", rclcpp::QoS(10), [&](const sensor_msgs::msg::JointState& state) {
          const double t = hl_simulation::to_seconds(state.header.stamp);
          trajectory_msgs::msg::JointTrajectory message = goal(state.name, state.position, state.header.stamp);
          for (std::size_t j = 0; j < state.name.size(); ++j) {
            message.points[0].positions[j] =
                0.8 * state.position[j] + 0.003 * std::sin(9.0 * t + static_cast<double>(j));
          }
          goals->publish(message);
          const std::lock_guard<std::mutex> lock(mutex);
          seen[std::llround(t * 1e6)] = state.position;
        });
    EXPECT_TRUE(
        wait_until([&] { return goals->get_subscription_count() > 0 && subscription->get_publisher_count() > 0; }));
    srv::StepSimulation::Request step;
    step.duration = 0.008 * ticks;
    EXPECT_TRUE(world.call<srv::StepSimulation>("/simulator/step", step).success);
    EXPECT_TRUE(wait_until([&] {
      const std::lock_guard<std::mutex> lock(mutex);
      return seen.count(8000 * ticks) > 0;
    }));
    const std::lock_guard<std::mutex> lock(mutex);
    return seen;
  };
  const int ticks = 120;
  const auto first = run(ticks), second = run(ticks);
  for (int tick = 2; tick <= ticks; ++tick) {
    const std::int64_t stamp = 8000 * tick;
    ASSERT_TRUE(first.count(stamp) && second.count(stamp)) << tick;
    ASSERT_EQ(first.at(stamp), second.at(stamp)) << tick;
  }

  World lonely(
      {rclcpp::Parameter("lockstep", std::vector<std::string>{"*"}), rclcpp::Parameter("lockstep_timeout", 0.05)});
  const auto clock = lonely.listen<rosgraph_msgs::msg::Clock>("/clock");
  EXPECT_TRUE(wait_until([&] { return hl_simulation::to_seconds(clock->get().clock) > 0.5; }));
}

TEST(Simulator, CameraPublishesPicturesOfTheField) {
  World world({rclcpp::Parameter("cameras", std::vector<std::string>{"*"})}, false);
  const auto images = world.listen<sensor_msgs::msg::Image>("camera/image_raw", rclcpp::SensorDataQoS());
  const auto infos = world.listen<sensor_msgs::msg::CameraInfo>("camera/camera_info", rclcpp::SensorDataQoS());
  ASSERT_TRUE(wait_until([&] { return images->received() > 1 && infos->received() > 0; }, 60s));
  const auto image = images->get();
  EXPECT_EQ(image.header.frame_id, "camera_optical_frame");
  ASSERT_EQ(image.data.size(), 640u * 480u * 3u);
  int green = 0;
  for (std::size_t n = 0; n < image.data.size(); n += 3)
    green += image.data[n + 1] > 50 && image.data[n + 1] > 1.5 * image.data[n];
  EXPECT_GT(green, 640 * 480 / 10);
  EXPECT_NEAR(infos->get().k[0], 320.0 / std::tan(0.5 * 58.0 * M_PI / 180.0), 2.0);
}

TEST(Simulator, TellsEveryRobotWhatItWouldSee) {
  World world({rclcpp::Parameter("robots", std::vector<std::string>{"blue", "red"}),
               rclcpp::Parameter("poses", std::vector<double>{-0.6, 0.0, 0.0, 0.9, 0.15, M_PI}),
               rclcpp::Parameter("players", std::vector<std::int64_t>{2, 3}),
               rclcpp::Parameter("perception", "ground_truth"), rclcpp::Parameter("miss_near", 0.0),
               rclcpp::Parameter("miss_far", 0.0), rclcpp::Parameter("pose_noise", 0.0),
               rclcpp::Parameter("mount_error", 0.0), rclcpp::Parameter("ray_noise", 0.001),
               rclcpp::Parameter("number_range", 2.0), rclcpp::Parameter("false_ball", 0.0),
               rclcpp::Parameter("false_robot", 0.0)});
  const auto clock = world.listen<rosgraph_msgs::msg::Clock>("/clock");
  const auto ball = world.listen<msg::BallRelative>("/blue/ball_relative");
  const auto obstacles = world.listen<msg::ObstaclesRelative>("/blue/obstacles_relative");
  const auto goal = world.listen<msg::GoalRelative>("/blue/goal_relative");
  const auto lines = world.listen<msg::LineInformationRelative>("/blue/lines_relative");
  const auto red_ball = world.listen<msg::BallRelative>("/red/ball_relative");
  const auto points = world.listen<sensor_msgs::msg::PointCloud2>("/blue/line_points");
  const auto compass = world.listen<msg::VisualCompassRotation>("/red/visual_compass");
  const auto turn = world.listen<nav_msgs::msg::Odometry>("/blue/visual_odometry");
  ASSERT_TRUE(wait_until([&] {
    return ball->received() > 3 && obstacles->received() > 3 && goal->received() > 3 && lines->received() > 3 &&
           red_ball->received() > 3 && points->received() > 0 && compass->received() > 3 && turn->received() > 3;
  }));
  EXPECT_EQ(ball->get().header.frame_id, "base_footprint");
  EXPECT_GT(hl_simulation::to_seconds(ball->get().header.stamp), 0.0);
  // The camera looks ahead, so that the ball 0.6 m before its feet is below the picture; the other robot is in it.
  EXPECT_EQ(ball->get().confidence, 0.0f);
  ASSERT_EQ(obstacles->get().obstacles.size(), 1u);
  const auto robot = obstacles->get().obstacles[0];
  EXPECT_EQ(robot.color, msg::ObstacleRelative::ROBOT_MAGENTA);
  EXPECT_EQ(robot.player_number, 3);
  EXPECT_NEAR(robot.position.x, 1.5, 0.1);
  EXPECT_NEAR(robot.position.y, 0.15, 0.1);
  EXPECT_GT(goal->get().confidence, 0.0f);
  EXPECT_FALSE(lines->get().segments.empty());
  EXPECT_EQ(points->get().data.size(), points->get().width * 12u);
  EXPECT_EQ(points->get().header.frame_id, "base_footprint");
  EXPECT_TRUE(wait_until([&] { return compass->get().confidence > 0.0f; }));
  EXPECT_NEAR(compass->get().orientation, 0.0, 0.6) << "the red robot looks at the goal it attacks";
  EXPECT_NEAR(turn->get().pose.pose.orientation.w, 1.0, 0.2) << "nobody turns";

  srv::PlaceBall::Request place;
  place.position.x = 0.9;
  place.position.y = -0.4;
  EXPECT_TRUE(world.call<srv::PlaceBall>("/simulator/place_ball", place).success);
  EXPECT_TRUE(wait_until([&] { return ball->get().confidence > 0.0f; }));
  EXPECT_NEAR(ball->get().ball_relative.x, 1.5, 0.1);
  EXPECT_NEAR(ball->get().ball_relative.y, -0.4, 0.1);
}

TEST(Simulator, EveryParameterAndServiceIsInTheReadme) {
  std::ifstream file(HL_README);
  const std::string readme((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(readme.empty());
  EXPECT_EQ(hl_simulation::simulator_parameters().check({}), std::nullopt);
  EXPECT_EQ(
      hl_testing::documentation_problem(HL_README, "parameters", hl_simulation::simulator_parameters().markdown()), "");
  World world({});
  for (const auto& name : world.simulator->list_parameters({}, 10).names) {
    if (name == "use_sim_time" || name.rfind("qos_overrides", 0) == 0) continue;
    EXPECT_NE(readme.find("`" + name + "`"), std::string::npos) << name;
    rcl_interfaces::msg::ParameterDescriptor descriptor = world.simulator->describe_parameter(name);
    EXPECT_FALSE(descriptor.description.empty()) << name;
  }
  for (const auto& [name, types] : world.simulator->get_service_names_and_types()) {
    if (name.rfind("/simulator/", 0) != 0 || name.find("parameter") != std::string::npos) continue;
    EXPECT_NE(readme.find("`~/" + name.substr(11) + "`"), std::string::npos) << name;
  }
}

TEST(Simulator, BadParametersAreRefusedWithAReason) {
  const auto reason = [](const rclcpp::Parameter& parameter) -> std::string {
    rclcpp::NodeOptions options;
    options.parameter_overrides({parameter});
    try {
      hl_simulation::SimulatorNode node(options);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(reason(rclcpp::Parameter("types", std::vector<std::string>{"nao"})).find("nao"), std::string::npos);
  EXPECT_NE(reason(rclcpp::Parameter("lighting", "candle")).find("candle"), std::string::npos);
  EXPECT_NE(reason(rclcpp::Parameter("poses", std::vector<double>{1.0})).find("poses"), std::string::npos);
  EXPECT_NE(reason(rclcpp::Parameter("lockstep", std::vector<std::string>{"nobody"})).find("nobody"),
            std::string::npos);
  EXPECT_NE(reason(rclcpp::Parameter("field", "beach")).find("beach"), std::string::npos);
  EXPECT_NE(reason(rclcpp::Parameter("timestep", 1.0)), "accepted");
  EXPECT_NE(reason(rclcpp::Parameter("perception", "crystal ball")).find("crystal ball"), std::string::npos);
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
