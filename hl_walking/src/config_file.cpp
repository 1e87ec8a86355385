// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/config_file.hpp"

#include <yaml-cpp/yaml.h>

#include <sstream>
#include <stdexcept>

namespace hl_walking {
namespace {

std::runtime_error not_a_number(const std::string& path, const YAML::Node& node, const std::string& name) {
  return std::runtime_error(path + ":" + std::to_string(node.Mark().line + 1) + ": " + name + " is not a number");
}

/// Every number below `node`, by its name with dots.
void set_all(const std::string& path, const std::string& prefix, const YAML::Node& node, WalkConfig& config) {
  for (const auto& entry : node) {
    const std::string name = prefix + entry.first.as<std::string>();
    if (entry.second.IsMap()) {
      set_all(path, name + ".", entry.second, config);
      continue;
    }
    try {
      config.set(name, entry.second.as<double>());
    } catch (const YAML::Exception&) {
      if (!WalkConfig().set(name, 0.0)) continue;  // a parameter of the node that is not a number
      throw not_a_number(path, entry.second, name);
    }
  }
}

/// With a point even if it is whole: the node's parameters are floating point, and YAML's `1` is not.
std::string number(double value) {
  std::ostringstream out;
  out.precision(5);
  out << value;
  const std::string text = out.str();
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

template <class Params>
void describe(std::ostream& out, const char* indent, const hl_node::ParameterTable<Params>& table, Params params) {
  using Number = typename hl_node::ParameterTable<Params>::template Member<double>;
  for (const auto& row : table.rows())
    out << indent << row.name << ": " << number(std::get<Number>(row.value)(params)) << "  # " << row.meaning << '\n';
}

}  // namespace

const hl_node::ParameterTable<WalkConfig>& WalkConfig::parameters() {
  static const auto table = hl_node::ParameterTable<WalkConfig>({})
                                .with(&WalkConfig::walk, hl_walking::parameters())
                                .with(&WalkConfig::odometry, Odometry::parameters(), "odometry.")
                                .with(&WalkConfig::kick, Kick::parameters(), "kick.");
  return table;
}

bool WalkConfig::set(const std::string& name, double value) {
  return parameters().set(*this, name, value);
}

WalkConfig load_config(const std::string& path) {
  YAML::Node root;
  try {
    root = YAML::LoadFile(path);
  } catch (const YAML::Exception& e) {
    throw std::runtime_error(path + ": " + e.what());
  }
  const YAML::Node values = root["/**/walking"]["ros__parameters"];
  if (!values.IsMap()) throw std::runtime_error(path + ": no map `/**/walking: ros__parameters:`");
  WalkConfig config;
  set_all(path, "", values, config);
  if (const auto bad = config.walk.validate()) throw std::runtime_error(path + ": " + *bad);
  if (const auto bad = config.kick.validate()) throw std::runtime_error(path + ": " + *bad);
  if (const auto bad = config.odometry.validate()) throw std::runtime_error(path + ": " + *bad);
  return config;
}

std::string config_text(const WalkConfig& config, const std::string& comment) {
  std::ostringstream out;
  out << "# SPDX-License-Identifier: Apache-2.0\n# " << comment << "\n/**/walking:\n  ros__parameters:\n";
  describe(out, "    ", parameters(), config.walk);
  out << "    odometry:\n";
  describe(out, "      ", Odometry::parameters(), config.odometry);
  out << "    kick:\n";
  describe(out, "      ", Kick::parameters(), config.kick);
  return out.str();
}

}  // namespace hl_walking
