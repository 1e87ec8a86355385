// SPDX-License-Identifier: Apache-2.0
#include "type_library.hpp"

#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "hints.hpp"

namespace ros2cli {
namespace {

namespace fs = std::filesystem;

// Numbers of REP 2011: a scalar's own, plus an offset for arrays and sequences.
constexpr int nested_type = 1;
constexpr int array_offset = 48;
constexpr int bounded_offset = 96;
constexpr int sequence_offset = 144;
constexpr int bounded_string = 21;
constexpr int bounded_wstring = 22;
const std::map<int, Kind> kinds = {
    {nested_type, Kind::Message},
    {2, Kind::Int8},
    {3, Kind::UInt8},
    {4, Kind::Int16},
    {5, Kind::UInt16},
    {6, Kind::Int32},
    {7, Kind::UInt32},
    {8, Kind::Int64},
    {9, Kind::UInt64},
    {10, Kind::Float},
    {11, Kind::Double},
    {13, Kind::Char},
    {15, Kind::Bool},
    {16, Kind::Byte},
    {17, Kind::String},
    {18, Kind::WString},
    {bounded_string, Kind::String},
    {bounded_wstring, Kind::WString},
};

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The object that follows `"name": ` in a JSON text. Only it is parsed: a package may have hundreds.
std::string json_object(const std::string& text, const std::string& name) {
  const std::string key = "\"" + name + "\": {";
  const auto start = text.find(key);
  if (start == std::string::npos) return {};
  const auto open = start + key.size() - 1;
  int depth = 0;
  for (auto end = open; end < text.size(); ++end) {
    if (text[end] == '{') ++depth;
    if (text[end] == '}' && --depth == 0) return text.substr(open, end - open + 1);
  }
  return {};
}

/// Keys of the outermost object, for hints: `"pkg/msg/Name": {`
std::vector<std::string> json_keys(const std::string& text) {
  std::vector<std::string> keys;
  for (auto end = text.find("\": {"); end != std::string::npos; end = text.find("\": {", end + 1)) {
    const auto start = text.rfind('"', end - 1) + 1;
    const auto key = text.substr(start, end - start);
    if (key.find('/') != std::string::npos) keys.push_back(key);
  }
  return keys;
}

Field field_from(const YAML::Node& node) {
  Field field;
  field.name = node["name"].as<std::string>();
  const auto type = node["type"];
  int id = type["type_id"].as<int>();
  if (id > sequence_offset) {
    field.shape = Shape::Sequence;
    id -= sequence_offset;
  } else if (id > bounded_offset) {
    field.shape = Shape::BoundedSequence;
    id -= bounded_offset;
  } else if (id > array_offset) {
    field.shape = Shape::Array;
    id -= array_offset;
  }
  const auto kind = kinds.find(id);
  if (kind == kinds.end())
    throw CommandError("field '" + field.name + "' has the unknown type number " + std::to_string(id));
  field.kind = kind->second;
  field.capacity = type["capacity"].as<std::size_t>();
  field.string_capacity = type["string_capacity"].as<std::size_t>();
  return field;
}

struct DefinitionFile {
  std::string path;  // below the share folder
  int section;       // between the lines of ---
};

/// Where the fields of a type are written down, e.g. section 1 of srv/Name.srv for "Name_Response".
DefinitionFile definition_file(const std::string& middle, const std::string& name) {
  const std::pair<const char*, int> parts[] = {
      {"_Request", 0}, {"_Goal", 0}, {"_Response", 1}, {"_Result", 1}, {"_Feedback", 2}};
  for (const auto& [ending, section] : parts) {
    const auto at = name.rfind(ending);
    if (middle != "msg" && at != std::string::npos && at + std::string(ending).size() == name.size()) {
      return {middle + "/" + name.substr(0, at) + "." + middle, section};
    }
  }
  return {middle + "/" + name + "." + middle, 0};
}

/// field -> default value, as written in a .msg, .srv or .action text: `type name value`, but not `type NAME=value`.
std::map<std::string, std::string> defaults_in(const std::string& text, int section) {
  std::map<std::string, std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("---", 0) == 0) --section;
    std::istringstream words(line);
    std::string type, name, value;
    if (section != 0 || !(words >> type >> name) || type[0] == '#') continue;
    std::getline(words >> std::ws, value);
    const bool has_value = !value.empty() && value[0] != '#' && value[0] != '=';
    if (has_value && name.find_first_of("=#") == std::string::npos) found[name] = value;
  }
  return found;
}

}  // namespace

std::size_t size_of(Kind kind) {
  switch (kind) {
    case Kind::Int8:
    case Kind::UInt8:
    case Kind::Char:
    case Kind::Bool:
    case Kind::Byte:
      return 1;
    case Kind::Int16:
    case Kind::UInt16:
      return 2;
    case Kind::Int32:
    case Kind::UInt32:
    case Kind::Float:
      return 4;
    case Kind::Int64:
    case Kind::UInt64:
    case Kind::Double:
      return 8;
    case Kind::Message:
    case Kind::String:
    case Kind::WString:
      return 0;
  }
  return 0;
}

std::string name_of(Kind kind) {
  switch (kind) {
    case Kind::Message:
      return "message";
    case Kind::Int8:
      return "int8";
    case Kind::UInt8:
      return "uint8";
    case Kind::Int16:
      return "int16";
    case Kind::UInt16:
      return "uint16";
    case Kind::Int32:
      return "int32";
    case Kind::UInt32:
      return "uint32";
    case Kind::Int64:
      return "int64";
    case Kind::UInt64:
      return "uint64";
    case Kind::Float:
      return "float";
    case Kind::Double:
      return "double";
    case Kind::Char:
      return "char";
    case Kind::Bool:
      return "boolean";
    case Kind::Byte:
      return "octet";
    case Kind::String:
      return "string";
    case Kind::WString:
      return "wstring";
  }
  return "";
}

struct TypeLibrary::Package {
  fs::path share;
  std::string descriptions;
};

TypeLibrary::TypeLibrary() : TypeLibrary(prefixes_from_environment()) {}
TypeLibrary::TypeLibrary(std::vector<std::string> prefixes) : prefixes_(std::move(prefixes)) {}
TypeLibrary::~TypeLibrary() = default;

TypeLibrary::Package& TypeLibrary::package(const std::string& name) {
  auto& entry = packages_[name];
  if (entry) return *entry;
  for (const auto& prefix : prefixes_) {
    const auto share = fs::path(prefix) / "share" / name;
    if (fs::exists(share / "type_descriptions.json")) {
      entry = std::make_unique<Package>(Package{share, read_text(share / "type_descriptions.json")});
      return *entry;
    }
  }
  packages_.erase(name);
  std::vector<std::string> known;
  for (const auto& [package, prefix] : installed_packages(prefixes_)) {
    if (fs::exists(fs::path(prefix) / "share" / package / "type_descriptions.json")) known.push_back(package);
  }
  throw CommandError("package '" + name + "' defines no interfaces, or is not in a sourced workspace" +
                     did_you_mean(name, known));
}

std::string TypeLibrary::full_name(const std::string& name, const std::string& middle) {
  const auto slash = name.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == name.size()) {
    throw CommandError("'" + name + "' is not a type; write package/" + middle + "/Name");
  }
  return name.find('/', slash + 1) == std::string::npos ? name.substr(0, slash) + "/" + middle + name.substr(slash)
                                                        : name;
}

std::string TypeLibrary::hash(const std::string& name) {
  const auto object = json_object(package(name.substr(0, name.find('/'))).descriptions, name);
  return object.empty() ? "" : YAML::Load(object)["type_hash"].as<std::string>("");
}

const Description& TypeLibrary::find(const std::string& given) {
  const auto name = full_name(given, "msg");
  const auto known = types_.find(name);
  if (known != types_.end()) return *known->second;
  const auto first = name.find('/');
  const auto second = name.find('/', first + 1);
  auto& home = package(name.substr(0, first));
  const auto object = json_object(home.descriptions, name);
  if (object.empty()) {
    throw CommandError("type '" + given + "' does not exist" + did_you_mean(name, json_keys(home.descriptions)));
  }
  try {
    const auto node = YAML::Load(object);
    auto description = std::make_unique<Description>();
    description->name = name;
    description->hash = node["type_hash"].as<std::string>("");
    const auto file = definition_file(name.substr(first + 1, second - first - 1), name.substr(second + 1));
    const auto defaults = defaults_in(read_text(home.share / file.path), file.section);
    for (const auto& entry : node["fields"]) {
      auto field = field_from(entry);
      if (field.kind == Kind::Message) field.message = &find(entry["type"]["nested_type_name"].as<std::string>());
      const auto value = defaults.find(field.name);
      if (value != defaults.end()) field.default_text = value->second;
      description->fields.push_back(std::move(field));
    }
    return *(types_[name] = std::move(description));
  } catch (const YAML::Exception& error) {
    throw CommandError((home.share / "type_descriptions.json").string() + " is broken at '" + name +
                       "': " + error.what() + "; build the package anew");
  }
}

std::vector<std::string> prefixes_from_environment() {
  const char* variable = std::getenv("AMENT_PREFIX_PATH");
  std::vector<std::string> prefixes;
  std::istringstream parts(variable == nullptr ? "" : variable);
  for (std::string part; std::getline(parts, part, ':');) {
    if (!part.empty()) prefixes.push_back(part);
  }
  if (prefixes.empty()) {
    throw CommandError(
        "AMENT_PREFIX_PATH is not set; source the setup file of a workspace first, e.g. `. install/setup.bash`");
  }
  return prefixes;
}

std::map<std::string, std::string> installed_packages(const std::vector<std::string>& prefixes) {
  std::map<std::string, std::string> found;
  for (const auto& prefix : prefixes) {
    std::error_code error;
    for (const auto& entry :
         fs::directory_iterator(fs::path(prefix) / "share/ament_index/resource_index/packages", error)) {
      found.emplace(entry.path().filename().string(), prefix);
    }
  }
  return found;
}

}  // namespace ros2cli
