// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <limits>
#include <map>
#include <random>

#include "hl_behavior/executor.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_behavior;
using hl_soccer::BodyState;
using Type = SkillEvent::Type;

namespace {

struct Rig {
  Executor executor{Executor::Params()};
  Executor::Inputs in;
  double now = 5.0;
  std::vector<SkillEvent> events;

  Rig() {
    in.body = BodyState::Controllable;
    in.pose = Pose2{0, 0, 0};
  }
  const Executor::Outputs& step(double dt = 0.05) {
    now += dt;
    const auto& out = executor.step(in, now);
    events.insert(events.end(), out.events.begin(), out.events.end());
    return out;
  }
  int count(Type type) const {
    int n = 0;
    for (const auto& event : events) n += event.type == type ? 1 : 0;
    return n;
  }
};

GoToPose to(double x, double y = 0.0) {
  GoToPose skill;
  skill.pose = {x, y, 0.0};
  return skill;
}
KickTo kick() {
  KickTo skill;
  skill.ball = {0.15, 0.05};
  skill.target = {3.0, 0.0};
  return skill;
}

/// Walks, and is told to kick in walk.
Rig dribbling() {
  Rig rig;
  rig.in.body = BodyState::Walking;
  rig.in.move = MoveSkill(Walk{{0.2, 0, 0}});
  Dribble dribble;
  dribble.ball = {0.2, 0};
  dribble.target = {1, 0};
  rig.in.kick = KickSkill(dribble);
  return rig;
}

TEST(Executor, EqualContentGoesOnDifferentContentReplacesAtOnce) {
  Rig rig;
  rig.in.move = MoveSkill(to(1.0));
  const auto first = rig.step().orders.navigate;
  ASSERT_TRUE(first);
  rig.in.move = MoveSkill(to(1.005));
  EXPECT_EQ(rig.step().orders.navigate->id, first->id);
  EXPECT_EQ(rig.events.size(), 1u);
  rig.in.move = MoveSkill(to(2.0));
  EXPECT_NE(rig.step().orders.navigate->id, first->id);
  EXPECT_EQ(rig.count(Type::Aborted), 1);
  EXPECT_EQ(rig.count(Type::Started), 2);
}

TEST(Executor, AMovingBallIsANewRevisionOfTheSameOrder) {
  Rig rig;
  ApproachBall approach;
  approach.ball = {1, 0};
  rig.in.move = MoveSkill(approach);
  const auto first = *rig.step().orders.navigate;
  approach.ball = {1.2, 0};
  rig.in.move = MoveSkill(approach);
  const auto second = *rig.step().orders.navigate;
  EXPECT_EQ(first.id, second.id);
  EXPECT_NE(first.revision, second.revision);
  EXPECT_DOUBLE_EQ(second.goal.ball.x(), 1.2);
}

TEST(Executor, AnEmptyMoveSlotStopsTheRobotAndAnEmptyHeadSlotKeepsItStill) {
  Rig rig;
  rig.in.move = MoveSkill(to(1.0));
  rig.in.head = HeadSkill(LookMode{HeadMode::Ball});
  EXPECT_EQ(rig.step().orders.head.mode, HeadMode::Ball);
  rig.in.move.reset();
  rig.in.head.reset();
  const auto& out = rig.step();
  EXPECT_FALSE(out.orders.navigate);
  EXPECT_EQ(out.orders.head.mode, HeadMode::DontMove);
  EXPECT_EQ(rig.count(Type::Aborted), 2);
}

TEST(Executor, AReachedPoseIsNotOrderedAgainUntilTheRobotIsOffIt) {
  Rig rig;
  rig.in.move = MoveSkill(to(1.0));
  const auto id = rig.step().orders.navigate->id;
  rig.in.pose = Pose2{1, 0, 0};
  rig.in.feedback.navigate = {id, Feedback::State::Succeeded, 1.0, ""};
  EXPECT_FALSE(rig.step().orders.navigate);
  EXPECT_EQ(rig.count(Type::Completed), 1);
  for (int i = 0; i < 40; ++i) EXPECT_FALSE(rig.step().orders.navigate);
  rig.in.pose = Pose2{1.3, 0, 0};  // pushed
  EXPECT_TRUE(rig.step().orders.navigate);
}

TEST(Executor, AFailedMoveIsTriedAgainAfterAWhile) {
  Rig rig;
  rig.in.move = MoveSkill(to(1.0));
  const auto id = rig.step().orders.navigate->id;
  rig.in.feedback.navigate = {id, Feedback::State::Failed, 0.0, "no way"};
  rig.step();
  ASSERT_EQ(rig.count(Type::Failed), 1);
  EXPECT_EQ(rig.events.back().reason, "no way");
  EXPECT_FALSE(rig.step().orders.navigate);
  rig.step(0.9);
  EXPECT_TRUE(rig.step(0.2).orders.navigate);
}

TEST(Executor, AStandingKickStopsTheWalkAndGivesItBack) {
  Rig rig;
  rig.in.move = MoveSkill(to(1.0));
  rig.in.body = BodyState::Walking;
  rig.step();
  rig.in.kick = KickSkill(kick());
  const auto& stopping = rig.step();
  EXPECT_FALSE(stopping.orders.navigate);
  EXPECT_FALSE(stopping.orders.kick);
  EXPECT_EQ(stopping.kick, Executor::State::Waiting);
  rig.in.body = BodyState::Controllable;
  const auto order = rig.step().orders.kick;
  ASSERT_TRUE(order);
  rig.in.body = BodyState::Kicking;
  rig.in.feedback.kick = {order->id, Feedback::State::Running, 0.2, ""};
  EXPECT_FALSE(rig.step().orders.navigate);
  rig.in.body = BodyState::Controllable;
  rig.in.feedback.kick = {order->id, Feedback::State::Succeeded, 1.0, ""};
  rig.in.kick.reset();
  EXPECT_TRUE(rig.step().orders.navigate);
  EXPECT_EQ(rig.count(Type::Completed), 1);
}

TEST(Executor, AKickInWalkLeavesTheWalkRunning) {
  Rig rig = dribbling();
  const auto& out = rig.step();
  EXPECT_TRUE(out.orders.navigate);
  ASSERT_TRUE(out.orders.kick);
  EXPECT_TRUE(out.orders.kick->goal.in_walk);
  EXPECT_EQ(out.legs, LegOwner::Move);
}

TEST(Executor, AKickInWalkIsOrderedAgainIfTheWalkWasJustEnding) {
  Rig rig = dribbling();
  const auto first = rig.step().orders.kick->id;
  rig.in.feedback.kick = {first, Feedback::State::Failed, 0.0, "stopped"};
  rig.in.body = BodyState::Controllable;
  EXPECT_FALSE(rig.step().orders.kick);
  EXPECT_EQ(rig.count(Type::Failed), 0);
  rig.in.body = BodyState::Walking;
  const auto& again = rig.step();
  ASSERT_TRUE(again.orders.kick);
  EXPECT_NE(again.orders.kick->id, first);
  EXPECT_EQ(rig.count(Type::Started), 2) << "the walk and the kick, once each";
  for (double begin = rig.now; rig.now - begin < 2.0;) {
    const auto& out = rig.step();
    if (out.orders.kick) rig.in.feedback.kick = {out.orders.kick->id, Feedback::State::Failed, 0.0, "stopped"};
    if (rig.count(Type::Failed) > 0) break;
  }
  EXPECT_EQ(rig.count(Type::Failed), 1) << "not for ever";
}

TEST(Executor, PastThePointOfNoReturnTheNewestDecisionIsKept) {
  Rig rig;
  rig.in.kick = KickSkill(kick());
  const auto id = rig.step().orders.kick->id;
  rig.in.body = BodyState::Kicking;
  rig.in.feedback.kick = {id, Feedback::State::Running, 0.6, ""};
  rig.step();
  rig.in.kick = KickSkill(Dive{DiveSide::Left});
  const auto& busy = rig.step();
  EXPECT_EQ(busy.kick, Executor::State::Busy);
  EXPECT_EQ(busy.orders.kick->id, id);
  EXPECT_EQ(rig.count(Type::Started), 1);
  rig.in.feedback.kick = {id, Feedback::State::Succeeded, 1.0, ""};
  rig.in.body = BodyState::Controllable;
  const auto& after = rig.step();
  ASSERT_TRUE(after.orders.animation);
  EXPECT_EQ(after.orders.animation->name, "dive_left");
}

TEST(Executor, AKickCanBeTakenBackBeforeTheSwing) {
  Rig rig;
  rig.in.kick = KickSkill(kick());
  const auto id = rig.step().orders.kick->id;
  rig.in.body = BodyState::Kicking;
  rig.in.feedback.kick = {id, Feedback::State::Running, 0.1, ""};
  rig.in.kick = KickSkill(Disarm{});
  EXPECT_FALSE(rig.step().orders.kick);
  EXPECT_EQ(rig.count(Type::Aborted), 1);
  EXPECT_EQ(rig.count(Type::Completed), 1);  // of the disarm
  rig.step();
  EXPECT_EQ(rig.count(Type::Completed), 1);
}

TEST(Executor, ABallOutOfReachIsNotKicked) {
  Rig rig;
  auto far = kick();
  far.ball = {0.5, 0.0};
  rig.in.kick = KickSkill(far);
  EXPECT_FALSE(rig.step().orders.kick);
  ASSERT_EQ(rig.count(Type::Failed), 1);
  EXPECT_THAT(rig.events.back().reason, testing::HasSubstr("out of reach"));
  rig.in.pose.reset();
  rig.in.kick = KickSkill(kick());
  rig.step(1.5);
  EXPECT_THAT(rig.events.back().reason, testing::HasSubstr("pose is unknown"));
}

TEST(Executor, AKickNobodyCarriesOutFails) {
  Rig rig;
  rig.in.kick = KickSkill(kick());
  rig.step();
  for (int i = 0; i < 60; ++i) rig.step();
  ASSERT_GE(rig.count(Type::Failed), 1);
}

TEST(Executor, AFallMakesSlotsWaitAndGoesOnAfterwards) {
  Rig rig;
  rig.in.move = MoveSkill(to(1.0));
  const auto before = rig.step().orders.navigate->id;
  rig.in.body = BodyState::Falling;
  EXPECT_FALSE(rig.step().orders.navigate);
  rig.in.body = BodyState::GettingUp;
  const auto& waiting = rig.step();
  EXPECT_EQ(waiting.move, Executor::State::Waiting);
  rig.in.feedback.navigate = {before, Feedback::State::Failed, 0.0, "cancelled"};
  rig.in.body = BodyState::Controllable;
  const auto& out = rig.step();
  ASSERT_TRUE(out.orders.navigate);
  EXPECT_NE(out.orders.navigate->id, before);
  EXPECT_EQ(rig.events.size(), 1u);
}

TEST(Executor, APenaltyClearsAllSlotsAndAcceptsNothing) {
  Rig rig;
  rig.in.move = MoveSkill(to(1.0));
  rig.in.head = HeadSkill(LookMode{HeadMode::Ball});
  rig.step();
  rig.in.body = BodyState::Penalty;
  for (int i = 0; i < 5; ++i) {
    const auto& out = rig.step();
    EXPECT_FALSE(out.orders.navigate);
    EXPECT_EQ(out.orders.head.mode, HeadMode::DontMove);
  }
  EXPECT_EQ(rig.count(Type::Aborted), 2);
  EXPECT_EQ(rig.count(Type::Started), 2);
}

TEST(Executor, StepsAndStraightWaysAreDoneOnce) {
  Rig rig;
  Step step;
  step.step = {0.03, 0, 0};
  step.count = 2;
  rig.in.move = MoveSkill(step);
  const auto order = rig.step().orders.steps;
  ASSERT_TRUE(order);
  rig.in.feedback.steps = {order->id, Feedback::State::Succeeded, 1.0, ""};
  rig.step();
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(rig.step().orders.steps);
  EXPECT_EQ(rig.count(Type::Completed), 1);
}

TEST(Executor, AWeaveEndsAfterItsLength) {
  Rig rig;
  Weave weave;
  weave.length = 0.3;
  weave.speed = 0.1;
  rig.in.move = MoveSkill(weave);
  double left = 0.0, right = 0.0;
  for (int i = 0; i < 200 && rig.count(Type::Completed) == 0; ++i) {
    const auto& out = rig.step();
    if (!out.orders.navigate) continue;
    left = std::max(left, out.orders.navigate->goal.velocity.y);
    right = std::min(right, out.orders.navigate->goal.velocity.y);
  }
  EXPECT_EQ(rig.count(Type::Completed), 1);
  EXPECT_GT(left, 0.05);
  EXPECT_NEAR(rig.now - 5.0, 3.0, 0.3);
}

TEST(Executor, BadValuesFailWithAReasonAndDoNotRepeatEachTick) {
  Rig rig;
  rig.in.move = MoveSkill(to(std::numeric_limits<double>::quiet_NaN()));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(rig.step().orders.navigate);
  EXPECT_EQ(rig.count(Type::Started), 1);
  EXPECT_EQ(rig.count(Type::Failed), 1);
}

TEST(Executor, AScanSweepsBothSides) {
  Rig rig;
  rig.in.head = HeadSkill(Scan{ScanPattern::Horizon});
  double left = 0.0, right = 0.0;
  for (int i = 0; i < 100 && rig.count(Type::Completed) == 0; ++i) {
    const auto& look = rig.step().orders.head.look_at;
    if (!look) break;
    left = std::max(left, look->point.y());
    right = std::min(right, look->point.y());
  }
  EXPECT_GT(left, 1.0);
  EXPECT_LT(right, -1.0);
  EXPECT_EQ(rig.count(Type::Completed), 1) << "once around is enough";
}

TEST(Executor, StepsAreDoneWhenTheFeetStandAgain) {
  Rig rig;
  rig.in.move = MoveSkill(Step{{0.03, 0, 0}, 2});
  const auto order = rig.step().orders.steps;
  ASSERT_TRUE(order);
  rig.in.feedback.steps = {order->id, Feedback::State::Succeeded, 1.0, ""};
  rig.step();
  rig.in.body = hl_soccer::BodyState::Walking;
  for (int i = 0; i < 40; ++i) rig.step();
  EXPECT_EQ(rig.count(Type::Completed), 0);
  rig.in.body = hl_soccer::BodyState::Controllable;
  rig.step();
  EXPECT_EQ(rig.count(Type::Completed), 1);
}

TEST(Executor, ANewOrderOfATaskBeginsTheSameSkillAnewAndOnlyOnce) {
  Rig rig;
  rig.in.move = MoveSkill(GoStraight{0.5});
  rig.in.task_orders[0] = 7;
  const auto first = rig.step().orders.navigate;
  ASSERT_TRUE(first);
  rig.in.feedback.navigate = {first->id, Feedback::State::Failed, 0.0, "no way"};
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(rig.step().orders.navigate) << "a task has its answer, no second try";
  rig.in.task_orders[0] = 8;
  const auto second = rig.step().orders.navigate;
  ASSERT_TRUE(second) << "at once, no pause after a failure";
  EXPECT_NE(second->id, first->id);
  rig.in.task_orders[0] = 9;
  EXPECT_NE(rig.step().orders.navigate->id, second->id);
  EXPECT_EQ(rig.count(Type::Started), 3);
  EXPECT_EQ(rig.count(Type::Failed), 1);
  EXPECT_EQ(rig.count(Type::Aborted), 1);
}

// --- random sequences -----------------------------------------------------------------------------------------------

class Chaos {
 public:
  explicit Chaos(unsigned seed) : random_(seed) {}
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Vector2d point() { return {real(-1, 1), real(-1, 1)}; }

  std::optional<MoveSkill> move() {
    switch (below(12)) {
      case 0:
        return MoveSkill(to(real(-1, 1), real(-1, 1)));
      case 1:
        return MoveSkill(GoKeepHeading{point(), Frame::Map, true});
      case 2:
        return MoveSkill(GoLookingAt{point(), point(), Frame::Map, true});
      case 3:
        return MoveSkill(Follow{point(), point(), Pose2{0.5, 0, 0}, Frame::Map});
      case 4:
        return MoveSkill(ApproachBall{point(), point(), real(-3, 3), Foot::Any, Frame::Map});
      case 5:
        return MoveSkill(TurnAroundBall{point(), real(-3, 3), 0.0, Frame::Map});
      case 6:
        return MoveSkill(GoStraight{real(-1, 1)});
      case 7:
        return MoveSkill(Weave{0.2, 0.1, 1.0, 0.2});
      case 8:
        return MoveSkill(Step{Pose2{0.02, 0, 0}, 1 + below(3)});
      case 9:
        return MoveSkill(Walk{Pose2{0.1, 0, 0}});
      case 10:
        return MoveSkill(Stop{});
      default:
        return std::nullopt;
    }
  }
  std::optional<HeadSkill> head() {
    switch (below(4)) {
      case 0:
        return HeadSkill(LookMode{HeadMode::Ball});
      case 1:
        return HeadSkill(LookAt{point(), 0.0, Frame::Map});
      case 2:
        return HeadSkill(Scan{});
      default:
        return std::nullopt;
    }
  }
  std::optional<KickSkill> kick_skill() {
    const Vector2d ball(real(0.0, 0.3), real(-0.2, 0.2));
    switch (below(9)) {
      case 0:
        return KickSkill(KickTo{ball, {3, 0}, 1.0, Frame::BaseFootprint});
      case 1:
        return KickSkill(PassTo{3, ball, {3, 1}, 0.5, Frame::BaseFootprint});
      case 2:
        return KickSkill(Dribble{ball, {1, 0}, Frame::BaseFootprint});
      case 3:
        return KickSkill(Clear{ball, {3, 0}, Frame::BaseFootprint});
      case 4:
        return KickSkill(Dive{static_cast<DiveSide>(below(3))});
      case 5:
        return KickSkill(Block{});
      case 6:
        return KickSkill(Disarm{});
      default:
        return std::nullopt;
    }
  }
  Feedback::Entry answer(std::uint32_t id) {
    return {id, static_cast<Feedback::State>(below(4)), real(0, 1), "because"};
  }

 private:
  std::mt19937 random_;
};

TEST(ExecutorProperty, NeverTwoOwnersOfTheLegsAndEveryStartHasExactlyOneEnd) {
  const std::size_t sequences = hl_testing::count(20'000, 1'000'000);
  for (std::size_t sequence = 0; sequence < sequences; ++sequence) {
    Chaos chaos(static_cast<unsigned>(sequence));
    Executor executor{Executor::Params()};
    Executor::Inputs in;
    in.pose = Pose2();
    std::map<std::uint32_t, int> open;  // id -> slot
    double now = 0.0;
    Orders last;
    const int steps = 30;
    for (int i = 0; i < steps; ++i) {
      now += chaos.real(0.0, 0.8);
      if (chaos.below(3) == 0) in.move = chaos.move();
      if (chaos.below(3) == 0) in.head = chaos.head();
      if (chaos.below(3) == 0) in.kick = chaos.kick_skill();
      if (chaos.below(4) == 0) in.body = static_cast<BodyState>(chaos.below(16));
      if (chaos.below(2) == 0) in.body = chaos.below(2) == 0 ? BodyState::Controllable : BodyState::Walking;
      if (last.navigate && chaos.below(3) == 0) in.feedback.navigate = chaos.answer(last.navigate->id);
      if (last.kick && chaos.below(2) == 0) in.feedback.kick = chaos.answer(last.kick->id);
      if (last.animation && chaos.below(2) == 0) in.feedback.animation = chaos.answer(last.animation->id);
      if (last.steps && chaos.below(2) == 0) in.feedback.steps = chaos.answer(last.steps->id);
      if (i + 2 >= steps) {  // at the end everything is taken away
        in.move.reset();
        in.head.reset();
        in.kick.reset();
        in.body = BodyState::Penalty;
      }
      const auto& out = executor.step(in, now);
      last = out.orders;
      const bool walks = out.orders.navigate || out.orders.steps;
      const bool stands_to_kick = (out.orders.kick && !out.orders.kick->goal.in_walk) || out.orders.animation;
      ASSERT_FALSE(walks && stands_to_kick) << "sequence " << sequence << " step " << i;
      ASSERT_FALSE(out.orders.kick && out.orders.animation) << "sequence " << sequence;
      ASSERT_FALSE(out.orders.navigate && out.orders.steps) << "sequence " << sequence;
      for (const auto& event : out.events) {
        if (event.type == Type::Started) {
          ASSERT_TRUE(open.emplace(event.id, static_cast<int>(event.slot)).second) << "sequence " << sequence;
        } else {
          const auto found = open.find(event.id);
          ASSERT_NE(found, open.end()) << "sequence " << sequence << ": ended twice or never started";
          ASSERT_EQ(found->second, static_cast<int>(event.slot));
          open.erase(found);
        }
      }
      std::array<int, kSlots> per_slot{};
      for (const auto& [id, slot] : open) ASSERT_LE(++per_slot[static_cast<std::size_t>(slot)], 1);
    }
    ASSERT_TRUE(open.empty()) << "sequence " << sequence << ": a skill never ended";
  }
}

}  // namespace
