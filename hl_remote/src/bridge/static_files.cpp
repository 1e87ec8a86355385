// SPDX-License-Identifier: Apache-2.0
#include "static_files.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace hl_remote {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestFile = 32u << 20;

std::string type_of(const fs::path& file) {
  static const std::map<std::string, std::string> kTypes = {{".html", "text/html; charset=utf-8"},
                                                            {".js", "text/javascript; charset=utf-8"},
                                                            {".css", "text/css; charset=utf-8"},
                                                            {".svg", "image/svg+xml"},
                                                            {".png", "image/png"},
                                                            {".json", "application/json"},
                                                            {".ico", "image/x-icon"},
                                                            {".map", "application/json"},
                                                            {".txt", "text/plain; charset=utf-8"}};
  const auto found = kTypes.find(file.extension().string());
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

int hex(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  const int letter = std::tolower(static_cast<unsigned char>(digit));
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// A target's path below the folder; nothing for one that leads out of it.
std::optional<fs::path> path_of(std::string_view target) {
  const auto path = percent_decoded(target.substr(0, target.find_first_of("?#")));
  if (!path || path->empty() || path->front() != '/' || path->find('\\') != std::string::npos) return std::nullopt;
  for (const fs::path& part : fs::path(*path))
    if (!part.empty() && part.string().front() == '.') return std::nullopt;  // neither hidden files nor the way up
  return *path == "/" ? fs::path("index.html") : fs::path(*path).relative_path();
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char letter = text[i];
    if (letter == '%') {
      if (text.size() - i < 3) return std::nullopt;
      const int high = hex(text[i + 1]), low = hex(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      letter = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (static_cast<unsigned char>(letter) < 32) return std::nullopt;
    result.push_back(letter);
  }
  return result;
}

std::string query_value(std::string_view target, std::string_view name) {
  const std::size_t start = target.find('?');
  if (start == std::string_view::npos) return {};
  std::string_view rest = target.substr(start + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    if (pair.substr(0, pair.find('=')) != name || pair.size() <= name.size()) continue;
    return percent_decoded(pair.substr(name.size() + 1)).value_or(std::string{});
  }
  return {};
}

bool leaves_folder(std::string_view target) {
  return !path_of(target);
}

std::optional<StaticFile> static_file(const std::string& folder, std::string_view target) {
  const auto path = path_of(target);
  if (folder.empty() || !path) return std::nullopt;
  const fs::path file = fs::path(folder) / *path;
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kLargestFile) return std::nullopt;
  std::ifstream input(file, std::ios::binary);
  std::ostringstream content;
  content << input.rdbuf();
  return StaticFile{content.str(), type_of(file)};
}

}  // namespace hl_remote
