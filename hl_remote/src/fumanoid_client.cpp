// SPDX-License-Identifier: Apache-2.0
#include "fumanoid_client.hpp"

#include <fstream>
#include <functional>
#include <sstream>

namespace hl_remote {
namespace {

using namespace fumanoid;  // NOLINT(google-build-using-namespace): its words are the words of this file
using Answer = ClientCommand::Answer;
using Words = std::vector<std::string>;

constexpr const char* kReadySetModes[] = {"own_kickoff",   "own_free_kick",   "own_penalty",
                                          "their_kickoff", "their_free_kick", "their_penalty"};

/// Numbers of the command line, each with its range.
class Arguments {
 public:
  explicit Arguments(const Words& words) : words_(words) {}
  template <class Integer>
  Integer next(const char* what, long low, long high) {
    if (at_ >= words_.size()) return fail<Integer>(std::string(what) + " is missing");
    const std::string& text = words_[at_++];
    std::istringstream stream(text);
    long value = 0;
    if (!(stream >> value) || !stream.eof() || value < low || value > high)
      return fail<Integer>(std::string(what) + " is '" + text + "'; it must lie in " + std::to_string(low) + ".." +
                           std::to_string(high));
    return static_cast<Integer>(value);
  }
  std::string word(const char* what) {
    if (at_ >= words_.size()) return fail<std::string>(std::string(what) + " is missing");
    return words_[at_++];
  }
  bool more() const { return at_ < words_.size() && error.empty(); }
  std::vector<std::uint8_t> ids() {
    std::vector<std::uint8_t> result;
    while (more()) result.push_back(next<std::uint8_t>("an id", 0, 254));
    return result;
  }
  template <class T>
  T fail(const std::string& reason) {
    if (error.empty()) error = reason;
    return {};
  }
  std::string error;

 private:
  const Words& words_;
  std::size_t at_ = 1;  // behind the command
};

ClientCommand plain(Operation operation, Answer answer = Answer::None) {
  return {{Plain{operation}}, answer, 1, ""};
}

ClientCommand ready_set(Arguments& arguments, std::uint8_t state) {
  ReadySet order;
  order.state = state;
  if (arguments.more()) order.role = arguments.next<std::uint32_t>("role", 0, 1'000'000);
  if (arguments.more()) order.strategy = arguments.next<std::uint32_t>("strategy", 0, 1'000'000);
  if (arguments.more()) {
    const std::string mode = arguments.word("mode");
    std::uint8_t code = 0;
    while (code < 6 && mode != kReadySetModes[code]) ++code;
    if (code == 6)
      arguments.fail<int>("mode '" + mode +
                          "' is none of own_kickoff, own_free_kick, own_penalty, "
                          "their_kickoff, their_free_kick, their_penalty");
    order.mode = code;
  }
  if (arguments.more()) order.goalie = arguments.next<std::uint8_t>("goalie", 0, 255);
  if (arguments.more()) order.opponent_goal = arguments.next<std::uint8_t>("opponent goal (0 blue, 1 yellow)", 0, 1);
  if (arguments.more()) order.team_colour = arguments.next<std::uint8_t>("team colour (0 magenta, 1 cyan)", 0, 1);
  return {{order}, Answer::Status, 1, ""};
}

ClientCommand motion(Arguments& arguments) {
  const std::string file = arguments.word("a motion file");
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) return {{}, Answer::None, 0, "'" + file + "' cannot be read"};
  const MotionText read = read_motion_text(text.str());
  if (!read.error.empty()) return {{}, Answer::None, 0, file + ": " + read.error};
  return {{PlayMotion{read.moves}}, Answer::None, 0, ""};
}

ClientCommand set_motor(Arguments& arguments) {
  SetMotor order;
  order.motor = arguments.next<std::uint8_t>("motor", 0, 254);
  if (arguments.more()) {
    const std::string word = arguments.word("on or off");
    if (word != "on" && word != "off") arguments.fail<int>("'" + word + "' is neither on nor off");
    order.torque = static_cast<std::uint8_t>(word == "on" ? 1 : 0);
  }
  if (arguments.more()) order.goal = arguments.next<std::uint16_t>("goal", 0, 1023);
  return {{order}, Answer::None, 0, ""};
}

ClientCommand set_offsets(Arguments& arguments) {
  MotorOffsets offsets{Direction::Request, {}};
  do {
    MotorOffset offset;
    offset.motor = arguments.next<std::uint8_t>("motor", 0, 254);
    offset.offset = arguments.next<std::int16_t>("offset", -1023, 1023);
    offsets.offsets.push_back(offset);
  } while (arguments.more());
  return {{offsets}, Answer::None, 0, ""};
}

ClientCommand images(Arguments& arguments) {
  ImageCapture order{1, 1, 0};
  if (arguments.more()) order.count = arguments.next<std::uint8_t>("count", 1, 255);
  if (arguments.more()) order.interval_ms = arguments.next<std::uint16_t>("interval in ms", 0, 65535);
  return {{order}, Answer::Image, order.count, ""};
}

struct Verb {
  const char* name;
  const char* help;
  std::function<ClientCommand(Arguments&)> make;
};

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = {
      {"status", "one status of the robot",
       [](Arguments&) {
         return ClientCommand{{}, Answer::Status, 1, ""};
       }},
      {"strategies", "list with ids", [](Arguments&) { return plain(Operation::GetStrategies, Answer::Names); }},
      {"roles", "list with ids", [](Arguments&) { return plain(Operation::GetRoles, Answer::Names); }},
      {"behaviors", "list with ids", [](Arguments&) { return plain(Operation::GetBehaviors, Answer::Names); }},
      {"role", "ID; 0: none",
       [](Arguments& a) {
         return ClientCommand{{fumanoid::SetRole{a.next<std::uint32_t>("role", 0, 1'000'000)}}, Answer::None, 0, ""};
       }},
      {"ready", "[ROLE [STRATEGY [MODE [GOALIE [GOAL [COLOUR]]]]]]", [](Arguments& a) { return ready_set(a, 0); }},
      {"set", "as ready", [](Arguments& a) { return ready_set(a, 1); }},
      {"start", "the game", [](Arguments&) { return plain(Operation::StartGame); }},
      {"stop", "the game; start resumes", [](Arguments&) { return plain(Operation::StopGame); }},
      {"abort", "everything; stand idle", [](Arguments&) { return plain(Operation::Abort); }},
      {"walk", "FORWARD SIDEWARD ROTATION, -127..127",
       [](Arguments& a) {
         SetWalkingSpeed order;
         order.forward = a.next<std::int8_t>("forward", -127, 127);
         order.sideward = a.next<std::int8_t>("sideward", -127, 127);
         order.rotation = a.next<std::int8_t>("rotation", -127, 127);
         return ClientCommand{{order}, Answer::None, 0, ""};
       }},
      {"goto", "X Y ANGLE, cm and degrees",
       [](Arguments& a) {
         GoToPosition order;
         order.x = a.next<std::int16_t>("x", -32768, 32767);
         order.y = a.next<std::int16_t>("y", -32768, 32767);
         order.angle = a.next<std::int16_t>("angle", -32768, 32767);
         return ClientCommand{{order}, Answer::None, 0, ""};
       }},
      {"motor", "ID...: their state",
       [](Arguments& a) {
         ClientCommand command{{}, Answer::MotorStatus, 0, ""};
         for (const auto id : a.ids()) command.messages.emplace_back(MotorStatusRequest{id});
         command.answers = command.messages.size();
         if (command.messages.empty()) a.fail<int>("a motor is missing");
         return command;
       }},
      {"motors_on", "[ID...]; none: all",
       [](Arguments& a) {
         return ClientCommand{{SwitchMotors{true, a.ids()}}, Answer::None, 0, ""};
       }},
      {"motors_off", "[ID...]; none: all",
       [](Arguments& a) {
         return ClientCommand{{SwitchMotors{false, a.ids()}}, Answer::None, 0, ""};
       }},
      {"set_motor", "ID [on|off [GOAL 0..1023]]", set_motor},
      {"set_motor_id", "OLD NEW",
       [](Arguments& a) {
         fumanoid::SetMotorId order;
         order.old_id = a.next<std::uint8_t>("old id", 0, 254);
         order.new_id = a.next<std::uint8_t>("new id", 1, 253);
         return ClientCommand{{order}, Answer::None, 0, ""};
       }},
      {"offsets", "of all motors", [](Arguments&) { return plain(Operation::GetMotorOffsets, Answer::Offsets); }},
      {"set_offsets", "ID OFFSET [ID OFFSET...]", set_offsets},
      {"play", "FILE of moves as FUremote saves them", motion},
      {"image", "[COUNT [INTERVAL in ms]]: writes image_N.jpg", images},
      {"log_level", "0 debug, 1 info, 2 warnings, 3 errors",
       [](Arguments& a) {
         return ClientCommand{{SetLogLevel{static_cast<LogLevel>(a.next<int>("level", 0, 3))}}, Answer::None, 0, ""};
       }},
      {"limit_team", "ID...: robots that form the team",
       [](Arguments& a) {
         const auto ids = a.ids();
         if (ids.empty()) a.fail<int>("a robot is missing");
         return ClientCommand{{LimitTeam{ids}}, Answer::None, 0, ""};
       }},
      {"reboot", "the robot",
       [](Arguments&) {
         return ClientCommand{{Reboot{}}, Answer::None, 0, ""};
       }},
  };
  return all;
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

ClientCommand command_from(const Words& words) {
  if (words.empty()) return {{}, Answer::None, 0, "a command is missing"};
  for (const Verb& verb : verbs()) {
    if (words.front() != verb.name) continue;
    Arguments arguments(words);
    ClientCommand command = verb.make(arguments);
    if (command.error.empty()) command.error = arguments.error;
    if (command.error.empty() && arguments.more()) command.error = "too many words";
    return command;
  }
  return {{}, Answer::None, 0, "'" + words.front() + "' is no command"};
}

std::string client_help() {
  std::ostringstream out;
  for (const Verb& verb : verbs())
    out << "  " << verb.name << std::string(14 - std::string(verb.name).size(), ' ') << verb.help << "\n";
  return out.str();
}

std::string in_words(const Message& message) {
  std::ostringstream out;
  std::visit(Writer{out}, message);
  return out.str();
}

RobotWatch::State RobotWatch::state(std::uint32_t address, double now) const {
  const auto found = heard_at_.find(address);
  if (found == heard_at_.end() || now - found->second >= 10.0) return State::Offline;
  return now - found->second <= 2.0 ? State::Online : State::Unreachable;
}

}  // namespace hl_remote
