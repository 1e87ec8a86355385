// SPDX-License-Identifier: Apache-2.0
#include "yaml_reader.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace hl_description {

YamlReader YamlReader::from_text(const std::string& text, const std::string& file) {
  try {
    YamlReader reader(YAML::Load(text), file, "");
    if (!reader.node_.IsMap()) reader.refuse("expected `key: value` lines");
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

void YamlReader::refuse(const std::string& why) const {
  throw ModelError(file_ + ":" + std::to_string(node_.Mark().line + 1) + ": " + (path_.empty() ? "" : path_ + ": ") +
                   why);
}

YamlReader YamlReader::operator[](const std::string& key) const {
  if (!node_.IsMap()) refuse("expected `key: value` lines");
  const YAML::Node child = node_[key];
  if (!child.IsDefined()) refuse("'" + key + "' is missing; add it");
  return {child, file_, path_.empty() ? key : path_ + "." + key};
}

std::vector<std::pair<std::string, YamlReader>> YamlReader::entries() const {
  if (!node_.IsMap()) refuse("expected `key: value` lines");
  std::vector<std::pair<std::string, YamlReader>> result;
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) refuse("keys must be plain words");
    const std::string key = entry.first.Scalar();
    if (std::any_of(result.begin(), result.end(), [&](const auto& seen) { return seen.first == key; }))
      refuse("'" + key + "' is given twice; remove one");
    result.emplace_back(key, YamlReader(entry.second, file_, path_.empty() ? key : path_ + "." + key));
  }
  return result;
}

std::vector<YamlReader> YamlReader::items(std::size_t expected) const {
  if (!node_.IsSequence() || node_.size() != expected)
    refuse("expected a list of " + std::to_string(expected) + " elements");
  std::vector<YamlReader> result;
  for (std::size_t i = 0; i < expected; ++i) result.push_back({node_[i], file_, path_ + "[" + std::to_string(i) + "]"});
  return result;
}

YamlReader YamlReader::merged() const {
  if (!has("<<")) return *this;
  const YamlReader base = (*this)["<<"].merged();
  if (!base.node_.IsMap()) base.refuse("expected an anchor of `key: value` lines after <<");
  YAML::Node result = YAML::Clone(base.node_);
  for (const auto& entry : node_)
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
    value = node_.as<double>();
  } catch (const YAML::Exception&) {
    refuse("expected a number" + (node_.IsScalar() ? ", not '" + node_.Scalar() + "'" : std::string()));
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
  if (value != std::floor(value)) refuse("expected a whole number, not " + node_.Scalar());
  return static_cast<int>(value);
}

bool YamlReader::truth() const {
  const std::string word = text();
  if (word != "true" && word != "false") refuse("expected true or false, not '" + word + "'");
  return word == "true";
}

std::string YamlReader::text() const {
  if (!node_.IsScalar()) refuse("expected a word");
  return node_.Scalar();
}

}  // namespace hl_description
