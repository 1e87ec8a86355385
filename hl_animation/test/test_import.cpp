// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "hl_animation/animation_file.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

using hl_testing::Process;

namespace {

class Import : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const auto path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  /// Runs the program into `folder_`; its exit code and what it said.
  std::pair<int, std::string> run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), std::string(PROGRAM_FOLDER) + "/import");
    arguments.insert(arguments.end(), {"--out", folder_.string()});
    Process process(arguments);
    const auto code = process.wait();
    return {code.value_or(-1), process.output()};
  }

  hl_testing::TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
};

}  // namespace

TEST_F(Import, JsonBecomesAnAnimation) {
  const auto file =
      write("nod.json", R"({"name": "nod", "keyframes": [{"duration": 0.5, "goals": {"HeadTilt": -20}}]})");
  const auto [code, output] = run({file});
  ASSERT_EQ(code, 0) << output;
  const auto animation = hl_animation::load_animations((folder_ / "nod.yaml").string()).front();
  EXPECT_NEAR(animation.keyframes.at(0).goals.at("HeadTilt"), -20.0 * M_PI / 180.0, 1e-3);
  EXPECT_EQ(run({file}).first, 1) << "nothing is overwritten by accident";
  EXPECT_EQ(run({file, "--force"}).first, 0);
}

TEST_F(Import, FumanoidMotorsAreNamedByTheRobotOrByHand) {
  std::string line;
  for (int motor = 1; motor <= 20; ++motor) line += motor == 19 ? "1023," : "511.5,";
  const auto file = write("look.txt", line + "500,\n-1\n");
  const auto [code, output] = run({file, "--robot", "minibot"});
  ASSERT_EQ(code, 0) << output;
  const auto animation = hl_animation::load_animations((folder_ / "look.yaml").string()).front();
  EXPECT_NEAR(animation.keyframes.at(0).goals.at("HeadPan"), 150.0 * M_PI / 180.0, 1e-3) << "servo 19 is HeadPan";
  EXPECT_NEAR(animation.keyframes.at(0).goals.at("LKnee"), 0.0, 1e-3);

  const auto two = write("two.txt", "511.5,0,100,\n-1\n");
  ASSERT_EQ(run({two, "--motors", "-,LElbow"}).first, 0);
  EXPECT_EQ(hl_animation::load_animations((folder_ / "two.yaml").string()).front().keyframes.at(0).goals.size(), 1U);
}

TEST_F(Import, MistakesAreToldWithPlaceAndRemedy) {
  const auto broken = run({write("broken.txt", "1,2,3,\nx,y,\n")});
  EXPECT_EQ(broken.first, 1);
  EXPECT_NE(broken.second.find("broken.txt:1"), std::string::npos) << broken.second;
  const auto unnamed = run({write("odd name.json", R"({"keyframes": [{"goals": {"HeadPan": 1}}]})")});
  EXPECT_EQ(unnamed.first, 1);
  EXPECT_NE(unnamed.second.find("--name"), std::string::npos) << unnamed.second;
  EXPECT_EQ(run({(folder_ / "missing.json").string()}).first, 1);
  EXPECT_EQ(run({"--wings", "x"}).first, 2);
}
