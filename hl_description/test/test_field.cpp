// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hl_description/field.hpp"
#include "hl_description/robot_model.hpp"

using namespace hl_description;
using testing::HasSubstr;

namespace {
Field preset(const std::string& name) {
  return Field::from_file(CONFIG_DIR "/field.yaml", name);
}
}  // namespace

TEST(Field, DefaultIsKidSize2020) {
  const Field field = preset(""), built_in;
  EXPECT_EQ(field.length, built_in.length);
  EXPECT_EQ(field.width, built_in.width);
  EXPECT_EQ(field.goal_height, built_in.goal_height);
  EXPECT_EQ(field.goal_width, 2.6);
  EXPECT_EQ(field.goal_area_width, 3.0);
  EXPECT_EQ(field.penalty_area_length, 2.0);
  EXPECT_EQ(field.penalty_mark, 1.5);
  EXPECT_EQ(field.border, 1.0);
}

TEST(Field, PresetsFollowTheRulesOfTheirYear) {
  EXPECT_EQ(preset("kid_2016").goal_width, 1.8);
  EXPECT_EQ(preset("kid_2016").goal_height, 1.1);
  EXPECT_EQ(preset("kid_2017").goal_height, 1.8);
  EXPECT_EQ(preset("kid_2017").penalty_mark, 2.1);
  EXPECT_EQ(preset("kid_2019").penalty_mark, 1.5);
  EXPECT_EQ(preset("kid_2019").penalty_area_length, 0.0);
  EXPECT_EQ(preset("adult_2025").length, 14.0);
  EXPECT_EQ(preset("adult_2025").circle_diameter, 3.0);
}

TEST(Field, LinesAndCrossingsLieOnTheCentresOfTheLines) {
  const Field field;
  EXPECT_NEAR(field.circle_radius(), 0.725, 1e-12);
  const auto has = [&](double x, double y, Field::Crossing type) {
    for (const auto& i : field.intersections())
      if ((i.position - Eigen::Vector2d(x, y)).norm() < 1e-9 && i.type == type) return true;
    return false;
  };
  for (const double x : {1.0, -1.0}) {
    for (const double y : {1.0, -1.0}) {
      EXPECT_TRUE(has(x * 4.475, y * 2.975, Field::Crossing::L));
      EXPECT_TRUE(has(x * 3.525, y * 1.475, Field::Crossing::L));
      EXPECT_TRUE(has(x * 2.525, y * 2.475, Field::Crossing::L));
      EXPECT_TRUE(has(x * 4.475, y * 1.475, Field::Crossing::T));
      EXPECT_TRUE(has(x * 4.475, y * 2.475, Field::Crossing::T));
    }
  }
  EXPECT_TRUE(has(0, 2.975, Field::Crossing::T));
  EXPECT_TRUE(has(0, -0.725, Field::Crossing::X));
  EXPECT_EQ(field.intersections().size(), 24u);
  EXPECT_EQ(field.lines().size(), 17u);
  EXPECT_EQ(preset("kid_2016").lines().size(), 11u);  // no penalty areas
}

TEST(Field, ErrorsNameFileLineAndRemedy) {
  const auto error = [](const std::string& yaml, const std::string& name) -> std::string {
    try {
      Field::from_text(yaml, "field.yaml", name);
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(error("default: a\npresets:\n  b: {length: 9}\n", ""),
              HasSubstr("field.yaml:3: presets: there is no preset 'a'; one of: b"));
  EXPECT_THAT(error("default: b\npresets:\n  b:\n    length: nine\n", ""),
              HasSubstr("field.yaml:4: presets.b.length: expected a number, not 'nine'"));
  EXPECT_THAT(error("default: b\npresets:\n  b:\n    lenght: 9\n", ""), HasSubstr("unknown key"));
}
