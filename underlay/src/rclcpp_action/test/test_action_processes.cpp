// SPDX-License-Identifier: Apache-2.0
// Server and client in two processes, either of which may be killed.
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <thread>

#include "example_interfaces/action/fibonacci.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"

using namespace std::chrono_literals;
using namespace rclcpp_action;
using Fibonacci = example_interfaces::action::Fibonacci;
using Handle = ClientGoalHandle<Fibonacci>;
using hl_testing::Process;
using hl_testing::wait_until;

namespace {

constexpr auto kLong = 30s;
constexpr int kEndless = 1'000'000;

std::unique_ptr<Process> run_client(int order) {
  return std::make_unique<Process>(
      std::vector<std::string>{TEST_PROGRAMS "/action_test_client", std::to_string(order)});
}

class Processes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    hl_testing::isolate();
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void SetUp() override {
    node_ = std::make_shared<rclcpp::Node>("watcher");
    client_ = create_client<Fibonacci>(node_, "fibonacci");
    executor_.add_node(node_);
    thread_ = std::thread([this] { executor_.spin(); });
  }
  void TearDown() override {
    if (server_) {
      EXPECT_EQ(server_->stop(), 0) << server_->output();
    }
    executor_.cancel();
    thread_.join();
  }

  void run_server() {
    // A request must not go to a server that was killed and is not yet missed.
    ASSERT_TRUE(wait_until([&] { return !client_->action_server_is_ready(); }, 60s));
    server_ = std::make_unique<Process>(std::vector<std::string>{TEST_PROGRAMS "/action_test_server"});
    ASSERT_TRUE(server_->wait_for_output("ready"));
    ASSERT_TRUE(client_->wait_for_action_server(kLong));
  }

  Handle::SharedPtr send(int order, const Client<Fibonacci>::SendGoalOptions& options = {}) {
    Fibonacci::Goal goal;
    goal.order = order;
    auto future = client_->async_send_goal(goal, options);
    if (future.wait_for(kLong) != std::future_status::ready) {
      throw std::runtime_error("no response to the goal");
    }
    return future.get();
  }
  Handle::WrappedResult outcome(const Handle::SharedPtr& handle) {
    auto future = client_->async_get_result(handle);
    if (future.wait_for(kLong) != std::future_status::ready) {
      throw std::runtime_error("no result");
    }
    return future.get();
  }

  std::unique_ptr<Process> server_;
  rclcpp::Node::SharedPtr node_;
  Client<Fibonacci>::SharedPtr client_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::thread thread_;
};

}  // namespace

TEST_F(Processes, GoalFeedbackResultRejectAndCancel) {
  run_server();
  std::atomic<int> heard{0};
  Client<Fibonacci>::SendGoalOptions options;
  options.feedback_callback = [&](Handle::SharedPtr, std::shared_ptr<const Fibonacci::Feedback>) { ++heard; };
  const auto endless = send(kEndless, options);
  EXPECT_TRUE(wait_until([&] { return heard > 2; }, kLong));  // from now on the server knows who listens
  auto canceled = client_->async_cancel_goal(endless);
  ASSERT_EQ(canceled.wait_for(kLong), std::future_status::ready);
  EXPECT_EQ(canceled.get()->goals_canceling.size(), 1u);
  EXPECT_EQ(outcome(endless).code, ResultCode::CANCELED);

  heard = 0;
  const auto handle = send(10, options);
  const auto end = outcome(handle);
  EXPECT_EQ(end.code, ResultCode::SUCCEEDED);
  EXPECT_EQ(end.result->sequence, (std::vector<int32_t>{0, 1, 1, 2, 3, 5, 8, 13, 21, 34}));
  EXPECT_TRUE(wait_until([&] { return heard > 0; }, kLong));

  EXPECT_FALSE(send(-1)) << "rejected";
}

TEST_F(Processes, AServerThatIsKilledCanComeBack) {
  run_server();
  auto lost = send(kEndless);
  auto never = client_->async_get_result(lost);
  server_->signal(SIGKILL);
  server_->wait();
  run_server();  // waits until the lease of the killed one ends
  EXPECT_NE(never.wait_for(0s), std::future_status::ready);
  const auto handle = send(5);
  ASSERT_TRUE(handle);
  EXPECT_EQ(outcome(handle).code, ResultCode::SUCCEEDED);
}

TEST_F(Processes, AClientThatIsKilledLeavesTheServerAndItsGoalInOrder) {
  run_server();
  auto client = run_client(kEndless);
  EXPECT_TRUE(client->wait_for_output("accepted"));
  EXPECT_TRUE(client->wait_for_output("feedback"));
  client->signal(SIGKILL);
  client->wait();
  EXPECT_EQ(outcome(send(5)).code, ResultCode::SUCCEEDED);
  auto canceled = client_->async_cancel_all_goals();
  ASSERT_EQ(canceled.wait_for(kLong), std::future_status::ready);
  EXPECT_EQ(canceled.get()->goals_canceling.size(), 1u) << "the orphan can be cancelled by anybody";
  EXPECT_EQ(outcome(send(5)).code, ResultCode::SUCCEEDED) << "though the orphan's result had nowhere to go";
}

TEST_F(Processes, SeveralClientsSeeOnlyTheirOwnGoals) {
  run_server();
  std::vector<std::unique_ptr<Process>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(run_client(8 + i));
  }
  auto refused = run_client(-1);
  for (auto& client : clients) {
    EXPECT_EQ(client->wait(), 0);
    EXPECT_NE(client->output().find("succeeded"), std::string::npos) << client->output();
    EXPECT_EQ(client->output().find("not succeeded"), std::string::npos);
  }
  EXPECT_EQ(refused->wait(), 0);
  EXPECT_NE(refused->output().find("rejected"), std::string::npos);
}
