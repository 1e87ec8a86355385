// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/capabilities.hpp"

#include <algorithm>
#include <cmath>

namespace hl_behavior {
namespace {

using hl_description::wrap_angle;

/// The arguments by name. What is missing and needed is remembered; the skill is not made then.
class Reader {
 public:
  Reader(const std::vector<SkillArgument>& arguments, const SkillContext& context)
      : arguments_(arguments), context_(context) {}

  double number(const char* name, double otherwise = 0.0) const {
    const SkillArgument* a = find(name);
    return a != nullptr && a->number ? *a->number : otherwise;
  }
  bool given(const char* name) const { return find(name) != nullptr; }
  std::string word(const char* name, const char* otherwise = "") const {
    const SkillArgument* a = find(name);
    return a != nullptr ? a->text : otherwise;
  }
  Vector2d place(const char* name) {
    const SkillArgument* a = find(name);
    if (a != nullptr && a->place) return *a->place;
    miss("where '" + (a != nullptr ? a->text : std::string(name)) + "' is, is not known");
    return Vector2d::Zero();
  }
  std::optional<double> heading(const char* name) const {
    const SkillArgument* a = find(name);
    return a != nullptr ? a->heading : std::nullopt;
  }
  Vector2d ball() {
    if (!context_.ball) miss("the ball is not known");
    return context_.ball.value_or(Vector2d::Zero());
  }
  Pose2 pose() {
    if (!context_.pose) miss("the own position is not known");
    return context_.pose.value_or(Pose2{});
  }
  Vector2d their_goal() const { return {0.5 * context_.field.length, 0.0}; }
  Vector2d own_goal() const { return {-0.5 * context_.field.length, 0.0}; }

  MadeSkill made(const Skill& skill) const { return missing_.empty() ? MadeSkill(skill) : MadeSkill(missing_); }

 private:
  const SkillArgument* find(const char* name) const {
    const auto found =
        std::find_if(arguments_.begin(), arguments_.end(), [&](const SkillArgument& a) { return a.name == name; });
    return found == arguments_.end() ? nullptr : &*found;
  }
  void miss(std::string what) {
    if (missing_.empty()) missing_ = std::move(what);
  }
  const std::vector<SkillArgument>& arguments_;
  const SkillContext& context_;
  std::string missing_;
};

using Arguments = const std::vector<SkillArgument>&;
using Here = const SkillContext&;

double direction_of(const Vector2d& way) {
  return std::atan2(way.y(), way.x());
}

Skill move(const MoveSkill& skill) {
  return Skill(skill);
}
Skill head(const HeadSkill& skill) {
  return Skill(skill);
}
Skill kick(const KickSkill& skill) {
  return Skill(skill);
}

MadeSkill make_go_to_pose(Arguments arguments, Here here) {
  Reader r(arguments, here);
  const Vector2d place = r.place("place");
  const Vector2d way = place - here.start.position();
  // Without a heading: as it comes there.
  const double along = way.norm() > 0.1 ? direction_of(way) : here.start.yaw;
  const double heading = r.given("heading") ? r.number("heading") : r.heading("place").value_or(along);
  return r.made(move(GoToPose{{place.x(), place.y(), heading}, Frame::Map, true, 0.0}));
}

MadeSkill make_go_keep_heading(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(move(GoKeepHeading{r.place("place"), Frame::Map, true}));
}

MadeSkill make_go_looking_at(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(move(GoLookingAt{r.place("place"), r.place("target"), Frame::Map, true}));
}

MadeSkill make_follow(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(move(
      Follow{r.place("target"), Vector2d::Zero(), Pose2{-std::abs(r.number("distance", 0.5)), 0.0, 0.0}, Frame::Map}));
}

MadeSkill make_approach_ball(Arguments arguments, Here here) {
  Reader r(arguments, here);
  const Vector2d ball = r.ball();
  const Vector2d aim = r.given("aim") ? r.place("aim") : r.their_goal();
  return r.made(move(ApproachBall{ball, here.ball_velocity, direction_of(aim - ball), Foot::Any, Frame::Map}));
}

MadeSkill make_turn_around_ball(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(move(TurnAroundBall{r.ball(), wrap_angle(here.start.yaw + r.number("angle")), 0.0, Frame::Map}));
}

MadeSkill make_go_straight(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(move(GoStraight{r.number("distance")}));
}

MadeSkill make_weave(Arguments arguments, Here here) {
  Reader r(arguments, here);
  Weave weave;
  weave.length = r.number("distance");
  weave.amplitude = r.number("amplitude");
  weave.period = r.number("wavelength", weave.period);
  return r.made(move(weave));
}

MadeSkill make_step(Arguments arguments, Here here) {
  Reader r(arguments, here);
  const double count = r.number("n", 1.0);
  if (!(count >= 1.0 && count <= 1000.0)) return "the number of steps is not within 1..1000";
  return r.made(move(Step{{r.number("dx"), r.number("dy"), r.number("dtheta")}, static_cast<int>(count)}));
}

MadeSkill make_walk(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(move(Walk{{r.number("vx"), r.number("vy"), r.number("vtheta")}}));
}

MadeSkill make_stop(Arguments, Here) {
  return move(Stop{});
}

MadeSkill make_head_mode(Arguments arguments, Here here) {
  Reader r(arguments, here);
  static constexpr std::pair<const char*, HeadMode> kModes[] = {{"BALL_MODE", HeadMode::Ball},
                                                                {"POST_MODE", HeadMode::Post},
                                                                {"BALL_GOAL_TRACKING", HeadMode::BallGoalTracking},
                                                                {"FIELD_FEATURES", HeadMode::FieldFeatures},
                                                                {"NON_FIELD_FEATURES", HeadMode::NonFieldFeatures},
                                                                {"LOOKDOWN", HeadMode::LookDown},
                                                                {"LOOKFORWARD", HeadMode::LookForward},
                                                                {"DONT_MOVE", HeadMode::DontMove},
                                                                {"LOOK_UP", HeadMode::LookUp}};
  for (const auto& [word, mode] : kModes)
    if (r.word("mode") == word) return head(LookMode{mode});
  return "'" + r.word("mode") + "' is no head mode";
}

MadeSkill make_look_at(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(head(LookAt{r.place("target"), 0.0, Frame::Map}));
}

MadeSkill make_scan(Arguments arguments, Here here) {
  Reader r(arguments, here);
  const std::string pattern = r.word("pattern", "around");
  if (pattern == "horizon") return head(Scan{ScanPattern::Horizon});
  if (pattern == "near_feet") return head(Scan{ScanPattern::Near});
  if (pattern == "around") return head(Scan{ScanPattern::All});
  return "'" + pattern + "' is no pattern: around, horizon, near_feet";
}

MadeSkill make_kick_to(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(kick(KickTo{r.ball(), r.place("target"), r.number("speed", 1.0), Frame::Map}));
}

MadeSkill make_pass_to(Arguments arguments, Here here) {
  Reader r(arguments, here);
  const Vector2d ball = r.ball(), target = r.place("player");
  const std::string name = r.word("player");
  const int number = !name.empty() && name.back() >= '0' && name.back() <= '9' ? name.back() - '0' : 0;
  // So hard that it stops there; below a third of the hardest our kick is not to be relied on.
  const double speed = std::clamp((target - ball).norm() / here.kick_distance, 0.35, 1.0);
  return r.made(kick(PassTo{number, ball, target, speed, Frame::Map}));
}

MadeSkill make_dribble(Arguments arguments, Here here) {
  Reader r(arguments, here);
  return r.made(kick(Dribble{r.ball(), r.place("target"), Frame::Map}));
}

MadeSkill make_clear(Arguments arguments, Here here) {
  Reader r(arguments, here);
  const Vector2d ball = r.ball();
  const Vector2d away = (ball - r.own_goal()).normalized();
  return r.made(kick(Clear{ball, ball + here.kick_distance * away, Frame::Map}));
}

MadeSkill make_dive(Arguments arguments, Here here) {
  Reader r(arguments, here);
  const std::string side = r.word("side");
  if (side == "left") return kick(Dive{DiveSide::Left});
  if (side == "right") return kick(Dive{DiveSide::Right});
  if (side == "middle") return kick(Dive{DiveSide::Middle});
  return "'" + side + "' is no side: left, right, middle";
}

MadeSkill make_block(Arguments, Here) {
  return kick(Block{});
}

MadeSkill make_disarm(Arguments, Here) {
  return kick(Disarm{});
}

constexpr bool kCanFail = true, kNeverFails = false;
constexpr auto kItself = SkillEnding::ByItself, kLasting = SkillEnding::Lasting, kTimed = SkillEnding::AfterSeconds;

}  // namespace

const std::vector<Capability>& capabilities() {
  const auto maybe = [](const char* name, const char* type) { return SkillParameter{name, type, false}; };
  // clang-format off
  static const std::vector<Capability> kTable = {
      {"go_to_pose", Slot::Move, {{"place", "Place"}, maybe("heading", "number")}, kCanFail, 10.0, kItself, 120.0,
       "go there, facing the way point's heading or the one given", make_go_to_pose},
      {"go_keep_heading", Slot::Move, {{"place", "Place"}}, kCanFail, 12.0, kItself, 120.0,
       "go there without turning", make_go_keep_heading},
      {"go_looking_at", Slot::Move, {{"place", "Place"}, {"target", "Place"}}, kCanFail, 12.0, kItself, 120.0,
       "go there, facing the target", make_go_looking_at},
      {"follow", Slot::Move, {{"target", "Place"}, maybe("distance", "number"), maybe("seconds", "number")}, kCanFail,
       10.0, kTimed, 0.0, "stay at a distance (0.5 m) from something that moves", make_follow},
      {"approach_ball", Slot::Move, {maybe("aim", "Place")}, kCanFail, 10.0, kItself, 60.0,
       "to the ball, ready to kick it towards the aim (the opponent's goal)", make_approach_ball},
      {"turn_around_ball", Slot::Move, {{"angle", "number"}}, kCanFail, 6.0, kItself, 30.0,
       "circle the ball, facing it", make_turn_around_ball},
      {"go_straight", Slot::Move, {{"distance", "number"}}, kCanFail, 8.0, kItself, 60.0,
       "ahead, or back if negative", make_go_straight},
      {"weave", Slot::Move, {{"distance", "number"}, {"amplitude", "number"}, maybe("wavelength", "number")}, kCanFail,
       20.0, kItself, 120.0, "ahead on a sine course", make_weave},
      {"step", Slot::Move, {{"dx", "number"}, {"dy", "number"}, {"dtheta", "number"}, {"n", "int"}}, kCanFail, 3.0,
       kItself, 30.0, "n steps of this size", make_step},
      {"walk", Slot::Move, {{"vx", "number"}, {"vy", "number"}, {"vtheta", "number"}, maybe("seconds", "number")},
       kCanFail, 1.0, kTimed, 0.0, "at this velocity for a while (1 s)", make_walk},
      {"stop", Slot::Move, {}, kNeverFails, 1.0, kItself, 10.0, "stand", make_stop},
      {"head_mode", Slot::Head, {{"mode", "HeadMode"}}, kNeverFails, 0.0, kLasting, 0.0,
       "what the head does from now on", make_head_mode},
      {"look_at", Slot::Head, {{"target", "Place"}, maybe("seconds", "number")}, kCanFail, 1.0, kTimed, 0.0,
       "look there for a while (1 s)", make_look_at},
      {"scan", Slot::Head, {maybe("pattern", "Pattern")}, kNeverFails, 4.0, kItself, 20.0, "look around once",
       make_scan},
      {"kick_to", Slot::Kick, {{"target", "Place"}, maybe("speed", "number")}, kCanFail, 4.0, kItself, 20.0,
       "kick the ball there; speed 0..1 of the hardest kick (1)", make_kick_to},
      {"pass_to", Slot::Kick, {{"player", "Player"}}, kCanFail, 4.0, kItself, 20.0,
       "kick the ball so that it stops there", make_pass_to},
      {"dribble", Slot::Kick, {{"target", "Place"}}, kCanFail, 3.0, kItself, 20.0,
       "one small kick in walk towards it; the robot walks on meanwhile", make_dribble},
      {"clear", Slot::Kick, {}, kCanFail, 4.0, kItself, 20.0, "kick the ball away from the own goal", make_clear},
      {"dive", Slot::Kick, {{"side", "Side"}}, kCanFail, 4.0, kItself, 20.0,
       "throw oneself to left, right, or middle", make_dive},
      {"block", Slot::Kick, {}, kCanFail, 3.0, kItself, 20.0, "make oneself wide", make_block},
      {"disarm", Slot::Kick, {}, kNeverFails, 0.1, kItself, 5.0, "give up a kick that has not begun", make_disarm},
  };
  // clang-format on
  return kTable;
}

const Capability* capability(const std::string& name) {
  const auto& all = capabilities();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Capability& c) { return name == c.name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace hl_behavior
