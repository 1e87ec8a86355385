// SPDX-License-Identifier: Apache-2.0
#include "hl_match/figures.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <sstream>
#include <stdexcept>

namespace hl_match {
namespace {

constexpr double kNormal95 = 1.96;

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return std::nan("");
  const auto n = static_cast<std::size_t>(
      std::clamp(q * static_cast<double>(values.size()), 0.0, static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n), values.end());
  return values[n];
}

std::string number(double value) {
  return hl_description::formatted(std::abs(value) < 10.0 ? "%.2f" : "%.1f", value);
}

/// A value with what belongs to it, or a dash: an interval of a single trial, or no trial at all.
std::string known(double value, const std::string& text) {
  return std::isnan(value) ? "-" : text;
}

}  // namespace

Figure mean_of(const std::string& name, const std::vector<double>& trials, const std::string& unit) {
  Figure figure{name, std::nan(""), std::nan(""), std::nan(""), unit, trials.size()};
  if (trials.empty()) return figure;
  const auto n = static_cast<double>(trials.size());
  double sum = 0.0, squares = 0.0;
  for (const double t : trials) sum += t;
  figure.value = sum / n;
  for (const double t : trials) squares += (t - figure.value) * (t - figure.value);
  const double half = trials.size() > 1 ? kNormal95 * std::sqrt(squares / (n - 1.0) / n) : std::nan("");
  figure.low = figure.value - half;
  figure.high = figure.value + half;
  return figure;
}

Figure share_of(const std::string& name, std::size_t k, std::size_t n) {
  Figure figure{name, std::nan(""), std::nan(""), std::nan(""), "%", n};
  if (n == 0) return figure;
  const double count = static_cast<double>(n), p = static_cast<double>(k) / count, z2 = kNormal95 * kNormal95;
  const double centre = (p + z2 / (2.0 * count)) / (1.0 + z2 / count);
  const double half = kNormal95 * std::sqrt(p * (1.0 - p) / count + z2 / (4.0 * count * count)) / (1.0 + z2 / count);
  figure.value = 100.0 * p;
  figure.low = 100.0 * std::max(0.0, centre - half);
  figure.high = 100.0 * std::min(1.0, centre + half);
  return figure;
}

Figure rate_of(const std::string& name, std::size_t events, std::size_t trials, const std::string& unit) {
  Figure figure{name, std::nan(""), std::nan(""), std::nan(""), unit, trials};
  if (trials == 0) return figure;
  const double k = static_cast<double>(events), n = static_cast<double>(trials);
  // The mean with which at most `most` events have the probability `share`.
  const auto mean_for = [](double most, double share) {
    double low = 0.0, high = 10.0 * (most + 5.0);
    for (int step = 0; step < 100; ++step) {
      const double mean = 0.5 * (low + high);
      double term = std::exp(-mean), sum = term;
      for (double i = 1.0; i <= most; ++i) sum += term *= mean / i;
      (sum > share ? low : high) = mean;
    }
    return low;
  };
  figure.value = k / n;
  figure.low = events == 0 ? 0.0 : mean_for(k - 1.0, 0.975) / n;
  figure.high = mean_for(k, 0.025) / n;
  return figure;
}

Figure share_in(const std::string& name, const std::vector<Events>& trials) {
  std::size_t hits = 0, all = 0, with_any = 0;
  for (const Events& trial : trials) {
    hits += trial.hits;
    all += trial.all;
    with_any += trial.all > 0 ? 1 : 0;
  }
  Figure figure = share_of(name, hits, all);
  if (with_any < 2) return figure;
  // Variance of a ratio of sums over independent trials.
  const double p = static_cast<double>(hits) / static_cast<double>(all), n = static_cast<double>(with_any);
  double squares = 0.0;
  for (const Events& trial : trials) {
    const double off = static_cast<double>(trial.hits) - p * static_cast<double>(trial.all);
    squares += off * off;
  }
  const double half = 100.0 * kNormal95 * std::sqrt(n / (n - 1.0) * squares) / static_cast<double>(all);
  figure.low = std::max(0.0, std::min(figure.low, figure.value - half));
  figure.high = std::min(100.0, std::max(figure.high, figure.value + half));
  return figure;
}

Figure quantile_of(const std::string& name, const std::vector<std::vector<double>>& trials, double q,
                   const std::string& unit) {
  std::vector<double> all, each;
  for (const auto& trial : trials) {
    all.insert(all.end(), trial.begin(), trial.end());
    if (!trial.empty()) each.push_back(quantile(trial, q));
  }
  Figure figure = mean_of(name, each, unit);
  const double shift = quantile(all, q) - figure.value;
  figure.value += shift;
  figure.low += shift;
  figure.high += shift;
  if (!all.empty()) {  // a few odd trials may spread the interval beyond all that was ever measured
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    figure.low = std::max(figure.low, *least);
    figure.high = std::min(figure.high, *most);
  }
  return figure;
}

std::string figure_table(const std::string& command, const std::string& seeds, const std::vector<Figure>& figures) {
  std::ostringstream out;
  out << "`" << command << "`, " << seeds << "\n\n| figure | value | 95 % interval | trials |\n|---|---|---|---|\n";
  for (const Figure& figure : figures) {
    out << "| " << figure.name << " | " << known(figure.value, number(figure.value) + ' ' + figure.unit) << " | "
        << known(figure.low, number(figure.low) + " .. " + number(figure.high)) << " | " << figure.trials << " |\n";
  }
  return out.str();
}

void write_section(const std::string& path, const std::string& name, const std::string& text) {
  std::string all;
  {
    std::ifstream in(path);
    std::ostringstream buffer;
    buffer << in.rdbuf();
    all = buffer.str();
  }
  if (all.empty()) {
    all =
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# Figures\n\nWritten "
        "by the commands that measure them; seeds "
        "from 10000 on judge, seeds below are for tuning.\n";
  }
  const std::string heading = "\n## " + name + "\n";
  const auto begin = all.find(heading);
  if (begin == std::string::npos) {
    all += heading + "\n" + text;
  } else {
    const auto next = all.find("\n## ", begin + 1);
    all.replace(begin, next == std::string::npos ? std::string::npos : next - begin, heading + "\n" + text);
  }
  std::ofstream out(path);
  out << all;
  if (!out) throw std::runtime_error("cannot write " + path + ": does its folder exist?");
}

}  // namespace hl_match
