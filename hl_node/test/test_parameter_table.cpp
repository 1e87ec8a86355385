// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "hl_node/parameter_table.hpp"

namespace hl_node {
namespace {

struct Limits {
  double high = 1.0;
};

struct Params {
  double speed = 0.5;
  int count = 3;
  bool on = true;
  std::string name = "left";
  std::vector<double> weights = {0.1, 0.2};
  std::vector<std::string> files;
  Limits limits;
};

const ParameterTable<Params>& table() {
  static const ParameterTable<Params> rows = {
      {"speed", &Params::speed, 0.0, 2.0, "of the feet, m/s"},
      {"count", &Params::count, 1, 10, "of steps", Change::AtStart},
      {"on", &Params::on, "whether it works"},
      {"name", &Params::name, "of the foot"},
      {"weights", &Params::weights, 0.0, 1.0, "of the parts"},
      {"files", &Params::files, "to read"},
      {"limits.high", [](Params& p) -> double& { return p.limits.high; }, 0.0, 5.0, "rad"},
  };
  return rows;
}

TEST(ParameterTable, DefaultsAreInRange) {
  EXPECT_EQ(table().check({}), std::nullopt);
}

TEST(ParameterTable, EveryKindOfNumberOutsideItsRangeIsNamedWithValueAndRange) {
  Params params;
  params.speed = 2.5;
  EXPECT_EQ(table().check(params), "speed = 2.5 must lie in 0..2");
  params = {};
  params.speed = std::nan("");
  EXPECT_THAT(table().check(params).value_or(""), testing::StartsWith("speed = "));
  params = {};
  params.count = 0;
  EXPECT_EQ(table().check(params), "count = 0 must lie in 1..10");
  params = {};
  params.weights = {0.5, 1.5};
  EXPECT_EQ(table().check(params), "weights = 1.5 must lie in 0..1");
  params = {};
  params.limits.high = -1.0;
  EXPECT_EQ(table().check(params), "limits.high = -1 must lie in 0..5");
}

TEST(ParameterTable, MarkdownShowsDefaultRangeAndMeaning) {
  EXPECT_EQ(table().markdown(),
            "| parameter | default | range | meaning |\n|---|---|---|---|\n"
            "| `speed` | 0.5 | 0..2 | of the feet, m/s |\n"
            "| `count` | 3 | 1..10 | of steps (read at the start) |\n"
            "| `on` | true |  | whether it works |\n"
            "| `name` | left |  | of the foot |\n"
            "| `weights` | [0.1, 0.2] | 0..1 | of the parts |\n"
            "| `files` | [] |  | to read |\n"
            "| `limits.high` | 1 | 0..5 | rad |\n");
}

struct Whole {
  std::string source = "auto";
  std::vector<std::int64_t> ids = {1, 2};
  Params part;
};

const ParameterTable<Whole>& whole_table() {
  static const auto rows =
      ParameterTable<Whole>{
          {"source", &Whole::source, Words{"auto", "imu"}, "of contacts"},
          {"ids", &Whole::ids, 1, 254, "of teams"},
      }
          .with_at_start(&Whole::part, table(), "part.");
  return rows;
}

TEST(ParameterTable, TextThatIsNoneOfItsWordsIsNamedWithThem) {
  Whole whole;
  EXPECT_EQ(whole_table().check(whole), std::nullopt);
  whole.source = "smell";
  EXPECT_EQ(whole_table().check(whole), "source = 'smell' is none of auto, imu");
  EXPECT_THAT(whole_table().markdown(), testing::HasSubstr("| `source` | auto | auto, imu | of contacts |"));
}

TEST(ParameterTable, EveryNumberOfAListOfIntegersIsChecked) {
  Whole whole;
  whole.ids = {3, 255};
  EXPECT_EQ(whole_table().check(whole), "ids = 255 must lie in 1..254");
}

TEST(ParameterTable, RowsOfAPartCarryItsPrefixAndReachItsValues) {
  Whole whole;
  whole.part.speed = 3.0;
  EXPECT_EQ(whole_table().check(whole), "part.speed = 3 must lie in 0..2");
  EXPECT_EQ(whole_table().rows().size(), 2 + table().rows().size());
  ASSERT_NE(whole_table().find("part.on"), nullptr);
  EXPECT_EQ(whole_table().find("part.on")->change, Change::AtStart);
  EXPECT_TRUE(whole_table().set(whole, "part.speed", 0.25));
  EXPECT_EQ(whole.part.speed, 0.25);
  EXPECT_FALSE(whole_table().set(whole, "part.name", 0.25)) << "not a number";
  EXPECT_FALSE(whole_table().set(whole, "speed", 0.25)) << "unknown";
}

}  // namespace
}  // namespace hl_node
