// SPDX-License-Identifier: Apache-2.0
// Every error of the catalogue with its exact place.
#include <gtest/gtest.h>

#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/program.hpp"
#include "hl_behavior/rtdl/soccer.hpp"
#include "hl_behavior/rtdl/syntax.hpp"
#include "hl_behavior/rtdl/validator.hpp"

using namespace hl_behavior::rtdl;

namespace {

struct Expected {
  Code code;
  int line, column;
  std::string text;
};

Library library_of(const std::vector<std::string>& texts) {
  Library library;
  for (const std::string& text : texts) {
    Report report("library");
    Document document = read(text, report);
    EXPECT_TRUE(report.ok()) << text;
    EXPECT_TRUE(library.add(std::move(document), "library"));
  }
  return library;
}

void expect(const std::string& text, const std::vector<Expected>& expected,
            const std::vector<std::string>& tasks = {}) {
  Report report("file.rtdl");
  const Document document = read(text, report);
  validate(document, *soccer_catalogue(), library_of(tasks), report);
  std::string found;
  for (const Diagnostic& d : report.all()) found += to_text(d) + "\n";
  ASSERT_EQ(report.all().size(), expected.size()) << text << "\n" << found;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Diagnostic& d = report.all()[i];
    EXPECT_EQ(to_text(d.code), to_text(expected[i].code)) << found;
    EXPECT_EQ(d.at.line, expected[i].line) << found;
    EXPECT_EQ(d.at.column, expected[i].column) << found;
    EXPECT_EQ(d.text, expected[i].text) << found;
    EXPECT_FALSE(d.message.empty());
    EXPECT_FALSE(d.remedy.empty());
    EXPECT_EQ(d.file, "file.rtdl");
  }
}

/// In a task that is right otherwise, from line 3 column 1 on.
void expect_body(const std::string& body, const std::vector<Expected>& expected,
                 const std::vector<std::string>& tasks = {}) {
  expect("rtdl 1.0\ntask t(Player p, number n) {\n" + body + "\n}\n", expected, tasks);
}

std::string xml(const std::string& block, const std::string& attributes = "version=\"1.0\"") {
  return "<rtdl " + attributes + ">\n<task name=\"t\"><taskargs/>\n<block>\n" + block + "\n</block></task></rtdl>\n";
}

}  // namespace

TEST(Errors, AMessageNamesFilePlaceTextAndRemedy) {
  Report report("drill.rtdl");
  const Document document = read("rtdl 1.0\ntask t() {\n  kick_to(Bal);\n}", report);
  validate(document, *soccer_catalogue(), {}, report);
  ASSERT_EQ(report.all().size(), 1u);
  EXPECT_EQ(to_text(report.all()[0]), "drill.rtdl:3:11: error E-NAME: 'Bal' is not declared; remedy: write 'Ball'");
}

TEST(Errors, Version) {
  expect("rtdl 2.0\ntask t() { }", {{Code::Version, 1, 6, "2.0"}});
  expect("task t() { }", {{Code::Version, 1, 1, "task"}});
  expect("/* c */ rtdl 1.0\ntask t() { }", {{Code::Version, 1, 1, " c "}});
  expect("rtdl task t() { }", {{Code::Version, 1, 6, "task"}});
  expect(xml("", "version=\"1.1\""), {{Code::Version, 1, 16, "1.1"}});
  expect("<rtdl><task name=\"t\"><taskargs/><block/></task></rtdl>", {{Code::Version, 1, 1, "rtdl"}});
}

TEST(Errors, Syntax) {
  expect_body("stop()\nstop();", {{Code::Syntax, 3, 7, ""}});
  expect_body("stop(;\nstop();", {{Code::Syntax, 3, 6, ";"}});
  expect_body("while (ballKnown)\nstop();\ndone", {{Code::Syntax, 4, 1, "stop"}});
  expect_body("while (ballKnown) do\nstop();\nendif", {{Code::Syntax, 5, 1, "endif"}});
  expect_body("par\nstop();\nendpar", {{Code::Syntax, 5, 1, "endpar"}});
  expect_body("stop();\nentity Waypoint w;", {{Code::Syntax, 4, 1, "entity"}});
  expect_body("optional while (ballKnown) do\ndone", {{Code::Syntax, 3, 10, "while"}});
  expect_body("say(\"hello);\nstop();", {{Code::Syntax, 3, 5, "\"hello);"}, {Code::Syntax, 4, 1, "stop"}});
  expect_body("go_straight(1.2.3);", {{Code::Syntax, 3, 13, "1.2.3"}});
  expect_body("// no comment\nstop();", {{Code::Syntax, 3, 1, "//"}});
  expect_body("done\nstop();", {{Code::Syntax, 3, 1, "done"}});
  expect("rtdl 1.0\ntask t() {\n/* open", {{Code::Syntax, 3, 1, "/* open"}, {Code::Syntax, 3, 8, ""}});
  expect("rtdl 1.0\ntask t(while x) { }", {{Code::Syntax, 2, 8, "while"}});
  expect(xml("<action optional=\"yes\"><name>stop</name></action>"), {{Code::Syntax, 4, 19, "yes"}});
  expect(xml("<stop/>"), {{Code::Syntax, 4, 1, "stop"}});
  expect(xml("<if>\n<cond>ballKnown</cond></block>"), {{Code::Syntax, 5, 23, "block"}});
  expect(xml("<comment>a */ b</comment>"), {{Code::Syntax, 4, 1, "comment"}});
  expect(xml("<action><name>stop</name><args><arg>1 2</arg></args></action>"), {{Code::Syntax, 4, 39, "2"}});
}

TEST(Errors, Character) {
  expect_body("/* sch\xC3\xB6n */ stop();", {{Code::Character, 3, 7, "\\xc3\\xb6"}});
  expect_body("stop(); \x01", {{Code::Character, 3, 9, "\\x01"}});
  expect(xml("<comment>\xC3\xB6</comment>"), {{Code::Character, 4, 10, "\\xc3\\xb6"}});
}

TEST(Errors, Task) {
  expect("rtdl 1.0\n", {{Code::TaskError, 2, 1, ""}});
  expect("rtdl 1.0\ntask () { }", {{Code::TaskError, 2, 6, "("}});
  expect("rtdl 1.0\ntask t() { }\ntask u() { }", {{Code::TaskError, 3, 1, "task"}});
  expect("<rtdl version=\"1.0\"></rtdl>", {{Code::TaskError, 1, 1, "rtdl"}});
  expect("<rtdl version=\"1.0\">\n<task><taskargs/><block/></task></rtdl>", {{Code::TaskError, 2, 1, "task"}});
}

TEST(Errors, Duplicate) {
  expect_body("entity Waypoint p;", {{Code::Duplicate, 3, 17, "p"}});
  expect_body("entity Waypoint Ball;", {{Code::Duplicate, 3, 17, "Ball"}});
  expect("rtdl 1.0\ntask stop() { }", {{Code::Duplicate, 2, 6, "stop"}});
}

TEST(Errors, Type) {
  expect_body("entity Waypiont w;", {{Code::Type, 3, 8, "Waypiont"}});
  expect_body("entity number w;", {{Code::Type, 3, 8, "number"}});
  expect("rtdl 1.0\ntask t(Glass g) { }", {{Code::Type, 2, 8, "Glass"}});
}

TEST(Errors, Name) {
  expect_body("kick_to(Tap1);", {{Code::Name, 3, 9, "Tap1"}});
  expect_body("if (near(Tap1, 1))\nendif", {{Code::Condition, 3, 10, "Tap1"}});
}

TEST(Errors, Argument) {
  expect_body("kick_to();", {{Code::Argument, 3, 1, "kick_to"}});
  expect_body("stop(1);", {{Code::Argument, 3, 1, "stop"}});
  expect_body("kick_to(3);", {{Code::Argument, 3, 9, "3"}});
  expect_body("go_straight(Ball);", {{Code::Argument, 3, 13, "Ball"}});
  expect_body("step(0, 0, 0, 1.5);", {{Code::Argument, 3, 15, "1.5"}});
  expect_body("say(Ball);", {{Code::Argument, 3, 5, "Ball"}});
  expect_body("set_current_position(OwnGoal);",
              {{Code::Argument, 3, 22, "OwnGoal"}, {Code::Argument, 3, 22, "OwnGoal"}});
  expect_body("kick_to(p);", {});  // a player is a place
  expect_body("helper(Ball);", {{Code::Argument, 3, 8, "Ball"}}, {"rtdl 1.0 task helper(Player q) { pass_to(q); }"});
}

TEST(Errors, Capability) {
  expect_body("stopp();", {{Code::Capability, 3, 1, "stopp"}});
  expect_body("optional fly(Ball, Tap1);", {{Code::Capability, 3, 1, "fly"}, {Code::Name, 3, 20, "Tap1"}});
}

TEST(Errors, Recursion) {
  expect_body("t(p, n);", {{Code::Recursion, 3, 1, "t"}});
  const std::vector<std::string> circle{"rtdl 1.0 task a() { b(); }", "rtdl 1.0 task b() { stop(); a(); }"};
  expect_body("stop();\na();", {{Code::Recursion, 4, 1, "a"}}, circle);
  expect_body("while (ballKnown) do\n  u();\ndone", {{Code::Recursion, 4, 3, "u"}},
              {"rtdl 1.0 task u() { t(Player1, 1); }"});
}

TEST(Errors, Count) {
  expect_body("retry (0)\nendtry", {{Code::Count, 3, 8, "0"}});
  expect_body("retry (-1)\nendtry", {{Code::Count, 3, 8, "-1"}});
  expect_body("retry (1.5)\nendtry", {{Code::Count, 3, 8, "1.5"}});
  expect_body("retry (99999999999999999999)\nendtry", {{Code::Count, 3, 8, "99999999999999999999"}});
  expect_body("retrycount(n);", {{Code::Count, 3, 12, "n"}});
  expect(xml("<retry count=\"many\"><block/></retry>"), {{Code::Count, 4, 15, "many"}});
  expect(xml("<retry><block/></retry>"), {{Code::Count, 4, 1, "retry"}});
}

TEST(Errors, Condition) {
  expect_body("if (ballKnwon)\nendif", {{Code::Condition, 3, 5, "ballKnwon"}});
  expect_body("if (near(Ball))\nendif", {{Code::Condition, 3, 5, "near"}});
  expect_body("if (near(Ball, OwnGoal))\nendif", {{Code::Condition, 3, 16, "OwnGoal"}});
  expect_body("if (ballDistance)\nendif", {{Code::Condition, 3, 5, "ballDistance"}});
  expect_body("if (ballKnown < 3)\nendif", {{Code::Condition, 3, 5, "ballKnown < 3"}});
  expect_body("if (ballDistance == 3)\nendif", {{Code::Condition, 3, 18, "=="}});
  expect_body("if ((ballKnown))\nendif", {{Code::Condition, 3, 5, "("}});
  expect_body("if (ballKnown and)\nendif", {{Code::Condition, 3, 18, ")"}});
  expect_body("if ()\nendif", {{Code::Condition, 3, 5, ")"}});
  expect_body("if (n < 3 and role(striker))\nendif", {});
  expect(xml("<while><cond>ballDistance &lt; Ball</cond><block/></while>"),
         {{Code::Condition, 4, 14, "ballDistance < Ball"}});
  expect(xml("<while><cond>n &lt;&gt; 3</cond><block/></while>"), {{Code::Condition, 4, 20, ">"}});
}

TEST(Errors, Slot) {
  expect_body("par\n  go_to_pose(Ball);\nto\n  stop();\nendpar", {{Code::Slot, 6, 3, "stop"}});
  expect_body("par\n  go_to_pose(Ball);\nto\n  look_at(Ball);\nendpar", {});
  expect_body("par\n  walker();\nto\n  if (ballKnown)\n    go_straight(1);\n  endif\nendpar",
              {{Code::Slot, 7, 5, "go_straight"}},
              {"rtdl 1.0 task walker() { say(\"on my way\"); inner(); }", "rtdl 1.0 task inner() { stop(); }"});
}

TEST(Errors, Limit) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "if (ballKnown)\n";
  expect_body(deep, {{Code::Limit, 67, 1, "if"}});
  std::string deep_xml;
  for (int i = 0; i < 100; ++i) deep_xml += "<if><cond>a</cond><block>";
  Report report("x");
  read_xml(xml(deep_xml), report);
  ASSERT_EQ(report.all().size(), 1u);
  EXPECT_EQ(report.all()[0].code, Code::Limit);
  expect_body("go_straight(1e999);", {{Code::Limit, 3, 13, "1e999"}});
  expect_body("if (a(a(a(a(a(a(a(a(a(a(a(1))))))))))))\nendif", {{Code::Limit, 3, 21, "a"}});
  expect_body(std::string(65, 'a') + "();", {{Code::Limit, 3, 1, std::string(40, 'a') + "..."},
                                             {Code::Capability, 3, 1, std::string(40, 'a') + "..."}});
  Report large("x");
  read(std::string(kMaxFile + 1, ' '), large);
  ASSERT_EQ(large.all().size(), 1u);
  EXPECT_EQ(large.all()[0].code, Code::Limit);
}

TEST(Errors, EntityBombsAreRefused) {
  Report report("bomb.xml");
  read("<?xml version=\"1.0\"?>\n<!DOCTYPE rtdl [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\n<rtdl>&b;</rtdl>",
       report);
  ASSERT_EQ(report.all().size(), 1u);
  EXPECT_EQ(report.all()[0].at.line, 2);
  Report undefined("x.xml");
  read("<rtdl version=\"1.0\">&bomb;</rtdl>", undefined);
  ASSERT_EQ(undefined.all().size(), 1u);
  EXPECT_EQ(undefined.all()[0].text, "&bomb;");
}

TEST(Errors, Warnings) {
  expect_body("while (always) do\n  wait(1);\ndone\nstop();",
              {{Code::Endless, 3, 1, "while"}, {Code::Unreachable, 6, 1, ""}});
  expect_body("while (always) do\n  go_straight(1);\ndone", {});  // a failure ends it
  expect_body("if (never)\n  /* c */\n  stop();\nendif", {{Code::Unreachable, 5, 3, ""}});
  expect_body("if (1 > 2 or not always)\n  stop();\nendif", {{Code::Unreachable, 4, 3, ""}});
  expect_body("entity Waypoint w;\ngo_to_pose(w);\ngo_to_pose(w);", {{Code::Unset, 4, 12, "w"}});
  expect_body("entity Waypoint w;\nsetter(w);\ngo_to_pose(w);", {},
              {"rtdl 1.0 task setter(Waypoint v) { set_current_position(v); }"});
}

TEST(Errors, AllErrorsOfAFileAreReported) {
  expect(
      "rtdl 1.1\ntask t(Glas g) {\n  retrycount(0);\n  entity Waypoint w;\n  stopp();\n  kick_to(Bal)\n  if (bal)\n"
      "    go_straight();\n  endif\n  par stop(); to stop(); endpar\n}\n",
      {{Code::Version, 1, 6, "1.1"},
       {Code::Type, 2, 8, "Glas"},
       {Code::Count, 3, 14, "0"},
       {Code::Capability, 5, 3, "stopp"},
       {Code::Name, 6, 11, "Bal"},
       {Code::Syntax, 6, 15, ""},
       {Code::Condition, 7, 7, "bal"},
       {Code::Argument, 8, 5, "go_straight"},
       {Code::Slot, 10, 18, "stop"}});
}

TEST(Errors, LinkingRefusesWhatACalledTaskGetsWrong) {
  Report report("main.rtdl");
  const Document document = read("rtdl 1.0 task t() { helper(); }", report);
  const auto program = link(document, soccer_catalogue(), library_of({"rtdl 1.0 task helper() { fly(); }"}), report);
  EXPECT_EQ(program, nullptr);
  ASSERT_EQ(report.all().size(), 1u);
  EXPECT_EQ(report.all()[0].file, "library");
}

TEST(Errors, LinkingRefusesTasksThatGrowTooLarge) {
  std::vector<std::string> tasks{"rtdl 1.0 task a0() { stop(); }"};
  for (int i = 1; i < 20; ++i) {
    const std::string inner = "a" + std::to_string(i - 1) + "();";
    tasks.push_back("rtdl 1.0 task a" + std::to_string(i) + "() { " + inner + inner + " }");
  }
  Report report("main.rtdl");
  const Document document = read("rtdl 1.0 task t() { a19(); }", report);
  EXPECT_EQ(link(document, soccer_catalogue(), library_of(tasks), report), nullptr);
  ASSERT_EQ(report.all().size(), 1u);
  EXPECT_EQ(report.all()[0].code, Code::Limit);
}
