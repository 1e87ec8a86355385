// SPDX-License-Identifier: Apache-2.0
#include "verb.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>

#include "hints.hpp"

namespace ros2cli {
namespace {

struct HelpRequest {};

/// Fewest and most positional arguments of "A [B] [C ...]".
std::pair<std::size_t, std::size_t> positional_range(const std::string& text) {
  std::size_t least = 0, most = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.rfind("...", 0) == 0) {
      most = 1'000'000;
      continue;
    }
    ++most;
    if (word[0] != '[') ++least;
  }
  return {least, most};
}

bool is_negative_number(const std::string& word) {
  return word.size() > 1 && (std::isdigit(static_cast<unsigned char>(word[1])) || word[1] == '.');
}

}  // namespace

Option spin_time_option() {
  return {"spin-time", 0, "SECONDS", "wait at least so long for the graph to be discovered"};
}

std::optional<std::string> Arguments::value(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second.back());
}

std::vector<std::string> Arguments::values(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

double Arguments::number(const std::string& name, double fallback, double least) const {
  const auto text = value(name);
  if (!text) return fallback;
  double result = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), result);
  if (error != std::errc() || end != text->data() + text->size() || !(result >= least)) {
    throw CommandError("--" + name + " takes a number of at least " + std::to_string(least).substr(0, 4) + ", not '" +
                       *text + "'");
  }
  return result;
}

std::size_t Arguments::count(const std::string& name, std::size_t fallback) const {
  return static_cast<std::size_t>(std::min(number(name, static_cast<double>(fallback)), 1e15));
}

Command::Command(std::string name, std::string help, std::vector<Verb> verbs)
    : name_(std::move(name)), help_(std::move(help)), verbs_(std::move(verbs)) {}

int Command::run(const std::vector<std::string>& words) const {
  try {
    return dispatch(words);
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "ros2 %s: %s\n", name_.c_str(), error.what());
    return 1;
  }
}

int Command::dispatch(const std::vector<std::string>& words) const {
  if (words.empty() || words[0] == "-h" || words[0] == "--help") {
    std::printf("%s", usage().c_str());
    return words.empty() ? 2 : 0;
  }
  std::vector<std::string> known;
  for (const auto& verb : verbs_) {
    if (verb.name == words[0]) {
      try {
        return verb.run(parse(verb, {words.begin() + 1, words.end()}));
      } catch (const HelpRequest&) {
        std::printf("%s", usage(verb).c_str());
        return 0;
      }
    }
    known.push_back(verb.name);
  }
  throw CommandError("'" + words[0] + "' is not a verb" + did_you_mean(words[0], known) + "\n" + usage());
}

Arguments Command::parse(const Verb& verb, const std::vector<std::string>& words) const {
  Arguments result;
  bool options_end = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i];
    if (options_end || word.size() < 2 || word[0] != '-' || is_negative_number(word)) {
      // "-1" is an option of some verbs and a number elsewhere.
      const bool is_option = !options_end && word.size() == 2 && word[0] == '-' &&
                             std::any_of(verb.options.begin(), verb.options.end(),
                                         [&](const Option& option) { return option.letter == word[1]; });
      if (!is_option) {
        result.positional.push_back(word);
        continue;
      }
    }
    if (word == "--") {
      options_end = true;
      continue;
    }
    if (word == "-h" || word == "--help") throw HelpRequest();
    const bool is_long = word[1] == '-';
    const auto equals = is_long ? word.find('=') : std::string::npos;
    const std::string name =
        is_long ? word.substr(2, equals == std::string::npos ? equals : equals - 2) : word.substr(1, 1);
    const Option* option = nullptr;
    std::vector<std::string> known;
    for (const auto& candidate : verb.options) {
      if (is_long ? candidate.name == name : candidate.letter == name[0]) option = &candidate;
      known.push_back("--" + candidate.name);
    }
    if (option == nullptr) {
      throw CommandError("option '" + word + "' does not exist" + did_you_mean(word, known) + "\n" + usage(verb));
    }
    std::string value;
    if (option->value_name.empty()) {
      if (equals != std::string::npos || (!is_long && word.size() > 2)) {
        throw CommandError("option '" + word + "' takes no value");
      }
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (!is_long && word.size() > 2) {
      value = word.substr(2);
    } else if (++i < words.size()) {
      value = words[i];
    } else {
      throw CommandError("option '" + word + "' needs a value: " + option->value_name);
    }
    result.values_[option->name].push_back(value);
  }
  const auto [least, most] = positional_range(verb.positional);
  if (result.positional.size() < least || result.positional.size() > most) {
    throw CommandError((result.positional.size() < least
                            ? "an argument is missing"
                            : "'" + result.positional[most] + "' is one argument too many") +
                       ("\n" + usage(verb)));
  }
  return result;
}

std::string Command::usage() const {
  std::string text = help_ + "\n\nusage: ros2 " + name_ + " VERB [ARGUMENT ...]\n\nVerbs (`ros2 " + name_ +
                     " VERB --help` tells more):\n";
  for (const auto& verb : verbs_)
    text += "  " + verb.name + std::string(12 - std::min<std::size_t>(11, verb.name.size()), ' ') + verb.help + "\n";
  return text;
}

std::string Command::usage(const Verb& verb) const {
  std::string text = verb.help + "\n\nusage: ros2 " + name_ + " " + verb.name +
                     (verb.options.empty() ? "" : " [options]") +
                     (verb.positional.empty() ? "" : " " + verb.positional) + "\n";
  for (const auto& option : verb.options) {
    std::string line =
        option.letter != '\0' ? std::string("  -") + option.letter + ", --" + option.name : "      --" + option.name;
    if (!option.value_name.empty()) line += " " + option.value_name;
    if (line.size() < 34) line.resize(34, ' ');
    text += line + "  " + option.help + "\n";
  }
  return text;
}

}  // namespace ros2cli
