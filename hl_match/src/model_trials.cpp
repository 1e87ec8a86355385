// SPDX-License-Identifier: Apache-2.0
#include "model_trials.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <random>

namespace hl_match {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using hl_description::Pose2;
using hl_world_model::PersonalModel;
using hl_world_model::TeamModel;

constexpr double kSeenLately = 0.5;  // s
constexpr double kSample = 0.2;      // s
constexpr double kInside95 = 5.991;  // chi square, two degrees of freedom

double uniform(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vector2d towards(double angle, double distance) {
  return distance * Vector2d(std::cos(angle), std::sin(angle));
}

/// Things that arrive later than they were sent.
template <class T>
class Queue {
 public:
  void send(const T& thing, double now, const Lateness& how, std::mt19937_64& random) {
    const double late = std::max(0.0, how.delay + how.jitter * uniform(random, -1.0, 1.0));
    if (uniform(random, 0.0, 1.0) >= how.loss) under_way_.push_back({now + late, thing});
  }
  std::vector<T> receive(double now) {
    std::vector<T> arrived;
    for (std::size_t k = 0; k < under_way_.size();) {
      if (under_way_[k].first > now) {
        ++k;
        continue;
      }
      arrived.push_back(under_way_[k].second);
      under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return arrived;
  }

 private:
  std::vector<std::pair<double, T>> under_way_;
};

/// A second model of the same robot, whose pictures come as `how` says.
struct LateModel {
  LateModel(const PersonalModel::Params& params, const Lateness& how_) : how(how_), model(params) {}
  Lateness how;
  Queue<hl_soccer::Percepts> pictures;
  PersonalModel model;
  PersonalModel::Outputs outputs;

  void step(const hl_soccer::Odometry& odometry, hl_soccer::BodyState body, double now) {
    PersonalModel::Inputs inputs;
    inputs.odometry = odometry;
    inputs.body = body;
    inputs.percepts = pictures.receive(now);
    if (!how.compensated) {
      double earlier = 0.0;
      for (auto& picture : inputs.percepts) picture.stamp = now - (earlier += 1e-4);
    }
    outputs = model.step(inputs, now);
  }
};

void judge(const hl_soccer::Model& model, const GuidedTrial& trial, const hl_soccer::Model& truth,
           ModelErrors& errors) {
  const double now = trial.time();
  const double distance = truth.ball.position.norm();
  if (model.ball.confidence > 0.0 && now - model.ball.last_seen < kSeenLately && distance < 4.0) {
    const Vector2d off = model.ball.position - truth.ball.position;
    (distance < 2.0 ? errors.near : errors.far).push_back(off.norm());
    errors.inside += off.dot(model.ball.covariance.topLeftCorner<2, 2>().inverse() * off) < kInside95;
  }
  for (const auto& robot : model.robots) {
    if (now - robot.last_seen > 2.0 * kSeenLately || robot.position.norm() > 3.0) continue;
    double best = 99.0;
    for (const auto& other : truth.robots) best = std::min(best, (other.position - robot.position).norm());
    errors.robots.push_back(best);
  }
}

/// Whether a place on the ground, m in base_footprint, is in the picture.
bool in_picture(const hl_simulation::Eye& eye, const Vector2d& place) {
  const Vector3d p = eye.camera.inverse() * (eye.footprint * Vector3d(place.x(), place.y(), 0.0));
  return p.z() > 0.0 && std::abs(p.x()) < p.z() * std::tan(0.5 * eye.horizontal_fov) &&
         std::abs(p.y()) < p.z() * std::tan(0.5 * eye.vertical_fov);
}

void roll_ball(GuidedTrial& trial, const Vector2d& place, const Vector2d& velocity = Vector2d::Zero()) {
  auto& simulation = trial.match().simulation();
  const double height = trial.match().params().field.ball_radius;
  simulation.place_ball(Vector3d(place.x(), place.y(), height), Vector3d(velocity.x(), velocity.y(), 0.0));
}

}  // namespace

const std::vector<Lateness>& late_pictures() {
  static const std::vector<Lateness> rows = [] {
    std::vector<Lateness> all;
    for (const auto& [delay, jitter, loss] :
         {std::array{0.0, 0.0, 0.0}, {0.03, 0.0, 0.0}, {0.06, 0.03, 0.0}, {0.12, 0.0, 0.0}, {0.12, 0.06, 0.1}}) {
      all.push_back({delay, jitter, loss, true});
      all.push_back({delay, jitter, loss, false});
    }
    return all;
  }();
  return rows;
}

const std::vector<Lateness>& late_words() {
  static const std::vector<Lateness> rows = [] {
    std::vector<Lateness> all;
    for (const auto& [delay, jitter, loss] : {std::array{0.05, 0.0, 0.0}, {0.2, 0.1, 0.1}, {0.5, 0.2, 0.3}}) {
      all.push_back({delay, jitter, loss, true});
      all.push_back({delay, jitter, loss, false});
    }
    return all;
  }();
  return rows;
}

void exchange(TrialValues& values, ModelErrors& errors) {
  values(errors.near);
  values(errors.far);
  values(errors.robots);
  values(errors.inside);
}

void exchange(TrialValues& values, ModelWalk& walk) {
  values(walk.own);
  values(walk.late);
}

void exchange(TrialValues& values, Shot& shot) {
  values(shot.judged);
  values(shot.time_error);
  values(shot.place_error);
}

void exchange(TrialValues& values, Forgetting& forgetting) {
  values(forgetting.judged);
  values(forgetting.all);
  values(forgetting.looked_at);
}

GuidedTrial ModelTrials::stand(std::uint64_t seed, const Pose2& pose, int robots) const {
  Match::Params params = world_;
  params.players = {robots, 0};
  TrialMind::Params mind = trial_mind(params);
  mind.head = hl_behavior::HeadMode::Ball;
  GuidedTrial trial(params, mind, seed);
  trial.stand_up();
  trial.match().place(0, pose);
  roll_ball(trial, {4.0, 2.5});
  trial.run(0.2);
  return trial;
}

ModelWalk ModelTrials::walk(std::uint64_t seed, double seconds) const {
  std::mt19937_64 random(seed);
  GuidedTrial trial =
      stand(seed, {uniform(random, -2.0, 2.0), uniform(random, -1.5, 1.5), uniform(random, -3.0, 3.0)}, 2);
  const Match& match = trial.match();
  const auto& motion = match.player(0).motion();
  const hl_simulation::Perception perception(world_.perception);
  std::vector<LateModel> late;
  for (const Lateness& how : late_pictures()) late.emplace_back(hl_player::Mind::Params().personal, how);
  ModelWalk result;
  result.late.resize(late.size());
  const double begin = trial.time();
  double next_goal = begin, next_ball = begin, next_kick = begin + 4.0, next_sample = begin + 1.0, next_look = begin,
         next_know = begin;
  while (trial.time() - begin < seconds) {
    const double now = trial.time();
    if (now >= next_goal) {
      next_goal += 6.0;
      for (std::size_t i = 0; i < trial.size(); ++i) {
        hl_path_planning::Goal goal;
        goal.pose = match.true_pose(i) * Pose2{uniform(random, -0.5, 2.0), uniform(random, -1.0, 1.0), 0.0};
        goal.pose.x = std::clamp(goal.pose.x, -4.0, 4.0);
        goal.pose.y = std::clamp(goal.pose.y, -2.5, 2.5);
        goal.pose.yaw = uniform(random, -M_PI, M_PI);
        trial.mind(i).goal = goal;
      }
    }
    if (now >= next_ball) {  // put down by the referee
      next_ball += 8.0;
      roll_ball(trial, match.true_pose(0) * towards(uniform(random, -0.8, 0.8), uniform(random, 0.6, 3.2)));
    }
    if (now >= next_kick) {
      next_kick += 8.0;
      const Vector3d ball = match.simulation().ball_position();
      roll_ball(trial, ball.head<2>(), towards(uniform(random, -3.0, 3.0), uniform(random, 0.4, 1.2)));
    }
    trial.mind(0).head =
        std::fmod(now - begin, 4.0) < 3.0 ? hl_behavior::HeadMode::Ball : hl_behavior::HeadMode::FieldFeatures;
    if (now >= next_look - 1e-6) {
      next_look += 1.0 / world_.vision_rate;
      if (const auto eye = hl_simulation::eye_of(match.simulation(), 0)) {
        auto seen =
            perception.look(hl_simulation::scene_of(match.simulation()), *eye, seed, match.simulation().steps(), now);
        seen.stamp = now;
        const auto percepts =
            soccer_percepts(seen, {{false, 1}, {false, 2}}, 0.0, world_.field, eye->camera.translation().z(),
                            std::hypot(world_.perception.ray_noise, world_.perception.pose_noise));
        for (auto& model : late) model.pictures.send(percepts, now, model.how, random);
      }
    }
    if (!trial.step()) break;
    if (now >= next_know - 1e-6) {
      next_know = now + 0.02;
      for (auto& model : late) model.step({now, odometry_of(motion)}, trial.body(0), now);
    }
    if (trial.time() < next_sample) continue;
    next_sample += kSample;
    const hl_soccer::Model& truth = trial.mind(0).true_model;
    judge(trial.mind(0).personal.model, trial, truth, result.own);
    for (std::size_t i = 0; i < late.size(); ++i) judge(late[i].outputs.model, trial, truth, result.late[i]);
  }
  return result;
}

std::optional<double> ModelTrials::velocity_error(std::uint64_t seed, double distance) const {
  std::mt19937_64 random(seed);
  GuidedTrial trial = stand(seed, {0.0, 0.0, 0.0});
  const Vector2d place = trial.match().true_pose(0) * towards(uniform(random, -0.5, 0.5), distance);
  roll_ball(trial, place);
  trial.run(2.0);
  // Within the distance for all the time, so across or nearer, but not into the robot.
  const double bearing = std::atan2(place.y(), place.x());
  const double way = bearing + (uniform(random, 0.0, 1.0) < 0.5 ? 1.0 : -1.0) * uniform(random, 1.2, 2.2);
  roll_ball(trial, place, towards(way, uniform(random, 0.6, 2.0)));
  trial.run(0.6 + world_.perception.delay);
  const auto& ball = trial.mind(0).personal.model.ball;
  if (ball.confidence <= 0.0) return std::nullopt;
  return (ball.velocity - trial.mind(0).true_model.ball.velocity).norm();
}

Shot ModelTrials::shot(std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  const double line = -0.5 * world_.field.length;
  GuidedTrial trial = stand(seed, {line + 0.1, 0.0, 0.0});
  const Vector2d from(line + uniform(random, 2.0, 3.0), uniform(random, -0.5, 0.5));
  const Vector2d target(line, (uniform(random, 0.0, 1.0) < 0.5 ? 1.0 : -1.0) * uniform(random, 0.45, 1.1));
  roll_ball(trial, from);
  trial.run(1.5);
  roll_ball(trial, from, uniform(random, 1.8, 3.0) * (target - from).normalized());
  trial.run(0.8 + world_.perception.delay);
  Shot shot;
  const auto& truth = trial.match().simulation();
  if (truth.ball_position().x() < line + 0.1) return shot;  // was there before it could be judged
  const Pose2 map_from_robot = trial.match().true_pose(0), robot = map_from_robot.inverse();
  const double judged_at = trial.time();
  const auto crossing = hl_world_model::ball_crosses(trial.mind(0).personal.model.ball, robot * Vector2d(line, -1.6),
                                                     robot * Vector2d(line, 1.6));
  while (trial.time() - judged_at < 6.0 && truth.ball_position().x() > line)
    if (!trial.step()) return shot;
  if (truth.ball_position().x() > line || truth.ball_touched_by()) return shot;  // stopped before, or hit the robot
  shot.judged = true;
  shot.time_error = crossing ? std::abs(crossing->seconds - (trial.time() - judged_at)) : 99.0;
  shot.place_error = crossing ? std::abs((map_from_robot * crossing->place).y() - truth.ball_position().y()) : 99.0;
  return shot;
}

Forgetting ModelTrials::forgetting(std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  GuidedTrial trial = stand(seed, {-3.0, -1.5, 0.0});
  const auto& ball = trial.mind(0).personal.model.ball;
  roll_ball(trial, trial.match().true_pose(0) * towards(uniform(random, -0.8, 0.8), uniform(random, 0.6, 3.0)));
  for (int n = 0; n < 60 && ball.confidence <= 0.0; ++n) trial.run(0.1);
  trial.run(1.0);
  Forgetting result;
  result.judged = ball.confidence > 0.0;
  if (!result.judged) return result;
  roll_ball(trial, {4.4, 2.9});  // 8 m away: nobody sees it
  while (ball.confidence > 0.0 && result.all < 20.0 && trial.step()) {
    result.all += Match::kTick;
    const auto eye = hl_simulation::eye_of(trial.match().simulation(), 0);
    if (eye && in_picture(*eye, ball.position)) result.looked_at += Match::kTick;
  }
  return result;
}

bool ModelTrials::believes_false_ball(std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  GuidedTrial trial = stand(seed, {-3.0, -1.5, 0.0});
  const auto& motion = trial.match().player(0).motion();
  LateModel model(hl_player::Mind::Params().personal, {});
  double injected_at = trial.time() + uniform(random, 0.5, 1.0);
  bool injected = false, believed = false;
  for (const double end = trial.time() + 3.0; trial.time() < end;) {
    const double now = trial.time();
    if (!trial.step()) break;
    for (const auto& seen : trial.match().orders(0).percepts) {
      hl_soccer::Percepts picture = seen;
      picture.ball.reset();  // there is none in sight; what the noise invents is left out so that it is one alone
      if (!injected && now > injected_at && !picture.view.empty()) {
        Vector2d middle = Vector2d::Zero();
        for (const auto& corner : picture.view) middle += corner / static_cast<double>(picture.view.size());
        hl_soccer::SeenBall ball;
        ball.position = middle.norm() > 0.4 ? Vector2d(middle * uniform(random, 0.6, 1.0)) : Vector2d(1.0, 0.0);
        ball.confidence = 0.9;
        picture.ball = ball;
        injected = true;
      }
      model.pictures.send(picture, now, {}, random);
    }
    model.step({now, odometry_of(motion)}, trial.body(0), now);
    believed = believed || model.outputs.model.ball.confidence > 0.0;
  }
  return believed || !injected;
}

std::vector<double> ModelTrials::resting_velocities(std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  GuidedTrial trial = stand(seed, {-3.0, 0.0, 0.0});
  roll_ball(trial, trial.match().true_pose(0) * towards(uniform(random, -0.5, 0.5), 4.0));
  std::vector<double> speeds;
  trial.run(3.0);
  for (int n = 0; n < 25; ++n) {
    trial.run(kSample);
    const auto& ball = trial.mind(0).personal.model.ball;
    if (ball.confidence > 0.0) speeds.push_back(ball.velocity.norm());
  }
  return speeds;
}

std::vector<std::vector<double>> ModelTrials::team_ball_errors(std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  Match::Params params = world_;
  params.players = {2, 0};
  params.radio.loss = params.radio.delay = params.radio.jitter = 0.0;  // what is late here is made so below
  TrialMind::Params config = trial_mind(params);
  GuidedTrial trial(params, config, seed);
  trial.stand_up();
  const Pose2 own{uniform(random, -3.5, -1.5), uniform(random, -2.0, 2.0), M_PI + uniform(random, -0.5, 0.5)};
  const Vector2d ball(uniform(random, 0.5, 2.0), uniform(random, -1.5, 1.5));
  const double bearing = uniform(random, -M_PI, M_PI);
  const Vector2d beside = ball + towards(bearing, uniform(random, 1.0, 2.5));
  trial.match().place(0, own);
  trial.match().place(1, {beside.x(), beside.y(), bearing + M_PI});
  roll_ball(trial, ball);
  trial.mind(0).head = hl_behavior::HeadMode::LookForward;  // away from the ball
  trial.mind(1).head = hl_behavior::HeadMode::BallGoalTracking;
  for (std::size_t i = 0; i < 2; ++i) {
    trial.mind(i).start = hl_localization::Start::Pose;
    trial.mind(i).start_pose =
        hl_localization::PoseEstimate{trial.match().true_pose(i), Eigen::Vector3d(0.04, 0.04, 0.02).asDiagonal()};
  }
  struct Receiver {
    Lateness how;
    Queue<hl_soccer::TeamMate> words;
    TeamModel model{TeamModel::Params()};
    std::optional<hl_soccer::TeamMate> last;
    std::vector<double> errors;
  };
  std::vector<Receiver> receivers;
  for (const Lateness& how : late_words()) {
    receivers.emplace_back();
    receivers.back().how = how;
  }
  double heard = -1.0, next_know = 0.0;
  const double begin = trial.time();
  bool kicked = false;
  while (trial.time() - begin < 8.0) {
    const double now = trial.time();
    if (!kicked && now - begin > 5.0) {
      kicked = true;
      roll_ball(trial, trial.match().simulation().ball_position().head<2>(),
                towards(uniform(random, -0.7, 0.7), uniform(random, 0.3, 0.8)));
    }
    if (!trial.step()) break;
    for (const auto& mate : trial.match().player(0).team_mates()) {
      if (mate.stamp <= heard) continue;
      heard = mate.stamp;
      for (auto& receiver : receivers) receiver.words.send(mate, now, receiver.how, random);
    }
    if (now < next_know) continue;
    next_know = now + 0.05;
    for (auto& receiver : receivers) {
      for (auto& word : receiver.words.receive(now)) {
        if (!receiver.how.compensated) word.stamp = now;
        if (!receiver.last || word.stamp > receiver.last->stamp) receiver.last = word;
      }
      TeamModel::Inputs inputs;
      inputs.own = trial.mind(0).personal.model;
      inputs.own.ball = {};
      if (receiver.last) inputs.mates.push_back(*receiver.last);
      const auto out = receiver.model.step(inputs, now);
      if (now - begin < 3.0 || out.model.ball.confidence <= 0.0) continue;
      receiver.errors.push_back((out.model.ball.position - trial.mind(0).true_model.ball.position).norm());
    }
  }
  std::vector<std::vector<double>> errors;
  for (auto& receiver : receivers) errors.push_back(std::move(receiver.errors));
  return errors;
}

}  // namespace hl_match
