// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/compass_memory.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

constexpr double kFastest = 1.5, kFastestTurn = 4.0;  // m/s, rad/s; more is no walk: odometry began anew
constexpr double kSlack = 0.3;                        // m, rad
constexpr float kMostOfASector = 3.0f;                // one thing alone must not decide: it may have come since
constexpr float kKept = 0.5f;                         // of what a direction said before, when it is seen again
constexpr float kLeastShare = 0.7f;                   // of what was seen of it before, for a new look to count
constexpr int kTurns = Panorama::kBearings;

/// result[t] = of[t + shift], between the turns.
Eigen::ArrayXf shifted(const Eigen::ArrayXf& of, double shift) {
  const double whole = std::floor(shift);
  const auto part = static_cast<float>(shift - whole);
  const int from = ((static_cast<int>(whole) % kTurns) + kTurns) % kTurns;
  Eigen::ArrayXf result(kTurns);
  for (int t = 0; t < kTurns; ++t)
    result[t] = (1.0f - part) * of[(t + from) % kTurns] + part * of[(t + from + 1) % kTurns];
  return result;
}

}  // namespace

double CompassMemory::left(const Sector& sector) const {
  if (sector.share <= 0.0f) return 0.0;
  if (memory_ <= 0.0) return sector.stamp == stamp_ ? 1.0 : 0.0;
  return std::exp((sector.stamp - stamp_) / memory_);
}

void CompassMemory::add(const PictureEvidence& picture, const hl_description::Pose2& odometry, double stamp,
                        double memory) {
  const double passed = stamp - stamp_;
  if (!(passed >= 0.0) || (odometry.position() - odometry_.position()).norm() > kFastest * passed + kSlack ||
      std::abs(hl_description::wrap_angle(odometry.yaw - odometry_.yaw)) > kFastestTurn * passed + kSlack)
    forget();
  odometry_ = odometry;
  stamp_ = stamp;
  memory_ = memory;
  struct Look {
    Eigen::ArrayXf evidence = Eigen::ArrayXf::Zero(kTurns), contours = evidence;
    float share = 0.0f;
  };
  std::array<Look, kSectors> looks;
  const double turned = odometry.yaw / Panorama::kBearingStep;  // cells
  for (Eigen::Index n = 0; n < picture.columns.cols(); ++n) {
    const double bearing = static_cast<double>(picture.first + n) + 0.5 + turned;
    const double sector = std::floor(bearing / kColumns);
    Look& look = looks[static_cast<std::size_t>(sector - kSectors * std::floor(sector / kSectors))];
    look.evidence += picture.columns.col(n);
    look.contours += picture.contours.col(n);
    look.share += 1.0f / kColumns;
  }
  for (std::size_t s = 0; s < kSectors; ++s) {
    const Look& look = looks[s];
    if (look.share == 0.0f) continue;
    Sector& sector = sectors_[s];
    const auto old = static_cast<float>(left(sector));
    if (look.share < kLeastShare * old * sector.share) continue;  // the earlier look saw more of it
    const float keep = kKept * old * std::min(1.0f, sector.share);
    const auto join = [&](const Eigen::ArrayXf& now, Eigen::ArrayXf& kept) {
      // A turn of odom in map is the robot's less that of the robot in odom.
      const Eigen::ArrayXf turns = shifted(now.min(kMostOfASector).max(-kMostOfASector), turned);
      kept = keep > 0.0f ? ((1.0f - keep) * turns + keep * kept).eval() : turns;
    };
    join(look.evidence, sector.evidence);
    join(look.contours, sector.contours);
    sector.share = std::min(1.0f, look.share);
    sector.stamp = stamp;
  }
}

CompassMemory::Sum CompassMemory::sum() const {
  Sum result;
  result.sectors = Eigen::ArrayXXf::Zero(kTurns, kSectors);
  const double turned = odometry_.yaw / Panorama::kBearingStep;
  for (std::size_t s = 0; s < kSectors; ++s) {
    const auto share = static_cast<float>(left(sectors_[s]));
    if (share <= 0.0f) continue;
    result.sectors.col(static_cast<Eigen::Index>(s)) = share * shifted(sectors_[s].evidence, -turned);
    result.contours += share * shifted(sectors_[s].contours, -turned);
  }
  result.evidence = result.sectors.rowwise().sum();
  return result;
}

}  // namespace hl_vision
