// SPDX-License-Identifier: Apache-2.0
#include "simulator_node.hpp"

#include <cmath>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_node/interfaces.hpp"

namespace hl_simulation {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTruthPeriod = 0.02;  // s
constexpr double kPausedTurn = 0.05;   // s of bus time between two looks whether it goes on
constexpr double kMostDelay = 0.1;     // s of real time the pace may lag before it gives up catching up

geometry_msgs::msg::Pose to_pose(const Eigen::Isometry3d& pose) {
  geometry_msgs::msg::Pose message;
  message.position.x = pose.translation().x();
  message.position.y = pose.translation().y();
  message.position.z = pose.translation().z();
  const Eigen::Quaterniond q(pose.linear());
  message.orientation.w = q.w();
  message.orientation.x = q.x();
  message.orientation.y = q.y();
  message.orientation.z = q.z();
  return message;
}

geometry_msgs::msg::Twist to_twist(const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
  geometry_msgs::msg::Twist message;
  message.linear.x = linear.x();
  message.linear.y = linear.y();
  message.linear.z = linear.z();
  message.angular.x = angular.x();
  message.angular.y = angular.y();
  message.angular.z = angular.z();
  return message;
}

bool due(double now, double& next, double period) {
  if (now < next - 1e-9) return false;
  next = std::max(next + period, now + 0.5 * period);
  return true;
}

}  // namespace

SimulatorNode::SimulatorNode(const rclcpp::NodeOptions& options)
    : rclcpp::Node("simulator", options), parameters_(*this, simulator_parameters()) {
  const WorldSpec world = read_world();
  simulation_ = std::make_unique<Simulation>(world);
  place_robots();
  clock_publisher_ = hl_node::create_publisher<rosgraph_msgs::msg::Clock>(*this, hl_node::topics::kClock);
  truth_publisher_ =
      hl_node::create_publisher<humanoid_league_msgs::msg::SimulationState>(*this, hl_node::topics::kGroundTruth, "/");
  read_perception();
  read_pictures();
  offer_services();
  parameters_.on_change([this](const SimulatorParams& params) { take(params); });
  RCLCPP_INFO(get_logger(), "%zu robot(s), step %.1f ms, sensors at %.0f Hz, %s", robots_.size(),
              1e3 * simulation_->timestep(), 1.0 / timing_.period,
              timing_.real_time_factor > 0.0
                  ? (std::to_string(timing_.real_time_factor.load()) + " x real time").c_str()
                  : "as fast as possible");
  thread_ = std::thread([this] { run(); });
}

void SimulatorNode::place_robots() {
  const auto at_rest = [this](const std::function<void()>& action) { with_world(action); };
  const auto on_goals = [this] {
    const std::lock_guard<std::mutex> lock(control_mutex_);
    control_.notify_all();
  };
  std::vector<hl_hardware_cm730::PtyServer*> lines;
  for (std::size_t n = 0; n < configs_.size(); ++n) {
    if (configs_[n].bus_port.empty()) {
      robots_.push_back(std::make_unique<RobotInterface>(
          *this, configs_[n], simulation_->robot(n), at_rest, [this] { return now_seconds(); }, on_goals));
    } else {
      auto robot = std::make_unique<BusRobot>(*this, configs_[n], *simulation_, n, at_rest, on_goals);
      lines.push_back(&robot->line());
      bus_robots_.push_back(robot.get());
      robots_.push_back(std::move(robot));
    }
  }
  // The driver of a robot behind a bus starts first, so nobody waits for its goals before the first have come.
  for (std::size_t k = 0; k < lockstep_.size(); ++k) {
    if (!configs_[lockstep_[k]].bus_port.empty()) lockstep_lost_[k] = robots_[lockstep_[k]]->last_goal_stamp();
  }
  if (lines.empty()) return;
  bus_time_ = std::make_unique<hl_hardware_cm730::BusTime>(lines, parameters_.values().bus_time());
}

void SimulatorNode::take(const SimulatorParams& params) {
  with_world([&] {
    timing_.real_time_factor = params.real_time_factor;
    timing_.lockstep_timeout = params.lockstep_timeout;
    if (!bus_time_) return;
    bus_time_->set_factor(params.real_time_factor);
    bus_time_->set_patience(params.bus_patience);
  });
}

SimulatorNode::~SimulatorNode() {
  stop_ = true;
  {
    const std::lock_guard<std::mutex> lock(control_mutex_);
    control_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  pictures_.reset();
}

void SimulatorNode::with_world(const std::function<void()>& action) {
  ++visitors_;
  {
    const std::lock_guard<std::mutex> lock(world_mutex_);
    action();
  }
  --visitors_;
}

void SimulatorNode::run() {
  pace_start_ = measure_start_ = Clock::now();
  {
    const std::lock_guard<std::mutex> world(world_mutex_);
    publish();
  }
  while (!stop_ && rclcpp::ok()) {
    {
      std::unique_lock<std::mutex> lock(control_mutex_);
      const auto running = [this] { return stop_ || !paused_ || time_ < run_until_ - 1e-9; };
      if (!running()) {
        control_.notify_all();
        if (!bus_time_) control_.wait_for(lock, std::chrono::milliseconds(100), running);
        pace_start_ = measure_start_ = Clock::now();
        pace_time_ = measure_time_ = time_;
        if (!running()) {
          // Somebody may have moved things; the clock stands still, but the picture must be right.
          lock.unlock();
          if (bus_time_) serve_buses(kPausedTurn);  // the wire knows no pause
          const std::lock_guard<std::mutex> world(world_mutex_);
          truth_publisher_->publish(ground_truth());
          draw_pictures(ViewDue::Always);
          continue;
        }
      }
    }
    wait_for_commands();
    wait_for_eyes();
    tick();
    pace();
    while (visitors_ > 0 && !stop_) std::this_thread::yield();
  }
}

void SimulatorNode::tick() {
  std::unique_lock<std::mutex> world(world_mutex_);
  for (auto& robot : robots_) robot->apply_goals(time_);
  const auto steps = static_cast<int>(std::lround(timing_.period / simulation_->timestep()));
  for (int n = 0; n < steps; ++n) {
    if (bus_time_) {  // it may have to wait for a driver; the world is free meanwhile
      world.unlock();
      if (!serve_buses(simulation_->timestep())) return;
      world.lock();
    }
    if (!simulation_->step()) {
      RCLCPP_ERROR(get_logger(), "the physics diverged (%d times so far); everything is back at its start",
                   simulation_->divergences());
      for (auto& robot : robots_) robot->forget_goals();
    }
    for (BusRobot* robot : bus_robots_) robot->read_sensors();
  }
  time_ = time_ + steps * simulation_->timestep();
  publish();
}

bool SimulatorNode::serve_buses(double time) {
  constexpr double kTurn = 0.005;  // s of real time after which somebody else may have the world
  bus_start_ += time;
  for (bool done = false; !done;) {
    if (stop_ || !rclcpp::ok()) return false;
    while (visitors_ > 0 && !stop_) std::this_thread::yield();
    const std::lock_guard<std::mutex> world(world_mutex_);
    done = bus_time_->run(bus_start_, kTurn);
  }
  return true;
}

void SimulatorNode::publish() {
  const double now = time_;
  rosgraph_msgs::msg::Clock clock;
  clock.clock = to_stamp(now);
  clock_publisher_->publish(clock);
  for (auto& robot : robots_) {
    robot->publish_sensors(now, simulation_->time());
    robot->publish_state(now);
  }
  if (due(now, next_truth_, kTruthPeriod)) {
    const auto truth = ground_truth();
    if (truth_publisher_->get_subscription_count() > 0) truth_publisher_->publish(truth);
    for (auto& robot : robots_) robot->publish_ground_truth(truth);
  }
  perceive();
  draw_pictures();
}

void SimulatorNode::perceive() {
  if (seers_.empty()) return;
  if (due(time_, next_perception_, perception_period_)) {
    const Scene scene = scene_of(*simulation_);
    for (Seer& seer : seers_) {
      if (const auto eye = eye_of(*simulation_, seer.robot))
        seer.vision.look(scene, *eye, simulation_->world().seed, simulation_->steps(), time_);
    }
  }
  for (Seer& seer : seers_) {
    for (const Percepts& percepts : seer.vision.take(time_)) seer.publisher.publish(percepts);
  }
}

humanoid_league_msgs::msg::SimulationState SimulatorNode::ground_truth() {
  humanoid_league_msgs::msg::SimulationState state;
  state.header.stamp = to_stamp(time_);
  state.header.frame_id = "world";
  const auto public_name = [this](std::size_t n) {
    return configs_[n].name.empty() ? simulation_->robot(n).name() : configs_[n].name;
  };
  for (std::size_t n = 0; n < robots_.size(); ++n) {
    const Robot& robot = simulation_->robot(n);
    humanoid_league_msgs::msg::SimulatedRobot truth;
    truth.name = public_name(n);
    truth.team = static_cast<std::uint8_t>(configs_[n].team);
    truth.player = static_cast<std::uint8_t>(configs_[n].player);
    const Eigen::Isometry3d pose = robot.pose();
    truth.pose = to_pose(pose);
    truth.twist = to_twist(robot.linear_velocity(), pose.linear() * robot.angular_velocity());
    truth.held = robot.held();
    bool only_feet = true;
    for (const GroundContact& contact : robot.ground_contacts()) {
      truth.left_foot_contact |= contact.part == GroundContact::Part::LeftFoot;
      truth.right_foot_contact |= contact.part == GroundContact::Part::RightFoot;
      only_feet &= contact.part != GroundContact::Part::Other;
      auto& links = truth.ground_contacts;
      if (std::find(links.begin(), links.end(), contact.link) == links.end()) links.push_back(contact.link);
    }
    truth.upright = only_feet && robot.tilt() < 0.25 * M_PI;
    for (const std::size_t other : robot.robots_touched()) truth.robot_contacts.push_back(public_name(other));
    state.robots.push_back(truth);
  }
  if (simulation_->world().with_ball) {
    state.ball_pose = to_pose(simulation_->ball_pose());
    state.ball_twist = to_twist(simulation_->ball_velocity(), simulation_->ball_spin());
    if (const auto robot = simulation_->ball_touched_by()) state.ball_touched_by = public_name(*robot);
  }
  state.paused = paused_ && time_ >= run_until_ - 1e-9;
  state.real_time_factor = static_cast<float>(real_time_factor_);
  state.step = simulation_->steps();
  return state;
}

void SimulatorNode::pace() {
  const auto now = Clock::now();
  const double measured = std::chrono::duration<double>(now - measure_start_).count();
  if (measured > 0.5) {
    real_time_factor_ = (time_ - measure_time_) / measured;
    measure_start_ = now;
    measure_time_ = time_;
  }
  const double factor = timing_.real_time_factor;
  if (factor <= 0.0 || bus_time_) return;  // buses keep the time themselves
  const auto deadline = pace_start_ + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>((time_ - pace_time_) / factor));
  if (deadline > now) {
    std::this_thread::sleep_until(deadline);
  } else if (std::chrono::duration<double>(now - deadline).count() > kMostDelay) {
    pace_start_ = now;
    pace_time_ = time_;
  }
}

void SimulatorNode::draw_pictures(ViewDue view_due) {
  if (!pictures_) return;
  obey_requests();
  // Where time does not wait, a picture that comes too late is left out; otherwise every one is drawn, while the
  // physics goes on.
  const bool wait = timing_.real_time_factor <= 0.0 || !lockstep_.empty() || !picture_params_.record.empty();
  if (!wait && !pictures_->idle()) return;
  PictureThread::Job job;
  if (!cameras_.empty() && due(time_, next_camera_, camera_period_)) {
    for (auto& camera : cameras_) {
      if (camera->images->get_subscription_count() == 0) continue;
      job.cameras.push_back(camera->robot);
      if (camera->answers && camera->answers->get_publisher_count() > 0) {
        const std::lock_guard<std::mutex> lock(control_mutex_);
        camera->open.exposed(time_);
      }
    }
  }
  const double view_period = 1.0 / picture_params_.view_rate;
  const bool somebody_looks = picture_params_.window && view_due == ViewDue::Always;
  const bool view_now = due(time_, next_view_, view_period) || somebody_looks;
  if (view_wanted_ && view_now) job.view = spectator_->follow(*simulation_, view_period);
  if (job.cameras.empty() && !job.view) return;
  job.positions = simulation_->positions();
  job.time = time_;
  pictures_->draw(std::move(job), wait);
}

void SimulatorNode::on_request(const ViewRequest& request) {
  if (request.close) {
    RCLCPP_INFO(get_logger(), "the window was closed: the simulation ends");
    rclcpp::shutdown();
    return;
  }
  if (request.toggle_pause) {
    const std::lock_guard<std::mutex> lock(control_mutex_);
    paused_ = !paused_;
    run_until_ = 0.0;
    control_.notify_all();
  }
  const std::lock_guard<std::mutex> lock(request_mutex_);
  request_.azimuth += request.azimuth;
  request_.elevation += request.elevation;
  request_.distance *= request.distance;
  request_.next += request.next;
}

void SimulatorNode::obey_requests() {
  const std::lock_guard<std::mutex> lock(request_mutex_);
  if (request_.empty()) return;
  spectator_->turn(request_.azimuth, request_.elevation);
  spectator_->approach(request_.distance);
  const int robots = static_cast<int>(robots_.size());
  for (int n = 0; n < request_.next; ++n)
    spectator_->look_at(spectator_->robot() + 1 < robots ? spectator_->robot() + 1 : -1);
  request_ = ViewRequest();
}

void SimulatorNode::on_camera_image(std::size_t robot, double time, const Image& image) {
  for (auto& camera : cameras_) {
    if (camera->robot != robot) continue;
    const std::lock_guard<std::mutex> lock(camera->mutex);
    camera->image.header.stamp = camera->info.header.stamp = to_stamp(time);
    camera->image.data.assign(image.rgb.begin(), image.rgb.end());
    camera->infos->publish(camera->info);
    camera->images->publish(camera->image);
  }
}

SimulatedRobot* SimulatorNode::find(const std::string& name, std::string& message) {
  std::string wanted = name;
  while (!wanted.empty() && wanted.front() == '/') wanted.erase(wanted.begin());
  if (wanted.empty() && robots_.size() == 1) return robots_.front().get();
  std::string known;
  for (std::size_t n = 0; n < robots_.size(); ++n) {
    if (configs_[n].name == wanted || simulation_->robot(n).name() == wanted) return robots_[n].get();
    known += " " + (configs_[n].name.empty() ? simulation_->robot(n).name() : configs_[n].name);
  }
  message = "no robot is called '" + name + "'; there are:" + known;
  return nullptr;
}

}  // namespace hl_simulation

RCLCPP_COMPONENTS_REGISTER_NODE(hl_simulation::SimulatorNode)
