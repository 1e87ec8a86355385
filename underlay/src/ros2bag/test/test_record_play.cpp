// SPDX-License-Identifier: Apache-2.0
// `ros2 bag` as a process of its own, over the middleware.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "ros2bag/storage.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/reader.hpp"
#include "underlay_dds/writer.hpp"

namespace fs = std::filesystem;
using hl_testing::Process;
using hl_testing::wait_until;
using Cdr = std::vector<std::uint8_t>;

namespace {

class RecordPlay : public testing::Test {
 protected:
  static void SetUpTestSuite() { hl_testing::isolate(); }

  RecordPlay() : participant(underlay_dds::Participant::get()) {}

  std::unique_ptr<underlay_dds::Writer> writer(const std::string& topic, const std::string& type,
                                               const underlay_dds::Qos& qos = {}) {
    return std::make_unique<underlay_dds::Writer>(participant, "rt" + topic, underlay_dds::Type::raw(type), qos);
  }
  std::unique_ptr<underlay_dds::Reader> reader(const std::string& topic, const std::string& type,
                                               underlay_dds::Qos qos = {}) {
    qos.depth = 1000;
    auto made = std::make_unique<underlay_dds::Reader>(participant, "rt" + topic, underlay_dds::Type::raw(type), qos);
    made->start();
    return made;
  }

  static Cdr number(std::uint32_t value) {
    Cdr cdr{0, 1, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 4; ++i) cdr[4 + i] = static_cast<std::uint8_t>(value >> (8 * i));
    return cdr;
  }

  /// Empty for a bag that is not ready to be read.
  static std::map<std::string, std::vector<Cdr>> content(const fs::path& bag) {
    std::map<std::string, std::vector<Cdr>> messages;
    try {
      ros2bag::BagReader reader(bag);
      ros2bag::Message message;
      while (reader.next(message)) messages[reader.metadata().topics[message.topic].name].push_back(message.cdr);
    } catch (const ros2bag::BagError&) {
      return {};
    }
    return messages;
  }

  static std::vector<Cdr> take_all(underlay_dds::Reader& reader) {
    std::vector<Cdr> taken;
    underlay_dds::Sample sample;
    while (reader.take(sample)) taken.emplace_back(sample.cdr().data, sample.cdr().data + sample.cdr().size);
    return taken;
  }

  const hl_testing::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  std::shared_ptr<underlay_dds::Participant> participant;
};

}  // namespace

TEST_F(RecordPlay, WhatIsRecordedIsReplayedByteForByte) {
  auto numbers = writer("/ns/numbers", "std_msgs/msg/UInt32");
  underlay_dds::Qos latched_qos;
  latched_qos.durability = underlay_dds::Durability::TransientLocal;
  latched_qos.depth = 1;
  auto latched = writer("/latched", "std_msgs/msg/UInt32", latched_qos);
  auto ignored = writer("/ignored", "std_msgs/msg/UInt32");
  const Cdr before_the_recorder = number(4711);
  latched->write_cdr(before_the_recorder.data(), before_the_recorder.size());

  const fs::path bag = folder / "bag";
  Process recorder({ROS2_BAG, "record", "/ns/numbers", "latched", "-o", bag.string()});
  ASSERT_TRUE(wait_until([&] { return numbers->matched() == 1 && latched->matched() == 1; })) << recorder.output();
  EXPECT_EQ(ignored->matched(), 0U);
  std::vector<Cdr> sent;
  for (std::uint32_t i = 0; i < 200; ++i) {
    sent.push_back(number(i * 1000));
    numbers->write_cdr(sent.back().data(), sent.back().size());
    if (i % 50 == 0) numbers->wait_for_acknowledged(30'000'000'000);  // the recorder's queue is finite
  }
  numbers->wait_for_acknowledged(30'000'000'000);
  ASSERT_TRUE(wait_until([&] { return content(bag)["/ns/numbers"].size() == 200; })) << recorder.output();
  EXPECT_EQ(recorder.stop(), 0) << recorder.output();
  EXPECT_NE(recorder.output().find("Recorded 201 messages of 2 topics"), std::string::npos) << recorder.output();

  auto recorded = content(bag);
  EXPECT_EQ(recorded["/ns/numbers"], sent);
  EXPECT_EQ(recorded["/latched"], std::vector<Cdr>{before_the_recorder});
  EXPECT_EQ(recorded.size(), 2U);
  EXPECT_TRUE(fs::exists(bag / "metadata.yaml"));

  Process info({ROS2_BAG, "info", bag.string()});
  EXPECT_EQ(info.wait(), 0);
  EXPECT_NE(info.output().find("Topic: /ns/numbers | Type: std_msgs/msg/UInt32 | Count: 200"), std::string::npos)
      << info.output();

  numbers.reset();
  latched.reset();
  auto replayed = reader("/other", "std_msgs/msg/UInt32");
  auto late = reader("/latched", "std_msgs/msg/UInt32", latched_qos);
  Process player({ROS2_BAG, "play", bag.string(), "--remap", "/ns/numbers:=/other", "--rate", "20", "--delay", "2"});
  std::vector<Cdr> received;
  std::vector<Cdr> received_latched;
  EXPECT_TRUE(wait_until([&] {
    for (auto& cdr : take_all(*replayed)) received.push_back(cdr);
    for (auto& cdr : take_all(*late)) received_latched.push_back(cdr);
    return received.size() == sent.size() && received_latched.size() == 1;
  })) << player.output();
  EXPECT_EQ(received, sent);
  EXPECT_EQ(received_latched, recorded["/latched"]);
  EXPECT_EQ(player.wait(), 0);
  EXPECT_NE(player.output().find("Published 201 messages"), std::string::npos) << player.output();
}

TEST_F(RecordPlay, AllTopicsThatAppearAndBestEffortOnes) {
  const fs::path bag = folder / "bag";
  Process recorder({ROS2_BAG, "record", "-a", "-x", "secret", "-o", bag.string()});
  underlay_dds::Qos best_effort;
  best_effort.reliability = underlay_dds::Reliability::BestEffort;
  auto late = writer("/late", "std_msgs/msg/UInt32", best_effort);
  auto secret = writer("/secret", "std_msgs/msg/UInt32");
  auto hidden = writer("/action/_action/status", "std_msgs/msg/UInt32");
  ASSERT_TRUE(wait_until([&] { return late->matched() == 1; })) << recorder.output();
  // A reliable publisher that comes first must not keep a best-effort one that comes later from being recorded.
  auto first = writer("/mixed", "std_msgs/msg/UInt32");
  ASSERT_TRUE(wait_until([&] { return first->matched() == 1; }));
  auto second = writer("/mixed", "std_msgs/msg/UInt32", best_effort);
  ASSERT_TRUE(wait_until([&] { return first->matched() == 1 && second->matched() == 1; })) << recorder.output();
  EXPECT_EQ(secret->matched(), 0U);
  EXPECT_EQ(hidden->matched(), 0U);
  const auto listed = [&] {
    for (const auto& node : participant->graph().nodes()) {
      if (node.full_name() == "/rosbag2_recorder") return node.readers.size() >= 2;
    }
    return false;
  };
  EXPECT_TRUE(wait_until(listed));
  ASSERT_TRUE(wait_until([&] {  // best effort: repeat until one has arrived
    const Cdr cdr = number(5);
    second->write_cdr(cdr.data(), cdr.size());
    return content(bag).count("/mixed") == 1;
  }));
  EXPECT_EQ(recorder.stop(), 0) << recorder.output();
}

TEST_F(RecordPlay, ClockRunsInBagTime) {
  const fs::path bag = folder / "bag";
  {
    ros2bag::BagWriter writer(bag);
    const auto topic = writer.add_topic("/numbers", "std_msgs/msg/UInt32", "");
    for (std::uint32_t i = 0; i <= 10; ++i) {
      const Cdr cdr = number(i);
      writer.write(topic, 5'000'000'000 + i * 1'000'000'000LL, cdr.data(), cdr.size());
    }
    writer.close();
  }
  auto clock = reader("/clock", "rosgraph_msgs/msg/Clock");
  auto numbers = reader("/numbers", "std_msgs/msg/UInt32");
  Process player({ROS2_BAG, "play", bag.string(), "--clock", "100", "-r", "10", "--start-offset", "5", "-d", "2"});
  EXPECT_EQ(player.wait(), 0) << player.output();
  const auto received = take_all(*numbers);
  ASSERT_EQ(received.size(), 6U) << player.output();
  EXPECT_EQ(received.front(), number(5));
  std::int64_t last = 0;
  const auto ticks = take_all(*clock);
  EXPECT_GE(ticks.size(), 5U);
  for (const auto& tick : ticks) {
    ASSERT_EQ(tick.size(), 12U);
    const std::int64_t seconds = tick[4] | tick[5] << 8 | tick[6] << 16;
    EXPECT_GE(seconds, last);
    EXPECT_GE(seconds, 10);
    EXPECT_LE(seconds, 20);
    last = seconds;
  }
}

TEST_F(RecordPlay, TheBagOfAKilledRecorderCanBePlayed) {
  auto numbers = writer("/numbers", "std_msgs/msg/UInt32");
  const fs::path bag = folder / "bag";
  Process recorder({ROS2_BAG, "record", "/numbers", "-o", bag.string()});
  ASSERT_TRUE(wait_until([&] { return numbers->matched() == 1; })) << recorder.output();
  const Cdr cdr = number(7);
  numbers->write_cdr(cdr.data(), cdr.size());
  ASSERT_TRUE(wait_until([&] { return content(bag).count("/numbers") == 1; })) << recorder.output();
  recorder.signal(SIGKILL);
  recorder.wait();
  numbers.reset();
  EXPECT_FALSE(fs::exists(bag / "metadata.yaml"));
  auto replayed = reader("/numbers", "std_msgs/msg/UInt32");
  Process player({ROS2_BAG, "play", bag.string(), "--loop"});
  std::vector<Cdr> taken;  // one or several: it may have looped since the last look
  ASSERT_TRUE(wait_until([&] { return !(taken = take_all(*replayed)).empty(); })) << player.output();
  EXPECT_EQ(taken.front(), cdr);
  EXPECT_TRUE(wait_until([&] { return !take_all(*replayed).empty(); })) << "it loops";
  EXPECT_EQ(player.stop(), 0) << player.output();
}

TEST_F(RecordPlay, SimulatedTimeStampsTheMessages) {
  auto clock = writer("/clock", "rosgraph_msgs/msg/Clock");
  auto numbers = writer("/numbers", "std_msgs/msg/UInt32");
  const fs::path bag = folder / "bag";
  Process recorder({ROS2_BAG, "record", "/numbers", "--use-sim-time", "-o", bag.string()});
  ASSERT_TRUE(wait_until([&] { return clock->matched() == 1 && numbers->matched() == 1; })) << recorder.output();
  const Cdr tick{0, 1, 0, 0, 42, 0, 0, 0, 5, 0, 0, 0};
  const Cdr cdr = number(1);
  ASSERT_TRUE(wait_until([&] {
    clock->write_cdr(tick.data(), tick.size());
    numbers->write_cdr(cdr.data(), cdr.size());
    return content(bag).count("/numbers") == 1;
  })) << recorder.output();
  EXPECT_EQ(recorder.stop(), 0) << recorder.output();
  EXPECT_EQ(ros2bag::read_metadata(bag).start(), 42'000'000'005);
}

TEST_F(RecordPlay, MistakesAreExplained) {
  const auto output_of = [](std::vector<std::string> words, int expected_code) {
    words.insert(words.begin(), ROS2_BAG);
    Process process(words);
    EXPECT_EQ(process.wait(), expected_code);
    return process.output();
  };
  EXPECT_NE(output_of({"record"}, 2).find("name topics, or use -a"), std::string::npos);
  EXPECT_NE(output_of({"record", "-e", "("}, 2).find("is not a regular expression"), std::string::npos);
  EXPECT_NE(output_of({"record", "-a", "-s", "mcap"}, 2).find("'mcap' is not supported"), std::string::npos);
  EXPECT_NE(output_of({"play", "/nowhere"}, 1).find("'/nowhere' does not exist"), std::string::npos);
  EXPECT_NE(output_of({"play"}, 2).find("name one bag"), std::string::npos);
  EXPECT_NE(output_of({"replay"}, 2).find("there are record, play and info"), std::string::npos);
  EXPECT_NE(output_of({"info", "/nowhere"}, 1).find("does not exist"), std::string::npos);
  EXPECT_NE(output_of({"--help"}, 0).find("usage: ros2 bag"), std::string::npos);
}
