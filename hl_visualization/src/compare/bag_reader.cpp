// SPDX-License-Identifier: Apache-2.0
#include "bag_reader.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace hl_visualization {
namespace {

namespace fs = std::filesystem;
using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;
using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

Statement prepare(sqlite3* database, const char* sql, const std::string& file) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(database, sql, -1, &raw, nullptr) != SQLITE_OK)
    throw std::runtime_error(file + " is not a bag: " + sqlite3_errmsg(database));
  return {raw, sqlite3_finalize};
}

std::string text(sqlite3_stmt* statement, int column) {
  const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return value == nullptr ? "" : value;
}

void read_file(const std::string& file, Bag& bag) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  const Database database(raw, sqlite3_close);
  if (opened != SQLITE_OK) throw std::runtime_error("cannot open " + file + ": " + sqlite3_errmsg(raw));
  std::map<std::int64_t, std::string> names;
  const Statement topics = prepare(raw, "select id, name, type from topics", file);
  while (sqlite3_step(topics.get()) == SQLITE_ROW) {
    const std::string name = text(topics.get(), 1);
    names[sqlite3_column_int64(topics.get(), 0)] = name;
    bag.types[name] = text(topics.get(), 2);
  }
  const Statement messages = prepare(raw, "select topic_id, timestamp, data from messages", file);
  while (sqlite3_step(messages.get()) == SQLITE_ROW) {
    const auto topic = names.find(sqlite3_column_int64(messages.get(), 0));
    const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(messages.get(), 2));
    const int size = sqlite3_column_bytes(messages.get(), 2);
    if (topic == names.end() || bytes == nullptr || size < 4) continue;
    bag.messages.push_back({sqlite3_column_int64(messages.get(), 1), topic->second, {bytes, bytes + size}});
  }
}

}  // namespace

bool Bag::has_namespace(const std::string& robot) const {
  const std::string begin = "/" + robot + "/";
  return !robot.empty() &&
         std::any_of(types.begin(), types.end(), [&](const auto& topic) { return topic.first.rfind(begin, 0) == 0; });
}

Bag read_bag(const std::string& path) {
  std::vector<std::string> files;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::directory_iterator(path)) {
      const std::string ending = entry.path().extension().string();
      if (ending == ".db3") files.push_back(entry.path().string());
      if (ending == ".mcap" || ending == ".zstd")
        throw std::runtime_error(entry.path().string() +
                                 ": only uncompressed sqlite3 bags; 'ros2 bag convert' makes one");
    }
  } else if (fs::exists(path)) {
    files.push_back(path);
  }
  if (files.empty()) throw std::runtime_error(path + ": there is no bag (a folder with a .db3 file)");
  std::sort(files.begin(), files.end());
  Bag bag;
  for (const std::string& file : files) read_file(file, bag);
  std::stable_sort(bag.messages.begin(), bag.messages.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  if (bag.messages.empty()) throw std::runtime_error(path + ": the bag has no messages");
  return bag;
}

}  // namespace hl_visualization
