// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/validator.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "call_graph.hpp"
#include "constant_condition.hpp"

namespace hl_behavior::rtdl {
namespace {

/// Single letters to change, case aside, between two words.
std::size_t difference(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool same = std::tolower(a[i]) == std::tolower(b[j]);
      const std::size_t changed = std::min({diagonal + (same ? 0 : 1), row[j] + 1, row[j + 1] + 1});
      diagonal = std::exchange(row[j + 1], changed);
    }
  }
  return row.back();
}

class Validator {
 public:
  Validator(const Document& document, const Catalogue& catalogue, const Library& library, Report& report)
      : task_(document.task),
        catalogue_(catalogue),
        library_(library),
        graph_(document.task, catalogue, library),
        report_(report) {}

  void run() {
    if (!task_.name.empty() && catalogue_.capability(task_.name) != nullptr) {
      report_.add(Code::Duplicate, task_.at, task_.name, "is the name of a capability", "choose another name");
    }
    for (const Variable* parameter : entries(task_.parameters)) declare(*parameter, false);
    for (const Variable* entity : entries(task_.entities)) declare(*entity, true);
    block(task_.block);
  }

 private:
  struct Local {
    std::string name, type;
    Position at;
    bool entity = false;  // not a parameter
    bool set = false;     // or already reported
  };

  Local* local(std::string_view name) {
    const auto found = std::find_if(locals_.begin(), locals_.end(), [&](const Local& l) { return l.name == name; });
    return found == locals_.end() ? nullptr : &*found;
  }

  void declare(const Variable& variable, bool entity) {
    if (const Local* other = local(variable.name)) {
      report_.add(Code::Duplicate, variable.name_at, variable.name,
                  "is already declared in line " + std::to_string(other->at.line), "choose another name");
    } else if (catalogue_.entity(variable.name) != nullptr) {
      report_.add(Code::Duplicate, variable.name_at, variable.name, "is the name of a thing of the world",
                  "choose another name");
    } else {
      locals_.push_back({variable.name, variable.type, variable.name_at, entity, !entity});
    }
    if (catalogue_.has_type(variable.type)) return;
    if (is_value_type(variable.type)) {
      if (entity) {
        report_.add(Code::Type, variable.at, variable.type, "is no type of an entity", "use it for parameters only");
      }
      return;
    }
    std::vector<std::string> known;
    for (const EntityType& type : catalogue_.types) known.push_back(type.name);
    report_.add(Code::Type, variable.at, variable.type, "is no type this robot knows",
                guess(variable.type, known, "'rtdl capabilities' lists the types"));
  }

  static std::string guess(std::string_view word, const std::vector<std::string>& known, const std::string& otherwise) {
    std::size_t best = 3;
    std::string found;
    for (const std::string& candidate : known) {
      const std::size_t changes = difference(word, candidate);
      if (changes < best && changes < candidate.size()) {
        best = changes;
        found = candidate;
      }
    }
    return found.empty() ? otherwise : "write '" + found + "'";
  }

  void block(const Block& block) {
    bool reachable = true;
    bool told = false;
    for (const Statement& statement : block) {
      if (std::holds_alternative<Comment>(statement.what)) continue;
      if (!reachable && !std::exchange(told, true)) {
        report_.add(Code::Unreachable, statement.at, "", "nothing behind an endless loop is ever executed",
                    "remove it or give the loop a condition");
      }
      std::visit([&](const auto& what) { check(what, statement); }, statement.what);
      const auto* loop = std::get_if<While>(&statement.what);
      if (loop != nullptr && constant_value(loop->condition) == true) reachable = false;
    }
  }

  void check(const Comment&, const Statement&) {}

  void check(const Call& call, const Statement& statement) {
    const auto arguments = entries(call.arguments);
    if (const Capability* capability = catalogue_.capability(call.name)) {
      match(arguments, capability->parameters, statement.at, call.name, signature(*capability));
      return;
    }
    const Task* called = graph_.task(call.name);
    if (called == nullptr) {
      if (call.name.empty()) return;  // the reader has told
      std::vector<std::string> known = library_.names();
      for (const Capability& capability : catalogue_.capabilities) known.push_back(capability.name);
      report_.add(Code::Capability, statement.at, call.name, "is neither a capability of this robot nor a known task",
                  guess(call.name, known, "'rtdl capabilities' lists what it can do"));
      for (const Value* argument : arguments) type_of_argument(*argument);
      return;
    }
    const auto circle = graph_.circle(call.name);
    if (!circle.empty()) {
      std::string path = circle[0];
      for (std::size_t i = 1; i < circle.size(); ++i) path += " -> " + circle[i];
      report_.add(Code::Recursion, statement.at, call.name, "leads to a task that calls itself: " + path,
                  "use while or retry to repeat something");
      return;
    }
    std::vector<Parameter> parameters;
    std::string text;
    for (const Variable* parameter : entries(called->parameters)) {
      parameters.push_back({parameter->name, parameter->type, graph_.sets(*called, parameters.size()), true});
      text += (text.empty() ? "" : ", ") + parameter->type + " " + parameter->name;
    }
    match(arguments, parameters, statement.at, call.name, call.name + "(" + text + ")");
  }

  /// Arguments of a call against what it takes.
  void match(const std::vector<const Value*>& arguments, const std::vector<Parameter>& parameters, Position at,
             const std::string& name, const std::string& form) {
    std::vector<std::string> types;
    std::vector<const Value*> setting;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool sets = i < parameters.size() && parameters[i].sets;
      types.push_back(type_of_argument(*arguments[i], sets));
      if (sets) setting.push_back(arguments[i]);
    }
    const auto required = static_cast<std::size_t>(
        std::count_if(parameters.begin(), parameters.end(), [](const Parameter& p) { return p.required; }));
    if (arguments.size() < required || arguments.size() > parameters.size()) {
      report_.add(Code::Argument, at, name,
                  "has " + std::to_string(arguments.size()) + " arguments and takes " +
                      (required == parameters.size() ? "" : std::to_string(required) + " to ") +
                      std::to_string(parameters.size()),
                  "write " + form);
      return;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i)
      fits(*arguments[i], types[i], parameters[i], form, Code::Argument);
    for (const Value* value : setting) {
      Local* target = local(value->text);
      if (value->kind != Value::Kind::Name || target == nullptr) {
        report_.add(Code::Argument, value->at, to_text(*value), "is set by '" + name + "' and must be an entity",
                    "declare 'entity Type name;' and give its name");
      } else {
        target->set = true;
      }
    }
  }

  void fits(const Value& value, const std::string& type, const Parameter& parameter, const std::string& form,
            Code code) {
    if (type.empty() || catalogue_.derives(type, parameter.type)) return;  // empty: already told
    report_.add(code, value.at, to_text(value),
                "is of type " + type + ", but '" + parameter.name + "' takes " + parameter.type, "write " + form);
  }

  static std::string type_of_number(const Value& value) {
    return value.text.find_first_of(".eE") == std::string::npos ? "int" : "number";
  }

  /// Its type; empty if it has none, which is then told.
  std::string type_of_argument(const Value& value, bool sets = false) {
    switch (value.kind) {
      case Value::Kind::Number:
        return type_of_number(value);
      case Value::Kind::Text:
        return "text";
      default:
        break;
    }
    if (Local* found = local(value.text)) {
      if (!sets) use(*found, value.at);
      return catalogue_.has_type(found->type) || is_value_type(found->type) ? found->type : "";
    }
    if (const NamedEntity* entity = catalogue_.entity(value.text)) return entity->type;
    report_.add(
        Code::Name, value.at, value.text, "is not declared",
        guess(value.text, names(), "make it a parameter of the task or declare 'entity Type " + value.text + ";'"));
    return "";
  }

  std::vector<std::string> names() const {
    std::vector<std::string> known;
    for (const Local& l : locals_) known.push_back(l.name);
    for (const NamedEntity& entity : catalogue_.entities) known.push_back(entity.name);
    return known;
  }

  void use(Local& entity, Position at) {
    if (std::exchange(entity.set, true)) return;
    report_.add(Code::Unset, at, entity.name, "is used before anything sets it",
                "call something that sets it first, such as set_current_position");
  }

  void check(const If& what, const Statement&) {
    condition(what.condition);
    never_executed(what.condition, what.block);
    block(what.block);
  }

  void check(const While& what, const Statement& statement) {
    condition(what.condition);
    never_executed(what.condition, what.block);
    if (constant_value(what.condition) == true && !can_fail(what.block)) {
      report_.add(Code::Endless, statement.at, "while",
                  "never ends: its condition always holds and nothing in it can fail",
                  "give it a condition that changes, or cancel the task by hand");
    }
    block(what.block);
  }

  void never_executed(const Condition& condition, const Block& block) {
    if (constant_value(condition) != false) return;
    for (const Statement& statement : block) {
      if (std::holds_alternative<Comment>(statement.what)) continue;
      report_.add(Code::Unreachable, statement.at, "", "the condition '" + to_text(condition) + "' never holds",
                  "remove the block or mend the condition");
      return;
    }
  }

  bool can_fail(const Block& block) const {
    bool possible = false;
    for_each_call(block, [&](const Statement&, const Call& call) {
      const Capability* capability = catalogue_.capability(call.name);
      possible = possible || (!call.optional && (capability == nullptr || capability->can_fail));
    });
    return possible;
  }

  void check(const Par& par, const Statement&) {
    const auto first = graph_.slots(par.first);
    for (const auto& [slot, statement] : graph_.slots(par.second)) {
      const auto other = first.find(slot);
      if (other == first.end()) continue;
      report_.add(Code::Slot, statement->at, std::get<Call>(statement->what).name,
                  "wants slot '" + slot + "', which '" + std::get<Call>(other->second->what).name + "' of line " +
                      std::to_string(other->second->at.line) + " has at the same time",
                  "put one behind the other, or use different slots");
    }
    block(par.first);
    block(par.second);
  }

  void check(const Retry& retry, const Statement&) { block(retry.block); }

  void condition(const Condition& condition) {
    for (const auto& alternative : condition.alternatives) {
      for (const Term& term : alternative) this->term(term);
    }
  }

  void term(const Term& term) {
    const std::string left = type_in_condition(term.left);
    if (!term.comparison) {
      if (left.empty() || left == "truth") return;
      report_.add(Code::Condition, term.left.at, to_text(term.left),
                  "is of type " + left + " and no condition by itself",
                  "compare it, as in " + to_text(term.left) + " < 1");
      return;
    }
    const std::string right = type_in_condition(term.right);
    if (left.empty() || right.empty()) return;
    const bool numbers = catalogue_.derives(left, "number") && catalogue_.derives(right, "number");
    const bool ordered = *term.comparison != Comparison::Equal && *term.comparison != Comparison::Unequal;
    if (numbers || (!ordered && (catalogue_.derives(left, right) || catalogue_.derives(right, left)))) return;
    report_.add(Code::Condition, term.left.at,
                to_text(term.left) + " " + std::string(to_text(*term.comparison)) + " " + to_text(term.right),
                "compares " + left + " with " + right,
                ordered ? "only numbers have an order" : "compare two things of the same type");
  }

  std::string type_in_condition(const Value& value) {
    switch (value.kind) {
      case Value::Kind::Number:
        return type_of_number(value);
      case Value::Kind::Text:
        return "text";
      case Value::Kind::Name:
        if (local(value.text) != nullptr || catalogue_.entity(value.text) != nullptr) return type_of_argument(value);
        break;
      case Value::Kind::Call:
        break;
    }
    const Predicate* predicate = catalogue_.predicate(value.text);
    std::vector<std::string> types;
    for (const Value& argument : value.arguments) types.push_back(type_in_condition(argument));
    if (predicate == nullptr) {
      std::vector<std::string> known = value.kind == Value::Kind::Name ? names() : std::vector<std::string>{};
      for (const Predicate& p : catalogue_.predicates) known.push_back(p.name);
      for (const Predicate& p : common_predicates()) known.push_back(p.name);
      report_.add(Code::Condition, value.at, value.text,
                  value.kind == Value::Kind::Call ? "is no predicate this robot knows"
                                                  : "is neither a predicate nor a declared name",
                  guess(value.text, known, "'rtdl capabilities' lists the predicates"));
      return "";
    }
    const auto& parameters = predicate->parameters;
    const auto required = static_cast<std::size_t>(
        std::count_if(parameters.begin(), parameters.end(), [](const Parameter& p) { return p.required; }));
    if (types.size() < required || types.size() > parameters.size()) {
      report_.add(Code::Condition, value.at, value.text,
                  "has " + std::to_string(types.size()) + " arguments and takes " + std::to_string(required) +
                      (required == parameters.size() ? "" : " to " + std::to_string(parameters.size())),
                  "write " + signature(*predicate));
      return predicate->type;
    }
    for (std::size_t i = 0; i < types.size(); ++i) {
      fits(value.arguments[i], types[i], parameters[i], signature(*predicate), Code::Condition);
    }
    return predicate->type;
  }

  const Task& task_;
  const Catalogue& catalogue_;
  const Library& library_;
  CallGraph graph_;
  Report& report_;
  std::vector<Local> locals_;
};

}  // namespace

void validate(const Document& document, const Catalogue& catalogue, const Library& library, Report& report) {
  Validator(document, catalogue, library, report).run();
  report.sort();
}

}  // namespace hl_behavior::rtdl
