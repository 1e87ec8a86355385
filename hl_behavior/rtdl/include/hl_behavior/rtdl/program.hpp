// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hl_behavior/rtdl/catalogue.hpp"
#include "hl_behavior/rtdl/diagnostic.hpp"
#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/tree.hpp"

namespace hl_behavior::rtdl {

/// A value while a task runs. Texts belong to the program or to the interpreter that runs it.
struct Datum {
  enum class Kind : std::uint8_t { Nothing, Truth, Number, Text, Entity };
  Kind kind = Kind::Nothing;
  double number = 0.0;    // truth: 0 or 1
  std::string_view text;  // of an entity: its name
  int entity = -1;        // of an entity declared by a task: unique within the run; -1 = a thing of the world

  static Datum truth(bool value) { return {Kind::Truth, value ? 1.0 : 0.0, {}, -1}; }
  static Datum of(double value) { return {Kind::Number, value, {}, -1}; }
  static Datum of(std::string_view text) { return {Kind::Text, 0.0, text, -1}; }
  static Datum thing(std::string_view name, int entity = -1) { return {Kind::Entity, 0.0, name, entity}; }
};

/// A task with all tasks it calls written out in one flat tree, ready to run. Nodes are in the order of the text, so
/// that what belongs to a node is the range from it to its `end`.
struct Program {
  struct Node {
    enum class Op : std::uint8_t { Task, Action, If, While, Par, Branch, Retry };
    Op op = Op::Task;
    int parent = -1, next = -1, child = -1, end = 0;  // next: behind it in the same block
    int attempts = 1;
    bool optional = false;
    int capability = -1;                    // of an action
    int first_argument = 0, arguments = 0;  // of an action
    int condition = -1;                     // of if and while
    int first_cell = 0, cells = 0;          // of a task: its entities
    Position at;
    std::string file, text;  // as messages show it
  };
  struct Argument {
    int cell = -1;   // parameter of the whole task or entity, or
    Datum constant;  // if there is none
    bool sets = false;
  };
  struct Operand {
    enum class Kind : std::uint8_t { Constant, Cell, Predicate, TaskTime };
    Kind kind = Kind::Constant;
    Datum constant;
    int index = -1;  // of the cell or predicate
    std::vector<Operand> arguments;
  };
  struct Test {
    bool negated = false;
    Operand left;
    std::optional<Comparison> comparison;
    Operand right;
  };
  struct Cell {
    std::string name, type;
  };

  std::shared_ptr<const Catalogue> catalogue;
  std::vector<Node> nodes;  // the first is the task itself
  std::vector<Argument> arguments;
  std::vector<std::vector<std::vector<Test>>> conditions;
  std::vector<Cell> cells;     // first the parameters of the task
  std::size_t parameters = 0;  // how many of the cells are parameters
  std::deque<std::string> texts;
};

constexpr int kMaxNodes = 20'000;  // statements of a task with all it calls
constexpr int kMaxCallDepth = 32;  // tasks within tasks

/// Validates the task and every task it calls, and writes them out; nothing if there are errors.
std::shared_ptr<const Program> link(const Document& document, const std::shared_ptr<const Catalogue>& catalogue,
                                    const Library& library, Report& report);

}  // namespace hl_behavior::rtdl
