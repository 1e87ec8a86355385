// SPDX-License-Identifier: Apache-2.0
#include "gazebo_world_node.hpp"

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <hl_hardware_cm730/fault_request.hpp>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <humanoid_league_msgs/srv/place_ball.hpp>
#include <humanoid_league_msgs/srv/place_robot.hpp>
#include <humanoid_league_msgs/srv/press_button.hpp>
#include <humanoid_league_msgs/srv/push_robot.hpp>
#include <humanoid_league_msgs/srv/reset_simulation.hpp>
#include <map>
#include <stdexcept>

#include "hl_node/interfaces.hpp"

namespace hl_gazebo {
namespace {

namespace srv = humanoid_league_msgs::srv;
using humanoid_league_msgs::msg::SimulationState;

constexpr double kClockPeriod = 0.004;  // s
constexpr double kTruthPeriod = 0.02;
constexpr double kPatience = 120.0;       // s of real time until Gazebo has started
constexpr double kLyingClearance = 0.01;  // m

builtin_interfaces::msg::Time to_stamp(double time) {
  return rclcpp::Time(std::llround(time * 1e9), RCL_ROS_TIME);
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class To>
void assign(To& to, const Eigen::Vector3d& from) {
  to.x = from.x();
  to.y = from.y();
  to.z = from.z();
}
template <class From>
Eigen::Vector3d vector_of(const From& from) {
  return {from.x, from.y, from.z};
}

/// How the robot lies; nothing: there is no such posture.
std::optional<PlaceRobot> lying(const std::string& posture) {
  static const std::map<std::string, std::pair<double, double>> postures{{"", {0, 0}},
                                                                         {"walkready", {0, 0}},
                                                                         {"lying_front", {0, M_PI_2}},
                                                                         {"lying_back", {0, -M_PI_2}},
                                                                         {"lying_left", {-M_PI_2, 0}},
                                                                         {"lying_right", {M_PI_2, 0}}};
  const auto found = postures.find(posture);
  if (found == postures.end()) return std::nullopt;
  PlaceRobot where;
  where.roll = found->second.first;
  where.pitch = found->second.second;
  if (where.roll != 0.0 || where.pitch != 0.0) where.clearance = kLyingClearance;
  return where;
}

/// Waits for gzserver, and no longer than for Ctrl-C.
std::unique_ptr<LinkClient> connected(const std::string& path) {
  for (const double end = wall_time() + kPatience;;) {
    try {
      return std::make_unique<LinkClient>(path, 0.2);
    } catch (const std::runtime_error&) {
      if (!rclcpp::ok()) throw std::runtime_error("ended before Gazebo had started");
      if (wall_time() > end) throw;
    }
  }
}

}  // namespace

GazeboWorldNode::GazeboWorldNode() : rclcpp::Node("simulator") {
  const auto robot = declare_parameter<std::string>("robot", "minibot");
  const auto port = declare_parameter<std::string>("bus_port", "/tmp/cm730");
  config_ = hl_description::RobotConfig::from_file(ament_index_cpp::get_package_share_directory("hl_description") +
                                                   "/config/" + robot + "/robot.yaml");
  RCLCPP_INFO(get_logger(), "waiting for Gazebo at %s.link", port.c_str());
  link_ = connected(port + ".link");
  clock_ = hl_node::create_publisher<rosgraph_msgs::msg::Clock>(*this, hl_node::topics::kClock);
  truth_ = hl_node::create_publisher<SimulationState>(*this, hl_node::topics::kGroundTruth, "/");
  offer_services();
  RCLCPP_INFO(get_logger(), "the world in Gazebo is there");
}

bool GazeboWorldNode::serve() {
  if (!link_->update(0.002)) return false;
  publish();
  return true;
}

void GazeboWorldNode::publish() {
  const WorldState& state = link_->state();
  if (state.time < clock_at_ + kClockPeriod - 1e-6) return;
  clock_at_ = state.time;
  rosgraph_msgs::msg::Clock clock;
  clock.clock = to_stamp(state.time);
  clock_->publish(clock);
  if (state.time < truth_at_ + kTruthPeriod - 1e-6) return;
  truth_at_ = state.time;
  if (const double wall = wall_time(); wall > wall_ + 0.5) {
    speed_ = (state.time - wall_time_) / (wall - wall_);
    wall_ = wall;
    wall_time_ = state.time;
  }
  truth_->publish(ground_truth());
}

SimulationState GazeboWorldNode::ground_truth() const {
  const WorldState& world = link_->state();
  SimulationState state;
  state.header.stamp = to_stamp(world.time);
  state.header.frame_id = "world";
  auto& robot = state.robots.emplace_back();
  robot.name = config_.robot;
  robot.team = robot.player = 1;
  assign(robot.pose.position, world.base.translation());
  const Eigen::Quaterniond q(world.base.linear());
  robot.pose.orientation.w = q.w();
  assign(robot.pose.orientation, q.vec());
  assign(robot.twist.linear, world.linear_velocity);
  assign(robot.twist.angular, world.angular_velocity);
  robot.upright = world.upright();
  robot.held = world.held;
  robot.left_foot_contact = world.left_foot;
  robot.right_foot_contact = world.right_foot;
  robot.ground_contacts = world.ground_contacts;
  assign(state.ball_pose.position, world.ball);
  state.ball_pose.orientation.w = 1.0;
  assign(state.ball_twist.linear, world.ball_velocity);
  if (world.ball_touched) state.ball_touched_by = robot.name;
  state.real_time_factor = static_cast<float>(speed_);
  state.step = world.step;
  return state;
}

template <class Service, class Action>
void GazeboWorldNode::offer(const std::string& name, Action action) {
  services_.push_back(create_service<Service>("~/" + name, [action](typename Service::Request::SharedPtr request,
                                                                    typename Service::Response::SharedPtr response) {
    response->message = action(*request);
    response->success = response->message.empty();
  }));
}

void GazeboWorldNode::offer_services() {
  offer<srv::PlaceRobot>("place_robot", [this](const auto& request) -> std::string {
    auto where = lying(request.posture);
    if (!where) return "posture '" + request.posture + "' is none of walkready, lying_front, _back, _left, _right";
    if (!request.joint_names.empty()) return "in Gazebo the joints are always put as ready to walk";
    where->x = request.pose.position.x;
    where->y = request.pose.position.y;
    const auto& q = request.pose.orientation;
    where->yaw = hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z));
    if (request.pose.position.z > 0.0) where->clearance = request.pose.position.z;
    where->hold = request.hold;
    return link_->ask(*where);
  });
  offer<srv::PlaceBall>("place_ball", [this](const auto& request) {
    return link_->ask(PlaceBall{vector_of(request.position), vector_of(request.velocity)});
  });
  offer<srv::PushRobot>("push_robot", [this](const auto& request) {
    const Eigen::AngleAxisd heading(hl_description::yaw_of(Eigen::Quaterniond(link_->state().base.linear())),
                                    Eigen::Vector3d::UnitZ());
    return link_->ask(PushRobot{heading * vector_of(request.force), request.duration, request.link});
  });
  offer<srv::PressButton>("press_button", [this](const auto& request) {
    return link_->ask(PressButton{request.button, request.duration});
  });
  offer<srv::InjectFault>("inject_fault", [this](const auto& request) {
    const auto wanted = hl_hardware_cm730::fault_line(request, config_);
    return wanted.refused.empty() ? link_->ask(BreakBus{wanted.line}) : wanted.refused;
  });
  offer<srv::ResetSimulation>("reset", [this](const auto&) {
    const std::string refused = link_->ask(PlaceRobot{});
    return refused.empty() ? link_->ask(PlaceBall{{0.5, 0.0, 0.0}, Eigen::Vector3d::Zero()}) : refused;
  });
}

}  // namespace hl_gazebo
