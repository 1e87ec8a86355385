// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>

namespace hl_description {

/// What std::printf would print, as text.
[[gnu::format(printf, 1, 2)]] inline std::string formatted(const char* format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  std::string text(static_cast<std::size_t>(std::max(0, std::vsnprintf(nullptr, 0, format, arguments))), '\0');
  va_end(arguments);
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

}  // namespace hl_description
