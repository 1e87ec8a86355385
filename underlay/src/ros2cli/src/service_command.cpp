// SPDX-License-Identifier: Apache-2.0
// ros2 service list | type | call | find
#include <cstdio>

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
  std::size_t count = 0;
  for (const auto& [name, types] : GraphView(session).services()) {
    if (is_hidden(name) && !arguments.flag("include-hidden-services")) continue;
    ++count;
    if (arguments.flag("count-services")) continue;
    std::printf("%s%s\n", name.c_str(),
                arguments.flag("show-types") ? (" [" + joined({types.begin(), types.end()}) + "]").c_str() : "");
  }
  if (arguments.flag("count-services")) std::printf("%zu\n", count);
  return 0;
}

int type(const Arguments& arguments) {
  Session session;
  const auto name = absolute_name(arguments.positional[0]);
  std::printf("%s\n", wait_for_type(session, name, &GraphView::services, "service", 3.0).c_str());
  return 0;
}

int find(const Arguments& arguments) {
  Session session;
  const auto wanted = TypeLibrary::full_name(arguments.positional[0], "srv");
  session.discover(arguments.number("spin-time", 0.5));
  for (const auto& [name, types] : GraphView(session).services()) {
    if (types.count(wanted) != 0 && (!is_hidden(name) || arguments.flag("include-hidden-services"))) {
      std::printf("%s\n", name.c_str());
    }
  }
  return 0;
}

int call(const Arguments& arguments) {
  Session session;
  const auto name = absolute_name(arguments.positional[0]);
  const auto type_name = TypeLibrary::full_name(arguments.positional[1], "srv");
  DynamicClient client(session, name, type_name);
  const auto request =
      message_from_text(client.request_type(), arguments.positional.size() > 2 ? arguments.positional[2] : "");
  const double timeout = arguments.number("timeout", -1.0, 0.0);
  if (!client.wait_for_server(0.3)) {
    std::printf("waiting for service to become available...\n");
    std::fflush(stdout);
    if (!client.wait_for_server(timeout)) {
      if (interrupted()) return 130;
      const auto services = GraphView(session).services();
      throw CommandError("service '" + name + "' is not there" + did_you_mean(name, names_of(services)));
    }
  }
  const double rate = arguments.number("rate", 0.0);
  for (;;) {
    std::printf("requester: making request: %s\n\n", to_python(request).c_str());
    std::fflush(stdout);
    const auto response = client.call(request, timeout);
    if (!response) {
      if (interrupted()) return 130;
      throw CommandError("service '" + name + "' does not answer");
    }
    std::printf("response:\n%s\n\n", to_python(*response).c_str());
    std::fflush(stdout);
    if (rate <= 0) return 0;
    Bell().wait([] { return false; }, 1.0 / rate);
    if (interrupted()) return 0;
  }
}

}  // namespace

Command service_command() {
  const Option spin_time = spin_time_option();
  const Option hidden{"include-hidden-services", 0, "",
                      "also services whose names have a part with a leading underscore"};
  return Command("service", "Looks at services, and calls them.",
                 {{"list",
                   "",
                   "names of all services",
                   {{"show-types", 't', "", "also their types"},
                    {"count-services", 'c', "", "only how many there are"},
                    hidden,
                    spin_time},
                   list},
                  {"type", "SERVICE", "type of a service", {}, type},
                  {"find", "TYPE", "services of a type", {hidden, spin_time}, find},
                  {"call",
                   "SERVICE TYPE [VALUES]",
                   "call a service, e.g. /set_torque std_srvs/srv/SetBool \"{data: true}\"",
                   {{"rate", 'r', "HZ", "repeat the call so often"},
                    {"timeout", 0, "SECONDS", "give up after so long (default: never)"}},
                   call}});
}

}  // namespace ros2cli
