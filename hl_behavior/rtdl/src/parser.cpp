// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "hl_behavior/rtdl/syntax.hpp"

namespace hl_behavior::rtdl {
namespace {

bool ends_block(const Token& token) {
  static constexpr std::array<std::string_view, 6> kEnds{"done", "endif", "to", "endpar", "endtry", "}"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return token.is(end); });
}

bool begins_statement(const Token& token) {
  return token.kind == Token::Kind::Name && !ends_block(token) && !token.is("do");
}

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::End) return "the end of the file";
  return "'" + token.text.substr(0, 30) + "'";
}

}  // namespace

const Token& Parser::peek() {
  while (tokens_[i_].kind == Token::Kind::Comment) {
    comments_.push_back({tokens_[i_].text, tokens_[i_].at});
    behind_ = tokens_[i_].behind;
    ++i_;
  }
  return tokens_[i_];
}

Token Parser::next() {
  Token token = peek();
  behind_ = token.behind;
  if (token.kind != Token::Kind::End) ++i_;
  return token;
}

std::vector<Comment> Parser::take_comments() {
  return std::exchange(comments_, {});
}

bool Parser::accept(std::string_view word) {
  if (!peek().is(word)) return false;
  next();
  return true;
}

void Parser::wrong(Code code, const Token& found, const std::string& expected, const std::string& remedy) {
  if (too_deep_) return;
  report_.add(code, found.at, found.text, "stands where " + expected + " should", remedy);
}

bool Parser::expect(std::string_view symbol, const std::string& where) {
  if (accept(symbol)) return true;
  wrong(Code::Syntax, peek(), "'" + std::string(symbol) + "' " + where, "write '" + std::string(symbol) + "'");
  return false;
}

/// Told where the semicolon belongs, which is often the line before the next word.
bool Parser::expect_semicolon() {
  const Position behind = behind_;
  if (accept(";")) return true;
  if (!too_deep_) {
    report_.add(Code::Syntax, behind, "", "';' is missing before " + shown(peek()), "end the statement with ';'");
  }
  return false;
}

std::optional<std::string> Parser::name(const std::string& of_what) {
  const Token& token = peek();
  if (token.kind == Token::Kind::Name && !is_reserved(token.text)) return next().text;
  if (token.kind == Token::Kind::Name) {
    report_.add(Code::Syntax, token.at, token.text, "is a word of the language and cannot be " + of_what,
                "choose another name");
    // Taken as the name that was meant, unless it plainly begins the next thing.
    if (!ends_block(token)) next();
  } else {
    wrong(Code::Syntax, token, of_what, "write a name: letters, digits and _, no digit first");
  }
  return std::nullopt;
}

void Parser::version() {
  const Token first = tokens_[0].kind == Token::Kind::Comment ? tokens_[0] : peek();
  if (!first.is("rtdl")) {
    report_.add(Code::Version, first.at, first.text, "stands where the version should",
                "begin the file with 'rtdl 1.0'; comments come after it");
    accept("rtdl");
    if (peek().kind == Token::Kind::Number) next();
    return;
  }
  next();
  const Token number = peek();
  if (number.kind != Token::Kind::Number) {
    report_.add(Code::Version, number.at, number.text, "stands where the version number should", "write 'rtdl 1.0'");
    return;
  }
  next();
  if (number.text != "1.0") {
    report_.add(Code::Version, number.at, number.text, "is a version this program does not know", "write 'rtdl 1.0'");
  }
}

Document Parser::document() {
  Document document;
  version();
  while (!at_end() && !peek().is("task")) {
    const Token token = next();
    if (document.task.at.line == 0) {
      report_.add(Code::Syntax, token.at, token.text, "stands between version and task", "remove it");
      document.task.at = token.at;  // one report is enough
    }
  }
  document.before = take_comments();
  if (at_end()) {
    report_.add(Code::TaskError, peek().at, "", "there is no task", "write 'task name() { ... }'");
    return document;
  }
  task(document.task);
  const Token& rest = peek();
  document.after = take_comments();
  if (rest.kind != Token::Kind::End && !too_deep_) {
    if (rest.is("task")) {
      report_.add(Code::TaskError, rest.at, rest.text, "begins a second task", "write one task per file");
    } else {
      report_.add(Code::Syntax, rest.at, rest.text, "stands behind the end of the task", "remove it");
    }
  }
  return document;
}

void Parser::task(Task& task) {
  task.at = next().at;
  if (peek().kind != Token::Kind::Name || is_reserved(peek().text)) {
    wrong(Code::TaskError, peek(), "the name of the task", "write 'task name() { ... }'");
    if (peek().kind == Token::Kind::Name) next();
  } else {
    task.at = peek().at;
    task.name = next().text;
  }
  const bool opened = peek().is("(");
  task.comments = take_comments();
  if (opened) next();
  if (!opened) wrong(Code::Syntax, peek(), "'(' before the parameters", "write '(' and ')' even without parameters");
  variable_list(task.parameters);
  if (opened) expect(")", "behind the parameters");
  const bool braced = peek().is("{");
  task.head_comments = take_comments();
  expect("{", "before the body of the task");
  body(task);
  if (braced || peek().is("}")) close("}", "task", task.at);
}

void Parser::variable_list(Commented<Variable>& list) {
  const auto comments = [&] {
    peek();
    for (Comment& comment : take_comments()) list.emplace_back(std::move(comment));
  };
  comments();
  if (peek().is(")") || peek().is("{") || at_end()) return;
  do {
    Variable variable;
    comments();
    variable.at = peek().at;
    const auto type = name("the type of a parameter");
    if (!type && peek().kind != Token::Kind::Name) {
      while (!at_end() && !peek().is(",") && !peek().is(")") && !peek().is("{") && !peek().is(";")) next();
      continue;
    }
    variable.name_at = peek().at;
    const auto own = name("the name of a parameter");
    for (Comment& comment : take_comments()) list.emplace_back(std::move(comment));
    if (type && own) {
      variable.type = *type;
      variable.name = *own;
      list.emplace_back(std::move(variable));
    }
    comments();
  } while (accept(","));
  comments();
}

int Parser::count(const std::string& of_what) {
  int attempts = 1;
  expect("(", "before the number of attempts");
  const Token token = peek();
  if (token.kind == Token::Kind::Number) {
    next();
    if (token.text.find_first_not_of("0123456789") != std::string::npos || token.number < 1.0 ||
        token.number > kMaxCount) {
      report_.add(Code::Count, token.at, token.text, "is no number of attempts",
                  "write a whole number from 1 to " + std::to_string(kMaxCount));
    } else {
      attempts = static_cast<int>(token.number);
    }
  } else {
    wrong(Code::Count, token, "the number of attempts", "write " + of_what + "(3) for three attempts");
    if (token.kind == Token::Kind::Name && !is_reserved(token.text)) next();
  }
  expect(")", "behind the number of attempts");
  return attempts;
}

void Parser::retrycount(Task& task, bool late) {
  const Token word = next();
  if (late || task.retrycount) {
    report_.add(Code::Syntax, word.at, word.text,
                task.retrycount ? "stands twice in this task" : "does not stand first in its task",
                "write it once, behind the '{' of the task");
  }
  task.retrycount = count("retrycount");
  for (Comment& comment : take_comments()) task.head_comments.push_back(std::move(comment));
  expect_semicolon();
}

void Parser::entity(Task& task, bool late) {
  const Token word = next();
  if (late) {
    report_.add(Code::Syntax, word.at, word.text, "stands behind the first statement",
                "declare entities before the first statement");
  }
  Variable variable;
  variable.at = peek().at;
  const auto type = name("the type of an entity");
  variable.name_at = peek().at;
  const auto own = name("the name of an entity");
  const bool ended = peek().is(";");
  for (Comment& comment : take_comments()) task.entities.emplace_back(std::move(comment));
  if (type && own) {
    variable.type = *type;
    variable.name = *own;
    task.entities.emplace_back(std::move(variable));
  }
  expect_semicolon();
  if (!ended && !begins_statement(peek())) skip_statement();
}

void Parser::body(Task& task) {
  if (peek().is("retrycount")) {
    for (Comment& comment : take_comments()) task.head_comments.push_back(std::move(comment));
    retrycount(task, false);
  }
  while (peek().is("entity")) {
    for (Comment& comment : take_comments()) task.entities.emplace_back(std::move(comment));
    entity(task, false);
  }
  open_.push_back("}");
  while (!at_end() && !report_.full() && !too_deep_) {
    block(task.block);
    if (peek().is("entity")) {
      entity(task, true);
    } else if (peek().is("retrycount")) {
      retrycount(task, true);
    } else if (ends_block(peek()) && !peek().is("}")) {
      const Token stray = next();
      report_.add(Code::Syntax, stray.at, stray.text, "ends nothing that was begun", "remove it");
    } else {
      break;
    }
  }
  open_.pop_back();
}

void Parser::flush_comments(Block& block) {
  for (Comment& comment : take_comments()) {
    const Position at = comment.at;
    append(block, std::move(comment), at);
  }
}

bool Parser::at_block_end() {
  const Token& token = peek();
  const bool declaration = open_.size() == 1 && (token.is("entity") || token.is("retrycount"));
  return token.kind == Token::Kind::End || ends_block(token) || declaration;
}

void Parser::block(Block& block) {
  if (static_cast<int>(open_.size()) > kMaxDepth) {
    if (!too_deep_) {
      report_.add(Code::Limit, peek().at, peek().text, "is nested deeper than " + std::to_string(kMaxDepth) + " blocks",
                  "make a task of the inner blocks");
    }
    too_deep_ = true;
  }
  while (!too_deep_ && !report_.full() && !at_block_end()) {
    flush_comments(block);
    statement(block);
  }
  flush_comments(block);
}

void Parser::statement(Block& block) {
  const Token& token = peek();
  if (token.is("while") || token.is("if")) return conditional(block, token.text == "if" ? "if" : "while");
  if (token.is("par")) return par(block);
  if (token.is("retry")) return retry(block);
  if (token.is("optional") || (token.kind == Token::Kind::Name && !is_reserved(token.text))) return call(block);
  wrong(Code::Syntax, token, "a statement",
        token.is("entity") ? "declare entities before the first statement of the task"
                           : "write a call, while, if, par or retry");
  next();
  skip_statement();
}

void Parser::skip_statement() {
  while (!at_end() && !ends_block(peek()) && !peek().is(";") && !peek().is("while") && !peek().is("if") &&
         !peek().is("par") && !peek().is("retry")) {
    next();
  }
  accept(";");
}

void Parser::call(Block& block) {
  Call call;
  const Position at = peek().at;
  call.optional = accept("optional");
  const Token word = peek();
  flush_comments(block);
  if (word.kind != Token::Kind::Name || is_reserved(word.text)) {
    const bool before_block = word.is("while") || word.is("if") || word.is("par") || word.is("retry");
    wrong(Code::Syntax, word, "a call",
          before_block ? "'optional' stands before a call only; make a task of the block" : "write 'optional name();'");
    if (!before_block) skip_statement();
    return;
  }
  call.name = next().text;
  const auto comments = [&] {
    peek();
    for (Comment& comment : take_comments()) call.arguments.emplace_back(std::move(comment));
  };
  if (!expect("(", "behind '" + call.name + "'")) return skip_statement();
  comments();
  if (!peek().is(")")) {
    do {
      comments();
      auto argument = value(false, 0);
      if (!argument) return skip_statement();
      call.arguments.emplace_back(std::move(*argument));
      comments();
    } while (accept(","));
  }
  if (!expect(")", "behind the arguments")) return skip_statement();
  const Position behind = behind_;
  comments();
  append(block, std::move(call), at);
  behind_ = behind;
  if (!expect_semicolon() && !begins_statement(peek()) && !ends_block(peek())) skip_statement();
}

void Parser::conditional(Block& block, std::string_view word) {
  const Position at = next().at;
  const bool loop = word == "while";
  std::vector<Comment> comments;
  std::optional<Condition> read;
  if (expect("(", "before the condition")) {
    const std::size_t begin = i_;
    read = condition();
    if (read && !accept(")")) {
      wrong(Code::Condition, peek(), "'and', 'or' or ')'", "end the condition with ')'");
      read.reset();
    }
    if (!read) {
      i_ = begin;  // its brackets are counted from the first on
      skip_condition();
    }
  }
  if (loop) expect("do", "before the block of 'while'");
  comments = take_comments();
  Condition condition = read ? std::move(*read) : Condition{};
  open_.push_back(loop ? "done" : "endif");
  Block inner;
  this->block(inner);
  open_.pop_back();
  close(loop ? "done" : "endif", word, at);
  if (loop) {
    append(block, While{std::move(comments), std::move(condition), std::move(inner)}, at);
  } else {
    append(block, If{std::move(comments), std::move(condition), std::move(inner)}, at);
  }
}

void Parser::par(Block& block) {
  const Position at = next().at;
  Par par;
  open_.push_back("endpar");
  open_.push_back("to");
  this->block(par.first);
  open_.pop_back();
  if (accept("to")) {
    this->block(par.second);
  } else {
    wrong(Code::Syntax, peek(), "'to' between the branches of 'par'", "write par ... to ... endpar");
  }
  open_.pop_back();
  close("endpar", "par", at);
  append(block, std::move(par), at);
}

void Parser::retry(Block& block) {
  const Position at = next().at;
  Retry retry;
  retry.count = count("retry");
  retry.comments = take_comments();
  open_.push_back("endtry");
  this->block(retry.block);
  open_.pop_back();
  close("endtry", "retry", at);
  append(block, std::move(retry), at);
}

/// The end of a block; a foreign one is left for the block it ends, or taken for ours if it ends none.
void Parser::close(std::string_view end, std::string_view construct, Position opened) {
  if (accept(end) || too_deep_) return;
  const Token found = peek();
  wrong(Code::Syntax, found, "'" + std::string(end) + "'",
        "end the '" + std::string(construct) + "' of line " + std::to_string(opened.line) + " with '" +
            std::string(end) + "'");
  if (ends_block(found) && std::find(open_.begin(), open_.end(), found.text) == open_.end()) next();
}

Document read_function(std::string_view text, Report& report) {
  if (text.size() > kMaxFile) {
    report.add(Code::Limit, {1, 1}, "", "the file has more than " + std::to_string(kMaxFile) + " bytes",
               "split the task");
    return {};
  }
  const std::string plain = plain_text(text, report);
  Document document = Parser(split_words(plain, report), report).document();
  report.sort();
  return document;
}

bool looks_like_xml(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}

Document read(std::string_view text, Report& report) {
  return looks_like_xml(text) ? read_xml(text, report) : read_function(text, report);
}

}  // namespace hl_behavior::rtdl
