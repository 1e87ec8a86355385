// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/diagnostic.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

namespace hl_behavior::rtdl {
namespace {

/// Printable and short: a message must fit a line and a terminal.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string result;
  for (const char c : text) {
    if (result.size() >= kLongest) return result + "...";
    if (c >= ' ' && c <= '~') {
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else {
      std::array<char, 5> hex{};
      std::snprintf(hex.data(), hex.size(), "\\x%02x", static_cast<unsigned char>(c));
      result += hex.data();
    }
  }
  return result;
}

}  // namespace

std::string_view to_text(Code code) {
  static constexpr std::array<std::string_view, 17> kTexts{
      "E-VERSION",   "E-SYNTAX", "E-CHARACTER",   "E-LIMIT",      "E-TASK",      "E-DUPLICATE",
      "E-TYPE",      "E-NAME",   "E-ARGUMENT",    "E-CAPABILITY", "E-RECURSION", "E-COUNT",
      "E-CONDITION", "E-SLOT",   "W-UNREACHABLE", "W-UNSET",      "W-ENDLESS"};
  return kTexts[static_cast<std::size_t>(code)];
}

bool is_warning(Code code) {
  return code >= Code::Unreachable;
}

std::string to_text(const Diagnostic& d) {
  std::string text = d.file + ":" + std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + ": " +
                     (is_warning(d.code) ? "warning " : "error ");
  text.append(to_text(d.code)).append(": ");
  if (!d.text.empty()) text += "'" + d.text + "' ";
  text += d.message;
  if (!d.remedy.empty()) text += "; remedy: " + d.remedy;
  return text;
}

void Report::add(Code code, Position at, std::string_view text, std::string message, std::string remedy) {
  if (full()) return;
  all_.push_back({code, file_, at, shown(text), std::move(message), std::move(remedy)});
  if (!is_warning(code)) ++errors_;
}

void Report::append(const Report& other) {
  all_.insert(all_.end(), other.all_.begin(), other.all_.end());
  errors_ += other.errors_;
}

void Report::sort() {
  std::stable_sort(all_.begin(), all_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.at.line, a.at.column) < std::tie(b.file, b.at.line, b.at.column);
  });
}

}  // namespace hl_behavior::rtdl
