// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <iosfwd>
#include <random>
#include <vector>

namespace hl_simulation {

/// Covariance matrix adaptation evolution strategy (N. Hansen, "The CMA Evolution Strategy: A Tutorial"), ask-and-tell,
/// maximising. The search runs in the unit cube; values outside are handed out clamped and pay a small fee.
class CmaEs {
 public:
  /// `start` in 0..1 per parameter; `sigma` first spread; `population` 0: 4 + 3 ln(n).
  CmaEs(const Eigen::VectorXd& start, double sigma, int population, std::uint64_t seed);

  /// The next generation. The first candidate of the first generation is the start itself.
  const std::vector<Eigen::VectorXd>& ask();
  /// Scores of the candidates of the last `ask`, higher is better; NaN counts as the worst.
  void tell(const std::vector<double>& scores);

  int generation() const { return generation_; }
  int population() const { return population_; }
  double sigma() const { return sigma_; }
  const Eigen::VectorXd& mean() const { return mean_; }
  /// Nothing more to gain: the spread has shrunk to nothing.
  bool converged() const;

  /// Complete state as text; `load` throws std::runtime_error if it does not fit this search.
  void save(std::ostream& out) const;
  void load(std::istream& in);

 private:
  void decompose();

  int dimension_, population_, parents_;
  Eigen::VectorXd weights_;
  double selected_, rate_c_, rate_s_, rate_1_, rate_mu_, damping_, expected_norm_;
  Eigen::VectorXd mean_, path_c_, path_s_, scale_;
  Eigen::MatrixXd covariance_, basis_;
  double sigma_;
  int generation_ = 0;
  std::mt19937_64 random_;
  std::vector<Eigen::VectorXd> drawn_, candidates_;
};

}  // namespace hl_simulation
