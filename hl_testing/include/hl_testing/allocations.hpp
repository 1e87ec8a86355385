// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// What `operator new` was asked for since the program started. Only in programs that link
/// `hl_testing::hl_testing_allocations`, which replaces the operator; for single-threaded measurements.
namespace hl_testing::allocations {

extern std::size_t count;
extern std::size_t bytes;

}  // namespace hl_testing::allocations
