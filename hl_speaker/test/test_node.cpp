// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <humanoid_league_msgs/msg/speak.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"

using hl_testing::Process;
using humanoid_league_msgs::msg::Speak;

TEST(SpeakerNode, SpeaksInTheOrderOfPriorityAndSurvivesAMissingVoice) {
  hl_testing::isolate();
  rclcpp::init(0, nullptr);
  const auto node = std::make_shared<rclcpp::Node>("test_speaker");
  const auto publisher = node->create_publisher<Speak>("speak", 10);
  Process process({std::string(PROGRAM_FOLDER) + "/speaker", "--ros-args", "-p", "speech_program:=no-such-voice"});
  ASSERT_TRUE(hl_testing::wait_until([&] { return publisher->get_subscription_count() == 1; })) << process.output();
  Speak speak;
  speak.priority = Speak::HIGH_PRIORITY;
  speak.text = "I need `reboot` help; \"now\"";
  publisher->publish(speak);
  EXPECT_TRUE(process.wait_for_output("I need `reboot` help")) << process.output();
  EXPECT_TRUE(process.wait_for_output("cannot start no-such-voice")) << process.output();
  speak.text = "still here";
  publisher->publish(speak);
  EXPECT_TRUE(process.wait_for_output("still here")) << process.output();
  EXPECT_TRUE(process.running());
  EXPECT_EQ(process.stop(), 0) << process.output();
  rclcpp::shutdown();
}

TEST(SpeakerNode, BadSettingsAreRefused) {
  Process process({std::string(PROGRAM_FOLDER) + "/speaker", "--ros-args", "-p", "speed:=5"});
  EXPECT_NE(process.wait(), 0);
  EXPECT_NE(process.output().find("speed must lie in 80..450"), std::string::npos) << process.output();
}
