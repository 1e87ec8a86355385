// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "hl_walking/params.hpp"

namespace hl_walking {
namespace {

TEST(Params, DefaultsAreValid) {
  EXPECT_EQ(Params{}.validate().value_or("valid"), "valid");
}

TEST(Params, EveryValueOutOfRangeIsNamed) {
  for (const ParameterInfo& info : parameter_table()) {
    for (const double bad : {info.min - 1.0, info.max + 1.0, std::numeric_limits<double>::quiet_NaN()}) {
      Params params;
      params.*info.value = bad;
      const auto reason = params.validate();
      ASSERT_TRUE(reason) << info.name << " = " << bad;
      EXPECT_EQ(reason->rfind(info.name, 0), 0u) << *reason;
    }
  }
}

TEST(Params, TheTableKnowsEveryValue) {
  EXPECT_EQ(parameter_table().size() * sizeof(double), sizeof(Params));
  EXPECT_EQ(find_parameter("foot_lift")->value, &Params::foot_lift);
  EXPECT_EQ(find_parameter("no such thing"), nullptr);
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
