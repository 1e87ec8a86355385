// SPDX-License-Identifier: Apache-2.0
// What the launch file starts, without a Gazebo.
#include <gmock/gmock.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

using testing::HasSubstr;

TEST(GazeboServer, AnOptionThatALaunchFileLeavesOutIsNone) {
  const hl_testing::TemporaryFolder root;
  const auto home = root.path() / "srv/humanoid_league";
  std::filesystem::create_directories(home);
  const auto runner = home / "gazebo_in_chroot";
  std::ofstream(runner) << "#!/bin/sh\necho \"runs in $1\"\nls \"$1/srv/humanoid_league/$3\"\n";
  std::filesystem::permissions(runner, std::filesystem::perms::owner_all);
  hl_testing::Process server({GAZEBO_SERVER, "--robot", "minibot", "--port", (root.path() / "bus").string(), "--",
                              "--seed", "3", "", "--ros-args", "-r", "__node:=gazebo_server"},
                             {{"HL_GAZEBO_ROOT", root.path().string()}});
  EXPECT_EQ(server.wait(), 0) << server.output();
  EXPECT_THAT(server.output(), HasSubstr("runs in " + root.path().string()));
  EXPECT_THAT(server.output(), HasSubstr("soccer.world"));
}

TEST(GazeboWorld, EndsWhenAskedAlthoughGazeboHasNotStarted) {
  hl_testing::isolate();
  const hl_testing::TemporaryFolder folder;
  hl_testing::Process world({GAZEBO_WORLD, "--ros-args", "-p", "bus_port:=" + (folder.path() / "bus").string()});
  ASSERT_TRUE(world.wait_for_output("waiting for Gazebo")) << world.output();
  world.signal(SIGINT);
  EXPECT_EQ(world.wait(), 1) << "not after two minutes: " << world.output();
  EXPECT_THAT(world.output(), HasSubstr("ended before Gazebo had started"));
}
