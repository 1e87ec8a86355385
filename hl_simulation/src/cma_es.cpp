// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/cma_es.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <istream>
#include <limits>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string>

namespace hl_simulation {
namespace {

constexpr double kSmallestSigma = 1e-5;
constexpr double kLargestSigma = 0.6;
constexpr double kOutsideFee = 0.5;  // score per unit cube edge squared, relative to the spread of scores

/// A standard normal value without hidden state, so that saving the generator saves everything.
double gaussian(std::mt19937_64& random) {
  const double u = (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
  const double v = static_cast<double>(random() >> 11) * 0x1p-53;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * M_PI * v);
}

}  // namespace

CmaEs::CmaEs(const Eigen::VectorXd& start, double sigma, int population, std::uint64_t seed)
    : dimension_(static_cast<int>(start.size())),
      population_(population > 0 ? population : 4 + static_cast<int>(3.0 * std::log(start.size()))),
      parents_(population_ / 2),
      mean_(start),
      sigma_(sigma),
      random_(seed) {
  if (dimension_ < 1) throw std::runtime_error("CMA-ES needs at least one parameter");
  if (population_ < 4) throw std::runtime_error("CMA-ES needs a population of at least 4");
  if (!(sigma > 0.0) || !start.allFinite())
    throw std::runtime_error("CMA-ES needs a finite start and a positive sigma");
  const double n = dimension_;
  weights_.resize(parents_);
  for (int i = 0; i < parents_; ++i) weights_[i] = std::log(parents_ + 0.5) - std::log(i + 1.0);
  weights_ /= weights_.sum();
  selected_ = 1.0 / weights_.squaredNorm();
  rate_c_ = (4.0 + selected_ / n) / (n + 4.0 + 2.0 * selected_ / n);
  rate_s_ = (selected_ + 2.0) / (n + selected_ + 5.0);
  rate_1_ = 2.0 / ((n + 1.3) * (n + 1.3) + selected_);
  rate_mu_ = std::min(1.0 - rate_1_, 2.0 * (selected_ - 2.0 + 1.0 / selected_) / ((n + 2.0) * (n + 2.0) + selected_));
  damping_ = 1.0 + 2.0 * std::max(0.0, std::sqrt((selected_ - 1.0) / (n + 1.0)) - 1.0) + rate_s_;
  expected_norm_ = std::sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
  path_c_ = path_s_ = Eigen::VectorXd::Zero(dimension_);
  covariance_ = Eigen::MatrixXd::Identity(dimension_, dimension_);
  decompose();
}

void CmaEs::decompose() {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance_);
  scale_ = solver.eigenvalues().cwiseMax(1e-14).cwiseSqrt();
  basis_ = solver.eigenvectors();
}

bool CmaEs::converged() const {
  return sigma_ * scale_.maxCoeff() < 1e-4;
}

const std::vector<Eigen::VectorXd>& CmaEs::ask() {
  drawn_.clear();
  candidates_.clear();
  for (int k = 0; k < population_; ++k) {
    Eigen::VectorXd z(dimension_);
    for (int i = 0; i < dimension_; ++i) z[i] = gaussian(random_);
    if (generation_ == 0 && k == 0) z.setZero();
    drawn_.push_back(mean_ + sigma_ * (basis_ * scale_.cwiseProduct(z)));
    candidates_.push_back(drawn_.back().cwiseMax(0.0).cwiseMin(1.0));
  }
  return candidates_;
}

void CmaEs::tell(const std::vector<double>& scores) {
  if (scores.size() != drawn_.size()) throw std::logic_error("CmaEs::tell: one score per candidate of the last ask()");
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double s : scores) {
    if (!std::isfinite(s)) continue;
    low = std::min(low, s);
    high = std::max(high, s);
  }
  const double spread = high > low ? high - low : 1.0;
  std::vector<double> value(scores.size());
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double outside = (drawn_[k] - candidates_[k]).squaredNorm();
    value[k] = (std::isfinite(scores[k]) ? scores[k] : low - spread) - kOutsideFee * spread * outside;
  }
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value[a] > value[b]; });

  const Eigen::VectorXd old = mean_;
  mean_.setZero();
  for (int i = 0; i < parents_; ++i) mean_ += weights_[i] * drawn_[order[i]];
  const Eigen::VectorXd shift = (mean_ - old) / sigma_;
  const Eigen::VectorXd whitened = basis_ * scale_.cwiseInverse().cwiseProduct(basis_.transpose() * shift);
  path_s_ = (1.0 - rate_s_) * path_s_ + std::sqrt(rate_s_ * (2.0 - rate_s_) * selected_) * whitened;
  const double decay = std::sqrt(1.0 - std::pow(1.0 - rate_s_, 2.0 * (generation_ + 1)));
  const bool moving = path_s_.norm() / decay / expected_norm_ < 1.4 + 2.0 / (dimension_ + 1.0);
  path_c_ = (1.0 - rate_c_) * path_c_;
  if (moving) path_c_ += std::sqrt(rate_c_ * (2.0 - rate_c_) * selected_) * shift;
  Eigen::MatrixXd rank_mu = Eigen::MatrixXd::Zero(dimension_, dimension_);
  for (int i = 0; i < parents_; ++i) {
    const Eigen::VectorXd y = (drawn_[order[i]] - old) / sigma_;
    rank_mu += weights_[i] * y * y.transpose();
  }
  const double missing = moving ? 0.0 : rate_c_ * (2.0 - rate_c_);
  covariance_ = (1.0 - rate_1_ - rate_mu_) * covariance_ +
                rate_1_ * (path_c_ * path_c_.transpose() + missing * covariance_) + rate_mu_ * rank_mu;
  covariance_ = 0.5 * (covariance_ + covariance_.transpose()).eval();
  sigma_ *= std::exp(rate_s_ / damping_ * (path_s_.norm() / expected_norm_ - 1.0));
  sigma_ = std::clamp(sigma_, kSmallestSigma, kLargestSigma);
  decompose();
  ++generation_;
}

void CmaEs::save(std::ostream& out) const {
  const auto digits = out.precision(17);
  out << dimension_ << ' ' << population_ << ' ' << generation_ << ' ' << sigma_ << '\n';
  const Eigen::IOFormat plain(17, Eigen::DontAlignCols, " ", "\n");
  for (const Eigen::VectorXd* v : {&mean_, &path_c_, &path_s_}) out << v->transpose().format(plain) << '\n';
  out << covariance_.format(plain) << '\n' << random_ << '\n';
  out.precision(digits);
}

void CmaEs::load(std::istream& in) {
  int dimension = 0, population = 0;
  in >> dimension >> population >> generation_ >> sigma_;
  if (!in || dimension != dimension_ || population != population_) {
    throw std::runtime_error("saved search has " + std::to_string(dimension) + " parameters and population " +
                             std::to_string(population) + ", this one " + std::to_string(dimension_) + " and " +
                             std::to_string(population_) + "; delete the saved state to start anew");
  }
  for (Eigen::VectorXd* v : {&mean_, &path_c_, &path_s_}) {
    for (int i = 0; i < dimension_; ++i) in >> (*v)[i];
  }
  for (int i = 0; i < dimension_; ++i) {
    for (int j = 0; j < dimension_; ++j) in >> covariance_(i, j);
  }
  in >> random_;
  if (!in || !covariance_.allFinite() || !mean_.allFinite())
    throw std::runtime_error("saved search is damaged; delete it to start anew");
  decompose();
}

}  // namespace hl_simulation
