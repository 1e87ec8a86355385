// SPDX-License-Identifier: Apache-2.0
// The untyped part of publishers and subscriptions.
#include <cstring>
#include <stdexcept>
#include <utility>

#include "arrival_callback.hpp"
#include "rclcpp/detail/event_queue.hpp"
#include "rclcpp/detail/node_identity.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/subscription_base.hpp"
#include "topic_statistics.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"

namespace rclcpp {
namespace {

using detail::EventQueue;
using underlay_dds::EventStatus;

bool use_intra_process(IntraProcessSetting setting, const node_interfaces::NodeBaseInterface& node, const QoS& qos) {
  const bool use = setting == IntraProcessSetting::Enable ||
                   (setting == IntraProcessSetting::NodeDefault && node.get_use_intra_process_default());
  if (!use) return false;
  // The system's defaults are keep last, some depth, volatile.
  if (qos.history() == HistoryPolicy::KeepAll) {
    throw std::invalid_argument("intraprocess communication allowed only with keep last history qos policy");
  }
  if (qos.depth() == 0 && qos.history() != HistoryPolicy::SystemDefault) {
    throw std::invalid_argument("intraprocess communication is not allowed with a zero qos history depth value");
  }
  if (qos.durability() == DurabilityPolicy::TransientLocal) {
    throw std::invalid_argument("intraprocess communication allowed only with volatile durability");
  }
  return true;
}

rmw_qos_policy_kind_t policy_kind(const EventStatus& status) {
  switch (static_cast<underlay_dds::Policy>(status.policy)) {
    case underlay_dds::Policy::Durability:
      return RMW_QOS_POLICY_DURABILITY;
    case underlay_dds::Policy::Deadline:
      return RMW_QOS_POLICY_DEADLINE;
    case underlay_dds::Policy::Liveliness:
      return RMW_QOS_POLICY_LIVELINESS;
    case underlay_dds::Policy::Reliability:
      return RMW_QOS_POLICY_RELIABILITY;
    case underlay_dds::Policy::Lifespan:
      return RMW_QOS_POLICY_LIFESPAN;
  }
  return RMW_QOS_POLICY_INVALID;
}

/// The user's callback as the middleware calls it; empty if there is none.
template <class Info>
EventQueue::Handler handler(const std::function<void(Info&)>& callback, Info (*translate)(const EventStatus&)) {
  if (!callback) return {};
  return [callback, translate](const EventStatus& status) {
    Info info = translate(status);
    callback(info);
  };
}

rmw_offered_deadline_missed_status_t deadline_info(const EventStatus& s) {
  return {s.total, s.change};
}
rmw_liveliness_lost_status_t liveliness_lost_info(const EventStatus& s) {
  return {s.total, s.change};
}
rmw_liveliness_changed_status_t liveliness_changed_info(const EventStatus& s) {
  return {s.alive, s.not_alive, s.alive_change, s.not_alive_change};
}
rmw_qos_incompatible_event_status_t incompatible_info(const EventStatus& s) {
  return {s.total, s.change, policy_kind(s)};
}
rmw_message_lost_status_t message_lost_info(const EventStatus& s) {
  return {static_cast<std::size_t>(s.total), static_cast<std::size_t>(s.change)};
}

void tell_events(EventQueue& events, int kind, std::function<void(std::size_t)> callback,
                 const std::string& logger_name) {
  auto* arrivals = events.arrivals(kind);
  if (arrivals == nullptr) {
    RCLCPP_WARN(get_logger(logger_name),
                "set_on_new_qos_event_callback: no callback handles event %d of this endpoint, nothing will be told",
                kind);
    return;
  }
  arrivals->set(std::move(callback), "set_on_new_qos_event_callback");
}

}  // namespace

PublisherBase::PublisherBase(node_interfaces::NodeBaseInterface* node_base, const std::string& topic,
                             const underlay_cdr::MessageOps& type, const QoS& qos, const PublisherOptionsBase& options)
    : topic_(node_base->resolve_topic_or_service_name(topic, false)),
      qos_(qos),
      intra_process_(use_intra_process(options.use_intra_process_comm, *node_base, qos)),
      events_(std::make_shared<EventQueue>()) {
  const auto& identity = node_base->identity();
  events_->join(node_base->group_or_default(options.callback_group));

  auto incompatible = options.event_callbacks.incompatible_qos_callback;
  if (!incompatible && options.use_default_callbacks) {
    incompatible = [logger = get_logger(identity->logger_name), name = topic_](const auto& info) {
      RCLCPP_WARN(logger,
                  "New subscription discovered on topic '%s', requesting incompatible QoS. No messages will be sent to "
                  "it. Last incompatible policy: %s",
                  name.c_str(), qos_policy_name_from_kind(info.last_policy_kind).c_str());
    };
  }
  underlay_dds::WriterEvents events;
  events.deadline_missed = EventQueue::forward(events_, RCL_PUBLISHER_OFFERED_DEADLINE_MISSED,
                                               handler(options.event_callbacks.deadline_callback, &deadline_info));
  events.liveliness_lost =
      EventQueue::forward(events_, RCL_PUBLISHER_LIVELINESS_LOST,
                          handler(options.event_callbacks.liveliness_callback, &liveliness_lost_info));
  events.incompatible_qos =
      EventQueue::forward(events_, RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, handler(incompatible, &incompatible_info));

  const std::string prefix = qos.avoid_ros_namespace_conventions() ? "" : "rt";
  writer_ =
      std::make_unique<underlay_dds::Writer>(identity->participant, prefix.empty() ? topic_.substr(1) : prefix + topic_,
                                             underlay_dds::Type::of(type), detail::to_dds(qos), std::move(events));
  graph_entry_ = std::make_unique<detail::GraphEntry>(identity, detail::GraphEntry::Kind::Writer, writer_->gid());
}

PublisherBase::~PublisherBase() {
  graph_entry_.reset();
  writer_.reset();
}

std::size_t PublisherBase::get_subscription_count() const {
  return writer_->matched();
}

std::size_t PublisherBase::get_intra_process_subscription_count() const {
  return intra_process_ ? std::min<std::size_t>(writer_->matched(), static_cast<std::size_t>(writer_->local_readers()))
                        : 0;
}

rmw_gid_t PublisherBase::get_gid() const {
  rmw_gid_t gid{"rmw_cyclonedds_cpp", {}};
  const auto handle = writer_->instance_handle();  // as in MessageInfo
  std::memcpy(gid.data, &handle, sizeof(handle));
  return gid;
}

bool PublisherBase::operator==(const rmw_gid_t& gid) const {
  const auto own = get_gid();
  return std::memcmp(own.data, gid.data, sizeof(own.data)) == 0;
}

void PublisherBase::publish_serialized(const rcl_serialized_message_t& message) {
  try {
    writer_->write_cdr(message.buffer, message.buffer_length);
  } catch (const underlay_dds::Error& error) {
    throw exceptions::RCLError(std::string("failed to publish serialized message: ") + error.what());
  }
}

bool PublisherBase::assert_liveliness() const {
  return writer_->assert_liveliness();
}

void PublisherBase::set_on_new_qos_event_callback(std::function<void(std::size_t)> callback,
                                                  const rcl_publisher_event_type_t& event_type) {
  tell_events(*events_, event_type, std::move(callback), graph_entry_->node().logger_name);
}

void PublisherBase::clear_on_new_qos_event_callback(const rcl_publisher_event_type_t& event_type) {
  if (auto* arrivals = events_->arrivals(event_type)) arrivals->clear();
}

SubscriptionBase::SubscriptionBase(node_interfaces::NodeBaseInterface* node_base, const std::string& topic,
                                   const underlay_cdr::MessageOps& type, const QoS& qos,
                                   const SubscriptionOptionsBase& options)
    : topic_(node_base->resolve_topic_or_service_name(topic, false)),
      qos_(qos),
      events_(std::make_shared<EventQueue>()),
      arrivals_(std::make_shared<detail::ArrivalCallback>()) {
  use_intra_process(options.use_intra_process_comm, *node_base, qos);  // may throw
  const auto& identity = node_base->identity();

  auto incompatible = options.event_callbacks.incompatible_qos_callback;
  if (!incompatible && options.use_default_callbacks) {
    incompatible = [logger = get_logger(identity->logger_name), name = topic_](const auto& info) {
      RCLCPP_WARN(logger,
                  "New publisher discovered on topic '%s', offering incompatible QoS. No messages will be received "
                  "from it. Last incompatible policy: %s",
                  name.c_str(), qos_policy_name_from_kind(info.last_policy_kind).c_str());
    };
  }
  underlay_dds::ReaderEvents events;
  events.data_available = [token = token(), arrivals = arrivals_] {
    arrivals->arrived();
    detail::notify(token);
  };
  events.deadline_missed = EventQueue::forward(events_, RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED,
                                               handler(options.event_callbacks.deadline_callback, &deadline_info));
  events.liveliness_changed =
      EventQueue::forward(events_, RCL_SUBSCRIPTION_LIVELINESS_CHANGED,
                          handler(options.event_callbacks.liveliness_callback, &liveliness_changed_info));
  events.incompatible_qos = EventQueue::forward(events_, RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS,
                                                handler(incompatible, &incompatible_info));
  events.message_lost = EventQueue::forward(events_, RCL_SUBSCRIPTION_MESSAGE_LOST,
                                            handler(options.event_callbacks.message_lost_callback, &message_lost_info));

  auto dds_qos = detail::to_dds(qos);
  dds_qos.ignore_own_process = options.ignore_local_publications;
  reader_ = std::make_unique<underlay_dds::Reader>(
      identity->participant, qos.avoid_ros_namespace_conventions() ? topic_.substr(1) : "rt" + topic_,
      underlay_dds::Type::of(type), dds_qos, std::move(events));
  graph_entry_ = std::make_unique<detail::GraphEntry>(identity, detail::GraphEntry::Kind::Reader, reader_->gid());
  statistics_ = detail::TopicStatistics::make(*node_base, options.topic_stats_options, qos);
  if (!options.content_filter_options.filter_expression.empty()) {
    RCLCPP_WARN(get_logger(identity->logger_name),
                "'%s': the middleware does not filter by content, all messages arrive; filter in the callback",
                topic_.c_str());
  }
}

SubscriptionBase::~SubscriptionBase() {
  graph_entry_.reset();
  reader_.reset();
}

void SubscriptionBase::start(const std::shared_ptr<CallbackGroup>& group) {
  join(group);
  events_->join(group);
  if (statistics_) statistics_->start(group);
  reader_->start();
}

std::size_t SubscriptionBase::get_publisher_count() const {
  return reader_->matched();
}

bool SubscriptionBase::take_sample(underlay_dds::Sample& sample, MessageInfo& info) {
  if (!reader_->take(sample)) return false;
  auto& raw = info.get_rmw_message_info();
  raw.source_timestamp = sample.source_timestamp;
  raw.received_timestamp = sample.received_timestamp;
  raw.publisher_gid.implementation_identifier = "rmw_cyclonedds_cpp";
  std::memcpy(raw.publisher_gid.data, &sample.publication_handle, sizeof(sample.publication_handle));
  raw.from_intra_process = false;
  return true;
}

std::shared_ptr<SerializedMessage> SubscriptionBase::serialized(const underlay_dds::Sample& sample) {
  const auto bytes = sample.cdr();
  auto message = std::make_shared<SerializedMessage>(bytes.size);
  auto& target = message->get_rcl_serialized_message();
  std::memcpy(target.buffer, bytes.data, bytes.size);
  target.buffer_length = bytes.size;
  return message;
}

bool SubscriptionBase::take_serialized(SerializedMessage& message, MessageInfo& info) {
  underlay_dds::Sample sample;
  if (!take_sample(sample, info)) return false;
  message = std::move(*serialized(sample));
  return true;
}

void SubscriptionBase::set_on_new_message_callback(std::function<void(std::size_t)> callback) {
  arrivals_->set(std::move(callback), "set_on_new_message_callback");
}

void SubscriptionBase::clear_on_new_message_callback() {
  arrivals_->clear();
}

void SubscriptionBase::set_on_new_qos_event_callback(std::function<void(std::size_t)> callback,
                                                     const rcl_subscription_event_type_t& event_type) {
  tell_events(*events_, event_type, std::move(callback), graph_entry_->node().logger_name);
}

void SubscriptionBase::clear_on_new_qos_event_callback(const rcl_subscription_event_type_t& event_type) {
  if (auto* arrivals = events_->arrivals(event_type)) arrivals->clear();
}

bool SubscriptionBase::exchange_in_use_by_wait_set_state(void* pointer_to_subscription_part, bool in_use_state) {
  if (pointer_to_subscription_part == nullptr) {
    throw std::invalid_argument("pointer_to_subscription_part is unexpectedly nullptr");
  }
  if (pointer_to_subscription_part == this) return exchange_in_use_by_wait_set_state(in_use_state);
  if (pointer_to_subscription_part == events_.get()) return events_->exchange_in_use_by_wait_set_state(in_use_state);
  throw std::runtime_error("given pointer_to_subscription_part does not match any part of subscription");
}

void SubscriptionBase::set_content_filter(const std::string& filter_expression, const std::vector<std::string>&) {
  throw exceptions::RCLError("failed to set cft expression parameters: Cyclone DDS does not filter by content ('" +
                             filter_expression + "' on '" + topic_ + "')");
}

ContentFilterOptions SubscriptionBase::get_content_filter() const {
  throw exceptions::RCLError("failed to get cft options: Cyclone DDS does not filter by content");
}

bool SubscriptionBase::execute() {
  underlay_dds::Sample sample;
  MessageInfo info;
  if (!take_sample(sample, info)) return false;
  more();
  if (statistics_) statistics_->received(info);
  try {
    deliver(sample, info);
  } catch (const underlay_dds::Error& error) {
    report_malformed(error.what());
  }
  return true;
}

void SubscriptionBase::report_malformed(const char* reason) const {
  RCLCPP_WARN(get_logger(graph_entry_->node().logger_name), "dropped a malformed message on '%s': %s", topic_.c_str(),
              reason);
}

}  // namespace rclcpp
