// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ros2cli {

struct Option {
  std::string name;        // without the dashes
  char letter = '\0';      // short form
  std::string value_name;  // empty: a flag
  std::string help;
};

/// --spin-time, of the verbs that look at the whole graph.
Option spin_time_option();

/// The words of a command line, sorted.
class Arguments {
 public:
  bool flag(const std::string& name) const { return values_.count(name) != 0; }
  std::optional<std::string> value(const std::string& name) const;
  std::vector<std::string> values(const std::string& name) const;
  /// Throws CommandError if it is not a number or below `least`.
  double number(const std::string& name, double fallback, double least = 0.0) const;
  std::size_t count(const std::string& name, std::size_t fallback) const;

  std::vector<std::string> positional;

 private:
  friend class Command;
  std::map<std::string, std::vector<std::string>> values_;
};

struct Verb {
  std::string name;
  std::string positional;  // as shown in the usage: "TOPIC [TYPE]"
  std::string help;
  std::vector<Option> options;
  std::function<int(const Arguments&)> run;
};

/// `ros2 NAME VERB ...`
class Command {
 public:
  Command(std::string name, std::string help, std::vector<Verb> verbs);
  /// Runs the verb; every error becomes a message and an exit code.
  int run(const std::vector<std::string>& words) const;

 private:
  int dispatch(const std::vector<std::string>& words) const;
  Arguments parse(const Verb& verb, const std::vector<std::string>& words) const;
  std::string usage() const;
  std::string usage(const Verb& verb) const;

  std::string name_;
  std::string help_;
  std::vector<Verb> verbs_;
};

// The commands, one per program.
Command action_command();
Command component_command();
Command node_command();
Command param_command();
Command service_command();
Command topic_command();

}  // namespace ros2cli
