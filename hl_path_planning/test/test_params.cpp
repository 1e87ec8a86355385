// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "hl_path_planning/params.hpp"
#include "hl_path_planning/types.hpp"

using namespace hl_path_planning;

TEST(Params, DefaultsAreValid) {
  EXPECT_EQ(Params().validate(), std::nullopt);
}

TEST(Params, BadValuesAreNamed) {
  Params params;
  params.clearance = -0.1;
  EXPECT_THAT(params.validate().value(), testing::HasSubstr("clearance"));
  params = Params();
  params.lookahead = std::nan("");
  EXPECT_THAT(params.validate().value(), testing::HasSubstr("lookahead"));
  params = Params();
  params.approach = params.slow_distance + 0.05;
  EXPECT_THAT(params.validate().value(), testing::HasSubstr("approach"));
}

TEST(WalkingLimits, PartsAddUp) {
  const WalkingLimits limits;
  EXPECT_NEAR(limits.parts({0.2, 0.08, 0.0}), 1.0, 1e-9);
  const Velocity cut = limits.cut({0.4, 0.16, 1.1});
  EXPECT_NEAR(limits.parts(cut), 1.0, 1e-9);
  EXPECT_NEAR(limits.speed_towards(M_PI), limits.backward, 1e-9);
  EXPECT_NEAR(limits.speed_towards(M_PI_2), limits.sideways, 1e-9);
}

TEST(WalkingLimits, NotANumberIsNotValid) {
  WalkingLimits limits;
  EXPECT_TRUE(limits.valid());
  limits.turn = std::nan("");
  EXPECT_FALSE(limits.valid());
}

TEST(Params, ReadmeHasTheTable) {
  std::ifstream file(PACKAGE_DIR "/README.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), testing::HasSubstr(parameters().markdown()));
}
