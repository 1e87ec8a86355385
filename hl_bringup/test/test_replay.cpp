// SPDX-License-Identifier: Apache-2.0
// Nodes and Player do not drift: what the nodes of the launch file were given and sent in a run is given to Player,
// which must send the same.
//
// The nodes are loaded by the launch file into this process, which is their container, their world and their clock. So
// everything they hear arrives in one order, and the run depends on no machine's speed.
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <fstream>
#include <geometry_msgs/msg/twist.hpp>
#include <hl_match/installed.hpp>
#include <hl_match/simulated_body.hpp>
#include <hl_player/player.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/temporary_folder.hpp>
#include <humanoid_league_msgs/action/kick.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/srv/manual_penalize.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <rclcpp_components/component_manager.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <sstream>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

using namespace std::chrono_literals;

namespace {

using hl_hcm::PauseLogic;
using hl_player::Player;
using hl_soccer::BodyState;
using humanoid_league_msgs::msg::FootPressure;
using trajectory_msgs::msg::JointTrajectory;
using Kick = humanoid_league_msgs::action::Kick;
using ManualPenalize = humanoid_league_msgs::srv::ManualPenalize;

constexpr std::int64_t kTick = 10'000'000;  // ns
constexpr std::int64_t kBefore = 20;        // ns before a tick: sensors and orders have come when the timers fire
constexpr double kSame = 1e-6;              // rad, rad/s, N m

builtin_interfaces::msg::Time stamp_of(std::int64_t ns) {
  builtin_interfaces::msg::Time stamp;
  stamp.sec = static_cast<std::int32_t>(ns / 1'000'000'000);
  stamp.nanosec = static_cast<std::uint32_t>(ns % 1'000'000'000);
  return stamp;
}

double seconds(std::int64_t ns) {
  return rclcpp::Time(ns, RCL_ROS_TIME).seconds();
}

/// One tick of a run: what came in, and what the nodes had sent when it was over.
struct Moment {
  std::int64_t time = 0;  // ns
  Player::Inputs inputs;
  bool goals = false;
  std::vector<double> positions, speeds, efforts;
};

/// The launch file's robot without its container: that is this process.
std::string launch_without_container(const std::filesystem::path& folder) {
  std::ifstream file(ament_index_cpp::get_package_share_directory("hl_bringup") + "/launch/motion.launch.xml");
  const std::string path = (folder / "motion.launch.xml").string();
  std::ofstream out(path);
  std::size_t left_out = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.find("<node_container") != std::string::npos)
      ++left_out;
    else
      out << line << '\n';
  }
  if (left_out != 1) throw std::runtime_error("motion.launch.xml starts " + std::to_string(left_out) + " containers");
  return path;
}

class Nodes {
 public:
  explicit Nodes(const hl_player::RobotFiles& files)
      : files_(files),
        executor_(std::make_shared<rclcpp::executors::SingleThreadedExecutor>()),
        manager_(std::make_shared<rclcpp_components::ComponentManager>(executor_, "motion")),
        node_(std::make_shared<rclcpp::Node>("world")),
        launch_({"ros2", "launch", launch_without_container(folder_.path()), "composed:=true", "use_sim_time:=true",
                 "repeat_goals:=0.0"}) {
    using sensor_msgs::msg::Imu;
    using sensor_msgs::msg::JointState;
    clock_ = node_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", 10);
    joints_ = node_->create_publisher<JointState>("joint_states", 5);
    imu_ = node_->create_publisher<Imu>("imu/data", 5);
    feet_[0] = node_->create_publisher<FootPressure>("foot_pressure_left", 5);
    feet_[1] = node_->create_publisher<FootPressure>("foot_pressure_right", 5);
    hardware_ = node_->create_publisher<humanoid_league_msgs::msg::HardwareState>("hardware_state", 10);
    velocity_ = node_->create_publisher<geometry_msgs::msg::Twist>("cmd_vel", 5);
    goals_ = node_->create_subscription<JointTrajectory>("motor_goals", 10,
                                                         [this](const JointTrajectory& goals) { last_ = goals; });
    torque_ = node_->create_service<humanoid_league_msgs::srv::SetTorque>(
        "set_torque", [this](const std::shared_ptr<humanoid_league_msgs::srv::SetTorque::Request> request,
                             std::shared_ptr<humanoid_league_msgs::srv::SetTorque::Response> response) {
          torque = request->on;
          response->success = true;
        });
    kick_ = rclcpp_action::create_client<Kick>(node_, "kick");
    penalize_ = node_->create_client<ManualPenalize>("manual_penalize");
    executor_->add_node(manager_);
    executor_->add_node(node_);
  }

  bool come_up() {
    return hl_testing::wait_until(
        [&] {
          spin();
          const auto names = node_->get_node_names();
          const auto there = [&](const char* name) {
            return std::count(names.begin(), names.end(), std::string("/") + name) > 0;
          };
          return there("hcm") && there("pause") && there("walking") && there("animation") &&
                 kick_->action_server_is_ready() && penalize_->service_is_ready() &&
                 goals_->get_publisher_count() > 0 && velocity_->get_subscription_count() > 0;
        },
        120s);
  }
  std::string output() { return launch_.output(); }

  /// Makes the frame what a message can carry, hands everything to the nodes and lets them tick.
  void tick(Moment& moment) {
    clock(moment.time - kBefore);
    send(moment.inputs.sensors, moment.time - kBefore);
    const auto& orders = moment.inputs.orders;
    if (orders.velocity) {
      geometry_msgs::msg::Twist twist;
      twist.linear.x = orders.velocity->x;
      twist.linear.y = orders.velocity->y;
      twist.angular.z = orders.velocity->yaw;
      velocity_->publish(twist);
    }
    if (orders.kick) {
      Kick::Goal goal;
      goal.header.frame_id = "base_footprint";
      goal.ball_pos.x = orders.kick->goal.ball.x();
      goal.ball_pos.y = orders.kick->goal.ball.y();
      goal.target.x = orders.kick->goal.target.x();
      goal.target.y = orders.kick->goal.target.y();
      kick_->async_send_goal(goal);
    }
    if (moment.inputs.manual) {
      auto request = std::make_shared<ManualPenalize::Request>();
      request->word = static_cast<std::uint8_t>(*moment.inputs.manual);
      penalize_->async_send_request(request);
    }
    spin();
    clock(moment.time);
    spin();
    moment.goals = !last_.points.empty();
    if (!moment.goals) return;
    const auto& point = last_.points[0];
    moment.positions = point.positions;
    moment.speeds = point.velocities;
    moment.efforts = point.effort;
    moment.speeds.resize(moment.positions.size(), 0.0);
    moment.efforts.resize(moment.positions.size(), 0.0);
  }

  std::optional<bool> torque;

 private:
  /// Until nobody has anything to do; within one process messages arrive while they are sent.
  void spin() {
    constexpr int kLongestChain = 40;  // callbacks that wake each other
    for (int i = 0; i < kLongestChain; ++i) executor_->spin_some();
  }

  void clock(std::int64_t ns) {
    rosgraph_msgs::msg::Clock message;
    message.clock = stamp_of(ns);
    clock_->publish(message);
  }

  void send(hl_player::SensorFrame& frame, std::int64_t ns) {
    frame.stamp = seconds(ns);
    frame.heard = frame.stamp;
    sensor_msgs::msg::JointState state;
    state.header.stamp = stamp_of(ns);
    state.name = files_.model.joint_names();
    state.position.assign(frame.positions->data(), frame.positions->data() + frame.positions->size());
    state.effort.assign(frame.efforts->data(), frame.efforts->data() + frame.efforts->size());
    joints_->publish(state);
    for (std::size_t side = 0; side < 2; ++side) {
      FootPressure foot;
      foot.header.stamp = state.header.stamp;
      const std::array<float*, 4> cells{&foot.front_left, &foot.front_right, &foot.back_left, &foot.back_right};
      for (std::size_t c = 0; c < 4; ++c) {
        *cells[c] = static_cast<float>((*frame.feet[side])[c]);
        (*frame.feet[side])[c] = static_cast<double>(*cells[c]);
      }
      feet_[side]->publish(foot);
    }
    humanoid_league_msgs::msg::HardwareState hardware;
    hardware.header.stamp = state.header.stamp;
    hardware.torque_on = frame.hardware->torque_on;
    hardware.imu_ok = true;
    if (frame.hardware->legs_lost) hardware.joints_limp = {"LKnee"};
    if (frame.hardware->hot) hardware.joints_hot = {"LKnee"};
    hardware_->publish(hardware);
    sensor_msgs::msg::Imu imu;
    imu.header.stamp = state.header.stamp;
    const auto& q = frame.imu->orientation;
    imu.orientation.x = q.x();
    imu.orientation.y = q.y();
    imu.orientation.z = q.z();
    imu.orientation.w = q.w();
    imu.angular_velocity.x = frame.imu->turn_rate.x();
    imu.angular_velocity.y = frame.imu->turn_rate.y();
    imu.angular_velocity.z = frame.imu->turn_rate.z();
    imu_->publish(imu);
  }

  const hl_player::RobotFiles& files_;
  const hl_testing::TemporaryFolder folder_;
  std::shared_ptr<rclcpp::executors::SingleThreadedExecutor> executor_;
  std::shared_ptr<rclcpp_components::ComponentManager> manager_;
  rclcpp::Node::SharedPtr node_;
  hl_testing::Process launch_;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joints_;
  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_;
  std::array<rclcpp::Publisher<FootPressure>::SharedPtr, 2> feet_;
  rclcpp::Publisher<humanoid_league_msgs::msg::HardwareState>::SharedPtr hardware_;
  rclcpp::Publisher<geometry_msgs::msg::Twist>::SharedPtr velocity_;
  rclcpp::Subscription<JointTrajectory>::SharedPtr goals_;
  rclcpp::Service<humanoid_league_msgs::srv::SetTorque>::SharedPtr torque_;
  rclcpp_action::Client<Kick>::SharedPtr kick_;
  rclcpp::Client<ManualPenalize>::SharedPtr penalize_;
  JointTrajectory last_;
};

/// What is done with the robot: walk, kick, a push that throws it over, a penalty.
void script(double time, Player::Inputs& inputs, hl_simulation::Robot& robot) {
  const auto at = [time](double moment) { return std::abs(time - moment) < 0.001; };
  if (time > 4.0 && time < 8.0 && std::fmod(time + 1e-6, 0.1) < 0.005) inputs.orders.velocity = {0.2, 0.03, 0.2};
  if (at(8.0)) inputs.orders.velocity = hl_walking::Velocity{};
  if (at(11.0)) {
    hl_player::Motion::KickOrder kick;
    kick.goal.ball = {0.17, 0.06};
    kick.goal.target = {3.0, 0.06};
    inputs.orders.kick = kick;
  }
  if (at(15.0)) robot.push({45.0, 10.0, 0.0}, 0.25);
  if (at(28.0)) inputs.manual = PauseLogic::Manual::Penalize;
  if (at(31.0)) inputs.manual = PauseLogic::Manual::Unpenalize;
  if (time > 32.0 && time < 33.5 && std::fmod(time + 1e-6, 0.1) < 0.005) inputs.orders.velocity = {0.1, 0.0, 0.0};
}

constexpr double kEnd = 34.0;  // s

}  // namespace

TEST(Replay, PlayerSendsWhatTheNodesOfTheLaunchFileSent) {
  const auto world = hl_match::installed_match("minibot");
  std::vector<Moment> run;
  {
    auto spec = hl_simulation::world_with(world.spec, 7);
    spec.with_ball = false;
    hl_simulation::Simulation simulation(spec);
    hl_match::SimulatedBody body(simulation.robot(), world.files);
    Nodes nodes(*world.files);
    ASSERT_TRUE(nodes.come_up()) << nodes.output();
    for (std::int64_t ns = kTick; seconds(ns) < kEnd; ns += kTick) {
      Moment moment;
      moment.time = ns;
      moment.inputs.sensors = body.sense();
      script(seconds(ns), moment.inputs, simulation.robot());
      nodes.tick(moment);
      hl_player::Motion::Outputs outputs;
      outputs.torque = nodes.torque;
      nodes.torque.reset();
      outputs.goals = moment.goals;
      outputs.positions = moment.positions;
      outputs.speeds = moment.speeds;
      outputs.efforts = moment.efforts;
      body.obey(outputs);
      ASSERT_TRUE(simulation.run(0.01)) << "the physics diverged";
      run.push_back(std::move(moment));
    }
  }

  Player::Params params;
  params.referee.team = params.team.roster.team = 1;
  params.referee.player = params.team.roster.player = 1;
  Player player(world.files, params);
  player.step({}, 0.0);  // the HCM's clock began when it heard `paused`, before the first tick
  std::map<BodyState, int> seen;
  int kicked = 0, penalised = 0, compared = 0;
  double worst = 0.0;
  for (const Moment& moment : run) {
    const auto& outputs = *player.step(moment.inputs, seconds(moment.time)).motion;
    ++seen[outputs.body];
    kicked += outputs.kick && outputs.kick->successful;
    penalised += player.paused();
    ASSERT_EQ(outputs.goals, moment.goals) << "at " << seconds(moment.time) << " s";
    if (!moment.goals) continue;
    ++compared;
    for (std::size_t j = 0; j < moment.positions.size(); ++j) {
      worst = std::max(worst, std::abs(outputs.positions[j] - moment.positions[j]));
      ASSERT_NEAR(outputs.positions[j], moment.positions[j], kSame)
          << world.files->model.joint_names()[j] << " at " << seconds(moment.time) << " s, state "
          << static_cast<int>(outputs.body);
      ASSERT_NEAR(outputs.speeds[j], moment.speeds[j], kSame)
          << world.files->model.joint_names()[j] << " at " << seconds(moment.time) << " s";
      ASSERT_NEAR(outputs.efforts[j], moment.efforts[j], kSame)
          << world.files->model.joint_names()[j] << " at " << seconds(moment.time) << " s";
    }
  }
  std::printf("%d ticks compared, largest difference %.1e rad\n", compared, worst);
  EXPECT_GT(compared, 3000);
  EXPECT_GT(seen[BodyState::Walking], 300) << "it did not walk";
  EXPECT_EQ(kicked, 1) << "it did not kick";
  EXPECT_GT(seen[BodyState::Falling] + seen[BodyState::Fallen], 10) << "it did not fall";
  EXPECT_GT(seen[BodyState::GettingUp], 100) << "it did not get up";
  EXPECT_GT(penalised, 250);
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
