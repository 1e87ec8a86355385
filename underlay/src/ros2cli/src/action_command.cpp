// SPDX-License-Identifier: Apache-2.0
// ros2 action list | info | send_goal
#include <chrono>
#include <cstdio>
#include <random>
#include <thread>

#include "graph_view.hpp"
#include "hints.hpp"
#include "printer.hpp"
#include "verb.hpp"
#include "yaml_reader.hpp"

namespace ros2cli {
namespace {

int list(const Arguments& arguments) {
  Session session;
  session.discover(arguments.number("spin-time", 0.5));
  const auto actions = GraphView(session).actions();
  if (arguments.flag("count-actions")) {
    std::printf("%zu\n", actions.size());
    return 0;
  }
  for (const auto& [name, types] : actions) {
    std::printf("%s%s\n", name.c_str(),
                arguments.flag("show-types") ? (" [" + joined({types.begin(), types.end()}) + "]").c_str() : "");
  }
  return 0;
}

int info(const Arguments& arguments) {
  Session session;
  const auto name = absolute_name(arguments.positional[0]);
  wait_for_type(session, name, &GraphView::actions, "action", 3.0);
  session.discover(arguments.number("spin-time", 0.3));
  const GraphView view(session);
  std::printf("Action: %s\n", name.c_str());
  const auto print = [&](const char* title, Names GraphView::NodeInfo::*side) {
    std::vector<std::string> lines;
    for (const auto& node : view.nodes) {
      const auto info = view.info(node);
      const auto& actions = info.*side;
      const auto found = actions.find(name);
      if (found == actions.end()) continue;
      const auto types =
          arguments.flag("show-types") ? " [" + joined({found->second.begin(), found->second.end()}) + "]" : "";
      lines.push_back("    " + node.full_name() + types);
    }
    std::printf("%s: %zu\n", title, lines.size());
    for (const auto& line : lines) std::printf("%s\n", line.c_str());
  };
  print("Action clients", &GraphView::NodeInfo::action_clients);
  print("Action servers", &GraphView::NodeInfo::action_servers);
  return 0;
}

std::string indented(const std::string& text) {
  std::string result = "    ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) result += "    ";
  }
  return result;
}

/// One goal from its request to its result.
class Goal {
 public:
  Goal(Session& session, const std::string& action, const std::string& type)
      : send_(session, action + "/_action/send_goal", type + "_SendGoal"),
        result_(session, action + "/_action/get_result", type + "_GetResult"),
        cancel_(session, action + "/_action/cancel_goal", "action_msgs/srv/CancelGoal"),
        feedback_type_(session.types().find(type + "_FeedbackMessage")),
        feedback_(session, action + "/_action/feedback", feedback_type_, underlay_dds::Qos()) {
    std::random_device random;
    id_.kind = Kind::UInt8;
    for (int i = 0; i < 16; ++i) id_.append(Number::of_unsigned(Kind::UInt8, random() & 0xFF));
  }

  bool wait_for_server(double seconds) {
    return send_.wait_for_server(seconds) && result_.wait_for_server(seconds) && cancel_.wait_for_server(seconds) &&
           wait_for_feedback(seconds);
  }
  const Description& goal_type() const { return *send_.request_type().fields.at(1).message; }

  /// Whether the server accepts; nothing if it does not answer.
  std::optional<bool> send(const Message& goal, double seconds) {
    auto request = with_id(send_.request_type());
    member(request, "goal").content = goal;
    const auto response = send_.call(request, seconds);
    if (!response) return std::nullopt;
    return integer(*response, "accepted") != 0;
  }

  /// The answer of get_result; calls `on_feedback` meanwhile. Nothing after Ctrl-C.
  template <class OnFeedback>
  std::optional<Message> wait(OnFeedback on_feedback) {
    const auto sequence = result_.send(with_id(result_.request_type()));
    for (;;) {
      const auto response = result_.wait_for(sequence, 0.02);
      while (const auto sample = feedback_.take(0.0)) {
        const auto body = sample->body();
        const auto message = decode(feedback_type_, body.data, body.size, sample->foreign_byte_order());
        const auto& id = std::get<Numbers>(member(nested(message, "goal_id"), "uuid").content);
        if (id.bytes == id_.bytes) on_feedback(nested(message, "feedback"));
      }
      if (response) return response;
      if (interrupted()) return std::nullopt;
    }
  }

  void cancel() {
    auto request = make_message(cancel_.request_type());
    auto& goal_info = std::get<Message>(member(request, "goal_info").content);
    set_id(goal_info);
    cancel_.send(request);
  }

  std::string id_text() const {
    std::string text;
    for (const auto byte : id_.bytes) {
      char hex[3];
      std::snprintf(hex, sizeof(hex), "%02x", byte);
      text += hex;
    }
    return text;
  }

 private:
  /// Feedback is a topic, and known at another time than the services: what is told before is lost.
  bool wait_for_feedback(double seconds) {
    const auto start = std::chrono::steady_clock::now();
    while (feedback_.matched() == 0) {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
      if (interrupted() || (seconds >= 0 && passed.count() >= seconds)) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }
  void set_id(Message& message) { member(std::get<Message>(member(message, "goal_id").content), "uuid").content = id_; }
  Message with_id(const Description& type) {
    auto message = make_message(type);
    set_id(message);
    return message;
  }

  DynamicClient send_, result_, cancel_;
  const Description& feedback_type_;
  DynamicReader feedback_;
  Numbers id_;
};

const char* status_text(std::int64_t status) {
  static const char* const texts[] = {"UNKNOWN",   "ACCEPTED", "EXECUTING", "CANCELING",
                                      "SUCCEEDED", "CANCELED", "ABORTED"};
  return status >= 0 && status < 7 ? texts[status] : "UNKNOWN";
}
constexpr std::int64_t succeeded = 4;

int send_goal(const Arguments& arguments) {
  Session session;
  const auto name = absolute_name(arguments.positional[0]);
  Goal goal(session, name, TypeLibrary::full_name(arguments.positional[1], "action"));
  const auto message = message_from_text(goal.goal_type(), arguments.positional[2]);
  const double timeout = arguments.number("timeout", -1.0, 0.0);
  std::printf("Waiting for an action server to become available...\n");
  std::fflush(stdout);
  if (!goal.wait_for_server(timeout)) {
    if (interrupted()) return 130;
    throw CommandError("action '" + name + "' has no server" +
                       did_you_mean(name, names_of(GraphView(session).actions())));
  }
  std::printf("Sending goal:\n %s\n", indented(to_yaml(message)).c_str());
  std::fflush(stdout);
  const auto accepted = goal.send(message, timeout);
  if (!accepted) {
    if (interrupted()) return 130;
    throw CommandError("action server '" + name + "' does not answer");
  }
  if (!*accepted) {
    std::printf("Goal was rejected.\n");
    return 1;
  }
  std::printf("Goal accepted with ID: %s\n\n", goal.id_text().c_str());
  std::fflush(stdout);
  const bool show_feedback = arguments.flag("feedback");
  const auto response = goal.wait([&](const Message& feedback) {
    if (!show_feedback) return;
    std::printf("Feedback:\n%s\n", indented(to_yaml(feedback)).c_str());
    std::fflush(stdout);
  });
  if (!response) {
    std::printf("Canceling goal...\n");
    goal.cancel();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the request has to leave before the process ends
    return 130;
  }
  const auto status = integer(*response, "status");
  std::printf("Result:\n%s\nGoal finished with status: %s\n", indented(to_yaml(nested(*response, "result"))).c_str(),
              status_text(status));
  return status == succeeded ? 0 : 1;
}

}  // namespace

Command action_command() {
  const Option spin_time = spin_time_option();
  const Option show_types{"show-types", 't', "", "also their types"};
  return Command("action", "Looks at actions, and sends goals.",
                 {{"list",
                   "",
                   "names of all actions",
                   {show_types, {"count-actions", 'c', "", "only how many there are"}, spin_time},
                   list},
                  {"info", "ACTION", "clients and servers of an action", {show_types, spin_time}, info},
                  {"send_goal",
                   "ACTION TYPE GOAL",
                   "send a goal and wait for its result; Ctrl-C cancels it",
                   {{"feedback", 'f', "", "show the feedback"},
                    {"timeout", 0, "SECONDS", "give up waiting for the server after so long (default: never)"}},
                   send_goal}});
}

}  // namespace ros2cli
