// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <rclcpp/rclcpp.hpp>
#include <set>
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

/// A UDP socket as /proc shows it.
struct OpenSocket {
  unsigned port = 0, peer = 0;  // peer: port it is connected to, 0 = it hears everybody
  unsigned queued = 0;          // bytes that somebody may read
  unsigned dropped = 0;         // datagrams
};

/// The UDP sockets that a process has open.
std::vector<OpenSocket> udp_sockets_of(pid_t pid) {
  std::set<unsigned long> inodes;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
    unsigned long inode = 0;
    if (std::sscanf(target.c_str(), "socket:[%lu]", &inode) == 1) inodes.insert(inode);
  }
  std::ifstream file("/proc/net/udp");
  std::string line;
  std::getline(file, line);
  std::vector<OpenSocket> result;
  while (std::getline(file, line)) {
    OpenSocket socket;
    unsigned long inode = 0;
    if (std::sscanf(line.c_str(), " %*u: %*x:%x %*x:%x %*x %*x:%x %*x:%*x %*x %*u %*u %lu %*d %*x %u", &socket.port,
                    &socket.peer, &socket.queued, &inode, &socket.dropped) == 5 &&
        inodes.count(inode) > 0)
      result.push_back(socket);
  }
  return result;
}

/// Air between robots and laptop that loses, doubles and delays, so that datagrams overtake each other.
class BadAir {
 public:
  BadAir(double loss, double jitter) : loss_(loss), jitter_(jitter) {}
  std::uint16_t port() const { return ears_.port(); }

  /// Hands on to `port` what has arrived and is due.
  void carry(std::uint16_t port) {
    const auto now = Clock::now();
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    Endpoint from;
    while (const auto size = ears_.receive(buffer_.data(), buffer_.size(), from)) {
      speaker_ = from;
      for (int copies = unit(random_) < 0.1 ? 2 : 1; copies > 0; --copies) {
        if (unit(random_) < loss_) continue;
        const auto delay =
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(jitter_ * unit(random_)));
        under_way_.emplace(now + delay, std::vector<std::uint8_t>(
                                            buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(*size)));
      }
    }
    for (; !under_way_.empty() && under_way_.begin()->first <= now; under_way_.erase(under_way_.begin()))
      say(under_way_.begin()->second, *Endpoint::from("127.0.0.1", port));
  }
  void say(const std::vector<std::uint8_t>& bytes, const Endpoint& to) const {
    ears_.send({bytes.data(), bytes.size()}, to);
  }
  Endpoint speaker() const { return speaker_; }  // whom was heard last

 private:
  using Clock = std::chrono::steady_clock;
  UdpSocket ears_{"127.0.0.1", 0};
  std::mt19937 random_{1};
  double loss_, jitter_;
  Endpoint speaker_;
  std::array<std::uint8_t, 2000> buffer_{};
  std::multimap<Clock::time_point, std::vector<std::uint8_t>> under_way_;
};

/// A robot that counts aloud.
struct Robot {
  Robot(rclcpp::Node& node, std::string name_, std::uint16_t air) : name(std::move(name_)), port(air) {
    words = node.create_publisher<String>("/real_" + name + "/words", 10);
    state = node.create_publisher<String>("/real_" + name + "/state", rclcpp::QoS(1).transient_local());
    String text;
    text.data = name + " stands";
    state->publish(text);
    heard_words = node.create_subscription<String>("/" + name + "/words", 10,
                                                   [this](const String& message) { heard.push_back(message.data); });
    heard_state = node.create_subscription<String>("/" + name + "/state", rclcpp::QoS(1).transient_local(),
                                                   [this](const String& message) { told = message.data; });
  }
  void start() {
    sender.reset();
    sender.emplace(std::vector<std::string>{std::string(PROGRAM_FOLDER) + "/udp_sender", "--ros-args", "-r",
                                            "__ns:=/real_" + name, "-p", "address:=127.0.0.1", "-p",
                                            "port:=" + std::to_string(port), "-p", "robot:=" + name, "-p",
                                            "topics:=['state', 'words 50']"});
  }
  void say() {
    String text;
    text.data = name + " " + std::to_string(++number);
    words->publish(text);
  }
  /// What was heard is what it said, each word once and in order.
  void expect_no_wrong_word() const {
    int last = 0;
    for (const std::string& word : heard) {
      int counted = 0;
      ASSERT_EQ(std::sscanf(word.c_str(), (name + " %d").c_str(), &counted), 1) << word;
      ASSERT_GT(counted, last);
      ASSERT_LE(counted, number);
      last = counted;
    }
  }

  std::string name;
  std::uint16_t port;
  int number = 0;
  rclcpp::Publisher<String>::SharedPtr words, state;
  rclcpp::Subscription<String>::SharedPtr heard_words, heard_state;
  std::vector<std::string> heard;
  std::string told;
  std::optional<Process> sender;
};

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

TEST_F(Link, ViewsLiveOnWhateverTheAirDoes) {
  BadAir air(0.3, 0.05);
  const std::uint16_t port = UdpSocket("127.0.0.1", 0).port();
  Process receiver = node("udp_receiver", "/laptop", {"address:=127.0.0.1", "port:=" + std::to_string(port)});
  Robot blue(*node_, "blue1", air.port()), red(*node_, "red4", air.port());
  blue.start();
  red.start();
  std::map<std::string, std::string> status;  // by the end of its name
  std::map<std::string, std::map<std::string, std::string>> values;
  auto on_diagnostics = node_->create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
      "/laptop/diagnostics", 10, [&](const diagnostic_msgs::msg::DiagnosticArray& message) {
        for (const auto& line : message.status) {
          const std::string name = line.name.substr(line.name.rfind(' ') + 1);
          status[name] = line.message;
          for (const auto& value : line.values) values[name][value.key] = value.value;
        }
      });
  const auto play = [&] {
    blue.say();
    red.say();
    air.carry(port);
  };
  const auto live = [&](std::size_t words) {
    play();
    return blue.heard.size() >= words && red.heard.size() >= words && blue.told == "blue1 stands" &&
           red.told == "red4 stands" && status["blue1"].find("lost") != std::string::npos;
  };
  EXPECT_TRUE(wait([&] { return live(60); }))
      << blue.heard.size() << ", " << red.heard.size() << ", " << status["blue1"] << "\n"
      << receiver.output();
  EXPECT_TRUE(wait([&] {
    play();
    const std::string& loss = status["blue1"];
    return loss.find("% of the messages lost") != std::string::npos && std::atoi(loss.c_str()) >= 10 &&
           std::atoi(values["blue1"]["doubled datagrams"].c_str()) > 0;
  })) << status["blue1"];

  // Somebody speaks another version of the link, and somebody else's datagrams go astray.
  air.say({'H', 'L', 'N', 'K', 9, 2, 'r', '1', 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}, *Endpoint::from("127.0.0.1", port));
  air.say({1, 2, 3}, *Endpoint::from("127.0.0.1", port));
  EXPECT_TRUE(wait([&] {
    play();
    return std::any_of(status.begin(), status.end(),
                       [](const auto& line) { return line.second.find("version 9") != std::string::npos; });
  })) << receiver.output();

  // A sender that dies comes back at once.
  blue.sender->signal(SIGKILL);
  blue.start();
  const std::size_t before = blue.heard.size();
  EXPECT_TRUE(wait([&] {
    play();
    return blue.heard.size() > before + 60 && values["blue1"]["restarts"] == "1";
  })) << blue.heard.size() - before
      << " words since; restarts " << values["blue1"]["restarts"];
  EXPECT_EQ(values["red4"]["restarts"], "0");

  // A robot that goes is told to be silent, the other lives on.
  red.sender.reset();
  EXPECT_TRUE(wait([&] {
    play();
    return status["red4"].find("silent") != std::string::npos && status["blue1"].find("lost") != std::string::npos;
  })) << status["red4"];
  blue.expect_no_wrong_word();
  red.expect_no_wrong_word();
}

TEST_F(Link, NobodyCanSpeakToTheSender) {
  BadAir air(0.0, 0.0);
  Robot robot(*node_, "blue1", air.port());
  robot.start();
  const std::uint16_t nowhere = UdpSocket("127.0.0.1", 0).port();
  ASSERT_TRUE(wait([&] {
    robot.say();
    air.carry(nowhere);
    return air.speaker().port != 0;
  })) << robot.sender->output();
  const unsigned port = air.speaker().port;
  constexpr unsigned kKnocks = 20;
  for (unsigned i = 0; i < kKnocks; ++i) air.say(std::vector<std::uint8_t>(200), air.speaker());
  std::vector<OpenSocket> link;  // its sockets that have to do with the link; the others are the robot's middleware
  ASSERT_TRUE(wait([&] {
    link = udp_sockets_of(robot.sender->pid());
    link.erase(
        std::remove_if(link.begin(), link.end(),
                       [&](const auto& s) { return s.port != port && s.port != air.port() && s.peer != air.port(); }),
        link.end());
    return link.size() == 1 && link[0].dropped >= kKnocks;
  })) << link.size()
      << " sockets, dropped " << (link.empty() ? 0 : link[0].dropped);
  EXPECT_EQ(link[0].port, port);
  EXPECT_EQ(link[0].peer, air.port()) << "connected to where it speaks";
  EXPECT_EQ(link[0].queued, 0U) << "nothing is there to be read";
}

TEST_F(Link, CommandsAreNeitherSentNorPublished) {
  Process sender = node("udp_sender", "/real", {"address:=127.0.0.1", "topics:=['cmd_vel']"});
  EXPECT_NE(sender.wait().value_or(0), 0);
  EXPECT_NE(sender.output().find("commands a robot"), std::string::npos) << sender.output();
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}
