// SPDX-License-Identifier: Apache-2.0
// A keeper alone: balls from 3 to 4 m that would cross the goal line anywhere
// between the posts, at 0.3 to 1 m/s and faster; a robot that only stands there;
// and nobody, so that the others are known to have been needed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <hl_description/formatted.hpp>
#include <stdexcept>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "play_trial.hpp"

namespace hl_match {
namespace {

using Eigen::Vector2d;

/// How a ball rolls out in this very world: its speed after each bit of way, from fast to slow.
class RollOut {
 public:
  explicit RollOut(const Match::Params& world) {
    PlayTrial trial(world, {{1, 0}, {0, 0}, {false, false}, 1});
    trial.place(0, {-4.0, 2.5, 0.0});
    trial.stand();
    const Vector2d start(-0.5 * world.field.length + 0.1, 0.0);
    trial.place_ball(start, {kFastest, 0.0});
    trial.match().run(30.0, [&] {
      const double speed = trial.simulation().ball_velocity().norm();
      points_.push_back({(trial.ball() - start).norm(), speed});
      return speed < 0.1 || trial.out();
    });
  }

  /// m/s with which a ball must begin to have `speed` after `way` m. Throws if it would have to be too fast.
  double launch(double way, double speed) const {
    const double begin = place_of(speed) - way;
    const auto found = std::find_if(points_.begin(), points_.end(), [&](const Point& p) { return p.way >= begin; });
    if (begin < 0.0 || found == points_.end()) throw std::runtime_error("a ball cannot be rolled that far");
    return found->speed;
  }

 private:
  static constexpr double kFastest = 3.0;  // m/s
  struct Point {
    double way, speed;  // m, m/s
  };

  double place_of(double speed) const {
    const auto found = std::find_if(points_.begin(), points_.end(), [&](const Point& p) { return p.speed <= speed; });
    if (found == points_.end()) throw std::runtime_error("a rolling ball does not become that slow on the field");
    return found->way;
  }

  std::vector<Point> points_;
};

enum class Keeper { None, Stands, Plays };

/// Whether the ball does not get into the goal.
bool stopped(const Match::Params& world, const hl_behavior::TacticsParams& tactics, const RollOut& roll, Keeper keeper,
             double slowest, double fastest, std::uint64_t seed) {
  PlayTrial trial(world, {{1, 0}, {1, 0}, {keeper == Keeper::Plays, true}, seed, tactics});
  const double line = -0.5 * world.field.length, post = 0.5 * world.field.goal_width - world.field.ball_radius;
  const double distance = trial.in(3.0, 4.0), aside = trial.in(-1.5, 1.5);
  const double crossing = trial.in(-post, post), speed = trial.in(slowest, fastest);
  const Vector2d from(line + distance, aside), to(line, crossing), way = to - from;
  trial.place(
      0, keeper == Keeper::None ? hl_description::Pose2{2.0, 2.5, 0.0} : hl_description::Pose2{line + 0.5, 0.0, 0.0});
  trial.place_ball(from);
  trial.stand();
  trial.match().run(5.0);  // sees the ball and finds its place
  trial.place_ball(from, roll.launch(way.norm(), speed) * way.normalized());
  const double rolls = trial.match().time();
  std::string save = "nothing", passed = "did not pass";  // the first save; the first moment beside the keeper
  trial.match().run(12.0, [&] {
    const double since = trial.match().time() - rolls;
    const Vector2d seen = trial.match().true_pose(0).inverse() * trial.ball();
    if (passed == "did not pass" && seen.x() < 0.0) {
      passed = hl_description::formatted("passes at %.1f s, %.2f m beside", since, seen.y());
    }
    const auto* behavior = keeper == Keeper::Plays ? trial.mind(0).behavior() : nullptr;
    if (save == "nothing" && behavior != nullptr && behavior->decision.kick) {
      save = hl_description::formatted("%.1f s, ball %.2f %.2f: ", since, seen.x(), seen.y()) +
             hl_behavior::describe(*behavior->decision.kick);
    }
    return trial.out();
  });
  const bool good = trial.in_goal() != PlayTrial::Side::Own;
  std::fprintf(stderr, "ball %llu: from %.1f m to y %.2f at %.1f m/s: %s, ball at %.2f %.2f; %s; %s\n",
               static_cast<unsigned long long>(seed), distance, crossing, speed, good ? "stopped" : "in the goal",
               trial.ball().x(), trial.ball().y(), save.c_str(), passed.c_str());
  return good;
}

}  // namespace

std::vector<Figure> evaluate_goalie(EvaluationContext& context) {
  const auto world = installed_match(context.options().robot);
  const auto tactics = context.tactics();
  const RollOut roll(world);
  std::vector<Figure> figures;
  const struct {
    const char *group, *name;
    Keeper keeper;
    double slowest, fastest;
  } kRows[] = {{"keeper", "keeper: stopped, 0.3-1.0 m/s", Keeper::Plays, 0.3, 1.0},
               {"standing", "standing robot: stopped, 0.3-1.0 m/s", Keeper::Stands, 0.3, 1.0},
               {"empty", "empty goal: stopped, 0.3-1.0 m/s", Keeper::None, 0.3, 1.0},
               {"fast", "keeper: stopped, 1.0-1.5 m/s", Keeper::Plays, 1.0, 1.5}};
  for (const auto& row : kRows) {
    if (!context.wants(row.group)) continue;
    std::vector<char> results(context.trials());
    in_parallel(results.size(), context.options().threads, [&](std::size_t i) {
      const auto seed = context.options().seed + i;
      results[i] = stopped(world, tactics, roll, row.keeper, row.slowest, row.fastest, seed) ? 1 : 0;
    });
    std::size_t good = 0;
    for (const char result : results) good += result != 0 ? 1 : 0;
    figures.push_back(share_of(row.name, good, results.size()));
    std::fprintf(stderr, "%s: %zu of %zu\n", row.name, good, results.size());
  }
  return figures;
}

}  // namespace hl_match
