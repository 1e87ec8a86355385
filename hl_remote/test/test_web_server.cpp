// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "hl_remote/web_server.hpp"
#include "hl_testing/isolation.hpp"
#include "web_peer.hpp"

namespace hl_remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

class WebServerTest : public ::testing::Test {
 protected:
  WebServerTest() {
    folder_ = std::filesystem::temp_directory_path() / ("hl_remote_www_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "index.html") << "the page";
    params.port = 0;
    params.folder = folder_.string();
    params.token = "a token of the test";
  }
  ~WebServerTest() override { std::filesystem::remove_all(folder_); }

  void start() {
    server = std::make_unique<WebServer>(params);
    WebServer::Events events;
    events.opened = [this](ClientId client, bool may) {
      server->send(client, may ? "may command" : "may look", false);
      last_client = client;
    };
    events.received = [this](ClientId client, std::string_view frame, bool binary) {
      server->send(client, "heard " + std::string(frame.substr(0, 100)), binary);
    };
    events.closed = [this](ClientId) { ++gone; };
    events.refused = [this](const std::string& what) {
      const std::lock_guard<std::mutex> lock(mutex);
      refusals.push_back(what);
    };
    server->start(std::move(events));
  }
  std::uint16_t port() const { return server->port(); }

  std::filesystem::path folder_;
  WebServer::Params params;
  std::unique_ptr<WebServer> server;
  std::atomic<ClientId> last_client{0};
  std::atomic<int> gone{0};
  std::mutex mutex;
  std::vector<std::string> refusals;
};

/// One frame as clients send them: masked, its length in any of the three forms.
std::string frame_of(unsigned char opcode, bool last, std::size_t length, std::mt19937& random) {
  std::string frame(1, static_cast<char>((last ? 0x80 : 0) | opcode));
  const std::size_t extra = length < 126 ? 0 : length <= 0xffff ? 2 : 8;
  frame.push_back(static_cast<char>(0x80 | (extra == 0 ? length : extra == 2 ? 126 : 127)));
  for (std::size_t i = extra; i > 0; --i) frame.push_back(static_cast<char>(length >> (8 * (i - 1)) & 0xff));
  std::string mask(4, '\0');
  for (char& byte : mask) byte = static_cast<char>(random());
  frame += mask;
  for (std::size_t i = 0; i < length; ++i) frame.push_back(static_cast<char>(('a' + i % 26) ^ mask[i % 4]));
  return frame;
}

/// A message in one to three frames, perhaps with a ping in between.
std::vector<std::string> message_of(std::mt19937& random) {
  const unsigned char opcode = random() % 2 == 0 ? 1 : 2;
  const std::size_t parts = 1 + random() % 3;
  std::vector<std::string> frames;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t length = random() % 300 == 0 ? random() % 100'000 : random() % 200;
    frames.push_back(frame_of(i == 0 ? opcode : 0, i + 1 == parts, length, random));
    if (random() % 8 == 0) frames.push_back(frame_of(random() % 2 == 0 ? 9 : 10, true, random() % 126, random));
  }
  return frames;
}

}  // namespace

TEST_F(WebServerTest, ServesThePageAndNothingElse) {
  start();
  EXPECT_THAT(Peer(port()).ask("/"), HasSubstr("the page"));
  EXPECT_THAT(Peer(port()).ask("/"), HasSubstr("Content-Security-Policy: default-src 'self'"));
  EXPECT_THAT(Peer(port()).ask("/../../etc/passwd"), HasSubstr("404"));
  EXPECT_THAT(Peer(port()).ask("/%2e%2e/%2e%2e/etc/passwd"), HasSubstr("404"));
  Peer post(port());
  post.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  EXPECT_THAT(post.read_until("\r\n\r\n"), HasSubstr("405"));
}

TEST_F(WebServerTest, WithoutAPageItSaysHowToGetOne) {
  params.folder = "/nonexistent";
  start();
  EXPECT_THAT(Peer(port()).ask("/"), HasSubstr("the page is not built"));
}

TEST_F(WebServerTest, AnswersTheFirstProtocolNameItKnows) {
  start();
  EXPECT_THAT(Peer(port()).upgrade("/", "foxglove.websocket.v1"),
              HasSubstr("Sec-WebSocket-Protocol: foxglove.websocket.v1\r\n"));
  EXPECT_THAT(Peer(port()).upgrade("/", "x, foxglove.sdk.v1, foxglove.websocket.v1"),
              HasSubstr("Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n"));
  EXPECT_THAT(Peer(port()).upgrade("/", ""), HasSubstr("400"));
  EXPECT_THAT(Peer(port()).upgrade("/", "mqtt"), HasSubstr("400"));
  Peer peer(port());
  EXPECT_THAT(peer.upgrade("/", kProtocol),
              HasSubstr("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));  // of RFC 6455
  EXPECT_EQ(peer.next_frame(), "may look");
  peer.frame("hello");
  EXPECT_EQ(peer.next_frame(), "heard hello");
}

TEST_F(WebServerTest, OnlyTheTokenLetsCommand) {
  start();
  Peer commander(port());
  EXPECT_THAT(commander.upgrade("/?token=a%20token%20of%20the%20test", kProtocol), HasSubstr("101"));
  EXPECT_EQ(commander.next_frame(), "may command");
  for (int i = 0; i < 1000; ++i)
    EXPECT_THAT(Peer(port()).upgrade("/?token=guess" + std::to_string(i), kProtocol),
                ::testing::AnyOf(HasSubstr("401"), HasSubstr("429")));
  const std::lock_guard<std::mutex> lock(mutex);
  EXPECT_EQ(refusals.size(), 1u);  // told once, not a thousand times
}

TEST_F(WebServerTest, EveryKindOfRefusalIsToldOnce) {
  params.handshake_timeout = 0.3;
  params.most_clients = 30;
  start();
  Peer good(port());
  good.upgrade("/", kProtocol);
  good.next_frame();
  const auto client = [this](const std::string& bytes) {
    Peer peer(port());
    peer.upgrade("/", kProtocol);
    peer.next_frame();
    peer.send(bytes);
    peer.read_until({});
  };
  struct Row {
    const char* told;
    std::function<void()> attempt;
  };
  const Row rows[] = {
      {"a page of 'http://evil.example'",
       [&] { Peer(port()).upgrade("/", kProtocol, "Origin: http://evil.example\r\n"); }},
      {"a way out", [&] { Peer(port()).ask("/%2e%2e/secret"); }},
      {"could not be read",
       [&] {
         Peer slow(port());
         slow.send("GET / HTTP/1.1\r\nX-Slow: ");
         slow.read_until({});
       }},
      {"could not be read", [&] { Peer(port()).ask("/", "X-Large: " + std::string(20'000, 'x') + "\r\n"); }},
      {"a handshake that was not completed",
       [&] {
         Peer half(port());
         half.send(
             "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: " +
             std::string(kProtocol) + "\r\nSec-WebSocket-Version: 13\r\n\r\n");  // no key
         half.read_until({});
       }},
      {"more than 1 MiB", [&] { client(std::string("\x82\xff\0\0\0\0\0\x20\0\0\0\0\0\0", 14)); }},
      {"a damaged frame", [&] { client(std::string("\xff\x80\0\0\0\0", 6)); }},
  };
  std::set<std::string> kinds;
  for (const Row& row : rows) {
    for (int i = 0; i < 5; ++i) row.attempt();
    kinds.insert(row.told);
    const std::lock_guard<std::mutex> lock(mutex);
    EXPECT_EQ(refusals.size(), kinds.size()) << row.told;
    EXPECT_THAT(refusals, ::testing::Contains(HasSubstr(row.told)));
  }
  good.frame("still here");
  EXPECT_EQ(good.next_frame(), "heard still here") << "nothing else has happened";
}

TEST_F(WebServerTest, ForeignPagesAreRefused) {
  start();
  EXPECT_THAT(Peer(port()).upgrade("/", kProtocol, "Origin: http://evil.example\r\n"), HasSubstr("403"));
  EXPECT_THAT(Peer(port()).upgrade("/", kProtocol, "Origin: http://127.0.0.1\r\n"), HasSubstr("101"));
}

TEST_F(WebServerTest, HalfRequestsAndSlowOnesAreClosed) {
  params.handshake_timeout = 0.3;
  start();
  Peer half(port());
  half.send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  EXPECT_EQ(half.read_until({}), "");  // the server ends it
  Peer silent(port());
  EXPECT_EQ(silent.read_until({}), "");
  Peer large(port());
  large.send("GET / HTTP/1.1\r\nX-Large: " + std::string(20'000, 'x') + "\r\n\r\n");
  large.read_until({});
  EXPECT_THAT(Peer(port()).ask("/"), HasSubstr("the page"));
}

TEST_F(WebServerTest, WhoOnlyHoldsConnectionsKeepsNobodyOut) {
  params.most_clients = 4;
  params.handshake_timeout = 600.0;  // nobody is helped by the clock
  start();
  Peer good(port());
  good.upgrade("/", kProtocol);
  good.next_frame();
  std::vector<std::unique_ptr<Peer>> holders;
  for (int i = 0; i < 100; ++i) {
    holders.push_back(std::make_unique<Peer>(port()));
    holders.back()->send("GET / HTTP/1.1\r\nX-Slow: ");
    for (const auto& holder : holders) holder->send("x");
  }
  EXPECT_THAT(Peer(port()).ask("/"), HasSubstr("the page"));
  Peer newcomer(port());
  EXPECT_THAT(newcomer.upgrade("/", kProtocol), HasSubstr("101"));
  good.frame("still here");
  EXPECT_EQ(good.next_frame(), "heard still here");
  const std::lock_guard<std::mutex> lock(mutex);
  EXPECT_EQ(refusals.size(), 1u) << "told once, not a hundred times: " << ::testing::PrintToString(refusals);
}

TEST_F(WebServerTest, OversizedAndDamagedFramesEndOnlyTheirOwnConnection) {
  start();
  Peer good(port());
  good.upgrade("/", kProtocol);
  good.next_frame();
  Peer large(port());
  large.upgrade("/", kProtocol);
  large.next_frame();
  large.frame(std::string(2 << 20, 'x'));
  while (!large.next_frame().empty()) {
  }
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    Peer rubbish(port());
    rubbish.upgrade("/", kProtocol);
    std::string bytes(random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() & 0xff);
    rubbish.send(bytes);
  }
  good.frame("still here");
  EXPECT_EQ(good.next_frame(), "heard still here");
}

TEST_F(WebServerTest, ArbitraryFramesAreReadOrEndTheirOwnConnection) {
  start();
  Peer good(port());
  good.upgrade("/", kProtocol);
  good.next_frame();
  std::mt19937 random(17);
  const std::size_t count = hl_testing::count(20'000, 1'000'000);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t sent = 0, connections = 0; sent < count; ++connections) {
    std::string bytes, last;
    for (unsigned messages = random() % 40; messages > 0; --messages) {
      const auto frames = message_of(random);
      sent += frames.size();
      for (const std::string& frame : frames) bytes += frame;
    }
    last = frame_of(static_cast<unsigned char>(random() % 16), random() % 4 != 0, random() % 200, random);
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits)
      last[random() % std::min<std::size_t>(last.size(), 16)] = static_cast<char>(random());
    if (random() % 4 == 0) last.resize(random() % last.size());
    ++sent;
    Peer peer(port());
    peer.upgrade("/", kProtocol);
    peer.send(bytes + last);
    ::shutdown(peer.socket(), SHUT_WR);
    peer.read_until({});
    if (connections % 50 != 0) continue;
    good.frame("still here");
    ASSERT_EQ(good.next_frame(), "heard still here") << sent;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(std::chrono::steady_clock::now() - begin);
  constexpr std::size_t kKinds = 3;  // damaged, too large, a handshake
  EXPECT_LE(refusals.size(), kKinds * (1 + static_cast<std::size_t>(minutes.count())))
      << "each once in a minute: " << ::testing::PrintToString(refusals);
}

TEST_F(WebServerTest, AStalledClientSlowsNobodyAndStaysSmall) {
  start();
  Peer stalled(port(), 4096), reader(port());
  stalled.upgrade("/", kProtocol);
  const auto wait_for_client = [this](ClientId before) {
    for (int i = 0; i < 2000 && last_client == before; ++i) std::this_thread::sleep_for(milliseconds(10));
    return last_client.load();
  };
  const ClientId slow = wait_for_client(0);
  reader.upgrade("/", kProtocol);
  const ClientId quick = wait_for_client(slow);
  ASSERT_NE(slow, quick);
  EXPECT_EQ(reader.next_frame(), "may look");
  const auto payload = std::make_shared<const std::string>(100'000, 'x');
  for (int i = 0; i < 300; ++i) {  // 30 MB, far more than the kernel takes for the stalled one
    std::atomic<bool> done{false};
    server->post([&] {
      server->send_newest(slow, 1, "head", payload, 1);
      server->send_newest(quick, 1, "head", payload, 1);
      done = true;
    });
    while (!done) std::this_thread::yield();
    ASSERT_EQ(reader.next_frame().size(), payload->size() + 4) << i;
  }
  std::atomic<std::uint64_t> lost_slow{0}, lost_quick{1};
  std::atomic<bool> done{false};
  server->post([&] {
    lost_slow = server->dropped(slow);
    lost_quick = server->dropped(quick);
    done = true;
  });
  while (!done) std::this_thread::yield();
  EXPECT_GT(lost_slow, 200u);
  EXPECT_EQ(lost_quick, 0u);
}

TEST_F(WebServerTest, ATakenPortIsSaidInWords) {
  start();
  params.port = port();
  try {
    WebServer second(params);
    FAIL() << "two servers on one port";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("another bridge"));
  }
}

}  // namespace hl_remote
