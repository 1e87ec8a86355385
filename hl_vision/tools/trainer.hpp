// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "hl_vision/ball_network.hpp"

namespace hl_vision {

/// One patch with its truth.
struct Sample {
  BallNetwork::Matrix patch;
  bool ball = false;
  float dx = 0.0f, dy = 0.0f, log_size = 0.0f;
};

BallNetwork::Weights random_weights(std::mt19937& random);

/// Gradient descent (Adam) on cross entropy, and on the ball's place and size where there is one.
class Trainer {
 public:
  explicit Trainer(BallNetwork::Weights weights);
  /// One pass over all samples in random order, mirrored, brightened and recoloured at random. The mean loss.
  double epoch(const std::vector<Sample>& samples, double rate, std::mt19937& random);
  BallNetwork network() const { return BallNetwork(weights_); }

 private:
  double backward(const Sample& sample, BallNetwork::Activations& a);
  void update(double rate, int batch);

  BallNetwork::Weights weights_, gradient_, first_, second_;
  long steps_ = 0;
};

}  // namespace hl_vision
