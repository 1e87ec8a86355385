// SPDX-License-Identifier: Apache-2.0
// A terminal in front of the recorder node: one order per line.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <hl_node/command_line.hpp>
#include <humanoid_league_msgs/srv/record_keyframe.hpp>
#include <humanoid_league_msgs/srv/recorder_command.hpp>
#include <humanoid_league_msgs/srv/set_record_mode.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <iostream>
#include <map>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace {

using humanoid_league_msgs::srv::RecorderCommand;
using humanoid_league_msgs::srv::RecordKeyframe;
using humanoid_league_msgs::srv::SetRecordMode;
using humanoid_league_msgs::srv::SetTorque;
using Request = RecorderCommand::Request;
using Words = std::vector<std::string>;

constexpr const char* kHelp =
    "  new NAME                start an animation; the HCM lets nobody else move the robot\n"
    "  load NAME               edit an existing one\n"
    "  off LIMB...             torque off: head left_arm right_arm left_leg right_leg all, or joints\n"
    "  on LIMB...              torque on, where the limb is now\n"
    "  key [S [PAUSE]] [LIMB...]  take the present pose as the next keyframe, reached in S seconds\n"
    "  list                    the keyframes\n"
    "  time N S [PAUSE]        timing of keyframe N\n"
    "  play [N]                play all, or until keyframe N\n"
    "  mirror [N]              exchange left and right in all keyframes, or in N\n"
    "  remove [N]              the last keyframe, or N\n"
    "  undo, redo              the last change\n"
    "  save [NAME]             write NAME.yaml into the recorder's folder\n"
    "  drop                    forget the animation and give the robot back\n"
    "  help, quit";

/// Calls a service and waits for the answer; nothing if nobody answers.
template <class Service>
typename Service::Response::SharedPtr call(const rclcpp::Node::SharedPtr& node,
                                           typename rclcpp::Client<Service>::SharedPtr client,
                                           typename Service::Request::SharedPtr request, const char* remedy) {
  if (!client->wait_for_service(std::chrono::seconds(2))) {
    std::printf("waiting for %s ...\n", client->get_service_name());
    std::fflush(stdout);
  }
  if (!client->wait_for_service(std::chrono::seconds(13))) {  // a loaded machine finds its peers late
    std::printf("nobody offers %s: %s\n", client->get_service_name(), remedy);
    return nullptr;
  }
  auto future = client->async_send_request(request);
  if (rclcpp::spin_until_future_complete(node, future, std::chrono::seconds(10)) != rclcpp::FutureReturnCode::SUCCESS) {
    std::printf("%s did not answer in time\n", client->get_service_name());
    return nullptr;
  }
  return future.get();
}

std::optional<double> number_in(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  return end != word.c_str() && *end == '\0' ? std::optional(value) : std::nullopt;
}

class Terminal {
 public:
  explicit Terminal(rclcpp::Node::SharedPtr node)
      : node_(std::move(node)),
        commands_(node_->create_client<RecorderCommand>("recorder_command")),
        keyframes_(node_->create_client<RecordKeyframe>("record_keyframe")),
        record_mode_(node_->create_client<SetRecordMode>("record_mode")),
        torque_(node_->create_client<SetTorque>("set_torque")) {}

  /// False when the person wants to leave.
  bool obey(const std::string& line) {
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.empty()) return true;
    const std::string order = words.front();
    words.erase(words.begin());
    if (order == "quit" || order == "exit") return !leave();
    leaving_ = false;
    if (order == "help") {
      std::puts(kHelp);
    } else if (order == "on" || order == "off") {
      torque(words, order == "on");
    } else if (order == "key") {
      keyframe(words);
    } else if (const auto verb = verbs().find(order); verb != verbs().end()) {
      command(verb->second, words);
    } else {
      std::printf("unknown order '%s'; 'help' lists them\n", order.c_str());
    }
    return true;
  }

  /// Tells what is in the recorder; false if there is no recorder.
  bool greet() {
    auto request = std::make_shared<Request>();
    request->verb = Request::STATUS;
    return ask(request) != nullptr;
  }

 private:
  static const std::map<std::string, std::uint8_t>& verbs() {
    static const std::map<std::string, std::uint8_t> verbs{
        {"new", Request::START},     {"load", Request::LOAD},       {"play", Request::PLAY},
        {"undo", Request::UNDO},     {"redo", Request::REDO},       {"remove", Request::REMOVE},
        {"mirror", Request::MIRROR}, {"drop", Request::STOP},       {"save", Request::SAVE},
        {"list", Request::STATUS},   {"time", Request::SET_TIMING}, {"status", Request::STATUS}};
    return verbs;
  }

  RecorderCommand::Response::SharedPtr ask(const Request::SharedPtr& request) {
    const auto answer =
        call<RecorderCommand>(node_, commands_, request, "start 'ros2 run hl_animation recorder' first");
    if (!answer) return nullptr;
    name_ = answer->name;
    unsaved_ = answer->unsaved;
    if (!answer->success) {
      std::printf("not done: %s\n", answer->message.c_str());
      return answer;
    }
    if (!answer->message.empty()) std::puts(answer->message.c_str());
    if (answer->name.empty()) {
      std::puts("nothing is being recorded");
    } else {
      std::printf("%s: %u keyframe%s%s\n", answer->name.c_str(), answer->keyframes, answer->keyframes == 1 ? "" : "s",
                  answer->unsaved ? ", not saved" : ", saved");
    }
    return answer;
  }

  void command(std::uint8_t verb, const Words& words) {
    auto request = std::make_shared<Request>();
    request->verb = verb;
    request->index = -1;
    const bool by_name = verb == Request::START || verb == Request::LOAD || verb == Request::SAVE;
    if (by_name) {
      if (!words.empty()) request->name = words.front();
    } else {
      std::vector<double> numbers;
      for (const auto& word : words) {
        const auto number = number_in(word);
        if (!number) {
          std::printf("not done: '%s' is not a number\n", word.c_str());
          return;
        }
        numbers.push_back(*number);
      }
      // People count keyframes from 1, as the verifier does.
      if (!numbers.empty()) request->index = numbers[0] >= 1.0 ? static_cast<int>(numbers[0]) - 1 : -2;
      if (numbers.size() > 1) request->duration = numbers[1];
      if (numbers.size() > 2) request->pause = numbers[2];
    }
    const auto answer = ask(request);
    const bool began = verb == Request::START || verb == Request::LOAD;
    if (answer && answer->success && began) reserve();
  }

  /// The recorder has asked the HCM already; a person wants to know what it said.
  void reserve() {
    auto request = std::make_shared<SetRecordMode::Request>();
    request->on = true;
    const auto answer = call<SetRecordMode>(node_, record_mode_, request,
                                            "without the HCM the robot is not reserved for you, and nothing is played");
    if (answer && !answer->success) std::printf("the HCM does not give the robot: %s\n", answer->message.c_str());
  }

  void keyframe(const Words& words) {
    auto request = std::make_shared<RecordKeyframe::Request>();
    request->index = -1;
    std::size_t numbers = 0;
    for (const auto& word : words) {
      const auto number = number_in(word);
      if (number && numbers < 2 && request->joints.empty()) {
        (numbers++ == 0 ? request->duration : request->pause) = *number;
      } else {
        request->joints.push_back(word);
      }
    }
    const auto answer =
        call<RecordKeyframe>(node_, keyframes_, request, "start 'ros2 run hl_animation recorder' first");
    if (!answer) return;
    if (answer->success) {
      std::printf("keyframe %u: %s\n", answer->index + 1, answer->message.c_str());
      unsaved_ = true;
    } else {
      std::printf("not done: %s\n", answer->message.c_str());
    }
  }

  void torque(const Words& words, bool on) {
    if (words.empty()) {
      std::puts("not done: name a limb: head left_arm right_arm left_leg right_leg all, or joints");
      return;
    }
    auto request = std::make_shared<SetTorque::Request>();
    request->groups = words;
    request->on = on;
    const auto answer = call<SetTorque>(node_, torque_, request, "is the robot (or the simulator) running?");
    if (!answer) return;
    if (answer->success) {
      std::printf("torque %s: %zu joints\n", on ? "on" : "off", answer->joints.size());
    } else {
      std::printf("not done: %s\n", answer->message.c_str());
    }
  }

  /// Gives the robot back; false if there is something to lose and the person has not said it twice.
  bool leave() {
    if (unsaved_ && !name_.empty() && !leaving_) {
      std::printf("'%s' is not saved: 'save' writes it, 'quit' again forgets it\n", name_.c_str());
      leaving_ = true;
      return false;
    }
    if (!name_.empty()) {
      auto request = std::make_shared<Request>();
      request->verb = Request::STOP;
      ask(request);
    }
    return true;
  }

  rclcpp::Node::SharedPtr node_;
  rclcpp::Client<RecorderCommand>::SharedPtr commands_;
  rclcpp::Client<RecordKeyframe>::SharedPtr keyframes_;
  rclcpp::Client<SetRecordMode>::SharedPtr record_mode_;
  rclcpp::Client<SetTorque>::SharedPtr torque_;
  std::string name_;  // of the animation in the recorder
  bool unsaved_ = false;
  bool leaving_ = false;  // the last order was to quit
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App cli("Records animations with a running recorder node. Orders, one per line:\n" + std::string(kHelp),
               "record");
  if (const auto code = hl_node::read_command_line(cli, argc, argv)) return *code;
  // Ctrl-C ends the program at once: what is in the recorder stays there for the next time.
  std::signal(SIGINT, SIG_DFL);
  Terminal terminal(std::make_shared<rclcpp::Node>("record_terminal"));
  std::puts("Recording animations; 'help' lists the orders.");
  if (!terminal.greet()) return 1;
  std::string line;
  do {
    std::printf("record> ");
    std::fflush(stdout);
  } while (std::getline(std::cin, line) && terminal.obey(line));
  rclcpp::shutdown();
}
