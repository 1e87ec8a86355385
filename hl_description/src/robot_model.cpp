// SPDX-License-Identifier: Apache-2.0
#include "hl_description/robot_model.hpp"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <fstream>
#include <mutex>
#include <sstream>

namespace hl_description {
namespace {

/// Collects what urdfdom prints, so that the reason reaches the caller instead of the console.
class ParserMessages : public console_bridge::OutputHandler {
 public:
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_WARN) texts_ += (texts_.empty() ? "" : "; ") + text;
  }
  const std::string& texts() const { return texts_; }

 private:
  std::string texts_;
};

urdf::ModelInterfaceSharedPtr parse(const std::string& xml) {
  static std::mutex mutex;  // console_bridge has one handler per process
  const std::lock_guard<std::mutex> lock(mutex);
  ParserMessages messages;
  console_bridge::useOutputHandler(&messages);
  urdf::ModelInterfaceSharedPtr model;
  std::string thrown;
  try {
    model = urdf::parseURDF(xml);
  } catch (const std::exception& error) {
    thrown = error.what();
  }
  console_bridge::restorePreviousOutputHandler();
  if (!model) {
    std::string reason = messages.texts() + (messages.texts().empty() || thrown.empty() ? "" : "; ") + thrown;
    throw ModelError("the robot description is not a valid URDF: " + (reason.empty() ? "no <robot> found" : reason) +
                     ". Expand xacro files first: xacro robot.urdf.xacro > robot.urdf");
  }
  return model;
}

Eigen::Isometry3d isometry(const urdf::Pose& pose) {
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  Eigen::Quaterniond q;
  pose.rotation.getQuaternion(q.x(), q.y(), q.z(), q.w());
  result.linear() = q.normalized().toRotationMatrix();
  result.translation() << pose.position.x, pose.position.y, pose.position.z;
  return result;
}

[[noreturn]] void refuse(const std::string& what, const std::string& name, const std::string& why) {
  throw ModelError("URDF " + what + " '" + name + "': " + why);
}

void set_inertia(RobotModel::Link& link, const urdf::Inertial& inertial) {
  const Eigen::Isometry3d frame = isometry(inertial.origin);
  Eigen::Matrix3d inertia;
  inertia << inertial.ixx, inertial.ixy, inertial.ixz, inertial.ixy, inertial.iyy, inertial.iyz, inertial.ixz,
      inertial.iyz, inertial.izz;
  if (!(inertial.mass > 0.0) || !std::isfinite(inertial.mass))
    refuse("link", link.name,
           "mass " + std::to_string(inertial.mass) + " kg must be positive; leave <inertial> out for a frame");
  if (!inertia.allFinite() || !frame.matrix().allFinite())
    refuse("link", link.name, "inertia or its origin is not a finite number");
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia).eigenvalues();
  if (moments[0] <= 0.0 || moments[0] + moments[1] < moments[2] * (1.0 - 1e-9)) {
    std::ostringstream why;
    why << "no body has the principal moments of inertia " << moments.transpose()
        << " kg m^2: all must be positive and none larger than the sum of the other two";
    refuse("link", link.name, why.str());
  }
  link.mass = inertial.mass;
  link.com = frame.translation();
  link.inertia = frame.linear() * inertia * frame.linear().transpose();
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string other_side(const std::string& joint) {
  if (joint.size() > 1 && std::isupper(static_cast<unsigned char>(joint[1]))) {
    if (joint[0] == 'L') return "R" + joint.substr(1);
    if (joint[0] == 'R') return "L" + joint.substr(1);
  }
  return joint;
}

/// The lowest face of the foot's collision boxes, in the foot's frame.
std::array<Eigen::Vector3d, 4> outline(const urdf::Link& foot, const Eigen::Isometry3d& sole) {
  const double large = 1e3;
  Eigen::Vector2d low(large, large), high(-large, -large);
  for (const auto& collision : foot.collision_array) {
    const auto* box = dynamic_cast<const urdf::Box*>(collision->geometry.get());
    if (!box) continue;
    const Eigen::Isometry3d frame = sole.inverse() * isometry(collision->origin);
    for (int corner = 0; corner < 4; ++corner) {
      const Eigen::Vector3d point = frame * Eigen::Vector3d((corner & 1 ? 0.5 : -0.5) * box->dim.x,
                                                            (corner & 2 ? 0.5 : -0.5) * box->dim.y, -0.5 * box->dim.z);
      low = low.cwiseMin(point.head<2>());
      high = high.cwiseMax(point.head<2>());
    }
  }
  if (low.x() > high.x())
    refuse("link", foot.name, "has no collision box; the sole's outline is taken from it, so give the foot plate one");
  return {Eigen::Vector3d(high.x(), high.y(), 0), Eigen::Vector3d(high.x(), low.y(), 0),
          Eigen::Vector3d(low.x(), low.y(), 0), Eigen::Vector3d(low.x(), high.y(), 0)};
}

Eigen::Vector3d axis_of(const urdf::Joint& joint) {
  const Eigen::Vector3d axis(joint.axis.x, joint.axis.y, joint.axis.z);
  if (!axis.allFinite() || axis.norm() < 1e-6) refuse("joint", joint.name, "axis must not be zero");
  return axis.normalized();
}

JointLimits limits_of(const urdf::Joint& joint) {
  JointLimits limits{-M_PI, M_PI, 0.0, 0.0};
  if (joint.limits) {
    limits.velocity = joint.limits->velocity;
    limits.effort = joint.limits->effort;
    if (joint.type == urdf::Joint::REVOLUTE) {
      limits.lower = joint.limits->lower;
      limits.upper = joint.limits->upper;
    }
  }
  if (!(limits.lower < limits.upper)) {
    refuse("joint", joint.name,
           "lower limit " + std::to_string(limits.lower) + " rad must be below the upper limit " +
               std::to_string(limits.upper) + " rad");
  }
  if (!(limits.velocity > 0.0 && limits.effort > 0.0))
    refuse("joint", joint.name, "<limit> needs a positive velocity (rad/s) and effort (N m)");
  return limits;
}

/// Where a link is fixed to its parent, and about which axis it turns; true if it does.
template <class Link>
bool attach(Link& link, const urdf::Joint& joint) {
  link.origin = isometry(joint.parent_to_joint_origin_transform);
  if (!link.origin.matrix().allFinite()) refuse("joint", joint.name, "origin is not a finite number");
  if (joint.type == urdf::Joint::FIXED) return false;
  if (joint.type != urdf::Joint::REVOLUTE && joint.type != urdf::Joint::CONTINUOUS)
    refuse("joint", joint.name, "only revolute, continuous and fixed joints are supported");
  link.axis = axis_of(joint);
  return true;
}

}  // namespace

RobotModel RobotModel::from_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw ModelError(path + ": cannot be read; check the path (URDFs are generated from xacro by the build)");
  std::stringstream text;
  text << file.rdbuf();
  try {
    return from_urdf(text.str());
  } catch (const ModelError& error) {
    throw ModelError(path + ": " + error.what());
  }
}

RobotModel RobotModel::from_urdf(const std::string& xml) {
  const urdf::ModelInterfaceSharedPtr urdf = parse(xml);
  RobotModel model;
  model.name_ = urdf->getName();

  struct Entry {
    urdf::LinkConstSharedPtr link;
    int parent;
  };
  std::vector<Entry> open{{urdf->getRoot(), -1}};
  while (!open.empty()) {  // depth first
    const Entry entry = open.back();
    open.pop_back();
    Link link;
    link.name = entry.link->name;
    link.parent = entry.parent;
    if (entry.link->inertial) set_inertia(link, *entry.link->inertial);
    if (const auto& joint = entry.link->parent_joint; joint && attach(link, *joint)) {
      link.joint = static_cast<int>(model.dof());
      model.joint_names_.push_back(joint->name);
      model.limits_.push_back(limits_of(*joint));
    }
    const int index = static_cast<int>(model.links_.size());
    model.mass_ += link.mass;
    model.links_.push_back(std::move(link));
    const auto& children = entry.link->child_links;
    for (auto child = children.rbegin(); child != children.rend(); ++child) open.push_back({*child, index});
  }

  model.find_mirror_joints();
  for (const Side side : {Side::Left, Side::Right}) {
    const std::size_t sole = model.link(std::string(link_prefix(side)) + "sole");
    const Link& link = model.links_[sole];
    model.soles_[static_cast<std::size_t>(side)] = sole;
    model.outlines_[static_cast<std::size_t>(side)] =
        outline(*urdf->getLink(model.links_[static_cast<std::size_t>(link.parent)].name), link.origin);
  }
  return model;
}

void RobotModel::find_mirror_joints() {
  const Posture zero = forward(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dof())));
  std::vector<Eigen::Vector3d> axes(dof(), Eigen::Vector3d::Zero());  // in base_link
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (link.joint < 0) continue;
    const auto joint = static_cast<std::size_t>(link.joint);
    axes[joint] = zero.links[i].linear() * link.axis;
    mirror_joint_.push_back(joint_index(other_side(joint_names_[joint])).value_or(joint));
  }
  for (std::size_t joint = 0; joint < dof(); ++joint) {
    const Eigen::Vector3d mirrored = axes[joint].cwiseProduct(Eigen::Vector3d(-1, 1, -1));  // an axial vector
    mirror_sign_.push_back(mirrored.dot(axes[mirror_joint_[joint]]) < 0 ? -1.0 : 1.0);
  }
}

std::optional<std::size_t> RobotModel::joint_index(const std::string& name) const {
  for (std::size_t i = 0; i < joint_names_.size(); ++i)
    if (joint_names_[i] == name) return i;
  return std::nullopt;
}

std::size_t RobotModel::joint(const std::string& name) const {
  if (const auto index = joint_index(name)) return *index;
  throw ModelError("robot '" + name_ + "' has no joint '" + name + "'; it has: " + list(joint_names_));
}

std::optional<std::size_t> RobotModel::link_index(const std::string& name) const {
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].name == name) return i;
  return std::nullopt;
}

std::size_t RobotModel::link(const std::string& name) const {
  if (const auto index = link_index(name)) return *index;
  std::vector<std::string> names;
  for (const auto& link : links_) names.push_back(link.name);
  throw ModelError("robot '" + name_ + "' has no link '" + name + "'; it has: " + list(names));
}

Eigen::VectorXd RobotModel::clamp(Eigen::VectorXd positions) const {
  for (std::size_t i = 0; i < dof(); ++i) {
    double& position = positions[static_cast<Eigen::Index>(i)];
    position = limits_[i].clamp(position);
  }
  return positions;
}

std::vector<std::size_t> RobotModel::chain(std::size_t link) const {
  std::vector<std::size_t> joints;
  for (int i = static_cast<int>(link); i >= 0; i = links_[static_cast<std::size_t>(i)].parent) {
    const int joint = links_[static_cast<std::size_t>(i)].joint;
    if (joint >= 0) joints.insert(joints.begin(), static_cast<std::size_t>(joint));
  }
  return joints;
}

std::size_t RobotModel::joints_between(std::size_t link_a, std::size_t link_b) const {
  const auto a = chain(link_a), b = chain(link_b);
  std::size_t common = 0;
  while (common < a.size() && common < b.size() && a[common] == b[common]) ++common;
  return a.size() + b.size() - 2 * common;
}

Posture RobotModel::forward(const Eigen::VectorXd& positions) const {
  Posture posture;
  forward(positions, posture);
  return posture;
}

void RobotModel::forward(const Eigen::VectorXd& positions, Posture& posture) const {
  posture.links.resize(links_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    Eigen::Isometry3d& pose = posture.links[i];
    pose = link.parent < 0 ? link.origin : posture.links[static_cast<std::size_t>(link.parent)] * link.origin;
    if (link.joint >= 0) pose.linear() *= Eigen::AngleAxisd(positions[link.joint], link.axis).toRotationMatrix();
  }
}

Eigen::Vector3d RobotModel::center_of_mass(const Posture& posture) const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].mass > 0.0) sum += links_[i].mass * (posture.links[i] * links_[i].com);
  return sum / mass_;
}

Eigen::Matrix<double, 6, Eigen::Dynamic> RobotModel::jacobian(const Posture& posture, std::size_t link,
                                                              const Eigen::Vector3d& point) const {
  Eigen::Matrix<double, 6, Eigen::Dynamic> result(6, static_cast<Eigen::Index>(dof()));
  result.setZero();
  const Eigen::Vector3d target = posture.links[link] * point;
  for (int i = static_cast<int>(link); i >= 0; i = links_[static_cast<std::size_t>(i)].parent) {
    const Link& moving = links_[static_cast<std::size_t>(i)];
    if (moving.joint < 0) continue;
    const Eigen::Isometry3d& frame = posture.links[static_cast<std::size_t>(i)];
    const Eigen::Vector3d axis = frame.linear() * moving.axis;
    result.col(moving.joint) << axis.cross(target - frame.translation()), axis;
  }
  return result;
}

Eigen::Matrix<double, 3, Eigen::Dynamic> RobotModel::com_jacobian(const Posture& posture) const {
  Eigen::Matrix<double, 3, Eigen::Dynamic> result(3, static_cast<Eigen::Index>(dof()));
  result.setZero();
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].mass > 0.0) result += links_[i].mass / mass_ * jacobian(posture, i, links_[i].com).topRows<3>();
  return result;
}

Eigen::VectorXd RobotModel::mirrored(const Eigen::VectorXd& positions) const {
  Eigen::VectorXd result(positions.size());
  for (std::size_t joint = 0; joint < dof(); ++joint)
    result[static_cast<Eigen::Index>(mirror_joint_[joint])] =
        mirror_sign_[joint] * positions[static_cast<Eigen::Index>(joint)];
  return result;
}

Eigen::Isometry3d base_footprint(const RobotModel& model, const Posture& posture, Side support,
                                 const Eigen::Quaterniond& upright) {
  const Eigen::Matrix3d up = upright.toRotationMatrix();
  const Eigen::Vector3d left = up * posture.links[model.sole(Side::Left)].translation();
  const Eigen::Vector3d right = up * posture.links[model.sole(Side::Right)].translation();
  Eigen::Vector3d position = 0.5 * (left + right);
  position.z() = support == Side::Left ? left.z() : right.z();
  // In upright axes the footprint only keeps the heading of base_link.
  const Eigen::Vector3d forward = up.col(0);
  const double heading = std::atan2(forward.y(), forward.x());
  Eigen::Isometry3d footprint = Eigen::Isometry3d::Identity();
  footprint.translation() = up.transpose() * position;
  footprint.linear() = up.transpose() * Eigen::AngleAxisd(heading, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return footprint;
}

Eigen::Isometry3d base_footprint(const RobotModel& model, const Posture& posture, Side support) {
  const Eigen::Matrix3d sole = posture.links[model.sole(support)].linear();
  return base_footprint(model, posture, support, Eigen::Quaterniond(Eigen::Matrix3d(sole.transpose())));
}

}  // namespace hl_description
