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

/// By elevation, then bearing.
Eigen::ArrayXf twice_around(const Eigen::ArrayXf& cells) {
  Eigen::ArrayXf result(2 * Panorama::kCells);
  for (int e = 0; e < Panorama::kElevations; ++e) {
    for (int b = 0; b < 2 * kTurns; ++b) result[e * 2 * kTurns + b] = cells[Panorama::cell(b, e)];
  }
  return result;
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
      view.features = features_of(seen);
      for (Features& features : view.features) {
        for (auto& values : features.values) values = twice_around(values);
        features.weights = twice_around(features.weights);
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
void ExpectedViews::compare(const SeenCells& seen, const View& view, double noise, PictureEvidence& evidence) {
  using Turns = Eigen::Array<float, kTurns, 1>;
  evidence.columns.setZero();
  evidence.contours.setZero();
  // Exposure and white balance are offsets.
  Turns known = Turns::Zero(), both, fits, product;
  std::array<Turns, Panorama::kChannels> offset{known, known, known};
  for (const SeenCell& cell : seen[0]) {
    both = cell.weight * view.features[0].weights.segment<kTurns>(cell.at);
    known += both;
    for (std::size_t c = 0; c < Panorama::kChannels; ++c)
      offset[c] += both * (cell.values[c] - view.features[0].values[c].segment<kTurns>(cell.at));
  }
  for (Turns& of : offset) of /= known.max(1e-3f);
  // What does not fit at all has no say in them.
  for (std::size_t c = 0; c < Panorama::kChannels; ++c) {
    const auto scale = static_cast<float>(1.0 / (kScatter[0][c] * noise));
    Turns sum = Turns::Constant(1e-3f), share = sum * offset[c];
    for (const SeenCell& cell : seen[0]) {
      product = cell.values[c] - view.features[0].values[c].segment<kTurns>(cell.at);
      both = cell.weight * view.features[0].weights.segment<kTurns>(cell.at) /
             (1.0f + ((product - offset[c]) * scale).square());
      sum += both;
      share += both * product;
    }
    offset[c] = share / sum;
  }
  const Turns enough = (known >= kLeastKnown).cast<float>();
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const Features& expected = view.features[kind];
    std::array<float, Panorama::kChannels> scale{};
    for (std::size_t c = 0; c < Panorama::kChannels; ++c)
      scale[c] = static_cast<float>(1.0 / (kScatter[kind][c] * noise));
    product.setOnes();
    for (std::size_t n = 0; n < seen[kind].size(); ++n) {
      const SeenCell& cell = seen[kind][n];
      both = cell.weight * enough * expected.weights.segment<kTurns>(cell.at);
      fits.setOnes();
      for (std::size_t c = 0; c < Panorama::kChannels; ++c) {
        if (kind == 0) {
          fits *=
              1.0f + ((cell.values[c] - offset[c] - expected.values[c].segment<kTurns>(cell.at)) * scale[c]).square();
        } else {
          fits *= 1.0f + ((cell.values[c] - expected.values[c].segment<kTurns>(cell.at)) * scale[c]).square();
        }
      }
      fits = fits.inverse();
      // What looks alike everywhere decides nothing, what is rare decides much: a cell counts against its mean.
      const float against = both.sum() / std::max(kLeastLikely, (both * fits).sum());
      product *= 1.0f + kFaithful * both * (against * fits - 1.0f);
      if (n + 1 == seen[kind].size() || seen[kind][n + 1].column != cell.column) {
        product = kPerCell[kind] * product.log();
        evidence.columns.col(cell.column) += product;
        if (kind == 1) evidence.contours.col(cell.column) = product;
        product.setOnes();
      }
    }
  }
}

PictureEvidence ExpectedViews::compare(const Panorama& panorama, const std::optional<Place>& about,
                                       double noise) const {
  const Window window = window_of(panorama);
  SeenCells seen;
  const auto features = features_of(panorama);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (int n = 0; n < window.count; ++n) {
      for (int e = 0; e < Panorama::kElevations; ++e) {
        const int bearing = (window.first + n) % kTurns, at = Panorama::cell(bearing, e);
        const float weight = features[kind].weights[at];
        if (weight <= 0.0f) continue;
        seen[kind].push_back({e * 2 * kTurns + bearing, n, {}, weight});
        for (std::size_t c = 0; c < Panorama::kChannels; ++c)
          seen[kind].back().values[c] = features[kind].values[c][at];
      }
    }
  }
  PictureEvidence result, here;
  result.first = window.first;
  result.columns = result.contours = here.columns = here.contours = Eigen::ArrayXXf::Zero(kTurns, window.count);
  Eigen::ArrayXf best = Eigen::ArrayXf::Constant(kTurns, -1e9f);
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
    compare(seen, view, noise, here);
    // Each turn from the place where it fits best.
    for (int turn = 0; turn < kTurns; ++turn) {
      const float total = here.columns.row(turn).sum() - unlikely;
      if (total <= best[turn]) continue;
      best[turn] = total;
      result.columns.row(turn) = here.columns.row(turn);
      result.contours.row(turn) = here.contours.row(turn);
    }
  }
  return result;
}

}  // namespace hl_vision
