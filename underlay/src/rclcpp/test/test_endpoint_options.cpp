// SPDX-License-Identifier: Apache-2.0
// What publishers and subscriptions can be given beside topic and QoS: overrides by parameters, statistics, content
// filters, and callbacks for who has an executor of his own.
#include <algorithm>
#include <cmath>
#include <example_interfaces/srv/add_two_ints.hpp>
#include <statistics_msgs/msg/metrics_message.hpp>
#include <statistics_msgs/msg/statistic_data_type.hpp>
#include <std_msgs/msg/int64.hpp>

#include "fixture.hpp"
#include "topic_statistics.hpp"

using example_interfaces::srv::AddTwoInts;
using rclcpp::QosOverridingOptions;
using rclcpp::QosPolicyKind;
using statistics_msgs::msg::MetricsMessage;
using statistics_msgs::msg::StatisticDataType;
using std_msgs::msg::Int64;

class EndpointOptions : public WithRos {
 protected:
  static rclcpp::PublisherOptions overridable(QosOverridingOptions overrides) {
    rclcpp::PublisherOptions options;
    options.qos_overriding_options = std::move(overrides);
    return options;
  }
};

TEST_F(EndpointOptions, ParametersOverrideTheQosThatMayBeOverridden) {
  rclcpp::NodeOptions options;
  options.append_parameter_override("qos_overrides./space/words.publisher.depth", 3);
  options.append_parameter_override("qos_overrides./space/words.publisher.reliability", "best_effort");
  options.append_parameter_override("qos_overrides./space/words.publisher.durability", "transient_local");
  auto node = make_node("overridden", options, "space");
  auto publisher =
      node->create_publisher<Int64>("words", 10, overridable(QosOverridingOptions::with_default_policies()));
  EXPECT_EQ(publisher->get_actual_qos().depth(), 3u);
  EXPECT_EQ(publisher->get_actual_qos().reliability(), rclcpp::ReliabilityPolicy::BestEffort);
  EXPECT_EQ(publisher->get_actual_qos().durability(), rclcpp::DurabilityPolicy::Volatile) << "not among the policies";
  EXPECT_EQ(node->get_parameter("qos_overrides./space/words.publisher.history").as_string(), "keep_last");
  const auto changed = node->set_parameter({"qos_overrides./space/words.publisher.depth", 5});
  EXPECT_FALSE(changed.successful) << "the parameters are read-only";
  auto plain = node->create_publisher<Int64>("words", 10);
  EXPECT_EQ(plain->get_actual_qos().depth(), 10u);
}

TEST_F(EndpointOptions, SubscriptionsAreOverriddenByTheirOwnParameters) {
  rclcpp::NodeOptions options;
  options.append_parameter_override("qos_overrides./words.subscription_left.deadline", int64_t{2'000'000'000});
  options.append_parameter_override("qos_overrides./words.subscription_left.liveliness", "manual_by_topic");
  options.append_parameter_override("qos_overrides./words.subscription_left.history", "keep_all");
  auto node = make_node("overridden", options);
  rclcpp::SubscriptionOptions left;
  left.qos_overriding_options = {{QosPolicyKind::Deadline, QosPolicyKind::Liveliness, QosPolicyKind::History,
                                  QosPolicyKind::Lifespan, QosPolicyKind::LivelinessLeaseDuration},
                                 nullptr,
                                 "left"};
  auto subscription = node->create_subscription<Int64>(
      "words", 10, [](const Int64&) {}, left);
  EXPECT_EQ(subscription->get_actual_qos().deadline(), rclcpp::Duration(2s));
  EXPECT_EQ(subscription->get_actual_qos().liveliness(), rclcpp::LivelinessPolicy::ManualByTopic);
  EXPECT_EQ(subscription->get_actual_qos().history(), rclcpp::HistoryPolicy::KeepAll);
  EXPECT_FALSE(node->has_parameter("qos_overrides./words.subscription_left.lifespan")) << "the publisher's alone";
  EXPECT_TRUE(node->has_parameter("qos_overrides./words.subscription_left.liveliness_lease_duration"));
}

TEST_F(EndpointOptions, BadOverridesAreRefused) {
  rclcpp::NodeOptions options;
  options.append_parameter_override("qos_overrides./a.publisher.reliability", "maybe");
  options.append_parameter_override("qos_overrides./b.publisher.depth", -1);
  auto node = make_node("refused", options);
  const auto defaults = QosOverridingOptions::with_default_policies();
  try {
    node->create_publisher<Int64>("a", 10, overridable(defaults));
    FAIL() << "an unknown value";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("maybe"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("best_effort"), std::string::npos) << error.what();
  }
  EXPECT_THROW(node->create_publisher<Int64>("b", 10, overridable(defaults)), std::invalid_argument);
  const auto refuse = [](const rclcpp::QoS& qos) {
    rclcpp::QosCallbackResult result;
    result.successful = qos.depth() < 5;
    result.reason = "too deep";
    return result;
  };
  EXPECT_THROW(node->create_publisher<Int64>("c", 10, overridable(QosOverridingOptions::with_default_policies(refuse))),
               rclcpp::exceptions::InvalidQosOverridesException);
  EXPECT_NO_THROW(
      node->create_publisher<Int64>("d", 4, overridable(QosOverridingOptions::with_default_policies(refuse))));
  EXPECT_STREQ(rclcpp::qos_policy_kind_to_cstr(QosPolicyKind::LivelinessLeaseDuration), "liveliness_lease_duration");
  EXPECT_THROW(rclcpp::qos_policy_kind_to_cstr(QosPolicyKind::Invalid), std::invalid_argument);
}

TEST_F(EndpointOptions, InterfacesApartMakeEndpointsToo) {
  auto node = make_node("apart");
  auto parameters = node->get_node_parameters_interface();
  auto topics = node->get_node_topics_interface();
  auto publisher = rclcpp::create_publisher<Int64>(parameters, topics, "apart", 10,
                                                   overridable(QosOverridingOptions::with_default_policies()));
  EXPECT_TRUE(node->has_parameter("qos_overrides./apart.publisher.depth"));
  int received = 0;
  auto subscription =
      rclcpp::create_subscription<Int64>(parameters, topics, "apart", 10, [&](const Int64&) { ++received; });
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Int64());
  EXPECT_TRUE(spin_until([&] { return received == 1; }));
  EXPECT_NE(node->get_node_time_source_interface(), nullptr);
}

namespace {

double value_of(const MetricsMessage& message, std::uint8_t type) {
  const auto found = std::find_if(message.statistics.begin(), message.statistics.end(),
                                  [&](const auto& point) { return point.data_type == type; });
  return found == message.statistics.end() ? -1 : found->data;
}

}  // namespace

TEST_F(EndpointOptions, StatisticsOfATopicArePublished) {
  auto node = make_node("measured");
  rclcpp::SubscriptionOptions options;
  options.topic_stats_options.state = rclcpp::TopicStatisticsState::Enable;
  options.topic_stats_options.publish_topic = "figures";
  options.topic_stats_options.publish_period = 100ms;
  int received = 0;
  auto subscription = node->create_subscription<Int64>(
      "measured", 10, [&](const Int64&) { ++received; }, options);
  std::vector<MetricsMessage> figures;
  auto watcher = node->create_subscription<MetricsMessage>(
      "figures", 100, [&](const MetricsMessage& message) { figures.push_back(message); });
  auto publisher = node->create_publisher<Int64>("measured", 10);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  for (int i = 0; i < 4; ++i) publisher->publish(Int64());
  ASSERT_TRUE(spin_until([&] { return received == 4; }));
  const auto complete = [&] {
    double ages = 0, periods = 0;
    for (const auto& message : figures) {
      const double count = value_of(message, StatisticDataType::STATISTICS_DATA_TYPE_SAMPLE_COUNT);
      (message.metrics_source == "message_age" ? ages : periods) += count;
    }
    return ages == 4 && periods == 3;
  };
  EXPECT_TRUE(spin_until(complete));
  EXPECT_TRUE(std::all_of(figures.begin(), figures.end(), [](const auto& message) {
    return message.measurement_source_name == "measured" && message.unit == "ms" && message.statistics.size() == 5;
  }));
  const auto first = std::find_if(figures.begin(), figures.end(), [](const auto& message) {
    return message.metrics_source == "message_age" &&
           value_of(message, StatisticDataType::STATISTICS_DATA_TYPE_SAMPLE_COUNT) > 0;
  });
  ASSERT_NE(first, figures.end());
  EXPECT_GE(value_of(*first, StatisticDataType::STATISTICS_DATA_TYPE_MINIMUM), 0);
  EXPECT_GE(value_of(*first, StatisticDataType::STATISTICS_DATA_TYPE_MAXIMUM),
            value_of(*first, StatisticDataType::STATISTICS_DATA_TYPE_AVERAGE));
  figures.clear();
  ASSERT_TRUE(spin_until([&] { return figures.size() >= 2; }));
  EXPECT_TRUE(std::isnan(value_of(figures.back(), StatisticDataType::STATISTICS_DATA_TYPE_AVERAGE))) << "silence";
  options.topic_stats_options.publish_period = 0ms;
  EXPECT_THROW(node->create_subscription<Int64>(
                   "measured", 10, [](const Int64&) {}, options),
               std::invalid_argument);
}

TEST_F(EndpointOptions, ANodeMayWantStatisticsOfAllItsSubscriptions) {
  auto node = make_node("measured", rclcpp::NodeOptions().enable_topic_statistics(true));
  auto all = node->create_subscription<Int64>("one", 10, [](const Int64&) {});
  EXPECT_EQ(node->count_publishers("/statistics"), 1u);
  rclcpp::SubscriptionOptions without;
  without.topic_stats_options.state = rclcpp::TopicStatisticsState::Disable;
  auto none = node->create_subscription<Int64>(
      "two", 10, [](const Int64&) {}, without);
  EXPECT_EQ(node->count_publishers("/statistics"), 1u);
}

TEST(RunningStatistics, OfFourValues) {
  rclcpp::detail::RunningStatistics values;
  EXPECT_TRUE(std::isnan(values.average()) && std::isnan(values.minimum()) && std::isnan(values.standard_deviation()));
  for (const double value : {2.0, 4.0, 4.0, 6.0}) values.add(value);
  EXPECT_EQ(values.count(), 4u);
  EXPECT_DOUBLE_EQ(values.average(), 4);
  EXPECT_DOUBLE_EQ(values.minimum(), 2);
  EXPECT_DOUBLE_EQ(values.maximum(), 6);
  EXPECT_DOUBLE_EQ(values.standard_deviation(), std::sqrt(2.0));
}

TEST_F(EndpointOptions, ContentFiltersAreTakenAndDoNotFilterAsWithCycloneInRos) {
  auto node = make_node("filter");
  rclcpp::SubscriptionOptions options;
  options.content_filter_options.filter_expression = "data > %0";
  options.content_filter_options.expression_parameters = {"5"};
  std::vector<int64_t> received;
  auto subscription = node->create_subscription<Int64>(
      "filtered", 10, [&](const Int64& message) { received.push_back(message.data); }, options);
  EXPECT_FALSE(subscription->is_cft_enabled());
  EXPECT_THROW(subscription->set_content_filter("data > 7"), rclcpp::exceptions::RCLError);
  EXPECT_THROW(subscription->get_content_filter(), rclcpp::exceptions::RCLError);
  auto publisher = node->create_publisher<Int64>("filtered", 10);
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(Int64());
  EXPECT_TRUE(spin_until([&] { return received.size() == 1; }));
}

TEST_F(EndpointOptions, RequestsResponsesEventsAndResetsAreToldToWhoHasAnExecutorOfHisOwn) {
  auto node = std::make_shared<rclcpp::Node>("by_hand");
  auto service = node->create_service<AddTwoInts>(
      "add", [](std::shared_ptr<AddTwoInts::Request>, std::shared_ptr<AddTwoInts::Response>) {});
  auto client = node->create_client<AddTwoInts>("add");
  std::atomic<std::size_t> requests{0}, responses{0}, events{0}, resets{0};
  EXPECT_THROW(service->set_on_new_request_callback(nullptr), std::invalid_argument);
  EXPECT_THROW(client->set_on_new_response_callback(nullptr), std::invalid_argument);
  service->set_on_new_request_callback([&](std::size_t count) { requests += count; });
  client->set_on_new_response_callback([&](std::size_t count) { responses += count; });
  const std::size_t looks = requests;  // Reader::start has everybody look once
  const std::size_t answers = responses;
  ASSERT_TRUE(client->wait_for_service(30s));
  auto future = client->async_send_request(std::make_shared<AddTwoInts::Request>());
  ASSERT_TRUE(hl_testing::wait_until([&] { return requests > looks; }));
  AddTwoInts::Request request;
  rmw_request_id_t id;
  ASSERT_TRUE(hl_testing::wait_until([&] { return service->take_request(request, id); }));
  AddTwoInts::Response response;
  response.sum = 5;
  service->send_response(id, response);
  ASSERT_TRUE(hl_testing::wait_until([&] { return responses > answers; }));
  service->clear_on_new_request_callback();
  client->clear_on_new_response_callback();
  rmw_request_id_t header;
  AddTwoInts::Response taken;
  ASSERT_TRUE(hl_testing::wait_until([&] { return client->take_response(taken, header); }));
  EXPECT_EQ(taken.sum, 5);
  EXPECT_EQ(header.sequence_number, future.request_id);

  auto subscription = node->create_subscription<Int64>("strict", 10, [](const Int64&) {});
  subscription->set_on_new_qos_event_callback([&](std::size_t count) { events += count; },
                                              RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS);
  EXPECT_NO_THROW(subscription->set_on_new_qos_event_callback([](std::size_t) {}, RCL_SUBSCRIPTION_MESSAGE_LOST))
      << "nobody handles it: a warning";
  auto publisher = node->create_publisher<Int64>("strict", rclcpp::QoS(1).best_effort());
  publisher->set_on_new_qos_event_callback([&](std::size_t count) { events += count; },
                                           RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS);
  EXPECT_TRUE(hl_testing::wait_until([&] { return events == 2; }));
  publisher->clear_on_new_qos_event_callback(RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS);
  subscription->clear_on_new_qos_event_callback(RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS);

  auto timer = node->create_wall_timer(1h, [] {});
  timer->reset();
  timer->set_on_reset_callback([&](std::size_t count) { resets += count; });
  timer->reset();
  EXPECT_EQ(resets, 2u);
  timer->clear_on_reset_callback();
  timer->reset();
  EXPECT_EQ(resets, 2u);
}

RCLCPP_TEST_MAIN
