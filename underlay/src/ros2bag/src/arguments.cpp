// SPDX-License-Identifier: Apache-2.0
#include "ros2bag/arguments.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace ros2bag {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string unknown(const std::string& word, const std::vector<Option>& options) {
  std::string nearest;
  std::size_t best = 4;  // beyond this many changes a hint is a guess
  for (const auto& option : options) {
    for (const auto& name : option.names) {
      if (const std::size_t distance = edit_distance(word, name); name.size() > 2 && distance < best) {
        best = distance;
        nearest = name;
      }
    }
  }
  return "unknown option '" + word + "'" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
}

constexpr double largest = 1e15;  // bytes, seconds or Hz

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !std::isdigit(word[1]);
}

}  // namespace

std::string Parsed::value(const std::string& option, const std::string& otherwise) const {
  const auto found = options.find(option);
  return found == options.end() || found->second.empty() ? otherwise : found->second.back();
}

double Parsed::number(const std::string& option, double otherwise, double minimum) const {
  const std::string text = value(option);
  if (text.empty()) return otherwise;
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= minimum && number <= largest)) {
    throw UsageError(option + " '" + text + "' is not a number of at least " + std::to_string(minimum));
  }
  return number;
}

Parsed parse(const std::vector<std::string>& words, const std::vector<Option>& options) {
  Parsed parsed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i];
    if (!is_option(word)) {
      parsed.positional.push_back(word);
      continue;
    }
    std::vector<std::string> values;
    if (const auto equals = word.find('='); word.rfind("--", 0) == 0 && equals != std::string::npos) {
      values.push_back(word.substr(equals + 1));
      word.erase(equals);
    }
    const auto option = std::find_if(options.begin(), options.end(), [&word](const Option& candidate) {
      return std::find(candidate.names.begin(), candidate.names.end(), word) != candidate.names.end();
    });
    if (option == options.end()) throw UsageError(unknown(word, options));
    const auto room = [&] {
      return option->takes == Takes::Many || (option->takes != Takes::Nothing && values.empty());
    };
    while (room() && i + 1 < words.size() && !is_option(words[i + 1])) values.push_back(words[++i]);
    if (option->takes == Takes::Nothing && !values.empty()) throw UsageError("'" + word + "' takes no value");
    if (values.empty() && (option->takes == Takes::One || option->takes == Takes::Many)) {
      throw UsageError("'" + word + "' needs a value");
    }
    auto& known = parsed.options[option->names.front()];
    known.insert(known.end(), values.begin(), values.end());
  }
  return parsed;
}

}  // namespace ros2bag
