// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hl_behavior/rtdl/diagnostic.hpp"
#include "hl_behavior/rtdl/tree.hpp"

namespace hl_behavior::rtdl {

/// A task with the file it came from.
struct LibraryTask {
  Document document;
  std::string file;
};

/// The tasks that tasks may call, by name.
class Library {
 public:
  /// False if a task of that name is already there.
  bool add(Document document, std::string file);

  /// All *.rtdl and *.xml of a folder; what cannot be read is reported and left out.
  void add_folder(const std::string& folder, std::vector<Report>& reports);

  const LibraryTask* find(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  std::map<std::string, LibraryTask, std::less<>> tasks_;
};

/// The text of a file; throws std::runtime_error if it cannot be read or is larger than kMaxFile.
std::string read_text(const std::string& path);

}  // namespace hl_behavior::rtdl
