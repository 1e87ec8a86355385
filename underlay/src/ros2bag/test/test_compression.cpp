// SPDX-License-Identifier: Apache-2.0
// Bags that rosbag2 of Humble wrote with --compression-mode message or file, and an empty one.
#include <gtest/gtest.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "hl_testing/isolation.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "ros2bag/storage.hpp"

namespace fs = std::filesystem;
using ros2bag::BagError;
using ros2bag::BagReader;
using ros2bag::BagWriter;
using ros2bag::Message;
using Bytes = std::vector<std::uint8_t>;

namespace {

Bytes compressed(const Bytes& content) {
  Bytes result(ZSTD_compressBound(content.size()));
  result.resize(ZSTD_compress(result.data(), result.size(), content.data(), content.size(), 1));
  return result;
}

Bytes message_of(std::uint8_t number) {
  Bytes cdr(200, 0);
  cdr[1] = 1;
  cdr[4] = number;
  return cdr;
}

Bytes content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const fs::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

class Compressed : public testing::Test {
 protected:
  fs::path write(bool compress_messages) const {
    BagWriter writer(folder / "bag");
    const auto topic = writer.add_topic("/t", "std_msgs/msg/UInt8MultiArray", "");
    for (std::uint8_t i = 0; i < 5; ++i) {
      const Bytes cdr = compress_messages ? compressed(message_of(i)) : message_of(i);
      writer.write(topic, 1000 + i, cdr.data(), cdr.size());
    }
    writer.close();
    return folder / "bag";
  }

  static void expect_all(const fs::path& bag) {
    BagReader reader(bag);
    Message message;
    for (std::uint8_t i = 0; i < 5; ++i) {
      ASSERT_TRUE(reader.next(message));
      EXPECT_EQ(message.cdr, message_of(i));
      EXPECT_EQ(message.time, 1000 + i);
    }
    EXPECT_FALSE(reader.next(message));
    reader.seek(1003);
    ASSERT_TRUE(reader.next(message));
    EXPECT_EQ(message.cdr, message_of(3));
  }

  static void replace(const fs::path& path, const std::string& from, const std::string& to) {
    const Bytes bytes = content_of(path);
    std::string text(bytes.begin(), bytes.end());
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
    write_bytes(path, Bytes(text.begin(), text.end()));
  }

  const hl_testing::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

}  // namespace

TEST_F(Compressed, MessagesAreReadWithAndWithoutMetadata) {
  const auto bag = write(true);
  replace(bag / "metadata.yaml", "compression_format: \"\"", "compression_format: zstd");
  replace(bag / "metadata.yaml", "compression_mode: \"\"", "compression_mode: MESSAGE");
  expect_all(bag);
  fs::remove(bag / "metadata.yaml");
  expect_all(bag);
}

TEST_F(Compressed, FilesAreReadWithAndWithoutMetadata) {
  const auto bag = write(false);
  write_bytes(bag / "bag_0.db3.zstd", compressed(content_of(bag / "bag_0.db3")));
  fs::remove(bag / "bag_0.db3");
  replace(bag / "metadata.yaml", "compression_format: \"\"", "compression_format: zstd");
  replace(bag / "metadata.yaml", "compression_mode: \"\"", "compression_mode: FILE");
  replace(bag / "metadata.yaml", "- bag_0.db3", "- bag_0.db3.zstd");
  expect_all(bag);
  fs::remove(bag / "metadata.yaml");
  expect_all(bag);
}

TEST_F(Compressed, DamagedDataAreRefusedNotPlayed) {
  const auto bag = write(false);
  const Bytes good = compressed(content_of(bag / "bag_0.db3"));
  fs::remove(bag / "bag_0.db3");
  fs::remove(bag / "metadata.yaml");
  write_bytes(bag / "bag_0.db3.zstd", Bytes(good.begin(), good.end() - 10));
  EXPECT_THROW(BagReader{bag}, BagError);

  std::mt19937 random(3);
  for (std::size_t i = 0; i < hl_testing::count(200, 100'000); ++i) {
    Bytes bytes = compressed(message_of(7));
    for (int edits = 0; edits < 3; ++edits)
      bytes[4 + random() % (bytes.size() - 4)] = static_cast<std::uint8_t>(random());
    const auto one = folder / "one";
    {
      BagWriter writer(one);
      writer.write(writer.add_topic("/t", "std_msgs/msg/String", ""), 1, bytes.data(), bytes.size());
      writer.close();
    }
    try {
      BagReader reader(one);
      Message message;
      reader.next(message);
    } catch (const BagError&) {
    }
    fs::remove_all(one);
  }
}

TEST_F(Compressed, EmptyBagOfHumbleIsOpened) {
  {
    BagWriter writer(folder / "bag");
    writer.add_topic("/t", "std_msgs/msg/String", "");
    writer.close();
  }
  replace(folder / "bag" / "metadata.yaml", "nanoseconds_since_epoch: 0",
          "nanoseconds_since_epoch: 9223372036854775807");
  BagReader reader(folder / "bag");
  Message message;
  EXPECT_FALSE(reader.next(message));
  EXPECT_EQ(reader.metadata().start(), 0);
  EXPECT_EQ(reader.metadata().duration(), 0);
}
