// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <fstream>
#include <random>
#include <rclcpp/rclcpp.hpp>
#include <set>
#include <sstream>
#include <std_msgs/msg/string.hpp>

#include "hl_network/udp_socket.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"

using hl_network::Endpoint;
using hl_network::UdpSocket;
using hl_testing::Process;
using std_msgs::msg::String;

namespace {

using Arguments = std::vector<std::string>;

Process node(const std::string& program, const std::string& name_space, const Arguments& parameters) {
  Arguments command = {std::string(PROGRAM_FOLDER) + "/" + program, "--ros-args", "-r", "__ns:=" + name_space};
  for (const auto& parameter : parameters) command.insert(command.end(), {"-p", parameter});
  return Process(command);
}

/// Local ports and queued bytes of the UDP sockets a process has, from /proc.
struct OpenSocket {
  unsigned port = 0;
  unsigned queued = 0;
};

std::vector<OpenSocket> udp_sockets() {
  std::ifstream file("/proc/net/udp");
  std::string line;
  std::getline(file, line);
  std::vector<OpenSocket> result;
  while (std::getline(file, line)) {
    OpenSocket socket;
    unsigned address = 0, remote = 0, remote_port = 0, state = 0, send_queue = 0;
    if (std::sscanf(line.c_str(), " %*u: %x:%x %x:%x %x %x:%x", &address, &socket.port, &remote, &remote_port, &state,
                    &send_queue, &socket.queued) == 7)
      result.push_back(socket);
  }
  return result;
}

class Link : public testing::Test {
 protected:
  template <class Condition>
  bool wait(Condition condition) {
    return hl_testing::wait_until([&] {
      rclcpp::spin_some(node_);
      return condition();
    });
  }

  rclcpp::Node::SharedPtr node_ = std::make_shared<rclcpp::Node>("test_link");
};

}  // namespace

TEST_F(Link, TopicsOfARobotAppearUnderItsNameThoughAThirdIsLost) {
  const UdpSocket middle("127.0.0.1", 0);
  const std::uint16_t port = UdpSocket("127.0.0.1", 0).port();
  Process sender = node("udp_sender", "/real",
                        {"address:=127.0.0.1", "port:=" + std::to_string(middle.port()), "robot:=blue1",
                         "topics:=['state', 'words 50']"});
  Process receiver = node("udp_receiver", "/laptop", {"address:=127.0.0.1", "port:=" + std::to_string(port)});

  auto state = node_->create_publisher<String>("/real/state", rclcpp::QoS(1).transient_local());
  auto words = node_->create_publisher<String>("/real/words", 10);
  String text;
  text.data = "standing";
  state->publish(text);
  std::string heard_state;
  std::set<std::string> heard_words;
  auto on_state = node_->create_subscription<String>("/blue1/state", rclcpp::QoS(1).transient_local(),
                                                     [&](const String& message) { heard_state = message.data; });
  auto on_words = node_->create_subscription<String>("/blue1/words", 10,
                                                     [&](const String& message) { heard_words.insert(message.data); });
  std::string link;
  auto on_diagnostics = node_->create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
      "/laptop/diagnostics", 10, [&](const diagnostic_msgs::msg::DiagnosticArray& message) {
        for (const auto& status : message.status)
          if (status.name.find("link of blue1") != std::string::npos) link = status.message;
      });

  std::mt19937 random(1);
  std::array<std::uint8_t, 2000> buffer{};
  int number = 0;
  unsigned sender_port = 0;
  const auto done = [&] {
    text.data = "word " + std::to_string(++number);
    words->publish(text);
    Endpoint from;
    while (const auto size = middle.receive(buffer.data(), buffer.size(), from)) {
      sender_port = from.port;
      if (random() % 3 != 0) middle.send({buffer.data(), *size}, *Endpoint::from("127.0.0.1", port));
    }
    return heard_state == "standing" && heard_words.size() >= 30 && link.find("lost") != std::string::npos;
  };
  EXPECT_TRUE(wait(done)) << heard_state << ", " << heard_words.size() << " words, " << link << "\n"
                          << sender.output() << receiver.output();

  // Nothing flows back: what is sent to the port it speaks from is dropped before anybody could read it.
  const std::array<std::uint8_t, 200> knock{};
  for (int i = 0; i < 20; ++i)
    middle.send({knock.data(), knock.size()}, *Endpoint::from("127.0.0.1", static_cast<std::uint16_t>(sender_port)));
  bool found = false;
  for (const auto& socket : udp_sockets()) {
    if (socket.port != sender_port) continue;
    found = true;
    EXPECT_EQ(socket.queued, 0U);
  }
  EXPECT_TRUE(found) << "port " << sender_port << " is not in /proc/net/udp";
}

TEST_F(Link, CommandsAreNeitherSentNorPublished) {
  Process sender = node("udp_sender", "/real", {"address:=127.0.0.1", "topics:=['cmd_vel']"});
  EXPECT_NE(sender.wait().value_or(0), 0);
  EXPECT_NE(sender.output().find("commands a robot"), std::string::npos) << sender.output();
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
