// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <hl_description/formatted.hpp>

#include "hl_match/evaluations.hpp"
#include "model_trials.hpp"
#include "planning_trials.hpp"

namespace hl_match {
namespace {

constexpr double kWalk = 20.0;  // s

class Rows {
 public:
  explicit Rows(EvaluationContext& context) : context_(context), trials_(context.world()) {}
  std::vector<Figure> figures;

  void walking() {
    const auto walks = all<ModelWalk>("walk", [this](std::uint64_t seed) { return trials_.walk(seed, kWalk); });
    const auto of = [&](const auto& get) {
      std::vector<std::vector<double>> samples;
      for (const auto& walk : walks) samples.push_back(get(walk));
      return samples;
    };
    figures.push_back(
        quantile_of("ball while walking, within 2 m, median", of([](const auto& w) { return w.own.near; }), 0.5, "m"));
    figures.push_back(
        quantile_of("ball while walking, 2 to 4 m, median", of([](const auto& w) { return w.own.far; }), 0.5, "m"));
    figures.push_back(
        quantile_of("robots within 3 m, median", of([](const auto& w) { return w.own.robots; }), 0.5, "m"));
    std::vector<double> inside;
    for (const auto& walk : walks) {
      const std::size_t judged = walk.own.near.size() + walk.own.far.size();
      if (judged > 0) inside.push_back(100.0 * static_cast<double>(walk.own.inside) / static_cast<double>(judged));
    }
    figures.push_back(mean_of("ball while walking, errors inside the 95 % ellipse", inside, "%"));
    for (std::size_t row = 0; row < late_pictures().size(); ++row) {
      const Lateness& how = late_pictures()[row];
      const std::string what = hl_description::formatted(
          "pictures %.0f ms late, jitter %.0f ms, loss %.0f %%, %s compensation", 1e3 * how.delay, 1e3 * how.jitter,
          100.0 * how.loss, how.compensated ? "with" : "without");
      figures.push_back(
          quantile_of(what + ": ball within 2 m", of([&](const auto& w) { return w.late[row].near; }), 0.5, "m"));
      figures.push_back(
          quantile_of(what + ": ball 2 to 4 m", of([&](const auto& w) { return w.late[row].far; }), 0.5, "m"));
      figures.push_back(
          quantile_of(what + ": robots", of([&](const auto& w) { return w.late[row].robots; }), 0.5, "m"));
    }
  }

  void rolling() {
    for (const double distance : {1.5, 3.0}) {
      const auto errors = all<std::optional<double>>(
          "velocity at " + std::to_string(distance),
          [&, distance](std::uint64_t seed) { return trials_.velocity_error(seed, distance); });
      std::vector<double> known;
      for (const auto& error : errors)
        if (error) known.push_back(*error);
      const std::string name =
          hl_description::formatted("velocity error after 0.6 s of rolling at %.1f m, median", distance);
      figures.push_back(order_statistic(name, known, 0.5, "m/s"));
    }
    const auto shots = all<Shot>("shot", [this](std::uint64_t seed) { return trials_.shot(seed); });
    std::vector<double> times, places;
    for (const Shot& shot : shots) {
      if (!shot.judged) continue;
      times.push_back(shot.time_error);
      places.push_back(shot.place_error);
    }
    figures.push_back(
        order_statistic("crossing of the goal line, shots seen for 0.8 s: error of the time, median", times, 0.5, "s"));
    figures.push_back(order_statistic("crossing of the goal line: error of the place, median", places, 0.5, "m"));
  }

  void belief() {
    const auto runs = all<Forgetting>("forgetting", [this](std::uint64_t seed) {
      const Forgetting run = trials_.forgetting(seed);
      if (run.all > 2.0)
        std::fprintf(stderr, "forgetting, seed %zu: %.2f s, looked at for %.2f s\n", static_cast<std::size_t>(seed),
                     run.all, run.looked_at);
      return run;
    });
    std::vector<double> forgotten, looked_at;
    for (const Forgetting& run : runs) {
      if (!run.judged) continue;
      forgotten.push_back(run.all);
      looked_at.push_back(run.looked_at);
    }
    figures.push_back(order_statistic("a ball that is gone is forgotten, median", forgotten, 0.5, "s"));
    figures.push_back(order_statistic("a ball that is gone is forgotten, worst", forgotten, 1.0, "s"));
    figures.push_back(order_statistic("a ball that is gone is forgotten, worst while its place is in the picture",
                                      looked_at, 1.0, "s"));
    const auto believed =
        all<int>("false ball", [this](std::uint64_t seed) { return trials_.believes_false_ball(seed) ? 1 : 0; });
    figures.push_back(share_of("a false ball seen once is believed",
                               static_cast<std::size_t>(std::count(believed.begin(), believed.end(), 1)), count()));
    std::vector<double> rms;
    const auto speeds = all<std::vector<double>>(
        "resting ball", [this](std::uint64_t seed) { return trials_.resting_velocities(seed); });
    double squares = 0.0;
    std::size_t samples = 0;
    for (const auto& run : speeds) {
      double sum = 0.0;
      for (const double v : run) sum += v * v;
      squares += sum;
      samples += run.size();
      if (!run.empty()) rms.push_back(std::sqrt(sum / static_cast<double>(run.size())));
    }
    Figure figure = mean_of("velocity of a resting ball at 4 m, rms", rms, "m/s");
    const double together = samples > 0 ? std::sqrt(squares / static_cast<double>(samples)) : std::nan("");
    figure.low += together - figure.value;
    figure.high += together - figure.value;
    figure.value = together;
    figures.push_back(figure);
  }

  void team() {
    const auto errors = all<std::vector<std::vector<double>>>(
        "ball of the team", [this](std::uint64_t seed) { return trials_.team_ball_errors(seed); });
    for (std::size_t row = 0; row < late_words().size(); ++row) {
      const Lateness& how = late_words()[row];
      std::vector<std::vector<double>> of_row;
      for (const auto& run : errors) of_row.push_back(run[row]);
      const std::string name = hl_description::formatted(
          "ball from the team only, words %.0f ms late, jitter %.0f ms, loss %.0f %%, %s compensation, median",
          1e3 * how.delay, 1e3 * how.jitter, 100.0 * how.loss, how.compensated ? "with" : "without");
      figures.push_back(quantile_of(name, of_row, 0.5, "m"));
    }
  }

 private:
  std::size_t count() const {  // --trials 20 asks for the usual 100
    return std::max<std::size_t>(1, 5 * static_cast<std::size_t>(context_.options().games));
  }
  template <class Result, class Run>
  std::vector<Result> all(const std::string& kind, const Run& run) {
    return context_.results<Result>("model " + kind, count(), run);
  }

  EvaluationContext& context_;
  ModelTrials trials_;
};

}  // namespace

/// Physics, perception from the truth with its noise and wrongly mounted cameras.
std::vector<Figure> evaluate_model(EvaluationContext& context) {
  Rows rows(context);
  if (context.wants("walking")) rows.walking();
  if (context.wants("rolling")) rows.rolling();
  if (context.wants("belief")) rows.belief();
  if (context.wants("team")) rows.team();
  return rows.figures;
}

}  // namespace hl_match
