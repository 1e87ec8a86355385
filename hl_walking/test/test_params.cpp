// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "hl_testing/documentation.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "hl_walking/config_file.hpp"
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

TEST(Config, IsReadAsItWasWritten) {
  for (const std::string robot : {"minibot", "darwin_op"}) {
    WalkConfig config = load_config(std::string(CONFIG) + "/" + robot + ".yaml");
    config.kick.sag = 0.0125;
    config.odometry.scale_backward = 1.25;
    const hl_testing::TemporaryFolder folder;
    const std::string path = (folder.path() / "walk.yaml").string();
    const std::string text = config_text(config, "a test");
    std::ofstream(path) << text;
    EXPECT_EQ(text.find(": 0\n"), std::string::npos);  // the node would refuse a whole number
    EXPECT_EQ(text.find(": 0  #"), std::string::npos);
    WalkConfig again = load_config(path);
    for (const auto& row : WalkConfig::parameters().rows()) {
      const auto& value = std::get<hl_node::ParameterTable<WalkConfig>::Member<double>>(row.value);
      EXPECT_NEAR(value(again), value(config), 1e-4 * std::abs(value(config))) << row.name;
    }
    std::ofstream(path) << "/**/walking:\n  ros__parameters:\n    robot: minibot\n    foot_lift: high\n";
    try {
      load_config(path);
      FAIL() << "a word is no number";
    } catch (const std::runtime_error& e) {
      const std::string place = path + ":4: /**/walking.ros__parameters.foot_lift: expected a number";
      EXPECT_NE(std::string(e.what()).find(place), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace hl_walking
