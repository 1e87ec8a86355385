// SPDX-License-Identifier: Apache-2.0
// How good the fall detector is, beside plain tilt thresholds, on runs in physics with the HCM's reactions off.
// A fall: a part other than feet, forearms or hands touches the ground. usage: bench_fall_detector [--quick]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <hl_description/robot_config.hpp>
#include <hl_simulation/simulation.hpp>
#include <random>

#include "hl_hcm/attitude.hpp"
#include "hl_testing/bench_report.hpp"
#ifdef WITH_WALKING
#include <yaml-cpp/yaml.h>

#include <hl_walking/engine.hpp>
#endif

using namespace hl_hcm;
using hl_simulation::Simulation;

namespace {

struct Sample {
  double time;
  Vector3 up, rate;
};

/// One recorded run and, if the robot fell, when it touched the ground.
struct Run {
  std::vector<Sample> samples;
  double ground = -1.0;  // s; negative = it did not fall
};

/// Gives the joint goals of the next control cycle; false ends the run.
using Motion = std::function<void(Simulation&, std::vector<double>& goals)>;

struct Scenario {
  const char* name;
  double duration;             // s
  double push_low, push_high;  // N for 0.1 s, any direction; 0 = none
  double push_every;           // s
  bool lifted;                 // carried about by hands, tilted a little
  std::function<Motion(std::mt19937&)> motion;
  std::size_t runs;
};

constexpr double cycle = 0.008;  // s, 125 Hz

bool body_on_ground(const hl_simulation::Robot& robot) {
  for (const auto& contact : robot.ground_contacts()) {
    if (contact.part != hl_simulation::GroundContact::Part::Other || contact.force < 1.0) continue;
    if (contact.link.find("lower_arm") == std::string::npos && contact.link.find("hand") == std::string::npos)
      return true;
  }
  return false;
}

Run record(Simulation& sim, const Scenario& scenario, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  sim.reset(seed);
  auto& robot = sim.robot();
  std::vector<double> goals = robot.spec().walk_ready_positions();
  robot.set_goals(goals);
  sim.run(0.5);
  Motion motion = scenario.motion(random);
  Run run;
  double next_push = sim.time() + uniform(0.5, 0.5 + std::min(1.0, scenario.push_every));
  if (scenario.lifted) robot.hold(true);
  const double start = sim.time();
  // A run does not end in the middle of a fall.
  const auto goes_on = [&] {
    const double time = sim.time() - start;
    return time < scenario.duration || (robot.tilt() > 0.5 && time < scenario.duration + 2.0);
  };
  while (goes_on()) {
    motion(sim, goals);
    robot.set_goals(goals);
    if (scenario.push_high > 0.0 && sim.time() >= next_push && sim.time() - start < scenario.duration) {
      const double force = uniform(scenario.push_low, scenario.push_high), angle = uniform(-M_PI, M_PI);
      robot.push({force * std::cos(angle), force * std::sin(angle), 0.0}, 0.1, "torso");
      next_push = sim.time() + scenario.push_every;
    }
    if (!sim.run(cycle)) break;
    const auto& imu = robot.read().imu;
    const auto& q = imu.orientation;
    const auto& w = imu.angular_velocity;
    run.samples.push_back({sim.time(), up_from_quaternion(q.x(), q.y(), q.z(), q.w()), {w.x(), w.y(), w.z()}});
    if (body_on_ground(robot)) {
      run.ground = sim.time();
      break;
    }
  }
  if (run.ground < 0.0 && robot.tilt() > 0.9) run.ground = sim.time();  // rests on its hands: fallen all the same
  robot.hold(false);
  return run;
}

struct Verdict {
  std::size_t falls = 0, missed = 0, calm = 0, false_alarms = 0;
  std::vector<double> lead;  // s
  double calm_time = 0.0;    // s without a fall
};

/// `alarm` gives the time of the first alarm in a run, negative if none.
void judge(const Run& run, double alarm, Verdict& verdict) {
  if (run.ground >= 0.0) {
    ++verdict.falls;
    if (alarm < 0.0)
      ++verdict.missed;
    else
      verdict.lead.push_back(run.ground - alarm);
  } else {
    ++verdict.calm;
    verdict.calm_time += run.samples.empty() ? 0.0 : run.samples.back().time - run.samples.front().time;
    if (alarm >= 0.0) ++verdict.false_alarms;
  }
}

double first_alarm(const Run& run, const FallDetector::Params& params, double factor) {
  FallDetector detector(params);
  for (const Sample& sample : run.samples)
    if (detector.update(sample.up, sample.rate, sample.time, factor) != Direction::None) return sample.time;
  return -1.0;
}

double first_threshold(const Run& run, double limit) {
  for (const Sample& sample : run.samples)
    if (std::abs(pitch_of(sample.up)) > limit || std::abs(roll_of(sample.up)) > limit) return sample.time;
  return -1.0;
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return -1.0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

void print(const char* detector, double setting, const Verdict& v) {
  std::fprintf(stderr, "| %s | %.2f | %zu | %zu | %zu | %zu | %.0f | %.0f |\n", detector, setting, v.falls, v.missed,
               v.calm, v.false_alarms, 1000 * quantile(v.lead, 0.5), 1000 * quantile(v.lead, 0.1));
}

Motion still(std::mt19937&) {
  return [](Simulation&, std::vector<double>&) {};
}

#ifdef WITH_WALKING
/// Walks with a random velocity that changes now and then.
std::function<Motion(std::mt19937&)> walking(const std::string& description, const std::string& config) {
  using namespace hl_walking;
  const auto model = hl_description::RobotModel::from_file(description + "/urdf/minibot.urdf");
  const auto robot = hl_description::RobotConfig::from_file(description + "/config/minibot/robot.yaml");
  auto body = std::make_shared<Body>(model, robot.pose(model, "walkready"));
  auto params = std::make_shared<Params>();
  for (const auto& node : YAML::LoadFile(config)["/**/walking"]["ros__parameters"])
    if (const auto* info = find_parameter(node.first.as<std::string>()))
      (*params).*(info->value) = node.second.as<double>();
  return [body, params](std::mt19937& random) -> Motion {
    auto engine = std::make_shared<Engine>(*body, *params);
    engine->reset();
    auto next = std::make_shared<double>(0.0);
    const unsigned seed = random();
    auto dice = std::make_shared<std::mt19937>(seed);
    return [body, engine, next, dice, params](Simulation& sim, std::vector<double>& goals) {
      if (sim.time() >= *next) {
        const auto part = [&](double limit) { return std::uniform_real_distribution<>(-limit, limit)(*dice); };
        engine->set_velocity({part(params->max_forward), part(params->max_sideways), part(params->max_turn)});
        *next = sim.time() + 3.0;
      }
      const auto& reading = sim.robot().read();
      const auto& q = reading.imu.orientation;
      const Vector3 up = up_from_quaternion(q.x(), q.y(), q.z(), q.w());
      Sensors sensors;
      sensors.attitude =
          Attitude{roll_of(up), pitch_of(up), reading.imu.angular_velocity.x(), reading.imu.angular_velocity.y()};
      const auto sum = [](const hl_simulation::FootReading& f) { return f[0] + f[1] + f[2] + f[3]; };
      sensors.foot_force = {sum(reading.left_foot), sum(reading.right_foot)};
      const auto& joints = engine->update(cycle, sensors).joints;
      for (std::size_t i = 0; i < goals.size(); ++i) goals[i] = joints[static_cast<Eigen::Index>(i)];
    };
  };
}
#endif

}  // namespace

int main(int argc, char** argv) {
  const bool quick = hl_testing::quick(argc, argv);
  const std::string share = DESCRIPTION_SHARE;
  auto spec = std::make_shared<hl_simulation::RobotSpec>(
      hl_simulation::load_robot_files(share + "/urdf/minibot.urdf", share + "/config/minibot/robot.yaml"));
  auto world = hl_simulation::world_with(spec, 1000);
  world.with_ball = world.with_goals = false;
  Simulation sim(world);
  FallDetector::Params params;
  params.height = 0.33;

  const std::size_t n = quick ? 20 : 200;
  std::vector<Scenario> scenarios = {
      {"standing, pushed hard", 3.0, 20, 120, 10.0, false, still, n},
      {"standing, pushed a little", 3.0, 1, 20, 1.0, false, still, n},
      {"carried about", 3.0, 0, 0, 1.0, true, still, n / 4},
  };
#ifdef WITH_WALKING
  const auto walk = walking(share, WALKING_CONFIG);
  scenarios.push_back({"walking", 30.0, 0, 0, 1.0, false, walk, quick ? std::size_t{2} : std::size_t{120}});
  scenarios.push_back({"walking, pushed a little", 10.0, 1, 5, 2.0, false, walk, n / 2});
  scenarios.push_back({"walking, pushed hard", 5.0, 15, 80, 10.0, false, walk, n});
#endif
  std::vector<Run> runs;
  Verdict walking_only;
  std::fprintf(stderr,
               "| scenario | runs | falls | missed | false alarms | lead median ms | lead 10 %% ms "
               "|\n|---|---|---|---|---|---|---|\n");
  for (const Scenario& scenario : scenarios) {
    Verdict verdict;
    for (std::size_t i = 0; i < scenario.runs; ++i) {
      runs.push_back(record(sim, scenario, static_cast<unsigned>(1000 + i)));
      judge(runs.back(), first_alarm(runs.back(), params, 1.0), verdict);
    }
    std::fprintf(stderr, "| %s | %zu | %zu | %zu | %zu | %.0f | %.0f |\n", scenario.name, scenario.runs, verdict.falls,
                 verdict.missed, verdict.false_alarms, 1000 * quantile(verdict.lead, 0.5),
                 1000 * quantile(verdict.lead, 0.1));
    if (std::string(scenario.name) == "walking") walking_only = verdict;
  }
  std::fprintf(stderr,
               "\n| detector | limit factor or rad | falls | missed | calm runs | false alarms | lead median ms | lead "
               "10 %% ms |\n|---|---|---|---|---|---|---|---|\n");
  Verdict chosen;
  for (const double factor : {0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4}) {
    Verdict verdict;
    for (const Run& run : runs) judge(run, first_alarm(run, params, factor), verdict);
    print("capture angle", factor, verdict);
    if (factor == 1.0) chosen = verdict;
  }
  for (const double limit : {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}) {
    Verdict verdict;
    for (const Run& run : runs) judge(run, first_threshold(run, limit), verdict);
    print("tilt threshold", limit, verdict);
  }
  using hl_testing::Better;
  hl_testing::report({"hl_hcm", "fall detector: missed falls of " + std::to_string(chosen.falls),
                      static_cast<double>(chosen.missed), "", 0.0, Better::Lower});
  hl_testing::report({"hl_hcm",
                      "fall detector: false alarms in " +
                          std::to_string(static_cast<int>(walking_only.calm_time / 60)) + " min walking",
                      static_cast<double>(walking_only.false_alarms), "", 0.0, Better::Lower});
  hl_testing::report(
      {"hl_hcm", "fall detector: median lead time", 1000 * quantile(chosen.lead, 0.5), "ms", {}, Better::Higher});
  return 0;
}
