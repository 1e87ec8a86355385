// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/visual_compass.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

constexpr int kTurns = Panorama::kBearings;
constexpr double kLeastEvidence = 2.0;  // of the best turn against "any"
constexpr double kSame = 0.35;          // rad around the best turn that count as the same answer
constexpr double kElsewhere = 15.0;     // weight of "nothing of this is on record" against a turn
constexpr float kContours = 1.5f;       // weight of the contours where they are judged alone
constexpr double kElsewhereContours = 5.0;
constexpr double kMostRoll = 0.5, kMostUp = 0.6, kMostDown = 0.97;  // sines of the camera's attitude, while it stands

/// A robot that fell is turned, and its odometry knows little of it.
bool lies(const CameraView& view) {
  const Eigen::RowVector3d up = view.ground_from_camera().linear().row(2);
  return std::abs(up.x()) > kMostRoll || up.z() > kMostUp || up.z() < -kMostDown;
}

/// Probability of the turns about `best`; `elsewhere`: weight of "none of them".
double share_of(const Eigen::ArrayXf& evidence, int best, double elsewhere) {
  const double top = evidence.maxCoeff();
  double same = 0.0, all = elsewhere * std::exp(-top);
  for (int turn = 0; turn < kTurns; ++turn) {
    const double share = std::exp(evidence[turn] - top);
    all += share;
    const int away = std::abs(turn - best);
    if (std::min(away, kTurns - away) * Panorama::kBearingStep <= kSame) same += share;
  }
  return same / all;
}

}  // namespace

std::optional<std::string> VisualCompass::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (!(noise >= 0.1 && noise <= 10.0)) return bad("noise must be in 0.1..10", noise);
  if (!(same_place >= 0.05 && same_place <= 3.0)) return bad("same_place (m) must be in 0.05..3", same_place);
  if (most_places < 1 || most_places > 100) return bad("most_places must be in 1..100", most_places);
  if (!(gap >= 0.0 && gap <= 100.0)) return bad("gap (m) must be in 0..100", gap);
  if (!(memory >= 0.0 && memory <= 120.0)) return bad("memory (s) must be in 0..120", memory);
  return std::nullopt;
}

VisualCompass::VisualCompass(const Params& params, const hl_description::Field& field)
    : params_(params), field_(field) {}

void VisualCompass::set_params(const Params& params) {
  stale_ = stale_ || params.gap != params_.gap;
  params_ = params;
}

void VisualCompass::clear() {
  places_.clear();
  views_ = 0;
  stale_ = true;
  memory_.forget();
}

void VisualCompass::turn_around() {
  constexpr Eigen::Index kHalf = Panorama::kCells / 2;
  const auto swap = [](Eigen::ArrayXf& cells) {
    const Eigen::ArrayXf first = cells.head(kHalf);
    cells.head(kHalf) = cells.tail(kHalf).eval();
    cells.tail(kHalf) = first;
  };
  for (RecordedPlace& place : places_) {
    place.position = -place.position;
    for (auto& channel : place.panorama.values) swap(channel);
    swap(place.panorama.weights);
  }
  stale_ = true;
  memory_.forget();
}

std::optional<std::string> VisualCompass::record(const Inputs& inputs, const hl_description::Pose2& pose) {
  if (!std::isfinite(pose.x) || !std::isfinite(pose.y) || !std::isfinite(pose.yaw)) return "the pose is no number";
  if (std::abs(pose.x) > 0.5 * field_.length + field_.border || std::abs(pose.y) > 0.5 * field_.width + field_.border)
    return "the pose is not on the turf";
  auto read = reader_.read(inputs.bgr, inputs.view, pose.yaw);
  if (!read.reason.empty()) return read.reason;
  RecordedPlace place;
  const Eigen::Vector3d eye = inputs.view.ground_from_camera().translation();
  place.position = pose * Eigen::Vector2d(eye.head<2>());
  place.height = eye.z();
  place.panorama = std::move(read.panorama);
  const auto same = std::find_if(places_.begin(), places_.end(), [&](const RecordedPlace& other) {
    return (other.position - place.position).norm() < params_.same_place;
  });
  if (same != places_.end()) {
    same->panorama.add(place.panorama);
  } else {
    if (places_.size() >= static_cast<std::size_t>(params_.most_places)) places_.erase(places_.begin());
    places_.push_back(std::move(place));
  }
  ++views_;
  stale_ = true;
  return std::nullopt;
}

VisualCompass::Outputs VisualCompass::step(const Inputs& inputs, double now) {
  Outputs out;
  if (lies(inputs.view) || !inputs.odometry) memory_.forget();
  const auto read = reader_.read(inputs.bgr, inputs.view);
  out.above = read.above;
  out.reason = read.reason;
  if (places_.empty()) out.reason = "nothing is recorded yet";
  if (!out.reason.empty()) return out;
  if (stale_) {
    expected_.build(places_, field_, params_.gap);
    stale_ = false;
  }
  memory_.add(expected_.compare(read.panorama, inputs.about, params_.noise),
              inputs.odometry.value_or(hl_description::Pose2()), now, params_.memory);
  const auto seen = memory_.sum();

  int best = 0;
  const double peak = seen.evidence.maxCoeff(&best);
  if (peak < kLeastEvidence) {
    out.reason = "nothing that is seen looks like the record";
    return out;
  }
  // An answer that hangs on one thing is no answer: whoever stands there may have come since.
  double least = share_of(seen.evidence, best, kElsewhere);
  for (Eigen::Index s = 0; s < seen.sectors.cols(); ++s) {
    if (seen.sectors(best, s) > 0.0f)
      least = std::min(least, share_of(seen.evidence - seen.sectors.col(s), best, kElsewhere));
  }
  // Nor one that hangs on which wall is lit.
  least = std::min(least, share_of(kContours * seen.contours, best, kElsewhereContours));
  // Between the turns: the top of the parabola.
  const double left = seen.evidence[(best + kTurns - 1) % kTurns], right = seen.evidence[(best + 1) % kTurns];
  const double bend = left - 2.0 * peak + right;
  const double shift = bend < -1e-9 ? std::clamp(0.5 * (left - right) / bend, -0.5, 0.5) : 0.0;
  out.heading = hl_description::wrap_angle((best + shift) * Panorama::kBearingStep);
  out.confidence = least;
  return out;
}

}  // namespace hl_vision
