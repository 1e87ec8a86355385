// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/ground_load.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace hl_walking {
namespace {

constexpr double kPresses = 2.0;             // N, above the noise of the cells
constexpr double kSingular = 1e-4;           // m^3, determinant of a nearly stretched leg
constexpr std::size_t kPitch[] = {2, 3, 4};  // hip, knee, ankle pitch among the joints of a leg

}  // namespace

std::optional<FootLoad> load_from_cells(const std::array<Eigen::Vector2d, 4>& cells,
                                        const std::array<double, 4>& forces) {
  FootLoad load;
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!(forces[i] >= 0.0) || !std::isfinite(forces[i])) return std::nullopt;  // better no foot than half a foot
    load.force += forces[i];
    moment += forces[i] * cells[i];
  }
  if (load.force > kPresses) load.centre_of_pressure = moment / load.force;
  return load;
}

std::optional<std::array<double, 2>> load_from_joints(WalkingBody& body, const Joints& measured, const Joints& torque) {
  if (torque.size() != measured.size() || !torque.allFinite() || !measured.allFinite()) return std::nullopt;
  body.com(measured);  // leg_torque speaks of these joints
  std::array<double, 2> force{};
  for (const Side side : {Side::Left, Side::Right}) {
    const Eigen::Isometry3d sole = body.sole(side, measured);
    const Eigen::Vector3d here = sole.translation(), ahead = sole * Eigen::Vector3d(0.1, 0.0, 0.0);
    const Eigen::Vector3d forward = sole.linear().col(0), up = sole.linear().col(2);
    const auto drag = body.leg_torque(side, here, forward), weight = body.leg_torque(side, here, up),
               tilting = body.leg_torque(side, ahead, up);
    Eigen::Matrix3d by_cause;
    Eigen::Vector3d measured;
    for (int k = 0; k < 3; ++k) {
      by_cause.row(k) << drag[kPitch[k]], weight[kPitch[k]], tilting[kPitch[k]] - weight[kPitch[k]];
      measured[k] = torque[static_cast<Eigen::Index>(body.leg(side).joints()[kPitch[k]])];
    }
    const double determinant = by_cause.determinant();
    if (!(std::abs(determinant) > kSingular)) return std::nullopt;
    force[static_cast<std::size_t>(side)] = (by_cause.inverse() * measured).y();
  }
  return force;
}

std::optional<Eigen::Vector2d> measured_zmp(const WalkingBody& body, const Joints& measured, Side support,
                                            const std::array<FootLoad, 2>& feet) {
  const Eigen::Isometry3d to_support = body.sole(support, measured).inverse();
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();
  double force = 0.0;
  for (const Side side : {Side::Left, Side::Right}) {
    const FootLoad& foot = feet[static_cast<std::size_t>(side)];
    if (!foot.centre_of_pressure) continue;
    const Eigen::Vector3d in_sole(foot.centre_of_pressure->x(), foot.centre_of_pressure->y(), 0.0);
    moment += foot.force * (to_support * body.sole(side, measured) * in_sole).head<2>();
    force += foot.force;
  }
  if (!(force > kPresses)) return std::nullopt;
  return Eigen::Vector2d(moment / force);
}

}  // namespace hl_walking
