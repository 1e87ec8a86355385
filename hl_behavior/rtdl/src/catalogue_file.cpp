// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <stdexcept>

#include "hl_behavior/rtdl/catalogue.hpp"

namespace hl_behavior::rtdl {
namespace {

[[noreturn]] void refuse(const std::string& path, const YAML::Mark& mark, const std::string& message) {
  throw std::runtime_error(path + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1) + ": " +
                           message);
}

void known_keys(const std::string& path, const YAML::Node& node, std::initializer_list<const char*> keys) {
  if (!node.IsMap()) refuse(path, node.Mark(), "a map is expected here");
  for (const auto& entry : node) {
    const auto key = entry.first.as<std::string>();
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      refuse(path, entry.first.Mark(), "unknown key '" + key + "': remove it");
    }
  }
}

std::vector<Parameter> parameters_of(const std::string& path, const YAML::Node& node) {
  std::vector<Parameter> parameters;
  for (const auto& entry : node["parameters"]) {
    known_keys(path, entry, {"name", "type", "sets", "required"});
    parameters.push_back({entry["name"].as<std::string>(), entry["type"].as<std::string>(),
                          entry["sets"].as<bool>(false), entry["required"].as<bool>(true)});
  }
  return parameters;
}

Ending ending_of(const std::string& path, const YAML::Node& node) {
  const auto text = node["ending"].as<std::string>("by_itself");
  if (text == "by_itself") return Ending::ByItself;
  if (text == "lasting") return Ending::Lasting;
  if (text == "after_seconds") return Ending::AfterSeconds;
  refuse(path, node["ending"].Mark(), "'" + text + "' is no ending: by_itself, lasting or after_seconds");
}

Catalogue from_yaml(const std::string& path, const YAML::Node& root) {
  known_keys(path, root, {"types", "capabilities", "predicates", "entities"});
  Catalogue catalogue;
  for (const auto& entry : root["types"]) {
    catalogue.types.push_back({entry.first.as<std::string>(), entry.second.as<std::string>()});
  }
  for (const auto& entry : root["capabilities"]) {
    known_keys(path, entry,
               {"name", "slot", "parameters", "can_fail", "typical_duration", "ending", "time_limit", "meaning"});
    catalogue.capabilities.push_back({entry["name"].as<std::string>(), entry["slot"].as<std::string>(""),
                                      parameters_of(path, entry), entry["can_fail"].as<bool>(true),
                                      entry["typical_duration"].as<double>(0.0), ending_of(path, entry),
                                      entry["time_limit"].as<double>(0.0), entry["meaning"].as<std::string>("")});
  }
  for (const auto& entry : root["predicates"]) {
    known_keys(path, entry, {"name", "parameters", "type", "meaning"});
    catalogue.predicates.push_back({entry["name"].as<std::string>(), parameters_of(path, entry),
                                    entry["type"].as<std::string>("truth"), entry["meaning"].as<std::string>("")});
  }
  for (const auto& entry : root["entities"]) {
    catalogue.entities.push_back({entry.first.as<std::string>(), entry.second.as<std::string>()});
  }
  return catalogue;
}

void write(YAML::Emitter& out, const std::vector<Parameter>& parameters) {
  if (parameters.empty()) return;
  out << YAML::Key << "parameters" << YAML::Value << YAML::BeginSeq;
  for (const Parameter& p : parameters) {
    out << YAML::Flow << YAML::BeginMap << YAML::Key << "name" << YAML::Value << p.name << YAML::Key << "type"
        << YAML::Value << p.type;
    if (p.sets) out << YAML::Key << "sets" << YAML::Value << true;
    if (!p.required) out << YAML::Key << "required" << YAML::Value << false;
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

}  // namespace

Catalogue read_catalogue(const std::string& path) {
  try {
    Catalogue catalogue = from_yaml(path, YAML::LoadFile(path));
    if (const auto bad = catalogue.validate()) throw std::runtime_error(path + ": " + *bad);
    return catalogue;
  } catch (const YAML::BadFile&) {
    throw std::runtime_error(path + ": cannot be read");
  } catch (const YAML::Exception& error) {
    refuse(path, error.mark, error.msg);
  }
}

std::string write_catalogue(const Catalogue& catalogue) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  out << YAML::Key << "types" << YAML::Value << YAML::BeginMap;
  for (const EntityType& type : catalogue.types) out << YAML::Key << type.name << YAML::Value << type.parent;
  out << YAML::EndMap;
  out << YAML::Key << "capabilities" << YAML::Value << YAML::BeginSeq;
  for (const Capability& c : catalogue.capabilities) {
    out << YAML::BeginMap << YAML::Key << "name" << YAML::Value << c.name;
    if (!c.slot.empty()) out << YAML::Key << "slot" << YAML::Value << c.slot;
    write(out, c.parameters);
    out << YAML::Key << "can_fail" << YAML::Value << c.can_fail;
    out << YAML::Key << "typical_duration" << YAML::Value << c.typical_duration;
    if (c.ending == Ending::Lasting) out << YAML::Key << "ending" << YAML::Value << "lasting";
    if (c.ending == Ending::AfterSeconds) out << YAML::Key << "ending" << YAML::Value << "after_seconds";
    if (c.time_limit > 0.0) out << YAML::Key << "time_limit" << YAML::Value << c.time_limit;
    out << YAML::Key << "meaning" << YAML::Value << c.meaning << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::Key << "predicates" << YAML::Value << YAML::BeginSeq;
  for (const Predicate& p : catalogue.predicates) {
    out << YAML::BeginMap << YAML::Key << "name" << YAML::Value << p.name;
    write(out, p.parameters);
    out << YAML::Key << "type" << YAML::Value << p.type;
    out << YAML::Key << "meaning" << YAML::Value << p.meaning << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::Key << "entities" << YAML::Value << YAML::BeginMap;
  for (const NamedEntity& entity : catalogue.entities) out << YAML::Key << entity.name << YAML::Value << entity.type;
  out << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace hl_behavior::rtdl
