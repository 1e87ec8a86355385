// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "hl_testing/documentation.hpp"
#include "hl_walking/params.hpp"
#include "node_params.hpp"

namespace hl_walking {
namespace {

TEST(Params, DefaultsAreValid) {
  EXPECT_EQ(Params{}.validate().value_or("valid"), "valid");
}

TEST(Params, EveryValueOutOfRangeIsNamed) {
  for (const auto& row : parameters().rows()) {
    for (const double bad : {row.low - 1.0, row.high + 1.0, std::numeric_limits<double>::quiet_NaN()}) {
      Params params;
      ASSERT_TRUE(parameters().set(params, row.name, bad));
      const auto reason = params.validate();
      ASSERT_TRUE(reason) << row.name << " = " << bad;
      EXPECT_EQ(reason->rfind(row.name, 0), 0u) << *reason;
    }
  }
}

TEST(Params, TheTableKnowsEveryValue) {
  EXPECT_EQ(parameters().rows().size() * sizeof(double), sizeof(Params));
  EXPECT_EQ(Kick::parameters().rows().size() * sizeof(double), sizeof(Kick::Params));
  Params params;
  EXPECT_TRUE(parameters().set(params, "foot_lift", 0.05));
  EXPECT_EQ(params.foot_lift, 0.05);
  EXPECT_EQ(parameters().find("no such thing"), nullptr);
}

TEST(Params, ReadmeTellsThoseOfTheNode) {
  EXPECT_EQ(node_parameters().check({}), std::nullopt);
  EXPECT_EQ(hl_testing::documentation_problem(README, "parameters", node_parameters().markdown()), "");
}

TEST(Params, ContradictionsAreRefused) {
  Params params;
  params.min_foot_distance = params.foot_distance + 0.01;
  EXPECT_TRUE(params.validate());
  params = {};
  params.step_duration = 0.16;
  params.double_support_ratio = 0.5;
  EXPECT_TRUE(params.validate());
}

}  // namespace
}  // namespace hl_walking
