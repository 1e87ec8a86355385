// SPDX-License-Identifier: Apache-2.0
#include "hl_node/bag_reader.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>

namespace hl_node {
namespace {

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

Database open(const std::string& file) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  Database db(raw);
  if (code != SQLITE_OK) throw std::runtime_error(file + ": " + sqlite3_errmsg(raw));
  return db;
}

Statement prepare(sqlite3* db, const std::string& file, const char* query) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(db, query, -1, &raw, nullptr) != SQLITE_OK)
    throw std::runtime_error(file + " is no bag: " + sqlite3_errmsg(db));
  return Statement(raw);
}

std::string text_of(sqlite3_stmt* statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  return text != nullptr ? text : "";
}

}  // namespace

BagReader::BagReader(const std::string& path) {
  namespace fs = std::filesystem;
  if (fs::is_directory(path)) {
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.path().extension() == ".db3") files_.push_back(entry.path().string());
    std::sort(files_.begin(), files_.end());
    if (files_.empty())
      throw std::runtime_error(path + ": no .db3 file in it; record with 'ros2 bag record -s sqlite3', uncompressed");
  } else if (fs::exists(path)) {
    files_.push_back(path);
  } else {
    throw std::runtime_error(path + ": does not exist");
  }
}

void BagReader::read(const std::function<bool(const std::string& topic, const std::string& type)>& wanted,
                     const std::function<bool(const Message&)>& take) const {
  for (const std::string& file : files_) {
    const Database db = open(file);
    std::map<sqlite3_int64, Message> topics;
    const Statement list = prepare(db.get(), file, "SELECT id, name, type FROM topics");
    while (sqlite3_step(list.get()) == SQLITE_ROW) {
      Message message;
      message.topic = text_of(list.get(), 1);
      message.type = text_of(list.get(), 2);
      if (wanted(message.topic, message.type)) topics[sqlite3_column_int64(list.get(), 0)] = message;
    }
    const Statement rows =
        prepare(db.get(), file, "SELECT topic_id, timestamp, data FROM messages ORDER BY timestamp, id");
    int code = SQLITE_OK;
    while ((code = sqlite3_step(rows.get())) == SQLITE_ROW) {
      const auto found = topics.find(sqlite3_column_int64(rows.get(), 0));
      if (found == topics.end()) continue;
      Message& message = found->second;
      message.time = 1e-9 * static_cast<double>(sqlite3_column_int64(rows.get(), 1));
      const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(rows.get(), 2));
      message.data.assign(bytes, bytes + sqlite3_column_bytes(rows.get(), 2));
      if (!take(message)) return;
    }
    if (code != SQLITE_DONE) throw std::runtime_error(file + ": " + sqlite3_errmsg(db.get()));
  }
}

}  // namespace hl_node
