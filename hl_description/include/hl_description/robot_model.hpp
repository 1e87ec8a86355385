// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hl_description {

enum class Side { Left, Right };

inline Side other(Side side) {
  return side == Side::Left ? Side::Right : Side::Left;
}
inline double sign(Side side) {
  return side == Side::Left ? 1.0 : -1.0;
}  // of y
inline const char* joint_prefix(Side side) {
  return side == Side::Left ? "L" : "R";
}
inline const char* link_prefix(Side side) {
  return side == Side::Left ? "l_" : "r_";
}

/// A robot description that cannot be used; the text names the place, the value and the remedy.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct JointLimits {
  double lower = 0.0;     // rad
  double upper = 0.0;     // rad
  double velocity = 0.0;  // rad/s, no load
  double effort = 0.0;    // N m, stall

  double clamp(double position) const { return position < lower ? lower : position > upper ? upper : position; }
  bool contains(double position, double tolerance = 1e-9) const {
    return position >= lower - tolerance && position <= upper + tolerance;
  }
};

/// Where every link is, in base_link; index = link index of the model.
struct Posture {
  std::vector<Eigen::Isometry3d> links;
};

/// The robot's tree of links and joints from a URDF: the one place where kinematics lives.
/// Joint vectors hold the movable joints in the order of `joint_names()` (the order of the tree, depth first), rad,
/// positive in the direction of positive servo rotation.
class RobotModel {
 public:
  struct Link {
    std::string name;
    double mass = 0.0;                                  // kg
    Eigen::Vector3d com = Eigen::Vector3d::Zero();      // m, in the link's frame
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // kg m^2, about the centre of mass, axes of the link's frame
    int parent = -1;                                    // link index, always smaller than the own; -1 = root
    Eigen::Isometry3d origin = Eigen::Isometry3d::Identity();  // in the parent link at joint angle zero
    int joint = -1;                                  // movable joint that carries this link; -1 = fixed to the parent
    Eigen::Vector3d axis = Eigen::Vector3d::Zero();  // unit vector in the link's frame; zero if fixed
  };

  /// From the text of a URDF (already expanded by xacro). Throws ModelError.
  static RobotModel from_urdf(const std::string& xml);
  static RobotModel from_file(const std::string& path);

  const std::string& name() const { return name_; }
  double mass() const { return mass_; }

  std::size_t dof() const { return joint_names_.size(); }
  const std::vector<std::string>& joint_names() const { return joint_names_; }
  std::optional<std::size_t> joint_index(const std::string& name) const;
  std::size_t joint(const std::string& name) const;  // throws ModelError with the names that exist
  const JointLimits& limits(std::size_t joint) const { return limits_[joint]; }
  Eigen::VectorXd clamp(Eigen::VectorXd positions) const;

  const std::vector<Link>& links() const { return links_; }
  std::optional<std::size_t> link_index(const std::string& name) const;
  std::size_t link(const std::string& name) const;  // throws ModelError with the names that exist

  /// Movable joints from the root to `link`, in this order.
  std::vector<std::size_t> chain(std::size_t link) const;
  /// Movable joints on the way from one link to another.
  std::size_t joints_between(std::size_t link_a, std::size_t link_b) const;

  /// Forward kinematics. The second form reuses memory: no allocation once `posture` was used with this model.
  Posture forward(const Eigen::VectorXd& positions) const;
  void forward(const Eigen::VectorXd& positions, Posture& posture) const;

  /// Centre of mass in base_link, m.
  Eigen::Vector3d center_of_mass(const Posture& posture) const;

  /// Twist (linear over angular, in base_link's axes) of `point` (m, in the link's frame) per joint velocity.
  Eigen::Matrix<double, 6, Eigen::Dynamic> jacobian(const Posture& posture, std::size_t link,
                                                    const Eigen::Vector3d& point = Eigen::Vector3d::Zero()) const;
  /// Velocity of the centre of mass in base_link per joint velocity.
  Eigen::Matrix<double, 3, Eigen::Dynamic> com_jacobian(const Posture& posture) const;

  /// The same pose with left and right exchanged.
  Eigen::VectorXd mirrored(const Eigen::VectorXd& positions) const;

  /// Corners of the foot plate in the frame of its sole: front left, front right, back right, back left; z = 0. m.
  const std::array<Eigen::Vector3d, 4>& foot_outline(Side side) const { return outlines_[static_cast<int>(side)]; }
  std::size_t sole(Side side) const { return soles_[static_cast<int>(side)]; }  // link index of l_sole / r_sole

 private:
  void find_mirror_joints();

  std::string name_;
  double mass_ = 0.0;
  std::vector<Link> links_;
  std::vector<std::string> joint_names_;
  std::vector<JointLimits> limits_;
  std::vector<std::size_t> mirror_joint_;  // joint of the other side (or itself)
  std::vector<double> mirror_sign_;        // whether its angle changes sign
  std::array<std::array<Eigen::Vector3d, 4>, 2> outlines_;
  std::array<std::size_t, 2> soles_{};
};

/// base_footprint in base_link: on the floor of the supporting sole, at the midpoint of both soles' projections,
/// heading of base_link. `upright` turns base_link's axes into axes with z up (from the IMU; identity = trust the
/// sole).
Eigen::Isometry3d base_footprint(const RobotModel& model, const Posture& posture, Side support,
                                 const Eigen::Quaterniond& upright);
/// The same with the supporting sole taken as the floor.
Eigen::Isometry3d base_footprint(const RobotModel& model, const Posture& posture, Side support);

}  // namespace hl_description
