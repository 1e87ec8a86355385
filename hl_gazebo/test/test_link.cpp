// SPDX-License-Identifier: Apache-2.0
// The link between the plug-in in gzserver and those outside: its lines, and its sockets.
#include <gmock/gmock.h>
#include <unistd.h>

#include <memory>
#include <random>
#include <thread>

#include "hl_gazebo/link.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_gazebo;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

std::string socket_path() {
  return testing::TempDir() + "link_" + std::to_string(getpid());
}

WorldState some_state() {
  WorldState state;
  state.time = 12.346;
  state.step = 6173;
  state.held = false;
  state.base.translate(Eigen::Vector3d(0.5, -0.25, 0.31)).rotate(Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()));
  state.linear_velocity << 0.1, 0.2, 0.3;
  state.angular_velocity << -1.0, 0.0, 2.0;
  state.left_foot = true;
  state.ball << 1.0, 2.0, 0.07;
  state.ball_velocity << 3.0, 0.0, 0.0;
  state.ball_touched = true;
  state.cpu = 3.5;
  state.ground_contacts = {"l_foot", "r_hand"};
  return state;
}

/// Serves until the client has its answer.
std::string ask(LinkServer& server, LinkClient& client, const Request& request, const std::string& answer) {
  std::string heard;
  std::thread serving([&] {
    while (heard.empty()) {
      if (const auto line = server.take()) heard = *line;
    }
    server.answer(answer);
  });
  const std::string answered = client.ask(request);
  serving.join();
  EXPECT_EQ(heard, to_line(request));
  return answered;
}

}  // namespace

TEST(Lines, AStateComesBackAsItWas) {
  const WorldState sent = some_state();
  const auto read = read_state(to_line(sent));
  ASSERT_TRUE(read);
  EXPECT_NEAR(read->time, sent.time, 1e-6);
  EXPECT_EQ(read->step, sent.step);
  EXPECT_EQ(read->held, sent.held);
  EXPECT_TRUE(read->base.isApprox(sent.base, 1e-6));
  EXPECT_TRUE(read->linear_velocity.isApprox(sent.linear_velocity));
  EXPECT_TRUE(read->angular_velocity.isApprox(sent.angular_velocity));
  EXPECT_TRUE(read->left_foot && !read->right_foot && !read->others && read->ball_touched);
  EXPECT_TRUE(read->ball.isApprox(sent.ball) && read->ball_velocity.isApprox(sent.ball_velocity));
  EXPECT_EQ(read->cpu, sent.cpu);
  EXPECT_EQ(read->ground_contacts, sent.ground_contacts);
}

TEST(Lines, EveryRequestComesBackAsItWas) {
  const Request requests[] = {PlaceRobot{1.0, -2.0, 0.5, 0.0, -1.57, 0.01, true, {}},
                              PlaceRobot{1.0, -2.0, 0.5, 0.0, -1.57, 0.01, false, {0.5, -0.25, 1e-3}},
                              PlaceBall{{1.0, 2.0, 0.07}, {0.5, 0.0, 0.0}},
                              PushRobot{{10.0, -5.0, 0.0}, 0.25, "torso"},
                              PushRobot{{10.0, -5.0, 0.0}, 0.25, ""},
                              BreakBus{"mute 13"},
                              PressButton{"start", 0.5},
                              SetSpeed{0.0}};
  for (const Request& request : requests) {
    const auto read = read_request(to_line(request));
    ASSERT_TRUE(std::holds_alternative<Request>(read)) << to_line(request) << ": " << std::get<std::string>(read);
    EXPECT_EQ(to_line(std::get<Request>(read)), to_line(request));
  }
}

TEST(Lines, WhatIsNoRequestIsRefusedInWords) {
  for (const char* line :
       {"", "jump 1", "place 1 2", "ball 1 2 3 4 5 nan", "push 1 2 3 0", "push 1 2 3 -1 torso", "press reset 1",
        "speed -1", "speed 1e9", "place 1e300 0 0 0 0 0 0", "place 0 0 0 0 0 0 0 1 x"}) {
    const auto read = read_request(line);
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << line;
    EXPECT_GT(std::get<std::string>(read).size(), 10u) << line;
  }
}

TEST(Lines, AnyBytesAreSurvived) {
  std::mt19937 random(7);
  const std::string good = to_line(some_state());
  const auto count = hl_testing::count(20'000, 1'000'000);
  for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n) {
    std::string line = good.substr(0, random() % (good.size() + 1));
    for (std::size_t k = 0; k < 4 && !line.empty(); ++k) line[random() % line.size()] = static_cast<char>(random());
    const auto state = read_state(line);
    EXPECT_TRUE(!state || state->base.matrix().allFinite());
    (void)read_request(line);
  }
}

TEST(Upright, IsARobotOnNothingButItsFeet) {
  WorldState state;
  EXPECT_TRUE(state.upright());
  state.others = true;
  EXPECT_FALSE(state.upright());
  state.others = false;
  state.base.rotate(Eigen::AngleAxisd(1.0, Eigen::Vector3d::UnitY()));
  EXPECT_FALSE(state.upright());
}

TEST(Sockets, AClientHearsStatesAndAnswers) {
  LinkServer server(socket_path());
  LinkClient client(socket_path(), 5.0);
  EXPECT_EQ(ask(server, client, BreakBus{"stuck"}, ""), "");
  EXPECT_EQ(ask(server, client, PressButton{"mode", 1.0}, "no"), "error no");
  EXPECT_TRUE(server.anybody());
  server.tell(some_state());
  EXPECT_TRUE(client.update(5.0));
  EXPECT_NEAR(client.state().time, some_state().time, 1e-6);
}

TEST(Sockets, OneWhoDoesNotReadStopsNobody) {
  LinkServer server(socket_path());
  LinkClient sleeper(socket_path(), 5.0), reader(socket_path(), 5.0);
  EXPECT_EQ(ask(server, reader, BreakBus{"heal"}, ""), "");
  WorldState state;
  for (int n = 1; n <= 10'000; ++n) {
    state.time = n;
    server.tell(state);
    ASSERT_TRUE(reader.update(5.0));
    ASSERT_EQ(reader.state().time, n);
  }
}

TEST(Sockets, AClientNoticesTheEndOfTheWorld) {
  auto server = std::make_unique<LinkServer>(socket_path());
  LinkClient client(socket_path(), 5.0);
  EXPECT_EQ(ask(*server, client, BreakBus{"heal"}, ""), "");
  server.reset();
  EXPECT_FALSE(client.update(5.0));
  EXPECT_EQ(client.ask(BreakBus{"heal"}), "gzserver does not answer");
  EXPECT_THROW(LinkClient(socket_path(), 0.1), std::runtime_error);
}
