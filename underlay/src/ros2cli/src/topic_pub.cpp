// SPDX-License-Identifier: Apache-2.0
// ros2 topic pub
#include <cstdio>

#include "graph_view.hpp"
#include "hints.hpp"
#include "printer.hpp"
#include "qos_options.hpp"
#include "topic_verbs.hpp"
#include "underlay_dds/writer.hpp"
#include "yaml_reader.hpp"

namespace ros2cli {
namespace {

/// Waits for so many subscribers, telling once that it waits.
void wait_for_subscribers(const underlay_dds::Writer& writer, std::size_t wanted, double patience) {
  if (wanted == 0) return;
  Bell bell;
  const auto enough = [&] { return writer.matched() >= wanted; };
  if (bell.wait(enough, 0.3)) return;
  std::printf("Waiting for at least %zu matching subscription(s)...\n", wanted);
  std::fflush(stdout);
  if (!bell.wait(enough, patience) && !interrupted()) throw CommandError("no matching subscription appeared");
}

int publish(const Arguments& arguments) {
  const auto topic = absolute_name(arguments.positional[0]);
  const auto values = arguments.positional.size() > 2 ? arguments.positional[2] : std::string();
  const bool once = arguments.flag("once");
  const std::size_t times = once ? 1 : arguments.count("times", 0);
  const double rate = arguments.number("rate", 1.0);
  if (rate <= 0) throw CommandError("--rate must be greater than 0");
  const std::size_t print_every = arguments.count("print", 1);

  Session session(arguments.value("node-name").value_or(""));
  const auto& type = session.types().find(arguments.positional[1]);
  auto message = message_from_text(type, values);
  auto bytes = encode(message);
  underlay_dds::Writer writer(session.participant(), "rt" + topic, underlay_dds::Type::raw(type.name, type.hash),
                              qos_from(arguments, underlay_dds::Qos()));
  session.own(false, writer.gid());
  wait_for_subscribers(writer, arguments.count("wait-matching-subscriptions", times > 0 ? 1 : 0),
                       arguments.number("max-wait-time-secs", -1.0));

  std::printf("publisher: beginning loop\n");
  const bool remake = depends_on_time(values);
  auto next = std::chrono::steady_clock::now();
  Bell bell;
  for (std::size_t count = 1; !interrupted(); ++count) {
    if (remake) {
      message = message_from_text(type, values);
      bytes = encode(message);
    }
    if (print_every > 0 && count % print_every == 0) {
      std::printf("publishing #%zu: %s\n\n", count, to_python(message).c_str());
      std::fflush(stdout);
    }
    writer.write_cdr(bytes.data(), bytes.size());
    if (times > 0 && count >= times) break;
    next += std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(1.0 / rate));
    bell.wait([&] { return std::chrono::steady_clock::now() >= next; },
              std::chrono::duration<double>(next - std::chrono::steady_clock::now()).count());
  }
  // What is written last must reach its readers before the publisher goes.
  writer.wait_for_acknowledged(1'000'000'000);
  if (times > 0) bell.wait([] { return false; }, arguments.number("keep-alive", 0.1));
  return 0;
}

}  // namespace

Verb pub_verb() {
  return {"pub", "TOPIC TYPE [VALUES]", "publish messages, e.g. /chatter std_msgs/msg/String \"{data: hello}\"",
          std::vector<Option>{
              {"rate", 'r', "HZ", "messages per second (1)"},
              {"once", '1', "", "publish one message and end"},
              {"times", 't', "N", "publish so many messages and end"},
              {"wait-matching-subscriptions", 'w', "N", "first wait for so many subscribers (1 with -1 and -t)"},
              {"max-wait-time-secs", 0, "SECONDS", "wait no longer than this for subscribers"},
              {"print", 'p', "N", "show only every Nth message"},
              {"keep-alive", 0, "SECONDS", "stay so long after the last message (0.1)"},
              {"node-name", 'n', "NAME", "name of the publishing node"}} +
              qos_options(),
          publish};
}

}  // namespace ros2cli
