// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/expected_views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hl_vision {
namespace {

constexpr double kGrid = 0.75;       // m between the places from which the surroundings are imagined
constexpr double kLeastPlace = 0.5;  // m, deviation of a place that is believed at most: people push robots
constexpr double kUsualGap = 4.0;    // m, with one place alone
constexpr double kEyeHeight = 0.5;   // m
constexpr std::array<double, 4> kLayers{1.0, 0.67, 0.4, 0.15};  // distances beyond the turf, shares of the gap
constexpr float kMuchSurer = 1.3f;                              // than the wall behind
constexpr int kTurns = Panorama::kBearings;
constexpr Eigen::Index kRows = Panorama::kElevations;
// Scatter of brightness and hues (logarithms) of the same thing seen twice, and of their changes.
constexpr std::array<std::array<float, Panorama::kChannels>, 2> kScatter{
    {{0.20f, 0.06f, 0.06f}, {0.08f, 0.04f, 0.04f}}};
constexpr float kFaithful = 0.8f;                       // share of cells that still show what they showed
constexpr float kLeastKnown = 5.0f;                     // cells; less says nothing
constexpr float kLeastLikely = 1e-3f;                   // of a cell, on average of all turns
constexpr std::array<float, 2> kPerCell{0.08f, 0.08f};  // neighbouring cells are much alike

/// The surest of what the layers, walls first, show in each direction.
Panorama seen_in(const std::vector<WallMap>& layers, const Eigen::Vector2d& position) {
  Panorama seen = layers.front().seen_from(position, kEyeHeight);
  for (std::size_t n = 1; n < layers.size(); ++n) {
    const Panorama other = layers[n].seen_from(position, kEyeHeight);
    const auto surer = (other.weights > kMuchSurer * seen.weights).eval();
    for (std::size_t c = 0; c < Panorama::kChannels; ++c)
      seen.values[c] = surer.select(other.values[c], seen.values[c]);
    seen.weights = surer.select(other.weights, seen.weights);
  }
  return seen;
}

/// The longest run of columns that were seen.
struct Window {
  int first = 0, count = 0;
};
Window window_of(const Panorama& seen) {
  const auto column = [&](int b) { return seen.weights.segment(Panorama::cell(b, 0), kRows).sum(); };
  Window longest;
  for (int b = 0; b < kTurns; ++b) {
    if (column(b) <= 0.0f || column(b - 1) > 0.0f) continue;
    int n = 0;
    while (n < kTurns && column(b + n) > 0.0f) ++n;
    if (n > longest.count) longest = {b, n};
  }
  return longest;
}

}  // namespace

void ExpectedViews::build(const std::vector<RecordedPlace>& places, const hl_description::Field& field, double gap) {
  gap_ = gap;
  if (gap_ <= 0.0) {
    // The distance of the walls at which the places agree best about what is painted on them.
    double least = std::numeric_limits<double>::infinity();
    gap_ = kUsualGap;
    if (places.size() > 1) {
      for (const double candidate : {0.7, 1.2, 1.8, 2.4, 3.0, 3.7, 4.5, 6.0, 8.0, 11.0, 16.0, 25.0, 40.0}) {
        WallMap map(field, candidate);
        map.paint(places);
        if (map.disagreement() < least) {
          least = map.disagreement();
          gap_ = candidate;
        }
      }
    }
  }
  // People stand before the walls: what the places agree on at a smaller distance is seen there.
  std::vector<WallMap> layers;
  for (const double share : kLayers) {
    layers.emplace_back(field, share * gap_);
    layers.back().paint(places);
  }
  views_.clear();
  const int along = static_cast<int>(std::lround(0.5 * field.length / kGrid)),
            across = static_cast<int>(std::lround(0.5 * field.width / kGrid));
  for (int i = -along; i <= along; ++i) {
    for (int j = -across; j <= across; ++j) {
      View view;
      view.position = Eigen::Vector2d(i * kGrid, j * kGrid);
      view.coarse = i % 2 == 0 && j % 2 == 0;
      const Panorama seen = seen_in(layers, view.position);
      const auto double_up = [](Eigen::ArrayXf& once) {
        Eigen::ArrayXf twice(2 * once.size());
        twice << once, once;
        once = std::move(twice);
      };
      view.features = features_of(seen);
      for (Features& features : view.features) {
        for (auto& values : features.values) double_up(values);
        double_up(features.weights);
      }
      views_.push_back(std::move(view));
    }
  }
}

std::array<ExpectedViews::Features, ExpectedViews::kKinds> ExpectedViews::features_of(const Panorama& panorama) {
  std::array<Features, kKinds> features;
  features[0] = {panorama.values, panorama.weights};
  // Between the neighbours on both sides.
  const auto neighbours = [](const Eigen::ArrayXf& cells, Eigen::Index by) {
    Eigen::ArrayXf moved(cells.size());
    const Eigen::Index cut = ((by * kRows) % cells.size() + cells.size()) % cells.size();
    moved << cells.tail(cells.size() - cut), cells.head(cut);
    return moved;
  };
  features[1].weights = neighbours(panorama.weights, 1) * neighbours(panorama.weights, -1);
  for (std::size_t c = 0; c < Panorama::kChannels; ++c)
    features[1].values[c] = neighbours(panorama.values[c], 1) - neighbours(panorama.values[c], -1);
  return features;
}

/// Evidence for every turn at one place: turns x columns.
void ExpectedViews::compare(const std::array<Features, kKinds>& seen, const View& view, int first, double noise,
                            Eigen::ArrayXXf& columns) const {
  const Eigen::Index length = seen[0].weights.size(), count = length / kRows;
  Eigen::ArrayXXf likely(length, kTurns), known(length, kTurns);
  Eigen::ArrayXf difference(length), z(length), against(length), ratio(length);
  columns.setZero(kTurns, count);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const Features &looked = seen[kind], &expected = view.features[kind];
    for (int turn = 0; turn < kTurns; ++turn) {
      const Eigen::Index at = Panorama::cell(first + turn, 0);
      auto both = known.col(turn);
      auto fits = likely.col(turn);
      both = looked.weights * expected.weights.segment(at, length);
      const float sum = both.sum();
      if (sum < kLeastKnown) {
        both.setZero();
        fits.setZero();
        continue;
      }
      fits.setOnes();
      for (std::size_t c = 0; c < Panorama::kChannels; ++c) {
        const auto scale = static_cast<float>(1.0 / (kScatter[kind][c] * noise));
        difference = looked.values[c] - expected.values[c].segment(at, length);
        if (kind == 0) {
          // Exposure and white balance are offsets; what does not fit at all has no say in them.
          const float offset = (both * difference).sum() / sum;
          z = both / (1.0f + ((difference - offset) * scale).square());
          difference -= (z * difference).sum() / std::max(1e-3f, z.sum());
        }
        fits /= 1.0f + (difference * scale).square();
      }
    }
    // What looks alike everywhere decides nothing, what is rare decides much: a cell counts against its mean.
    against = known.rowwise().sum().max(1e-3f) / (known * likely).rowwise().sum().max(kLeastLikely);
    for (int turn = 0; turn < kTurns; ++turn) {
      ratio = 1.0f + kFaithful * known.col(turn) * (likely.col(turn) * against - 1.0f);
      const Eigen::Map<const Eigen::ArrayXXf> by_column(ratio.data(), kRows, count);
      columns.row(turn) += kPerCell[kind] * by_column.colwise().prod().log();
    }
  }
}

PictureEvidence ExpectedViews::compare(const Panorama& panorama, const std::optional<Place>& about,
                                       double noise) const {
  const Window window = window_of(panorama);
  // The columns that were seen, as one piece.
  std::array<Features, kKinds> seen = features_of(panorama);
  const auto cut = [&](Eigen::ArrayXf& cells) {
    Eigen::ArrayXf part(window.count * kRows);
    for (int n = 0; n < window.count; ++n)
      part.segment(n * kRows, kRows) = cells.segment(Panorama::cell(window.first + n, 0), kRows);
    cells = std::move(part);
  };
  for (Features& features : seen) {
    for (auto& values : features.values) cut(values);
    cut(features.weights);
  }
  PictureEvidence result;
  result.first = window.first;
  result.columns = Eigen::ArrayXXf::Zero(kTurns, window.count);
  Eigen::ArrayXf best = Eigen::ArrayXf::Constant(kTurns, -1e9f);
  Eigen::ArrayXXf columns;
  for (const View& view : views_) {
    float unlikely = 0.0f;  // logarithm
    if (about) {
      const double away = std::min((view.position - about->position).norm(), (view.position + about->position).norm());
      const double deviation = std::max(kLeastPlace, about->deviation);
      if (away > 2.0 * deviation) continue;
      unlikely = static_cast<float>(0.5 * away * away / (deviation * deviation));
    } else if (!view.coarse) {
      continue;
    }
    compare(seen, view, window.first, noise, columns);
    // Each turn from the place where it fits best.
    for (int turn = 0; turn < kTurns; ++turn) {
      const float total = columns.row(turn).sum() - unlikely;
      if (total <= best[turn]) continue;
      best[turn] = total;
      result.columns.row(turn) = columns.row(turn);
    }
  }
  return result;
}

}  // namespace hl_vision
