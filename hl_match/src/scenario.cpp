// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <hl_description/formatted.hpp>
#include <hl_player/mind.hpp>

namespace hl_match {
namespace {

using hl_description::formatted;

using Eigen::Vector2d;

constexpr double kBearings = 6.0;  // s to stand up and find out where it is

/// A mind that hears the scenario's referee and team mates instead of the real
/// ones.
class Listener : public hl_player::Thinker {
 public:
  Listener(const Scenario& scenario, std::unique_ptr<hl_player::Mind> mind)
      : scenario_(scenario), mind_(std::move(mind)) {}

  const Outputs& step(const Inputs& inputs, double now) override {
    inputs_ = inputs;
    game_ = begun ? scenario_.game : scenario_.before;
    game_.stamp = now;
    if (begun && scenario_.referee_falls_silent) game_.referee_connected = false;
    inputs_.game = &game_;
    if (!begun || !scenario_.mates_fall_silent) {
      mates_ = scenario_.mates;
      for (auto& mate : mates_) mate.stamp = now - 0.1;
    }
    inputs_.team_mates = &mates_;
    if (scenario_.blind) inputs_.percepts.clear();
    return mind_->step(inputs_, now);
  }

  bool begun = false;
  const hl_player::Mind& mind() const { return *mind_; }

 private:
  const Scenario& scenario_;
  std::unique_ptr<hl_player::Mind> mind_;
  Inputs inputs_;
  hl_soccer::GameState game_;
  std::vector<hl_soccer::TeamMate> mates_;
};

/// Watches what happens in the moment.
struct Watch {
  const Scenario& scenario;
  Match& match;
  const Listener& listener;
  bool row_reached = false;
  std::string rows{};  // all that were reached
  double off_ball = 1e9, off_robots = 1e9, moved = 0.0, turned = 0.0, ball_moved = 0.0;
  hl_description::Pose2 start{};
  Vector2d ball_start = Vector2d::Zero();
  bool there = false;  // has been as far off the ball as it must

  Vector2d ball() const { return match.simulation().ball_position().head<2>(); }

  void look() {
    const auto pose = match.true_pose(0);
    const auto* behavior = listener.mind().behavior();
    if (behavior != nullptr && scenario.expect.row == behavior->decision.row) row_reached = true;
    if (behavior != nullptr && rows.find(behavior->decision.row) == std::string::npos)
      rows += std::string(rows.empty() ? "" : ", ") + behavior->decision.row;
    moved = std::max(moved, (pose.position() - start.position()).norm());
    turned = std::max(turned, std::abs(hl_description::wrap_angle(pose.yaw - start.yaw)));
    ball_moved = std::max(ball_moved, (ball() - ball_start).norm());
    const double distance = (pose.position() - ball()).norm();
    there = there || distance >= scenario.expect.off_ball.value_or(0.0);
    if (there) off_ball = std::min(off_ball, distance);
    for (std::size_t i = 1; i < match.size(); ++i)
      off_robots = std::min(off_robots, (match.simulation().robot(i).pose().translation().head<2>() -
                                         match.simulation().robot(0).pose().translation().head<2>())
                                            .norm());
  }

  std::vector<std::string> complaints(const hl_description::Field& field) const {
    const auto& e = scenario.expect;
    std::vector<std::string> all;
    const auto pose = match.true_pose(0);
    const double half = 0.5 * field.length;
    if (!e.row.empty() && !row_reached) all.push_back("row '" + e.row + "' was not reached, but " + rows);
    if (e.stands && moved > 0.2)
      all.push_back(formatted("moved by %.2f m instead of standing (at most %.2f)", moved, 0.2));
    if (e.turns && turned < 0.5) all.push_back(formatted("turned by %.2f rad only (at least %.2f)", turned, 0.5));
    if (e.own_half && pose.x > 0.0)
      all.push_back(formatted("stands at %.2f %.2f, not in the own half", pose.x, pose.y));
    const double begin = (start.position() - ball_start).norm(), end = (pose.position() - ball()).norm();
    if (e.nears_ball && end > begin - 0.2 && ball_moved < 0.1)
      all.push_back(formatted("is %.2f m from the ball after %.2f m at the beginning", end, begin));
    if (e.touches_ball && *e.touches_ball != (ball_moved > 0.1))
      all.push_back(formatted("the ball moved by %.2f m (limit %.2f)", ball_moved, 0.1));
    const bool scored = ball().x() > half && std::abs(ball().y()) < 0.5 * field.goal_width;
    if (e.ball_in && !scored && (std::abs(ball().x()) > half || std::abs(ball().y()) > 0.5 * field.width))
      all.push_back(formatted("the ball is out, at %.2f %.2f", ball().x(), ball().y()));
    if (e.ball_ahead && ball().x() - ball_start.x() < *e.ball_ahead)
      all.push_back(formatted("the ball is %.2f m ahead of where it lay (at least %.2f)", ball().x() - ball_start.x(),
                              *e.ball_ahead));
    if (e.off_ball && (!there || off_ball < *e.off_ball - 0.1))
      all.push_back(formatted("came within %.2f m of the ball (allowed %.2f)", off_ball, *e.off_ball));
    if (e.own_goal && (pose.position() - Vector2d(-half, 0.0)).norm() > *e.own_goal)
      all.push_back(formatted("is at %.2f %.2f, not at the own goal", pose.x, pose.y));
    if (e.off_robots && off_robots < *e.off_robots)
      all.push_back(formatted("came within %.2f m of another robot (allowed %.2f)", off_robots, *e.off_robots));
    if (e.goal && !scored) all.push_back(formatted("no goal: the ball is at %.2f %.2f", ball().x(), ball().y()));
    if (match.timeline().count("fall") > 0) all.push_back("the robot fell");
    return all;
  }
};

}  // namespace

std::vector<std::string> play(const Scenario& scenario, const Match::Params& world, std::uint64_t seed) {
  Match::Params params = world;
  params.players = {1, static_cast<int>(scenario.opponents.size())};
  params.referee.reset();
  params.seed = seed;
  Listener* listener = nullptr;
  params.mind = [&](int team, int) -> std::unique_ptr<hl_player::Thinker> {
    if (team != 0) return nullptr;
    hl_player::Mind::Params mind;
    mind.set(world.field, world.files->walk.walk);
    mind.behavior.tactics.number = scenario.game.own_player;
    mind.behavior.tactics.role = scenario.role;
    if (scenario.stops_without_referee) mind.behavior.tactics.without_referee = hl_behavior::WithoutReferee::Stop;
    auto made = std::make_unique<Listener>(scenario, std::make_unique<hl_player::Mind>(*world.files, mind));
    listener = made.get();
    return made;
  };
  Match match(params);
  match.place(0, scenario.robot);
  for (std::size_t i = 0; i < scenario.opponents.size(); ++i) {
    const auto& pose = scenario.opponents[i].pose;  // their map is turned
    match.place(i + 1, {-pose.x, -pose.y, hl_description::wrap_angle(pose.yaw + M_PI)});
  }
  const Vector2d ball = scenario.ball.value_or(Vector2d(30.0, 30.0));
  if (const auto refused = match.simulation().place_ball({ball.x(), ball.y(), 0.0})) return {*refused};
  match.run(kBearings);
  match.place(0, scenario.robot);  // it may have walked
  match.simulation().place_ball({ball.x(), ball.y(), 0.0});
  match.run(0.5);

  listener->begun = true;
  Watch watch{scenario, match, *listener};
  watch.start = match.true_pose(0);
  watch.ball_start = watch.ball();
  match.run(scenario.seconds, [&] {
    watch.look();
    return scenario.expect.goal && watch.ball().x() > 0.5 * world.field.length + world.field.ball_radius;
  });
  return watch.complaints(world.field);
}

}  // namespace hl_match
