// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "hl_behavior/rtdl/catalogue.hpp"
#include "hl_behavior/rtdl/library.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

using namespace hl_behavior::rtdl;

namespace {

struct Result {
  int code = -1;
  std::string output;
};

Result rtdl(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), RTDL);
  hl_testing::Process process(arguments);
  const auto code = process.wait(std::chrono::seconds(60));
  return {code.value_or(-1), process.output()};
}

std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TASKS)) {
    if (entry.path().extension() == ".rtdl") files.push_back(entry.path().string());
  }
  return files;
}

class File {
 public:
  explicit File(const std::string& text, const std::string& name = "task.rtdl") : path_(folder_.path() / name) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  std::string path() const { return path_.string(); }

 private:
  hl_testing::TemporaryFolder folder_;
  std::filesystem::path path_;
};

}  // namespace

TEST(Tool, EveryShippedTaskPassesTheCheckWithoutWarnings) {
  auto arguments = shipped();
  EXPECT_GE(arguments.size(), 9u);
  arguments.insert(arguments.begin(), {"check", "--strict"});
  const Result result = rtdl(arguments);
  EXPECT_EQ(result.code, 0) << result.output;
}

TEST(Tool, EveryShippedTaskIsInTheUsualForm) {
  for (const std::string& file : shipped()) EXPECT_EQ(rtdl({"format", file}).output, read_text(file)) << file;
}

TEST(Tool, CheckNamesPlaceAndRemedyAndExitsWithOne) {
  const File file("rtdl 1.0\ntask t() {\n  stopp();\n  kick_to(Bal);\n}\n");
  const Result result = rtdl({"check", file.path()});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.output.find(file.path() + ":3:3: error E-CAPABILITY: 'stopp'"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find(file.path() + ":4:11: error E-NAME: 'Bal' is not declared; remedy: write 'Ball'"),
            std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("1 files, 2 errors, 0 warnings"), std::string::npos);
}

TEST(Tool, WarningsFailOnlyIfAskedTo) {
  const File file("rtdl 1.0 task t() { while (always) do wait(1); done }");
  EXPECT_EQ(rtdl({"check", file.path()}).code, 0);
  EXPECT_EQ(rtdl({"check", "--strict", file.path()}).code, 1);
}

TEST(Tool, TroubleExitsWithTwo) {
  EXPECT_EQ(rtdl({"check", "/no/such/file.rtdl"}).code, 2);
  EXPECT_EQ(rtdl({"fly"}).code, 2);
  EXPECT_EQ(rtdl({}).code, 2);
  const File file("rtdl 1.0 task t() { }");
  EXPECT_EQ(rtdl({"convert", "--to", "json", file.path()}).code, 2);
  const File bad("types: [1", "catalogue.yaml");
  EXPECT_EQ(rtdl({"check", "--catalogue", bad.path(), file.path()}).code, 2);
  EXPECT_EQ(rtdl({"--help"}).code, 0);
}

TEST(Tool, ConvertsThereAndBack) {
  for (const std::string& file : shipped()) {
    const Result xml = rtdl({"convert", "--to", "xml", file});
    ASSERT_EQ(xml.code, 0);
    const File converted(xml.output, "task.xml");
    EXPECT_EQ(rtdl({"convert", "--to", "function", converted.path()}).output, read_text(file));
  }
  EXPECT_EQ(rtdl({"convert", "--to", "xml", File("rtdl 1.0 task t( { }").path()}).code, 1);
}

TEST(Tool, FormatsInPlace) {
  const File file("rtdl 1.0 task t(){stop();/* c */}");
  EXPECT_EQ(rtdl({"format", "-i", file.path()}).code, 0);
  EXPECT_EQ(read_text(file.path()), "rtdl 1.0\ntask t() {\n  stop();\n  /* c */\n}\n");
}

TEST(Tool, Draws) {
  const std::string file = std::string(TASKS) + "/patrol.rtdl";
  EXPECT_NE(rtdl({"draw", "--as", "dot", file}).output.find("digraph"), std::string::npos);
  EXPECT_NE(rtdl({"draw", "--as", "svg", file}).output.find("</svg>"), std::string::npos);
}

TEST(Tool, CapabilitiesAsYamlAreACatalogue) {
  const Result text = rtdl({"capabilities"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.output.find("kick_to(Place target, [number speed])"), std::string::npos);
  const Result yaml = rtdl({"capabilities", "--as", "yaml"});
  const File file(yaml.output, "catalogue.yaml");
  const Catalogue catalogue = read_catalogue(file.path());
  EXPECT_EQ(write_catalogue(catalogue), yaml.output);
  EXPECT_EQ(rtdl({"check", "--catalogue", file.path(), std::string(TASKS) + "/slalom.rtdl"}).code, 0);
}
