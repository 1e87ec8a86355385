// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/time_source.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "rclcpp/detail/node_identity.hpp"
#include "rclcpp/detail/type_support.hpp"
#include "rclcpp/node.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/reader.hpp"

namespace rclcpp {

struct TimeSource::Impl : public std::enable_shared_from_this<TimeSource::Impl> {
  /// The listener's object; the reader is deleted before it, so that no message arrives late.
  struct Subscription {
    std::unique_ptr<underlay_dds::Reader> reader;
    std::unique_ptr<detail::GraphEntry> graph_entry;
    ~Subscription() {
      reader->stop();
      graph_entry.reset();
      reader.reset();
    }
  };

  std::shared_ptr<detail::NodeIdentity> node;
  std::shared_ptr<SubscriptionBase> parameter_events;  // of an attached node
  QoS qos{1};
  std::mutex switch_mutex;  // one switch at a time; taken before `mutex`
  std::unique_ptr<Subscription> subscription;
  std::mutex mutex;
  std::vector<Clock::SharedPtr> clocks;
  bool active = false;
  bool received = false;
  int64_t last = 0;  // ns

  void start() {
    auto made = std::make_unique<Subscription>();
    underlay_dds::ReaderEvents events;
    auto* raw = made.get();
    events.data_available = [this, raw] { receive(*raw->reader); };
    made->reader = std::make_unique<underlay_dds::Reader>(
        node->participant, "rt" + node->names.topic("/clock"),
        underlay_dds::Type::of(detail::ops_of<rosgraph_msgs::msg::Clock>()), detail::to_dds(qos), std::move(events));
    made->graph_entry =
        std::make_unique<detail::GraphEntry>(node, detail::GraphEntry::Kind::Reader, made->reader->gid());
    subscription = std::move(made);
    subscription->reader->start();
  }

  void receive(underlay_dds::Reader& reader) {
    underlay_dds::Sample sample;
    while (reader.take(sample)) {
      rosgraph_msgs::msg::Clock message;
      if (const auto object = sample.message()) {
        message = *static_cast<const rosgraph_msgs::msg::Clock*>(object.get());
      } else {
        try {
          sample.decode(&message);
        } catch (const underlay_dds::Error&) {
          continue;
        }
      }
      set(Time(message.clock).nanoseconds());
    }
  }

  void set(int64_t time) {
    std::vector<Clock::SharedPtr> targets;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!active) return;
      received = true;
      last = time;
      targets = clocks;
    }
    for (const auto& clock : targets) detail::ClockOverride::set(*clock, time);
  }

  void use_sim_time(bool on) {
    const std::lock_guard<std::mutex> one_at_a_time(switch_mutex);
    std::vector<Clock::SharedPtr> targets;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      if (active == on) return;
      active = on;
      received = false;
      targets = clocks;
    }
    for (const auto& clock : targets) {
      if (on) {
        detail::ClockOverride::enable(*clock);
      } else {
        detail::ClockOverride::disable(*clock);
      }
    }
    if (on) {
      start();
    } else {
      subscription.reset();
    }
  }
};

TimeSource::TimeSource(std::shared_ptr<detail::NodeIdentity> node, const QoS& qos) : impl_(std::make_shared<Impl>()) {
  impl_->node = std::move(node);
  impl_->qos = qos;
}

TimeSource::TimeSource(const QoS& qos, bool /*use_clock_thread*/)
    : TimeSource(std::shared_ptr<detail::NodeIdentity>(), qos) {}

TimeSource::TimeSource(std::shared_ptr<Node> node, const QoS& qos, bool use_clock_thread)
    : TimeSource(qos, use_clock_thread) {
  attachNode(std::move(node));
}

TimeSource::~TimeSource() {
  detachNode();
}

void TimeSource::attachNode(std::shared_ptr<Node> node) {
  attachNode(node->get_node_base_interface(), node->get_node_topics_interface(), node->get_node_graph_interface(),
             node->get_node_services_interface(), node->get_node_logging_interface(), node->get_node_clock_interface(),
             node->get_node_parameters_interface());
}

void TimeSource::attachNode(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base_interface,
                            std::shared_ptr<node_interfaces::NodeTopicsInterface> node_topics_interface,
                            std::shared_ptr<node_interfaces::NodeGraphInterface> /*node_graph_interface*/,
                            std::shared_ptr<node_interfaces::NodeServicesInterface> /*node_services_interface*/,
                            std::shared_ptr<node_interfaces::NodeLoggingInterface> /*node_logging_interface*/,
                            std::shared_ptr<node_interfaces::NodeClockInterface> /*node_clock_interface*/,
                            std::shared_ptr<node_interfaces::NodeParametersInterface> node_parameters_interface) {
  using rcl_interfaces::msg::ParameterEvent;
  detachNode();
  impl_->node = node_base_interface->identity();
  auto& parameters = *node_parameters_interface;
  if (!parameters.has_parameter("use_sim_time")) parameters.declare_parameter("use_sim_time", ParameterValue(false));
  const auto value = parameters.get_parameter("use_sim_time");
  if (value.get_type() != PARAMETER_BOOL) {
    throw std::invalid_argument("Invalid type '" + value.get_type_name() +
                                "' of the parameter use_sim_time: it is bool");
  }
  impl_->parameter_events = create_subscription<ParameterEvent>(
      *node_topics_interface, "/parameter_events", ParameterEventsQoS(),
      [weak = std::weak_ptr<Impl>(impl_), name = impl_->node->full_name](const ParameterEvent& event) {
        const auto self = weak.lock();
        if (!self || event.node != name) return;
        for (const auto* changes : {&event.new_parameters, &event.changed_parameters}) {
          for (const auto& parameter : *changes) {
            if (parameter.name == "use_sim_time") self->use_sim_time(parameter.value.bool_value);
          }
        }
      });
  use_sim_time(value.as_bool());
}

void TimeSource::detachNode() {
  use_sim_time(false);
  impl_->parameter_events.reset();
}

void TimeSource::attachClock(Clock::SharedPtr clock) {
  if (clock->get_clock_type() != RCL_ROS_TIME) {
    throw std::invalid_argument("Cannot attach clock to a time source that's not a ROS clock");
  }
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->clocks.push_back(clock);
  if (!impl_->active) return;
  detail::ClockOverride::enable(*clock);
  if (impl_->received) detail::ClockOverride::set(*clock, impl_->last);
}

void TimeSource::detachClock(Clock::SharedPtr clock) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  impl_->clocks.erase(std::remove(impl_->clocks.begin(), impl_->clocks.end(), clock), impl_->clocks.end());
}

void TimeSource::use_sim_time(bool active) {
  impl_->use_sim_time(active);
}

}  // namespace rclcpp
