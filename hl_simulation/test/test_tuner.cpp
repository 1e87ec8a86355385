// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <sstream>

#include "hl_simulation/cma_es.hpp"
#include "hl_simulation/simulation.hpp"
#include "hl_simulation/tuner.hpp"
#include "robots.hpp"

using namespace hl_simulation;
using ::testing::HasSubstr;

namespace {

TunerSpec bowl_spec() {
  return TunerSpec::from_yaml(R"(
parameters:
  x: {min: -2.0, max: 4.0, start: 3.0}
  y: {min: 0.0, max: 10.0}
fixed: {z: 7}
objective: {weight: 2.0}
disturbances:
  - {name: calm}
  - {name: windy, wind: 0.1}
seeds: [1, 2]
generations: 60
sigma: 0.3
threads: 2
)");
}

double bowl(const Trial& trial) {
  const double x = trial.parameters.at("x") - 1.0, y = trial.parameters.at("y") - 8.0;
  return -x * x - 0.2 * y * y - 0.001 * static_cast<double>(trial.seed) - trial.scenario->get("wind");
}

std::string reason_of(const std::string& yaml) {
  try {
    TunerSpec::from_yaml(yaml);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST(CmaEs, FindsTheMinimumOfACurvedValley) {
  CmaEs search(Eigen::VectorXd::Constant(4, 0.3), 0.2, 12, 3);
  double best = -1e9;
  for (int g = 0; g < 400 && best < -1e-9; ++g) {
    std::vector<double> scores;
    for (const auto& x : search.ask()) {
      const Eigen::VectorXd u = 4.0 * x.array() - 2.0;
      double rosenbrock = 0.0;
      for (int i = 0; i + 1 < u.size(); ++i)
        rosenbrock += 100 * std::pow(u[i + 1] - u[i] * u[i], 2) + std::pow(1 - u[i], 2);
      scores.push_back(-rosenbrock);
      best = std::max(best, scores.back());
    }
    search.tell(scores);
  }
  EXPECT_GT(best, -1e-6);
}

TEST(CmaEs, SurvivesScoresThatAreNoNumbers) {
  CmaEs search(Eigen::VectorXd::Constant(3, 0.5), 0.2, 8, 3);
  for (int g = 0; g < 50; ++g) {
    search.ask();
    search.tell(std::vector<double>(8, std::nan("")));
  }
  EXPECT_TRUE(search.mean().allFinite());
}

TEST(CmaEs, SavedAndLoadedItContinuesAsIfNothingHappened) {
  const auto score = [](const Eigen::VectorXd& x) { return -(x.array() - 0.7).square().sum(); };
  const auto advance = [&](CmaEs& search, int generations) {
    for (int g = 0; g < generations; ++g) {
      std::vector<double> scores;
      for (const auto& x : search.ask()) scores.push_back(score(x));
      search.tell(scores);
    }
  };
  CmaEs first(Eigen::VectorXd::Constant(3, 0.5), 0.2, 8, 3), second(Eigen::VectorXd::Constant(3, 0.1), 0.4, 8, 99);
  advance(first, 5);
  std::stringstream text;
  first.save(text);
  second.load(text);
  advance(first, 5);
  advance(second, 5);
  EXPECT_EQ(first.mean(), second.mean());
  std::stringstream damaged("3 8 5 0.1\n0 0");
  EXPECT_THROW(second.load(damaged), std::runtime_error);
}

TEST(Tuner, FindsTheBestParametersWhateverTheNumberOfThreads) {
  TunerSpec spec = bowl_spec();
  const auto evaluator = [] { return Evaluator(bowl); };
  const TunerResult two = Tuner(spec, evaluator).run();
  spec.threads = 1;
  const TunerResult one = Tuner(spec, evaluator).run();
  EXPECT_NEAR(two.parameters.at("x"), 1.0, 0.02);
  EXPECT_NEAR(two.parameters.at("y"), 8.0, 0.05);
  EXPECT_EQ(two.parameters.at("z"), 7.0);
  EXPECT_EQ(one.parameters, two.parameters);
  EXPECT_TRUE(one.finished);
}

TEST(Tuner, InterruptedAndResumedItEndsWhereAnUninterruptedRunEnds) {
  const std::string file = ::testing::TempDir() + "tuner.state";
  std::remove(file.c_str());
  const TunerSpec spec = bowl_spec();
  const TunerResult whole = Tuner(spec, [] { return Evaluator(bowl); }).run();

  std::atomic<bool> stop{false};
  std::atomic<int> runs{0};
  Tuner first(spec, [&] {
    return Evaluator([&](const Trial& trial) {
      if (++runs == 150) stop = true;
      return bowl(trial);
    });
  });
  first.set_state_file(file);
  EXPECT_FALSE(first.run(&stop).finished);

  Tuner second(spec, [] { return Evaluator(bowl); });
  second.set_state_file(file);
  int reports = 0;
  second.on_progress([&](const TunerProgress& p, const Values&) {
    ++reports;
    EXPECT_GE(p.remaining, 0.0);
  });
  const TunerResult resumed = second.run();
  EXPECT_TRUE(resumed.finished);
  EXPECT_EQ(resumed.parameters, whole.parameters);
  EXPECT_GT(reports, 10);
  std::remove(file.c_str());
}

TEST(Tuner, BadSpecificationNamesLineAndFault) {
  EXPECT_THAT(reason_of("parameters: {x: {min: 0}}"), HasSubstr("max"));
  EXPECT_THAT(reason_of("parameters:\n  x: {min: 2, max: 1}"), HasSubstr(":2:"));
  EXPECT_THAT(reason_of("parameters: {x: {min: 0, max: 1, start: 3}}"), HasSubstr("start"));
  EXPECT_THAT(reason_of("parameters: {x: {min: 0, max: 1}}\nseeds: [1000]"), HasSubstr("judging"));
  EXPECT_THAT(reason_of("parameters: {x: {min: 0, max: 1}}\ngeneration: 3"), HasSubstr("generation"));
  EXPECT_THAT(reason_of("parameters: {x: {min: a, max: 1}}"), HasSubstr("number"));
  EXPECT_THAT(reason_of("parameters: [1"), HasSubstr("tuning file:1: not valid YAML"));
  EXPECT_THAT(reason_of("objective: {}"), HasSubstr("parameters"));
}

TEST(Tuner, TunesASimulatedRobot) {
  // Which ankle angle makes the trunk stand upright?
  const auto make = [] {
    auto simulation = std::make_shared<Simulation>(world_with(robot_spec("minibot")));
    return Evaluator([simulation](const Trial& trial) {
      simulation->reset(trial.seed);
      Robot& robot = simulation->robot();
      std::vector<double> goals = robot.spec().walk_ready_positions();
      for (const char* joint : {"LAnklePitch", "RAnklePitch"}) {
        goals[robot.spec().joint_index(joint)] += (joint[0] == 'L' ? 1 : -1) * trial.parameters.at("lean");
      }
      robot.set_goals(goals);
      simulation->run(0.8);
      return robot.fallen() ? -1.0 : -std::abs(robot.tilt());
    });
  };
  TunerSpec spec = TunerSpec::from_yaml(
      "parameters: {lean: {min: -0.3, max: 0.3, start: 0.2}}\ngenerations: 8\npopulation: 6\nthreads: 2");
  const TunerResult result = Tuner(spec, make).run();
  EXPECT_GT(result.score, -0.06);
}
