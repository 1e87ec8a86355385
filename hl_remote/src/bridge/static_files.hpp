// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hl_remote {

struct StaticFile {
  std::string content, type;
};

/// The file below `folder` that a request's target asks for (`/` is index.html); nothing for what is not there, and for
/// every way out of the folder.
std::optional<StaticFile> static_file(const std::string& folder, std::string_view target);

/// Whether a target asks for something that no page has: a way up, a hidden file, a damaged code.
bool leaves_folder(std::string_view target);

/// Value of a query's word, percent decoded: query_value("/?a=1&token=x%20y", "token") is "x y"; empty if it is not
/// there.
std::string query_value(std::string_view target, std::string_view name);

/// `%41` -> `A`; nothing if a code is damaged or stands for a control character.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace hl_remote
