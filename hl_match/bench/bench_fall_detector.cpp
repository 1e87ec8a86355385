// SPDX-License-Identifier: Apache-2.0
// How good the fall detector is, beside plain tilt thresholds, on runs in physics with the HCM's reactions off.
// A fall: a robot that stood touches the ground with a part other than feet, forearms or hands.
// usage: bench_fall_detector [--quick] [--seed FIRST] [--part 0..1]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <hl_description/geometry.hpp>
#include <random>

#include "hands.hpp"
#include "hl_match/evaluations.hpp"
#include "hl_match/impact.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/lone_robot.hpp"
#include "hl_testing/bench_report.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program is about it
using hl_hcm::Direction;
using hl_hcm::FallDetector;
using hl_hcm::State;

namespace {

const std::vector<double> kFactors = {0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4};
const std::vector<double> kLimits = {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};  // rad

constexpr double kNever = -1.0;  // s

/// When each detector spoke in one run and, if the robot fell, when it touched the ground.
struct Run {
  std::vector<double> by_factor = std::vector<double>(kFactors.size(), kNever);  // s
  std::vector<double> by_limit = std::vector<double>(kLimits.size(), kNever);    // s
  double ground = kNever;                                                        // s
  double duration = 0.0;                                                         // s
};

struct Dice {
  std::mt19937 random;
  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random); }
  double side() { return uniform(-1, 1) < 0 ? -1.0 : 1.0; }
};

/// Something to do in every control cycle, `time` (s) after the robot was ready.
using Script = std::function<void(LoneRobot&, double time)>;

struct Scenario {
  const char* name;
  double duration;  // s
  std::size_t runs;
  std::function<Script(LoneRobot&, Dice&)> script;
  Direction lies_on = Direction::None;
  LoneRobot::Ball ball = LoneRobot::Ball::None;
  bool meant = false;  // going down is part of it: lying is no fall
};

/// The HCM's own detector speaks only when all is over: it does not react.
Match::Params reactions_off(const Match::Params& world) {
  return with_files(without_fall_reactions(world), [](auto& files) { files.hcm.max_attempts = 1; });
}

/// The shipped detector with wider and narrower limits, and plain thresholds of the tilt, beside the HCM of one run.
class Detectors {
 public:
  explicit Detectors(const FallDetector::Params& shipped) {
    for (const double factor : kFactors) {
      FallDetector::Params params = shipped;
      for (double* limit : {&params.front_limit, &params.back_limit, &params.side_limit, &params.tilt_limit})
        *limit *= factor;
      detectors_.emplace_back(params);
    }
  }

  /// One tick of the robot, with what its HCM hears in it; false if the physics diverged.
  bool step(LoneRobot& robot, Run& run) {
    const auto imu = robot.body().read().imu;
    const double now = robot.time();
    if (!robot.step()) return false;
    const auto up = hl_description::up_of(imu.orientation);
    const auto tilt = hl_description::tilt_of_up(up);
    const bool watches = robot.hcm().watches_falls();
    for (std::size_t k = 0; k < kFactors.size(); ++k) {
      const auto direction = detectors_[k].update(up, imu.angular_velocity, now, robot.hcm().fall_factor());
      if (watches && direction != Direction::None) speak(run.by_factor[k], now);
    }
    for (std::size_t k = 0; k < kLimits.size(); ++k)
      if (watches && std::max(std::abs(tilt.pitch), std::abs(tilt.roll)) > kLimits[k]) speak(run.by_limit[k], now);
    return true;
  }

 private:
  static void speak(double& first, double now) {
    if (first < 0.0) first = now;
  }
  std::vector<FallDetector> detectors_;
};

Run record(const Match::Params& world, const Scenario& scenario, unsigned seed) {
  Run run;
  Dice dice{std::mt19937(seed)};
  LoneRobot robot(reactions_off(world), seed, scenario.ball);
  Detectors detectors(world.files->hcm.fall);
  const bool lies = scenario.lies_on != Direction::None;
  if (lies) robot.lie_down(scenario.lies_on);
  const State ready = lies ? State::GettingUp : State::Controllable;
  while (robot.time() < 8.0 && robot.hcm().state() != ready)
    if (!detectors.step(robot, run)) return run;
  const Script script = scenario.script(robot, dice);
  const double start = robot.time();
  bool stood = !lies;
  double upright = 0.0;  // s
  // A run does not end in the middle of a fall.
  const auto goes_on = [&] {
    const double time = robot.time() - start;
    return time < scenario.duration || (robot.body().tilt() > 0.5 && stood && time < scenario.duration + 2.0);
  };
  while (goes_on()) {
    script(robot, robot.time() - start);
    if (!detectors.step(robot, run)) break;
    upright = robot.body().tilt() < 0.4 ? upright + Match::kTick : 0.0;
    stood = stood || upright > 0.2;
    if (!stood || scenario.meant) continue;
    if (robot.lies()) {
      run.ground = robot.time();
      break;
    }
  }
  // Rests on its hands: fallen all the same.
  if (run.ground < 0.0 && stood && !scenario.meant && robot.body().tilt() > 0.9) run.ground = robot.time();
  run.duration = robot.time();
  return run;
}

struct Tally {
  std::size_t falls = 0, missed = 0, calm = 0, false_alarms = 0;
  std::vector<double> lead;  // s
  double calm_time = 0.0;    // s without a fall

  void add(const Run& run, double alarm) {
    if (run.ground < 0.0) {
      ++calm;
      calm_time += run.duration;
      if (alarm >= 0.0) ++false_alarms;
      return;
    }
    ++falls;
    if (alarm < 0.0)
      ++missed;
    else
      lead.push_back(run.ground - alarm);
  }
  double lead_ms(double quantile) const {
    if (lead.empty()) return 0.0;
    std::vector<double> sorted = lead;
    std::sort(sorted.begin(), sorted.end());
    return 1000 * sorted[static_cast<std::size_t>(quantile * static_cast<double>(sorted.size() - 1))];
  }
};

// --- what happens to the robot ---

Script still(LoneRobot&, Dice&) {
  return [](LoneRobot&, double) {};
}

/// Pushes of `low`..`high` N for 0.1 s, first within a second, then every `period` s, beside something else.
std::function<Script(LoneRobot&, Dice&)> pushed(std::function<Script(LoneRobot&, Dice&)> what, double low, double high,
                                                double period) {
  return [=](LoneRobot& robot, Dice& dice) -> Script {
    const Script script = what(robot, dice);
    double next = dice.uniform(0.3, 0.3 + std::min(1.5, period));
    Dice own{std::mt19937(dice.random())};
    return [=](LoneRobot& s, double time) mutable {
      script(s, time);
      if (time < next) return;
      next += period;
      const double force = own.uniform(low, high), angle = own.uniform(-M_PI, M_PI);
      s.body().push({force * std::cos(angle), force * std::sin(angle), 0.0}, 0.1, "torso");
    };
  };
}

/// Random velocities that change every three seconds, stops among them.
Script walk(LoneRobot&, Dice& dice) {
  Dice own{std::mt19937(dice.random())};
  double next = 0.0;
  return [=](LoneRobot& robot, double time) mutable {
    if (time < next) return;
    next += 3.0;
    const auto& most = robot.motion().files().walk.walk;
    const auto part = [&](double low, double high) { return own.uniform(low, high); };
    if (own.uniform(0, 1) < 0.15)
      robot.walk({});
    else
      robot.walk({part(-most.max_backward, most.max_forward), part(-most.max_sideways, most.max_sideways),
                  part(-most.max_turn, most.max_turn)});
  };
}

Script standing_kick(LoneRobot& robot, Dice& dice) {
  const double aside = dice.side() * (0.06 + dice.uniform(-0.015, 0.015));
  robot.kick({0.17 + dice.uniform(-0.015, 0.015), aside});
  return still(robot, dice);
}

std::function<Script(LoneRobot&, Dice&)> animation(std::vector<std::string> names) {
  return [=](LoneRobot& robot, Dice& dice) -> Script {
    robot.orders().animation =
        names[static_cast<std::size_t>(dice.uniform(0, static_cast<double>(names.size()) - 1e-9))];
    return [](LoneRobot&, double) {};
  };
}

/// Lifted, carried about at all angles, put down again and let go.
Script carried(LoneRobot& robot, Dice& dice) {
  auto hands = std::make_shared<Hands>(robot.body());
  const double roll = dice.uniform(-0.6, 0.6), pitch = dice.uniform(-0.6, 0.6), lift = dice.uniform(0.4, 1.0);
  return [=](LoneRobot&, double time) {
    const auto ramp = [time](double from, double to) { return std::clamp((time - from) / (to - from), 0.0, 1.0); };
    const double up = ramp(0.3, 0.3 + lift) - ramp(3.2, 4.0), tilt = ramp(0.6, 1.6) - ramp(2.2, 3.0);
    if (time < 4.2) hands->hold(0.25 * up, roll * tilt, pitch * tilt, Match::kTick);
  };
}

std::vector<Scenario> scenarios(bool quick) {
  const std::size_t n = quick ? 4 : 50;
  return {
      {"standing, pushed a little", 3.0, 2 * n, pushed(still, 1, 20, 1.0)},
      {"standing, pushed hard", 3.0, 2 * n, pushed(still, 20, 120, 10.0)},
      {"walking", 60.0, quick ? std::size_t{1} : std::size_t{60}, walk},
      {"walking, pushed a little", 10.0, n, pushed(walk, 1, 5, 2.0)},
      {"walking, pushed hard", 5.0, 2 * n, pushed(walk, 15, 80, 10.0)},
      {"kick of the walking node", 4.0, n, standing_kick, Direction::None, LoneRobot::Ball::Aside},
      {"kick, pushed hard", 4.0, n, pushed(standing_kick, 15, 60, 10.0), Direction::None, LoneRobot::Ball::Aside},
      {"kick animations", 5.0, n, animation({"kick_left", "kick_right", "kick_soft_left", "kick_soft_right"})},
      {"other animations", 6.0, n / 2, animation({"greeting", "head_scan", "sit_down"})},
      {"animations, pushed hard", 5.0, n,
       pushed(animation({"kick_left", "kick_right", "kick_soft_left", "kick_soft_right", "dive_center"}), 15, 60,
              10.0)},
      {"getting up from the front", 7.0, n / 2, still, Direction::Front},
      {"getting up from the back", 7.0, n / 2, still, Direction::Back},
      {"getting up, pushed hard", 7.0, n, pushed(still, 20, 80, 1.2), Direction::Front},
      {"block in a deep squat", 4.0, n / 2, animation({"dive_center"})},
      {"dives to the sides", 4.0, n / 2, animation({"dive_left", "dive_right"}), Direction::None, LoneRobot::Ball::None,
       true},
      {"picked up, carried, put down", 6.0, n, carried},
  };
}

struct Job {
  const Scenario* scenario;
  unsigned seed;
  Run run;
};

}  // namespace

int main(int argc, char** argv) {
  bool quick = false;
  unsigned seed = 10000;
  double part = 1.0;
  int threads = 2;
  CLI::App cli(
      "Lets the Minibot stand, walk, kick, play and get up in physics, pushed and not, and counts falls that the\n"
      "detector missed and false alarms, of the shipped limits and of others.");
  cli.add_flag("--quick", quick, "few runs, for a first look");
  cli.add_option("--seed", seed, "of the first run")->capture_default_str();
  cli.add_option("--part", part, "of the runs")->check(CLI::Range(0.0, 1.0))->capture_default_str();
  cli.add_option("--threads", threads, "runs at the same time")->check(CLI::Range(1, 64))->capture_default_str();
  CLI11_PARSE(cli, argc, argv);
  const auto list = scenarios(quick);
  std::vector<Job> jobs;
  for (const Scenario& scenario : list)
    for (std::size_t i = 0; static_cast<double>(i) < part * static_cast<double>(scenario.runs); ++i)
      jobs.push_back({&scenario, seed++, {}});
  const auto world = installed_match();
  in_parallel(jobs.size(), threads,
              [&](std::size_t i) { jobs[i].run = record(world, *jobs[i].scenario, jobs[i].seed); });

  const auto shipped = static_cast<std::size_t>(std::find(kFactors.begin(), kFactors.end(), 1.0) - kFactors.begin());
  std::vector<Tally> by_factor(kFactors.size()), by_limit(kLimits.size());
  Tally walking;
  std::fprintf(stderr,
               "| scenario | runs | falls | missed | false alarms | lead median ms | lead 10 %% ms |\n"
               "|---|---|---|---|---|---|---|\n");
  for (const Scenario& scenario : list) {
    Tally tally;
    for (const Job& job : jobs) {
      if (job.scenario != &scenario) continue;
      for (std::size_t k = 0; k < kFactors.size(); ++k) by_factor[k].add(job.run, job.run.by_factor[k]);
      for (std::size_t k = 0; k < kLimits.size(); ++k) by_limit[k].add(job.run, job.run.by_limit[k]);
      const double alarm = job.run.by_factor[shipped];
      tally.add(job.run, alarm);
      if ((job.run.ground < 0.0) == (alarm >= 0.0))
        std::fprintf(stderr, "seed %u: %s\n", job.seed, alarm < 0.0 ? "missed" : "false alarm");
    }
    std::fprintf(stderr, "| %s | %zu | %zu | %zu | %zu | %.0f | %.0f |\n", scenario.name, tally.falls + tally.calm,
                 tally.falls, tally.missed, tally.false_alarms, tally.lead_ms(0.5), tally.lead_ms(0.1));
    if (std::string(scenario.name) == "walking") walking = tally;
  }
  std::fprintf(stderr,
               "\n| detector | falls | missed | calm runs | false alarms | lead median ms | lead 10 %% ms |\n"
               "|---|---|---|---|---|---|---|\n");
  const auto print = [](const char* detector, double setting, const Tally& v) {
    std::fprintf(stderr, "| %s %.1f | %zu | %zu | %zu | %zu | %.0f | %.0f |\n", detector, setting, v.falls, v.missed,
                 v.calm, v.false_alarms, v.lead_ms(0.5), v.lead_ms(0.1));
  };
  for (std::size_t k = 0; k < kFactors.size(); ++k) print("capture angle, limits x", kFactors[k], by_factor[k]);
  for (std::size_t k = 0; k < kLimits.size(); ++k) print("tilt beyond", kLimits[k], by_limit[k]);

  const Tally& chosen = by_factor[shipped];
  using hl_testing::Better;
  const auto count = [](std::size_t n) { return static_cast<double>(n); };
  const std::string minutes = std::to_string(static_cast<int>(walking.calm_time / 60));
  hl_testing::report({"hl_match", "fall detector: missed falls of " + std::to_string(chosen.falls),
                      count(chosen.missed), "", 0.0, Better::Lower});
  hl_testing::report({"hl_match", "fall detector: false alarms in " + minutes + " min walking",
                      count(walking.false_alarms), "", 0.0, Better::Lower});
  hl_testing::report({"hl_match",
                      "fall detector: false alarms in all " + std::to_string(chosen.calm) + " runs without a fall",
                      count(chosen.false_alarms), "", 0.0, Better::Lower});
  hl_testing::report({"hl_match", "fall detector: median lead time", chosen.lead_ms(0.5), "ms", {}, Better::Higher});
  return 0;
}
