// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// The tree both syntaxes of RTDL 1.0 are read into and written from. Positions do not count in comparisons.
///
/// Comments stand where both syntaxes can hold them: before and behind the task, in the head of a task, among the
/// entries of a list, among the statements of a block, in the head of if, while and retry. The readers move every other
/// comment to the next such place before it.
namespace hl_behavior::rtdl {

/// Line and column of a byte in the file, from 1; 0 = not from a file.
struct Position {
  int line = 0, column = 0;
};

struct Comment {
  std::string text;  // all between the marks
  Position at;
};

/// What stands as argument of a call or in a condition.
struct Value {
  enum class Kind { Number, Text, Name, Call };  // Call only in conditions, with at least one argument
  Kind kind = Kind::Name;
  std::string text;              // of a number as it was written; of a text without quotes and escapes
  double number = 0.0;           // of a number
  std::vector<Value> arguments;  // of a call
  Position at;
};

enum class Comparison { Equal, Unequal, Less, LessEqual, Greater, GreaterEqual };
std::string_view to_text(Comparison comparison);

/// A predicate, or two values compared.
struct Term {
  bool negated = false;
  Value left;
  std::optional<Comparison> comparison;
  Value right;  // if compared
  Position at;
};

/// One of the alternatives must hold; an alternative holds if all its terms do.
struct Condition {
  std::vector<std::vector<Term>> alternatives;
  Position at;
};

/// A parameter or an entity.
struct Variable {
  std::string type, name;
  Position at, name_at;
};

template <class Entry>
using Commented = std::vector<std::variant<Entry, Comment>>;

struct Statement;
using Block = std::vector<Statement>;

struct Call {
  std::string name;
  bool optional = false;
  Commented<Value> arguments;
};

struct If {
  std::vector<Comment> comments;
  Condition condition;
  Block block;
};

struct While {
  std::vector<Comment> comments;
  Condition condition;
  Block block;
};

struct Par {
  Block first, second;
};

struct Retry {
  std::vector<Comment> comments;
  int count = 1;  // attempts
  Block block;
};

struct Statement {
  std::variant<Comment, Call, If, While, Par, Retry> what;
  Position at;
};

/// Puts a statement behind the others.
template <class What>
void append(Block& block, What what, Position at) {
  Statement& statement = block.emplace_back();
  statement.what.template emplace<What>(std::move(what));
  statement.at = at;
}

struct Task {
  std::string name;
  std::vector<Comment> comments;  // between name and parameters
  Commented<Variable> parameters;
  std::vector<Comment> head_comments;  // behind the parameters
  std::optional<int> retrycount;       // attempts of every call in this task; none = 1
  Commented<Variable> entities;        // its last entry is no comment: such a one belongs to the block
  Block block;
  Position at;
};

struct Document {
  std::vector<Comment> before;
  Task task;
  std::vector<Comment> after;
};

bool operator==(const Comment& a, const Comment& b);
bool operator==(const Value& a, const Value& b);
bool operator==(const Term& a, const Term& b);
bool operator==(const Condition& a, const Condition& b);
bool operator==(const Variable& a, const Variable& b);
bool operator==(const Call& a, const Call& b);
bool operator==(const If& a, const If& b);
bool operator==(const While& a, const While& b);
bool operator==(const Par& a, const Par& b);
bool operator==(const Retry& a, const Retry& b);
bool operator==(const Statement& a, const Statement& b);
bool operator==(const Task& a, const Task& b);
bool operator==(const Document& a, const Document& b);

/// Entries of a list without its comments.
template <class Entry>
std::vector<const Entry*> entries(const Commented<Entry>& list) {
  std::vector<const Entry*> found;
  for (const auto& entry : list) {
    if (const auto* value = std::get_if<Entry>(&entry)) found.push_back(value);
  }
  return found;
}

/// Words that cannot be names.
bool is_reserved(std::string_view word);

/// Letters, digits and underscores, no digit first, not reserved.
bool is_name(std::string_view word);

/// As the function syntax writes it.
std::string to_text(const Value& value);
std::string to_text(const Condition& condition);
std::string to_text(const Call& call);  // without its comments

// Limits: what is beyond them is refused by the readers, so that time and memory stay bounded.
constexpr std::size_t kMaxFile = 1'000'000;  // bytes
constexpr int kMaxDepth = 64;                // blocks within blocks
constexpr int kMaxConditionDepth = 8;        // predicates within predicates
constexpr int kMaxName = 64;                 // characters
constexpr int kMaxCount = 1'000'000;         // of retry and retrycount

}  // namespace hl_behavior::rtdl
