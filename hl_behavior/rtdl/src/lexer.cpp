// SPDX-License-Identifier: Apache-2.0
#include "lexer.hpp"

#include <charconv>
#include <cmath>

namespace hl_behavior::rtdl {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  Lexer(std::string_view text, const std::vector<Position>* places, Report& report)
      : text_(text), places_(places), report_(report) {}

  std::vector<Token> run() {
    while (!report_.full()) {
      while (now() == ' ' || now() == '\t' || now() == '\n') advance();
      if (i_ >= text_.size()) break;
      word();
    }
    i_ = text_.size();  // a place behind everything, also if reading was given up
    Token end;
    end.at = end.behind = here();
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  char now(std::size_t ahead = 0) const { return i_ + ahead < text_.size() ? text_[i_ + ahead] : '\0'; }
  Position here() const { return places_ != nullptr ? (*places_)[i_] : at_; }

  void advance() {
    if (text_[i_++] == '\n') {
      ++at_.line;
      at_.column = 1;
    } else {
      ++at_.column;
    }
  }
  void advance_to(std::size_t end) {
    while (i_ < end) advance();
  }

  void push(Token::Kind kind, std::string text, Position at, double number = 0.0) {
    tokens_.push_back({kind, std::move(text), number, at, here()});
  }

  void word() {
    const Position at = here();
    const std::size_t begin = i_;
    const char c = now();
    if (is_letter(c)) {
      while (is_letter(now()) || is_digit(now())) advance();
      const std::string_view name = text_.substr(begin, i_ - begin);
      if (name.size() > kMaxName) {
        report_.add(Code::Limit, at, name, "is longer than " + std::to_string(kMaxName) + " characters",
                    "choose a shorter name");
      }
      push(Token::Kind::Name, std::string(name), at);
    } else if (is_digit(c) || (c == '-' && is_digit(now(1)))) {
      number(at);
    } else if (c == '"') {
      quoted(at);
    } else if (c == '/' && now(1) == '*') {
      comment(at);
    } else {
      symbol(at);
    }
  }

  void number(Position at) {
    const std::size_t begin = i_;
    if (now() == '-') advance();
    while (is_digit(now())) advance();
    if (now() == '.' && is_digit(now(1))) {
      advance();
      while (is_digit(now())) advance();
    }
    if ((now() == 'e' || now() == 'E') &&
        (is_digit(now(1)) || ((now(1) == '-' || now(1) == '+') && is_digit(now(2))))) {
      advance();
      advance();
      while (is_digit(now())) advance();
    }
    if (is_letter(now()) || now() == '.') {
      while (is_letter(now()) || is_digit(now()) || now() == '.') advance();
      report_.add(Code::Syntax, at, text_.substr(begin, i_ - begin), "is no number", "write 3, -3, 0.5 or 1e-3");
      push(Token::Kind::Number, "0", at);
      return;
    }
    const std::string_view digits = text_.substr(begin, i_ - begin);
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || !std::isfinite(value) || digits.size() > 40) {
      report_.add(Code::Limit, at, digits, "is a number out of range", "use a number that a machine can hold");
      value = 0.0;
    }
    push(Token::Kind::Number, std::string(digits), at, value);
  }

  void quoted(Position at) {
    const std::size_t begin = i_;
    std::string text;
    advance();
    while (i_ < text_.size() && now() != '"' && now() != '\n') {
      if (now() == '\\') {
        advance();
        if (now() != '"' && now() != '\\') {
          report_.add(Code::Syntax, here(), text_.substr(i_, 1), "cannot follow a backslash", "write \\\" or \\\\");
          continue;
        }
      } else if (now() == '\t') {
        report_.add(Code::Character, here(), "\t", "stands in a quoted text", "write a space");
      }
      text += now();
      advance();
    }
    if (now() != '"') {
      report_.add(Code::Syntax, at, text_.substr(begin, i_ - begin), "has no closing quote", "end the text with \"");
    } else {
      advance();
    }
    push(Token::Kind::Text, std::move(text), at);
  }

  void comment(Position at) {
    const std::size_t end = text_.find("*/", i_ + 2);
    if (end == std::string_view::npos) {
      report_.add(Code::Syntax, at, text_.substr(i_, 20), "begins a comment that does not end", "end it with */");
      advance_to(text_.size());
      return;
    }
    std::string text(text_.substr(i_ + 2, end - i_ - 2));
    advance_to(end + 2);
    push(Token::Kind::Comment, std::move(text), at);
  }

  void symbol(Position at) {
    const std::string_view two = text_.substr(i_, 2);
    if (two == "!=" || two == "<=" || two == ">=" || two == "==") {
      advance_to(i_ + 2);
      push(Token::Kind::Symbol, std::string(two), at);
      return;
    }
    const std::string_view one = text_.substr(i_, 1);
    advance();
    if (std::string_view("(){},;=<>").find(one[0]) != std::string_view::npos) {
      push(Token::Kind::Symbol, std::string(one), at);
    } else if (one == "/" && now() == '/') {
      const std::size_t end = std::min(text_.find('\n', i_), text_.size());
      report_.add(Code::Syntax, at, "//", "begins no comment in this language", "write /* ... */");
      advance_to(end);
    } else {
      report_.add(Code::Syntax, at, one, "has no meaning here", "remove it");
    }
  }

  std::string_view text_;
  const std::vector<Position>* places_;
  Report& report_;
  std::size_t i_ = 0;
  Position at_{1, 1};
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> split_words(std::string_view text, Report& report) {
  return Lexer(text, nullptr, report).run();
}

std::vector<Token> split_words(const PlacedText& text, Report& report) {
  return Lexer(text.text, &text.places, report).run();
}

std::string plain_text(std::string_view text, Report& report) {
  std::string plain;
  plain.reserve(text.size());
  Position at{1, 1};
  bool in_run = false;  // one report for a run of bad bytes, such as the bytes of one letter
  std::size_t reported = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\r') {
      if (i + 1 < text.size() && text[i + 1] == '\n') continue;
      c = '\n';
    }
    const bool bad = (c < ' ' && c != '\n' && c != '\t') || c > '~';
    if (bad) {
      if (!in_run && reported++ < 20) {
        std::size_t end = i + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
        report.add(Code::Character, at, text.substr(i, std::min<std::size_t>(end - i, 4)), "is no ASCII character",
                   "write it with ASCII letters, e.g. ae for an a umlaut");
      }
      plain += ' ';
    } else {
      plain += c;
    }
    in_run = bad;
    if (c == '\n') {
      ++at.line;
      at.column = 1;
    } else {
      ++at.column;
    }
  }
  return plain;
}

}  // namespace hl_behavior::rtdl
