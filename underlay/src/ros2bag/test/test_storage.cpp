// SPDX-License-Identifier: Apache-2.0
// The files of a bag: what rosbag2 expects is in them, and whatever is in them is read without a crash.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "hl_testing/isolation.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "ros2bag/arguments.hpp"
#include "ros2bag/info.hpp"
#include "ros2bag/qos_profiles.hpp"
#include "ros2bag/storage.hpp"

namespace fs = std::filesystem;
using ros2bag::BagError;
using ros2bag::BagReader;
using ros2bag::BagWriter;
using ros2bag::Message;
using ros2bag::Parsed;
using ros2bag::Takes;
using ros2bag::UsageError;

namespace {

class Bag : public testing::Test {
 protected:
  /// Two topics, `count` messages 10 ms apart.
  fs::path write(const std::string& name, std::size_t count, const BagWriter::Limits& limits = {}) const {
    BagWriter writer(folder / name, limits);
    const auto odd = writer.add_topic("/odd", "std_msgs/msg/UInt32", ros2bag::to_yaml({underlay_dds::Qos()}));
    const auto even = writer.add_topic("/even", "std_msgs/msg/UInt32", "");
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::vector<std::uint8_t> cdr{0, 1, 0, 0, static_cast<std::uint8_t>(i), 0, 0, 0};
      writer.write(i % 2 == 0 ? even : odd, start + i * 10'000'000LL, cdr.data(), cdr.size());
    }
    writer.close();
    return folder / name;
  }

  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  static constexpr std::int64_t start = 1'800'000'000'000'000'000;
  const hl_testing::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

std::size_t read_all(BagReader& reader) {
  std::size_t count = 0;
  Message message;
  while (reader.next(message)) ++count;
  return count;
}

/// First column of the first row.
std::string query(const fs::path& db3, const char* sql) {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  sqlite3_open_v2(db3.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  sqlite3_prepare_v2(database, sql, -1, &statement, nullptr);
  std::string result;
  if (sqlite3_step(statement) == SQLITE_ROW) result = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return result;
}

}  // namespace

TEST_F(Bag, IsReadBackInOrder) {
  BagReader reader(write("bag", 5));
  ASSERT_EQ(reader.metadata().topics.size(), 2U);
  EXPECT_EQ(reader.metadata().messages(), 5U);
  EXPECT_EQ(reader.metadata().start(), start);
  EXPECT_EQ(reader.metadata().duration(), 40'000'000);
  Message message;
  for (std::uint8_t i = 0; i < 5; ++i) {
    ASSERT_TRUE(reader.next(message));
    EXPECT_EQ(message.time, start + i * 10'000'000LL);
    EXPECT_EQ(message.cdr.at(4), i);
    EXPECT_EQ(reader.metadata().topics[message.topic].name, i % 2 == 0 ? "/even" : "/odd");
  }
  EXPECT_FALSE(reader.next(message));
  reader.seek(start + 25'000'000);
  ASSERT_TRUE(reader.next(message));
  EXPECT_EQ(message.cdr.at(4), 3);
}

TEST_F(Bag, HasTheTablesAndMetadataOfHumble) {
  const auto bag = write("bag", 3);
  const auto db3 = bag / "bag_0.db3";
  EXPECT_EQ(query(db3, "SELECT COUNT(*) FROM messages;"), "3");
  EXPECT_EQ(query(db3, "SELECT hex(data) FROM messages WHERE timestamp = 1800000000010000000;"), "0001000001000000");
  EXPECT_EQ(query(db3, "SELECT topics.name FROM messages JOIN topics ON topics.id = topic_id ORDER BY timestamp;"),
            "/even");
  EXPECT_EQ(query(db3, "SELECT serialization_format FROM topics;"), "cdr");
  EXPECT_EQ(query(db3, "SELECT name FROM sqlite_master WHERE type = 'index';"), "timestamp_idx");

  const YAML::Node info = YAML::LoadFile((bag / "metadata.yaml").string())["rosbag2_bagfile_information"];
  EXPECT_EQ(info["version"].as<int>(), 5);
  EXPECT_EQ(info["storage_identifier"].as<std::string>(), "sqlite3");
  EXPECT_EQ(info["message_count"].as<int>(), 3);
  EXPECT_EQ(info["duration"]["nanoseconds"].as<std::int64_t>(), 20'000'000);
  EXPECT_EQ(info["starting_time"]["nanoseconds_since_epoch"].as<std::int64_t>(), start);
  EXPECT_EQ(info["relative_file_paths"][0].as<std::string>(), "bag_0.db3");
  EXPECT_EQ(info["files"][0]["message_count"].as<int>(), 3);
  EXPECT_EQ(info["compression_format"].as<std::string>(), "");
  const YAML::Node topic = info["topics_with_message_count"][0];
  EXPECT_EQ(topic["topic_metadata"]["name"].as<std::string>(), "/odd");
  EXPECT_EQ(topic["message_count"].as<int>(), 1);
  const YAML::Node qos = YAML::Load(topic["topic_metadata"]["offered_qos_profiles"].as<std::string>());
  EXPECT_EQ(qos[0]["reliability"].as<int>(), 1);
  EXPECT_EQ(qos[0]["durability"].as<int>(), 2);
  EXPECT_EQ(qos[0]["deadline"]["sec"].as<std::int64_t>(), 9223372036);
}

TEST_F(Bag, OfRosbag2ItselfIsRead) {
  // Layout and values as Humble's `ros2 bag record` writes them, trimmed to one topic.
  const std::string text = R"(rosbag2_bagfile_information:
  version: 5
  storage_identifier: sqlite3
  duration:
    nanoseconds: 2000000000
  starting_time:
    nanoseconds_since_epoch: 1700000000000000000
  message_count: 3
  topics_with_message_count:
    - topic_metadata:
        name: /chatter
        type: std_msgs/msg/String
        serialization_format: cdr
        offered_qos_profiles: "- history: 3\n  depth: 0\n  reliability: 2\n  durability: 1\n  deadline:\n    sec: 9223372036\n    nsec: 854775807\n  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n  liveliness: 1\n  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n  avoid_ros_namespace_conventions: false"
      message_count: 3
  compression_format: ""
  compression_mode: ""
  relative_file_paths:
    - talk_0.db3
  files:
    - path: talk_0.db3
      starting_time:
        nanoseconds_since_epoch: 1700000000000000000
      duration:
        nanoseconds: 2000000000
      message_count: 3
)";
  const auto metadata = ros2bag::metadata_from_yaml(text, "metadata.yaml");
  EXPECT_EQ(metadata.messages(), 3U);
  EXPECT_EQ(metadata.duration(), 2'000'000'000);
  const auto profiles = ros2bag::qos_from_yaml(metadata.topics.at(0).offered_qos);
  ASSERT_EQ(profiles.size(), 1U);
  EXPECT_EQ(profiles[0].reliability, underlay_dds::Reliability::BestEffort);
  EXPECT_EQ(profiles[0].durability, underlay_dds::Durability::TransientLocal);
  EXPECT_EQ(profiles[0].deadline, underlay_dds::infinite);
  EXPECT_EQ(ros2bag::to_yaml(profiles), metadata.topics[0].offered_qos);
  const auto described = ros2bag::describe(metadata, 20'000);
  for (const char* part :
       {"Files:             talk_0.db3", "Bag size:          19.5 KiB", "Duration:          2.000000000s",
        "Messages:          3", "Topic: /chatter | Type: std_msgs/msg/String | Count: 3 | Serialization Format: cdr"}) {
    EXPECT_NE(described.find(part), std::string::npos) << part << " in" << described;
  }
}

TEST_F(Bag, IsSplitBySizeAndDuration) {
  BagWriter::Limits limits;
  limits.file_bytes = 32;  // 4 messages
  EXPECT_EQ(BagReader(write("by_size", 10, limits)).metadata().files.size(), 3U);
  limits = {};
  limits.file_duration = 50'000'000;  // 5 messages
  BagReader reader(write("by_duration", 10, limits));
  EXPECT_EQ(reader.metadata().files.size(), 2U);
  EXPECT_EQ(reader.metadata().duration(), 90'000'000);
  EXPECT_EQ(read_all(reader), 10U);
}

TEST_F(Bag, WithoutMetadataIsReadFromItsFiles) {
  BagWriter::Limits limits;
  limits.file_bytes = 32;
  const auto bag = write("bag", 10, limits);
  fs::remove(bag / "metadata.yaml");
  BagReader reader(bag);
  EXPECT_EQ(reader.metadata().messages(), 10U);
  EXPECT_EQ(reader.metadata().duration(), 90'000'000);
  EXPECT_EQ(reader.metadata().topics.at(0).messages, 5U);
  EXPECT_EQ(read_all(reader), 10U);
  BagReader one_file(bag / "bag_1.db3");
  EXPECT_EQ(read_all(one_file), 4U);
}

TEST_F(Bag, WhatWasCommittedSurvivesTheEndOfTheProcess) {
  const auto bag = folder / "bag";
  if (fork() == 0) {
    BagWriter writer(bag);
    const auto topic = writer.add_topic("/t", "std_msgs/msg/Bool", "");
    const std::uint8_t cdr[] = {0, 1, 0, 0, 1};
    writer.write(topic, 1, cdr, sizeof(cdr));
    writer.commit();
    writer.write(topic, 2, cdr, sizeof(cdr));
    _exit(0);
  }
  int status = 0;
  wait(&status);
  BagReader reader(bag);
  EXPECT_EQ(read_all(reader), 1U);
}

TEST_F(Bag, ErrorsNameFileAndRemedy) {
  const auto error_of = [](auto action) -> std::string {
    try {
      action();
    } catch (const BagError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of([] { BagReader("/nowhere"); }), "'/nowhere' does not exist");
  EXPECT_NE(error_of([&] { BagReader{folder}; }).find("is not a bag"), std::string::npos);
  const auto bag = write("bag", 1);
  EXPECT_NE(error_of([&] { BagWriter{bag}; }).find("exists already; name another folder with -o"), std::string::npos);
  const auto reads = [](const std::string& text) { ros2bag::metadata_from_yaml(text, "m.yaml"); };
  EXPECT_NE(error_of([&] { reads("a: ["); }).find("m.yaml:1: "), std::string::npos);
  EXPECT_NE(error_of([&] { reads("other: 1"); }).find("'rosbag2_bagfile_information' is missing"), std::string::npos);
  const std::string good = content(bag / "metadata.yaml");
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_NE(error_of([&] { reads(with("sqlite3", "mcap")); }).find("the storage is 'mcap', only sqlite3"),
            std::string::npos);
  EXPECT_NE(
      error_of([&] { reads(with("compression_format: \"\"", "compression_format: lz4")); }).find("compressed with lz4"),
      std::string::npos);
  EXPECT_NE(error_of([&] { reads(with("version: 5", "version: 99")); }).find("version 99 is newer"), std::string::npos);
  std::ofstream(folder / "lone.mcap") << "\x89MCAP0\r\n";
  EXPECT_NE(error_of([&] { BagReader{folder / "lone.mcap"}; }).find("the storage is 'mcap'"), std::string::npos);
  std::ofstream(folder / "no.db3") << "this is a text, not a database";
  EXPECT_NE(error_of([&] { BagReader{folder / "no.db3"}; }).find("no.db3: cannot read it as a bag"), std::string::npos);
}

TEST_F(Bag, MutatedMetadataIsReadOrRefused) {
  const std::string good = content(write("bag", 3) / "metadata.yaml");
  std::mt19937 random(7);
  const std::size_t rounds = hl_testing::count(1'000, 200'000);
  for (std::size_t i = 0; i < rounds; ++i) {
    std::string text = good;
    for (std::size_t edits = 1 + random() % 5; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 20);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
        default:
          text[at] = "9:-[{\"\n "[random() % 8];
      }
      if (text.empty()) text = "x";
    }
    try {
      const auto metadata = ros2bag::metadata_from_yaml(text, "metadata.yaml");
      ros2bag::describe(metadata, 0);
      for (const auto& topic : metadata.topics) ros2bag::qos_from_yaml(topic.offered_qos);
    } catch (const BagError&) {
    }
  }
}

TEST_F(Bag, MutatedDatabaseIsReadOrRefused) {
  const std::string good = content(write("bag", 50) / "bag_0.db3");
  std::mt19937 random(8);
  const std::size_t rounds = hl_testing::count(200, 20'000);
  const auto path = folder / "mutated.db3";
  for (std::size_t i = 0; i < rounds; ++i) {
    std::string bytes = good;
    for (std::size_t edits = 1 + random() % 20; edits > 0; --edits)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    std::ofstream(path) << bytes;
    try {
      BagReader reader(path);
      read_all(reader);
    } catch (const BagError&) {
    }
  }
}

TEST(Qos, RecorderAsksForWhatEverybodyOffers) {
  underlay_dds::Qos reliable;
  underlay_dds::Qos best_effort;
  best_effort.reliability = underlay_dds::Reliability::BestEffort;
  underlay_dds::Qos latched;
  latched.durability = underlay_dds::Durability::TransientLocal;
  EXPECT_EQ(ros2bag::request_for({reliable}).reliability, underlay_dds::Reliability::Reliable);
  EXPECT_EQ(ros2bag::request_for({reliable, best_effort}).reliability, underlay_dds::Reliability::BestEffort);
  EXPECT_EQ(ros2bag::request_for({latched}).durability, underlay_dds::Durability::TransientLocal);
  EXPECT_EQ(ros2bag::request_for({latched, reliable}).durability, underlay_dds::Durability::Volatile);
  EXPECT_EQ(ros2bag::offer_for({}).reliability, underlay_dds::Reliability::Reliable);
  EXPECT_EQ(ros2bag::offer_for({best_effort}).reliability, underlay_dds::Reliability::BestEffort);
  EXPECT_EQ(ros2bag::offer_for({latched, reliable}).durability, underlay_dds::Durability::TransientLocal);
}

TEST(Arguments, Parse) {
  const std::vector<ros2bag::Option> options{{{"--all", "-a"}},
                                             {{"--output", "-o"}, Takes::One},
                                             {{"--clock"}, Takes::AtMostOne},
                                             {{"--topics"}, Takes::Many}};
  const Parsed parsed = ros2bag::parse({"bag", "-a", "--output=x", "--clock", "--topics", "/a", "/b"}, options);
  EXPECT_EQ(parsed.positional, std::vector<std::string>{"bag"});
  EXPECT_TRUE(parsed.has("--all"));
  EXPECT_EQ(parsed.value("--output"), "x");
  EXPECT_EQ(parsed.number("--clock", 40.0, 0.0), 40.0);
  EXPECT_EQ(parsed.options.at("--topics").size(), 2U);
  for (const std::vector<std::string>& bad :
       {std::vector<std::string>{"--nothing"}, {"-o"}, {"--all=1"}, {"--topics", "-a"}}) {
    EXPECT_THROW(ros2bag::parse(bad, options), UsageError);
  }
  try {
    ros2bag::parse({"--outptu", "x"}, options);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "unknown option '--outptu'; did you mean '--output'?");
  }
  for (const char* number : {"x", "-1", "nan", "inf", "1e300", "1x"}) {
    EXPECT_THROW(ros2bag::parse({std::string("--output=") + number}, options).number("--output", 1.0, 0.0), UsageError);
  }
}
