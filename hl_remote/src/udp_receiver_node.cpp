// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <set>

#include "hl_network/udp_socket.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/node_parameters.hpp"
#include "hl_remote/link_receiver.hpp"
#include "hl_remote/link_topics.hpp"

namespace hl_remote {
namespace {

struct Settings {
  std::string address = "0.0.0.0";
  int port = kLinkPort;
  std::string prefix;

  std::optional<std::string> validate() const {
    if (!hl_network::Endpoint::from(address, 1))
      return "address = '" + address + "' is no IPv4 address; use 0.0.0.0 for every interface";
    if (!prefix.empty() && !valid_robot_name(prefix))
      return "prefix = '" + prefix + "' must be letters, digits and underscores, beginning with a letter";
    return std::nullopt;
  }
};

const hl_node::ParameterTable<Settings>& parameters() {
  using hl_node::Change;
  static const hl_node::ParameterTable<Settings> table = {
      {"address", [](Settings& s) -> std::string& { return s.address; }, "interface to listen on", Change::AtStart},
      {"port", [](Settings& s) -> int& { return s.port; }, 1024, 65535, "to listen on", Change::AtStart},
      {"prefix", [](Settings& s) -> std::string& { return s.prefix; },
       "namespace in front of the robots' own; needed where the robots themselves are in the same ROS domain",
       Change::AtStart},
  };
  return table;
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

/// Publishes what robots send over the one-way link under their namespaces, so that every viewer works as if it were
/// there.
class UdpReceiverNode : public rclcpp::Node {
 public:
  explicit UdpReceiverNode(const rclcpp::NodeOptions& options)
      : Node("udp_receiver", options),
        parameters_(*this, parameters()),
        socket_(parameters_.values().address, static_cast<std::uint16_t>(parameters_.values().port),
                hl_network::UdpSocket::Sharing::Shared),
        foreign_(*this, "one-way link") {
    RCLCPP_INFO(get_logger(), "listens on %s:%d", parameters_.values().address.c_str(), parameters_.values().port);
    receive_timer_ = create_wall_timer(std::chrono::milliseconds(5), [this] { receive(); });
    report_timer_ = create_wall_timer(std::chrono::seconds(1), [this] { report(); });
  }

 private:
  struct Output {
    std::string type;
    rclcpp::GenericPublisher::SharedPtr publisher;  // none: its type is not installed here
  };

  void receive() {
    hl_network::Endpoint from;
    while (const auto size = socket_.receive(buffer_.data(), buffer_.size(), from)) {
      if (const auto message = receiver_.receive({buffer_.data(), *size}, seconds())) publish(*message);
    }
  }

  void publish(const LinkReceiver::Message& message) {
    const LinkMessage& content = message.content;
    if (is_command(content.topic)) {
      RCLCPP_WARN_ONCE(get_logger(), "'%s' of %s would command a robot and is not published", content.topic.c_str(),
                       message.robot.c_str());
      return;
    }
    const Output& output = output_for(message);
    if (!output.publisher || output.type != content.type) return;
    rclcpp::SerializedMessage serialized(content.serialized.size());
    auto& raw = serialized.get_rcl_serialized_message();
    std::copy(content.serialized.begin(), content.serialized.end(), raw.buffer);
    raw.buffer_length = content.serialized.size();
    output.publisher->publish(serialized);
  }

  const Output& output_for(const LinkReceiver::Message& message) {
    const std::string& prefix = parameters_.values().prefix;
    const std::string name = (prefix.empty() ? "" : "/" + prefix) + "/" + message.robot + "/" + message.content.topic;
    const auto [found, is_new] = outputs_.try_emplace(name);
    Output& output = found->second;
    if (!is_new) {
      if (output.type != message.content.type)
        RCLCPP_WARN_ONCE(get_logger(), "%s changed its type from %s to %s: start the receiver again", name.c_str(),
                         output.type.c_str(), message.content.type.c_str());
      return output;
    }
    output.type = message.content.type;
    try {
      output.publisher = create_generic_publisher(
          name, output.type, message.content.latched ? rclcpp::QoS(1).transient_local() : rclcpp::QoS(10));
    } catch (const std::exception& error) {
      RCLCPP_WARN(get_logger(), "%s is not published: its type %s is not installed here (%s)", name.c_str(),
                  output.type.c_str(), error.what());
    }
    return output;
  }

  void report() {
    const double now = seconds();
    receiver_.tidy(now);
    for (const auto& [name, robot] : receiver_.robots()) {
      const auto [found, is_new] = lines_.try_emplace(name);
      if (is_new) found->second = std::make_unique<hl_node::Diagnostics>(*this, "link of " + name, name);
      const double age = now - robot.last_heard;
      const int loss = static_cast<int>(robot.loss() * 100.0 + 0.5);
      const bool silent = age > 2.0;
      const std::string words = silent ? "silent for " + std::to_string(static_cast<int>(age)) + " s"
                                       : std::to_string(loss) + " % of the messages lost";
      found->second->report(silent || loss > 20 ? hl_node::Level::Warn : hl_node::Level::Ok, words,
                            {{"received", std::to_string(robot.received)},
                             {"lost", std::to_string(robot.lost)},
                             {"late", std::to_string(robot.late)},
                             {"doubled datagrams", std::to_string(robot.doubled)},
                             {"damaged", std::to_string(robot.damaged)},
                             {"restarts", std::to_string(robot.restarts)}});
    }
    const auto& foreign = receiver_.foreign();
    foreign_.report(foreign.other_version > 0 ? hl_node::Level::Warn : hl_node::Level::Ok,
                    foreign.other_version > 0
                        ? "somebody speaks version " + std::to_string(foreign.version) +
                              " of the link, this is version " + std::to_string(kLinkVersion) + ": update one of them"
                        : std::to_string(receiver_.robots().size()) + " robots heard",
                    {{"foreign datagrams", std::to_string(foreign.no_link)},
                     {"beyond the number of robots", std::to_string(foreign.too_many_robots)},
                     {"beyond the number of topics", std::to_string(foreign.too_many_topics)}});
  }

  hl_node::NodeParameters<Settings> parameters_;
  hl_network::UdpSocket socket_;
  LinkReceiver receiver_;
  hl_node::Diagnostics foreign_;
  std::map<std::string, std::unique_ptr<hl_node::Diagnostics>> lines_;  // by robot
  std::map<std::string, Output> outputs_;                               // by topic
  std::array<std::uint8_t, 65536> buffer_{};
  rclcpp::TimerBase::SharedPtr receive_timer_, report_timer_;
};

}  // namespace hl_remote

RCLCPP_COMPONENTS_REGISTER_NODE(hl_remote::UdpReceiverNode)
