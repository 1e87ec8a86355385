// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hl_behavior/rtdl/diagnostic.hpp"
#include "hl_behavior/rtdl/tree.hpp"
#include "lexer.hpp"

namespace hl_behavior::rtdl {

/// Recursive descent over the words of the function syntax; at most kMaxDepth blocks deep. After an error it goes on at
/// the next statement, so that all errors of a file are found.
class Parser {
 public:
  Parser(std::vector<Token> tokens, Report& report) : tokens_(std::move(tokens)), report_(report) {}

  Document document();

  // Pieces, as the XML syntax holds them in its text: all words must belong to the piece.
  std::optional<Condition> lone_condition();
  std::optional<Value> lone_value();

  std::vector<Comment> take_comments();  // those passed by since the last call

 private:
  const Token& peek();  // the next word that is no comment; comments are put aside for take_comments
  Token next();
  bool at_end() { return peek().kind == Token::Kind::End; }
  bool accept(std::string_view word);

  void wrong(Code code, const Token& found, const std::string& expected, const std::string& remedy);
  bool expect(std::string_view symbol, const std::string& where);
  bool expect_semicolon();
  std::optional<std::string> name(const std::string& of_what);

  void version();
  void task(Task& task);
  void body(Task& task);
  void variable_list(Commented<Variable>& list);
  void entity(Task& task, bool late);
  void retrycount(Task& task, bool late);
  int count(const std::string& of_what);

  void block(Block& block);
  void statement(Block& block);
  void call(Block& block);
  void conditional(Block& block, std::string_view word);
  void par(Block& block);
  void retry(Block& block);
  void close(std::string_view end, std::string_view construct, Position opened);
  void skip_statement();
  void flush_comments(Block& block);
  bool at_block_end();

  std::optional<Condition> condition();
  std::optional<Term> term();
  std::optional<Value> value(bool calls_allowed, int depth);
  void skip_condition();

  std::vector<Token> tokens_;
  Report& report_;
  std::size_t i_ = 0;
  Position behind_{1, 1};  // the last word taken
  std::vector<Comment> comments_;
  std::vector<std::string_view> open_;  // words that end the blocks we are in
  bool too_deep_ = false;
};

}  // namespace hl_behavior::rtdl
