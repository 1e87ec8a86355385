// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hl_remote {

std::string to_base64(const std::vector<std::uint8_t>& bytes);
/// Nothing if a character does not belong there or the length is wrong.
std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace hl_remote
