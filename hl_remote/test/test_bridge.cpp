// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "hl_remote/access.hpp"
#include "hl_remote/bridge.hpp"
#include "hl_remote/message_text.hpp"
#include "static_files.hpp"

namespace hl_remote {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

/// Remembers what the clients were sent.
struct FakeOutlet : Outlet {
  std::map<ClientId, std::vector<std::string>> sent, newest;
  std::uint64_t lost = 0;
  void send(ClientId client, std::string frame, bool) override { sent[client].push_back(std::move(frame)); }
  void send_newest(ClientId client, std::uint32_t, std::string head, SendQueue::Payload payload, std::size_t) override {
    newest[client].push_back(head + (payload ? *payload : ""));
  }
  void forget(ClientId, std::uint32_t) override {}
  std::uint64_t dropped(ClientId) const override { return lost; }
};

/// Remembers what reached the robots.
struct FakeRobots : Robots {
  std::vector<std::string> done, refusals;
  bool busy = false;  // parameters are told later
  std::vector<Values> waiting;
  void subscribe(std::uint32_t channel) override { done.push_back("subscribe " + std::to_string(channel)); }
  void unsubscribe(std::uint32_t channel) override { done.push_back("unsubscribe " + std::to_string(channel)); }
  void publish(const std::string& topic, const std::string& type, std::string payload) override {
    done.push_back("publish " + topic + " " + type + " " + payload);
  }
  void call(std::uint32_t service, std::string, ServiceAnswer answer) override {
    done.push_back("call " + std::to_string(service));
    answer("answer", {});
  }
  void get_parameters(const std::vector<std::string>&, Values answer) override {
    done.push_back("get");
    if (busy) return waiting.push_back(std::move(answer));
    answer({{"/walking.period", 0.5}});
  }
  void set_parameters(const std::vector<foxglove::Parameter>& parameters, Changed answer) override {
    done.push_back("set " + parameters.at(0).name);
    answer(parameters, refusals);
  }
  std::optional<std::string> asset(const std::string&, std::string& error) override {
    error = "none";
    return std::nullopt;
  }
};

class BridgeTest : public ::testing::Test {
 protected:
  BridgeTest() {
    bridge.offer({{{1, "/robot_state", "cdr", "t", "s", "ros2msg"}, true, 1},
                  {{2, "/tf", "cdr", "t", "s", "ros2msg"}, false, 100}});
    bridge.offer_services({{{1, "/set_role", "humanoid_league_msgs/srv/SetRole", "", ""}, false},
                           {{2, "/list_behaviors", "humanoid_league_msgs/srv/ListBehaviors", "", ""}, true}});
  }
  void say(ClientId client, const std::string& text) { bridge.received(client, text, false); }
  Json last(ClientId client) { return Json::parse(outlet.sent[client].back()); }
  static std::string call(char service) {
    return std::string("\x02", 1) + std::string(1, service) + std::string(3, '\0') +
           std::string("\x05\0\0\0\x03\0\0\0cdr", 11);
  }
  void try_to_command(ClientId client) {
    say(client,
        R"({"op":"advertise","channels":[{"id":1,"topic":"/goal_pose","encoding":"cdr","schemaName":"geometry_msgs/msg/PoseStamped"}]})");
    bridge.received(client, std::string("\x01\x01\0\0\0x", 6), true);
    say(client, R"({"op":"setParameters","parameters":[{"name":"/walking.period","value":1}]})");
    bridge.received(client, call(1), true);
  }

  FakeOutlet outlet;
  FakeRobots robots;
  Bridge bridge{outlet, robots, {"test", "1", {}, {"cdr"}, {}}};
};

}  // namespace

TEST_F(BridgeTest, AClientIsToldServerChannelsAndServicesInThisOrder) {
  bridge.opened(7, false);
  ASSERT_EQ(outlet.sent[7].size(), 3u);
  EXPECT_EQ(Json::parse(outlet.sent[7][0])["op"], "serverInfo");
  EXPECT_EQ(Json::parse(outlet.sent[7][1])["channels"].size(), 2u);
  EXPECT_EQ(Json::parse(outlet.sent[7][2])["services"].size(), 2u);
}

TEST_F(BridgeTest, ATopicIsSubscribedToWhileSomebodyLooks) {
  bridge.opened(1, false);
  bridge.opened(2, false);
  say(1, R"({"op":"subscribe","subscriptions":[{"id":10,"channelId":2}]})");
  say(2, R"({"op":"subscribe","subscriptions":[{"id":20,"channelId":2}]})");
  EXPECT_THAT(robots.done, ElementsAre("subscribe 2"));
  bridge.message(2, 5, std::make_shared<const std::string>("data"));
  EXPECT_EQ(outlet.newest[1].back(), foxglove::message_head(10, 5) + "data");
  EXPECT_EQ(outlet.newest[2].back(), foxglove::message_head(20, 5) + "data");
  say(1, R"({"op":"unsubscribe","subscriptionIds":[10]})");
  bridge.closed(2);
  EXPECT_THAT(robots.done, ElementsAre("subscribe 2", "unsubscribe 2"));
}

TEST_F(BridgeTest, WhoComesLateGetsLatchedMessagesAgain) {
  bridge.opened(1, false);
  say(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":1}]})");
  bridge.message(1, 5, std::make_shared<const std::string>("old"));
  bridge.message(1, 6, std::make_shared<const std::string>("state"));
  bridge.opened(2, false);
  say(2, R"({"op":"subscribe","subscriptions":[{"id":3,"channelId":1}]})");
  EXPECT_THAT(outlet.newest[2], ElementsAre(foxglove::message_head(3, 6) + "state"));
}

TEST_F(BridgeTest, WhatWasLoggedIsToldToWhoComesLaterOnceEach) {
  bridge.offer({{{3, "/rosout", "cdr", "t", "s", "ros2msg"}, true, 100, true}});
  const auto line = [](const char* text) { return std::make_shared<const std::string>(text); };
  const char* const kSubscribe = R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":3}]})";
  bridge.opened(1, false);
  say(1, kSubscribe);
  bridge.message(3, 1, line("one"));
  bridge.message(3, 2, line("two"));
  bridge.closed(1);
  bridge.opened(2, false);
  say(2, kSubscribe);
  bridge.message(3, 3, line("two"));  // the topic's own history
  bridge.message(3, 4, line("three"));
  ASSERT_EQ(outlet.newest[2].size(), 3u);
  EXPECT_THAT(outlet.newest[2][1], HasSubstr("two"));
  EXPECT_THAT(outlet.newest[2][2], HasSubstr("three"));
}

TEST_F(BridgeTest, WithoutTheTokenNothingReachesARobot) {
  bridge.opened(1, false);
  try_to_command(1);
  EXPECT_THAT(robots.done, IsEmpty());
  EXPECT_THAT(outlet.sent[1].back(), HasSubstr("token"));
  bridge.received(1, call(2), true);  // a service that only tells something
  EXPECT_THAT(robots.done, ElementsAre("call 2"));
}

TEST_F(BridgeTest, ArbitraryFramesWithoutTheTokenReachNoRobot) {
  const char* full = std::getenv("HL_FULL");
  const int count = full != nullptr && std::string(full) == "1" ? 1'000'000 : 50'000;
  bridge.opened(1, false);
  const std::vector<std::string> seeds = {
      R"({"op":"subscribe","subscriptions":[{"id":10,"channelId":2}]})",
      R"({"op":"unsubscribe","subscriptionIds":[10]})",
      R"({"op":"advertise","channels":[{"id":1,"topic":"/cmd_vel","encoding":"cdr","schemaName":"a/B"}]})",
      R"({"op":"setParameters","parameters":[{"name":"/walking.period","value":1}],"id":"x"})",
      R"({"op":"getParameters","parameterNames":["/walking.period"],"id":"y"})",
      R"({"op":"subscribeParameterUpdates","parameterNames":[]})",
      R"({"op":"subscribeConnectionGraph"})",
      R"({"op":"fetchAsset","uri":"package://a/b.stl","requestId":1})",
      call(1),
      call(2),
      std::string("\x01\x01\0\0\0x", 6)};
  std::mt19937 random(11);
  for (int i = 0; i < count; ++i) {
    std::string frame = seeds[random() % seeds.size()];
    for (unsigned edits = random() % 4; edits > 0; --edits)
      frame[random() % frame.size()] = static_cast<char>(random() & 0xff);
    if (random() % 5 == 0) frame.resize(random() % frame.size());
    bridge.received(1, frame, random() % 2 == 0);
    for (const std::string& done : robots.done)
      ASSERT_TRUE(done == "get" || done == "call 2" || done.find("subscribe") != std::string::npos)
          << done << ": " << frame;
    robots.done.clear();
    outlet.sent[1].clear();
  }
  say(1, R"({"op":"nonsense"})");
  EXPECT_EQ(outlet.sent[1].size(), 1u) << "still answered";
}

TEST_F(BridgeTest, WithTheTokenCommandsReachTheRobots) {
  bridge.opened(1, true);
  try_to_command(1);
  EXPECT_THAT(robots.done,
              ElementsAre("publish /goal_pose geometry_msgs/msg/PoseStamped x", "set /walking.period", "call 1"));
}

TEST_F(BridgeTest, InAMatchNothingReachesARobotEvenWithTheToken) {
  bridge.opened(1, true);
  bridge.match(true);
  EXPECT_EQ(last(1)["op"], "status");
  EXPECT_EQ(last(1)["id"], "match");
  try_to_command(1);
  bridge.received(1, call(2), true);
  say(1, R"({"op":"getParameters","parameterNames":[]})");
  EXPECT_THAT(robots.done, IsEmpty());
  bridge.match(false);
  EXPECT_EQ(last(1)["op"], "removeStatus");
  bridge.received(1, call(1), true);
  EXPECT_THAT(robots.done, ElementsAre("call 1"));
}

TEST_F(BridgeTest, WhyAParameterWasRefusedIsToldToTheClient) {
  robots.refusals = {"/walking.period: must be positive"};
  bridge.opened(1, true);
  say(1, R"({"op":"setParameters","id":"7","parameters":[{"name":"/walking.period","value":-1}]})");
  EXPECT_EQ(last(1)["id"], "7");
  EXPECT_THAT(outlet.sent[1].at(outlet.sent[1].size() - 2), HasSubstr("must be positive"));
}

TEST_F(BridgeTest, AClientThatAsksAndAsksReachesNoRobotAnyMoreUntilItIsAnswered) {
  robots.busy = true;
  bridge.opened(1, false);
  for (int i = 0; i < 1000; ++i) say(1, R"({"op":"getParameters","parameterNames":[]})");
  EXPECT_EQ(robots.done.size(), 32u);
  EXPECT_THAT(outlet.sent[1].back(), HasSubstr("too many questions"));
  bridge.opened(2, false);
  say(2, R"({"op":"getParameters","parameterNames":[]})");
  EXPECT_EQ(robots.done.size(), 33u) << "others are not kept out";
  bridge.closed(2);
  for (const auto& answer : robots.waiting) answer({});
  robots.waiting.clear();
  say(1, R"({"op":"getParameters","parameterNames":[]})");
  EXPECT_EQ(robots.done.size(), 34u);
}

TEST_F(BridgeTest, AVanishedTopicEndsItsSubscriptions) {
  bridge.opened(1, false);
  say(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":2}]})");
  bridge.withdraw({2});
  EXPECT_EQ(last(1)["op"], "unadvertise");
  bridge.message(2, 1, std::make_shared<const std::string>("late"));
  EXPECT_THAT(outlet.newest[1], IsEmpty());
  say(1, R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":2}]})");
  EXPECT_THAT(outlet.sent[1].back(), HasSubstr("no channel 2"));
}

TEST_F(BridgeTest, DropsAreToldAndTakenBack) {
  bridge.opened(1, false);
  outlet.lost = 12;
  bridge.report_drops();
  EXPECT_THAT(outlet.sent[1].back(), HasSubstr("12 messages were left out"));
  bridge.report_drops();
  EXPECT_EQ(last(1)["op"], "removeStatus");
}

TEST(SendQueue, ControlGoesFirstAndSubscriptionsTakeTurns) {
  SendQueue queue;
  const auto payload = std::make_shared<const std::string>("p");
  for (int i = 0; i < 3; ++i) queue.data(1, "image" + std::to_string(i), payload, 1);
  queue.data(2, "small", payload, 10);
  queue.data(2, "small2", payload, 10);
  EXPECT_TRUE(queue.control("word", false));
  std::vector<std::string> order;
  while (const auto frame = queue.next()) order.push_back(frame->head);
  EXPECT_THAT(order, ElementsAre("word", "image2", "small", "small2"));
  EXPECT_EQ(queue.dropped(), 2u);
}

TEST(SendQueue, AClientThatReadsNothingIsNoticed) {
  SendQueue queue;
  EXPECT_TRUE(queue.control(std::string(SendQueue::kMostControlBytes, 'x'), false));
  EXPECT_FALSE(queue.control("one more", false));
}

TEST(TokenGate, WrongTokensCostTime) {
  TokenGate gate("correct horse");
  EXPECT_EQ(gate.ask("", "a", 0.0), TokenGate::Answer::ReadOnly);
  for (int i = 0; i < TokenGate::kTries; ++i) EXPECT_EQ(gate.ask("wrong", "a", 0.0), TokenGate::Answer::Wrong);
  EXPECT_EQ(gate.ask("correct horse", "a", 0.5), TokenGate::Answer::TooMany);
  EXPECT_EQ(gate.ask("correct horse", "b", 0.5), TokenGate::Answer::MayCommand);
  EXPECT_EQ(gate.ask("correct horse", "a", 2.0), TokenGate::Answer::MayCommand);
  EXPECT_EQ(TokenGate("").ask("anything", "a", 0.0), TokenGate::Answer::Wrong);
}

TEST(Origin, OnlyOurOwnPageAndTheListedOnes) {
  EXPECT_TRUE(origin_allowed("", "robot:8765", {}));
  EXPECT_TRUE(origin_allowed("http://127.0.0.1:8765", "127.0.0.1:8765", {}));
  EXPECT_TRUE(origin_allowed("http://localhost:8765", "localhost:8765", {}));
  EXPECT_FALSE(origin_allowed("http://evil.example", "127.0.0.1:8765", {}));
  EXPECT_FALSE(origin_allowed("http://evil.example:8765", "evil.example:8765", {}));  // a name pointed at us
  EXPECT_FALSE(origin_allowed("null", "127.0.0.1:8765", {}));
  EXPECT_TRUE(origin_allowed("https://lichtblick.example", "127.0.0.1:8765", {"https://lichtblick.example"}));
}

TEST(StaticFiles, NoWayOutOfTheFolder) {
  const auto folder = std::filesystem::temp_directory_path() / "hl_remote_static_files";
  std::filesystem::create_directories(folder / "www/sub");
  std::ofstream(folder / "secret.txt") << "secret";
  std::ofstream(folder / "www/index.html") << "page";
  std::ofstream(folder / "www/sub/a.js") << "code";
  std::ofstream(folder / "www/.hidden") << "hidden";
  const std::string www = (folder / "www").string();
  EXPECT_EQ(static_file(www, "/")->content, "page");
  EXPECT_EQ(static_file(www, "/?token=x")->content, "page");
  EXPECT_EQ(static_file(www, "/sub/a.js")->type, "text/javascript; charset=utf-8");
  for (const char* target :
       {"/../secret.txt", "/sub/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//etc/passwd", "/.hidden",
        "/sub", "", "secret.txt", "/%00", "/%", "/%zz", "/..\\secret.txt"})
    EXPECT_FALSE(static_file(www, target).has_value()) << target;
  std::filesystem::remove_all(folder);
}

TEST(StaticFiles, AQuerysWords) {
  EXPECT_EQ(query_value("/?a=1&token=x%20y", "token"), "x y");
  EXPECT_EQ(query_value("/?tokens=1", "token"), "");
  EXPECT_EQ(query_value("/?token", "token"), "");
  EXPECT_EQ(query_value("/", "token"), "");
}

TEST(MessageText, PartsFollowTheRootEachOnce) {
  const DefinitionFile files = [](const std::string& package, const std::string&,
                                  const std::string& file) -> std::optional<std::string> {
    static const std::map<std::string, std::string> kFiles = {
        {"a/Root.msg", "# text\nb/Part part\nPeer[] peers\nstring<=10 name\nuint8 ONE = 1\n"},
        {"a/Peer.msg", "b/Part[3] parts\n"},
        {"b/Part.msg", "float64 x\n"},
        {"a/Broken.msg", "c/Missing m\n"}};
    const auto found = kFiles.find(package + "/" + file);
    return found == kFiles.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  const std::string line(80, '=');
  EXPECT_EQ(message_text("a/msg/Root", files).value_or(""),
            "# text\nb/Part part\nPeer[] peers\nstring<=10 name\nuint8 ONE = 1\n\n" + line +
                "\nMSG: a/Peer\nb/Part[3] parts\n\n" + line + "\nMSG: b/Part\nfloat64 x\n");
  EXPECT_FALSE(message_text("a/msg/Broken", files).has_value());
  EXPECT_FALSE(message_text("a/msg/None", files).has_value());
  EXPECT_FALSE(message_text("nonsense", files).has_value());
}

TEST(MessageText, AnActionIsItsServices) {
  const DefinitionFile files = [](const std::string& package, const std::string& folder,
                                  const std::string& file) -> std::optional<std::string> {
    static const std::map<std::string, std::string> kFiles = {
        {"a/action/Go.action", "a/Place to\n---\nbool there\n---\nfloat32 left\n"},
        {"a/msg/Place.msg", "float64 x\n"},
        {"unique_identifier_msgs/msg/UUID.msg", "uint8[16] uuid\n"},
        {"builtin_interfaces/msg/Time.msg", "int32 sec\nuint32 nanosec\n"}};
    const auto found = kFiles.find(package + "/" + folder + "/" + file);
    return found == kFiles.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  const auto send = service_text("a/action/Go_SendGoal", files);
  ASSERT_TRUE(send);
  EXPECT_THAT(send->request, ::testing::StartsWith("unique_identifier_msgs/UUID goal_id\na/Go_Goal goal\n"));
  EXPECT_THAT(send->request, HasSubstr("MSG: a/Go_Goal\na/Place to\n"));
  EXPECT_THAT(send->request, HasSubstr("MSG: a/Place\nfloat64 x\n"));
  EXPECT_THAT(send->response, ::testing::StartsWith("bool accepted\nbuiltin_interfaces/Time stamp\n"));
  const auto result = service_text("a/action/Go_GetResult", files);
  ASSERT_TRUE(result);
  EXPECT_THAT(result->response, HasSubstr("MSG: a/Go_Result\nbool there\n"));
  EXPECT_FALSE(service_text("a/action/Go_Stop", files).has_value());
  EXPECT_FALSE(service_text("a/action/Missing_SendGoal", files).has_value());
  EXPECT_FALSE(service_text("a/action/Go", files).has_value());
}

}  // namespace hl_remote
