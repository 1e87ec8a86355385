// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/config_file.hpp"

#include <hl_description/yaml_reader.hpp>
#include <sstream>
#include <stdexcept>

namespace hl_walking {
namespace {

/// Every number of the walk in `map`, by its name with dots; the node has other parameters beside them.
void set_all(const std::string& prefix, const hl_description::YamlReader& map, WalkConfig& config) {
  for (const auto& [key, value] : map.entries()) {
    const std::string name = prefix + key;
    if (value.is_map())
      set_all(name + ".", value, config);
    else if (WalkConfig::parameters().find(name))
      config.set(name, value.number());
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
  using hl_description::YamlReader;
  const auto root = YamlReader::from_text(YamlReader::read_file(path), path);
  WalkConfig config;
  set_all("", root["/**/walking"]["ros__parameters"], config);
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
