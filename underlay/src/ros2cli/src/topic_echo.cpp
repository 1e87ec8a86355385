// SPDX-License-Identifier: Apache-2.0
// ros2 topic echo
#include <cstdio>

#include "graph_view.hpp"
#include "hints.hpp"
#include "printer.hpp"
#include "qos_options.hpp"
#include "topic_verbs.hpp"

namespace ros2cli {
namespace {

PrintOptions print_options(const Arguments& arguments) {
  PrintOptions options;
  options.truncate_length = arguments.flag("full-length") ? 0 : arguments.count("truncate-length", 128);
  options.hide_arrays = arguments.flag("no-arr");
  options.hide_texts = arguments.flag("no-str");
  options.flow_style = arguments.flag("flow-style");
  return options;
}

void print_raw(const underlay_dds::Sample::Bytes& bytes) {
  std::string line = "b'";
  for (std::size_t i = 0; i < bytes.size; ++i) {
    char escape[8];
    std::snprintf(escape, sizeof(escape), "\\x%02x", bytes.data[i]);
    line += escape;
  }
  std::printf("%s'\n---\n", line.c_str());
}

/// Prints one message; returns false if the bytes were malformed.
bool print(const underlay_dds::Sample& sample, const Description& type, const Arguments& arguments,
           const PrintOptions& options) {
  if (arguments.flag("raw")) {
    print_raw(sample.cdr());
    return true;
  }
  const auto body = sample.body();
  Value value;
  try {
    value.content = decode(type, body.data, body.size, sample.foreign_byte_order());
  } catch (const CommandError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return false;
  }
  Field whole;
  whole.name = type.name;
  const auto chosen = select(value, whole, arguments.value("field").value_or(""));
  if (arguments.flag("csv")) {
    std::printf("%s", to_csv(chosen.get(), chosen.field, options).c_str());
  } else {
    std::printf("%s---\n", to_yaml(chosen.get(), chosen.field, options).c_str());
  }
  return true;
}

int echo(const Arguments& arguments) {
  Session session;
  const auto topic = absolute_name(arguments.positional[0]);
  const bool type_given = arguments.positional.size() > 1;
  const auto type_name =
      type_given ? TypeLibrary::full_name(arguments.positional[1], "msg")
                 : wait_for_type(session, topic, &GraphView::topics, "topic", arguments.number("spin-time", 3.0));
  const auto& type = session.types().find(type_name);
  auto publishers = GraphView(session).publishers_of(topic);
  if (publishers.empty()) {  // a subscriber was seen first, or the type was given; a publisher decides on the QoS
    session.wait_for_graph([&] { return !(publishers = GraphView(session).publishers_of(topic)).empty(); }, 0.5);
  }
  const auto qos = qos_from(arguments, matching(publishers));
  DynamicReader reader(session, topic, type, qos);
  const double timeout = arguments.number("timeout", -1.0, 0.0);
  const auto options = print_options(arguments);
  std::string reported;
  while (!interrupted()) {
    const auto sample = reader.take(timeout < 0 ? 1.0 : timeout);
    if (const auto policy = reader.incompatible(); policy != reported) {
      reported = policy;
      std::fprintf(stderr,
                   "a publisher of '%s' cannot match: its %s policy is incompatible; see `ros2 topic info -v %s`\n",
                   topic.c_str(), policy.c_str(), topic.c_str());
    }
    if (!sample) {
      if (timeout >= 0 && !interrupted()) {
        throw CommandError("no message on '" + topic + "' within " + *arguments.value("timeout") + " s");
      }
      continue;
    }
    const bool printed = print(*sample, type, arguments, options);
    std::fflush(stdout);
    if (printed && arguments.flag("once")) break;
  }
  return 0;
}

}  // namespace

Verb echo_verb() {
  return {"echo", "TOPIC [TYPE]", "print the messages of a topic",
          std::vector<Option>{{"once", 0, "", "end after the first message"},
                              {"field", 0, "PATH", "only a part, e.g. pose.position.x or name[0]"},
                              {"no-arr", 0, "", "only type and length of arrays"},
                              {"no-str", 0, "", "only the length of texts"},
                              {"csv", 0, "", "one line of comma-separated values per message"},
                              {"flow-style", 0, "", "one line of YAML per message"},
                              {"full-length", 'f', "", "do not cut long arrays and texts"},
                              {"truncate-length", 'l', "N", "cut arrays and texts at this length (128)"},
                              {"raw", 0, "", "the bytes as they arrived"},
                              {"timeout", 0, "SECONDS", "give up if no message comes for so long"},
                              {"spin-time", 0, "SECONDS", "wait at most so long for the topic to appear (3)"}} +
              qos_options(),
          echo};
}

}  // namespace ros2cli
