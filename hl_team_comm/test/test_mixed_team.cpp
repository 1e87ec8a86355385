// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

#include "hl_team_comm/dialect_gateway.hpp"
#include "hl_team_comm/protobuf_wire.hpp"
#include "hl_team_comm/team_comm.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_team_comm;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

using Datagram = std::vector<std::uint8_t>;

hl_network::Bytes view(const Datagram& bytes) {
  return {bytes.data(), bytes.size()};
}

Datagram hex(const std::string& text) {
  std::istringstream stream(text);
  Datagram bytes;
  for (unsigned value = 0; stream >> std::hex >> value;) bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
}

// Both made with the protocol's own compiler (protoc 3.21), not with our writer.

/// Player 2, blue, striker going to the ball: at (-1.25, 0.5), ball at (-0.75, 0.25), one opponent, one team mate.
const char kExtended[] =
    "0a 08 08 0c 10 80 ca b5 ee 01 10 01 1a 10 08 02 12 0a 0d 00 00 a0 bf 15 00 00 00 3f 20 01 3a 0c 0a 0a 0d 00 00 40 "
    "bf 15 00 00 80 3e 42 0e 12 0a 0d 00 00 80 3f 15 00 00 80 bf 20 02 42 0e 12 0a 0d 00 00 00 c0 15 00 00 80 3f 20 01 "
    "ad 06 00 00 80 3e b5 06 00 00 40 3f bd 06 00 00 80 3f c5 06 00 00 80 40 c8 06 03 d0 06 02 d8 06 03 e2 06 08 00 00 "
    "00 3f 00 00 80 3e";

/// Player 3, red, of a team without extensions: at (1, 2) looking left, variances 1 and 0.25, ball at (1, 3).
const char kBase[] =
    "0a 06 08 80 a0 f8 fa 05 10 01 1a 2c 08 03 12 0f 0d 00 00 80 3f 15 00 00 00 40 1d db 0f c9 3f 1a 15 0a 05 0d 00 00 "
    "80 3f 12 05 15 00 00 80 3e 1a 05 1d cd cc cc 3d 20 02 22 05 0d cd cc cc 3d 3a 2f 0a 0f 0d 00 00 80 3f 15 00 00 40 "
    "40 1d 29 5c 8f 3d 12 05 0d 00 00 00 3f 1a 15 0a 05 0d 00 00 80 3f 12 05 15 00 00 80 3f 1a 05 1d 00 00 80 3f";

Statement striker(std::uint16_t player) {
  Statement statement;
  statement.team = 6;
  statement.player = player;
  statement.colour = Colour::Blue;
  statement.mate.role = Role::Striker;
  statement.mate.action = Action::GoingToBall;
  statement.mate.activity = Activity::Active;
  statement.mate.position = BelievedPoint{-1.25, 0.5, 0.75F};
  statement.mate.ball = BelievedPoint{0.5, -0.25, 1.0F};
  statement.mate.opponents[0] = BelievedPoint{1.0, -1.0, 0.5F};
  statement.mate.team_mates[0] = BelievedPoint{-2.0, 1.0, 0.25F};
  statement.mate.walking_speed = 0.25;
  statement.mate.time_to_ball = 4.0;
  statement.mate.offensive_side = OffensiveSide::Right;
  statement.sent_at = 12.5;
  return statement;
}

TeamComm::Params robot(int player, Dialect dialect, int team_size = 4) {
  TeamComm::Params params;
  params.roster.team = 6;
  params.roster.player = player;
  params.budget.team_size = team_size;
  params.dialect = dialect;
  return params;
}

}  // namespace

TEST(RobocupProtocol, GoldenMessageIsWrittenByteByByte) {
  EXPECT_EQ(speak(striker(2), Dialect::RobocupProtocol), hex(kExtended));
}

TEST(RobocupProtocol, GoldenMessageIsRead) {
  const auto heard = hear(view(hex(kExtended)));
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->dialect, Dialect::RobocupProtocol);
  EXPECT_FALSE(heard->team) << "the port tells teams apart";
  EXPECT_EQ(heard->player, 2);
  EXPECT_EQ(heard->colour, Colour::Blue);
  EXPECT_DOUBLE_EQ(*heard->sent_at, 12.5);
  const TeamMate& mate = heard->mate;
  EXPECT_EQ(mate.role, Role::Striker);
  EXPECT_EQ(mate.action, Action::GoingToBall);
  EXPECT_EQ(mate.activity, Activity::Active);
  EXPECT_EQ(mate.offensive_side, OffensiveSide::Right);
  EXPECT_DOUBLE_EQ(mate.position->x, -1.25);
  EXPECT_FLOAT_EQ(mate.position->belief, 0.75F);
  EXPECT_DOUBLE_EQ(mate.ball->x, 0.5) << "relative to the robot, as in mitecom";
  EXPECT_DOUBLE_EQ(mate.ball->y, -0.25);
  EXPECT_FLOAT_EQ(mate.opponents[0]->belief, 0.5F);
  EXPECT_DOUBLE_EQ(mate.team_mates[0]->x, -2.0);
  EXPECT_DOUBLE_EQ(*mate.walking_speed, 0.25);
  EXPECT_DOUBLE_EQ(*mate.time_to_ball, 4.0);
}

TEST(RobocupProtocol, ATeamWithoutExtensionsIsUnderstoodFromItsCovariances) {
  const auto heard = hear(view(hex(kBase)));
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->player, 3);
  EXPECT_EQ(heard->mate.role, Role::Idling);
  EXPECT_NEAR(heard->mate.orientation, M_PI_2, 1e-6);
  EXPECT_FLOAT_EQ(heard->mate.position->belief, 0.5F) << "the larger variance is 1 m^2";
  EXPECT_NEAR(heard->mate.ball->x, 1.0, 1e-6);
  EXPECT_NEAR(heard->mate.ball->y, 0.0, 1e-6);
}

TEST(RobocupProtocol, FieldsWeDoNotKnowAreKept) {
  const auto heard = hear(view(hex(kBase)));
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->other_fields, hex("22 05 0d cd cc cc 3d")) << "walk_command";
  const auto again = hear(view(speak(*heard, Dialect::RobocupProtocol)));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->other_fields, heard->other_fields);

  Statement ours = striker(2);
  ours.other_values = {{0x10000ABC, -7}, {0x00040000, 1}};
  const auto back = hear(view(speak(ours, Dialect::Mitecom)));
  ASSERT_TRUE(back);
  ASSERT_EQ(back->other_values.size(), 2U);
  EXPECT_EQ(back->other_values[0].value, -7);
}

TEST(RobocupProtocol, NonsenseIsRefused) {
  EXPECT_FALSE(hear(view({})));
  EXPECT_FALSE(hear(view(hex("10 01")))) << "nobody says who speaks";
  EXPECT_FALSE(hear(view(hex("1a 05 08 02 12 0a 0d")))) << "cut";
  EXPECT_FALSE(hear(view(hex("1a 02 08 02 0b")))) << "a group";
  EXPECT_FALSE(hear(view(hex("1a 09 08 02 12 05 0d 00 00 c0 7f")))) << "not a number";
  EXPECT_FALSE(hear(view(Datagram(2000, 0x08))));
}

TEST(Dialects, ArbitraryBytesNeverCrashAndWhatIsHeardCanBeSaid) {
  std::mt19937 random(1);
  const std::vector<Datagram> good = {hex(kExtended), hex(kBase), speak(striker(2), Dialect::Mitecom)};
  const std::size_t rounds = hl_testing::count(100'000, 10'000'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    Datagram bytes = good[round % good.size()];
    for (unsigned i = 0; i < 1 + random() % 6; ++i)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    if (round % 5 == 0) bytes.resize(random() % 300);
    const auto heard = hear(view(bytes));
    if (!heard) continue;
    for (const Dialect dialect : {Dialect::Mitecom, Dialect::RobocupProtocol}) {
      Statement statement = *heard;
      statement.team = 6;
      ASSERT_LE(speak(statement, dialect).size(), 1400U);
    }
  }
}

TEST(LinkState, GreetsConnectsAndIsWatchedOnlyWhileConnected) {
  const LinkState::Params params{2.0, 10.0};
  LinkState link;
  EXPECT_EQ(link.connection(), Connection::Disconnected);
  EXPECT_FALSE(link.check(100.0, params)) << "nobody to watch";
  EXPECT_TRUE(link.heard(100.0, params));
  EXPECT_EQ(link.connection(), Connection::Connecting) << "never connected at once";
  EXPECT_TRUE(link.heard(100.5, params)) << "connected: it is told everything";
  EXPECT_EQ(link.connection(), Connection::Connected);
  EXPECT_FALSE(link.heard(101.0, params));
  EXPECT_FALSE(link.check(103.0, params));
  EXPECT_TRUE(link.check(103.1, params)) << "lost: greeted again";
  EXPECT_EQ(link.connection(), Connection::Connecting);
  EXPECT_FALSE(link.check(105.0, params)) << "once, not in every tick";
  EXPECT_TRUE(link.heard(106.0, params));
  EXPECT_EQ(link.connection(), Connection::Connected);
  link.check(116.1, params);
  link.check(116.2, params);
  EXPECT_EQ(link.connection(), Connection::Disconnected);
}

TEST(LinkState, AMateThatSavesMessagesIsNotLostBetweenTwo) {
  const LinkState::Params params{2.0, 10.0};
  LinkState link;
  double now = 0.0;
  for (; now < 60.0; now += 3.5) link.heard(now, params);
  EXPECT_GT(link.patience(params), 5.0);
  EXPECT_FALSE(link.check(now, params));
  EXPECT_EQ(link.connection(), Connection::Connected);
}

TEST(TeamCommCore, ANewTeamMateIsGreetedBeforeTheNextRoutineMessage) {
  auto params = robot(1, Dialect::Mitecom);
  params.send_interval = 30.0;
  TeamComm comm(params);
  EXPECT_FALSE(comm.step({}, 1.0).datagram.empty());
  EXPECT_TRUE(comm.step({}, 5.0).datagram.empty());
  comm.receive(view(speak(striker(2), Dialect::RobocupProtocol)), 5.0);
  const auto greeting = hear(view(comm.step({}, 5.1).datagram));
  ASSERT_TRUE(greeting);
  EXPECT_TRUE(greeting->mate.kicking_distance) << "with what it can do";
}

TEST(TeamCommCore, EchoesAreDroppedAndAnotherRobotWithOurNumberIsTold) {
  for (const Dialect dialect : {Dialect::Mitecom, Dialect::RobocupProtocol}) {
    TeamComm comm(robot(2, dialect));
    const auto own = comm.step({}, 1.0).datagram;
    EXPECT_EQ(comm.receive(view(own), 1.1), Roster::Verdict::Ourselves);
    EXPECT_EQ(comm.receive(view(speak(striker(2), dialect)), 1.2), Roster::Verdict::OurNumber);
    EXPECT_EQ(comm.roster().doubles(), 1U);
    EXPECT_TRUE(comm.roster().entries().empty());
  }
}

TEST(TeamCommCore, ALimitedTeamHearsItsMembersOnly) {
  TeamComm comm(robot(1, Dialect::Mitecom));
  comm.limit({1, 3});
  EXPECT_EQ(comm.receive(view(speak(striker(2), Dialect::Mitecom)), 1.0), Roster::Verdict::NotCounted);
  EXPECT_EQ(comm.receive(view(speak(striker(3), Dialect::Mitecom)), 1.0), Roster::Verdict::Accepted);
  comm.limit({});
  EXPECT_EQ(comm.receive(view(speak(striker(2), Dialect::Mitecom)), 1.0), Roster::Verdict::Accepted);
}

namespace {

/// Robots, and perhaps a gateway, in air that loses and delays. A foreign robot understands its own dialect only.
class Air {
 public:
  Air(unsigned seed, double loss, double delay) : random_(seed), loss_(loss), delay_(delay) {}

  void send(std::size_t from, const Datagram& datagram, std::size_t receivers, double now) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (std::size_t to = 0; to < receivers; ++to)
      if (to != from && unit(random_) >= loss_)
        under_way_.emplace(now + delay_ * unit(random_), std::make_pair(to, datagram));
  }

  template <class Deliver>
  void arrive(double now, Deliver deliver) {
    while (!under_way_.empty() && under_way_.begin()->first <= now) {
      deliver(under_way_.begin()->second.first, under_way_.begin()->second.second);
      under_way_.erase(under_way_.begin());
    }
  }

 private:
  std::mt19937 random_;
  double loss_, delay_;
  std::multimap<double, std::pair<std::size_t, Datagram>> under_way_;
};

}  // namespace

TEST(DialectGateway, ForeignRobotsUnderstandEachOtherThoughAThirdIsLost) {
  const Dialect dialects[] = {Dialect::Mitecom, Dialect::RobocupProtocol};
  std::vector<TeamComm> robots;
  for (int i = 0; i < 2; ++i) robots.emplace_back(robot(i + 1, dialects[i]));
  DialectGateway::Params params;
  params.team = 6;
  params.budget.min_interval = 0.0;
  params.budget.without_budget = 0.05;
  DialectGateway gateway(params);
  Air air(3, 0.3, 0.2);
  constexpr std::size_t kGateway = 2;
  std::map<std::size_t, int> heard_by;
  int without = 0;
  for (int tick = 0; tick < 600; ++tick) {
    const double now = 0.1 * tick;
    air.arrive(now, [&](std::size_t to, const Datagram& datagram) {
      if (to == kGateway) gateway.receive(view(datagram), now);
      if (to < 2 && hear(view(datagram))->dialect == dialects[to]) robots[to].receive(view(datagram), now);
    });
    for (std::size_t i = 0; i < 2; ++i) {
      const auto out = robots[i].step({}, now);
      if (!out.datagram.empty()) air.send(i, out.datagram, 3, now);
      heard_by[i] += out.team_mates.size() == 1 ? 1 : 0;
    }
    for (const auto& said : gateway.step(now)) {
      EXPECT_FALSE(gateway.receive(view(said.datagram), now)) << "its own echo";
      air.send(kGateway, said.datagram, 3, now);
      ++without;
    }
  }
  EXPECT_GT(heard_by[0], 540);
  EXPECT_GT(heard_by[1], 540);
  EXPECT_LE(without, 250) << "each word once";
}

TEST(DialectGateway, ARobotKnowsItsOwnWordsInAnotherDialect) {
  for (const Dialect dialect : {Dialect::Mitecom, Dialect::RobocupProtocol}) {
    TeamComm comm(robot(2, dialect));
    DialectGateway::Params params;
    params.team = 6;
    DialectGateway gateway(params);
    gateway.receive(view(comm.step({}, 1.0).datagram), 1.0);
    const auto said = gateway.step(1.0);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(comm.receive(view(said[0].datagram), 1.1), Roster::Verdict::Ourselves);
  }
}

TEST(DialectGateway, IsSilentForRobotsThatSpeakBothAndForOtherTeams) {
  DialectGateway::Params params;
  params.team = 6;
  DialectGateway gateway(params);
  gateway.receive(view(speak(striker(2), Dialect::Mitecom)), 1.0);
  gateway.receive(view(speak(striker(2), Dialect::RobocupProtocol)), 1.0);
  EXPECT_TRUE(gateway.step(1.0).empty());
  Statement stranger = striker(3);
  stranger.team = 7;
  EXPECT_FALSE(gateway.receive(view(speak(stranger, Dialect::Mitecom)), 1.0));
  EXPECT_TRUE(gateway.step(1.0).empty());
}

namespace {

struct Spoken {
  int total = 0;
  std::vector<int> sent;  // by each robot, and by the gateway
};

constexpr int kBudget = 1200;

/// Two halves of ten minutes with a break of five: the referee counts every message, its figures arrive now and then.
/// With a gateway the last of the four who share the budget is no robot.
Spoken play_a_game(double loss, unsigned seed, bool with_gateway) {
  constexpr std::size_t kSpeakers = 4;
  constexpr double kHalf = 600.0, kBreak = 300.0;
  const Dialect dialects[] = {Dialect::Mitecom, Dialect::RobocupProtocol};
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::vector<TeamComm> robots;
  for (std::size_t i = 0; i < kSpeakers - (with_gateway ? 1 : 0); ++i)
    robots.emplace_back(robot(static_cast<int>(i) + 1, dialects[i % 2], kSpeakers));
  DialectGateway::Params params;
  params.team = 6;
  params.budget.team_size = kSpeakers;
  params.budget.min_interval = 0.0;
  DialectGateway gateway(params);
  std::vector<hl_soccer::GameState> games(kSpeakers);
  std::vector<bool> told(kSpeakers, false);
  Spoken spoken;
  spoken.sent.assign(kSpeakers, 0);
  Air air(seed, loss, 0.3);
  const auto say = [&](std::size_t speaker, const Datagram& datagram, double now) {
    air.send(speaker, datagram, kSpeakers, now);
    ++spoken.total;
    ++spoken.sent[speaker];
  };
  for (int tick = 0; tick < 15'000; ++tick) {
    const double now = 0.1 * tick;
    const bool first = now < kHalf + kBreak;
    const double remaining = now < kHalf ? kHalf - now : first ? kHalf : 2.0 * kHalf + kBreak - now;
    for (std::size_t i = 0; tick % 5 == 0 && i < kSpeakers; ++i) {
      // Before the game everybody hears the referee once.
      if (unit(random) < loss && told[i]) continue;
      told[i] = true;
      games[i].message_budget = std::max(0, kBudget - spoken.total);
      games[i].first_half = now < kHalf;
      games[i].seconds_remaining = remaining;
      if (with_gateway && i == robots.size())
        gateway.set_remaining(games[i].message_budget, remaining + (games[i].first_half ? kHalf : 0.0));
    }
    air.arrive(now, [&](std::size_t to, const Datagram& datagram) {
      if (to == robots.size()) gateway.receive(view(datagram), now);
      // Robots of a mixed team understand their own dialect only.
      if (to < robots.size() && (!with_gateway || hear(view(datagram))->dialect == dialects[to % 2]))
        robots[to].receive(view(datagram), now);
    });
    for (std::size_t i = 0; i < robots.size(); ++i) {
      TeamComm::Inputs inputs;
      inputs.game = &games[i];
      inputs.role = unit(random) < 0.01 ? hl_soccer::Role::Striker : hl_soccer::Role::Supporter;
      inputs.body = unit(random) < 0.02 ? hl_soccer::BodyState::Falling : hl_soccer::BodyState::Controllable;
      const auto out = robots[i].step(inputs, now);
      if (!out.datagram.empty()) say(i, out.datagram, now);
    }
    if (!with_gateway) continue;
    for (const auto& said : gateway.step(now)) say(robots.size(), said.datagram, now);
  }
  return spoken;
}

}  // namespace

TEST(MessageBudget, AGameKeepsItAtEveryLossRate) {
  for (const double loss : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      const Spoken spoken = play_a_game(loss, seed, false);
      EXPECT_LE(spoken.total, kBudget) << "loss " << loss << ", seed " << seed;
      EXPECT_GE(spoken.total, kBudget * 8 / 10) << "loss " << loss << ", seed " << seed << ": it is there to be used";
      const auto [least, most] = std::minmax_element(spoken.sent.begin(), spoken.sent.end());
      EXPECT_LE(*most - *least, 60) << "fair";
    }
  }
}

TEST(MessageBudget, AMixedTeamWithAGatewayKeepsItAtEveryLossRate) {
  for (const double loss : {0.0, 0.3, 0.7, 0.99}) {
    const Spoken spoken = play_a_game(loss, 1, true);
    EXPECT_LE(spoken.total, kBudget) << "loss " << loss;
    EXPECT_LE(*std::max_element(spoken.sent.begin(), spoken.sent.end()), kBudget / 4) << "fair, loss " << loss;
    if (loss < 0.5) {
      EXPECT_GE(spoken.sent[3], kBudget / 4 * 8 / 10) << "it translates, loss " << loss;
    }
  }
}
