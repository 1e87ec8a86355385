// SPDX-License-Identifier: Apache-2.0
#include "rate_window.hpp"

#include <algorithm>
#include <cmath>

namespace ros2cli {

void RateWindow::add(double time, std::size_t bytes) {
  if (!arrivals_.empty() && time < arrivals_.back().time) arrivals_.clear();  // simulated time was set back
  arrivals_.push_back({time, bytes});
  if (arrivals_.size() > capacity_) arrivals_.pop_front();
}

std::optional<RateWindow::Rate> RateWindow::rate() const {
  if (arrivals_.size() < 2) return std::nullopt;
  const auto intervals = static_cast<double>(arrivals_.size() - 1);
  const double span = arrivals_.back().time - arrivals_.front().time;
  const double mean = span / intervals;
  Rate result;
  result.count = arrivals_.size();
  result.mean = span > 0 ? intervals / span : 0.0;
  result.shortest = INFINITY;
  double squares = 0.0;
  for (std::size_t i = 1; i < arrivals_.size(); ++i) {
    const double interval = arrivals_[i].time - arrivals_[i - 1].time;
    result.shortest = std::min(result.shortest, interval);
    result.longest = std::max(result.longest, interval);
    squares += (interval - mean) * (interval - mean);
  }
  result.deviation = std::sqrt(squares / intervals);
  return result;
}

std::optional<RateWindow::Bandwidth> RateWindow::bandwidth(double now) const {
  if (arrivals_.size() < 2) return std::nullopt;
  Bandwidth result;
  result.count = arrivals_.size();
  result.smallest = arrivals_.front().bytes;
  double sum = 0.0;
  for (const auto& arrival : arrivals_) {
    sum += static_cast<double>(arrival.bytes);
    result.smallest = std::min(result.smallest, arrival.bytes);
    result.largest = std::max(result.largest, arrival.bytes);
  }
  const double span = now - arrivals_.front().time;
  result.bytes_per_second = span > 0 ? sum / span : 0.0;
  result.mean = sum / static_cast<double>(arrivals_.size());
  return result;
}

}  // namespace ros2cli
