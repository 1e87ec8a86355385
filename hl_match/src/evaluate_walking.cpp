// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <hl_description/formatted.hpp>

#include "hl_match/evaluations.hpp"
#include "hl_match/scenarios.hpp"
#include "zmp.hpp"

namespace hl_match {
namespace {

using hl_walking::Velocity;

struct Rows {
  const EvaluationOptions& options;
  Match::Params world;
  std::size_t count;
  std::vector<Figure> figures;

  const hl_walking::Params& limits() const { return world.files->walk.walk; }

  template <class Result>
  std::vector<Result> all(const std::function<Result(std::uint64_t seed)>& trial) const {
    std::vector<Result> results(count);
    in_parallel(count, options.threads, [&](std::size_t i) { results[i] = trial(options.seed + i); });
    return results;
  }
};

/// Steady speed in each direction, how well it follows the command, and what odometry counts.
void speeds(Rows& rows) {
  struct Direction {
    const char* name;
    Velocity command;
  };
  const auto& most = rows.limits();
  std::vector<double> worst_tracking;
  double worst = -1.0;
  for (const Direction& direction :
       {Direction{"forward", {most.max_forward, 0.0, 0.0}}, Direction{"forward, slowly", {most.max_forward / 2, 0, 0}},
        Direction{"back", {-most.max_backward, 0.0, 0.0}}, Direction{"left", {0.0, most.max_sideways, 0.0}},
        Direction{"right", {0.0, -most.max_sideways, 0.0}}, Direction{"turning left", {0.0, 0.0, most.max_turn}},
        Direction{"turning right", {0.0, 0.0, -most.max_turn}}}) {
    const Velocity& command = direction.command;
    const auto results = rows.all<WalkResult>([&](std::uint64_t seed) {
      WalkTrial trial;
      trial.duration = 14.0;
      trial.settled = 2.0;
      trial.seed = seed;
      trial.velocity = [&](double) { return command; };
      return walk(rows.world, trial);
    });
    const bool turns = command.yaw != 0.0;
    const double asked = std::abs(command.x + command.y + command.yaw);
    std::vector<double> measured, wrong, tracking;
    for (const WalkResult& result : results) {
      const double way = turns ? std::abs(result.way.yaw) : result.way.position().norm();
      measured.push_back(result.fell ? 0.0 : way / result.time);
      tracking.push_back(std::abs(measured.back() / asked - 1.0) * 100.0);
      wrong.push_back(turns ? std::abs(result.counted.yaw - result.way.yaw) / way * 360.0
                            : (result.counted.position() - result.way.position()).norm() / way * 100.0);
    }
    const std::string name = hl_description::formatted("walk %s (asked %.2f)", direction.name, asked);
    rows.figures.push_back(mean_of(name, measured, turns ? "rad/s" : "m/s"));
    rows.figures.push_back(
        mean_of(std::string("odometry error, ") + direction.name, wrong, turns ? "degrees per turn" : "% of the way"));
    const double mean = mean_of("", tracking, "").value;
    if (mean <= worst) continue;
    worst = mean;
    worst_tracking = tracking;
  }
  rows.figures.push_back(mean_of("velocity tracking, worst direction", worst_tracking, "%"));
}

/// Time to 90 % of full speed, and steps after the one under way until it stands.
void start_and_stop(Rows& rows) {
  constexpr double kStop = 4.0;  // s
  const auto& most = rows.limits();
  struct Result {
    double start = kStop;  // s
    int steps = 0;
    bool stands = false;
  };
  const auto results = rows.all<Result>([&](std::uint64_t seed) {
    Result result;
    std::vector<hl_description::Pose2> way;  // tick by tick
    int steps_at_stop = -1;
    WalkTrial trial;
    trial.seed = seed;
    trial.duration = 6.0;
    trial.velocity = [&](double time) { return time < kStop ? Velocity{most.max_forward, 0, 0} : Velocity{}; };
    const auto step = static_cast<std::size_t>(std::lround(most.step_duration / Match::kTick));
    trial.watch = [&](const LoneRobot& robot, double time) {
      way.push_back(robot.pose());
      if (result.start >= kStop && way.size() > step) {  // mean over one step: within it the speed goes up and down
        const double gone = (way.back().position() - way[way.size() - 1 - step].position()).norm();
        if (gone > 0.9 * most.max_forward * most.step_duration) result.start = time;
      }
      const auto& out = robot.gait();
      if (time >= kStop && steps_at_stop < 0) steps_at_stop = out.steps;
      result.steps = out.steps - steps_at_stop - 1;
      result.stands = out.phase == hl_walking::Phase::Standing;
    };
    result.stands = !walk(rows.world, trial).fell && result.stands;
    return result;
  });
  std::vector<std::vector<double>> starts, steps;
  std::size_t standing = 0;
  for (const Result& result : results) {
    starts.push_back({result.start});
    steps.push_back({static_cast<double>(result.steps)});
    standing += result.stands;
  }
  rows.figures.push_back(quantile_of("from standing to 90 % of full speed, median", starts, 0.5, "s"));
  rows.figures.push_back(quantile_of("the same, slowest", starts, 1.0, "s"));
  rows.figures.push_back(quantile_of("steps until it stands, most", steps, 1.0, ""));
  rows.figures.push_back(share_of("stands two seconds after the command to stop", standing, rows.count));
}

/// Walks by random commands that do not end in a fall.
void row_of_walks(Rows& rows, const std::string& how, const WalkTrial& trial, const Match::Params& world) {
  const double seconds = rows.options.half_time;
  const auto results = rows.all<WalkResult>([&](std::uint64_t seed) {
    WalkTrial own = trial;
    own.duration = seconds;
    own.seed = seed;
    own.velocity = [&](double time) { return random_command(rows.limits(), time, seed); };
    return walk(world, own);
  });
  const auto standing = std::count_if(results.begin(), results.end(), [](const auto& r) { return !r.fell; });
  const std::string name = hl_description::formatted("without a fall: %g s of random commands", seconds);
  rows.figures.push_back(share_of(name + how, static_cast<std::size_t>(standing), rows.count));
}

WalkTrial with(double WalkTrial::*value, double number) {
  WalkTrial trial;
  trial.*value = number;
  return trial;
}

void undisturbed(Rows& rows) {
  row_of_walks(rows, "", {}, rows.world);
}

void pushes(Rows& rows) {
  for (const int push : {5, 8, 12}) {
    const std::string how = ", pushes of " + std::to_string(push) + " N every 2 s";
    row_of_walks(rows, how, with(&WalkTrial::push, push), rows.world);
  }
}

void other_worlds(Rows& rows) {
  row_of_walks(rows, ", friction 0.5", with(&WalkTrial::friction, 0.5), rows.world);
  row_of_walks(rows, ", friction 1.3", with(&WalkTrial::friction, 1.3), rows.world);
  row_of_walks(rows, ", 16 ms more actuator lag", with(&WalkTrial::command_delay, 0.016), rows.world);
  row_of_walks(rows, ", mass +10 %", with(&WalkTrial::mass_factor, 1.1), rows.world);
}

void contacts(Rows& rows) {
  using hl_walking::ContactSource;
  for (const auto& [source, name] :
       {std::pair(ContactSource::JointLoad, "joint loads"), {ContactSource::Imu, "the IMU alone"}}) {
    const auto world = with_files(rows.world, [s = source](auto& files) { files.walk_control.contact_source = s; });
    row_of_walks(rows, std::string(", touch-down by ") + name + ", pushes of 5 N", with(&WalkTrial::push, 5.0), world);
  }
}

void kicks(Rows& rows) {
  const auto results = rows.all<KickResult>([&](std::uint64_t seed) { return kick(rows.world, seed); });
  std::vector<std::vector<double>> distances, errors;
  std::size_t standing = 0;
  for (const KickResult& result : results) {
    distances.push_back({result.distance});
    errors.push_back({std::abs(result.error) * 180.0 / M_PI});
    standing += result.kicked && !result.fell;
  }
  rows.figures.push_back(quantile_of("kick, median distance", distances, 0.5, "m"));
  rows.figures.push_back(quantile_of("kick, median direction error", errors, 0.5, "degrees"));
  rows.figures.push_back(share_of("kicked and standing", standing, rows.count));
}

/// Where the zero-moment point is in straight walks at several speeds.
void zmp(Rows& rows) {
  for (const double part : {0.5, 0.75, 1.0}) {
    const auto results = rows.all<std::vector<ZmpSample>>(
        [&](std::uint64_t seed) { return record_zmp(rows.world, part * rows.limits().max_forward, 1.0, 7.0, seed); });
    std::vector<double> planned, edge, off;
    for (const auto& samples : results) {
      double inside = 0.0, squares = 0.0;
      for (const ZmpSample& sample : samples) {
        inside += sample.planned_margin > 0.0 ? 1.0 : 0.0;
        squares += (sample.measured - sample.planned).squaredNorm();
      }
      const auto ticks = static_cast<double>(std::max<std::size_t>(1, samples.size()));
      planned.push_back(100.0 * inside / ticks);
      edge.push_back(100.0 * (1.0 - share_inside(samples, 0.002)));
      off.push_back(1000.0 * std::sqrt(squares / ticks));
    }
    const std::string at = hl_description::formatted("ZMP at %.0f %% of full speed: ", 100.0 * part);
    rows.figures.push_back(mean_of(at + "planned inside the support polygon", planned, "% of ticks"));
    rows.figures.push_back(mean_of(at + "measured nearer to its edge than 2 mm", edge, "% of ticks"));
    rows.figures.push_back(mean_of(at + "measured off the plan, root mean square", off, "mm"));
  }
  if (rows.options.pictures.empty()) return;
  draw_zmp(record_zmp(rows.world, 0.75 * rows.limits().max_forward, 3.0, 5.2, rows.options.seed),
           rows.options.pictures + "/zmp.svg");
}

}  // namespace

std::vector<Figure> evaluate_walking(EvaluationContext& context) {
  Rows rows{context.options(), context.world(), context.trials(), {}};
  if (!rows.options.walk.empty()) {
    const auto config = hl_walking::load_config(rows.options.walk);
    rows.world = with_files(rows.world, [&](auto& files) { files.walk = config; });
  }
  if (context.wants("speeds")) speeds(rows);
  if (context.wants("start")) start_and_stop(rows);
  if (context.wants("random")) undisturbed(rows);
  if (context.wants("pushes")) pushes(rows);
  if (context.wants("worlds")) other_worlds(rows);
  if (context.wants("contact")) contacts(rows);
  if (context.wants("kick")) kicks(rows);
  if (context.wants("zmp")) zmp(rows);
  return rows.figures;
}

}  // namespace hl_match
