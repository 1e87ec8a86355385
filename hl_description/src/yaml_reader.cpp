// SPDX-License-Identifier: Apache-2.0
#include "hl_description/yaml_reader.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace hl_description {

YamlReader YamlReader::from_text(const std::string& text, const std::string& file) {
  try {
    const YamlReader reader(YAML::Load(text), file, "");
    if (!reader.is_map()) reader.refuse("expected `key: value` lines");
    return reader;
  } catch (const YAML::Exception& error) {
    throw ModelError(file + ":" + std::to_string(error.mark.line + 1) + ": not valid YAML: " + error.msg +
                     "; check indentation and brackets there");
  }
}

std::string YamlReader::read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw ModelError(path + ": cannot be read; check the path");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

YamlReader::YamlReader(const YAML::Node& node, std::string file, std::string path)
    : node_(std::make_shared<const YAML::Node>(node)), file_(std::move(file)), path_(std::move(path)) {}

YamlReader YamlReader::child(const YAML::Node& node, const std::string& key) const {
  return {node, file_, path_.empty() ? key : path_ + "." + key};
}

void YamlReader::refuse(const std::string& why) const {
  throw ModelError(file_ + ":" + std::to_string(line()) + ": " + (path_.empty() ? "" : path_ + ": ") + why);
}

int YamlReader::line() const {
  return node_->Mark().line + 1;
}

bool YamlReader::is_map() const {
  return node_->IsMap();
}

bool YamlReader::is_list() const {
  return node_->IsSequence();
}

bool YamlReader::has(const std::string& key) const {
  return is_map() && (*node_)[key].IsDefined();
}

YamlReader YamlReader::operator[](const std::string& key) const {
  if (!is_map()) refuse("expected `key: value` lines");
  if (!has(key)) refuse("'" + key + "' is missing; add it");
  return child((*node_)[key], key);
}

std::vector<std::pair<std::string, YamlReader>> YamlReader::entries() const {
  if (!is_map()) refuse("expected `key: value` lines");
  std::vector<std::pair<std::string, YamlReader>> result;
  for (const auto& entry : *node_) {
    if (!entry.first.IsScalar()) refuse("keys must be plain words");
    const std::string key = entry.first.Scalar();
    if (std::any_of(result.begin(), result.end(), [&](const auto& seen) { return seen.first == key; }))
      refuse("'" + key + "' is given twice; remove one");
    result.emplace_back(key, child(entry.second, key));
  }
  return result;
}

std::vector<YamlReader> YamlReader::items() const {
  if (!is_list()) refuse("expected a list");
  std::vector<YamlReader> result;
  for (const auto& item : *node_) result.push_back({item, file_, path_ + "[" + std::to_string(result.size()) + "]"});
  return result;
}

std::vector<YamlReader> YamlReader::items(std::size_t expected) const {
  if (!is_list() || node_->size() != expected) refuse("expected a list of " + std::to_string(expected) + " elements");
  return items();
}

YamlReader YamlReader::merged() const {
  if (!has("<<")) return *this;
  const YamlReader base = (*this)["<<"].merged();
  if (!base.is_map()) base.refuse("expected an anchor of `key: value` lines after <<");
  YAML::Node result = YAML::Clone(*base.node_);
  for (const auto& entry : *node_)
    if (entry.first.Scalar() != "<<") result[entry.first.Scalar()] = entry.second;
  return {result, file_, path_};
}

void YamlReader::only(std::initializer_list<const char*> keys) const {
  for (const auto& [key, value] : entries()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (const char* name : keys) known += (known.empty() ? "" : ", ") + std::string(name);
    value.refuse("unknown key; one of: " + known);
  }
}

double YamlReader::number() const {
  double value = 0.0;
  try {
    value = node_->as<double>();
  } catch (const YAML::Exception&) {
    refuse("expected a number" + (node_->IsScalar() ? ", not '" + node_->Scalar() + "'" : std::string()));
  }
  if (!std::isfinite(value)) refuse("must be a finite number");
  return value;
}

double YamlReader::number_in(double low, double high) const {
  const double value = number();
  if (value < low || value > high) {
    std::ostringstream why;
    why << value << " is outside " << low << ".." << high;
    refuse(why.str());
  }
  return value;
}

int YamlReader::integer_in(int low, int high) const {
  const double value = number_in(low, high);
  if (value != std::floor(value)) refuse("expected a whole number, not " + node_->Scalar());
  return static_cast<int>(value);
}

bool YamlReader::flag() const {
  bool value = false;
  if (!YAML::convert<bool>::decode(*node_, value)) refuse("expected true or false");
  return value;
}

std::string YamlReader::text() const {
  if (!node_->IsScalar()) refuse("expected a word");
  return node_->Scalar();
}

}  // namespace hl_description
