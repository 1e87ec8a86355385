// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_hcm/pause.hpp"

using namespace hl_hcm;
using Manual = PauseLogic::Manual;

TEST(Pause, FollowsTheReferee) {
  PauseLogic pause;
  EXPECT_FALSE(pause.paused());
  pause.referee(true);
  EXPECT_TRUE(pause.paused());
  pause.referee(false);
  EXPECT_FALSE(pause.paused());
}

TEST(Pause, TheHandlerOverridesTheRefereeInBothDirections) {
  PauseLogic pause;
  pause.manual(Manual::Penalize);
  EXPECT_TRUE(pause.paused());
  pause.referee(false);  // repeats its word: no change
  pause.referee(false);
  EXPECT_TRUE(pause.paused());
  pause.manual(Manual::FollowReferee);
  EXPECT_FALSE(pause.paused());

  pause.referee(true);
  pause.manual(Manual::Unpenalize);
  EXPECT_FALSE(pause.paused());
  pause.referee(true);
  EXPECT_FALSE(pause.paused());
}

TEST(Pause, TheManualWordEndsWhenTheRefereeChangedTwice) {
  PauseLogic pause;
  pause.manual(Manual::Penalize);
  pause.referee(true);
  EXPECT_TRUE(pause.is_manual());
  pause.referee(false);
  EXPECT_FALSE(pause.is_manual());
  EXPECT_FALSE(pause.paused());

  pause.referee(true);
  pause.manual(Manual::Unpenalize);
  EXPECT_FALSE(pause.paused());
  pause.referee(false);
  EXPECT_FALSE(pause.paused());
  pause.referee(true);  // a new penalty
  EXPECT_TRUE(pause.paused());
}

TEST(Pause, ANewManualWordCountsAnew) {
  PauseLogic pause;
  pause.manual(Manual::Penalize);
  pause.referee(true);
  pause.manual(Manual::Unpenalize);
  pause.referee(false);
  EXPECT_TRUE(pause.is_manual());
  pause.referee(true);
  EXPECT_FALSE(pause.is_manual());
  EXPECT_TRUE(pause.paused());
}

TEST(Pause, EverySequenceOfWordsFollowsTheRules) {
  // Words: referee says yes, no; handler says penalise, release, follow the referee. All sequences of seven.
  constexpr int kWords = 5, kLength = 7;
  int sequences = 1;
  for (int i = 0; i < kLength; ++i) sequences *= kWords;
  for (int sequence = 0; sequence < sequences; ++sequence) {
    PauseLogic pause;
    bool referee = false;
    bool spoken = false, handler = false;  // the handler has a word, and which
    int changes = 0;                       // of the referee since then
    for (int rest = sequence, i = 0; i < kLength; rest /= kWords, ++i) {
      const int word = rest % kWords;
      if (word < 2) {
        pause.referee(word == 0);
        changes += referee != (word == 0);
        referee = word == 0;
        if (changes >= 2) spoken = false;
      } else {
        pause.manual(word == 2 ? Manual::Penalize : word == 3 ? Manual::Unpenalize : Manual::FollowReferee);
        changes = 0;
        spoken = word != 4;
        handler = word == 2;
      }
      ASSERT_EQ(pause.paused(), spoken ? handler : referee) << "sequence " << sequence << ", word " << i;
      ASSERT_EQ(pause.is_manual(), spoken);
    }
  }
}

TEST(Buttons, ShortModePenalisesStartReleasesLongModeFollowsTheReferee) {
  ButtonReader buttons;
  EXPECT_FALSE(buttons.update(false, false, 0.0));
  EXPECT_FALSE(buttons.update(true, false, 1.0));
  EXPECT_EQ(buttons.update(false, false, 1.2), Manual::Penalize);
  EXPECT_FALSE(buttons.update(false, true, 2.0));
  EXPECT_EQ(buttons.update(false, false, 2.1), Manual::Unpenalize);
  EXPECT_FALSE(buttons.update(true, false, 3.0));
  EXPECT_FALSE(buttons.update(true, false, 3.5));
  EXPECT_EQ(buttons.update(true, false, 4.1), Manual::FollowReferee);
  EXPECT_FALSE(buttons.update(true, false, 4.5));
  EXPECT_FALSE(buttons.update(false, false, 4.6));
}

TEST(Buttons, BouncingContactsAreNoPress) {
  ButtonReader buttons;
  for (double t = 0.0; t < 0.2; t += 0.02) {
    EXPECT_FALSE(buttons.update(true, false, t));
    EXPECT_FALSE(buttons.update(false, false, t + 0.01));
  }
  for (double t = 1.0; t < 1.2; t += 0.02) {
    EXPECT_FALSE(buttons.update(false, true, t)) << "START, which would release";
    EXPECT_FALSE(buttons.update(false, false, t + 0.01));
  }
}

TEST(PauseCore, TellsWhyItChangedAndOnlyThen) {
  Pause pause;
  Pause::Inputs referee;
  referee.penalized = true;
  auto out = pause.step(referee, 0.0);
  EXPECT_TRUE(out.paused);
  EXPECT_STREQ(out.reason, "the referee penalises");
  EXPECT_EQ(pause.step(referee, 0.1).reason, nullptr);
  Pause::Inputs handler;
  handler.manual = Manual::Unpenalize;
  out = pause.step(handler, 0.2);
  EXPECT_FALSE(out.paused);
  EXPECT_STREQ(out.reason, "manual word");
  EXPECT_FALSE(pause.step(referee, 0.3).paused) << "the referee repeats itself";
}

TEST(PauseCore, SeesHowLongAButtonIsHeldAlthoughItSendsNothingNew) {
  Pause pause;
  Pause::Inputs handler, pressed, released;
  handler.manual = Manual::Penalize;
  pressed.buttons = {true, false};
  released.buttons = {false, false};
  EXPECT_TRUE(pause.step(handler, 0.0).paused);
  EXPECT_TRUE(pause.step(pressed, 1.0).paused);
  EXPECT_TRUE(pause.step({}, 1.9).paused);
  const auto out = pause.step({}, 2.05);
  EXPECT_FALSE(out.paused) << "back to the referee, who said nothing";
  EXPECT_STREQ(out.reason, "button");
  EXPECT_FALSE(pause.step(released, 2.1).paused);
}
