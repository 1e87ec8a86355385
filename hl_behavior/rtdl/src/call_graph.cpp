// SPDX-License-Identifier: Apache-2.0
#include "call_graph.hpp"

#include <algorithm>

namespace hl_behavior::rtdl {
namespace {

/// Blocks of a statement, if it has any.
std::vector<const Block*> blocks(const Statement& statement) {
  if (const auto* what = std::get_if<If>(&statement.what)) return {&what->block};
  if (const auto* what = std::get_if<While>(&statement.what)) return {&what->block};
  if (const auto* what = std::get_if<Retry>(&statement.what)) return {&what->block};
  if (const auto* what = std::get_if<Par>(&statement.what)) return {&what->first, &what->second};
  return {};
}

std::vector<std::string> called_tasks(const CallGraph& graph, const Task& task) {
  std::vector<std::string> names;
  for_each_call(task.block, [&](const Statement&, const Call& call) {
    if (graph.task(call.name) != nullptr) names.push_back(call.name);
  });
  return names;
}

}  // namespace

void for_each_call(const Block& block, const std::function<void(const Statement&, const Call&)>& visit) {
  for (const Statement& statement : block) {
    if (const auto* call = std::get_if<Call>(&statement.what)) visit(statement, *call);
    for (const Block* inner : blocks(statement)) for_each_call(*inner, visit);
  }
}

const Task* CallGraph::task(const std::string& name) const {
  if (catalogue_.capability(name) != nullptr) return nullptr;
  if (name == self_.name) return &self_;
  const LibraryTask* found = library_.find(name);
  return found == nullptr ? nullptr : &found->document.task;
}

std::vector<std::string> CallGraph::circle(const std::string& name) const {
  // Depth first with a stack of our own: libraries may be deep.
  struct Level {
    std::string name;
    std::vector<std::string> calls;
    std::size_t next = 0;
  };
  std::set<std::string> done;
  std::vector<Level> path;
  const auto enter = [&](const std::string& task) { path.push_back({task, called_tasks(*this, *this->task(task))}); };
  path.push_back({self_.name, {name}});
  while (!path.empty()) {
    Level& level = path.back();
    if (level.next == level.calls.size()) {
      done.insert(level.name);
      path.pop_back();
      continue;
    }
    const std::string call = level.calls[level.next++];
    const auto again = std::find_if(path.begin(), path.end(), [&](const Level& l) { return l.name == call; });
    if (again != path.end()) {
      std::vector<std::string> names;
      for (auto it = again; it != path.end(); ++it) names.push_back(it->name);
      names.push_back(call);
      return names;
    }
    if (done.count(call) == 0) enter(call);
  }
  return {};
}

CallGraph::Slots CallGraph::slots(const Block& block) const {
  Slots slots;
  std::set<std::string> seen;
  std::vector<std::pair<const Block*, const Statement*>> todo{{&block, nullptr}};  // and the call that leads there
  while (!todo.empty()) {
    const auto [at, through] = todo.back();
    todo.pop_back();
    for_each_call(*at, [&, via = through](const Statement& statement, const Call& call) {
      const Statement* shown = via != nullptr ? via : &statement;
      if (const Capability* capability = catalogue_.capability(call.name)) {
        if (!capability->slot.empty()) slots.emplace(capability->slot, shown);
      } else if (const Task* called = task(call.name); called != nullptr && seen.insert(call.name).second) {
        todo.emplace_back(&called->block, shown);
      }
    });
  }
  return slots;
}

bool CallGraph::sets(const Task& task, std::size_t index) const {
  struct Question {
    const Task* task;
    std::size_t index;
  };
  std::set<std::pair<const Task*, std::size_t>> seen;
  std::vector<Question> todo{{&task, index}};
  bool found = false;
  while (!todo.empty() && !found) {
    const Question question = todo.back();
    todo.pop_back();
    const auto parameters = entries(question.task->parameters);
    if (question.index >= parameters.size() || !seen.emplace(question.task, question.index).second) continue;
    const std::string& name = parameters[question.index]->name;
    for_each_call(question.task->block, [&](const Statement&, const Call& call) {
      const auto arguments = entries(call.arguments);
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i]->kind != Value::Kind::Name || arguments[i]->text != name) continue;
        if (const Capability* capability = catalogue_.capability(call.name)) {
          found = found || (i < capability->parameters.size() && capability->parameters[i].sets);
        } else if (const Task* called = this->task(call.name)) {
          todo.push_back({called, i});
        }
      }
    });
  }
  return found;
}

}  // namespace hl_behavior::rtdl
