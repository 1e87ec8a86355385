// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/performance.hpp"
#include "hl_animation/recording.hpp"

using namespace hl_animation;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

Animation nod() {
  return parse_animations(
             "{name: nod, keyframes: [{duration: 0.5, joints: {HeadTilt: -30}}, {duration: 0.5, joints: {HeadTilt: "
             "0}}]}",
             "f")
      .front();
}

const std::map<std::string, double> kPresent{{"HeadTilt", 0.1}};

using hl_soccer::BodyState;

Performance::Inputs in(const std::optional<BodyState>& body) {
  return {body, &kPresent, {}};
}

}  // namespace

TEST(Performance, AsksForTheBodyThenPlaysToTheEnd) {
  Performance performance(nod(), false, {});
  double now = 0.0;
  int asked = 0;
  for (; now < 1.0; now += 0.01) {
    const auto output = performance.step(in(BodyState::Walking), now);
    asked += output.ask ? 1 : 0;
    EXPECT_FALSE(output.goals);
  }
  EXPECT_NEAR(asked, 5, 1);
  auto output = performance.step(in(BodyState::Controllable), now);
  EXPECT_TRUE(output.first);
  EXPECT_TRUE(output.goals);
  int ticks = 0;
  while (!output.ended && ++ticks < 1000) output = performance.step(in(BodyState::Controllable), now += 0.01);
  EXPECT_TRUE(output.last);
  EXPECT_TRUE(output.goals);
  EXPECT_EQ(performance.result(), Performance::Result::Finished);
  EXPECT_NEAR(ticks, 100, 2);
}

TEST(Performance, TheBodyThatIsNeverGivenIsAFailureWithAReason) {
  const std::vector<std::pair<std::optional<BodyState>, const char*>> cases{
      {BodyState::Walking, "in time"}, {std::nullopt, "not heard"}, {BodyState::Fallen, "cannot"}};
  for (const auto& [body, reason] : cases) {
    Performance performance(nod(), false, {});
    for (double now = 0.0; now < 10.0; now += 0.1) performance.step(in(body), now);
    EXPECT_EQ(performance.result(), Performance::Result::Failed);
    EXPECT_NE(performance.message().find(reason), std::string::npos) << performance.message();
  }
}

TEST(Performance, TheHcmNeedsNotAsk) {
  Performance performance(nod(), true, {});
  EXPECT_TRUE(performance.step(in(BodyState::Fallen), 0.0).first);
  EXPECT_FALSE(performance.step(in(BodyState::Fallen), 0.1).ended);
}

TEST(Performance, CancelBeforeAndWhilePlaying) {
  Performance waiting(nod(), false, {});
  waiting.cancel();
  EXPECT_TRUE(waiting.step(in(BodyState::Walking), 0.0).ended);
  EXPECT_EQ(waiting.result(), Performance::Result::Cancelled);

  Performance playing(nod(), false, {});
  playing.step(in(BodyState::Controllable), 0.0);
  playing.step(in(BodyState::Controllable), 0.2);
  playing.cancel();
  Performance::Outputs output;
  for (double now = 0.21; !output.ended && now < 1.0; now += 0.01)
    output = playing.step(in(BodyState::Controllable), now);
  EXPECT_EQ(playing.result(), Performance::Result::Cancelled);
  EXPECT_TRUE(output.last) << "the HCM must hear the end";
}

TEST(Performance, OnlyTheHcmInterruptsWhatDoesNotSayOtherwise) {
  Animation animation = nod();
  EXPECT_TRUE(Performance(animation, false, {}).yields_to(true));
  EXPECT_FALSE(Performance(animation, false, {}).yields_to(false));
  animation.interruptible = true;
  EXPECT_TRUE(Performance(animation, false, {}).yields_to(false));
  EXPECT_FALSE(Performance(animation, true, {}).yields_to(false)) << "the HCM's own goes first";
}

TEST(Performance, FallingRobotEndsIt) {
  Performance performance(nod(), false, {});
  performance.step(in(BodyState::Controllable), 0.0);
  EXPECT_TRUE(performance.step(in(BodyState::Fallen), 0.1).ended);
  EXPECT_EQ(performance.result(), Performance::Result::Failed);
}

TEST(Recording, EveryChangeCanBeUndoneAndRedone) {
  Animation empty;
  empty.name = "new";
  Recording recording(empty);
  EXPECT_TRUE(recording.undo()) << "nothing to undo";
  Keyframe keyframe;
  keyframe.duration = 1.0;
  keyframe.goals["LKnee"] = -0.5;
  EXPECT_FALSE(recording.insert(keyframe, -1));
  keyframe.goals["LKnee"] = -1.0;
  EXPECT_FALSE(recording.insert(keyframe, 0));
  EXPECT_DOUBLE_EQ(recording.animation().keyframes[0].goals.at("LKnee"), -1.0);
  EXPECT_FALSE(recording.mirror(0));
  EXPECT_DOUBLE_EQ(recording.animation().keyframes[0].goals.at("RKnee"), 1.0);
  EXPECT_FALSE(recording.set_timing(-1, 2.0, 0.5));
  EXPECT_FALSE(recording.remove(0));
  EXPECT_EQ(recording.animation().keyframes.size(), 1U);
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(recording.undo());
  EXPECT_TRUE(recording.animation().keyframes.empty());
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(recording.redo());
  EXPECT_TRUE(recording.redo());
  EXPECT_EQ(recording.animation().keyframes.size(), 1U);
  EXPECT_DOUBLE_EQ(recording.animation().keyframes[0].duration, 2.0);
}

TEST(Recording, KnowsWhatIsSavedAndRefusesNonsense) {
  Recording recording(nod());
  EXPECT_TRUE(recording.unsaved());
  recording.mark_saved();
  EXPECT_FALSE(recording.unsaved());
  EXPECT_FALSE(recording.remove(0));
  EXPECT_TRUE(recording.unsaved());
  recording.undo();
  EXPECT_FALSE(recording.unsaved()) << "back at the saved one";
  EXPECT_TRUE(recording.remove(7));
  EXPECT_TRUE(recording.insert({}, -1));
  EXPECT_TRUE(recording.set_timing(0, std::nan(""), 0.0));
  EXPECT_FALSE(recording.until(9));
  EXPECT_EQ(recording.until(0)->keyframes.size(), 1U);
}
