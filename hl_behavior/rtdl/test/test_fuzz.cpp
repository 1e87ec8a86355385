// SPDX-License-Identifier: Apache-2.0
// Any bytes through both readers: an error or a document, never a crash, in bounded time and memory. What is read
// without errors must come back the same from its own text. HL_FULL=1 runs 10^7 texts through each reader.
#include <gtest/gtest.h>

#include <random>

#include "hl_behavior/rtdl/library.hpp"
#include "hl_behavior/rtdl/program.hpp"
#include "hl_behavior/rtdl/soccer.hpp"
#include "hl_behavior/rtdl/syntax.hpp"
#include "hl_behavior/rtdl/validator.hpp"
#include "hl_testing/isolation.hpp"
#include "random_tree.hpp"

using namespace hl_behavior::rtdl;

namespace {

const std::vector<std::string>& words() {
  static const std::vector<std::string> kWords{"rtdl 1.0 ",
                                               "task ",
                                               "t",
                                               "(",
                                               ")",
                                               "{",
                                               "}",
                                               ";",
                                               ",",
                                               "while ",
                                               "do ",
                                               "done ",
                                               "if ",
                                               "endif ",
                                               "par ",
                                               "to ",
                                               "endpar ",
                                               "retry",
                                               "(3)",
                                               "endtry ",
                                               "optional ",
                                               "entity ",
                                               "and ",
                                               "or ",
                                               "not ",
                                               "<",
                                               ">=",
                                               "==",
                                               "=",
                                               "\"",
                                               "\\",
                                               "/*",
                                               "*/",
                                               "//",
                                               "1e999",
                                               "-",
                                               "99999999",
                                               "\xC3\xB6",
                                               "\xFF",
                                               std::string(1, '\0'),
                                               "<rtdl version=\"1.0\">",
                                               "</rtdl>",
                                               "<task name=\"t\">",
                                               "</task>",
                                               "<taskargs/>",
                                               "<block>",
                                               "</block>",
                                               "<block2/>",
                                               "<if><cond>",
                                               "</cond>",
                                               "<action><name>",
                                               "</name>",
                                               "</action>",
                                               "<args><arg>",
                                               "</arg></args>",
                                               "&lt;",
                                               "&#65;",
                                               "&#xFFFF;",
                                               "&bomb;",
                                               "<![CDATA[",
                                               "]]>",
                                               "<!DOCTYPE rtdl [",
                                               "<!ENTITY a \"b\">",
                                               "<!--",
                                               "-->",
                                               "<?",
                                               "?>",
                                               "<comment>",
                                               "</comment>",
                                               "retrycount(2);",
                                               "ballKnown",
                                               "near(Ball, 1)",
                                               "stop();",
                                               "Ball",
                                               "\r\n",
                                               "\t"};
  return kWords;
}

/// A good text with some bytes and words changed, removed or added.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); };
  for (std::size_t n = 1 + below(4); n > 0; --n) {
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, below(20));
        break;
      case 2:
        text.insert(at, words()[below(words().size())]);
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), below(30)));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

std::string rubbish(std::mt19937& random) {
  std::string text;
  const bool bytes = random() % 4 == 0;
  for (unsigned n = random() % 40; n > 0; --n) {
    if (bytes) {
      text += static_cast<char>(random());
    } else {
      text += words()[random() % words().size()];
    }
  }
  return text;
}

void feed(Document (*reader)(std::string_view, Report&), const std::string& text, bool thorough) {
  Report report("fuzz");
  const Document document = reader(text, report);
  ASSERT_LE(report.all().size(), 200u);
  if (!report.ok()) {
    if (thorough) validate(document, *soccer_catalogue(), {}, report);
    return;
  }
  Report again("again");
  ASSERT_TRUE(read_function(write_function(document), again) == document) << text;
  ASSERT_TRUE(read_xml(write_xml(document), again) == document) << text;
  ASSERT_TRUE(again.ok()) << text;
  validate(document, *soccer_catalogue(), {}, report);
}

void fuzz(Document (*reader)(std::string_view, Report&), std::string (*writer)(const Document&), unsigned seed) {
  const std::size_t texts = hl_testing::count(40'000, 10'000'000);
  std::mt19937 random(seed);
  std::vector<std::string> good;
  for (unsigned i = 0; good.size() < 50; ++i) {
    std::string text = writer(RandomTree(i).document());
    if (text.size() < 1000) good.push_back(std::move(text));  // long ones cost time and find nothing more
  }
  Report report("shipped");
  for (const char* name : {"kick_to_goal", "patrol", "slalom", "grid_world/fetchWater"}) {
    good.push_back(writer(read(read_text(std::string(TASKS) + "/" + name + ".rtdl"), report)));
  }
  ASSERT_TRUE(report.ok());
  for (std::size_t i = 0; i < texts; ++i) {
    feed(reader, i % 3 == 0 ? rubbish(random) : mutated(good[random() % good.size()], random), i % 8 == 0);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace

TEST(Fuzz, FunctionReader) {
  fuzz(read_function, write_function, 1);
}

TEST(Fuzz, XmlReader) {
  fuzz(read_xml, write_xml, 2);
}

TEST(Fuzz, WhatIsRepeatedWithoutEndIsRefusedInBoundedTime) {
  for (const char* piece : {"(",         ")",      "{",         "}",         ";",
                            "/*",        "*/",     "\"",        "if (a) ",   "par ",
                            "retry(1) ", "not ",   "a(",        "a,",        "-",
                            "9",         "<",      "<a>",       "<block>",   "&",
                            "&#1;",      "<!--",   "<![CDATA[", "optional ", "entity T x; ",
                            "to ",       "endif ", "\xC3\xB6",  "=",         "rtdl 1.0 "}) {
    for (const char* head : {"", "rtdl 1.0 task t(", "rtdl 1.0 task t() { ", "rtdl 1.0 task t() { if (",
                             "<rtdl version=\"1.0\"><task name=\"t\"><taskargs/><block>"}) {
      std::string text = head;
      while (text.size() < 100'000) text += piece;
      for (const auto reader : {read_function, read_xml}) {
        Report report("long");
        const Document document = reader(text, report);
        ASSERT_LE(report.all().size(), 200u);
        validate(document, *soccer_catalogue(), {}, report);
      }
    }
  }
}
