// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/visual_compass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hl_vision {
namespace {

constexpr double kGrid = 0.75;       // m between the places from which the surroundings are imagined
constexpr double kLeastPlace = 0.5;  // m, deviation of a place that is believed at most: people push robots
constexpr double kUsualGap = 4.0;    // m, with one place alone
constexpr double kEyeHeight = 0.5;   // m
constexpr int kTurns = Panorama::kBearings;
// Scatter of brightness and hues (logarithms) of the same thing seen twice.
constexpr std::array<float, Panorama::kChannels> kScatter{0.25f, 0.07f, 0.07f};
constexpr float kOutlier = 2.5f;  // scatters beyond which a difference says no more
constexpr float kNeutral = 1.5f;  // cost of a cell that is not on record; less speaks for a turn, more against it
constexpr double kEvidencePerCell = 0.15;  // neighbouring cells are much alike
constexpr double kLeastEvidence = 3.0;     // of the best turn against "anything"
constexpr double kPoorFit = 0.1,
                 kGoodFit = 0.4;  // evidence against that of a perfect likeness: never sure, not doubted
constexpr int kStrips = 4;        // parts of the picture, each of which may be missing
constexpr double kSame = 0.35;    // rad around the best turn that count as the same answer

}  // namespace

std::optional<std::string> VisualCompass::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (!(noise >= 0.1 && noise <= 10.0)) return bad("noise must be in 0.1..10", noise);
  if (!(same_place >= 0.05 && same_place <= 3.0)) return bad("same_place (m) must be in 0.05..3", same_place);
  if (most_places < 1 || most_places > 100) return bad("most_places must be in 1..100", most_places);
  if (!(gap >= 0.0 && gap <= 100.0)) return bad("gap (m) must be in 0..100", gap);
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

void VisualCompass::rebuild() {
  stale_ = false;
  gap_ = params_.gap;
  if (gap_ <= 0.0) {
    // The distance of the walls at which the places agree best about what is painted on them.
    double least = std::numeric_limits<double>::infinity();
    gap_ = kUsualGap;
    if (places_.size() > 1) {
      for (const double gap : {0.7, 1.2, 1.8, 2.4, 3.0, 3.7, 4.5, 6.0, 8.0, 11.0, 16.0, 25.0, 40.0}) {
        WallMap map(field_, gap);
        map.paint(places_);
        if (map.disagreement() < least) {
          least = map.disagreement();
          gap_ = gap;
        }
      }
    }
  }
  WallMap map(field_, gap_);
  map.paint(places_);
  expected_.clear();
  const int along = static_cast<int>(std::lround(0.5 * field_.length / kGrid)),
            across = static_cast<int>(std::lround(0.5 * field_.width / kGrid));
  for (int i = -along; i <= along; ++i) {
    for (int j = -across; j <= across; ++j) {
      Expected expected;
      expected.position = Eigen::Vector2d(i * kGrid, j * kGrid);
      expected.coarse = i % 2 == 0 && j % 2 == 0;
      const Panorama seen = map.seen_from(expected.position, kEyeHeight);
      const auto doubled = [](const Eigen::ArrayXf& once) {
        Eigen::ArrayXf twice(2 * once.size());
        twice << once, once;
        return twice;
      };
      for (std::size_t c = 0; c < Panorama::kChannels; ++c) expected.values[c] = doubled(seen.values[c]);
      expected.weights = doubled(seen.weights);
      expected_.push_back(std::move(expected));
    }
  }
}

VisualCompass::Outputs VisualCompass::step(const Inputs& inputs, double /*now*/) {
  Outputs out;
  const auto read = reader_.read(inputs.bgr, inputs.view);
  out.above = read.above;
  out.reason = read.reason;
  if (places_.empty()) out.reason = "nothing is recorded yet";
  if (!out.reason.empty()) return out;
  if (stale_) rebuild();

  // The columns that were seen, as one piece.
  const Panorama& seen = read.panorama;
  const auto column = [&](int b) { return seen.weights.segment(Panorama::cell(b, 0), Panorama::kElevations).sum(); };
  int first = 0, count = 0;
  for (int b = 0; b < kTurns; ++b) {
    if (column(b) <= 0.0f || column(b - 1) > 0.0f) continue;
    int n = 0;
    while (n < kTurns && column(b + n) > 0.0f) ++n;
    if (n > count) {
      first = b;
      count = n;
    }
  }
  const Eigen::Index length = static_cast<Eigen::Index>(count) * Panorama::kElevations;
  Eigen::ArrayXf weights(length);
  std::array<Eigen::ArrayXf, Panorama::kChannels> values{weights, weights, weights};
  for (int n = 0; n < count; ++n) {
    const auto from = Panorama::cell(first + n, 0), to = n * Panorama::kElevations;
    weights.segment(to, Panorama::kElevations) = seen.weights.segment(from, Panorama::kElevations);
    for (std::size_t c = 0; c < Panorama::kChannels; ++c)
      values[c].segment(to, Panorama::kElevations) = seen.values[c].segment(from, Panorama::kElevations);
  }

  // Evidence for every turn, from the place on the field where it fits best.
  using Evidence = std::array<double, kTurns>;
  Evidence evidence, fit{};
  evidence.fill(-1e9);
  std::array<Evidence, kStrips> without;  // the same without a part of the picture
  without.fill(evidence);
  const auto strip = [&](int n) { return static_cast<Eigen::Index>(count * n / kStrips) * Panorama::kElevations; };
  Eigen::ArrayXf both(length), difference(length), cost(length);
  for (const Expected& expected : expected_) {
    double unlikely = 0.0;  // logarithm
    if (inputs.about) {
      const double away = std::min((expected.position - inputs.about->position).norm(),
                                   (expected.position + inputs.about->position).norm());
      const double deviation = std::max(kLeastPlace, inputs.about->deviation);
      unlikely = 0.5 * away * away / (deviation * deviation);
      if (away > 2.0 * deviation) continue;
    } else if (!expected.coarse) {
      continue;
    }
    for (int turn = 0; turn < kTurns; ++turn) {
      const Eigen::Index at = Panorama::cell(first + turn, 0);
      both = weights * expected.weights.segment(at, length);
      const float known = both.sum();
      if (known < 5.0f) {
        const auto unknown = [turn](Evidence& of) {
          of[static_cast<std::size_t>(turn)] = std::max(of[static_cast<std::size_t>(turn)], 0.0);
        };
        unknown(evidence);
        std::for_each(without.begin(), without.end(), unknown);
        continue;
      }
      cost.setZero();
      for (std::size_t c = 0; c < Panorama::kChannels; ++c) {
        difference = values[c] - expected.values[c].segment(at, length);
        const float offset = (both * difference).sum() / known;
        const auto scale = static_cast<float>(1.0 / (kScatter[c] * params_.noise));
        cost += ((difference - offset).abs() * scale).min(kOutlier);
      }
      cost = both * (kNeutral - cost);
      const double sum = cost.sum();
      for (int n = 0; n < kStrips; ++n) {
        auto& most = without[static_cast<std::size_t>(n)][static_cast<std::size_t>(turn)];
        most =
            std::max(most, kEvidencePerCell * (sum - cost.segment(strip(n), strip(n + 1) - strip(n)).sum()) - unlikely);
      }
      auto& best = evidence[static_cast<std::size_t>(turn)];
      if (kEvidencePerCell * sum - unlikely <= best) continue;
      best = kEvidencePerCell * sum - unlikely;
      fit[static_cast<std::size_t>(turn)] = sum / (kNeutral * known);
    }
  }
  const auto best = static_cast<int>(std::max_element(evidence.begin(), evidence.end()) - evidence.begin());
  const auto around = [&](int turn) { return evidence[static_cast<std::size_t>((turn + kTurns) % kTurns)]; };
  const double peak = around(best);
  if (peak < kLeastEvidence) {
    out.reason = "nothing that is seen looks like the record";
    return out;
  }
  // Probability of the best turn and those beside it.
  const auto sure = [&](const Evidence& of) {
    const double top = *std::max_element(of.begin(), of.end());
    double same = 0.0, all = 0.0;
    for (int turn = 0; turn < kTurns; ++turn) {
      const double share = std::exp(of[static_cast<std::size_t>(turn)] - top);
      all += share;
      int away = std::abs(turn - best);
      away = std::min(away, kTurns - away);
      if (away * Panorama::kBearingStep <= kSame) same += share;
    }
    return same / all;
  };
  // An answer that hangs on one thing is no answer: whoever stands there may have come since.
  double least = sure(evidence);
  for (const Evidence& part : without) least = std::min(least, sure(part));
  // Between the turns: the top of the parabola.
  const double left = around(best - 1), right = around(best + 1), bend = left - 2.0 * peak + right;
  const double shift = bend < -1e-9 ? std::clamp(0.5 * (left - right) / bend, -0.5, 0.5) : 0.0;
  out.heading = hl_description::wrap_angle((best + shift) * Panorama::kBearingStep);
  const double doubt = (fit[static_cast<std::size_t>(best)] - kPoorFit) / (kGoodFit - kPoorFit);
  // Squared: an answer that shares its probability with others is wrong more often than this model of noise says.
  out.confidence = least * least * std::clamp(doubt, 0.0, 1.0);
  return out;
}

}  // namespace hl_vision
