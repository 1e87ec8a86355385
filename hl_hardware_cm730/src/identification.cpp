// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/identification.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>

namespace hl_hardware_cm730 {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// One part of the excitation.
struct Part {
  double speed;      // rad/s of a to and fro; 0: a swing
  double frequency;  // Hz of a swing
  double amplitude;  // rad
  int periods;

  double duration() const { return periods * (speed > 0.0 ? 4.0 * amplitude / speed : 1.0 / frequency); }
  double at(double time) const {
    if (speed <= 0.0) return amplitude * std::sin(2.0 * kPi * frequency * time);
    const double phase = std::fmod(time * speed / amplitude, 4.0);
    return amplitude * (phase < 1.0 ? phase : phase < 3.0 ? 2.0 - phase : phase - 4.0);
  }
};

constexpr Part kParts[] = {{0.15, 0.0, 0.12, 1}, {0.5, 0.0, 0.14, 3}, {0.0, 1.5, 0.12, 3}, {0.0, 2.5, 0.08, 4}};

constexpr double kLongestLag = 0.06;      // s
constexpr double kWidestBacklash = 0.03;  // rad
constexpr double kSaturated = 0.9;        // share of the load beyond which the controller is at its end
constexpr double kSteady = 0.25;          // of a to and fro: speeds that differ by less from that asked for are steady
constexpr std::size_t kFewest = 200;      // samples

/// The goal that was in force at `time`.
double goal_at(const std::vector<Recording::Goal>& goals, double time) {
  const auto after = std::upper_bound(goals.begin(), goals.end(), time,
                                      [](double t, const Recording::Goal& goal) { return t < goal.time; });
  return after == goals.begin() ? goals.front().position : std::prev(after)->position;
}

double dead_zone(double error, double half) {
  return std::copysign(std::max(0.0, std::abs(error) - half), error);
}

/// The least value of `f` in a range: a grid, then a golden section about its best point.
double minimise(double low, double high, int steps, const std::function<double(double)>& f) {
  double best = low, least = f(low);
  const double step = (high - low) / steps;
  for (int i = 1; i <= steps; ++i) {
    const double x = low + step * i, y = f(x);
    if (y < least) best = x, least = y;
  }
  double a = std::max(low, best - step), b = std::min(high, best + step);
  constexpr double kGolden = 0.6180339887498949;
  for (int i = 0; i < 25; ++i) {
    const double c = b - kGolden * (b - a), d = a + kGolden * (b - a);
    (f(c) < f(d) ? b : a) = f(c) < f(d) ? d : c;
  }
  return 0.5 * (a + b);
}

struct Controller {
  double gain = 0.0;  // load per rad
  double offset = 0.0;
  double misfit = 0.0;  // mean square
};

/// load = gain * dead_zone(goal - position) + offset, by least squares.
Controller controller_of(const Recording& recording, double lag, double backlash) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (const auto& sample : recording.samples) {
    if (std::abs(sample.load) > kSaturated) continue;
    const double x = dead_zone(goal_at(recording.goals, sample.time - lag) - sample.position, 0.5 * backlash);
    n += 1, sx += x, sy += sample.load, sxx += x * x, sxy += x * sample.load, syy += sample.load * sample.load;
  }
  Controller fit;
  const double spread = n * sxx - sx * sx;
  if (n < 10 || spread < 1e-12) return {0.0, 0.0, 1e9};
  fit.gain = (n * sxy - sx * sy) / spread;
  fit.offset = (sy - fit.gain * sx) / n;
  fit.misfit = (syy - fit.gain * sxy - fit.offset * sy) / n;
  return fit;
}

/// What the load is beyond weight, speed and acceleration: dry friction (N m). `steady`: times of the two to and fros.
double friction_of(const Recording& recording, double stall_torque) {
  std::vector<Eigen::Vector4d> rows;
  std::vector<double> torques;
  const double begin = recording.goals.front().time;
  for (const auto& sample : recording.samples) {
    double time = sample.time - begin;
    std::size_t part = 0;
    while (part < 2 && time > kParts[part].duration()) time -= kParts[part++].duration();
    if (part == 2) break;
    const double speed = kParts[part].speed;
    if (std::abs(std::abs(sample.velocity) - speed) > kSteady * speed + 0.03) continue;
    rows.emplace_back(sample.velocity > 0.0 ? 1.0 : -1.0, sample.velocity, 1.0, sample.position);
    torques.push_back(sample.load * stall_torque);
  }
  if (rows.size() < kFewest / 4) return std::nan("");
  Eigen::Matrix4d normal = 1e-9 * Eigen::Matrix4d::Identity();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    normal += rows[i] * rows[i].transpose();
    right += rows[i] * torques[i];
  }
  return normal.ldlt().solve(right)[0];
}

Measured mean_of(const std::vector<double>& values) {
  Measured measured;
  for (const double value : values) measured.value += value / static_cast<double>(values.size());
  double squares = 0.0;
  for (const double value : values) squares += (value - measured.value) * (value - measured.value);
  const double n = static_cast<double>(values.size());
  measured.uncertainty = n > 1 ? std::sqrt(squares / (n - 1) / n) : std::abs(measured.value);
  return measured;
}

}  // namespace

double excitation(double time) {
  for (const Part& part : kParts) {
    if (time < part.duration()) return time < 0.0 ? 0.0 : part.at(time);
    time -= part.duration();
  }
  return 0.0;
}

double excitation_duration() {
  double sum = 0.0;
  for (const Part& part : kParts) sum += part.duration();
  return sum;
}

std::optional<Identified> identify(const std::vector<Recording>& recordings, double stall_torque,
                                   std::string& why_not) {
  std::vector<double> friction, stiffness, lag, backlash;
  for (const Recording& recording : recordings) {
    if (recording.samples.size() < kFewest || recording.goals.empty()) {
      why_not = "only " + std::to_string(recording.samples.size()) + " answers: is the joint free, and the bus quick?";
      return std::nullopt;
    }
    double play = 0.0, late = 0.0;
    for (int round = 0; round < 4; ++round) {
      late = minimise(0.0, kLongestLag, 60, [&](double x) { return controller_of(recording, x, play).misfit; });
      play = minimise(0.0, kWidestBacklash, 30, [&](double x) { return controller_of(recording, late, x).misfit; });
    }
    const Controller controller = controller_of(recording, late, play);
    const double dry = friction_of(recording, stall_torque);
    if (!(controller.gain > 0.1) || !std::isfinite(dry)) {
      why_not = "it does not move as it is told: is it free, and its torque on?";
      return std::nullopt;
    }
    friction.push_back(std::max(0.0, dry));
    stiffness.push_back(controller.gain * stall_torque);
    lag.push_back(late);
    backlash.push_back(play);
  }
  if (recordings.empty()) {
    why_not = "there is no recording";
    return std::nullopt;
  }
  return Identified{mean_of(friction), mean_of(stiffness), mean_of(lag), mean_of(backlash)};
}

}  // namespace hl_hardware_cm730
