// SPDX-License-Identifier: Apache-2.0
// Server and client in one process, each in a node and an executor thread of its own. The test plays the server's part:
// it takes the handles of accepted goals and decides what becomes of them.
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "example_interfaces/action/fibonacci.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"

using namespace std::chrono_literals;
using namespace rclcpp_action;
using Fibonacci = example_interfaces::action::Fibonacci;
using ServerHandle = ServerGoalHandle<Fibonacci>;
using ClientHandle = ClientGoalHandle<Fibonacci>;
using CancelGoal = action_msgs::srv::CancelGoal;
using hl_testing::wait_until;

namespace {

constexpr auto kLong = 30s;  // only reached when something is broken

template <typename Future>
auto get(Future future) {
  if (future.wait_for(kLong) != std::future_status::ready) {
    throw std::runtime_error("no answer");
  }
  return future.get();
}

/// Spins a node in a thread.
class Spinner {
 public:
  explicit Spinner(const std::string& name) : node(std::make_shared<rclcpp::Node>(name)) {
    executor_.add_node(node);
    thread_ = std::thread([this] { executor_.spin(); });
  }
  ~Spinner() {
    executor_.cancel();
    thread_.join();
  }

  const rclcpp::Node::SharedPtr node;

 private:
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::thread thread_;
};

/// What the server's callbacks do and have seen.
struct ServerSide {
  std::shared_ptr<ServerHandle> next() {
    std::unique_lock<std::mutex> lock(mutex);
    if (!arrived.wait_for(lock, kLong, [this] { return !handles.empty(); })) {
      return nullptr;
    }
    auto handle = handles.front();
    handles.pop_front();
    return handle;
  }

  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<std::shared_ptr<ServerHandle>> handles;
  std::atomic<GoalResponse> goal_response{GoalResponse::ACCEPT_AND_EXECUTE};
  std::atomic<CancelResponse> cancel_response{CancelResponse::ACCEPT};
  std::function<void(std::shared_ptr<ServerHandle>)> on_accepted;  // instead of queueing
};

class Action : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    hl_testing::isolate();
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void SetUp() override {
    start_server(rcl_action_server_get_default_options());
    client_ = create_client<Fibonacci>(client_side_.node, "fibonacci");
    ASSERT_TRUE(client_->wait_for_action_server(kLong));
  }
  void TearDown() override {
    client_.reset();
    server_.reset();
  }

  void start_server(const rcl_action_server_options_t& options) {
    server_.reset();
    server_ = create_server<Fibonacci>(
        server_side_.node, "fibonacci",
        [this](const GoalUUID&, std::shared_ptr<const Fibonacci::Goal>) { return side_.goal_response.load(); },
        [this](std::shared_ptr<ServerHandle>) { return side_.cancel_response.load(); },
        [this](std::shared_ptr<ServerHandle> handle) {
          if (side_.on_accepted) {
            side_.on_accepted(handle);
            return;
          }
          {
            std::lock_guard<std::mutex> lock(side_.mutex);
            side_.handles.push_back(handle);
          }
          side_.arrived.notify_all();
        },
        options);
  }

  using Options = Client<Fibonacci>::SendGoalOptions;

  ClientHandle::SharedPtr send(int order = 3, const Options& options = Options()) {
    Fibonacci::Goal goal;
    goal.order = order;
    return get(client_->async_send_goal(goal, options));
  }

  static std::shared_ptr<Fibonacci::Result> result(int value) {
    auto result = std::make_shared<Fibonacci::Result>();
    result->sequence = {value};
    return result;
  }

  ClientHandle::WrappedResult outcome(const ClientHandle::SharedPtr& handle) {
    return get(client_->async_get_result(handle));
  }

  /// Asks the server below the level of the action client.
  template <typename ServiceT>
  typename ServiceT::Response ask(const char* channel, const typename ServiceT::Request& request) {
    auto client = client_side_.node->create_client<ServiceT>(std::string("fibonacci/_action/") + channel);
    EXPECT_TRUE(client->wait_for_service(kLong));
    return *get(client->async_send_request(std::make_shared<typename ServiceT::Request>(request)).share());
  }
  int8_t result_status(const GoalUUID& id) {
    Fibonacci::Impl::GetResultService::Request request;
    request.goal_id.uuid = id;
    return ask<Fibonacci::Impl::GetResultService>("get_result", request).status;
  }
  int8_t cancel_code(const GoalUUID& id) {
    CancelGoal::Request request;
    request.goal_info.goal_id.uuid = id;
    return ask<CancelGoal>("cancel_goal", request).return_code;
  }

  ServerSide side_;
  Spinner server_side_{"server"};
  Spinner client_side_{"client"};
  Server<Fibonacci>::SharedPtr server_;
  Client<Fibonacci>::SharedPtr client_;
};

}  // namespace

TEST_F(Action, SucceedsWithFeedbackInOrder) {
  std::mutex mutex;
  std::vector<int> heard;
  std::promise<ClientHandle::SharedPtr> responded;
  std::promise<ClientHandle::WrappedResult> finished;
  Options options;
  options.goal_response_callback = [&](ClientHandle::SharedPtr handle) { responded.set_value(handle); };
  options.feedback_callback = [&](ClientHandle::SharedPtr, const std::shared_ptr<const Fibonacci::Feedback> feedback) {
    std::lock_guard<std::mutex> lock(mutex);
    heard.push_back(feedback->sequence.at(0));
  };
  options.result_callback = [&](const ClientHandle::WrappedResult& result) { finished.set_value(result); };
  const auto handle = send(7, options);
  ASSERT_TRUE(handle);
  EXPECT_EQ(responded.get_future().get(), handle);
  const auto goal = side_.next();
  ASSERT_TRUE(goal);
  EXPECT_EQ(goal->get_goal()->order, 7);
  EXPECT_EQ(goal->get_goal_id(), handle->get_goal_id());
  EXPECT_TRUE(goal->is_executing());
  EXPECT_TRUE(wait_until([&] { return handle->get_status() == GoalStatus::STATUS_EXECUTING; }));
  for (int i = 0; i < 3; ++i) {
    auto feedback = std::make_shared<Fibonacci::Feedback>();
    feedback->sequence = {i};
    goal->publish_feedback(feedback);
  }
  EXPECT_TRUE(wait_until([&] {
    std::lock_guard<std::mutex> lock(mutex);
    return heard.size() == 3;
  }));
  goal->succeed(result(42));
  EXPECT_FALSE(goal->is_active());
  const auto end = finished.get_future().get();
  EXPECT_EQ(end.code, ResultCode::SUCCEEDED);
  EXPECT_EQ(end.goal_id, handle->get_goal_id());
  EXPECT_EQ(end.result->sequence.at(0), 42);
  EXPECT_EQ(handle->get_status(), GoalStatus::STATUS_SUCCEEDED);
  EXPECT_EQ(heard, (std::vector<int>{0, 1, 2}));
  EXPECT_THROW(goal->succeed(result(1)), rclcpp::exceptions::RCLError);
  EXPECT_THROW(goal->execute(), rclcpp::exceptions::RCLError);
}

TEST_F(Action, RejectedGoalsHaveNoHandle) {
  side_.goal_response = GoalResponse::REJECT;
  std::atomic<bool> told{false};
  Options options;
  options.goal_response_callback = [&](ClientHandle::SharedPtr handle) { told = !handle; };
  EXPECT_FALSE(send(3, options));
  EXPECT_TRUE(wait_until([&] { return told.load(); }));
}

TEST_F(Action, TheClientIsAnsweredBeforeExecutionStarts) {
  std::promise<void> answered;
  auto future = answered.get_future().share();
  std::atomic<bool> in_time{false};
  side_.on_accepted = [&](std::shared_ptr<ServerHandle> handle) {
    in_time = future.wait_for(kLong) == std::future_status::ready;  // the server's thread is blocked here
    handle->succeed(result(1));
  };
  Options options;
  options.goal_response_callback = [&](ClientHandle::SharedPtr) { answered.set_value(); };
  const auto handle = send(3, options);
  EXPECT_EQ(outcome(handle).code, ResultCode::SUCCEEDED);
  EXPECT_TRUE(in_time);
}

TEST_F(Action, CanAbort) {
  const auto handle = send();
  side_.next()->abort(result(5));
  const auto end = outcome(handle);
  EXPECT_EQ(end.code, ResultCode::ABORTED);
  EXPECT_EQ(end.result->sequence.at(0), 5);
}

TEST_F(Action, DeferredGoalsWaitForExecute) {
  side_.goal_response = GoalResponse::ACCEPT_AND_DEFER;
  const auto handle = send();
  const auto goal = side_.next();
  EXPECT_TRUE(goal->is_active());
  EXPECT_FALSE(goal->is_executing());
  EXPECT_THROW(goal->succeed(result(1)), rclcpp::exceptions::RCLError) << "it has not been executed";
  EXPECT_EQ(handle->get_status(), GoalStatus::STATUS_ACCEPTED);
  goal->execute();
  EXPECT_TRUE(wait_until([&] { return handle->get_status() == GoalStatus::STATUS_EXECUTING; }));
  goal->succeed(result(1));
  EXPECT_EQ(outcome(handle).code, ResultCode::SUCCEEDED);
}

TEST_F(Action, CancelWhileExecuting) {
  const auto handle = send();
  const auto goal = side_.next();
  EXPECT_THROW(goal->canceled(result(1)), rclcpp::exceptions::RCLError) << "nobody asked for it";
  std::promise<CancelGoal::Response::SharedPtr> told;
  const auto response =
      get(client_->async_cancel_goal(handle, [&](CancelGoal::Response::SharedPtr answer) { told.set_value(answer); }));
  EXPECT_EQ(response->return_code, CancelGoal::Response::ERROR_NONE);
  ASSERT_EQ(response->goals_canceling.size(), 1u);
  EXPECT_EQ(response->goals_canceling[0].goal_id.uuid, handle->get_goal_id());
  EXPECT_TRUE(told.get_future().get());
  EXPECT_TRUE(goal->is_canceling());
  EXPECT_TRUE(wait_until([&] { return handle->get_status() == GoalStatus::STATUS_CANCELING; }));
  EXPECT_EQ(cancel_code(handle->get_goal_id()), CancelGoal::Response::ERROR_GOAL_TERMINATED) << "once is enough";
  goal->canceled(result(9));
  EXPECT_EQ(outcome(handle).code, ResultCode::CANCELED);
}

TEST_F(Action, CancelBeforeExecutionAndEndInAnyWay) {
  side_.goal_response = GoalResponse::ACCEPT_AND_DEFER;
  const std::vector<std::pair<void (ServerHandle::*)(Fibonacci::Result::SharedPtr), ResultCode>> ends{
      {&ServerHandle::canceled, ResultCode::CANCELED},
      {&ServerHandle::succeed, ResultCode::SUCCEEDED},
      {&ServerHandle::abort, ResultCode::ABORTED}};
  for (const auto& [end, code] : ends) {
    const auto handle = send();
    const auto goal = side_.next();
    EXPECT_EQ(get(client_->async_cancel_goal(handle))->goals_canceling.size(), 1u);
    EXPECT_THROW(goal->execute(), rclcpp::exceptions::RCLError);
    ((*goal).*end)(result(1));
    EXPECT_EQ(outcome(handle).code, code);
  }
}

TEST_F(Action, ARefusedCancelChangesNothing) {
  side_.cancel_response = rclcpp_action::CancelResponse::REJECT;
  const auto handle = send();
  const auto goal = side_.next();
  const auto response = get(client_->async_cancel_goal(handle));
  EXPECT_EQ(response->return_code, CancelGoal::Response::ERROR_REJECTED);
  EXPECT_TRUE(response->goals_canceling.empty());
  EXPECT_TRUE(goal->is_executing());
  goal->succeed(result(1));
  EXPECT_EQ(outcome(handle).code, ResultCode::SUCCEEDED);
}

TEST_F(Action, CancelOfUnknownOrEndedGoalsSaysSo) {
  GoalUUID nobody{};
  nobody[3] = 1;
  EXPECT_EQ(cancel_code(nobody), CancelGoal::Response::ERROR_UNKNOWN_GOAL_ID);
  const auto handle = send();
  side_.next()->succeed(result(1));
  outcome(handle);
  EXPECT_EQ(cancel_code(handle->get_goal_id()), CancelGoal::Response::ERROR_GOAL_TERMINATED);
  EXPECT_TRUE(wait_until([&] {
    try {
      client_->async_cancel_goal(handle);
      return false;
    } catch (const exceptions::UnknownGoalHandleError&) {
      return true;
    }
  }));
  EXPECT_EQ(get(client_->async_cancel_all_goals())->return_code, CancelGoal::Response::ERROR_NONE);
}

TEST_F(Action, CancelAllAndCancelBefore) {
  const auto first = send();
  const auto goal_1 = side_.next();
  std::this_thread::sleep_for(2ms);
  const auto second = send();
  const auto goal_2 = side_.next();
  ASSERT_LT(first->get_goal_stamp(), second->get_goal_stamp());
  const auto before = get(client_->async_cancel_goals_before(first->get_goal_stamp()));
  ASSERT_EQ(before->goals_canceling.size(), 1u);
  EXPECT_EQ(before->goals_canceling[0].goal_id.uuid, first->get_goal_id());
  EXPECT_TRUE(goal_1->is_canceling());
  EXPECT_TRUE(goal_2->is_executing());
  EXPECT_EQ(get(client_->async_cancel_all_goals())->goals_canceling.size(), 1u) << "the other is canceling already";
  EXPECT_TRUE(goal_2->is_canceling());
  goal_1->canceled(result(1));
  goal_2->canceled(result(2));
  EXPECT_EQ(outcome(first).result->sequence.at(0), 1);
  EXPECT_EQ(outcome(second).result->sequence.at(0), 2);
}

TEST_F(Action, ManyGoalsAtOnceEndInAnyOrder) {
  std::vector<ClientHandle::SharedPtr> handles;
  std::vector<std::shared_ptr<ServerHandle>> goals;
  for (int i = 0; i < 10; ++i) {
    handles.push_back(send(i));
    goals.push_back(side_.next());
  }
  for (int i = 9; i >= 0; --i) {
    goals[i]->succeed(result(goals[i]->get_goal()->order));
  }
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(outcome(handles[i]).result->sequence.at(0), i);
  }
}

TEST_F(Action, ADroppedHandleCancelsItsGoal) {
  const auto handle = send();
  side_.next().reset();
  EXPECT_EQ(outcome(handle).code, ResultCode::CANCELED);
}

TEST_F(Action, ResultsCanBeFetchedLateAndTwice) {
  const auto handle = send();
  EXPECT_FALSE(handle->is_result_aware());
  side_.next()->succeed(result(8));
  EXPECT_TRUE(wait_until([&] { return handle->get_status() == GoalStatus::STATUS_SUCCEEDED; }));
  EXPECT_EQ(outcome(handle).result->sequence.at(0), 8);
  EXPECT_TRUE(handle->is_result_aware());
  EXPECT_EQ(outcome(handle).result->sequence.at(0), 8);
}

TEST_F(Action, ResultsExpire) {
  rcl_action_server_options_t options = rcl_action_server_get_default_options();
  options.result_timeout.nanoseconds = RCL_MS_TO_NS(50);
  start_server(options);
  ASSERT_TRUE(client_->wait_for_action_server(kLong));
  const auto ended = send();
  const auto goal = side_.next();
  const auto active = send();
  const auto active_goal = side_.next();
  goal->succeed(result(1));
  EXPECT_TRUE(wait_until([&] { return result_status(ended->get_goal_id()) == GoalStatus::STATUS_UNKNOWN; }));
  EXPECT_EQ(cancel_code(ended->get_goal_id()), CancelGoal::Response::ERROR_UNKNOWN_GOAL_ID);
  active_goal->succeed(result(2));
  EXPECT_EQ(outcome(active).code, ResultCode::SUCCEEDED) << "a goal under way does not expire";
  EXPECT_EQ(outcome(ended).code, ResultCode::UNKNOWN);
}

TEST_F(Action, AnIdIsUsedOnlyOnce) {
  Fibonacci::Impl::SendGoalService::Request request;
  request.goal_id.uuid[5] = 77;
  EXPECT_TRUE(ask<Fibonacci::Impl::SendGoalService>("send_goal", request).accepted);
  EXPECT_FALSE(ask<Fibonacci::Impl::SendGoalService>("send_goal", request).accepted);
  side_.next()->succeed(result(1));
  EXPECT_EQ(result_status(request.goal_id.uuid), GoalStatus::STATUS_SUCCEEDED);
}

TEST_F(Action, AClientMayDieWhileItWaits) {
  const auto handle = send();
  const auto goal = side_.next();
  auto future = client_->async_get_result(handle);
  client_.reset();
  EXPECT_THROW(future.get(), exceptions::UnawareGoalHandleError);
  EXPECT_NO_THROW(goal->succeed(result(1)));
  client_ = create_client<Fibonacci>(client_side_.node, "fibonacci");
  ASSERT_TRUE(client_->wait_for_action_server(kLong));
  EXPECT_THROW(client_->async_cancel_goal(handle), exceptions::UnknownGoalHandleError) << "it was another's";
}

TEST_F(Action, AServerMayDieBeforeItsGoals) {
  const auto handle = send();
  const auto goal = side_.next();
  server_.reset();
  EXPECT_NO_THROW(goal->publish_feedback(std::make_shared<Fibonacci::Feedback>()));
  EXPECT_NO_THROW(goal->succeed(result(1)));
  EXPECT_TRUE(wait_until([&] { return !client_->action_server_is_ready(); }));
  start_server(rcl_action_server_get_default_options());
  ASSERT_TRUE(client_->wait_for_action_server(kLong));
  EXPECT_EQ(outcome(handle).code, ResultCode::UNKNOWN) << "the new server does not know the old one's goals";
  const auto again = send();
  side_.next()->succeed(result(2));
  EXPECT_EQ(outcome(again).code, ResultCode::SUCCEEDED);
}

TEST_F(Action, WaitingForAServerEnds) {
  auto nobody = create_client<Fibonacci>(client_side_.node, "nobody");
  EXPECT_FALSE(nobody->wait_for_action_server(20ms));
  EXPECT_FALSE(nobody->action_server_is_ready());
}

TEST_F(Action, WorksInANodeWithIntraProcessCommunication) {
  auto node = std::make_shared<rclcpp::Node>("composed", rclcpp::NodeOptions().use_intra_process_comms(true));
  EXPECT_NO_THROW(create_client<Fibonacci>(node, "composed"));
  EXPECT_NO_THROW(create_server<Fibonacci>(
      node, "composed", [](const GoalUUID&, std::shared_ptr<const Fibonacci::Goal>) { return GoalResponse::REJECT; },
      [](std::shared_ptr<ServerHandle>) { return rclcpp_action::CancelResponse::REJECT; },
      [](std::shared_ptr<ServerHandle>) {}));
}

TEST_F(Action, GoalsFeedbackAndCancellingFromManyThreads) {
  std::vector<std::thread> workers;
  std::mutex mutex;
  side_.on_accepted = [&](std::shared_ptr<ServerHandle> handle) {
    std::lock_guard<std::mutex> lock(mutex);
    workers.emplace_back([handle] {
      for (int i = 0; i < 20 && !handle->is_canceling(); ++i) {
        handle->publish_feedback(std::make_shared<Fibonacci::Feedback>());
      }
      if (handle->is_canceling()) {
        handle->canceled(result(0));
      } else {
        handle->succeed(result(1));
      }
    });
  };
  std::atomic<int> ends{0};
  Options options;
  options.feedback_callback = [](ClientHandle::SharedPtr, std::shared_ptr<const Fibonacci::Feedback>) {};
  options.result_callback = [&](const ClientHandle::WrappedResult& end) {
    ends += end.code == ResultCode::SUCCEEDED || end.code == ResultCode::CANCELED;
  };
  constexpr int kGoals = 10;
  std::vector<std::thread> senders;
  for (int t = 0; t < 3; ++t) {
    senders.emplace_back([&] {
      for (int i = 0; i < kGoals; ++i) {
        const auto handle = send(1, options);
        if (i % 3 == 0) {
          try {
            client_->async_cancel_goal(handle);
          } catch (const exceptions::UnknownGoalHandleError&) {
          }
        }
      }
    });
  }
  for (auto& sender : senders) {
    sender.join();
  }
  EXPECT_TRUE(wait_until([&] { return ends == 3 * kGoals; }));
  std::lock_guard<std::mutex> lock(mutex);
  for (auto& worker : workers) {
    worker.join();
  }
}
