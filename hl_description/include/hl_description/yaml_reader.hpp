// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hl_description/robot_model.hpp"

namespace YAML {
class Node;
}

namespace hl_description {

/// A place in a YAML file that knows where it stands, so that every error names file, line, key and remedy. Whatever
/// is wrong with the file is a ModelError.
class YamlReader {
 public:
  static YamlReader from_text(const std::string& text, const std::string& file);  // whose root is a map
  static std::string read_file(const std::string& path);

  /// Throws ModelError: "file:line: path: why".
  [[noreturn]] void refuse(const std::string& why) const;
  int line() const;  // from 1 on

  bool is_map() const;
  bool is_list() const;
  bool has(const std::string& key) const;
  YamlReader operator[](const std::string& key) const;              // refused if missing
  std::vector<std::pair<std::string, YamlReader>> entries() const;  // of a map
  std::vector<YamlReader> items() const;                            // of a list
  std::vector<YamlReader> items(std::size_t expected) const;        // of a list of `expected` elements
  YamlReader merged() const;  // with the entries of `<<` keys taken over; own entries win
  /// Refuses keys that nobody reads, which are usually misspelt ones.
  void only(std::initializer_list<const char*> keys) const;

  double number() const;
  double number_in(double low, double high) const;
  int integer_in(int low, int high) const;
  bool flag() const;
  std::string text() const;
  /// What belongs to this word, which must be one of `words`.
  template <class T>
  T word(std::initializer_list<std::pair<const char*, T>> words) const {
    const std::string given = text();
    std::string all;
    for (const auto& [name, value] : words) {
      if (given == name) return value;
      all += (all.empty() ? "" : ", ") + std::string(name);
    }
    refuse("'" + given + "' is none of " + all);
  }

  // The same for a key that may be missing.
  double number(const std::string& key, double otherwise) const { return has(key) ? (*this)[key].number() : otherwise; }
  double number_in(const std::string& key, double low, double high, double otherwise) const {
    return has(key) ? (*this)[key].number_in(low, high) : otherwise;
  }
  int integer_in(const std::string& key, int low, int high, int otherwise) const {
    return has(key) ? (*this)[key].integer_in(low, high) : otherwise;
  }
  bool flag(const std::string& key, bool otherwise) const { return has(key) ? (*this)[key].flag() : otherwise; }
  std::string text(const std::string& key, const std::string& otherwise) const {
    return has(key) ? (*this)[key].text() : otherwise;
  }
  template <class T>
  T word(const std::string& key, std::initializer_list<std::pair<const char*, T>> words, T otherwise) const {
    return has(key) ? (*this)[key].word(words) : otherwise;
  }

 private:
  YamlReader(const YAML::Node& node, std::string file, std::string path);
  YamlReader child(const YAML::Node& node, const std::string& key) const;

  std::shared_ptr<const YAML::Node> node_;
  std::string file_, path_;
};

}  // namespace hl_description
