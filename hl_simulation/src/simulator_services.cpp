// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <hl_description/geometry.hpp>
#include <map>
#include <string>

#include "simulator_node.hpp"

namespace hl_simulation {
namespace {

namespace srv = humanoid_league_msgs::srv;

constexpr double kLyingClearance = 0.01;  // m

double yaw_of(const geometry_msgs::msg::Quaternion& q) {  // none given (all zero): ahead
  return hl_description::yaw_of(Eigen::Quaterniond(q.w, q.x, q.y, q.z));
}

template <class Response>
void conclude(Response& response, const std::optional<std::string>& error, const char* done) {
  response.success = !error;
  response.message = error ? *error : done;
}

}  // namespace

template <class Service, class Action>
void SimulatorNode::offer(const std::string& name, Action action) {
  services_.push_back(
      create_service<Service>("~/" + name, [this, action](const std::shared_ptr<typename Service::Request> request,
                                                          std::shared_ptr<typename Service::Response> response) {
        with_world([&] { action(*request, *response); });
      }));
}

void SimulatorNode::on_place_robot(const srv::PlaceRobot::Request& request, srv::PlaceRobot::Response& response) {
  SimulatedRobot* robot = find(request.robot, response.message);
  if (!robot) return;
  Placement placement(request.pose.position.x, request.pose.position.y, yaw_of(request.pose.orientation));
  if (request.frame_id == "map" && robot->config().attacks_minus_x) {
    placement.x = -placement.x;
    placement.y = -placement.y;
    placement.yaw += M_PI;
  } else if (!request.frame_id.empty() && request.frame_id != "world" && request.frame_id != "map") {
    response.message = "frame_id '" + request.frame_id + "' is neither world nor map";
    return;
  }
  struct Posture {
    double roll, pitch;
  };
  static const std::map<std::string, Posture> postures{{"", {0, 0}},
                                                       {"walkready", {0, 0}},
                                                       {"lying_front", {0, M_PI / 2}},
                                                       {"lying_back", {0, -M_PI / 2}},
                                                       {"lying_left", {-M_PI / 2, 0}},
                                                       {"lying_right", {M_PI / 2, 0}}};
  const auto posture = postures.find(request.posture);
  if (posture == postures.end()) {
    response.message =
        "posture '" + request.posture + "' is none of walkready, lying_front, lying_back, lying_left, lying_right";
    return;
  }
  placement.roll = posture->second.roll;
  placement.pitch = posture->second.pitch;
  if (placement.roll != 0.0 || placement.pitch != 0.0) placement.clearance = kLyingClearance;
  if (request.pose.position.z > 0.0) placement.clearance = request.pose.position.z;
  if (request.joint_names.size() != request.positions.size()) {
    response.message = "as many positions as joint_names are needed";
    return;
  }
  placement.joints = robot->robot().spec().walk_ready_positions();
  for (std::size_t k = 0; k < request.joint_names.size(); ++k) {
    const int joint = robot->robot().spec().joint_index(request.joint_names[k]);
    if (joint < 0) {
      response.message = "no joint is called '" + request.joint_names[k] + "'";
      return;
    }
    placement.joints[joint] = request.positions[k];
  }
  if (const auto error = robot->robot().place(placement)) {
    response.message = *error;
    return;
  }
  robot->robot().hold(request.hold);
  robot->forget_goals();
  response.success = true;
  response.message = request.hold ? "placed and held" : "placed";
}

void SimulatorNode::forget_the_past() {
  for (auto& robot : robots_) robot->forget_goals();
  for (Seer& seer : seers_) seer.vision.forget();
}

void SimulatorNode::offer_services() {
  offer_placing();
  offer_lighting();
  offer_snapshots();
  offer_faults();
  offer_time();
}

void SimulatorNode::offer_placing() {
  offer<srv::ResetSimulation>("reset", [this](const auto& request, auto& response) {
    simulation_->reset(request.seed ? request.seed : simulation_->world().seed);
    forget_the_past();
    response.success = true;
    response.message = "all is back at the start";
  });
  offer<srv::PlaceRobot>("place_robot",
                         [this](const auto& request, auto& response) { on_place_robot(request, response); });
  offer<srv::PlaceBall>("place_ball", [this](const auto& request, auto& response) {
    double sign = 1.0;
    if (const auto slash = request.frame_id.rfind("/map"); slash != std::string::npos && slash > 0) {
      const SimulatedRobot* robot = find(request.frame_id.substr(0, slash), response.message);
      if (!robot) return;
      if (robot->config().attacks_minus_x) sign = -1.0;
    } else if (!request.frame_id.empty() && request.frame_id != "world") {
      response.message = "frame_id '" + request.frame_id + "' is neither world nor <robot>/map";
      return;
    }
    const auto& p = request.position;
    const auto& v = request.velocity;
    conclude(response, simulation_->place_ball({sign * p.x, sign * p.y, p.z}, {sign * v.x, sign * v.y, v.z}), "placed");
  });
  offer<srv::PushRobot>("push_robot", [this](const auto& request, auto& response) {
    SimulatedRobot* robot = find(request.robot, response.message);
    if (!robot) return;
    const Eigen::Vector3d forward = robot->robot().pose().linear().col(0);
    const Eigen::AngleAxisd heading(std::atan2(forward.y(), forward.x()), Eigen::Vector3d::UnitZ());
    const Eigen::Vector3d force(request.force.x, request.force.y, request.force.z);
    conclude(response, robot->robot().push(heading * force, request.duration, request.link), "pushed");
  });
}

void SimulatorNode::offer_lighting() {
  offer<srv::SetLighting>("set_lighting", [this](const auto& request, auto& response) {
    std::optional<Lighting> preset;
    if (!request.preset.empty()) {
      preset = lighting_from(request.preset);
      if (!preset) {
        response.message = "preset '" + request.preset + "' is none of indoor, bright, dim, low_sun, spotlights";
        return;
      }
    }
    const Eigen::Vector3d direction(request.direction.x, request.direction.y, request.direction.z);
    if (!(request.brightness >= 0.0f && request.brightness <= 10.0f) || !direction.allFinite()) {
      response.message = "brightness must be in 0..10 and direction finite";
      return;
    }
    if (pictures_) pictures_->set_lighting(preset, request.brightness, direction);
    response.success = true;
    response.message = pictures_ ? "lighting set" : "nobody draws pictures, so it makes no difference";
  });
}

void SimulatorNode::offer_snapshots() {
  offer<srv::SaveSnapshot>("save_snapshot", [this](const auto& request, auto& response) {
    constexpr std::size_t kMostSnapshots = 20;  // each holds several MB
    if (request.name.empty()) {
      response.message = "give the snapshot a name";
    } else if (snapshots_.size() >= kMostSnapshots && !snapshots_.count(request.name)) {
      response.message = "there are 20 snapshots already; use one of their names";
    } else {
      snapshots_[request.name] = simulation_->snapshot();
      response.success = true;
      response.message = "saved as '" + request.name + "'";
    }
  });
  offer<srv::RestoreSnapshot>("restore_snapshot", [this](const auto& request, auto& response) {
    const auto it = snapshots_.find(request.name);
    if (it == snapshots_.end()) {
      response.message = "no snapshot is called '" + request.name + "'";
      return;
    }
    conclude(response, simulation_->restore(*it->second), "restored");
    forget_the_past();
  });
}

void SimulatorNode::offer_faults() {
  offer<srv::PressButton>("press_button", [this](const auto& request, auto& response) {
    SimulatedRobot* robot = find(request.robot, response.message);
    if (!robot) return;
    if (request.button != "mode" && request.button != "start") {
      response.message = "button '" + request.button + "' is neither mode nor start";
    } else if (!(request.duration > 0.0 && request.duration < 3600.0)) {
      response.message = "duration must be in 0..3600 s";
    } else {
      robot->press(request.button, time_ + request.duration);
      response.success = true;
      response.message = "pressed";
    }
  });
  offer<srv::InjectFault>("inject_fault", [this](const auto& request, auto& response) {
    SimulatedRobot* robot = find(request.robot, response.message);
    if (robot) conclude(response, robot->inject(request), "done");
  });
}

void SimulatorNode::offer_time() {
  services_.push_back(create_service<srv::PauseSimulation>(
      "~/pause", [this](const std::shared_ptr<srv::PauseSimulation::Request> request,
                        std::shared_ptr<srv::PauseSimulation::Response> response) {
        const std::lock_guard<std::mutex> lock(control_mutex_);
        paused_ = request->pause;
        run_until_ = 0.0;
        control_.notify_all();
        response->success = true;
        response->message = request->pause ? "paused" : "running";
      }));
  services_.push_back(
      create_service<srv::StepSimulation>("~/step", [this](const std::shared_ptr<srv::StepSimulation::Request> request,
                                                           std::shared_ptr<srv::StepSimulation::Response> response) {
        if (!(request->duration > 0.0 && request->duration <= 3600.0)) {
          response->message = "duration must be in 0..3600 s";
          return;
        }
        std::unique_lock<std::mutex> lock(control_mutex_);
        paused_ = true;
        run_until_ = time_ + request->duration;
        control_.notify_all();
        control_.wait(lock, [this] { return stop_ || !rclcpp::ok() || time_ >= run_until_ - 1e-9; });
        response->success = !stop_;
        response->message = "paused at " + std::to_string(time_) + " s";
      }));
}

}  // namespace hl_simulation
