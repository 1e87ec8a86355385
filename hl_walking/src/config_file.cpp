// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/config_file.hpp"

#include <yaml-cpp/yaml.h>

#include <sstream>
#include <stdexcept>
#include <utility>

namespace hl_walking {
namespace {

constexpr std::pair<const char*, double Odometry::Params::*> kScales[] = {
    {"scale_forward", &Odometry::Params::scale_forward},
    {"scale_backward", &Odometry::Params::scale_backward},
    {"scale_sideways", &Odometry::Params::scale_sideways},
    {"scale_turn", &Odometry::Params::scale_turn}};

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

template <class Info>
void describe(std::ostream& out, const char* indent, const Info& info, double value) {
  out << indent << info.name << ": " << number(value) << "  # " << info.unit << (*info.unit != '\0' ? ": " : "")
      << info.description << '\n';
}

}  // namespace

bool WalkConfig::set(const std::string& name, double value) {
  if (const ParameterInfo* info = find_parameter(name)) {
    walk.*info->value = value;
    return true;
  }
  for (const Kick::ParameterInfo& info : Kick::parameter_table()) {
    if (name == std::string("kick.") + info.name) {
      kick.*info.value = value;
      return true;
    }
  }
  for (const auto& [scale, member] : kScales) {
    if (name == std::string("odometry.") + scale) {
      odometry.*member = value;
      return true;
    }
  }
  return false;
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
  for (const ParameterInfo& info : parameter_table()) describe(out, "    ", info, config.walk.*info.value);
  out << "    odometry:  # true way over counted way\n";
  for (const auto& [scale, member] : kScales)
    out << "      " << scale << ": " << number(config.odometry.*member) << '\n';
  out << "    kick:\n";
  for (const Kick::ParameterInfo& info : Kick::parameter_table()) {
    describe(out, "      ", info, config.kick.*info.value);
  }
  return out.str();
}

}  // namespace hl_walking
