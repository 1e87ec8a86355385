// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/library.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "hl_behavior/rtdl/syntax.hpp"

namespace hl_behavior::rtdl {

bool Library::add(Document document, std::string file) {
  std::string name = document.task.name;
  return tasks_.emplace(std::move(name), LibraryTask{std::move(document), std::move(file)}).second;
}

void Library::add_folder(const std::string& folder, std::vector<Report>& reports) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".rtdl" || extension == ".xml"))
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    Report report(file);
    Document document = read(read_text(file), report);
    if (report.ok()) {
      const std::string name = document.task.name;
      const Position at = document.task.at;
      if (!add(std::move(document), file)) {
        report.add(Code::Duplicate, at, name, "is also the task of " + find(name)->file, "rename one of them");
      }
    }
    if (!report.all().empty()) reports.push_back(std::move(report));
  }
}

const LibraryTask* Library::find(std::string_view name) const {
  const auto found = tasks_.find(name);
  return found == tasks_.end() ? nullptr : &found->second;
}

std::vector<std::string> Library::names() const {
  std::vector<std::string> names;
  for (const auto& [name, task] : tasks_) names.push_back(name);
  return names;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::string text(kMaxFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw std::runtime_error(path + ": cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxFile) throw std::runtime_error(path + ": has more than " + std::to_string(kMaxFile) + " bytes");
  return text;
}

}  // namespace hl_behavior::rtdl
