// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <limits>

#include "hl_behavior/capabilities.hpp"
#include "hl_behavior/skill.hpp"

using namespace hl_behavior;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<MoveSkill> all_moves() {
  return {GoToPose(),   GoKeepHeading(), GoLookingAt(), Follow(), ApproachBall(), TurnAroundBall(),
          GoStraight(), Weave(),         Step(),        Walk(),   Stop()};
}

TEST(Skill, NoiseInATargetIsTheSameSkill) {
  GoToPose a, b;
  b.pose = {0.005, -0.005, 0.01};
  EXPECT_EQ(compare(MoveSkill(a), MoveSkill(b)), Sameness::Same);
  b.pose.x = 0.03;
  EXPECT_EQ(compare(MoveSkill(a), MoveSkill(b)), Sameness::Other);
}

TEST(Skill, AnglesAreComparedAcrossPi) {
  ApproachBall a, b;
  a.direction = M_PI - 0.001;
  b.direction = -M_PI + 0.001;
  EXPECT_EQ(compare(MoveSkill(a), MoveSkill(b)), Sameness::Same);
}

TEST(Skill, AMovingTargetUpdates) {
  ApproachBall a, b;
  b.ball = {1.0, 0.0};
  EXPECT_EQ(compare(MoveSkill(a), MoveSkill(b)), Sameness::Update);
  KickTo kick, later;
  kick.target = later.target = {3, 0};
  later.ball = {0.1, 0.0};
  EXPECT_EQ(compare(KickSkill(kick), KickSkill(later)), Sameness::Update);
}

TEST(Skill, EveryKindEqualsItselfAndNoOther) {
  const auto moves = all_moves();
  for (std::size_t i = 0; i < moves.size(); ++i)
    for (std::size_t j = 0; j < moves.size(); ++j)
      EXPECT_EQ(compare(moves[i], moves[j]), i == j ? Sameness::Same : Sameness::Other) << i << " " << j;
}

TEST(Skill, NotANumberIsABadValueAndEqualsNothing) {
  GoToPose go;
  go.pose.x = kNan;
  EXPECT_TRUE(bad_value(MoveSkill(go)));
  EXPECT_EQ(compare(MoveSkill(go), MoveSkill(go)), Sameness::Other);
  KickTo kick;
  kick.target = {1, 0};
  EXPECT_FALSE(bad_value(KickSkill(kick)));
  kick.speed = 1.5;
  EXPECT_THAT(bad_value(KickSkill(kick)).value_or(""), testing::HasSubstr("1.5"));
  LookAt look;
  look.height = kNan;
  EXPECT_TRUE(bad_value(HeadSkill(look)));
  EXPECT_TRUE(bad_value(KickSkill(KickTo())));  // no direction
}

TEST(Skill, EverySkillOfTheCatalogueIsDescribedByItsName) {
  std::vector<std::string> texts;
  for (const auto& move : all_moves()) texts.push_back(describe(move));
  for (const HeadSkill& head : {HeadSkill(LookMode()), HeadSkill(LookAt()), HeadSkill(Scan())})
    texts.push_back(describe(head));
  for (const KickSkill& kick : {KickSkill(KickTo()), KickSkill(PassTo()), KickSkill(Dribble()), KickSkill(Clear()),
                                KickSkill(Dive()), KickSkill(Block()), KickSkill(Disarm())})
    texts.push_back(describe(kick));
  ASSERT_EQ(texts.size(), capabilities().size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_THAT(texts[i], testing::StartsWith(capabilities()[i].name));
}

}  // namespace
