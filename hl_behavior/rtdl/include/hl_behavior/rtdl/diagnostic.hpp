// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hl_behavior/rtdl/tree.hpp"

namespace hl_behavior::rtdl {

enum class Code {
  // errors: the task is refused
  Version,     // E-VERSION    not RTDL 1.0
  Syntax,      // E-SYNTAX     does not follow the grammar or the DTD
  Character,   // E-CHARACTER  not ASCII, or a control character
  Limit,       // E-LIMIT      too large or too deep
  TaskError,   // E-TASK       not exactly one task with a name
  Duplicate,   // E-DUPLICATE  a name declared twice
  Type,        // E-TYPE       unknown type
  Name,        // E-NAME       undeclared name
  Argument,    // E-ARGUMENT   number or type of arguments
  Capability,  // E-CAPABILITY neither capability nor known task
  Recursion,   // E-RECURSION  tasks call each other in a circle
  Count,       // E-COUNT      attempts that are no whole number from 1 on
  Condition,   // E-CONDITION  does not parse, or an unknown predicate
  Slot,        // E-SLOT       both branches of par want the same slot
  // warnings: it runs, but hardly as meant
  Unreachable,  // W-UNREACHABLE  never executed
  Unset,        // W-UNSET        entity used before anything sets it
  Endless,      // W-ENDLESS      loop that only cancelling ends
};
std::string_view to_text(Code code);
bool is_warning(Code code);

struct Diagnostic {
  Code code = Code::Syntax;
  std::string file;
  Position at;
  std::string text;     // the offending text, shortened, printable
  std::string message;  // what is wrong
  std::string remedy;   // what to do
};

/// FILE:LINE:COLUMN: error E-NAME: 'Tap1' is not declared; remedy: ...
std::string to_text(const Diagnostic& diagnostic);

/// What was found in one file, in the order of the file once sorted.
class Report {
 public:
  explicit Report(std::string file) : file_(std::move(file)) {}

  void add(Code code, Position at, std::string_view text, std::string message, std::string remedy);
  void append(const Report& other);
  void sort();

  const std::string& file() const { return file_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return all_.size() - errors_; }
  bool ok() const { return errors_ == 0; }
  bool full() const { return all_.size() >= kMost; }  // a reader stops there: more help nobody

 private:
  static constexpr std::size_t kMost = 200;
  std::string file_;
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

}  // namespace hl_behavior::rtdl
