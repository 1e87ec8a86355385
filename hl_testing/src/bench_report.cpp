// SPDX-License-Identifier: Apache-2.0
#include "hl_testing/bench_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string_view>

namespace hl_testing {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

bool Figure::ok() const {
  if (!std::isfinite(value)) return false;
  if (!budget) return true;
  return better == Better::Lower ? value <= *budget : value >= *budget;
}

std::string Figure::json() const {
  std::ostringstream line;
  line << "{\"package\": " << quoted(package) << ", \"name\": " << quoted(name) << ", \"value\": ";
  std::isfinite(value) ? line << value : line << "null";
  line << ", \"unit\": " << quoted(unit) << ", \"budget\": ";
  budget ? line << *budget : line << "null";
  line << ", \"better\": " << (better == Better::Lower ? "\"lower\"" : "\"higher\"");
  line << ", \"ok\": " << (ok() ? "true" : "false") << "}";
  return line.str();
}

void report(const Figure& figure) {
  std::printf("%s\n", figure.json().c_str());
  std::fflush(stdout);
}

bool quick(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](const char* argument) { return std::string_view(argument) == "--quick"; });
}

}  // namespace hl_testing
