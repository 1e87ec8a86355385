// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/node.hpp"

#include "node_services.hpp"
#include "rclcpp/detail/arguments.hpp"
#include "rclcpp/detail/node_identity.hpp"
#include "rclcpp/time_source.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"

namespace rclcpp {
namespace {

using detail::NodeIdentity;
using rcl_interfaces::msg::ParameterEvent;

struct OfNode {
  std::shared_ptr<NodeIdentity> identity;
  std::map<std::string, ParameterValue> overrides;
  bool rosout;
};

/// Brings together what the options, the node's own arguments and those of the process say. The more special wins.
OfNode resolve(const std::string& name, const std::string& namespace_, const NodeOptions& options) {
  const auto own = detail::parse_arguments(options.arguments());
  const auto global = options.use_global_arguments() ? options.context()->arguments() : nullptr;
  auto rules = own.remaps;
  if (global) rules.insert(rules.end(), global->remaps.begin(), global->remaps.end());

  OfNode node;
  node.identity = std::make_shared<NodeIdentity>(options.context(), detail::NodeNames(name, namespace_, rules));
  if (global) node.overrides = detail::overrides_for(node.identity->full_name, global->parameters);
  for (auto& [key, value] : detail::overrides_for(node.identity->full_name, own.parameters)) {
    node.overrides[key] = std::move(value);
  }
  for (const auto& parameter : options.parameter_overrides()) {
    node.overrides[parameter.get_name()] = parameter.get_parameter_value();
  }
  node.rosout = options.enable_rosout() && own.rosout_logs && (!global || global->rosout_logs);
  return node;
}

}  // namespace

/// Everything here is used by callbacks that may still run while the node is destroyed, so they hold what they use.
class Node::Services {
 public:
  std::shared_ptr<TimeSource> time_source;
  std::shared_ptr<void> parameter_services;
  std::shared_ptr<void> rosout;
};

Node::Node(const std::string& node_name, const NodeOptions& options) : Node(node_name, "", options) {}

Node::Node(const std::string& node_name, const std::string& namespace_, const NodeOptions& options)
    : options_(options), services_(std::make_shared<Services>()) {
  const auto node = resolve(node_name, namespace_, options);
  const auto& identity = node.identity;
  const underlay_dds::Graph::Batch batch(identity->participant->graph());

  node_base_ = std::make_shared<node_interfaces::NodeBaseInterface>(identity, options.use_intra_process_comms(),
                                                                    options.enable_topic_statistics());
  node_logging_ = std::make_shared<node_interfaces::NodeLoggingInterface>(identity->logger_name);
  node_clock_ = std::make_shared<node_interfaces::NodeClockInterface>(std::make_shared<Clock>(RCL_ROS_TIME));
  node_graph_ = std::make_shared<node_interfaces::NodeGraphInterface>(identity);
  node_topics_ = std::make_shared<node_interfaces::NodeTopicsInterface>(node_base_);
  node_timers_ = std::make_shared<node_interfaces::NodeTimersInterface>(node_base_);
  node_services_ = std::make_shared<node_interfaces::NodeServicesInterface>(node_base_);
  node_waitables_ = std::make_shared<node_interfaces::NodeWaitablesInterface>(node_base_);
  effective_namespace_ = node_base_->get_namespace();

  if (node.rosout) services_->rosout = detail::make_rosout(node_topics_, identity->logger_name, options.rosout_qos());

  services_->time_source = std::make_shared<TimeSource>(identity, options.clock_qos());
  services_->time_source->attachClock(node_clock_->get_clock());
  node_time_source_ = std::make_shared<node_interfaces::NodeTimeSourceInterface>(services_->time_source);

  Publisher<ParameterEvent>::SharedPtr events;
  if (options.start_parameter_event_publisher()) {
    events = rclcpp::create_publisher<ParameterEvent>(*node_topics_, "/parameter_events", options.parameter_event_qos(),
                                                      PublisherOptions(options.parameter_event_publisher_options()));
  }
  detail::ParameterStore::Options parameters;
  parameters.overrides = node.overrides;
  parameters.allow_undeclared = options.allow_undeclared_parameters();
  parameters.declare_from_overrides = options.automatically_declare_parameters_from_overrides();
  parameters.on_event = [events, clock = node_clock_->get_clock(), name = identity->full_name,
                         weak = TimeSource::WeakPtr(services_->time_source)](ParameterEvent&& event) {
    for (const auto* changes : {&event.new_parameters, &event.changed_parameters}) {
      for (const auto& parameter : *changes) {
        if (parameter.name != "use_sim_time") continue;
        if (const auto time_source = weak.lock()) time_source->use_sim_time(parameter.value.bool_value);
      }
    }
    if (!events) return;
    event.node = name;
    event.stamp = clock->now();
    events->publish(event);
  };
  const auto store = std::make_shared<detail::ParameterStore>(std::move(parameters));
  node_parameters_ = std::make_shared<node_interfaces::NodeParametersInterface>(store);
  if (!store->has("use_sim_time")) {
    Descriptor descriptor;
    descriptor.description = "Take the time from /clock instead of the system.";
    store->declare("use_sim_time", ParameterValue(false), descriptor);
  }
  if (options.start_parameter_services()) {
    services_->parameter_services = detail::make_parameter_services(node_base_, node_services_, store);
  }
}

Node::Node(const Node& other, const std::string& sub_namespace)
    : std::enable_shared_from_this<Node>(),
      options_(other.options_),
      sub_namespace_(other.sub_namespace_.empty() ? sub_namespace : other.sub_namespace_ + "/" + sub_namespace),
      node_base_(other.node_base_),
      node_logging_(other.node_logging_),
      node_clock_(other.node_clock_),
      node_graph_(other.node_graph_),
      node_topics_(other.node_topics_),
      node_timers_(other.node_timers_),
      node_services_(other.node_services_),
      node_waitables_(other.node_waitables_),
      node_parameters_(other.node_parameters_),
      node_time_source_(other.node_time_source_),
      services_(other.services_) {
  if (sub_namespace.empty()) {
    throw exceptions::NameValidationError("sub_namespace", sub_namespace.c_str(),
                                          "sub-nodes should not extend nodes by an empty sub-namespace", 0);
  }
  if (sub_namespace.front() == '/') {
    throw exceptions::NameValidationError("sub_namespace", sub_namespace.c_str(),
                                          "a sub-namespace should not have a leading /", 0);
  }
  const std::string own = node_base_->get_namespace();
  effective_namespace_ = (own == "/" ? own : own + "/") + sub_namespace_;
  if (const auto problem = detail::check_namespace(effective_namespace_)) {
    throw exceptions::InvalidNamespaceError(effective_namespace_.c_str(), problem->what, problem->index);
  }
}

Node::~Node() = default;

Node::SharedPtr Node::create_sub_node(const std::string& sub_namespace) {
  struct SubNode : public Node {
    SubNode(const Node& other, const std::string& name) : Node(other, name) {}
  };
  return std::make_shared<SubNode>(*this, sub_namespace);
}

std::string Node::in_sub_namespace(const std::string& name) const {
  const bool relative = !name.empty() && name.front() != '/' && name.front() != '~';
  return relative && !sub_namespace_.empty() ? sub_namespace_ + "/" + name : name;
}

}  // namespace rclcpp
