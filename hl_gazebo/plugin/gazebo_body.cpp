// SPDX-License-Identifier: Apache-2.0
#include "gazebo_body.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "conversions.hpp"

namespace hl_gazebo {
namespace {

namespace physics = gazebo::physics;
using hl_simulation::Servo;
using hl_simulation::Shape;

constexpr double kStandstill = 0.02;      // rad/s below which dry friction sticks
constexpr double kStopStiffness = 300.0;  // N m/rad of a joint's mechanical stop
constexpr double kStopDamping = 1.0;      // N m s/rad

/// Whether one of the two is this model's; that one and the other.
struct Touch {
  physics::LinkPtr own, other;
  bool own_first = true;
};
std::optional<Touch> touch_of(const physics::Contact& contact, const physics::ModelPtr& model) {
  const physics::LinkPtr first = contact.collision1->GetLink(), second = contact.collision2->GetLink();
  const bool first_own = first->GetModel() == model, second_own = second->GetModel() == model;
  if (first_own == second_own) return std::nullopt;
  return Touch{first_own ? first : second, first_own ? second : first, first_own};
}

/// m that a shape reaches down from its middle.
double reach_down(const Shape& shape, const Eigen::Matrix3d& axes) {
  const Eigen::RowVector3d down = axes.row(2);
  switch (shape.type) {
    case Shape::Type::Box:
      return 0.5 * down.cwiseAbs().dot(shape.size.transpose());
    case Shape::Type::Cylinder:
      return std::hypot(down.x(), down.y()) * shape.size.x() + 0.5 * std::abs(down.z()) * shape.size.y();
    default:
      return shape.size.x();
  }
}

}  // namespace

GazeboBody::GazeboBody(physics::ModelPtr model, hl_simulation::RobotSpec spec, std::uint64_t seed)
    : model_(std::move(model)), spec_(std::move(spec)), seed_(seed), voltage_(battery_.voltage) {
  for (const auto& body : spec_.bodies) {
    links_.push_back(model_->GetLink(body.name));
    if (!links_.back()) throw std::runtime_error("the model has no link '" + body.name + "'");
  }
  for (const auto& joint : spec_.joints) {
    const auto found = model_->GetJoint(joint.name);
    if (!found) throw std::runtime_error("the model has no joint '" + joint.name + "'");
    joints_.push_back(boost::dynamic_pointer_cast<physics::ODEHingeJoint>(found));
    if (!joints_.back()) throw std::runtime_error("joint '" + joint.name + "' is no hinge of ODE: gzserver -e ode");
    servos_.emplace_back(joint.servo);
  }
  feet_ = {foot_of(spec_.left_foot), foot_of(spec_.right_foot)};
  reading_.joints.position.resize(joints_.size());
  reading_.joints.velocity.resize(joints_.size());
  reading_.joints.effort.resize(joints_.size());
  // Or Gazebo computes contacts only for those who listen to its own topics.
  model_->GetWorld()->Physics()->GetContactManager()->SetNeverDropContacts(true);
}

GazeboBody::Foot GazeboBody::foot_of(const hl_simulation::FootSpec& foot) const {
  if (foot.frame.empty()) return {};
  const auto& frame = spec_.frames.at(foot.frame);
  return {&foot, links_[static_cast<std::size_t>(frame.body)], frame.pose};
}

std::optional<std::string> GazeboBody::set_goal(std::size_t joint, double position) {
  const auto& spec = spec_.joints[joint];
  if (!std::isfinite(position)) return "goal of joint " + spec.name + " is not a number";
  servos_[joint].set_goal(std::clamp(position, spec.lower, spec.upper));
  return std::nullopt;
}

void GazeboBody::set_torque(std::size_t joint, bool on) {
  servos_[joint].set_torque(on, joints_[joint]->Position(0));
}

/// One constraint of ODE is the whole servo: both stops of the joint lie where it would be after the step if nothing
/// held it back, and yield with the softness 1/resistance, so that the torque is torque - resistance * velocity at the
/// *end* of the step. Back-EMF, dry friction, the inertia of rotor and gear, and the end of the joint's range are all
/// resistances of this kind, and none of them makes the step unstable, however light the link is. (Not ODE's motor: the
/// softness of that one is, in Gazebo, also that of the hinge itself.)
void GazeboBody::drive(std::size_t joint, double dt) {
  const auto& spec = spec_.joints[joint];
  physics::ODEHingeJoint& hinge = *joints_[joint];
  const double position = hinge.Position(0), velocity = hinge.GetVelocity(0);
  Servo& servo = servos_[joint];
  double torque = servo.update(position, velocity, dt, voltage_);
  double resistance = servo.damping();
  resistance += servo.spec().friction / std::max(std::abs(velocity), kStandstill);
  resistance += servo.spec().armature / dt;
  torque += servo.spec().armature / dt * velocity;
  const double beyond = position - std::clamp(position, spec.lower, spec.upper);
  if (beyond != 0.0) {
    torque -= kStopStiffness * beyond;
    resistance += kStopStiffness * dt + kStopDamping;
  }
  const double reached = position + torque / resistance * dt;
  hinge.SetParam(dParamStopERP, 1.0);
  hinge.SetParam(dParamStopCFM, 1.0 / resistance);
  hinge.SetParam(dParamLoStop, reached);
  hinge.SetParam(dParamHiStop, reached);
}

void GazeboBody::before_step(double dt) {
  for (std::size_t joint = 0; joint < joints_.size(); ++joint) drive(joint, dt);
  voltage_ = battery_.under_load(hl_simulation::supply_current(servos_));
  for (Push& push : pushes_) {
    push.link->AddForce(to_ignition(push.what.force));
    push.left -= dt;
  }
  pushes_.erase(std::remove_if(pushes_.begin(), pushes_.end(), [](const Push& push) { return push.left <= 0.0; }),
                pushes_.end());
}

void GazeboBody::after_step(double dt) {
  ++step_;
  for (std::size_t joint = 0; joint < joints_.size(); ++joint) {
    reading_.joints.position[joint] = std::round(joints_[joint]->Position(0) / Servo::kTick) * Servo::kTick;
    reading_.joints.velocity[joint] = joints_[joint]->GetVelocity(0);
    reading_.joints.effort[joint] = servos_[joint].torque();
  }
  reading_.stamp += dt;
  feel_contacts();
  feel_imu(dt);
  hl_simulation::add_noise(sensors_, seed_, 0, step_, reading_);
}

void GazeboBody::feel_contacts() {
  reading_.left_foot = reading_.right_foot = {};
  feet_touch_[0] = feet_touch_[1] = false;
  on_ground_.clear();
  const physics::ContactManager& manager = *model_->GetWorld()->Physics()->GetContactManager();
  for (unsigned n = 0; n < manager.GetContactCount(); ++n) {
    const physics::Contact& contact = *manager.GetContact(n);
    const auto touch = touch_of(contact, model_);
    if (!touch) continue;
    const Eigen::Isometry3d pose = to_eigen(touch->own->WorldPose());
    const bool ground = touch->other->GetModel()->GetName() == "field";
    if (ground && std::find(on_ground_.begin(), on_ground_.end(), touch->own->GetName()) == on_ground_.end())
      on_ground_.push_back(touch->own->GetName());
    for (std::size_t side = 0; side < 2; ++side) {
      const Foot& foot = feet_[side];
      if (foot.link != touch->own) continue;
      feet_touch_[side] = feet_touch_[side] || ground;
      const Eigen::Isometry3d to_sole = (pose * foot.sole).inverse();
      for (int k = 0; k < contact.count; ++k) {
        const auto& wrench = contact.wrench[k];
        const Eigen::Vector3d force =
            pose.linear() * to_eigen(touch->own_first ? wrench.body1Force : wrench.body2Force);
        hl_simulation::add_force(*foot.spec, to_sole * to_eigen(contact.positions[k]),
                                 std::abs(force.dot(to_eigen(contact.normals[k]))),
                                 side == 0 ? reading_.left_foot : reading_.right_foot);
      }
    }
  }
}

void GazeboBody::feel_imu(double dt) {
  if (spec_.imu_frame.empty()) return;
  const auto& frame = spec_.frames.at(spec_.imu_frame);
  const physics::Link& link = *links_[static_cast<std::size_t>(frame.body)];
  const Eigen::Isometry3d pose = to_eigen(link.WorldPose()) * frame.pose;
  const Eigen::Vector3d turning = to_eigen(link.WorldAngularVel());
  const Eigen::Vector3d from_centre = pose.translation() - to_eigen(link.WorldCoGPose().Pos());
  const Eigen::Vector3d velocity = to_eigen(link.WorldCoGLinearVel()) + turning.cross(from_centre);
  const Eigen::Vector3d acceleration =
      imu_velocity_ ? Eigen::Vector3d((velocity - *imu_velocity_) / dt) : Eigen::Vector3d::Zero();
  imu_velocity_ = velocity;
  const Eigen::Matrix3d to_imu = pose.linear().transpose();
  const Eigen::Vector3d gravity = to_eigen(model_->GetWorld()->Gravity());
  reading_.imu.orientation = Eigen::Quaterniond(pose.linear());
  reading_.imu.angular_velocity = to_imu * turning;
  reading_.imu.linear_acceleration = to_imu * (acceleration - gravity);
}

void GazeboBody::hold(bool held) {
  if (held == held_) return;
  held_ = held;
  if (held) links_[0]->SetWorldTwist({0, 0, 0}, {0, 0, 0});
  links_[0]->SetKinematic(held);  // nothing moves it any more
}

double GazeboBody::lowest_point() const {
  double lowest = 1e9;
  for (std::size_t n = 0; n < links_.size(); ++n) {
    const Eigen::Isometry3d link = to_eigen(links_[n]->WorldPose());
    for (const Shape& shape : spec_.bodies[n].shapes) {
      if (!shape.collides) continue;
      const Eigen::Isometry3d pose = link * shape.pose;
      lowest = std::min(lowest, pose.translation().z() - reach_down(shape, pose.linear()));
    }
  }
  return lowest;
}

std::optional<std::string> GazeboBody::place(const PlaceRobot& where) {
  std::vector<double> positions = where.joints.empty() ? spec_.walk_ready_positions() : where.joints;
  if (positions.size() != servos_.size())
    return "the robot has " + std::to_string(servos_.size()) + " joints, not " + std::to_string(positions.size());
  for (std::size_t joint = 0; joint < positions.size(); ++joint)
    positions[joint] = std::clamp(positions[joint], spec_.joints[joint].lower, spec_.joints[joint].upper);
  hold(false);
  Eigen::Isometry3d base = Eigen::Isometry3d::Identity();
  base.linear() = (Eigen::AngleAxisd(where.yaw, Eigen::Vector3d::UnitZ()) *
                   Eigen::AngleAxisd(where.pitch, Eigen::Vector3d::UnitY()) *
                   Eigen::AngleAxisd(where.roll, Eigen::Vector3d::UnitX()))
                      .toRotationMatrix();
  base.translation() << where.x, where.y, 1.0;
  // Gazebo keeps a pose for every link: put all where forward kinematics says.
  const auto put = [&] {
    std::vector<Eigen::Isometry3d> at(spec_.bodies.size());
    for (std::size_t n = 0; n < spec_.bodies.size(); ++n) {
      const auto& body = spec_.bodies[n];
      at[n] = base;
      if (body.parent >= 0) {
        const auto joint = static_cast<std::size_t>(body.joint);
        at[n] = at[static_cast<std::size_t>(body.parent)] * body.origin *
                Eigen::AngleAxisd(positions[joint], spec_.joints[joint].axis);
      }
      links_[n]->SetWorldPose(to_ignition(at[n]));
      links_[n]->SetWorldTwist({0, 0, 0}, {0, 0, 0});
    }
  };
  put();
  base.translation().z() += where.clearance - lowest_point();
  put();
  imu_velocity_.reset();
  pushes_.clear();
  for (std::size_t joint = 0; joint < servos_.size(); ++joint) {
    servos_[joint].set_torque(false, positions[joint]);
    servos_[joint].set_torque(true, positions[joint]);  // goal = where it is now
  }
  hold(where.hold);
  return std::nullopt;
}

std::optional<std::string> GazeboBody::push(const PushRobot& push) {
  const auto frame = push.link.empty() ? spec_.frames.end() : spec_.frames.find(push.link);
  if (!push.link.empty() && frame == spec_.frames.end()) return "there is no link '" + push.link + "'";
  const auto body = frame == spec_.frames.end() ? 0 : static_cast<std::size_t>(frame->second.body);
  pushes_.push_back({push, links_[body], push.duration});
  return std::nullopt;
}

bool GazeboBody::touches(const physics::LinkPtr& other) const {
  const physics::ContactManager& manager = *model_->GetWorld()->Physics()->GetContactManager();
  for (unsigned n = 0; n < manager.GetContactCount(); ++n) {
    const auto touch = touch_of(*manager.GetContact(n), model_);
    if (touch && touch->other == other) return true;
  }
  return false;
}

void GazeboBody::describe(WorldState& state) const {
  state.held = held_;
  state.base = to_eigen(links_[0]->WorldPose());
  state.linear_velocity = to_eigen(links_[0]->WorldLinearVel());
  state.angular_velocity = to_eigen(links_[0]->WorldAngularVel());
  state.left_foot = feet_touch_[0];
  state.right_foot = feet_touch_[1];
  state.ground_contacts = on_ground_;
  state.others = false;
  for (const auto& link : on_ground_) {
    const auto is = [&](const Foot& foot) { return foot.link && foot.link->GetName() == link; };
    state.others = state.others || !(is(feet_[0]) || is(feet_[1]));
  }
}

}  // namespace hl_gazebo
