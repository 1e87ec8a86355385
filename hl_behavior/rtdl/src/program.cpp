// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/program.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "call_graph.hpp"
#include "hl_behavior/rtdl/validator.hpp"

namespace hl_behavior::rtdl {
namespace {

using Node = Program::Node;

class Linker {
 public:
  Linker(Program& program, const Library& library, Report& report)
      : program_(program), catalogue_(*program.catalogue), library_(library), report_(report) {}

  void run(const Task& task) {
    Scope scope;
    scope.attempts = task.retrycount.value_or(1);
    for (const Variable* parameter : entries(task.parameters)) {
      Program::Argument argument;
      argument.cell = new_cell(*parameter);
      scope.names[parameter->name] = argument;
    }
    program_.parameters = program_.cells.size();
    Node node;
    node.op = Node::Op::Task;
    node.at = task.at;
    node.file = report_.file();
    node.text = task.name;
    const int root = push(node, -1);
    scope.file = report_.file();
    body(task, root, scope);
  }

  bool too_large() const { return too_large_; }

 private:
  /// What names mean inside one call of a task.
  struct Scope {
    std::map<std::string, Program::Argument> names;
    int attempts = 1;  // of each call
    int depth = 0;
    std::string file;
  };

  int new_cell(const Variable& variable) {
    program_.cells.push_back({variable.name, variable.type});
    return static_cast<int>(program_.cells.size()) - 1;
  }

  int push(Node node, int parent) {
    const int index = static_cast<int>(program_.nodes.size());
    node.parent = parent;
    node.end = index + 1;
    program_.nodes.push_back(std::move(node));
    return index;
  }

  void limit(Position at, const std::string& what) {
    if (!too_large_) report_.add(Code::Limit, at, "", what, "make the task smaller");
    too_large_ = true;
  }

  void body(const Task& task, int node, Scope& scope) {
    program_.nodes[node].first_cell = static_cast<int>(program_.cells.size());
    for (const Variable* entity : entries(task.entities)) {
      Program::Argument argument;
      argument.cell = new_cell(*entity);
      scope.names[entity->name] = argument;
    }
    program_.nodes[node].cells = static_cast<int>(program_.cells.size()) - program_.nodes[node].first_cell;
    block(task.block, node, scope);
  }

  void block(const Block& block, int parent, const Scope& scope) {
    int last = -1;
    for (const Statement& statement : block) {
      if (std::holds_alternative<Comment>(statement.what)) continue;
      if (program_.nodes.size() >= kMaxNodes) {
        limit(statement.at, "the task has more than " + std::to_string(kMaxNodes) + " statements with all it calls");
      }
      if (too_large_) return;
      Node node;
      node.at = statement.at;
      node.file = scope.file;
      const int index = push(std::move(node), parent);
      (last < 0 ? program_.nodes[parent].child : program_.nodes[last].next) = index;
      last = index;
      std::visit([&](const auto& what) { fill(what, index, scope); }, statement.what);
      program_.nodes[index].end = static_cast<int>(program_.nodes.size());
    }
    program_.nodes[parent].end = static_cast<int>(program_.nodes.size());
  }

  void fill(const Comment&, int, const Scope&) {}

  void fill(const Call& call, int index, const Scope& scope) {
    Node& node = program_.nodes[index];
    node.attempts = scope.attempts;
    node.optional = call.optional;
    node.text = to_text(call);
    const auto values = entries(call.arguments);
    const Capability* capability = catalogue_.capability(call.name);
    if (capability != nullptr) {
      node.op = Node::Op::Action;
      node.capability = static_cast<int>(capability - catalogue_.capabilities.data());
      node.first_argument = static_cast<int>(program_.arguments.size());
      node.arguments = static_cast<int>(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        Program::Argument argument = resolve(*values[i], scope);
        argument.sets = capability->parameters[i].sets;
        program_.arguments.push_back(argument);
      }
      return;
    }
    node.op = Node::Op::Task;
    if (scope.depth + 1 >= kMaxCallDepth) {
      return limit(node.at, "tasks call each other more than " + std::to_string(kMaxCallDepth) + " deep");
    }
    const LibraryTask& called = *library_.find(call.name);
    Scope inner;
    inner.attempts = called.document.task.retrycount.value_or(1);
    inner.depth = scope.depth + 1;
    inner.file = called.file;
    const auto parameters = entries(called.document.task.parameters);
    for (std::size_t i = 0; i < parameters.size(); ++i) inner.names[parameters[i]->name] = resolve(*values[i], scope);
    body(called.document.task, index, inner);
  }

  Program::Argument resolve(const Value& value, const Scope& scope) {
    Program::Argument argument;
    if (value.kind == Value::Kind::Name) {
      const auto found = scope.names.find(value.text);
      if (found != scope.names.end()) return found->second;
      argument.constant = Datum::thing(kept(value.text));
    } else if (value.kind == Value::Kind::Number) {
      argument.constant = Datum::of(value.number);
    } else {
      argument.constant = Datum::of(std::string_view(kept(value.text)));
    }
    return argument;
  }

  const std::string& kept(const std::string& text) { return program_.texts.emplace_back(text); }

  void fill(const If& what, int index, const Scope& scope) { conditional(what, Node::Op::If, index, scope); }
  void fill(const While& what, int index, const Scope& scope) { conditional(what, Node::Op::While, index, scope); }

  template <class Conditional>
  void conditional(const Conditional& what, Node::Op op, int index, const Scope& scope) {
    Node& node = program_.nodes[index];
    node.op = op;
    node.text = (op == Node::Op::If ? "if (" : "while (") + to_text(what.condition) + ")";
    node.condition = static_cast<int>(program_.conditions.size());
    std::vector<std::vector<Program::Test>> alternatives;
    for (const auto& alternative : what.condition.alternatives) {
      std::vector<Program::Test> tests;
      for (const Term& term : alternative) {
        Program::Test test{term.negated, operand(term.left, scope), term.comparison, {}};
        if (term.comparison) test.right = operand(term.right, scope);
        tests.push_back(std::move(test));
      }
      alternatives.push_back(std::move(tests));
    }
    program_.conditions.push_back(std::move(alternatives));
    block(what.block, index, scope);
  }

  Program::Operand operand(const Value& value, const Scope& scope) {
    Program::Operand operand;
    const bool name = value.kind == Value::Kind::Name;
    if (name && (scope.names.count(value.text) != 0 || catalogue_.entity(value.text) != nullptr)) {
      const Program::Argument argument = resolve(value, scope);
      operand.kind = argument.cell >= 0 ? Program::Operand::Kind::Cell : Program::Operand::Kind::Constant;
      operand.index = argument.cell;
      operand.constant = argument.constant;
    } else if (name && (value.text == "always" || value.text == "never")) {
      operand.constant = Datum::truth(value.text == "always");
    } else if (name && value.text == "taskTime") {
      operand.kind = Program::Operand::Kind::TaskTime;
    } else if (name || value.kind == Value::Kind::Call) {
      operand.kind = Program::Operand::Kind::Predicate;
      operand.index = static_cast<int>(catalogue_.predicate(value.text) - catalogue_.predicates.data());
      for (const Value& argument : value.arguments) operand.arguments.push_back(this->operand(argument, scope));
    } else {
      operand.constant = resolve(value, scope).constant;
    }
    return operand;
  }

  void fill(const Par& par, int index, const Scope& scope) {
    program_.nodes[index].op = Node::Op::Par;
    program_.nodes[index].text = "par";
    int previous = -1;
    for (const Block* branch : {&par.first, &par.second}) {
      Node node;
      node.op = Node::Op::Branch;
      node.at = program_.nodes[index].at;
      node.file = scope.file;
      node.text = "branch of par";
      const int at = push(std::move(node), index);
      (previous < 0 ? program_.nodes[index].child : program_.nodes[previous].next) = at;
      previous = at;
      block(*branch, at, scope);
    }
  }

  void fill(const Retry& retry, int index, const Scope& scope) {
    program_.nodes[index].op = Node::Op::Retry;
    program_.nodes[index].attempts = retry.count;
    program_.nodes[index].text = "retry (" + std::to_string(retry.count) + ")";
    block(retry.block, index, scope);
  }

  Program& program_;
  const Catalogue& catalogue_;
  const Library& library_;
  Report& report_;
  bool too_large_ = false;
};

}  // namespace

std::shared_ptr<const Program> link(const Document& document, const std::shared_ptr<const Catalogue>& catalogue,
                                    const Library& library, Report& report) {
  if (!report.ok()) return nullptr;
  validate(document, *catalogue, library, report);
  // Every task it calls must be right too; those that call themselves were refused above.
  std::set<std::string> seen{document.task.name};
  std::vector<const Task*> todo{&document.task};
  while (!todo.empty() && report.ok()) {
    const Task* task = todo.back();
    todo.pop_back();
    for_each_call(task->block, [&](const Statement&, const Call& call) {
      if (catalogue->capability(call.name) != nullptr || !seen.insert(call.name).second) return;
      const LibraryTask* called = library.find(call.name);
      if (called == nullptr) return;
      Report inner(called->file);
      validate(called->document, *catalogue, library, inner);
      report.append(inner);
      todo.push_back(&called->document.task);
    });
  }
  if (!report.ok()) return nullptr;
  auto program = std::make_shared<Program>();
  program->catalogue = catalogue;
  Linker(*program, library, report).run(document.task);
  if (!report.ok()) return nullptr;
  return program;
}

}  // namespace hl_behavior::rtdl
