// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>

#include "fumanoid_client.hpp"

namespace {

using namespace hl_remote;  // NOLINT(google-build-using-namespace): a program of this package
using fumanoid::Message;
using hl_network::Endpoint;
using hl_network::UdpSocket;

struct Options {
  int port = fumanoid::kPort, local_port = fumanoid::kPort;
  std::optional<double> wait;  // s
  std::string robot;
  ClientCommand command;
};

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool answers(const Message& message, ClientCommand::Answer wanted) {
  using Answer = ClientCommand::Answer;
  return (wanted == Answer::Status && std::holds_alternative<fumanoid::Status>(message)) ||
         (wanted == Answer::MotorStatus && std::holds_alternative<fumanoid::MotorStatus>(message)) ||
         (wanted == Answer::Names && std::holds_alternative<fumanoid::Names>(message)) ||
         (wanted == Answer::Offsets && std::holds_alternative<fumanoid::MotorOffsets>(message)) ||
         (wanted == Answer::Image && std::holds_alternative<fumanoid::Image>(message));
}

/// Robots that do not know the time ask for it, in the zone we live in.
void tell_time(const UdpSocket& socket, const Endpoint& robot) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  const auto bytes = write(fumanoid::TimeAnswer{static_cast<std::uint32_t>(timegm(&local))});
  socket.send({bytes.data(), bytes.size()}, robot);
}

int watch(const UdpSocket& socket, const Options& options) {
  static const char* const kStates[] = {"offline", "unreachable", "online"};
  std::vector<std::uint8_t> buffer(65536);
  RobotWatch robots;
  std::map<std::uint32_t, RobotWatch::State> told;
  const double end = options.wait ? seconds() + *options.wait : 1e300;
  while (seconds() < end) {
    socket.wait_readable(200);
    Endpoint from;
    while (const auto size = socket.receive(buffer.data(), buffer.size(), from)) {
      const auto message = fumanoid::read({buffer.data(), *size});
      if (!message) continue;
      robots.heard(from.address, seconds());
      told.try_emplace(from.address, RobotWatch::State::Offline);
      if (std::holds_alternative<fumanoid::TimeRequest>(*message)) tell_time(socket, from);
      std::cout << from.address_text() << " " << in_words(*message) << std::endl;
    }
    for (auto& [address, before] : told) {
      const auto state = robots.state(address, seconds());
      if (state != before)
        std::cout << Endpoint{address, 0}.address_text() << " is " << kStates[static_cast<int>(state)] << std::endl;
      before = state;
    }
  }
  return 0;
}

int order(const UdpSocket& socket, const Options& options) {
  constexpr double kPatience = 3.0, kForARefusal = 0.3;  // s
  const auto robot = Endpoint::from(options.robot, static_cast<std::uint16_t>(options.port));
  const ClientCommand& command = options.command;
  for (const Message& message : command.messages) {
    const auto bytes = write(message);
    if (bytes.empty() || !socket.send({bytes.data(), bytes.size()}, *robot)) {
      std::cerr << "the network does not take it\n";
      return 1;
    }
  }
  std::vector<std::uint8_t> buffer(65536);
  std::size_t answered = 0;
  const std::size_t wanted = command.answer == ClientCommand::Answer::None ? 0 : command.answers;
  // A refusal comes as a line of the log.
  const double most = options.wait.value_or(kPatience), patience = wanted > 0 ? most : std::min(most, kForARefusal);
  for (const double end = seconds() + patience; seconds() < end && (wanted == 0 || answered < wanted);) {
    socket.wait_readable(50);
    Endpoint from;
    while (const auto size = socket.receive(buffer.data(), buffer.size(), from)) {
      const auto message = fumanoid::read({buffer.data(), *size});
      if (!message || from.address != robot->address) continue;
      if (std::holds_alternative<fumanoid::Log>(*message)) std::cerr << in_words(*message) << "\n";
      if (answered >= wanted || !answers(*message, command.answer)) continue;
      ++answered;
      std::cout << in_words(*message) << std::endl;
      if (const auto* image = std::get_if<fumanoid::Image>(&*message)) {
        std::ofstream file("image_" + std::to_string(answered) + ".jpg", std::ios::binary);
        file.write(reinterpret_cast<const char*>(image->jpeg.data()), static_cast<std::streamsize>(image->jpeg.size()));
      }
    }
  }
  if (answered >= wanted) return 0;
  std::cerr << "no answer: is the gateway enabled, this address allowed, and no match on?\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Asks and orders robots that speak FUmanoid's protocol: fumanoid 192.168.1.7 roles, fumanoid watch");
  app.add_option("--port", options.port, "UDP port of the robots")->capture_default_str()->check(CLI::Range(1, 65535));
  app.add_option("--local_port", options.local_port, "UDP port to listen on; 0: any")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  app.add_option("--wait", options.wait, "s, for an answer (3), or to watch (for ever)")->check(CLI::NonNegativeNumber);
  CLI::Option* robot = app.add_option("robot", options.robot, "its IPv4 address")->check(CLI::ValidIPV4);
  const CLI::App* watching = app.add_subcommand("watch", "all robots, their state and their log");
  add_client_commands(app, options.command);
  app.require_subcommand(1);
  app.final_callback([&] {
    if (!watching->parsed() && robot->empty()) throw CLI::RequiredError("robot");
  });
  CLI11_PARSE(app, argc, argv);
  try {
    const UdpSocket socket("0.0.0.0", static_cast<std::uint16_t>(options.local_port), UdpSocket::Sharing::Shared);
    return watching->parsed() ? watch(socket, options) : order(socket, options);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
