// SPDX-License-Identifier: Apache-2.0
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

constexpr char kUsage[] = R"(usage: fumanoid [--port 11011] [--local_port 11011] [--wait SECONDS] ROBOT COMMAND [...]
       fumanoid [--local_port 11011] [--wait SECONDS] watch     all robots, their state and their log
ROBOT is an IPv4 address. Commands:
)";

struct Options {
  int port = fumanoid::kPort, local_port = fumanoid::kPort;
  double wait = 3.0;  // s; watch: 0 = for ever
  std::vector<std::string> words;
};

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::optional<Options> options_from(int argc, char** argv) {
  Options options;
  bool waits = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--", 0) != 0) {
      options.words.push_back(word);
      continue;
    }
    char* end = nullptr;
    const double value = i + 1 < argc ? std::strtod(argv[++i], &end) : -1.0;
    if (end == nullptr || *end != '\0' || !(value >= 0.0)) return std::nullopt;
    if ((word == "--port" || word == "--local_port") && value <= 65535.0)
      (word == "--port" ? options.port : options.local_port) = static_cast<int>(value);
    else if (word == "--wait")
      options.wait = value, waits = true;
    else
      return std::nullopt;
  }
  if (!waits && !options.words.empty() && options.words.front() == "watch") options.wait = 0.0;
  return options;
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
  const double end = options.wait > 0.0 ? seconds() + options.wait : 1e300;
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
  const auto robot = Endpoint::from(options.words.front(), static_cast<std::uint16_t>(options.port));
  if (!robot) {
    std::cerr << "'" << options.words.front() << "' is no IPv4 address\n";
    return 2;
  }
  const ClientCommand command = command_from({options.words.begin() + 1, options.words.end()});
  if (!command.error.empty()) {
    std::cerr << command.error << "\n" << kUsage << client_help();
    return 2;
  }
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
  const double patience = wanted > 0 ? options.wait : std::min(options.wait, 0.3);
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
  const auto options = options_from(argc, argv);
  const bool watching = options && options->words.size() == 1 && options->words.front() == "watch";
  if (!options || (!watching && options->words.size() < 2)) {
    std::cerr << kUsage << client_help();
    return 2;
  }
  try {
    const UdpSocket socket("0.0.0.0", static_cast<std::uint16_t>(options->local_port), UdpSocket::Sharing::Shared);
    return watching ? watch(socket, *options) : order(socket, *options);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
