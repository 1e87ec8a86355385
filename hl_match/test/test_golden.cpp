// SPDX-License-Identifier: Apache-2.0
// What a whole robot's HCM sends in every control tick of a walk, a kick, a fall, a way up and a penalty, compared bit
// by bit with what left it when the traces were recorded: a change that means to keep the behaviour must keep them.
// usage: test_hcm_golden [--record], which writes the traces anew
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "hl_match/installed.hpp"
#include "hl_match/lone_robot.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it
using hl_hcm::Direction;
using hl_hcm::State;

namespace {

constexpr unsigned kSeeds = 5;  // of each run, from 1 on
bool record = false;

/// A running digest (FNV-1a) of everything so far: the first difference shows in all that follows.
class Digest {
 public:
  void add(double value) {
    std::uint64_t bits = 0;
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();  // one kind of "not given"
    std::memcpy(&bits, &value, sizeof bits);
    for (int byte = 0; byte < 8; ++byte) hash_ = (hash_ ^ (bits >> (8 * byte) & 0xFF)) * 1099511628211ULL;
  }
  /// Sixteen bits of it as text.
  std::string text() const {
    char text[5];
    std::snprintf(text, sizeof text, "%04x",
                  static_cast<unsigned>((hash_ ^ hash_ >> 16 ^ hash_ >> 32 ^ hash_ >> 48) & 0xFFFF));
    return text;
  }

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

/// The C library computes sines and the like with other instructions on another processor, and differs in the last bit.
std::string arithmetic_of_this_machine() {
  Digest digest;
  for (int i = 1; i < 2000; ++i) {
    const double x = 0.0173 * i;
    for (const double value : {std::sin(x), std::cos(x), std::tan(x), std::exp(-x), std::log(x), std::atan2(x, 3.0),
                               std::asin(std::fmod(x, 1.0)), std::acos(std::fmod(x, 1.0)), std::pow(x, 0.37),
                               std::cosh(0.1 * x), std::sinh(0.1 * x), std::hypot(x, 1.7)}) {
      digest.add(value);
    }
  }
  return digest.text();
}

/// One digest per tick of one run.
class Tracer {
 public:
  explicit Tracer(LoneRobot& robot) : robot_(robot) {}

  void run(double seconds) {
    for (const double end = robot_.time() + seconds - 1e-9; robot_.time() < end;) step();
  }
  void run_until(State state, double seconds) {
    for (const double end = robot_.time() + seconds; robot_.time() < end && robot_.hcm().state() != state;) step();
    ASSERT_EQ(robot_.hcm().state(), state);
  }
  const std::string& text() const { return text_; }

 private:
  void step() {
    ASSERT_TRUE(robot_.step());
    const auto& mixer = robot_.hcm().mixer();
    for (std::size_t j = 0; j < robot_.hcm().joints().size(); ++j) {
      digest_.add(mixer.goals()[j]);
      digest_.add(mixer.velocities()[j]);
      digest_.add(mixer.efforts()[j]);
    }
    digest_.add(static_cast<double>(robot_.hcm().state()));
    text_ += digest_.text();
  }

  LoneRobot& robot_;
  Digest digest_;
  std::string text_;
};

using Run = std::function<void(LoneRobot&, Tracer&, unsigned seed)>;

double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

void walk(LoneRobot& robot, Tracer& trace, unsigned seed) {
  std::mt19937 random(seed);
  const auto& most = robot.motion().files().walk.walk;
  trace.run_until(State::Controllable, 5.0);
  for (int leg = 0; leg < 2; ++leg) {
    robot.walk({most.max_forward * uniform(random, -0.5, 0.9), most.max_sideways * uniform(random, -0.8, 0.8),
                most.max_turn * uniform(random, -0.8, 0.8)});
    trace.run(2.0);
  }
  robot.walk({});
  trace.run(1.5);
}

void kick(LoneRobot& robot, Tracer& trace, unsigned seed) {
  trace.run_until(State::Controllable, 5.0);
  trace.run(0.5);
  robot.kick({0.17, seed % 2 == 0 ? 0.05 : -0.05});
  trace.run(4.0);
}

void fall(LoneRobot& robot, Tracer& trace, unsigned seed) {
  std::mt19937 random(seed);
  trace.run_until(State::Controllable, 5.0);
  const double force = uniform(random, 90.0, 120.0), angle = 2.0 * M_PI * (seed - 1) / kSeeds;  // N, rad
  robot.body().push({force * std::cos(angle), force * std::sin(angle), 0.0}, 0.1, "torso");
  trace.run_until(State::Falling, 2.0);
  trace.run(2.0);
}

void get_up(LoneRobot& robot, Tracer& trace, unsigned seed) {
  constexpr Direction kSides[] = {Direction::Front, Direction::Back, Direction::Left, Direction::Right,
                                  Direction::Front};
  robot.lie_down(kSides[(seed - 1) % std::size(kSides)]);
  trace.run_until(State::Controllable, 30.0);
}

void penalty(LoneRobot& robot, Tracer& trace, unsigned seed) {
  std::mt19937 random(seed);
  trace.run_until(State::Controllable, 5.0);
  robot.walk({0.7 * robot.motion().files().walk.walk.max_forward, 0.0, 0.0});
  trace.run(uniform(random, 1.5, 2.5));
  robot.penalise(true);
  trace.run(2.0);
  robot.walk({});
  robot.penalise(false);
  trace.run(1.5);
}

std::string file_of(const std::string& name) {
  return std::string(GOLDEN_FOLDER) + "/" + name + ".txt";
}

std::map<std::string, std::string> read(const std::string& name) {
  std::ifstream file(file_of(name));
  std::map<std::string, std::string> lines;
  for (std::string key, value; file >> key >> value;) lines[key] = value;
  return lines;
}

/// The ticks from which on two traces differ; the length of the shorter one if one continues the other.
std::size_t first_difference(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  while (i < std::min(a.size(), b.size()) && a[i] == b[i]) ++i;
  return i / 4;
}

void compare(const std::string& name, LoneRobot::Ball ball, const Run& run) {
  const auto golden = read(name);
  if (!record) {
    ASSERT_FALSE(golden.empty()) << file_of(name) << " is missing";
    if (golden.at("arithmetic") != arithmetic_of_this_machine())
      GTEST_SKIP() << "this machine's C library rounds sines differently from the one that recorded the traces; record "
                      "them here at a commit you trust: test_golden --record";
  }
  const auto world = installed_match("minibot");
  std::ostringstream out;
  out << "arithmetic " << arithmetic_of_this_machine() << "\n";
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(name + ", seed " + std::to_string(seed));
    LoneRobot robot(world, seed, ball);
    Tracer trace(robot);
    ASSERT_NO_FATAL_FAILURE(run(robot, trace, seed));
    const std::string key = "seed" + std::to_string(seed);
    out << key << " " << trace.text() << "\n";
    if (record) continue;
    const auto expected = golden.find(key);
    ASSERT_NE(expected, golden.end());
    EXPECT_TRUE(expected->second == trace.text())
        << "differs from tick " << first_difference(expected->second, trace.text()) << " on, of "
        << trace.text().size() / 4 << " (recorded: " << expected->second.size() / 4 << ")";
  }
  if (!record) return;
  std::ofstream(file_of(name)) << out.str();
}

}  // namespace

TEST(Golden, Walk) {
  compare("walk", LoneRobot::Ball::None, walk);
}

TEST(Golden, Kick) {
  compare("kick", LoneRobot::Ball::Aside, kick);
}

TEST(Golden, Fall) {
  compare("fall", LoneRobot::Ball::None, fall);
}

TEST(Golden, GetUp) {
  compare("get_up", LoneRobot::Ball::None, get_up);
}

TEST(Golden, Penalty) {
  compare("penalty", LoneRobot::Ball::None, penalty);
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  CLI::App cli("Motor goals of whole robots, tick by tick, against recorded ones", "test_golden");
  cli.add_flag("--record", record, "write the traces anew");
  CLI11_PARSE(cli, argc, argv);
  return RUN_ALL_TESTS();
}
