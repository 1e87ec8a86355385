// SPDX-License-Identifier: Apache-2.0
#include "play_trial.hpp"

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <stdexcept>

namespace hl_match {

PlayTrial::PlayTrial(const Match::Params& world, const Setup& setup)
    : field_(world.field), random_(setup.seed * 2654435761u) {
  Match::Params params = world;
  params.players = setup.players;
  params.seed = setup.seed;
  params.referee.reset();
  std::vector<std::string> problems;
  const auto library =
      hl_behavior::rtdl::library_of({ament_index_cpp::get_package_share_directory("hl_behavior") + "/tasks"}, problems);
  if (!problems.empty()) throw std::runtime_error(problems.front());
  params.mind = [&](int team, int number) -> std::unique_ptr<hl_player::Thinker> {
    tasks_.push_back(std::make_unique<hl_behavior::rtdl::Tasks>(hl_behavior::rtdl::Tasks::Params{}, library, field_));
    minds_.push_back(nullptr);
    if (!setup.thinks[static_cast<std::size_t>(team)]) return nullptr;
    hl_player::Mind::Params mind;
    mind.behavior.tactics = setup.tactics;
    mind.set(field_, world.files->walk.walk);
    mind.behavior.tactics.number = number;
    mind.behavior.tactics.goalie_number = setup.goalie[static_cast<std::size_t>(team)];
    auto made = std::make_unique<hl_player::Mind>(*world.files, mind);
    made->obey_tasks(tasks_.back().get());
    minds_.back() = made.get();
    return made;
  };
  match_ = std::make_unique<Match>(params);
}

void PlayTrial::place(std::size_t robot, const hl_description::Pose2& pose) {
  if (!match_->place(robot, pose)) throw std::runtime_error("a robot cannot be placed: something is in the way");
}

void PlayTrial::place_ball(const Eigen::Vector2d& place, const Eigen::Vector2d& velocity) {
  if (const auto refused = simulation().place_ball({place.x(), place.y(), 0.0}, {velocity.x(), velocity.y(), 0.0}))
    throw std::runtime_error("the ball cannot be placed: " + *refused);
}

void PlayTrial::tell_pose(std::size_t robot) {
  constexpr double kPlace = 0.2, kHeading = 0.15;  // m, rad, standard deviations
  std::normal_distribution<double> normal;
  hl_localization::PoseEstimate told{
      match_->true_pose(robot), Eigen::Vector3d(kPlace * kPlace, kPlace * kPlace, kHeading * kHeading).asDiagonal()};
  told.pose.x += kPlace * normal(random_);
  told.pose.y += kPlace * normal(random_);
  told.pose.yaw = hl_description::wrap_angle(told.pose.yaw + kHeading * normal(random_));
  minds_[robot]->tell_pose(told);
}

void PlayTrial::stand() {
  const auto all_free = [&] {
    for (std::size_t i = 0; i < match_->size(); ++i) {
      const auto body = match_->outputs(i).motion->body;
      if (body != hl_soccer::BodyState::Controllable && body != hl_soccer::BodyState::Walking) return false;
    }
    return true;
  };
  match_->run(8.0, all_free);
  if (!all_free()) throw std::runtime_error("a robot does not become controllable");
}

void PlayTrial::begin_task(std::size_t robot, const hl_behavior::rtdl::Tasks::Request& request) {
  hl_behavior::Knowledge knowledge;
  knowledge.body = match_->outputs(robot).motion->body;
  knowledge.game = match_->player(robot).game();
  if (const auto refusal = tasks_[robot]->begin(request, knowledge, match_->time()))
    throw std::runtime_error(refusal->reason);
}

PlayTrial::Side PlayTrial::in_goal() const {
  const Eigen::Vector2d at = ball();
  const double line = 0.5 * field_.length + field_.ball_radius;
  if (std::abs(at.y()) > 0.5 * field_.goal_width || std::abs(at.x()) < line) return Side::None;
  return at.x() > 0.0 ? Side::Rival : Side::Own;
}

bool PlayTrial::out() const {
  const Eigen::Vector2d at = ball();
  return std::abs(at.x()) > 0.5 * field_.length + field_.ball_radius ||
         std::abs(at.y()) > 0.5 * field_.width + field_.ball_radius;
}

}  // namespace hl_match
