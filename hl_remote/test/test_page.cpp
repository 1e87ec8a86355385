// SPDX-License-Identifier: Apache-2.0
// The page: its logic by node's own test runner, its types, and a browser that looks at a running simulation.
#include <gtest/gtest.h>

#include <ament_index_cpp/get_package_prefix.hpp>
#include <filesystem>
#include <fstream>
#include <regex>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

namespace hl_remote {
namespace {

namespace fs = std::filesystem;
using hl_testing::Process;
using std::chrono::minutes;
using std::chrono::seconds;
using Words = std::vector<std::string>;

constexpr const char* kNoPackages = "npm could not fetch the page's packages, so the page cannot be tested";

bool page_packages() {
  return fs::exists(PAGE_FOLDER "/node_modules/playwright-core");
}

bool installed(const std::string& package) {
  try {
    ament_index_cpp::get_package_prefix(package);
    return true;
  } catch (const ament_index_cpp::PackageNotFoundError&) {
    return false;
  }
}

std::string chromium() {
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-headless-shell"})
    if (fs::exists(path)) return path;
  return {};
}

void expect_success(const Words& command, minutes patience = minutes(3)) {
  Process process(command);
  EXPECT_EQ(process.wait(patience), 0) << process.output();
}

}  // namespace

TEST(Page, ItsLogicIsRight) {
  if (!page_packages()) GTEST_SKIP() << kNoPackages;
  const hl_testing::TemporaryFolder folder;
  expect_success({"node", PAGE_FOLDER "/build.mjs", "--tests", folder.path()});
  Words command{"node", "--test"};
  for (const auto& entry : fs::directory_iterator(folder.path())) command.push_back(entry.path());
  ASSERT_GT(command.size(), 4U);
  expect_success(command);
}

TEST(Page, ItsTypesFit) {
  if (!page_packages()) GTEST_SKIP() << kNoPackages;
  expect_success({"node", PAGE_FOLDER "/node_modules/typescript/bin/tsc", "--noEmit", "-p", PAGE_FOLDER});
}

TEST(Page, TheLockFileNamesNoRegistry) {
  std::ifstream file(PAGE_SOURCE "/package-lock.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_GT(text.size(), 1000U);
  EXPECT_EQ(text.find("resolved"), std::string::npos);
  EXPECT_EQ(text.find("registry"), std::string::npos);
}

TEST(Page, EverythingWorksInABrowserWithARunningSimulation) {
  if (!hl_testing::full_run())
    GTEST_SKIP() << "in ./test --full: it has not been seen to pass every time on a busy machine";
  if (!page_packages()) GTEST_SKIP() << kNoPackages;
  if (chromium().empty()) GTEST_SKIP() << "there is no chromium: apt-get install chromium";
  for (const char* package : {"hl_animation", "hl_bringup", "hl_simulation", "hl_visualization"})
    if (!installed(package)) GTEST_SKIP() << package << " is not installed: build all packages";
  const int ports = 23'000 + 10 * hl_testing::isolate();  // UDP, nobody else's on this machine
  const hl_testing::TemporaryFolder folder;
  const std::string place = folder.path();
  fs::create_directories(place + "/motions");
  std::ofstream(place + "/token") << "0123456789abcdef0123\n";
  Process simulation({"ros2", "launch", TEST_FOLDER "/cockpit.launch.xml", "folder:=" + place + "/motions",
                      "token_file:=" + place + "/token", "referee_port:=" + std::to_string(ports),
                      "answer_port:=" + std::to_string(ports + 1), "team_port:=" + std::to_string(ports + 2)});
  ASSERT_TRUE(simulation.wait_for_output("look: http://", minutes(3))) << simulation.output();
  std::smatch port;
  const std::string said = simulation.output();
  ASSERT_TRUE(std::regex_search(said, port, std::regex("127\\.0\\.0\\.1:(\\d+)/"))) << said;
  Process browser({"node", PAGE_FOLDER "/test/cockpit.mjs", "127.0.0.1:" + port[1].str(), "0123456789abcdef0123", place,
                   chromium()});
  EXPECT_EQ(browser.wait(minutes(15)), 0) << browser.output() << "\n--- simulation\n" << simulation.output();
  if (const char* keep = std::getenv("HL_PICTURES"))
    fs::copy(place + "/pictures", keep, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  browser.stop();
  simulation.stop(seconds(60));
}

}  // namespace hl_remote
