// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hl_walking/config_file.hpp"
#include "hl_walking/kick.hpp"
#include "robots.hpp"

namespace hl_walking {
namespace {

class KickTest : public testing::Test {
 protected:
  KickTest() : body_(load_body("minibot")), kick_((walk_.trunk_height = 0.34, body_), walk_, params_) {}

  static KickGoal ahead(double x, double y) {
    KickGoal goal;
    goal.ball = {x, y};
    goal.target = {x + 3.0, y};
    return goal;
  }

  WalkingBody body_;
  Params walk_;
  Kick::Params params_;
  Kick kick_;
};

TEST_F(KickTest, TakesTheFootOnTheBallsSide) {
  ASSERT_FALSE(kick_.start(ahead(0.15, 0.06)));
  EXPECT_EQ(kick_.foot(), Side::Left);
  kick_.abort();
  ASSERT_FALSE(kick_.start(ahead(0.15, -0.06)));
  EXPECT_EQ(kick_.foot(), Side::Right);
}

TEST_F(KickTest, RefusesWhatItCannotReachWithAReason) {
  EXPECT_NE(kick_.start(ahead(0.8, 0.06))->find("80 cm ahead"), std::string::npos);
  EXPECT_NE(kick_.start(ahead(0.15, 0.5))->find("50 cm aside"), std::string::npos);
  KickGoal back = ahead(0.15, 0.06);
  back.target = {-3.0, 0.06};
  EXPECT_NE(kick_.start(back)->find("turn"), std::string::npos);
  KickGoal nonsense = ahead(std::numeric_limits<double>::quiet_NaN(), 0.06);
  EXPECT_TRUE(kick_.start(nonsense));
  KickGoal nowhere = ahead(0.15, 0.06);
  nowhere.target = nowhere.ball;
  EXPECT_TRUE(kick_.start(nowhere));
  EXPECT_FALSE(kick_.active());
  ASSERT_FALSE(kick_.start(ahead(0.15, 0.06)));
  EXPECT_TRUE(kick_.start(ahead(0.15, 0.06)));  // one is under way
}

TEST_F(KickTest, SwingsThroughAndEndsWhereItBegan) {
  ASSERT_FALSE(kick_.start(ahead(0.15, -0.06)));
  const Joints first = kick_.update(0.001, std::nullopt);
  Joints last = first;
  double farthest = 0.0, progress = 0.0;
  int ticks = 0;
  while (kick_.active()) {
    ASSERT_LT(++ticks, 1000);
    const Joints& now = kick_.update(0.01, std::nullopt);
    ASSERT_TRUE(now.allFinite());
    EXPECT_LT((now - last).cwiseAbs().maxCoeff(), 0.5);
    last = now;
    farthest = std::max(farthest,
                        body_.sole(Side::Right, now).translation().x() - body_.sole(Side::Left, now).translation().x());
    EXPECT_GE(kick_.progress(), progress - 1e-9);
    progress = kick_.progress();
  }
  EXPECT_GT(farthest, 0.1);
  EXPECT_TRUE(kick_.finished());
  EXPECT_LT((last - first).cwiseAbs().maxCoeff(), 0.02);
}

TEST_F(KickTest, ACancelledShiftGoesBackTheSameWay) {
  ASSERT_FALSE(kick_.start(ahead(0.15, -0.06)));
  Joints last = kick_.update(0.01, std::nullopt);
  for (int i = 0; i < 20; ++i) last = kick_.update(0.01, std::nullopt);
  kick_.cancel();
  while (kick_.active()) {
    const Joints& now = kick_.update(0.01, std::nullopt);
    EXPECT_LT((now - last).cwiseAbs().maxCoeff(), 0.1);
    last = now;
  }
  EXPECT_FALSE(kick_.finished());
}

TEST(KickParams, BadValuesAreNamed) {
  Kick::Params params;
  EXPECT_FALSE(params.validate());
  params.swing_duration = 0.001;
  EXPECT_NE(params.validate()->find("swing_duration"), std::string::npos);
}

TEST(TunedKick, GoalsRespectTheJointLimits) {
  for (const std::string robot : {"minibot", "darwin_op"}) {
    const WalkingBody body = load_body(robot);
    const WalkConfig config = load_config(std::string(CONFIG) + "/" + robot + ".yaml");
    for (const double side : {1.0, -1.0}) {
      for (const double direction : {-0.45, 0.0, 0.45}) {
        KickGoal goal;
        goal.ball = {(config.kick.near + config.kick.far) / 2.0, side * config.walk.foot_distance / 2.0};
        goal.target = goal.ball + Eigen::Vector2d(std::cos(direction), std::sin(direction));
        Kick kick(body, config.walk, config.kick);
        ASSERT_FALSE(kick.start(goal));
        while (kick.active()) {
          const Joints& goals = kick.update(0.01, std::nullopt);
          for (std::size_t i = 0; i < body.model().dof(); ++i) {
            const double q = goals[static_cast<Eigen::Index>(i)];
            ASSERT_TRUE(body.model().limits(i).contains(q))
                << robot << " " << body.model().joint_names()[i] << " " << q;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace hl_walking
