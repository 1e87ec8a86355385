// SPDX-License-Identifier: Apache-2.0
#include "constant_condition.hpp"

namespace hl_behavior::rtdl {
namespace {

std::optional<bool> constant_value(const Term& term) {
  std::optional<bool> value;
  if (term.comparison) {
    if (term.left.kind == Value::Kind::Number && term.right.kind == Value::Kind::Number) {
      value = compare(term.left.number, *term.comparison, term.right.number);
    }
  } else if (term.left.kind == Value::Kind::Name && (term.left.text == "always" || term.left.text == "never")) {
    value = term.left.text == "always";
  }
  if (value && term.negated) value = !*value;
  return value;
}

}  // namespace

bool compare(double left, Comparison comparison, double right) {
  switch (comparison) {
    case Comparison::Equal:
      return left == right;
    case Comparison::Unequal:
      return left != right;
    case Comparison::Less:
      return left < right;
    case Comparison::LessEqual:
      return left <= right;
    case Comparison::Greater:
      return left > right;
    case Comparison::GreaterEqual:
      break;
  }
  return left >= right;
}

std::optional<bool> constant_value(const Condition& condition) {
  if (condition.alternatives.empty()) return std::nullopt;  // it did not parse
  bool all_false = true;
  for (const auto& alternative : condition.alternatives) {
    bool all_true = true;
    bool one_false = false;
    for (const Term& term : alternative) {
      const auto value = constant_value(term);
      all_true = all_true && value == true;
      one_false = one_false || value == false;
    }
    if (all_true) return true;
    all_false = all_false && one_false;
  }
  if (all_false) return false;
  return std::nullopt;
}

}  // namespace hl_behavior::rtdl
