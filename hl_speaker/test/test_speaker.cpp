// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "hl_speaker/speech_queue.hpp"
#include "hl_speaker/voice.hpp"
#include "hl_testing/documentation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "parameters.hpp"

using hl_speaker::Priority;
using hl_speaker::SpeechQueue;
using hl_speaker::Utterance;
using hl_speaker::Voice;

namespace {

Utterance text(const std::string& words, Priority priority = Priority::Mid) {
  return {words, "", priority};
}

}  // namespace

TEST(SpeechQueue, HigherPriorityGoesFirst) {
  SpeechQueue queue({});
  queue.push(text("low", Priority::Low), 0.0);
  queue.push(text("mid"), 0.0);
  queue.push(text("high", Priority::High), 0.0);
  queue.push(text("mid two"), 0.0);
  EXPECT_EQ(queue.pop(0.0)->text, "high");
  EXPECT_EQ(queue.pop(0.0)->text, "mid");
  EXPECT_EQ(queue.pop(0.0)->text, "mid two");
  EXPECT_EQ(queue.pop(0.0)->text, "low");
  EXPECT_FALSE(queue.pop(0.0));
}

TEST(SpeechQueue, TheSameWordsAreSaidOnceInAWhile) {
  SpeechQueue queue({});
  EXPECT_EQ(queue.push(text("help"), 0.0), SpeechQueue::Verdict::Queued);
  EXPECT_EQ(queue.push(text("help", Priority::High), 0.0), SpeechQueue::Verdict::Duplicate);
  queue.pop(1.0);
  EXPECT_EQ(queue.push(text("help"), 2.0), SpeechQueue::Verdict::Duplicate);
  EXPECT_EQ(queue.push(text("help"), 6.1), SpeechQueue::Verdict::Queued);
}

TEST(SpeechQueue, ACrowdedQueueForgetsTheOldest) {
  SpeechQueue queue({});
  for (int i = 0; i < 100; ++i) queue.push(text(std::to_string(i)), 0.0);
  EXPECT_EQ(queue.waiting(), 5U);
  EXPECT_EQ(queue.pop(0.0)->text, "95");
}

TEST(SpeechQueue, ChatterIsSlowedDown) {
  SpeechQueue queue({});
  queue.push(text("a", Priority::Low), 0.0);
  queue.push(text("b", Priority::Low), 0.0);
  EXPECT_TRUE(queue.pop(0.0));
  EXPECT_FALSE(queue.pop(1.0));
  EXPECT_TRUE(queue.pop(2.0));
}

TEST(SpeechQueue, LongAndDirtyTextIsMended) {
  SpeechQueue queue({});
  EXPECT_EQ(queue.push(text(" \n\t "), 0.0), SpeechQueue::Verdict::Empty);
  queue.push(text("one\ntwo\x07"), 0.0);
  EXPECT_EQ(queue.pop(0.0)->text, "one two");
  std::string longer;
  for (int i = 0; i < 100; ++i) longer += "word ";
  queue.push(text(longer), 0.0);
  const auto said = queue.pop(0.0)->text;
  EXPECT_LE(said.size(), 200U);
  EXPECT_EQ(said.substr(said.size() - 4), "word");
}

TEST(SpeechQueue, ArbitraryTextNeverCrashes) {
  std::mt19937 random(2);
  SpeechQueue queue({5, 20, 0.0, 0.0});
  for (int i = 0; i < 20'000; ++i) {
    std::string words(random() % 60, ' ');
    for (auto& c : words) c = static_cast<char>(random());
    queue.push(text(words, static_cast<Priority>(random() % 3)), i);
    const auto said = queue.pop(i);
    EXPECT_LE(said.value_or(Utterance{}).text.size(), 20U);
  }
}

TEST(Voice, TextIsOneArgumentAndNeverAnOption) {
  const auto command = Voice({}).command_for(text("--help; rm -rf $HOME `id`"));
  ASSERT_GE(command.size(), 2U);
  EXPECT_EQ(command[command.size() - 2], "--");
  EXPECT_EQ(command.back(), "--help; rm -rf $HOME `id`");
}

TEST(Voice, SpeaksThroughTheProgramWithoutAShell) {
  const hl_testing::TemporaryFolder folder;
  const auto program = folder.path() / "fake-voice";
  const auto said = folder.path() / "said";
  std::ofstream(program) << "#!/bin/sh\nfor last; do :; done\nprintf '%s' \"$last\" > '" << said.string() << "'\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  Voice::Params params;
  params.speech_program = program;
  Voice voice(params);
  EXPECT_FALSE(voice.start(text("$(touch evil) goal")));
  EXPECT_TRUE(hl_testing::wait_until([&] { return !voice.speaking(); }));
  std::ifstream file(said);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "$(touch evil) goal");
  EXPECT_FALSE(voice.failure());
}

TEST(Voice, MissingProgramAndMissingSoundCardAreToldNotThrown) {
  Voice::Params params;
  params.speech_program = "no-such-voice";
  Voice voice(params);
  const auto error = voice.start(text("hello"));
  ASSERT_TRUE(error);
  EXPECT_NE(error->find("no-such-voice"), std::string::npos);
  params.speech_program = "false";
  voice.set_params(params);
  EXPECT_FALSE(voice.start(text("hello")));
  EXPECT_TRUE(hl_testing::wait_until([&] { return !voice.speaking(); }));
  EXPECT_TRUE(voice.failure());
}

TEST(Params, BadValuesAreNamed) {
  Voice::Params voice;
  voice.language = "en; reboot";
  EXPECT_TRUE(voice.validate());
  voice.language = "de";
  voice.speed = 10;
  EXPECT_NE(voice.validate()->find("speed"), std::string::npos);
  SpeechQueue::Params queue;
  queue.max_waiting = 0;
  EXPECT_TRUE(queue.validate());
}

TEST(Speaker, ReadmeTellsTheParametersOfTheNode) {
  EXPECT_EQ(hl_speaker::parameters().check({}), std::nullopt);
  EXPECT_EQ(hl_testing::documentation_problem(README, "parameters", hl_speaker::parameters().markdown()), "");
}
