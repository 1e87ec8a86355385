// SPDX-License-Identifier: Apache-2.0
// `ros2 action` against a real action server.
#include <atomic>
#include <example_interfaces/action/fibonacci.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <thread>

#include "hl_testing/isolation.hpp"
#include "tools.hpp"

namespace {

using Fibonacci = example_interfaces::action::Fibonacci;
using Goal = rclcpp_action::ServerGoalHandle<Fibonacci>;
using hl_testing::Process;
using tools::command;
using tools::contains;
using tools::run;

/// Rejects negative orders; an order above 1000 runs until it is cancelled.
class Actions : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    hl_testing::isolate();
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void SetUp() override {
    node_ = std::make_shared<rclcpp::Node>("mathematician");
    server_ = rclcpp_action::create_server<Fibonacci>(
        node_, "fibonacci",
        [](const rclcpp_action::GoalUUID&, std::shared_ptr<const Fibonacci::Goal> goal) {
          return goal->order < 0 ? rclcpp_action::GoalResponse::REJECT
                                 : rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
        },
        [](std::shared_ptr<Goal>) { return rclcpp_action::CancelResponse::ACCEPT; },
        [this](std::shared_ptr<Goal> goal) { workers_.emplace_back([this, goal] { work(goal); }); });
    executor_.add_node(node_);
    thread_ = std::thread([this] { executor_.spin(); });
  }

  void TearDown() override {
    stop_ = true;
    executor_.cancel();
    thread_.join();  // it starts the workers
    for (auto& worker : workers_) worker.join();
    executor_.remove_node(node_);
  }

  void work(const std::shared_ptr<Goal>& goal) {
    auto feedback = std::make_shared<Fibonacci::Feedback>();
    feedback->sequence = {0, 1};
    auto result = std::make_shared<Fibonacci::Result>();
    const auto order = goal->get_goal()->order;
    const auto complete = [&] { return static_cast<int>(feedback->sequence.size()) >= order; };
    while (!stop_ && (hold_ || !complete())) {
      if (goal->is_canceling()) {
        cancelled_ = true;
        goal->canceled(result);
        return;
      }
      if (order <= 1000 && !complete()) {
        const auto n = feedback->sequence.size();
        feedback->sequence.push_back(feedback->sequence[n - 1] + feedback->sequence[n - 2]);
      }
      goal->publish_feedback(feedback);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    result->sequence = feedback->sequence;
    if (!stop_) goal->succeed(result);
  }

  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Node::SharedPtr node_;
  rclcpp_action::Server<Fibonacci>::SharedPtr server_;
  std::thread thread_;
  std::vector<std::thread> workers_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> hold_{false};  // feedback goes on and no result comes
  std::atomic<bool> cancelled_{false};
};

TEST_F(Actions, ListAndInfo) {
  EXPECT_EQ(run("action", {"list", "-t"}).output, "/fibonacci [example_interfaces/action/Fibonacci]\n");
  EXPECT_EQ(run("action", {"info", "-t", "/fibonacci"}).output,
            "Action: /fibonacci\nAction clients: 0\nAction servers: 1\n    /mathematician "
            "[example_interfaces/action/Fibonacci]\n");
  EXPECT_TRUE(contains(run("action", {"info", "/fibonaci"}).output, "did you mean '/fibonacci'?"));
}

TEST_F(Actions, GoalWithFeedbackAndResult) {
  // Feedback is a topic: the first of a new pair of writer and reader may be lost.
  hold_ = true;
  Process process(command(
      "action", {"send_goal", "--feedback", "/fibonacci", "example_interfaces/action/Fibonacci", "{order: 5}"}));
  EXPECT_TRUE(process.wait_for_output("Feedback:\n    sequence:\n", tools::patience)) << process.output();
  hold_ = false;
  EXPECT_EQ(process.wait(tools::patience), 0);
  const auto output = process.output();
  EXPECT_TRUE(contains(output, "Goal accepted with ID: "));
  EXPECT_TRUE(contains(output, "Result:\n    sequence:\n    - 0\n    - 1\n    - 1\n    - 2\n    - 3\n"));
  EXPECT_TRUE(contains(output, "Goal finished with status: SUCCEEDED\n"));
}

TEST_F(Actions, RejectedGoal) {
  const auto result = run("action", {"send_goal", "/fibonacci", "example_interfaces/action/Fibonacci", "{order: -1}"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(contains(result.output, "Goal was rejected."));
}

TEST_F(Actions, CtrlCCancels) {
  Process process(
      command("action", {"send_goal", "-f", "/fibonacci", "example_interfaces/action/Fibonacci", "{order: 2000}"}));
  ASSERT_TRUE(process.wait_for_output("Feedback:", tools::patience)) << process.output();
  process.stop();
  EXPECT_TRUE(hl_testing::wait_until([&] { return cancelled_.load(); }));
  EXPECT_TRUE(contains(process.output(), "Canceling goal..."));
}

TEST_F(Actions, WrongGoalFieldIsRefused) {
  const auto result = run("action", {"send_goal", "/fibonacci", "example_interfaces/action/Fibonacci", "{ordr: 5}"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(contains(result.output, "did you mean 'order'?"));
}

}  // namespace
