// SPDX-License-Identifier: Apache-2.0
#include "fumanoid_client.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

namespace hl_remote {
namespace {

using namespace fumanoid;  // NOLINT(google-build-using-namespace): its words are the words of this file
using Answer = ClientCommand::Answer;

const std::map<std::string, int> kReadySetModes = {{"own_kickoff", 0},   {"own_free_kick", 1},   {"own_penalty", 2},
                                                   {"their_kickoff", 3}, {"their_free_kick", 4}, {"their_penalty", 5}};
const std::map<std::string, int> kSwitch = {{"off", 0}, {"on", 1}};

ClientCommand send(const Message& message, Answer answer = Answer::None, std::size_t answers = 1) {
  return {{message}, answer, answers};
}

template <class T>
CLI::Option* number(CLI::App& verb, const char* name, T& value, int low, int high, const char* help = "") {
  return verb.add_option(name, value, help)->check(CLI::Range(low, high));
}

CLI::Option* ids(CLI::App& verb, std::vector<std::uint8_t>& values, const char* help) {
  return verb.add_option("ids", values, help)->check(CLI::Range(0, 254));
}

PlayMotion motion_from(const std::string& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  const MotionText read = read_motion_text(text.str());
  if (!read.error.empty()) throw CLI::ValidationError(file, read.error);
  return {read.moves};
}

MotorOffsets offsets_from(const std::vector<int>& words) {
  if (words.size() % 2 != 0) throw CLI::ValidationError("offsets", "each motor needs an offset");
  MotorOffsets order{Direction::Request, {}};
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (words[i] < 0 || words[i] > 254) throw CLI::ValidationError("offsets", "a motor must lie in 0..254");
    if (std::abs(words[i + 1]) > 1023) throw CLI::ValidationError("offsets", "an offset must lie in -1023..1023");
    order.offsets.push_back({static_cast<std::uint8_t>(words[i]), static_cast<std::int16_t>(words[i + 1])});
  }
  return order;
}

/// Adds subcommands: each has words of its own, and leaves in `chosen` what they ask of the robot.
class Verbs {
 public:
  Verbs(CLI::App& app, ClientCommand& chosen) : app_(app), chosen_(chosen) {}

  /// `declare(verb, words)` says which words follow, `make(words)` what they ask for.
  template <class Given, class Declare, class Make>
  void add(const char* name, const char* help, Declare declare, Make make) {
    CLI::App* verb = app_.add_subcommand(name, help);
    const auto words = std::make_shared<Given>();
    declare(*verb, *words);
    verb->callback([&chosen = chosen_, words, make] { chosen = make(*words); });
  }
  /// One whose words are the fields of its message.
  template <class Order, class Declare>
  void order(const char* name, const char* help, Declare declare) {
    add<Order>(name, help, declare, [](const Order& order) { return send(order); });
  }
  /// One without words.
  void plain(const char* name, const char* help, Operation operation, Answer answer = Answer::None) {
    app_.add_subcommand(name, help)->callback([&chosen = chosen_, operation, answer] {
      chosen = send(Plain{operation}, answer);
    });
  }

 private:
  CLI::App& app_;
  ClientCommand& chosen_;
};

void add_game(Verbs& verbs) {
  verbs.plain("strategies", "list with ids", Operation::GetStrategies, Answer::Names);
  verbs.plain("roles", "list with ids", Operation::GetRoles, Answer::Names);
  verbs.plain("behaviors", "list with ids", Operation::GetBehaviors, Answer::Names);
  verbs.order<fumanoid::SetRole>("role", "choose a role", [](CLI::App& verb, fumanoid::SetRole& order) {
    number(verb, "id", order.role, 0, 1'000'000, "0: none")->required();
  });
  for (const int state : {0, 1}) {
    verbs.add<ReadySet>(
        state == 0 ? "ready" : "set", "prepare for the game",
        [](CLI::App& verb, ReadySet& order) {
          number(verb, "role", order.role, 0, 1'000'000);
          number(verb, "strategy", order.strategy, 0, 1'000'000);
          verb.add_option("mode", order.mode)->transform(CLI::CheckedTransformer(kReadySetModes));
          number(verb, "goalie", order.goalie, 0, 255);
          number(verb, "opponent_goal", order.opponent_goal, 0, 1, "0 blue, 1 yellow");
          number(verb, "team_colour", order.team_colour, 0, 1, "0 magenta, 1 cyan");
        },
        [state](ReadySet order) {
          order.state = static_cast<std::uint8_t>(state);
          return send(order, Answer::Status);
        });
  }
  verbs.plain("start", "the game", Operation::StartGame);
  verbs.plain("stop", "the game; start resumes", Operation::StopGame);
  verbs.plain("abort", "everything; stand idle", Operation::Abort);
  verbs.order<LimitTeam>("limit_team", "robots that form the team", [](CLI::App& verb, LimitTeam& order) {
    ids(verb, order.robots, "of the robots")->required();
  });
}

void add_moves(Verbs& verbs) {
  verbs.order<SetWalkingSpeed>("walk", "walk with a speed", [](CLI::App& verb, SetWalkingSpeed& order) {
    number(verb, "forward", order.forward, -127, 127)->required();
    number(verb, "sideward", order.sideward, -127, 127)->required();
    number(verb, "rotation", order.rotation, -127, 127)->required();
  });
  verbs.order<GoToPosition>("goto", "walk to a place of the field", [](CLI::App& verb, GoToPosition& order) {
    number(verb, "x", order.x, -32768, 32767, "cm")->required();
    number(verb, "y", order.y, -32768, 32767, "cm")->required();
    number(verb, "angle", order.angle, -32768, 32767, "degrees")->required();
  });
  verbs.add<std::string>(
      "play", "play a motion",
      [](CLI::App& verb, std::string& file) {
        verb.add_option("file", file, "moves as FUremote saves them")->check(CLI::ExistingFile)->required();
      },
      [](const std::string& file) { return send(motion_from(file)); });
}

void add_motors(Verbs& verbs) {
  using Ids = std::vector<std::uint8_t>;
  verbs.add<Ids>(
      "motor", "state of motors", [](CLI::App& verb, Ids& motors) { ids(verb, motors, "of the motors")->required(); },
      [](const Ids& motors) {
        ClientCommand command{{}, Answer::MotorStatus, motors.size()};
        for (const auto id : motors) command.messages.emplace_back(MotorStatusRequest{id});
        return command;
      });
  for (const bool on : {true, false}) {
    verbs.add<Ids>(
        on ? "motors_on" : "motors_off", on ? "make motors stiff" : "make motors limp",
        [](CLI::App& verb, Ids& motors) { ids(verb, motors, "of the motors; none: all"); },
        [on](const Ids& motors) {
          return send(SwitchMotors{on, motors});
        });
  }
  verbs.order<SetMotor>("set_motor", "torque and goal of a motor", [](CLI::App& verb, SetMotor& order) {
    number(verb, "motor", order.motor, 0, 254)->required();
    verb.add_option("torque", order.torque, "on or off")->transform(CLI::CheckedTransformer(kSwitch));
    number(verb, "goal", order.goal, 0, 1023);
  });
  verbs.order<fumanoid::SetMotorId>("set_motor_id", "give a motor a new id",
                                    [](CLI::App& verb, fumanoid::SetMotorId& order) {
                                      number(verb, "old", order.old_id, 0, 254, "254: all")->required();
                                      number(verb, "new", order.new_id, 1, 253)->required();
                                    });
  verbs.plain("offsets", "of all motors", Operation::GetMotorOffsets, Answer::Offsets);
  using Words = std::vector<int>;
  verbs.add<Words>(
      "set_offsets", "offsets of motors",
      [](CLI::App& verb, Words& words) {
        verb.add_option("offsets", words, "motor and offset, motor and offset, ...")->required();
      },
      [](const Words& words) { return send(offsets_from(words)); });
}

void add_machine(Verbs& verbs) {
  verbs.add<int>(
      "status", "one status of the robot", [](CLI::App&, int&) {},
      [](int) {
        return ClientCommand{{}, Answer::Status, 1};
      });
  verbs.add<ImageCapture>(
      "image", "pictures of the camera, as image_N.jpg",
      [](CLI::App& verb, ImageCapture& order) {
        order = {1, 1, 0};
        number(verb, "count", order.count, 1, 255);
        number(verb, "interval", order.interval_ms, 0, 65535, "ms");
      },
      [](const ImageCapture& order) { return send(order, Answer::Image, order.count); });
  verbs.order<SetLogLevel>("log_level", "how much the robot tells", [](CLI::App& verb, SetLogLevel& order) {
    number(verb, "level", order.level, 0, 3, "0 debug, 1 info, 2 warnings, 3 errors")->required();
  });
  verbs.order<Reboot>("reboot", "the robot", [](CLI::App&, Reboot&) {});
}

std::string coordinate(std::int16_t value) {
  return value == kUnknown ? "?" : std::to_string(value);
}

struct Writer {
  std::ostringstream& out;
  void operator()(const Status& s) const {
    static const char* const kGame[] = {"stopped", "ready", "set", "playing"};
    out << "robot " << int{s.robot} << ": " << (s.game_state < 4 ? kGame[s.game_state] : "?")
        << (s.competition != 0 ? " (match)" : "") << ", at " << coordinate(s.x) << " " << coordinate(s.y) << " cm, "
        << s.orientation << " deg, ball " << coordinate(s.ball_x) << " " << coordinate(s.ball_y) << ", role " << s.role
        << ", strategy " << s.strategy << ", behavior " << s.behavior << ", battery "
        << (s.battery == 255 ? "?" : std::to_string(s.battery) + " %");
  }
  void operator()(const MotorStatus& s) const {
    out << "motor " << int{s.motor} << ": position " << s.position << ", speed " << s.speed << ", load "
        << (s.load & 0x3FFU) << ((s.load & 0x400U) != 0 ? " cw" : " ccw") << ", " << s.voltage_decivolt / 10.0 << " V, "
        << int{s.temperature} << " C, torque " << (s.torque != 0 ? "on" : "off") << ", error " << int{s.error};
  }
  void operator()(const Names& names) const {
    for (const Named& entry : names.entries)
      out << (&entry == &names.entries.front() ? "" : "\n") << entry.id << " " << entry.name;
  }
  void operator()(const MotorOffsets& offsets) const {
    for (const MotorOffset& entry : offsets.offsets)
      out << (&entry == &offsets.offsets.front() ? "" : "\n") << "motor " << int{entry.motor} << " offset "
          << entry.offset;
  }
  void operator()(const Log& log) const {
    static const char* const kLevels[] = {"debug", "info", "warning", "error"};
    static const char* const kSubsystems[] = {"general",   "behavior", "comm",     "motion",
                                              "motor bus", "role",     "strategy", "vision"};
    out << kLevels[static_cast<int>(log.level)] << " [" << kSubsystems[static_cast<int>(log.subsystem)] << "] "
        << log.text;
  }
  void operator()(const Image& image) const { out << "image of " << image.jpeg.size() << " bytes"; }
  void operator()(const TimeRequest&) const { out << "asks for the time"; }
  template <class Other>
  void operator()(const Other&) const {
    out << "an order of a workstation";
  }
};

}  // namespace

void add_client_commands(CLI::App& app, ClientCommand& chosen) {
  Verbs verbs(app, chosen);
  add_machine(verbs);
  add_game(verbs);
  add_moves(verbs);
  add_motors(verbs);
}

std::string in_words(const Message& message) {
  std::ostringstream out;
  std::visit(Writer{out}, message);
  return out.str();
}

RobotWatch::State RobotWatch::state(std::uint32_t address, double now) const {
  const auto found = last_message_time_.find(address);
  if (found == last_message_time_.end() || now - found->second >= 10.0) return State::Offline;
  return now - found->second <= 2.0 ? State::Online : State::Unreachable;
}

}  // namespace hl_remote
