// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "hl_vision/ball_network.hpp"

namespace hl_vision {

/// The words of a command line: options with one value each, and the rest.
class Arguments {
 public:
  Arguments(int argc, char** argv, std::string usage) : usage_(std::move(usage)) {
    for (int n = 1; n < argc; ++n) {
      const std::string word = argv[n];
      if (word == "--help" || word == "-h") {
        help_ = true;
      } else if (word.rfind("--", 0) == 0) {
        if (n + 1 >= argc) missing_ = word;
        options_.emplace_back(word, n + 1 < argc ? argv[++n] : "");
      } else {
        words_.push_back(word);
      }
    }
  }

  /// To be asked for every option before `ok`, which refuses those nobody asked for.
  std::string option(const std::string& name, const std::string& otherwise) {
    known_.push_back(name);
    for (const auto& [key, value] : options_) {
      if (key == name) return value;
    }
    return otherwise;
  }
  double number(const std::string& name, double otherwise) {
    const std::string text = option(name, "");
    if (text.empty()) return otherwise;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size()) missing_ = name;
    return value;
  }
  bool ok() {
    option("--weights", "");
    for (const auto& option : options_) {
      bool found = false;
      for (const auto& name : known_) found |= name == option.first;
      if (!found) missing_ = option.first;
    }
    return !help_ && missing_.empty();
  }
  int usage() const {
    if (!missing_.empty())
      std::fprintf(stderr, "option %s is unknown, or its value is missing or no number\n", missing_.c_str());
    std::fprintf(help_ ? stdout : stderr, "%s\n", usage_.c_str());
    return help_ ? 0 : 2;
  }
  const std::vector<std::string>& words() const { return words_; }

 private:
  std::string usage_, missing_;
  bool help_ = false;
  std::vector<std::pair<std::string, std::string>> options_;
  std::vector<std::string> words_, known_;
};

inline BallNetwork network_from(Arguments& arguments) {
  return BallNetwork::from_file(arguments.option("--weights", HL_VISION_WEIGHTS));
}

}  // namespace hl_vision
