// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

/// The text that tells a viewer how to read a message: the .msg file and, after lines of '=', those of its parts.
namespace hl_remote {

/// Text of a definition file, e.g. ("std_msgs", "msg", "Header.msg"); nothing if there is none.
using DefinitionFile = std::function<std::optional<std::string>(const std::string& package, const std::string& folder,
                                                                const std::string& file)>;

/// The installed files.
std::optional<std::string> installed_definition(const std::string& package, const std::string& folder,
                                                const std::string& file);

/// For `package/msg/Type`; nothing if it or a part of it is not installed.
std::optional<std::string> message_text(const std::string& type, const DefinitionFile& file = installed_definition);

struct ServiceText {
  std::string request, response;
};
/// For `package/srv/Type` and for the services of an action, `package/action/Type_SendGoal` and `_GetResult`.
std::optional<ServiceText> service_text(const std::string& type, const DefinitionFile& file = installed_definition);

}  // namespace hl_remote
