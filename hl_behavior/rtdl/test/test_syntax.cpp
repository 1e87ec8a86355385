// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_behavior/rtdl/drawing.hpp"
#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/syntax.hpp"

using namespace hl_behavior::rtdl;

namespace {

Document good(const std::string& text) {
  Report report("text");
  Document document = read(text, report);
  for (const Diagnostic& d : report.all()) ADD_FAILURE() << to_text(d);
  return document;
}

}  // namespace

TEST(FunctionSyntax, ExampleTaskHasItsStructure) {
  const Document d = good(read_text(std::string(TASKS) + "/example/exampleTask.rtdl"));
  EXPECT_EQ(d.task.name, "exampleTask");
  EXPECT_EQ(d.task.retrycount, 3);
  EXPECT_EQ(d.before.size(), 2u);
  EXPECT_EQ(entries(d.task.parameters).size(), 2u);
  EXPECT_EQ(entries(d.task.entities).size(), 3u);
  ASSERT_EQ(d.task.block.size(), 6u);
  EXPECT_EQ(entries(std::get<Call>(d.task.block[0].what).arguments).size(), 3u);
  EXPECT_EQ(to_text(std::get<While>(d.task.block[2].what).condition), "condition1");
  EXPECT_EQ(std::get<If>(d.task.block[3].what).block.size(), 1u);
  const auto& par = std::get<Par>(d.task.block[4].what);
  ASSERT_EQ(par.first.size(), 2u);
  EXPECT_EQ(std::get<Call>(std::get<Par>(par.first[1].what).second[0].what).name, "Task7");
  EXPECT_EQ(std::get<Call>(par.second[0].what).name, "Task8");
  const auto& retry = std::get<Retry>(d.task.block[5].what);
  EXPECT_EQ(retry.count, 5);
  EXPECT_TRUE(std::get<Call>(retry.block[0].what).optional);
}

TEST(FunctionSyntax, CommentsMayStandAnywhereAndAreKept) {
  const Document d = good(
      "rtdl 1.0 /*1*/ task /*2*/ t /*3*/ ( /*4*/ T /*5*/ a /*6*/ , /*7*/ T b /*8*/ ) /*9*/ { /*10*/ retrycount /*11*/ "
      "( "
      "/*12*/ 2 /*13*/ ) /*14*/ ; /*15*/ entity /*16*/ T /*17*/ c /*18*/ ; /*19*/ optional /*20*/ f /*21*/ ( /*22*/ a "
      "/*23*/ ) /*24*/ ; while /*25*/ ( /*26*/ x /*27*/ < /*28*/ 3 ) /*29*/ do /*30*/ done par /*31*/ to /*32*/ endpar "
      "retry /*33*/ ( /*34*/ 2 ) /*35*/ endtry /*36*/ } /*37*/");
  const std::string text = write_function(d);
  std::size_t at = 0;
  for (int i = 1; i <= 37; ++i) {
    const std::size_t found = text.find("/*" + std::to_string(i) + "*/");
    EXPECT_NE(found, std::string::npos) << i;
    at = found;
  }
  EXPECT_LT(at, text.size());
  EXPECT_EQ(write_function(good(text)), text);
}

TEST(FunctionSyntax, WritingIsIdempotentForShippedTasks) {
  for (const char* name : {"kick_to_goal", "slalom", "patrol", "passing_drill", "self_test", "goalkeeper_drill"}) {
    const std::string text = read_text(std::string(TASKS) + "/" + name + ".rtdl");
    EXPECT_EQ(write_function(good(text)), text) << name << " is not in the usual form: rtdl format -i";
  }
}

TEST(Conditions, BindAsOrOfAndOfNot) {
  const Document d = good("rtdl 1.0 task t() { if (a and not b or c(1, d(e)) >= -2.5 and f != \"x\") endif }");
  const Condition& c = std::get<If>(d.task.block[0].what).condition;
  ASSERT_EQ(c.alternatives.size(), 2u);
  ASSERT_EQ(c.alternatives[0].size(), 2u);
  EXPECT_TRUE(c.alternatives[0][1].negated);
  EXPECT_EQ(c.alternatives[1][0].comparison, Comparison::GreaterEqual);
  EXPECT_EQ(to_text(c), "a and not b or c(1, d(e)) >= -2.5 and f != \"x\"");
}

TEST(Xml, ReferencesAndCdataAreResolved) {
  const Document d = good(
      "\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- skipped --><?xml-stylesheet href='rtdl.xsl'?><!DOCTYPE rtdl SYSTEM "
      "'rtdl.dtd'>\n<rtdl version='1.0'><task name='t'><taskargs/><block><if><cond>a &lt; 3 and <![CDATA[b > "
      "2]]></cond>"
      "<block/></if><comment>&#65;&amp;&#x42;</comment></block></task></rtdl>");
  EXPECT_EQ(to_text(std::get<If>(d.task.block[0].what).condition), "a < 3 and b > 2");
  EXPECT_EQ(std::get<Comment>(d.task.block[1].what).text, "A&B");
}

TEST(Xml, OrderOfStatementsIsKept) {
  const Document d = good("rtdl 1.0 task t() { a(); while (x) do b(); done c(); par d(); to e(); endpar f(); }");
  EXPECT_TRUE(good(write_xml(d)) == d);
}

TEST(Drawing, ShowsEveryStatement) {
  const Document d = good(read_text(std::string(TASKS) + "/example/exampleTask.rtdl"));
  for (const std::string& drawing : {draw_dot(d), draw_svg(d)}) {
    for (const char* text :
         {"exampleTask", "Task1(entity1, entity2, entity3)", "while condition1", "Task7()", "retry 5"}) {
      EXPECT_NE(drawing.find(text), std::string::npos) << text;
    }
  }
}
