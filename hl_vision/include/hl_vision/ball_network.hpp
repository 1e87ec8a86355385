// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace hl_vision {

/// A small convolutional network that tells balls from everything else, and where in the patch the ball is.
/// 24 x 24 colour patch -> three 3 x 3 convolutions with rectifier, 8, 16 and 32 channels, after the first two the
/// 2 x 2 maximum -> 32 hidden units -> 4 outputs. About 43 000 weights.
class BallNetwork {
 public:
  static constexpr int kSize = 24;        // px, edge of a patch
  static constexpr double kMargin = 1.6;  // edge of a patch in diameters of the expected ball
  static constexpr int kPools = 2;        // of the convolutions are followed by a maximum; the last keeps places apart
  static constexpr int kLayers = 3;       // convolutions
  static constexpr std::array<int, kLayers + 1> kChannels{3, 8, 16, 32};
  static constexpr int kHidden = 32, kOutputs = 4;

  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Vector = Eigen::VectorXf;

  struct Weights {
    std::array<Matrix, kLayers> kernel;  // output channels x (input channels * 9)
    std::array<Vector, kLayers> bias;
    Matrix hidden, output;
    Vector hidden_bias, output_bias;

    Weights();  // right sizes, all zero
    std::size_t count() const;
    /// Calls `visit(data, size)` for every block of numbers, always in the same order.
    template <class Visit>
    void each(const Visit& visit) {
      for (int n = 0; n < kLayers; ++n) {
        visit(kernel[n].data(), static_cast<std::size_t>(kernel[n].size()));
        visit(bias[n].data(), static_cast<std::size_t>(bias[n].size()));
      }
      visit(hidden.data(), static_cast<std::size_t>(hidden.size()));
      visit(hidden_bias.data(), static_cast<std::size_t>(hidden_bias.size()));
      visit(output.data(), static_cast<std::size_t>(output.size()));
      visit(output_bias.data(), static_cast<std::size_t>(output_bias.size()));
    }
  };

  /// Everything between input and output of one patch; kept so that nothing is allocated anew, and for training.
  struct Activations {
    std::array<Matrix, kLayers + 1> maps;             // channels x pixels, after each maximum; maps[0] = the patch
    std::array<Matrix, kLayers> columns;              // (channels * 9) x pixels
    std::array<Matrix, kLayers> convolved;            // channels x pixels, after the rectifier
    std::array<std::vector<int>, kLayers> strongest;  // which pixel gave each maximum
    Vector hidden, output;
  };

  struct Answer {
    float ball = 0.0f;           // probability
    float dx = 0.0f, dy = 0.0f;  // where its centre is, in diameters from the middle of the patch
    float log_size = 0.0f;       // log of its diameter against the expected one
  };

  BallNetwork() = default;  // knows no ball: always answers 0
  explicit BallNetwork(Weights weights) : weights_(std::move(weights)), trained_(true) {}

  /// From the text of a weights file. Throws std::runtime_error that names the fault.
  static BallNetwork from_text(const std::string& bytes, const std::string& file_name);
  static BallNetwork from_file(const std::string& path);
  std::string to_text() const;

  bool trained() const { return trained_; }
  const Weights& weights() const { return weights_; }

  /// The patch around a candidate, made independent of brightness and contrast, into `activations.maps[0]`.
  static void cut(const cv::Mat& bgr, const cv::Point2d& center, double diameter, Activations& activations);
  void forward(Activations& activations) const;
  Answer answer(const cv::Mat& bgr, const cv::Point2d& center, double diameter, Activations& activations) const;

 private:
  Weights weights_;
  bool trained_ = false;
};

}  // namespace hl_vision
