// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "hl_simulation/tuner.hpp"

namespace hl_simulation {
namespace {

constexpr std::uint64_t kFirstJudgingSeed = 1000;

std::string at(const YAML::Node& node) {
  return node.Mark().is_null() ? "tuning file: " : "tuning file, line " + std::to_string(node.Mark().line + 1) + ": ";
}

[[noreturn]] void fail(const YAML::Node& node, const std::string& what) {
  throw std::runtime_error(at(node) + what);
}

double number(const YAML::Node& node, const std::string& what) {
  try {
    const double value = node.as<double>();
    if (std::isfinite(value)) return value;
  } catch (const YAML::Exception&) {
  }
  fail(node, what + " must be a number");
}

Values numbers(const YAML::Node& map, const std::string& what) {
  if (!map.IsMap()) fail(map, what + " must map names to numbers");
  Values values;
  for (const auto& entry : map) {
    const auto name = entry.first.as<std::string>();
    values[name] = number(entry.second, what + " '" + name + "'");
  }
  return values;
}

void read_parameters(const YAML::Node& map, TunerSpec& spec) {
  if (!map || !map.IsMap()) fail(map, "'parameters' must map names to {min, max, start}");
  for (const auto& entry : map) {
    TunedParameter p;
    p.name = entry.first.as<std::string>();
    if (!entry.second.IsMap() || !entry.second["min"] || !entry.second["max"]) {
      fail(entry.second, "parameter '" + p.name + "' needs min and max");
    }
    p.min = number(entry.second["min"], p.name + " min");
    p.max = number(entry.second["max"], p.name + " max");
    if (!(p.min < p.max)) fail(entry.second, "parameter '" + p.name + "': min is not below max");
    p.start = entry.second["start"] ? number(entry.second["start"], p.name + " start") : 0.5 * (p.min + p.max);
    if (p.start < p.min || p.start > p.max) fail(entry.second, "parameter '" + p.name + "': start is outside min..max");
    spec.parameters.push_back(p);
  }
}

void read_scenarios(const YAML::Node& list, TunerSpec& spec) {
  if (!list.IsSequence() || list.size() == 0) fail(list, "'disturbances' must be a list of maps");
  spec.scenarios.clear();
  for (const auto& item : list) {
    if (!item.IsMap()) fail(item, "a disturbance must be a map, e.g. {name: push, force: 5}");
    Scenario scenario;
    for (const auto& entry : item) {
      const auto key = entry.first.as<std::string>();
      if (key == "name") {
        scenario.name = entry.second.as<std::string>();
      } else {
        scenario.values[key] = number(entry.second, "disturbance '" + key + "'");
      }
    }
    spec.scenarios.push_back(scenario);
  }
}

void read_seeds(const YAML::Node& list, TunerSpec& spec) {
  if (!list.IsSequence() || list.size() == 0) fail(list, "'seeds' must be a list of whole numbers");
  spec.seeds.clear();
  for (const auto& item : list) {
    const double seed = number(item, "a seed");
    if (seed < 0 || seed != std::floor(seed)) fail(item, "a seed must be a whole number >= 0");
    if (seed >= kFirstJudgingSeed)
      fail(item, "seeds from 1000 on are kept for judging results; tune with smaller ones");
    spec.seeds.push_back(static_cast<std::uint64_t>(seed));
  }
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

TunerSpec TunerSpec::from_yaml(const std::string& text) {
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw std::runtime_error("tuning file, line " + std::to_string(error.mark.line + 1) + ": " + error.msg);
  }
  if (!root.IsMap()) throw std::runtime_error("tuning file: expected a map with 'parameters'");
  static const std::set<std::string> known{"parameters",  "fixed",      "objective",  "disturbances", "seeds",
                                           "generations", "population", "sigma",      "worst_share",  "abandon_below",
                                           "threads",     "time_limit", "search_seed"};
  for (const auto& entry : root) {
    const auto key = entry.first.as<std::string>();
    if (!known.count(key)) fail(entry.first, "unknown key '" + key + "'");
  }
  TunerSpec spec;
  read_parameters(root["parameters"], spec);
  if (root["fixed"]) spec.fixed = numbers(root["fixed"], "fixed");
  if (root["objective"]) spec.objective = numbers(root["objective"], "objective");
  if (root["disturbances"]) read_scenarios(root["disturbances"], spec);
  if (root["seeds"]) read_seeds(root["seeds"], spec);
  const auto whole = [&](const char* key, int& value, int low) {
    if (!root[key]) return;
    const double given = number(root[key], key);
    if (given != std::floor(given) || given < low || given > 1e6)
      fail(root[key], std::string(key) + " must be a whole number >= " + std::to_string(low));
    value = static_cast<int>(given);
  };
  whole("generations", spec.generations, 1);
  whole("population", spec.population, 0);
  whole("threads", spec.threads, 0);
  int search_seed = 1;
  whole("search_seed", search_seed, 0);
  spec.search_seed = static_cast<std::uint64_t>(search_seed);
  const auto real = [&](const char* key, double& value, double low, double high) {
    if (!root[key]) return;
    value = number(root[key], key);
    if (value < low || value > high) fail(root[key], std::string(key) + " is out of range");
  };
  real("sigma", spec.sigma, 1e-4, 1.0);
  real("worst_share", spec.worst_share, 0.0, 1.0);
  real("abandon_below", spec.abandon_below, -1e300, 1e300);
  real("time_limit", spec.time_limit, 0.0, 1e9);
  if (spec.population > 0 && spec.population < 4) fail(root["population"], "population must be 0 or at least 4");
  return spec;
}

TunerSpec TunerSpec::from_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read; check the path");
  std::ostringstream text;
  text << file.rdbuf();
  try {
    return from_yaml(text.str());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
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
