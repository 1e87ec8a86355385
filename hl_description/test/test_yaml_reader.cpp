// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "hl_description/yaml_reader.hpp"

using namespace hl_description;
using testing::HasSubstr;

namespace {

YamlReader read(const std::string& text) {
  return YamlReader::from_text(text, "file.yaml");
}

std::string reason_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

enum class Colour { Red, Green };

}  // namespace

TEST(YamlReader, GivesWhatIsThereAndTheOtherValueForWhatIsNot) {
  const auto map = read("{a: 2, b: true, c: word, d: [1, 2], e: {f: green}}");
  EXPECT_EQ(map["a"].number(), 2.0);
  EXPECT_EQ(map.number("z", 7.0), 7.0);
  EXPECT_EQ(map.number_in("a", 0, 3, 1.0), 2.0);
  EXPECT_EQ(map.integer_in("z", 0, 3, 1), 1);
  EXPECT_TRUE(map.flag("b", false));
  EXPECT_TRUE(map.flag("z", true));
  EXPECT_EQ(map.text("c", ""), "word");
  EXPECT_EQ(map.text("z", "other"), "other");
  EXPECT_EQ(map["d"].items().size(), 2u);
  EXPECT_EQ(map["d"].items(2)[1].number(), 2.0);
  const auto colour = [&](const char* key) {
    return map["e"].word<Colour>(key, {{"red", Colour::Red}, {"green", Colour::Green}}, Colour::Red);
  };
  EXPECT_EQ(colour("f"), Colour::Green);
  EXPECT_EQ(colour("g"), Colour::Red);
}

TEST(YamlReader, EveryErrorNamesFileLineKeyAndRemedy) {
  const auto map = read("a: 2\nb: maybe\nc: [1, x]\nd: {e: 1.5}\n");
  EXPECT_THAT(reason_of([&] { map["z"]; }), HasSubstr("file.yaml:1: 'z' is missing"));
  EXPECT_THAT(reason_of([&] { map["b"].flag(); }), HasSubstr("file.yaml:2: b: expected true or false"));
  EXPECT_THAT(reason_of([&] { map["c"].items()[1].number(); }), HasSubstr("file.yaml:3: c[1]: expected a number"));
  EXPECT_THAT(reason_of([&] { map["c"].items(3); }), HasSubstr("expected a list of 3"));
  EXPECT_THAT(reason_of([&] { map["a"].items(); }), HasSubstr("expected a list"));
  EXPECT_THAT(reason_of([&] { map["c"].text(); }), HasSubstr("expected a word"));
  EXPECT_THAT(reason_of([&] { map["d"]["e"].integer_in(0, 9); }), HasSubstr("file.yaml:4: d.e: expected a whole"));
  EXPECT_THAT(reason_of([&] { map["d"]["e"].number_in(2, 3); }), HasSubstr("1.5 is outside 2..3"));
  EXPECT_THAT(reason_of([&] { map["b"].word<Colour>({{"red", Colour::Red}}); }), HasSubstr("'maybe' is none of red"));
  EXPECT_THAT(reason_of([&] { map.only({"a", "b", "c"}); }), HasSubstr("file.yaml:4: d: unknown key; one of: a, b, c"));
  EXPECT_THAT(reason_of([&] { read("a: 1\na: 2").entries(); }), HasSubstr("'a' is given twice"));
  EXPECT_THAT(reason_of([] { read("a: [1"); }), HasSubstr("file.yaml:1: not valid YAML"));
  EXPECT_THAT(reason_of([] { read("[1, 2]"); }), HasSubstr("key: value"));
}
