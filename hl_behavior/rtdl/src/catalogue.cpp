// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "hl_behavior/rtdl/tree.hpp"

namespace hl_behavior::rtdl {
namespace {

template <class Entry>
const Entry* find(const std::vector<Entry>& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::string list(const std::vector<Parameter>& parameters) {
  std::string text = "(";
  for (const Parameter& parameter : parameters) {
    if (text.size() > 1) text += ", ";
    const std::string one = (parameter.sets ? "sets " : "") + parameter.type + " " + parameter.name;
    text += parameter.required ? one : "[" + one + "]";
  }
  return text + ")";
}

std::optional<std::string> check(const Catalogue& catalogue, const std::string& owner,
                                 const std::vector<Parameter>& parameters) {
  bool optional = false;
  for (const Parameter& parameter : parameters) {
    if (!is_value_type(parameter.type) && !catalogue.has_type(parameter.type)) {
      return "'" + owner + "' has a parameter of unknown type '" + parameter.type + "': declare the type";
    }
    if (parameter.required && optional) {
      return "'" + owner + "' has the required parameter '" + parameter.name + "' behind an optional one: swap them";
    }
    if (parameter.sets && is_value_type(parameter.type)) {
      return "'" + owner + "' sets '" + parameter.name + "', which is no entity: only entities can be set";
    }
    optional = !parameter.required;
  }
  return std::nullopt;
}

}  // namespace

bool is_value_type(std::string_view type) {
  return type == "number" || type == "int" || type == "text";
}

const std::vector<Predicate>& common_predicates() {
  static const std::vector<Predicate> kCommon{{"always", {}, "truth", "holds"},
                                              {"never", {}, "truth", "does not hold"},
                                              {"taskTime", {}, "number", "s since the task began, pauses not counted"}};
  return kCommon;
}

const Capability* Catalogue::capability(std::string_view name) const {
  return find(capabilities, name);
}

const Predicate* Catalogue::predicate(std::string_view name) const {
  const Predicate* common = find(common_predicates(), name);
  return common != nullptr ? common : find(predicates, name);
}

const NamedEntity* Catalogue::entity(std::string_view name) const {
  return find(entities, name);
}

bool Catalogue::has_type(std::string_view name) const {
  return name == "entity" || find(types, name) != nullptr;
}

bool Catalogue::derives(std::string_view type, std::string_view base) const {
  if (type == base) return true;
  if (base == "number" && type == "int") return true;
  if (is_value_type(type) || is_value_type(base)) return false;
  if (base == "entity") return true;
  std::string_view at = type;
  for (std::size_t steps = 0; steps <= types.size(); ++steps) {  // a circle of parents ends too
    if (at == base) return true;
    const EntityType* found = find(types, at);
    if (found == nullptr) return false;
    at = found->parent;
  }
  return false;
}

std::optional<std::string> Catalogue::validate() const {
  std::set<std::string> names;
  const auto fresh = [&](const std::string& name) -> std::optional<std::string> {
    if (!is_name(name)) return "'" + name + "' is no name: letters, digits and _, not a word of the language";
    if (!names.insert(name).second) return "'" + name + "' is declared twice: remove one";
    return std::nullopt;
  };
  for (const EntityType& type : types) {
    if (auto bad = fresh(type.name)) return bad;
    if (!has_type(type.parent)) return "type '" + type.name + "' has the unknown parent '" + type.parent + "'";
    if (!derives(type.name, "entity") || (type.parent != "entity" && derives(type.parent, type.name))) {
      return "type '" + type.name + "' derives from itself";
    }
  }
  names.clear();  // types may be named like entities (Ball Ball), calls and predicates not like each other
  for (const Capability& capability : capabilities) {
    if (auto bad = fresh(capability.name)) return bad;
    if (auto bad = check(*this, capability.name, capability.parameters)) return bad;
    if (capability.ending == Ending::Lasting && capability.slot.empty()) {
      return "'" + capability.name + "' lasts but has no slot: nothing would ever end it";
    }
    if (!std::isfinite(capability.typical_duration) || capability.typical_duration < 0.0 ||
        !std::isfinite(capability.time_limit) || capability.time_limit < 0.0) {
      return "'" + capability.name + "' has a duration or time limit that is no time";
    }
  }
  for (const Predicate& predicate : predicates) {
    if (auto bad = fresh(predicate.name)) return bad;
    if (find(common_predicates(), predicate.name) != nullptr) {
      return "predicate '" + predicate.name + "' belongs to the language: choose another name";
    }
    if (auto bad = check(*this, predicate.name, predicate.parameters)) return bad;
    if (predicate.type != "truth" && !is_value_type(predicate.type) && !has_type(predicate.type)) {
      return "predicate '" + predicate.name + "' has the unknown type '" + predicate.type + "'";
    }
  }
  for (const NamedEntity& entity : entities) {
    if (auto bad = fresh(entity.name)) return bad;
    if (!has_type(entity.type)) return "entity '" + entity.name + "' has the unknown type '" + entity.type + "'";
  }
  return std::nullopt;
}

std::string signature(const Capability& capability) {
  return capability.name + list(capability.parameters);
}

std::string signature(const Predicate& predicate) {
  return predicate.name + (predicate.parameters.empty() ? "" : list(predicate.parameters));
}

std::string describe(const Catalogue& catalogue) {
  std::ostringstream out;
  const auto column = [&](const std::string& text, std::size_t width) {
    out << text << std::string(text.size() < width ? width - text.size() : 1, ' ');
  };
  out << "capabilities (sets: the call binds this entity; [..]: may be left out)\n";
  for (const Capability& c : catalogue.capabilities) {
    out << "  ";
    column(signature(c), 62);
    column(c.slot.empty() ? "-" : c.slot, 6);
    column(c.can_fail ? "can fail" : "", 10);
    std::ostringstream seconds;
    seconds << c.typical_duration << " s";
    column(c.ending == Ending::Lasting ? "lasts" : seconds.str(), 8);
    out << c.meaning << "\n";
  }
  out << "predicates\n";
  const auto predicates = [&](const std::vector<Predicate>& list) {
    for (const Predicate& p : list) {
      out << "  ";
      column(signature(p), 62);
      column(p.type, 8);
      out << p.meaning << "\n";
    }
  };
  predicates(common_predicates());
  predicates(catalogue.predicates);
  out << "types\n  entity\n";
  for (const EntityType& type : catalogue.types) out << "  " << type.name << " (is a " << type.parent << ")\n";
  out << "entities\n";
  for (const EntityType& type : catalogue.types) {
    std::string names;
    for (const NamedEntity& entity : catalogue.entities) {
      if (entity.type == type.name) names += " " + entity.name;
    }
    if (!names.empty()) out << "  " << type.name << ":" << names << "\n";
  }
  return out.str();
}

}  // namespace hl_behavior::rtdl
