// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

/// Conditions and values: `or` of `and` of [not] (predicate, or two values compared).
namespace hl_behavior::rtdl {
namespace {

std::optional<Comparison> comparison_of(const Token& token) {
  if (token.kind != Token::Kind::Symbol) return std::nullopt;
  for (const auto candidate : {Comparison::Equal, Comparison::Unequal, Comparison::Less, Comparison::LessEqual,
                               Comparison::Greater, Comparison::GreaterEqual}) {
    if (token.text == to_text(candidate)) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Condition> Parser::condition() {
  Condition condition;
  condition.at = peek().at;
  do {
    std::vector<Term> all;
    do {
      auto one = term();
      if (!one) return std::nullopt;
      all.push_back(std::move(*one));
    } while (accept("and"));
    condition.alternatives.push_back(std::move(all));
  } while (accept("or"));
  return condition;
}

std::optional<Term> Parser::term() {
  Term term;
  term.at = peek().at;
  term.negated = accept("not");
  if (peek().is("(")) {
    wrong(Code::Condition, peek(), "a predicate or a value",
          "there are no brackets in conditions: write 'or' of 'and' of 'not'");
    return std::nullopt;
  }
  auto left = value(true, 0);
  if (!left) return std::nullopt;
  term.left = std::move(*left);
  const Token sign = peek();
  if (sign.is("==")) {
    report_.add(Code::Condition, sign.at, sign.text, "is no comparison", "write '='");
    return std::nullopt;
  }
  term.comparison = comparison_of(sign);
  if (!term.comparison) return term;
  next();
  auto right = value(true, 0);
  if (!right) return std::nullopt;
  term.right = std::move(*right);
  return term;
}

std::optional<Value> Parser::value(bool in_condition, int depth) {
  const Code code = in_condition ? Code::Condition : Code::Syntax;
  Value value;
  const Token token = peek();
  value.at = token.at;
  value.text = token.text;
  value.number = token.number;
  switch (token.kind) {
    case Token::Kind::Number:
      value.kind = Value::Kind::Number;
      break;
    case Token::Kind::Text:
      value.kind = Value::Kind::Text;
      break;
    case Token::Kind::Name:
      if (!is_reserved(token.text)) break;
      [[fallthrough]];
    default:
      wrong(code, token, in_condition ? "a predicate or a value" : "an argument",
            "write a name, a number or a \"text\"");
      return std::nullopt;
  }
  next();
  if (value.kind != Value::Kind::Name || !peek().is("(")) return value;
  if (!in_condition) {
    report_.add(Code::Syntax, token.at, token.text, "is a call within an argument",
                "arguments are names, numbers or \"texts\"");
    return std::nullopt;
  }
  if (depth >= kMaxConditionDepth) {
    report_.add(Code::Limit, token.at, token.text,
                "is nested deeper than " + std::to_string(kMaxConditionDepth) + " predicates", "write it more simply");
    return std::nullopt;
  }
  next();
  while (!peek().is(")")) {
    auto argument = this->value(true, depth + 1);
    if (!argument) return std::nullopt;
    value.arguments.push_back(std::move(*argument));
    if (!accept(",")) break;
  }
  if (!accept(")")) {
    wrong(Code::Condition, peek(), "')' behind the arguments of '" + value.text + "'", "write ')'");
    return std::nullopt;
  }
  if (!value.arguments.empty()) value.kind = Value::Kind::Call;
  return value;
}

/// To behind the bracket that ends the condition, or to what can only follow it.
void Parser::skip_condition() {
  int open = 1;
  while (!at_end() && !peek().is("do") && !peek().is("done") && !peek().is("endif") && !peek().is(";") &&
         !peek().is("{") && !peek().is("}")) {
    if (peek().is("(")) ++open;
    if (peek().is(")") && --open == 0) {
      next();
      return;
    }
    next();
  }
}

std::optional<Condition> Parser::lone_condition() {
  auto read = condition();
  if (read && !at_end()) {
    wrong(Code::Condition, peek(), "'and', 'or' or the end of the condition", "remove it");
    return std::nullopt;
  }
  return read;
}

std::optional<Value> Parser::lone_value() {
  auto read = value(false, 0);
  if (read && !at_end()) {
    wrong(Code::Syntax, peek(), "the end of the argument", "write one value per argument");
    return std::nullopt;
  }
  return read;
}

}  // namespace hl_behavior::rtdl
