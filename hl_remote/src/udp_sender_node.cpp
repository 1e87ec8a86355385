// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <set>
#include <sstream>

#include "hl_network/send_only_socket.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/node_parameters.hpp"
#include "hl_remote/link_sender.hpp"
#include "hl_remote/link_topics.hpp"

namespace hl_remote {
namespace {

struct Settings {
  std::string address = "255.255.255.255";
  int port = kLinkPort;
  std::string robot;  // empty: the last word of the node's namespace
  double budget_kb = 200.0;
  int datagram = 1400;
  double repeat_latched = 2.0;
  int compression = 3;
  std::vector<std::string> topics = default_topics();

  std::optional<std::string> validate() const {
    if (!hl_network::Endpoint::from(address, 1))
      return "address = '" + address + "' is no IPv4 address; use the laptop's, or 255.255.255.255 for everybody";
    if (!robot.empty() && !valid_robot_name(robot))
      return "robot = '" + robot + "' must be letters, digits and underscores, beginning with a letter";
    for (const std::string& line : topics)
      if (const auto error = topic_error(line)) return error;
    return std::nullopt;
  }
};

const hl_node::ParameterTable<Settings>& parameters() {
  using hl_node::Change;
  static const hl_node::ParameterTable<Settings> table = {
      {"address", [](Settings& s) -> std::string& { return s.address; },
       "where to: the laptop's, or a broadcast address", Change::AtStart},
      {"port", [](Settings& s) -> int& { return s.port; }, 1024, 65535, "of the receiver", Change::AtStart},
      {"robot", [](Settings& s) -> std::string& { return s.robot; },
       "name told to the receiver; empty: the node's namespace", Change::AtStart},
      {"budget_kb", [](Settings& s) -> double& { return s.budget_kb; }, 10.0, 100e3,
       "kB in any second at the most, headers included", Change::AtStart},
      {"datagram", [](Settings& s) -> int& { return s.datagram; }, 200, 1900, "payload of one datagram, B",
       Change::AtStart},
      {"repeat_latched", [](Settings& s) -> double& { return s.repeat_latched; }, 0.1, 60.0,
       "latched messages are sent again after this, s", Change::AtStart},
      {"compression", [](Settings& s) -> int& { return s.compression; }, 1, 19, "level of zstd", Change::AtStart},
      {"topics", [](Settings& s) -> std::vector<std::string>& { return s.topics; },
       "each 'name' or 'name rate', rate in Hz", Change::AtStart},
  };
  return table;
}

/// Grows with each start, also of a sender that is started again within a second: eighths of seconds since 2020.
std::uint32_t session() {
  using Eighths = std::chrono::duration<std::int64_t, std::ratio<1, 8>>;
  constexpr std::int64_t kYear2020 = 1'577'836'800;  // s since 1970
  const auto now = std::chrono::duration_cast<Eighths>(std::chrono::system_clock::now().time_since_epoch());
  return static_cast<std::uint32_t>(now.count() - 8 * kYear2020);
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

/// Tells a laptop what the robot sees and thinks, and cannot be answered: the rules forbid talking to a robot that
/// plays.
class UdpSenderNode : public rclcpp::Node {
 public:
  explicit UdpSenderNode(const rclcpp::NodeOptions& options)
      : Node("udp_sender", options),
        parameters_(*this, parameters()),
        topics_(topics_from(parameters_.values().topics)),
        sender_(params(), topics_),
        socket_(*hl_network::Endpoint::from(parameters_.values().address,
                                            static_cast<std::uint16_t>(parameters_.values().port))),
        diagnostics_(*this, "one-way link"),
        subscriptions_(topics_.size()) {
    RCLCPP_INFO(get_logger(), "sends %zu topics of '%s' to %s:%d, at most %.0f kB/s", topics_.size(), robot().c_str(),
                parameters_.values().address.c_str(), parameters_.values().port, parameters_.values().budget_kb);
    find_topics();
    // The network's budget is in real time, also when the simulation's clock runs otherwise.
    search_timer_ = create_wall_timer(std::chrono::seconds(1), [this] { once_a_second(); });
    send_timer_ = create_wall_timer(std::chrono::milliseconds(10), [this] {
      sender_.poll(seconds(), [this](hl_network::Bytes datagram) {
        if (!socket_.send(datagram)) ++refused_;
      });
    });
  }

 private:
  std::string robot() const {
    if (!parameters_.values().robot.empty()) return parameters_.values().robot;
    const std::string path = get_namespace();
    const std::string last = path.substr(path.rfind('/') + 1);
    return last.empty() ? "robot" : last;
  }

  LinkSender::Params params() const {
    const Settings& settings = parameters_.values();
    LinkSender::Params params;
    params.robot = robot();
    params.session = session();
    params.budget = settings.budget_kb * 1000.0;
    params.datagram = settings.datagram;
    params.repeat_latched = settings.repeat_latched;
    params.compression = settings.compression;
    return params;
  }

  /// Topics are subscribed to once somebody publishes them: only then their type is known.
  void find_topics() {
    const auto known = get_topic_names_and_types();
    for (std::size_t i = 0; i < topics_.size(); ++i) {
      if (subscriptions_[i] || left_out_.count(i) != 0) continue;
      const std::string name = get_node_topics_interface()->resolve_topic_name(topics_[i].name);
      const auto found = known.find(name);
      if (found == known.end()) continue;
      const auto publishers = get_publishers_info_by_topic(name);
      if (publishers.empty()) continue;
      if (found->second.size() != 1) {
        RCLCPP_WARN_ONCE(get_logger(), "%s has %zu types and is left out until one is gone", name.c_str(),
                         found->second.size());
        continue;
      }
      subscribe(i, name, found->second.front(), publishers.front().qos_profile().durability());
    }
  }

  void subscribe(std::size_t index, const std::string& name, const std::string& type,
                 rclcpp::DurabilityPolicy durability) {
    const bool latched = durability == rclcpp::DurabilityPolicy::TransientLocal;
    const auto qos = latched ? rclcpp::QoS(1).transient_local() : rclcpp::QoS(1).best_effort();
    try {
      subscriptions_[index] = create_generic_subscription(
          name, type, qos, [this, index, type, latched](std::shared_ptr<const rclcpp::SerializedMessage> message) {
            const auto& raw = message->get_rcl_serialized_message();
            sender_.offer(index, type, latched, {raw.buffer, raw.buffer_length}, get_clock()->now().nanoseconds());
          });
    } catch (const std::exception& error) {
      RCLCPP_WARN(get_logger(), "%s is left out: its type %s is not installed here (%s)", name.c_str(), type.c_str(),
                  error.what());
      left_out_.insert(index);
    }
  }

  void once_a_second() {
    find_topics();
    const auto& sent = sender_.statistics();
    std::ostringstream rate;
    rate.precision(1);
    rate << std::fixed << static_cast<double>(sent.bytes - bytes_before_) / 1000.0;
    bytes_before_ = sent.bytes;
    const bool blocked = refused_ != refused_before_;
    refused_before_ = refused_;
    std::size_t heard = 0;
    for (const auto& subscription : subscriptions_) heard += subscription ? 1 : 0;
    diagnostics_.report(
        blocked ? hl_node::Level::Warn : hl_node::Level::Ok,
        blocked ? "the network does not take the datagrams: see `ip route`"
                : rate.str() + " of " + std::to_string(static_cast<int>(parameters_.values().budget_kb)) + " kB/s",
        {{"topics", std::to_string(heard) + " of " + std::to_string(topics_.size())},
         {"messages", std::to_string(sent.messages)},
         {"replaced by newer ones", std::to_string(sent.replaced)},
         {"too large", std::to_string(sent.too_large)},
         {"datagrams refused by the network", std::to_string(refused_)}});
  }

  hl_node::NodeParameters<Settings> parameters_;
  std::vector<LinkSender::Topic> topics_;
  LinkSender sender_;
  hl_network::SendOnlySocket socket_;
  hl_node::Diagnostics diagnostics_;
  std::vector<rclcpp::GenericSubscription::SharedPtr> subscriptions_;  // per topic; none until somebody publishes it
  std::set<std::size_t> left_out_;                                     // topics whose type is not installed here
  std::uint64_t refused_ = 0, refused_before_ = 0, bytes_before_ = 0;
  rclcpp::TimerBase::SharedPtr search_timer_, send_timer_;
};

}  // namespace hl_remote

RCLCPP_COMPONENTS_REGISTER_NODE(hl_remote::UdpSenderNode)
