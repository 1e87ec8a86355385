// SPDX-License-Identifier: Apache-2.0
// A terminal in front of the recorder node: one word per line.
#include <cstdio>
#include <humanoid_league_msgs/srv/record_keyframe.hpp>
#include <humanoid_league_msgs/srv/recorder_command.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <iostream>
#include <map>
#include <rclcpp/rclcpp.hpp>
#include <sstream>
#include <string>

namespace {

using humanoid_league_msgs::srv::RecorderCommand;
using humanoid_league_msgs::srv::RecordKeyframe;
using humanoid_league_msgs::srv::SetTorque;
using Request = RecorderCommand::Request;

constexpr const char* kHelp =
    "new NAME            start an animation\n"
    "load NAME           edit an existing one\n"
    "off LIMB            torque off: head, left_arm, right_arm, left_leg, right_leg, all\n"
    "on LIMB             torque on\n"
    "key [SECONDS [PAUSE]]  take the present pose as the next keyframe\n"
    "time N SECONDS [PAUSE] timing of keyframe N (from 0)\n"
    "play [N]            play all, or up to keyframe N\n"
    "mirror [N]          exchange left and right, in all keyframes or in N\n"
    "remove [N]          the last keyframe, or N\n"
    "undo, redo\n"
    "save [NAME]\n"
    "status, help, quit";

/// Calls a service and waits for the answer; nothing if nobody answers.
template <class Service>
typename Service::Response::SharedPtr call(const rclcpp::Node::SharedPtr& node,
                                           typename rclcpp::Client<Service>::SharedPtr client,
                                           typename Service::Request::SharedPtr request) {
  if (!client->wait_for_service(std::chrono::seconds(3))) {
    std::printf("no answer from %s: is the node running?\n", client->get_service_name());
    return nullptr;
  }
  auto future = client->async_send_request(request);
  if (rclcpp::spin_until_future_complete(node, future, std::chrono::seconds(10)) != rclcpp::FutureReturnCode::SUCCESS) {
    std::printf("%s did not answer in time\n", client->get_service_name());
    return nullptr;
  }
  return future.get();
}

class Terminal {
 public:
  explicit Terminal(rclcpp::Node::SharedPtr node)
      : node_(std::move(node)),
        commands_(node_->create_client<RecorderCommand>("recorder_command")),
        keyframes_(node_->create_client<RecordKeyframe>("record_keyframe")),
        torque_(node_->create_client<SetTorque>("set_torque")) {}

  /// False when the person wants to leave.
  bool obey(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word)) return true;
    if (word == "quit" || word == "exit") return false;
    if (word == "help") {
      std::puts(kHelp);
    } else if (word == "on" || word == "off") {
      torque(words, word == "on");
    } else if (word == "key") {
      keyframe(words);
    } else if (const auto verb = verbs().find(word); verb != verbs().end()) {
      command(verb->second, words);
    } else {
      std::printf("unknown word '%s'; 'help' lists them\n", word.c_str());
    }
    return true;
  }

 private:
  static const std::map<std::string, std::uint8_t>& verbs() {
    static const std::map<std::string, std::uint8_t> verbs{{"new", Request::START},     {"load", Request::LOAD},
                                                           {"play", Request::PLAY},     {"undo", Request::UNDO},
                                                           {"redo", Request::REDO},     {"remove", Request::REMOVE},
                                                           {"mirror", Request::MIRROR}, {"time", Request::SET_TIMING},
                                                           {"save", Request::SAVE},     {"status", Request::STATUS}};
    return verbs;
  }

  void command(std::uint8_t verb, std::istringstream& words) {
    auto request = std::make_shared<Request>();
    request->verb = verb;
    request->index = -1;
    if (verb == Request::START || verb == Request::LOAD || verb == Request::SAVE) {
      words >> request->name;
    } else {
      int index = 0;
      if (words >> index) request->index = index;
      words >> request->duration >> request->pause;
    }
    const auto answer = call<RecorderCommand>(node_, commands_, request);
    if (!answer) return;
    if (!answer->success) {
      std::printf("not done: %s\n", answer->message.c_str());
    } else {
      std::printf("%s: %u keyframes%s\n", answer->name.empty() ? "nothing" : answer->name.c_str(), answer->keyframes,
                  answer->unsaved ? ", not saved" : "");
    }
  }

  void keyframe(std::istringstream& words) {
    auto request = std::make_shared<RecordKeyframe::Request>();
    request->index = -1;
    words >> request->duration >> request->pause;
    const auto answer = call<RecordKeyframe>(node_, keyframes_, request);
    if (!answer) return;
    std::printf("%s%s\n", answer->success ? "" : "not done: ", answer->message.c_str());
  }

  void torque(std::istringstream& words, bool on) {
    auto request = std::make_shared<SetTorque::Request>();
    for (std::string limb; words >> limb;) request->groups.push_back(limb);
    request->on = on;
    const auto answer = call<SetTorque>(node_, torque_, request);
    if (answer) std::printf("%s%s\n", answer->success ? "" : "not done: ", answer->message.c_str());
  }

  rclcpp::Node::SharedPtr node_;
  rclcpp::Client<RecorderCommand>::SharedPtr commands_;
  rclcpp::Client<RecordKeyframe>::SharedPtr keyframes_;
  rclcpp::Client<SetTorque>::SharedPtr torque_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  if (arguments.size() > 1) {
    std::printf("usage: record\n\nRecords animations with a running recorder node. Words:\n%s\n", kHelp);
    return arguments[1] == "--help" ? 0 : 2;
  }
  Terminal terminal(std::make_shared<rclcpp::Node>("record_terminal"));
  std::puts("Recording animations: 'help' lists the words.");
  std::string line;
  do {
    std::printf("record> ");
    std::fflush(stdout);
  } while (std::getline(std::cin, line) && rclcpp::ok() && terminal.obey(line));
  rclcpp::shutdown();
}
