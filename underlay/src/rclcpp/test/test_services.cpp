// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "fixture.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/reader.hpp"
#include "underlay_dds/writer.hpp"

using example_interfaces::srv::AddTwoInts;
using Request = AddTwoInts::Request;
using Response = AddTwoInts::Response;

class Services : public WithRos {
 protected:
  static std::shared_ptr<Request> request(int64_t a, int64_t b) {
    auto made = std::make_shared<Request>();
    made->a = a;
    made->b = b;
    return made;
  }

  int64_t call(const rclcpp::Client<AddTwoInts>::SharedPtr& client, int64_t a, int64_t b) {
    if (!client->wait_for_service(30s)) return -1;
    auto future = client->async_send_request(request(a, b));
    if (executor_->spin_until_future_complete(future, 30s) != rclcpp::FutureReturnCode::SUCCESS) return -2;
    return future.get()->sum;
  }
};

TEST_F(Services, EverySignatureAnswers) {
  auto node = make_node("signatures");
  const auto add = [](const Request& request, Response& response) { response.sum = request.a + request.b; };
  auto simple = node->create_service<AddTwoInts>(
      "simple", [&](const std::shared_ptr<Request> q, std::shared_ptr<Response> r) { add(*q, *r); });
  auto with_header = node->create_service<AddTwoInts>(
      "with_header", [&](const std::shared_ptr<rmw_request_id_t>, const std::shared_ptr<Request> q,
                         std::shared_ptr<Response> r) { add(*q, *r); });
  std::vector<std::pair<std::shared_ptr<rmw_request_id_t>, std::shared_ptr<Request>>> later;
  auto deferred = node->create_service<AddTwoInts>(
      "deferred",
      [&](const std::shared_ptr<rmw_request_id_t> id, const std::shared_ptr<Request> q) { later.emplace_back(id, q); });
  auto timer = node->create_wall_timer(5ms, [&] {
    for (auto& [id, q] : later) {
      Response response;
      add(*q, response);
      deferred->send_response(*id, response);
    }
    later.clear();
  });
  auto with_handle = node->create_service<AddTwoInts>(
      "with_handle", [&](std::shared_ptr<rclcpp::Service<AddTwoInts>> service,
                         const std::shared_ptr<rmw_request_id_t> id, const std::shared_ptr<Request> q) {
        Response response;
        add(*q, response);
        service->send_response(*id, response);
      });
  for (const char* name : {"simple", "with_header", "deferred", "with_handle"}) {
    EXPECT_EQ(call(node->create_client<AddTwoInts>(name), 40, 2), 42) << name;
  }
}

TEST_F(Services, CallbacksOfTheClientAreCalled) {
  auto node = make_node("client_callbacks");
  auto service = node->create_service<AddTwoInts>(
      "add", [](const std::shared_ptr<Request> q, std::shared_ptr<Response> r) { r->sum = q->a + q->b; });
  auto client = node->create_client<AddTwoInts>("add");
  ASSERT_TRUE(client->wait_for_service(30s));
  int64_t sum = 0, sum_of_request = 0;
  using Client = rclcpp::Client<AddTwoInts>;
  client->async_send_request(request(1, 2), [&](Client::SharedFuture future) { sum = future.get()->sum; });
  client->async_send_request(request(3, 4), [&](Client::SharedFutureWithRequest future) {
    sum_of_request = future.get().first->a + future.get().second->sum;
  });
  EXPECT_TRUE(spin_until([&] { return sum == 3 && sum_of_request == 10; }));
}

TEST_F(Services, PendingRequestsCanBeForgotten) {
  auto node = make_node("forgetting");
  auto client = node->create_client<AddTwoInts>("nobody");
  EXPECT_FALSE(client->service_is_ready());
  EXPECT_FALSE(client->wait_for_service(5ms));
  auto one = client->async_send_request(request(1, 1));
  auto two = client->async_send_request(request(1, 1));
  EXPECT_TRUE(client->remove_pending_request(one));
  EXPECT_FALSE(client->remove_pending_request(one.request_id));
  EXPECT_EQ(client->prune_requests_older_than(std::chrono::system_clock::now() - 1h), 0u);
  EXPECT_EQ(client->prune_pending_requests(), 1u);
  EXPECT_THROW(two.get(), std::future_error);
}

TEST_F(Services, AnswersFindTheirOwnClient) {
  auto node = make_node("many_clients");
  auto service = node->create_service<AddTwoInts>(
      "add", [](const std::shared_ptr<Request> q, std::shared_ptr<Response> r) { r->sum = q->a + q->b; });
  std::vector<rclcpp::Client<AddTwoInts>::SharedPtr> clients;
  int right = 0, wrong = 0;
  for (int i = 0; i < 8; ++i) {
    clients.push_back(node->create_client<AddTwoInts>("add"));
    ASSERT_TRUE(clients.back()->wait_for_service(30s));
  }
  for (int64_t i = 0; i < 80; ++i) {
    clients[static_cast<std::size_t>(i % 8)]->async_send_request(
        request(i, 1000),
        [&, i](rclcpp::Client<AddTwoInts>::SharedFuture future) { ++(future.get()->sum == i + 1000 ? right : wrong); });
    executor_->spin_all(0s);
  }
  EXPECT_TRUE(spin_until([&] { return right == 80; }));
  EXPECT_EQ(wrong, 0);
}

TEST_F(Services, RequestOfAnotherMiddlewareIsRefusedNotMisread) {
  auto node = make_node("guard");
  int calls = 0;
  auto service = node->create_service<AddTwoInts>(
      "guarded", [&](const std::shared_ptr<Request>, std::shared_ptr<Response>) { ++calls; });
  underlay_dds::Writer foreign(underlay_dds::Participant::get(), "rq/guardedRequest",
                               underlay_dds::Type::raw("example_interfaces/srv/AddTwoInts_Request"), {});
  ASSERT_TRUE(hl_testing::wait_until([&] { return foreign.matched() == 1; }));
  std::vector<std::uint8_t> bytes(4 + 16 + 16, 0);
  bytes[1] = 1;
  foreign.write_cdr(bytes.data(), bytes.size());
  testing::internal::CaptureStderr();
  EXPECT_EQ(call(node->create_client<AddTwoInts>("guarded"), 1, 2), 0);  // a request of ours is still served
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(calls, 1);
  EXPECT_NE(log.find("RMW_IMPLEMENTATION=rmw_cyclonedds_cpp"), std::string::npos) << log;
}

TEST_F(Services, NoRequestIsSentToAServerOfAnotherMiddleware) {
  auto node = make_node("polite");
  underlay_dds::Reader foreign(underlay_dds::Participant::get(), "rq/foreignRequest",
                               underlay_dds::Type::raw("example_interfaces/srv/AddTwoInts_Request"), {});
  auto client = node->create_client<AddTwoInts>("foreign");
  ASSERT_TRUE(hl_testing::wait_until([&] { return foreign.matched() == 1; }));
  testing::internal::CaptureStderr();
  auto future = client->async_send_request(request(1, 2));
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("RMW_IMPLEMENTATION=rmw_cyclonedds_cpp"), std::string::npos) << log;
  EXPECT_FALSE(client->service_is_ready());
  underlay_dds::Sample sample;
  EXPECT_FALSE(foreign.take(sample));
}

RCLCPP_TEST_MAIN
