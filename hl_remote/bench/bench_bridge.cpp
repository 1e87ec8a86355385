// SPDX-License-Identifier: Apache-2.0
// Eight robots' topics, a bridge in a process of its own, and clients: one that looks as the page does, without
// pictures, then five of everything, one of whom reads nothing. --seconds=N instead of ten minutes; --quick: 15 s.
#include <unistd.h>

#include <ament_index_cpp/get_package_prefix.hpp>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <rclcpp/rclcpp.hpp>
#include <regex>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <sstream>
#include <thread>

#include "../test/web_peer.hpp"
#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"

namespace {

using hl_remote::Peer;
using hl_testing::Better;
using Clock = std::chrono::steady_clock;
using std::chrono::duration;
using std::chrono::seconds;

constexpr int kRobots = 8, kClients = 5;
constexpr std::size_t kPicture = 30'000;  // bytes of a JPEG of 640 x 480
constexpr int kPatience = 120;            // s; the bridge looks at the graph seldom where that takes long

/// Publishes what eight robots publish, at their rates, and counts it.
class Robots {
 public:
  Robots() : node_(std::make_shared<rclcpp::Node>("robots")) {
    for (int i = 1; i <= kRobots; ++i) {
      const std::string prefix = "/robot" + std::to_string(i) + "/";
      sensor_msgs::msg::JointState joints;
      for (int joint = 0; joint < 20; ++joint) joints.name.push_back("Joint" + std::to_string(joint));
      joints.position.resize(20);
      joints.velocity.resize(20);
      joints.effort.resize(20);
      add(prefix + "joint_states", 100.0, joints);
      add(prefix + "pose", 30.0, geometry_msgs::msg::PoseWithCovarianceStamped());
      add(prefix + "personal_model", 30.0, humanoid_league_msgs::msg::Model());
      add(prefix + "hardware_state", 10.0, humanoid_league_msgs::msg::HardwareState());
      add(prefix + "gamestate", 2.0, humanoid_league_msgs::msg::GameState());
      add(prefix + "robot_state", 1.0, humanoid_league_msgs::msg::RobotControlState());
      sensor_msgs::msg::CompressedImage picture;
      picture.format = "jpeg";
      picture.data.resize(kPicture);
      add(prefix + "camera/image_marked/compressed", 15.0, picture);
    }
    thread_ = std::thread([this] { run(); });
  }
  ~Robots() {
    stop_ = true;
    thread_.join();
  }

  std::uint64_t sent(const std::string& topic) const { return sources_.at(topic).sent; }
  double rate(const std::string& topic) const { return 1.0 / sources_.at(topic).period; }
  std::vector<std::string> topics() const {
    std::vector<std::string> names;
    for (const auto& [name, source] : sources_) names.push_back(name);
    return names;
  }

 private:
  struct Source {
    double period = 1.0;  // s
    std::function<void()> publish;
    std::atomic<std::uint64_t> sent{0};
    Clock::time_point next = Clock::now();
  };

  template <class Message>
  void add(const std::string& topic, double rate, const Message& message) {
    const auto publisher = node_->create_publisher<Message>(topic, rclcpp::QoS(10));
    Source& source = sources_[topic];
    source.period = 1.0 / rate;
    source.publish = [publisher, message] { publisher->publish(message); };
  }

  void run() {
    while (!stop_) {
      const auto now = Clock::now();
      for (auto& [name, source] : sources_) {
        if (now < source.next) continue;
        source.publish();
        ++source.sent;
        const auto period = std::chrono::duration_cast<Clock::duration>(duration<double>(source.period));
        source.next += period;
        if (source.next < now) source.next = now + period;  // what a busy machine left out does not come in a heap
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  rclcpp::Node::SharedPtr node_;
  std::map<std::string, Source> sources_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// Subscribes to topics and counts what comes, or subscribes and then reads nothing but says that it is there.
class Client {
 public:
  Client(std::uint16_t port, const std::vector<std::string>& topics, bool stalled)
      : peer_(port, stalled ? 4096 : 0, kPatience) {
    peer_.upgrade("/", hl_remote::kProtocol);
    std::map<std::string, int> channels;
    while (!all_of(topics, channels)) {
      const std::string frame = peer_.next_frame();
      if (frame.empty()) throw std::runtime_error("the bridge closed the connection");
      if (frame.front() != '{') continue;
      const auto message = nlohmann::json::parse(frame);
      if (message["op"] != "advertise") continue;
      for (const auto& channel : message["channels"]) channels[channel["topic"]] = channel["id"];
    }
    nlohmann::json request = {{"op", "subscribe"}, {"subscriptions", nlohmann::json::array()}};
    for (std::size_t i = 0; i < topics.size(); ++i) {
      request["subscriptions"].push_back({{"id", i + 1}, {"channelId", channels[topics[i]]}});
      received_[topics[i]] = 0;
      by_id_.push_back(topics[i]);
    }
    peer_.frame(request.dump());
    thread_ = stalled ? std::thread([this] { only_answer(); }) : std::thread([this] { run(); });
  }
  ~Client() {
    stop_ = true;
    peer_.shut_down();
    if (thread_.joinable()) thread_.join();
  }

  std::uint64_t received(const std::string& topic) const { return received_.at(topic); }

 private:
  static bool all_of(const std::vector<std::string>& topics, const std::map<std::string, int>& channels) {
    for (const auto& topic : topics)
      if (channels.count(topic) == 0) return false;
    return true;
  }
  void run() {
    for (std::string frame = peer_.next_frame(); !frame.empty(); frame = peer_.next_frame()) {
      if (frame.front() != 1 || frame.size() < 13) continue;
      const auto id = static_cast<unsigned char>(frame[1]) | static_cast<unsigned char>(frame[2]) << 8;
      if (id >= 1 && static_cast<std::size_t>(id) <= by_id_.size())
        ++received_.at(by_id_[static_cast<std::size_t>(id) - 1]);
    }
  }

  void only_answer() {
    for (int tick = 0; !stop_; ++tick) {
      if (tick % 50 == 0) peer_.pong();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  Peer peer_;
  std::atomic<bool> stop_{false};
  std::vector<std::string> by_id_;
  std::map<std::string, std::atomic<std::uint64_t>> received_;
  std::thread thread_;
};

double resident_megabytes(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  double total = 0.0, resident = 0.0;
  file >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

double cpu_seconds(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::istringstream rest(text.substr(text.rfind(')') + 2));
  std::string word;
  double user = 0.0, system = 0.0;
  for (int i = 0; i < 11; ++i) rest >> word;
  rest >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void five_clients(Robots& robots, pid_t bridge, std::uint16_t port, double length) {
  const auto topics = robots.topics();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < kClients; ++i) clients.push_back(std::make_unique<Client>(port, topics, i == 0));
  std::this_thread::sleep_for(seconds(4));  // until every subscription stands and the stalled one's socket is full
  std::map<std::string, std::uint64_t> sent;
  std::vector<std::map<std::string, std::uint64_t>> got(kClients);
  for (const auto& topic : topics) {
    sent[topic] = robots.sent(topic);
    for (int i = 1; i < kClients; ++i)
      got[static_cast<std::size_t>(i)][topic] = clients[static_cast<std::size_t>(i)]->received(topic);
  }
  const double before = resident_megabytes(bridge), cpu = cpu_seconds(bridge);
  double most = before;
  const auto start = Clock::now();
  while (duration<double>(Clock::now() - start).count() < length) {
    std::this_thread::sleep_for(seconds(1));
    most = std::max(most, resident_megabytes(bridge));
  }
  const double took = duration<double>(Clock::now() - start).count();
  double all_sent = 0.0, wanted = 0.0;
  for (const auto& topic : topics) {
    all_sent += static_cast<double>(robots.sent(topic) - sent[topic]);
    wanted += robots.rate(topic) * took;
  }
  double least = 100.0;
  for (int i = 1; i < kClients; ++i) {
    double came = 0.0;
    for (const auto& topic : topics) {
      came += static_cast<double>(clients[static_cast<std::size_t>(i)]->received(topic) -
                                  got[static_cast<std::size_t>(i)][topic]);
    }
    least = std::min(least, 100.0 * came / all_sent);
  }
  const std::string what =
      "8 robots with pictures, 5 clients, 1 stalled, " + std::to_string(static_cast<int>(length)) + " s: ";
  hl_testing::report({"hl_remote", what + "messages that reach the others", least, "%", 95.0, Better::Higher});
  // Where the machine does not even let the robots send, the other figures are about the machine.
  hl_testing::report(
      {"hl_remote", what + "of the messages that were to be sent", 100.0 * all_sent / wanted, "%", {}, Better::Higher});
  hl_testing::report({"hl_remote", what + "growth of the bridge's memory", most - before, "MB", 20.0, Better::Lower});
  hl_testing::report({"hl_remote",
                      what + "the bridge's CPU",
                      100.0 * (cpu_seconds(bridge) - cpu) / took,
                      "% of a core",
                      {},
                      Better::Lower});
}

void one_client(const Robots& robots, pid_t bridge, std::uint16_t port, double length) {
  std::vector<std::string> topics;
  for (const auto& topic : robots.topics()) {
    const bool of_selected = topic.rfind("/robot1/", 0) == 0;
    const bool of_all = std::regex_search(topic, std::regex("/(pose|hardware_state|gamestate|robot_state)$"));
    if (topic.find("image") == std::string::npos && (of_selected || of_all)) topics.push_back(topic);
  }
  Client client(port, topics, false);
  std::this_thread::sleep_for(seconds(3));
  const double cpu = cpu_seconds(bridge);
  const auto start = Clock::now();
  std::this_thread::sleep_for(duration<double>(length));
  const double took = duration<double>(Clock::now() - start).count();
  hl_testing::report({"hl_remote", "8 robots, one client as the page, without pictures: the bridge's CPU",
                      100.0 * (cpu_seconds(bridge) - cpu) / took, "% of a core", 10.0, Better::Lower});
}

}  // namespace

int main(int argc, char** argv) {
  hl_testing::isolate();
  double length = hl_testing::quick(argc, argv) ? 15.0 : 600.0;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--seconds=", 0) == 0) length = std::stod(argument.substr(10));
  }
  hl_testing::Process bridge(
      {ament_index_cpp::get_package_prefix("hl_remote") + "/lib/hl_remote/bridge", "--ros-args", "-p", "port:=0"});
  std::smatch port;
  if (!bridge.wait_for_output("look: http://", seconds(60))) return 1;
  const std::string said = bridge.output();
  if (!std::regex_search(said, port, std::regex("127\\.0\\.0\\.1:(\\d+)/"))) return 1;
  rclcpp::init(0, nullptr);
  {
    Robots robots;
    const auto number = static_cast<std::uint16_t>(std::stoi(port[1]));
    one_client(robots, bridge.pid(), number, std::min(length, 30.0));
    five_clients(robots, bridge.pid(), number, length);
  }
  rclcpp::shutdown();
  return 0;
}
