// SPDX-License-Identifier: Apache-2.0
#include "hl_match/physics_world.hpp"

#include <algorithm>
#include <cmath>

namespace hl_match {

PhysicsWorld::PhysicsWorld(const hl_simulation::WorldSpec& spec,
                           const std::shared_ptr<const hl_player::RobotFiles>& files)
    : simulation_(spec) {
  for (std::size_t i = 0; i < simulation_.robot_count(); ++i)
    bodies_.push_back(std::make_unique<SimulatedBody>(simulation_.robot(i), files));
}

bool PhysicsWorld::advance(double seconds) {
  const auto steps = static_cast<int>(std::lround(seconds / simulation_.timestep()));
  for (int n = 0; n < steps; ++n) {
    if (!simulation_.step()) return false;
    if (each_step) each_step(simulation_);
  }
  return true;
}

World::Body PhysicsWorld::body(std::size_t robot) const {
  const auto& seen = simulation_.robot(robot);
  Body body;
  const Eigen::Isometry3d pose = seen.pose();
  const auto look = eye(robot);
  body.footprint = hl_description::on_ground(look ? look->footprint : pose);
  body.trunk = pose.translation().head<2>();
  body.velocity = seen.linear_velocity().head<2>();
  const auto contacts = seen.ground_contacts();
  const bool only_feet = std::none_of(contacts.begin(), contacts.end(), [](const auto& contact) {
    return contact.part == hl_simulation::GroundContact::Part::Other;
  });
  body.upright = only_feet && seen.tilt() < 0.25 * M_PI;
  body.touching = seen.robots_touched();
  return body;
}

std::optional<std::string> PhysicsWorld::place(std::size_t robot, const hl_description::Pose2& pose,
                                               const std::vector<double>& joints) {
  hl_simulation::Placement placement(pose.x, pose.y, pose.yaw);
  placement.joints = joints;
  return simulation_.robot(robot).place(placement);
}

}  // namespace hl_match
