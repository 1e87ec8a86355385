// SPDX-License-Identifier: Apache-2.0
#include "trainer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hl_vision {
namespace {

using Matrix = BallNetwork::Matrix;
using Vector = BallNetwork::Vector;

constexpr int kBatch = 32;
constexpr float kPlaceWeight = 2.0f;
constexpr double kDecay = 1e-4;

/// The reverse of gathering neighbourhoods: adds the columns' gradients to the map's.
void scatter(const Matrix& columns, int size, int channels, Matrix& map) {
  map.setZero(channels, size * size);
  for (int c = 0; c < channels; ++c) {
    float* to = map.row(c).data();
    for (int k = 0; k < 9; ++k) {
      const int dy = k / 3 - 1, dx = k % 3 - 1;
      const float* from = columns.row(9 * c + k).data();
      for (int y = std::max(0, -dy); y < std::min(size, size - dy); ++y) {
        for (int x = std::max(0, -dx); x < std::min(size, size - dx); ++x)
          to[(y + dy) * size + x + dx] += from[y * size + x];
      }
    }
  }
}

/// A mirrored copy with other contrast, colour balance and noise.
Sample varied(const Sample& sample, std::mt19937& random) {
  Sample s = sample;
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  constexpr int n = BallNetwork::kSize;
  if (uniform(random) > 0.0f) {
    for (int c = 0; c < 3; ++c) {
      float* row = s.patch.row(c).data();
      for (int y = 0; y < n; ++y) std::reverse(row + y * n, row + (y + 1) * n);
    }
    s.dx = -s.dx;
  }
  const float contrast = std::exp(0.25f * uniform(random));
  for (int c = 0; c < 3; ++c) {
    const float gain = contrast * (1.0f + 0.12f * uniform(random)), shift = 0.12f * uniform(random);
    s.patch.row(c) = (s.patch.row(c).array() * gain + shift).matrix();
  }
  std::normal_distribution<float> noise(0.0f, 0.08f * std::abs(uniform(random)));
  for (float* p = s.patch.data(); p != s.patch.data() + s.patch.size(); ++p) *p += noise(random);
  return s;
}

}  // namespace

BallNetwork::Weights random_weights(std::mt19937& random) {
  BallNetwork::Weights w;
  const auto fill = [&](Matrix& m) {
    std::normal_distribution<float> normal(0.0f, std::sqrt(2.0f / static_cast<float>(m.cols())));
    for (float* p = m.data(); p != m.data() + m.size(); ++p) *p = normal(random);
  };
  for (auto& kernel : w.kernel) fill(kernel);
  fill(w.hidden);
  fill(w.output);
  return w;
}

Trainer::Trainer(BallNetwork::Weights weights) : weights_(std::move(weights)) {}

double Trainer::backward(const Sample& sample, BallNetwork::Activations& a) {
  const float p = 1.0f / (1.0f + std::exp(-std::clamp(a.output[0], -30.0f, 30.0f)));
  const float target = sample.ball ? 1.0f : 0.0f;
  double loss = -std::log(std::max(1e-7f, sample.ball ? p : 1.0f - p));
  Vector d_out = Vector::Zero(BallNetwork::kOutputs);
  d_out[0] = p - target;
  if (sample.ball) {
    const float wanted[3] = {sample.dx, sample.dy, sample.log_size};
    for (int k = 0; k < 3; ++k) {
      const float error = a.output[k + 1] - wanted[k];
      loss += 0.5 * kPlaceWeight * error * error;
      d_out[k + 1] = kPlaceWeight * error;
    }
  }
  gradient_.output.noalias() += d_out * a.hidden.transpose();
  gradient_.output_bias += d_out;
  Vector d_hidden = weights_.output.transpose() * d_out;
  d_hidden = (a.hidden.array() > 0.0f).select(d_hidden, 0.0f);
  const Eigen::Map<const Vector> flat(a.maps[BallNetwork::kLayers].data(), a.maps[BallNetwork::kLayers].size());
  gradient_.hidden.noalias() += d_hidden * flat.transpose();
  gradient_.hidden_bias += d_hidden;
  Vector d_flat = weights_.hidden.transpose() * d_hidden;
  int size = BallNetwork::kSize >> BallNetwork::kPools;
  Matrix d_map = Eigen::Map<Matrix>(d_flat.data(), BallNetwork::kChannels[BallNetwork::kLayers], size * size);
  for (int n = BallNetwork::kLayers - 1; n >= 0; --n) {
    const int channels = BallNetwork::kChannels[n + 1];
    Matrix d_conv;
    if (n < BallNetwork::kPools) {
      size *= 2;
      d_conv.setZero(channels, size * size);
      const auto per_channel = static_cast<std::size_t>(d_map.cols());
      for (int c = 0; c < channels; ++c) {
        for (std::size_t k = 0; k < per_channel; ++k)
          d_conv(c, a.strongest[n][c * per_channel + k]) += d_map(c, static_cast<Eigen::Index>(k));
      }
    } else {
      d_conv = d_map;
    }
    d_conv = (a.convolved[n].array() > 0.0f).select(d_conv, 0.0f);
    gradient_.kernel[n].noalias() += d_conv * a.columns[n].transpose();
    gradient_.bias[n] += d_conv.rowwise().sum();
    if (n > 0) {
      const Matrix d_columns = weights_.kernel[n].transpose() * d_conv;
      scatter(d_columns, size, BallNetwork::kChannels[n], d_map);
    }
  }
  return loss;
}

void Trainer::update(double rate, int batch) {
  ++steps_;
  const double scale = 1.0 / batch, c1 = 1.0 - std::pow(0.9, steps_), c2 = 1.0 - std::pow(0.999, steps_);
  std::vector<std::pair<float*, std::size_t>> w, g, m, v;
  const auto collect = [](BallNetwork::Weights& from, auto& into) {
    from.each([&](float* data, std::size_t size) { into.emplace_back(data, size); });
  };
  collect(weights_, w);
  collect(gradient_, g);
  collect(first_, m);
  collect(second_, v);
  for (std::size_t b = 0; b < w.size(); ++b) {
    for (std::size_t n = 0; n < w[b].second; ++n) {
      const double d = g[b].first[n] * scale;
      m[b].first[n] = static_cast<float>(0.9 * m[b].first[n] + 0.1 * d);
      v[b].first[n] = static_cast<float>(0.999 * v[b].first[n] + 0.001 * d * d);
      const double step = m[b].first[n] / c1 / (std::sqrt(v[b].first[n] / c2) + 1e-8);
      w[b].first[n] -= static_cast<float>(rate * (step + kDecay * w[b].first[n]));
      g[b].first[n] = 0.0f;
    }
  }
}

double Trainer::epoch(const std::vector<Sample>& samples, double rate, std::mt19937& random) {
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  BallNetwork::Activations a;
  double loss = 0.0;
  int batch = 0;
  BallNetwork current(weights_);
  for (const std::size_t n : order) {
    const Sample sample = varied(samples[n], random);
    a.maps[0] = sample.patch;
    current.forward(a);
    loss += backward(sample, a);
    if (++batch == kBatch) {
      update(rate, batch);
      current = BallNetwork(weights_);
      batch = 0;
    }
  }
  if (batch > 0) update(rate, batch);
  return loss / static_cast<double>(std::max<std::size_t>(1, samples.size()));
}

}  // namespace hl_vision
