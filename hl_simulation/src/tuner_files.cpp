// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <hl_description/yaml_reader.hpp>
#include <sstream>
#include <stdexcept>

#include "hl_simulation/tuner.hpp"

namespace hl_simulation {
namespace {

using hl_description::YamlReader;

constexpr int kFirstJudgingSeed = 1000;
constexpr int kMost = 1'000'000;  // of anything that is counted

Values numbers(const YamlReader& map) {
  Values values;
  for (const auto& [name, value] : map.entries()) values[name] = value.number();
  return values;
}

void read_parameters(const YamlReader& map, TunerSpec& spec) {
  for (const auto& [name, range] : map.entries()) {
    range.only({"min", "max", "start"});
    TunedParameter p;
    p.name = name;
    p.min = range["min"].number();
    p.max = range["max"].number();
    if (!(p.min < p.max)) range.refuse("min is not below max");
    p.start = range.number_in("start", p.min, p.max, 0.5 * (p.min + p.max));
    spec.parameters.push_back(p);
  }
}

void read_scenarios(const YamlReader& list, TunerSpec& spec) {
  spec.scenarios.clear();
  for (const auto& item : list.items()) {
    Scenario scenario;
    for (const auto& [key, value] : item.entries()) {
      if (key == "name")
        scenario.name = value.text();
      else
        scenario.values[key] = value.number();
    }
    spec.scenarios.push_back(scenario);
  }
  if (spec.scenarios.empty()) list.refuse("needs at least one disturbance, e.g. {name: push, force: 5}");
}

void read_seeds(const YamlReader& list, TunerSpec& spec) {
  spec.seeds.clear();
  for (const auto& item : list.items()) {
    const int seed = item.integer_in(0, kMost);
    if (seed >= kFirstJudgingSeed)
      item.refuse("seeds from 1000 on are kept for judging results; tune with smaller ones");
    spec.seeds.push_back(static_cast<std::uint64_t>(seed));
  }
  if (spec.seeds.empty()) list.refuse("needs at least one seed");
}

void print_progress(const TunerProgress& p) {
  const auto minutes = [](double s) { return static_cast<int>(s) / 60; };
  const auto rest = [](double s) { return static_cast<int>(s) % 60; };
  std::printf("generation %d/%d  runs %d  best %.4f  this %.4f  spread %.4f  %d:%02d gone  %d:%02d left\n",
              p.generation, p.generations, p.evaluations, p.best, p.generation_best, p.sigma, minutes(p.elapsed),
              rest(p.elapsed), minutes(p.remaining), rest(p.remaining));
  std::fflush(stdout);
}

std::atomic<bool> interrupted{false};
extern "C" void on_interrupt(int) {
  interrupted = true;
}

}  // namespace

TunerSpec TunerSpec::from_yaml(const std::string& text, const std::string& file_name) {
  const auto root = YamlReader::from_text(text, file_name);
  root.only({"parameters", "fixed", "objective", "disturbances", "seeds", "generations", "population", "sigma",
             "worst_share", "abandon_below", "threads", "time_limit", "search_seed"});
  TunerSpec spec;
  read_parameters(root["parameters"], spec);
  if (root.has("fixed")) spec.fixed = numbers(root["fixed"]);
  if (root.has("objective")) spec.objective = numbers(root["objective"]);
  if (root.has("disturbances")) read_scenarios(root["disturbances"], spec);
  if (root.has("seeds")) read_seeds(root["seeds"], spec);
  spec.generations = root.integer_in("generations", 1, kMost, spec.generations);
  spec.population = root.integer_in("population", 0, kMost, spec.population);
  if (spec.population > 0 && spec.population < 4) root["population"].refuse("must be 0 or at least 4");
  spec.threads = root.integer_in("threads", 0, kMost, spec.threads);
  spec.search_seed = static_cast<std::uint64_t>(root.integer_in("search_seed", 0, kMost, 1));
  spec.sigma = root.number_in("sigma", 1e-4, 1.0, spec.sigma);
  spec.worst_share = root.number_in("worst_share", 0.0, 1.0, spec.worst_share);
  spec.abandon_below = root.number_in("abandon_below", -1e300, 1e300, spec.abandon_below);
  spec.time_limit = root.number_in("time_limit", 0.0, 1e9, spec.time_limit);
  return spec;
}

TunerSpec TunerSpec::from_file(const std::string& path) {
  return from_yaml(YamlReader::read_file(path), path);
}

Values values_from_file(const std::string& path) {
  return numbers(YamlReader::from_text(YamlReader::read_file(path), path));
}

std::string to_yaml(const Values& values, const std::string& comment) {
  std::ostringstream out;
  if (!comment.empty()) out << "# " << comment << '\n';
  out.precision(9);
  for (const auto& [name, value] : values) out << name << ": " << value << '\n';
  return out.str();
}

int tune(const TuneOrder& order, const std::function<Evaluator(const TunerSpec&)>& make_evaluator) {
  try {
    TunerSpec spec = TunerSpec::from_file(order.spec_file);
    spec.threads = order.threads.value_or(spec.threads);
    spec.generations = order.generations.value_or(spec.generations);
    spec.time_limit = order.time_limit.value_or(spec.time_limit);
    const std::string state = order.out_file + ".state";
    if (order.fresh) std::remove(state.c_str());

    const auto save = [&](const Values& best, double score) {
      std::ofstream out(order.out_file);
      out << to_yaml(best, "found by the tuner from " + order.spec_file + ", score " + std::to_string(score));
      if (!out) throw std::runtime_error(order.out_file + ": cannot be written");
    };
    Tuner tuner(spec, [&] { return make_evaluator(spec); });
    tuner.set_state_file(state);
    tuner.on_progress([&](const TunerProgress& progress, const Values& best) {
      print_progress(progress);
      save(best, progress.best);
    });
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    const TunerResult result = tuner.run(&interrupted);
    save(result.parameters, result.score);
    std::printf("%s: score %.4f after %d runs -> %s\n",
                result.finished ? "done" : "stopped, the same command continues", result.score, result.evaluations,
                order.out_file.c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace hl_simulation
