// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "underlay_cdr/ops.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/reader.hpp"
#include "underlay_dds/service.hpp"
#include "underlay_dds/writer.hpp"

using hl_testing::wait_until;
using namespace underlay_dds;

namespace {

// A message of one int64 with the codec written by hand; 13 cannot be serialised.
struct Number {
  std::int64_t value = 0;
};

const underlay_cdr::MessageOps number_ops{"test_msgs::msg::dds_::Number_",
                                          "test_msgs/msg/Number",
                                          "",
                                          [](const void* m) -> std::size_t {
                                            if (static_cast<const Number*>(m)->value == 13) {
                                              throw underlay_cdr::CdrError("unlucky");
                                            }
                                            return 8;
                                          },
                                          [](const void* m, void* body) -> std::size_t {
                                            std::memcpy(body, m, 8);
                                            return 8;
                                          },
                                          [](void* m, const void* body, std::size_t bytes, bool) {
                                            if (bytes < 8) throw underlay_cdr::CdrError("data ends early");
                                            std::memcpy(m, body, 8);
                                          },
                                          8};

std::vector<std::uint8_t> cdr_of(std::int64_t value) {
  std::vector<std::uint8_t> bytes{0, 1, 0, 0};
  bytes.resize(12);
  std::memcpy(bytes.data() + 4, &value, 8);
  return bytes;
}

bool take(Reader& reader, Sample& sample) {
  return wait_until([&] { return reader.take(sample); });
}

}  // namespace

TEST(Names, OfTypesTranslateBothWays) {
  EXPECT_EQ(dds_type_name("std_msgs/msg/String"), "std_msgs::msg::dds_::String_");
  EXPECT_EQ(ros_type_name("std_msgs::msg::dds_::String_"), "std_msgs/msg/String");
  EXPECT_EQ(ros_type_name("SomethingElse"), "SomethingElse");
}

TEST(Domain, BadNumberIsRefusedWithItsText) {
  const std::string before = std::getenv("ROS_DOMAIN_ID");
  setenv("ROS_DOMAIN_ID", "seven", 1);
  try {
    domain_from_environment();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("seven"), std::string::npos);
  }
  setenv("ROS_DOMAIN_ID", before.c_str(), 1);
}

TEST(Configuration, LocalhostOnlyNamesOnlyLoopback) {
  const auto by_ports = default_configuration(1, LoopbackDiscovery::Ports);
  EXPECT_NE(by_ports.find("name=\"lo\""), std::string::npos);
  EXPECT_NE(by_ports.find("MaxAutoParticipantIndex>119"), std::string::npos);
  const auto by_multicast = default_configuration(1, LoopbackDiscovery::Multicast);
  EXPECT_NE(by_multicast.find("name=\"lo\" multicast=\"true\""), std::string::npos);
  EXPECT_NE(by_multicast.find("127.0.0.1:7660"), std::string::npos);
}

TEST(Topic, ReaderOfTheSameProcessGetsTheVeryObject) {
  auto participant = Participant::get();
  Writer writer(participant, "rt/object", Type::of(number_ops), {});
  Reader reader(participant, "rt/object", Type::of(number_ops), {});
  ASSERT_TRUE(wait_until([&] { return writer.matched() == 1; }));
  const auto message = std::make_shared<Number>(Number{5});
  writer.write(message);
  Sample sample;
  ASSERT_TRUE(take(reader, sample));
  EXPECT_EQ(sample.message().get(), message.get());
  EXPECT_EQ(sample.claim(), nullptr);
  EXPECT_EQ(sample.body().size, 8u);
}

TEST(Topic, SoleReaderMayClaimTheObject) {
  auto participant = Participant::get();
  Writer writer(participant, "rt/claim", Type::of(number_ops), {});
  Reader reader(participant, "rt/claim", Type::of(number_ops), {});
  ASSERT_TRUE(wait_until([&] { return writer.matched() == 1; }));
  auto message = std::make_unique<Number>(Number{6});
  const void* address = message.get();
  writer.write(releasable(std::move(message)), true);
  Sample sample;
  ASSERT_TRUE(take(reader, sample));
  const std::unique_ptr<Number> mine(static_cast<Number*>(sample.claim()));
  EXPECT_EQ(mine.get(), address);
  EXPECT_EQ(mine->value, 6);
  EXPECT_EQ(sample.claim(), nullptr);
}

TEST(Topic, RawAndTypedEndpointsUnderstandEachOther) {
  auto participant = Participant::get();
  Writer typed(participant, "rt/mixed", Type::of(number_ops), {});
  Writer raw(participant, "rt/mixed", Type::raw("test_msgs/msg/Number"), {});
  Reader typed_reader(participant, "rt/mixed", Type::of(number_ops), {});
  Reader raw_reader(participant, "rt/mixed", Type::raw("test_msgs/msg/Number"), {});
  ASSERT_TRUE(wait_until([&] { return typed.matched() == 2 && raw.matched() == 2; }));

  typed.write(std::make_shared<Number>(Number{7}));
  Sample sample;
  ASSERT_TRUE(take(raw_reader, sample));
  EXPECT_EQ(std::memcmp(sample.cdr().data, cdr_of(7).data(), 12), 0);
  ASSERT_TRUE(take(typed_reader, sample));

  const auto bytes = cdr_of(8);
  raw.write_cdr(bytes.data(), bytes.size());
  ASSERT_TRUE(take(typed_reader, sample));
  EXPECT_FALSE(sample.message());
  Number number;
  sample.decode(&number);
  EXPECT_EQ(number.value, 8);

  EXPECT_THROW(raw.write_cdr(bytes.data(), 3), Error);
  raw.write_cdr(bytes.data(), 8);
  ASSERT_TRUE(take(typed_reader, sample));
  EXPECT_THROW(sample.decode(&number), Error);
  std::vector<std::uint8_t> strange = cdr_of(9);
  strange[1] = 7;  // XCDR2
  raw.write_cdr(strange.data(), strange.size());
  ASSERT_TRUE(take(typed_reader, sample));
  EXPECT_THROW(sample.decode(&number), Error);
}

TEST(Topic, MessageThatCannotBeSerialisedIsReportedByTheWriter) {
  auto participant = Participant::get();
  Writer writer(participant, "rt/unlucky", Type::of(number_ops), {});
  Reader raw(participant, "rt/unlucky", Type::raw("test_msgs/msg/Number"), {});
  ASSERT_TRUE(wait_until([&] { return writer.matched() == 1; }));
  EXPECT_THROW(writer.write(std::make_shared<Number>(Number{13})), Error);
  const Number unlucky{13};
  EXPECT_THROW(writer.write_copy(&unlucky), underlay_cdr::CdrError);
}

TEST(Topic, IncompatibleQosIsReportedOnBothSides) {
  auto participant = Participant::get();
  Qos best_effort;
  best_effort.reliability = Reliability::BestEffort;
  std::atomic<std::uint32_t> at_writer{0}, at_reader{0};
  WriterEvents writer_events;
  writer_events.incompatible_qos = [&](const EventStatus& status) { at_writer = status.policy; };
  ReaderEvents reader_events;
  reader_events.incompatible_qos = [&](const EventStatus& status) { at_reader = status.policy; };
  Writer writer(participant, "rt/incompatible", Type::of(number_ops), best_effort, writer_events);
  Reader reader(participant, "rt/incompatible", Type::of(number_ops), {}, reader_events);
  reader.start();
  EXPECT_TRUE(wait_until([&] { return at_writer != 0 && at_reader != 0; }));
  EXPECT_EQ(static_cast<Policy>(at_writer.load()), Policy::Reliability);
  EXPECT_EQ(static_cast<Policy>(at_reader.load()), Policy::Reliability);
  EXPECT_EQ(writer.matched(), 0u);
}

TEST(Service, RequestAndReplyFindTheirWay) {
  auto participant = Participant::get();
  const auto nothing = [](const std::string&) {};
  ServiceServer server(
      participant, "/twice", Type::of(number_ops), Type::of(number_ops), {}, [] {}, nothing);
  ServiceClient client(
      participant, "/twice", Type::of(number_ops), Type::of(number_ops), {}, [] {}, nothing);
  ServiceClient other(
      participant, "/twice", Type::of(number_ops), Type::of(number_ops), {}, [] {}, nothing);
  ASSERT_TRUE(wait_until([&] { return client.ready() && other.ready(); }));
  const auto sequence = client.next_sequence();
  ASSERT_TRUE(client.send(sequence, std::make_shared<Number>(Number{21})));
  Sample request;
  ServiceHeader header;
  ASSERT_TRUE(wait_until([&] { return server.take(request, header); }));
  const auto question = std::static_pointer_cast<const Number>(request.message());
  server.reply(header, std::make_shared<Number>(Number{2 * question->value}));
  Sample reply;
  std::int64_t answered = 0;
  ASSERT_TRUE(wait_until([&] { return client.take(reply, answered); }));
  EXPECT_EQ(answered, sequence);
  EXPECT_EQ(std::static_pointer_cast<const Number>(reply.message())->value, 42);
  EXPECT_FALSE(other.take(reply, answered));
}

TEST(Service, ForeignClientAndServerAreRefusedWithTheRemedy) {
  auto participant = Participant::get();
  std::string at_server, at_client;
  ServiceServer server(
      participant, "/guard", Type::of(number_ops), Type::of(number_ops), {}, [] {},
      [&](const std::string& text) { at_server = text; });
  Writer foreign_client(participant, "rq/guardRequest", Type::raw("test_msgs/msg/Number"), {});
  ASSERT_TRUE(wait_until([&] { return foreign_client.matched() == 1; }));
  std::vector<std::uint8_t> bytes(28, 1);
  bytes[0] = 0;
  foreign_client.write_cdr(bytes.data(), bytes.size());
  Sample request;
  ServiceHeader header;
  EXPECT_TRUE(wait_until([&] {
    EXPECT_FALSE(server.take(request, header));
    return !at_server.empty();
  }));
  EXPECT_NE(at_server.find("RMW_IMPLEMENTATION=rmw_cyclonedds_cpp"), std::string::npos);

  Reader foreign_server(participant, "rq/guard2Request", Type::raw("test_msgs/msg/Number"), {});
  ServiceClient client(
      participant, "/guard2", Type::of(number_ops), Type::of(number_ops), {}, [] {},
      [&](const std::string& text) { at_client = text; });
  ASSERT_TRUE(wait_until([&] { return client.requests().matched() == 1; }));
  EXPECT_FALSE(client.ready());
  EXPECT_FALSE(client.send(client.next_sequence(), std::make_shared<Number>()));
  EXPECT_NE(at_client.find("RMW_IMPLEMENTATION=rmw_cyclonedds_cpp"), std::string::npos);
  Sample sample;
  EXPECT_FALSE(foreign_server.take(sample));
}

TEST(Graph, KnowsEndpointsWithTypeQosAndHash) {
  auto participant = Participant::get();
  Qos qos;
  qos.durability = Durability::TransientLocal;
  qos.deadline = 500'000'000;
  Type type = Type::of(number_ops);
  type.hash = "RIHS01_0123";
  Writer writer(participant, "rt/described", type, qos);
  Endpoint found;
  ASSERT_TRUE(wait_until([&] {
    for (const auto& endpoint : participant->graph().publications()) {
      if (endpoint.dds_topic == "rt/described") {
        found = endpoint;
        return true;
      }
    }
    return false;
  }));
  EXPECT_EQ(found.gid, writer.gid());
  EXPECT_EQ(found.participant, participant->gid());
  EXPECT_EQ(ros_type_name(found.dds_type), "test_msgs/msg/Number");
  EXPECT_EQ(found.type_hash, "RIHS01_0123");
  EXPECT_EQ(found.qos.durability, Durability::TransientLocal);
  EXPECT_EQ(found.qos.deadline, 500'000'000);
}

TEST(Graph, GrowsBeyondWhatItMadeRoomForAtFirst) {
  auto participant = Participant::get();
  std::vector<std::unique_ptr<Writer>> writers;
  for (int i = 0; i < 300; ++i) {
    writers.push_back(std::make_unique<Writer>(participant, "rt/one_of_many", Type::of(number_ops), Qos()));
  }
  for (int look = 0; look < 3; ++look) {
    EXPECT_TRUE(wait_until([&] { return participant->graph().publications().size() >= writers.size(); }));
  }
}

TEST(Graph, ChangesWakeThoseWhoWait) {
  auto participant = Participant::get();
  auto& graph = participant->graph();
  const auto seen = graph.version();
  EXPECT_FALSE(graph.wait_for_change(graph.version(), 1'000'000));
  std::thread adder([&] { graph.remove_node(graph.add_node("/a", "short_lived")); });
  EXPECT_TRUE(graph.wait_for_change(seen, 30'000'000'000));
  adder.join();
}

TEST(Graph, AnnouncementSurvivesTheWayInBothForms) {
  Graph::Announcement sent;
  sent.participant[0] = 1;
  sent.nodes = {{"/", "one", {Gid{1}}, {Gid{2}, Gid{3}}}, {"/ns", "two", {}, {}}};
  for (const std::size_t length : {std::size_t{16}, std::size_t{24}}) {
    const auto bytes = Graph::encode(sent, length);
    Graph::Announcement received;
    ASSERT_TRUE(Graph::decode(bytes.data(), bytes.size(), length, received));
    EXPECT_EQ(received.participant, sent.participant);
    ASSERT_EQ(received.nodes.size(), 2u);
    EXPECT_EQ(received.nodes[0].writers, sent.nodes[0].writers);
    EXPECT_EQ(received.nodes[1].full_name(), "/ns/two");
    EXPECT_FALSE(Graph::decode(bytes.data(), bytes.size(), 40 - length, received));
  }
}

TEST(Graph, ArbitraryBytesNeverHarm) {
  std::mt19937 random(1);
  Graph::Announcement sent;
  sent.nodes = {{"/", "one", {Gid{1}}, {Gid{2}, Gid{3}}}, {"/ns", "two", {}, {}}};
  const auto valid = Graph::encode(sent, 24);
  const std::size_t rounds = hl_testing::count(20'000, 10'000'000);
  for (std::size_t i = 0; i < rounds; ++i) {
    auto bytes = valid;
    for (int changes = 0; changes < 4; ++changes) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    bytes.resize(random() % (bytes.size() + 1));
    Graph::Announcement received;
    Graph::decode(bytes.data(), bytes.size(), random() % 2 == 0 ? 16 : 24, received);
  }
}

int main(int argc, char** argv) {
  hl_testing::isolate();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
