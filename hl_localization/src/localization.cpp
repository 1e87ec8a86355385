// SPDX-License-Identifier: Apache-2.0
#include "hl_localization/localization.hpp"

#include <algorithm>
#include <cmath>

#include "hl_localization/closed_form.hpp"

namespace hl_localization {
namespace {

using Eigen::Vector2d;
using hl_description::wrap_angle;
using hl_soccer::BodyState;
using hl_soccer::GamePhase;
using hl_soccer::GameState;

constexpr double kFuture = 0.1;            // s a stamp may be ahead of now
constexpr double kTimeJump = 5.0;          // s without a step after which the past is forgotten
constexpr double kOdometryJump = 0.5;      // m or rad between two readings: a new origin, not a step
constexpr double kMaxSide = 8.0;           // log odds
constexpr double kFlip = -1.0;             // log odds at which the opposite pose is taken
constexpr double kLostWeight = -9.0;       // log, relative to the best: forgotten
constexpr double kLead = 2.0;              // log, by which another hypothesis must be better to be believed
constexpr double kMemory = 0.96;           // of the weights from picture to picture
constexpr double kMostOfOnePicture = 6.0;  // score; pictures share errors the filter does not know
constexpr double kPoorlyExplained = 0.6;   // share below which the search starts
constexpr double kNewcomer = -3.0;         // weight of a new hypothesis, relative to the best
constexpr double kBehindAtLeast = 1.0;     // log, by which it begins behind the best at least...
constexpr double kBehindSure = 7.0;        // ...and this more behind one that explains what is seen
constexpr double kTrusted = 0.85;          // share of what is seen that such a one explains
constexpr double kDoubtRange = 0.4;        // below that, until it counts for nothing
constexpr double kSamePlace = 0.4;         // m
constexpr double kSameHeading = 0.4;       // rad
constexpr double kKnowledgeWay = 2.0;      // m walked until what the rules said of the start has worn off
constexpr double kSureSide = 2.2;          // log odds from which a side is worth being remembered
constexpr double kSureExplained = 0.75;    // of what is seen, from which its pose is, too
constexpr double kForgetting = 0.005;      // of what is remembered of the side, lost with each metre or radian
constexpr double kSameTurn = 0.9;          // of it that counts for a pose that was just found
constexpr double kCompassPeriod = 0.15;    // s; more often tells nothing new
constexpr double kCompassSide = 0.4;       // log odds for one look at the surroundings
constexpr double kBallSide = 0.3;          // log odds for one word of a team mate
constexpr double kFarthestBall = 50.0;     // m
constexpr double kJump = 0.8;              // m or rad: the smooth pose jumps
constexpr double kSmoothing = 0.2;         // s
constexpr double kTiltDrift = 0.001;       // rad per root of a second: a mounting that gives way
constexpr double kMostTilt = 0.1;          // rad; more is no mounting but a wrong pose
constexpr double kUnknown = 1e3;           // variance
constexpr double kStumbling = 9.0;         // times the variance of a way that feet count which carry badly

Eigen::Matrix3d diagonal(double place, double heading) {
  return Eigen::Vector3d(place * place, place * place, heading * heading).asDiagonal();
}

bool lies(BodyState body) {
  return body == BodyState::Falling || body == BodyState::Fallen || body == BodyState::GettingUp;
}

/// The same place on a field without sides.
bool alike(const Pose2& a, const Pose2& b) {
  return (a.position() - b.position()).norm() < kSamePlace && std::abs(wrap_angle(a.yaw - b.yaw)) < kSameHeading;
}

double probability(double log_odds) {
  return 1.0 / (1.0 + std::exp(-log_odds));
}

}  // namespace

std::optional<std::string> Localization::Params::validate() const {
  const struct {
    const char* name;
    double value, low, high;
  } ranges[] = {{"camera_height (m)", noise.camera_height, 0.1, 2.0},
                {"ray_noise (rad)", noise.ray, 1e-4, 0.2},
                {"attitude_noise (rad)", noise.attitude, 1e-4, 0.2},
                {"lasting_noise (rad)", noise.lasting, 0.0, 0.2},
                {"way_noise (m per root of m)", way_noise, 1e-4, 1.0},
                {"turn_noise (rad per root of rad)", turn_noise, 1e-4, 1.0},
                {"way_turn_noise (rad per root of m)", way_turn_noise, 0.0, 1.0},
                {"standing_noise (per root of s)", standing_noise, 0.0, 0.5},
                {"fall_spread (m)", fall_spread, 0.0, 2.0},
                {"fall_turn (rad)", fall_turn, 0.0, 3.2},
                {"compass_deviation (rad)", compass_deviation, 0.01, 1.5},
                {"history (s)", history, 0.1, 2.0},
                {"max_hypotheses", static_cast<double>(max_hypotheses), 2.0, 64.0},
                {"field length (m)", field.length, 1.0, 200.0},
                {"field width (m)", field.width, 1.0, 200.0}};
  for (const auto& range : ranges) {
    if (!(range.value >= range.low && range.value <= range.high)) {
      return std::string(range.name) + " is " + std::to_string(range.value) + " but must be in " +
             std::to_string(range.low) + ".." + std::to_string(range.high);
    }
  }
  return std::nullopt;
}

Localization::Localization(const Params& params) : params_(params), map_(params.field) {
  hypotheses_.reserve(64);
  candidates_.reserve(64);
}

Localization::Outputs Localization::step(const Inputs& inputs, double now) {
  if (!std::isfinite(now)) {
    ++counters_.refused.stamps;
    return report(last_now_);
  }
  if (now < last_now_ || now > last_now_ + kTimeJump) {
    if (now < last_now_) ++counters_.refused.stamps;
    history_.clear();
    seen_.fill({});
    smooth_.reset();
    if (last_now_ > -1e299) {  // what happened meanwhile is unknown
      for (Hypothesis& hypothesis : hypotheses_) hypothesis.estimate.covariance += diagonal(0.3, 0.3);
    }
  }
  last_now_ = now;
  if (inputs.reset) start(*inputs.reset, inputs.pose);
  follow_rules(inputs.game);
  follow_body(inputs.body);
  if (inputs.odometry) walk(*inputs.odometry, inputs.stumbles);
  for (const hl_soccer::Percepts& percepts : inputs.percepts) look(percepts, now);
  if (inputs.own_ball && inputs.own_ball->allFinite()) {
    for (const Vector2d& told : inputs.team_balls) compare_ball(*inputs.own_ball, told);
  }
  mend_flips();
  return report(now);
}

/// A new pose; how the camera is mounted was learned before.
PoseEstimate Localization::estimate_at(const Pose2& pose, const Eigen::Matrix3d& covariance) const {
  PoseEstimate estimate{pose, covariance};
  estimate.tilt = tilt_;
  estimate.tilt_covariance = params_.noise.lasting * params_.noise.lasting * Eigen::Matrix2d::Identity();
  return estimate;
}

void Localization::start(Start start, const std::optional<PoseEstimate>& pose) {
  hypotheses_.clear();
  anchor_.reset();
  fell_ = false;
  smooth_.reset();
  walked_ = 0.0;
  blind_ = true;
  knowledge_ = start;
  const auto add = [this](double x, double y, double yaw, const Eigen::Matrix3d& covariance) {
    Hypothesis hypothesis;
    hypothesis.estimate = estimate_at({x, y, yaw}, covariance);
    hypothesis.side = 5.0;
    hypotheses_.push_back(hypothesis);
  };
  const auto& field = params_.field;
  if (start == Start::Pose) {
    const bool sane = pose && pose->pose.finite() && pose->covariance.allFinite() &&
                      pose->covariance.diagonal().minCoeff() >= 0.0 && map_.outside(pose->pose.position()) < 2.0;
    if (!sane) {
      ++counters_.refused.values;
      knowledge_ = Start::Anywhere;
      return;
    }
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();  // of what was told, the diagonal: it is a guess anyway
    covariance.diagonal() =
        pose->covariance.diagonal().cwiseMax(Eigen::Vector3d(0.0025, 0.0025, 0.0025)).cwiseMin(kUnknown);
    add(pose->pose.x, pose->pose.y, wrap_angle(pose->pose.yaw), covariance);
    return;
  }
  const double touch = 0.5 * field.width + 0.2, mark = -0.5 * field.length + field.penalty_mark;
  if (start == Start::Reentry) {  // at the touch line beside the penalty mark, on either side, others 0.6 m apart
    for (const double side : {1.0, -1.0}) {
      for (const double x : {mark, mark + 0.6, mark - 0.6}) add(x, side * touch, -side * M_PI_2, diagonal(0.35, 0.3));
    }
  } else if (start == Start::StartPosition) {  // on the touch lines of the own half or the own goal line
    for (const double side : {1.0, -1.0}) {
      for (double x = -0.5 * field.length + 0.5; x < -0.2; x += 0.8) {
        add(x, side * touch, -side * M_PI_2, diagonal(0.45, 0.3));
      }
    }
    if (game_ && game_->goalkeeper) {
      add(-0.5 * field.length, 0.0, 0.0, diagonal(0.6, 0.3));
    }
  }
}

double Localization::log_prior(const Pose2& pose) const {
  double prior = -4.0 * map_.outside(pose.position());
  if (knowledge_ != Start::Anywhere && knowledge_ != Start::Pose && walked_ < kKnowledgeWay && pose.x > 0.3) {
    prior -= 5.0;
  }
  return prior;
}

void Localization::follow_rules(const std::optional<GameState>& game) {
  if (!game || !game->referee_connected) return;
  const bool first_word = !game_;
  const GamePhase before = game_ ? game_->phase : GamePhase::Initial;
  const bool new_half = game_ && game_->first_half != game->first_half;
  game_ = game;
  if (game->penalized) {
    penalized_ = true;
  } else if (penalized_) {
    penalized_ = false;
    start(game->phase == GamePhase::Initial ? Start::StartPosition : Start::Reentry, std::nullopt);
    return;
  }
  const bool told = knowledge_ == Start::Pose && walked_ < kKnowledgeWay;  // a person knows better than the rules
  if (game->phase == GamePhase::Initial && (first_word || before != GamePhase::Initial || new_half) && !told) {
    start(Start::StartPosition, std::nullopt);
  }
  if (before == GamePhase::Set && game->phase == GamePhase::Playing && !game->penalized) {
    // Whoever was left to stand at the kick-off stands in the own half; the keeper in the goal area.
    const double sure = game->goalkeeper ? 1.5 : 0.5;
    for (Hypothesis& hypothesis : hypotheses_) {
      const double x = hypothesis.estimate.pose.x;
      if (std::abs(x) < sure) continue;
      hypothesis.side = std::clamp(hypothesis.side + (x < 0.0 ? 4.0 : -4.0), -kMaxSide, kMaxSide);
    }
  }
}

void Localization::follow_body(BodyState body) {
  if (body == BodyState::PickedUp) {
    carried_ = true;
  } else if (carried_) {
    carried_ = false;
    start(Start::OwnHalf, std::nullopt);
  }
  if (lies(body)) {
    down_ = true;
  } else if (down_) {
    down_ = false;
    if (!carried_) spread_after_fall();
  }
}

void Localization::spread_after_fall() {
  fell_ = true;
  if (anchor_) anchor_->side *= 0.5;
  const std::size_t count = std::min<std::size_t>(hypotheses_.size(), 3);
  hypotheses_.resize(count);
  for (std::size_t n = 0; n < count; ++n) {
    hypotheses_[n].estimate.covariance += diagonal(params_.fall_spread, 0.4 * params_.fall_turn);
    hypotheses_[n].explained = 0.5;
    for (const double turn : {-1.0, 1.0}) {
      Hypothesis turned = hypotheses_[n];
      turned.estimate.pose.yaw = wrap_angle(turned.estimate.pose.yaw + turn * params_.fall_turn);
      turned.weight -= 1.0;
      hypotheses_.push_back(turned);
    }
  }
}

void Localization::walk(const hl_soccer::Odometry& odometry, bool stumbles) {
  if (odometry.stamp > last_now_ + kFuture) {
    ++counters_.refused.odometry;
    return;
  }
  const bool first = history_.empty();
  const hl_soccer::Odometry before = first ? odometry : history_.newest();
  if (!history_.add(odometry)) {
    if (!odometry.pose.finite() || odometry.stamp < before.stamp) ++counters_.refused.odometry;
    return;
  }
  if (first) return;
  Pose2 motion = before.pose.inverse() * odometry.pose;
  motion.yaw = wrap_angle(motion.yaw);
  const double way = motion.position().norm(), turn = std::abs(motion.yaw);
  if (way > kOdometryJump || turn > kOdometryJump) {  // restarted: the past has another origin
    ++counters_.refused.odometry;
    history_.clear();
    history_.add(odometry);
    return;
  }
  if (down_ || carried_ || penalized_) return;
  walked_ += way;
  const double dt = std::min(odometry.stamp - before.stamp, 1.0),
               slip = params_.standing_noise * params_.standing_noise * dt;
  const Eigen::Vector3d usual(
      params_.way_noise * params_.way_noise * way + slip, params_.way_noise * params_.way_noise * way + slip,
      params_.turn_noise * params_.turn_noise * turn + params_.way_turn_noise * params_.way_turn_noise * way + slip);
  const Eigen::Vector3d noise = (stumbles ? kStumbling : 1.0) * usual;
  if (anchor_) {
    anchor_->pose = anchor_->pose * motion;
    anchor_->side *= std::exp(-kForgetting * (way + turn));
  }
  const double most = params_.noise.lasting * params_.noise.lasting;
  for (Hypothesis& hypothesis : hypotheses_) {
    hypothesis.estimate.move(motion, noise);
    for (int n = 0; n < 2; ++n) {
      double& variance = hypothesis.estimate.tilt_covariance(n, n);
      variance = std::max(variance, std::min(most, variance + kTiltDrift * kTiltDrift * dt));
    }
  }
}

bool Localization::fresh(double stamp, Picture kind) {
  for (const Seen& seen : seen_) {
    if (seen.stamp == stamp && seen.kind == kind) {
      ++counters_.refused.repeated;
      return false;
    }
  }
  seen_[next_seen_] = {stamp, kind};
  next_seen_ = (next_seen_ + 1) % seen_.size();
  return true;
}

void Localization::look(const hl_soccer::Percepts& percepts, double now) {
  if (!std::isfinite(percepts.stamp) || percepts.stamp > now + kFuture || percepts.stamp < now - params_.history) {
    ++counters_.refused.stamps;
    return;
  }
  if (down_ || carried_ || penalized_) return;
  const auto then = history_.pose_at(percepts.stamp);
  if (!then) {
    ++counters_.refused.unplaced;
    return;
  }
  const Pose2 back = history_.newest().pose.inverse() * *then;
  counters_.refused.values += static_cast<int>(sighting_.fill(percepts, params_.noise));
  const auto drop = [this, &percepts](Picture kind, auto unwanted) {
    auto& marks = sighting_.marks;
    if (std::none_of(marks.begin(), marks.end(), unwanted) || fresh(percepts.stamp, kind)) return;
    marks.erase(std::remove_if(marks.begin(), marks.end(), unwanted), marks.end());
  };
  using Mark = Sighting::Mark;
  drop(Picture::Landmarks, [](const Mark& m) { return m.place.has_value(); });
  drop(Picture::Goal, [](const Mark& m) { return !m.place && m.kind == FieldMap::Kind::Post; });
  if (sighting_.marks.size() < 2 || sighting_.marks[1].kind != FieldMap::Kind::Post || sighting_.marks[1].place) {
    sighting_.both_posts = false;
  }
  const auto of_lines = [](const Mark& m) { return m.kind != FieldMap::Kind::Post; };
  const bool lines =
      !sighting_.segments.empty() || std::any_of(sighting_.marks.begin(), sighting_.marks.end(), of_lines);
  if (lines && !fresh(percepts.stamp, Picture::Lines)) {
    sighting_.segments.clear();
    sighting_.marks.erase(std::remove_if(sighting_.marks.begin(), sighting_.marks.end(), of_lines),
                          sighting_.marks.end());
  }
  if (!sighting_.line_points.empty() && !fresh(percepts.stamp, Picture::Points)) sighting_.line_points.clear();
  if (percepts.turn && fresh(percepts.stamp, Picture::Turn)) turned(*percepts.turn, percepts.stamp);
  if (sighting_.count() > 0 || !sighting_.line_points.empty()) see(back);
  if (percepts.heading && fresh(percepts.stamp, Picture::Compass)) compass(*percepts.heading, back);
}

void Localization::see(const Pose2& back) {
  const Pose2 forth = back.inverse();
  double best_score = 0.0;
  blind_ = false;
  for (std::size_t n = 0; n < hypotheses_.size(); ++n) {
    Hypothesis& hypothesis = hypotheses_[n];
    PoseEstimate then = hypothesis.estimate.displaced(back);
    const Match match = correct(then, sighting_, map_, params_.noise);
    hypothesis.estimate = then.displaced(forth);
    const double score = std::clamp(match.score, -kMostOfOnePicture, kMostOfOnePicture) -
                         2.0 * map_.outside(hypothesis.estimate.pose.position());
    hypothesis.weight = kMemory * hypothesis.weight + score;
    hypothesis.side = std::clamp(hypothesis.side + match.side, -kMaxSide, kMaxSide);
    const int seen = match.matched + match.unmatched;
    if (seen > 0) {
      const double keep = std::pow(0.95, seen);
      hypothesis.explained = keep * hypothesis.explained + (1.0 - keep) * match.matched / seen;
    }
    if (n == 0) best_score = score;
  }
  const bool lost = hypotheses_.empty() || hypotheses_.front().explained < kPoorlyExplained ||
                    hypotheses_.front().estimate.covariance.topLeftCorner<2, 2>().trace() > 0.5 ||
                    (hypotheses_.size() > 1 && knowledge_ != Start::Anywhere && walked_ < kKnowledgeWay);
  if (lost || sighting_.both_posts) search(back, best_score);
  choose();
}

void Localization::search(const Pose2& back, double best_score) {
  candidates_.clear();
  candidates(sighting_, map_, candidates_);
  const Pose2 forth = back.inverse();
  const bool alone = hypotheses_.empty();
  const double reference = alone ? 0.0 : hypotheses_.front().weight - best_score + kNewcomer;
  const std::size_t known = hypotheses_.size();
  // One picture with things that are none must not carry a robot across the field that knew where it was.
  const double doubt = alone ? 1.0 : std::clamp((kTrusted - hypotheses_.front().explained) / kDoubtRange, 0.0, 1.0);
  const double most = alone ? 1e9 : hypotheses_.front().weight - kBehindAtLeast - (1.0 - doubt) * kBehindSure;
  for (const Pose2& candidate : candidates_) {
    Hypothesis newcomer;
    newcomer.estimate = estimate_at(candidate, diagonal(0.4, 0.25));
    const Match match = correct(newcomer.estimate, sighting_, map_, params_.noise);
    newcomer.estimate = newcomer.estimate.displaced(forth);
    Pose2& pose = newcomer.estimate.pose;
    newcomer.side = log_prior(pose) - log_prior(opposite(pose)) + match.side;
    if (known > 0) newcomer.side += side_before(pose);
    if (newcomer.side < 0.0) {
      newcomer.estimate.turn_round();
      newcomer.side = -newcomer.side;
    }
    newcomer.side = std::min(newcomer.side, kMaxSide);
    const bool there = std::any_of(hypotheses_.begin(), hypotheses_.end(), [&pose](const Hypothesis& hypothesis) {
      return alike(hypothesis.estimate.pose, pose);
    });
    if (there) continue;
    newcomer.weight =
        std::min(reference + std::clamp(match.score, -kMostOfOnePicture, kMostOfOnePicture) + log_prior(pose), most);
    newcomer.explained = match.matched / std::max(1.0, static_cast<double>(match.matched + match.unmatched));
    if (static_cast<int>(hypotheses_.size()) < 4 * params_.max_hypotheses) hypotheses_.push_back(newcomer);
  }
}

/// The robot has not turned round unnoticed; a fall may turn it, but does not carry it away. A wrong explanation that
/// leads for a moment knows little of the side, so what was sure before counts as well.
double Localization::side_before(const Pose2& pose) const {
  const auto same = [this, &pose](const Pose2& last) {
    if (!fell_) return std::cos(pose.yaw - last.yaw);
    const double here = (pose.position() - last.position()).squaredNorm(),
                 there = (opposite(pose).position() - last.position()).squaredNorm();
    return std::clamp(there - here, -1.0, 1.0);  // m^2
  };
  const Hypothesis& best = hypotheses_.front();
  const double now = best.side * same(best.estimate.pose), before = anchor_ ? anchor_->side * same(anchor_->pose) : 0.0;
  return kSameTurn * (std::abs(before) > std::abs(now) ? before : now);
}

void Localization::drop_anchor() {
  const Hypothesis& best = hypotheses_.front();
  if (best.side < kSureSide || best.explained < kSureExplained) return;
  fell_ = false;
  if (!anchor_ || best.side > anchor_->side || alike(best.estimate.pose, anchor_->pose))
    anchor_ = Anchor{best.estimate.pose, best.side};
}

void Localization::merge() {
  for (std::size_t n = 0; n < hypotheses_.size(); ++n) {
    for (std::size_t k = hypotheses_.size() - 1; k > n; --k) {
      if (!alike(hypotheses_[n].estimate.pose, hypotheses_[k].estimate.pose)) continue;
      hypotheses_[n].side = std::max(hypotheses_[n].side, hypotheses_[k].side);
      hypotheses_.erase(hypotheses_.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
}

/// Puts the believed hypothesis first and forgets the hopeless.
void Localization::choose() {
  if (hypotheses_.empty()) return;
  const auto better = [](const Hypothesis& a, const Hypothesis& b) { return a.weight > b.weight; };
  const auto best = std::max_element(hypotheses_.begin(), hypotheses_.end(),
                                     [&better](const auto& a, const auto& b) { return better(b, a); });
  if (best->weight > hypotheses_.front().weight + kLead) std::iter_swap(hypotheses_.begin(), best);
  std::sort(hypotheses_.begin() + 1, hypotheses_.end(), better);
  merge();
  double most = hypotheses_.front().weight;
  for (const Hypothesis& hypothesis : hypotheses_) most = std::max(most, hypothesis.weight);
  for (Hypothesis& hypothesis : hypotheses_) hypothesis.weight -= most;
  hypotheses_.erase(std::remove_if(hypotheses_.begin() + 1, hypotheses_.end(),
                                   [](const Hypothesis& h) { return h.weight < kLostWeight; }),
                    hypotheses_.end());
  if (static_cast<int>(hypotheses_.size()) > params_.max_hypotheses) {
    hypotheses_.resize(static_cast<std::size_t>(params_.max_hypotheses));
  }
  drop_anchor();
}

void Localization::compass(const hl_soccer::SeenHeading& heading, const Pose2& back) {
  if (!std::isfinite(heading.yaw) || !(heading.confidence >= 0.0 && heading.confidence <= 1.0)) {
    ++counters_.refused.values;
    return;
  }
  if (heading.confidence <= 0.0 || std::abs(last_now_ - last_compass_) < kCompassPeriod) return;
  last_compass_ = last_now_;
  const double yaw = heading.yaw - back.yaw;  // now
  for (Hypothesis& hypothesis : hypotheses_) {
    const double residual = wrap_angle(yaw - hypothesis.estimate.pose.yaw);
    hypothesis.side =
        std::clamp(hypothesis.side + kCompassSide * heading.confidence * std::cos(residual), -kMaxSide, kMaxSide);
    if (std::abs(residual) < 1.0) correct_heading(hypothesis.estimate, yaw, params_.compass_deviation);
  }
}

/// The background tells turns better than the feet, above all on slippery ground.
void Localization::turned(const hl_soccer::SeenTurn& turn, double stamp) {
  if (!std::isfinite(turn.yaw) || !std::isfinite(turn.since) || !(turn.confidence > 0.0) || turn.since >= stamp ||
      turn.since < stamp - 1.0) {
    ++counters_.refused.values;
    return;
  }
  const auto from = history_.pose_at(turn.since), to = history_.pose_at(stamp);
  if (!from || !to) return;
  const double counted = wrap_angle(to->yaw - from->yaw), residual = wrap_angle(turn.yaw - counted);
  const double walked = (to->position() - from->position()).norm();
  const double variance = params_.turn_noise * params_.turn_noise * std::abs(counted) +
                          params_.way_turn_noise * params_.way_turn_noise * walked + 1e-6;
  const double seen = 0.02 / std::min(1.0, turn.confidence);  // rad
  const double gain = std::min(variance / (variance + seen * seen), 1.0);
  for (Hypothesis& hypothesis : hypotheses_) {
    hypothesis.estimate.pose.yaw = wrap_angle(hypothesis.estimate.pose.yaw + gain * residual);
  }
}

void Localization::compare_ball(const Vector2d& own, const Vector2d& told) {
  if (!(own.norm() < kFarthestBall) || !(told.norm() < kFarthestBall)) {
    ++counters_.refused.values;
    return;
  }
  for (Hypothesis& hypothesis : hypotheses_) {
    const Pose2& pose = hypothesis.estimate.pose;
    const double here = (pose * own - told).squaredNorm(), there = (opposite(pose) * own - told).squaredNorm();
    if (std::min(here, there) > 1.0) continue;  // one of the two balls is wrong
    hypothesis.side += kBallSide * std::clamp(0.5 * (there - here), -1.0, 1.0);
    hypothesis.side = std::clamp(hypothesis.side, -kMaxSide, kMaxSide);
  }
}

void Localization::mend_flips() {
  for (std::size_t n = 0; n < hypotheses_.size(); ++n) {
    Hypothesis& hypothesis = hypotheses_[n];
    if (hypothesis.side > kFlip) continue;
    hypothesis.estimate.turn_round();
    hypothesis.side = -hypothesis.side;
    if (n > 0) continue;
    ++counters_.mended_flips;
    anchor_.reset();
  }
}

Localization::Outputs Localization::report(double now) {
  Outputs outputs = counters_;
  outputs.hypotheses = static_cast<int>(hypotheses_.size());
  outputs.belief.stamp = history_.empty() ? now : history_.newest().stamp;
  outputs.reason = "unknown: nothing recognised yet";
  if (smooth_) outputs.map_from_odom = *smooth_;
  if (carried_) outputs.reason = "unknown: somebody carries the robot";
  if (penalized_) outputs.reason = "unknown: taken out by the referee";
  if (hypotheses_.empty() || carried_ || penalized_) return outputs;

  const Hypothesis& best = hypotheses_.front();
  tilt_ = best.estimate.tilt.cwiseMax(-kMostTilt).cwiseMin(kMostTilt);
  double sum = 0.0, own = 0.0;
  for (const Hypothesis& hypothesis : hypotheses_) {
    const double share = std::exp(std::clamp(hypothesis.weight - best.weight, -50.0, 50.0));
    sum += share;
    if (&hypothesis == &best) own = share;
  }
  const double share = own / sum;
  Eigen::Matrix3d covariance = best.estimate.covariance;
  const auto add = [&](const Pose2& other, double weight) {
    const Pose2& pose = best.estimate.pose;
    const Eigen::Vector3d d(other.x - pose.x, other.y - pose.y, wrap_angle(other.yaw - pose.yaw));
    covariance += weight * d * d.transpose();
  };
  if (share < 0.9) {  // others are nearly as good
    for (const Hypothesis& hypothesis : hypotheses_) {
      const double weight = std::exp(std::clamp(hypothesis.weight - best.weight, -50.0, 50.0)) / sum;
      if (&hypothesis != &best && weight > 1e-3) add(hypothesis.estimate.pose, weight);
    }
  }
  outputs.side = probability(best.side);
  if (outputs.side < 0.9) add(opposite(best.estimate.pose), 1.0 - outputs.side);
  covariance(2, 2) += params_.noise.lasting * params_.noise.lasting;  // a camera turned aside is never noticed
  if (down_) covariance += diagonal(params_.fall_spread, 0.5 * params_.fall_turn);
  covariance = 0.5 * (covariance + covariance.transpose()).eval();
  const double spread = std::sqrt(covariance(0, 0) + covariance(1, 1));
  outputs.explained = best.explained;
  outputs.belief.pose = best.estimate.pose;
  outputs.belief.covariance = covariance;
  outputs.belief.confidence = std::clamp(
      share * std::max(0.05, 2.0 * outputs.side - 1.0) * (0.3 + 0.7 * best.explained) / (1.0 + spread * spread / 0.25),
      0.01, 1.0);
  outputs.reason = "sure: what is seen fits";
  if (spread > 0.5) outputs.reason = "unsure: little seen since the last fix";
  if (best.explained < kPoorlyExplained) outputs.reason = "unsure: much of what is seen does not fit";
  if (share < 0.7) outputs.reason = "unsure: several places fit";
  if (outputs.side < 0.9) outputs.reason = "unsure: which side of the field";
  if (blind_) outputs.reason = "guess: where the rules or a person put the robot";
  if (down_) outputs.reason = "unsure: fallen";

  // What others move by must not twitch with every picture.
  const Pose2 odom = history_.empty() ? Pose2{} : history_.newest().pose;
  if (!history_.empty()) {
    const Pose2& target = best.estimate.pose;
    Pose2 shown = smooth_ ? *smooth_ * odom : target;
    const double turn = wrap_angle(target.yaw - shown.yaw);
    const double gain = 1.0 - std::exp(-std::clamp(now - smooth_stamp_, 0.0, 1.0) / kSmoothing);
    if ((target.position() - shown.position()).norm() > kJump || std::abs(turn) > kJump) {
      shown = target;
    } else {
      shown = {shown.x + gain * (target.x - shown.x), shown.y + gain * (target.y - shown.y), shown.yaw + gain * turn};
    }
    smooth_ = shown * odom.inverse();
    smooth_->yaw = wrap_angle(smooth_->yaw);
    smooth_stamp_ = now;
    outputs.map_from_odom = *smooth_;
  }
  return outputs;
}

}  // namespace hl_localization
