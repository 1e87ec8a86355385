// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace hl_testing {

/// Compares what stands in a document between `<!-- NAME begin -->` and `<!-- NAME end -->` with what the code says.
/// Empty if they agree, else what is wrong and how to mend it. With HL_WRITE_DOCUMENTATION=1 in the environment it
/// writes instead of comparing.
std::string documentation_problem(const std::filesystem::path& document, const std::string& name,
                                  const std::string& content);

/// The same for a file that comes from the code as a whole.
std::string documentation_problem(const std::filesystem::path& file, const std::string& content);

}  // namespace hl_testing
