// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "hl_remote/link_receiver.hpp"
#include "hl_remote/link_sender.hpp"
#include "hl_remote/link_topics.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_remote;
using hl_network::Bytes;

namespace {

Buffer random_bytes(std::mt19937& random, std::size_t size) {
  Buffer bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

Bytes view(const Buffer& buffer) {
  return {buffer.data(), buffer.size()};
}

LinkSender::Params params(const std::string& robot, std::uint32_t session = 100) {
  LinkSender::Params params;
  params.robot = robot;
  params.session = session;
  return params;
}

/// All datagrams of one message.
std::vector<Buffer> sent_once(LinkSender& sender, double now) {
  std::vector<Buffer> datagrams;
  sender.poll(now, [&](Bytes bytes) { datagrams.emplace_back(bytes.data, bytes.data + bytes.size); });
  return datagrams;
}

/// A network that loses, doubles and delays.
class Network {
 public:
  Network(unsigned seed, double loss, double jitter) : random_(seed), loss_(loss), jitter_(jitter) {}

  void send(Bytes bytes, double now) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const int copies = unit(random_) < 0.1 ? 2 : 1;
    for (int i = 0; i < copies; ++i)
      if (unit(random_) >= loss_)
        air_.emplace(now + jitter_ * unit(random_), Buffer(bytes.data, bytes.data + bytes.size));
  }

  template <class Deliver>
  void arrive(double now, Deliver deliver) {
    while (!air_.empty() && air_.begin()->first <= now) {
      deliver(view(air_.begin()->second));
      air_.erase(air_.begin());
    }
  }

 private:
  std::mt19937 random_;
  double loss_, jitter_;
  std::multimap<double, Buffer> air_;
};

}  // namespace

TEST(LinkPacket, AMessageComesBackFromItsBytes) {
  std::mt19937 random(1);
  for (const std::size_t size : {0U, 1U, 100U, 100'000U}) {
    LinkMessage message{"team/ball", "pkg/msg/Ball", true, 77, -5'000'000'001, random_bytes(random, size)};
    const auto back = unpack(view(pack(message, 3)));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->topic, message.topic);
    EXPECT_EQ(back->type, message.type);
    EXPECT_TRUE(back->latched);
    EXPECT_EQ(back->number, 77U);
    EXPECT_EQ(back->stamp_ns, message.stamp_ns);
    EXPECT_EQ(back->serialized, message.serialized);
  }
}

TEST(LinkPacket, TheHeaderHasTheBytesOfTheDescription) {
  const Buffer share = {0xAB, 0xCD};
  const Buffer expected = {'H', 'L', 'N', 'K', 1, 2, 'r', '1', 4, 3, 2, 1, 8, 7, 6, 5, 1, 0, 3, 0, 0xAB, 0xCD};
  EXPECT_EQ(write_datagram({1, "r1", 0x01020304, 0x05060708, 1, 3}, view(share)), expected);
  const auto back = read_datagram(view(expected));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->header.message, 0x05060708U);
  EXPECT_EQ(back->header.fragments, 3);
  EXPECT_EQ(back->share.size, 2U);
}

TEST(LinkPacket, NamesThatNoGraphWouldTakeAreRefused) {
  for (const char* topic : {"", "/a", "a/", "a//b", "9a", "a b", "a/../b", "~a"})
    EXPECT_FALSE(unpack(view(pack({topic, "p/msg/T", false, 1, 0, {}}, 3)))) << topic;
  for (const char* type : {"", "p/T", "p/msg/T/x", "../msg/T"})
    EXPECT_FALSE(unpack(view(pack({"a", type, false, 1, 0, {}}, 3)))) << type;
  EXPECT_FALSE(valid_robot_name("a/b"));
  EXPECT_FALSE(valid_robot_name(""));
  EXPECT_TRUE(valid_robot_name("minibot_1"));
}

TEST(LinkTopics, CommandsAndNonsenseAreRefusedWithTheReason) {
  for (const char* line : {"motor_goals", "head_motor_goals 5", "cmd_vel", "teleop_cmd_vel", "goal_pose 1", "animation",
                           "paused", "speak"})
    EXPECT_NE(topic_error(line).value_or("").find("commands a robot"), std::string::npos) << line;
  for (const char* line : {"", "a -1", "a b", "a 5 6", "a nan", "/a 1"}) EXPECT_TRUE(topic_error(line)) << line;
  for (const auto& line : default_topics()) EXPECT_FALSE(topic_error(line)) << line;
}

TEST(LinkSender, NoSecondExceedsTheBudget) {
  std::mt19937 random(2);
  auto settings = params("r1");
  settings.budget = 50e3;
  LinkSender sender(settings, {{"image", 0.0}, {"state", 0.0}});
  std::vector<std::pair<double, double>> sent;  // time, bytes
  for (int tick = 0; tick < 2000; ++tick) {
    const double now = 0.01 * tick;
    if (tick % 7 == 0) sender.offer(0, "p/msg/I", false, view(random_bytes(random, 30'000)), 0);
    sender.offer(1, "p/msg/S", false, view(random_bytes(random, 50)), 0);
    sender.poll(now, [&](Bytes bytes) { sent.emplace_back(now, static_cast<double>(bytes.size) + 28.0); });
  }
  double total = 0.0;
  for (std::size_t first = 0, last = 0; last < sent.size(); ++last) {
    total += sent[last].second;
    while (sent[last].first - sent[first].first > 1.0) total -= sent[first++].second;
    ASSERT_LE(total, settings.budget);
  }
  const double all = std::accumulate(sent.begin(), sent.end(), 0.0, [](double sum, auto& s) { return sum + s.second; });
  EXPECT_GT(all, 0.7 * settings.budget * 20.0) << "the budget is used";
}

TEST(LinkSender, ALargeMessageDoesNotHoldUpSmallOnes) {
  std::mt19937 random(3);
  auto settings = params("r1");
  settings.budget = 50e3;
  LinkSender sender(settings, {{"image", 0.0}, {"state", 10.0}});
  LinkReceiver receiver;
  int states = 0, images = 0;
  for (int tick = 0; tick < 1000; ++tick) {
    const double now = 0.01 * tick;
    sender.offer(0, "p/msg/I", false, view(random_bytes(random, 100'000)), 0);
    sender.offer(1, "p/msg/S", false, view(random_bytes(random, 50)), 0);
    sender.poll(now, [&](Bytes bytes) {
      if (const auto message = receiver.receive(bytes, now)) (message->content.topic == "state" ? states : images) += 1;
    });
  }
  EXPECT_GE(images, 2);
  EXPECT_GE(states, 90);
}

TEST(LinkSender, RatesAreKept) {
  LinkSender sender(params("r1"), {{"slow", 2.0}, {"fast", 20.0}});
  const Buffer bytes = {1, 2, 3};
  LinkReceiver receiver;
  std::map<std::string, int> count;
  for (int tick = 0; tick < 1000; ++tick) {
    for (std::size_t i = 0; i < 2; ++i) sender.offer(i, "p/msg/T", false, view(bytes), 0);
    sender.poll(0.01 * tick, [&](Bytes datagram) {
      if (const auto message = receiver.receive(datagram, 0.01 * tick)) ++count[message->content.topic];
    });
  }
  EXPECT_NEAR(count["slow"], 20, 2);
  EXPECT_NEAR(count["fast"], 200, 10);
}

TEST(LinkSender, BadParametersAreNamed) {
  auto bad = params("no spaces");
  EXPECT_THROW(LinkSender(bad, {}), std::invalid_argument);
  bad = params("r1");
  bad.budget = 100.0;
  EXPECT_NE(bad.validate()->find("budget"), std::string::npos);
  bad.budget = std::nan("");
  EXPECT_TRUE(bad.validate());
  EXPECT_THROW(LinkSender(params("r1"), {{"a", -1.0}}), std::invalid_argument);
}

// Property: whatever the network does, what is given out was sent, by the robot that is named, and never goes back.
TEST(Link, LossJitterAndDoublesGiveNoWrongMessage) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::mt19937 random(seed);
    Network network(seed, 0.3, 0.05);
    const std::vector<std::string> names = {"r1", "r2"};
    std::vector<LinkSender> senders;
    for (const auto& name : names)
      senders.emplace_back(params(name), std::vector<LinkSender::Topic>{{"small", 20.0}, {"large", 2.0}});
    std::map<std::string, std::vector<Buffer>> offered;  // robot/topic -> by number
    std::map<std::string, std::uint32_t> newest;
    std::map<std::string, int> received;
    LinkReceiver receiver;
    for (int tick = 0; tick < 3000; ++tick) {
      const double now = 0.01 * tick;
      for (std::size_t r = 0; r < 2; ++r) {
        for (std::size_t t = 0; t < 2; ++t) {
          const Buffer bytes = random_bytes(random, t == 0 ? 40 : 6000);
          senders[r].offer(t, "p/msg/T", false, view(bytes), 0);
          offered[names[r] + (t == 0 ? "/small" : "/large")].push_back(bytes);
        }
        senders[r].poll(now, [&](Bytes bytes) { network.send(bytes, now); });
      }
      network.arrive(now, [&](Bytes bytes) {
        const auto message = receiver.receive(bytes, now);
        if (!message) return;
        const std::string key = message->robot + "/" + message->content.topic;
        ASSERT_GT(message->content.number, newest[key]);
        newest[key] = message->content.number;
        ASSERT_EQ(message->content.serialized, offered[key].at(message->content.number - 1));
        ++received[key];
      });
      if (tick % 100 == 0) receiver.tidy(now);
    }
    for (const auto& name : names) {
      EXPECT_GE(received[name + "/small"], 0.55 * 600) << "0.7 of them arrive, some of these too late";
      EXPECT_NEAR(receiver.robots()[name].loss(), 0.3, 0.15) << "large ones are lost more often, as they must";
      EXPECT_GT(receiver.robots()[name].doubled, 0U);
    }
  }
}

TEST(Link, ALatchedMessageThatWasLostComesAgain) {
  LinkSender sender(params("r1"), {{"state", 0.0}});
  const Buffer bytes = {9};
  sender.offer(0, "p/msg/S", true, view(bytes), 0);
  EXPECT_EQ(sent_once(sender, 0.0).size(), 1U);  // lost
  EXPECT_TRUE(sent_once(sender, 1.0).empty());
  LinkReceiver receiver;
  int received = 0;
  for (double now = 2.0; now < 10.0; now += 0.5)
    for (const Buffer& datagram : sent_once(sender, now))
      if (receiver.receive(view(datagram), now)) ++received;
  EXPECT_EQ(received, 1) << "once, however often it is repeated";
}

TEST(Link, ARestartedSenderIsHeardAtOnceAndItsOldDatagramsAreNot) {
  const Buffer old_bytes = {1}, new_bytes = {2};
  LinkSender before(params("r1", 100), {{"a", 0.0}});
  LinkSender after(params("r1", 101), {{"a", 0.0}});
  LinkReceiver receiver;
  for (int i = 0; i < 5; ++i) {
    before.offer(0, "p/msg/T", false, view(old_bytes), 0);
    EXPECT_TRUE(receiver.receive(view(sent_once(before, i).at(0)), i));
  }
  before.offer(0, "p/msg/T", false, view(old_bytes), 0);
  const auto straggler = sent_once(before, 5.0);
  after.offer(0, "p/msg/T", false, view(new_bytes), 0);
  const auto message = receiver.receive(view(sent_once(after, 5.0).at(0)), 5.0);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->content.serialized, new_bytes);
  EXPECT_FALSE(receiver.receive(view(straggler.at(0)), 5.1));
  EXPECT_EQ(receiver.robots()["r1"].restarts, 1U);
  EXPECT_EQ(receiver.robots()["r1"].lost, 0U);

  // A robot whose clock was set back is believed after a silence.
  LinkSender earlier(params("r1", 7), {{"a", 0.0}});
  earlier.offer(0, "p/msg/T", false, view(new_bytes), 0);
  EXPECT_TRUE(receiver.receive(view(sent_once(earlier, 20.0).at(0)), 20.0));
}

TEST(Link, OtherVersionsAndStrangersAreCounted) {
  LinkReceiver receiver;
  Buffer other = write_datagram({1, "r1", 1, 1, 0, 1}, view(Buffer{1}));
  other[4] = 9;
  EXPECT_FALSE(receiver.receive(view(other), 0.0));
  EXPECT_EQ(receiver.foreign().other_version, 1U);
  EXPECT_EQ(receiver.foreign().version, 9);
  EXPECT_FALSE(receiver.receive(view(Buffer{'m', 'X', 't', 'e'}), 0.0));
  EXPECT_EQ(receiver.foreign().no_link, 1U);
  const Buffer frame = pack({"a", "p/msg/T", false, 1, 0, {}}, 3);
  for (int i = 0; i < 20; ++i)
    receiver.receive(view(write_datagram({1, "r" + std::to_string(i), 1, 1, 0, 1}, view(frame))), 0.0);
  EXPECT_EQ(receiver.robots().size(), 16U);
  EXPECT_EQ(receiver.foreign().too_many_robots, 4U);
}

// Whatever comes from the network: an answer, no crash, bounded memory.
TEST(Link, ArbitraryDatagramsSurvive) {
  std::mt19937 random(11);
  LinkSender sender(params("r1"), {{"a", 0.0}});
  sender.offer(0, "p/msg/T", false, view(random_bytes(random, 5000)), 0);
  const auto good = sent_once(sender, 0.0);
  LinkReceiver receiver;
  const std::size_t count = hl_testing::count(200'000, 10'000'000);
  for (std::size_t i = 0; i < count; ++i) {
    Buffer datagram;
    if (i % 4 == 0) {
      datagram = random_bytes(random, random() % 64);
    } else {
      datagram = good[random() % good.size()];
      for (unsigned flips = random() % 4; flips > 0; --flips)
        datagram[random() % std::min<std::size_t>(datagram.size(), i % 4 == 1 ? 24 : 1400)] =
            static_cast<std::uint8_t>(random());
      if (random() % 8 == 0) datagram.resize(random() % datagram.size());
    }
    const double now = 1e-3 * static_cast<double>(i);
    if (const auto message = receiver.receive(view(datagram), now)) {
      ASSERT_LE(message->content.serialized.size(), kMaxMessage);
    }
    if (i % 1000 == 0) receiver.tidy(now);
  }
  EXPECT_LE(receiver.robots().size(), 16U);
}
