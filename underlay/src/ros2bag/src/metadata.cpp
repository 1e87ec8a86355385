// SPDX-License-Identifier: Apache-2.0
#include "ros2bag/metadata.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "ros2bag/storage.hpp"

namespace ros2bag {
namespace {

constexpr int written_version = 5;  // Humble
constexpr int newest_version = 9;   // Jazzy; its additions are not needed here
constexpr const char* root_key = "rosbag2_bagfile_information";

YAML::Node required(const YAML::Node& map, const char* key, const std::string& source) {
  const YAML::Node value = map.IsMap() ? map[key] : YAML::Node(YAML::NodeType::Undefined);
  if (!value) {
    throw BagError(source + ":" + std::to_string(map.Mark().line + 1) + ": '" + key +
                   "' is missing; delete the file and the bag is read from its .db3 files");
  }
  return value;
}

/// Times and durations are kept below half of their range, so that sums of two cannot overflow.
std::int64_t nanoseconds(const YAML::Node& map, const char* key, const std::string& source) {
  const YAML::Node value = required(map, key, source);
  const auto ns = value.as<std::int64_t>();
  if (ns < 0 || ns > std::numeric_limits<std::int64_t>::max() / 2) {
    throw BagError(source + ":" + std::to_string(value.Mark().line + 1) + ": " + key + " " + value.Scalar() +
                   " is out of range");
  }
  return ns;
}

std::string storage_problem(const std::string& storage) {
  return "the storage is '" + storage +
         "', only sqlite3 is supported; convert the bag with `ros2 bag convert` where ROS 2 is installed";
}

/// Of a bag or file; without messages the times have no meaning (Humble writes the largest number there is).
void read_extent(const YAML::Node& map, const std::string& source, File& file) {
  file.messages = required(map, "message_count", source).as<std::uint64_t>();
  if (file.messages == 0) return;
  file.start = nanoseconds(map["starting_time"], "nanoseconds_since_epoch", source);
  file.duration = nanoseconds(map["duration"], "nanoseconds", source);
}

}  // namespace

std::uint64_t Metadata::messages() const {
  std::uint64_t sum = 0;
  for (const auto& file : files) sum += file.messages;
  return sum;
}

std::int64_t Metadata::start() const {
  std::int64_t first = 0;
  bool found = false;
  for (const auto& file : files) {
    if (file.messages == 0 || (found && file.start >= first)) continue;
    first = file.start;
    found = true;
  }
  return first;
}

std::int64_t Metadata::duration() const {
  std::int64_t end = start();
  for (const auto& file : files) {
    if (file.messages > 0) end = std::max(end, file.start + file.duration);
  }
  return end - start();
}

std::string to_yaml(const Metadata& metadata) {
  YAML::Emitter out;
  const auto nanoseconds = [&out](const char* key, const char* unit, std::int64_t value) {
    out << YAML::Key << key << YAML::Value << YAML::BeginMap << YAML::Key << unit << YAML::Value << value
        << YAML::EndMap;
  };
  out << YAML::BeginMap << YAML::Key << root_key << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "version" << YAML::Value << written_version;
  out << YAML::Key << "storage_identifier" << YAML::Value << "sqlite3";
  nanoseconds("duration", "nanoseconds", metadata.duration());
  nanoseconds("starting_time", "nanoseconds_since_epoch", metadata.start());
  out << YAML::Key << "message_count" << YAML::Value << metadata.messages();
  out << YAML::Key << "topics_with_message_count" << YAML::Value << YAML::BeginSeq;
  for (const auto& topic : metadata.topics) {
    out << YAML::BeginMap << YAML::Key << "topic_metadata" << YAML::Value << YAML::BeginMap;
    out << YAML::Key << "name" << YAML::Value << topic.name;
    out << YAML::Key << "type" << YAML::Value << topic.type;
    out << YAML::Key << "serialization_format" << YAML::Value << "cdr";
    out << YAML::Key << "offered_qos_profiles" << YAML::Value << YAML::DoubleQuoted << topic.offered_qos;
    out << YAML::EndMap << YAML::Key << "message_count" << YAML::Value << topic.messages << YAML::EndMap;
  }
  out << YAML::EndSeq;
  out << YAML::Key << "compression_format" << YAML::Value << YAML::DoubleQuoted << "";
  out << YAML::Key << "compression_mode" << YAML::Value << YAML::DoubleQuoted << "";
  out << YAML::Key << "relative_file_paths" << YAML::Value << YAML::BeginSeq;
  for (const auto& file : metadata.files) out << file.path;
  out << YAML::EndSeq << YAML::Key << "files" << YAML::Value << YAML::BeginSeq;
  for (const auto& file : metadata.files) {
    out << YAML::BeginMap << YAML::Key << "path" << YAML::Value << file.path;
    nanoseconds("starting_time", "nanoseconds_since_epoch", file.start);
    nanoseconds("duration", "nanoseconds", file.duration);
    out << YAML::Key << "message_count" << YAML::Value << file.messages << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

Metadata metadata_from_yaml(const std::string& text, const std::string& source) {
  try {
    const YAML::Node bag = required(YAML::Load(text), root_key, source);
    const int version = required(bag, "version", source).as<int>();
    if (version > newest_version) {
      throw BagError(source + ": version " + std::to_string(version) + " is newer than this program knows (" +
                     std::to_string(newest_version) + ")");
    }
    const auto storage = required(bag, "storage_identifier", source).as<std::string>();
    if (storage != "sqlite3") {
      throw BagError(source + ": " + storage_problem(storage));
    }
    if (const YAML::Node compression = bag["compression_format"];
        compression && compression.IsScalar() && !compression.Scalar().empty() && compression.Scalar() != "zstd") {
      throw BagError(source + ": the bag is compressed with " + compression.Scalar() +
                     ", which is not supported; convert it with `ros2 bag convert` where ROS 2 is installed");
    }
    Metadata metadata;
    for (const auto& entry : required(bag, "topics_with_message_count", source)) {
      const YAML::Node topic = required(entry, "topic_metadata", source);
      Topic& added = metadata.topics.emplace_back();
      added.name = required(topic, "name", source).as<std::string>();
      added.type = required(topic, "type", source).as<std::string>();
      if (const YAML::Node qos = topic["offered_qos_profiles"]) {
        added.offered_qos = qos.IsScalar() ? qos.Scalar() : YAML::Dump(qos);
      }
      added.messages = required(entry, "message_count", source).as<std::uint64_t>();
      if (topic["serialization_format"].as<std::string>("cdr") != "cdr") {
        throw BagError(source + ": messages of " + added.name + " are not CDR but " +
                       topic["serialization_format"].as<std::string>());
      }
    }
    for (const auto& path : required(bag, "relative_file_paths", source)) {
      metadata.files.emplace_back().path = path.as<std::string>();
    }
    for (const auto& entry : bag["files"]) {  // since version 5
      const auto path = required(entry, "path", source).as<std::string>();
      for (auto& file : metadata.files) {
        // A compressed file is listed with its ending or without.
        if (file.path == path || file.path == path + compressed_extension) read_extent(entry, source, file);
      }
    }
    if (!bag["files"] && !metadata.files.empty()) {  // one extent for the whole bag
      read_extent(bag, source, metadata.files.front());
    }
    return metadata;
  } catch (const YAML::Exception& error) {
    throw BagError(source + ":" + std::to_string(error.mark.line + 1) + ": " + error.msg);
  }
}

Metadata read_metadata(const std::filesystem::path& bag) {
  namespace fs = std::filesystem;
  if (!fs::exists(bag)) throw BagError("'" + bag.string() + "' does not exist");
  if (bag.extension() == ".mcap") throw BagError(bag.string() + ": " + storage_problem("mcap"));
  if (!fs::is_directory(bag)) return scan(bag);
  if (const auto path = bag / metadata_file; fs::exists(path)) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return metadata_from_yaml(text.str(), path.string());
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(bag)) {
    const auto& path = entry.path();
    if (path.extension() == ".mcap") throw BagError(path.string() + ": " + storage_problem("mcap"));
    const auto plain = path.extension() == compressed_extension ? path.stem() : path.filename();
    if (plain.extension() == ".db3") files.push_back(path);
  }
  if (files.empty()) throw BagError("'" + bag.string() + "' is not a bag: it has neither metadata.yaml nor .db3 files");
  Metadata merged;
  for (const auto& file : files) {
    const Metadata part = scan(file);
    merged.files.insert(merged.files.end(), part.files.begin(), part.files.end());
    for (const auto& topic : part.topics) {
      const auto known = std::find_if(merged.topics.begin(), merged.topics.end(),
                                      [&topic](const Topic& other) { return other.name == topic.name; });
      if (known == merged.topics.end()) {
        merged.topics.push_back(topic);
      } else {
        known->messages += topic.messages;
      }
    }
  }
  std::sort(merged.files.begin(), merged.files.end(), [](const File& a, const File& b) { return a.start < b.start; });
  return merged;
}

}  // namespace ros2bag
