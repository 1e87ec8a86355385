// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <map>
#include <rclcpp/serialization.hpp>
#include <rclcpp/serialized_message.hpp>
#include <rosidl_runtime_cpp/traits.hpp>
#include <stdexcept>
#include <string>

namespace hl_testing {

/// Writes a bag as `ros2 bag record -s sqlite3` does. Whoever uses it links sqlite3 and rclcpp.
class BagWriter {
 public:
  explicit BagWriter(const std::string& file) {
    if (sqlite3_open(file.c_str(), &db_) != SQLITE_OK) throw std::runtime_error(file);
    run("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT)");
    run("CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)");
    run("BEGIN");
  }
  ~BagWriter() {
    run("COMMIT");
    sqlite3_close(db_);
  }
  BagWriter(const BagWriter&) = delete;
  BagWriter& operator=(const BagWriter&) = delete;

  template <class Message>
  void write(const std::string& topic, const Message& message, double time) {
    rclcpp::SerializedMessage bytes;
    rclcpp::Serialization<Message>().serialize_message(&message, &bytes);
    const auto& raw = bytes.get_rcl_serialized_message();
    sqlite3_stmt* row = nullptr;
    sqlite3_prepare_v2(db_, "INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)", -1, &row, nullptr);
    sqlite3_bind_int(row, 1, topic_id(topic, rosidl_generator_traits::name<Message>()));
    sqlite3_bind_int64(row, 2, static_cast<sqlite3_int64>(time * 1e9));
    sqlite3_bind_blob(row, 3, raw.buffer, static_cast<int>(raw.buffer_length), SQLITE_TRANSIENT);
    if (sqlite3_step(row) != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(db_));
    sqlite3_finalize(row);
  }

 private:
  void run(const std::string& command) { sqlite3_exec(db_, command.c_str(), nullptr, nullptr, nullptr); }
  int topic_id(const std::string& topic, const std::string& type) {
    const auto [found, is_new] = topics_.emplace(topic, static_cast<int>(topics_.size()) + 1);
    if (is_new)
      run("INSERT INTO topics VALUES(" + std::to_string(found->second) + ", '" + topic + "', '" + type + "', 'cdr')");
    return found->second;
  }

  sqlite3* db_ = nullptr;
  std::map<std::string, int> topics_;
};

}  // namespace hl_testing
