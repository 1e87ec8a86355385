// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_remote/link_sender.hpp"

namespace hl_remote {

constexpr int kLinkPort = 14242;

/// What a team wants to see of a robot that plays, each as "name" or "name rate" (Hz).
std::vector<std::string> default_topics();

/// What is wrong with such a line, in words; nothing if it is fine.
std::optional<std::string> topic_error(const std::string& line);

/// Lines without errors.
std::vector<LinkSender::Topic> topics_from(const std::vector<std::string>& lines);

/// Topics that make a robot move or believe something. The link never carries them: a receiver in the robot's own
/// domain would command it.
bool is_command(const std::string& topic);

}  // namespace hl_remote
