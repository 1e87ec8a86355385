// SPDX-License-Identifier: Apache-2.0
// The scenario files: every moment of a game in physics.
#include <gtest/gtest.h>

#include <hl_behavior/rows.hpp>
#include <hl_testing/isolation.hpp>
#include <set>

#include "../src/scenario.hpp"
#include "hl_match/installed.hpp"

using namespace hl_match;

namespace {

std::vector<Scenario> file(const char* name) {
  return read_scenarios(std::string(SCENARIOS) + "/" + name);
}

/// All of them with HL_FULL=1, otherwise some of each file.
void play_some(const char* name, std::size_t every) {
  const auto world = installed_match();
  const auto scenarios = file(name);
  for (std::size_t i = 0; i < scenarios.size(); i += hl_testing::count(every, 1))
    for (const std::string& complaint : play(scenarios[i], world, 1))
      ADD_FAILURE() << scenarios[i].file << ":" << scenarios[i].line << ": " << scenarios[i].name << ": " << complaint;
}

TEST(Scenarios, ThereIsOneForEveryRowOfTheTable) {
  std::set<std::string> rows;
  for (const Scenario& scenario : file("rows.yaml"))
    EXPECT_TRUE(rows.insert(scenario.expect.row).second) << scenario.name;
  for (const auto& row : hl_behavior::rows()) EXPECT_EQ(rows.count(row.name), 1u) << row.name << " has no scenario";
  EXPECT_EQ(rows.size(), hl_behavior::rows().size());
}

TEST(Scenarios, BadOnesAreNamed) {
  const std::string path = testing::TempDir() + "bad_scenario.yaml";
  const auto error = [&](const std::string& text) {
    FILE* f = std::fopen(path.c_str(), "w");
    std::fputs(text.c_str(), f);
    std::fclose(f);
    try {
      read_scenarios(path);
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const auto complaint = [&](const std::string& scenario) { return error("scenarios:\n- " + scenario); };
  EXPECT_NE(complaint("{name: a, robot: [0, 0, 0], gaem: {}}").find(":2: scenarios[0].gaem: unknown key"),
            std::string::npos);
  EXPECT_NE(complaint("{name: a, robot: [0, 0], game: {}}").find("robot: expected a list of 3 elements"),
            std::string::npos);
  EXPECT_NE(complaint("{name: a, robot: [0, 0, 0], game: {phase: KICK}}").find("'KICK' is none of INITIAL"),
            std::string::npos);
  EXPECT_NE(error("{}").find("'scenarios' is missing"), std::string::npos);
}

TEST(Scenarios, AKeeperIsToldThatItIsTheGoalkeeper) {
  // Otherwise planning leads it round a penalty kick to where field players must stand.
  for (const Scenario& scenario : file("rows.yaml")) {
    const bool keeper = scenario.role == hl_soccer::Role::Goalie;
    EXPECT_EQ(scenario.game.goalkeeper, keeper) << scenario.name;
    EXPECT_EQ(scenario.before.goalkeeper, keeper) << scenario.name;
  }
}

TEST(Scenarios, AKeeperStaysInItsGoalWhenTheyTakeAPenaltyKick) {
  const auto world = installed_match();
  for (const Scenario& scenario : file("rows.yaml")) {
    if (scenario.name != "their penalty kick: goalie") continue;
    for (const std::string& complaint : play(scenario, world, 1)) ADD_FAILURE() << complaint;
  }
}

TEST(Scenarios, RowsOfTheTable) {
  play_some("rows.yaml", 9);
}

TEST(Scenarios, Situations) {
  play_some("situations.yaml", 3);
}

}  // namespace
