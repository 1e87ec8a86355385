// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/syntax.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "random_tree.hpp"

using namespace hl_behavior::rtdl;

namespace {

std::string problems(const Report& report) {
  std::string text;
  for (const Diagnostic& d : report.all()) text += to_text(d) + "\n";
  return text;
}

}  // namespace

TEST(RoundTrip, FunctionTreeXmlTreeFunctionIsTheIdentity) {
  const std::size_t trees = hl_testing::count(1'000, 100'000);
  for (std::size_t seed = 0; seed < trees; ++seed) {
    const Document tree = RandomTree(static_cast<unsigned>(seed)).document();
    const std::string function = write_function(tree);
    Report report("function");
    const Document from_function = read_function(function, report);
    ASSERT_TRUE(report.ok()) << "seed " << seed << "\n" << function << problems(report);
    ASSERT_TRUE(from_function == tree) << "seed " << seed << "\n" << function << write_function(from_function);
    const std::string xml = write_xml(from_function);
    Report xml_report("xml");
    const Document from_xml = read_xml(xml, xml_report);
    ASSERT_TRUE(xml_report.ok()) << "seed " << seed << "\n" << xml << problems(xml_report);
    ASSERT_TRUE(from_xml == tree) << "seed " << seed << "\n" << function << write_function(from_xml);
    ASSERT_EQ(write_function(from_xml), function) << "seed " << seed;
  }
}

TEST(RoundTrip, EveryDocumentWeWriteIsValidAgainstTheDtd) {
  if (std::string(XMLLINT).empty()) GTEST_SKIP() << "xmllint is not installed (libxml2-utils)";
  const hl_testing::TemporaryFolder folder;
  std::ofstream(folder.path() / "rtdl.dtd") << read_text(DTD);
  std::vector<std::string> command{XMLLINT, "--noout", "--nonet", "--valid"};
  const std::size_t trees = hl_testing::count(100, 1'000);
  for (std::size_t seed = 0; seed < trees; ++seed) {
    const auto path = folder.path() / (std::to_string(seed) + ".xml");
    std::ofstream(path) << write_xml(RandomTree(static_cast<unsigned>(seed)).document());
    command.push_back(path.string());
  }
  hl_testing::Process process(command);
  EXPECT_EQ(process.wait(std::chrono::seconds(100)), 0) << process.output();
}

TEST(RoundTrip, TheDtdRefusesWhatTheReaderRefuses) {
  if (std::string(XMLLINT).empty()) GTEST_SKIP() << "xmllint is not installed (libxml2-utils)";
  const hl_testing::TemporaryFolder folder;
  std::ofstream(folder.path() / "rtdl.dtd") << read_text(DTD);
  const std::string head = "<?xml version=\"1.0\"?><!DOCTYPE rtdl SYSTEM \"rtdl.dtd\"><rtdl version=\"1.0\">";
  const auto both = [&](const std::string& body) {
    const auto path = folder.path() / "one.xml";
    std::ofstream(path) << head + body + "</rtdl>";
    hl_testing::Process process({XMLLINT, "--noout", "--nonet", "--valid", path.string()});
    Report report("one.xml");
    read_xml(head + body + "</rtdl>", report);
    return std::make_pair(process.wait() == 0, report.ok());
  };
  const auto accepted = std::make_pair(true, true);
  const auto refused = std::make_pair(false, false);
  const std::string task = "<task name=\"t\"><taskargs/><entities/>";
  EXPECT_EQ(both(task + "<block/></task>"), accepted);
  EXPECT_EQ(both("<task name=\"t\"><taskargs/><block/></task>"), accepted);  // entities are optional
  EXPECT_EQ(both(task + "<block><par><block/><block2/></par></block></task>"), accepted);
  EXPECT_EQ(both(task + "<block><par><block/><block/></par></block></task>"), accepted);  // as the original example
  EXPECT_EQ(both(task + "<block><par><block2/><block/></par></block></task>"), refused);
  EXPECT_EQ(both(task + "<block><par><block/></par></block></task>"), refused);
  EXPECT_EQ(both("<task name=\"t\"><entities/><block/></task>"), refused);
  EXPECT_EQ(both("<task><taskargs/><block/></task>"), refused);
  EXPECT_EQ(both(task + "<block><retry><block/></retry></block></task>"), refused);
  EXPECT_EQ(both(task + "<block><action optional=\"maybe\"><name>a</name></action></block></task>"), refused);
  EXPECT_EQ(both(task + "<block><if><block/><cond>a</cond></if></block></task>"), refused);
  EXPECT_EQ(both(task + "<block>text</block></task>"), refused);
}
