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

}  // namespace
}  // namespace hl_node
