// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hl_behavior/rtdl/diagnostic.hpp"

namespace hl_behavior::rtdl {

struct Token {
  enum class Kind { Name, Number, Text, Symbol, Comment, End };
  Kind kind = Kind::End;
  std::string text;     // a text without quotes and escapes, a comment without its marks
  double number = 0.0;  // of a number
  Position at, behind;  // first character, and the place behind the last

  bool is(std::string_view symbol_or_word) const {
    return (kind == Kind::Symbol || kind == Kind::Name) && text == symbol_or_word;
  }
};

/// Text with the place in the file of each character, for pieces of an XML file (entities shift the columns).
struct PlacedText {
  std::string text;
  std::vector<Position> places;  // of each character, and of the end
};

/// The words of the function syntax; the last one is End. What is no word is reported and left out.
std::vector<Token> split_words(std::string_view text, Report& report);
std::vector<Token> split_words(const PlacedText& text, Report& report);

/// Reports what the language does not allow in any text: bytes beyond ASCII and control characters but tab and line
/// ends. Returns the text with line ends as a single \n.
std::string plain_text(std::string_view text, Report& report);

}  // namespace hl_behavior::rtdl
