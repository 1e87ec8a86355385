// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "hl_behavior/rtdl/diagnostic.hpp"
#include "hl_behavior/rtdl/tree.hpp"

namespace hl_behavior::rtdl {

/// Readers take any bytes and report every error they find; the document is whole only if the report has none.
Document read_function(std::string_view text, Report& report);
Document read_xml(std::string_view text, Report& report);

/// Either, told apart by the first character.
Document read(std::string_view text, Report& report);
bool looks_like_xml(std::string_view text);

std::string write_function(const Document& document);
std::string write_xml(const Document& document);  // valid against rtdl.dtd

}  // namespace hl_behavior::rtdl
