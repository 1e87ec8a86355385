// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rows.hpp"

namespace hl_behavior {
namespace {

using hl_soccer::GamePhase;
using hl_soccer::KickOff;
using hl_soccer::SetPlay;
using hl_soccer::SetPlayPhase;

constexpr auto kAnyRole = Role::Other;

std::vector<Row> make_rows() {
  using S = Scene;
  using K = SetPlayKind;
  using W = Whose;
  using R = Role;
  using P = Plan;
  return {
      {S::Penalised, K::Any, W::Any, kAnyRole, P::Stand, "penalised", "stands still"},
      {S::NoReferee, K::Any, W::Any, kAnyRole, P::Stand, "no referee", "stands (without_referee: stop)"},
      {S::Stopped, K::Any, W::Any, kAnyRole, P::WatchBall, "stopped", "stands, watches the ball"},
      {S::Timeout, K::Any, W::Any, kAnyRole, P::Stand, "timeout", "stands"},
      {S::Initial, K::Any, W::Any, kAnyRole, P::Locate, "initial", "stands, finds out where it is"},
      {S::HalfTime, K::Any, W::Any, kAnyRole, P::Stand, "half-time", "stands"},
      {S::Finished, K::Any, W::Any, kAnyRole, P::Stand, "finished", "stands"},
      {S::NotAllowed, K::Any, W::Any, kAnyRole, P::WatchBall, "not allowed to move", "stands, watches the ball"},

      {S::PoseUnknown, K::Any, W::Any, kAnyRole, P::FindPose, "pose unknown",
       "looks around, later walks a small circle"},

      {S::Ready, K::Any, W::Own, R::Striker, P::WalkIn, "ready, own kick-off: striker", "behind the centre mark"},
      {S::Ready, K::Any, W::Own, R::Supporter, P::WalkIn, "ready, own kick-off: supporter",
       "beside the circle, can take a pass"},
      {S::Ready, K::Any, W::Own, R::Defender, P::WalkIn, "ready, own kick-off: defender", "half way to the own goal"},
      {S::Ready, K::Any, W::Own, R::Goalie, P::WalkIn, "ready, own kick-off: goalie", "in the goal area"},
      {S::Ready, K::Any, W::Rival, R::Striker, P::WalkIn, "ready, their kick-off: striker",
       "outside the circle, in the way"},
      {S::Ready, K::Any, W::Rival, R::Supporter, P::WalkIn, "ready, their kick-off: supporter",
       "outside the circle, aside"},
      {S::Ready, K::Any, W::Rival, R::Defender, P::WalkIn, "ready, their kick-off: defender",
       "in front of the penalty area"},
      {S::Ready, K::Any, W::Rival, R::Goalie, P::WalkIn, "ready, their kick-off: goalie", "in the goal area"},
      {S::Ready, K::Any, W::Nobody, R::Striker, P::WalkIn, "ready, dropped ball: striker",
       "outside the circle, nearest"},
      {S::Ready, K::Any, W::Nobody, R::Supporter, P::WalkIn, "ready, dropped ball: supporter",
       "outside the circle, aside"},
      {S::Ready, K::Any, W::Nobody, R::Defender, P::WalkIn, "ready, dropped ball: defender",
       "half way to the own goal"},
      {S::Ready, K::Any, W::Nobody, R::Goalie, P::WalkIn, "ready, dropped ball: goalie", "in the goal area"},
      {S::Ready, K::Any, W::Any, kAnyRole, P::Stand, "ready: no role", "stands"},
      {S::Set, K::Any, W::Any, kAnyRole, P::WatchBall, "set", "stands, watches the ball"},

      {S::KickOff, K::Any, W::Own, R::Striker, P::TakeKick, "own kick-off: striker",
       "plays the ball, no shot at the goal"},
      {S::KickOff, K::Any, W::Own, R::Supporter, P::Receive, "own kick-off: supporter", "where a pass can reach"},
      {S::KickOff, K::Any, W::Own, R::Defender, P::Cover, "own kick-off: defender", "between ball and own goal"},
      {S::KickOff, K::Any, W::Own, R::Goalie, P::GuardGoal, "own kick-off: goalie", "between ball and goal"},
      {S::KickOff, K::Any, W::Rival, R::Striker, P::KeepOff, "their kick-off: striker",
       "outside the circle until the ball moves"},
      {S::KickOff, K::Any, W::Rival, R::Supporter, P::KeepOff, "their kick-off: supporter",
       "outside the circle, aside"},
      {S::KickOff, K::Any, W::Rival, R::Defender, P::Cover, "their kick-off: defender", "between ball and own goal"},
      {S::KickOff, K::Any, W::Rival, R::Goalie, P::GuardGoal, "their kick-off: goalie", "between ball and goal"},
      {S::KickOff, K::Any, W::Nobody, R::Striker, P::TakeKick, "dropped ball: striker", "in play at once"},
      {S::KickOff, K::Any, W::Nobody, R::Supporter, P::Support, "dropped ball: supporter", "in play at once"},
      {S::KickOff, K::Any, W::Nobody, R::Defender, P::Defend, "dropped ball: defender", "in play at once"},
      {S::KickOff, K::Any, W::Nobody, R::Goalie, P::KeepGoal, "dropped ball: goalie", "in play at once"},

      {S::Called, K::Any, W::Own, kAnyRole, P::WatchBall, "own set play called", "stands, watches the ball"},
      {S::Called, K::Any, W::Any, kAnyRole, P::WatchBall, "their set play called", "stands, watches the ball"},

      {S::Prepare, K::PenaltyKick, W::Own, R::Striker, P::PrepareKick, "own penalty kick, prepare: striker",
       "behind the ball"},
      {S::Prepare, K::PenaltyKick, W::Own, R::Goalie, P::GuardGoal, "own penalty kick, prepare: goalie",
       "in the own goal area"},
      {S::Prepare, K::PenaltyKick, W::Own, kAnyRole, P::BehindMark, "own penalty kick, prepare: others",
       "behind the mark, off the ball"},
      {S::Prepare, K::PenaltyKick, W::Any, R::Goalie, P::GoalLine, "their penalty kick, prepare: goalie",
       "on the goal line"},
      {S::Prepare, K::PenaltyKick, W::Any, kAnyRole, P::BehindMark, "their penalty kick, prepare: others",
       "behind the mark, off the ball"},
      {S::Prepare, K::CornerKick, W::Own, R::Supporter, P::Receive, "own corner, prepare: supporter",
       "in front of their goal"},
      {S::Prepare, K::Any, W::Own, R::Striker, P::PrepareKick, "own set play, prepare: striker",
       "behind the ball, does not touch it"},
      {S::Prepare, K::Any, W::Own, R::Supporter, P::Receive, "own set play, prepare: supporter",
       "where a pass can reach"},
      {S::Prepare, K::Any, W::Own, R::Defender, P::Cover, "own set play, prepare: defender",
       "between ball and own goal"},
      {S::Prepare, K::Any, W::Own, R::Goalie, P::GuardGoal, "own set play, prepare: goalie", "between ball and goal"},
      {S::Prepare, K::Any, W::Any, R::Striker, P::KeepOff, "their set play, prepare: striker",
       "off the ball, on its way to our goal"},
      {S::Prepare, K::Any, W::Any, R::Supporter, P::KeepOff, "their set play, prepare: supporter",
       "off the ball, aside"},
      {S::Prepare, K::Any, W::Any, R::Defender, P::Cover, "their set play, prepare: defender",
       "between ball and own goal"},
      {S::Prepare, K::Any, W::Any, R::Goalie, P::GuardGoal, "their set play, prepare: goalie", "between ball and goal"},

      {S::Execute, K::PenaltyKick, W::Own, R::Striker, P::TakeKick, "own penalty kick: striker", "shoots"},
      {S::Execute, K::PenaltyKick, W::Own, R::Goalie, P::GuardGoal, "own penalty kick: goalie", "in the own goal area"},
      {S::Execute, K::PenaltyKick, W::Own, kAnyRole, P::BehindMark, "own penalty kick: others",
       "behind the mark until it is kicked"},
      {S::Execute, K::PenaltyKick, W::Any, R::Goalie, P::PenaltySave, "their penalty kick: goalie",
       "on the line, dives"},
      {S::Execute, K::PenaltyKick, W::Any, kAnyRole, P::BehindMark, "their penalty kick: others",
       "behind the mark until it is kicked"},
      {S::Execute, K::CornerKick, W::Own, R::Supporter, P::Receive, "own corner: supporter", "in front of their goal"},
      {S::Execute, K::Any, W::Own, R::Striker, P::TakeKick, "own set play: striker",
       "plays the ball; a goal only where it counts"},
      {S::Execute, K::Any, W::Own, R::Supporter, P::Receive, "own set play: supporter", "where a pass can reach"},
      {S::Execute, K::Any, W::Own, R::Defender, P::Cover, "own set play: defender", "between ball and own goal"},
      {S::Execute, K::Any, W::Own, R::Goalie, P::GuardGoal, "own set play: goalie", "between ball and goal"},
      {S::Execute, K::Any, W::Any, R::Striker, P::KeepOff, "their set play: striker", "off the ball until it moves"},
      {S::Execute, K::Any, W::Any, R::Supporter, P::KeepOff, "their set play: supporter", "off the ball, aside"},
      {S::Execute, K::Any, W::Any, R::Defender, P::Cover, "their set play: defender", "between ball and own goal"},
      {S::Execute, K::Any, W::Any, R::Goalie, P::KeepGoal, "their set play: goalie", "between ball and goal, saves"},

      {S::ShootOutSet, K::Any, W::Any, kAnyRole, P::WatchBall, "shoot-out, set", "stands, watches the ball"},
      {S::ShootOut, K::Any, W::Own, R::Striker, P::TakeKick, "shoot-out: striker", "shoots"},
      {S::ShootOut, K::Any, W::Any, R::Goalie, P::PenaltySave, "shoot-out: goalie", "on the line, dives"},
      {S::ShootOut, K::Any, W::Any, kAnyRole, P::Stand, "shoot-out: others", "stands"},

      {S::BallOut, K::Any, W::Any, R::Goalie, P::GuardGoal, "ball out: goalie", "between ball and goal"},
      {S::BallOut, K::Any, W::Any, kAnyRole, P::WatchBall, "ball out", "waits for the referee, does not chase it"},
      {S::BallUnknown, K::Any, W::Any, R::Goalie, P::GuardGoal, "ball unknown: goalie",
       "in the goal area, looks for the ball"},
      {S::BallUnknown, K::Any, W::Any, R::Striker, P::Search, "ball unknown: striker",
       "turns, then looks where it was and in its sector"},
      {S::BallUnknown, K::Any, W::Any, R::Supporter, P::Search, "ball unknown: supporter",
       "the same in another sector"},
      {S::BallUnknown, K::Any, W::Any, R::Defender, P::Search, "ball unknown: defender", "the same in the own half"},

      {S::Play, K::Any, W::Any, R::Striker, P::Strike, "play: striker",
       "kick, pass, dribble or clear by expected gain"},
      {S::Play, K::Any, W::Any, R::Supporter, P::Support, "play: supporter",
       "behind and beside the ball, on the open side"},
      {S::Play, K::Any, W::Any, R::Defender, P::Defend, "play: defender", "between ball and own goal"},
      {S::Play, K::Any, W::Any, R::Goalie, P::KeepGoal, "play: goalie", "in the ball's way; comes out, dives, clears"},
      {S::Play, K::Any, W::Any, kAnyRole, P::Stand, "no role", "stands"},
  };
}

bool is_set_play(SetPlay play) {
  return play >= SetPlay::DirectFreeKick && play <= SetPlay::ThrowIn;
}

SetPlayKind kind_of(SetPlay play) {
  switch (play) {
    case SetPlay::CornerKick:
      return SetPlayKind::CornerKick;
    case SetPlay::PenaltyKick:
      return SetPlayKind::PenaltyKick;
    case SetPlay::DirectFreeKick:
    case SetPlay::IndirectFreeKick:
    case SetPlay::GoalKick:
    case SetPlay::ThrowIn:
      return SetPlayKind::FreeKick;
    default:
      return SetPlayKind::None;
  }
}

Whose whose_kick_off(KickOff kick_off) {
  return kick_off == KickOff::Own ? Whose::Own : kick_off == KickOff::Rival ? Whose::Rival : Whose::Nobody;
}

}  // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = make_rows();
  return kRows;
}

const Row& find_row(Scene scene, SetPlayKind kind, Whose whose, Role role) {
  for (const Row& row : rows()) {
    if (row.scene == scene && (row.kind == SetPlayKind::Any || row.kind == kind) &&
        (row.whose == Whose::Any || row.whose == whose) && (row.role == kAnyRole || row.role == role))
      return row;
  }
  return rows().back();  // no role: stands
}

Moment referee_moment(const Situation& s, const TacticsParams& params, const Memory& memory) {
  const auto& game = *s.game;
  Moment moment;
  const auto with = [&moment](Scene scene) {
    moment.scene = scene;
    return moment;
  };
  if (s.penalized) return with(Scene::Penalised);
  if (!game.referee_connected && params.without_referee == WithoutReferee::Stop) return with(Scene::NoReferee);
  if (!game.referee_connected && params.without_referee == WithoutReferee::Play) return with(Scene::Play);
  if (game.stopped) return with(Scene::Stopped);
  if (game.set_play == SetPlay::Timeout) return with(Scene::Timeout);
  if (game.phase == GamePhase::Initial) return with(Scene::Initial);
  if (game.phase == GamePhase::Finished) return with(game.first_half ? Scene::HalfTime : Scene::Finished);

  if (game.set_play == SetPlay::PenaltyShoot) {
    moment.whose = whose_kick_off(game.kick_off);
    if (game.phase != GamePhase::Playing) return with(Scene::ShootOutSet);
    return with(game.allowed_to_move ? Scene::ShootOut : Scene::NotAllowed);
  }
  const bool set_play = is_set_play(game.set_play);
  moment.kind = kind_of(game.set_play);
  moment.whose = set_play ? (game.own_set_play ? Whose::Own : Whose::Rival) : whose_kick_off(game.kick_off);
  moment.direct = game.set_play == SetPlay::DirectFreeKick || game.set_play == SetPlay::PenaltyKick ||
                  game.set_play == SetPlay::CornerKick || game.set_play == SetPlay::GoalKick;
  if (game.phase == GamePhase::Set) return with(Scene::Set);
  if (set_play && game.set_play_phase == SetPlayPhase::Called) return with(Scene::Called);
  if (!game.allowed_to_move) return with(Scene::NotAllowed);
  if (game.phase == GamePhase::Ready)
    return with(moment.kind == SetPlayKind::PenaltyKick ? Scene::Prepare : Scene::Ready);
  if (set_play) {
    if (game.set_play_phase == SetPlayPhase::Prepare) return with(Scene::Prepare);
    if (!memory.in_play) return with(Scene::Execute);
  } else if (!memory.in_play) {
    return with(Scene::KickOff);
  }
  moment.kind = SetPlayKind::None;
  moment.whose = Whose::Nobody;
  moment.direct = true;
  return with(Scene::Play);
}

const char* name_of(Scene scene) {
  static constexpr const char* kNames[kScenes] = {"penalised",
                                                  "no referee",
                                                  "stopped",
                                                  "timeout",
                                                  "INITIAL",
                                                  "half-time",
                                                  "FINISHED",
                                                  "not allowed",
                                                  "READY",
                                                  "SET",
                                                  "PLAYING, kick-off",
                                                  "set play, called",
                                                  "set play, prepare",
                                                  "set play, execute",
                                                  "shoot-out, SET",
                                                  "shoot-out, PLAYING",
                                                  "pose unknown",
                                                  "ball unknown",
                                                  "ball out",
                                                  "PLAYING"};
  return kNames[static_cast<int>(scene)];
}

const char* name_of(Whose whose) {
  static constexpr const char* kNames[] = {"own", "rival", "nobody", "any"};
  return kNames[static_cast<int>(whose)];
}

const char* name_of(SetPlayKind kind) {
  static constexpr const char* kNames[] = {"none", "free kick, goal kick, throw-in", "corner", "penalty kick", "any"};
  return kNames[static_cast<int>(kind)];
}

const char* name_of(Plan plan) {
  static constexpr const char* kNames[] = {"stand",        "watch_ball", "locate",       "walk_in",   "take_kick",
                                           "prepare_kick", "receive",    "cover",        "keep_off",  "behind_mark",
                                           "guard_goal",   "goal_line",  "penalty_save", "find_pose", "search",
                                           "strike",       "support",    "defend",       "keep_goal"};
  return kNames[static_cast<int>(plan)];
}

std::string rows_markdown() {
  std::string out =
      "| state | set play | own / rival | role | plan | what it does | tested by |\n|---|---|---|---|---|---|---|\n";
  for (const Row& row : rows()) {
    out += std::string("| ") + name_of(row.scene) + " | " + (row.kind == SetPlayKind::Any ? "" : name_of(row.kind)) +
           " | " + (row.whose == Whose::Any ? "" : name_of(row.whose)) + " | " +
           (row.role == kAnyRole ? "" : name_of(row.role)) + " | " + name_of(row.plan) + " | " + row.what + " | `" +
           row.name + "` |\n";
  }
  return out;
}

}  // namespace hl_behavior
