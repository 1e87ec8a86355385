// SPDX-License-Identifier: Apache-2.0
#include "replay.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ament_index_cpp/get_package_prefix.hpp>
#include <chrono>
#include <cstring>
#include <fstream>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace hl_visualization {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kStartLimit = std::chrono::seconds(30);
constexpr auto kSettle = std::chrono::milliseconds(500);
constexpr std::int64_t kClockStep = 10'000'000;  // ns, of a clock of our own

double since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// The node under test, in a process of its own; the destructor ends it.
class NodeProcess {
 public:
  explicit NodeProcess(const NodeSpec& spec) {
    const std::string path =
        ament_index_cpp::get_package_prefix(spec.package) + "/lib/" + spec.package + "/" + spec.executable;
    if (access(path.c_str(), X_OK) != 0) throw std::runtime_error("there is no program " + path);
    std::vector<std::string> words = {path, "--ros-args", "-p", "use_sim_time:=true"};
    words.insert(words.end(), spec.arguments.begin(), spec.arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("cannot start a process");
    if (pid_ == 0) {
      execv(path.c_str(), pointers.data());
      _exit(127);
    }
  }
  ~NodeProcess() {
    if (!running()) return;
    kill(pid_, SIGINT);
    for (int i = 0; i < 100 && running(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!running()) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  bool running() {
    if (!ended_) ended_ = waitpid(pid_, nullptr, WNOHANG) == pid_;
    return !ended_;
  }
  /// s of processor time so far.
  double cpu() const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream rest(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    std::string word;
    double user = 0, system = 0;
    for (int i = 3; rest >> word && i <= 15; ++i) {
      if (i == 14) user = std::strtod(word.c_str(), nullptr);
      if (i == 15) system = std::strtod(word.c_str(), nullptr);
    }
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
};

bool internal(const std::string& topic) {
  const std::string name = topic.substr(topic.rfind('/') + 1);
  return topic == "/rosout" || topic == "/parameter_events" || topic == "/clock" || name == "diagnostics";
}

struct Interfaces {
  std::map<std::string, std::string> listens, says;  // topic and type
  std::map<std::string, bool> latched;               // of what it listens to
  std::map<std::string, rclcpp::QoS> offered;
};

/// What every other node in the graph listens to and says.
Interfaces interfaces_of(const rclcpp::Node& own) {
  Interfaces interfaces;
  for (const auto& [topic, types] : own.get_topic_names_and_types()) {
    if (internal(topic)) continue;
    for (const auto& info : own.get_subscriptions_info_by_topic(topic)) {
      if (info.node_name() == own.get_name()) continue;
      interfaces.listens[topic] = info.topic_type();
      if (info.qos_profile().durability() == rclcpp::DurabilityPolicy::TransientLocal) interfaces.latched[topic] = true;
    }
    for (const auto& info : own.get_publishers_info_by_topic(topic)) {
      if (info.node_name() == own.get_name()) continue;
      interfaces.says[topic] = info.topic_type();
      rclcpp::QoS qos(100);
      if (info.qos_profile().reliability() == rclcpp::ReliabilityPolicy::BestEffort) qos.best_effort();
      if (info.qos_profile().durability() == rclcpp::DurabilityPolicy::TransientLocal) qos.transient_local();
      interfaces.offered.insert_or_assign(topic, qos);
    }
  }
  return interfaces;
}

Interfaces wait_for(NodeProcess& process, const rclcpp::Node& own, const NodeSpec& spec) {
  const auto start = Clock::now();
  Interfaces last;
  auto changed = start;
  while (Clock::now() - start < kStartLimit) {
    if (!process.running()) throw std::runtime_error("'" + spec.text + "' ended by itself: run it alone to see why");
    Interfaces now = interfaces_of(own);
    if (now.listens != last.listens || now.says != last.says) changed = Clock::now();
    last = std::move(now);
    if (!last.listens.empty() && Clock::now() - changed > kSettle) return last;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw std::runtime_error("'" + spec.text + "' listens to nothing within 30 s");
}

/// The stamp at the front of a message that begins with a header; nothing reliable for others.
std::int64_t first_stamp(const std::uint8_t* bytes, std::size_t size) {
  if (size < 12 || bytes[1] != 1) return 0;  // only little endian
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
  std::memcpy(&sec, bytes + 4, 4);
  std::memcpy(&nanosec, bytes + 8, 4);
  return nanosec < 1'000'000'000U ? 1'000'000'000LL * sec + nanosec : 0;
}

}  // namespace

NodeSpec NodeSpec::parse(const std::string& text) {
  NodeSpec spec;
  spec.text = text;
  std::istringstream words(text);
  std::string word;
  words >> word;
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == word.size())
    throw std::runtime_error("'" + text + "': a node is given as \"package/executable [file.yaml] [name:=value ...]\"");
  spec.package = word.substr(0, slash);
  spec.executable = word.substr(slash + 1);
  while (words >> word) {
    const bool file = word.size() > 5 && word.compare(word.size() - 5, 5, ".yaml") == 0;
    if (!file && word.find(":=") == std::string::npos)
      throw std::runtime_error("'" + word + "' is neither a parameter file (.yaml) nor name:=value");
    spec.arguments.emplace_back(file ? "--params-file" : "-p");
    spec.arguments.push_back(word);
  }
  return spec;
}

void NodeSpec::put_into(const std::string& robot) {
  for (const char* remap : {"/tf:=tf", "/tf_static:=tf_static"}) arguments.insert(arguments.end(), {"-r", remap});
  arguments.insert(arguments.end(), {"-r", "__ns:=/" + robot});
}

Performance replay(const Bag& bag, const NodeSpec& spec, double rate) {
  const auto node = std::make_shared<rclcpp::Node>("compare");
  NodeProcess process(spec);
  const Interfaces interfaces = wait_for(process, *node, spec);
  Performance result;
  std::mutex mutex;
  std::map<std::int64_t, Clock::time_point> played;  // by the stamp of the message

  std::map<std::string, rclcpp::GenericPublisher::SharedPtr> publishers;
  for (const auto& [topic, type] : interfaces.listens) {
    const auto recorded = bag.types.find(topic);
    if (recorded == bag.types.end() || interfaces.says.count(topic) > 0) continue;
    if (recorded->second != type)
      throw std::runtime_error(topic + " is a " + recorded->second + " in the bag, the node wants a " + type);
    rclcpp::QoS qos(100);
    if (interfaces.latched.count(topic) > 0) qos.transient_local();
    publishers[topic] = node->create_generic_publisher(topic, type, qos);
    result.inputs.push_back(topic);
  }
  if (publishers.empty())
    throw std::runtime_error("the bag has none of the topics that '" + spec.text + "' listens to");
  const auto clock = node->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::QoS(100));
  std::vector<rclcpp::GenericSubscription::SharedPtr> subscriptions;
  for (const auto& [topic, type] : interfaces.says) {
    Performance::Output* output = &result.outputs[topic];
    output->type = type;
    subscriptions.push_back(node->create_generic_subscription(
        topic, type, interfaces.offered.at(topic),
        [&mutex, &played, output](std::shared_ptr<const rclcpp::SerializedMessage> message) {
          const auto now = Clock::now();
          const auto& raw = message->get_rcl_serialized_message();
          const std::lock_guard<std::mutex> lock(mutex);
          output->messages.emplace_back(raw.buffer, raw.buffer + raw.buffer_length);
          const auto cause = played.find(first_stamp(raw.buffer, raw.buffer_length));
          if (cause != played.end())
            output->delays.push_back(std::chrono::duration<double>(now - cause->second).count());
        }));
  }
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  std::thread spinner([&executor] { executor.spin(); });
  std::this_thread::sleep_for(kSettle);  // publishers and subscriptions find each other

  const bool recorded_clock = bag.types.count("/clock") > 0;
  const auto start = Clock::now();
  const double cpu = process.cpu();
  const std::int64_t first = bag.messages.front().time;
  std::int64_t ticked = 0;
  std::string fault;
  for (const Bag::Message& message : bag.messages) {
    if (!rclcpp::ok()) break;
    const bool is_clock = message.topic == "/clock";
    const auto publisher = publishers.find(message.topic);
    if (!is_clock && recorded_clock && publisher == publishers.end()) continue;
    std::this_thread::sleep_until(
        start + std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(message.time - first) / rate)));
    if (is_clock || (!recorded_clock && message.time - ticked >= kClockStep)) {
      rosgraph_msgs::msg::Clock now;
      const std::int64_t time = is_clock ? first_stamp(message.bytes.data(), message.bytes.size()) : message.time;
      now.clock.sec = static_cast<std::int32_t>(time / 1'000'000'000);
      now.clock.nanosec = static_cast<std::uint32_t>(time % 1'000'000'000);
      clock->publish(now);
      ticked = message.time;
    }
    if (publisher == publishers.end()) continue;
    rclcpp::SerializedMessage bytes(message.bytes.size());
    auto& raw = bytes.get_rcl_serialized_message();
    std::memcpy(raw.buffer, message.bytes.data(), message.bytes.size());
    raw.buffer_length = message.bytes.size();
    {
      const std::lock_guard<std::mutex> lock(mutex);
      played[first_stamp(message.bytes.data(), message.bytes.size())] = Clock::now();
      if (played.size() > 5000) played.erase(played.begin());
    }
    publisher->second->publish(bytes);
    if (!process.running()) {
      fault = "'" + spec.text + "' died during the replay";
      break;
    }
  }
  std::this_thread::sleep_for(kSettle);  // the last answers
  result.seconds = since(start);
  result.cpu = fault.empty() ? (process.cpu() - cpu) / result.seconds : 0.0;
  executor.cancel();
  spinner.join();
  if (!fault.empty()) throw std::runtime_error(fault);
  return result;
}

}  // namespace hl_visualization
