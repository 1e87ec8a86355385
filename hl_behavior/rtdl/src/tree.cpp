// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/tree.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace hl_behavior::rtdl {

bool operator==(const Comment& a, const Comment& b) {
  return a.text == b.text;
}

bool operator==(const Value& a, const Value& b) {
  return a.kind == b.kind && a.text == b.text && a.arguments == b.arguments;
}

bool operator==(const Term& a, const Term& b) {
  return a.negated == b.negated && a.left == b.left && a.comparison == b.comparison &&
         (!a.comparison || a.right == b.right);
}

bool operator==(const Condition& a, const Condition& b) {
  return a.alternatives == b.alternatives;
}

bool operator==(const Variable& a, const Variable& b) {
  return a.type == b.type && a.name == b.name;
}

bool operator==(const Call& a, const Call& b) {
  return a.name == b.name && a.optional == b.optional && a.arguments == b.arguments;
}

bool operator==(const If& a, const If& b) {
  return a.comments == b.comments && a.condition == b.condition && a.block == b.block;
}

bool operator==(const While& a, const While& b) {
  return a.comments == b.comments && a.condition == b.condition && a.block == b.block;
}

bool operator==(const Par& a, const Par& b) {
  return a.first == b.first && a.second == b.second;
}

bool operator==(const Retry& a, const Retry& b) {
  return a.comments == b.comments && a.count == b.count && a.block == b.block;
}

bool operator==(const Statement& a, const Statement& b) {
  return a.what == b.what;
}

bool operator==(const Task& a, const Task& b) {
  const auto all = [](const Task& t) {
    return std::tie(t.name, t.comments, t.parameters, t.head_comments, t.retrycount, t.entities, t.block);
  };
  return all(a) == all(b);
}

bool operator==(const Document& a, const Document& b) {
  return a.before == b.before && a.task == b.task && a.after == b.after;
}

bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 18> kWords{
      "and", "do", "done", "endif",    "endpar", "endtry", "entity",     "if",   "not",
      "or",  "to", "par",  "optional", "retry",  "rtdl",   "retrycount", "task", "while"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool is_name(std::string_view word) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !word.empty() && word.size() <= kMaxName && letter(word[0]) &&
         std::all_of(word.begin(), word.end(), [&](char c) { return letter(c) || digit(c); }) && !is_reserved(word);
}

std::string_view to_text(Comparison comparison) {
  static constexpr std::array<std::string_view, 6> kTexts{"=", "!=", "<", "<=", ">", ">="};
  return kTexts[static_cast<std::size_t>(comparison)];
}

std::string to_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Number:
    case Value::Kind::Name:
      return value.text;
    case Value::Kind::Text: {
      std::string quoted = "\"";
      for (const char c : value.text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
      }
      return quoted + '"';
    }
    case Value::Kind::Call:
      break;
  }
  std::string text = value.text + "(";
  for (const Value& argument : value.arguments) {
    if (text.back() != '(') text += ", ";
    text += to_text(argument);
  }
  return text + ")";
}

std::string to_text(const Condition& condition) {
  std::string text;
  for (const auto& alternative : condition.alternatives) {
    if (!text.empty()) text += " or ";
    bool first = true;
    for (const Term& term : alternative) {
      if (!first) text += " and ";
      first = false;
      if (term.negated) text += "not ";
      text += to_text(term.left);
      if (term.comparison) text.append(" ").append(to_text(*term.comparison)).append(" ").append(to_text(term.right));
    }
  }
  return text;
}

std::string to_text(const Call& call) {
  std::string text = (call.optional ? "optional " : "") + call.name + "(";
  for (const Value* argument : entries(call.arguments)) {
    if (text.back() != '(') text += ", ";
    text += to_text(*argument);
  }
  return text + ")";
}

}  // namespace hl_behavior::rtdl
