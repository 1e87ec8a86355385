// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>
#include <unordered_set>
#include <vector>

#include "rclcpp_action/server_goal_handle.hpp"

using rclcpp_action::GoalStatus;
using rclcpp_action::GoalUUID;
using rclcpp_action::detail::ServerGoal;
using Event = ServerGoal::Event;

namespace {

const std::vector<Event> kEvents{Event::Execute, Event::CancelGoal, Event::Succeed, Event::Abort, Event::Canceled};

ServerGoal fresh() {
  return ServerGoal(GoalUUID{}, builtin_interfaces::msg::Time());
}

}  // namespace

TEST(GoalStates, OnlyTheTransitionsOfTheDesignExist) {
  // Shortest ways into each state, and where each event leads from there; everything else is refused.
  struct State {
    std::vector<Event> way;
    int8_t status;
    std::map<Event, int8_t> exits;
  };
  const std::vector<State> states{
      {{},
       GoalStatus::STATUS_ACCEPTED,
       {{Event::Execute, GoalStatus::STATUS_EXECUTING}, {Event::CancelGoal, GoalStatus::STATUS_CANCELING}}},
      {{Event::Execute},
       GoalStatus::STATUS_EXECUTING,
       {{Event::CancelGoal, GoalStatus::STATUS_CANCELING},
        {Event::Succeed, GoalStatus::STATUS_SUCCEEDED},
        {Event::Abort, GoalStatus::STATUS_ABORTED}}},
      {{Event::CancelGoal},
       GoalStatus::STATUS_CANCELING,
       {{Event::Succeed, GoalStatus::STATUS_SUCCEEDED},
        {Event::Abort, GoalStatus::STATUS_ABORTED},
        {Event::Canceled, GoalStatus::STATUS_CANCELED}}},
      {{Event::Execute, Event::Succeed}, GoalStatus::STATUS_SUCCEEDED, {}},
      {{Event::Execute, Event::Abort}, GoalStatus::STATUS_ABORTED, {}},
      {{Event::CancelGoal, Event::Canceled}, GoalStatus::STATUS_CANCELED, {}},
  };
  for (const auto& state : states) {
    for (const Event event : kEvents) {
      auto goal = fresh();
      for (const Event step : state.way) {
        ASSERT_TRUE(goal.apply(step));
      }
      ASSERT_EQ(goal.status(), state.status);
      const auto exit = state.exits.find(event);
      EXPECT_EQ(goal.apply(event), exit != state.exits.end());
      EXPECT_EQ(goal.status(), exit != state.exits.end() ? exit->second : state.status);
    }
  }
}

TEST(GoalStates, OfManyThreadsExactlyOneEndsTheGoal) {
  for (int round = 0; round < 200; ++round) {
    auto goal = fresh();
    goal.apply(Event::Execute);
    goal.apply(Event::CancelGoal);
    std::atomic<int> ends{0};
    std::vector<std::thread> threads;
    for (const Event event : {Event::Succeed, Event::Abort, Event::Canceled}) {
      threads.emplace_back([&, event] { ends += goal.apply(event) ? 1 : 0; });
    }
    for (auto& thread : threads) {
      thread.join();
    }
    EXPECT_EQ(ends, 1);
  }
}

TEST(GoalId, IsPrintedAndHashed) {
  GoalUUID id{};
  id[0] = 0xab;
  id[15] = 0x01;
  EXPECT_EQ(rclcpp_action::to_string(id), "ab000000000000000000000000000001");
  std::mt19937 random(1);
  std::unordered_set<GoalUUID> seen;
  for (int i = 0; i < 1'000; ++i) {
    for (auto& byte : id) {
      byte = static_cast<uint8_t>(random());
    }
    EXPECT_TRUE(seen.insert(id).second);
  }
}
