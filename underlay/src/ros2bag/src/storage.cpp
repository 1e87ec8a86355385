// SPDX-License-Identifier: Apache-2.0
#include "ros2bag/storage.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "compression.hpp"

namespace ros2bag {

void detail::CloseDatabase::operator()(sqlite3* database) const {
  sqlite3_close(database);
}
void detail::FinalizeStatement::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

namespace {

using detail::Database;
using detail::Statement;

// Writable where the file is: what a killed recorder left unfinished must be undone before the rest can be read.
constexpr int existing = SQLITE_OPEN_READWRITE;

// As rosbag2 of Humble creates them.
constexpr const char* schema =
    "CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,"
    "serialization_format TEXT NOT NULL,offered_qos_profiles TEXT NOT NULL);"
    "CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL,"
    "data BLOB NOT NULL);"
    "CREATE INDEX timestamp_idx ON messages (timestamp ASC);";

std::string file_of(sqlite3* database) {
  const char* name = sqlite3_db_filename(database, "main");
  return name == nullptr ? "bag" : name;
}

[[noreturn]] void fail(sqlite3* database, const std::string& what) {
  throw BagError(file_of(database) + ": cannot " + what + ": " + sqlite3_errmsg(database));
}

Database open(const std::filesystem::path& path, int flags) {
  sqlite3* raw = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  Database database(raw);
  if (result != SQLITE_OK) throw BagError("cannot open '" + path.string() + "': " + sqlite3_errstr(result));
  sqlite3_busy_timeout(database.get(), 1000);  // ms; somebody may look at the bag while it is recorded
  return database;
}

/// Also a file that is compressed as a whole; `decompressed` keeps its content.
Database open_for_reading(const std::filesystem::path& path, std::shared_ptr<DecompressedFile>& decompressed) {
  if (path.extension() != compressed_extension) return open(path, existing);
  decompressed = std::make_shared<DecompressedFile>(path);
  return open(decompressed->path(), existing);
}

void execute(const Database& database, const char* sql, const char* what) {
  if (sqlite3_exec(database.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(database.get(), what);
}

Statement prepare(const Database& database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database.get(), sql, -1, &statement, nullptr) != SQLITE_OK) {
    fail(database.get(), "read it as a bag");
  }
  return Statement(statement);
}

bool step(const Statement& statement, const char* what) {
  const int result = sqlite3_step(statement.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) fail(sqlite3_db_handle(statement.get()), what);
  return false;
}

void bind(const Statement& statement, int index, const std::string& text) {
  sqlite3_bind_text(statement.get(), index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

std::string text_of(const Statement& statement, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), column));
  return text == nullptr ? ""
                         : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement.get(), column)));
}

struct StoredTopic {
  std::int64_t id;
  Topic topic;
};

std::vector<StoredTopic> topics_of(const Database& database) {
  std::vector<StoredTopic> topics;
  const auto with_qos = "SELECT id, name, type, serialization_format, offered_qos_profiles FROM topics ORDER BY id;";
  const auto select = prepare(database, with_qos);
  while (step(select, "list its topics")) {
    StoredTopic stored{sqlite3_column_int64(select.get(), 0), {text_of(select, 1), text_of(select, 2), "", 0}};
    if (text_of(select, 3) != "cdr") {
      throw BagError(file_of(database.get()) + ": messages of " + stored.topic.name + " are not CDR but '" +
                     text_of(select, 3) + "'");
    }
    stored.topic.offered_qos = text_of(select, 4);
    topics.push_back(std::move(stored));
  }
  return topics;
}

}  // namespace

BagWriter::BagWriter(const std::filesystem::path& folder) : BagWriter(folder, Limits()) {}

BagWriter::BagWriter(const std::filesystem::path& folder, const Limits& limits) : folder_(folder), limits_(limits) {
  namespace fs = std::filesystem;
  if (fs::exists(folder_)) throw BagError("'" + folder_.string() + "' exists already; name another folder with -o");
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw BagError("cannot create '" + folder_.string() + "': " + error.message());
  open_file();
}

BagWriter::~BagWriter() {
  try {
    close();
  } catch (const std::exception&) {  // a destructor cannot report it
  }
}

void BagWriter::open_file() {
  const std::string name = folder_.filename().string() + "_" + std::to_string(metadata_.files.size()) + ".db3";
  database_ = open(folder_ / name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  // A crash of this process must not damage the file, one of the machine may: waiting for the disk would lose messages.
  execute(database_, "PRAGMA synchronous=OFF;", "set it up");
  execute(database_, schema, "create its tables");
  insert_ = prepare(database_, "INSERT INTO messages (topic_id, timestamp, data) VALUES (?, ?, ?);");
  metadata_.files.emplace_back().path = name;
  file_bytes_ = 0;
  for (std::size_t topic = 0; topic < metadata_.topics.size(); ++topic) insert_topic(topic);
}

void BagWriter::close_file() {
  commit();
  insert_.reset();
  database_.reset();
}

std::size_t BagWriter::add_topic(const std::string& name, const std::string& type, const std::string& offered_qos) {
  metadata_.topics.push_back({name, type, offered_qos, 0});
  insert_topic(metadata_.topics.size() - 1);
  return metadata_.topics.size() - 1;
}

void BagWriter::insert_topic(std::size_t index) {
  const auto& topic = metadata_.topics[index];
  const auto insert = prepare(database_,
                              "INSERT INTO topics (id, name, type, serialization_format, offered_qos_profiles) "
                              "VALUES (?, ?, ?, 'cdr', ?);");
  sqlite3_bind_int64(insert.get(), 1, static_cast<std::int64_t>(index) + 1);
  bind(insert, 2, topic.name);
  bind(insert, 3, topic.type);
  bind(insert, 4, topic.offered_qos);
  step(insert, "add a topic");
}

void BagWriter::write(std::size_t topic, std::int64_t time, const void* cdr, std::size_t bytes) {
  const auto beyond = [](std::uint64_t value, std::uint64_t limit) { return limit > 0 && value >= limit; };
  if (const auto& file = metadata_.files.back();
      file.messages > 0 && (beyond(file_bytes_, limits_.file_bytes) ||
                            (limits_.file_duration > 0 && time - file.start >= limits_.file_duration))) {
    close_file();
    open_file();
  }
  if (!in_transaction_) {
    execute(database_, "BEGIN;", "write to it");
    in_transaction_ = true;
  }
  sqlite3_bind_int64(insert_.get(), 1, static_cast<std::int64_t>(topic) + 1);
  sqlite3_bind_int64(insert_.get(), 2, time);
  sqlite3_bind_blob64(insert_.get(), 3, cdr, bytes, SQLITE_STATIC);
  step(insert_, "write to it");
  sqlite3_reset(insert_.get());

  auto& file = metadata_.files.back();
  if (file.messages == 0) file.start = time;
  const std::int64_t end = std::max(file.start + file.duration, time);
  file.start = std::min(file.start, time);
  file.duration = end - file.start;
  ++file.messages;
  ++metadata_.topics.at(topic).messages;
  file_bytes_ += bytes;
}

void BagWriter::commit() {
  if (!in_transaction_) return;
  execute(database_, "COMMIT;", "write to it");
  in_transaction_ = false;
}

void BagWriter::close() {
  if (closed_) return;
  closed_ = true;
  close_file();
  const auto path = folder_ / metadata_file;
  std::ofstream out(path);
  out << to_yaml(metadata_);
  out.close();
  if (!out) throw BagError("cannot write '" + path.string() + "'; is the disk full?");
}

BagReader::BagReader(const std::filesystem::path& bag)
    : folder_(std::filesystem::is_directory(bag) ? bag : bag.parent_path()), metadata_(read_metadata(bag)) {
  seek(std::numeric_limits<std::int64_t>::min());
}

void BagReader::seek(std::int64_t time) {
  from_ = time;
  file_ = 0;
  select_.reset();
  database_.reset();
}

bool BagReader::open_file(std::size_t index) {
  if (index >= metadata_.files.size()) return false;
  select_.reset();
  database_.reset();
  database_ = open_for_reading(folder_ / metadata_.files[index].path, decompressed_);
  topics_.clear();
  for (const auto& stored : topics_of(database_)) {
    auto& topics = metadata_.topics;
    auto known = std::find_if(topics.begin(), topics.end(),
                              [&stored](const Topic& topic) { return topic.name == stored.topic.name; });
    if (known == topics.end()) known = topics.insert(topics.end(), stored.topic);
    topics_.emplace_back(stored.id, static_cast<std::size_t>(known - topics.begin()));
  }
  select_ =
      prepare(database_, "SELECT topic_id, timestamp, data FROM messages WHERE timestamp >= ? ORDER BY timestamp, id;");
  sqlite3_bind_int64(select_.get(), 1, from_);
  return true;
}

bool BagReader::next(Message& message) {
  if (select_ == nullptr && !open_file(file_)) return false;
  while (!step(select_, "read its messages")) {
    if (!open_file(++file_)) return false;
  }
  const std::int64_t id = sqlite3_column_int64(select_.get(), 0);
  const auto topic = std::find_if(topics_.begin(), topics_.end(), [id](const auto& pair) { return pair.first == id; });
  if (topic == topics_.end()) {
    throw BagError(file_of(database_.get()) + ": a message belongs to topic " + std::to_string(id) +
                   ", which is not listed");
  }
  message.topic = topic->second;
  message.time = sqlite3_column_int64(select_.get(), 1);
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(select_.get(), 2));
  const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(select_.get(), 2));
  if (is_compressed(data, bytes)) {
    message.cdr = decompress(data, bytes, file_of(database_.get()));
  } else {
    message.cdr.assign(data, data + bytes);
  }
  return true;
}

Metadata scan(const std::filesystem::path& db3) {
  std::shared_ptr<DecompressedFile> decompressed;
  const auto database = open_for_reading(db3, decompressed);
  Metadata metadata;
  for (const auto& stored : topics_of(database)) {
    auto& topic = metadata.topics.emplace_back(stored.topic);
    const auto count = prepare(database, "SELECT COUNT(*) FROM messages WHERE topic_id = ?;");
    sqlite3_bind_int64(count.get(), 1, stored.id);
    if (step(count, "count its messages"))
      topic.messages = static_cast<std::uint64_t>(sqlite3_column_int64(count.get(), 0));
  }
  auto& file = metadata.files.emplace_back();
  file.path = db3.filename().string();
  const auto extent = prepare(database, "SELECT COUNT(*), MIN(timestamp), MAX(timestamp) FROM messages;");
  if (step(extent, "read its messages")) {
    file.messages = static_cast<std::uint64_t>(sqlite3_column_int64(extent.get(), 0));
    file.start = std::max<std::int64_t>(0, sqlite3_column_int64(extent.get(), 1));
    file.duration = std::max<std::int64_t>(0, sqlite3_column_int64(extent.get(), 2)) - file.start;
  }
  return metadata;
}

}  // namespace ros2bag
