// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "hl_testing/bench_report.hpp"
#include "hl_testing/documentation.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

using hl_testing::Better;
using hl_testing::Figure;
using hl_testing::Process;

TEST(Process, CollectsOutputAndExitCode) {
  Process process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(process.wait(), 3);
  EXPECT_NE(process.output().find("out\n"), std::string::npos);
  EXPECT_NE(process.output().find("err\n"), std::string::npos);
}

TEST(Process, PassesEnvironmentAndInput) {
  Process process({"sh", "-c", "read line; echo \"$line $COLOUR\""}, {{"COLOUR", "green"}});
  process.write("grass\n");
  EXPECT_TRUE(process.wait_for_output("grass green"));
}

TEST(Process, ProgramThatDoesNotExistIsAnError) {
  EXPECT_THROW(Process({"no-such-program-at-all"}), std::runtime_error);
}

TEST(Process, StopEndsTheWholeGroup) {
  Process process({"sh", "-c", "sleep 1000 & echo $!; wait"});
  ASSERT_TRUE(process.wait_for_output("\n"));
  const pid_t grandchild = std::stoi(process.output());
  EXPECT_TRUE(process.stop().has_value());
  process.signal(SIGKILL);
  EXPECT_TRUE(hl_testing::wait_until([&] { return kill(grandchild, 0) != 0; }));
}

TEST(Process, ThatIsOnlyAskedWhetherItRunsDoesNotStandStillForMuchOutput) {
  Process process({"sh", "-c", "head -c 1000000 /dev/zero"});  // more than a pipe holds
  EXPECT_TRUE(hl_testing::wait_until([&] { return !process.running(); }));
}

TEST(Process, OutputThatNeverComesEndsTheWaitWithTheProcess) {
  Process process({"true"});
  EXPECT_FALSE(process.wait_for_output("never"));
}

TEST(Isolation, TwoProcessesGetDifferentDomains) {
  const int mine = hl_testing::isolate();
  EXPECT_EQ(hl_testing::isolate(), mine);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  EXPECT_STREQ(getenv("ROS_LOCALHOST_ONLY"), "1");
  if (child == 0) _exit(0);
  EXPECT_EQ(std::to_string(mine), getenv("ROS_DOMAIN_ID"));
}

TEST(Isolation, MakesRoomForMoreThanTenProcessesInCycloneOfRos2) {
  unsetenv("CYCLONEDDS_URI");
  unsetenv("RMW_IMPLEMENTATION");
  hl_testing::isolate();
  EXPECT_EQ(getenv("CYCLONEDDS_URI"), nullptr);
  setenv("RMW_IMPLEMENTATION", "rmw_cyclonedds_cpp", 1);
  hl_testing::isolate();
  ASSERT_NE(getenv("CYCLONEDDS_URI"), nullptr);
  EXPECT_NE(std::string(getenv("CYCLONEDDS_URI")).find("<MaxAutoParticipantIndex>119<"), std::string::npos);
  setenv("CYCLONEDDS_URI", "file:///mine.xml", 1);
  hl_testing::isolate();
  EXPECT_STREQ(getenv("CYCLONEDDS_URI"), "file:///mine.xml");
  unsetenv("CYCLONEDDS_URI");
  unsetenv("RMW_IMPLEMENTATION");
}

TEST(Figure, OkFollowsDirectionOfTheBudget) {
  EXPECT_TRUE((Figure{"p", "n", 1.0, "us", 2.0, Better::Lower}.ok()));
  EXPECT_FALSE((Figure{"p", "n", 1.0, "us", 2.0, Better::Higher}.ok()));
  EXPECT_TRUE((Figure{"p", "n", 1.0, "us", {}, Better::Lower}.ok()));
  EXPECT_FALSE((Figure{"p", "n", std::nan(""), "us", {}, Better::Lower}.ok()));
}

TEST(Figure, JsonEscapesAndNamesEverything) {
  const Figure figure{"p", "a \"b\"", 1.5, "us", {}, Better::Lower};
  EXPECT_EQ(
      figure.json(),
      R"({"package": "p", "name": "a \"b\"", "value": 1.5, "unit": "us", "budget": null, "better": "lower", "ok": true})");
}

TEST(Documentation, ComparesWritesOnRequestAndNamesMissingMarkers) {
  const hl_testing::TemporaryFolder folder;
  const auto readme = folder.path() / "README.md";
  std::ofstream(readme) << "head\n<!-- table begin -->\nold\n<!-- table end -->\ntail\n";
  EXPECT_EQ(hl_testing::documentation_problem(readme, "table", "old\n"), "");
  EXPECT_NE(hl_testing::documentation_problem(readme, "table", "new\n").find("HL_WRITE_DOCUMENTATION"),
            std::string::npos);
  EXPECT_NE(hl_testing::documentation_problem(readme, "figures", "new\n").find("<!-- figures begin -->"),
            std::string::npos);
  setenv("HL_WRITE_DOCUMENTATION", "1", 1);
  EXPECT_EQ(hl_testing::documentation_problem(readme, "table", "new\n"), "");
  unsetenv("HL_WRITE_DOCUMENTATION");
  std::stringstream text;
  text << std::ifstream(readme).rdbuf();
  EXPECT_EQ(text.str(), "head\n<!-- table begin -->\nnew\n<!-- table end -->\ntail\n");
}
