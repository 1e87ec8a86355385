// SPDX-License-Identifier: Apache-2.0
// The tables of the 2017 thesis on our stack: CPU of each node and latency between them while the robot stands, plays
// an animation and walks, in real time, in front of the emulated bus; separate processes and composed, at 100 Hz and at
// the full rate of the bus. The emulator, which stands for the robot, is not counted.
#include <unistd.h>

#include <ament_index_cpp/get_package_prefix.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <composition_interfaces/srv/load_node.hpp>
#include <cstdio>
#include <functional>
#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/action/play_animation.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <map>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <sstream>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <vector>

#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "node_process.hpp"

namespace {

using composition_interfaces::srv::LoadNode;
using geometry_msgs::msg::Twist;
using hl_testing::Process;
using humanoid_league_msgs::action::PlayAnimation;
using humanoid_league_msgs::msg::RobotControlState;
using std_msgs::msg::String;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

enum class Doing { Standing, Animation, Walking };
constexpr Doing kAll[] = {Doing::Standing, Doing::Animation, Doing::Walking};
const char* const kNames[] = {"standing", "animation", "walking"};

/// % of a core while standing, playing an animation, walking.
struct Thesis {
  const char* node;
  double cpu[3];
};
constexpr Thesis kThesis[] = {{"hardware", {58, 58, 58}}, {"robot_state_publisher", {4, 4, 4}},
                              {"hcm", {10, 20, 20}},      {"walking", {12, 12, 40}},
                              {"animation", {7, 46, 7}},  {"pause", {0, 0, 0}}};
constexpr double kThesisSum[3] = {91, 140, 129};

struct Setting {
  bool composed;
  const char* rate;  // Hz of the bus; 0.0: as fast as the wire allows
  std::string text() const {
    return std::string(composed ? "composed" : "separate") + (std::string(rate) == "0.0" ? ", full rate" : ", 100 Hz");
  }
};

std::vector<std::string> emulator_command(const std::string& port) {
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const std::string prefix = ament_index_cpp::get_package_prefix("hl_hardware_cm730");
  return {prefix + "/lib/hl_hardware_cm730/emulator",
          "--ros-args",
          "-p",
          "port:=" + port,
          "-p",
          "pose:=walkready",
          "-p",
          "robot_config_file:=" + share + "/config/minibot/robot.yaml"};
}

std::vector<std::string> launch_command(const Setting& setting, const std::string& port) {
  return {"ros2", "launch", "hl_bringup", "robot.launch.xml", "port:=" + port, std::string("rate:=") + setting.rate,
          "reply_gap:=0.03", std::string("composed:=") + (setting.composed ? "true" : "false"),
          // Only what moves the robot is measured.
          "game_controller:=false", "team_comm:=false", "speaker:=false", "camera:=false", "detection:=false",
          "transform:=false", "localization:=false", "world_model:=false", "planning:=false", "behavior:=false",
          "head:=false"};
}

/// A robot in front of the emulator, and somebody who tells it what to do.
class Robot {
 public:
  explicit Robot(const Setting& setting)
      : port_("/tmp/cm730_bench_" + std::to_string(getpid())),
        emulator_(emulator_command(port_)),
        stack_(launch_command(setting, port_)),
        node_(std::make_shared<rclcpp::Node>("bench_stack")) {
    executor_.add_node(node_);
    cmd_vel_ = node_->create_publisher<Twist>("cmd_vel", 1);
    request_ = node_->create_publisher<String>("probe_request", 10);
    state_ =
        node_->create_subscription<RobotControlState>("robot_state", rclcpp::QoS(1).transient_local(),
                                                      [this](const RobotControlState& state) { now_ = state.state; });
    report_ = node_->create_subscription<String>("probe_report", 10,
                                                 [this](const String& report) { latencies_ = report.data; });
    animation_ = rclcpp_action::create_client<PlayAnimation>(node_, "play_animation");
    load_ = node_->create_client<LoadNode>("/motion/_container/load_node");
    if (!until([this] { return now_ == RobotControlState::CONTROLLABLE; }, 60s)) {
      throw std::runtime_error("the robot does not stand: " + stack_.output());
    }
  }

  ~Robot() { stack_.stop(); }

  /// Does it for a while; the first second, in which it begins, comes on top.
  void begin(Doing doing) {
    doing_ = doing;
    run(doing == Doing::Standing ? 3s : 1s);
  }

  void run(std::chrono::milliseconds duration) {
    until([] { return false; }, duration);
  }

  double cpu(const std::string& node) const {
    return hl_bringup::cpu_time_of(hl_bringup::process_of(node, stack_.pid()));
  }

  /// Into the container, or as a process of its own.
  void start_probe(bool composed) {
    if (!composed) {
      probe_ = std::make_unique<Process>(
          std::vector{ament_index_cpp::get_package_prefix("hl_bringup") + "/lib/hl_bringup/latency_probe"});
    } else {
      auto request = std::make_shared<LoadNode::Request>();
      request->package_name = "hl_bringup";
      request->plugin_name = "hl_bringup::LatencyProbe";
      request->extra_arguments = {rclcpp::Parameter("use_intra_process_comms", true).to_parameter_msg()};
      auto answer = load_->async_send_request(request).future.share();
      if (!until([&] { return answer.wait_for(0s) == std::future_status::ready; }, 30s) || !answer.get()->success) {
        throw std::runtime_error("the probe cannot be loaded");
      }
    }
    if (!until([this] { return request_->get_subscription_count() > 0 && report_->get_publisher_count() > 0; }, 30s)) {
      throw std::runtime_error("the probe does not come up");
    }
    run(1s);
  }

  /// Lines "way p50 p99 count", ms.
  std::string measure_latency(std::chrono::milliseconds duration) {
    ask("start");
    run(duration);
    latencies_.reset();
    ask("report");
    until([this] { return latencies_.has_value(); }, 30s);
    return latencies_.value_or("");
  }

 private:
  bool until(const std::function<bool()>& done, std::chrono::milliseconds timeout) {
    const auto end = Clock::now() + timeout;
    auto commanded = Clock::now() - 1s;
    while (!done()) {
      if (Clock::now() >= end) return false;
      if (Clock::now() - commanded > 100ms) {
        commanded = Clock::now();
        command();
      }
      executor_.spin_once(20ms);
    }
    return true;
  }

  void command() {
    if (doing_ == Doing::Walking) {
      Twist twist;
      twist.linear.x = 0.2;
      cmd_vel_->publish(twist);
    }
    if (doing_ != Doing::Animation || now_ != RobotControlState::CONTROLLABLE || !animation_->action_server_is_ready())
      return;
    PlayAnimation::Goal goal;
    goal.animation = "greeting";
    animation_->async_send_goal(goal);
  }

  void ask(const std::string& word) {
    String message;
    message.data = word;
    request_->publish(message);
  }

  std::string port_;
  Process emulator_, stack_;
  std::unique_ptr<Process> probe_;
  rclcpp::Node::SharedPtr node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  Doing doing_ = Doing::Standing;
  std::optional<std::uint8_t> now_;
  std::optional<std::string> latencies_;
  rclcpp::Publisher<Twist>::SharedPtr cmd_vel_;
  rclcpp::Publisher<String>::SharedPtr request_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_;
  rclcpp::Subscription<String>::SharedPtr report_;
  rclcpp_action::Client<PlayAnimation>::SharedPtr animation_;
  rclcpp::Client<LoadNode>::SharedPtr load_;
};

void report(const std::string& name, double value, const char* unit, std::optional<double> budget) {
  hl_testing::report({"hl_bringup", name, value, unit, budget, hl_testing::Better::Lower});
}

void report_cpu(Robot& robot, const Setting& setting, Doing doing, std::chrono::seconds duration) {
  const auto d = static_cast<std::size_t>(doing);
  std::vector<std::string> nodes;
  for (const auto& row : kThesis) nodes.emplace_back(row.node);
  if (setting.composed) nodes = {"motion"};
  robot.begin(doing);
  std::map<std::string, double> before;
  for (const auto& node : nodes) before[node] = robot.cpu(node);
  const auto start = Clock::now();
  robot.run(duration);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  double sum = 0.0;
  const auto year = [](double percent) { return " (2017: " + std::to_string(static_cast<int>(percent)) + " %)"; };
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const double percent = 100.0 * (robot.cpu(nodes[n]) - before[nodes[n]]) / seconds;
    sum += percent;
    if (!setting.composed) {
      report("CPU " + nodes[n] + ", " + kNames[d] + ", " + setting.text() + year(kThesis[n].cpu[d]), percent,
             "% of a core", std::nullopt);
    }
  }
  std::optional<double> budget;
  if (doing == Doing::Walking && std::string(setting.rate) == "100.0") budget = setting.composed ? 15.0 : 30.0;
  report(std::string("CPU sum, ") + kNames[d] + ", " + setting.text() + year(kThesisSum[d]), sum, "% of a core",
         budget);
}

/// The hops that a doing exercises.
void report_latency(Robot& robot, const Setting& setting, Doing doing, std::chrono::seconds duration) {
  static const std::map<std::string, const char*> thesis{{"hardware->HCM", " (2017: 7.45 ms)"},
                                                         {"animation->HCM", " (2017: 17.74 ms)"},
                                                         {"walking->HCM", " (2017: 16.90 ms)"},
                                                         {"HCM->hardware", " (2017: 32.51 ms, two hops)"}};
  robot.begin(doing);
  std::istringstream lines(robot.measure_latency(duration));
  std::string way;
  double p50 = 0.0, p99 = 0.0;
  std::size_t count = 0;
  while (lines >> way >> p50 >> p99 >> count) {
    const bool of_animation = way.rfind("animation", 0) == 0;
    if (of_animation != (doing == Doing::Animation)) continue;
    std::fprintf(stderr, "%s, %s: %zu messages\n", way.c_str(), setting.text().c_str(), count);
    const auto year = thesis.find(way);
    const std::string name = "latency " + way + ", " + setting.text();
    std::optional<double> budget;
    if (way == "walking->HCM->hardware") budget = setting.composed ? 0.2 : 2.0;
    report(name + ", p50" + (year == thesis.end() ? "" : year->second), p50, "ms", std::nullopt);
    report(name + ", p99", p99, "ms", budget);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = hl_testing::quick(argc, argv);
  const auto duration = quick ? 3s : 10s;
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  try {
    for (const Setting& setting : {Setting{false, "100.0"}, {true, "100.0"}, {false, "0.0"}, {true, "0.0"}}) {
      if (quick && std::string(setting.rate) == "0.0") continue;
      Robot robot(setting);
      for (const Doing doing : kAll) report_cpu(robot, setting, doing, duration);
      robot.start_probe(setting.composed);
      report_latency(robot, setting, Doing::Walking, duration);
      robot.begin(Doing::Standing);
      report_latency(robot, setting, Doing::Animation, duration);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_stack: %s\n", error.what());
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}
