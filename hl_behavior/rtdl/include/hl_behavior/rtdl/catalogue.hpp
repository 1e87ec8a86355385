// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hl_behavior::rtdl {

/// One parameter of a capability or predicate. Types: `number`, `int`, `text`, or an entity type of the catalogue.
struct Parameter {
  std::string name, type;
  bool sets = false;     // the call binds this entity
  bool required = true;  // the last ones may be left out
  bool operator==(const Parameter& other) const {
    return name == other.name && type == other.type && sets == other.sets && required == other.required;
  }
};

/// How a statement that calls the capability ends.
enum class Ending {
  ByItself,      // when the skill says so
  Lasting,       // at once; the skill goes on until its slot is wanted again or the task ends
  AfterSeconds,  // when the time of its parameter `seconds` (or its typical duration) is over, or by itself
};

/// A function the robot offers: what RTDL knows of a skill.
struct Capability {
  std::string name;
  std::string slot;  // what it occupies; empty = nothing
  std::vector<Parameter> parameters;
  bool can_fail = true;
  double typical_duration = 0.0;  // s
  Ending ending = Ending::ByItself;
  double time_limit = 0.0;  // s after which a running one has failed; 0 = none
  std::string meaning;
};

/// Something a condition can ask.
struct Predicate {
  std::string name;
  std::vector<Parameter> parameters;
  std::string type = "truth";  // truth, number, text, or an entity type
  std::string meaning;
};

struct EntityType {
  std::string name, parent;  // the root is `entity`
};

/// A thing or word of the world that every task may name.
struct NamedEntity {
  std::string name, type;
};

/// All that is special to one kind of robot and its world.
struct Catalogue {
  std::vector<EntityType> types;
  std::vector<Capability> capabilities;
  std::vector<Predicate> predicates;
  std::vector<NamedEntity> entities;

  const Capability* capability(std::string_view name) const;
  const Predicate* predicate(std::string_view name) const;  // also those every world has
  const NamedEntity* entity(std::string_view name) const;
  bool has_type(std::string_view name) const;                        // an entity type, or `entity`
  bool derives(std::string_view type, std::string_view base) const;  // also from itself

  /// The first thing that makes no sense, in words.
  std::optional<std::string> validate() const;
};

bool is_value_type(std::string_view type);  // number, int, text

/// Predicates of the language itself: always, never, taskTime (s since the task began).
const std::vector<Predicate>& common_predicates();

/// name(Type parameter, [number optional]) ...
std::string signature(const Capability& capability);
std::string signature(const Predicate& predicate);

/// The catalogue as people read it, one line each.
std::string describe(const Catalogue& catalogue);

/// YAML; throws std::runtime_error with file, line and remedy.
Catalogue read_catalogue(const std::string& path);
std::string write_catalogue(const Catalogue& catalogue);

}  // namespace hl_behavior::rtdl
