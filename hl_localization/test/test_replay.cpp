// SPDX-License-Identifier: Apache-2.0
// The program replay, over bags that are written here.
#include <gmock/gmock.h>

#include <fstream>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <humanoid_league_msgs/msg/visual_compass_rotation.hpp>
#include <sstream>

#include "hl_testing/bag_writer.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "world_messages.hpp"

using hl_localization::KinematicWorld;
using testing::HasSubstr;
using testing::Not;

namespace {

/// A minute of walking about, with the truth beside it.
void record(const std::string& folder, const std::string& space, const std::string& name) {
  hl_testing::BagWriter bag(folder + "/walk_0.db3");
  KinematicWorld world({}, {}, 5);
  world.place({-2.0, 1.0, 0.5});
  for (int n = 0; n < 1500; ++n) {
    world.advance(0.04);
    const double time = 500.0 + world.time;
    const rclcpp::Time stamp(static_cast<std::int64_t>(1e9 * time));
    bag.write(space + "odom", hl_localization::odom_of(world, stamp), time);
    const auto percepts = world.look();
    bag.write(space + "lines_relative", hl_localization::lines_of(percepts, stamp), time + 0.01);
    if (percepts.heading) {
      humanoid_league_msgs::msg::VisualCompassRotation compass;
      compass.header.stamp = stamp;
      compass.header.frame_id = "map";
      compass.orientation = static_cast<float>(percepts.heading->yaw);
      compass.confidence = 0.8F;
      bag.write(space + "visual_compass", compass, time + 0.01);
    }
    humanoid_league_msgs::msg::SimulationState truth;
    truth.header.stamp = stamp;
    for (const std::string& robot : {std::string("other"), name}) {
      truth.robots.emplace_back();
      truth.robots.back().name = robot;
      if (robot != name) continue;
      auto& pose = truth.robots.back().pose;
      pose.position.x = world.robot.x;
      pose.position.y = world.robot.y;
      pose.orientation.z = std::sin(0.5 * world.robot.yaw);
      pose.orientation.w = std::cos(0.5 * world.robot.yaw);
    }
    bag.write(space + "ground_truth", truth, time + 0.01);
  }
}

struct Answer {
  int code = -1;
  std::string text;
};
Answer replay(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{REPLAY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  hl_testing::Process process(command);
  const int code = process.wait(std::chrono::seconds(200)).value_or(-1);
  return {code, process.output()};
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Replay, DrawsTheTrackOfARobotAndComparesItWithTheTruth) {
  hl_testing::TemporaryFolder folder;
  const std::string path = folder.path().string();
  record(path, "/red1/", "red1");
  const Answer answer = replay({path, "--robot", "red1", "--start", "own_half", "--out", path + "/track.svg"});
  EXPECT_EQ(answer.code, 0) << answer.text;
  EXPECT_THAT(answer.text, HasSubstr("against truth"));
  double median = 99.0;
  std::sscanf(answer.text.substr(answer.text.find("median")).c_str(), "median %lf m", &median);
  EXPECT_LT(median, 0.15) << answer.text;
  const std::string picture = content_of(path + "/track.svg");
  EXPECT_THAT(picture, HasSubstr("<svg"));
  EXPECT_THAT(picture, HasSubstr("</svg>"));
  EXPECT_THAT(picture, HasSubstr("as believed now"));
  EXPECT_THAT(picture, HasSubstr("truth"));
  EXPECT_THAT(picture, Not(HasSubstr("nan")));

  const Answer other = replay({path, "--robot", "blue9", "--out", path + "/none.svg"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.text, HasSubstr("--robot"));
}

TEST(Replay, SaysWhatIsWrongWithABag) {
  hl_testing::TemporaryFolder folder;
  const std::string path = folder.path().string();
  EXPECT_EQ(replay({path + "/none"}).code, 2);
  EXPECT_EQ(replay({path}).code, 2) << "nothing in it";
  std::ofstream(path + "/broken_0.db3") << "this is no database";
  const Answer broken = replay({path});
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.text, HasSubstr("broken_0.db3"));
}

TEST(Replay, MessagesThatCannotBeReadAreCounted) {
  hl_testing::TemporaryFolder folder;
  const std::string path = folder.path().string();
  {
    hl_testing::BagWriter bag(path + "/walk_0.db3");
    KinematicWorld world({}, {}, 6);
    for (int n = 0; n < 20; ++n) {
      world.advance(0.04);
      const rclcpp::Time stamp(static_cast<std::int64_t>(1e9 * (10.0 + world.time)));
      bag.write("/odom", hl_localization::odom_of(world, stamp), world.time);
      geometry_msgs::msg::Point other;  // not what it should be; read as such, the name of its frame is endless
      other.x = other.y = other.z = 1e300;
      bag.write("/lines_relative", other, world.time);
    }
  }
  const Answer answer = replay({path, "--out", path + "/track.svg"});
  EXPECT_EQ(answer.code, 0) << answer.text;
  EXPECT_THAT(answer.text, HasSubstr("could not be read: 20"));
}

}  // namespace
