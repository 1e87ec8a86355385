// SPDX-License-Identifier: Apache-2.0
// ros2 topic hz | bw
#include <cstdio>
#include <functional>

#include "graph_view.hpp"
#include "qos_options.hpp"
#include "rate_window.hpp"
#include "topic_verbs.hpp"

namespace ros2cli {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string size_text(double bytes) {
  const char* unit = "B";
  for (const char* larger : {"KB", "MB"}) {
    if (bytes < 1000) break;
    bytes /= 1000;
    unit = larger;
  }
  char text[32];
  std::snprintf(text, sizeof(text), unit[0] == 'B' ? "%.0f %s" : "%.2f %s", bytes, unit);
  return text;
}

/// Feeds the window with a topic's messages and calls `show` once a second, until Ctrl-C.
int measure(const Arguments& arguments, std::size_t window_size, bool announce,
            const std::function<void(const RateWindow&)>& show) {
  Session session;
  const auto topic = absolute_name(arguments.positional[0]);
  const auto type = wait_for_type(session, topic, &GraphView::topics, "topic", arguments.number("spin-time", 3.0));
  // Only sizes count: the messages stay undecoded, so a type that is not installed here is no obstacle.
  Description description;
  description.name = type;
  auto qos = matching(GraphView(session).publishers_of(topic));
  qos.history = underlay_dds::History::KeepAll;
  DynamicReader reader(session, topic, description, qos_from(arguments, qos));
  if (announce) std::printf("Subscribed to [%s]\n", topic.c_str());
  RateWindow window(arguments.count("window", window_size));
  const double period = 1.0;  // s between two lines
  double next = steady_seconds() + period;
  while (!interrupted()) {
    if (const auto sample = reader.take(std::max(0.0, next - steady_seconds()))) {
      window.add(steady_seconds(), sample->cdr().size);
    }
    if (steady_seconds() < next) continue;
    show(window);
    std::fflush(stdout);
    next += period;
  }
  return 0;
}

int hz(const Arguments& arguments) {
  return measure(arguments, 10'000, false, [](const RateWindow& window) {
    const auto rate = window.rate();
    if (!rate) {
      std::printf("no new messages\n");
      return;
    }
    std::printf("average rate: %.3f\n\tmin: %.3fs max: %.3fs std dev: %.5fs window: %zu\n", rate->mean, rate->shortest,
                rate->longest, rate->deviation, rate->count);
  });
}

int bw(const Arguments& arguments) {
  return measure(arguments, 100, true, [](const RateWindow& window) {
    const auto bandwidth = window.bandwidth(steady_seconds());
    if (!bandwidth) return;
    std::printf("%s/s from %zu messages\n\tMessage size mean: %s min: %s max: %s\n",
                size_text(bandwidth->bytes_per_second).c_str(), bandwidth->count, size_text(bandwidth->mean).c_str(),
                size_text(static_cast<double>(bandwidth->smallest)).c_str(),
                size_text(static_cast<double>(bandwidth->largest)).c_str());
  });
}

Verb rate_verb(const char* name, const char* help, int (*run)(const Arguments&)) {
  return {name, "TOPIC", help,
          std::vector<Option>{{"window", 'w', "N", "messages to average over"},
                              {"spin-time", 0, "SECONDS", "wait at most so long for the topic to appear (3)"}} +
              qos_options(),
          run};
}

}  // namespace

Verb hz_verb() {
  return rate_verb("hz", "how often messages come", &hz);
}

Verb bw_verb() {
  return rate_verb("bw", "how many bytes per second come", &bw);
}

}  // namespace ros2cli
