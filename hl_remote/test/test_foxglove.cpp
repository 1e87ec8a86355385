// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "base64.hpp"
#include "hl_remote/foxglove.hpp"

namespace hl_remote::foxglove {
namespace {

std::string bytes(const std::string& hex) {
  std::string result;
  for (std::size_t i = 0; i + 1 < hex.size() + 1; ++i) {
    if (hex[i] == ' ') continue;
    result.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    ++i;
  }
  return result;
}

template <class T>
T expect(const Request& request) {
  if (const auto* bad = std::get_if<Malformed>(&request)) ADD_FAILURE() << bad->reason;
  EXPECT_TRUE(std::holds_alternative<T>(request));
  return std::holds_alternative<T>(request) ? std::get<T>(request) : T{};
}

std::string reason(const Request& request) {
  return std::holds_alternative<Malformed>(request) ? std::get<Malformed>(request).reason : "";
}

}  // namespace

// Bytes as the protocol's description writes them.
TEST(Foxglove, BinaryFramesAreByteExact) {
  EXPECT_EQ(message_head(7, 1'000'000'000), bytes("01 07000000 00CA9A3B00000000"));
  EXPECT_EQ(time(1'000'000'000), bytes("02 00CA9A3B00000000"));
  EXPECT_EQ(asset_error(9, "no"), bytes("04 09000000 01 02000000 6E6F"));
  EXPECT_EQ(asset(9, "hi"), bytes("04 09000000 00 00000000 6869"));
  EXPECT_EQ(service_response(2, 5, bytes("0001000000")), bytes("03 02000000 05000000 03000000 636472 0001000000"));
}

TEST(Foxglove, ReadsAServiceRequest) {
  const std::string frame = bytes("02 02000000 05000000 03000000 636472 00010000 00");
  const auto call = expect<CallService>(parse_binary(frame));
  EXPECT_EQ(call.service, 2u);
  EXPECT_EQ(call.call, 5u);
  EXPECT_EQ(call.encoding, "cdr");
  EXPECT_EQ(call.payload, bytes("0001000000"));
}

TEST(Foxglove, ReadsAPublishedMessage) {
  const std::string frame = bytes("01 03000000 00010000 2A");
  const auto publish = expect<Publish>(parse_binary(frame));
  EXPECT_EQ(publish.channel, 3u);
  EXPECT_EQ(publish.payload, bytes("00010000 2A"));
}

TEST(Foxglove, ShortAndUnknownBinaryFramesAreMalformed) {
  for (const char* frame :
       {"", "01", "01 030000", "02 02000000 05000000 03000000 6364", "02 00000000 00000000 FFFFFFFF 00", "07 00"})
    EXPECT_NE(reason(parse_binary(bytes(frame))), "") << frame;
}

TEST(Foxglove, ReadsEveryTextRequest) {
  const auto subscribe =
      expect<Subscribe>(parse_text(R"({"op":"subscribe","subscriptions":[{"id":4,"channelId":9}]})"));
  ASSERT_EQ(subscribe.subscriptions.size(), 1u);
  EXPECT_EQ(subscribe.subscriptions[0], std::make_pair(4u, 9u));
  EXPECT_EQ(expect<Unsubscribe>(parse_text(R"({"op":"unsubscribe","subscriptionIds":[4]})")).subscriptions.at(0), 4u);
  const auto advertised = expect<Advertise>(parse_text(
      R"({"op":"advertise","channels":[{"id":1,"topic":"/goal_pose","encoding":"cdr","schemaName":"geometry_msgs/PoseStamped"}]})"));
  EXPECT_EQ(advertised.channels.at(0).topic, "/goal_pose");
  EXPECT_EQ(expect<Unadvertise>(parse_text(R"({"op":"unadvertise","channelIds":[1]})")).channels.at(0), 1u);
  const auto get = expect<GetParameters>(parse_text(R"({"op":"getParameters","parameterNames":[],"id":"all"})"));
  EXPECT_EQ(get.id, "all");
  EXPECT_TRUE(expect<WatchParameters>(parse_text(R"({"op":"subscribeParameterUpdates","parameterNames":["a"]})")).on);
  EXPECT_FALSE(
      expect<WatchParameters>(parse_text(R"({"op":"unsubscribeParameterUpdates","parameterNames":["a"]})")).on);
  EXPECT_TRUE(expect<WatchGraph>(parse_text(R"({"op":"subscribeConnectionGraph"})")).on);
  EXPECT_FALSE(expect<WatchGraph>(parse_text(R"({"op":"unsubscribeConnectionGraph"})")).on);
  EXPECT_EQ(expect<FetchAsset>(parse_text(R"({"op":"fetchAsset","uri":"package://a/b.stl","requestId":6})")).request,
            6u);
}

TEST(Foxglove, ParametersKeepTheirKind) {
  const auto set = expect<SetParameters>(parse_text(R"({"op":"setParameters","parameters":[
    {"name":"whole","value":3},{"name":"real","value":3,"type":"float64"},{"name":"word","value":"x"},{"name":"yes","value":true},
    {"name":"reals","value":[1,2],"type":"float64_array"},{"name":"wholes","value":[1,2]},{"name":"words","value":["a"]},
    {"name":"bytes","value":"AQI=","type":"byte_array"},{"name":"gone"}]})"));
  ASSERT_EQ(set.parameters.size(), 9u);
  EXPECT_EQ(set.parameters[0].value, Value(std::int64_t{3}));
  EXPECT_EQ(set.parameters[1].value, Value(3.0));
  EXPECT_EQ(set.parameters[2].value, Value(std::string("x")));
  EXPECT_EQ(set.parameters[3].value, Value(true));
  EXPECT_EQ(set.parameters[4].value, Value(std::vector<double>{1, 2}));
  EXPECT_EQ(set.parameters[5].value, Value(std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(set.parameters[6].value, Value(std::vector<std::string>{"a"}));
  EXPECT_EQ(set.parameters[7].value, Value(std::vector<std::uint8_t>{1, 2}));
  EXPECT_EQ(set.parameters[8].value, Value());
  EXPECT_EQ(parameter_values({set.parameters[1]}, "7"),
            R"({"id":"7","op":"parameterValues","parameters":[{"name":"real","type":"float64","value":3.0}]})");
}

TEST(Foxglove, WhatCannotBeReadSaysWhy) {
  EXPECT_EQ(reason(parse_text("nonsense")), "the frame is not JSON");
  EXPECT_EQ(reason(parse_text("[]")), "a text frame must be a JSON object");
  EXPECT_EQ(reason(parse_text(R"({"op":"dance"})")), "unknown op 'dance'");
  EXPECT_EQ(reason(parse_text(R"({"op":"subscribe"})")), "'subscriptions' is missing");
  EXPECT_NE(reason(parse_text(R"({"op":"unsubscribe","subscriptionIds":[-1]})")), "");
  EXPECT_NE(reason(parse_text(R"({"op":"unsubscribe","subscriptionIds":[4294967296]})")), "");
  EXPECT_NE(reason(parse_text(R"({"op":"setParameters","parameters":[{"name":"a","value":[1,"b"]}]})")), "");
  EXPECT_NE(reason(parse_text(std::string(100'000, '['))), "");
}

TEST(Foxglove, TheGraphIsToldOnceAndThenByItsChanges) {
  Graph before, now;
  before.published["/ball"] = {"/vision"};
  before.subscribed["/ball"] = {"/model"};
  before.published["/old"] = {"/x"};
  now.published["/ball"] = {"/vision", "/simulator"};
  now.subscribed["/old"] = {"/y"};
  EXPECT_EQ(graph_update(now, now), "");
  const std::string update = graph_update(before, now);
  EXPECT_NE(update.find(R"({"name":"/ball","publisherIds":["/vision","/simulator"]})"), std::string::npos) << update;
  EXPECT_NE(update.find(R"({"name":"/old","publisherIds":[]})"), std::string::npos) << update;
  EXPECT_NE(update.find(R"({"name":"/ball","subscriberIds":[]})"), std::string::npos) << update;
  EXPECT_NE(update.find(R"("removedTopics":[])"), std::string::npos) << update;
}

TEST(Foxglove, ArbitraryFramesAreReadOrRefused) {
  const char* full = std::getenv("HL_FULL");
  const int count = full != nullptr && std::string(full) == "1" ? 10'000'000 : 100'000;
  std::mt19937 random(7);
  const std::string seed =
      R"({"op":"setParameters","parameters":[{"name":"a","value":[1.5,2],"type":"float64_array"}],"id":"x"})";
  for (int i = 0; i < count; ++i) {
    std::string frame = seed;
    for (unsigned edits = random() % 4; edits > 0; --edits)
      frame[random() % frame.size()] = static_cast<char>(random() & 0xff);
    if (random() % 4 == 0) frame.resize(random() % frame.size());
    parse_text(frame);
    std::string binary(random() % 40, '\0');
    for (char& byte : binary) byte = static_cast<char>(random() & 0xff);
    if (!binary.empty()) binary[0] = static_cast<char>(random() % 4);
    parse_binary(binary);
  }
}

TEST(Base64, ThereAndBack) {
  std::mt19937 random(3);
  for (std::size_t length = 0; length < 50; ++length) {
    std::vector<std::uint8_t> bytes(length);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() & 0xff);
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
  EXPECT_EQ(to_base64({'f', 'o', 'o', 'b'}), "Zm9vYg==");
  EXPECT_FALSE(from_base64("a").has_value());
  EXPECT_FALSE(from_base64("ab*=").has_value());
}

}  // namespace hl_remote::foxglove
