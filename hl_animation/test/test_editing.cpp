// SPDX-License-Identifier: Apache-2.0
// What editors rely on: a motion as JSON and back, drafts, and playing from any row.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/recording.hpp"

namespace hl_animation {
namespace {

Keyframe keyframe(double duration, std::map<std::string, double> goals) {
  Keyframe result;
  result.duration = duration;
  result.goals = std::move(goals);
  return result;
}

Animation nod() {
  Animation animation;
  animation.name = "nod";
  animation.keyframes = {keyframe(1.0, {{"HeadTilt", 0.1}, {"LKnee", 0.2}}), keyframe(0.5, {{"HeadTilt", 0.3}}),
                         keyframe(0.25, {{"HeadTilt", 0.0}})};
  return animation;
}

}  // namespace

TEST(AnimationJson, EveryShippedMotionComesBackAsItWas) {
  int motions = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ANIMATIONS)) {
    if (entry.path().extension() != ".yaml") continue;
    const Animation original = load_animations(entry.path().string()).front();
    const Animation again = parse_draft(to_json(original), "json");
    EXPECT_EQ(to_json(again), to_json(original)) << entry.path();
    ASSERT_EQ(again.keyframes.size(), original.keyframes.size());
    for (std::size_t k = 0; k < again.keyframes.size(); ++k) {
      for (const auto& [joint, position] : original.keyframes[k].goals)
        EXPECT_NEAR(again.keyframes[k].goals.at(joint), position, 1e-4) << entry.path() << " " << joint;
    }
    EXPECT_EQ(to_yaml(again), to_yaml(original)) << entry.path();
    ++motions;
  }
  EXPECT_GT(motions, 10);
}

TEST(AnimationJson, OddTextsSurvive) {
  Animation animation = nod();
  animation.description = "\"quoted\", a\\b, line\nbreak, tab\t, \x01, {curly: [x]}, umlaut \xc3\xa4, broken \xff";
  const Animation again = parse_draft(to_json(animation), "json");
  EXPECT_EQ(again.description.substr(0, 40), animation.description.substr(0, 40));
}

TEST(AnimationDraft, MayHaveNoKeyframesYetButAFileMayNot) {
  const std::string text = R"({"name": "new", "keyframes": []})";
  EXPECT_TRUE(parse_draft(text, "text").keyframes.empty());
  EXPECT_THROW(parse_animations(text, "text"), AnimationError);
  EXPECT_THROW(parse_draft(R"({"name": "new"})", "text"), AnimationError);
  EXPECT_THROW(parse_draft(R"({"name": "new", "keyframes": 3})", "text"), AnimationError);
}

TEST(AnimationDraft, RandomTextIsAnErrorNeverACrash) {
  std::mt19937 random(3);
  const std::string good = to_json(nod());
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) text[random() % text.size()] = static_cast<char>(random() & 0xff);
    try {
      parse_draft(text, "text");
    } catch (const AnimationError&) {
    }
  }
}

TEST(Recording, PlaysFromARowWithThePoseEarlierRowsMade) {
  const Recording recording(nod());
  const auto part = recording.from(1, 2.0);
  ASSERT_TRUE(part);
  ASSERT_EQ(part->keyframes.size(), 2U);
  EXPECT_EQ(part->keyframes[0].duration, 2.0) << "the robot may be anywhere: it is given time to get there";
  EXPECT_EQ(part->keyframes[0].goals, (std::map<std::string, double>{{"HeadTilt", 0.3}, {"LKnee", 0.2}}));
  EXPECT_EQ(part->keyframes[1].duration, 0.25);
  EXPECT_EQ(recording.from(-1, 1.0)->keyframes.size(), 1U);
  EXPECT_FALSE(recording.from(3, 1.0));
  EXPECT_FALSE(recording.from(-2, 1.0));
}

TEST(Recording, AnEditorsMotionTakesThePlaceOfTheOldOneAndCanBeUndone) {
  Recording recording(nod());
  recording.mark_saved();
  Animation shorter = nod();
  shorter.keyframes.resize(1);
  recording.replace(shorter);
  EXPECT_TRUE(recording.unsaved());
  EXPECT_EQ(recording.animation().keyframes.size(), 1U);
  EXPECT_FALSE(recording.undo());
  EXPECT_EQ(recording.animation().keyframes.size(), 3U);
  EXPECT_FALSE(recording.unsaved());
}

}  // namespace hl_animation
