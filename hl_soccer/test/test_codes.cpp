// SPDX-License-Identifier: Apache-2.0
// Plain data and messages use the same numbers, so that a node may cast.
#include <gtest/gtest.h>

#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/obstacle_relative.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <humanoid_league_msgs/msg/tracked_robot.hpp>

#include "hl_soccer/belief.hpp"
#include "hl_soccer/game.hpp"
#include "hl_soccer/percepts.hpp"

namespace {

template <class Enum>
void expect_codes(std::initializer_list<std::pair<Enum, int>> pairs) {
  for (const auto& [plain, code] : pairs) EXPECT_EQ(static_cast<int>(plain), code);
}

TEST(Codes, Game) {
  using Message = humanoid_league_msgs::msg::GameState;
  expect_codes<hl_soccer::GamePhase>({{hl_soccer::GamePhase::Initial, Message::GAMESTATE_INITIAL},
                                      {hl_soccer::GamePhase::Ready, Message::GAMESTATE_READY},
                                      {hl_soccer::GamePhase::Set, Message::GAMESTATE_SET},
                                      {hl_soccer::GamePhase::Playing, Message::GAMESTATE_PLAYING},
                                      {hl_soccer::GamePhase::Finished, Message::GAMESTATE_FINISHED}});
}

TEST(Codes, SetPlay) {
  using Message = humanoid_league_msgs::msg::GameState;
  expect_codes<hl_soccer::SetPlay>({{hl_soccer::SetPlay::None, Message::STATE_NORMAL},
                                    {hl_soccer::SetPlay::PenaltyShoot, Message::STATE_PENALTYSHOOT},
                                    {hl_soccer::SetPlay::Overtime, Message::STATE_OVERTIME},
                                    {hl_soccer::SetPlay::Timeout, Message::STATE_TIMEOUT},
                                    {hl_soccer::SetPlay::DirectFreeKick, Message::STATE_DIRECT_FREEKICK},
                                    {hl_soccer::SetPlay::IndirectFreeKick, Message::STATE_INDIRECT_FREEKICK},
                                    {hl_soccer::SetPlay::PenaltyKick, Message::STATE_PENALTYKICK},
                                    {hl_soccer::SetPlay::CornerKick, Message::STATE_CORNER_KICK},
                                    {hl_soccer::SetPlay::GoalKick, Message::STATE_GOAL_KICK},
                                    {hl_soccer::SetPlay::ThrowIn, Message::STATE_THROW_IN},
                                    {hl_soccer::SetPlay::Unknown, Message::STATE_UNKNOWN}});
}

TEST(Codes, SetPlayPhase) {
  using Message = humanoid_league_msgs::msg::GameState;
  expect_codes<hl_soccer::SetPlayPhase>({{hl_soccer::SetPlayPhase::None, Message::PHASE_NONE},
                                         {hl_soccer::SetPlayPhase::Called, Message::PHASE_CALLED},
                                         {hl_soccer::SetPlayPhase::Prepare, Message::PHASE_PREPARE},
                                         {hl_soccer::SetPlayPhase::Execute, Message::PHASE_EXECUTE}});
}

TEST(Codes, KickOff) {
  using Message = humanoid_league_msgs::msg::GameState;
  expect_codes<hl_soccer::KickOff>({{hl_soccer::KickOff::None, Message::KICKOFF_NONE},
                                    {hl_soccer::KickOff::Own, Message::KICKOFF_OWN},
                                    {hl_soccer::KickOff::Rival, Message::KICKOFF_RIVAL},
                                    {hl_soccer::KickOff::DroppedBall, Message::KICKOFF_DROPPED_BALL}});
}

TEST(Codes, BodyState) {
  using Message = humanoid_league_msgs::msg::RobotControlState;
  expect_codes<hl_soccer::BodyState>({{hl_soccer::BodyState::Controllable, Message::CONTROLLABLE},
                                      {hl_soccer::BodyState::Falling, Message::FALLING},
                                      {hl_soccer::BodyState::Fallen, Message::FALLEN},
                                      {hl_soccer::BodyState::GettingUp, Message::GETTING_UP},
                                      {hl_soccer::BodyState::AnimationRunning, Message::ANIMATION_RUNNING},
                                      {hl_soccer::BodyState::Startup, Message::STARTUP},
                                      {hl_soccer::BodyState::Shutdown, Message::SHUTDOWN},
                                      {hl_soccer::BodyState::Penalty, Message::PENALTY},
                                      {hl_soccer::BodyState::PenaltyAnimation, Message::PENALTY_ANIMATION},
                                      {hl_soccer::BodyState::Record, Message::RECORD},
                                      {hl_soccer::BodyState::Walking, Message::WALKING},
                                      {hl_soccer::BodyState::MotorOff, Message::MOTOR_OFF},
                                      {hl_soccer::BodyState::HcmOff, Message::HCM_OFF},
                                      {hl_soccer::BodyState::HardwareProblem, Message::HARDWARE_PROBLEM},
                                      {hl_soccer::BodyState::PickedUp, Message::PICKED_UP},
                                      {hl_soccer::BodyState::Kicking, Message::KICKING}});
}

TEST(Codes, Role) {
  using Message = humanoid_league_msgs::msg::Strategy;
  expect_codes<hl_soccer::Role>({{hl_soccer::Role::Idling, Message::ROLE_IDLING},
                                 {hl_soccer::Role::Other, Message::ROLE_OTHER},
                                 {hl_soccer::Role::Striker, Message::ROLE_STRIKER},
                                 {hl_soccer::Role::Supporter, Message::ROLE_SUPPORTER},
                                 {hl_soccer::Role::Defender, Message::ROLE_DEFENDER},
                                 {hl_soccer::Role::Goalie, Message::ROLE_GOALIE}});
}

TEST(Codes, RoleOfTeamMate) {
  using Message = humanoid_league_msgs::msg::TeamData;
  expect_codes<hl_soccer::Role>({{hl_soccer::Role::Idling, Message::ROLE_IDLING},
                                 {hl_soccer::Role::Other, Message::ROLE_OTHER},
                                 {hl_soccer::Role::Striker, Message::ROLE_STRIKER},
                                 {hl_soccer::Role::Supporter, Message::ROLE_SUPPORTER},
                                 {hl_soccer::Role::Defender, Message::ROLE_DEFENDER},
                                 {hl_soccer::Role::Goalie, Message::ROLE_GOALIE}});
}

TEST(Codes, Action) {
  using Message = humanoid_league_msgs::msg::Strategy;
  expect_codes<hl_soccer::Action>({{hl_soccer::Action::Undefined, Message::ACTION_UNDEFINED},
                                   {hl_soccer::Action::Positioning, Message::ACTION_POSITIONING},
                                   {hl_soccer::Action::GoingToBall, Message::ACTION_GOING_TO_BALL},
                                   {hl_soccer::Action::TryingToScore, Message::ACTION_TRYING_TO_SCORE},
                                   {hl_soccer::Action::Waiting, Message::ACTION_WAITING}});
}

TEST(Codes, Activity) {
  using Message = humanoid_league_msgs::msg::TeamData;
  expect_codes<hl_soccer::Activity>({{hl_soccer::Activity::Inactive, Message::STATE_INACTIVE},
                                     {hl_soccer::Activity::Active, Message::STATE_ACTIVE},
                                     {hl_soccer::Activity::Penalized, Message::STATE_PENALIZED}});
}

TEST(Codes, OffensiveSide) {
  using Message = humanoid_league_msgs::msg::TeamData;
  expect_codes<hl_soccer::OffensiveSide>({{hl_soccer::OffensiveSide::Unspecified, Message::UNSPECIFIED},
                                          {hl_soccer::OffensiveSide::Left, Message::LEFT},
                                          {hl_soccer::OffensiveSide::Right, Message::RIGHT},
                                          {hl_soccer::OffensiveSide::Centre, Message::CENTER}});
}

TEST(Codes, Team) {
  using Message = humanoid_league_msgs::msg::TrackedRobot;
  expect_codes<hl_soccer::Team>({{hl_soccer::Team::Unknown, Message::TEAM_UNKNOWN},
                                 {hl_soccer::Team::Own, Message::TEAM_OWN},
                                 {hl_soccer::Team::Rival, Message::TEAM_RIVAL}});
}

TEST(Codes, ObstacleKind) {
  using Message = humanoid_league_msgs::msg::ObstacleRelative;
  expect_codes<hl_soccer::ObstacleKind>({{hl_soccer::ObstacleKind::Undefined, Message::UNDEFINED},
                                         {hl_soccer::ObstacleKind::RobotUndefined, Message::ROBOT_UNDEFINED},
                                         {hl_soccer::ObstacleKind::RobotRed, Message::ROBOT_MAGENTA},
                                         {hl_soccer::ObstacleKind::RobotBlue, Message::ROBOT_CYAN},
                                         {hl_soccer::ObstacleKind::Human, Message::HUMAN},
                                         {hl_soccer::ObstacleKind::Pole, Message::POLE}});
}

}  // namespace
