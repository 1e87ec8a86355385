// SPDX-License-Identifier: Apache-2.0
// The program explain, over bags that are written here.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <fstream>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <map>
#include <rclcpp/serialization.hpp>
#include <rclcpp/serialized_message.hpp>
#include <rclcpp/time.hpp>
#include <rosidl_runtime_cpp/traits.hpp>
#include <stdexcept>

#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "robot_around.hpp"

using testing::HasSubstr;
using testing::Not;

namespace {

/// A bag as `ros2 bag record -s sqlite3` writes it.
class Bag {
 public:
  explicit Bag(const std::string& file) {
    if (sqlite3_open(file.c_str(), &db_) != SQLITE_OK) throw std::runtime_error(file);
    run("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT)");
    run("CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)");
    run("BEGIN");
  }
  ~Bag() {
    run("COMMIT");
    sqlite3_close(db_);
  }
  Bag(const Bag&) = delete;
  Bag& operator=(const Bag&) = delete;

  template <class Message>
  void write(const std::string& topic, const Message& message, double time) {
    rclcpp::SerializedMessage bytes;
    rclcpp::Serialization<Message>().serialize_message(&message, &bytes);
    const auto& raw = bytes.get_rcl_serialized_message();
    sqlite3_stmt* row = nullptr;
    sqlite3_prepare_v2(db_, "INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)", -1, &row, nullptr);
    sqlite3_bind_int(row, 1, topic_id(topic, rosidl_generator_traits::name<Message>()));
    sqlite3_bind_int64(row, 2, static_cast<sqlite3_int64>(time * 1e9));
    sqlite3_bind_blob(row, 3, raw.buffer, static_cast<int>(raw.buffer_length), SQLITE_TRANSIENT);
    if (sqlite3_step(row) != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(db_));
    sqlite3_finalize(row);
  }

 private:
  void run(const std::string& command) { sqlite3_exec(db_, command.c_str(), nullptr, nullptr, nullptr); }
  int topic_id(const std::string& topic, const std::string& type) {
    const auto [found, is_new] = topics_.emplace(topic, static_cast<int>(topics_.size()) + 1);
    if (is_new)
      run("INSERT INTO topics VALUES(" + std::to_string(found->second) + ", '" + topic + "', '" + type + "', 'cdr')");
    return found->second;
  }

  sqlite3* db_ = nullptr;
  std::map<std::string, int> topics_;
};

/// Three seconds of SET, then play, with the ball in front of the robot.
void record(const std::string& folder, const std::string& space) {
  Bag bag(folder + "/game_0.db3");
  constexpr double kBegin = 1000.0;
  for (int i = 0; i < 120; ++i) {
    const double time = kBegin + 0.05 * i;
    const rclcpp::Time stamp(static_cast<std::int64_t>(time * 1e9));
    msg::GameState game;
    game.header.stamp = stamp;
    game.referee_connected = true;
    game.own_player = 2;
    game.game_state = i < 60 ? msg::GameState::GAMESTATE_SET : msg::GameState::GAMESTATE_PLAYING;
    game.allowed_to_move = i >= 60;
    bag.write(space + "gamestate", game, time);
    msg::RobotControlState body;
    body.header.stamp = stamp;
    body.state = msg::RobotControlState::CONTROLLABLE;
    bag.write(space + "robot_state", body, time);
    bag.write(space + "personal_model", ball_ahead(stamp), time);
    if (i == 100) {
      msg::BehaviorDebug debug;
      debug.situation = "dropped ball: striker";
      bag.write(space + "behavior_debug", debug, time);
    }
  }
}

struct Answer {
  int code = -1;
  std::string text;
};
Answer explain(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{EXPLAIN};
  command.insert(command.end(), arguments.begin(), arguments.end());
  hl_testing::Process process(command);
  const int code = process.wait(std::chrono::seconds(120)).value_or(-1);
  return {code, process.output()};
}

TEST(Explain, SaysWhatWasDecidedAtATimeAndWhy) {
  hl_testing::TemporaryFolder folder;
  record(folder.path().string(), "/");
  const Answer before = explain({folder.path().string(), "--at", "2.0"});
  EXPECT_EQ(before.code, 0) << before.text;
  EXPECT_THAT(before.text, HasSubstr("at 2.00 s: set\n"));
  EXPECT_THAT(before.text, Not(HasSubstr("dropped ball: striker")));
  const Answer after = explain({folder.path().string(), "--at", "5.5"});
  EXPECT_EQ(after.code, 0) << after.text;
  EXPECT_THAT(after.text, HasSubstr("at 5.50 s: dropped ball: striker\n"));
  EXPECT_THAT(after.text, HasSubstr("striker because: nobody else is there"));
  EXPECT_THAT(after.text, HasSubstr("3.00 s  dropped ball: striker")) << "the history";
  EXPECT_THAT(after.text, HasSubstr("recorded: dropped ball: striker,  (the same)"));
}

TEST(Explain, FindsOneOfSeveralRobotsAndSaysWhenItIsNotThere) {
  hl_testing::TemporaryFolder folder;
  record(folder.path().string(), "/blue2/");
  EXPECT_EQ(explain({folder.path().string(), "--at", "5", "--robot", "blue2"}).code, 0);
  const Answer wrong = explain({folder.path().string(), "--at", "5", "--robot", "red1"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.text, HasSubstr("is --robot right?"));
}

TEST(Explain, NamesABagThatCannotBeRead) {
  hl_testing::TemporaryFolder folder;
  const Answer none = explain({folder.path().string() + "/none", "--at", "1"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.text, HasSubstr("does not exist"));
  EXPECT_EQ(explain({folder.path().string(), "--at", "1"}).code, 2) << "empty";
  std::ofstream(folder.path() / "bad.db3") << "this is no database at all, whatever its name says";
  const Answer bad = explain({folder.path().string(), "--at", "1"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.text, HasSubstr("bad.db3"));
}

}  // namespace
