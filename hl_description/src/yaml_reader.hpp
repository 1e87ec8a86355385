// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

#include "hl_description/robot_model.hpp"

namespace hl_description {

/// A YAML node that knows where it stands, so that every error names file, line, key and remedy.
class YamlReader {
 public:
  static YamlReader from_text(const std::string& text, const std::string& file);
  static std::string read_file(const std::string& path);  // throws ModelError

  /// Throws ModelError: "file:line: path: why".
  [[noreturn]] void refuse(const std::string& why) const;

  bool has(const std::string& key) const { return node_.IsMap() && node_[key].IsDefined(); }
  YamlReader operator[](const std::string& key) const;              // refused if missing
  std::vector<std::pair<std::string, YamlReader>> entries() const;  // of a map
  std::vector<YamlReader> items(std::size_t expected) const;        // of a list of `expected` elements
  YamlReader merged() const;  // with the entries of `<<` keys taken over; own entries win
  /// Refuses keys that nobody reads, which are usually misspelt ones.
  void only(std::initializer_list<const char*> keys) const;

  double number() const;
  double number(const std::string& key, double otherwise) const { return has(key) ? (*this)[key].number() : otherwise; }
  double number_in(double low, double high) const;
  int integer_in(int low, int high) const;
  int integer_in(const std::string& key, int low, int high, int otherwise) const {
    return has(key) ? (*this)[key].integer_in(low, high) : otherwise;
  }
  std::string text() const;
  bool truth() const;  // true or false

 private:
  YamlReader(YAML::Node node, std::string file, std::string path)
      : node_(std::move(node)), file_(std::move(file)), path_(std::move(path)) {}
  YAML::Node node_;
  std::string file_, path_;
};

}  // namespace hl_description
