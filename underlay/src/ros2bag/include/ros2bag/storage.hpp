// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ros2bag/metadata.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace ros2bag {

class DecompressedFile;

struct Message {
  std::size_t topic = 0;          // index in Metadata::topics
  std::int64_t time = 0;          // ns since 1970, when it was received
  std::vector<std::uint8_t> cdr;  // with the 4-byte encapsulation header
};

namespace detail {
struct CloseDatabase {
  void operator()(sqlite3* database) const;
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const;
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;
}  // namespace detail

/// Writes a bag: a folder with metadata.yaml and one or more .db3 files.
class BagWriter {
 public:
  struct Limits {
    std::uint64_t file_bytes = 0;    // a new file is begun beyond this; 0: never
    std::int64_t file_duration = 0;  // ns, likewise
  };

  /// Creates the folder; refuses one that exists.
  explicit BagWriter(const std::filesystem::path& folder);
  BagWriter(const std::filesystem::path& folder, const Limits& limits);
  /// Closes, ignoring errors; call `close` to see them.
  ~BagWriter();

  std::size_t add_topic(const std::string& name, const std::string& type, const std::string& offered_qos);
  void write(std::size_t topic, std::int64_t time, const void* cdr, std::size_t bytes);
  /// Makes what was written so far safe against the end of this process.
  void commit();
  /// Writes metadata.yaml; nothing can be written afterwards.
  void close();

  const Metadata& metadata() const { return metadata_; }

 private:
  void open_file();
  void close_file();
  void insert_topic(std::size_t topic);

  std::filesystem::path folder_;
  Limits limits_;
  Metadata metadata_;
  detail::Database database_;
  detail::Statement insert_;
  bool in_transaction_ = false;
  bool closed_ = false;
  std::uint64_t file_bytes_ = 0;
};

/// Reads a bag in the order of time.
class BagReader {
 public:
  /// Files and messages may be compressed with zstd, as rosbag2 of Humble does.
  explicit BagReader(const std::filesystem::path& bag);

  const Metadata& metadata() const { return metadata_; }
  /// False at the end.
  bool next(Message& message);
  /// Continues with the first message at or after `time` (ns since 1970).
  void seek(std::int64_t time);

 private:
  bool open_file(std::size_t index);

  std::filesystem::path folder_;
  Metadata metadata_;
  std::size_t file_ = 0;
  std::int64_t from_ = 0;
  std::shared_ptr<DecompressedFile> decompressed_;  // destroyed after the database
  detail::Database database_;
  detail::Statement select_;
  std::vector<std::pair<std::int64_t, std::size_t>> topics_;  // id in the file -> index in metadata
};

/// Topics and extent of one .db3 file; paths in the result are relative to its folder.
Metadata scan(const std::filesystem::path& db3);

}  // namespace ros2bag
