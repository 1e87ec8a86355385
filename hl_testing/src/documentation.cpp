// SPDX-License-Identifier: Apache-2.0
#include "hl_testing/documentation.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace hl_testing {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::stringstream stream;
  stream << std::ifstream(file).rdbuf();
  return stream.str();
}

/// Writes `text` if that is wanted, else says what `what` should be.
std::string written(const std::filesystem::path& path, const std::string& text, const std::string& what,
                    const std::string& content) {
  const char* const write = std::getenv("HL_WRITE_DOCUMENTATION");
  if (write == nullptr || *write == '\0') {
    return path.string() + what + " does not say what the code says; run this test with HL_WRITE_DOCUMENTATION=1, " +
           "it should be\n" + content;
  }
  std::ofstream file(path);
  file << text;
  return file.flush() ? "" : path.string() + " cannot be written";
}

}  // namespace

std::string documentation_problem(const std::filesystem::path& document, const std::string& name,
                                  const std::string& content) {
  std::string text = content_of(document);
  const std::string begin = "<!-- " + name + " begin -->\n", end = "<!-- " + name + " end -->";
  const std::size_t from = text.find(begin), to = text.find(end);
  if (from == std::string::npos || to == std::string::npos || to < from)
    return document.string() + " lacks the lines " + begin + "and " + end;
  const std::size_t start = from + begin.size();
  if (text.compare(start, to - start, content) == 0) return "";
  return written(document, text.replace(start, to - start, content), ": '" + name + "'", content);
}

std::string documentation_problem(const std::filesystem::path& file, const std::string& content) {
  return content_of(file) == content ? "" : written(file, content, "", content);
}

}  // namespace hl_testing
