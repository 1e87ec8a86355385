// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <opencv2/core/types.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_description/geometry.hpp"
#include "hl_vision/camera_view.hpp"

namespace hl_vision {

/// How the camera really sits, against what the robot's model says. All zero: as in the model. A wrong zero of the
/// neck's tilt looks like a pitch of the camera; both are `tilt.x()`.
struct Mounting {
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();     // m, of the camera in its optical frame
  Eigen::Vector3d tilt = Eigen::Vector3d::Zero();       // rad, about x (pitch), y (yaw), z (roll) of the optical frame
  double pan_zero = 0.0;                                // rad, of the neck's pan
  Eigen::Vector2d body_tilt = Eigen::Vector2d::Zero();  // rad, of the trunk about x (roll), y (pitch)

  static constexpr int kParameters = 9;
  using Vector = Eigen::Matrix<double, kParameters, 1>;
  Vector vector() const;
  static Mounting from(const Vector& v);

  /// The camera over the ground: `footprint_from_base` from legs and IMU, `base_from_camera` from the neck's joints.
  Eigen::Isometry3d apply(const Eigen::Isometry3d& footprint_from_base,
                          const Eigen::Isometry3d& base_from_camera) const;

  /// The section `camera_mounting` of a robot.yaml; nothing if it has none. Throws std::runtime_error.
  static std::optional<Mounting> from_robot_file(const std::string& path);
  static std::optional<Mounting> from_robot_text(const std::string& yaml, const std::string& name);
  /// The text of a robot.yaml with this mounting and its deviations instead of what it had.
  std::string into_robot_text(const std::string& yaml, const Vector& deviation) const;
};

/// Finds the mounting from field lines in pictures of a standing robot.
class MountingCalibration {
 public:
  struct Frame {
    Lens lens;
    Eigen::Isometry3d footprint_from_base, base_from_camera;  // as the robot's model says
    std::vector<cv::Point2d> line_points;                     // px, on the centres of field lines
    int pose = 0;                                             // index into the poses
  };
  struct Pose {
    hl_description::Pose2 pose;  // map from base_footprint; a guess unless known
    bool known = true;           // false: found too; the pan's zero then cannot be
  };
  struct Result {
    Mounting mounting;
    Mounting::Vector deviation = Mounting::Vector::Zero();  // m, rad
    std::vector<hl_description::Pose2> poses;
    double error_before = 0.0, error_after = 0.0;  // px, median distance of line points from the field's lines
    std::size_t points = 0;                        // used at the end
    std::string reason;                            // why it cannot be trusted; empty: it can
  };
  struct Params {
    double largest_angle = 0.16;                       // rad, that is looked for
    Mounting::Vector deviation = usual_deviation();    // m, rad, expected of the mounting
    Eigen::Vector3d pose_deviation = {0.3, 0.3, 0.2};  // m, m, rad, of poses that are not known
    double pixel_noise = 2.0;                          // px, of a line point
    double farthest = 4.0;                             // m; line points beyond tell more about noise
    int starts = 60;                                   // guesses from which the search begins; 1: only "all is well"
    static Mounting::Vector usual_deviation();
  };

  MountingCalibration(const Params& params, const hl_description::Field& field);
  Result solve(const std::vector<Frame>& frames, const std::vector<Pose>& poses) const;

  /// Directions of view that are still missing for a good answer, in words; empty: enough.
  static std::string missing(const std::vector<Frame>& frames);

 private:
  struct Problem;
  hl_description::Field field_;
  Params params_;
};

/// Where the lines of a field are: nearest place on a line and its direction.
struct OnLine {
  Eigen::Vector2d place, direction;
};
OnLine nearest_line(const hl_description::Field& field, const std::vector<hl_description::Field::Line>& lines,
                    const Eigen::Vector2d& at);

}  // namespace hl_vision
