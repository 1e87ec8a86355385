// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hl_testing/isolation.hpp"
#include "rclcpp/detail/parameter_file.hpp"
#include "rclcpp/detail/parameter_store.hpp"

using namespace rclcpp;
using detail::node_pattern_matches;
using detail::overrides_for;
using detail::parse_parameter_value;
using detail::parse_parameter_yaml;

namespace {

std::map<std::string, ParameterValue> read(const std::string& yaml, const std::string& node) {
  return overrides_for(node, parse_parameter_yaml(yaml, "p.yaml"));
}

std::string complaint(const std::string& yaml) {
  try {
    parse_parameter_yaml(yaml, "p.yaml");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no complaint";
}

const char* const kFile = R"(
# a file as people write them
/**:
  ros__parameters:
    use_sim_time: true
    gains: {p: 1.5, i: 0.0}
walker:
  ros__parameters:
    step.height: 0.03
    names: ["a", b]
robot1:
  walker:
    ros__parameters:
      step: {height: 0.04}
)";

}  // namespace

TEST(ParameterValueText, TypeFollowsFromTheText) {
  EXPECT_EQ(parse_parameter_value("true"), ParameterValue(true));
  EXPECT_EQ(parse_parameter_value("Off"), ParameterValue(false));
  EXPECT_EQ(parse_parameter_value("42"), ParameterValue(42));
  EXPECT_EQ(parse_parameter_value("-0x10"), ParameterValue(-16));
  EXPECT_EQ(parse_parameter_value("1.0"), ParameterValue(1.0));
  EXPECT_EQ(parse_parameter_value("1e3"), ParameterValue(1000.0));
  EXPECT_EQ(parse_parameter_value("-.5"), ParameterValue(-0.5));
  EXPECT_EQ(parse_parameter_value("-.inf"), ParameterValue(-HUGE_VAL));
  EXPECT_TRUE(std::isnan(parse_parameter_value(".nan").get<double>()));
  EXPECT_EQ(parse_parameter_value("hello"), ParameterValue("hello"));
  EXPECT_EQ(parse_parameter_value("'1'"), ParameterValue("1"));
  EXPECT_EQ(parse_parameter_value("\"true\""), ParameterValue("true"));
  EXPECT_EQ(parse_parameter_value("!!str 5"), ParameterValue("5"));
  EXPECT_EQ(parse_parameter_value("''"), ParameterValue(""));
  for (const std::string text : {"1.2.3", "inf", "nan", ".", "1a", "0x", "10:30", "192.168.0.1", "e5", "beef"}) {
    EXPECT_EQ(parse_parameter_value(text), ParameterValue(text));
  }
}

TEST(ParameterValueText, ArraysHoldOneType) {
  EXPECT_EQ(parse_parameter_value("[true, no]"), ParameterValue(std::vector<bool>{true, false}));
  EXPECT_EQ(parse_parameter_value("[1, 2]"), ParameterValue(std::vector<int64_t>{1, 2}));
  EXPECT_EQ(parse_parameter_value("[1.0, .5]"), ParameterValue(std::vector<double>{1.0, 0.5}));
  EXPECT_EQ(parse_parameter_value("[a, '1']"), ParameterValue(std::vector<std::string>{"a", "1"}));
  EXPECT_EQ(parse_parameter_value("[]"), ParameterValue(std::vector<std::string>{}));
  for (const char* bad : {"[1, 2.0]", "[1, a]", "[[1]]", "[{a: 1}]", "[1", "{a: 1}", "", "# only a comment",
                          "1\n---\n2", "*x", "[&a 1, *a]"}) {
    EXPECT_THROW(parse_parameter_value(bad), std::runtime_error) << bad;
  }
}

TEST(ParameterValueText, PrintedValuesReadBackTheSame) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 5'000; ++i) {
    const double number = std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), int(random() % 200) - 100);
    EXPECT_EQ(parse_parameter_value(rclcpp::detail::shortest_text(number)), ParameterValue(number));
    const auto integer = static_cast<int64_t>(random());
    EXPECT_EQ(parse_parameter_value(to_string(ParameterValue(integer))), ParameterValue(integer));
  }
  for (const auto& value : {ParameterValue(1.0), ParameterValue(-0.0), ParameterValue(1e300), ParameterValue(true),
                            ParameterValue(std::vector<double>{1.25, 2.5}), ParameterValue(std::vector<bool>{true})}) {
    EXPECT_EQ(parse_parameter_value(to_string(value)), value);
  }
}

TEST(ParameterFile, GivesEachNodeItsOwn) {
  const auto walker = read(kFile, "/walker");
  EXPECT_EQ(walker.at("use_sim_time"), ParameterValue(true));
  EXPECT_EQ(walker.at("gains.p"), ParameterValue(1.5));
  EXPECT_EQ(walker.at("step.height"), ParameterValue(0.03));
  EXPECT_EQ(walker.at("names"), ParameterValue(std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read(kFile, "/robot1/walker").at("step.height"), ParameterValue(0.04));
  EXPECT_EQ(read(kFile, "/robot2/walker").count("step.height"), 0u);
  EXPECT_EQ(read(kFile, "/other").size(), 3u);
}

TEST(ParameterFile, WildcardsStandForPartsOfTheName) {
  EXPECT_TRUE(node_pattern_matches("/**", "/a"));
  EXPECT_TRUE(node_pattern_matches("/**", "/a/b/c"));
  EXPECT_TRUE(node_pattern_matches("/*", "/a"));
  EXPECT_FALSE(node_pattern_matches("/*", "/a/b"));
  EXPECT_TRUE(node_pattern_matches("/*/b", "/a/b"));
  EXPECT_TRUE(node_pattern_matches("/**/b", "/b"));
  EXPECT_TRUE(node_pattern_matches("/**/b", "/a/c/b"));
  EXPECT_FALSE(node_pattern_matches("/**/b", "/a/c/bb"));
  EXPECT_TRUE(node_pattern_matches("/a/**", "/a/b/c"));
  EXPECT_TRUE(node_pattern_matches("/a/**/d", "/a/b/c/d"));
  EXPECT_TRUE(node_pattern_matches("/**/c/*/e", "/a/c/c/d/e"));
  EXPECT_FALSE(node_pattern_matches("/a", "/a/b"));
  EXPECT_FALSE(node_pattern_matches("/b", "/a/b")) << "a bare name means the node in the root namespace";
}

TEST(ParameterFile, LaterSectionsAndFilesWin) {
  const std::string file = "/**:\n  ros__parameters: {k: 1}\n/a/*:\n  ros__parameters: {k: 2}\n";
  EXPECT_EQ(read(file, "/a/n").at("k"), ParameterValue(2));
  const std::string reverse = "/a/n:\n  ros__parameters: {k: 2}\n/**:\n  ros__parameters: {k: 1}\n";
  EXPECT_EQ(read(reverse, "/a/n").at("k"), ParameterValue(1));
  EXPECT_EQ(read("n:\n  ros__parameters: {k: 1, k: 2}\n", "/n").at("k"), ParameterValue(2));
  auto both = parse_parameter_yaml("n:\n  ros__parameters: {k: 1, l: 1}\n", "a");
  const auto second = parse_parameter_yaml("n:\n  ros__parameters: {k: 2}\n", "b");
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ(overrides_for("/n", both).at("k"), ParameterValue(2));
  EXPECT_EQ(overrides_for("/n", both).at("l"), ParameterValue(1));
}

TEST(ParameterFile, ASectionKeepsThePlaceOfItsFirstMention) {
  // -p k:=3 adds to the section /** that the file opened above the node's own.
  auto overrides = parse_parameter_yaml("/**:\n  ros__parameters: {x: 1}\nn:\n  ros__parameters: {k: 2}\n", "a");
  overrides.push_back({"/**", "k", ParameterValue(3)});
  EXPECT_EQ(overrides_for("/n", overrides).at("k"), ParameterValue(2));
}

TEST(ParameterFile, ErrorsNameFileLineAndRemedy) {
  EXPECT_EQ(complaint("n:\n  k: 1\n"), "p.yaml:2: 'k' has a value, but no ros__parameters is above it");
  EXPECT_EQ(complaint("ros__parameters:\n  k: 1\n"), "p.yaml:1: ros__parameters needs a node name (or /**) above it");
  EXPECT_EQ(complaint("n:\n  ros__parameters:\n    k:\n"), "p.yaml:3: there is no value; for an empty text write ''");
  EXPECT_NE(complaint("n:\n  ros__parameters:\n    k: [1, 2.0]\n").find("p.yaml:3: an array must hold"),
            std::string::npos);
  EXPECT_NE(complaint("n:\n  ros__parameters:\n    k: &a 1\n    l: *a\n").find("p.yaml:4: aliases"), std::string::npos);
  EXPECT_NE(complaint("n:\n\tros__parameters:\n").find("p.yaml:2: not valid YAML"), std::string::npos);
  EXPECT_NE(complaint("- a\n").find("p.yaml:1:"), std::string::npos);
  EXPECT_NE(complaint("a: {ros__parameters: {}}\n---\nb: {}\n").find("only one YAML document"), std::string::npos);
  EXPECT_NE(complaint("n:\n  ros__parameters: 3\n").find("must hold a map"), std::string::npos);
  EXPECT_NE(complaint("n:\n  ros__parameters:\n    ? [a]\n    : 1\n").find("a name is expected"), std::string::npos);
  std::string deep = "n: {ros__parameters: ";
  for (int i = 0; i < 500; ++i) {
    deep += "{a: ";
  }
  EXPECT_NE(complaint(deep).find("nested deeper"), std::string::npos);
  EXPECT_TRUE(parse_parameter_yaml("", "p.yaml").empty());
  EXPECT_TRUE(parse_parameter_yaml("# nothing\n", "p.yaml").empty());
}

TEST(ParameterFile, AnyTextIsReadOrRefused) {
  std::mt19937 random(5);
  const std::string valid = kFile;
  const std::string alphabet = "{}[]:,-#&*!|>'\"%@`\n\t ?ab01.\\\xc3\xff";
  const size_t runs = hl_testing::count(20'000, 10'000'000);
  size_t refused = 0;
  for (size_t i = 0; i < runs; ++i) {
    std::string text = valid;
    for (size_t n = 1 + random() % 6; n > 0 && !text.empty(); --n) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 10);
          break;
        case 2:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
      }
    }
    try {
      for (const auto& override : parse_parameter_yaml(text, "p.yaml")) {
        EXPECT_EQ(override.node.front(), '/');
        EXPECT_NE(override.value.get_type(), PARAMETER_NOT_SET);
      }
    } catch (const std::runtime_error& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).compare(0, 7, "p.yaml:"), 0);
    }
  }
  EXPECT_GT(refused, 0u);
  EXPECT_LT(refused, runs);
}
