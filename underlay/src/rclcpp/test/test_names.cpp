// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "hl_testing/isolation.hpp"
#include "rclcpp/detail/arguments.hpp"
#include "rclcpp/detail/node_names.hpp"
#include "rclcpp/exceptions.hpp"

using namespace rclcpp;
using detail::NodeNames;

namespace {

/// The names of a node `walker` in `/robot1` with these `-r` rules.
NodeNames walker(const std::vector<std::string>& rules) {
  std::vector<std::string> arguments{"--ros-args"};
  for (const auto& rule : rules) {
    arguments.insert(arguments.end(), {"-r", rule});
  }
  return NodeNames("walker", "/robot1", detail::parse_arguments(arguments).remaps);
}

}  // namespace

TEST(Names, ExpandIntoTheNamespaceOfTheNode) {
  const auto expand = [](const std::string& name) { return expand_topic_or_service_name(name, "walker", "/robot1"); };
  EXPECT_EQ(expand("/tf"), "/tf");
  EXPECT_EQ(expand("odom"), "/robot1/odom");
  EXPECT_EQ(expand("camera/image"), "/robot1/camera/image");
  EXPECT_EQ(expand("~"), "/robot1/walker");
  EXPECT_EQ(expand("~/debug"), "/robot1/walker/debug");
  EXPECT_EQ(expand("{node}/x"), "/robot1/walker/x");
  EXPECT_EQ(expand("{ns}/x"), "/robot1/x");
  EXPECT_EQ(expand("{namespace}/{node}/x"), "/robot1/walker/x");
  EXPECT_EQ(expand("/a_{node}_b"), "/a_walker_b");
  EXPECT_EQ(expand_topic_or_service_name("odom", "walker", "/"), "/odom");
  EXPECT_EQ(expand_topic_or_service_name("~/x", "walker", "/"), "/walker/x");
}

TEST(Names, BadOnesAreRefusedWithTheirPlace) {
  const auto index_of_error = [](const std::string& name) {
    try {
      expand_topic_or_service_name(name, "walker", "/");
    } catch (const exceptions::InvalidTopicNameError& error) {
      EXPECT_EQ(error.name_type, "topic name");
      return static_cast<int>(error.invalid_index);
    }
    return -1;
  };
  EXPECT_EQ(index_of_error(""), 0);
  EXPECT_EQ(index_of_error("/"), 0);
  EXPECT_EQ(index_of_error("odom/"), 4);
  EXPECT_EQ(index_of_error("od om"), 2);
  EXPECT_EQ(index_of_error("a//b"), 2);
  EXPECT_EQ(index_of_error("1a"), 0);
  EXPECT_EQ(index_of_error("a/1b"), 2);
  EXPECT_EQ(index_of_error("a~"), 1);
  EXPECT_EQ(index_of_error("~a"), 1);
  EXPECT_EQ(index_of_error("{node"), 0);
  EXPECT_EQ(index_of_error("a}"), 1);
  EXPECT_EQ(index_of_error("{}"), 1);
  EXPECT_EQ(index_of_error("{1}"), 1);
  EXPECT_EQ(index_of_error("{robot}"), 0);
  EXPECT_EQ(index_of_error("/{ns}"), 1) << "two slashes after replacement";
  EXPECT_EQ(index_of_error(std::string(300, 'a')), 247);
  EXPECT_THROW(expand_topic_or_service_name("a b", "n", "/", true), exceptions::InvalidServiceNameError);
  EXPECT_THROW(expand_topic_or_service_name("a", "n n", "/"), exceptions::InvalidNodeNameError);
  EXPECT_THROW(expand_topic_or_service_name("a", "n", "ns"), exceptions::InvalidNamespaceError);
}

TEST(Names, OfNodesAndNamespacesAreChecked) {
  EXPECT_EQ(NodeNames("walker", "", {}).fully_qualified_name(), "/walker");
  EXPECT_EQ(NodeNames("walker", "robot1", {}).fully_qualified_name(), "/robot1/walker");
  EXPECT_EQ(NodeNames("walker", "/robot1/legs", {}).logger_name(), "robot1.legs.walker");
  EXPECT_THROW(NodeNames("", "", {}), exceptions::InvalidNodeNameError);
  EXPECT_THROW(NodeNames("a/b", "", {}), exceptions::InvalidNodeNameError);
  EXPECT_THROW(NodeNames("9a", "", {}), exceptions::InvalidNodeNameError);
  EXPECT_THROW(NodeNames(std::string(256, 'a'), "", {}), exceptions::InvalidNodeNameError);
  EXPECT_THROW(NodeNames("a", "/b/", {}), exceptions::InvalidNamespaceError);
  EXPECT_THROW(NodeNames("a", "/b//c", {}), exceptions::InvalidNamespaceError);
  EXPECT_THROW(NodeNames("a", "/~", {}), exceptions::InvalidNamespaceError);
}

TEST(Remap, ReplacesTopicsAndServices) {
  const auto names = walker({"odom:=/odometry", "~/debug:=debug", "/tf:=tf", "rostopic://both:=topic_only",
                             "rosservice://both:=service_only"});
  EXPECT_EQ(names.topic("odom"), "/odometry");
  EXPECT_EQ(names.topic("/robot1/odom"), "/odometry");
  EXPECT_EQ(names.service("odom"), "/odometry");
  EXPECT_EQ(names.topic("~/debug"), "/robot1/debug");
  EXPECT_EQ(names.topic("/tf"), "/robot1/tf");
  EXPECT_EQ(names.topic("both"), "/robot1/topic_only");
  EXPECT_EQ(names.service("both"), "/robot1/service_only");
  EXPECT_EQ(names.topic("odom", true), "/robot1/odom");
  EXPECT_EQ(names.topic("other"), "/robot1/other");
}

TEST(Remap, TheFirstRuleWinsAndIsNotFollowed) {
  const auto names = walker({"a:=b", "a:=c", "b:=d"});
  EXPECT_EQ(names.topic("a"), "/robot1/b");
  EXPECT_EQ(names.topic("b"), "/robot1/d");
}

TEST(Remap, RulesOfOneNodeLeaveOthersAlone) {
  const auto names = walker({"talker:odom:=x", "walker:odom:=y", "talker:__ns:=/elsewhere"});
  EXPECT_EQ(names.topic("odom"), "/robot1/y");
  EXPECT_EQ(names.namespace_(), "/robot1");
}

TEST(Remap, RenamesAndMovesTheNode) {
  const auto names = walker({"__node:=runner", "__ns:=/robot2"});
  EXPECT_EQ(names.fully_qualified_name(), "/robot2/runner");
  EXPECT_EQ(names.topic("~/x"), "/robot2/runner/x");
  EXPECT_EQ(names.topic("odom"), "/robot2/odom");
  EXPECT_EQ(walker({"walker:__name:=runner"}).name(), "runner");
}

TEST(Names, AnyStringIsExpandedToAValidNameOrRefused) {
  std::mt19937 random(7);
  const std::string alphabet = "ab1_/~{}nodes.\xff ";
  const size_t runs = hl_testing::count(20'000, 2'000'000);
  for (size_t i = 0; i < runs; ++i) {
    std::string name(random() % 12, ' ');
    for (auto& c : name) {
      c = alphabet[random() % alphabet.size()];
    }
    if (random() % 4 == 0) {
      name += "{node}";
    }
    try {
      const std::string expanded = expand_topic_or_service_name(name, "walker", "/robot1");
      EXPECT_FALSE(detail::check_namespace(expanded)) << name;
      EXPECT_FALSE(detail::check_topic_name(expanded)) << name;
    } catch (const exceptions::InvalidTopicNameError& error) {
      EXPECT_LE(error.invalid_index, error.name.size());
    }
  }
}
