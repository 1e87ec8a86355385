// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace ros2bag {

/// A bag that cannot be read or written; the text names the file and the remedy.
class BagError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Topic {
  std::string name;         // ROS name, with leading slash
  std::string type;         // pkg/msg/Name
  std::string offered_qos;  // YAML list of the publishers' profiles, see qos_profiles.hpp
  std::uint64_t messages = 0;
};

/// One .db3 file of a bag.
struct File {
  std::string path;           // relative to the bag's folder
  std::int64_t start = 0;     // ns since 1970, of the first message
  std::int64_t duration = 0;  // ns
  std::uint64_t messages = 0;
};

/// Content of metadata.yaml.
struct Metadata {
  std::vector<Topic> topics;
  std::vector<File> files;

  std::uint64_t messages() const;
  std::int64_t start() const;     // ns since 1970; 0 if the bag is empty
  std::int64_t duration() const;  // ns
};

inline constexpr const char* metadata_file = "metadata.yaml";
inline constexpr const char* compressed_extension = ".zstd";

/// As rosbag2 of Humble writes it (version 5).
std::string to_yaml(const Metadata& metadata);

/// `source` is named in errors. Refuses other storages than sqlite3, other compressions than zstd, and bags
/// that are not CDR.
Metadata metadata_from_yaml(const std::string& text, const std::string& source);

/// Of a bag's folder or of a single .db3 file. A bag that was not closed has no metadata.yaml; its files are then
/// looked through.
Metadata read_metadata(const std::filesystem::path& bag);

}  // namespace ros2bag
