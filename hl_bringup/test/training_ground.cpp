// SPDX-License-Identifier: Apache-2.0
#include "training_ground.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <humanoid_league_msgs/srv/place_ball.hpp>
#include <humanoid_league_msgs/srv/place_robot.hpp>
#include <humanoid_league_msgs/srv/reset_localization.hpp>
#include <rcl_interfaces/srv/set_parameters.hpp>
#include <sstream>
#include <stdexcept>

#include "hl_testing/spinning.hpp"

namespace hl_bringup {
namespace {

using humanoid_league_msgs::srv::PlaceBall;
using humanoid_league_msgs::srv::PlaceRobot;
using humanoid_league_msgs::srv::ResetLocalization;
using rcl_interfaces::srv::SetParameters;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(180);  // real time without which nothing goes on, on a loaded machine
constexpr double kStands = 1.0;                        // s for which a robot must stand before it gets a task

std::vector<std::string> launch_command(std::size_t robots, std::uint64_t seed,
                                        const std::vector<std::string>& arguments, const std::string& file) {
  const std::string count = std::to_string(robots);
  // Several robots share the processors: at full speed a quarter of a simulated second, after which a robot misses its
  // sensors, is shorter than what a busy machine lets a process wait.
  const std::string speed = robots == 1 ? "0.0" : "2.0";
  std::vector<std::string> command{"ros2", "launch"};
  if (file.empty())
    command.insert(command.end(), {"hl_bringup", "simulation.launch.xml", "robots:=" + count, "team_size:=" + count,
                                   "autonomous:=true", "composed:=true", "referee:=false", "lockstep:=['*']",
                                   "lockstep_timeout:=5.0"});
  else
    command.push_back(file);
  command.insert(command.end(), {"seed:=" + std::to_string(seed), "speed:=" + speed});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

bool is_up(std::uint8_t state) {
  using State = humanoid_league_msgs::msg::RobotControlState;
  return state == State::CONTROLLABLE || state == State::WALKING;
}

}  // namespace

TrainingGround::TrainingGround(std::size_t robots, std::uint64_t seed, const std::vector<std::string>& arguments,
                               const std::string& file)
    : world_(launch_command(robots, seed, arguments, file)),
      node_(std::make_shared<rclcpp::Node>("trainer")),
      trainees_(robots) {
  executor_.add_node(node_);
  truth_ = node_->create_subscription<SimulationState>("/ground_truth", rclcpp::QoS(10),
                                                       [this](const SimulationState& state) { on_truth(state); });
  for (std::size_t i = 0; i < robots; ++i) {
    Trainee& trainee = trainees_[i];
    if (robots > 1) trainee.name = "robot" + std::to_string(i + 1);
    trainee.subscription = node_->create_subscription<RobotControlState>(
        trainee.topic("robot_state"), rclcpp::QoS(10).transient_local(),
        [this, &trainee](const RobotControlState& state) { on_state(trainee, state); });
  }
  if (!wait_for([this] { return all_stand(); })) throw std::runtime_error("the robots do not come up\n" + log());
  for (const Trainee& trainee : trainees_) {
    SetParameters::Request stand;
    stand.parameters = {rclcpp::Parameter("without_referee", "stop").to_parameter_msg()};
    const auto answer =
        hl_testing::call<SetParameters>(executor_, *node_, trainee.topic("behavior/set_parameters"), stand, kPatience);
    for (const auto& result : answer.results)
      if (!result.successful) throw std::runtime_error("without_referee: " + result.reason);
  }
}

TrainingGround::~TrainingGround() {
  for (Trainee& trainee : trainees_)
    if (trainee.task) trainee.task->stop(std::chrono::seconds(10));
  world_.stop(std::chrono::seconds(30));
}

void TrainingGround::on_truth(const SimulationState& state) {
  view_.time = rclcpp::Time(state.header.stamp).seconds();
  view_.ball = {state.ball_pose.position.x, state.ball_pose.position.y};
  view_.touched_by.reset();
  for (std::size_t i = 0; i < state.robots.size(); ++i)
    if (!state.ball_touched_by.empty() && state.robots[i].name == state.ball_touched_by) view_.touched_by = i;
}

void TrainingGround::on_state(Trainee& trainee, const RobotControlState& state) {
  if (state.state == RobotControlState::FALLING && trainee.state != RobotControlState::FALLING) ++falls_;
  trainee.state = state.state;
  trainee.heard = true;
}

bool TrainingGround::all_stand() const {
  return view_.time > 0.0 &&
         std::all_of(trainees_.begin(), trainees_.end(), [](const Trainee& t) { return t.heard && is_up(t.state); });
}

void TrainingGround::check_world() {
  if (!rclcpp::ok()) throw std::runtime_error("interrupted");
  if (!world_.running()) throw std::runtime_error("the launch file has ended\n" + log());
}

bool TrainingGround::wait_for(const std::function<bool()>& condition) {
  const auto goes_on = [&] {
    check_world();
    return condition();
  };
  return hl_testing::spin_closely_until(executor_, goes_on, kPatience);
}

template <class Service>
void TrainingGround::order(const std::string& service, const typename Service::Request& request) {
  const auto answer = hl_testing::call<Service>(executor_, *node_, service, request, kPatience);
  if (!answer.success) throw std::runtime_error(service + ": " + answer.message);
}

void TrainingGround::place(const hl_match::Drill::Start& start) {
  const auto put_ball = [&](double x, double y) {
    PlaceBall::Request ball;
    ball.position.x = x;
    ball.position.y = y;
    order<PlaceBall>("/simulator/place_ball", ball);
  };
  put_ball(4.3, 2.8);  // aside: they have played with it until they were told to stand
  for (std::size_t i = 0; i < trainees_.size(); ++i) {
    PlaceRobot::Request robot;
    robot.robot = trainees_[i].name;
    robot.pose.position.x = start.robots[i].x;
    robot.pose.position.y = start.robots[i].y;
    robot.pose.orientation.z = std::sin(0.5 * start.robots[i].yaw);
    robot.pose.orientation.w = std::cos(0.5 * start.robots[i].yaw);
    order<PlaceRobot>("/simulator/place_robot", robot);
  }
  put_ball(start.ball.x(), start.ball.y());
  double since = view_.time;
  watch(30.0, [&](const hl_match::DrillView& view) {
    if (!all_stand()) since = view.time;
    return view.time - since > kStands;
  });
  if (!all_stand()) throw std::runtime_error("the robots do not stand where they were put\n" + log());
  // They have been carried: as at the start of `evaluate tasks` they do not know where they are.
  ResetLocalization::Request anywhere;
  anywhere.mode = ResetLocalization::Request::GLOBAL;
  for (const Trainee& trainee : trainees_) order<ResetLocalization>(trainee.topic("reset_localization"), anywhere);
}

void TrainingGround::run_task(std::size_t robot, const std::string& file, const std::vector<std::string>& arguments,
                              double time_limit) {
  std::vector<std::string> command{"ros2",         "run",
                                   "hl_behavior",  "rtdl",
                                   "run",          file,
                                   "--time-limit", std::to_string(time_limit),
                                   "--patience",   std::to_string(kPatience.count())};
  if (!trainees_[robot].name.empty()) command.insert(command.end(), {"--robot", trainees_[robot].name});
  command.insert(command.end(), arguments.begin(), arguments.end());
  trainees_[robot].task = std::make_unique<hl_testing::Process>(command);
}

void TrainingGround::watch(double seconds, const std::function<bool(const hl_match::DrillView&)>& done) {
  const double end = view_.time + seconds;
  double looked_at = -1.0;
  auto news_at = Clock::now();
  while (view_.time < end) {
    check_world();
    executor_.spin_once(std::chrono::milliseconds(20));
    if (view_.time == looked_at) {
      if (Clock::now() - news_at > kPatience) throw std::runtime_error("the simulator went silent\n" + log());
      continue;
    }
    looked_at = view_.time;
    news_at = Clock::now();
    view_.tasks.clear();
    for (Trainee& trainee : trainees_) {
      const bool running = trainee.task && trainee.task->running();
      const bool completed = trainee.task && !running && trainee.task->wait() == 0;
      view_.tasks.push_back(running     ? hl_match::DrillTask::Running
                            : completed ? hl_match::DrillTask::Completed
                                        : hl_match::DrillTask::Failed);
    }
    if (done(view_)) return;
  }
}

std::string TrainingGround::log() {
  const std::string text = world_.output();
  constexpr std::size_t kLength = 4000;
  return text.size() > kLength ? text.substr(text.size() - kLength) : text;
}

std::string TrainingGround::complaints() {
  constexpr std::size_t kMost = 20;
  std::istringstream text(world_.output());
  std::deque<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (line.find("[WARN]") == std::string::npos && line.find("[ERROR]") == std::string::npos) continue;
    lines.push_back(line);
    if (lines.size() > kMost) lines.pop_front();
  }
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

}  // namespace hl_bringup
